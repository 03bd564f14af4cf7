"""Two recorded sessions compared: what their servers list, and the answers to the same requests."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QSplitter,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from mcp_inspector.session.compare_sessions import SessionDiff, compare_sessions
from mcp_inspector.session.importing import opened
from mcp_inspector.session.list_book import Changes, changes
from mcp_inspector.session.recorded_lists import recorded_lists
from mcp_inspector.store.exchanges import Exchanges
from mcp_inspector.ui import bridge, icons, plain
from mcp_inspector.ui.views.changes_dialog import SIGNS
from mcp_inspector.ui.widgets.labels import ElidedLabel
from mcp_inspector.ui.widgets.text_view import TextView
from mcp_inspector.ui.widgets.visible import tooltip

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True)
class Compared:
    """What two sessions differ in."""

    lists: tuple[tuple[str, Changes], ...]
    requests: SessionDiff


def compared(before: Path, after: Path) -> Compared:
    """Read and compare two sessions. Raises `SessionFileError` and `ExportFormatError`."""
    logs = []
    try:
        for path in (before, after):
            logs.append(opened(path))  # noqa: PERF401 - those that were opened are closed when one cannot be
        sides = [Exchanges(log) for log in logs]
        for side in sides:
            side.update()
        one, two = (recorded_lists(side) for side in sides)
        lists = tuple((name, changes(one[name][-1], two[name][-1])) for name in one if name in two)
        return Compared(lists, compare_sessions(sides[0], sides[1]))
    finally:
        for log in logs:
            log.close()


class SessionCompare(QDialog):
    """Not modal. Everything is read and compared in a thread."""

    def __init__(self, before: Path, after: Path, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("session-compare")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setModal(False)
        self.setWindowTitle(f"{plain.line(before.stem, 60)} and {plain.line(after.stem, 60)}, compared")
        self.found: Compared | None = None
        self._texts: list[str] = []
        self.sentence = ElidedLabel("Comparing…", bold=True)
        self.tree = QTreeWidget()
        self.tree.setAccessibleName("Differences")
        self.tree.setHeaderLabels(["Weight", "Where", "What differs"])
        self.tree.setRootIsDecorated(False)
        self.tree.setUniformRowHeights(True)
        self.tree.setAlternatingRowColors(True)
        header = self.tree.header()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        for column, width in enumerate((110, 150)):
            header.resizeSection(column, width)
        self.text = TextView(numbers=False)
        self.text.setAccessibleName("The difference in full")
        close = QPushButton("Close")
        close.clicked.connect(self.close)
        split = QSplitter(Qt.Orientation.Vertical)
        split.addWidget(self.tree)
        split.addWidget(self.text)
        split.setSizes([340, 200])
        foot = QHBoxLayout()
        foot.addStretch(1)
        foot.addWidget(close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(14, 12, 14, 10)
        layout.setSpacing(8)
        layout.addWidget(self.sentence)
        layout.addWidget(split, 1)
        layout.addLayout(foot)
        self.tree.currentItemChanged.connect(lambda *_: self._show_text())
        room = parent.size()
        self.resize(min(900, max(500, room.width() - 60)), min(600, max(340, room.height() - 60)))
        self._job = bridge.spawn(
            bridge.aside(lambda: compared(before, after)),
            what="comparing the sessions",
            on_done=self._show,
            on_error=lambda error: self.sentence.setText(plain.line(str(error))),
        )

    def _show(self, found: Compared) -> None:
        self.found = found
        listed = [f"{plain.line(name, 60)}: {each.sentence}" for name, each in found.lists if each.lists]
        self.sentence.setText(" ".join([*listed, found.requests.sentence]))
        for name, each in found.lists:
            worst = sorted((one for part in each.lists for one in part.changes), key=lambda one: -one.weight)
            for change in worst:
                icon, ink = SIGNS[change.weight]
                words = (change.weight.word, plain.line(name, 60), f"{change.what} {change.key}: {change.sentence}")
                self._add(words, f"{change.before or '(nothing)'}\n→\n{change.after or '(nothing)'}", icon, ink)
        for pair in found.requests.pairs:
            lines = [each.sentence for each in pair.diff.differences] if pair.diff is not None else []
            self._add(
                ("other answer", "requests", pair.sentence), "\n".join([pair.sentence, "", *lines]), "info", "warn"
            )
        first = self.tree.topLevelItem(0)
        if first is not None:
            self.tree.setCurrentItem(first)

    def _add(self, words: tuple[str, str, str], text: str, icon: str, ink: str) -> None:
        item = QTreeWidgetItem([*words[:2], plain.line(words[2])])
        item.setIcon(0, icons.icon(icon, ink))
        item.setToolTip(2, tooltip(words[2]))
        self.tree.addTopLevelItem(item)
        self._texts.append(text)

    def _show_text(self) -> None:
        item = self.tree.currentItem()
        at = self.tree.indexOfTopLevelItem(item) if item is not None else -1
        self.text.set_text(self._texts[at] if 0 <= at < len(self._texts) else "")
