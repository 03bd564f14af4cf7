"""One action of a collection: what its last run says, its JSON to be edited, and a load run of it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QScrollArea, QStackedWidget, QVBoxLayout, QWidget

from mcp_inspector.actions import editing
from mcp_inspector.actions.probing import endings
from mcp_inspector.actions.results import CaseResult, Status
from mcp_inspector.config.safe_write import EditRefused
from mcp_inspector.schema.document import Document
from mcp_inspector.ui import icons, plain, theme
from mcp_inspector.ui.forms.json_edit import JsonEdit
from mcp_inspector.ui.views.load_view import LoadView
from mcp_inspector.ui.views.strip import Strip
from mcp_inspector.ui.widgets.labels import ElidedLabel, EmptyState, IconLabel, Pill
from mcp_inspector.ui.widgets.rows import ValueLabel
from mcp_inspector.ui.widgets.tabs import SegmentedTabs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mcp_inspector.actions.collection import Action, Collection
    from mcp_inspector.actions.results import StepResult
    from mcp_inspector.ui.desk import Desk
    from mcp_inspector.ui.models.acting import Acting

_CASES = 60
_TONES = {Status.PASSED: "ok", Status.FAILED: "error", Status.ERROR: "warn", Status.SKIPPED: "muted"}
RESULT, EDIT, LOAD = range(3)


class ActionDetail(QWidget):
    """Tabs. `saved` tells that the file was written."""

    saved = Signal()

    def __init__(self, desk: Desk, acting: Acting, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self._collection: Collection | None = None
        self._action: Action | None = None
        self._results: Sequence[CaseResult] = ()
        self._edited: tuple[object, str] | None = None
        self.tabs = SegmentedTabs(("Result", "Action", "Load"))
        self.tabs.setObjectName("action-tabs")
        self.area = QScrollArea()
        self.area.setWidgetResizable(True)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document = Document("")
        self.edit = JsonEdit()
        self.edit.setAccessibleName("Action as JSON")
        self.edit.set_document(self.document)
        self.edit.submitted.connect(self.save)
        self.strip = Strip()
        self.save_button = QPushButton(icons.icon("save"), "Save")
        self.save_button.setToolTip("Write it into the collection (Ctrl+Enter)")
        self.save_button.clicked.connect(self.save)
        self.place = ElidedLabel(tone="muted", size="small")
        self.load = LoadView(desk, acting)
        self.empty = EmptyState("bookmark", "Choose an action", "What it sends and what it came to is shown here.")
        self._pages = QStackedWidget()
        self._lay_out()
        self.tabs.currentChanged.connect(self._pages.setCurrentIndex)
        self._stop = self.document.changed.connect(lambda _: self._typed())
        theme.mark(self, surface="base")

    def _lay_out(self) -> None:
        editor = QWidget()
        column = QVBoxLayout(editor)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.strip)
        column.addWidget(self.edit, 1)
        foot = QHBoxLayout()
        foot.setContentsMargins(8, 4, 8, 4)
        foot.addWidget(self.place, 1)
        foot.addWidget(self.save_button)
        column.addLayout(foot)
        room = QScrollArea()
        room.setWidgetResizable(True)
        room.setWidget(self.load)
        for page in (self.area, editor, room):
            self._pages.addWidget(page)
        self._body = QWidget()
        inner = QVBoxLayout(self._body)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(0)
        inner.addWidget(self.tabs)
        inner.addWidget(self._pages, 1)
        self._stack = QStackedWidget()
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self._body)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._stack)

    # --- what is shown ---

    def show_action(self, collection: Collection | None, action: Action | None, results: Sequence[CaseResult]) -> None:
        """Show an action, or without one the collection itself: what is odd in it, and its whole text."""
        same = collection is self._collection and action is self._action and list(results) == list(self._results)
        self._collection, self._action = collection, action
        self._stack.setCurrentWidget(self._body if collection is not None else self.empty)
        if collection is None:
            self._results = ()
            return
        if not same:
            self._results = list(results)
            if action is None:
                self._show_about(collection)
            else:
                self._show_results()
        self.tabs.setTabText(RESULT, "Result" if action is not None else "About")
        self.tabs.setTabText(EDIT, "Action" if action is not None else "File")
        key = (collection.path, action.name if action is not None else "")
        text = editing.action_text(collection.text, action.place) if action is not None else collection.text
        if self._edited is None or self._edited[0] != key or not self.document.modified:
            self._edited = (key, text)
            if self.document.text != text:
                self.document.reset(text)
            self.strip.hide()
        self.place.setText(str(collection.path))
        self.load.show_action(collection, action)
        self._typed()

    def _show_about(self, collection: Collection) -> None:
        body = QWidget()
        theme.mark(body, surface="base")
        column = QVBoxLayout(body)
        column.setContentsMargins(12, 8, 12, 12)
        column.setSpacing(6)
        count = plain.count(len(collection.actions), "action")
        column.addWidget(ElidedLabel(f"{plain.line(collection.name, 80)}: {count}", bold=True))
        column.addWidget(ValueLabel(plain.lines(collection.description[:2_000]) or "Run it, or choose an action."))
        found = ", ".join(f"{number} {word}" for word, number in endings(self._results).items())
        if found:
            column.addWidget(_note(f"The last run: {found}"))
        for oddity in collection.oddities[:_CASES]:
            line = QHBoxLayout()
            line.setSpacing(6)
            tone = "error" if oddity.fatal else "warn"
            line.addWidget(IconLabel("triangle-alert", 14, tone), 0, Qt.AlignmentFlag.AlignTop)
            line.addWidget(ValueLabel(plain.lines(str(oddity)[:1_000])), 1)
            column.addLayout(line)
        column.addStretch(1)
        self.area.setWidget(body)

    def _show_results(self) -> None:
        body = QWidget()
        theme.mark(body, surface="base")
        column = QVBoxLayout(body)
        column.setContentsMargins(12, 8, 12, 12)
        column.setSpacing(8)
        shown = sorted(self._results, key=lambda one: one.status in (Status.PASSED, Status.SKIPPED))
        for result in shown[:_CASES]:
            self._add_result(column, result)
        if len(shown) > _CASES:
            column.addWidget(_note(f"{len(shown) - _CASES:,} more; reports of the command line have them all."))
        if not shown:
            column.addWidget(_note("It has not been run yet."))
        column.addStretch(1)
        self.area.setWidget(body)

    def _add_result(self, column: QVBoxLayout, result: CaseResult) -> None:
        head = QHBoxLayout()
        head.addWidget(Pill("not run" if result.status is Status.ERROR else result.status.value, _tone(result)))
        head.addWidget(ElidedLabel(plain.line(result.case.name, 200), bold=True), 1)
        if result.elapsed_ns:
            head.addWidget(_note(plain.elapsed(result.elapsed_ns)))
        if result.quoted.call:
            button = QPushButton(icons.icon("arrow-left-right"), f"#{result.quoted.call}")
            button.setToolTip("Show the exchange in Traffic")
            theme.mark(button, kind="quiet")
            button.clicked.connect(partial(self._desk.record_requested.emit, result.quoted.call))
            head.addWidget(button)
        column.addLayout(head)
        if result.why:
            column.addWidget(ValueLabel(plain.lines(result.why)))
        for step in result.steps:
            self._add_step(column, step, named=len(result.steps) > 1)

    def _add_step(self, column: QVBoxLayout, step: StepResult, *, named: bool) -> None:
        if named:
            words = f"{step.name}: {step.method} {step.target}, {step.ending.value}, {plain.elapsed(step.elapsed_ns)}"
            column.addWidget(_note(plain.line(words, 300)))
        for verdict in step.verdicts:
            line = QHBoxLayout()
            line.setSpacing(6)
            icon = IconLabel("check" if verdict.passed else "x", 14, "ok" if verdict.passed else "error")
            line.addWidget(icon, 0, Qt.AlignmentFlag.AlignTop)
            line.addWidget(ValueLabel(plain.lines(verdict.sentence[:2_000])), 1)
            column.addLayout(line)
        for word, text in (("sent", step.quoted.request), ("received", step.quoted.answer)):
            if text:
                column.addWidget(_note(word))
                column.addWidget(ValueLabel(text, mono=True))

    # --- editing ---

    def _typed(self) -> None:
        self.save_button.setEnabled(self.document.modified and self.document.valid)
        error = self.document.error
        if error is not None and self.document.modified:
            self.strip.say(f"It is not JSON: {error}", "", "error")
        elif self.strip.text().startswith("It is not JSON"):
            self.strip.hide()

    def save(self) -> None:
        """Write the action into its collection."""
        collection, action = self._collection, self._action
        if collection is None or collection.path is None or not self.document.valid:
            return
        from mcp_inspector.actions.reading import read

        text = self.document.text
        try:
            new = editing.replace_at(collection.text, action.place, text) if action is not None else text
            where = "/".join(map(str, ("", *action.place))) if action is not None else ""
            odd = [one for one in read(new).oddities if one.fatal and one.where.startswith(where)]
            if odd and action is not None:
                self.strip.say(f"{odd[0].where.removeprefix(where) or 'The action'}: {odd[0].sentence}", "", "error")
                return
            self._edited = None
            self.document.reset(text)
            self._desk.shelf.write(collection.path, new, collection.text)
        except EditRefused as refused:
            self.strip.say(str(refused), "", "error")
            return
        self.saved.emit()


def _tone(result: CaseResult) -> str:
    return _TONES.get(result.status, "muted")


def _note(text: str) -> ElidedLabel:
    return ElidedLabel(text, "muted", "small")
