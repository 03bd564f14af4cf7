"""What is different between two connects of a server: each change with its weight, and both texts of the chosen one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QDialog,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QSplitter,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from mcp_inspector.schema.definitions import Weight
from mcp_inspector.session.list_book import Changes, Connect, changes, key_of
from mcp_inspector.ui import bridge, icons, plain, theme
from mcp_inspector.ui.widgets.labels import ElidedLabel
from mcp_inspector.ui.widgets.text_view import TextView
from mcp_inspector.ui.widgets.visible import tooltip
from mcp_inspector.wire import jsontext

if TYPE_CHECKING:
    from mcp_inspector.schema.definitions import ListChange
    from mcp_inspector.session.server import Server
    from mcp_inspector.ui.models.list_watch import ListWatch

SIGNS: Final = {
    Weight.BREAKING: ("octagon-x", "error"),
    Weight.DANGEROUS: ("triangle-alert", "warn"),
    Weight.MINOR: ("info", "muted"),
}
"""Icon and ink of each weight; the word stands beside."""

_LARGEST: Final = 200_000


class ChangesDialog(QDialog):
    """Not modal. Any two of the connects that are kept can be compared; the last two to begin with."""

    def __init__(self, watch: ListWatch, server: Server, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("changes")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setModal(False)
        self.setWindowTitle(f"What {plain.line(server.name, 60)} lists, compared")
        self._watch, self._server = watch, server
        self._connects: list[Connect] = []
        self._shown: list[ListChange] = []
        self.first, self.second = QComboBox(), QComboBox()
        self.first.setAccessibleName("The earlier connect")
        self.second.setAccessibleName("The later connect")
        self.sentence = ElidedLabel(bold=True)
        self.tree = QTreeWidget()
        self.tree.setAccessibleName("Changes")
        self.tree.setHeaderLabels(["Weight", "List", "Name", "Change"])
        self.tree.setRootIsDecorated(False)
        self.tree.setUniformRowHeights(True)
        self.tree.setAlternatingRowColors(True)
        self.tree.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.before, self.after = TextView(numbers=False), TextView(numbers=False)
        self.before.setAccessibleName("Before")
        self.after.setAccessibleName("After")
        self.copy_button = QPushButton("Copy as Markdown")
        self.copy_button.setAutoDefault(False)
        self._lay_out()
        self.first.currentIndexChanged.connect(lambda _: self._compare())
        self.second.currentIndexChanged.connect(lambda _: self._compare())
        self.tree.currentItemChanged.connect(lambda *_: self._show_texts())
        self.copy_button.clicked.connect(self.copy)
        room = parent.size()
        self.resize(min(980, max(500, room.width() - 60)), min(620, max(340, room.height() - 60)))
        self._job = bridge.spawn(
            bridge.aside(lambda: watch.book.connects(key_of(server.entry))),
            what="reading what was listed before",
            on_done=self._read,
        )

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.setSpacing(8)
        for label, box in (("From", self.first), ("to", self.second)):
            top.addWidget(QLabel(label))
            top.addWidget(box, 1)
        texts = QSplitter(Qt.Orientation.Horizontal)
        for title, view in (("Before", self.before), ("After", self.after)):
            part = QWidget()
            column = QVBoxLayout(part)
            column.setContentsMargins(0, 4, 0, 0)
            column.setSpacing(2)
            head = QLabel(title)
            head.setContentsMargins(8, 0, 0, 0)
            theme.mark(head, role="small")
            column.addWidget(head)
            column.addWidget(view, 1)
            texts.addWidget(part)
        header = self.tree.header()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        for column_at, width in enumerate((110, 90, 180)):
            header.resizeSection(column_at, width)
        header.setStretchLastSection(True)
        body = QSplitter(Qt.Orientation.Vertical)
        body.addWidget(self.tree)
        body.addWidget(texts)
        body.setSizes([340, 220])
        foot = QHBoxLayout()
        close = QPushButton("Close")
        close.setAutoDefault(False)
        close.clicked.connect(self.close)
        foot.addStretch(1)
        foot.addWidget(self.copy_button)
        foot.addWidget(close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(14, 12, 14, 10)
        layout.setSpacing(8)
        layout.addLayout(top)
        layout.addWidget(self.sentence)
        layout.addWidget(body, 1)
        layout.addLayout(foot)

    @property
    def rows(self) -> list[ListChange]:
        """The changes that are shown, the worst first."""
        return self._shown

    def copy(self) -> None:
        """All changes to the clipboard."""
        lines = [f"{self.sentence.text()}", ""]
        lines += [f"- **{each.weight.word}** {each.what} `{plain.line(each.key)}`: {plain.line(each.sentence)}"
                  for each in self._shown]  # fmt: skip
        QGuiApplication.clipboard().setText("\n".join(lines) + "\n")

    def _read(self, connects: list[Connect]) -> None:
        self._connects = connects
        for box in (self.first, self.second):
            box.blockSignals(True)
            for each in connects:
                what = f"{plain.moment(each.wall_ns)}, {plain.count(each.count, 'thing')}"
                box.addItem(", ".join(filter(None, (what, plain.line(each.server, 40)))))
            box.blockSignals(False)
        self.first.blockSignals(True)
        self.first.setCurrentIndex(max(len(connects) - 2, 0))
        self.first.blockSignals(False)
        self.second.setCurrentIndex(len(connects) - 1)
        self._compare()

    def _compare(self) -> None:
        places = self.first.currentIndex(), self.second.currentIndex()
        if min(places) < 0:
            self.sentence.setText("Nothing is remembered of this server yet.")
            return
        one, two = (self._connects[place] for place in places)
        self._job.cancel()
        self._job = bridge.spawn(
            bridge.aside(lambda: changes(one, two)), what="comparing the lists", on_done=self._show
        )

    def _show(self, found: Changes) -> None:
        self.sentence.setText(found.sentence)
        self._shown = sorted((one for each in found.lists for one in each.changes), key=lambda one: -one.weight)
        self.tree.clear()
        for change in self._shown:
            words = (change.weight.word, change.what, plain.line(change.key, 120), plain.line(change.sentence))
            item = QTreeWidgetItem(list(words))
            icon, ink = SIGNS[change.weight]
            item.setIcon(0, icons.icon(icon, ink))
            item.setToolTip(3, tooltip(change.sentence))
            self.tree.addTopLevelItem(item)
        first = self.tree.topLevelItem(0)
        if first is not None:
            self.tree.setCurrentItem(first)
        self._show_texts()

    def _show_texts(self) -> None:
        item = self.tree.currentItem()
        at = self.tree.indexOfTopLevelItem(item) if item is not None else -1
        change = self._shown[at] if 0 <= at < len(self._shown) else None
        for view, text in (
            (self.before, change.before if change else ""),
            (self.after, change.after if change else ""),
        ):
            view.set_text(jsontext.pretty(text) if len(text) <= _LARGEST else text)
