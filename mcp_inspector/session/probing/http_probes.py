"""The probes that need HTTP by hand: wrong headers, wrong verbs, sessions that are gone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mcp_inspector.session.catalogue import What
from mcp_inspector.session.probing.bench import envelope
from mcp_inspector.session.probing.probe import Came, Probe, Verdict
from mcp_inspector.session.probing.probes import NOBODY, judged
from mcp_inspector.wire import headers as wire_headers

if TYPE_CHECKING:
    from mcp_inspector.session.probing.bench import Answer, Bench

_OLD_VERSION = "1999-01-01"
_FOREIGN = "https://attacker.example"
_MISMATCH = -32020


def modern_http(bench: Bench) -> str:
    """Why a probe of the stateless HTTP is left out."""
    if bench.over != "http":
        return f"the server is reached over {bench.over}"
    return "" if bench.modern else f"the server speaks {bench.version}"


def legacy_http(bench: Bench) -> str:
    """Why a probe of HTTP with sessions is left out."""
    if bench.over != "http":
        return f"the server is reached over {bench.over}"
    return f"the server speaks {bench.version}" if bench.modern else ""


def any_http(bench: Bench) -> str:
    """Why a probe of Streamable HTTP is left out."""
    return "" if bench.over == "http" else f"the server is reached over {bench.over}"


def versioned_http(bench: Bench) -> str:
    """Why a probe of the version header is left out."""
    return legacy_http(bench) or ("" if bench.version >= "2025-06-18" else f"{bench.version} has no version header")


async def foreign_origin(bench: Bench) -> Came:
    line = await bench.line()
    message = line.message("tools/list")
    answer = await line.post(message, {**line.headers(message), "Origin": _FOREIGN})
    must = bench.version >= "2025-11-25"
    return judged(answer, answer.status == 403, f"Origin: {_FOREIGN}", else_=Verdict.WRONG if must else Verdict.ODD)


async def get_and_delete(bench: Bench) -> Came:
    line = await bench.line()
    got, deleted = await line.verb("GET"), await line.verb("DELETE")
    good = got.status == deleted.status == 405
    if not good and await bench.is_dual():
        return Came(Verdict.LEFT_OUT, "The server speaks older versions, too, which have GET and DELETE.", got.seqs)
    sentence = f"GET: HTTP {got.status}, DELETE: HTTP {deleted.status}."
    return Came(Verdict.GOOD if good else Verdict.ODD, sentence, (*got.seqs, *deleted.seqs))


async def version_mismatch(bench: Bench) -> Came:
    line = await bench.line()
    message = line.message("tools/list")
    message["params"]["_meta"] = envelope("2027-01-01")
    answer = await line.post(message, {**line.headers(message), "MCP-Protocol-Version": bench.version})
    return _refused(answer, "2027-01-01 in the body under another version in the header", also=(-32022,))


async def header_missing(bench: Bench) -> Came:
    """Each of the two headers that every request has."""
    line = await bench.line()
    worst = Came(Verdict.GOOD, "")
    said: list[str] = []
    seqs: list[int] = []
    for name in ("MCP-Protocol-Version", "Mcp-Method"):
        message = line.message("tools/list")
        sent = {key: value for key, value in line.headers(message).items() if key != name}
        came = _refused(await line.post(message, sent), f"without {name}")
        # A server for clients of before 2025-06-18 may do without the version.
        excused = name == "MCP-Protocol-Version" and came.verdict is Verdict.WRONG and await bench.is_dual()
        if came.verdict is not Verdict.GOOD and not excused:
            worst = came
        said.append(came.sentence)
        seqs += came.seqs
    return Came(worst.verdict, " ".join(said), tuple(seqs))


async def method_mismatch(bench: Bench) -> Came:
    line = await bench.line()
    message = line.message("tools/list")
    return _refused(
        await line.post(message, {**line.headers(message), "Mcp-Method": "prompts/list"}), "another Mcp-Method"
    )


async def name_mismatch(bench: Bench) -> Came:
    line = await bench.line()
    message = line.message("tools/call", {"name": f"{NOBODY}-tool", "arguments": {}})
    return _refused(await line.post(message, {**line.headers(message), "Mcp-Name": "other"}), "another Mcp-Name")


async def encoded_name(bench: Bench) -> Came:
    """A name that has to be encoded is decoded before it is compared: it must not be taken for another."""
    line = await bench.line()
    name = f"{NOBODY}-wörkzeug"
    message = line.message("tools/call", {"name": name, "arguments": {}})
    answer = await line.post(message)
    return judged(answer, answer.code != _MISMATCH, f"Mcp-Name: {wire_headers.encode(name)}")


async def task_mismatch(bench: Bench) -> Came:
    line = await bench.line()
    message = line.message("tasks/get", {"taskId": f"{NOBODY}-task"})
    answer = await line.post(message, {**line.headers(message), "Mcp-Name": "other"})
    came = _refused(answer, "another task in Mcp-Name")
    # There is no such task: a server that says so may not have compared anything.
    return Came(Verdict.TOLD, came.sentence, came.seqs) if answer.code == -32602 else came


async def unknown_method_status(bench: Bench) -> Came:
    line = await bench.line()
    answer = await line.post(line.message("mcp-inspector/no-such-method"))
    return judged(answer, answer.status == 404 and answer.code == -32601, "a method that does not exist")


async def param_header(bench: Bench) -> Came:
    """A tool that wants an argument in a header, called without it."""
    tool, arguments = _mirroring(bench)
    line = await bench.line()
    message = line.message("tools/call", {"name": tool, "arguments": arguments})
    return _refused(await line.post(message), f"{tool} without its Mcp-Param header")


async def bad_version(bench: Bench) -> Came:
    line = await bench.line()
    message = line.message("tools/list")
    answer = await line.post(message, {**line.headers(message), "MCP-Protocol-Version": _OLD_VERSION})
    return judged(answer, answer.status == 400, f"MCP-Protocol-Version: {_OLD_VERSION}")


async def session_missing(bench: Bench) -> Came:
    line = await bench.line()
    if not line.session_id:
        return Came(Verdict.LEFT_OUT, "The server has no sessions.")
    message = line.message("tools/list")
    sent = {name: value for name, value in line.headers(message).items() if name != "Mcp-Session-Id"}
    answer = await line.post(message, sent)
    return judged(answer, answer.status == 400, "a request without the session id", else_=Verdict.ODD)


async def session_ended(bench: Bench) -> Came:
    line = await bench.line()
    if not line.session_id:
        return Came(Verdict.LEFT_OUT, "The server has no sessions.")
    ended = await line.verb("DELETE")
    if ended.status == 405:
        return Came(Verdict.TOLD, "The server lets no client end a session (HTTP 405).", ended.seqs)
    answer = await line.post(line.message("tools/list"))
    came = judged(answer, answer.status == 404, f"a request in a session that was ended (DELETE: HTTP {ended.status})")
    line.session_id = ""
    return Came(came.verdict, came.sentence, (*ended.seqs, *came.seqs))


async def session_unknown(bench: Bench) -> Came:
    line = await bench.line()
    if not line.session_id:
        return Came(Verdict.LEFT_OUT, "The server has no sessions.")
    message = line.message("tools/list")
    answer = await line.post(message, {**line.headers(message), "Mcp-Session-Id": f"{NOBODY}-session"})
    return judged(answer, answer.status == 404, "a session that does not exist")


def _refused(answer: Answer, sent: str, also: tuple[int, ...] = ()) -> Came:
    return judged(answer, answer.status == 400 and answer.code in (_MISMATCH, *also), sent)


def _mirroring(bench: Bench) -> tuple[str, dict[str, Any]]:
    """The first tool that only reads and mirrors an argument in a header, with a value for that."""
    for item in bench.catalogue[What.TOOLS].items:
        schema, hints = item.value.get("inputSchema"), item.value.get("annotations")
        reads = isinstance(hints, dict) and hints.get("readOnlyHint") is True
        if not isinstance(schema, dict) or wire_headers.refusal(schema) or not (reads or bench.agreed):
            continue
        for name, part in (schema.get("properties") or {}).items():
            if isinstance(part, dict) and "x-mcp-header" in part:
                values: dict[str, Any] = {"string": "x", "integer": 1, "boolean": True}
                return item.key, {name: values.get(str(part.get("type")), "x")}
    return "", {}


def _no_mirroring(bench: Bench) -> str:
    return modern_http(bench) or ("" if _mirroring(bench)[0] else "no tool that only reads mirrors an argument")


def _no_tasks(bench: Bench) -> str:
    has = bench.identity.has("extensions.io.modelcontextprotocol/tasks")
    extensions = bench.identity.capabilities.get("extensions")
    has = has or (isinstance(extensions, dict) and "io.modelcontextprotocol/tasks" in extensions)
    return modern_http(bench) or ("" if has else "the server has no tasks")


PROBES = (
    Probe("foreign-origin", 48, "A foreign Origin is refused with 403.", "http", foreign_origin, any_http),
    Probe("session-missing", 57, "A missing session id is refused with 400.", "sessions", session_missing, legacy_http),
    Probe("session-unknown", 57, "An unknown session is answered with 404.", "sessions", session_unknown, legacy_http),
    Probe("session-ended", 57, "An ended session is answered with 404.", "sessions", session_ended, legacy_http),
    Probe("bad-version", 63, "An unsupported version is refused with 400.", "headers", bad_version, versioned_http),
    Probe("get-delete", 67, "GET and DELETE are answered with 405.", "http", get_and_delete, modern_http),
    Probe("unknown-method-404", 68, "An unknown method has status 404.", "http", unknown_method_status, modern_http),
    Probe("version-mismatch", 69, "Header and body name one version.", "headers", version_mismatch, modern_http),
    Probe("header-missing", 69, "Missing headers are refused with -32020.", "headers", header_missing, modern_http),
    Probe("method-mismatch", 69, "Header and body name one method.", "headers", method_mismatch, modern_http),
    Probe("name-mismatch", 69, "Header and body have one name.", "headers", name_mismatch, modern_http),
    Probe("encoded-name", 70, "An encoded name is decoded.", "headers", encoded_name, modern_http),
    Probe(
        "param-header",
        71,
        "A missing Mcp-Param header is refused.",
        "headers",
        param_header,
        _no_mirroring,
        "It calls a tool, which a server that does not look at the header runs.",
    ),
    Probe("task-mismatch", 142, "Header and body name one task.", "headers", task_mismatch, _no_tasks),
)
