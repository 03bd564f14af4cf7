"""A form on screen, and what a hand does to it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QMimeData, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from mcp_inspector.schema.document import Document
from mcp_inspector.schema.fields import Form
from mcp_inspector.schema.values import start_text
from mcp_inspector.ui.forms.containers import ListEditor, ObjectEditor
from mcp_inspector.ui.forms.editors import ChoiceEditor, NumberEditor, TextEditor
from mcp_inspector.ui.forms.switches import RawEditor, SwitchEditor
from mcp_inspector.ui.forms.unions import UnionEditor
from mcp_inspector.ui.forms.view import FormView
from tests.ui.bench import write

if TYPE_CHECKING:
    from collections.abc import Mapping

    from PySide6.QtWidgets import QWidget

    from mcp_inspector.ui.forms.editors import Editor
    from mcp_inspector.ui.forms.row import FieldRow


class Hand:
    """Fills in one form. Paths are written ``items/0/name``."""

    def __init__(self, schema: Mapping[str, Any], text: str | None = None) -> None:
        self.form = Form(schema)
        self.document = Document(text if text is not None else start_text(self.form))
        self.view = FormView()
        self.view.resize(560, 900)
        self.view.show_form(self.form, self.document)
        self.view.show()
        self.view.activateWindow()

    def close(self) -> None:
        """Take the form off the screen."""
        self.view.show_form(None, None)
        self.view.close()
        self.view.deleteLater()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)

    @property
    def sent(self) -> Any:
        """What would be sent now."""
        return json.loads(self.document.wire_bytes())

    def row(self, path: str) -> FieldRow:
        """The row at a path."""
        keys = tuple(int(key) if key.isdigit() else key for key in path.split("/"))
        found = self.view.row_of(keys)
        if found is None:
            found = self.view.row_of(tuple(path.split("/")))
        assert found is not None, f"{path} has no row; there are {[row.field.path for row in self.view.rows()]}"
        return found

    def editor(self, path: str) -> Editor:
        """The editor at a path, inside a chooser where there is one."""
        editor = self.row(path).editor
        while isinstance(editor, UnionEditor) and editor.inner is not None:
            editor = editor.inner
        return editor

    def input(self, path: str) -> QWidget:
        """What takes the keys at a path."""
        editor = self.editor(path)
        if isinstance(editor, TextEditor):
            return editor.area if editor.area is not None else editor.line
        if isinstance(editor, NumberEditor):
            return editor.line
        assert isinstance(editor, RawEditor), editor
        return editor.area

    def type(self, path: str, text: str) -> None:
        """Replace what stands in a field by typing."""
        widget = self.input(path)
        widget.setFocus()
        QTest.keyClick(widget, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
        QTest.keyClick(widget, Qt.Key.Key_Delete)
        write(widget, text)

    def clear(self, path: str) -> None:
        """Empty a field."""
        self.type(path, "")

    def paste(self, path: str, text: str) -> None:
        """Paste into a field."""
        QApplication.clipboard().setText(text)
        widget = self.input(path)
        widget.setFocus()
        QTest.keyClick(widget, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
        QApplication.clipboard().setMimeData(QMimeData())

    def pick(self, path: str, label: str) -> None:
        """Choose by the words on screen: in a list, of alternatives, or of a switch."""
        editor = self.row(path).editor
        if isinstance(editor, SwitchEditor):
            for at in range(len(editor._values)):
                if editor.segments.button(at).text() == label:
                    QTest.mouseClick(editor.segments.button(at), Qt.MouseButton.LeftButton)
                    return
            raise AssertionError(f"{path} has no {label}")
        assert isinstance(editor, ChoiceEditor | UnionEditor), editor
        at = editor.box.findText(label)
        assert at >= 0, f"{label} is not among {[editor.box.itemText(one) for one in range(editor.box.count())]}"
        editor.box.setCurrentIndex(at)
        editor.box.activated.emit(at)

    def pick_at(self, path: str, at: int) -> None:
        """Choose the n-th entry after `not sent`."""
        editor = self.row(path).editor
        assert isinstance(editor, ChoiceEditor), editor
        editor.box.setCurrentIndex(at)
        editor.box.activated.emit(at)

    def add_item(self, path: str) -> None:
        """Press `Add item`."""
        editor = self.editor(path)
        assert isinstance(editor, ListEditor)
        QTest.mouseClick(editor._add, Qt.MouseButton.LeftButton)

    def press(self, path: str, tip: str) -> None:
        """Press one of the small buttons of a row, by what it says."""
        button = next(tool for tool in self.row(path)._tools if tool.toolTip() == tip)
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)

    def add_member(self, path: str, name: str) -> str:
        """Add a member by name; returns what is said against it."""
        editor = self.editor(path)
        assert isinstance(editor, ObjectEditor)
        if editor._fill.isVisible():
            QTest.mouseClick(editor._fill, Qt.MouseButton.LeftButton)
        editor._open_name()
        write(editor._name, name)
        QTest.keyClick(editor._name, Qt.Key.Key_Return)
        return "" if editor._name_problem.isHidden() else editor._name_problem.text()

    def state(self, path: str, words: str) -> None:
        """Take an entry of a row's menu."""
        row = self.row(path)
        value = dict(row.states())[words]
        row._setting(value)()
