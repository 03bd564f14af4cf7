"""A prompt's messages as a conversation: who says it, and what; nothing is interpreted."""

from __future__ import annotations

from functools import partial

import msgspec
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QMenu,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from mcp_inspector.ui import icons, plain, theme
from mcp_inspector.ui.models.content import Block, Message, Result, Sort
from mcp_inspector.ui.widgets.image_view import ImageView
from mcp_inspector.ui.widgets.labels import Pill
from mcp_inspector.ui.widgets.rows import ValueLabel

_SHOWN = 20_000
_MESSAGES = 100
_IMAGE_HEIGHT = 220
_SHAPES = (("As JSON", "json"), ("As OpenAI messages", "openai"), ("As Anthropic messages", "anthropic"))
_TONES = {"user": "accent", "assistant": "key"}


class Conversation(QWidget):
    """Messages below one another, with a button that copies them all, in the shape that is wanted."""

    send_wanted = Signal(str)
    """The messages as text, for another action."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._result = Result()
        self._raw = b""
        self._copy = QPushButton(icons.icon("copy"), "Copy")
        self._copy.setToolTip("Copy all messages as text")
        self._copy.setAccessibleName("Copy messages")
        self._copy.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._copy.clicked.connect(self.copy)
        self.ways = QToolButton()
        self.ways.setIcon(icons.icon("chevron-down"))
        self.ways.setAutoRaise(True)
        self.ways.setToolTip("Copy in another shape, or send into another action")
        self.ways.setAccessibleName("Copy in another shape, or send into another action")
        self.ways.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.ways.setStyleSheet("QToolButton::menu-indicator { image: none; }")
        menu = QMenu(self)
        menu.addAction("As text", self.copy)
        for words, shape in (
            ("As JSON", "json"),
            ("As OpenAI messages", "openai"),
            ("As Anthropic messages", "anthropic"),
        ):
            menu.addAction(words).triggered.connect(partial(self.copy_as, shape))
        menu.addSeparator()
        menu.addAction("Send into another action…", lambda: self.send_wanted.emit(as_text(self._result.messages)))
        self.ways.setMenu(menu)
        self.ways.hide()
        self._description = QLabel()
        self._description.setTextFormat(Qt.TextFormat.PlainText)
        self._description.setWordWrap(True)
        theme.mark(self._description, role="muted")
        head = QHBoxLayout()
        head.setContentsMargins(12, 8, 8, 4)
        head.addWidget(self._description, 1)
        head.addWidget(self._copy, 0, Qt.AlignmentFlag.AlignTop)
        head.addWidget(self.ways, 0, Qt.AlignmentFlag.AlignTop)
        self._area = QScrollArea()
        self._area.setWidgetResizable(True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(head)
        layout.addWidget(self._area, 1)
        theme.mark(self, surface="base")

    def show_result(self, result: Result, lead: QWidget | None = None, raw: bytes = b"") -> None:
        """Show the messages of a result of prompts/get, or of a sampling request, after what leads to them.

        With `raw`, its JSON text, they can be copied in other shapes.
        """
        self._result, self._raw = result, raw
        self.ways.setVisible(bool(raw))
        count = plain.count(len(result.messages), "message")
        self._description.setText(plain.lines(result.description[:1_000]) or count)
        body = QWidget()
        theme.mark(body, surface="base")
        layout = QVBoxLayout(body)
        layout.setContentsMargins(12, 4, 12, 12)
        layout.setSpacing(10)
        if lead is not None:
            layout.addWidget(lead)
        for message in result.messages[:_MESSAGES]:
            layout.addWidget(bubble(message))
        if len(result.messages) > _MESSAGES:
            layout.addWidget(_note(f"{len(result.messages) - _MESSAGES} more messages; all of them stand under Tree."))
        if not result.messages:
            layout.addWidget(_note("There are no messages; what came stands under Tree."))
        layout.addStretch(1)
        self._area.setWidget(body)

    def copy(self) -> None:
        """All messages as text; a single one without its role, ready to be pasted."""
        QGuiApplication.clipboard().setText(as_text(self._result.messages))

    def copy_as(self, shape: str, *_: object) -> None:
        """All messages as JSON, or in the shape of a chat interface."""
        from mcp_inspector.actions import messages

        try:
            found = msgspec.json.decode(self._raw).get("messages")
        except (msgspec.MsgspecError, RecursionError, AttributeError):
            return
        given = found if isinstance(found, list) else []
        shaped = {"openai": messages.openai, "anthropic": messages.anthropic}.get(shape, lambda one: one)(given)
        QGuiApplication.clipboard().setText(messages.as_json(shaped))


def as_text(messages: tuple[Message, ...]) -> str:
    """Messages as plain text: what is no text is named."""
    parts = []
    for message in messages:
        said = "\n\n".join(_said(block) for block in message.blocks)
        parts.append(said if len(messages) == 1 else f"{message.role}:\n{said}")
    return "\n\n".join(parts)


def _said(block: Block) -> str:
    if block.sort is Sort.TEXT:
        return block.text
    return block.text if block.sort in (Sort.LINK, Sort.OTHER) else f"[{block.label}]"


def bubble(message: Message) -> QWidget:
    """One message: who says it, what is odd about it, and its blocks."""
    frame = QWidget()
    theme.mark(frame, surface="window")
    layout = QVBoxLayout(frame)
    layout.setContentsMargins(10, 8, 10, 10)
    layout.setSpacing(6)
    head = QHBoxLayout()
    role = plain.line(message.role, 40) or "no role"
    head.addWidget(Pill(role, _TONES.get(message.role, "warn")))
    head.addStretch(1)
    layout.addLayout(head)
    for flag in (*message.flags, *(flag for block in message.blocks for flag in block.flags)):
        layout.addWidget(_note(flag, "warn"))
    for block in message.blocks:
        layout.addWidget(_block(block))
    return frame


def _block(block: Block) -> QWidget:
    if block.sort is Sort.IMAGE and block.has_bytes:
        image = ImageView()
        image.set_bytes(block.data)
        image.setFixedHeight(_IMAGE_HEIGHT)
        return image
    if block.has_bytes:
        return _note(f"{block.label}; its bytes stand under Tree.")
    if block.sort is not Sort.TEXT or block.uri:
        box = QWidget()
        inner = QVBoxLayout(box)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.addWidget(_note(block.label))
        inner.addWidget(ValueLabel(block.text[:_SHOWN], mono=True))
        return box
    if len(block.text) > _SHOWN:
        return ValueLabel(
            block.text[:_SHOWN] + f"\n… {len(block.text) - _SHOWN:,} more characters; all stand under Tree."
        )
    return ValueLabel(block.text)


def _note(text: str, role: str = "muted") -> QLabel:
    label = QLabel(plain.line(text))
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    theme.mark(label, role=role)
    return label
