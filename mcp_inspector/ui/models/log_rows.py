"""The log messages of servers as rows: pulled from the store by the model of Traffic, read when they are looked at."""

from __future__ import annotations

import time
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from mcp_inspector.store.query import FIELDS, And, Node, Not, Or, Term, Text, Words
from mcp_inspector.store.search import Needle
from mcp_inspector.ui import plain
from mcp_inspector.ui.models.traffic import TrafficModel

if TYPE_CHECKING:
    from mcp_inspector.store.exchanges import Exchanges
    from mcp_inspector.store.log import Log

METHOD = "notifications/message"
LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")
TONES = {"debug": "muted", "info": "text", "notice": "accent", "warning": "warn"}
"""The colour that supports a level's word; what is worse than a warning is an error."""

LINE = Qt.ItemDataRole.UserRole
"""The `LogLine` of an index."""

Index = QModelIndex | QPersistentModelIndex
_KEPT = 2_000
_SHOWN = 1_000


@dataclass(frozen=True)
class LogLine:
    """One message ready to be drawn; `params` is its JSON text as it came."""

    seq: int
    moment: str
    server: str
    level: str
    logger: str
    text: str
    params: bytes

    @property
    def tone(self) -> str:
        """The colour of its level."""
        return TONES.get(self.level, "error" if self.level in LEVELS else "warn")


class _Params(msgspec.Struct):
    level: Any = ""
    logger: Any = ""
    data: msgspec.Raw = msgspec.Raw(b"null")


class _Message(msgspec.Struct):
    params: msgspec.Raw = msgspec.Raw(b"{}")


def read(log: Log, seq: int) -> LogLine:
    """Read one message, whatever it holds."""
    columns, index = log.columns, seq - 1
    wall_ns = columns.wall_ns[index]
    moment = time.strftime("%H:%M:%S", time.localtime(wall_ns / 1e9)) + f".{wall_ns // 1_000_000 % 1000:03d}"
    server = plain.line(columns.servers.texts[columns.server[index]], 60)
    try:
        params = bytes(msgspec.json.decode(log.body(seq), type=_Message).params)
        value = msgspec.json.decode(params, type=_Params)
    except (msgspec.MsgspecError, RecursionError):
        return LogLine(seq, moment, server, "?", "", "(cannot be read)", b"")
    raw = bytes(value.data)
    text = msgspec.json.decode(raw) if raw.startswith(b'"') else raw[: 4 * _SHOWN].decode(errors="replace")
    level = value.level if isinstance(value.level, str) else "?"
    logger = value.logger if isinstance(value.logger, str) else ""
    return LogLine(seq, moment, server, plain.line(level, 20), plain.line(logger, 60), plain.line(text, _SHOWN), params)


def query(least: str, text: str) -> Node:
    """What is shown: messages that are not below a level, with a text in them. Unknown levels are never hidden."""
    parts: list[Node] = [
        Term(FIELDS["method"], Text(Needle(METHOD), whole=True), 0, 0),
        Term(FIELDS["dir"], Words(frozenset({"received"})), 0, 0),
    ]
    below = LEVELS[: LEVELS.index(least)] if least in LEVELS else ()
    if below:
        parts.append(Not(Or(tuple(Term(FIELDS["target"], Text(Needle(one), whole=True), 0, 0) for one in below))))
    if text.strip():
        parts.append(Term(FIELDS["body"], Text(Needle(text.strip())), 0, 0))
    return And(tuple(parts))


class LogModel(QAbstractTableModel):
    """One column of messages. Rows are numbers in the store's rows; a body is read when its row is drawn."""

    def __init__(self, log: Log, exchanges: Exchanges | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.log = log
        self.source = TrafficModel(log, exchanges, self)
        self._count = 0
        self._lines: OrderedDict[int, LogLine] = OrderedDict()
        self.source.set_query(query("", ""))
        self.source.inserted.connect(self._inserted)
        self.source.rearranged.connect(self._rearranged)

    def filter(self, least: str, text: str) -> None:
        """Show only what passes."""
        self.source.set_query(query(least, text))

    def line(self, place: int) -> LogLine:
        """The message at a place. Raises `IndexError`."""
        seq = self.source.exchanges.first[self.source.row(place)]
        found = self._lines.get(seq)
        if found is None:
            found = self._lines[seq] = read(self.log, seq)
            if len(self._lines) > _KEPT:
                self._lines.popitem(last=False)
        return found

    def _inserted(self, _: int, stop: int) -> None:
        if stop > self._count:
            self.beginInsertRows(QModelIndex(), self._count, stop - 1)
            self._count = stop
            self.endInsertRows()

    def _rearranged(self) -> None:
        self.beginResetModel()
        self._count = len(self.source)
        self.endResetModel()

    def rowCount(self, parent: Index | None = None) -> int:
        """How many are shown."""
        return 0 if parent is not None and parent.isValid() else self._count

    def columnCount(self, parent: Index | None = None) -> int:
        """One: the row draws itself."""
        return 1

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """The line; its words for screen readers."""
        if not index.isValid() or index.row() >= min(self._count, len(self.source)):
            return None
        if role == LINE:
            return self.line(index.row())
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            line = self.line(index.row())
            return f"{line.level} {line.logger} {line.text}"
        return None
