"""Finding and folding in a form: the line above it, the search that goes on in slices, and everything at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt

from mcp_inspector.ui.bridge import Pull
from mcp_inspector.ui.forms.find import FindBar, Search

if TYPE_CHECKING:
    from mcp_inspector.ui.forms.view import FormView

_SLICE_S = 0.03


class Finder(QObject):
    """Finds and folds in one view."""

    def __init__(self, view: FormView) -> None:
        super().__init__(view)
        self._view = view
        self._search: Search | None = None
        self._soon = Pull(self._go_on, self, 0)
        self.bar = FindBar(view)
        self.bar.changed.connect(self._find)
        self.bar.entered.connect(view.focus_first)
        self.bar.closed.connect(self.close)
        self.bar.fold_wanted.connect(self.fold_all)

    def begin(self, *, long: bool) -> None:
        """Another form is shown: nothing is searched for, and a long form has the line from the start."""
        self._search = None
        self.bar.edit.clear()
        self.show_bar(long)

    def open(self) -> None:
        """Find a field by its words."""
        self.show_bar(True)
        self.bar.edit.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.bar.edit.selectAll()

    def close(self) -> None:
        """Show all fields again; of a long form the line stays."""
        self.bar.edit.clear()
        self.show_bar(self._view.is_long())
        self._view.come_back()

    def show_bar(self, on: bool) -> None:
        """Show the line, or take it away."""
        if on == self.bar.isHidden():
            self.bar.setVisible(on)
            self._view.place_bars()

    def _find(self, typed: str) -> None:
        context, root = self._view.context, self._view.root
        if context is None or root is None:
            return
        self._search = Search(root.field, context.document.root, typed) if typed.strip() else None
        context.matches = self._search.matches if self._search is not None else None
        self._view.verticalScrollBar().setValue(0)
        self._go_on()

    def _go_on(self) -> None:
        search = self._search
        if search is not None:
            search.step(_SLICE_S)
            if not search.done:
                self._soon.soon()
        self.bar.tell(len(search.found) if search is not None else 0, done=search is None or search.done)
        self._replan()

    def _replan(self) -> None:
        with self._view.at_once():
            for row in [*self._view.all_rows()]:
                panel = row.editor.panel
                if panel is not None and row.has_panel and not row.dropped:
                    panel.container.replan()

    def fold_all(self, folded: bool) -> None:
        """Fold or unfold every group and everything that has rows inside."""
        context = self._view.context
        if context is None:
            return
        for row in [*self._view.all_rows()]:
            panel = row.editor.panel
            if panel is None or not row.has_panel:
                continue
            for group in panel.container.groups:
                if group.title:
                    context.fold((row.field.path, group.title), folded)
            if not row.bare:
                row.set_folded(folded)
        self._replan()
