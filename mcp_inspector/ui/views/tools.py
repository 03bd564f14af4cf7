"""Tools: what the chosen server offers to be called, with the form its schema gives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from PySide6.QtWidgets import QVBoxLayout

from mcp_inspector.session.catalogue import What
from mcp_inspector.ui.models.endings import Large, Verdict, checked, schema_of
from mcp_inspector.ui.models.runs import Runs
from mcp_inspector.ui.views.as_task import AsTask
from mcp_inspector.ui.views.caller import CallerPage, Kind
from mcp_inspector.ui.views.result import ResultView

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from mcp_inspector.session.approval import Decision
    from mcp_inspector.session.server import Server
    from mcp_inspector.ui.desk import Desk
    from mcp_inspector.ui.models import content
    from mcp_inspector.ui.models.arguments import Arguments
    from mcp_inspector.ui.models.items import Row
    from mcp_inspector.ui.models.runs import Run


class ToolKind(Kind):
    """Tools, called with JSON arguments."""

    name = "tools"
    what = What.TOOLS
    method = "tools/call"
    verb = "Call tool"
    idle = "The result comes here"
    as_task: AsTask | None = None
    """The switch beside the arguments."""

    def schema(self, row: Row) -> bytes | None:
        """Its `inputSchema` as it came."""
        return schema_of(row.item.raw, "inputSchema")

    def params(self, row: Row, arguments: Arguments) -> dict[str, Any]:
        """The tool's name and the arguments as they are spelled."""
        params: dict[str, Any] = {"name": row.key, "arguments": msgspec.Raw(arguments.document.wire_bytes())}
        return {**params, "task": {}} if self.as_task is not None and self.as_task.wanted else params

    def start(self, desk: Desk, server: Server, row: Row, arguments: Arguments, more: dict[str, Any]) -> Run:
        """Call it."""
        given = arguments.document.wire_bytes()
        as_task = self.as_task is not None and self.as_task.wanted
        return desk.runs.start(
            server,
            self.method,
            row.key,
            given,
            lambda run: server.call_tool(row.key, given, as_task=as_task, **more, **Runs.hooks(run)),
        )

    def decision(self, desk: Desk, server: Server, row: Row) -> Decision | None:
        """Tools act: the person's policy decides."""
        return desk.gate.decide(server.name, row.key, row.item) if desk.gate is not None else None

    def result_view(self, desk: Desk, row_now: Callable[[], Row | None]) -> ResultView:
        """Results are compared with the tool's output schema."""

        def check(result: content.Result) -> Verdict | Large | None:
            row = row_now()
            return checked(schema_of(row.item.raw, "outputSchema"), result) if row is not None else None

        return ResultView(desk, self.name, self.idle, check)


class ToolsPage(CallerPage):
    """The page."""

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        kind = ToolKind()
        self.as_task = kind.as_task = AsTask(desk)
        super().__init__(desk, kind, parent)
        self.setObjectName("tools-page")
        middle = self._middle.layout()
        assert isinstance(middle, QVBoxLayout)
        middle.insertWidget(1, self.as_task)
        foot = self.arguments.foot
        foot.probe.setVisible(True)
        foot.probe_wanted.connect(self._probe)
        self.list.chosen.connect(lambda row: self.as_task.show_tool(self._server, row))

    def _probe(self) -> None:
        if self._server is not None and self._row is not None:
            self._desk.probe_requested.emit(self._server.name, self._row.key)

    def _server_moved(self) -> None:
        super()._server_moved()
        self.as_task.show_tool(self._server, self._row)
