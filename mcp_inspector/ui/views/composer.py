"""The dock for any request: what is typed goes to the live connection, valid or not; what comes back is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from mcp_inspector.schema.document import Document
from mcp_inspector.ui import bridge, icons, plain, theme
from mcp_inspector.ui.bridge import Pull
from mcp_inspector.ui.forms.json_edit import JsonEdit
from mcp_inspector.ui.models.composing import OTHERS, Exchanged, methods, template
from mcp_inspector.ui.notices import Level
from mcp_inspector.ui.views.strip import Strip
from mcp_inspector.ui.widgets.json_tree import JsonTree
from mcp_inspector.ui.widgets.labels import ElidedLabel
from mcp_inspector.wire import frame as wire
from mcp_inspector.wire import jsonscan
from mcp_inspector.wire.jsontext import JsonError

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcp_inspector.session.server import Server
    from mcp_inspector.store.log import Log
    from mcp_inspector.ui.desk import Desk

_TEXT = "composer.text"
_SEQ = Qt.ItemDataRole.UserRole
_CHECK_MS = 120


class ComposerView(QWidget):
    """Editor on the left, what went out and came back on the right."""

    def __init__(self, desk: Desk, log: Log, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk, self._log = desk, log
        self._server: Server | None = None
        self._number = 1
        self._passed: dict[str, Exchanged] = {}
        self._shown = 0
        self._on_sent: Callable[[int], object] | None = None
        self._disconnect: Callable[[], None] = lambda: None
        self.templates = QComboBox()
        self.templates.setAccessibleName("Template")
        self.templates.activated.connect(self._use_template)
        self.document = Document(desk.memory.get(_TEXT, ""))
        self.edit = JsonEdit()
        self.edit.setAccessibleName("Message")
        self.edit.set_document(self.document)
        self.edit.submitted.connect(self.send)
        self.strip = Strip()
        self.exactly = QCheckBox("Byte by byte")
        self.exactly.setToolTip("Send the text exactly as it is typed, line ends too; else JSON goes out on one line")
        self.target = ElidedLabel(tone="muted", size="small")
        self.send_button = QPushButton(icons.icon("send-horizontal", "on_accent"), "Send")
        theme.mark(self.send_button, kind="primary")
        self.send_button.setToolTip("Send it as it is (Ctrl+Enter)")
        self.send_button.clicked.connect(self.send)
        self.lines = QListWidget()
        self.lines.setAccessibleName("Sent and received")
        self.lines.setUniformItemSizes(True)
        self.lines.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.lines.currentItemChanged.connect(self._chosen)
        self.lines.itemActivated.connect(lambda item: desk.record_requested.emit(item.data(_SEQ)))
        self.tree = JsonTree()
        self._lay_out()
        self._pull = Pull(self.refresh, self)
        self._check = Pull(self.check, self, _CHECK_MS)
        self._listening = self.document.changed.connect(lambda _: self._typed())
        stop = log.changed.connect(self._pull.soon)
        self.destroyed.connect(lambda: stop())
        desk.server_chosen.connect(self._server_chosen)
        self._server_chosen()
        if not self.document.text:
            self._use_template()
        self.check()

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(8, 4, 8, 4)
        head.setSpacing(6)
        head.addWidget(self.templates)
        head.addWidget(self.target, 1)
        head.addWidget(self.exactly)
        head.addWidget(self.send_button)
        left = QWidget()
        theme.mark(left, surface="window")
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self.strip)
        column.addWidget(self.edit, 1)
        right = QSplitter(Qt.Orientation.Horizontal)
        right.setChildrenCollapsible(False)
        right.addWidget(self.lines)
        right.addWidget(self.tree)
        self._desk.memory.splitter("composer.right", right, [320, 320])
        splitter = QSplitter(Qt.Orientation.Horizontal)
        splitter.setChildrenCollapsible(False)
        splitter.addWidget(left)
        splitter.addWidget(right)
        self._desk.memory.splitter("composer.splitter", splitter, [560, 640])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(splitter)

    # --- what is shown ---

    def _server_chosen(self) -> None:
        self._disconnect()
        server = self._server = self._desk.server
        self._disconnect = server.changed.connect(self._pull.soon) if server is not None else lambda: None
        self._fill_templates()
        self.lines.clear()
        self._shown = 0
        self.refresh()

    def _fill_templates(self) -> None:
        names = methods(self._server.identity if self._server is not None else None)
        wanted = [*names, *OTHERS]
        shown = [text for at in range(self.templates.count()) if (text := self.templates.itemText(at))]
        if shown != wanted:
            chosen = self.templates.currentText() or wanted[0]
            self.templates.clear()
            self.templates.addItems(wanted)
            self.templates.setCurrentIndex(max(self.templates.findText(chosen), 0))
            self.templates.insertSeparator(len(names))

    def _use_template(self) -> None:
        identity = self._server.identity if self._server is not None else None
        self.document.set_text(template(self.templates.currentText(), identity, self._number))

    def _typed(self) -> None:
        self._desk.memory.put(_TEXT, self.document.text[:100_000])
        self._check.soon()

    def check(self) -> None:
        """Say what the message is; whatever it is, it can be sent."""
        frame = wire.read(self.document.text.encode(errors="surrogatepass"))
        if frame.faults:
            self.strip.say(f"This {plain.line(frame.faults[0])}", plain.lines("\n".join(frame.faults)), "warn")
        else:
            self.strip.hide()

    def refresh(self) -> None:
        """Look at the server and the log again."""
        server = self._server
        up = server is not None and server.status.up
        self.send_button.setEnabled(up)
        self.target.setText(
            "" if server is None else f"to {plain.line(server.name, 40)}{'' if up else f', {server.status.words()}'}"
        )
        if up and server is not None:
            self._fill_templates()
        passed = self._passed.get(server.name) if server is not None else None
        if passed is None:
            return
        if passed.update():
            self._pull.soon()
        lines = list(passed.lines)
        for line in lines[self._shown :] if self._shown < len(lines) else ():
            item = QListWidgetItem(f"{'→' if line.sent else '←'} {line.word}   {line.text}")
            item.setForeground(theme.colour(line.tone))
            item.setData(_SEQ, line.seq)
            self.lines.addItem(item)
            self.lines.setCurrentItem(item)
        self._shown = len(lines)

    def _chosen(self, item: QListWidgetItem | None) -> None:
        self.tree.set_json(self._log.body(item.data(_SEQ)) if item is not None else b"")

    def detach(self) -> None:
        """The window closes."""
        self._listening()
        self._check.stop()
        self._pull.stop()

    # --- what is done ---

    def open_message(self, raw: bytes, on_sent: Callable[[int], object]) -> None:
        """Have a message to edit; `on_sent` is told the record's number when it goes out for the first time."""
        self.document.set_text(self._laid_out(raw))
        self._on_sent = on_sent
        self.check()

    @staticmethod
    def _laid_out(raw: bytes) -> str:
        try:
            return jsonscan.pretty(raw.decode("utf-8", "surrogatepass"))
        except (JsonError, UnicodeDecodeError):
            return raw.decode("utf-8", "replace")

    def send(self) -> None:
        """Send what is typed."""
        server = self._server
        if server is None or not self.send_button.isEnabled():
            return
        raw = self.document.text.encode(errors="surrogatepass")
        if not self.exactly.isChecked() and self.document.valid:
            raw = self.document.wire_bytes()
        passed = self._passed.setdefault(server.name, Exchanged(self._log, server.name))
        before = len(self._log)

        def done(fault: object) -> None:
            seq = passed.sent(raw, before)
            on_sent, self._on_sent = self._on_sent, None
            if on_sent is not None and seq:
                on_sent(seq)
            if fault is not None:
                sentence = f"The message to {server.name} was not sent: {fault}"
                self._desk.notices.say(plain.line(sentence), level=Level.WARNING, key=f"composer:{server.name}")
            self._pull.soon()

        self._number += 1
        bridge.spawn(server.send_raw(raw), what=f"sending to {server.name}", on_done=done)
