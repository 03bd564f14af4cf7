"""The Checks tab of a message: what the rules say of it, each with its source."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from mcp_inspector.ui import theme
from mcp_inspector.ui.models.findings import ICONS, TONES, explained
from mcp_inspector.ui.widgets.labels import EmptyState, Pill
from mcp_inspector.ui.widgets.rows import Fact, KeyValueRows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mcp_inspector.checks.rule import Finding

_MOST = 50
_LEFT_OUT = ("server", "about", "records")


class ChecksPane(QScrollArea):
    """The findings about one row, worst first; faults that no rule has judged yet stand behind them."""

    def __init__(self) -> None:
        super().__init__()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._shown: tuple[Sequence[Finding], Sequence[str], bool] | None = None

    @property
    def waits(self) -> bool:
        """Whether it shows a row that the rules have not seen."""
        return self._shown is not None and not self._shown[2]

    def show_findings(self, findings: Sequence[Finding], faults: Sequence[str], *, judged: bool) -> None:
        """Show these; `judged` says that the rules have seen the row."""
        wanted = (findings, faults, judged)
        if wanted == self._shown:
            return
        self._shown = wanted
        if not findings and not faults:
            detail = "" if judged else "It is judged when its turn comes."
            self.setWidget(EmptyState("circle-check", "Nothing found" if judged else "Not judged yet", detail))
            return
        page = QWidget()
        theme.mark(page, surface="base")
        layout = QVBoxLayout(page)
        layout.setContentsMargins(2, 6, 2, 8)
        layout.setSpacing(0)
        for finding in findings[:_MOST]:
            pill = Pill(finding.severity.word, TONES[finding.severity], ICONS[finding.severity])
            line = QWidget()
            row = QVBoxLayout(line)
            row.setContentsMargins(10, 4, 10, 0)
            row.addWidget(pill, 0, Qt.AlignmentFlag.AlignLeft)
            layout.addWidget(line)
            facts = [
                Fact(name, value, mono=name in ("name", "address"))
                for name, value in explained(finding)
                if name not in _LEFT_OUT
            ]
            layout.addWidget(KeyValueRows(facts))
        if not findings:
            layout.addWidget(KeyValueRows([Fact("", fault, tone="warn") for fault in faults[:_MOST]]))
        if len(findings) > _MOST:
            layout.addWidget(KeyValueRows([Fact("", "There are more; the Findings panel lists them all.")]))
        layout.addStretch(1)
        self.setWidget(page)
