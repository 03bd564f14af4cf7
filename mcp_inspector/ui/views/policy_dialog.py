"""What may be called: what the policy does with every tool that is known, and where the person decides otherwise."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from mcp_inspector.config.policy import ANY, Rule
from mcp_inspector.config.safe_write import EditRefused
from mcp_inspector.ui import icons, plain, theme
from mcp_inspector.ui.widgets.inputs import SearchEdit
from mcp_inspector.ui.widgets.labels import ElidedLabel
from mcp_inspector.ui.widgets.visible import tooltip

if TYPE_CHECKING:
    from mcp_inspector.session.approval import Foreseen
    from mcp_inspector.ui.desk import Desk

_MARKS = {Rule.ALLOW: ("circle-check", "ok"), Rule.ASK: ("circle-help", "warn"), Rule.DENY: ("ban", "error")}
_CHOICES: tuple[tuple[str, Rule | None], ...] = (
    ("by its hints", None),
    ("allow", Rule.ALLOW),
    ("ask", Rule.ASK),
    ("deny", Rule.DENY),
)
_MOST = 2_000


class PolicyDialog(QDialog):
    """Not modal. A dry run: nothing is called. Every change holds at once."""

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("What may be called")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._desk = desk
        self._rows: list[Foreseen] = []
        self.search = SearchEdit("Filter tools")
        self.search.textChanged.connect(self.refresh)
        self._count = ElidedLabel(tone="muted", size="small")
        self.tree = QTreeWidget()
        self.tree.setHeaderLabels(("Tool", "A call now", "Rule", "Hints", "Why"))
        self.tree.setAccessibleName("Tools and what the policy does with them")
        self.tree.setIconSize(QSize(14, 14))
        self.tree.setUniformRowHeights(True)
        header = self.tree.header()
        for column, wide in enumerate((210, 110, 130, 260)):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Interactive)
            self.tree.setColumnWidth(column, wide)
        close = QPushButton("Close")
        close.clicked.connect(self.close)
        about = ElidedLabel(
            "A tool's hints are its server's own words. Without a rule, what may destroy asks and what only reads is "
            "allowed.",
            "muted",
            "small",
        )
        head = QHBoxLayout()
        head.addWidget(self.search, 1)
        head.addWidget(self._count, 1)
        foot = QHBoxLayout()
        foot.addWidget(about, 1)
        foot.addWidget(close)
        layout = QVBoxLayout(self)
        layout.addLayout(head)
        layout.addWidget(self.tree, 1)
        layout.addLayout(foot)
        self.resize(960, 560)
        desk.servers.refreshed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Ask the policy about all tools anew."""
        gate = self._desk.gate
        if gate is None:
            return
        rows = gate.dry_run(tuple(self._desk.servers.servers))
        wanted = self.search.text().casefold()
        self._rows = [row for row in rows if wanted in f"{row.server} {row.tool}".casefold()][:_MOST]
        self.tree.clear()
        tops: dict[str, QTreeWidgetItem] = {}
        for row in self._rows:
            top = tops.get(row.server)
            if top is None:
                top = tops[row.server] = QTreeWidgetItem(self.tree, [plain.line(row.server, 80)])
                top.setFont(0, theme.font(bold=True))
                self._add_choice(top, row.server, ANY)
            self._add(top, row)
        self.tree.expandAll()
        counts = {rule: sum(row.decision.rule is rule for row in self._rows) for rule in Rule}
        words = ", ".join(f"{count} {rule.value}" for rule, count in counts.items() if count)
        self._count.setText(words or "No tools are known: connect a server first.")

    def _add(self, top: QTreeWidgetItem, row: Foreseen) -> None:
        decision = row.decision
        icon, tone = _MARKS[decision.rule]
        cells = [
            plain.line(row.tool, 120),
            decision.rule.value,
            "",
            decision.hints.words,
            plain.line(decision.why, 300),
        ]
        item = QTreeWidgetItem(top, cells)
        item.setIcon(1, icons.icon(icon, tone))
        item.setForeground(1, theme.colour(tone))
        item.setToolTip(3, tooltip("\n".join(hint.words for hint in decision.hints.hints)))
        item.setToolTip(4, tooltip("\n".join((decision.why, *decision.diff[:40]))))
        self._add_choice(item, row.server, row.tool)

    def _add_choice(self, item: QTreeWidgetItem, server: str, tool: str) -> None:
        gate = self._desk.gate
        assert gate is not None
        now = gate.policy.rules.get(server, {}).get(tool)
        choice = QComboBox()
        choice.setAccessibleName(f"Rule for {tool} of {server}")
        for words, rule in _CHOICES:
            choice.addItem("no rule" if tool == ANY and rule is None else words, rule)
        choice.setCurrentIndex([rule for _, rule in _CHOICES].index(now))
        choice.activated.connect(partial(self._chosen, server, tool))
        self.tree.setItemWidget(item, 2, choice)

    def _chosen(self, server: str, tool: str, index: int) -> None:
        gate = self._desk.gate
        if gate is None:
            return
        try:
            gate.put(server, tool, _CHOICES[index][1])
        except EditRefused as refused:
            self._desk.notices.say(str(refused))
        self.refresh()
