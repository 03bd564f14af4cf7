"""What a view listens to of one server: begun together when the server is shown, ended together when another one is."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


class Listening:
    """Holds what ends each connection to a signal of the core."""

    def __init__(self) -> None:
        self._ends: tuple[Callable[[], object], ...] = ()

    def to(self, *ends: Callable[[], object]) -> None:
        """Listen to these from now on, and to nothing of before; none for nothing at all."""
        self.stop()
        self._ends = ends

    def stop(self) -> None:
        """Listen no more."""
        ends, self._ends = self._ends, ()
        for end in ends:
            end()
