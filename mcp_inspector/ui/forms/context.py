"""What all editors of one form share: the document, what is wrong where, and how far problems are shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from mcp_inspector.schema import values

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mcp_inspector.schema.document import Document
    from mcp_inspector.schema.fields import Field
    from mcp_inspector.ui.forms.completion import Complete
    from mcp_inspector.wire.jsontext import Node, Path


class FormContext(QObject):
    """One document under edit by a form. Edits made through it carry it as their origin."""

    unread_changed = Signal()
    """A field holds something that is no value of any kind, or no longer does."""
    raw_wanted = Signal(object)
    """Show the place at a path in the JSON editor."""
    submitted = Signal()
    """Ctrl+Enter in a field."""

    def __init__(self, document: Document, parent: QObject | None = None, complete: Complete | None = None) -> None:
        super().__init__(parent)
        self.document = document
        self.complete = complete
        """Asks the server for suggestions; None where there are none."""
        self.show_all = False
        """Whether problems are shown at fields that nobody has been at yet: after an attempt to call."""
        self.problems: Mapping[Path, Sequence[str]] = {}
        self._unread: dict[Path, str] = {}

    def node(self, field: Field) -> Node | None:
        """The value of a field now."""
        return self.document.node(field.path)

    def put(self, field: Field, json_text: str, *, typing: bool = False) -> None:
        """Set a value. Typing in one field is one undo step."""
        if self.document.valid:
            merge = ("typing", field.path) if typing else None
            values.write(self.document, field, json_text, origin=self, merge=merge)

    def omit(self, field: Field, *, typing: bool = False) -> None:
        """Empty a field: it is not sent, nor is an optional object around it that held nothing else."""
        if self.document.valid and self.document.node(field.path) is not None:
            merge = ("typing", field.path) if typing else None
            values.clear(self.document, field, origin=self, merge=merge)

    def remove(self, field: Field) -> None:
        """Take a member away that a person added."""
        if self.document.valid:
            self.forget_unread(field.path)
            self.document.remove(field.path, origin=self)

    def touch(self, field: Field) -> None:
        """The person has been at this field."""
        self.document.touch(field.path)

    def unread(self, path: Path, problem: str) -> None:
        """What is typed at a place cannot be a value (empty: it can again)."""
        if self._unread.get(path, "") != problem:
            if problem:
                self._unread[path] = problem
            else:
                self._unread.pop(path, None)
            self.unread_changed.emit()

    def forget_unread(self, path: Path) -> None:
        """A place is gone with all that is in it."""
        gone = [other for other in self._unread if other[: len(path)] == path]
        for other in gone:
            del self._unread[other]
        if gone:
            self.unread_changed.emit()

    @property
    def unread_problems(self) -> Mapping[Path, str]:
        """Places whose typed text cannot be a value."""
        return self._unread

    def problem_of(self, field: Field) -> str:
        """What to say at a field: what cannot be read first, then what the schema minds, once it may be shown."""
        unread = self._unread.get(field.path, "")
        if unread:
            return unread
        if not (self.show_all or self.document.touched(field.path)):
            return ""
        return "\n".join(self.problems.get(field.path, ()))
