"""The questions as rows: those that wait first, oldest on top; then those that have ended, newest on top."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from mcp_inspector.session.inbox import Ask, AskState
from mcp_inspector.ui.bridge import Pull
from mcp_inspector.ui.models import asks

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcp_inspector.session.inbox import Inbox

ASK = Qt.ItemDataRole.UserRole
"""The `Ask` of an index."""

Index = QModelIndex | QPersistentModelIndex


class InboxModel(QAbstractListModel):
    """The inbox of all servers. `refreshed` tells after anything has changed, at most every 30 ms."""

    refreshed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._inbox: Inbox | None = None
        self._asks: list[Ask] = []
        self._disconnect: Callable[[], None] = lambda: None
        self._pull = Pull(self.refresh, self)

    def attach(self, inbox: Inbox) -> None:
        """Show this inbox from now on."""
        self._inbox = inbox
        self._disconnect = inbox.changed.connect(self._pull.soon)
        self.refresh()

    def detach(self) -> None:
        """Stop listening: the window closes."""
        self._disconnect()

    @property
    def waiting(self) -> int:
        """How many wait for a person."""
        return sum(ask.state is AskState.WAITING for ask in self._asks)

    def refresh(self) -> None:
        """Look at the inbox again."""
        asks_now = list(self._inbox.asks) if self._inbox is not None else []
        waiting = [ask for ask in asks_now if ask.state is AskState.WAITING]
        ended = [ask for ask in asks_now if ask.state is not AskState.WAITING]
        ended.sort(key=lambda ask: ask.ended_ns, reverse=True)
        rows = [*waiting, *ended]
        if rows != self._asks:
            self.beginResetModel()
            self._asks = rows
            self.endResetModel()
        elif rows:
            self.dataChanged.emit(self.index(0), self.index(len(rows) - 1))
        self.refreshed.emit()

    def tick(self) -> None:
        """Time has passed: ages are other ones."""
        if self.waiting:
            self.dataChanged.emit(self.index(0), self.index(self.waiting - 1))

    def find(self, ask: Ask | None) -> QModelIndex:
        """Where a question is; invalid when it is not there."""
        return self.index(self._asks.index(ask)) if ask in self._asks else QModelIndex()

    def ask(self, index: Index) -> Ask | None:
        """The question at an index."""
        return self._asks[index.row()] if index.isValid() and index.row() < len(self._asks) else None

    def rowCount(self, parent: Index | None = None) -> int:
        """How many there are."""
        return 0 if parent is not None and parent.isValid() else len(self._asks)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """The question; what it says, for screen readers."""
        ask = self.ask(index)
        if ask is None:
            return None
        if role == ASK:
            return ask
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return f"{asks.title(ask)}, {ask.server}, {asks.kind(ask)}, {asks.state_words(ask)}"
        return None
