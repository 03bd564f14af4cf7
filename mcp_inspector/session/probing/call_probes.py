"""The probes that call tools which say that they only read: on a connection of its own, and left in the middle."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from mcp_inspector.session.catalogue import What
from mcp_inspector.session.probing.asking_probes import least_arguments
from mcp_inspector.session.probing.http_probes import modern_http
from mcp_inspector.session.probing.probe import Came, Probe, Verdict
from mcp_inspector.session.probing.probes import judged, modern_only

if TYPE_CHECKING:
    from mcp_inspector.session.probing.bench import Answer, Bench

_SLOW = re.compile(r"slow|long|progress|wait|sleep|second|delay", re.IGNORECASE)
_WHY = "It calls a tool that says of itself that it only reads."
_TOKEN = "mcp-inspector-left"


def _reading(bench: Bench) -> list[tuple[str, dict[str, Any], bool]]:
    """Tools that only read, with the least they take, and whether they look as if they took their time."""
    found = []
    for item in bench.catalogue[What.TOOLS].items:
        hints, arguments = item.value.get("annotations"), least_arguments(item.value.get("inputSchema"))
        if isinstance(hints, dict) and hints.get("readOnlyHint") is True and arguments is not None:
            found.append((item.key, arguments, bool(_SLOW.search(f"{item.key} {item.description}"))))
    return found


async def stateless_call(bench: Bench) -> Came:
    """The same call, once after others and once as the first message of a connection."""
    name, arguments, _ = min(_reading(bench), key=lambda one: one[2])
    params = {"name": name, "arguments": arguments}
    first = await bench.ask("tools/call", params)
    if bench.over == "http":
        line = await bench.line()
        second = await line.post(line.message("tools/call", params))
    else:
        second = await bench.ask("tools/call", params, on=await bench.session())
    came = judged(second, _alike(first, second), f"{name} on a connection of its own, after {first.told()} on another")
    return Came(came.verdict, came.sentence, (*first.seqs, *came.seqs))


def _alike(first: Answer, second: Answer) -> bool:
    kinds = [(one.result is not None, one.refused, (one.result or {}).get("resultType")) for one in (first, second)]
    return kinds[0] == kinds[1]


async def left_alone(bench: Bench) -> Came:
    """A call whose stream is closed after its first event: that is how this version cancels.

    Whether the work stops is to be seen at the server; here it is seen that nothing breaks by it.
    """
    name, arguments, _ = next(one for one in _reading(bench) if one[2])
    line = await bench.line()
    message = line.message("tools/call", {"name": name, "arguments": arguments})
    message["params"]["_meta"]["progressToken"] = _TOKEN
    begun = await line.post(message, leave=True)
    if begun.message.get("id") is not None or begun.status not in (None, 200):
        return Came(Verdict.LEFT_OUT, f"{name} was answered before it could be left: {begun.told()}.", begun.seqs)
    other = await bench.line()
    after = await other.post(other.message("server/discover"))
    seqs = (*begun.seqs, *after.seqs)
    if after.result is None:
        return Came(Verdict.WRONG, f"{name} was left after its first event; then: {after.told()}.", seqs)
    sentence = f"{name} was left after its first event, and the server goes on. Its own log tells whether it stopped."
    return Came(Verdict.TOLD, sentence, seqs)


def _none_reads(bench: Bench) -> str:
    return modern_only(bench) or ("" if _reading(bench) else "no tool only reads and takes plain values")


def _none_slow(bench: Bench) -> str:
    slow = any(one[2] for one in _reading(bench))
    return modern_http(bench) or ("" if slow else "no tool that only reads looks as if it took its time")


PROBES = (
    Probe("stateless-call", 28, "No call needs one before it.", "stateless", stateless_call, _none_reads, _WHY),
    Probe("left-alone", 75, "A closed stream cancels its call.", "cancellation", left_alone, _none_slow, _WHY),
)
