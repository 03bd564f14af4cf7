"""Writes traffic as JSON lines, and looks through it for what would be masked, without holding the window up."""

from __future__ import annotations

import asyncio
import contextlib
import os
import tempfile
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from mcp_inspector.store.export import exported

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence
    from pathlib import Path

    from mcp_inspector.store.export import Line
    from mcp_inspector.store.log import Log

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


async def preview(log: Log, seqs: Sequence[int], step: Callable[[float], object]) -> Preview:
    """Run through an export with masks and count; `step` is told how far it is, 0 to 1."""
    found = Preview()
    async for line in _lines(log, seqs, step, redact=True):
        found.size += len(line.data)
        if line.seq:
            found.records += 1
        if line.masked:
            for name in line.masked:
                found.names[name] = found.names.get(name, 0) + 1
            if len(found.places) < PLACES:
                found.places.append((line.seq, line.masked))
    return found


async def write(log: Log, seqs: Sequence[int], path: Path, step: Callable[[float], object], *, redact: bool) -> int:
    """Write an export in one step: a failure or a cancellation leaves what was there. Returns the bytes.

    Only the owner may read it. Raises `OSError`.
    """
    size = 0
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as file:
            async for line in _lines(log, seqs, step, redact=redact):
                size += file.write(line.data)
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
    return size


async def _lines(
    log: Log, seqs: Sequence[int], step: Callable[[float], object], *, redact: bool
) -> AsyncIterator[Line]:
    end = time.perf_counter() + _SLICE_S
    for done, line in enumerate(exported(log, seqs, redact=redact)):
        yield line
        if time.perf_counter() > end:
            step(done / max(len(seqs), 1))
            await asyncio.sleep(0)
            end = time.perf_counter() + _SLICE_S
