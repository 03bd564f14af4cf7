"""Above the request as it will be sent: what goes into its `_meta` besides, and whether it begins a trace."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QVBoxLayout, QWidget

from mcp_inspector.schema.document import Document
from mcp_inspector.ui import theme
from mcp_inspector.ui.bridge import Pull
from mcp_inspector.ui.forms.json_edit import JsonEdit
from mcp_inspector.ui.models.own_meta import Meta
from mcp_inspector.ui.widgets.labels import ElidedLabel

if TYPE_CHECKING:
    from mcp_inspector.ui.desk import Desk
    from mcp_inspector.ui.models.drafts import Key

_CHECK_MS = 120
_HIGH = 66


class MetaEditor(QWidget):
    """Edits what is kept for one tool, prompt or template. `changed` tells of an edit."""

    changed = Signal()

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        theme.mark(self, surface="window")
        self._desk = desk
        self._key: Key | None = None
        self.document = Document("")
        self.edit = JsonEdit()
        self.edit.setAccessibleName("_meta of this request")
        self.edit.setPlaceholderText('{"example.com/key": "value"}')
        self.edit.setFixedHeight(_HIGH)
        self.edit.set_document(self.document)
        self.trace = QCheckBox("Trace context")
        self.trace.setToolTip("Put a traceparent of its own into each request: W3C Trace Context, in _meta")
        self._problem = ElidedLabel(tone="error", size="small")
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(ElidedLabel("_meta of this request", bold=True))
        head.addWidget(self._problem, 1)
        head.addWidget(self.trace)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(14, 6, 12, 6)
        layout.setSpacing(4)
        layout.addLayout(head)
        layout.addWidget(self.edit)
        self._late = Pull(self._keep, self, _CHECK_MS)
        self._listening = self.document.changed.connect(lambda _: self._late.soon())
        self.trace.clicked.connect(self._keep)

    @property
    def meta(self) -> Meta:
        """What is edited now."""
        return Meta(self.document.text if self.document.text.strip() else "", self.trace.isChecked())

    def show_key(self, key: Key | None) -> None:
        """Edit what is kept for something else."""
        if self._late.waiting:
            self._late.now()
        if key == self._key:
            return
        self._key = None
        kept = self._desk.own_meta.get(key) if key is not None else Meta()
        self.document.reset(kept.text)
        self.trace.setChecked(kept.trace)
        self._key = key
        self._tell()

    def _keep(self) -> None:
        if self._key is not None:
            self._desk.own_meta.put(self._key, self.meta)
        self._tell()

    def _tell(self) -> None:
        self._problem.setText(self.meta.problem)
        self.changed.emit()
