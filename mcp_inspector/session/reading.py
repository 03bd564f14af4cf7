"""What an incoming message means for the request that it answers. Functions of what is given; nothing is kept here."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import msgspec

from mcp_inspector.session.call import Call, target_of
from mcp_inspector.session.outcome import Complete, InputRequired, LocalError, Outcome, RpcError, TaskStarted
from mcp_inspector.transport.base import Fault, FaultKind, Received
from mcp_inspector.wire import frame as wire
from mcp_inspector.wire.exchange import Match, Taken

if TYPE_CHECKING:
    from mcp_inspector.session.eras import ResultHead
    from mcp_inspector.wire.frame import Frame, Id

_ID_IN_HEAD = re.compile(rb'"id"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d+)')
_MEMBER_IN_HEAD = re.compile(rb'"(method|result|error)"\s*:')
_BODY_KEPT = 64 * 1024
_TARGET_READ = 100_000


def is_unfinished(call: Call, head: ResultHead, *, modern: bool, takes_tasks: bool) -> bool:
    """Whether this result is not the end of its operation: input is wanted and will be given, or a task has begun."""
    if call.as_task and head.task is not msgspec.UNSET:
        return True
    kind = b"" if head.resultType is msgspec.UNSET or not modern else bytes(head.resultType)
    if kind == b'"input_required"':
        return call.goes_on
    return kind == b'"task"' and takes_tasks and call.method == "tools/call"


def outcome_of(
    server: str,
    call: Call,
    item: Received,
    frame: Frame,
    seq: int,
    fault: str,
    head: ResultHead | None,
    *,
    modern: bool,
    takes_tasks: bool,
) -> Outcome:
    """How a call ended that this message answers. `seq` is the message's record, `fault` what was odd in matching.

    `head` holds the deciding members of its result, None where there is none.
    """
    faults = (fault, *frame.faults) if fault else frame.faults
    status = item.http.status if item.http else None
    common = (call.method, call.seq, seq, item.mono_ns - call.started_ns, faults, status)
    if frame.error is not None:
        return rpc_error(common, frame.error)
    body = {"body": frame.raw[:_BODY_KEPT]}
    if frame.result is None or head is None or not frame.result.startswith(b"{"):
        sentence = f"{server} answered {call.method} with a message that is no valid response."
        return LocalError(*common, Fault(FaultKind.BAD_CONTENT, sentence, facts=body))
    kind = b'"complete"' if head.resultType is msgspec.UNSET else bytes(head.resultType)
    if call.as_task and head.task is not msgspec.UNSET:
        return TaskStarted(*common, frame.result)
    if not modern or kind == b'"complete"':
        return Complete(*common, frame.result, head.tool_error)
    if kind == b'"input_required"':
        return InputRequired(*common, frame.result)
    if kind == b'"task"' and takes_tasks and call.method == "tools/call":
        return TaskStarted(*common, frame.result)
    shown = kind[:80].decode(errors="replace")
    sentence = f"{server} answered {call.method} with the unknown resultType {shown}."
    return LocalError(*common, Fault(FaultKind.BAD_CONTENT, sentence, facts=body))


def unreadable(server: str, call: Call, item: Received, frame: Frame, seq: int) -> LocalError:
    """How a call ended whose HTTP body is no JSON-RPC message."""
    why = frame.faults[0] if frame.faults else "is no JSON-RPC message"
    facts = {"body": item.raw[:_BODY_KEPT], "http_status": item.http.status if item.http else None}
    fault = Fault(FaultKind.BAD_CONTENT, f"The body that {server} sent for {call.method} {why}.", facts=facts)
    return _local(call, item, seq, frame.faults, fault)


def too_large(server: str, call: Call, item: Received, seq: int) -> LocalError:
    """How a call ended whose answer passed the size limit."""
    why = size_sentence(item)
    fault = Fault(
        FaultKind.TOO_LARGE,
        f"The message that {server} sent for {call.method} {why}.",
        "Raise the message limit in the settings.",
    )
    return _local(call, item, seq, (why,), fault)


def size_sentence(item: Received) -> str:
    """What is wrong with a message of which only the beginning was kept."""
    size = len(item.raw) + item.skipped
    return f"is {size:,} bytes, over the limit of {len(item.raw):,}; the rest was skipped"


def id_in_head(raw: bytes) -> Id | None:
    """The id that stands near the beginning of a message which was cut off, None when none does."""
    found = _ID_IN_HEAD.search(raw[:4096])
    return wire.read_id(found.group(1).decode(errors="replace"))[0] if found else None


def asks_or_tells(raw: bytes) -> bool:
    """Whether the beginning of a cut message shows a request or notification, whose id is the server's own."""
    found = _MEMBER_IN_HEAD.search(raw[:4096])
    return found is not None and found.group(1) == b"method"


def error_sentence(error: bytes) -> str:
    """The message of a JSON-RPC error, cut short, for one line."""
    return rpc_error(("", 0, 0, 0, (), None), error).message[:300]


def odd_match(taken: Taken[Call]) -> str:
    """What is odd about an answer that ends no call, in words; empty when nothing is."""
    return {
        Match.UNKNOWN: "answers no request of ours",
        Match.LATE: "is late: the request had been given up",
        Match.DUPLICATE: "answers a request that was answered before",
    }.get(taken.match, "")


def is_whole_body(item: Received) -> bool:
    """Whether a message was a whole HTTP body, so that it can only be meant for that request."""
    content = item.http.get("content-type") if item.http else None
    return item.answers is not None and not (content or "").lower().startswith("text/event-stream")


def decoded_params(frame: Frame) -> dict[str, Any]:
    """A message's params where they are a readable object, else empty."""
    try:
        value = msgspec.json.decode(frame.params or b"{}")
    except (msgspec.MsgspecError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def notification_target(frame: Frame) -> str:
    """What a notification is about; nothing for giants, which would have to be read for it."""
    return target_of(frame.method, frame.params) if frame.params and len(frame.params) < _TARGET_READ else ""


def _local(call: Call, item: Received, seq: int, faults: tuple[str, ...], fault: Fault) -> LocalError:
    return LocalError(call.method, call.seq, seq, item.mono_ns - call.started_ns, faults, fault=fault)


def rpc_error(common: tuple[str, int, int, int, tuple[str, ...], int | None], error: bytes) -> RpcError:
    """The outcome that an error object means, whatever it holds. `common`: the members of `Ended`, in order."""
    try:
        value = msgspec.json.decode(error)
    except (msgspec.MsgspecError, RecursionError):
        value = None
    code = value.get("code") if isinstance(value, dict) else None
    message = value.get("message") if isinstance(value, dict) else value
    if isinstance(code, float) and code.is_integer():
        code = int(code)
    return RpcError(
        *common,
        code if isinstance(code, int) and not isinstance(code, bool) else None,
        message if isinstance(message, str) else "" if message is None else str(message),
        error,
    )
