"""What the editors of all answers share: a title, what they would send, and what is wrong with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

if TYPE_CHECKING:
    from mcp_inspector.session.inbox import Ask


class AskBody(QWidget):
    """Edits the answer to one question."""

    changed = Signal()
    """What would be sent, or what is wrong with it, is another now."""
    send_wanted = Signal()
    """Ctrl+Enter: send it."""
    raw_wanted = Signal(bytes)
    """Go on with this result as JSON."""

    title = "Answer"
    verb = "Answer"
    short = ""
    """The verb where there is little room; empty for the same."""
    others: tuple[tuple[str, str, bytes], ...] = ()
    """Other answers: word, tooltip, result."""

    def __init__(self, ask: Ask, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.ask = ask
        self.tried = False
        """Whether it was to be sent and kept back once: then it is sent whatever is wrong."""

    def result(self) -> bytes | None:
        """The result that would be sent now, as one line of JSON; None when there is none to be sent."""
        raise NotImplementedError

    def problems(self) -> list[str]:
        """What is wrong with it, in sentences."""
        return []

    def prepare(self) -> bool:
        """About to be sent by the verb; False keeps it back."""
        return True

    def focus_first(self) -> None:
        """Put the keyboard where one begins."""
        self.setFocus()
