"""What servers listed in a recorded session, read from its messages alone."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import msgspec

from mcp_inspector.session.catalogue import METHODS
from mcp_inspector.session.list_book import Connect
from mcp_inspector.store.exchanges import RowKind, RowState
from mcp_inspector.store.record import Direction
from mcp_inspector.wire import frame as wire

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcp_inspector.store.exchanges import Exchanges

_WHAT = {method: (what, member) for what, (method, member) in METHODS.items()}
_entries = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode
_items = msgspec.json.Decoder(list[msgspec.Raw]).decode


@dataclass
class _Building:
    """The lists of one connection as its pages come. `open` are those whose next page may still follow."""

    wall_ns: int
    lists: dict[str, list[bytes]] = field(default_factory=dict)
    whole: dict[str, tuple[bytes, ...]] = field(default_factory=dict)
    version: str = ""
    server: str = ""


def recorded_lists(exchanges: Exchanges) -> dict[str, list[Connect]]:
    """For each server its connections in order, each with the last of its lists that was read to the end."""
    found: dict[tuple[str, int], _Building] = {}
    for row in _listings(exchanges):
        exchange = exchanges[row]
        building = found.setdefault((exchange.server, exchange.connection), _Building(exchange.wall_ns))
        result = _result(exchanges, exchange.reply)
        if exchange.method in ("initialize", "server/discover"):
            _introduce(building, result)
            continue
        what, member = _WHAT[exchange.method]
        try:
            items = [bytes(item) for item in _items(result[member])]
        except (KeyError, msgspec.MsgspecError, RecursionError):
            continue
        if not _has_cursor(exchanges, exchange.first):
            building.lists[what] = []
        building.lists.setdefault(what, []).extend(items)
        following = result.get("nextCursor")
        if following is None or bytes(following) == b"null":
            building.whole[what] = tuple(building.lists.pop(what))
    servers: dict[str, list[Connect]] = {}
    for (server, _), each in found.items():
        if each.whole:
            servers.setdefault(server, []).append(Connect(each.wall_ns, each.version, each.server, each.whole))
    return servers


def _listings(exchanges: Exchanges) -> Iterator[int]:
    codes = exchanges.log.columns.methods.codes
    wanted = {codes[name] for name in (*_WHAT, "initialize", "server/discover") if name in codes}
    for row, method in enumerate(exchanges.method):
        answered = exchanges.kind[row] == RowKind.REQUEST and exchanges.state[row] == RowState.OK
        if method in wanted and answered and exchanges.direction[row] == Direction.SENT:
            yield row


def _result(exchanges: Exchanges, reply: int) -> dict[str, msgspec.Raw]:
    frame = wire.read(exchanges.log.body(reply)) if reply else None
    try:
        return _entries(frame.result) if frame is not None and frame.result is not None else {}
    except (msgspec.MsgspecError, RecursionError):
        return {}


def _has_cursor(exchanges: Exchanges, first: int) -> bool:
    params = wire.read(exchanges.log.body(first)).params
    try:
        return "cursor" in _entries(params or b"{}")
    except (msgspec.MsgspecError, RecursionError):
        return False


def _introduce(building: _Building, result: dict[str, msgspec.Raw]) -> None:
    def value(name: str) -> Any:
        try:
            return msgspec.json.decode(result[name])
        except (KeyError, msgspec.MsgspecError, RecursionError):
            return None

    version, info = value("protocolVersion"), value("serverInfo")
    building.version = version if isinstance(version, str) else building.version
    if isinstance(info, dict):
        parts = (info.get("name"), info.get("version"))
        building.server = " ".join(part for part in parts if isinstance(part, str))
