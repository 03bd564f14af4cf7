"""What all editors of one form share: the document, what is wrong where, what is folded, what is searched for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QWidget

from mcp_inspector.schema import values

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, MutableMapping, Sequence

    from mcp_inspector.schema.document import Document
    from mcp_inspector.schema.fields import Field
    from mcp_inspector.schema.problems import Problem
    from mcp_inspector.ui.forms.completion import Complete
    from mcp_inspector.wire.jsontext import Node, Path

LARGE = 150_000
"""Characters of a document from which it is read and written at pauses only: a megabyte takes a fifth of a second."""
_PAUSE_MS = 350
Unread = tuple[str, str]
"""What is wrong with a text that cannot be a value, and the text as it was typed."""


class FormContext(QObject):
    """One document under edit by a form. Edits made through it carry it as their origin."""

    unread_changed = Signal()
    """A field holds something that is no value of any kind, or no longer does."""
    raw_wanted = Signal(object)
    """Show the place at a path in the JSON editor."""
    submitted = Signal()
    """Ctrl+Enter in a field."""
    moved = Signal()
    """Something wants another height: the form is to be laid out anew."""
    rebuilt = Signal()
    """Rows have come or gone."""

    def __init__(
        self,
        document: Document,
        parent: QObject | None = None,
        complete: Complete | None = None,
        folds: MutableMapping[Any, bool] | None = None,
        unread: MutableMapping[Path, Unread] | None = None,
    ) -> None:
        super().__init__(parent)
        self.document = document
        self.complete = complete
        """Asks the server for suggestions; None where there are none."""
        self.folds: MutableMapping[Any, bool] = folds if folds is not None else {}
        """What the person has folded (True) or unfolded, by path, or by path and name of a group."""
        self.matches: Callable[[Path], bool] | None = None
        """What the find line lets through; None while nothing is searched for."""
        self.show_all = False
        """Whether problems are shown at fields that nobody has been at yet: after an attempt to call."""
        self.problems: Mapping[Path, Sequence[Problem]] = {}
        self._unread: MutableMapping[Path, Unread] = unread if unread is not None else {}
        self._visit = 0
        self.outside = False
        """Whether what is being shown was not written by the form: typed in the JSON, loaded, generated."""
        self.late = False
        """Whether what is written now was typed a while ago, so that the form shows it already."""
        self._pending: tuple[Field, str | None] | None = None
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(_PAUSE_MS)
        self._pause.timeout.connect(self.flush)

    def node(self, field: Field) -> Node | None:
        """The value of a field now."""
        return self.document.node(field.path)

    # --- writing ---

    def put(self, field: Field, json_text: str, *, typing: bool = False) -> None:
        """Set a value. Typing in one field is one undo step, until the person leaves it.

        In a large document, which takes long to be read anew, what is typed is written at a pause.
        """
        if typing and len(self.document.text) > LARGE:
            self._later(field, json_text)
            return
        self.flush()
        self._put(field, json_text, typing)

    def _put(self, field: Field, json_text: str, typing: bool) -> None:
        if self.document.valid:
            values.write(self.document, field, json_text, origin=self, merge=self._merge(field) if typing else None)

    def omit(self, field: Field, *, typing: bool = False) -> None:
        """Empty a field: it is not sent, nor is an optional object around it that held nothing else."""
        if typing and len(self.document.text) > LARGE:
            self._later(field, None)
            return
        self.flush()
        self._omit(field, typing)

    def _omit(self, field: Field, typing: bool) -> None:
        if self.document.valid and self.document.node(field.path) is not None:
            merge = self._merge(field) if typing else None
            values.clear(self.document, field, origin=self, merge=merge, typing=typing)

    def choose(self, field: Field, value: str | None) -> None:
        """Send a JSON text here, or nothing: it was chosen, so the person is done with it."""
        if value is None:
            self.omit(field)
        else:
            self.put(field, value)
        self.touch(field)

    def remove(self, field: Field) -> None:
        """Take away a member that a person added, or an item of a list."""
        self.flush()
        if self.document.valid:
            self.forget_unread(field.path)
            self.document.remove(field.path, origin=self)

    def _later(self, field: Field, json_text: str | None) -> None:
        if self._pending is not None and self._pending[0].path != field.path:
            self.flush()
        self._pending = (field, json_text)
        self._pause.start()

    def flush(self) -> None:
        """Write what was typed and not written yet: before it is read, sent, or another field is written."""
        self._pause.stop()
        pending, self._pending = self._pending, None
        if pending is None:
            return
        field, json_text = pending
        self.late = True
        try:
            if json_text is None:
                self._omit(field, True)
            else:
                self._put(field, json_text, True)
        finally:
            self.late = False

    def _merge(self, field: Field) -> object:
        return ("typing", field.path, self._visit)

    def undo(self) -> bool:
        """Take the last step back, wherever it was made; False when there is none."""
        self.flush()
        self._visit += 1
        return self.document.undo(origin=self)

    def redo(self) -> bool:
        """Do it again."""
        self.flush()
        self._visit += 1
        return self.document.redo(origin=self)

    def touch(self, field: Field) -> None:
        """The person has been at this field, and what is typed next is a step of its own."""
        self.flush()
        self._visit += 1
        self.document.touch(field.path)

    # --- what cannot be a value ---

    def unread(self, path: Path, problem: str, typed: str = "") -> None:
        """What is typed at a place cannot be a value (no problem: it can again)."""
        before = self._unread.get(path)
        if problem:
            self._unread[path] = (problem, typed)
        elif before is not None:
            del self._unread[path]
        if (before[0] if before is not None else "") != problem:
            self.unread_changed.emit()

    def unread_text(self, path: Path) -> str | None:
        """What is typed at a place and cannot be a value; None when all can."""
        found = self._unread.get(path)
        return found[1] if found is not None else None

    def forget_unread(self, path: Path) -> None:
        """A place is gone with all that is in it."""
        gone = [other for other in self._unread if other[: len(path)] == path]
        for other in gone:
            del self._unread[other]
        if gone:
            self.unread_changed.emit()

    def renumber(self, array: Path, place: Callable[[int], int | None]) -> None:
        """Items of a list have other numbers now: what is kept by path goes along."""

        def moved(path: Any) -> Any:
            depth = len(array)
            if not isinstance(path, tuple) or len(path) <= depth or path[:depth] != array:
                return path
            key = path[depth]
            new = place(key) if isinstance(key, int) else key
            return None if new is None else (*array, new, *path[depth + 1 :])

        unread = {new: text for path, text in self._unread.items() if (new := moved(path)) is not None}
        self._unread.clear()
        self._unread.update(unread)
        folds = {new: folded for key, folded in self.folds.items() if (new := moved(key)) is not None}
        self.folds.clear()
        self.folds.update(folds)

    @property
    def unread_problems(self) -> Mapping[Path, str]:
        """Places whose typed text cannot be a value."""
        return {path: problem for path, (problem, _) in self._unread.items()}

    # --- what is wrong ---

    def problem_of(self, field: Field) -> tuple[str, str]:
        """What to say at a field, and in which tone: what cannot be read first, then what the schema minds."""
        unread = self._unread.get(field.path)
        if unread is not None:
            return unread[0], "error"
        found = self.problems.get(field.path, ())
        if field.rules:  # the line above the fields says which of them are needed
            found = [one for one in found if not one.sentence.startswith("needs ")]
        if not found or not (self.show_all or self.document.touched(field.path)):
            return "", ""
        tone = "error" if any(one.severity == "error" for one in found) else "warn"
        return " ".join(sentence(one.sentence) for one in found), tone

    def inside(self, path: Path) -> int:
        """How many problems there are below a place."""
        depth = len(path)
        found = sum(len(some) for at, some in self.problems.items() if len(at) > depth and at[:depth] == path)
        return found + sum(len(at) > depth and at[:depth] == path for at in self._unread)

    def keep_keyboard(self, leaving: QWidget) -> None:
        """A widget goes: when the keyboard is in it, the form takes it, so that the next key is not lost elsewhere."""
        focus, form = leaving.window().focusWidget(), self.parent()
        if focus is not None and (focus is leaving or leaving.isAncestorOf(focus)) and isinstance(form, QWidget):
            form.setFocus(Qt.FocusReason.OtherFocusReason)

    # --- what is folded ---

    def folded(self, key: object, default: bool) -> bool:
        """Whether a group or container is folded; nothing is while something is searched for."""
        return False if self.matches is not None else self.folds.get(key, default)

    def fold(self, key: object, folded: bool) -> None:
        """Keep what the person did."""
        self.folds[key] = folded


def sentence(words: str) -> str:
    """A problem's words as a sentence."""
    return f"{words[:1].upper()}{words[1:]}."
