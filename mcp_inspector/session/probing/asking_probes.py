"""The probes of requests that ask back: they call tools, so the person has to agree."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from mcp_inspector.session.catalogue import What
from mcp_inspector.session.probing.bench import Answer, answer_of
from mcp_inspector.session.probing.probe import Came, Probe, Verdict
from mcp_inspector.session.probing.probes import judged, modern_only

if TYPE_CHECKING:
    from mcp_inspector.session.catalogue import Item
    from mcp_inspector.session.probing.bench import Bench
    from mcp_inspector.session.session import Session

_CAPABLE: dict[str, Any] = {"elicitation": {"form": {}}}
_MOST = 10
_VALUES = {"string": "x", "integer": 1, "number": 1, "boolean": True}
_ASKING = re.compile(r"ask|input|elicit|confirm|choose|pick|who", re.IGNORECASE)
_WHY = "It calls tools with the least they take until one asks back, and declines."


async def _asking(bench: Bench) -> tuple[Session, str, dict[str, Any], tuple[int, ...]] | None:
    """A tool that asks back, what it asked, and the records; None when none of the first does."""
    session = await bench.session(capabilities=_CAPABLE)
    tools = [item for item in bench.catalogue[What.TOOLS].items if not _destroys(item)]
    tools.sort(key=lambda item: _ASKING.search(f"{item.key} {item.description}") is None)
    for item in tools[:_MOST]:
        arguments = least_arguments(item.value.get("inputSchema"))
        if arguments is None:
            continue
        answer = await _call(session, item.key, arguments=arguments)
        result = answer.result or {}
        if result.get("resultType") == "input_required":
            return session, item.key, {**result, "arguments": arguments}, answer.seqs
    return None


async def _call(session: Session, name: str, **more: Any) -> Answer:
    return answer_of(await session.request("tools/call", {"name": name, **more}, progress=False))


def _destroys(item: Item) -> bool:
    hints = item.value.get("annotations")
    return isinstance(hints, dict) and hints.get("destructiveHint") is True


def least_arguments(schema: Any) -> dict[str, Any] | None:
    """The least that a tool takes; None when it wants more than plain values."""
    schema = schema if isinstance(schema, dict) else {}
    properties, required = schema.get("properties"), schema.get("required")
    found: dict[str, Any] = {}
    for name in required if isinstance(required, list) else ():
        part = properties.get(name) if isinstance(properties, dict) else None
        kind = part.get("type") if isinstance(part, dict) else None
        if not isinstance(part, dict) or kind not in _VALUES:
            return None
        options = part.get("enum")
        found[name] = options[0] if isinstance(options, list) and options else _VALUES[kind]
    return found


def _declined(result: dict[str, Any]) -> dict[str, Any]:
    asked = result.get("inputRequests")
    return {key: {"action": "decline"} for key in asked} if isinstance(asked, dict) else {}


async def tampered_state(bench: Bench) -> Came:
    found = await _asking(bench)
    if found is None:
        return Came(Verdict.LEFT_OUT, "None of the first tools asks back.")
    session, name, result, seqs = found
    state = result.get("requestState")
    if not isinstance(state, str) or not state:
        return Came(Verdict.LEFT_OUT, f"{name} asks back without a requestState.", seqs)
    middle = len(state) // 2
    changed = state[:middle] + ("A" if state[middle] != "A" else "B") + state[middle + 1 :]
    more = {"requestState": changed, "inputResponses": _declined(result)}
    answer = await _call(session, name, arguments=result["arguments"], **more)
    return judged(answer, answer.refused, f"{name} again, with one letter of its requestState changed")


async def replayed_state(bench: Bench) -> Came:
    found = await _asking(bench)
    if found is None or not isinstance(found[2].get("requestState"), str):
        return Came(Verdict.LEFT_OUT, "None of the first tools asks back with a requestState.")
    session, name, result, _ = found
    state = result["requestState"]
    params = {"name": name, "arguments": {**result["arguments"], "mcp-inspector": True}, "requestState": state}
    outcome = await session.request("tools/call", {**params, "inputResponses": _declined(result)}, progress=False)
    answer = answer_of(outcome)
    sent = f"the requestState of {name} with other arguments"
    return judged(answer, answer.refused, sent, else_=Verdict.ODD)


async def missing_answer(bench: Bench) -> Came:
    found = await _asking(bench)
    if found is None or not _declined(found[2]):
        return Came(Verdict.LEFT_OUT, "None of the first tools asks back.")
    session, name, result, _ = found
    more = {"requestState": result["requestState"]} if "requestState" in result else {}
    answer = await _call(session, name, arguments=result["arguments"], inputResponses={}, **more)
    again = (answer.result or {}).get("resultType") == "input_required"
    return judged(answer, again, f"{name} again, without the answer", else_=Verdict.ODD)


PROBES = (
    Probe("tampered-state", 126, "A changed requestState is refused.", "mrtr", tampered_state, modern_only, _WHY),
    Probe("replayed-state", 126, "A requestState is of its request.", "mrtr", replayed_state, modern_only, _WHY),
    Probe("missing-answer", 127, "What was not answered is asked again.", "mrtr", missing_answer, modern_only, _WHY),
)
