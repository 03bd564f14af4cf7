"""The filters that a person keeps: a menu under the star of the filter line."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QMenu

from mcp_inspector.ui import icons, plain

if TYPE_CHECKING:
    from mcp_inspector.ui.views.traffic import TrafficView

_MOST = 100


def saved_menu(view: TrafficView) -> QMenu:
    """Show them, with what saves and what forgets."""
    menu = QMenu(view)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    line = view.filter.text().strip()
    save = menu.addAction(icons.icon("star"), "Save this filter…", partial(_ask, view, line))
    save.setEnabled(bool(line) and not view.model.problem and len(view.saved) < _MOST)
    menu.addSeparator()
    for name, kept in view.saved.items():
        words = name if name == kept else f"{name}\t{plain.line(kept, 60)}"
        action = menu.addAction(plain.escape_mnemonic(plain.line(words, 120)))
        action.setCheckable(True)
        action.setChecked(kept == line)
        action.triggered.connect(partial(_use, view, kept))
    if not view.saved:
        menu.addAction("No filter is saved yet").setEnabled(False)
        menu.popup(view.filter.mapToGlobal(QPoint(0, view.filter.height())))
        return menu
    forget = menu.addMenu("Forget")
    for name in view.saved:
        forget.addAction(plain.escape_mnemonic(plain.line(name, 80))).triggered.connect(partial(_forget, view, name))
    menu.popup(view.filter.mapToGlobal(QPoint(0, view.filter.height())))
    return menu


def _ask(view: TrafficView, line: str) -> None:
    view.prompt.ask("Save the filter as", line, lambda name: _save(view, name.strip() or line, line))


def _save(view: TrafficView, name: str, line: str) -> str:
    view.saved[name[:200]] = line
    return ""


def _use(view: TrafficView, line: str, _checked: bool = False) -> None:
    view.set_filter("" if view.filter.text().strip() == line else line)


def _forget(view: TrafficView, name: str, _checked: bool = False) -> None:
    view.saved.pop(name, None)
