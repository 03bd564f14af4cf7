"""Roots under edit: folders with names, added by a dialog, by typing, or by dropping them here."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFileDialog,
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from mcp_inspector.config.entry import Root
from mcp_inspector.ui import icons, theme
from mcp_inspector.ui.widgets.labels import ElidedLabel
from mcp_inspector.ui.widgets.visible import is_plain

if TYPE_CHECKING:
    from PySide6.QtGui import QDragEnterEvent, QDropEvent, QKeyEvent

_URI, _NAME = range(2)


class RootsEditor(QWidget):
    """A table of roots. `changed` tells each edit."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._quiet = False
        self._dialog: QFileDialog | None = None
        self.table = _Table()
        self.table.removed.connect(self.remove)
        self.table.dropped.connect(self.add_folder)
        self.table.itemChanged.connect(self._edited)
        self.add_button = QPushButton(icons.icon("folder-open"), "Add folder…")
        self.add_button.clicked.connect(self.choose_folder)
        self.type_button = QPushButton(icons.icon("plus"), "Add URI")
        self.type_button.clicked.connect(self._add_typed)
        self.remove_button = QPushButton(icons.icon("x"), "Remove")
        self.remove_button.setToolTip("Remove the chosen roots (Del)")
        self.remove_button.clicked.connect(self.remove)
        self._problem = ElidedLabel(tone="warn", size="small")
        row = QHBoxLayout()
        row.setContentsMargins(8, 4, 8, 4)
        row.setSpacing(6)
        for button in (self.add_button, self.type_button, self.remove_button):
            row.addWidget(button)
        row.addWidget(self._problem, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.table, 1)
        layout.addLayout(row)

    @property
    def roots(self) -> tuple[Root, ...]:
        """The roots as they stand; rows without a URI are left out."""
        found = []
        for row in range(self.table.rowCount()):
            uri, name = self._text(row, _URI), self._text(row, _NAME)
            if uri:
                found.append(Root(uri, name))
        return tuple(found)

    def show_roots(self, roots: tuple[Root, ...]) -> None:
        """Show others."""
        self._quiet = True
        self.table.setRowCount(0)
        for root in roots:
            self._append(root)
        self._quiet = False
        self._check()

    def problems(self) -> list[str]:
        """What the specification minds."""
        wrong = [root.uri for root in self.roots if not root.uri.lower().startswith("file://")]
        return [f"{uri[:80]} does not begin with file://" for uri in wrong]

    def choose_folder(self) -> None:
        """Open the system's dialog for a folder; it is not modal to what a server may want meanwhile."""
        dialog = self._dialog = QFileDialog(self, "Add a root")
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(lambda path: self.add_folder(Path(path)))
        dialog.open()

    def add_folder(self, path: Path) -> None:
        """Add a folder of this machine, under its own name."""
        self._append(Root(path.absolute().as_uri(), path.name))
        self._edited()

    def _add_typed(self) -> None:
        self._append(Root("file:///", ""))
        row = self.table.rowCount() - 1
        self.table.setCurrentCell(row, _URI)
        self.table.edit(self.table.model().index(row, _URI))
        self._edited()

    def remove(self) -> None:
        """Take the chosen rows away."""
        for row in sorted({index.row() for index in self.table.selectedIndexes()}, reverse=True):
            self.table.removeRow(row)
        self._edited()

    def _append(self, root: Root) -> None:
        row = self.table.rowCount()
        quiet, self._quiet = self._quiet, True
        self.table.insertRow(row)
        self.table.setItem(row, _URI, QTableWidgetItem(root.uri))
        self.table.setItem(row, _NAME, QTableWidgetItem(root.name))
        self._quiet = quiet

    def _text(self, row: int, column: int) -> str:
        item = self.table.item(row, column)
        return item.text().strip() if item is not None else ""

    def _edited(self, *_: object) -> None:
        if not self._quiet:
            self._check()
            self.changed.emit()

    def _check(self) -> None:
        problems = self.problems()
        odd = [root for root in self.roots if not is_plain(root.uri + root.name)]
        self._problem.setText(problems[0] if problems else "It holds hidden characters" if odd else "")


class _Table(QTableWidget):
    """Two columns; Delete removes, folders can be dropped."""

    removed = Signal()
    dropped = Signal(object)

    def __init__(self) -> None:
        super().__init__(0, 2)
        self.setHorizontalHeaderLabels(["URI", "Name"])
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 8)
        header = self.horizontalHeader()
        header.setSectionResizeMode(_URI, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(_NAME, QHeaderView.ResizeMode.Interactive)
        header.resizeSection(_NAME, 160)
        header.setHighlightSections(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.setShowGrid(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setAccessibleName("Roots")
        self.setAcceptDrops(True)
        theme.mark(self, surface="base")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace) and self.state() != self.State.EditingState:
            self.removed.emit()
        else:
            super().keyPressEvent(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if _folders(event.mimeData().urls()):
            event.acceptProposedAction()

    def dragMoveEvent(self, event: QDragEnterEvent) -> None:  # type: ignore[override]  # Qt's move event is its base
        event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        for path in _folders(event.mimeData().urls()):
            self.dropped.emit(path)
        event.acceptProposedAction()


def _folders(urls: list[QUrl]) -> list[Path]:
    paths = [Path(url.toLocalFile()) for url in urls if url.isLocalFile()]
    return [path for path in paths if path.is_dir()]
