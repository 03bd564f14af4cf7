"""What keys and the context menu do in a `TextView`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu

from mcp_inspector.ui import icons

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QKeyEvent

    from mcp_inspector.ui.widgets.text_view import TextView


def pressed(view: TextView, event: QKeyEvent) -> bool:
    """Do what a key says; False when it says nothing here."""
    key = Qt.Key(event.key())
    control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
    shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
    command = _commands(view).get(key) if control else None
    if command is not None:
        command()
    elif key == Qt.Key.Key_F3:
        view.search_next(-1 if shift else 1)
    elif key == Qt.Key.Key_Escape:
        return view.close_bar()
    elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
        return view.open_fold(view.caret.place)
    else:
        target = _target(view, key, control)
        if target is None:
            return False
        if target >= 0:
            view.caret.move_to(target, extend=shift)
            view.reveal(target)
    return True


def _commands(view: TextView) -> dict[Qt.Key, Callable[[], object]]:
    return {
        Qt.Key.Key_C: view.copy,
        Qt.Key.Key_Insert: view.copy,
        Qt.Key.Key_A: view.select_all,
        Qt.Key.Key_F: view.open_find,
        Qt.Key.Key_G: view.open_line,
        Qt.Key.Key_Plus: lambda: view.zoom(1),
        Qt.Key.Key_Equal: lambda: view.zoom(1),
        Qt.Key.Key_Minus: lambda: view.zoom(-1),
        Qt.Key.Key_0: lambda: view.zoom(0),
    }


def _target(view: TextView, key: Qt.Key, control: bool) -> int | None:
    """Where a key moves the cursor to, -1 when it only scrolled, None when it is not such a key."""
    caret, index = view.caret, view.index
    place = caret.place
    page = max(1, view.visible_rows() - 1)
    rows = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1, Qt.Key.Key_PageUp: -page, Qt.Key.Key_PageDown: page}
    if key in rows:
        if control:
            bar = view.verticalScrollBar()
            bar.setValue(bar.value() + rows[key])
            return -1
        return _beside(view, place, rows[key])
    if key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
        step = 1 if key == Qt.Key.Key_Right else -1
        return caret.word_step(place, step) if control else caret.step(place, step)
    if key not in (Qt.Key.Key_Home, Qt.Key.Key_End):
        return None
    at_start = key == Qt.Key.Key_Home
    if control:
        return 0 if at_start else len(index.data)
    line = index.line_at(place)
    return index.row_span(line, index.part_at(line, place))[0 if at_start else 1]


def _beside(view: TextView, place: int, rows: int) -> int:
    index = view.index
    row = index.row_at(place)
    target = min(max(row + rows, 0), index.rows - 1)
    if target == row:
        return 0 if rows < 0 else len(index.data)
    x = view.row(*index.locate(row)).x_of(place)
    return view.row(*index.locate(target)).offset_at(x)


def menu(view: TextView) -> QMenu:
    """The context menu, to be shown and then forgotten."""
    result = QMenu(view)
    result.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    first, last = view.selection()
    result.addAction(icons.icon("copy"), "Copy\tCtrl+C", view.copy).setEnabled(first < last)
    result.addAction("Copy all", view.copy_all)
    result.addAction("Select all\tCtrl+A", view.select_all)
    result.addSeparator()
    result.addAction(icons.icon("search"), "Find…\tCtrl+F", view.open_find)
    result.addAction("Go to line…\tCtrl+G", view.open_line)
    result.addSeparator()
    wrap = result.addAction("Wrap lines")
    wrap.setCheckable(True)
    wrap.setChecked(view.wrapped)
    wrap.toggled.connect(view.set_wrap)
    fold = result.addAction("Fold very long lines")
    fold.setCheckable(True)
    fold.setChecked(view.index.fold)
    fold.toggled.connect(view.set_fold)
    result.addAction(icons.icon("zoom-in"), "Larger\tCtrl++", lambda: view.zoom(1))
    result.addAction(icons.icon("zoom-out"), "Smaller\tCtrl+-", lambda: view.zoom(-1))
    result.addAction("Normal size\tCtrl+0", lambda: view.zoom(0))
    return result
