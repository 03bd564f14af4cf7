"""Arguments on screen without a server: the form, the JSON, the foot, and what a hand does to them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from mcp_inspector.ui import bridge
from mcp_inspector.ui.desk import Desk
from mcp_inspector.ui.memory import Memory
from mcp_inspector.ui.models.arguments import Arguments
from mcp_inspector.ui.views.arguments import FORM, SPLIT, ArgumentsView
from tests.ui.bench import write
from tests.ui.forms.hand import Hand

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


class Table(Hand):
    """A `Hand` at the form inside the whole view of arguments."""

    def __init__(
        self,
        schema: Mapping[str, Any] | bytes,
        text: str | None = None,
        *,
        memory: Path | None = None,
        name: str = "tool",
        split: bool = True,
    ) -> None:
        self.desk = Desk(Memory(memory))
        self.arguments_view = ArgumentsView(self.desk, "tools", "Call tool")
        self.arguments_view.setMinimumWidth(180)
        self.arguments_view.resize(1100, 800)
        self.sent_texts: list[str] = []
        self.arguments_view.call_wanted.connect(self._sent)
        self.arguments_view.show()
        self.arguments_view.activateWindow()
        self.view = self.arguments_view.form
        self.arguments_view.tabs.setCurrentIndex(SPLIT if split else FORM)
        self.show(schema, text, name=name)

    def show(self, schema: Mapping[str, Any] | bytes, text: str | None = None, *, name: str = "tool") -> Arguments:
        """Show the arguments of a tool."""
        raw = schema if isinstance(schema, bytes) else json.dumps(schema).encode()
        self.arguments = Arguments(("server", "tools", name), raw, self.desk.drafts)
        self.form, self.document = self.arguments.form, self.arguments.document
        if text is not None:
            self.document.set_text(text)
        self.arguments_view.show_arguments(self.arguments)
        self.still()
        return self.arguments

    def _sent(self) -> None:
        self.sent_texts.append(self.document.wire_bytes().decode())
        self.arguments_view.note_sent(self.arguments)

    def still(self) -> None:
        """Let every look that is due be taken."""
        while bridge.pulling():
            QTest.qWait(5)

    @property
    def json(self) -> Any:
        """The JSON editor."""
        return self.arguments_view.json

    def type_json(self, text: str, *, at: int | None = None) -> None:
        """Type into the JSON editor, at a place of its text or at its end."""
        cursor = self.json.textCursor()
        if at is None:
            cursor.movePosition(QTextCursor.MoveOperation.End)
        else:
            cursor.setPosition(at)
        self.json.setTextCursor(cursor)
        write(self.json, text)
        self.still()

    def rub_json(self, count: int) -> None:
        """Rub out characters at the end of the JSON."""
        self.json.moveCursor(QTextCursor.MoveOperation.End)
        for _ in range(count):
            QTest.keyClick(self.json, Qt.Key.Key_Backspace)
        self.still()

    def undo(self) -> None:
        """Ctrl+Z where the keyboard is."""
        self._key(Qt.Key.Key_Z)

    def redo(self) -> None:
        """Ctrl+Shift+Z where the keyboard is."""
        self._key(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)

    def _key(self, key: Qt.Key, mods: Qt.KeyboardModifier = Qt.KeyboardModifier.ControlModifier) -> None:
        widget = self.arguments_view.window().focusWidget() or self.view
        QTest.keyClick(widget, key, mods)
        self.still()

    def press_send(self) -> None:
        """Press the button that sends, when it can be pressed."""
        QTest.mouseClick(self.arguments_view.call, Qt.MouseButton.LeftButton)
        self.still()

    def problems(self) -> list[str]:
        """The lines of the list of problems."""
        return self.arguments_view.problem_list.lines()

    def close(self) -> None:
        """Take it off the screen, and keep what is to be kept."""
        self.arguments_view.show_arguments(None)
        self.desk.memory.save()
        self.arguments_view.close()
        self.arguments_view.deleteLater()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
