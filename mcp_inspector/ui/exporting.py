"""Writes traffic in any format, and looks through it for what would be masked, without holding the window up."""

from __future__ import annotations

import asyncio
import contextlib
import os
import tempfile
import time
from bisect import bisect_left
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from mcp_inspector import __version__
from mcp_inspector.store.formats import pieces

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence
    from pathlib import Path

    from mcp_inspector.store.exchanges import Exchanges
    from mcp_inspector.store.telling import Piece

_SLICE_S: Final = 0.008
PLACES: Final = 2_000
"""How many masked records a preview names; all of them are counted."""


@dataclass
class Preview:
    """What an export holds. `names` counts the masked values by the name before them, `places` are (seq, names)."""

    records: int = 0
    size: int = 0
    names: dict[str, int] = field(default_factory=dict)
    places: list[tuple[int, tuple[str, ...]]] = field(default_factory=list)

    @property
    def masked(self) -> int:
        """How many values are masked."""
        return sum(self.names.values())


async def preview(
    exchanges: Exchanges, seqs: Sequence[int], step: Callable[[float], object], word: str = "jsonl"
) -> Preview:
    """Run through an export with masks and count; `step` is told how far it is, 0 to 1. `word` names the format."""
    found = Preview()
    async for line in _lines(exchanges, seqs, step, word, redact=True):
        found.size += len(line.data)
        if line.seq:
            found.records += 1
        if line.masked:
            for name in line.masked:
                found.names[name] = found.names.get(name, 0) + 1
            if len(found.places) < PLACES:
                found.places.append((line.seq, line.masked))
    return found


async def write(
    exchanges: Exchanges,
    seqs: Sequence[int],
    path: Path,
    step: Callable[[float], object],
    word: str = "jsonl",
    *,
    redact: bool,
) -> int:
    """Write an export in one step: a failure or a cancellation leaves what was there. Returns the bytes.

    Only the owner may read it. Raises `OSError`.
    """
    size = 0
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as file:
            async for line in _lines(exchanges, seqs, step, word, redact=redact):
                size += file.write(line.data)
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
    return size


async def send(
    exchanges: Exchanges, seqs: Sequence[int], url: str, step: Callable[[float], object], *, redact: bool
) -> int:
    """Send the spans of these records to a collector; returns how many. Raises `Fault` with a sentence."""
    from mcp_inspector.session.collector import send_spans
    from mcp_inspector.store.telling import Teller

    teller = Teller(exchanges.log, exchanges, redact=redact)
    total = max(len(seqs), 1)
    return await send_spans(teller, url, seqs, version=__version__, step=lambda sent: step(min(sent / total, 1)))


async def _lines(
    exchanges: Exchanges, seqs: Sequence[int], step: Callable[[float], object], word: str, *, redact: bool
) -> AsyncIterator[Piece]:
    end = time.perf_counter() + _SLICE_S
    found = pieces(word, exchanges.log, seqs, redact=redact, exchanges=exchanges, version=__version__)
    done = 0
    for piece in found:
        done = max(done, bisect_left(seqs, piece.seq)) if piece.seq else done
        yield piece
        if time.perf_counter() > end:
            step(done / max(len(seqs), 1))
            await asyncio.sleep(0)
            end = time.perf_counter() + _SLICE_S
