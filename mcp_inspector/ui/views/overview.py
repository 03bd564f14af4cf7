"""The Overview: who the chosen server is, what it can do, what it says how to use it; or why it is not there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QScrollArea, QStackedWidget, QVBoxLayout, QWidget

from mcp_inspector.session.status import State
from mcp_inspector.ui import icons, plain, theme
from mcp_inspector.ui.bridge import Pull
from mcp_inspector.ui.models import failure, overview
from mcp_inspector.ui.models.servers import tone
from mcp_inspector.ui.views.failure_card import FailureCard
from mcp_inspector.ui.widgets.labels import EmptyState, Pill
from mcp_inspector.ui.widgets.rows import KeyValueRows, ValueLabel

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcp_inspector.session.server import Server
    from mcp_inspector.ui.desk import Desk

_WIDEST = 980
TROUBLE = (State.FAILED, State.EXITED, State.NEEDS_SIGN_IN, State.SESSION_EXPIRED)


class Overview(QStackedWidget):
    """Shows one server. `wanted` is a command for it."""

    wanted = Signal(str)

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self._server: Server | None = None
        self._disconnect: list[Callable[[], None]] = []
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
        for disconnect in self._disconnect:
            disconnect()
        self._server = server
        self._disconnect = []
        if server is not None:
            self._disconnect = [
                server.changed.connect(self._pull.soon),
                server.catalogue.changed.connect(self._pull.soon),
            ]
        self.refresh()

    def refresh(self) -> None:
        """Look at the server again."""
        server = self._server
        if server is None:
            self.setCurrentWidget(self._nothing)
        elif server.status.state in TROUBLE:
            self.card.show_failure(failure.read(server, self._desk.records_of(server, 400)))
            self.setCurrentWidget(self.card)
        else:
            self._facts.show_server(server)
            self.setCurrentWidget(self._facts)


class _Facts(QScrollArea):
    """Groups of facts below one another."""

    wanted = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        body = QWidget()
        theme.mark(body, surface="base")
        outer = QHBoxLayout(body)
        outer.setContentsMargins(20, 16, 20, 16)
        column = QWidget()
        column.setMaximumWidth(_WIDEST)
        outer.addWidget(column, 1)
        outer.addStretch(0)
        self._layout = QVBoxLayout(column)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(4)
        self._title = QLabel()
        self._title.setTextFormat(Qt.TextFormat.PlainText)
        self._title.setWordWrap(True)
        theme.mark(self._title, role="title")
        self._state = Pill()
        head = QHBoxLayout()
        head.setSpacing(10)
        head.addWidget(self._title)
        head.addWidget(self._state)
        head.addStretch(1)
        for text, command, icon in (("Edit…", "edit", "pencil"), ("Show traffic", "traffic", "arrow-left-right")):
            button = QPushButton(icons.icon(icon), text)
            button.clicked.connect(lambda _=False, command=command: self.wanted.emit(command))
            head.addWidget(button)
        self._layout.addLayout(head)
        self._groups: dict[str, tuple[QLabel, KeyValueRows]] = {}
        self._said = QLabel("Instructions for models")
        theme.mark(self._said, role="head")
        self._instructions = ValueLabel()
        self._texts = QVBoxLayout()
        self._layout.addLayout(self._texts)
        self._layout.addWidget(self._said)
        self._layout.addWidget(self._instructions)
        self._layout.addStretch(1)
        self.setWidget(body)

    def show_server(self, server: Server) -> None:
        info = server.identity.server_info if server.identity is not None else {}
        title = info.get("title") or info.get("name") or server.name
        self._title.setText(plain.line(title if isinstance(title, str) else server.name, 200))
        state = server.status.state
        self._state.set(server.status.words(), tone(state))
        shown = overview.groups(server)
        for title_text, (head, rows) in self._groups.items():
            visible = any(group.title == title_text for group in shown)
            head.setVisible(visible)
            rows.setVisible(visible)
        for group in shown:
            if group.title not in self._groups:
                self._groups[group.title] = self._add_group(group.title)
            self._groups[group.title][1].set_facts(group.facts)
        text = overview.instructions(server)
        self._said.setVisible(bool(text))
        self._instructions.setVisible(bool(text))
        if text != self._instructions.text():
            index = self._layout.indexOf(self._instructions)
            self._instructions.deleteLater()
            self._instructions = ValueLabel(text)
            self._layout.insertWidget(index, self._instructions)
            self._instructions.setVisible(bool(text))

    def _add_group(self, title: str) -> tuple[QLabel, KeyValueRows]:
        head = QLabel(title)
        theme.mark(head, role="head")
        rows = KeyValueRows()
        self._texts.addSpacing(8)
        self._texts.addWidget(head)
        self._texts.addWidget(rows)
        return head, rows
