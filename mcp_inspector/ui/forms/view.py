"""The form of one schema over one document, in a scroll area."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QLabel, QScrollArea, QVBoxLayout, QWidget

from mcp_inspector.schema.kinds import FieldKind
from mcp_inspector.ui import theme
from mcp_inspector.ui.bridge import Pull
from mcp_inspector.ui.forms.containers import Container
from mcp_inspector.ui.forms.context import FormContext
from mcp_inspector.ui.forms.factory import make
from mcp_inspector.ui.forms.row import NARROW, FieldRow

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from PySide6.QtGui import QResizeEvent

    from mcp_inspector.schema.document import Change, Document
    from mcp_inspector.schema.fields import Form
    from mcp_inspector.ui.forms.completion import Complete
    from mcp_inspector.ui.forms.editors import Editor
    from mcp_inspector.wire.jsontext import Path


class FormView(QScrollArea):
    """Shows a form. While the text is no JSON the form waits and says so: it never writes over what is typed there."""

    submitted = Signal()
    raw_wanted = Signal(object)
    unread_changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("form")
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._context: FormContext | None = None
        self._root: Editor | None = None
        self._disconnect: Callable[[], None] = lambda: None
        self._pull = Pull(self.refresh, self)
        self._body = QWidget()
        theme.mark(self._body, surface="window")
        self._layout = QVBoxLayout(self._body)
        self._layout.setContentsMargins(14, 10, 14, 14)
        self._layout.setSpacing(10)
        self.head = QLabel()
        self.head.setTextFormat(Qt.TextFormat.PlainText)
        self.head.setWordWrap(True)
        self.head.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        theme.mark(self.head, role="muted")
        self._waiting = QLabel("The JSON is not complete, so the form waits. What is typed there stays.")
        self._waiting.setWordWrap(True)
        theme.mark(self._waiting, role="warn")
        self._waiting.hide()
        self._nothing = QLabel()
        self._nothing.setWordWrap(True)
        theme.mark(self._nothing, role="muted")
        for widget in (self.head, self._waiting, self._nothing):
            self._layout.addWidget(widget)
        self._layout.addStretch(1)
        self.setWidget(self._body)

    @property
    def context(self) -> FormContext | None:
        """What the editors share; None before the first form."""
        return self._context

    def show_form(self, form: Form | None, document: Document | None, complete: Complete | None = None) -> None:
        """Show another form and document."""
        self._disconnect()
        self._disconnect = lambda: None
        if self._root is not None:
            self._layout.removeWidget(self._root)
            self._root.hide()
            self._root.deleteLater()
            self._root = None
        if self._context is not None:
            self._context.deleteLater()
            self._context = None
        if form is None or document is None:
            return
        context = self._context = FormContext(document, self, complete)
        context.submitted.connect(self.submitted)
        context.raw_wanted.connect(self.raw_wanted)
        context.unread_changed.connect(self._unread_changed)
        self._root = make(context, form.root)
        self._layout.insertWidget(self._layout.count() - 1, self._root)
        self._disconnect = document.changed.connect(self._changed)
        self.refresh()
        self._root.show()
        bare = form.root.kind is FieldKind.OBJECT and not form.root.children(document.root)
        self._nothing.setText("It takes no arguments." if bare and form.root.closed else "")
        self._nothing.setVisible(bool(self._nothing.text()))
        self.verticalScrollBar().setValue(0)

    def _unread_changed(self) -> None:
        for row in self.rows():
            row.show_problem()
        self.unread_changed.emit()

    def _changed(self, change: Change) -> None:
        if change.origin is self._context:
            self.refresh()  # at once: what a person types must be answered by the next key
        else:
            self._pull.soon()

    def refresh(self) -> None:
        """Show the document as it is now."""
        if self._context is None or self._root is None:
            return
        document = self._context.document
        valid = document.valid
        self._waiting.setVisible(not valid)
        self._root.setEnabled(valid)
        if valid:
            self._root.refresh(document.root)
            self._room()

    def show_problems(self, problems: Mapping[Path, Sequence[str]], *, everywhere: bool = False) -> None:
        """Say at each field what is wrong; `everywhere` also where the person has not been yet."""
        if self._context is None:
            return
        self._context.problems = problems
        self._context.show_all = self._context.show_all or everywhere
        for row in self.rows():
            row.show_problem()

    def rows(self) -> list[FieldRow]:
        """All rows that are built."""
        return self._root.findChildren(FieldRow) if self._root is not None else []

    def row_of(self, path: Path) -> FieldRow | None:
        """The row of a place, when it is built."""
        return next((row for row in self.rows() if row.field.path == path), None)

    def go_to(self, path: Path) -> bool:
        """Bring a field, or the nearest one around it, into view with the keyboard in it."""
        for length in range(len(path), 0, -1):
            row = self.row_of(path[:length])
            if row is not None:
                self.ensureWidgetVisible(row, 20, 40)
                row.editor.setFocus(Qt.FocusReason.OtherFocusReason)
                return True
        return False

    def focus_first(self) -> None:
        """Put the keyboard into the first field."""
        rows = self.rows()
        if rows:
            rows[0].editor.setFocus(Qt.FocusReason.TabFocusReason)
        else:
            self.setFocus(Qt.FocusReason.TabFocusReason)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Names go above their editors when it gets narrow."""
        super().resizeEvent(event)
        self._room()

    def _room(self) -> None:
        width = self.viewport().width()
        if self._root is not None and hasattr(self._root, "set_room"):
            self._root.set_room(width, width < NARROW)

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab scrolls to the field it reaches."""
        moved = super().focusNextPrevChild(forward)
        widget = self.window().focusWidget()
        if moved and widget is not None and self._body.isAncestorOf(widget):
            place = widget.mapTo(self._body, QPoint(0, 0))
            self.ensureVisible(0, place.y() + widget.height() // 2, 0, widget.height())
        return moved


__all__ = ["Container", "FormView"]
