"""The switch that runs a tool as a task, where the version of 2025-11-25 lets the client ask for one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QCheckBox, QWidget

if TYPE_CHECKING:
    from mcp_inspector.session.server import Server
    from mcp_inspector.ui.desk import Desk
    from mcp_inspector.ui.models.items import Row

_NAME = "tools.as_task"


class AsTask(QCheckBox):
    """Hidden where it means nothing: later the server decides by itself, earlier there are no tasks."""

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__("Run as task", parent)
        self._desk = desk
        self._key = ""
        self.setContentsMargins(14, 0, 14, 0)
        self.setStyleSheet("QCheckBox { padding: 2px 14px 4px 14px; }")
        self.clicked.connect(self._keep)
        self.hide()

    def show_tool(self, server: Server | None, row: Row | None) -> None:
        """Say what the tool and the server allow."""
        support = _support(row)
        identity = server.identity if server is not None else None
        takes = identity is not None and identity.version == "2025-11-25" and identity.has("tasks.requests.tools.call")
        self.setVisible(takes and support in ("optional", "required"))
        if server is None or row is None:
            return
        self._key = f"{server.name}\n{row.key}"
        chosen: dict[str, Any] = self._desk.memory.get(_NAME, {})
        kept = chosen.get(self._key)
        self.setChecked(kept is True or (kept is None and support == "required"))
        self.setToolTip(
            "The tool has to be run as a task; the server may refuse it otherwise"
            if support == "required"
            else "The server answers at once and goes on with the work; it is followed on the Tasks page"
        )

    @property
    def wanted(self) -> bool:
        """Whether the next call is to be a task."""
        return not self.isHidden() and self.isChecked()

    def _keep(self, on: bool) -> None:
        chosen: dict[str, Any] = self._desk.memory.get(_NAME, {})
        self._desk.memory.put(_NAME, {**chosen, self._key: on})


def _support(row: Row | None) -> str:
    execution = row.item.value.get("execution") if row is not None else None
    support = execution.get("taskSupport") if isinstance(execution, dict) else None
    return support if isinstance(support, str) else ""
