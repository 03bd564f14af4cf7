"""The memory transport keeps the contract of any other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from mcp_inspector.transport.base import Fault, FaultKind, Outgoing
from mcp_inspector.transport.memory import Memory

if TYPE_CHECKING:
    from tests.transport.conftest import Listener

pytestmark = pytest.mark.anyio


async def test_messages_go_to_the_peer_and_back_in_order(listener: Listener) -> None:
    """Never within `send`, always in order."""
    memory = Memory(lambda out, memory: memory.deliver(out.raw.upper(), answers=out.key))
    await memory.open(listener)
    for n in range(3):
        await memory.send(Outgoing(f"m{n}".encode(), n))
    assert not listener.messages
    await listener.until(lambda: len(listener.messages) == 3)
    assert [(item.raw, item.answers) for item in listener.messages] == [(b"M0", 0), (b"M1", 1), (b"M2", 2)]
    await memory.close()
    await memory.close()
    assert listener.ends == [None]
    with pytest.raises(Fault):
        await memory.send(Outgoing(b"x"))


async def test_the_peer_can_lose_a_request_and_end_the_connection(listener: Listener) -> None:
    """After the end nothing is told any more."""
    lost, gone = Fault(FaultKind.NO_REPLY, "no"), Fault(FaultKind.EXITED, "gone")

    def peer(out: Outgoing, memory: Memory) -> None:
        memory.lose(out.key or 0, lost)
        memory.drop(gone)
        memory.deliver(b"late")
        memory.drop(gone)

    memory = Memory(peer)
    await memory.open(listener)
    await memory.send(Outgoing(b"x", 1))
    await listener.until(lambda: listener.ends)
    with pytest.raises(Fault) as raised:
        await memory.send(Outgoing(b"y"))
    assert raised.value is gone
    await memory.close()
    assert listener.order == ["lost", "closed"]
