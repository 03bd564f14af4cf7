"""How a request ended: what it is, as a tree, as text, as images, as bytes, and raw."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import msgspec
from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QPushButton, QStackedWidget, QVBoxLayout, QWidget

from mcp_inspector.session.outcome import Complete, InputRequired, LocalError, RpcError, TaskStarted
from mcp_inspector.ui import plain, theme
from mcp_inspector.ui.bridge import Pull
from mcp_inspector.ui.models import content
from mcp_inspector.ui.models.content import Sort
from mcp_inspector.ui.views.blocks import BlockView
from mcp_inspector.ui.views.strip import Strip
from mcp_inspector.ui.widgets.json_tree import JsonTree
from mcp_inspector.ui.widgets.labels import ElidedLabel, EmptyState, Pill
from mcp_inspector.ui.widgets.tabs import SegmentedTabs
from mcp_inspector.ui.widgets.text_view import TextView

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcp_inspector.session.outcome import Outcome
    from mcp_inspector.ui.desk import Desk
    from mcp_inspector.ui.models.runs import Run

TREE, TEXT, IMAGE, BYTES, RAW = range(5)
_TITLES = ("Tree", "Text", "Image", "Bytes", "Raw")
_STEPS = 1_000
_CHECK_MS = 10


class ResultView(QWidget):
    """Shows the last run of something. `check` gives, for a result, the word of its output schema and what is wrong."""

    link_wanted = Signal(str)

    def __init__(
        self,
        desk: Desk,
        name: str,
        idle: str,
        check: Callable[[content.Result], tuple[str, str, str] | None] | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._desk, self._name, self._idle = desk, name, idle
        self._check_output = check
        self._run: Run | None = None
        self._outcome: Outcome | None = None
        self._result = content.Result()
        self._raw = b""
        self._filled: set[int] = set()
        self._late = Pull(self._check, self, _CHECK_MS)
        self._clock = QTimer(self)
        self._clock.setInterval(100)
        self._clock.timeout.connect(self._tick)
        self._build()
        self.show_run(None)

    # --- building ---

    def _build(self) -> None:
        self._title = QLabel("Result")
        theme.mark(self._title, role="head")
        self._state, self._output = Pill(), Pill()
        self._facts = ElidedLabel(tone="muted", size="small", mode=Qt.TextElideMode.ElideLeft)
        self._record = QPushButton()
        theme.mark(self._record, kind="quiet")
        self._record.setToolTip("Show the exchange in Traffic (Ctrl+T)")
        self._record.clicked.connect(self.show_record)
        head = QHBoxLayout()
        head.setContentsMargins(10, 3, 4, 3)
        head.setSpacing(8)
        head.addWidget(self._title)
        head.addWidget(self._state)
        head.addWidget(self._output)
        head.addStretch(1)
        head.addWidget(self._facts, 4)
        head.addWidget(self._record)
        band = QWidget()
        theme.mark(band, surface="window")
        band.setLayout(head)
        band.setFixedHeight(36)
        self._progress = QProgressBar()
        self._progress.setTextVisible(False)
        self._progress.setFixedHeight(3)
        self._strip = Strip()
        self.tabs = SegmentedTabs(_TITLES)
        self.tabs.setObjectName(f"{self._name}-result-tabs")
        self.tabs.tabBarClicked.connect(self._preferred)
        self.tabs.currentChanged.connect(self._show_tab)
        self.tree = JsonTree()
        self.text = BlockView(self._desk)
        self.image = BlockView(self._desk)
        self.bytes = BlockView(self._desk, as_bytes=True)
        self.raw = TextView()
        self.text.link_wanted.connect(self.link_wanted)
        self._views = QStackedWidget()
        for view in (self.tree, self.text, self.image, self.bytes, self.raw):
            self._views.addWidget(view)
        self._empty = EmptyState("play", self._idle)
        self._content = QWidget()
        inner = QVBoxLayout(self._content)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(0)
        inner.addWidget(self.tabs)
        inner.addWidget(self._strip)
        inner.addWidget(self._views, 1)
        self._pages = QStackedWidget()
        self._pages.addWidget(self._empty)
        self._pages.addWidget(self._content)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        for widget in (band, self._progress, self._pages):
            layout.addWidget(widget, 1 if widget is self._pages else 0)
        theme.mark(self, surface="base")

    # --- what is shown ---

    @property
    def run(self) -> Run | None:
        """The run that is shown."""
        return self._run

    @property
    def state_words(self) -> str:
        """The word of the pill."""
        return self._state.text()

    def show_run(self, run: Run | None) -> None:
        """Show another run and follow it."""
        before = self._run
        if before is not None and before is not run:
            before.changed.disconnect(self._moved)
        if run is not before:
            self._run = run
            if run is not None:
                run.changed.connect(self._moved)
            keep = run is not None and before is not None and run.key == before.key and run.running
            if not keep:
                self._outcome = None
                self._pages.setCurrentWidget(self._empty)
        self._moved()

    def _moved(self) -> None:
        run = self._run
        running = run is not None and run.running
        if running != self._clock.isActive():
            if running:
                self._clock.start()
            else:
                self._clock.stop()
        self._progress.setVisible(running)
        self._record.setVisible(run is not None and run.seq > 0)
        self._record.setText(f"#{run.seq}" if run is not None else "")
        if run is None:
            self._say("", "muted")
            self._empty.set(self._idle, icon="play")
        elif running:
            self._show_running(run)
        elif run.dropped:
            self._say("let go", "muted")
            self._empty.set("This result was let go to save memory", "Traffic still has it.", icon="history")
            self._pages.setCurrentWidget(self._empty)
        elif run.outcome is not None and run.outcome is not self._outcome:
            self._show_outcome(run.outcome)

    def _show_running(self, run: Run) -> None:
        self._say("running", "accent")
        self._output.set("")
        progress = run.progress
        if progress is not None and progress.progress is not None and progress.total:
            part = min(max(progress.progress / progress.total, 0.0), 1.0)
            self._progress.setRange(0, _STEPS)
            self._progress.setValue(int(part * _STEPS))
        else:
            self._progress.setRange(0, 0)
        words = progress_words(run)
        if self._outcome is None:
            self._empty.set("Waiting for the answer…", words, icon="loader")
            self._pages.setCurrentWidget(self._empty)
        else:
            self._strip.say(f"Running; below is the result before it. {words}".strip(), "", "accent")
        self._tick()

    def _tick(self) -> None:
        if self._run is not None and self._run.running:
            self._facts.setText(plain.elapsed(time.perf_counter_ns() - self._run.started_ns))

    def _say(self, word: str, tone: str) -> None:
        self._state.set(word, tone)  # type: ignore[arg-type]  # the names of tones are the theme's
        if not word:
            self._output.set("")
            self._facts.setText("")

    def _show_outcome(self, outcome: Outcome) -> None:
        self._outcome = outcome
        self._output.set("")
        self._strip.hide()
        word, tone, sentence = words_of(outcome)
        self._say(word, tone)
        self._raw = raw_of(outcome)
        size = plain.size(len(self._raw)) if self._raw else ""
        self._facts.setText(" · ".join(filter(None, (plain.elapsed(outcome.elapsed_ns) if outcome.call else "", size))))
        if isinstance(outcome, LocalError):
            hint = outcome.fault.hint if outcome.fault is not None else ""
            self._empty.set(plain.lines(sentence or "It was not sent."), plain.lines(hint), icon="circle-slash")
            self._pages.setCurrentWidget(self._empty)
            return
        complete = isinstance(outcome, Complete)
        self._result = content.read(self._raw) if complete else content.Result()
        flags = [*outcome.faults, *self._result.flags]
        if sentence:
            self._strip.say(plain.line(sentence), plain.lines(sentence), tone)
        elif flags:
            self._strip.say(plain.line(flags[0]), plain.lines("\n".join(flags)), "warn")
        self._filled.clear()
        self._offer_tabs()
        self._pages.setCurrentWidget(self._content)
        self._show_tab()
        self._late.soon()

    # --- tabs ---

    def _offer_tabs(self) -> None:
        blocks = self._result.blocks
        images = sum(block.sort is Sort.IMAGE for block in blocks)
        binary = sum(bool(block.encoded) for block in blocks)
        texts = len(blocks) - images
        for tab, count, noun in ((TEXT, texts, "text"), (IMAGE, images, "image"), (BYTES, binary, "binary content")):
            self.tabs.setTabEnabled(tab, count > 0)
            self.tabs.set_count(tab, count if count > 1 else None)
            self.tabs.setTabToolTip(tab, "" if count else f"The result holds no {noun}")
        wanted = self._desk.memory.get(f"{self._name}.tab", -1)
        if not (TREE <= wanted <= RAW) or not self.tabs.isTabEnabled(wanted):
            wanted = IMAGE if images and not texts and self._result.structured is None else TREE
            if self._name != "tools" and texts and not images:
                wanted = TEXT
        self.tabs.setCurrentIndex(wanted)

    def _preferred(self, tab: int) -> None:
        if self.tabs.isTabEnabled(tab):
            self._desk.memory.put(f"{self._name}.tab", tab)

    def _show_tab(self) -> None:
        tab = self.tabs.currentIndex()
        self._views.setCurrentIndex(tab)
        if tab in self._filled or self._outcome is None:
            return
        self._filled.add(tab)
        blocks = self._result.blocks
        if tab == TREE:
            self.tree.set_json(self._raw)
        elif tab == TEXT:
            self.text.show_blocks([block for block in blocks if block.sort is not Sort.IMAGE])
        elif tab == IMAGE:
            self.image.show_blocks([block for block in blocks if block.sort is Sort.IMAGE])
        elif tab == BYTES:
            self.bytes.show_blocks([block for block in blocks if block.encoded])
        else:
            self.raw.set_bytes(self._raw, "json")

    def _check(self) -> None:
        """Compare with the output schema, after the result is on screen: it is shown whatever comes out."""
        if self._check_output is None or not isinstance(self._outcome, Complete):
            return
        found = self._check_output(self._result)
        if found is None:
            return
        word, tone, sentence = found
        self._output.set(word, tone)  # type: ignore[arg-type]  # the names of tones are the theme's
        self._output.setToolTip("")
        if sentence and not self._strip.text():
            self._strip.say(plain.line(sentence), plain.lines(sentence), tone)

    def show_record(self) -> None:
        """Show the exchange in Traffic."""
        if self._run is not None and self._run.seq:
            self._desk.record_requested.emit(self._run.seq)


def progress_words(run: Run) -> str:
    """How far it says it is: ``3 of 10 · copying``."""
    progress = run.progress
    if progress is None:
        return ""
    parts = []
    if progress.progress is not None:
        done = f"{progress.progress:g}"
        parts.append(f"{done} of {progress.total:g}" if progress.total else done)
    if progress.message:
        parts.append(plain.line(progress.message))
    return " · ".join(parts)


def words_of(outcome: Outcome) -> tuple[str, str, str]:
    """How it ended in a word, its colour, and a sentence where there is more to say."""
    if isinstance(outcome, Complete):
        return ("tool error", "error", "") if outcome.tool_error else ("ok", "ok", "")
    if isinstance(outcome, InputRequired):
        return "input required", "warn", "The server asks for input first. It is shown as it came."
    if isinstance(outcome, TaskStarted):
        return "task", "warn", "The server made a task of it. Its handle is shown as it came."
    if isinstance(outcome, RpcError):
        code = "" if outcome.code is None else f" {outcome.code}"
        return f"error{code}", "error", outcome.message or "The server answered with an error without a message."
    kind = str(outcome.fault.kind) if outcome.fault is not None else "cancelled"
    return kind, "warn" if kind == "cancelled" else "error", outcome.sentence


def raw_of(outcome: Outcome) -> bytes:
    """The bytes that came: the result, or the error object."""
    if isinstance(outcome, RpcError):
        return outcome.error
    return b"" if isinstance(outcome, LocalError) else outcome.result


def checked(schema: bytes | None, result: content.Result) -> tuple[str, str, str] | None:
    """Compare a tool's structured content with its output schema: a word, its colour, a sentence."""
    if schema is None:
        return None
    if result.structured is None:
        if result.is_error:
            return None
        return "no structuredContent", "warn", "The tool has an output schema, but the result has no structuredContent."
    from mcp_inspector.schema.problems import Severity
    from mcp_inspector.schema.validate import INLINE_LIMIT, Checker
    from mcp_inspector.wire.jsontext import JsonError

    if len(result.structured) > 10 * INLINE_LIMIT:
        return "not checked", "muted", "The structuredContent is too large to be compared with the output schema here."
    try:
        checker = Checker(schema)
        problems = checker.check(result.structured)
    except JsonError as error:
        return "not checked", "warn", f"The output schema or the structuredContent cannot be read: {error}"
    if not checker.usable:
        return "not checked", "warn", "; ".join(finding.sentence for finding in checker.findings)
    errors = [problem for problem in problems if problem.severity is Severity.ERROR]
    if errors:
        return "breaks outputSchema", "error", "structuredContent: " + "; ".join(one.text for one in errors[:5])
    return "matches outputSchema", "ok", ""


def schema_of(raw: bytes, member: str) -> bytes | None:
    """A member of a listed item as JSON text, None when it is absent."""
    try:
        value = msgspec.json.decode(raw, type=dict[str, msgspec.Raw]).get(member)
    except (msgspec.MsgspecError, RecursionError):
        return None
    return None if value is None else bytes(value)
