"""Shows the body of one record: laid out as text or as a tree, read in parts when it is large."""

from __future__ import annotations

from time import perf_counter_ns
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QStackedWidget, QVBoxLayout, QWidget

from mcp_inspector.store.redact import redact_text
from mcp_inspector.ui import plain, theme
from mcp_inspector.ui.models.traffic_copy import Masks
from mcp_inspector.ui.widgets.image_view import ImageView
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
_MASKED_MOST: Final = 100_000
_MASKED_PIECE: Final = 1 << 12
"""Looking for secrets costs half a microsecond a byte: pieces of two milliseconds."""


def _mask(name: str, shown: str) -> str:
    """A value of the tree without the secret it is: what tells it is often its name."""
    prefix = f"{name}: "
    return redact_text(prefix + shown).text.removeprefix(prefix)


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
        self._masked = True
        self.tree.set_mask(_mask)
        self.preview = ImageView()
        self.preview.setAccessibleName("Preview of the chosen value")
        self.preview.hide()
        self._picture = QTimer(self)  # choosing by key goes through many values: only where it stops
        self._picture.setSingleShot(True)
        self._picture.setInterval(80)
        self._picture.timeout.connect(self._show_preview)
        self.tree.selectionModel().currentChanged.connect(lambda *_: self._picture.start())
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
        layout.addWidget(self._stack, 3)
        layout.addWidget(self.preview, 2)
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

    def set_masked(self, on: bool) -> None:
        """Cover secrets, or show them."""
        if on == self._masked:
            return
        self._masked = on
        self.tree.set_mask(_mask if on else None)
        if self._key is not None and self._reader is None and not self._as_tree:
            self._show()

    def _show_preview(self) -> None:
        data = self.tree.media() if self._stack.currentWidget() is self.tree else b""
        self.preview.setVisible(False)
        if data:
            self.preview.set_bytes(data)
            self.preview.setVisible(not self.preview.problem)

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
        self.preview.hide()

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
            self._say(f"{plain.size(len(self._body))}: shown as it came, nothing is masked.", offer=True)
        else:
            self._start_layout()

    def _start_layout(self) -> None:
        self._pieces = pretty(self._body, piece=_MASKED_PIECE) if self._masked else pretty(self._body)
        self.text.set_bytes(self._covered(next(self._pieces, b"")), "json", fold=True)
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
                pieces.append(self._covered(piece))
        if pieces:
            self.text.append(b"".join(pieces))

    def _covered(self, piece: bytes) -> bytes:
        """A piece of the laid out text, which never ends within a value, without its secrets.

        A single value of more than 100 KB is left as it is: looking through it would stop the window.
        """
        if not self._masked or not piece or len(piece) > _MASKED_MOST:
            return piece
        text = piece.decode("utf-8", "surrogateescape")
        done = Masks().json(text)
        return piece if done is text or done == text else done.encode("utf-8", "surrogateescape")

    def _say(self, sentence: str, *, offer: bool = False) -> None:
        self._said.setText(sentence)
        self._lay_out.setVisible(offer)
        self._band.show()
