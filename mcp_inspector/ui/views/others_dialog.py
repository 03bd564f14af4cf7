"""Servers of other applications: looked for once this is open, seen before they are taken, and ours written there."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QMenu,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)
from shiboken6 import isValid

from mcp_inspector.ui import bridge, icons, plain, theme
from mcp_inspector.ui.models import others
from mcp_inspector.ui.widgets.labels import EmptyState
from mcp_inspector.ui.widgets.text_view import TextView
from mcp_inspector.ui.widgets.visible import tooltip

if TYPE_CHECKING:
    from mcp_inspector.config.entry import ServerEntry
    from mcp_inspector.config.others import Found
    from mcp_inspector.ui.models.book import Book

_ENTRY = Qt.ItemDataRole.UserRole


class OthersDialog(QDialog):
    """Applications, their files and servers on the left; the chosen entry on the right. Nothing found is connected."""

    def __init__(self, book: Book, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setModal(False)
        self.setObjectName("others-dialog")
        self.setWindowTitle("Servers of other applications")
        self._book = book
        self.tree = QTreeWidget()
        self.tree.setAccessibleName("Applications and their servers")
        self.tree.setHeaderHidden(True)
        self.tree.setColumnCount(1)
        self.tree.header().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.tree.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.tree.currentItemChanged.connect(self._show)
        self.tree.itemChanged.connect(self._count)
        self.preview = TextView()
        self.preview.setAccessibleName("The entry, secrets masked")
        self.preview.set_placeholder("Choose a server to see its entry")
        self.nothing = EmptyState("loader", "Looking…")
        self.stack = QStackedWidget()
        self.said = QLabel()
        self.said.setTextFormat(Qt.TextFormat.PlainText)
        self.said.setWordWrap(True)
        self.said.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.said.hide()
        self.replace_known = QCheckBox("Replace those of the same name")
        self.replace_known.setToolTip("When servers are exported: overwrite a server there that has the same name")
        self.export_button = QPushButton(icons.icon("download"), "Export to")
        self.export_button.setToolTip("Write your servers into a file of another application; a backup is made first")
        self.menu = QMenu(self)
        self.export_button.setMenu(self.menu)
        self.import_button = QPushButton("Import")
        theme.mark(self.import_button, kind="primary")
        self.import_button.setToolTip("Add the chosen servers to yours, disabled: nothing runs before you enable it")
        self.import_button.clicked.connect(self.take)
        self._lay_out()
        self._count()
        room = parent.size()
        self.resize(min(900, max(420, room.width() - 40)), min(560, max(340, room.height() - 60)))
        self.look()

    def _lay_out(self) -> None:
        about = QLabel(
            "Files are read as they stand and stay as they are. What you import is added disabled, and its secrets "
            "with it."
        )
        about.setWordWrap(True)
        about.setContentsMargins(12, 10, 12, 2)
        splitter = QSplitter(Qt.Orientation.Horizontal)
        splitter.setChildrenCollapsible(False)
        splitter.addWidget(self.tree)
        splitter.addWidget(self.preview)
        splitter.setSizes([420, 460])
        self.stack.addWidget(self.nothing)
        self.stack.addWidget(splitter)
        close = QPushButton("Close")
        close.clicked.connect(self.close)
        self.said.setContentsMargins(12, 4, 12, 4)
        foot = QWidget()
        theme.mark(foot, surface="band")
        row = QHBoxLayout(foot)
        row.setContentsMargins(12, 8, 12, 8)
        row.addWidget(self.export_button)
        row.addWidget(self.replace_known)
        row.addStretch(1)
        for button in (close, self.import_button):
            row.addWidget(button)
        for button in (self.export_button, close, self.import_button):
            button.setAutoDefault(False)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addWidget(about)
        layout.addWidget(self.stack, 1)
        layout.addWidget(self.said)
        layout.addWidget(foot)

    def look(self) -> None:
        """Look for servers; the person has asked for it by opening this."""

        def work() -> tuple[list[Found], list[tuple[str, Path, bool]]]:
            return others.find(), others.targets()

        bridge.spawn(bridge.aside(work), what="looking for servers of other applications", on_done=self._found)

    def _found(self, what: tuple[list[Found], list[tuple[str, Path, bool]]]) -> None:
        if not isValid(self):
            return  # closed meanwhile
        found, targets = what
        self.tree.blockSignals(True)
        self.tree.clear()
        for one in found:
            self.tree.addTopLevelItem(self._file(one))
        self.tree.expandAll()
        self.tree.blockSignals(False)
        words = "No other application on this computer, and no file in this folder, has servers."
        self.nothing.set("Nothing was found", words, icon="search")
        self.stack.setCurrentIndex(1 if found else 0)
        self.tree.setFocus()
        self.menu.clear()
        for there in (True, False):
            for name, path, exists in targets:
                if exists is there:
                    shown = plain.escape_mnemonic(plain.line(f"{name}: {_short(path)}", 120))
                    action = self.menu.addAction(shown if there else f"{shown} (new)")
                    action.triggered.connect(partial(self.export, path))
            if there:
                self.menu.addSeparator()
        self._count()

    def _file(self, one: Found) -> QTreeWidgetItem:
        top = QTreeWidgetItem([plain.line(f"{one.application}: {_short(one.path)}", 300)])
        top.setFlags(Qt.ItemFlag.ItemIsEnabled)
        top.setToolTip(0, tooltip(str(one.path)))
        top.setFont(0, theme.font(bold=True))
        for problem in one.problems:
            line = QTreeWidgetItem([plain.line(problem, 300)])
            line.setFlags(Qt.ItemFlag.ItemIsEnabled)
            line.setIcon(0, icons.icon("triangle-alert", "warn"))
            line.setToolTip(0, tooltip(problem))
            top.addChild(line)
        for entry in one.entries:
            known = " (you have one of this name)" if entry.name in self._book.names else ""
            line = QTreeWidgetItem([plain.line(f"{entry.name} · {entry.transport}{known}", 300)])
            line.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsUserCheckable)
            line.setCheckState(0, Qt.CheckState.Unchecked)
            line.setData(0, _ENTRY, entry)
            line.setToolTip(0, tooltip(f"From {entry.origin}"))
            top.addChild(line)
        return top

    @property
    def chosen(self) -> list[ServerEntry]:
        """What is ticked."""
        tops = [self.tree.topLevelItem(at) for at in range(self.tree.topLevelItemCount())]
        lines = [top.child(at) for top in tops if top is not None for at in range(top.childCount())]
        return [
            line.data(0, _ENTRY)
            for line in lines
            if line is not None and line.data(0, _ENTRY) is not None and line.checkState(0) is Qt.CheckState.Checked
        ]

    def _show(self, item: QTreeWidgetItem | None, _: Any = None) -> None:
        entry = item.data(0, _ENTRY) if item is not None else None
        self.preview.set_text(others.preview(entry) if entry is not None else "")

    def _count(self, *_: object) -> None:
        count = len(self.chosen)
        self.import_button.setEnabled(bool(count))
        self.import_button.setText(f"Import {plain.count(count, 'server')}" if count else "Import")
        own = self._own()
        self.export_button.setEnabled(bool(own) and bool(self.menu.actions()))
        self.export_button.setText(f"Export {plain.count(len(own), 'server')} to" if own else "Export to")

    def _own(self) -> list[ServerEntry]:
        """The servers of the person's own files."""
        return [
            entry
            for name in self._book.names
            if (entry := self._book.entry(name)) is not None and self._book.value(name) is not None
        ]

    def take(self) -> None:
        """Add what is ticked."""
        where = {entry.name: entry.origin for entry in self.chosen}
        names, refused = others.take(self._book, self.chosen)
        words = (
            [f"{', '.join(names)}: added, disabled, from {', '.join(dict.fromkeys(where.values()))}."] if names else []
        )
        self._say("\n".join((*words, *refused)), bad=bool(refused))
        self.look()

    def export(self, path: Path, *_: object) -> None:
        """Write the person's servers into this file."""
        entries, known = self._own(), self.replace_known.isChecked()

        def done(words: str) -> None:
            if isValid(self):
                self._say(words, bad="written to" not in words)
                self.look()

        work = bridge.aside(lambda: others.export(path, entries, replace_known=known))
        bridge.spawn(work, what=f"writing {path.name}", on_done=done)

    def _say(self, words: str, *, bad: bool) -> None:
        theme.mark(self.said, role="warn" if bad else "muted")
        self.said.setText(plain.lines(words))
        self.said.setVisible(bool(words))


def _short(path: Path) -> str:
    """With ~ for the person's own folder."""
    try:
        return f"~/{path.relative_to(Path.home())}"
    except ValueError:
        return str(path)
