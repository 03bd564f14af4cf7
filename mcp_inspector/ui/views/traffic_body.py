"""Shows the body of one record: laid out as text or as a tree, read in parts when it is large."""

from __future__ import annotations

from time import perf_counter_ns
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QStackedWidget, QVBoxLayout, QWidget

from mcp_inspector.ui import plain, theme
from mcp_inspector.ui.widgets.json_spans import pretty
from mcp_inspector.ui.widgets.json_tree import JsonTree
from mcp_inspector.ui.widgets.labels import EmptyState
from mcp_inspector.ui.widgets.text_view import TextView

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcp_inspector.store.log import Log

_SLICE_NS: Final = 4_000_000
_AT_ONCE: Final = 1 << 20
_PART: Final = 1 << 19
_LARGE: Final = 8 << 20


class BodyReader:
    """Reads a body in parts of half a megabyte, so that a large one never stops the window."""

    def __init__(self, log: Log, seq: int) -> None:
        self._log, self._seq = log, seq
        self.size = log.body_size(seq)
        self._parts: list[bytes] = []
        self.read = 0

    def step(self, limit_ns: int) -> bool:
        """Read on until the time is up; True when all is there."""
        deadline = perf_counter_ns() + limit_ns
        while self.read < self.size and perf_counter_ns() < deadline:
            part = self._log.body_part(self._seq, self.read, _PART)
            if not part:
                # A damaged file gives no more: what is there is shown.
                self.size = self.read
                break
            self._parts.append(part)
            self.read += len(part)
        return self.read >= self.size

    def data(self) -> bytes:
        """What has been read."""
        return b"".join(self._parts)


class BodyPane(QWidget):
    """One body, or a sentence in its place."""

    ready = Signal()
    """The body is shown as it shall be."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.text = TextView()
        self.tree = JsonTree()
        self._empty = EmptyState("clock", "")
        self._stack = QStackedWidget()
        for widget in (self.text, self.tree, self._empty):
            self._stack.addWidget(widget)
        self._band = QWidget()
        self._said = QLabel()
        theme.mark(self._said, role="muted")
        self._lay_out = QPushButton("Lay out")
        theme.mark(self._lay_out, kind="quiet")
        self._lay_out.clicked.connect(self._lay_out_anyway)
        band = QHBoxLayout(self._band)
        band.setContentsMargins(8, 2, 8, 2)
        band.addWidget(self._said, 1)
        band.addWidget(self._lay_out)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._band)
        layout.addWidget(self._stack, 1)
        self._as_tree = False
        self._key: tuple[int, int] | None = None
        self._body = b""
        self._reader: BodyReader | None = None
        self._pieces: Iterator[bytes] | None = None
        self._work = QTimer(self)
        self._work.setInterval(0)
        self._work.timeout.connect(self._go_on)
        self._band.hide()

    def show_sentence(self, sentence: str, detail: str = "", icon: str = "clock") -> None:
        """Show no body but why there is none."""
        self._stop()
        self._key = None
        self._empty.set(sentence, detail, icon=icon)
        self._stack.setCurrentWidget(self._empty)

    def show_body(self, log: Log, seq: int) -> None:
        """Show a record's body; the same one again changes nothing."""
        key = (id(log), seq)
        if key == self._key:
            return
        self._stop()
        self._key = key
        if not log.body_size(seq):
            self._empty.set("No bytes", icon="circle-dashed")
            self._stack.setCurrentWidget(self._empty)
            return
        self._reader = BodyReader(log, seq)
        if self._reader.size > _AT_ONCE:
            self.text.set_bytes(b"")
            self._stack.setCurrentWidget(self.text)
        self._go_on()
        if self._reader is not None or self._pieces is not None:
            self._work.start()

    def set_tree(self, on: bool) -> None:
        """Show JSON as a tree, or as text."""
        self._as_tree = on
        if self._key is not None and self._reader is None:
            self._show()

    @property
    def busy(self) -> bool:
        """Whether it is still being read or laid out."""
        return self._reader is not None or self._pieces is not None

    def body(self) -> bytes:
        """The bytes that are shown, as they are."""
        return self._body

    def _stop(self) -> None:
        self._work.stop()
        self._reader = self._pieces = None
        self._body = b""
        self._band.hide()

    def _go_on(self) -> None:
        if self._reader is not None:
            if not self._reader.step(_SLICE_NS):
                self._say(f"Reading: {plain.size(self._reader.read)} of {plain.size(self._reader.size)}")
                return
            self._body, self._reader = self._reader.data(), None
            self._band.hide()
            self._show()
        elif self._pieces is not None:
            self._lay_out_some()
        if not self.busy:
            self._work.stop()
            self.ready.emit()

    def _show(self) -> None:
        self._pieces = None
        if self._as_tree and self.tree.set_json(self._body):
            self._band.hide()
            self._stack.setCurrentWidget(self.tree)
            return
        self._stack.setCurrentWidget(self.text)
        if self._body.lstrip()[:1] not in (b"{", b"["):
            self._band.hide()
            self.text.set_bytes(self._body)
        elif len(self._body) > _LARGE:
            self.text.set_bytes(self._body, "json")
            self._say(f"{plain.size(len(self._body))}: shown as it came.", offer=True)
        else:
            self._start_layout()

    def _start_layout(self) -> None:
        self._pieces = pretty(self._body)
        self.text.set_bytes(next(self._pieces, b""), "json", fold=True)
        self._lay_out_some()
        if self._pieces is not None:
            self._work.start()

    def _lay_out_anyway(self) -> None:
        self._band.hide()
        self._start_layout()

    def _lay_out_some(self) -> None:
        deadline = perf_counter_ns() + _SLICE_NS
        pieces: list[bytes] = []
        while self._pieces is not None and perf_counter_ns() < deadline:
            piece = next(self._pieces, None)
            if piece is None:
                self._pieces = None
            else:
                pieces.append(piece)
        if pieces:
            self.text.append(b"".join(pieces))

    def _say(self, sentence: str, *, offer: bool = False) -> None:
        self._said.setText(sentence)
        self._lay_out.setVisible(offer)
        self._band.show()
