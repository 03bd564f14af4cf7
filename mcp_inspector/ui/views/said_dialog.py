"""What we say of ourselves to one server: capabilities, extensions, `_meta`; and what it lists under each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QDialog, QHBoxLayout, QLabel, QPushButton, QStackedWidget, QVBoxLayout, QWidget
from shiboken6 import isValid

from mcp_inspector.schema.document import Document
from mcp_inspector.ui import bridge, plain, theme
from mcp_inspector.ui.forms.json_edit import JsonEdit
from mcp_inspector.ui.models import said
from mcp_inspector.ui.models.said import Said
from mcp_inspector.ui.views.list_changes import ListChanges
from mcp_inspector.ui.views.strip import Strip
from mcp_inspector.ui.widgets.tabs import SegmentedTabs
from mcp_inspector.wire import jsontext

if TYPE_CHECKING:
    from mcp_inspector.session.server import Server
    from mcp_inspector.ui.desk import Desk


class SaidDialog(QDialog):
    """`_meta` counts with the next request, capabilities with the connection that the button makes."""

    def __init__(self, desk: Desk, server: Server, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(f"What {server.name[:60]} is told of this client")
        self.setModal(False)
        self._desk, self._server = desk, server
        now = said.kept(server.entry)
        usual = server.usual_client.capabilities
        self.capabilities = Document(said.as_json(now.capabilities if now.capabilities is not None else dict(usual)))
        self.meta = Document(said.as_json(now.meta or {}))
        self._edits = [
            _editor(document, name) for document, name in ((self.capabilities, "Capabilities"), (self.meta, "_meta"))
        ]
        self.trace = QCheckBox("A trace context of its own in each request (traceparent)")
        self.trace.setChecked(now.trace)
        self.strip = Strip()
        self.usual_button = QPushButton("The usual capabilities")
        self.usual_button.clicked.connect(lambda: self.capabilities.set_text(said.as_json(dict(usual))))
        self.apply_button = QPushButton("Apply and reconnect")
        theme.mark(self.apply_button, kind="primary")
        self.apply_button.clicked.connect(self.apply)
        self.meta_button = QPushButton("Apply _meta only")
        self.meta_button.clicked.connect(lambda: self._take(reconnect=False))
        self.tabs = SegmentedTabs(("What it is told", "What it lists under each"))
        self.changes = ListChanges(server)
        self._lay_out()
        self.resize(860, 600)

    def _lay_out(self) -> None:
        first = QWidget()
        column = QVBoxLayout(first)
        column.setContentsMargins(0, 0, 0, 0)
        for title, edit in zip(("Capabilities and extensions", "_meta of each request"), self._edits, strict=True):
            label = QLabel(title)
            theme.mark(label, role="head")
            column.addWidget(label)
            column.addWidget(edit, 2 if edit is self._edits[0] else 1)
        column.addWidget(self.trace)
        pages = QStackedWidget()
        pages.addWidget(first)
        pages.addWidget(self.changes)
        self.tabs.currentChanged.connect(pages.setCurrentIndex)
        layout = QVBoxLayout(self)
        layout.addWidget(self.tabs)
        layout.addWidget(pages, 1)
        layout.addWidget(self.strip)
        row = QHBoxLayout()
        row.addWidget(self.usual_button)
        row.addStretch(1)
        row.addWidget(self.meta_button)
        row.addWidget(self.apply_button)
        layout.addLayout(row)

    def show_changes(self) -> None:
        """Show what the server lists under each set."""
        self.tabs.setCurrentIndex(1)

    def _take(self, *, reconnect: bool) -> bool:
        found: list[dict[str, Any]] = []
        for document, name in ((self.capabilities, "The capabilities are"), (self.meta, "_meta is")):
            value = jsontext.value_of(document.root) if document.valid and document.root is not None else None
            if not isinstance(value, dict):
                self.strip.say(f"{name} no JSON object: nothing was changed", "", "error")
                return False
            found.append(value)
        usual = said.as_json(dict(self._server.usual_client.capabilities)) == said.as_json(found[0])
        capabilities = None if usual else found[0]
        if not reconnect:
            capabilities = said.kept(self._server.entry).capabilities
        book = self._desk.book
        new = Said(capabilities, found[1] or None, self.trace.isChecked())
        refused = said.keep(book, self._server, new) if book is not None else "There is no servers file"
        if refused:
            self.strip.say(plain.line(refused), "", "error")
            return False
        self.strip.say("It counts from the next request on" if not reconnect else "Reconnecting", "", "ok")
        return True

    def apply(self) -> None:
        """Say it, connect anew, and compare what is listed."""
        server = self._server
        if not self._take(reconnect=True):
            return

        async def again() -> None:
            await server.restart()
            await server.settled()
            await server.loaded()

        def done(_: None) -> None:
            if not isValid(self):
                return
            if not server.status.up:
                self.strip.say(f"{plain.line(server.name, 40)} is {server.status.words()}", "", "error")
                return
            self.changes.refresh()
            self.show_changes()
            self.strip.say(f"Connected. {self.changes.summary.text()}", "", "ok")

        bridge.spawn(again(), what=f"reconnecting {server.name}", on_done=done)


def _editor(document: Document, name: str) -> JsonEdit:
    edit = JsonEdit()
    edit.setAccessibleName(name)
    edit.set_document(document)
    return edit
