"""A value that a person gives later, waited for by a coroutine without a view knowing the event loop."""

from __future__ import annotations

from typing import Generic, TypeVar

from mcp_inspector.ui import bridge

T = TypeVar("T")


class Answer(Generic[T]):
    """Given once, waited for once."""

    def __init__(self) -> None:
        self._future = bridge.later()

    def give(self, value: T) -> None:
        """Give it; a second value is left out."""
        if not self._future.done():
            self._future.set_result(value)

    async def wait(self) -> T:
        """Wait for it."""
        value: T = await self._future
        return value
