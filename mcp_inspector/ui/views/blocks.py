"""The blocks of a result, one at a time: text, Markdown, image, bytes; with what is odd about it, copy and save."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QComboBox, QFileDialog, QHBoxLayout, QStackedWidget, QToolButton, QVBoxLayout, QWidget
from shiboken6 import isValid

from mcp_inspector.ui import bridge, icons, plain, theme
from mcp_inspector.ui.models.content import Block, Sort, file_name
from mcp_inspector.ui.views import markdown
from mcp_inspector.ui.views.strip import Strip
from mcp_inspector.ui.widgets.hex_view import HexView
from mcp_inspector.ui.widgets.image_view import ImageView
from mcp_inspector.ui.widgets.labels import ElidedLabel, EmptyState
from mcp_inspector.ui.widgets.text_view import TextView

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from mcp_inspector.ui.desk import Desk
    from mcp_inspector.ui.views.markdown import Markdown


_LARGE = 1 << 18
"""Bytes of a block from which on it is decoded beside the window."""


class BlockView(QWidget):
    """Shows blocks. `link_wanted` gives the URI of a resource link to read."""

    link_wanted = Signal(str)

    def __init__(self, desk: Desk, parent: QWidget | None = None, *, as_bytes: bool = False) -> None:
        super().__init__(parent)
        self._desk = desk
        self._as_bytes = as_bytes
        self._blocks: Sequence[Block] = ()
        self._chooser = QComboBox()
        self._chooser.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self._chooser.setMinimumContentsLength(14)
        self._chooser.currentIndexChanged.connect(lambda _: self._show())
        self._facts = ElidedLabel(tone="muted", size="small")
        self._flags = Strip()
        self._laid_out = self._tool("eye", "Markdown laid out, or as it is written")
        self._laid_out.setCheckable(True)
        self._laid_out.setChecked(desk.memory.get("markdown", default=True))
        self._laid_out.toggled.connect(self._toggle)
        self._follow = self._tool("external-link", "Read this resource")
        self._follow.clicked.connect(lambda: self.link_wanted.emit(self.block.uri if self.block else ""))
        self._copy = self._tool("copy", "Copy the text")
        self._copy.clicked.connect(self.copy)
        self._save = self._tool("download", "Save as a file…")
        self._save.clicked.connect(self.save)
        self._stack = QStackedWidget()
        self._text = TextView()
        self._waiting = EmptyState("loader", "")
        self._decoding: set[Block] = set()
        self._stack.addWidget(self._text)
        self._stack.addWidget(self._waiting)
        self._hex: HexView | None = None
        self._image: ImageView | None = None
        self._markdown: Markdown | None = None
        self._lay_out()

    def _tool(self, icon: str, tip: str) -> QToolButton:
        button = QToolButton()
        button.setIcon(icons.icon(icon, "muted"))
        button.setToolTip(tip)
        button.setAccessibleName(tip)
        return button

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(8, 4, 6, 4)
        head.setSpacing(4)
        head.addWidget(self._chooser)
        head.addWidget(self._facts, 1)
        for button in (self._laid_out, self._follow, self._copy, self._save):
            head.addWidget(button)
        band = QWidget()
        theme.mark(band, surface="window")
        band.setLayout(head)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(band)
        layout.addWidget(self._flags)
        layout.addWidget(self._stack, 1)

    @property
    def block(self) -> Block | None:
        """The block that is shown."""
        at = self._chooser.currentIndex()
        return self._blocks[at] if 0 <= at < len(self._blocks) else None

    def show_blocks(self, blocks: Sequence[Block], *, keep: bool = False) -> None:
        """Show other blocks, the first of them; `keep`: newer versions of those that are shown, in the same place."""
        at = self._chooser.currentIndex() if keep else 0
        self._blocks = blocks
        blocked = self._chooser.blockSignals(True)
        self._chooser.clear()
        for number, block in enumerate(blocks[:2_000], 1):
            self._chooser.addItem(f"{number}  {block.label}" if len(blocks) > 1 else block.label)
        self._chooser.setCurrentIndex(min(max(at, 0), self._chooser.count() - 1))
        self._chooser.blockSignals(blocked)
        self._chooser.setVisible(len(blocks) > 1)
        self._show(keep=keep)

    def _show(self, *, keep: bool = False) -> None:
        block = self.block
        if block is None:
            self._text.set_bytes(b"")
            self._facts.setText("")
            self._flags.hide()
            return
        facts = [block.uri, block.mime, plain.size(block.size)]
        self._facts.setText(" · ".join(plain.line(fact) for fact in facts if fact))
        if block.flags:
            self._flags.say("; ".join(block.flags), "", "warn")
        else:
            self._flags.hide()
        is_markdown = not self._as_bytes and markdown.suits(block.text, block.mime)
        self._laid_out.setVisible(is_markdown)
        self._follow.setVisible(block.sort is Sort.LINK and bool(block.uri))
        if block.has_bytes and block.size > _LARGE and not block.is_decoded:
            self._decode(block, keep=keep)
        elif self._as_bytes:
            self._show_bytes(block, keep=keep)
        elif block.sort is Sort.IMAGE:
            self._show_image(block)
        elif is_markdown and self._laid_out.isChecked():
            self._show_markdown(block)
        elif block.has_bytes and block.sort is not Sort.TEXT:
            self._show_bytes(block, keep=keep)
        else:
            colouring = "json" if "json" in block.mime or block.text[:1] in "{[" else ""
            keep = keep and self._stack.currentWidget() is self._text
            self._text.set_text(block.text, colouring, keep=keep)  # type: ignore[arg-type]  # the two literals it takes
            self._stack.setCurrentWidget(self._text)

    def _decode(self, block: Block, *, keep: bool) -> None:
        """Decode it beside the window, then show it, if it is still the one that is wanted."""
        if not keep:
            self._waiting.set(f"Decoding {plain.size(block.size)}…", icon="loader")
            self._stack.setCurrentWidget(self._waiting)
        if block in self._decoding:
            return
        self._decoding.add(block)

        def done(_: bytes) -> None:
            self._decoding.discard(block)
            if isValid(self) and self.block is block:
                self._show(keep=keep)

        bridge.spawn(bridge.aside(lambda: block.data), what="decoding base64", on_done=done)

    def _show_bytes(self, block: Block, *, keep: bool) -> None:
        if self._hex is None:
            self._hex = HexView()
            self._stack.addWidget(self._hex)
        self._hex.set_bytes(block.data, keep=keep and self._stack.currentWidget() is self._hex)
        self._stack.setCurrentWidget(self._hex)

    def _show_image(self, block: Block) -> None:
        if self._image is None:
            self._image = ImageView()
            self._stack.addWidget(self._image)
        self._image.set_bytes(block.data)
        if self._image.facts:
            self._facts.setText(f"{self._image.facts} · {self._facts.text()}")
        self._stack.setCurrentWidget(self._image)

    def _show_markdown(self, block: Block) -> None:
        if self._markdown is None:
            self._markdown = markdown.Markdown()
            self._stack.addWidget(self._markdown)
        self._markdown.set_text(block.text)
        self._stack.setCurrentWidget(self._markdown)

    def _toggle(self, on: bool) -> None:
        self._desk.memory.put("markdown", on)
        self._show()

    def copy(self) -> None:
        """The text, or the base64 of bytes, to the clipboard."""
        if self.block is not None:
            QGuiApplication.clipboard().setText(self.block.encoded or self.block.text)

    def save(self) -> None:
        """Ask where to, with a safe name; an existing file is asked about by the dialog."""
        block = self.block
        if block is None:
            return
        dialog = QFileDialog(self, "Save as")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        folder = self._desk.memory.get("folder", "")
        if folder:
            dialog.setDirectory(folder)
        dialog.selectFile(file_name(block))
        dialog.fileSelected.connect(lambda path: self._write(block, path))
        dialog.open()

    def _write(self, block: Block, path: str) -> None:
        from pathlib import Path

        target = Path(path)
        self._desk.memory.put("folder", str(target.parent))

        def done(problem: str) -> None:
            words = problem or f"Saved {plain.size(len(block.data))} in {target}."
            self._desk.notices.say(words, key="" if problem else "saved")

        bridge.spawn(bridge.aside(lambda: write(target, block.data)), what=f"saving {target}", on_done=done)


def write(path: Path, data: bytes) -> str:
    """Write a file; returns why not, as a sentence, or nothing."""
    try:
        path.write_bytes(data)
    except OSError as error:
        return f"{path} was not saved: {error.strerror or error}."
    return ""
