"""The keys of a form, which its fields leave to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence

from mcp_inspector.ui.forms.inputs import submits
from mcp_inspector.ui.forms.lists import ListEditor

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent
    from PySide6.QtWidgets import QWidget

    from mcp_inspector.ui.forms.row import FieldRow
    from mcp_inspector.ui.forms.view import FormView

SHEET = (
    ("Send", "Ctrl+Return"),
    ("Next field", "Tab"),
    ("Leave the field", "Esc"),
    ("Null, empty, default, …", "Alt+Return"),
    ("Move an item", "Alt+Up, Alt+Down"),
    ("Fold, unfold", "Alt+Left, Alt+Right"),
    ("Find a field", "F3"),
    ("Next problem", "F8"),
    ("Undo, redo", "Ctrl+Z, Ctrl+Shift+Z"),
)
"""What the sheet of shortcuts says."""


def take(view: FormView, event: QKeyEvent) -> bool:
    """Do what a key asks for; False when it asks for nothing here."""
    key = event.key()
    alt = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier == Qt.KeyboardModifier.AltModifier
    if submits(event):
        view.submitted.emit()
    elif event.matches(QKeySequence.StandardKey.Undo):
        view.history.take_back()
    elif event.matches(QKeySequence.StandardKey.Redo) or _is_redo(event):
        view.history.take_back(again=True)
    elif key == Qt.Key.Key_Escape and view.window().focusWidget() is not view:
        view.leave()
    elif key == Qt.Key.Key_F3:
        view.finder.open()
    elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.modifiers():
        if view.window().focusWidget() is not view:
            return False
        view.come_back()
    elif alt and key in _ALT:
        return _with_alt(view, key)
    else:
        return False
    return True


_ALT = (
    Qt.Key.Key_Return,
    Qt.Key.Key_Enter,
    Qt.Key.Key_Up,
    Qt.Key.Key_Down,
    Qt.Key.Key_Left,
    Qt.Key.Key_Right,
)


def _is_redo(event: QKeyEvent) -> bool:
    """Both habits work on every system."""
    return event.key() == Qt.Key.Key_Y and event.modifiers() == Qt.KeyboardModifier.ControlModifier


def _with_alt(view: FormView, key: int) -> bool:
    row = view.row_at(view.window().focusWidget())
    if row is None or row.bare:
        return False
    if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
        row.open_menu()
    elif key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
        item = _item(row)
        if item is None:
            return False
        item[0].move(item[1], -1 if key == Qt.Key.Key_Up else 1)
        view.see(item[1])
    elif key == Qt.Key.Key_Left:
        inner: FieldRow | None = row
        while inner is not None and (inner.bare or not inner.has_panel or inner.folded):
            inner = inner.holder.row if inner.holder is not None else None
        if inner is None:
            return False
        inner.set_folded(True)
    elif row.folded:
        row.set_folded(False)
    return True


def _item(row: FieldRow | None) -> tuple[ListEditor, FieldRow] | None:
    """The innermost item of a list around a row."""
    while row is not None:
        if isinstance(row.holder, ListEditor):
            return row.holder, row
        row = row.holder.row if row.holder is not None else None
    return None


def step(view: FormView, root: FieldRow, current: QWidget, forward: bool) -> bool:
    """From stop to stop as they stand, scrolling to the one that is reached; at the ends out of the form."""
    stops = root.stops()
    at = next((at for at, stop in enumerate(stops) if stop is current or stop.focusProxy() is current), -1)
    to = at + (1 if forward else -1)
    if forward and to >= len(stops):
        view.lay_out()
        stops = root.stops()
    if at >= 0 and 0 <= to < len(stops):
        stops[to].setFocus(Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason)
        view.see(stops[to])
        view.lay_out()
        return True
    return leave_form(view, current, forward)


def leave_form(view: FormView, current: QWidget, forward: bool) -> bool:
    """Go to the next widget of the window that is not in the form, or to the one before."""
    at = current
    while True:
        following = at.nextInFocusChain() if forward else at.previousInFocusChain()
        if following is None or following is current:
            return False
        at = following
        stops = at.focusPolicy() & Qt.FocusPolicy.TabFocus and at.isVisibleTo(view.window()) and at.isEnabled()
        if stops and at is not view and not view.isAncestorOf(at):
            at.setFocus(Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason)
            return True
