"""Arguments as a form and as JSON, two live views of one document, with what is wrong and the button that sends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QVBoxLayout, QWidget

from mcp_inspector.schema.problems import Severity
from mcp_inspector.ui import plain, theme
from mcp_inspector.ui.bridge import Pull
from mcp_inspector.ui.forms.context import sentence
from mcp_inspector.ui.forms.view import FormView
from mcp_inspector.ui.models.arguments import by_path
from mcp_inspector.ui.models.checking import Checking
from mcp_inspector.ui.views.argument_tools import ArgumentTools
from mcp_inspector.ui.views.arguments_foot import ArgumentsFoot
from mcp_inspector.ui.views.json_side import JsonSide
from mcp_inspector.ui.views.problem_list import Line, ProblemList
from mcp_inspector.ui.views.request_view import RequestView
from mcp_inspector.ui.views.strip import Strip
from mcp_inspector.ui.widgets.labels import ElidedLabel
from mcp_inspector.ui.widgets.tabs import SegmentedTabs
from mcp_inspector.wire import jsontext

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QKeyEvent, QResizeEvent

    from mcp_inspector.schema.problems import Problem
    from mcp_inspector.schema.values import Defaults
    from mcp_inspector.ui.desk import Desk
    from mcp_inspector.ui.forms.completion import Complete
    from mcp_inspector.ui.models.arguments import Arguments
    from mcp_inspector.wire.jsontext import Path

_CHECK_MS = 120
FORM, JSON, SPLIT, REQUEST = range(4)
_ROOM = 300
"""Pixels below which a split has no room for two views side by side: they stand one above the other."""


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
        self.preview: Callable[[Arguments], str] = lambda _: ""
        """What the arguments come to, said above the button: the URI of a template."""
        self.request: Callable[[Arguments], tuple[str, str]] | None = None
        """The text of the request as it would be sent, and a sentence about it."""
        self._checking = Checking(self)
        self._check = Pull(self.check, self, _CHECK_MS)
        self._build()
        self._connect()
        self.tabs.setCurrentIndex(min(max(desk.memory.get(f"{name}.mode", FORM), FORM), SPLIT))
        self._mode_changed()

    # --- building ---

    def _build(self) -> None:
        self.tabs = SegmentedTabs(("Form", "JSON", "Split", "Request"))
        self.tabs.setToolTip("Form and JSON are two views of the same arguments")
        self.tabs.setTabToolTip(REQUEST, "The request as it will be sent, and its _meta (Ctrl+Shift+Q)")
        self.tools = ArgumentTools(self._desk, self._typed, self)
        self.tools.loaded.connect(self._loaded)
        bar = QWidget()
        theme.mark(bar, surface="band")
        top = QHBoxLayout(bar)
        top.setContentsMargins(0, 0, 6, 0)
        top.setSpacing(2)
        top.addWidget(self.tabs, 1)
        top.addWidget(self.tools.sets_button)
        top.addWidget(self.tools.copy_button)
        self.form = FormView()
        self.strip = Strip()
        self._splitter = QSplitter(Qt.Orientation.Horizontal)
        self._splitter.setChildrenCollapsible(False)
        self._splitter.addWidget(self.form)
        self._side = JsonSide()
        self.json = self._side.edit
        self._side.lay_out_wanted.connect(self.lay_out)
        self._splitter.addWidget(self._side)
        self._desk.memory.splitter(f"{self._name}.split", self._splitter, [500, 400])
        self.request_view = RequestView(self._desk)
        self.problem_list = ProblemList()
        self.problem_list.hide()
        self._preview = ElidedLabel(mono=True, mode=Qt.TextElideMode.ElideMiddle)
        self._preview_band = QWidget()
        theme.mark(self._preview_band, surface="window")
        inner = QHBoxLayout(self._preview_band)
        inner.setContentsMargins(14, 4, 12, 0)
        inner.addWidget(self._preview)
        self._preview_band.hide()
        self._foot = ArgumentsFoot(self._verb)
        self.call, self.cancel, self._busy = self._foot.call, self._foot.cancel, self._foot.busy
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        grown = (self._splitter, self.request_view)
        for widget in (bar, self.strip, *grown, self.tools.cases, self.problem_list, self._preview_band, self._foot):
            layout.addWidget(widget, 1 if widget in grown else 0)

    def _connect(self) -> None:
        foot = self._foot
        self.tabs.currentChanged.connect(self._mode_changed)
        self.request_view.meta.changed.connect(self._meta_changed)
        self.form.submitted.connect(self.send)
        self.form.raw_wanted.connect(self.show_in_json)
        self.form.unread_changed.connect(self._check.soon)
        self.json.submitted.connect(self.send)
        self.strip.activated.connect(self._strip_button)
        self.problem_list.chosen.connect(self._go_to)
        self._checking.changed.connect(self.check)
        foot.send_wanted.connect(self.send)
        foot.cancel_wanted.connect(self.cancel_wanted)
        foot.problems_wanted.connect(self.toggle_problems)
        foot.reset_wanted.connect(self._do_reset)
        foot.sample_wanted.connect(lambda everything: self._do_generate(everything=everything))
        foot.cases_wanted.connect(self.tools.list_cases)
        foot.defaults_chosen.connect(self._choose_defaults)
        foot.show_defaults(self._desk.drafts.defaults)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Two views side by side need room; without it they stand one above the other."""
        super().resizeEvent(event)
        across = self.width() >= 2 * _ROOM
        wanted = Qt.Orientation.Horizontal if across else Qt.Orientation.Vertical
        if self._splitter.orientation() is not wanted:
            self._splitter.setOrientation(wanted)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Undo and redo work wherever the keyboard is in here."""
        if event.matches(QKeySequence.StandardKey.Undo):
            self.form.history.take_back()
        elif event.matches(QKeySequence.StandardKey.Redo):
            self.form.history.take_back(again=True)
        else:
            super().keyPressEvent(event)

    # --- what is edited ---

    @property
    def foot(self) -> ArgumentsFoot:
        """The row of buttons below the form."""
        return self._foot

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
        self._checking.watch(arguments)
        self.tools.cases.hide()
        self.form.head.set_text(head)
        self.setEnabled(arguments is not None)
        self.request_view.meta.show_key(arguments.key if arguments is not None else None)
        if arguments is None:
            self.form.show_form(None, None)
            self.json.set_document(None)
            self.strip.hide()
            self.problem_list.hide()
            return
        arguments.begin_with(self._desk.drafts.defaults)
        self._disconnect = arguments.document.changed.connect(self._check.soon)
        self.form.show_form(arguments.form, arguments.document, complete, arguments.folds, arguments.unread)
        self.json.set_document(arguments.document)
        self.say_schema_changed()
        self._show_sent()
        self.check()

    def _typed(self) -> Arguments | None:
        """The arguments, with all that was typed."""
        self.form.flush()
        return self._arguments

    def _loaded(self) -> None:
        self.form.begin_anew()
        self.say_schema_changed()

    def say_schema_changed(self) -> None:
        """Say that the draft was typed for another schema, or that the schema has faults."""
        arguments = self._arguments
        if arguments is None:
            return
        words = arguments.remark(self._desk.recall)
        if words is None:
            self.strip.hide()
        else:
            self.strip.say(*words)

    def _strip_button(self, command: str) -> None:
        if command == "reset":
            self._do_reset()

    def _do_reset(self) -> None:
        if self._arguments is not None:
            self.form.begin_anew()
            self._arguments.reset()
            self._arguments.schema_changed = False
            self.say_schema_changed()

    def _do_generate(self, *, everything: bool) -> None:
        if self._arguments is not None:
            self.form.begin_anew()
            misfit = self._arguments.generate(everything=everything)
            if misfit:
                self.strip.say("No sample that fits was found", misfit, "warn")

    def _choose_defaults(self, choice: Defaults) -> None:
        self._desk.drafts.defaults = choice
        if self._arguments is not None:
            self._arguments.begin_with(choice)

    # --- modes ---

    def _mode_changed(self) -> None:
        mode = self.tabs.currentIndex()
        if mode != REQUEST:
            self._desk.memory.put(f"{self._name}.mode", mode)
        self._splitter.setVisible(mode != REQUEST)
        self.form.setVisible(mode in (FORM, SPLIT))
        self._side.setVisible(mode in (JSON, SPLIT))
        self.request_view.setVisible(mode == REQUEST)
        self._show_request()

    def toggle_request(self) -> None:
        """Show the request with the keyboard in its `_meta`, or the form again."""
        self.tabs.setCurrentIndex(REQUEST if self.tabs.currentIndex() != REQUEST else FORM)
        (self.request_view.meta.edit if self.tabs.currentIndex() == REQUEST else self.form).setFocus()

    def _meta_changed(self) -> None:
        self.tabs.set_count(REQUEST, self.request_view.meta.meta.word or None)
        self._show_request()
        self._show_count()

    def _show_request(self) -> None:
        arguments = self._arguments
        if self.tabs.currentIndex() != REQUEST or arguments is None or self.request is None:
            return
        if arguments.document.valid:
            self.request_view.show_request(*self.request(arguments))
        else:
            self.request_view.show_request("", "The JSON is not complete: nothing can be sent.")

    def show_in_json(self, path: Path | None) -> None:
        """Show a place in the JSON editor; None for where it is no JSON."""
        if self.tabs.currentIndex() not in (JSON, SPLIT):
            self.tabs.setCurrentIndex(JSON)
        arguments = self._arguments
        if arguments is None:
            return
        if path is None and arguments.document.error is not None:
            self.json.go_to(arguments.document.error.offset)
            return
        node = arguments.document.node(path or ())
        self.json.go_to(node.start if node is not None else 0)

    def lay_out(self) -> None:
        """Put the JSON on lines: it is the person who asks, and one step to take back."""
        if self._arguments is not None and self._arguments.document.valid:
            self._arguments.document.set_text(jsontext.pretty(self._arguments.document.text))

    # --- checking and sending ---

    def check(self) -> None:
        """Look for problems and show them at their fields, in the JSON, in the list and in the count."""
        arguments = self._arguments
        if arguments is None:
            return
        error = arguments.document.error
        self._side.say(f"Line {error.line}, column {error.column}: {error.sentence}" if error is not None else "")
        if error is not None:
            self.json.mark(max(0, error.offset - 1), min(len(arguments.document.text), error.offset + 1))
        else:
            self.json.mark(0, 0)
        self._problems = self._checking.problems()
        self._preview.setText(self.preview(arguments) if error is None else "")
        self._preview_band.setVisible(bool(self._preview.text()))
        self.form.show_problems(by_path(self._problems))
        self._show_count()
        self._show_request()
        if not arguments.schema_changed:
            self.say_schema_changed()

    def _unread(self) -> dict[Path, str]:
        return dict(self.form.context.unread_problems) if self.form.context is not None else {}

    def errors(self) -> int:
        """How many things are wrong, warnings apart."""
        broken = self._arguments is not None and not self._arguments.document.valid
        wrong = sum(problem.severity is Severity.ERROR for problem in self._problems)
        return int(broken) + wrong + len(self._unread())

    def _lines(self) -> list[Line]:
        """All that is wrong, for the list: what cannot be sent at all first."""
        arguments = self._arguments
        if arguments is None:
            return []
        error = arguments.document.error
        if error is not None:
            return [("error", f"Line {error.line}, column {error.column}: {error.sentence}", None)]
        lines: list[Line] = [
            ("error", f"{jsontext.pointer(path)}  {words}", path) for path, words in self._unread().items()
        ]
        for one in self._problems:
            tone = "error" if one.severity is Severity.ERROR else "warn"
            lines.append((tone, f"{jsontext.pointer(one.path) or '/'}  {sentence(one.sentence)}", one.path))
        return lines

    def _show_count(self) -> None:
        errors = self.errors()
        self._foot.show_count(errors, sum(one.severity is not Severity.ERROR for one in self._problems))
        lines = self._lines()
        self.problem_list.show_lines(lines)
        if not lines:
            self.problem_list.hide()
        broken = self._arguments is not None and not self._arguments.document.valid
        odd = self.request_view.meta.meta.problem
        why = "The JSON is not complete: mend it before it can be sent" if broken else odd or self._why_not
        self._foot.show_sendable(self._can_send and not broken and not odd, why)

    def toggle_problems(self) -> None:
        """Show or hide the list of all that is wrong."""
        self.problem_list.setVisible(self.problem_list.isHidden())
        if not self.problem_list.isHidden():
            self.form.show_problems(by_path(self._problems), everywhere=True)
            self.problem_list.setFocus(Qt.FocusReason.OtherFocusReason)

    def set_can_send(self, can: bool, why_not: str = "") -> None:
        """Whether a call is possible at all, and why not."""
        self._can_send, self._why_not = can, why_not
        self._show_count()

    def set_running(self, running: bool, words: str = "") -> None:
        """Show that a call runs, with a button to cancel it."""
        self._foot.show_running(running, words)
        if not running:
            self._show_sent()

    def _show_sent(self) -> None:
        count = self._desk.recall.count(self._arguments.key) if self._arguments is not None else 0
        self._busy.setText(f"sent {plain.count(count, 'time')}" if count and not self.cancel.isVisible() else "")

    def next_problem(self) -> None:
        """Go to the next thing that is wrong."""
        lines = self._lines()
        if not lines:
            return
        target = lines[self._next % len(lines)][2]
        self._next += 1
        self._go_to(target)

    def _go_to(self, target: object) -> None:
        """Go to a path in the view that is shown; None is where the JSON is broken."""
        if not isinstance(target, tuple):
            self.show_in_json(None)
            return
        self.form.show_problems(by_path(self._problems), everywhere=True)
        if self.tabs.currentIndex() not in (FORM, SPLIT) or not self.form.go_to(target):
            self.show_in_json(target)

    def send(self) -> None:
        """Ask for the call; what is wrong is shown everywhere from now on."""
        arguments = self._arguments
        self.form.flush()
        if arguments is None or not self.call.isEnabled():
            return
        self.check()
        if arguments.document.valid and self._can_send:
            self.form.show_problems(by_path(self._problems), everywhere=True)
            self.call_wanted.emit()

    def note_sent(self, arguments: Arguments) -> None:
        """Remember that these went out; what waits for an approval, or was refused, did not."""
        self._desk.recall.note_sent(arguments.key, arguments.document.text, arguments.mark, arguments.kept())
        self._show_sent()
