"""The Inbox dock: what servers ask, and the form to answer. It never comes to the front by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import (
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from mcp_inspector.session.inbox import AskState
from mcp_inspector.ui import icons, plain, theme
from mcp_inspector.ui.bridge import Pull
from mcp_inspector.ui.memory import Memory
from mcp_inspector.ui.models import asks
from mcp_inspector.ui.models.arguments import Arguments
from mcp_inspector.ui.models.drafts import Drafts
from mcp_inspector.ui.views.arguments import ArgumentsView
from mcp_inspector.ui.widgets.labels import ElidedLabel, EmptyState, Pill
from mcp_inspector.ui.widgets.rows import ValueLabel

if TYPE_CHECKING:
    from mcp_inspector.session.inbox import Ask, Inbox
    from mcp_inspector.ui.desk import Desk

_ASK = Qt.ItemDataRole.UserRole
_SHOWN = 200


class InboxView(QWidget):
    """The list at the left, the chosen question at the right."""

    counted = Signal(int)
    """How many wait."""

    def __init__(self, desk: Desk, inbox: Inbox, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._inbox = inbox
        self._pull = Pull(self.refresh, self)
        inbox.changed.connect(self._pull.soon)
        self.list = QListWidget()
        self.list.setAccessibleName("Questions")
        self.list.setMinimumWidth(120)
        self.answer = AnswerView(desk)
        self._empty = EmptyState("inbox", "Nobody asks", "What servers ask of you stands here: input, sampling, roots.")
        splitter = QSplitter(Qt.Orientation.Horizontal)
        splitter.setChildrenCollapsible(False)
        splitter.addWidget(self.list)
        splitter.addWidget(self.answer)
        splitter.setStretchFactor(0, 1)
        splitter.setStretchFactor(1, 3)
        desk.memory.splitter("inbox.splitter", splitter, [260, 800])
        self._stack = QStackedWidget()
        self._stack.addWidget(self._empty)
        self._stack.addWidget(splitter)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._stack)
        self.list.currentItemChanged.connect(self._chosen)
        self.refresh()

    def refresh(self) -> None:
        """Look at the questions again: those that wait come first, newest of the others after."""
        waiting = list(self._inbox.waiting)
        ended = [ask for ask in self._inbox.asks if ask.state is not AskState.WAITING]
        shown = [*waiting, *reversed(ended)][:_SHOWN]
        before = self.answer.ask
        blocked = self.list.blockSignals(True)
        self.list.clear()
        for ask in shown:
            item = QListWidgetItem(f"{asks.title(ask)}\n{asks.state_words(ask)}")
            item.setIcon(icons.icon("inbox" if ask.state is AskState.WAITING else "check", "accent"))
            item.setData(_ASK, ask)
            self.list.addItem(item)
        keep = next((row for row, ask in enumerate(shown) if ask is before), -1)
        # A question that was just answered gives way to the next one that waits; one under way is never taken away.
        if (before is None or before.state is not AskState.WAITING) and waiting:
            keep = 0
        self.list.setCurrentRow(max(keep, 0) if shown else -1)
        self.list.blockSignals(blocked)
        self._chosen()
        self._stack.setCurrentIndex(1 if shown else 0)
        self.counted.emit(len(waiting))

    def _chosen(self, *_: object) -> None:
        item = self.list.currentItem()
        self.answer.show_ask(item.data(_ASK) if item is not None else None)


class AnswerView(QWidget):
    """One question: what is said, what can be filled in, and the ways to answer."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self.ask: Ask | None = None
        self._drafts = Drafts(Memory(None, self))
        self._kept: dict[int, Arguments] = {}
        self._title = ElidedLabel(bold=True)
        self._state = Pill()
        self.decline = QPushButton("Decline")
        self.cancel = QPushButton("Cancel")
        self.done = QPushButton("Done")
        theme.mark(self.done, kind="primary")
        self.open = QPushButton(icons.icon("external-link"), "Open in the browser")
        self.copy = QPushButton(icons.icon("copy"), "Copy the address")
        head = QHBoxLayout()
        head.setContentsMargins(14, 6, 8, 6)
        head.setSpacing(8)
        head.addWidget(self._title)
        head.addWidget(self._state)
        head.addStretch(1)
        for button in (self.copy, self.open, self.decline, self.cancel, self.done):
            head.addWidget(button)
        band = QWidget()
        theme.mark(band, surface="window")
        band.setLayout(head)
        self._address = ValueLabel("", mono=True)
        self.arguments = ArgumentsView(desk, "inbox", "Accept")
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(0)
        self._layout.addWidget(band)
        self._layout.addWidget(self._address)
        self._layout.addWidget(self.arguments, 1)
        self.arguments.call_wanted.connect(self._accept)
        self.done.clicked.connect(self._accept)
        self.decline.clicked.connect(lambda: self.ask and asks.decline(self.ask))
        self.cancel.clicked.connect(lambda: self.ask and asks.cancel(self.ask))
        self.open.clicked.connect(self._open)
        self.copy.clicked.connect(lambda: self.ask and QGuiApplication.clipboard().setText(asks.by_url(self.ask)))

    def show_ask(self, ask: Ask | None) -> None:
        """Show another question; the same one again keeps what was filled in."""
        self._title.setText(asks.title(ask) if ask is not None else "")
        waiting = ask is not None and ask.state is AskState.WAITING
        self._state.set(asks.state_words(ask) if ask is not None else "", "accent" if waiting else "muted")
        url = asks.by_url(ask) if ask is not None else ""
        for button in (self.decline, self.cancel):
            button.setVisible(waiting)
        for button in (self.open, self.copy, self.done):
            button.setVisible(waiting and bool(url))
        self.open.setEnabled(url.startswith(("https://", "http://")))
        self.arguments.set_can_send(waiting, "It has been answered")
        if ask is self.ask:
            return
        self.ask = ask
        self._layout.removeWidget(self._address)
        self._address.hide()
        self._address.deleteLater()
        words = f"{asks.message(ask)}\n\n{url}" if ask is not None and url else ""
        self._address = ValueLabel(words, mono=True)
        self._address.setContentsMargins(14, 8, 14, 8)
        self._layout.insertWidget(1, self._address)
        self._address.setVisible(bool(words))
        self.arguments.setVisible(ask is not None and not url)
        if ask is None or url:
            self.arguments.show_arguments(None)
            return
        if ask.number not in self._kept:
            self._kept[ask.number] = Arguments((ask.server, "inbox", str(ask.number)), asks.schema(ask), self._drafts)
        self.arguments.show_arguments(self._kept[ask.number], plain.lines(asks.message(ask)))

    def _accept(self) -> None:
        if self.ask is None:
            return
        arguments = self.arguments.arguments
        asks.accept(self.ask, arguments.document.wire_bytes() if arguments is not None else b"{}")

    def _open(self) -> None:
        """The person has seen the whole address and asked for it; only web addresses are opened."""
        if self.ask is not None and self.open.isEnabled():
            QDesktopServices.openUrl(QUrl(asks.by_url(self.ask)))
