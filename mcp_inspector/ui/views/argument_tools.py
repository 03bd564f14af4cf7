"""What one does with arguments as a whole: load and save them, copy them as something else, try the edges."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu

from mcp_inspector.ui.forms.marks import IconButton
from mcp_inspector.ui.models import copies
from mcp_inspector.ui.views.argument_sets import SetsPanel
from mcp_inspector.ui.views.case_list import CaseList
from mcp_inspector.wire import jsontext

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from mcp_inspector.config.entry import ServerEntry
    from mcp_inspector.schema.boundaries import Case
    from mcp_inspector.ui.desk import Desk
    from mcp_inspector.ui.models.arguments import Arguments

_COPIES = (
    ("Copy as JSON", "json"),
    ("Copy as JSON on one line", "line"),
    ("Copy as command line", "command"),
    ("Copy as Python", "python"),
)


class ArgumentTools(QObject):
    """Two buttons, a list of cases, and what they do. `wanted` gives the arguments, with all that was typed in them."""

    loaded = Signal()
    """Other arguments were put in, which may have been typed for another schema."""

    def __init__(self, desk: Desk, wanted: Callable[[], Arguments | None], parent: QWidget) -> None:
        super().__init__(parent)
        self._desk, self._wanted, self._parent = desk, wanted, parent
        self.copied: Callable[[Arguments], tuple[ServerEntry, str, str] | None] = lambda _: None
        """The server, the kind and the name that a copied command or program asks for."""
        self.sets_button = IconButton(parent, "bookmark", "Saved and sent arguments", self.open_sets)
        self.copy_button = IconButton(
            parent, "copy", "Copy the arguments as JSON, command line, Python", self.open_copies
        )
        for button in (self.sets_button, self.copy_button):
            button.setFixedSize(26, 24)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.cases = CaseList()
        self.cases.chosen.connect(self._take_case)
        self.cases.closed.connect(self.cases.hide)

    def open_sets(self) -> SetsPanel | None:
        """Saved and sent arguments."""
        arguments = self._wanted()
        if arguments is None:
            return None
        panel = SetsPanel(arguments, self._desk.recall, self._parent)
        panel.loaded.connect(self._load)
        panel.unfold(self.sets_button)
        return panel

    def _load(self, text: str, mark: str) -> None:
        arguments = self._wanted()
        if arguments is not None:
            arguments.load(text)
            arguments.schema_changed = bool(mark) and mark != arguments.mark
            self.loaded.emit()

    def open_copies(self) -> QMenu:
        """Copy the arguments as something else."""
        menu = QMenu(self._parent)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        arguments = self._wanted()
        valid = arguments is not None and arguments.document.valid
        for words, what in _COPIES:
            action = menu.addAction(words)
            action.setEnabled(valid or what == "json")
            action.triggered.connect(lambda _=False, what=what: self.copy_as(what))
        menu.popup(self.copy_button.mapToGlobal(self.copy_button.rect().bottomLeft()))
        return menu

    def copy_as(self, what: str) -> str:
        """Put the arguments on the clipboard as `json`, `line`, `command` or `python`; returns what was put there."""
        arguments = self._wanted()
        asked = self.copied(arguments) if arguments is not None else None
        if arguments is None:
            return ""
        if what in ("command", "python") and asked is not None:
            make = copies.as_command if what == "command" else copies.as_python
            text = make(*asked, arguments.form, arguments.document)
        else:
            text = copies.as_json(arguments.document, lines=what != "line")
        QGuiApplication.clipboard().setText(text)
        return text

    def list_cases(self) -> None:
        """List the values at the edges of the schema."""
        arguments = self._wanted()
        if arguments is not None:
            self.cases.show_cases(arguments.cases())

    def _take_case(self, case: Case) -> None:
        arguments = self._wanted()
        if arguments is not None:
            arguments.load(jsontext.pretty(case.json_text))
