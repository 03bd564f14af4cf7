"""Lets the exchanges of a sign-in through one by one."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from mcp_inspector.signals import Signal

if TYPE_CHECKING:
    from mcp_inspector.auth.steps import Ask


class Gate:
    """A `runner.Gate` with a handle: `next` lets one exchange through, `run_on` all the rest.

    `waiting` is what is to be asked next; `changed` tells of it.
    """

    def __init__(self) -> None:
        self.changed: Signal[()] = Signal()
        self.waiting: Ask | None = None
        self._go = asyncio.Event()
        self._open = False

    async def __call__(self, asked: Ask) -> None:
        """Wait until it is let through."""
        if self._open:
            return
        self.waiting = asked
        self._go.clear()
        self.changed.send()
        try:
            await self._go.wait()
        finally:
            self.waiting = None
            self.changed.send()

    def next(self) -> None:
        """Let this one through."""
        self._go.set()

    def run_on(self) -> None:
        """Let this one through, and whatever comes."""
        self._open = True
        self._go.set()
