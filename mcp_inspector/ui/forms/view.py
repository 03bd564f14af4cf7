"""The form of one schema over one document: it scrolls, folds, finds, and builds only what is looked at."""

from __future__ import annotations

import contextlib
import time
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QApplication, QScrollArea, QWidget

from mcp_inspector.schema.kinds import FieldKind
from mcp_inspector.ui import theme
from mcp_inspector.ui.bridge import Pull
from mcp_inspector.ui.forms import keys, measure, walk
from mcp_inspector.ui.forms.context import LARGE, FormContext
from mcp_inspector.ui.forms.finder import Finder
from mcp_inspector.ui.forms.head import HeadText, WaitingBar
from mcp_inspector.ui.forms.history import History
from mcp_inspector.ui.forms.reading import Reader, single_shot
from mcp_inspector.ui.forms.row import FieldRow
from mcp_inspector.ui.forms.sections import LONG

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence

    from PySide6.QtGui import QKeyEvent, QResizeEvent

    from mcp_inspector.schema.document import Change, Document
    from mcp_inspector.schema.fields import Form
    from mcp_inspector.schema.problems import Problem
    from mcp_inspector.ui.forms.completion import Complete
    from mcp_inspector.ui.forms.context import Unread
    from mcp_inspector.ui.forms.panel import Container
    from mcp_inspector.wire.jsontext import Path

_TOP, _BOTTOM, _LEFT = 10, 16, 4
_AHEAD = 500
"""Pixels below what is seen that are built too."""
_FIRST_S, _SLICE_S = 0.045, 0.008
_WAIT_MS = 500
"""How long the JSON may be no JSON before the form says that it waits: one is typing there."""


class FormView(QScrollArea):
    """Shows a form. While the text is no JSON the form waits and says so: it never writes over what is typed there."""

    submitted = Signal()
    raw_wanted = Signal(object)
    """Show the place at a path in the JSON editor; None for where it is no JSON."""
    unread_changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("form")
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._context: FormContext | None = None
        self._root: FieldRow | None = None
        self._disconnect: Callable[[], None] = lambda: None
        self._pull = Pull(self.refresh, self)
        self._layout_soon = Pull(self.lay_out, self, 0)
        self._busy = False
        self._left: QWidget | None = None
        self._body = QWidget()
        theme.mark(self._body, surface="window")
        self.head = HeadText(self._body)
        self.head.toggled.connect(self._layout_soon.soon)
        self.setWidget(self._body)
        self.finder = Finder(self)
        self.history = History(self)
        self._waiting = WaitingBar(self)
        self._waiting.activated.connect(lambda: self.raw_wanted.emit(None))
        self._wait = single_shot(self, _WAIT_MS, self._show_waiting)
        self._slow = single_shot(self, _WAIT_MS, self._read_large)
        self._reader = Reader(self)
        self._reader.done.connect(self.refresh)
        self.verticalScrollBar().valueChanged.connect(lambda _: self.lay_out())
        QApplication.instance().focusChanged.connect(self._focus_moved)  # type: ignore[union-attr]  # there is one

    @property
    def context(self) -> FormContext | None:
        """What the editors share; None before the first form."""
        return self._context

    @property
    def root(self) -> FieldRow | None:
        """The row of the whole value."""
        return self._root

    def show_form(
        self,
        form: Form | None,
        document: Document | None,
        complete: Complete | None = None,
        folds: MutableMapping[Any, bool] | None = None,
        unread: MutableMapping[Path, Unread] | None = None,
    ) -> None:
        """Show another form and document. `folds` keeps what is folded, `unread` what is typed and can be no value."""
        self.flush()
        self._disconnect()
        self._disconnect = lambda: None
        self._wait.stop()
        self._slow.stop()
        self._reader.forget()
        self._waiting.hide()
        self._left = None
        if self._root is not None:
            self._root.hide()
            self._root.deleteLater()
            self._root = None
        if self._context is not None:
            self._context.deleteLater()
            self._context = None
        if form is None or document is None:
            self.finder.begin(long=False)
            self.lay_out()
            return
        context = self._context = FormContext(document, self, complete, folds, unread)
        context.submitted.connect(self.submitted)
        context.raw_wanted.connect(self.raw_wanted)
        context.unread_changed.connect(self._unread_changed)
        context.moved.connect(self._moved)
        context.rebuilt.connect(self._moved)
        self._root = FieldRow(context, form.root, self._body, bare=True)
        self._disconnect = document.changed.connect(self._changed)
        self.verticalScrollBar().setValue(0)
        self.finder.begin(long=False)
        self.refresh(first=True)
        self._root.show()
        container = self._container()
        empty = form.root.kind is FieldKind.OBJECT and container is not None and not container.entries
        self.head.say_below("It takes no arguments." if empty and form.root.closed else "")
        self.finder.begin(long=self.is_long())

    def is_long(self) -> bool:
        """Whether it has more members than one sees at a glance."""
        container = self._container()
        return container is not None and sum(len(group.fields) for group in container.groups) > LONG

    def _container(self) -> Container | None:
        panel = self._root.editor.panel if self._root is not None else None
        return panel.container if panel is not None else None

    def _changed(self, change: Change) -> None:
        context = self._context
        if context is None:
            return
        ours = change.origin is context
        context.outside = context.outside or not ours
        if len(context.document.text) > LARGE and (not ours or context.late):
            self._slow.start()
        elif ours:
            self.refresh()  # at once: what a person types must be answered by the next key
            self.history.changed(change)
        else:
            self._pull.soon()

    def _read_large(self) -> None:
        """A large text rests: read it anew, and show it when that is done."""
        context = self._context
        if context is None:
            return
        if context.document.valid:
            self._reader.read(context.document)
        else:
            self.refresh()

    def begin_anew(self) -> None:
        """Other arguments come: what is typed and can be no value goes."""
        context = self._context
        if context is None or not context.unread_problems:
            return
        rows = [row for path in context.unread_problems if (row := self.row_of(path)) is not None]
        context.forget_unread(())
        for row in rows:
            row.refresh(context.node(row.field), force=True)

    def flush(self) -> None:
        """Write what was typed and is not in the document yet."""
        if self._context is not None:
            self._context.flush()

    def _unread_changed(self) -> None:
        for row in self.all_rows():
            row.show_problem()
        self.unread_changed.emit()

    def refresh(self, *, first: bool = False) -> None:
        """Show the document as it is now."""
        if self._context is None or self._root is None:
            return
        document = self._context.document
        if not document.valid:
            if first or self.isAncestorOf(self.focused()):
                self._show_waiting()
            elif not self._wait.isActive() and self._waiting.isHidden():
                self._wait.start()
            if first:
                self._root.refresh(document.root, force=True)
                self.lay_out(_FIRST_S)
            return
        self._wait.stop()
        if not self._waiting.isHidden():
            self._waiting.hide()
            self._root.setEnabled(True)
        self._busy = True
        try:
            self._root.refresh(document.root, force=first)
        finally:
            self._busy = self._context.outside = False
        self.lay_out(_FIRST_S if first else _SLICE_S)

    def _show_waiting(self) -> None:
        if self._root is None or self._context is None or self._context.document.valid:
            return
        self._root.setEnabled(False)
        self._waiting.place(self.size())
        self._waiting.show()
        self._waiting.raise_()

    def show_problems(self, problems: Mapping[Path, Sequence[Problem]], *, everywhere: bool = False) -> None:
        """Say at each field what is wrong; `everywhere` also where the person has not been yet."""
        if self._context is None:
            return
        self._context.problems = problems
        self._context.show_all = self._context.show_all or everywhere
        for row in self.all_rows():
            row.show_problem()
            panel = row.editor.panel
            if panel is not None:
                panel.container.tell_problems()

    def all_rows(self) -> Iterator[FieldRow]:
        """All rows that are built, the root first."""
        return walk.rows_of(self._root)

    def rows(self) -> list[FieldRow]:
        """All rows that are built, without the root."""
        return [row for row in self.all_rows() if not row.bare]

    def row_of(self, path: Path) -> FieldRow | None:
        """The row of a place, when it is built."""
        return next((row for row in self.rows() if row.field.path == path), None)

    def reach(self, path: Path) -> FieldRow | None:
        """The row of a place, or the nearest around it, built and unfolded; None when there is none."""
        row = walk.reach(self._root, path) if self._root is not None else None
        self.lay_out()
        return None if row is None or row.bare else row

    def row_at(self, widget: QWidget | None) -> FieldRow | None:
        """The innermost row around a widget."""
        return walk.row_around(widget)

    def go_to(self, path: Path) -> bool:
        """Bring a field, or the nearest one around it, into view with the keyboard in it."""
        row = self.reach(path)
        if row is None:
            return False
        self.see(row)
        row.active.focus(Qt.FocusReason.OtherFocusReason)
        return True

    def see(self, widget: QWidget, most: int = 120) -> None:
        """Scroll until a widget, or its upper part, can be seen."""
        place = widget.mapTo(self._body, widget.rect().topLeft())
        tall = min(widget.height(), most)
        self.ensureVisible(0, place.y() + tall // 2, 0, tall // 2 + 24)

    def focus_first(self) -> None:
        """Put the keyboard into the first field."""
        stops = self._root.stops() if self._root is not None else []
        (stops[0] if stops else self).setFocus(Qt.FocusReason.TabFocusReason)

    def _moved(self) -> None:
        if not self._busy:
            self._layout_soon.soon()

    def lay_out(self, seconds: float = _SLICE_S) -> None:
        """Build what can be seen and place everything; what takes longer goes on after the next events."""
        if self._busy:
            return
        self._busy = True
        try:
            deadline = time.perf_counter() + seconds
            done = self._place(deadline)
            if done and self._root is not None:
                done = self._place(deadline)  # heights are known now: there may be more room than was thought
        finally:
            self._busy = False
        if not done:
            self._layout_soon.soon()

    def _place(self, deadline: float) -> bool:
        width = self.viewport().width() if self.verticalScrollBar().isVisible() else self.viewport().width() - 11
        width = max(width - _LEFT - 4, 120)
        narrow = width < measure.NARROW
        left = self.viewport().width() - _LEFT - width if self.isRightToLeft() else _LEFT
        indent = 0 if self.isRightToLeft() else measure.GUTTER
        y = _TOP + self.head.place(left + indent, _TOP, width - measure.GUTTER)
        done = True
        if self._root is not None:
            root = self._root
            tall = root.arrange(width, 0, narrow)
            inner = root.inner
            if inner is not None:
                bottom = self.verticalScrollBar().value() + self.viewport().height() + _AHEAD
                done = inner.fill(y + tall - inner.tall, bottom, deadline, width, narrow)
                tall = root.arrange(width, 0, narrow)
            root.setGeometry(left, y, width, tall)
            y += tall
        self._body.resize(self.viewport().width(), max(y + _BOTTOM, self.viewport().height()))
        return done

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Names go above their editors when it gets narrow."""
        super().resizeEvent(event)
        self.place_bars()

    def place_bars(self) -> None:
        """Give the line that finds its place, or take it away."""
        bar = self.finder.bar
        tall = bar.sizeHint().height() if not bar.isHidden() else 0
        self.setViewportMargins(0, tall, 0, 0)
        bar.setGeometry(0, 0, self.width(), tall)
        self._waiting.place(self.size())
        self.lay_out()

    @contextlib.contextmanager
    def at_once(self) -> Iterator[None]:
        """Many rows change: it is laid out once, afterwards."""
        self._busy = True
        try:
            yield
        finally:
            self._busy = False
        self.lay_out()

    # --- keyboard ---

    def has_keyboard(self) -> bool:
        """Whether the keyboard is in one of the fields."""
        return self._body.isAncestorOf(self.focused())

    def focused(self) -> QWidget:
        """What has the keyboard in this window."""
        return self.window().focusWidget() or self.window()

    def _focus_moved(self, old: QWidget | None, new: QWidget | None) -> None:
        inside = new is not None and self._body.isAncestorOf(new)
        if old is not None and self._body.isAncestorOf(old):
            self._left = old
            row = self.row_at(old)
            while row is not None:  # rows that were only there for the keyboard may go
                panel = row.editor.panel
                if panel is not None and panel.container.lingers and not panel.container.has_keyboard():
                    row.refresh(row.context.node(row.field), force=True)
                    self._moved()
                row = row.holder.row if row.holder is not None else None
        if inside and self._context is not None and not self._context.document.valid:
            self._show_waiting()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """What the fields leave to the form: send, undo, leave, menu, move, fold, find."""
        if not keys.take(self, event):
            super().keyPressEvent(event)

    def leave(self) -> None:
        """Take the keyboard out of the fields; Tab or Return brings it back to where it was."""
        focus = self.focused()
        self._left = focus if self._body.isAncestorOf(focus) else self._left
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def come_back(self) -> None:
        """The keyboard goes to the field it left."""
        if self._left is not None and self._body.isAncestorOf(self._left):
            self._left.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.focus_first()

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab goes from field to field as they stand, and scrolls to the one it reaches."""
        root, current = self._root, self.focused()
        if root is not None and root.isEnabled():
            if current is self and forward:
                self.come_back()
                return True
            if self._body.isAncestorOf(current):
                return keys.step(self, root, current, forward)
        return super().focusNextPrevChild(forward)

    def event(self, event: QEvent) -> bool:
        """Tab is ours also when the area itself has the keyboard."""
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.LayoutDirectionChange):
            for row in self.all_rows() if event.type() == QEvent.Type.LayoutDirectionChange else ():
                row.changed_shape()
            self._layout_soon.soon()
        return super().event(event)
