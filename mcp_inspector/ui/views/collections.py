"""Collections: what is in them, run with progress, and what each result says; edited in place."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QHeaderView,
    QMenu,
    QProgressBar,
    QPushButton,
    QSizePolicy,
    QSpinBox,
    QSplitter,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from mcp_inspector.actions.collection import Action, Collection, Kind
from mcp_inspector.actions.results import Status
from mcp_inspector.actions.runner import MAX_PARALLEL, Options
from mcp_inspector.config.command_line import join
from mcp_inspector.ui import icons, plain, theme
from mcp_inspector.ui.models.acting import Acting
from mcp_inspector.ui.models.collection_run import CollectionRun
from mcp_inspector.ui.views.action_detail import ActionDetail
from mcp_inspector.ui.views.approval import ApprovalBar
from mcp_inspector.ui.views.collection_deeds import CollectionDeeds
from mcp_inspector.ui.views.collection_tree import CollectionTree, children_of
from mcp_inspector.ui.views.strip import Strip
from mcp_inspector.ui.widgets.inputs import SearchEdit
from mcp_inspector.ui.widgets.labels import ElidedLabel, EmptyState
from mcp_inspector.ui.widgets.visible import tooltip

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from mcp_inspector.config.entry import ServerEntry
    from mcp_inspector.ui.desk import Desk

_PLACE = Qt.ItemDataRole.UserRole
_MARKS = {
    Status.WAITING: ("clock", "muted"),
    Status.RUNNING: ("loader", "accent"),
    Status.PASSED: ("circle-check", "ok"),
    Status.FAILED: ("circle-x", "error"),
    Status.ERROR: ("ban", "warn"),
    Status.SKIPPED: ("circle-slash", "muted"),
}
_KINDS = {Kind.TOOL: "wrench", Kind.PROMPT: "message-square-text", Kind.RESOURCE: "file-text", Kind.CHAIN: "list-tree"}
_LOW = 760


class CollectionsView(QWidget):
    """The panel."""

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.desk = desk
        self._asked: tuple[list[Collection], list[Action]] | None = None
        self._missing: list[ServerEntry] = []
        self._given: dict[str, str] = {}
        self.bar = ApprovalBar()
        self.acting = Acting(desk, self.bar, self)
        self.run = CollectionRun(desk, self.acting, self)
        self.strip = Strip()
        self.strip.activated.connect(self._strip_pressed)
        self.tree = CollectionTree()
        self.detail = ActionDetail(desk, self.acting)
        self.deeds = CollectionDeeds(self)
        self._build_head()
        self._build_tree()
        self._lay_out()
        desk.shelf.changed.connect(self.refresh)
        self.run.changed.connect(self._run_moved)
        self.detail.saved.connect(self.refresh)
        self.refresh()

    # --- building ---

    def _build_head(self) -> None:
        self.files = QPushButton(icons.icon("folder-open"), "Collection")
        self.files.setToolTip("Open a collection, make one, open the example")
        self.files.setAccessibleName("Collection")
        menu = QMenu(self)
        menu.addAction(icons.icon("folder-open"), "Open…", self.deeds.ask_open)
        menu.addAction(icons.icon("plus"), "New…", self.deeds.ask_new)
        menu.addAction(icons.icon("bookmark"), "Open the example over the demo server", self.deeds.open_example)
        menu.addSeparator()
        self.paste_action = menu.addAction(icons.icon("clipboard"), "Paste an action", self.deeds.paste)
        self.files.setMenu(menu)
        self.environment = QComboBox()
        self.environment.setAccessibleName("Environment")
        self.environment.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.environment.setMinimumContentsLength(4)
        self.environment.setMaximumWidth(170)
        self.environment.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.environment.setToolTip("The environment whose variables count")
        self.parallel = QSpinBox()
        self.parallel.setRange(1, MAX_PARALLEL)
        self.parallel.setSuffix(" at once")
        self.parallel.setToolTip("How many actions run at once")
        self.parallel.setAccessibleName("At once")
        self.parallel.setMinimumWidth(80)
        self.parallel.setMaximumWidth(130)
        self.parallel.lineEdit().setTextMargins(5, 0, 0, 0)  # the style sheet's padding does not reach it
        self.filter = SearchEdit("Filter actions")
        self.filter.textChanged.connect(self.refresh)
        self.all_button = QPushButton(icons.icon("play", "on_accent"), "Run")
        theme.mark(self.all_button, kind="primary")
        self.all_button.setToolTip("Run what is selected: a collection, or single actions")
        self.all_button.clicked.connect(self.run_selected)
        self.again_button = QPushButton(icons.icon("rotate-cw"), "Failed again")
        self.again_button.setToolTip("Run again what failed")
        self.again_button.setAccessibleName("Failed again")
        self.again_button.clicked.connect(self.run.again)
        self.cancel_button = QPushButton(icons.icon("square"), "Cancel")
        self.cancel_button.clicked.connect(self.run.cancel)
        self.words = ElidedLabel(tone="muted", size="small")
        self.progress = QProgressBar()
        self.progress.setTextVisible(False)
        self.progress.setFixedHeight(3)
        self.progress.hide()

    def _build_tree(self) -> None:
        self.tree.setHeaderLabels(("Action", "Outcome", "Time"))
        self.tree.setAccessibleName("Collections")
        self.tree.setUniformRowHeights(True)
        self.tree.setIndentation(14)
        self.tree.setIconSize(QSize(14, 14))
        self.tree.setSelectionMode(QTreeWidget.SelectionMode.ExtendedSelection)
        header = self.tree.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for column in (1, 2):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Fixed)
        self.tree.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.tree.customContextMenuRequested.connect(self.deeds.open_menu)
        self.tree.itemSelectionChanged.connect(self._show_detail)
        self.tree.itemActivated.connect(lambda _: self.run_selected())
        self.empty = EmptyState(
            "bookmark",
            "No collection is open",
            "A collection is a file of saved calls with what their results must be. "
            "Save a call from its result or from Traffic, open a file, or look at the example.",
            "Open the example",
        )
        self.empty.activated.connect(self.deeds.open_example)

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(8, 4, 8, 4)
        head.setSpacing(6)
        for widget in (self.files, self.filter, self.environment, self.parallel):
            head.addWidget(widget)
        head.addWidget(self.words, 1)
        for button in (self.again_button, self.cancel_button, self.all_button):
            head.addWidget(button)
        self.filter.setMaximumWidth(200)
        self.filter.setMinimumWidth(70)
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.addWidget(self.tree)
        self.splitter.addWidget(self.detail)
        self.desk.memory.splitter("collections.splitter", self.splitter, [480, 620])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        band = QWidget()
        theme.mark(band, surface="window")
        band.setLayout(head)
        for part in (band, self.progress, self.strip, self.bar):
            layout.addWidget(part)
        layout.addWidget(self.splitter, 1)
        layout.addWidget(self.empty, 1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In a narrow panel words give way to what is done."""
        super().resizeEvent(event)
        narrow = self.width() < _LOW
        self.files.setText("" if narrow else "Collection")
        self.again_button.setText("" if narrow else "Failed again")

    # --- what is shown ---

    def refresh(self) -> None:
        """Show the collections as they are."""
        chosen = {self._key(item) for item in self.tree.selectedItems()}
        wanted = self.filter.text().casefold()
        self.tree.blockSignals(True)
        self.tree.clear()
        for collection in self.desk.shelf.collections:
            top = QTreeWidgetItem(self.tree, [plain.line(collection.name, 80)])
            top.setFont(0, theme.font(bold=True))
            top.setData(0, _PLACE, (str(collection.path), ""))
            top.setToolTip(0, tooltip(f"{collection.path}\n{collection.description}".strip()))
            bad = [str(oddity) for oddity in collection.oddities]
            if bad:
                fatal = not collection.usable
                top.setIcon(0, icons.icon("triangle-alert", "error" if fatal else "warn"))
                top.setToolTip(0, tooltip("\n".join((str(collection.path), *bad[:12]))))
            for action in collection.actions:
                if wanted and wanted not in f"{action.name} {action.target} {action.group}".casefold():
                    continue
                item = QTreeWidgetItem(top, [plain.line(action.name, 120)])
                item.setData(0, _PLACE, (str(collection.path), action.name))
                item.setIcon(0, icons.icon(_KINDS[action.kind], "muted"))
                item.setToolTip(0, tooltip(_about(action)))
                self._mark(item, collection, action)
            top.setExpanded(True)
            self._select(top, chosen)
        self.tree.blockSignals(False)
        there = bool(self.desk.shelf.collections)
        self.splitter.setVisible(there)
        self.empty.setVisible(not there)
        self._show_environments()
        self._show_detail()
        self._show_buttons()

    def _select(self, top: QTreeWidgetItem, chosen: set[tuple[str, str]]) -> None:
        for item in (top, *children_of(top)):
            if self._key(item) in chosen:
                item.setSelected(True)

    def _show_environments(self) -> None:
        names = list(dict.fromkeys(one.name for each in self.desk.shelf.collections for one in each.environments))
        shown = [self.environment.itemData(at) for at in range(1, self.environment.count())]
        if shown == names and self.environment.count():
            return
        kept = self.environment.currentData()
        self.environment.clear()
        self.environment.addItem("No environment", "")
        for name in names:
            self.environment.addItem(plain.line(name, 40), name)
        self.environment.setCurrentIndex(max(0, self.environment.findData(kept)))

    def _mark(self, item: QTreeWidgetItem, collection: Collection, action: Action) -> None:
        status = self.run.status((collection.path, action.name))
        results = self.run.results.get((collection.path, action.name), [])
        if status is None:
            item.setText(1, "left out" if action.disabled else "")
            return
        icon, tone = _MARKS[status]
        item.setIcon(1, icons.icon(icon, tone))
        word = "not run" if status is Status.ERROR else status.value
        if len(results) > 1:
            well = sum(result.status is Status.PASSED for result in results)
            word = f"{word} {well}/{len(results)}"
        item.setText(1, word)
        item.setForeground(1, theme.colour(tone))
        if results:
            item.setText(2, plain.elapsed(sum(result.elapsed_ns for result in results)))
            item.setTextAlignment(2, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)

    def _run_moved(self) -> None:
        for at in range(self.tree.topLevelItemCount()):
            top = self.tree.topLevelItem(at)
            for item in children_of(top):
                collection, action = self.of(item)
                if collection is not None and action is not None:
                    self._mark(item, collection, action)
        self._show_detail()
        self._show_buttons()

    def _show_buttons(self) -> None:
        running, runner = self.run.running, self.run.runner
        self.progress.setVisible(running)
        self.cancel_button.setVisible(running)
        self.again_button.setVisible(bool(self.run.failed))
        self.all_button.setEnabled(not running and bool(self.desk.shelf.collections))
        if runner is None:
            self.words.setText("")
            return
        done, count = len(runner.results), len(runner.cases)
        self.progress.setRange(0, max(count, 1))
        self.progress.setValue(done)
        summary = runner.summary
        tone = "muted" if running else "ok" if summary.ok else "error"
        self.words.set_tone(tone)
        self.words.setText(f"{done} of {count}" if running else summary.words)

    def _show_detail(self) -> None:
        items = self.tree.selectedItems()
        collection, action = self.of(items[0]) if len(items) == 1 else (None, None)
        results = self.run.results.get((collection.path, action.name), []) if collection and action else []
        if collection is not None and action is None:
            results = [one for key, some in self.run.results.items() if key[0] == collection.path for one in some]
        self.detail.show_action(collection, action, results)

    # --- what is done ---

    def run_selected(self) -> None:
        """Run the selected collections or actions, all without a selection."""
        pairs = [self.of(item) for item in self.tree.selectedItems()]
        whole = {id(one): one for one, action in pairs if one is not None and action is None}
        single = [action for one, action in pairs if action is not None and one is not None and id(one) not in whole]
        collections = [*{id(one): one for one, _ in pairs if one is not None}.values()]
        if not collections:
            collections = [one for one in self.desk.shelf.collections if one.usable]
        only = single if single and not whole else []
        if single and whole:
            only = [*single, *(action for one in whole.values() for action in one.actions)]
        self._start(collections, only)

    def run_with(self, given: dict[str, str]) -> None:
        """Run what is selected with these values (JSON texts) for variables."""
        self._given = given
        try:
            self.run_selected()
        finally:
            if self._asked is None:
                self._given = {}

    def _start(self, collections: list[Collection], only: list[Action]) -> None:
        broken = [one for one in collections if not one.usable]
        if broken:
            self.strip.say(f"{broken[0].name} cannot be run: {broken[0].oddities[0]}", "", "error")
            return
        self._missing = self.acting.missing(collections)
        if self._missing:
            self._asked = collections, only
            first = self._missing[0]
            shown = first.url if first.remote else join([first.command, *first.args])
            more = f" and {len(self._missing) - 1} more" if len(self._missing) > 1 else ""
            reads = self.acting.references(collections)
            takes = f" It takes {', '.join(reads[:6])}." if reads else ""
            self.strip.say(
                f"{first.name} is not configured. To run this starts: {plain.line(shown, 200)}{more}.{takes}",
                "\n".join(one.url if one.remote else join([one.command, *one.args]) for one in self._missing),
                "warn",
                "start",
                "Start and run",
            )
            return
        given = self.environment.currentData() or ""
        if given and not any(one.environment(given) for one in collections):
            given = ""
        options = Options(parallel=self.parallel.value(), environment=given, given=self._given)
        problem = self.run.start(collections, options, only)
        if problem:
            self.strip.say(problem, "", "error")
        else:
            self.strip.hide()

    def _strip_pressed(self, command: str) -> None:
        if command == "start" and self._asked is not None:
            asked, self._asked = self._asked, None
            self.acting.add_servers(self._missing)
            self._start(*asked)

    def select(self, path: Path | None, name: str = "") -> None:
        """Select a collection, or an action of it."""
        for at in range(self.tree.topLevelItemCount()):
            top = self.tree.topLevelItem(at)
            if top is None or self._key(top)[0] != str(path):
                continue
            found = next((child for child in children_of(top) if self._key(child)[1] == name), top)
            self.tree.setCurrentItem(found)
            return

    # --- which is which ---

    @staticmethod
    def _key(item: QTreeWidgetItem) -> tuple[str, str]:
        path, name = item.data(0, _PLACE)
        return path, name

    def of(self, item: QTreeWidgetItem | None) -> tuple[Collection | None, Action | None]:
        """What a line of the tree stands for."""
        if item is None:
            return None, None
        path, name = self._key(item)
        collection = self.desk.shelf.get(Path(path))
        action = collection.action(name) if collection is not None and name else None
        return collection, action


def _about(action: Action) -> str:
    what = f"{action.kind}: {action.target}" if action.kind is not Kind.CHAIN else f"chain of {len(action.steps)} steps"
    where = ", ".join(action.servers)
    return "\n".join(filter(None, (f"{what} on {where}", action.group, action.description)))
