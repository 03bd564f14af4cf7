"""The band above arguments: the name, what the server's hints claim, and what its definition costs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QHBoxLayout, QWidget

from mcp_inspector.session.catalogue import What
from mcp_inspector.ui import plain, theme
from mcp_inspector.ui.models.app_views import view_of
from mcp_inspector.ui.widgets.labels import ElidedLabel, Pill
from mcp_inspector.ui.widgets.visible import tooltip

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from mcp_inspector.ui.models.items import Row

_BYTES_A_TOKEN = 4.2  # of JSON schemas in English, measured roughly: an estimate, and said to be one
_HINTS = (
    ("readOnlyHint", True, "read-only", "ok", "It says that it changes nothing"),
    ("destructiveHint", True, "destructive", "warn", "It says that it may destroy something"),
    ("idempotentHint", True, "idempotent", "muted", "It says that calling it again changes nothing more"),
    ("openWorldHint", True, "open world", "muted", "It says that it reaches outside systems"),
    ("openWorldHint", False, "closed world", "muted", "It says that it reaches nothing outside"),
)


class ItemHead(QWidget):
    """Shows what is chosen."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        theme.mark(self, surface="window")
        self.setFixedHeight(36)
        self.name = ElidedLabel(bold=True)
        self._pills = QHBoxLayout()
        self._pills.setSpacing(6)
        self._cost = ElidedLabel(tone="muted", size="small")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(14, 3, 10, 3)
        layout.setSpacing(8)
        layout.addWidget(self.name, 0)
        layout.addLayout(self._pills)
        layout.addStretch(1)
        layout.addWidget(self._cost)

    def add(self, widget: QWidget) -> None:
        """Put something of the page's own beside the name."""
        layout = self.layout()
        assert isinstance(layout, QHBoxLayout)
        layout.insertWidget(1, widget)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The name stays longest."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        room = self.width() - 40 - self.name.sizeHint().width()
        for place in range(self._pills.count()):
            item = self._pills.itemAt(place)
            pill = item.widget() if item is not None else None
            if pill is not None:
                room -= pill.sizeHint().width() + 6
                pill.setVisible(room > 0)
        self._cost.setVisible(room > self._cost.sizeHint().width())

    def show_row(self, row: Row | None) -> None:
        """Show another item, or none."""
        while (item := self._pills.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        if row is None:
            self.name.setText("")
            self._cost.setText("")
            return
        self.name.setText(row.shown)
        for pill in self._hints(row):
            self._pills.addWidget(pill)
        size = len(row.item.raw)
        self._cost.setText(f"{plain.size(size)} · ~{size / _BYTES_A_TOKEN:,.0f} tokens")
        self._fit()
        self._cost.setToolTip("What its definition costs a model's context; the tokens are an estimate")

    def _hints(self, row: Row) -> list[Pill]:
        pills = []
        annotations: Any = row.item.value.get("annotations") if row.item.what is What.TOOLS else None
        if isinstance(annotations, dict):
            read_only = annotations.get("readOnlyHint") is True
            for member, value, word, tone, sentence in _HINTS:
                if annotations.get(member) is value and not (member == "destructiveHint" and read_only):
                    pill = Pill(word, tone)
                    pill.setToolTip(f"{sentence}. A hint of the server, not a promise.")
                    pills.append(pill)
        view = view_of(row.item.value) if row.item.what is What.TOOLS else ""
        if view:
            pill = Pill("app view", "muted")
            pill.setToolTip(tooltip(f"It has a view of its own: {view}, which stands under Resources as source"))
            pills.append(pill)
        if row.item.problem:
            pill = Pill("broken entry", "error")
            pill.setToolTip(tooltip(row.item.problem))
            pills.append(pill)
        return pills
