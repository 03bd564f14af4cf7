"""What the window does with findings: judges the sessions it shows, lists what is wrong, leads to the records."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from mcp_inspector.ui.panels import bring, fill

if TYPE_CHECKING:
    from mcp_inspector.store.log import Log
    from mcp_inspector.ui.main_window import MainWindow
    from mcp_inspector.ui.models.findings import Findings
    from mcp_inspector.ui.views.findings import FindingsView
    from mcp_inspector.ui.views.traffic_place import TrafficPlace


class FindingActions(QObject):
    """Owns the view in the Findings dock. Everything is imported when the core is there."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self.view: FindingsView | None = None
        self.live: Findings | None = None

    def attach(self, place: TrafficPlace, log: Log) -> None:
        """Judge the live session, and list the findings of the one that Traffic shows."""
        from mcp_inspector.ui.models.findings import Findings
        from mcp_inspector.ui.views.findings import FindingsView

        desk, window = self._window.desk, self._window
        self._place = place
        self.live = desk.findings = Findings(log, desk.memory, self)
        self.live.changed.connect(desk.judged)
        place.live.model.set_findings(self.live)
        self.view = FindingsView(desk)
        self.view.counted.connect(self._counted)
        self.view.rules_wanted.connect(self.show_rules)
        self.view.reveal_wanted.connect(self.reveal)
        fill(window.panels.findings_dock.widget(), self.view)
        place.changed.connect(self._session_shown)
        window.status.findings.clicked.connect(self.show)
        desk.findings_requested.connect(self.show_tool)
        self.view.show_findings(self.live)

    def show(self) -> None:
        """Show what is wrong, with the keyboard in the groups."""
        bring(self._window.panels.findings_dock)
        if self.view is not None:
            self.view.groups.setFocus()

    def show_tool(self, server: str, tool: str) -> None:
        """Show what is wrong with one tool."""
        self._window.places.back_to_live()
        self.show()
        if self.view is not None:
            self.view.choose(server, tool)

    def show_rules(self) -> None:
        """Open the list of rules."""
        from mcp_inspector.ui.views.rules_dialog import RulesDialog

        if self.view is not None and self.view.findings is not None:
            RulesDialog(self.view.findings, self._window).show()

    def reveal(self, seq: int) -> None:
        """Show a record at fault, in the session that is shown, with what is wrong with it."""
        bring(self._window.traffic_dock)
        self._place.shown.reveal(seq)
        self._place.shown.detail.show_part("checks")

    def _session_shown(self) -> None:
        """Another session is in Traffic: what is wrong with it is judged when it is first looked at."""
        from mcp_inspector.ui.models.findings import Findings

        model = self._place.shown.model
        if model.findings is None:
            model.set_findings(Findings(model.log, self._window.desk.memory, model))
        if self.view is not None and model.findings is not None:
            self.view.show_findings(model.findings)

    def _counted(self, findings: int, errors: int) -> None:
        dock = self._window.panels.findings_dock
        dock.setWindowTitle(f"Findings ({findings:,})" if findings else "Findings")
        self._window.status.show_findings(findings, errors)
