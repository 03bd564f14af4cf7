"""The rounds of 2026-07-28: a result that wants input is answered by sending the request again with it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any

import msgspec

from mcp_inspector.session.inbox import Ask, Inbox, Reply, is_declared
from mcp_inspector.session.outcome import InputRequired, LocalError, Outcome
from mcp_inspector.transport.base import Fault, FaultKind

_FIRST_WAIT, _LONGEST_WAIT = 0.05, 0.25

Send = Callable[[Mapping[str, Any], int], Awaitable[Outcome]]
"""Sends the same request again with more params; the number is that of the operation's first request."""


class _Wanted(msgspec.Struct):
    inputRequests: dict[str, msgspec.Raw] | None = None
    requestState: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET


class _Request(msgspec.Struct):
    method: str = ""
    params: msgspec.Raw = msgspec.Raw(b"{}")


async def answer_rounds(
    server: str, inbox: Inbox, outcome: InputRequired, send: Send, declared: Mapping[str, Any]
) -> Outcome:
    """Ask the person, send again, until the result is complete, the person gives up, or the rounds are used up.

    What was not `declared` to the server is not asked: nobody may be there to answer. `requestState` goes back byte for
    byte, and only where one came, unless a reply says otherwise.
    """
    first = outcome.call
    current: Outcome = outcome
    wait = _FIRST_WAIT
    number = 0
    while number < inbox.most_rounds:
        number += 1
        if not isinstance(current, InputRequired):
            return _whole(current, outcome)
        try:
            wanted = msgspec.json.decode(current.result, type=_Wanted)
        except (msgspec.MsgspecError, RecursionError) as error:
            return _given_up(current, first, f"{server} wants input in a way that cannot be read: {error}.")
        more: dict[str, Any] = {}
        state = wanted.requestState
        if wanted.inputRequests:
            replies = await _ask_all(server, inbox, wanted, current, first, number, declared)
            refused = [key for key, reply in replies.items() if reply is None or reply.result is None]
            if refused:
                return _given_up(
                    current, first, f"{current.method} was given up: {', '.join(refused)} was not answered."
                )
            more["inputResponses"] = _responses(replies)
            for reply in replies.values():
                if reply is not None and reply.twist is not None and reply.twist.state is not None:
                    state = msgspec.Raw(reply.twist.state) if reply.twist.state else msgspec.UNSET
        elif wanted.requestState is msgspec.UNSET:
            return _given_up(
                current, first, f"{server} wants input but says neither which nor gives a state to go on with."
            )
        else:
            await asyncio.sleep(wait)
            wait = min(wait * 2, _LONGEST_WAIT)
        if state is not msgspec.UNSET:
            more["requestState"] = state
        current = await send(more, first)
    if isinstance(current, InputRequired):
        return _given_up(current, first, f"{server} still wants input after {number} rounds of {current.method}.")
    return _whole(current, outcome)


def _responses(replies: Mapping[str, Reply | None]) -> dict[str, msgspec.Raw]:
    """The answers under their keys; a person who tests the server may have wanted others."""
    found = {}
    for key, reply in replies.items():
        if reply is not None and reply.result is not None:
            sent = key if reply.twist is None else reply.twist.key
            if sent is not None:
                found[sent] = msgspec.Raw(reply.result)
    return found


async def _ask_all(
    server: str,
    inbox: Inbox,
    wanted: _Wanted,
    outcome: InputRequired,
    first: int,
    number: int,
    declared: Mapping[str, Any],
) -> dict[str, Reply | None]:
    async def one(key: str, raw: msgspec.Raw) -> Reply | None:
        try:
            request = msgspec.json.decode(raw, type=_Request)
        except (msgspec.MsgspecError, RecursionError):
            request = _Request()
        if not is_declared(request.method, declared):
            return None
        ask = Ask(
            server,
            request.method,
            bytes(request.params),
            first,
            outcome.reply,
            way="retry",
            key=key,
            round=number,
            request_state=b"" if wanted.requestState is msgspec.UNSET else bytes(wanted.requestState),
        )
        return await inbox.put(ask)

    requests = wanted.inputRequests or {}
    replies = await asyncio.gather(*(one(key, raw) for key, raw in requests.items()))
    return dict(zip(requests, replies, strict=True))


def _whole(last: Outcome, first: Outcome) -> Outcome:
    """The last outcome, known under the operation's first request."""
    return replace(last, call=first.call)


def _given_up(outcome: Outcome, first: int, sentence: str) -> LocalError:
    fault = Fault(FaultKind.CANCELLED, sentence)
    return LocalError(outcome.method, first, outcome.reply, outcome.elapsed_ns, fault=fault)
