"""The Timeline dock and the strip above Traffic, used with keys and mouse."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from mcp_inspector.store.log import Log
from mcp_inspector.ui import theme
from mcp_inspector.ui.models.time_window import NARROWEST, TimeWindow, exact, words
from mcp_inspector.ui.views.timeline import TimelineView
from mcp_inspector.ui.views.traffic import TrafficView
from mcp_inspector.ui.widgets.timeline_paint import HEAD, LANE
from tests.ui.story import tell


@pytest.fixture
def log():
    made = Log()
    yield made
    made.close()


@pytest.fixture
def traffic(log, qtbot, qapp):
    theme.install(qapp, "light")
    tell(log, 5)
    made = TrafficView(log)
    qtbot.addWidget(made)
    made.resize(1200, 400)
    made.show()
    made.model.catch_up()
    return made


@pytest.fixture
def view(traffic, qtbot):
    made = TimelineView()
    qtbot.addWidget(made)
    made.resize(1200, 400)
    made.show()
    qtbot.waitExposed(made)
    made.show_session(traffic.model)
    qtbot.waitUntil(lambda: made.latency.model.rowCount() > 0)
    return made


def test_zoom_pan_and_marks_stay_inside_the_session():
    view = TimeWindow().grown(10_000_000_000).all()
    assert view.whole
    near = view
    for _ in range(200):
        near = near.zoomed(0.5, 3_000_000_000)
    assert near.width == NARROWEST
    assert near.start <= 3_000_000_000 <= near.end
    assert near.moved(-(10**12)).start == 0
    assert near.moved(10**12).end == view.length
    assert near.zoomed(1e12, 0).whole
    for shown in (view, near, view.between(5, 5), view.between(-5, 10**12)):
        marks = shown.marks(8)
        assert len(marks) <= 9
        assert all(shown.start <= at <= shown.end for at in marks)
        assert shown.edges(100, 2)[0] == shown.start
        assert shown.edges(100, 2)[-1] == shown.end + 1
    assert view.grown(20_000_000_000).whole
    assert near.moved(10**12).grown(20_000_000_000).end == 20_000_000_000
    assert near.grown(20_000_000_000).start == near.start
    assert TimeWindow(0, 10, 10).grown(0).length == NARROWEST


@pytest.mark.parametrize(
    ("at", "precision", "expected"),
    [
        (0, 10**9, "0 s"),
        (1_500, 100, "1.5 µs"),
        (12_345_678, 1_000, "12.346 ms"),
        (12_345_678_900, 10_000_000, "12.35 s"),
        (185_200_000_000, 100_000_000, "3:05.2"),
        (3_725_000_000_000, 10**9, "1:02:05"),
    ],
)
def test_moments_are_as_exact_as_the_view_needs(at, precision, expected):
    assert words(at, precision) == expected


def test_a_moment_goes_into_the_filter_without_loss():
    assert exact(1_500_000_000) == "1500ms"
    assert exact(1_234_567) == "1.234567ms"


def test_percentiles_are_listed_by_method_and_tool(view):
    model = view.latency.model
    names = [name for name, _ in model.rows]
    assert "tools/call" in names
    assert any(name.startswith("tools/call ") for name in names)
    assert view.latency.bars.bars
    view.run("copy")
    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines[0] == "method,count,failed,p50_ms,p95_ms,p99_ms,max_ms"
    assert len(lines) == len(names) + 1


def test_keys_zoom_move_and_step(view, qtbot):
    canvas = view.canvas
    canvas.setFocus()
    qtbot.keyClick(canvas, Qt.Key.Key_Plus)
    assert not canvas.view.whole
    width = canvas.view.width
    qtbot.keyClick(canvas, Qt.Key.Key_Home)
    assert canvas.view.start == 0
    qtbot.keyClick(canvas, Qt.Key.Key_Right)
    assert canvas.view.start > 0
    assert canvas.view.width == width
    qtbot.keyClick(canvas, Qt.Key.Key_0)
    assert canvas.view.whole
    chosen = []
    canvas.chosen.connect(chosen.append)
    qtbot.keyClick(canvas, Qt.Key.Key_BracketRight)
    qtbot.keyClick(canvas, Qt.Key.Key_BracketRight)
    qtbot.keyClick(canvas, Qt.Key.Key_BracketLeft)
    assert chosen == [0, 1, 0]
    opened = []
    canvas.opened.connect(opened.append)
    qtbot.keyClick(canvas, Qt.Key.Key_Return)
    assert opened == [0]


def drag(widget, left: int, right: int, y: int) -> None:
    QTest.mousePress(widget, Qt.MouseButton.LeftButton, pos=QPoint(left, y))
    QTest.mouseMove(widget, QPoint((left + right) // 2, y))
    QTest.mouseMove(widget, QPoint(right, y))
    QTest.mouseRelease(widget, Qt.MouseButton.LeftButton, pos=QPoint(right, y))


def test_dragging_marks_a_time_and_filters_traffic_until_it_is_let_go(view, traffic, qtbot):
    told = []
    view.time_wanted.connect(lambda term, wanted: told.append((term, wanted)))
    canvas = view.canvas
    left = canvas.label_width
    drag(canvas.viewport(), left + 50, left + 250, HEAD + 10)
    assert canvas.marked is not None
    [(term, wanted)] = told
    assert wanted
    traffic.filter.put_term(term)
    traffic.model.catch_up()
    assert 0 < len(traffic.model) < len(traffic.model.exchanges)
    view.run("marked")
    assert (canvas.view.start, canvas.view.end) == canvas.marked
    qtbot.keyClick(canvas, Qt.Key.Key_Escape)
    assert canvas.marked is None
    assert told[-1] == (term, False)


def test_a_click_on_a_row_shows_its_record(view, qtbot):
    canvas = view.canvas
    wanted = []
    view.record_wanted.connect(wanted.append)
    lane = canvas.lanes[0]
    span = lane.spans(0, canvas.view.length, canvas.view.length)[0]
    x = canvas.label_width + int(canvas.view.x(span.start, canvas.drawn_width)) + 1
    place = QPoint(x, HEAD + LANE // 2)
    QTest.mouseClick(canvas.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert wanted == [view._timeline.exchanges.first[canvas.current]]
    assert "#" in canvas._tip(place)
    assert canvas._tip(QPoint(5, HEAD + 5)).startswith(lane.server)


def test_a_live_session_goes_on_and_another_one_takes_its_place(view, traffic, log, qtbot):
    before = view._timeline.taken
    tell(log, 1)
    traffic.model.catch_up()
    qtbot.waitUntil(lambda: view._timeline.taken > before and not view._timeline.behind)
    assert view.canvas.view.whole
    view.show_session(None)
    assert view.canvas.lanes == []
    view.grab()


@pytest.mark.parametrize("size", [(1440, 300), (800, 180), (300, 90)])
def test_it_draws_at_any_size_zoomed_in_and_out(view, size):
    view.resize(*size)
    canvas = view.canvas
    for width in (canvas.view.length, canvas.view.length // 50, NARROWEST):
        canvas.show_window(canvas.view.between(canvas.view.length // 3, canvas.view.length // 3 + width))
        canvas.mark((canvas.view.start, canvas.view.end))
        assert not view.grab().isNull()
    assert view.latency.isVisible() == (size[0] >= 760)


def test_the_strip_filters_by_dragging_and_goes_to_a_moment_by_a_click(traffic, qtbot):
    strip = traffic.strip
    assert sum(count for count, _ in strip.bars()) == traffic.model.exchanges.seen
    assert any(failed for _, failed in strip.bars())
    QTest.mouseClick(strip, Qt.MouseButton.LeftButton, pos=QPoint(strip.width() - 1, 5))
    late = traffic.table.current
    QTest.mouseClick(strip, Qt.MouseButton.LeftButton, pos=QPoint(0, 5))
    assert traffic.table.current == 0 < late
    drag(strip, 0, strip.width() // 4, 8)
    traffic.model.catch_up()
    assert traffic.filter.text().startswith("at:0ms..")
    assert traffic.model.hidden
    traffic.strip.grab()
