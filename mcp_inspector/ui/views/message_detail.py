"""Everything about one row of traffic: both messages laid out, their bytes, HTTP, findings and notes."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QMenu,
    QScrollArea,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from mcp_inspector.store.exchanges import RowKind, RowState
from mcp_inspector.store.record import Channel, Direction
from mcp_inspector.ui import icons, plain, theme
from mcp_inspector.ui.models.traffic_diff import Side
from mcp_inspector.ui.models.traffic_facts import about_record, about_row, http_records, http_sections
from mcp_inspector.ui.models.traffic_row import clock, event, row_text
from mcp_inspector.ui.views.message_checks import ChecksPane
from mcp_inspector.ui.views.traffic_body import BodyPane
from mcp_inspector.ui.views.traffic_diff import DiffPane
from mcp_inspector.ui.views.traffic_raw import RawPane
from mcp_inspector.ui.widgets.labels import ElidedLabel, EmptyState, Pill
from mcp_inspector.ui.widgets.rows import Fact, KeyValueRows
from mcp_inspector.ui.widgets.tabs import SegmentedTabs
from mcp_inspector.ui.widgets.visible import visible

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from mcp_inspector.checks.rule import Finding
    from mcp_inspector.store.exchanges import Exchange
    from mcp_inspector.ui.models.traffic import TrafficModel

_REQUEST, _RESPONSE, _RAW, _HTTP, _NOTES, _CHECKS, _DIFF = range(7)
_MOST_NOTES: Final = 200
_ROOMY: Final = 520
_NAMES: Final = 180


class MessageDetail(QWidget):
    """The detail beside the traffic table."""

    call_activated = Signal(int)
    """The number of a request of ours, whose call shall be shown."""
    other_wanted = Signal(int)
    """The number of the message that the shown one is compared with: show its row."""
    value_menu = Signal(QMenu, str, bytes)
    """The menu of a JSON tree is about to open, over this JSON Pointer and this value."""

    def __init__(self, model: TrafficModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._row = -1
        self._frame = 0
        self._pairs: dict[int, tuple[Side, Side]] = {}
        self._title = ElidedLabel(bold=True)
        self._pill = Pill()
        self._figures = ElidedLabel(tone="muted", size="small")
        self._call = _tool("corner-down-right", "Go to the call (Return)")
        self._tree = _tool("list-tree", "Show JSON as a tree")
        self._tree.setCheckable(True)
        self._reveal = _tool("eye", "Show secrets")
        self._reveal.setCheckable(True)
        self.tabs = SegmentedTabs(("Request", "Response", "Raw", "HTTP", "Notes", "Checks", "Diff"))
        self.request, self.response, self.raw = BodyPane(), BodyPane(), RawPane()
        self._http, self._notes, self._checks = _Sections(), _Sections(), ChecksPane()
        self.diff = DiffPane()
        self._pages = QStackedWidget()
        for page in (self.request, self.response, self.raw, self._http, self._notes, self._checks, self.diff):
            self._pages.addWidget(page)
        self._empty = EmptyState("activity", "Choose a row", "Its messages, bytes and findings are shown here.")
        self._head = QWidget()
        self._outer = QStackedWidget()
        self._lay_out()
        self._wanted = _RESPONSE
        self.tabs.currentChanged.connect(self._turn)
        self.tabs.tabBarClicked.connect(self._want)
        self._tree.toggled.connect(self._set_tree)
        self._reveal.toggled.connect(self._set_revealed)
        self.diff.swap_wanted.connect(self._show_other)
        for pane in (self.request, self.response):
            pane.tree.menu_opening.connect(self.value_menu)
        self._call.clicked.connect(lambda: self.call_activated.emit(self._exchange().first))
        model.updated.connect(self.refresh)
        model.rearranged.connect(self.refresh)
        model.judged.connect(self._now_judged)
        self.show_row(-1)

    def _lay_out(self) -> None:
        head = QHBoxLayout(self._head)
        head.setContentsMargins(10, 4, 6, 4)
        head.setSpacing(6)
        head.addWidget(self._title)
        head.addWidget(self._pill)
        head.addWidget(self._figures, 1)
        head.addWidget(self._reveal)
        head.addWidget(self._tree)
        head.addWidget(self._call)
        theme.mark(self._head, surface="window")
        page = QWidget()
        layout = QVBoxLayout(page)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._head)
        layout.addWidget(self.tabs)
        layout.addWidget(self._pages, 1)
        self._outer.addWidget(page)
        self._outer.addWidget(self._empty)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self._outer)
        theme.mark(self._outer, surface="base")

    def resizeEvent(self, event: QResizeEvent) -> None:
        # The row beside it says the same; what it is about comes first.
        self._figures.setVisible(self.width() >= _ROOMY)
        super().resizeEvent(event)

    @property
    def row(self) -> int:
        """The row that is shown, -1 for none."""
        return self._row

    def show_row(self, row: int) -> None:
        """Show a row of the model's exchanges, or nothing for -1."""
        self._row, self._frame = row, 0
        self._outer.setCurrentIndex(0 if row >= 0 else 1)
        if row < 0:
            return
        exchange = self._exchange()
        message = exchange.channel in (Channel.MESSAGE, Channel.STDOUT)
        paired = exchange.kind is RowKind.REQUEST
        self.tabs.setTabText(_REQUEST, "Request" if paired else "Message" if message else "Facts")
        self.tabs.setTabVisible(_RESPONSE, paired)
        self.tabs.setTabVisible(_HTTP, bool(http_records(self._model.log, exchange)))
        self.tabs.setTabVisible(_NOTES, paired or message)
        self.tabs.setTabVisible(_DIFF, exchange.first in self._pairs)
        # A row that lacks the chosen part shows its first; the next one that has it shows it again.
        self.tabs.setCurrentIndex(self._wanted if self.tabs.isTabVisible(self._wanted) else _REQUEST)
        self.refresh()

    def show_frame(self, seq: int) -> None:
        """Show a single message of the row; 0 for the row itself."""
        if self._row < 0 or seq == self._frame:
            return
        self.show_row(self._row)
        exchange = self._exchange()
        if not seq or seq == exchange.first:
            return
        if seq == exchange.reply:
            self.tabs.setCurrentIndex(_RESPONSE)
            return
        self._frame = seq
        log = self._model.log
        message = log.columns.channel[seq - 1] in (Channel.MESSAGE, Channel.STDOUT)
        self.tabs.setTabText(_REQUEST, "Message" if message else "Facts")
        self.tabs.setTabVisible(_RESPONSE, False)
        self.tabs.setCurrentIndex(self._wanted if self._wanted == _RAW else _REQUEST)
        self.refresh()

    def compare(self, older: Side, newer: Side) -> None:
        """Show what differs between two, as the Diff tab of both."""
        self._pairs[older.first] = self._pairs[newer.first] = (older, newer)
        if self._row >= 0:
            self.tabs.setTabVisible(_DIFF, self._shown_seq() in self._pairs)
            self.show_part("diff")

    def note_pair(self, older: Side, newer: Side) -> None:
        """Remember that one was made from the other: its Diff tab compares them."""
        self._pairs[newer.first] = (older, newer)
        if self._row >= 0 and self._shown_seq() == newer.first:
            self.tabs.setTabVisible(_DIFF, True)

    def _shown_seq(self) -> int:
        return self._frame or self._exchange().first

    def _show_other(self) -> None:
        older, newer = self._pairs[self._shown_seq()]
        self.other_wanted.emit(older.first if newer.first == self._shown_seq() else newer.first)

    def _want(self, index: int) -> None:
        if index >= 0:
            self._wanted = index

    def show_part(self, part: str) -> None:
        """Turn to a tab where the row has it: request, response, raw, http, notes, checks or diff."""
        index = ("request", "response", "raw", "http", "notes", "checks", "diff").index(part)
        self._want(index)
        if self.tabs.isTabVisible(index):
            self.tabs.setCurrentIndex(index)

    def refresh(self) -> None:
        """Show what has become of the row."""
        if self._row < 0 or self._row >= len(self._model.exchanges):
            return
        exchange = self._exchange()
        text = row_text(self._model.log, exchange)
        self._title.setText(f"{text.method} · {text.target}" if text.target else text.method)
        self._pill.set(text.status.word, text.status.ink, text.status.icon)
        parts = (text.latency, text.size, f"#{text.seq}", text.time)
        self._figures.setText(" · ".join(part for part in parts if part))
        ours = exchange.kind is RowKind.REQUEST and exchange.direction is Direction.SENT
        self._call.setVisible(ours)
        self.tabs.set_count(_CHECKS, self._findings(exchange)[2] or None)
        self._turn(self.tabs.currentIndex())

    def _exchange(self) -> Exchange:
        return self._model.exchanges[self._row]

    def _turn(self, index: int) -> None:
        """Fill the page that is seen, and no other."""
        if self._row < 0:
            return
        exchange, log = self._exchange(), self._model.log
        self._pages.setCurrentIndex(index)
        self._reveal.setVisible(index in (_REQUEST, _RESPONSE) and exchange.channel is Channel.MESSAGE)
        self._tree.setVisible(index in (_REQUEST, _RESPONSE) and exchange.channel is Channel.MESSAGE)
        if index == _REQUEST and self._frame:
            self._show_frame_body(self._frame)
        elif index == _REQUEST:
            if exchange.channel in (Channel.MESSAGE, Channel.STDOUT):
                self.request.show_body(log, exchange.first)
            else:
                self._pages.setCurrentWidget(self._notes)
                self._notes.show_sections(self._facts(exchange))
        elif index == _RESPONSE:
            self._show_response(exchange)
        elif index == _RAW:
            self.raw.show_row(self._model.exchanges, self._row)
            if self._frame:
                self.raw.choose(self._frame)
        elif index == _HTTP:
            self._http.show_sections(http_sections(log, exchange))
        elif index == _DIFF:
            if self._shown_seq() in self._pairs:
                older, newer = self._pairs[self._shown_seq()]
                # An answer may have come since.
                fresh = Side.of(self._model.exchanges, newer.first) if newer.log is log else newer
                self.diff.show_sides(older, fresh)
        elif index == _CHECKS:
            findings, faults, _ = self._findings(exchange)
            self._checks.show_findings(findings, faults, judged=self._judged(exchange))
        else:
            self._notes.show_sections(self._about(exchange))

    def _show_frame_body(self, seq: int) -> None:
        log = self._model.log
        if log.columns.channel[seq - 1] in (Channel.MESSAGE, Channel.STDOUT):
            self.request.show_body(log, seq)
        else:
            self._pages.setCurrentWidget(self._notes)
            self._notes.show_sections([("", about_record(log, seq))])

    def _findings(self, exchange: Exchange) -> tuple[list[Finding], list[str], int]:
        """What was found wrong with the records of a row, the faults of their envelopes, and how many to tell of."""
        model = self._model
        seqs = list(islice(model.exchanges.records(self._row), _MOST_NOTES))
        found = model.findings.judge.of(seqs) if model.findings is not None else []
        faults = [fault for seq in seqs for fault in model.log.faults(seq)] if exchange.faults and not found else []
        return found, faults, len(found) or len(faults)

    def _judged(self, exchange: Exchange) -> bool:
        findings = self._model.findings
        return findings is not None and findings.judge.seen >= exchange.last

    def _now_judged(self) -> None:
        if self.tabs.currentIndex() == _CHECKS and self._checks.waits:
            self.refresh()

    def _show_response(self, exchange: Exchange) -> None:
        if exchange.reply:
            self.response.show_body(self._model.log, exchange.reply)
        elif exchange.state is RowState.PENDING:
            sent = exchange.direction is Direction.SENT
            waiting = "Waiting for the answer" if sent else "The server waits for an answer"
            self.response.show_sentence(waiting, f"since {clock(exchange.wall_ns)}")
        else:
            icon = "circle-x" if exchange.state is not RowState.CANCELLED else "ban"
            self.response.show_sentence(f"No answer: {exchange.state.word}", plain.line(exchange.note), icon)

    def _set_revealed(self, on: bool) -> None:
        self._reveal.setIcon(icons.icon("eye-off" if on else "eye"))
        for pane in (self.request, self.response):
            pane.set_masked(not on)

    def _set_tree(self, on: bool) -> None:
        self.request.set_tree(on)
        self.response.set_tree(on)

    def _facts(self, exchange: Exchange) -> list[tuple[str, list[Fact]]]:
        """The page of a row that is no message."""
        log = self._model.log
        body = log.body_part(exchange.first, 0, 65_536)
        sections: list[tuple[str, list[Fact]]] = []
        if exchange.channel is Channel.STDERR:
            sections.append(("", [Fact("", body.decode("utf-8", "surrogateescape"), mono=True)]))
            body = b""
        about = [Fact("event", event(log, exchange)), *about_row(log, exchange)]
        sections.append(("", about_record(log, exchange.first)))
        if body:
            sections.append(("Body", [Fact("", body.decode("utf-8", "surrogateescape"), mono=True)]))
        sections.append(("Row", about if exchange.channel is not Channel.STDERR else about[1:]))
        return [section for section in sections if any(fact.value for fact in section[1])]

    def _about(self, exchange: Exchange) -> list[tuple[str, list[Fact]]]:
        """What was told on the way, and the figures."""
        log, columns = self._model.log, self._model.log.columns
        told: list[Fact] = []
        for number, seq in enumerate(self._model.exchanges.records(self._row)):
            if number >= _MOST_NOTES:
                told.append(Fact("", "There is more; the Raw tab lists every record."))
                break
            word = columns.kinds.texts[columns.kind[seq - 1]]
            sentence = log.facts(seq).get("sentence") or log.facts(seq).get("verdict")
            if sentence:
                told.append(Fact(f"{clock(columns.wall_ns[seq - 1])} {word}", str(sentence)))
            elif word == "notification":
                body = log.body_part(seq, 0, 2000).decode("utf-8", "surrogateescape")
                told.append(Fact(clock(columns.wall_ns[seq - 1]), body, mono=True))
        sections = [("On the way", told), ("Row", about_row(log, exchange))]
        return [section for section in sections if section[1]]


class _Sections(QScrollArea):
    """Titled groups of facts, scrolled together."""

    def __init__(self) -> None:
        super().__init__()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._shown: list[tuple[str, list[Fact]]] | None = None

    def show_sections(self, sections: list[tuple[str, list[Fact]]]) -> None:
        """Show these groups; the same again changes nothing."""
        if sections == self._shown:
            return
        self._shown = sections
        page = QWidget()
        theme.mark(page, surface="base")
        layout = QVBoxLayout(page)
        layout.setContentsMargins(2, 4, 2, 8)
        layout.setSpacing(2)
        groups = [KeyValueRows(facts) for _, facts in sections]
        names = min(max((group.name_width() for group in groups), default=0), _NAMES)
        for (title, _), group in zip(sections, groups, strict=True):
            group.set_name_width(names)
            if title:
                label = QLabel(visible(title))
                label.setTextFormat(Qt.TextFormat.PlainText)
                label.setContentsMargins(10, 6, 0, 0)
                theme.mark(label, role="head")
                layout.addWidget(label)
            layout.addWidget(group)
        layout.addStretch(1)
        self.setWidget(page)


def _tool(icon: str, tip: str) -> QToolButton:
    button = QToolButton()
    button.setIcon(icons.icon(icon))
    button.setToolTip(tip)
    button.setAccessibleName(tip)
    return button
