"""How the requests of a raw batch end together."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import msgspec

from mcp_inspector.session.outcome import Complete, InputRequired, Outcome, RpcError, TaskStarted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mcp_inspector.wire.frame import Frame, Id


def gathered(
    waiter: asyncio.Future[Outcome], parts: Sequence[Frame], seq: int, began: int
) -> dict[Id, asyncio.Future[Outcome]]:
    """A future for each request of a batch; when all are done, `waiter` gets one outcome for the whole.

    Its result is an array of ``{"id", "result"}``, ``{"id", "error"}``, or ``{"id", "lost"}`` with a sentence of ours,
    in the order of the batch. `seq` is the record of the batch, `began` its time (ns).
    """
    loop = asyncio.get_running_loop()
    futures = {part.id: loop.create_future() for part in parts if part.id is not None}
    last: list[Outcome] = []

    def done(future: asyncio.Future[Outcome]) -> None:
        if not future.cancelled():
            last.append(future.result())
        if len(last) < len(futures) or waiter.done():
            return
        answers = [_answer(ident, each.result()) for ident, each in futures.items()]
        elapsed = max(outcome.elapsed_ns for outcome in last)
        waiter.set_result(Complete("batch", seq, last[-1].reply, elapsed, result=msgspec.json.encode(answers)))

    for future in futures.values():
        future.add_done_callback(done)
    return futures


def _answer(ident: Id, outcome: Outcome) -> dict[str, Any]:
    if isinstance(outcome, Complete | InputRequired | TaskStarted):
        return {"id": ident, "result": msgspec.Raw(outcome.result)}
    if isinstance(outcome, RpcError):
        return {"id": ident, "error": msgspec.Raw(outcome.error)}
    return {"id": ident, "lost": outcome.sentence}
