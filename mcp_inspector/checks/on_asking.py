"""What a server asks of us: rounds, sampling, roots, in both eras. Numbers 122 to 134 of the checklist, less forms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mcp_inspector.checks.on_lifecycle import input_requests
from mcp_inspector.checks.rule import ERROR, INFO, WARNING, Hit, rule, rules_in
from mcp_inspector.checks.state import Bounded
from mcp_inspector.checks.view import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcp_inspector.checks.view import View

_MODERN, _25N = "2026-07-28", "2025-11-25"
_METHODS = ("elicitation/create", "sampling/createMessage", "roots/list")
_ASKED = tuple(f"request {method}" for method in _METHODS)
_MOST_ROUNDS = 10


class _Rounds:
    """What each operation was last asked, by method and target: state, keys, params, record, number of rounds."""

    def __init__(self) -> None:
        self.last: Bounded[tuple[Any, frozenset[str], dict[str, Any], int, int]] = Bounded()


def questions(view: View) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """What a message asks of us: key (empty for a request), method, params."""
    if view.kind == "request":
        yield "", view.entry.method, view.params
        return
    for key, inner in input_requests(view.result):
        params = inner.get("params")
        yield key, str(inner.get("method")), params if isinstance(params, dict) else {}


def about(key: str) -> str:
    """How a sentence about a question begins; empty for one that is a request of its own."""
    return f"Question {shown(key, 40)}: " if key else ""


@rule("input-required", 122, ERROR, "What asks for input says what for.", "mrtr", "result", since=_MODERN)
def input_required(view: View) -> Iterator[str]:
    result = view.result
    if result.get("resultType") != "input_required":
        return
    if "inputRequests" not in result and "requestState" not in result:
        yield "The result asks for input, and has neither inputRequests nor requestState."
    if "requestState" in result and not isinstance(result["requestState"], str):
        yield f"requestState is {shown(result['requestState'], 40)}, not a text."
    asked = result.get("inputRequests", {})
    if not isinstance(asked, dict):
        yield f"inputRequests is {shown(asked, 40)}, not an object of questions by key."
    elif not all(isinstance(one, dict) for one in asked.values()):
        yield "A question of inputRequests is no object."


@rule("input-method", 123, ERROR, "Input is elicited, sampled, or roots.", "mrtr", "result", since=_MODERN)
def input_method(view: View) -> Iterator[str]:
    for key, method, _ in questions(view):
        if method not in _METHODS:
            yield f"{about(key)}its method is {shown(method)}."


@rule("input-envelope", 124, INFO, "A question is no message of its own.", "mrtr", "result", since=_MODERN)
def input_envelope(view: View) -> Iterator[str]:
    for key, inner in input_requests(view.result):
        extra = [name for name in ("jsonrpc", "id") if name in inner]
        if extra:
            yield f"{about(key)}it has {' and '.join(extra)}."


@rule("own-retry", 125, ERROR, "We answer as we were asked.", "mrtr", "sent request", since=_MODERN, ours=True)
def own_retry(view: View) -> Iterator[str | Hit]:
    params = view.params
    if "inputResponses" not in params and "requestState" not in params:
        return
    if view.entry.method == "tasks/update":
        return
    known = view.talk.of(_Rounds)
    last = known.last.get(_operation(view.entry.method, params))
    state = params.get("requestState")
    if last is None:
        if state is not None:
            yield f"The requestState {shown(state, 30)} was never given for this request."
        return
    wanted, keys, before, seq, _ = last
    if wanted != state:
        yield Hit(f"The requestState {shown(state, 30)} is not the one that was given, {shown(wanted, 30)}.", (seq,))
    answers = params.get("inputResponses")
    missing = sorted(keys - set(answers if isinstance(answers, dict) else {}))
    if missing:
        yield Hit(f"The answer to {', '.join(missing)} is missing.", (seq,))
    if _plain(params) != before:
        yield Hit("The params are others than those of the request that was asked back.", (seq,))


@rule("rounds", 128, INFO, "Questions come to an end.", "mrtr", "result", since=_MODERN)
def rounds(view: View) -> Iterator[str]:
    asked, result = view.asked, view.result
    if asked is None or result.get("resultType") != "input_required":
        return
    known = view.talk.of(_Rounds).last
    key = _operation(asked.method, asked.params)
    again = "inputResponses" in asked.params or "requestState" in asked.params
    number = known[key][4] + 1 if again and key in known else 1
    requests = result.get("inputRequests")
    keys = frozenset(requests) if isinstance(requests, dict) else frozenset[str]()
    known[key] = (result.get("requestState"), keys, _plain(asked.params), view.seq, number)
    if number > _MOST_ROUNDS:
        yield f"This is round {number} of {asked.method}."


@rule(
    "sampling-request",
    132,
    ERROR,
    "A sampling request has messages and a limit.",
    "sampling",
    "request sampling/createMessage",
    "result",
)
def sampling_request(view: View) -> Iterator[str]:
    for key, method, params in questions(view):
        if method != "sampling/createMessage":
            continue
        if not isinstance(params.get("messages"), list):
            yield f"{about(key)}it has no list messages."
        limit = params.get("maxTokens")
        if not isinstance(limit, int) or isinstance(limit, bool):
            yield f"{about(key)}its maxTokens is {shown(limit)}."


@rule(
    "sampling-tools",
    132,
    ERROR,
    "Each tool use is answered by the next message.",
    "sampling",
    "request sampling/createMessage",
    "result",
    since=_25N,
)
def sampling_tools(view: View) -> Iterator[str]:
    for key, method, params in questions(view):
        messages = params.get("messages")
        if method == "sampling/createMessage" and isinstance(messages, list):
            yield from (f"{about(key)}{why}." for why in _unbalanced(messages))


@rule(
    "sampling-context",
    132,
    WARNING,
    "includeContext is on its way out.",
    "sampling",
    "request sampling/createMessage",
    "result",
    since=_25N,
)
def sampling_context(view: View) -> Iterator[str]:
    for key, method, params in questions(view):
        if method == "sampling/createMessage" and params.get("includeContext") in ("thisServer", "allServers"):
            yield f"{about(key)}includeContext is {shown(params['includeContext'])}, which is deprecated."


@rule("own-roots", 133, ERROR, "Our roots are files.", "roots", "sent result roots/list", ours=True)
def own_roots(view: View) -> Iterator[str]:
    roots = view.result.get("roots")
    for root in roots if isinstance(roots, list) else ():
        uri = root.get("uri") if isinstance(root, dict) else None
        if not (isinstance(uri, str) and uri.startswith("file://")):
            yield f"The root {shown(uri)} is no file:// URI."


@rule(
    "deprecated-asking", 133, WARNING, "Roots and sampling are on their way out.", "deprecated", "result", since=_MODERN
)
def deprecated_asking(view: View) -> Iterator[str]:
    for key, method, _ in questions(view):
        if method in ("roots/list", "sampling/createMessage"):
            yield f"{about(key)}{method} is deprecated in {view.version}."


@rule("asked-idle", 134, INFO, "A server asks while we ask it.", "lifecycle", *_ASKED, until=_25N)
def asked_idle(view: View) -> Iterator[str]:
    if not view.talk.waiting and view.talk.version:
        yield f"{view.entry.method} came while no request of ours was open."


@rule(
    "own-unanswered",
    134,
    ERROR,
    "We answer what we are asked.",
    "lifecycle",
    "event shutdown",
    "event exited",
    until=_25N,
    ours=True,
)
def own_unanswered(view: View) -> Iterator[str | Hit]:
    for asked in view.talk.theirs.values():
        if asked.state == "open":
            asked.state = "lost"
            yield Hit(f"{asked.method} of the server was not answered before the end.", (asked.seq,))


def _unbalanced(messages: list[Any]) -> Iterator[str]:
    """What is wrong with the order of tool uses and their results."""
    open_uses: set[str] = set()
    for place, message in enumerate(messages):
        content = message.get("content") if isinstance(message, dict) else None
        found = [one for one in (content if isinstance(content, list) else [content]) if isinstance(one, dict)]
        kinds = {one.get("type") for one in found}
        results = {str(one.get("toolUseId")) for one in found if one.get("type") == "tool_result"}
        if "tool_result" in kinds and kinds != {"tool_result"}:
            yield f"message {place} mixes tool results with other content"
        if open_uses - results:
            yield f"message {place} does not answer the tool use {sorted(open_uses - results)[0]}"
        if results - open_uses:
            yield f"message {place} answers the tool use {sorted(results - open_uses)[0]}, which is not there"
        open_uses = {str(one.get("id")) for one in found if one.get("type") == "tool_use"}
    if open_uses:
        yield f"the tool use {sorted(open_uses)[0]} is never answered"


def _operation(method: str, params: dict[str, Any]) -> tuple[str, str]:
    return method, str(params.get("name", params.get("uri")))


def _plain(params: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in params.items() if name not in ("_meta", "inputResponses", "requestState")}


RULES = rules_in(globals())
