"""Suggestions of the server while a value is typed: asked for at pauses, late answers thrown away."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QStringListModel, Qt, QTimer
from PySide6.QtWidgets import QCompleter

from mcp_inspector.ui import bridge

if TYPE_CHECKING:
    from mcp_inspector.ui.forms.inputs import LineEdit

Complete = Callable[[str, str], Awaitable[tuple[str, ...] | None]]
"""Suggestions for an argument's name and what is typed of it; None when the server has no completion at all."""

_PAUSE_MS = 180
_SHOWN = 100


class Suggestions(QObject):
    """Suggestions under one line edit."""

    def __init__(self, line: LineEdit, name: str, complete: Complete) -> None:
        super().__init__(line)
        self._line, self._name, self._complete = line, name, complete
        self._asked = 0
        self._dead = False
        self._model = QStringListModel(self)
        self._completer = QCompleter(self._model, self)
        self._completer.setCompletionMode(QCompleter.CompletionMode.UnfilteredPopupCompletion)
        self._completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self._completer.setWidget(line)
        self._completer.activated.connect(self._take)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(_PAUSE_MS)
        self._pause.timeout.connect(self.ask)
        line.textEdited.connect(lambda _: self._pause.start())

    @property
    def values(self) -> list[str]:
        """What is suggested now."""
        return self._model.stringList()

    def ask(self) -> None:
        """Ask the server for what is typed now."""
        if self._dead:
            return
        self._asked += 1
        number, typed = self._asked, self._line.text()

        async def asking() -> tuple[str, ...] | None:
            return await self._complete(self._name, typed)

        def answered(values: tuple[str, ...] | None) -> None:
            if values is None:
                self._dead = True
            elif number == self._asked and typed == self._line.text():
                self._show(values)

        bridge.spawn(asking(), what=f"completing {self._name}", on_done=answered)

    def _show(self, values: tuple[str, ...]) -> None:
        self._model.setStringList(list(values[:_SHOWN]))
        if values and self._line.hasFocus() and (len(values) > 1 or values[0] != self._line.text()):
            self._completer.complete()
        elif (popup := self._completer.popup()) is not None:
            popup.hide()

    def _take(self, value: str) -> None:
        self._line.setText(value)
        self._line.textEdited.emit(value)
        self._pause.stop()
