"""Rows of traffic as text for the clipboard: JSON with every body as it was spelled, or Markdown; secrets masked."""

from __future__ import annotations

import json
import re
import time
from typing import TYPE_CHECKING, Final

from mcp_inspector.store.exchanges import RowKind
from mcp_inspector.store.record import Channel, Direction
from mcp_inspector.store.redact import MASK, redact_text
from mcp_inspector.ui import plain
from mcp_inspector.ui.models.traffic_row import clock, event, row_text
from mcp_inspector.ui.widgets.json_spans import Parts, pretty

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mcp_inspector.store.exchanges import Exchange, Exchanges

LIMIT: Final = 5_000
"""Most rows that are copied at once."""

_BYTES: Final = 64 << 20


def as_json(exchanges: Exchanges, rows: Sequence[int], masks: Masks | None = None) -> str:
    """One object, or an array of objects for several rows. Bodies that are JSON are put in as they were spelled.

    Secrets are masked, and counted, by `masks`; a new `Masks` where there is none.
    """
    masks = Masks() if masks is None else masks
    texts = [_object(exchanges, exchanges[row], masks) for row in rows[:LIMIT]]
    return texts[0] if len(texts) == 1 else "[" + ",\n".join(texts) + "]"


def as_markdown(exchanges: Exchanges, rows: Sequence[int], masks: Masks | None = None) -> str:
    """A heading and the messages of each row; secrets are masked as `as_json` does it."""
    masks = Masks() if masks is None else masks
    return "\n\n".join(_section(exchanges, exchanges[row], masks) for row in rows[:LIMIT])


class Masks:
    """Masks texts, or leaves them as they are where `secrets` are wanted; `count` says how many values it masked."""

    def __init__(self, *, secrets: bool = False) -> None:
        self.secrets = secrets
        self.count = 0

    def text(self, text: str) -> str:
        """Any text without its secrets."""
        if self.secrets:
            return text
        done = redact_text(text)
        self.count += len(done.masked)
        return done.text

    def json(self, text: str) -> str:
        """A JSON text without its secrets, still JSON: a masked number becomes a string."""
        if self.secrets:
            return text
        pieces: list[str] = []
        at = 0
        for place in redact_text(text).masked:
            before = text[max(0, place.start - 30) : place.start].rstrip()
            bare = text[place.start] in "-0123456789" and before.endswith(":")
            pieces += (text[at : place.start], f'"{MASK}"' if bare else MASK)
            at = place.stop
            self.count += 1
        return "".join((*pieces, text[at:]))


def bodies(exchange: Exchange) -> list[tuple[str, int]]:
    """What the row's messages are called, and their numbers: ``request`` and ``response``, or ``message``."""
    if exchange.kind is not RowKind.REQUEST:
        return [("message", exchange.first)]
    return [("request", exchange.first)] + ([("response", exchange.reply)] if exchange.reply else [])


def _object(exchanges: Exchanges, exchange: Exchange, masks: Masks) -> str:
    log = exchanges.log
    seconds, rest = divmod(exchange.wall_ns, 1_000_000_000)
    about: dict[str, object] = {
        "seq": exchange.first,
        "time": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds)) + f".{rest // 1000:06d}Z",
        "server": exchange.server,
        "direction": exchange.direction.name.lower(),
        "kind": exchange.kind.name.lower(),
        "event": event(log, exchange) if exchange.channel is not Channel.MESSAGE else "",
        "method": exchange.method,
        "target": masks.text(exchange.target),
        "state": exchange.state.word,
        "status": exchange.status,
        "latency_ms": None if exchange.elapsed_ns is None else exchange.elapsed_ns / 1e6,
        "faults": [masks.text(fault) for _, seq in bodies(exchange) for fault in log.faults(seq)],
        "note": masks.text(exchange.note),
    }
    members = [
        f"{json.dumps(name)}: {json.dumps(value)}" for name, value in about.items() if value not in ("", None, [])
    ]
    for name, seq in bodies(exchange):
        body = log.body(seq) if log.body_size(seq) <= _BYTES else b""
        if body:
            members.append(f'"{name}": {_embedded(body, masks)}')
    return "{" + ",\n ".join(members) + "}"


def _embedded(body: bytes, masks: Masks) -> str:
    try:
        text = body.decode()
    except UnicodeDecodeError:
        return json.dumps(masks.text(body.decode("utf-8", "backslashreplace")))
    if body.strip() and Parts(body.strip()).good:
        masked = masks.json(text.strip())
        return masked if Parts(masked.encode()).good else json.dumps(masked)
    return json.dumps(masks.text(text))


def _section(exchanges: Exchanges, exchange: Exchange, masks: Masks) -> str:
    log = exchanges.log
    text = row_text(log, exchange)
    arrow = {Direction.SENT: "→", Direction.RECEIVED: "←", Direction.LOCAL: "·"}[exchange.direction]
    facts = ", ".join(part for part in (text.status.word, text.latency, text.size) if part)
    head = f"**#{exchange.first} {clock(exchange.wall_ns)} {plain.line(exchange.server)} {arrow} {text.method}**"
    lines = [head + (f" `{masks.text(text.target)}`" if text.target else "") + (f" · {facts}" if facts else "")]
    if text.note:
        lines.append(masks.text(text.note))
    for name, seq in bodies(exchange):
        body = log.body(seq) if log.body_size(seq) <= _BYTES else b""
        if body:
            good = Parts(body.strip()).good
            shown = b"".join(pretty(body)) if good and len(body) < 1 << 20 else body
            safe = (masks.json if good else masks.text)(shown.decode("utf-8", "backslashreplace"))
            lines.append(f"{name}:\n\n{_fenced(safe, 'json' if good else '')}")
    return "\n\n".join(lines)


def _fenced(text: str, language: str) -> str:
    longest = max((len(run) for run in re.findall("`{3,}", text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{language}\n{text.rstrip()}\n{fence}"
