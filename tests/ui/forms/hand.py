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
from mcp_inspector.ui.forms.choices import ChoiceEditor, SwitchEditor, ToggleEditor
from mcp_inspector.ui.forms.lists import ListEditor
from mcp_inspector.ui.forms.numbers import NumberEditor
from mcp_inspector.ui.forms.objects import ObjectEditor
from mcp_inspector.ui.forms.raw import RawEditor
from mcp_inspector.ui.forms.texts import TextEditor
from mcp_inspector.ui.forms.unions import UnionEditor
from mcp_inspector.ui.forms.view import FormView
from tests.ui.bench import write

if TYPE_CHECKING:
    from collections.abc import Mapping

    from PySide6.QtWidgets import QWidget

    from mcp_inspector.ui.forms.editor import Editor
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
        """The row at a path, built and unfolded when it is not yet."""
        found = None
        for keys in (tuple(int(key) if key.isdigit() else key for key in path.split("/")), tuple(path.split("/"))):
            row = self.view.reach(keys)
            found = row if row is not None and row.field.path == keys else found
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
        editor = self.row(path).editor if path else self.view.root.editor
        if isinstance(editor, SwitchEditor | ToggleEditor):
            words = editor.segments if isinstance(editor, SwitchEditor) else editor.toggles
            assert label in words.words, f"{label} is not among {words.words}"
            place = words.place(words.words.index(label)).center()
            QTest.mouseClick(words, Qt.MouseButton.LeftButton, pos=place)
            return
        assert isinstance(editor, ChoiceEditor | UnionEditor), editor
        assert label in editor.box.texts, f"{label} is not among {editor.box.texts}"
        popup = editor.box.open()
        item = next(popup.list.item(at) for at in range(popup.list.count()) if popup.list.item(at).text() == label)
        QTest.mouseClick(popup.list.viewport(), Qt.MouseButton.LeftButton, pos=popup.list.visualItemRect(item).center())

    def choices(self, path: str) -> list[str]:
        """The words that may be chosen at a path."""
        editor = self.row(path).editor
        if isinstance(editor, SwitchEditor):
            return [*editor.segments.words]
        assert isinstance(editor, ChoiceEditor | UnionEditor), editor
        return [*editor.box.texts]

    def pick_at(self, path: str, at: int) -> None:
        """Choose the n-th entry after `not sent`."""
        editor = self.row(path).editor
        assert isinstance(editor, ChoiceEditor), editor
        editor.box.pick(at)

    def add_item(self, path: str) -> None:
        """Press `Add item`."""
        editor = self.editor(path)
        assert isinstance(editor, ListEditor)
        button = editor._begin if editor._begin.isVisible() else editor._add
        assert button.isVisible()
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)

    def press(self, path: str, tip: str) -> None:
        """Press one of the small buttons of a row, by what it says."""
        button = next(tool for tool in self.row(path).buttons if tool.accessibleName() == tip)
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)

    def add_member(self, path: str, name: str) -> str:
        """Add a member by name; returns what is said against it."""
        editor = self.editor(path)
        assert isinstance(editor, ObjectEditor)
        if editor._begin.isVisible():
            QTest.mouseClick(editor._begin, Qt.MouseButton.LeftButton)
        if editor.name_line is None or not editor.name_line.isVisible():
            editor.open_name()
        assert editor.name_line is not None
        write(editor.name_line, name)
        QTest.keyClick(editor.name_line, Qt.Key.Key_Return)
        said = editor.trouble
        QTest.keyClick(editor.name_line, Qt.Key.Key_Escape)
        return said

    def state(self, path: str, words: str) -> None:
        """Take an entry of a row's menu."""
        row = self.row(path)
        menu = row.open_menu()
        action = next((one for one in menu.actions() if one.text().replace("&&", "&") == words), None)
        assert action is not None, f"{words} is not among {[one.text() for one in menu.actions()]}"
        action.trigger()
        menu.close()
