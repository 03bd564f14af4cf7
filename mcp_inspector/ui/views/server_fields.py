"""One server's entry under edit: its name, and its members as a form and as JSON, two live views of one document."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSplitter, QVBoxLayout, QWidget

from mcp_inspector.config import jsonc
from mcp_inspector.config.entry import ServerEntry
from mcp_inspector.config.entry_reader import read_entry
from mcp_inspector.config.entry_schema import entry_schema, json_of
from mcp_inspector.config.entry_writer import members
from mcp_inspector.config.visible import visible
from mcp_inspector.schema.document import Document
from mcp_inspector.schema.fields import Form
from mcp_inspector.schema.validate import Checker
from mcp_inspector.ui.bridge import Pull
from mcp_inspector.ui.forms.json_edit import JsonEdit
from mcp_inspector.ui.forms.view import FormView
from mcp_inspector.ui.models.arguments import by_path
from mcp_inspector.ui.views.server_pin import PinSwitch
from mcp_inspector.ui.views.server_secrets import ServerSecrets, beside
from mcp_inspector.ui.widgets.inputs import LongLineEdit
from mcp_inspector.ui.widgets.tabs import SegmentedTabs
from mcp_inspector.wire import jsontext

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent, QResizeEvent

FORM, JSON, SPLIT = range(3)
_CHECK_MS = 120
_NAMELESS = "new"
_ROOM = 760
"""Pixels from which form and JSON stand side by side."""


class ServerFields(QWidget):
    """`changed` tells of every change, `submitted` of Ctrl+Enter. What the form does not know stays in the JSON."""

    changed = Signal()
    submitted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._origin = ""
        self.document = Document("{}")
        self._checker: Checker | None = None
        self._chosen = False
        self._first: tuple[str, str] | None = None
        self.name = LongLineEdit()
        self.name.setAccessibleName("Name")
        self.name.setPlaceholderText("what to call it")
        self.name.textChanged.connect(self.changed)
        self.tabs = SegmentedTabs(("Form", "JSON", "Split"))
        self.tabs.setToolTip("Form and JSON are the same entry, as it stands in its file")
        self.form = FormView()
        self.json = JsonEdit()
        self.json.setAccessibleName("Entry as JSON")
        self.json.set_document(self.document)
        self._splitter = QSplitter(Qt.Orientation.Horizontal)
        self._splitter.setChildrenCollapsible(False)
        self._splitter.addWidget(self.form)
        self._splitter.addWidget(self.json)
        self._splitter.setSizes([560, 340])
        for view in (self.form, self.json):
            view.setMinimumHeight(96)
        label = QLabel("Name")
        label.setBuddy(self.name)
        top = QHBoxLayout()
        top.setContentsMargins(16, 0, 16, 0)
        top.setSpacing(10)
        top.addWidget(label)
        top.addWidget(self.name, 1)
        self.secrets = ServerSecrets(self.document, self.value, self.name.text)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addLayout(top)
        column.addWidget(beside(self.tabs, self.secrets.button))
        column.addWidget(self.secrets)
        self.pin = PinSwitch(self.document)
        column.addWidget(self.pin)
        column.setSpacing(6)
        column.addWidget(self._splitter, 1)
        self._check = Pull(self.check, self, _CHECK_MS)
        self._listening = self.document.changed.connect(self._edited)
        self.form.submitted.connect(self.submitted)
        self.json.submitted.connect(self.submitted)
        self.form.raw_wanted.connect(self._show_in_json)
        self.form.unread_changed.connect(self.changed)
        self.tabs.currentChanged.connect(self._mode_changed)
        self.tabs.setCurrentIndex(FORM)
        self._mode_changed()

    def _edited(self, _: object) -> None:
        self._check.soon()
        self.changed.emit()

    # --- what is shown ---

    def _mode_changed(self) -> None:
        mode = self.tabs.currentIndex()
        self._chosen = self._chosen or self.tabs.hasFocus()
        self.form.setVisible(mode in (FORM, SPLIT))
        self.json.setVisible(mode in (JSON, SPLIT))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return in a field ends what is typed there, and does not press the dialog's button; Ctrl+Return does."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not self.name.hasFocus():
            event.accept()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Both views are seen wherever there is room for both."""
        super().resizeEvent(event)
        across = self.width() >= _ROOM
        self._splitter.setOrientation(Qt.Orientation.Horizontal if across else Qt.Orientation.Vertical)
        if not self._chosen and self.tabs.currentIndex() != JSON:
            self.tabs.setCurrentIndex(SPLIT if across else FORM)

    def _show_in_json(self, path: object) -> None:
        if self.tabs.currentIndex() == FORM:
            self.tabs.setCurrentIndex(JSON)
        if isinstance(path, tuple):
            node = self.document.node(path)
            self.json.go_to(node.start if node is not None else 0)
        elif self.document.error is not None:
            self.json.go_to(self.document.error.offset)

    def fill(self, entry: ServerEntry, value: Any = None) -> None:
        """Edit another entry; `value` is all of it as it stands in its file, where that is known.

        In the JSON it is one step that can be taken back.
        """
        self._origin = entry.origin
        self.name.setText(entry.name)
        plain = members(entry) if not isinstance(value, dict) else value
        form = Form(entry_schema(plain), absent="not set", forgets=False)
        self._checker = Checker(form.source, patient=False)
        text = jsontext.pretty(json_of(plain))
        if self.form.context is None:
            self.document.reset(text)
        else:
            self.document.set_text(text)
        self.form.show_form(form, self.document)
        self._first = self._first or (entry.name, text)
        self.check()
        self.changed.emit()

    def check(self) -> None:
        """Say at the fields what the entry's schema minds."""
        self.secrets.look()
        self.pin.look()
        error, root = self.document.error, self.document.root
        if error is not None:
            self.json.mark(max(0, error.offset - 1), min(len(self.document.text), error.offset + 1))
            return
        self.json.mark(0, 0)
        if root is not None and self._checker is not None:
            self.form.show_problems(by_path(self._checker.check(root)))

    # --- what it comes to ---

    @property
    def touched(self) -> bool:
        """Whether anything differs from the entry that was shown first."""
        context = self.form.context
        unread = context is not None and bool(context.unread_problems)
        return unread or (self.name.text(), self.document.text) != self._first

    def value(self) -> Any:
        """The entry as a plain value, numbers as spelled; None while the JSON is none."""
        self.form.flush()
        if not self.document.valid:
            return None
        try:
            return jsonc.parse(self.document.text).plain(spelled=True)
        except jsonc.JsoncError:
            return None

    def entry(self) -> tuple[ServerEntry, list[str]]:
        """The entry as the program reads it, and what keeps it from being saved."""
        name = self.name.text().strip()
        problems = [] if name else ["It needs a name."]
        context = self.form.context
        problems += [f"{jsontext.pointer(path)}: {words}" for path, words in _unread(context).items()]
        value = self.value()
        if value is None:
            error = self.document.error
            where = f"line {error.line}, column {error.column}: {error.sentence}" if error is not None else "no JSON"
            return ServerEntry(name, origin=self._origin), [*problems, f"The JSON is not complete: {where}"]
        entry = read_entry(name or _NAMELESS, value, self._origin)
        entry = replace(entry, name=name, problems=tuple(about_it(one, entry.name) for one in entry.problems))
        return entry, [*problems, *entry.problems] if entry.fatal else problems


def about_it(problem: str, name: str) -> str:
    """A sentence about a server, where it is plain which server is meant."""
    words = problem.removeprefix(f'Server "{visible(name)}": ')
    return f"{words[:1].upper()}{words[1:]}"


def _unread(context: Any) -> dict[Any, str]:
    return dict(context.unread_problems) if context is not None else {}
