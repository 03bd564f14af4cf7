"""How a request ended: what it is, as a tree, as text, as images, as bytes, and raw."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QMenu,
    QProgressBar,
    QPushButton,
    QSizePolicy,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from mcp_inspector.session.outcome import Complete, LocalError
from mcp_inspector.ui import icons, plain, theme
from mcp_inspector.ui.bridge import Pull
from mcp_inspector.ui.models import content, freshness
from mcp_inspector.ui.models.check_process import CheckProcess
from mcp_inspector.ui.models.endings import Large, Verdict, progress_words, raw_of, verdict, words_of
from mcp_inspector.ui.models.saving import METHODS
from mcp_inspector.ui.views import saving_menu
from mcp_inspector.ui.views.result_tabs import LARGE, ResultTabs
from mcp_inspector.ui.widgets.labels import ElidedLabel, EmptyState, Pill

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QResizeEvent

    from mcp_inspector.session.outcome import Outcome
    from mcp_inspector.ui.desk import Desk
    from mcp_inspector.ui.models.runs import Run
    from mcp_inspector.ui.views.result_tabs import Tab

_STEPS = 1_000
_NARROW, _NARROWER = 420, 300
_PAUSE_MS = 60
"""How long a large result is on screen before it is taken apart: a frame or two."""
_CHECK_MS = 10


class ResultView(QWidget):
    """Shows the last run of something. `check` gives, for a result, the word of its output schema and what is wrong."""

    link_wanted = Signal(str)
    fresh_wanted = Signal()
    """What is shown came from the cache: the server itself is to be asked."""

    def __init__(
        self,
        desk: Desk,
        name: str,
        idle: str,
        check: Callable[[content.Result], Verdict | Large | None] | None = None,
        leading: tuple[Tab, ...] = (),
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._desk, self._name, self._idle = desk, name, idle
        self._check_output = check
        self._run: Run | None = None
        self._asked = False
        self._outcome: Outcome | None = None
        self._newer = False
        """Whether the run that is shown reads what is shown again by itself."""
        self._result = content.Result()
        self._raw = b""
        self._late = Pull(self._check, self, _CHECK_MS)
        self._slow = CheckProcess(self)
        self._slow.done.connect(lambda problems: self._judge(verdict(problems)))
        self._clock = QTimer(self)
        self._clock.setInterval(100)
        self._clock.timeout.connect(self._tick)
        self.content = ResultTabs(desk, name, leading)
        self.content.link_wanted.connect(self.link_wanted)
        self._strip = self.content.strip
        self._strip.activated.connect(lambda _: self.fresh_wanted.emit())
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
        self._record.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._record.setStyleSheet("padding: 2px 6px;")
        self.lasting = QToolButton()
        self.lasting.setIcon(icons.icon("bookmark"))
        self.lasting.setToolTip("Save this call: as an action, into a collection, as a pytest test")
        self.lasting.setAccessibleName("Save this call")
        self.lasting.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.lasting.setAutoRaise(True)
        self.lasting.setStyleSheet("QToolButton::menu-indicator { image: none; }")
        menu = QMenu(self)
        menu.aboutToShow.connect(self._fill_menu)
        self.lasting.setMenu(menu)
        head = QHBoxLayout()
        head.setContentsMargins(10, 3, 4, 3)
        head.setSpacing(8)
        for word in (self._title, self._state, self._output):
            head.addWidget(word)
        head.addStretch(1)
        head.addWidget(self._facts)
        head.addWidget(self.lasting)
        head.addWidget(self._record)
        band = QWidget()
        theme.mark(band, surface="window")
        band.setLayout(head)
        band.setFixedHeight(36)
        self._progress = QProgressBar()
        self._progress.setTextVisible(False)
        self._progress.setFixedHeight(3)
        self._empty = EmptyState("play", self._idle)
        self._pages = QStackedWidget()
        self._pages.addWidget(self._empty)
        self._pages.addWidget(self.content)
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
        """How it ended, in a word."""
        return self._state.text()

    @property
    def output_words(self) -> str:
        """How it stands to its output schema, in words; empty before that is known."""
        return self._output.text()

    def show_run(self, run: Run | None) -> None:
        """Show another run and follow it."""
        before = self._run
        if before is not None and before is not run:
            before.changed.disconnect(self._moved)
        if run is not before:
            self._run = run
            if run is not None:
                run.changed.connect(self._moved)
            same = run is not None and before is not None and run.key == before.key
            self._newer = same and run is not None and run.again and isinstance(self._outcome, Complete)
            if not (same and run is not None and (run.running or self._newer)):
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
        self._progress.setVisible(running and not self._newer)
        self._record.setVisible(run is not None and run.seq > 0)
        self._record.setText(f"#{run.seq}" if run is not None else "")
        ended = run is not None and run.outcome is not None and run.outcome.reply > 0
        self.lasting.setVisible(ended and run is not None and run.key[1] in METHODS)
        if run is None:
            self._say("", "muted")
            self._empty.set(self._idle, icon="play")
        elif self._newer and not isinstance(run.outcome, Complete):
            pass  # until there is something newer, what is shown stays; why there is nothing is said by the page
        elif running:
            self._show_running(run)
        elif run.dropped:
            self._say("let go", "muted")
            self._empty.set("This result was let go to save memory", "Traffic still has it.", icon="history")
            self._pages.setCurrentWidget(self._empty)
        elif run.outcome is not None and run.outcome is not self._outcome:
            self._show_outcome(run.outcome, tool_error=run.tool_error)

    def _show_running(self, run: Run) -> None:
        self._say("running", "accent")
        self._output.set("")
        part = run.pace.part
        if part is not None:
            self._progress.setRange(0, _STEPS)
            self._progress.setValue(int(part * _STEPS))
        else:
            self._progress.setRange(0, 0)
        words = progress_words(run)
        self._asked = self._asks(run)
        if self._outcome is None:
            if self._asked:
                detail = "The call goes on when you have answered it in the Inbox (Ctrl+I)."
                self._empty.set("The server asks you something first", detail, icon="inbox")
            else:
                self._empty.set("Waiting for the answer…", words, icon="loader")
            self._pages.setCurrentWidget(self._empty)
        else:
            self._strip.say(f"Running; below is the result before it. {words}".strip(), "", "accent")
        self._tick()

    def _tick(self) -> None:
        if self._run is not None and self._run.running:
            self._facts.setText(plain.elapsed(time.perf_counter_ns() - self._run.started_ns))
            if self._asked != self._asks(self._run):
                self._show_running(self._run)

    def _asks(self, run: Run) -> bool:
        """Whether a question of the run's server waits for the person."""
        inspector = self._desk.inspector
        return inspector is not None and any(ask.server == run.server.name for ask in inspector.inbox.waiting)

    def _say(self, word: str, tone: str) -> None:
        self._state.set(word, tone)
        if not word:
            self._output.set("")
            self._facts.setText("")

    def _show_outcome(self, outcome: Outcome, *, tool_error: bool) -> None:
        self._outcome = outcome
        self._slow.stop()
        self._output.set("")
        self._strip.hide()
        word, tone, sentence = words_of(outcome, tool_error=tool_error)
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
        large = len(self._raw) > LARGE
        self._result = content.read(self._raw) if complete and not large else content.Result()
        flags = [*outcome.faults, *self._result.flags]
        cached = outcome.cached if isinstance(outcome, Complete) else None
        if cached is not None:
            self._say("from cache", "accent")
            self._facts.setText(size)
            words = freshness.cached_words(cached, time.time_ns())
            self._strip.say(words, "\n".join(flags), "accent", "fresh", "Read anew")
        elif sentence:
            self._strip.say(plain.line(sentence), plain.lines(sentence), tone)
        elif flags:
            self._strip.say(plain.line(flags[0]), plain.lines("\n".join(flags)), "warn")
        self._pages.setCurrentWidget(self.content)
        self.content.show_result(self._result, self._raw, keep=self._newer)
        if complete and large:
            QTimer.singleShot(_PAUSE_MS, self, lambda: self._take_apart(outcome))
        else:
            self._late.soon()

    def _take_apart(self, outcome: Outcome) -> None:
        """What a large result holds, once it is on screen as it came."""
        if outcome is self._outcome:
            self._result = content.read(self._raw)
            self.content.know(self._result)
            self._late.soon()

    def _check(self) -> None:
        """Compare with the output schema, after the result is on screen: it is shown whatever comes out."""
        if self._check_output is None or not isinstance(self._outcome, Complete):
            return
        found = self._check_output(self._result)
        if isinstance(found, Large):
            self._output.set("checking", "muted")
            self._slow.start(found.schema, found.value)
        elif found is not None:
            self._judge(found)

    def _judge(self, found: Verdict) -> None:
        word, tone, sentence = found
        self._output.set(word, tone)
        self._output.setToolTip("")
        if sentence and not self._strip.text():
            self._strip.say(plain.line(sentence), plain.lines(sentence), tone)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """What matters least goes first when it gets narrow."""
        super().resizeEvent(event)
        self._title.setVisible(self.width() >= _NARROW)
        self._facts.setVisible(self.width() >= _NARROWER)

    def _fill_menu(self) -> None:
        menu, run, log = self.lasting.menu(), self._run, self._desk.log
        menu.clear()
        if run is not None and run.outcome is not None and log is not None:
            saving_menu.fill(menu, self._desk, log, run.outcome.call, run.outcome.reply)

    def show_record(self) -> None:
        """Show the exchange in Traffic."""
        if self._run is not None and self._run.seq:
            self._desk.record_requested.emit(self._run.seq)
