"""Makes the cells of what is shown when it is looked at, and keeps the last ones: rows, messages, own columns."""

from __future__ import annotations

from time import perf_counter_ns
from typing import TYPE_CHECKING, Final

from mcp_inspector.store import jsonpath
from mcp_inspector.store.marks import NONE
from mcp_inspector.store.record import Channel
from mcp_inspector.store.redact import redact_text
from mcp_inspector.ui import plain
from mcp_inspector.ui.models.traffic_frame import frame_text
from mcp_inspector.ui.models.traffic_outline import seq_of
from mcp_inspector.ui.models.traffic_row import RowText, row_text

if TYPE_CHECKING:
    from mcp_inspector.ui.models.traffic import TrafficModel

_KEPT: Final = 2000
_LARGEST: Final = 1 << 20
"""Bytes of a message that is read for a cell; of a larger one the cell says so."""
_SHORT: Final = 300


class Cells:
    """The texts of one table. `paths` are those of the person's own columns, `reference` the record since which."""

    def __init__(self, model: TrafficModel) -> None:
        self._model = model
        self._texts: dict[int, RowText] = {}
        self.paths: tuple[jsonpath.Path, ...] = ()
        self.reference = 0

    def set_paths(self, paths: tuple[str, ...]) -> None:
        """Have cells for these; what is no path has empty ones."""
        found = []
        for text in paths:
            try:
                found.append(jsonpath.parse(text))
            except jsonpath.PathError:
                found.append(jsonpath.Path(()))
        self.paths = tuple(found)
        self.forget()

    def forget(self) -> None:
        """Make all anew."""
        self._texts.clear()

    def text(self, key: int) -> tuple[RowText, bool]:
        """The cells of a row or a message, and whether they were just made."""
        found = self._texts.get(key)
        if found is not None:
            return found, False
        model = self._model
        exchange = model.exchanges[model.row_of_key(key)]
        seq = seq_of(key)
        if seq:
            made = frame_text(model.log, seq, exchange.mono_ns)
        else:
            seq = exchange.first
            now_ns = perf_counter_ns() if model.log.live else 0
            made = row_text(model.log, exchange, now_ns, model.found(exchange))
        more = tuple(self._cell(path, seq, exchange.reply if key >= 0 else 0) for path in self.paths)
        mark = model.log.marks[seq]
        note = made.note
        if mark != NONE:
            # The colour has its word, so that nobody has to see it.
            pinned = "pinned" if mark.pinned else ""
            said = " · ".join(part for part in (mark.word, pinned, plain.line(mark.comment, _SHORT)) if part)
            note = f"{said} · {note}" if note else said
        made = made._replace(more=more, mark=mark, note=note)
        if key >= 0 and exchange.elapsed_ns is None and made.elapsed_ns >= 0:
            return made, False  # it is running: another one in a moment
        if len(self._texts) > _KEPT:
            self._texts.clear()
        self._texts[key] = made
        return made, True

    def at(self, place: int, key: int, *, times: bool) -> RowText:
        """The cells as they stand at a place: indented, with what depends on its neighbours."""
        model = self._model
        text, _ = self.text(key)
        opens = (2 if model.outline.is_open(key) else 1) if model.can_open(key) else 0
        depth = model.depth(place)
        if not times:
            return text._replace(depth=depth, opens=opens) if depth or opens else text
        mine = self.moment(key)
        before = self.moment(model.key(place - 1)) if place else mine
        zero = model.log.columns.mono_ns[max(self.reference, 1) - 1]
        return text._replace(depth=depth, opens=opens, delta=_signed(mine - before), since=_signed(mine - zero))

    def moment(self, key: int) -> int:
        """When it was, on the monotonic clock (ns)."""
        seq = seq_of(key) or self._model.exchanges.first[key]
        return self._model.log.columns.mono_ns[seq - 1]

    def _cell(self, path: jsonpath.Path, *seqs: int) -> str:
        """The value in the first of these messages that has one."""
        log = self._model.log
        if not path.steps:
            return ""
        for seq in seqs:
            if not seq or log.columns.channel[seq - 1] != Channel.MESSAGE:
                continue
            if log.body_size(seq) > _LARGEST:
                return "too large"
            body = log.body(seq)
            value = path.first(body) if path.literal in body else None
            if value is not None:
                shown = jsonpath.words(value[: 4 * _SHORT] if value[:1] != b'"' else value)
                return plain.line(redact_text(_named(path, shown)).text.partition(": ")[2], _SHORT)
        return ""


def _named(path: jsonpath.Path, shown: str) -> str:
    """A value behind its name: what makes a secret one is mostly the name."""
    return f"{path.steps[-1]}: {shown}"


def _signed(ns: int) -> str:
    return "0" if not ns else f"{'+' if ns > 0 else '−'}{plain.elapsed(abs(ns))}"
