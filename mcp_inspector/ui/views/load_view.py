"""A load run of one action: how many at once or a second, for how long; latency as it goes, and percentiles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import (
    QComboBox,
    QDoubleSpinBox,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from mcp_inspector.actions.collection import Kind
from mcp_inspector.actions.load import MOST_AT_ONCE, Load, LoadOptions
from mcp_inspector.actions.values import values_of
from mcp_inspector.ui import bridge, icons, plain, theme
from mcp_inspector.ui.bridge import Pull
from mcp_inspector.ui.widgets.labels import ElidedLabel

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcp_inspector.actions.collection import Action, Collection
    from mcp_inspector.ui.bridge import Job
    from mcp_inspector.ui.desk import Desk
    from mcp_inspector.ui.models.acting import Acting

_MARGIN = 5
_LINES = ((99.0, "warn"), (95.0, "accent"), (50.0, "ok"))


class LoadView(QWidget):
    """Controls, chart, numbers. A load run goes on when another action is shown, and is shown again with its own."""

    def __init__(self, desk: Desk, acting: Acting, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk, self._acting = desk, acting
        self._collection: Collection | None = None
        self._action: Action | None = None
        self._of: tuple[object, str] = (None, "")
        self._job: Job | None = None
        self._stop: Callable[[], None] = lambda: None
        self._pull = Pull(self._look, self)
        self.result: Load | None = None
        self.way = QComboBox()
        self.way.addItems(("at once", "a second"))
        self.way.setAccessibleName("How the load is meant")
        self.amount = QSpinBox()
        self.amount.setRange(1, MOST_AT_ONCE)
        self.amount.setValue(4)
        self.amount.setAccessibleName("Calls")
        self.seconds = QDoubleSpinBox()
        self.seconds.setRange(0.5, 3600)
        self.seconds.setDecimals(1)
        self.seconds.setValue(10)
        self.seconds.setSuffix(" s")
        self.seconds.setPrefix("for ")
        self.seconds.setAccessibleName("How long")
        for spin in (self.amount, self.seconds):
            spin.lineEdit().setTextMargins(_MARGIN, 0, 0, 0)  # the style sheet's padding does not reach it
        self.start_button = QPushButton(icons.icon("play"), "Start")
        self.start_button.clicked.connect(self.start)
        self.stop_button = QPushButton(icons.icon("square"), "Stop")
        self.stop_button.clicked.connect(self.stop)
        self.stop_button.hide()
        self.chart = LoadChart()
        self.words = QLabel()
        self.words.setTextFormat(Qt.TextFormat.PlainText)
        self.words.setWordWrap(True)
        self.words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.about = ElidedLabel(tone="muted", size="small")
        head = QHBoxLayout()
        head.setContentsMargins(12, 6, 12, 6)
        head.setSpacing(6)
        for widget in (self.amount, self.way, self.seconds):
            head.addWidget(widget)
        head.addWidget(self.about, 1)
        head.addWidget(self.stop_button)
        head.addWidget(self.start_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 8)
        layout.setSpacing(2)
        layout.addLayout(head)
        layout.addWidget(self.chart, 1)
        foot = QHBoxLayout()
        foot.setContentsMargins(12, 0, 12, 0)
        foot.addWidget(self.words)
        layout.addLayout(foot)
        self._look()

    @property
    def running(self) -> bool:
        """Whether a load run goes on."""
        return self._job is not None and self._job.running

    def show_action(self, collection: Collection, action: Action | None) -> None:
        """The action that a start would run."""
        self._collection, self._action = collection, action
        self._look()

    def start(self) -> None:
        """Begin."""
        collection, action = self._collection, self._action
        if collection is None or action is None or self.running:
            return
        number = self.amount.value()
        rate = self.way.currentIndex() == 1
        options = LoadOptions(
            concurrency=1 if rate else number, rate=number if rate else 0, seconds=self.seconds.value()
        )
        missing = self._acting.missing([collection])
        if missing:
            self.words.setText(
                f"{missing[0].name} is not configured. Run the action once; it asks whether to start it."
            )
            return
        self._of = (collection.path, action.name)

        async def work() -> None:
            values = values_of(collection, secret=await self._acting.secrets([collection]))
            load = Load(self._acting.performer(), action, values.with_more(action.variables), options)
            self.result = load
            self._stop()
            self._stop = load.changed.connect(self._pull.soon)
            await load.run()

        self._job = bridge.spawn(work(), what="a load run", finally_=self._settled)
        self._look()

    def stop(self) -> None:
        """End it: nothing more is begun, and what is under way is cancelled."""
        if self.result is not None:
            self.result.stop()
        if self._job is not None:
            self._job.cancel()

    def _settled(self) -> None:
        self._stop()
        self._pull.now()

    def _look(self) -> None:
        running, action = self.running, self._action
        chain = action is not None and action.kind is Kind.CHAIN
        self.start_button.setEnabled(action is not None and not chain)
        self.start_button.setVisible(not running)
        self.stop_button.setVisible(running)
        load = self.result
        mine = self._collection is not None and action is not None and self._of == (self._collection.path, action.name)
        if running and load is not None:
            self.about.setText(f"{load.done:,} calls, {load.seconds:.0f} s")
        else:
            self.about.setText("A chain is not loaded; choose one of its steps as an action." if chain else "")
        self.chart.show_load(load if mine else None)
        if load is None or not mine:
            self.words.setText("")
        elif load.began or load.first_failure:
            self.words.setText(plain.lines("\n".join(load.lines())) if load.began else plain.lines(load.first_failure))


class LoadChart(QWidget):
    """Latency over time: the middle, 95 % and 99 % of each part, and marks where calls failed."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._load: Load | None = None
        self.setAccessibleName("Latency over time")

    def show_load(self, load: Load | None) -> None:
        """Draw this one as it is now."""
        self._load = load
        self.setAccessibleDescription(" ".join(load.lines()) if load is not None else "")
        self.update()

    def sizeHint(self) -> QSize:
        """Enough to see something."""
        return QSize(320, 140)

    def minimumSizeHint(self) -> QSize:
        """Enough for lines to be told apart."""
        return QSize(120, 90)

    def paintEvent(self, _: QPaintEvent) -> None:
        """The lines, their scale, and what they are."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(theme.font("small"))
        metrics = painter.fontMetrics()
        slices = [one for one in self._load.slices if one.times.count] if self._load is not None else []
        left = metrics.horizontalAdvance("10,000 ms") + 12
        plot = QRectF(left, 8, self.width() - left - 12, self.height() - 2 * metrics.height() - 14)
        if plot.height() < 20 or plot.width() < 40:
            return
        painter.setPen(theme.colour("line"))
        painter.drawRect(plot)
        if self._load is None or not slices:
            painter.setPen(theme.colour("muted"))
            painter.drawText(plot, int(Qt.AlignmentFlag.AlignCenter), "Latency over time is drawn here")
            return
        top = _round_up(max(one.times.percentile(99) for one in slices))
        seconds = max(self._load.options.seconds, slices[-1].at_s + 0.25)
        painter.setPen(theme.colour("muted"))
        for part in (0.0, 0.5, 1.0):
            y = plot.bottom() - part * plot.height()
            area = QRectF(0, y - metrics.height() / 2, left - 6, metrics.height())
            painter.drawText(
                area, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter), f"{top * part:g} ms"
            )
        below = QRectF(plot.left(), plot.bottom() + 2, plot.width(), metrics.height())
        painter.drawText(below, int(Qt.AlignmentFlag.AlignLeft), "0 s")
        painter.drawText(below, int(Qt.AlignmentFlag.AlignRight), f"{seconds:g} s")
        self._draw_lines(painter, plot, seconds, top)
        x = plot.left()
        for percent, tone in (*_LINES[::-1],):
            painter.setPen(theme.colour(tone))
            word = f"{percent:g} %"
            painter.drawText(QPointF(x, self.height() - 4.0), f"— {word}")
            x += metrics.horizontalAdvance(f"— {word}") + 14
        if any(one.bad for one in slices):
            painter.setPen(theme.colour("error"))
            painter.drawText(QPointF(x, self.height() - 4.0), "✕ failed calls")

    def _draw_lines(self, painter: QPainter, plot: QRectF, seconds: float, top: float) -> None:
        assert self._load is not None
        slices = [one for one in self._load.slices if one.times.count]

        def spot(at_s: float, ms: float) -> QPointF:
            x = plot.left() + min(1.0, at_s / seconds) * plot.width()
            return QPointF(x, plot.bottom() - min(1.0, ms / top) * plot.height())

        for percent, tone in _LINES:
            painter.setPen(QPen(theme.colour(tone), 1.6))
            points = [spot(one.at_s, one.times.percentile(percent)) for one in slices]
            if len(points) == 1:
                painter.drawEllipse(points[0], 2, 2)
            else:
                painter.drawPolyline(QPolygonF(points))
        painter.setPen(QPen(theme.colour("error"), 1.6))
        for one in slices:
            if one.bad:
                place = spot(one.at_s, 0)
                painter.drawLine(QPointF(place.x(), plot.bottom()), QPointF(place.x(), plot.bottom() - 8))


def _round_up(ms: float) -> float:
    """The next of 1, 2, 5 and their tens."""
    step = 0.001
    while True:
        for factor in (1, 2, 5):
            if ms <= step * factor:
                return step * factor
        step *= 10
