"""The probes that need no HTTP: versions, statelessness, unknown things, wrong cursors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mcp_inspector.session.catalogue import METHODS, What
from mcp_inspector.session.probing.bench import Answer, envelope
from mcp_inspector.session.probing.probe import Came, Probe, Verdict
from mcp_inspector.transport.base import Fault

if TYPE_CHECKING:
    from mcp_inspector.session.probing.bench import Bench

NOBODY = "mcp-inspector-no-such"
"""A name that no server has."""
_UI = "io.modelcontextprotocol/ui"
_OLD_VERSION = "1999-01-01"
_LISTS = {What.TOOLS: "tools", What.RESOURCES: "resources", What.PROMPTS: "prompts"}


def judged(answer: Answer, good: bool, sent: str, *, else_: Verdict = Verdict.WRONG) -> Came:
    """The verdict on one answer: good, or otherwise `else_`; failed when nothing came at all."""
    if not answer.message and answer.status is None:
        return Came(Verdict.FAILED, f"{sent}: {answer.told()}.", answer.seqs)
    return Came(Verdict.GOOD if good else else_, f"{sent}: {answer.told()}.", answer.seqs)


def modern_only(bench: Bench) -> str:
    """Why a probe of 2026-07-28 is left out."""
    return "" if bench.modern else f"the server speaks {bench.version}"


def _needs(what: What) -> Any:
    def applies(bench: Bench) -> str:
        return "" if bench.identity.has(_LISTS[what]) else f"the server has no {_LISTS[what]}"

    return applies


async def unknown_version(bench: Bench) -> Came:
    if bench.over == "http":
        line = await bench.line()
        message = line.message("server/discover", {"_meta": envelope(_OLD_VERSION)})
        message["params"]["_meta"] = envelope(_OLD_VERSION)
        answer = await line.post(message, {**line.headers(message), "MCP-Protocol-Version": _OLD_VERSION})
    else:
        answer = await bench.ask("server/discover", {"_meta": envelope(_OLD_VERSION)})
    good = answer.status in (None, 400) and answer.code == -32022 and isinstance(answer.data.get("supported"), list)
    return judged(answer, good, f"server/discover under version {_OLD_VERSION}")


async def initialize_answer(bench: Bench) -> Came:
    """What a modern server says to the handshake of old: its versions, or it speaks both."""
    try:
        session = await bench.session(mode="legacy")
    except Fault as fault:
        said = fault.sentence + " ".join(str(one) for one in fault.facts.get("attempts", ()))
        names = any(version in said for version in bench.identity.supported)
        verdict = Verdict.GOOD if names else Verdict.ODD
        return Came(verdict, f"initialize: {fault.sentence}" + ("" if names else " It does not name its versions."))
    _ = session
    listed = any(version < "2026-07-28" for version in bench.identity.supported)
    sentence = "initialize works: the server speaks the older versions, too"
    return Came(Verdict.GOOD if listed else Verdict.TOLD, f"{sentence}{'' if listed else ', and does not list them'}.")


async def missing_meta(bench: Bench) -> Came:
    if bench.over == "http":
        line = await bench.line()
        message = line.message("tools/list", meta=False)
        answer = await line.post(message)
    else:
        session = await bench.session()
        codec, session.codec = session.codec, None
        try:
            answer = await bench.ask("tools/list", {}, on=session)
        finally:
            session.codec = codec
    good = answer.code == -32602 and answer.status in (None, 400)
    return judged(answer, good, "tools/list without _meta")


async def stateless(bench: Bench) -> Came:
    """The first message of a connection is not the discovery."""
    if bench.over == "http":
        line = await bench.line()
        answer = await line.post(line.message("tools/list"))
        return judged(answer, answer.result is not None, "tools/list as the first message of a connection")
    first = await bench.ask("tools/list")
    second = await bench.ask("tools/list", on=await bench.session())
    good = (first.result is None) == (second.result is None)
    return judged(second, good, "tools/list on a connection of its own")


async def same_lists(bench: Bench) -> Came:
    """Two connections with the same credentials are shown the same."""
    one, two = await bench.session(), await bench.session()
    seqs: list[int] = []
    for what, name in _LISTS.items():
        if not bench.identity.has(name):
            continue
        method, member = METHODS[what]
        found = [await bench.ask(method, on=session) for session in (one, two)]
        seqs += [seq for answer in found for seq in answer.seqs]
        keys = [_keys(answer, member) for answer in found]
        if keys[0] != keys[1]:
            odd = sorted(keys[0] ^ keys[1])[:3]
            verdict = Verdict.WRONG if bench.modern else Verdict.TOLD
            return Came(verdict, f"{method} differs between two connections: {', '.join(odd)}.", tuple(seqs))
    return Came(Verdict.GOOD, "Two connections list the same.", tuple(seqs))


async def ui_lists(bench: Bench) -> Came:
    """What is listed to a host that shows pages."""
    ui = {"extensions": {_UI: {"mimeTypes": ["text/html;profile=mcp-app"]}}}
    plain = await bench.ask("tools/list", on=await bench.session())
    shown = await bench.ask("tools/list", on=await bench.session(capabilities=ui))
    more, less = _keys(shown, "tools") - _keys(plain, "tools"), _keys(plain, "tools") - _keys(shown, "tools")
    seqs = (*plain.seqs, *shown.seqs)
    if not more and not less:
        return Came(Verdict.GOOD, "The same tools with and without the capability for pages.", seqs)
    words = [f"{len(more)} more with it ({', '.join(sorted(more)[:3])})"] if more else []
    words += [f"{len(less)} less ({', '.join(sorted(less)[:3])})"] if less else []
    return Came(Verdict.TOLD, f"The tools differ by the capability for pages: {'; '.join(words)}.", seqs)


async def unknown_method(bench: Bench) -> Came:
    answer = await bench.ask("mcp-inspector/no-such-method")
    good = answer.code == -32601 and (not bench.modern or bench.over != "http" or answer.status == 404)
    return judged(answer, good, "a method that does not exist")


async def invalid_cursor(bench: Bench) -> Came:
    answer = await bench.ask("tools/list", {"cursor": f"{NOBODY}-cursor"})
    return judged(answer, answer.code == -32602, "tools/list with a cursor that was never given", else_=Verdict.ODD)


async def unknown_tool(bench: Bench) -> Came:
    answer = await bench.ask("tools/call", {"name": f"{NOBODY}-tool", "arguments": {}})
    return judged(answer, answer.code == -32602, "a tool that does not exist", else_=Verdict.ODD)


async def missing_resource(bench: Bench) -> Came:
    answer = await bench.ask("resources/read", {"uri": f"{NOBODY}:///resource"})
    wanted = -32602 if bench.modern else -32002
    else_ = Verdict.WRONG if bench.modern else Verdict.ODD
    return judged(answer, answer.code == wanted, "a resource that does not exist", else_=else_)


async def unknown_prompt(bench: Bench) -> Came:
    answer = await bench.ask("prompts/get", {"name": f"{NOBODY}-prompt"})
    return judged(answer, answer.code == -32602, "a prompt that does not exist", else_=Verdict.ODD)


def _demanding(bench: Bench) -> str:
    """The first prompt that requires an argument."""
    for item in bench.catalogue[What.PROMPTS].items:
        arguments = item.value.get("arguments")
        found = arguments if isinstance(arguments, list) else []
        if any(isinstance(one, dict) and one.get("required") for one in found):
            return item.key
    return ""


async def missing_argument(bench: Bench) -> Came:
    name = _demanding(bench)
    answer = await bench.ask("prompts/get", {"name": name, "arguments": {}})
    return judged(answer, answer.code == -32602, f"{name} without its required arguments", else_=Verdict.ODD)


async def bad_log_level(bench: Bench) -> Came:
    answer = await bench.ask("logging/setLevel", {"level": "loud"})
    return judged(answer, answer.code == -32602, "a log level that does not exist", else_=Verdict.ODD)


def _keys(answer: Answer, member: str) -> set[str]:
    items = (answer.result or {}).get(member)
    found = items if isinstance(items, list) else []
    return {str(item.get("uri", item.get("name"))) for item in found if isinstance(item, dict)}


def _no_demanding(bench: Bench) -> str:
    return "" if _demanding(bench) else "no prompt requires an argument"


def _no_levels(bench: Bench) -> str:
    return "" if not bench.modern and bench.identity.has("logging") else "the server has no log level to set"


PROBES = (
    Probe(
        "unknown-version", 23, "An unknown version is refused with -32022.", "versioning", unknown_version, modern_only
    ),
    Probe("initialize", 24, "Who speaks no older version says so.", "versioning", initialize_answer, modern_only),
    Probe("stateless", 28, "No request needs one before it.", "stateless", stateless, modern_only),
    Probe("missing-meta", 29, "A request without its _meta is refused with -32602.", "meta", missing_meta, modern_only),
    Probe("same-lists", 30, "Two connections are shown the same lists.", "tools", same_lists),
    Probe("unknown-method", 68, "An unknown method is refused with -32601.", "requests", unknown_method),
    Probe(
        "invalid-cursor",
        87,
        "An invalid cursor is refused with -32602.",
        "pagination",
        invalid_cursor,
        _needs(What.TOOLS),
    ),
    Probe("unknown-tool", 100, "An unknown tool is refused with -32602.", "tools", unknown_tool, _needs(What.TOOLS)),
    Probe(
        "missing-resource",
        105,
        "A missing resource is an error with its code.",
        "resources",
        missing_resource,
        _needs(What.RESOURCES),
    ),
    Probe(
        "unknown-prompt",
        107,
        "An unknown prompt is refused with -32602.",
        "prompts",
        unknown_prompt,
        _needs(What.PROMPTS),
    ),
    Probe(
        "missing-argument",
        107,
        "A missing argument is refused with -32602.",
        "prompts",
        missing_argument,
        _no_demanding,
    ),
    Probe("log-level", 112, "An unknown log level is refused with -32602.", "logging", bad_log_level, _no_levels),
    Probe("ui-lists", 153, "Tools may differ for hosts that show pages.", "ext-apps", ui_lists, _needs(What.TOOLS)),
)
