"""Below a raw answer of 2026-07-28: the key it goes under and the state that goes back with it, to test the server."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSpinBox, QWidget

from mcp_inspector.session.inbox import Twist
from mcp_inspector.ui import plain, theme
from mcp_inspector.ui.models.spoiled import altered
from mcp_inspector.ui.widgets.inputs import LongLineEdit
from mcp_inspector.ui.widgets.labels import ElidedLabel

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from mcp_inspector.session.inbox import Ask, Inbox

_WORDS = 560
"""Pixels from which on the fields have words before them."""


class RoundTest(QWidget):
    """Edits how one answer departs from what was asked for. `changed` tells of an edit."""

    changed = Signal()

    def __init__(self, ask: Ask, inbox: Inbox, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        theme.mark(self, surface="band")
        self._ask, self._inbox = ask, inbox
        self._state = ask.request_state.decode(errors="replace")
        self.key = LongLineEdit(ask.key, mono=True)
        self.key.setAccessibleName("Key of the answer")
        self.key.setPlaceholderText("left out")
        self.key.setToolTip(f"The server asked under the key {plain.line(ask.key)}; empty leaves the answer out")
        self.state = LongLineEdit(self._state, mono=True)
        self.state.setAccessibleName("requestState")
        self.state.setPlaceholderText("no requestState")
        self.state.setToolTip(
            "requestState as it goes back, in JSON; what is no JSON goes as a text, empty leaves it out"
        )
        self.alter = self._button("Altered", "Change its last character", lambda: self.state.setText(self._altered()))
        self.drop = self._button("Left out", "Send the request again without requestState", self.state.clear)
        self.back = self._button("As it came", "Key and requestState as the server wants them", self._reset)
        self.rounds = QSpinBox()
        self.rounds.setRange(1, 1_000)
        self.rounds.setValue(inbox.most_rounds)
        self.rounds.setSuffix(" rounds")
        self.rounds.setAccessibleName("Most rounds")
        self.rounds.setToolTip("After so many rounds a request is given up; raise it to see whether the server ends")
        self.rounds.valueChanged.connect(self._more)
        self._words = [ElidedLabel(word, tone="muted", size="small") for word in ("Key", "requestState", "at most")]
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 3, 8, 3)
        row.setSpacing(6)
        row.addWidget(self._words[0])
        row.addWidget(self.key, 1)
        row.addWidget(self._words[1])
        row.addWidget(self.state, 2)
        for button in (self.alter, self.drop, self.back):
            row.addWidget(button)
        row.addWidget(self._words[2])
        row.addWidget(self.rounds)
        for edit in (self.key, self.state):
            edit.setMinimumWidth(60)
            edit.textChanged.connect(lambda _: self._tell())
        self._tell()

    def _button(self, word: str, tip: str, run: object) -> QPushButton:
        button = QPushButton(word)
        theme.mark(button, kind="quiet")
        button.setFont(theme.font("small"))
        button.setToolTip(tip)
        button.clicked.connect(lambda: run())  # type: ignore[operator]  # each of the three is called without arguments
        return button

    def twist(self) -> Twist | None:
        """What is edited; None for as it was asked for."""
        key, state = self.key.text(), self.state.text()
        if key == self._ask.key and state == self._state:
            return None
        return Twist(key or None, None if state == self._state else _json(state))

    def problems(self) -> list[str]:
        """How it departs, in sentences."""
        found, key = [], self.key.text()
        if not key:
            found.append(f"The answer to {plain.line(self._ask.key, 60)} is left out")
        elif key != self._ask.key:
            found.append(f"The server asked under the key {plain.line(self._ask.key, 60)}")
        if self.state.text() != self._state:
            found.append("requestState is not the one that came" if self.state.text() else "requestState is left out")
        return found

    def _altered(self) -> str:
        return altered(self._ask.request_state).decode(errors="replace")

    def _reset(self) -> None:
        self.key.setText(self._ask.key)
        self.state.setText(self._state)

    def _more(self, rounds: int) -> None:
        self._inbox.most_rounds = rounds

    def _tell(self) -> None:
        self.back.setEnabled(self.twist() is not None)
        self.changed.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The fields keep their room; their words go first."""
        super().resizeEvent(event)
        for word in self._words:
            word.setVisible(self.width() >= _WORDS)


def _json(text: str) -> bytes:
    raw = text.encode(errors="replace")
    try:
        return msgspec.json.format(raw, indent=-1) if raw else b""
    except msgspec.MsgspecError:
        return msgspec.json.encode(text)
