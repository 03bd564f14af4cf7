"""Pipes on the loop and in threads: order, backpressure, cancelling, closing."""

from __future__ import annotations

import asyncio
import os
from typing import IO

import pytest

from mcp_inspector.transport import pipes, thread_pipes

pytestmark = pytest.mark.anyio
BOTH_LOOPS = True

KINDS = {"Loop": pipes, "Thread": thread_pipes}
BOTH = pytest.mark.parametrize("kind", ["Loop", "Thread"])


def pipe() -> tuple[IO[bytes], IO[bytes]]:
    out, into = os.pipe()
    return os.fdopen(out, "rb", 0), os.fdopen(into, "wb", 0)


class Sponge:
    """Reads a pipe with one of the readers, and can be waited for."""

    def __init__(self, kind: str, source: IO[bytes]) -> None:
        self.data = bytearray()
        self.ended = asyncio.Event()
        self.grew = asyncio.Event()
        self.reader = getattr(KINDS[kind], f"{kind}Reader")(source, self._chunk, self.ended.set)

    def _chunk(self, chunk: bytes) -> None:
        self.data += chunk
        self.grew.set()

    async def until(self, size: int) -> None:
        async with asyncio.timeout(20):
            while len(self.data) < size:
                self.grew.clear()
                await self.grew.wait()


@BOTH
async def test_what_is_written_is_read_in_order(kind: str) -> None:
    """Many writers, small and large at once: every message whole, in the order of the calls."""
    out, into = pipe()
    sponge = Sponge(kind, out)
    writer = getattr(KINDS[kind], f"{kind}Writer")(into)
    messages = [bytes([65 + n % 26]) * (1 if n % 3 else 200_000) for n in range(60)]
    await asyncio.gather(*[writer.write(message, b"\n") for message in messages])
    writer.close()
    await asyncio.wait_for(sponge.ended.wait(), 20)
    assert bytes(sponge.data) == b"".join(message + b"\n" for message in messages)


@BOTH
async def test_a_full_pipe_waits_and_close_breaks_the_wait(kind: str) -> None:
    """STDIO-29: nobody reads; the loop goes on, and closing ends the wait with an error."""
    out, into = pipe()
    writer = getattr(KINDS[kind], f"{kind}Writer")(into)
    writing = asyncio.ensure_future(writer.write(b"x" * 1_000_000))
    done, _ = await asyncio.wait({writing}, timeout=0.05)
    assert not done
    writer.close()
    with pytest.raises(BrokenPipeError):
        await writing
    out.close()
    with pytest.raises(BrokenPipeError):
        await writer.write(b"y")


@BOTH
async def test_a_cancelled_write_leaves_whole_messages_only(kind: str) -> None:
    """STDIO-29: cancelled in the middle the rest follows; cancelled before it began nothing is written."""
    out, into = pipe()
    writer = getattr(KINDS[kind], f"{kind}Writer")(into)
    begun = asyncio.ensure_future(writer.write(b"a" * 300_000 + b"\n"))
    behind = asyncio.ensure_future(writer.write(b"b" * 10 + b"\n"))
    last = asyncio.ensure_future(writer.write(b"c\n"))
    await asyncio.wait({begun}, timeout=0.05)
    begun.cancel()
    behind.cancel()
    await asyncio.wait({begun, behind})
    sponge = Sponge(kind, out)
    await asyncio.wait_for(last, 20)
    await sponge.until(300_003)
    assert bytes(sponge.data) == b"a" * 300_000 + b"\nc\n"
    writer.close()
    sponge.reader.close()


@BOTH
async def test_a_reader_that_is_gone_breaks_the_write(kind: str) -> None:
    """The other end closes: BrokenPipeError, at once or in the wait."""
    out, into = pipe()
    writer = getattr(KINDS[kind], f"{kind}Writer")(into)
    writing = asyncio.ensure_future(writer.write(b"x" * 1_000_000))
    await asyncio.wait({writing}, timeout=0.05)
    out.close()
    with pytest.raises(BrokenPipeError):
        await asyncio.wait_for(writing, 20)
    with pytest.raises(BrokenPipeError):
        await writer.write(b"y")
    writer.close()


@BOTH
async def test_pause_holds_back_and_resume_goes_on(kind: str) -> None:
    """Backpressure reaches the peer: a paused reader takes a bounded amount only."""
    out, into = pipe()
    sponge = Sponge(kind, out)
    writer = getattr(KINDS[kind], f"{kind}Writer")(into)
    await writer.write(b"1")
    await sponge.until(1)
    sponge.reader.pause()
    writing = asyncio.ensure_future(writer.write(b"x" * 3_000_000))
    await asyncio.wait({writing}, timeout=0.1)
    assert not writing.done()
    assert len(sponge.data) == 1
    sponge.reader.resume()
    await asyncio.wait_for(writing, 20)
    await sponge.until(3_000_001)
    writer.close()
    await asyncio.wait_for(sponge.ended.wait(), 20)


@BOTH
async def test_a_closed_reader_is_silent(kind: str) -> None:
    """After close neither a chunk nor the end is reported."""
    out, into = pipe()
    sponge = Sponge(kind, out)
    sponge.reader.close()
    sponge.reader.close()
    into.close()
    await asyncio.sleep(0.05)
    assert not sponge.data
    assert not sponge.ended.is_set()
