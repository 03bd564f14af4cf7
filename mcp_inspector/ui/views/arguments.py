"""Arguments as a form and as JSON, two live views of one document, with what is wrong and the button that sends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QMenu, QPushButton, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from mcp_inspector.schema.problems import Severity
from mcp_inspector.ui import icons, plain, theme
from mcp_inspector.ui.bridge import Pull
from mcp_inspector.ui.forms.json_edit import JsonEdit
from mcp_inspector.ui.forms.view import FormView
from mcp_inspector.ui.models.arguments import by_path
from mcp_inspector.ui.views.strip import Strip
from mcp_inspector.ui.widgets.labels import ElidedLabel, EmptyState
from mcp_inspector.ui.widgets.tabs import SegmentedTabs
from mcp_inspector.wire import jsontext

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QResizeEvent

    from mcp_inspector.schema.problems import Problem
    from mcp_inspector.ui.desk import Desk
    from mcp_inspector.ui.forms.completion import Complete
    from mcp_inspector.ui.models.arguments import Arguments
    from mcp_inspector.wire.jsontext import Path

_CHECK_MS = 120
FORM, JSON, SPLIT = range(3)
_WIDE, _NARROW, _NARROWER = 400, 320, 240
"""Widths below which the shortcut, the button to begin anew and the button to generate are left out."""


class ArgumentsView(QWidget):
    """Edits one `Arguments`. `call_wanted` asks to send them."""

    call_wanted = Signal()
    cancel_wanted = Signal()

    def __init__(self, desk: Desk, name: str, verb: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk, self._name, self._verb = desk, name, verb
        self._arguments: Arguments | None = None
        self._disconnect: Callable[[], None] = lambda: None
        self._problems: list[Problem] = []
        self._next = 0
        self._can_send = True
        self._why_not = ""
        self.tabs = SegmentedTabs(("Form", "JSON", "Split"))
        self.tabs.setToolTip("Form and JSON are the same arguments (Ctrl+Shift+F, Ctrl+Shift+J)")
        self.form = FormView()
        self.json = JsonEdit()
        self.strip = Strip()
        self._error = ElidedLabel(tone="error", size="small")
        self._splitter = QSplitter(Qt.Orientation.Horizontal)
        self._splitter.setChildrenCollapsible(False)
        self._splitter.addWidget(self.form)
        self._side = self._json_side()
        self._splitter.addWidget(self._side)
        desk.memory.splitter(f"{name}.split", self._splitter, [500, 400])
        self._check = Pull(self.check, self, _CHECK_MS)
        self.preview: Callable[[Arguments], str] = lambda _: ""
        """What the arguments come to, said above the button: the URI of a template."""
        self._preview = ElidedLabel(mono=True, mode=Qt.TextElideMode.ElideMiddle)
        self._preview_band = QWidget()
        theme.mark(self._preview_band, surface="window")
        inner = QHBoxLayout(self._preview_band)
        inner.setContentsMargins(14, 4, 12, 0)
        inner.addWidget(self._preview)
        self._preview_band.hide()
        self._foot = self._build_foot()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        for widget in (self.tabs, self.strip, self._splitter, self._preview_band, self._foot):
            layout.addWidget(widget, 1 if widget is self._splitter else 0)
        self.tabs.currentChanged.connect(self._mode_changed)
        self.tabs.setCurrentIndex(min(max(desk.memory.get(f"{name}.mode", FORM), FORM), SPLIT))
        self._mode_changed()
        self.form.submitted.connect(self.send)
        self.form.raw_wanted.connect(self.show_in_json)
        self.form.unread_changed.connect(self._check.soon)
        self.json.submitted.connect(self.send)
        self.json.too_large.connect(self._large_changed)
        self.strip.activated.connect(self._strip_button)

    # --- building ---

    def _json_side(self) -> QWidget:
        self._large = EmptyState(
            "file-json", "Too long to be edited here", "It is kept and sent as it is.", "Lay it out"
        )
        self._large.activated.connect(self.lay_out)
        self._json_stack = QStackedWidget()
        self._json_stack.addWidget(self.json)
        self._json_stack.addWidget(self._large)
        side = QWidget()
        theme.mark(side, surface="base")
        layout = QVBoxLayout(side)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._json_stack, 1)
        error = QHBoxLayout()
        error.setContentsMargins(8, 2, 8, 2)
        error.addWidget(self._error)
        layout.addLayout(error)
        self._error.hide()
        return side

    def _build_foot(self) -> QWidget:
        foot = QWidget()
        theme.mark(foot, surface="window")
        row = QHBoxLayout(foot)
        row.setContentsMargins(8, 6, 8, 6)
        row.setSpacing(6)
        self._count = QPushButton()
        theme.mark(self._count, kind="quiet")
        self._count.setToolTip("Go to the next problem (F8)")
        self._count.clicked.connect(self.next_problem)
        self._busy = ElidedLabel(tone="muted", size="small")
        self._reset = QPushButton(icons.icon("undo-2"), "")
        self._reset.setToolTip("Begin anew; Ctrl+Z takes it back")
        self._reset.setAccessibleName("Begin anew")
        self._reset.clicked.connect(self._do_reset)
        self._sample = QPushButton("Generate")
        self._sample.setToolTip("Fill in a sample that fits the schema; Ctrl+Z takes it back")
        menu = QMenu(self._sample)
        menu.addAction("Required members only", lambda: self._do_generate(everything=False))
        menu.addAction("Every member", lambda: self._do_generate(everything=True))
        self._sample.setMenu(menu)
        self.cancel = QPushButton(icons.icon("x"), "Cancel")
        self.cancel.setToolTip("Cancel the call that runs (Ctrl+.)")
        self.cancel.clicked.connect(self.cancel_wanted)
        self.cancel.hide()
        self.call = QPushButton()
        theme.mark(self.call, kind="primary")
        self.call.clicked.connect(self.send)
        row.addWidget(self._count)
        row.addWidget(self._busy, 1)
        for button in (self._reset, self._sample, self.cancel, self.call):
            row.addWidget(button)
        self._label_call(False)
        return foot

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The button keeps its word; what stands beside it goes first."""
        super().resizeEvent(event)
        self._label_call(bool(self.errors()))
        self._reset.setVisible(self.width() >= _NARROW)
        self._sample.setVisible(self.width() >= _NARROWER)

    def _label_call(self, wrong: bool) -> None:
        keys = "   Ctrl+Enter" if self.width() >= _WIDE else ""
        self.call.setText(f"{'Send anyway' if wrong else self._verb}{keys}")
        self.call.setToolTip(
            "The arguments do not fit the schema; the server may refuse them" if wrong else f"{self._verb} (Ctrl+Enter)"
        )

    # --- what is edited ---

    @property
    def arguments(self) -> Arguments | None:
        """What is edited now."""
        return self._arguments

    def show_arguments(self, arguments: Arguments | None, head: str = "", complete: Complete | None = None) -> None:
        """Edit other arguments; `head` is said above the form."""
        self._disconnect()
        self._disconnect = lambda: None
        self._arguments = arguments
        self._problems, self._next = [], 0
        self.form.head.setText(plain.lines(head[:4_000]))
        self.form.head.setVisible(bool(head.strip()))
        self.setEnabled(arguments is not None)
        if arguments is None:
            self.form.show_form(None, None)
            self.json.set_document(None)
            self.strip.hide()
            return
        self._disconnect = arguments.document.changed.connect(self._check.soon)
        self.form.show_form(arguments.form, arguments.document, complete)
        self.json.set_document(arguments.document)
        self.say_schema_changed()
        self.check()

    def say_schema_changed(self) -> None:
        """Say that the draft was typed for another schema, or that the schema has faults."""
        arguments = self._arguments
        if arguments is None:
            return
        if arguments.schema_changed:
            self.strip.say("The schema has changed since this was typed", "", "warn", "reset", "Begin anew")
        elif arguments.form.findings:
            texts = [str(finding.sentence) for finding in arguments.form.findings]
            head = texts[0] if len(texts) == 1 else f"The schema has {plain.count(len(texts), 'oddity', 'oddities')}"
            self.strip.say(plain.line(head), plain.lines("\n".join(texts[:20])), "warn")
        else:
            self.strip.hide()

    def _strip_button(self, command: str) -> None:
        if command == "reset":
            self._do_reset()

    def _do_reset(self) -> None:
        if self._arguments is not None:
            self._arguments.reset()
            self._arguments.schema_changed = False
            self.say_schema_changed()

    def _do_generate(self, *, everything: bool) -> None:
        if self._arguments is not None:
            misfit = self._arguments.generate(everything=everything)
            if misfit:
                self.strip.say("No sample that fits was found", misfit, "warn")

    # --- modes ---

    def _mode_changed(self) -> None:
        mode = self.tabs.currentIndex()
        self._desk.memory.put(f"{self._name}.mode", mode)
        self.form.setVisible(mode != JSON)
        self._side.setVisible(mode != FORM)

    def show_in_json(self, path: Path) -> None:
        """Show a place in the JSON editor."""
        if self.tabs.currentIndex() == FORM:
            self.tabs.setCurrentIndex(JSON)
        node = self._arguments.document.node(path) if self._arguments is not None else None
        self.json.go_to(node.start if node is not None else 0)

    def _large_changed(self, large: bool) -> None:
        self._json_stack.setCurrentIndex(1 if large else 0)

    def lay_out(self) -> None:
        """Put the JSON on lines: it is the person who asks, and one step to take back."""
        if self._arguments is not None and self._arguments.document.valid:
            self._arguments.document.set_text(jsontext.pretty(self._arguments.document.text))

    # --- checking and sending ---

    def check(self) -> None:
        """Look for problems and show them at their fields, in the JSON and in the count."""
        arguments = self._arguments
        if arguments is None:
            return
        error = arguments.document.error
        self._error.setText(f"Line {error.line}, column {error.column}: {error.sentence}" if error is not None else "")
        self._error.setVisible(error is not None)
        if error is not None:
            self.json.mark(max(0, error.offset - 1), min(len(arguments.document.text), error.offset + 1))
        else:
            self.json.mark(0, 0)
        self._problems = arguments.problems()
        self._preview.setText(self.preview(arguments) if error is None else "")
        self._preview_band.setVisible(bool(self._preview.text()))
        self.form.show_problems(by_path(self._problems))
        self._show_count()
        if not arguments.schema_changed:
            self.say_schema_changed()

    def _unread(self) -> int:
        return len(self.form.context.unread_problems) if self.form.context is not None else 0

    def errors(self) -> int:
        """How many things are wrong, warnings apart."""
        broken = self._arguments is not None and not self._arguments.document.valid
        wrong = sum(problem.severity is Severity.ERROR for problem in self._problems)
        return int(broken) + wrong + self._unread()

    def _show_count(self) -> None:
        errors = self.errors()
        warnings = len(self._problems) + self._unread() - errors
        words = [plain.count(errors, "problem")] if errors else []
        if warnings > 0:
            words.append(plain.count(warnings, "warning"))
        self._count.setText(" · ".join(words))
        self._count.setVisible(bool(words))
        self._label_call(bool(errors))
        broken = self._arguments is not None and not self._arguments.document.valid
        self.call.setEnabled(self._can_send and not broken)
        if broken:
            self.call.setToolTip("The JSON is not complete: mend it before it can be sent")
        elif not self._can_send:
            self.call.setToolTip(self._why_not)

    def set_can_send(self, can: bool, why_not: str = "") -> None:
        """Whether a call is possible at all, and why not."""
        self._can_send, self._why_not = can, why_not
        self._show_count()

    def set_running(self, running: bool, words: str = "") -> None:
        """Show that a call runs, with a button to cancel it."""
        self.cancel.setVisible(running)
        self._busy.setText(words)

    def next_problem(self) -> None:
        """Go to the next thing that is wrong."""
        arguments = self._arguments
        if arguments is None:
            return
        if arguments.document.error is not None:
            if self.tabs.currentIndex() == FORM:
                self.tabs.setCurrentIndex(JSON)
            self.json.go_to(arguments.document.error.offset)
            return
        unread = list(self.form.context.unread_problems) if self.form.context is not None else []
        paths = [*unread, *(problem.path for problem in self._problems)]
        if not paths:
            return
        self.form.show_problems(by_path(self._problems), everywhere=True)
        path = paths[self._next % len(paths)]
        self._next += 1
        if self.tabs.currentIndex() == JSON or not self.form.go_to(path):
            self.show_in_json(path)

    def send(self) -> None:
        """Ask for the call; what is wrong is shown everywhere from now on."""
        if self._arguments is None or not self.call.isEnabled():
            return
        self.check()
        if self._arguments.document.valid and self._can_send:
            self.form.show_problems(by_path(self._problems), everywhere=True)
            self.call_wanted.emit()
