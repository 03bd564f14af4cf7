"""All rules by subject, each with a box to switch it on or off. Not modal; every change holds at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPushButton, QTreeWidget, QTreeWidgetItem, QVBoxLayout, QWidget

from mcp_inspector.checks.catalogue import GROUPS, RULES
from mcp_inspector.ui import icons, plain, theme
from mcp_inspector.ui.models.findings import ICONS, TONES
from mcp_inspector.ui.widgets.inputs import SearchEdit
from mcp_inspector.ui.widgets.labels import ElidedLabel
from mcp_inspector.ui.widgets.visible import tooltip

if TYPE_CHECKING:
    from mcp_inspector.checks.rule import Rule
    from mcp_inspector.ui.models.findings import Findings

_RULE = Qt.ItemDataRole.UserRole
_CHECK = 0


class RulesDialog(QDialog):
    """The list of rules of one session's findings; which are off is remembered for all."""

    def __init__(self, findings: Findings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Rules")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._findings = findings
        self.search = SearchEdit("Filter rules")
        self._count = ElidedLabel(tone="muted", size="small")
        self.tree = QTreeWidget()
        self.tree.setHeaderLabels(("Rule", "Name", "Specification"))
        self.tree.setAccessibleName("Rules")
        self.tree.setUniformRowHeights(True)
        self.tree.setIconSize(QSize(14, 14))
        self.all_on = QPushButton(icons.icon("check"), "Switch all on")
        close = QPushButton("Close")
        self._fill()
        head = QHBoxLayout()
        head.addWidget(self.search, 1)
        head.addWidget(self._count)
        foot = QHBoxLayout()
        foot.addWidget(self.all_on)
        foot.addStretch(1)
        foot.addWidget(close)
        layout = QVBoxLayout(self)
        layout.addLayout(head)
        layout.addWidget(self.tree, 1)
        layout.addLayout(foot)
        self.search.textChanged.connect(self._filter)
        self.tree.itemChanged.connect(self._switched)
        self.all_on.clicked.connect(self._switch_all_on)
        close.clicked.connect(self.close)
        self.resize(900, 560)
        self._tell()

    def _fill(self) -> None:
        off = self._findings.off
        for subject, rules in GROUPS.items():
            top = QTreeWidgetItem(self.tree, [subject])
            top.setFont(0, theme.font(bold=True))
            top.setFlags(Qt.ItemFlag.ItemIsEnabled)
            for rule in rules:
                self._add(top, rule, on=rule.id not in off)
        self.tree.expandAll()
        self.tree.setColumnWidth(0, 500)
        self.tree.setColumnWidth(1, 180)

    def _add(self, top: QTreeWidgetItem, rule: Rule, *, on: bool) -> None:
        where, _ = rule.section(rule.until)
        item = QTreeWidgetItem(top, [rule.sentence, rule.id, where])
        item.setIcon(0, icons.icon(ICONS[rule.severity], TONES[rule.severity]))
        item.setData(0, _RULE, rule.id)
        item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsUserCheckable)
        item.setCheckState(_CHECK, Qt.CheckState.Checked if on else Qt.CheckState.Unchecked)
        versions = f"{rule.since} to {rule.until}" if rule.since != rule.until else rule.since
        item.setToolTip(0, tooltip(f"{rule.sentence}\n{rule.severity.word}, {versions}\n{where}"))

    def _tops(self) -> list[QTreeWidgetItem]:
        tops = (self.tree.topLevelItem(number) for number in range(self.tree.topLevelItemCount()))
        return [top for top in tops if top is not None]

    @staticmethod
    def _below(top: QTreeWidgetItem) -> list[QTreeWidgetItem]:
        items = (top.child(number) for number in range(top.childCount()))
        return [item for item in items if item is not None]

    def _switched(self, item: QTreeWidgetItem) -> None:
        name = item.data(0, _RULE)
        if isinstance(name, str):
            self._findings.switch(name, on=item.checkState(_CHECK) is Qt.CheckState.Checked)
            self._tell()

    def _switch_all_on(self) -> None:
        blocked = self.tree.blockSignals(True)
        for top in self._tops():
            for item in self._below(top):
                item.setCheckState(_CHECK, Qt.CheckState.Checked)
        self.tree.blockSignals(blocked)
        self.tree.viewport().update()
        self._findings.set_off(())
        self._tell()

    def _filter(self, text: str) -> None:
        wanted = text.strip().casefold()
        for top in self._tops():
            shown = 0
            for item in self._below(top):
                hides = wanted not in f"{item.text(0)} {item.text(1)} {item.text(2)}".casefold()
                item.setHidden(hides)
                shown += not hides
            top.setHidden(not shown)

    def _tell(self) -> None:
        off = len(self._findings.off)
        words = plain.count(len(RULES), "rule")
        self._count.setText(f"{words}, {off} off" if off else words)
        self.all_on.setEnabled(bool(off))
