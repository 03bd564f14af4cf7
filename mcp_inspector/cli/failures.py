"""What went wrong, three times: as an exit code, as JSON, and as sentences on standard error."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from mcp_inspector.cli.exits import Exit
from mcp_inspector.cli.journal import say
from mcp_inspector.session.outcome import Complete, LocalError, RpcError
from mcp_inspector.transport.base import Fault, FaultKind

if TYPE_CHECKING:
    from mcp_inspector.session.outcome import Outcome

_TOLD_FACTS = ("exit_code", "signal", "pid", "http_status", "attempts", "searched", "stderr")


def exit_of(outcome: Outcome) -> Exit:
    """The exit code that an outcome comes to."""
    if isinstance(outcome, Complete):
        return Exit.TOOL_ERROR if outcome.tool_error else Exit.OK
    if isinstance(outcome, LocalError):
        return exit_of_fault(outcome.fault)
    return Exit.RPC_ERROR


def exit_of_fault(fault: Fault | None) -> Exit:
    """The exit code that a failure on our side or on the way comes to."""
    kind = fault.kind if fault is not None else FaultKind.CLOSED
    if kind is FaultKind.TIMEOUT:
        return Exit.TIMEOUT
    if kind is FaultKind.USAGE:
        return Exit.USAGE
    if kind in (FaultKind.BAD_CONTENT, FaultKind.CANCELLED, FaultKind.TOO_LARGE):
        return Exit.RPC_ERROR
    return Exit.CONNECTION


def error_json(outcome: Outcome) -> Any:
    """What went wrong: the server's own error as it came, or ours under names that are not those of JSON-RPC."""
    if isinstance(outcome, RpcError):
        return msgspec.Raw(outcome.error)
    if isinstance(outcome, LocalError):
        return fault_json(outcome.fault)
    return {"kind": "unfinished", "sentence": _unfinished(outcome), "result": msgspec.Raw(_result_of(outcome))}


def fault_json(fault: Fault | None) -> dict[str, Any]:
    """A failure on our side or on the way, with the facts that are plain data."""
    if fault is None:
        return {"kind": "unknown", "sentence": "It is not known what went wrong."}
    facts = {name: value for name, value in fault.facts.items() if name in _TOLD_FACTS}
    return {"kind": fault.kind.value, "sentence": fault.sentence, "hint": fault.hint, **facts}


def say_failure(outcome: Outcome) -> None:
    """Say why there is no result."""
    if isinstance(outcome, RpcError):
        code = "without a code" if outcome.code is None else str(outcome.code)
        say(f"The server answered {outcome.method} with error {code}: {outcome.message}")
        if (data := _data_of(outcome.error)) is not None:
            say(f"  data: {data}")
    elif isinstance(outcome, LocalError):
        say_fault(outcome.fault)
    else:
        say(_unfinished(outcome))


def say_fault(fault: Fault | None) -> None:
    """Say what happened, and what to do."""
    if fault is None:
        say("It is not known what went wrong.")
        return
    say(fault.sentence)
    if fault.hint:
        say(fault.hint)


def _data_of(error: bytes) -> str | None:
    try:
        found = msgspec.json.decode(error, type=dict[str, msgspec.Raw]).get("data")
    except (msgspec.MsgspecError, RecursionError):
        return None
    return bytes(found)[:4000].decode(errors="replace") if found is not None else None


def _unfinished(outcome: Outcome) -> str:
    return f"The server wants more before it completes {outcome.method}, which only the window can give."


def _result_of(outcome: Outcome) -> bytes:
    return getattr(outcome, "result", b"{}")
