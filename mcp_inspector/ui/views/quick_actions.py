"""The Quick actions dock: the prompts of connected servers as buttons. A click runs one, or asks for its arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from mcp_inspector.session.catalogue import What
from mcp_inspector.ui import icons, plain, theme
from mcp_inspector.ui.models.items import Row, read_rows
from mcp_inspector.ui.widgets.labels import ElidedLabel, EmptyState
from mcp_inspector.ui.widgets.visible import tooltip

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from mcp_inspector.session.catalogue import Item
    from mcp_inspector.session.server import Server
    from mcp_inspector.ui.desk import Desk

_MOST = 60


class QuickActions(QScrollArea):
    """Buttons, grouped by server when there are several. `picked` gives server, prompt, and whether to run at once."""

    picked = Signal(str, str, bool)

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self._shown: list[tuple[str, tuple[Item, ...]]] | None = None
        self.setObjectName("quick-actions")
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._buttons: list[QuickButton] = []
        desk.servers.refreshed.connect(self.refresh)
        self.refresh()

    @property
    def buttons(self) -> list[QuickButton]:
        """The buttons that are shown."""
        return list(self._buttons)

    def refresh(self) -> None:
        """Show the prompts of the servers that are connected now."""
        wanted = [
            (server.name, server.catalogue[What.PROMPTS].items)
            for server in self._desk.servers.servers
            if server.status.up and server.catalogue[What.PROMPTS].items
        ]
        if wanted == self._shown:
            return
        self._shown = wanted
        self._buttons = []
        if not wanted:
            empty = EmptyState(
                "message-square-text", "Prompts become buttons here", "once a server that has any is connected"
            )
            self.setWidget(empty)
            return
        body = QWidget()
        theme.mark(body, surface="base")
        layout = QVBoxLayout(body)
        layout.setContentsMargins(8, 8, 8, 8)
        layout.setSpacing(5)
        for name, items in wanted:
            if len(wanted) > 1:
                layout.addWidget(ElidedLabel(plain.line(name), "muted", "small"))
            for row in read_rows(items[:_MOST]):
                button = QuickButton(name, row)
                button.clicked.connect(lambda _=False, button=button: self._pick(button))
                self._buttons.append(button)
                layout.addWidget(button)
        layout.addStretch(1)
        self.setWidget(body)

    def _pick(self, button: QuickButton) -> None:
        self.picked.emit(button.server, button.row.key, not button.asks)

    def server(self, name: str) -> Server | None:
        """A server by name."""
        return next((one for one in self._desk.servers.servers if one.name == name), None)


class QuickButton(QPushButton):
    """One prompt. It says by an ellipsis that it asks first."""

    def __init__(self, server: str, row: Row) -> None:
        super().__init__()
        self.server, self.row = server, row
        arguments = row.item.value.get("arguments")
        self.asks = isinstance(arguments, list) and bool(arguments)
        self._words = (row.title or row.shown) + ("…" if self.asks else "")
        self.setIcon(icons.icon("message-square-text", "accent"))
        self.setStyleSheet("text-align: left; padding: 4px 8px;")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setMinimumWidth(40)
        self.setAccessibleName(f"{self._words} on {server}")
        lines = [row.key, row.item.description]
        lines.append("It asks for its arguments first." if self.asks else "A click gets it at once.")
        self.setToolTip(tooltip("\n".join(line for line in lines if line)))
        self._fit()

    def _fit(self) -> None:
        room = self.width() - 44
        shown = self.fontMetrics().elidedText(self._words, Qt.TextElideMode.ElideRight, max(room, 20))
        self.setText(plain.escape_mnemonic(shown))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Cut the words to what fits."""
        super().resizeEvent(event)
        self._fit()
