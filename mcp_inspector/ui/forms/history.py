"""Undo and redo in a form: they take back what was done last in either view, and go to where it was."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcp_inspector.wire import jsontext

if TYPE_CHECKING:
    from mcp_inspector.schema.document import Change
    from mcp_inspector.ui.forms.view import FormView
    from mcp_inspector.wire.jsontext import Node, Path


class History:
    """Takes steps back for one view. `changed` has to be told of each change, for the keyboard to follow it."""

    def __init__(self, view: FormView) -> None:
        self._view = view
        self._before: Node | None = None
        """The tree before the step that is being taken back."""

    def take_back(self, *, again: bool = False) -> None:
        """Undo or redo the last change, of the form or of the JSON beside."""
        view, context = self._view, self._view.context
        if context is None:
            return
        self._before = context.document.root if view.has_keyboard() else None
        try:
            for path in [*context.unread_problems]:
                context.unread(path, "")
            if again:
                context.redo()
            else:
                context.undo()
            if view.root is not None and context.document.valid:
                view.root.refresh(context.document.root, force=True)
        finally:
            self._before = None

    def changed(self, change: Change) -> None:
        """Put the keyboard where something was taken back."""
        view, before = self._view, self._before
        document = view.context.document if view.context is not None else None
        if before is None or document is None or not document.valid or document.root is None:
            return
        row = view.reach(_place(change, before, document.root))
        if row is not None and not row.isAncestorOf(view.focused()):
            view.see(row)
            row.active.focus()


def _place(change: Change, before: Node, after: Node) -> Path:
    splice = change.splice
    if splice.end > splice.start:  # what is gone was somewhere in the text before
        return jsontext.path_at(before, splice.end - 1)
    return jsontext.path_at(after, splice.start + max(len(splice.new) - 1, 0))
