"""The foot of the arguments: how many problems there are, and the buttons that generate, cancel and send."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QHBoxLayout, QMenu, QPushButton, QWidget

from mcp_inspector.schema.values import Defaults
from mcp_inspector.ui import icons, plain, theme
from mcp_inspector.ui.widgets.labels import ElidedLabel

if TYPE_CHECKING:
    from PySide6.QtGui import QAction, QResizeEvent

_RESET, _WORDS, _COUNT, _GENERATE = 420, 380, 340, 230
"""Widths from which these are shown: the button to begin anew, the word beside the wand, what is counted, the wand."""

_BEGIN = {
    Defaults.NONE: "Constants only",
    Defaults.REQUIRED: "and defaults of required members",
    Defaults.ALL: "and all defaults",
}


class ArgumentsFoot(QWidget):
    """Buttons and words; what they do is the view's."""

    send_wanted = Signal()
    cancel_wanted = Signal()
    problems_wanted = Signal()
    reset_wanted = Signal()
    sample_wanted = Signal(bool)
    """Fill in a sample: of every member, or of the required ones."""
    cases_wanted = Signal()
    probe_wanted = Signal()
    """Try all of these cases on the server, as a collection."""
    defaults_chosen = Signal(object)

    def __init__(self, verb: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        theme.mark(self, surface="window")
        self._verb, self._wrong = verb, False
        self._counted = 0, 0
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 6, 8, 6)
        row.setSpacing(6)
        self.count = QPushButton()
        theme.mark(self.count, kind="quiet")
        self.count.setToolTip("List the problems; F8 goes to the next one")
        self.count.clicked.connect(self.problems_wanted)
        self.busy = ElidedLabel(tone="muted", size="small")
        self.reset = QPushButton(icons.icon("undo-2"), "")
        self.reset.setToolTip("Begin anew; Ctrl+Z takes it back")
        self.reset.setAccessibleName("Begin anew")
        self.reset.clicked.connect(self.reset_wanted)
        self.generate = QPushButton(icons.icon("wand-sparkles"), "Generate")
        self.generate.setAccessibleName("Generate")
        self.generate.setToolTip("Fill in a sample that fits the schema; Ctrl+Z takes it back")
        self._defaults: dict[Defaults, QAction] = {}
        self.generate.setMenu(self._menu())
        self.cancel = QPushButton(icons.icon("square"), "Cancel")
        self.cancel.setToolTip("Cancel the call that runs (Ctrl+.)")
        self.cancel.clicked.connect(self.cancel_wanted)
        self.cancel.hide()
        self.call = QPushButton()
        theme.mark(self.call, kind="primary")
        self.call.clicked.connect(self.send_wanted)
        row.addWidget(self.count)
        row.addWidget(self.busy, 1)
        for button in (self.reset, self.generate, self.cancel, self.call):
            row.addWidget(button)
        self.count.hide()
        self._label()

    def _menu(self) -> QMenu:
        menu = QMenu(self)
        menu.addAction("Required members only").triggered.connect(lambda: self.sample_wanted.emit(False))
        menu.addAction("Every member").triggered.connect(lambda: self.sample_wanted.emit(True))
        menu.addAction("Boundary and invalid cases…").triggered.connect(self.cases_wanted)
        self.probe = menu.addAction("Probe this tool with all cases…")
        self.probe.triggered.connect(self.probe_wanted)
        self.probe.setVisible(False)
        menu.addSeparator()
        menu.addAction(icons.icon("undo-2"), "Begin anew").triggered.connect(self.reset_wanted)
        begin = menu.addMenu("Forms begin with")
        group = QActionGroup(menu)
        for choice, words in _BEGIN.items():
            action = begin.addAction(words)
            action.setCheckable(True)
            group.addAction(action)
            action.triggered.connect(lambda _=False, choice=choice: self.defaults_chosen.emit(choice))
            self._defaults[choice] = action
        return menu

    def action(self, words: str) -> QAction:
        """An entry of the menu, by its words."""
        menu = self.generate.menu()
        found = [*menu.actions(), *(one for sub in menu.findChildren(QMenu) for one in sub.actions())]
        return next(one for one in found if one.text() == words)

    def show_defaults(self, choice: Defaults) -> None:
        """Which defaults forms begin with."""
        self._defaults[choice].setChecked(True)

    def show_count(self, errors: int, warnings: int) -> None:
        """How many problems there are."""
        self._counted = errors, warnings
        words = [plain.count(errors, "problem")] if errors else []
        if warnings > 0:
            words.append(plain.count(warnings, "warning"))
        self.count.setAccessibleName(", ".join(words))
        if self.width() < _COUNT:
            words = [str(errors + warnings)] if words else []
        icon = icons.icon("circle-x", "error") if errors else icons.icon("triangle-alert", "warn")
        self.count.setIcon(icon)
        self.count.setText(" · ".join(words))
        self.count.setVisible(bool(words))
        self._wrong = bool(errors)
        self._label()

    def show_sendable(self, can: bool, why_not: str) -> None:
        """Whether it can be sent, and why not."""
        self.call.setEnabled(can)
        if not can:
            self.call.setToolTip(why_not)

    def show_running(self, running: bool, words: str) -> None:
        """Whether a call runs, and how far it is."""
        self.cancel.setVisible(running)
        self._make_room()
        self.busy.setText(words)
        self._label()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The button that sends keeps its word; what stands beside it goes first."""
        super().resizeEvent(event)
        wide = self.width()
        self.reset.setVisible(wide >= _RESET)
        self.generate.setText("Generate" if wide >= _WORDS else "")
        self._make_room()
        self.show_count(*self._counted)

    def _make_room(self) -> None:
        crowded = not self.cancel.isHidden() and self.width() < _WORDS
        self.generate.setVisible(self.width() >= _GENERATE and not crowded)

    def _label(self) -> None:
        verb = "Send anyway" if self._wrong else self._verb
        short = "Send" if self._wrong else self._verb.partition(" ")[0]
        layout = self.layout()
        assert layout is not None
        for text in (f"{verb}   Ctrl+Enter", verb, short):  # the button that sends is never cut
            self.call.setText(text)
            layout.invalidate()
            if layout.minimumSize().width() <= self.width():
                break
        self.call.setToolTip(
            "The arguments do not fit the schema; the server may refuse them (Ctrl+Enter)"
            if self._wrong
            else f"{self._verb} (Ctrl+Enter)"
        )
