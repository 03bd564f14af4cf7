"""The Findings dock: what is wrong, per rule, server or tool; the findings of a group; and one of them explained."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QSplitter,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from mcp_inspector.checks.rule import Severity
from mcp_inspector.ui import icons, plain, theme
from mcp_inspector.ui.bridge import Pull
from mcp_inspector.ui.models.findings import (
    LINE,
    TONES,
    Line,
    Rows,
    as_markdown,
    explained,
    lines,
    passing,
)
from mcp_inspector.ui.views.finding_rows import FindingList, FindingRow, GroupRow
from mcp_inspector.ui.views.strip import Strip
from mcp_inspector.ui.widgets.inputs import SearchEdit
from mcp_inspector.ui.widgets.labels import ElidedLabel, EmptyState
from mcp_inspector.ui.widgets.rows import Fact, KeyValueRows
from mcp_inspector.ui.widgets.visible import tooltip

if TYPE_CHECKING:
    from mcp_inspector.checks.rule import Finding
    from mcp_inspector.ui.desk import Desk
    from mcp_inspector.ui.models.findings import Findings

_MONO = ("name", "address", "records", "judged under")


class FindingsView(QWidget):
    """Shows the findings of the session that Traffic shows."""

    reveal_wanted = Signal(int)
    """Show a record in Traffic."""
    rules_wanted = Signal()
    counted = Signal(int, int)
    """How many findings there are, and how many of them are errors."""

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self._findings: Findings | None = None
        self._key = ""
        self._pull = Pull(self.refresh, self)
        self.search = SearchEdit("Filter findings")
        self.by = _choice("Group by", (("by rule", "rule"), ("by server", "server"), ("by tool", "tool")))
        self.least = _choice("Severity", (("All", 1), ("Warnings and errors", 2), ("Errors", 3)))
        self.scope = _button("server", "Only the chosen server, or all", checkable=True)
        self.scope.setText("This server")
        self.scope.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.rules = _button("settings", "Rules: switch each on or off")
        self.copy_all = _button("clipboard-copy", "Copy what is listed as Markdown")
        self._count = ElidedLabel(tone="muted", size="small")
        self._strip = Strip()
        self._strip.activated.connect(lambda _: self.rules_wanted.emit())
        self.groups = FindingList("Groups of findings", GroupRow(self))
        self.groups_model = Rows(lambda line: f"{line.severity.word} {line.title} {line.count}", self)
        self.groups.setModel(self.groups_model)
        self.list = FindingList("Findings", FindingRow(self))
        self.model = Rows(lambda finding: f"{finding.severity.word} {finding.sentence}", self)
        self.list.setModel(self.model)
        self.facts = KeyValueRows()
        self.show_button = QPushButton(icons.icon("arrow-left-right"), "Traffic")
        self.show_button.setToolTip("Show the message in Traffic (Return)")
        self.copy_button = _button("copy", "Copy this finding (Ctrl+C)")
        self.off_button = _button("eye-off", "Switch this rule off")
        self._empty = EmptyState("circle-check", "Nothing found")
        self._stack = QStackedWidget()
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(8, 4, 6, 4)
        head.setSpacing(6)
        head.addWidget(self.search, 1)
        for widget in (self.by, self.least, self.scope, self._count, self.copy_all, self.rules):
            head.addWidget(widget)
        band = QWidget()
        theme.mark(band, surface="window")
        band.setLayout(head)
        foot = QHBoxLayout()
        foot.setContentsMargins(10, 2, 10, 8)
        for button in (self.show_button, self.copy_button, self.off_button):
            foot.addWidget(button)
        foot.addStretch(1)
        page = QWidget()
        theme.mark(page, surface="base")
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.facts)
        column.addLayout(foot)
        column.addStretch(1)
        self._page = page
        about = QScrollArea()
        about.setFrameShape(QScrollArea.Shape.NoFrame)
        about.setWidgetResizable(True)
        about.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        about.setWidget(page)
        page.setMinimumWidth(150)
        splitter = QSplitter(Qt.Orientation.Horizontal)
        splitter.setChildrenCollapsible(False)
        for part, least in ((self.groups, 110), (self.list, 130), (about, 170)):
            part.setMinimumWidth(least)
            splitter.addWidget(part)
        self._desk.memory.splitter("findings.splitter", splitter, [300, 460, 330])
        self._stack.addWidget(splitter)
        self._stack.addWidget(self._empty)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(band)
        layout.addWidget(self._strip)
        layout.addWidget(self._stack, 1)

    def _connect(self) -> None:
        memory = self._desk.memory
        self.by.setCurrentIndex(max(0, self.by.findData(memory.get("findings.by", "rule"))))
        self.least.setCurrentIndex(max(0, self.least.findData(memory.get("findings.least", 1))))
        self.scope.setChecked(memory.get("findings.scope", default=False))
        self.search.textChanged.connect(self._pull.soon)
        self.search.submitted.connect(self.groups.setFocus)
        self.by.currentIndexChanged.connect(self._chosen_otherwise)
        self.least.currentIndexChanged.connect(self._chosen_otherwise)
        self.scope.toggled.connect(self._chosen_otherwise)
        self._desk.server_chosen.connect(self._pull.soon)
        self.groups.selectionModel().currentChanged.connect(self._group_chosen)
        self.list.selectionModel().currentChanged.connect(lambda index, _: self._explain(index))
        self.list.activated.connect(lambda _: self.reveal())
        self.list.copy_wanted.connect(self.copy)
        self.groups.copy_wanted.connect(self._copy_group)
        self.groups.activated.connect(lambda _: self.list.setFocus())
        self.show_button.clicked.connect(self.reveal)
        self.copy_button.clicked.connect(self.copy)
        self.off_button.clicked.connect(self._switch_off)
        self.copy_all.clicked.connect(self._copy_listed)
        self.rules.clicked.connect(self.rules_wanted)

    # --- what is shown ---

    def show_findings(self, findings: Findings) -> None:
        """Show those of another session."""
        if self._findings is not None:
            self._findings.changed.disconnect(self._pull.soon)
        self._findings = findings
        findings.changed.connect(self._pull.soon)
        self.refresh()

    @property
    def findings(self) -> Findings | None:
        """Those that are shown."""
        return self._findings

    @property
    def finding(self) -> Finding | None:
        """The finding that is explained."""
        found: Finding | None = self.list.currentIndex().data(LINE)
        return found

    def refresh(self) -> None:
        """Show what there is now; what is chosen stays chosen."""
        findings = self._findings
        if findings is None:
            return
        judge = findings.judge
        blamed = sum(group.count for group in judge.groups() if not group.ours)
        errors = sum(group.count for group in judge.groups() if group.severity is Severity.ERROR and not group.ours)
        self.counted.emit(blamed, errors)
        server = self._desk.server if self.scope.isChecked() else None
        shown = passing(
            judge.groups(),
            server=server.name if server is not None else None,
            least=Severity(self.least.currentData()),
            text=self.search.text(),
        )
        found = lines(shown, self.by.currentData())
        finding = self.finding
        self.groups_model.show(found)
        place = next((number for number, line in enumerate(found) if line.key == self._key), 0)
        if found:
            self.groups.setCurrentIndex(self.groups_model.index(place))
            self._show_group(found[place], finding)
        self._tell(found, blamed + sum(group.count for group in judge.groups() if group.ours))

    def _show_group(self, line: Line, chosen: Finding | None = None) -> None:
        found = line.findings
        moved = self.model.show(found)
        if moved or not self.list.currentIndex().isValid():
            place = found.index(chosen) if chosen in found else 0
            self.list.setCurrentIndex(self.model.index(place))

    def _tell(self, found: list[Line], all_of_them: int) -> None:
        findings = self._findings
        assert findings is not None
        total = sum(line.count for line in found)
        words = [plain.count(total, "finding") if total == all_of_them else f"{total:,} of {all_of_them:,}"]
        if findings.behind:
            words.append(f"{findings.behind:,} records to judge")
        self._count.setText(" · ".join(words))
        if findings.off:
            self._strip.say(f"{plain.count(len(findings.off), 'rule')} switched off", "", "accent", "rules", "Rules…")
        else:
            self._strip.hide()
        self.copy_all.setEnabled(bool(found))
        if found:
            self._stack.setCurrentIndex(0)
            return
        if all_of_them:
            self._empty.set("Nothing passes the filter", f"{plain.count(all_of_them, 'finding')} in all.", "", "search")
        else:
            detail = "Every message is judged by the specification of the version it was sent under."
            self._empty.set("Nothing found", detail, "", "circle-check")
        self._stack.setCurrentIndex(1)

    def _chosen_otherwise(self, *_: object) -> None:
        memory = self._desk.memory
        memory.put("findings.by", self.by.currentData())
        memory.put("findings.least", self.least.currentData())
        memory.put("findings.scope", self.scope.isChecked())
        self.refresh()

    def _group_chosen(self, index: QModelIndex) -> None:
        line = index.data(LINE)
        if isinstance(line, Line):
            self._key = line.key
            self._show_group(line)

    def _explain(self, index: QModelIndex) -> None:
        finding: Finding | None = index.data(LINE)
        self._page.setVisible(finding is not None)
        if finding is None:
            return
        tone = TONES[finding.severity]
        facts = [
            Fact(name, value, mono=name in _MONO, tone=tone if not name else "text")
            for name, value in explained(finding)
        ]
        self.facts.set_facts(facts)
        self.off_button.setToolTip(tooltip(f"Switch the rule off: do not show what {finding.rule.id} finds"))

    # --- what can be done ---

    def choose(self, server: str, tool: str) -> None:
        """List the findings about one tool of a server."""
        self.by.setCurrentIndex(self.by.findData("tool"))
        self.search.clear()
        self._key = f"{False}{server}\n{tool}"
        self.refresh()

    def reveal(self) -> None:
        """Show the record at fault in Traffic."""
        finding = self.finding
        if finding is not None and finding.seq:
            self.reveal_wanted.emit(finding.seq)

    def copy(self) -> None:
        """Put the chosen finding on the clipboard."""
        finding = self.finding
        if finding is not None:
            text = "\n".join(f"{name}: {value}" if name else value for name, value in explained(finding) if value)
            QGuiApplication.clipboard().setText(text)

    def _copy_group(self) -> None:
        line = self.groups.currentIndex().data(LINE)
        if isinstance(line, Line):
            QGuiApplication.clipboard().setText(as_markdown(line.findings))

    def _copy_listed(self) -> None:
        found = [finding for line in self.groups_model.items for finding in line.findings]
        QGuiApplication.clipboard().setText(as_markdown(found))
        self._desk.notices.say(f"{plain.count(len(found), 'finding')} copied as Markdown.", key="copied")

    def _switch_off(self) -> None:
        finding = self.finding
        if finding is not None and self._findings is not None:
            self._findings.switch(finding.rule.id, on=False)
            self.refresh()


def _choice(name: str, options: tuple[tuple[str, object], ...]) -> QComboBox:
    box = QComboBox()
    box.setAccessibleName(name)
    for words, value in options:
        box.addItem(words, value)
    return box


def _button(icon: str, tip: str, *, checkable: bool = False) -> QToolButton:
    button = QToolButton()
    button.setIcon(icons.icon(icon))
    button.setToolTip(tip)
    button.setAccessibleName(tip)
    button.setCheckable(checkable)
    return button
