"""What went wrong, in one place: a sentence with an action. Nothing here is modal, and nothing covers what is read."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from mcp_inspector.signals import Signal
from mcp_inspector.ui import bridge

if TYPE_CHECKING:
    from collections.abc import Callable

_KEPT = 200


class Level(StrEnum):
    """How much it matters."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True, eq=False)
class Action:
    """What can be done about it: a button."""

    text: str
    run: Callable[[], object]


@dataclass(frozen=True, eq=False)
class Notice:
    """What happened, to whom and what to do, in that order.

    `detail` is more text, to be copied. `key` names the matter: a newer notice of the same matter takes the older one's
    place.
    """

    sentence: str
    level: Level = Level.ERROR
    actions: tuple[Action, ...] = ()
    detail: str = ""
    key: str = ""
    wall_s: float = field(default_factory=time.time)


class Notices:
    """The notices that nobody has dismissed yet, oldest first, at most 200."""

    def __init__(self) -> None:
        self.changed: Signal[()] = Signal()
        self._open: list[Notice] = []
        self._disconnect = bridge.unhandled.connect(self.unexpected)

    def detach(self) -> None:
        """Listen no more: the window is gone."""
        self._disconnect()

    @property
    def open(self) -> tuple[Notice, ...]:
        """What is still to be read."""
        return tuple(self._open)

    def add(self, notice: Notice) -> Notice:
        """Show one."""
        if notice.key:
            self._open = [one for one in self._open if one.key != notice.key]
        self._open.append(notice)
        del self._open[:-_KEPT]
        self.changed.send()
        return notice

    def say(
        self, sentence: str, *actions: Action, level: Level = Level.INFO, key: str = "", detail: str = ""
    ) -> Notice:
        """Show a sentence."""
        return self.add(Notice(sentence, level, actions, detail, key))

    def dismiss(self, notice: Notice) -> None:
        """It has been read."""
        if notice in self._open:
            self._open.remove(notice)
            self.changed.send()

    def settle(self, key: str) -> None:
        """The matter is over: whatever is said of it goes."""
        left = [one for one in self._open if one.key != key]
        if len(left) != len(self._open):
            self._open = left
            self.changed.send()

    def clear(self) -> None:
        """All have been read."""
        if self._open:
            self._open.clear()
            self.changed.send()

    def unexpected(self, what: str, error: BaseException) -> None:
        """An exception nobody expected: a mistake of this program, said as one, with the traceback to copy."""
        import traceback

        doing = f" while {what}" if what else ""
        text = str(error) or type(error).__name__
        sentence = f"This program failed{doing}: {text}. The window goes on; please report it with the details."
        detail = "".join(traceback.format_exception(error))
        self.add(Notice(sentence, Level.ERROR, detail=detail, key=f"unexpected:{what}:{type(error).__name__}"))
