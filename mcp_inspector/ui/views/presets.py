"""Answer presets under edit: for a server or for all, what is answered by itself, with what, and how soon."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QDoubleSpinBox, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from mcp_inspector.schema.document import Document
from mcp_inspector.session.inbox import ELICITATION, ROOTS, Preset
from mcp_inspector.ui import icons, plain, theme
from mcp_inspector.ui.bridge import Pull
from mcp_inspector.ui.forms.json_edit import JsonEdit
from mcp_inspector.ui.models.presets import ACTIONS, ALL, BEGINNINGS, METHODS, WORDS, Presets
from mcp_inspector.ui.views.strip import Strip
from mcp_inspector.ui.widgets.labels import ElidedLabel
from mcp_inspector.ui.widgets.tabs import SegmentedTabs
from mcp_inspector.wire import jsontext

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from mcp_inspector.session.inbox import Action
    from mcp_inspector.ui.desk import Desk

_KEEP_MS = 120
_WIDE = 560
_INHERIT = "As for all servers"


class PresetsView(QWidget):
    """Edits take effect at once, for questions that come from now on."""

    closed = Signal()

    def __init__(self, desk: Desk, presets: Presets, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk, self._presets = desk, presets
        self._quiet = False
        self._document = Document("{}")
        self.server = QComboBox()
        self.server.setAccessibleName("Server")
        self.server.setMinimumWidth(90)
        self.tabs = SegmentedTabs(tuple(METHODS.values()))
        self.action = QComboBox()
        self.action.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.action.setAccessibleName("Answer")
        self.delay = QDoubleSpinBox()
        self.delay.setRange(0, 3600)
        self.delay.setDecimals(1)
        self.delay.setSuffix(" s")
        self.delay.setAccessibleName("Delay")
        self.edit = JsonEdit()
        self.edit.setAccessibleName("Values")
        self.edit.set_document(self._document)
        self.about = QLabel()
        self.about.setWordWrap(True)
        theme.mark(self.about, role="muted")
        self.strip = Strip()
        self.clear_button = QPushButton("Clear all")
        self.clear_button.setToolTip("Clear all presets, of all servers: every question waits again")
        self.clear_button.clicked.connect(self._clear)
        self._lay_out()
        self._keeping = Pull(self._keep, self, _KEEP_MS)
        self._listening = self._document.changed.connect(lambda _: self._keeping.soon())
        self.server.currentIndexChanged.connect(self._show)
        self.tabs.currentChanged.connect(self._show)
        self.action.currentIndexChanged.connect(self._action_changed)
        self.delay.valueChanged.connect(self._keeping.soon)
        desk.servers.refreshed.connect(self._servers_moved)
        presets.changed.connect(self._tell)
        self._servers_moved()
        self._show()

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(10, 4, 6, 4)
        head.setSpacing(8)
        self._title = QLabel("Answer by itself")
        theme.mark(self._title, role="head")
        head.addWidget(self._title)
        head.addWidget(self.server, 1)
        head.addWidget(self.tabs)
        self._close = QPushButton(icons.icon("x"), "Close")
        self._close.setAccessibleName("Close")
        self._close.setToolTip("Back to the questions")
        theme.mark(self._close, kind="quiet")
        self._close.clicked.connect(self.closed)
        head.addWidget(self._close)
        row = QHBoxLayout()
        row.setContentsMargins(10, 6, 10, 6)
        row.setSpacing(8)
        row.addWidget(self.action)
        row.addWidget(ElidedLabel("after", tone="muted"))
        row.addWidget(self.delay)
        row.addStretch(1)
        row.addWidget(self.clear_button)
        about = QHBoxLayout()
        about.setContentsMargins(12, 0, 12, 4)
        about.addWidget(self.about)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        for part in (head, row, about):
            layout.addLayout(part)
        layout.addWidget(self.strip)
        layout.addWidget(self.edit, 1)
        self._rest = QWidget()
        layout.addWidget(self._rest, 1)
        theme.mark(self, surface="window")

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In little room the title and a word go: what can be chosen stays whole."""
        super().resizeEvent(event)
        self._title.setVisible(self.width() >= _WIDE)
        self._close.setText("Close" if self.width() >= _WIDE else "")

    @property
    def _method(self) -> str:
        return list(METHODS)[max(self.tabs.currentIndex(), 0)]

    @property
    def _server(self) -> str:
        data = self.server.currentData()
        return data if isinstance(data, str) else ALL

    def show_server(self, name: str) -> None:
        """Edit the presets of a server."""
        at = self.server.findData(name)
        self.server.setCurrentIndex(max(at, 0))

    def _servers_moved(self) -> None:
        names = [server.name for server in self._desk.servers.servers]
        if [self.server.itemData(at) for at in range(1, self.server.count())] == names and self.server.count():
            return
        chosen = self._server
        self.server.blockSignals(True)
        self.server.clear()
        self.server.addItem("All servers", ALL)
        for name in names:
            self.server.addItem(plain.line(name, 60), name)
        self.server.setCurrentIndex(max(self.server.findData(chosen), 0))
        self.server.blockSignals(False)

    def _show(self) -> None:
        """Show what is kept for this server and kind."""
        self._quiet = True
        preset = self._presets.get(self._server, self._method)
        self.action.clear()
        if self._server != ALL:
            self.action.addItem(_INHERIT, None)
        for action in ACTIONS[self._method]:
            if action != "ask" or self._server != ALL:
                self.action.addItem(WORDS[action], action)
            else:
                self.action.addItem(WORDS["ask"], None)
        self.action.setCurrentIndex(max(self.action.findData(preset.action) if preset is not None else 0, 0))
        self.delay.setValue(preset.delay if preset is not None else 0)
        self._show_content(preset.content if preset is not None else b"")
        self._quiet = False
        self._tell()

    def _show_content(self, content: bytes) -> None:
        action = self.action.currentData()
        if not content and action == "result":
            content = BEGINNINGS[self._method]
        self._document.reset(jsontext.pretty(content.decode(errors="replace")) if content else "")
        editable = action in ("accept", "result")
        self.edit.setVisible(editable)
        self._rest.setVisible(not editable)
        self.delay.setEnabled(action is not None and action != "ask")
        self.about.setText(_about(action, self._method))

    def _action_changed(self) -> None:
        if self._quiet:
            return
        preset = self._presets.get(self._server, self._method)
        same = preset is not None and preset.action == self.action.currentData()
        self._quiet = True
        self._show_content(preset.content if same and preset is not None else b"")
        self._quiet = False
        self._keep()

    def _keep(self) -> None:
        if self._quiet:
            return
        action: Action | None = self.action.currentData()
        if action is None:
            self._presets.put(self._server, self._method, None)
            self.strip.hide()
            return
        content = b""
        if action in ("accept", "result") and self._document.text.strip():
            if not self._document.valid:
                self.strip.say("This is no JSON yet: what was kept before still counts", "", "warn")
                return
            content = self._document.wire_bytes()
        self._presets.put(self._server, self._method, Preset(action, content, self.delay.value()))
        self._tell()

    def _tell(self) -> None:
        active = self._presets.active()
        self.clear_button.setEnabled(bool(active))
        if active:
            self.strip.say(f"Answered by itself: {plain.line('; '.join(active))}", "\n".join(active), "warn")
        else:
            self.strip.say("Nothing is answered by itself: every question waits for you", "", "ok")

    def _clear(self) -> None:
        self._presets.clear()
        self._show()


def _about(action: str | None, method: str) -> str:
    if action is None or action == "ask":
        return "Every question waits in the Inbox." if method != ROOTS else (
            "Configured roots answer; without any, the question waits."
            if action is None
            else "Every question waits, whatever roots are configured."
        )  # fmt: skip
    if action == "accept":
        return "The values to accept with; empty for the defaults of each form."
    if action == "result":
        return "The whole result, right or wrong."
    if action == "refuse":
        return "An error -1 to a request; elsewhere the operation is given up."
    if action == "malformed":
        return "A result that breaks the specification, to test how the server takes it."
    return "Their action and nothing else." if method == ELICITATION else ""
