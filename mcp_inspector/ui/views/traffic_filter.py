"""The filter line above the traffic: completion as one types, and menus that write the common filters into it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QAbstractListModel, QCoreApplication, QModelIndex, QPersistentModelIndex, Qt, QTimer, Signal
from PySide6.QtGui import QInputMethodEvent, QTextCharFormat
from PySide6.QtWidgets import QCompleter, QLineEdit, QListView, QMenu, QWidget

from mcp_inspector.store.completion import Completion, completions, exactly
from mcp_inspector.store.query import FIELDS
from mcp_inspector.ui import icons, plain, theme
from mcp_inspector.ui.widgets.inputs import SearchEdit

if TYPE_CHECKING:
    from mcp_inspector.store.log import Log

_SETTLE_MS: Final = 120
_MOST: Final = 30
_MENUS: Final = {"server": "Server", "method": "Method", "status": "Status", "kind": "Kinds"}
_TERM: Final = r'(?:(?<=\s)|^)-?{field}:(?:=?"(?:[^"\\]|\\.)*"|\S+)'


class FilterEdit(SearchEdit):
    """The filter line. `settled` is its text, a moment after the last key."""

    settled = Signal(str)
    saved_wanted = Signal()
    """The star was clicked: offer the filters that are kept."""

    def __init__(self, log: Log, parent: QWidget | None = None) -> None:
        super().__init__("Filter: text, method:tools/call, -server:x, dur:>500", "list-filter", parent=parent)
        self._log = log
        self._where = (0, 0)
        star = self.addAction(icons.icon("star", "muted"), QLineEdit.ActionPosition.TrailingPosition)
        star.setToolTip("Saved filters")
        star.triggered.connect(self.saved_wanted)
        self._offered = _Offered(self)
        self._completer = QCompleter(self)
        self._completer.setModel(self._offered)
        self._completer.setCompletionMode(QCompleter.CompletionMode.UnfilteredPopupCompletion)
        self._completer.setWidget(self)
        self._completer.setMaxVisibleItems(12)
        self._popup = QListView()
        self._popup.setAccessibleName("Completions")
        self._popup.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._popup.setTextElideMode(Qt.TextElideMode.ElideRight)
        self._popup.setUniformItemSizes(True)
        theme.mark(self._popup, surface="popup")
        self._completer.setPopup(self._popup)
        self._popup.clicked.connect(self._take)
        self._completer.activated.connect(self._take)
        self._wait = QTimer(self)
        self._wait.setSingleShot(True)
        self._wait.setInterval(_SETTLE_MS)
        self._wait.timeout.connect(self._settle)
        self.textChanged.connect(lambda _text: self._wait.start())
        self.textEdited.connect(lambda _text: self._offer())
        self.submitted.connect(self._settle)

    def set_problem(self, sentence: str, position: int = 0, length: int = 0) -> None:
        """Show red with a reason, and the spot it is about underlined; normal when the sentence is empty."""
        super().set_problem(sentence)
        where = (position, length) if sentence else (0, 0)
        if where != self._where:
            self._where = where
            self._underline()

    def _underline(self) -> None:
        """A line edit has no formats of its own; those of an input method it draws."""
        attributes = []
        position, length = self._where
        if length:
            look = QTextCharFormat()
            look.setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
            look.setUnderlineColor(theme.colour("error"))
            look.setForeground(theme.colour("error"))
            kind = QInputMethodEvent.AttributeType.TextFormat
            start = position - self.cursorPosition()
            attributes.append(QInputMethodEvent.Attribute(kind, start, length, look))
        blocked = self.blockSignals(True)
        QCoreApplication.sendEvent(self, QInputMethodEvent("", attributes))
        self.blockSignals(blocked)

    def has_term(self, term: str) -> bool:
        """Whether the line holds this term."""
        return term in self._terms(term.lstrip("-").partition(":")[0])

    def put_term(self, term: str) -> None:
        """Put a term into the line in place of others of its field; take it out when it is there already."""
        field = term.lstrip("-").partition(":")[0]
        was_there = self.has_term(term)
        rest = re.sub(_TERM.format(field=field), " ", self.text())
        self._set(f"{rest} {'' if was_there else term}")

    def add_term(self, term: str) -> None:
        """Put a term into the line beside all others."""
        if term not in self.text().split():
            self._set(f"{self.text()} {term}")

    def toggle_term(self, term: str) -> None:
        """Take a term out of the line, or put it beside the others."""
        if self.has_term(term):
            spelled = re.escape(term)
            self._set(re.sub(rf"(?:(?<=\s)|^){spelled}(?=\s|$)", " ", self.text()))
        else:
            self.add_term(term)

    def _set(self, text: str) -> None:
        self.setText(" ".join(re.findall(r'(?:"(?:[^"\\]|\\.)*"|\S)+', text)))
        self._settle()

    def _terms(self, field: str) -> list[str]:
        return re.findall(_TERM.format(field=field), self.text())

    def _settle(self) -> None:
        self._wait.stop()
        self.settled.emit(self.text().strip())

    def _completions(self) -> list[Completion]:
        from mcp_inspector.checks.catalogue import RULES

        return completions(self.text(), self.cursorPosition(), self._log, RULES)

    def _offer(self) -> None:
        found = self._completions() if self.text().strip() else []
        typed = self.text()[found[0].start : found[0].stop] if found else ""
        if not found or [one.text for one in found] == [typed]:
            self._popup.hide()
            return
        self._offered.set(found)
        area = self.cursorRect()
        area.setWidth(min(560, max(300, self.width())))
        self._completer.complete(area)

    def _take(self, index: QModelIndex) -> None:
        chosen = self._offered.at(index.row())
        text = self.text()
        ends = chosen.text.endswith((":", "$.")) or chosen.help == "…"
        self.setText(text[: chosen.start] + chosen.text + ("" if ends else " ") + text[chosen.stop :].lstrip())
        self.setCursorPosition(chosen.start + len(chosen.text) + (not ends))
        if ends:
            # The popup that is closing would take a new one with it.
            QTimer.singleShot(0, self, self._offer)


class _Offered(QAbstractListModel):
    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._offered: list[Completion] = []

    def set(self, offered: list[Completion]) -> None:
        self.beginResetModel()
        self._offered = offered
        self.endResetModel()

    def at(self, row: int) -> Completion:
        return self._offered[row]

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex | None = None) -> int:
        return len(self._offered)

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        one = self._offered[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return f"{plain.line(one.text, 80)}   {one.help}" if one.help else plain.line(one.text, 80)
        return one.text if role == Qt.ItemDataRole.EditRole else None


def fill_menu(menu: QMenu, edit: FilterEdit, log: Log, field: str) -> None:
    """The values of a field that were seen, or that it knows; choosing one writes it into the line or takes it out."""
    menu.clear()
    pools = {"server": log.columns.servers, "method": log.columns.methods}
    values = [*FIELDS[field].words] if field not in pools else sorted(pools[field].texts[1:])
    # Kinds are switched off one by one; of the others one is chosen.
    switched = field == "kind"
    for value in values[:_MOST]:
        term = f"-{exactly(field, value)}" if switched else exactly(field, value)
        action = menu.addAction(plain.escape_mnemonic(plain.line(value, 80)))
        action.setCheckable(True)
        action.setChecked(edit.has_term(term) != switched)
        act = edit.toggle_term if switched else edit.put_term
        action.triggered.connect(lambda _on, term=term, act=act: act(term))
    if len(values) > _MOST:
        menu.addAction(f"{len(values) - _MOST} more: type {field}:").triggered.connect(
            lambda: edit.put_term(f"{field}:")
        )
    if not values:
        menu.addAction("Nothing seen yet").setEnabled(False)


def quick_menus(parent: QWidget, edit: FilterEdit, log: Log) -> list[QMenu]:
    """Menus for server, method, status and kind, filled when they open."""
    menus = []
    for field, title in _MENUS.items():
        menu = QMenu(title, parent)
        menu.aboutToShow.connect(lambda menu=menu, field=field: fill_menu(menu, edit, log, field))
        menus.append(menu)
    return menus
