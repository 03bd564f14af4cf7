"""The tools as a model gets them: routed name, what it costs, what is wrong with it, and why a query finds it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from mcp_inspector.agent.names import RULES, Provider
from mcp_inspector.ui import plain, theme
from mcp_inspector.ui.views import rows
from mcp_inspector.ui.widgets.visible import tooltip

if TYPE_CHECKING:
    from mcp_inspector.agent.retrieval.retriever import Hit
    from mcp_inspector.agent.tools import AgentTool
    from mcp_inspector.ui.models.agent import AgentModel

TOOL = Qt.ItemDataRole.UserRole
Index = QModelIndex | QPersistentModelIndex


class ToolRows(QAbstractListModel):
    """Offered tools in the servers' order, or those that a query finds, best first."""

    def __init__(self, agent: AgentModel, parent: QObject) -> None:
        super().__init__(parent)
        self._agent = agent
        self._rows: list[tuple[AgentTool, Hit | None]] = []

    def refresh(self) -> None:
        """Look again."""
        ranking = self._agent.ranking
        self.beginResetModel()
        if ranking is not None and not ranking.everything:
            self._rows = [(hit.tool, hit) for hit in ranking.hits]
        else:
            self._rows = [(tool, None) for tool in self._agent.box.tools]
        self.endResetModel()

    def place(self, name: str) -> int:
        """The row of a tool by its given name, -1 when it is not there."""
        return next((at for at, (tool, _) in enumerate(self._rows) if tool.name == name), -1)

    def rowCount(self, parent: Index | None = None) -> int:
        """How many are shown."""
        return 0 if parent is not None and parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """The tool, or its words."""
        if not index.isValid() or index.row() >= len(self._rows):
            return None
        tool, hit = self._rows[index.row()]
        if role == TOOL:
            return tool, hit
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return f"{tool.name} {second_line(self._agent, tool, hit)[0]}"
        if role == Qt.ItemDataRole.ToolTipRole:
            words, _ = second_line(self._agent, tool, hit)
            return tooltip(f"{tool.name}\n{tool.tool} of {tool.server}\n{words}\n\n{tool.description}")
        return None


class ToolRow(QStyledItemDelegate):
    """Two lines: the given name with tokens or score; what is wrong, or what decided, or the description."""

    def __init__(self, agent: AgentModel, parent: QObject) -> None:
        super().__init__(parent)
        self._agent = agent

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Two lines and a little air."""
        return QSize(80, rows.line_height(option.widget, theme.font(), theme.font("small")) + 6)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw one."""
        tool, hit = index.data(TOOL)
        rows.ground(painter, option)
        area = option.rect.adjusted(rows.PAD, 2, -8, -2)
        bold, small = theme.font(bold=True), theme.font("small")
        high = QFontMetrics(bold).height()
        top = QRect(area.left(), area.top(), area.width(), high)
        mark = f"{hit.score:.2f}" if hit is not None else f"~{self._agent.define(tool).tokens:,}"
        used = rows.text(painter, top, mark, small, theme.colour("accent" if hit else "muted"), right=True)
        rows.text(painter, top.adjusted(0, 0, -used - 8, 0), plain.line(tool.name), bold, theme.colour("text"))
        words, tone = second_line(self._agent, tool, hit)
        low = QRect(area.left(), top.bottom() + 1, area.width(), area.bottom() - top.bottom())
        rows.text(painter, low, plain.line(words), small, theme.colour(tone))


def second_line(agent: AgentModel, tool: AgentTool, hit: Hit | None) -> tuple[str, str]:
    """What is most worth knowing about a tool, and its colour."""
    if hit is not None:
        reasons = [f"{word} {part:.2f}" for word, part in hit.words.items()]
        if hit.similarity is not None:
            reasons.append(f"meaning {hit.similarity:.2f}")
        return " · ".join(reasons) or plain.line(tool.description), "muted"
    routes = agent.box.routes
    if len(routes.find(tool.name)) > 1:
        return f"{len(routes.find(tool.name))} tools have this name: a call of it cannot be routed", "error"
    for provider in (agent.provider,) if agent.provider is not None else tuple(Provider):
        wrong = RULES[provider].wrong(tool.name)
        if wrong:
            return f"{TITLES[provider]} refuses the name: {wrong}", "error"
    if agent.provider is not None and (refused := agent.refused(tool)):
        return refused, "error"
    misread = routes.misread(tool.route)
    if misread and not tool.route.fitted:
        return f"a host that splits at the first {agent.scheme.separator} goes to {misread}", "warn"
    return plain.line(tool.description), "muted"


TITLES = {Provider.OPENAI: "OpenAI", Provider.ANTHROPIC: "Anthropic", Provider.GEMINI: "Gemini"}
