"""A list of a server read page by page, by hand: cursors as they travelled, what each page brought, what is odd."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QDialog,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QListWidget,
    QPushButton,
    QSplitter,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)
from shiboken6 import isValid

from mcp_inspector.session.catalogue import What
from mcp_inspector.ui import bridge, icons, plain, theme
from mcp_inspector.ui.models.stepping import HEADS, cells, item_words, oddities
from mcp_inspector.ui.widgets.labels import ElidedLabel

if TYPE_CHECKING:
    from PySide6.QtGui import QCloseEvent

    from mcp_inspector.session.listing import Page, Stepper
    from mcp_inspector.session.server import Server
    from mcp_inspector.ui.bridge import Job
    from mcp_inspector.ui.desk import Desk

_TITLES = {
    What.TOOLS: "Tools",
    What.RESOURCES: "Resources",
    What.TEMPLATES: "Resource templates",
    What.PROMPTS: "Prompts",
}
_MOST_AT_ONCE = 500


class StepperDialog(QDialog):
    """Not modal; what the window lists by itself is left alone."""

    def __init__(self, desk: Desk, server: Server, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(f"Lists of {server.name[:60]}, page by page")
        self.setModal(False)
        self._desk, self._server = desk, server
        self._stepper: Stepper | None = None
        self._job: Job | None = None
        self.what = QComboBox()
        self.what.setAccessibleName("List")
        for what, title in _TITLES.items():
            self.what.addItem(title, what)
        self.what.currentIndexChanged.connect(self.begin)
        self.next_button = QPushButton(icons.icon("arrow-right", "on_accent"), "Next page")
        theme.mark(self.next_button, kind="primary")
        self.next_button.clicked.connect(self.step)
        self.all_button = QPushButton("All the rest")
        self.all_button.clicked.connect(lambda: self._run(_MOST_AT_ONCE))
        self.again_button = QPushButton(icons.icon("undo-2"), "Begin again")
        self.again_button.clicked.connect(self.begin)
        self.state = ElidedLabel(tone="muted", size="small")
        self.pages = QTableWidget(0, len(HEADS))
        self.pages.setHorizontalHeaderLabels(list(HEADS))
        self.pages.verticalHeader().hide()
        self.pages.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 8)
        header = self.pages.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setStretchLastSection(True)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        for at, wide in enumerate((50, 150, 150, 70, 60, 80)):
            header.resizeSection(at, wide)
        self.pages.setShowGrid(False)
        self.pages.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.pages.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.pages.setAccessibleName("Pages")
        self.pages.itemSelectionChanged.connect(self._show_items)
        self.pages.itemActivated.connect(lambda _: self._show_record())
        self.items = QListWidget()
        self.items.setAccessibleName("Entries of the page")
        self.warnings = QLabel()
        self.warnings.setTextFormat(Qt.TextFormat.PlainText)
        self.warnings.setWordWrap(True)
        theme.mark(self.warnings, role="warn")
        self._lay_out()
        self.begin()
        self.resize(900, 480)

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        for widget in (self.what, self.next_button, self.all_button, self.again_button):
            head.addWidget(widget)
        head.addWidget(self.state, 1)
        splitter = QSplitter(Qt.Orientation.Horizontal)
        splitter.setChildrenCollapsible(False)
        splitter.addWidget(self.pages)
        splitter.addWidget(self.items)
        splitter.setStretchFactor(0, 3)
        splitter.setStretchFactor(1, 1)
        layout = QVBoxLayout(self)
        layout.addLayout(head)
        layout.addWidget(splitter, 1)
        layout.addWidget(self.warnings)

    def show_list(self, what: str) -> None:
        """Choose a list by its name; nothing is asked for yet."""
        at = next((at for at, one in enumerate(_TITLES) if one == what), -1)
        if at >= 0:
            self.what.setCurrentIndex(at)

    def begin(self) -> None:
        """Forget the pages; nothing is asked for yet."""
        if self._job is not None:
            self._job.cancel()
        self._stepper = self._server.stepper(What(self.what.currentData()))  # Qt makes plain text of it
        self.pages.setRowCount(0)
        self.items.clear()
        self._tell()

    def step(self) -> None:
        """Ask for the next page."""
        self._run(1)

    def _run(self, pages: int) -> None:
        stepper = self._stepper
        if stepper is None or stepper.done or (self._job is not None and self._job.running):
            return

        async def work() -> None:
            for _ in range(pages):
                await stepper.step()
                if isValid(self) and self._stepper is stepper:
                    self._show_pages(stepper)
                if stepper.done:
                    break

        self._job = bridge.spawn(work(), what=f"reading {stepper.what} page by page", finally_=self._settled)
        self._tell()

    def _settled(self) -> None:
        self._job = None
        if isValid(self):
            self._tell()

    def _show_pages(self, stepper: Stepper) -> None:
        if len(stepper.pages) < self.pages.rowCount():  # it began again by itself
            self.pages.setRowCount(0)
        for page in stepper.pages[self.pages.rowCount() :]:
            row = self.pages.rowCount()
            self.pages.insertRow(row)
            odd = oddities(stepper.pages, page)
            for column, text in enumerate(cells(page, odd)):
                item = QTableWidgetItem(text)
                if odd:
                    item.setForeground(theme.colour("warn"))
                self.pages.setItem(row, column, item)
            self.pages.selectRow(row)
        self._tell()

    def _tell(self) -> None:
        stepper = self._stepper
        running = self._job is not None and self._job.running
        can = stepper is not None and not stepper.done and not running
        self.next_button.setEnabled(can)
        self.all_button.setEnabled(can)
        self.next_button.setText("First page" if not self.pages.rowCount() else "Next page")
        if stepper is None:
            self.state.setText(
                f"{plain.line(self._server.name, 40)} is {self._server.status.words()}: connect it first"
            )
            self.warnings.setText("")
            return
        listing = stepper.listing()
        count = plain.count(len(listing.items), "entry", "entries")
        done = (
            "the list is complete"
            if stepper.done and not listing.why
            else "stopped"
            if stepper.done
            else "more to come"
        )
        self.state.setText(f"{count} on {plain.count(len(stepper.pages), 'page')}, {done}" if stepper.pages else "")
        self.warnings.setText(plain.lines("\n".join(filter(None, (listing.why, *listing.warnings)))))
        self.warnings.setVisible(bool(self.warnings.text()))

    def _page(self) -> Page | None:
        rows = {index.row() for index in self.pages.selectedIndexes()}
        row = next(iter(rows), -1)
        return self._stepper.pages[row] if self._stepper is not None and 0 <= row < len(self._stepper.pages) else None

    def _show_items(self) -> None:
        page = self._page()
        self.items.clear()
        if page is not None and self._stepper is not None:
            self.items.addItems(item_words(self._stepper.pages, page))

    def _show_record(self) -> None:
        page = self._page()
        if page is not None and page.outcome.call:
            self._desk.record_requested.emit(page.outcome.call)

    def closeEvent(self, event: QCloseEvent) -> None:
        """What is under way is dropped."""
        if self._job is not None:
            self._job.cancel()
        super().closeEvent(event)
