"""Prints what a server tells of by itself, until it is enough."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

import msgspec

from mcp_inspector.cli import printing
from mcp_inspector.cli.exits import Exit
from mcp_inspector.cli.failures import exit_of, exit_of_fault, say_failure, say_fault
from mcp_inspector.cli.journal import say
from mcp_inspector.session.lists import CHANGED_BY
from mcp_inspector.session.outcome import LocalError, RpcError

if TYPE_CHECKING:
    from mcp_inspector.session.server import Server
    from mcp_inspector.wire.frame import Frame

_TOLD = frozenset({"refused", "lost", "waiting", "ended", "closed by the server"})


async def watch(server: Server, uris: list[str], *, count: int, as_json: bool) -> int:
    """Watch these resources and the lists; returns the exit code."""
    subscriptions = server.subscriptions
    ended: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    printed = told = 0

    def end(code: int) -> None:
        if not ended.done():
            ended.set_result(code)

    def put(kind: str, what: str) -> None:
        nonlocal printed
        if ended.done():
            return
        moment = time.strftime("%H:%M:%S")
        if as_json:
            printing.put_json(msgspec.json.encode({"time": moment, "changed": kind, "what": what}))
        else:
            printing.put([f"{moment}  {kind}  {what}"])
        printed += 1
        if count and printed >= count:
            end(Exit.OK)

    def notified(frame: Frame) -> None:
        for what in CHANGED_BY.get(frame.method, ()):
            put("list", str(what))

    def happened() -> None:
        """What goes wrong with the subscription is told, and ends the watching when nothing can come any more."""
        nonlocal told
        history = list(subscriptions.history)
        for item in history[told:]:
            if item.what in _TOLD:
                say(f"{server.name} subscription {item.what}: {item.detail}")
            if item.what == "ended":
                end(Exit.RPC_ERROR)
        told = len(history)

    def moved() -> None:
        if not server.status.up:
            fault = server.status.fault
            if fault is not None:
                say_fault(fault)
            end(exit_of_fault(fault))

    undo = [
        subscriptions.updated.connect(lambda uri: put("resource", uri)),
        subscriptions.changed.connect(happened),
        server.notified.connect(notified),
        server.changed.connect(moved),
    ]
    try:
        for uri in uris:
            outcome = await subscriptions.watch(uri)
            if isinstance(outcome, RpcError | LocalError):
                say_failure(outcome)
                return exit_of(outcome)
        say(f"Watching {', '.join(uris) or 'the lists'} of {server.name}.")
        return await ended
    finally:
        for disconnect in undo:
            disconnect()
