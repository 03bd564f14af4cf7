"""The Timeline dock: lanes over time at the left, how long requests took at the right."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QStackedWidget, QToolButton, QVBoxLayout, QWidget

from mcp_inspector.store.latency import Latencies
from mcp_inspector.store.timeline import Timeline
from mcp_inspector.ui import icons, plain, theme
from mcp_inspector.ui.bridge import Pull
from mcp_inspector.ui.models.time_window import exact, words
from mcp_inspector.ui.views.latency import LatencyView
from mcp_inspector.ui.widgets.labels import ElidedLabel, EmptyState
from mcp_inspector.ui.widgets.timeline_canvas import TimelineCanvas

if TYPE_CHECKING:
    from PySide6.QtGui import QHideEvent, QShowEvent

    from mcp_inspector.ui.models.traffic import TrafficModel

_SLICE_S: Final = 0.005
_STEP: Final = 2_000
_SETTLED_MS: Final = 250
_NARROW: Final = 760


class TimelineView(QWidget):
    """Follows one session at a time. Nothing is worked out while it is not seen.

    `time_wanted` gives a term for the filter line of Traffic, or the one that is to be taken out; `record_wanted` a
    record to show there.
    """

    time_wanted = Signal(str, bool)
    record_wanted = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model: TrafficModel | None = None
        self._timeline: Timeline | None = None
        self._latencies: Latencies | None = None
        self._next = self._until = 0
        self._of: tuple[object, ...] = ()
        self._term = ""
        self.canvas = TimelineCanvas()
        self.latency = LatencyView()
        self.words = ElidedLabel(tone="muted", size="small")
        self.empty = EmptyState("activity", "No traffic yet", "Every request appears here as it runs.")
        self._stack = QStackedWidget()
        self._stack.addWidget(self.empty)
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self._pull = Pull(self._look, self)
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(0)
        self._soon.timeout.connect(self._work)
        self._settled = QTimer(self)
        self._settled.setSingleShot(True)
        self._settled.setInterval(_SETTLED_MS)
        self._settled.timeout.connect(self._measure)
        self._lay_out()
        self.canvas.viewed.connect(self._viewed)
        self.canvas.marked_changed.connect(self._marked)
        self.canvas.opened.connect(self._open)
        self.canvas.chosen.connect(self._chosen)

    def _lay_out(self) -> None:
        band = QWidget()
        theme.mark(band, surface="band")
        row = QHBoxLayout(band)
        row.setContentsMargins(8, 3, 8, 3)
        row.setSpacing(4)
        self.buttons: dict[str, QToolButton] = {}
        for name, icon, tip in (
            ("in", "zoom-in", "Zoom in (+, or the wheel)"),
            ("out", "zoom-out", "Zoom out (-)"),
            ("marked", "search", "Zoom to the marked time (Z)"),
            ("all", "arrow-left-right", "Show the whole session (0)"),
            ("filter", "list-filter", "Show in Traffic only the time that is marked here by dragging"),
            ("copy", "copy", "Copy the latency table as CSV"),
        ):
            button = QToolButton()
            button.setIcon(icons.icon(icon))
            button.setToolTip(tip)
            button.setAccessibleName(tip)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.clicked.connect(lambda _=False, name=name: self.run(name))
            row.addWidget(button)
            self.buttons[name] = button
        self.buttons["filter"].setCheckable(True)
        self.buttons["filter"].setChecked(True)
        row.addWidget(self.words, 1)
        self.splitter.addWidget(self.canvas)
        self.splitter.addWidget(self.latency)
        self.splitter.setStretchFactor(0, 1)
        self.splitter.setCollapsible(0, False)
        self.splitter.setSizes([560, 500])
        self._stack.addWidget(self.splitter)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(band)
        layout.addWidget(self._stack, 1)

    def show_session(self, model: TrafficModel | None) -> None:
        """Show the session of this model: the live one, or an earlier one."""
        if model is self._model:
            return
        if self._timeline is not None:
            self._timeline.close()
        if self._model is not None:
            self._model.counted.disconnect(self._pull.soon)
        self._model = model
        self._timeline = Timeline(model.exchanges) if model is not None else None
        self._of, self._term = (), ""
        self.canvas.set_timeline(self._timeline)
        if model is not None:
            model.counted.connect(self._pull.soon)
        self._pull.soon()

    def run(self, name: str) -> None:
        """Do what a button does: ``in``, ``out``, ``marked``, ``all``, ``filter``, ``copy``."""
        canvas = self.canvas
        if name in ("in", "out"):
            canvas.zoom(0.5 if name == "in" else 2)
        elif name == "marked":
            canvas.show_marked()
        elif name == "all":
            canvas.show_window(canvas.view.all())
        elif name == "filter":
            self._tell_time()
        elif name == "copy":
            QGuiApplication.clipboard().setText(self.latency.as_csv())

    # --- following ---

    def showEvent(self, event: QShowEvent) -> None:
        """What has come meanwhile."""
        super().showEvent(event)
        self._pull.soon()

    def hideEvent(self, event: QHideEvent) -> None:
        """Nobody looks: nothing is worked out."""
        super().hideEvent(event)
        self._soon.stop()
        self._settled.stop()

    def resizeEvent(self, event: Any) -> None:
        """In a narrow dock the lanes have all the room."""
        super().resizeEvent(event)
        self.latency.setVisible(self.width() >= _NARROW)

    def _look(self) -> None:
        if self.isVisible() and self._timeline is not None:
            self._soon.start()

    def _work(self) -> None:
        """Take in what has come, some milliseconds at a time; then measure, once it has come to rest."""
        timeline = self._timeline
        if timeline is None or not self.isVisible():
            return
        end = perf_counter() + _SLICE_S
        while timeline.behind and perf_counter() < end:
            timeline.take(_STEP)
        while self._latencies is not None and perf_counter() < end:
            self._measure_on()
        self._stack.setCurrentIndex(1 if timeline.taken else 0)
        self.canvas.refresh()
        if timeline.behind or self._latencies is not None:
            self._soon.start()
        elif self._wanted() != self._of and not self._settled.isActive():
            self._settled.start()
        self._say()

    # --- latency ---

    def _wanted(self) -> tuple[object, ...]:
        """What the table is about: the marked time, else what is shown."""
        if self._timeline is None:
            return ()
        start, end = self.canvas.marked or (self.canvas.view.start, self.canvas.view.end)
        return start, end, self._timeline.taken, len(self._timeline.exchanges.log)

    def _measure(self) -> None:
        timeline = self._timeline
        if timeline is None or not self.isVisible():
            return
        self._of = self._wanted()
        start, end = self.canvas.marked or (self.canvas.view.start, self.canvas.view.end)
        times, rows = timeline.exchanges.log.columns.mono_ns, timeline.exchanges.row_of
        low = bisect_left(times, timeline.origin + start, 0, len(rows))
        high = bisect_right(times, timeline.origin + end, 0, len(rows))
        self._latencies = Latencies(timeline.exchanges)
        self._next = bisect_left(timeline.exchanges.first, low + 1)
        self._until = bisect_right(timeline.exchanges.first, high)
        self._soon.start()

    def _measure_on(self) -> None:
        latencies = self._latencies
        if latencies is None:
            return
        stop = min(self._next + _STEP, self._until)
        if self._next < stop:
            latencies.add(range(self._next, stop))
            self._next = stop
        if self._next >= self._until:
            self._latencies = None
            self.latency.set_rows(latencies.by_method())

    # --- what the person does ---

    def _viewed(self) -> None:
        self._say()
        self._settled.start()

    def _marked(self) -> None:
        self._tell_time()
        self._say()
        self._settled.start()

    def _tell_time(self) -> None:
        """Traffic shows the marked time only, when that is wanted; else the term goes out of its filter again."""
        marked = self.canvas.marked if self.buttons["filter"].isChecked() else None
        if marked is not None:
            self._term = f"at:{exact(marked[0])}..{exact(marked[1])}"
            self.time_wanted.emit(self._term, True)
        elif self._term:
            term, self._term = self._term, ""
            self.time_wanted.emit(term, False)

    def _open(self, row: int) -> None:
        if self._timeline is not None and row >= 0:
            self.record_wanted.emit(self._timeline.exchanges.first[row])

    def _chosen(self, row: int) -> None:
        self._say()
        if row >= 0:
            self._open(row)

    def _say(self) -> None:
        """In words what is chosen, or what is marked, or what is shown."""
        timeline, canvas = self._timeline, self.canvas
        if timeline is None or not timeline.taken:
            self.words.setText("")
            return
        step = max(canvas.view.width // 1_000, 1)
        if 0 <= canvas.current < timeline.taken:
            row = timeline.exchanges[canvas.current]
            took = f", {plain.elapsed(row.elapsed_ns)}" if row.elapsed_ns is not None else ""
            what = " ".join(filter(None, (row.method or row.kind.name.lower(), row.target)))
            self.words.setText(f"#{row.first} {plain.line(what, 120)}: {row.state.word}{took}")
        elif canvas.marked is not None:
            start, end = canvas.marked
            length = words(end - start, max((end - start) // 1_000, 1))
            self.words.setText(f"Marked: {length} from {words(start, step)} on. Esc lets go, Z zooms to it.")
        else:
            shown = "the whole session" if canvas.view.whole else f"from {words(canvas.view.start, step)} on"
            waiting = len(timeline.exchanges) - timeline.taken
            rest = f", {plain.count(waiting, 'row')} to come" if waiting else ""
            self.words.setText(f"{plain.count(timeline.taken, 'row')}, {shown}{rest}")
