"""Which rows of a session's traffic are shown: pulled from the store, filtered there, and never copied.

The model holds row numbers, not rows. With no filter it holds nothing at all; a million rows cost nothing then.
Places count what is shown from the top: rows, and below opened ones the lines of `Outline`.
"""

from __future__ import annotations

import sqlite3
from array import array
from bisect import bisect_left
from time import perf_counter_ns
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer, Signal

from mcp_inspector.store.exchanges import Exchange, Exchanges, RowKind
from mcp_inspector.store.filter import Filter
from mcp_inspector.store.query import FIELDS, And, Node, QueryError, Term, Text, parse
from mcp_inspector.store.search import Needle
from mcp_inspector.ui.bridge import Pull
from mcp_inspector.ui.models.traffic_listing import Listing
from mcp_inspector.ui.models.traffic_outline import Outline, seq_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from mcp_inspector.store.exchanges import Changes
    from mcp_inspector.store.filter import Step
    from mcp_inspector.store.log import Log
    from mcp_inspector.ui.models.findings import Findings

_SLICE_NS: Final = 5_000_000
_STEP: Final = 2_000
_CATCH_UP_MS: Final = 1
_FRAME_NS: Final = 30_000_000


class TrafficModel(QObject):
    """The shown rows of one session. Places count what is shown, rows are those of `store.Exchanges`.

    A tick, 30 ms after something has changed, takes in what has come, and tells once: `inserted` for rows added at the
    end, `rearranged` when places have changed otherwise, `updated` when shown rows look different, `counted` always.
    """

    inserted = Signal(int, int)
    """First new place, and the one after the last."""
    rearranged = Signal()
    updated = Signal()
    counted = Signal()
    judged = Signal()

    def __init__(self, log: Log, exchanges: Exchanges | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.log = log
        self.exchanges = exchanges if exchanges is not None else Exchanges(log)
        self.problem = ""
        """Why the filter line is not understood; the filter before it stays in force then."""
        self.problem_at = (0, 0)
        """Where that is, as offset and length in characters; no length when it is nowhere in the line."""
        self._line = ""
        self._server: str | None = None
        self._query: Node = And(())
        self._filter: Filter | None = None
        self._paused = False
        self.findings: Findings | None = None
        """What has been found wrong with the session; None where nobody judges it."""
        self._changed: set[int] = set()
        self._scan: Iterator[Step] | None = None
        self._found = array("I")
        self._progress = 1.0
        self._told = 0
        self.outline = Outline(self.exchanges)
        self._list = Listing(self.exchanges, self.outline)
        self._pull = Pull(self._look, self)
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(_CATCH_UP_MS)
        self._soon.timeout.connect(self._look)
        stops = (
            log.changed.connect(self._pull.soon),
            self.exchanges.changed.connect(self._exchanges_changed),
            log.marks.changed.connect(self._look_again),
        )
        # The core outlives a view, and must not call into one that Qt has deleted.
        self.destroyed.connect(lambda: [stop() for stop in stops])
        self._pull.soon()

    # --- what is shown ---

    def __len__(self) -> int:
        return len(self._list) + len(self.outline)

    def key(self, place: int) -> int:
        """What is shown at a place: a row, or a single message (`traffic_outline`). Raises `IndexError`."""
        if not 0 <= place < len(self):
            raise IndexError(f"nothing is shown at {place}")
        line = self.outline.line(place)
        if line is not None:
            return line.key
        base = self.outline.base(place)
        return self._list.row(base)

    def depth(self, place: int) -> int:
        """How far a place is indented."""
        line = self.outline.line(place)
        return 0 if line is None else line.depth

    def row(self, place: int) -> int:
        """The row at a place, of a single message the row that it belongs to. Raises `IndexError`."""
        return self.row_of_key(self.key(place))

    def row_of_key(self, key: int) -> int:
        """The row of a key."""
        return self.exchanges.row(seq_of(key)) if key < -1 else key

    def exchange(self, place: int) -> Exchange:
        """What is shown at a place. Raises `IndexError`."""
        return self.exchanges[self.row(place)]

    def place(self, key: int) -> int:
        """Where a row or a single message is shown, -1 when it is not."""
        base = self._list.place(key)
        return self.outline.place(base) if base >= 0 else self.outline.place_of_line(key)

    def place_near(self, row: int) -> int:
        """Where a row is shown, or the next one after it, or the last; -1 when nothing is shown."""
        row = max(row, 0)
        base = self._list.near(row)
        return self.outline.place(base) if base >= 0 else -1

    def set_open(self, row: int, on: bool, *, all_below: bool = False) -> None:
        """Show the messages of an operation below its row, or hide them."""
        if all_below and on:
            self.outline.open_all(row)
        self.outline.set_open(row, on)
        self._rearranged()

    def can_open(self, key: int) -> bool:
        """Whether a row has anything below it."""
        return key >= 0 and self.exchanges.kind[key] == RowKind.REQUEST

    def set_grouped(self, on: bool) -> None:
        """Show the requests within an operation below it only, or all in one list."""
        if on != self.outline.grouped:
            self.outline.grouped = on
            self._refilter()

    def row_of(self, seq: int) -> int:
        """The row that a record belongs to, -1 when there is none yet."""
        try:
            return self.exchanges.row(seq)
        except IndexError:
            return -1

    @property
    def hidden(self) -> int:
        """How many rows the filter line or the chosen server hides; those below an operation are not counted."""
        return self._list.taken - self.cleared - self._list.folded - len(self._list)

    @property
    def cleared(self) -> int:
        """How many rows `clear` has put out of sight."""
        return self._list.cleared

    @property
    def waiting(self) -> int:
        """How many records have come while paused, and wait to be shown."""
        if not self._paused:
            return 0
        seen = (
            self.exchanges.first[self._list.taken] - 1
            if self._list.taken < len(self.exchanges)
            else self.exchanges.seen
        )
        return len(self.log) - seen

    @property
    def pending(self) -> bool:
        """Whether any request waits for its answer."""
        return bool(self.exchanges.pending)

    # --- what shall be shown ---

    @property
    def line(self) -> str:
        """The filter line."""
        return self._line

    @property
    def server(self) -> str | None:
        """The one server that is shown, None for all."""
        return self._server

    @property
    def progress(self) -> float:
        """How far the filter has looked, 0 to 1; 1 when it is done."""
        return self._progress

    def set_line(self, line: str) -> None:
        """Show only what passes a filter line; when it is not understood, `problem` says why and nothing changes."""
        self._line = line
        try:
            query = parse(line)
        except QueryError as error:
            self.problem, self.problem_at = error.sentence, (error.position, error.length)
            self.counted.emit()
            return
        self.problem, self.problem_at = "", (0, 0)
        if query != self._query:
            self._query = query
            self._refilter()
        else:
            self.counted.emit()

    def set_query(self, query: Node) -> None:
        """Show only what passes a query that no line was typed for."""
        if query != self._query:
            self._query = query
            self._refilter()

    def set_server(self, server: str | None) -> None:
        """Show one server only, or all."""
        if server != self._server:
            self._server = server
            self._refilter()

    def found(self, exchange: Exchange) -> int:
        """How much is wrong with a row; only its first and last records are looked at, for a row is drawn often."""
        if self.findings is None:
            return 0
        return len(self.findings.judge.of((exchange.first, exchange.reply, exchange.last)))

    def set_findings(self, findings: Findings) -> None:
        """Rows can be filtered by what was found, and look different when something is."""
        self.findings = findings
        findings.changed.connect(self._findings_changed)
        findings.caught_up.connect(self.judged)
        self._refilter()

    def _findings_changed(self) -> None:
        if self.findings is not None:
            self._look_again(self.findings.judge.take_fresh())

    def clear(self, *, hidden_only: bool = False) -> None:
        """Put what has come so far out of sight, or only what is hidden by the filter; what is pinned stays.

        Nothing is lost: `show_all` brings it back.
        """
        pinned = [self.row_of(seq) for seq, mark in self.log.marks.items() if mark.pinned]
        self.put_cleared(self._list.cleared_now(pinned, hidden_only=hidden_only))

    def show_all(self) -> None:
        """Show again what was cleared."""
        self.put_cleared(None)

    @property
    def cleared_rows(self) -> bytearray | None:
        """Which rows are cleared, for `put_cleared` to bring back: the way to undo."""
        return self._list.gone

    def put_cleared(self, gone: bytearray | None) -> None:
        """Clear these rows, one byte each, 1 for gone, and no others."""
        self._list.gone = gone
        self._refilter()

    @property
    def paused(self) -> bool:
        """Whether new rows are kept back."""
        return self._paused

    def set_paused(self, paused: bool) -> None:
        """Keep new rows back, so that nothing moves; the session goes on being recorded."""
        self._paused = paused
        self._pull.now()
        self.counted.emit()

    def catch_up(self) -> None:
        """Take in everything that has come, and filter to the end, at once: for who must find a row now."""
        self.exchanges.update()
        while self._scan is not None:
            self._go_on(perf_counter_ns() + _SLICE_NS)
        self._take_updated()
        self._take_new()
        self.counted.emit()

    def _exchanges_changed(self, changes: Changes) -> None:
        # Somebody else may share the exchanges and update them: what changed is shown with the next tick.
        self._changed.update(changes.updated)
        self._pull.soon()

    def _look_again(self, seqs: Iterable[int]) -> None:
        """The rows of these records look different now, or pass the filter differently."""
        self._changed.update(row for seq in seqs if (row := self.row_of(seq)) >= 0)
        self._pull.soon()

    def _look(self) -> None:
        """One tick: a few milliseconds of new records, then one message to the view."""
        deadline = perf_counter_ns() + _SLICE_NS
        more = self.exchanges.seen < len(self.log)
        while more and perf_counter_ns() < deadline:
            more = self.exchanges.update(_STEP).more
        if self._scan is not None:
            self._go_on(deadline)
        # However fast it comes, the view hears of it once a frame: a repaint costs more than a thousand records.
        if not more or deadline - self._told >= _FRAME_NS:
            self._told = deadline
            if self._scan is None:
                self._take_updated()
                self._take_new()
            self.counted.emit()
        if more or self._scan is not None:
            self._soon.start()

    def _take_new(self) -> None:
        count = len(self.exchanges)
        if self._paused or count == self._list.taken:
            return
        before, first = len(self), self._list.taken
        self._list.taken = count
        if self._list.rows is None and self.outline.grouped and self.exchanges.nested:
            self._refilter()  # from now on there are rows that are only shown below others
            return
        if self._filter is not None and self._list.rows is not None:
            self._list.rows.extend(self._list.kept(self._rows(self._filter, first, count), self._list.rows))
        if self.outline.rows:
            self._rearranged()
        elif len(self) > before:
            self.inserted.emit(before, len(self))

    def _take_updated(self) -> None:
        changed = [row for row in self._changed if row < self._list.taken]
        self._changed.clear()
        if not changed:
            return
        moved = self._filter is not None and self._list.rows is not None and self._rearrange(changed)
        if moved or self.outline.rows:
            self.outline.arrange(self._list.place)
            self.rearranged.emit()
        else:
            self.updated.emit()

    def _rearrange(self, changed: list[int]) -> bool:
        """Put rows in or out that pass the filter differently now; True when there were any."""
        if self._filter is None or self._list.rows is None:
            return False
        low, high = min(changed), max(changed) + 1
        if high - low <= 4 * len(changed) + 1000:
            found = self._rows(self._filter, low, high)
        else:
            found = array("I", (row for row in sorted(changed) if self._rows(self._filter, row, row + 1)))
        folded = self._list.folded
        passing = set(self._list.kept(found, self._list.rows))
        self._list.folded = folded
        return self._list.put(changed, passing)

    def _rows(self, chosen: Filter, start: int, stop: int) -> array[int]:
        try:
            return chosen.rows(start, stop)
        except sqlite3.Error as error:
            self.problem = f"The session's file cannot be searched: {error}."
            return array("I")

    def _refilter(self) -> None:
        parts: list[Node] = [] if self._query == And(()) else [self._query]
        if self._server is not None:
            parts.append(Term(FIELDS["server"], Text(Needle(self._server), whole=True), 0, 0))
        self._scan = None
        below = self.outline.grouped and bool(self.exchanges.nested)
        if not parts and not below and self._list.gone is None:
            self._filter, self._list.rows, self._progress, self._list.folded = None, None, 1.0, 0
            self._rearranged()
            return
        judge = self.findings.judge if self.findings is not None else None
        self._filter = Filter(And(tuple(parts)), self.exchanges, judge)
        self._scan, self._found, self._progress = self._filter.scan(), array("I"), 0.0
        self._go_on(perf_counter_ns() + _SLICE_NS)
        if self._scan is not None:
            self.counted.emit()
            self._soon.start()

    def _go_on(self, deadline: int) -> None:
        """Filter on until the time is up; what is shown changes when all has been looked at."""
        scan, total = self._scan, 0
        if scan is None:
            return
        try:
            for step in scan:
                self._found.extend(step.rows)
                total = step.total
                self._progress = step.done / max(total, 1)
                if step.done >= step.total:
                    break
                if perf_counter_ns() >= deadline:
                    return
        except sqlite3.Error as error:
            self.problem = f"The session's file cannot be searched: {error}."
        self._scan, self._progress = None, 1.0
        del self._found[bisect_left(self._found, self._list.taken) :]
        self._list.folded = 0
        self._list.rows = self._list.kept(self._found, array("I"))
        self._rearranged()

    def _rearranged(self) -> None:
        self.outline.arrange(self._list.place)
        self.rearranged.emit()
        self.counted.emit()
        self._pull.soon()
