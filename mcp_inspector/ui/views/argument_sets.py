"""Arguments to come back to: sets with a name, and what was sent before. A panel that opens below its button."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QMenu,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from mcp_inspector.ui import icons, plain, theme
from mcp_inspector.ui.widgets.inputs import LongLineEdit
from mcp_inspector.ui.widgets.labels import ElidedLabel
from mcp_inspector.ui.widgets.visible import tooltip, visible

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent

    from mcp_inspector.ui.models.arguments import Arguments
    from mcp_inspector.ui.models.recall import NamedSet, Recall, Sent

_WIDTH, _ROWS = 380, 12
_PREVIEW = 90
_NAME = 60


class SetsPanel(QFrame):
    """Save, load, rename and delete. `loaded` gives the words for what is in the form now."""

    loaded = Signal(str, str)
    """A text of arguments, and the mark of the schema it was typed for."""

    def __init__(self, arguments: Arguments, recall: Recall, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setObjectName("argument-sets")
        theme.mark(self, surface="window")
        self._arguments, self._recall = arguments, recall
        self._entries: list[NamedSet | Sent | None] = []
        self._renamed = ""
        self.name = LongLineEdit()
        self.name.setPlaceholderText("Save these arguments under a name")
        self.name.setAccessibleName("Name of the set")
        self.name.returnPressed.connect(self.save)
        self.save_button = QPushButton("Save")
        self.save_button.clicked.connect(self.save)
        self.list = QListWidget()
        self.list.setAccessibleName("Saved and sent arguments")
        self.list.setIconSize(QSize(15, 15))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.list.customContextMenuRequested.connect(self._open_menu)
        self.list.itemClicked.connect(lambda item: self.load(self.list.row(item)))
        self.list.itemActivated.connect(lambda item: self.load(self.list.row(item)))
        self._note = ElidedLabel(tone="muted", size="small")
        row = QHBoxLayout()
        row.setSpacing(6)
        row.addWidget(self.name, 1)
        row.addWidget(self.save_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 8, 8, 6)
        layout.setSpacing(6)
        layout.addLayout(row)
        layout.addWidget(self.list)
        layout.addWidget(self._note)
        self.refresh()

    def unfold(self, below: QWidget) -> None:
        """Show it below a button, inside the screen."""
        rows = min(max(self.list.count(), 2), _ROWS)
        tall = rows * max(self.list.sizeHintForRow(0), 20) + 96
        screen = below.screen().availableGeometry()
        place = below.mapToGlobal(QPoint(below.width() - _WIDTH, below.height() + 2))
        x = max(screen.left(), min(place.x(), screen.right() - _WIDTH))
        y = max(screen.top(), min(place.y(), screen.bottom() - tall))
        self.setGeometry(x, y, _WIDTH, tall)
        self.show()
        self.name.setFocus()

    def refresh(self) -> None:
        """List what is kept now."""
        key, mark = self._arguments.key, self._arguments.mark
        sets, sent = self._recall.sets(key), self._recall.sent(key)
        self.list.clear()
        self._entries = []
        for one in sets:
            self._add(one, "bookmark", visible(one.name)[:_NAME], one.shown, one.schema != mark)
        if sent:
            self._head("Sent before")
        for past in sent:
            times = f"×{past.count}, " if past.count > 1 else ""
            self._add(past, "history", f"{times}{plain.ago(time.time() - past.when)}", past.shown, past.schema != mark)
        if not self._entries:
            self._head("Nothing saved or sent yet")
        count = self._recall.count(key)
        keys = "Return loads, F2 renames, Delete takes away"
        self._note.setText(f"Sent {plain.count(count, 'time')} in all. {keys}." if count else f"{keys}.")

    def _head(self, words: str) -> None:
        item = QListWidgetItem(words)
        item.setFlags(Qt.ItemFlag.NoItemFlags)
        item.setFont(theme.font("small"))
        self.list.addItem(item)
        self._entries.append(None)

    def _add(self, entry: NamedSet | Sent, icon: str, words: str, text: str, other_schema: bool) -> None:
        other = "  (for another schema)" if other_schema else ""
        item = QListWidgetItem(
            icons.icon(icon, "muted"), f"{words}{other}   {plain.line(' '.join(text.split()), _PREVIEW)}"
        )
        item.setToolTip(tooltip(text))
        self.list.addItem(item)
        self._entries.append(entry)

    # --- what is done ---

    def save(self) -> None:
        """Keep what is in the form under the name that is typed; with F2 before, give a set that name."""
        name = self.name.text().strip()
        if not name:
            self.name.setFocus()
            return
        key = self._arguments.key
        if self._renamed:
            if not self._recall.rename(key, self._renamed, name):
                theme.mark(self.name, invalid=True)
                self._note.setText(f'There is a set called "{plain.line(name, 40)}" already.')
                return
        else:
            edited = self._arguments
            self._recall.save(key, name, edited.document.text, edited.mark, edited.kept())
        self._end_rename()
        self.refresh()

    def load(self, row: int) -> None:
        """Put a set into the form."""
        entry = self._entries[row] if 0 <= row < len(self._entries) else None
        if entry is not None:
            self.loaded.emit(entry.text, entry.schema)
            self.close()

    def begin_rename(self, row: int) -> None:
        """Ask for another name of a set."""
        entry = self._entries[row] if 0 <= row < len(self._entries) else None
        name = getattr(entry, "name", "")
        if name:
            self._renamed = name
            self.name.setText(name)
            self.name.selectAll()
            self.save_button.setText("Rename")
            self.name.setFocus()

    def _end_rename(self) -> None:
        self._renamed = ""
        self.name.clear()
        theme.mark(self.name, invalid=False)
        self.save_button.setText("Save")

    def delete(self, row: int) -> None:
        """Take a set away, or forget all that was sent."""
        entry = self._entries[row] if 0 <= row < len(self._entries) else None
        if entry is None:
            return
        name = getattr(entry, "name", "")
        if name:
            self._recall.delete(self._arguments.key, name)
        else:
            self._recall.forget_sent(self._arguments.key)
        self.refresh()

    def _open_menu(self, place: QPoint) -> None:
        item = self.list.itemAt(place)
        row = self.list.row(item) if item is not None else -1
        entry = self._entries[row] if 0 <= row < len(self._entries) else None
        if entry is None:
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction("Load").triggered.connect(lambda: self.load(row))
        if getattr(entry, "name", ""):
            menu.addAction("Rename\tF2").triggered.connect(lambda: self.begin_rename(row))
            menu.addAction(icons.icon("trash-2"), "Delete\tDel").triggered.connect(lambda: self.delete(row))
        else:
            menu.addAction(icons.icon("trash-2"), "Forget all that was sent").triggered.connect(
                lambda: self.delete(row)
            )
        menu.popup(self.list.mapToGlobal(place))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """F2, Delete and Escape."""
        row = self.list.currentRow()
        if event.key() == Qt.Key.Key_Escape:
            self.close()
        elif event.key() == Qt.Key.Key_F2 and self.list.hasFocus():
            self.begin_rename(row)
        elif event.key() == Qt.Key.Key_Delete and self.list.hasFocus():
            self.delete(row)
        elif event.key() == Qt.Key.Key_Down and self.name.hasFocus():
            self.list.setFocus()
            self.list.setCurrentRow(next((at for at, one in enumerate(self._entries) if one is not None), 0))
        else:
            super().keyPressEvent(event)
