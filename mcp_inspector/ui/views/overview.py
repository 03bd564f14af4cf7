"""The Overview: who the chosen server is, what it can do, what it says how to use it; or why it is not there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QBoxLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from mcp_inspector.ui import icons, plain, theme
from mcp_inspector.ui.bridge import Pull
from mcp_inspector.ui.listening import Listening
from mcp_inspector.ui.models import failure, overview
from mcp_inspector.ui.models.servers import TROUBLE, tone
from mcp_inspector.ui.views.failure_card import FailureCard
from mcp_inspector.ui.widgets.labels import ElidedLabel, EmptyState, Pill
from mcp_inspector.ui.widgets.rows import Fact, KeyValueRows

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from mcp_inspector.session.server import Server
    from mcp_inspector.ui.desk import Desk

_TWO_COLUMNS = 760
_ONE_LINE = 880
_WORDS = 640
_SAID = "Instructions for models"
_COLUMNS = (("Server", "Connection", "Capabilities", "Extensions"), ("Lists", "Configuration", _SAID))


class Overview(QStackedWidget):
    """Shows one server. `wanted` is a command for it."""

    wanted = Signal(str)

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self._server: Server | None = None
        self._listening = Listening()
        self._pull = Pull(self.refresh, self)
        self._nothing = EmptyState("server", "No server yet", "Add one by command, URL or configuration.", "Add server")
        self._nothing.activated.connect(lambda: self.wanted.emit("add"))
        self.card = FailureCard()
        self.card.wanted.connect(self.wanted)
        self._facts = _Facts()
        self._facts.wanted.connect(self.wanted)
        for page in (self._nothing, self.card, self._facts):
            self.addWidget(page)

    def show_server(self, server: Server | None) -> None:
        """Show another server."""
        self._listening.stop()
        self._server = server
        if server is not None:
            self._listening.to(
                server.changed.connect(self._pull.soon),
                server.catalogue.changed.connect(self._pull.soon),
            )
        self.refresh()

    def refresh(self) -> None:
        """Look at the server again."""
        server = self._server
        if server is None:
            self.setCurrentWidget(self._nothing)
        elif server.status.state in TROUBLE:
            self.card.show_failure(failure.read(server, self._desk.records_of(server, failure.LINES)))
            self.setCurrentWidget(self.card)
        else:
            self._facts.show_server(server)
            self.setCurrentWidget(self._facts)


class _Facts(QScrollArea):
    """Groups of facts in two columns, or in one where it is narrow."""

    wanted = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        body = QWidget()
        theme.mark(body, surface="base")
        layout = QVBoxLayout(body)
        layout.setContentsMargins(20, 16, 20, 16)
        layout.setSpacing(12)
        self._title = ElidedLabel(size="title", bold=True)
        self._state = Pill()
        self._head = head = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        head.setSpacing(10)
        name = QHBoxLayout()
        name.setSpacing(10)
        name.addWidget(self._title)
        name.addWidget(self._state)
        name.addStretch(1)
        head.addLayout(name, 1)
        self._buttons: list[QPushButton] = []
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        head.addLayout(buttons)
        for text, command, icon in (
            ("Edit…", "edit", "pencil"),
            ("Roots…", "roots", "folder-open"),
            ("Pages…", "pages", "list"),
            ("Client…", "said", "settings"),
            ("Changes…", "changes", "history"),
            ("Traffic", "traffic", "arrow-left-right"),
        ):
            button = QPushButton(icons.icon(icon), text)
            button.setAccessibleName(text)
            button.setToolTip(text)
            self._buttons.append(button)
            button.clicked.connect(lambda _=False, command=command: self.wanted.emit(command))
            buttons.addWidget(button)
        buttons.addStretch(1)
        layout.addLayout(head)
        self._groups: dict[str, _Group] = {}
        self._columns = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._columns.setSpacing(28)
        for titles in _COLUMNS:
            column = QVBoxLayout()
            column.setSpacing(14)
            for title in titles:
                self._groups[title] = group = _Group(title)
                column.addWidget(group)
            column.addStretch(1)
            self._columns.addLayout(column, 1)
        compose = self._groups["Extensions"].button
        compose.setText("Any request…")
        compose.setIcon(icons.icon("send-horizontal"))
        compose.setToolTip("Send the methods of an extension that this program does not know (Ctrl+Shift+M)")
        compose.clicked.connect(lambda: self.wanted.emit("compose"))
        layout.addLayout(self._columns)
        layout.addStretch(1)
        self.setWidget(body)

    def show_server(self, server: Server) -> None:
        info = server.identity.server_info if server.identity is not None else {}
        title = info.get("title") or info.get("name") or server.name
        self._title.setText(plain.line(title if isinstance(title, str) else server.name, 300))
        state = server.status.state
        self._state.set(server.status.words(), tone(state))
        self._groups["Extensions"].button.setVisible(bool(overview.unknown_extensions(server)))
        shown = {group.title: group.facts for group in overview.groups(server)}
        shown[_SAID] = (Fact("", overview.instructions(server)),)
        for title, group in self._groups.items():
            facts = shown.get(title, ())
            group.setVisible(any(fact.value for fact in facts))
            group.rows.set_facts(facts)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._head.setDirection(
            QBoxLayout.Direction.LeftToRight
            if self.viewport().width() >= _ONE_LINE
            else QBoxLayout.Direction.TopToBottom
        )
        for button in self._buttons:
            button.setText(button.accessibleName() if self.viewport().width() >= _WORDS else "")
        across = self.viewport().width() >= _TWO_COLUMNS
        self._columns.setDirection(QBoxLayout.Direction.LeftToRight if across else QBoxLayout.Direction.TopToBottom)


class _Group(QWidget):
    """A title and its facts."""

    def __init__(self, title: str) -> None:
        super().__init__()
        head = QLabel(title)
        theme.mark(head, role="head")
        self.rows = KeyValueRows()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(head)
        layout.addWidget(self.rows)
        self.button = QPushButton()
        self.button.hide()
        layout.addWidget(self.button, 0, Qt.AlignmentFlag.AlignLeft)
