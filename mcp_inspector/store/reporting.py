"""What the reports for people share: the figures at their head, and texts laid out and cut."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from mcp_inspector.store.exchanges import FAILED, RowKind
from mcp_inspector.store.latency import Latencies, percentile
from mcp_inspector.wire import jsontext

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mcp_inspector.store.telling import Body, Teller

LONGEST = 100_000
"""Characters of one body in a report."""

_METHODS = 100


@dataclass(frozen=True, slots=True)
class Method:
    """The figures of one method or tool; times are words such as ``12.3 ms``."""

    name: str
    count: int
    failed: int
    median: str
    p95: str
    slowest: str


@dataclass(frozen=True, slots=True)
class Summary:
    """The figures of a report."""

    sentence: str
    methods: tuple[Method, ...]

    @classmethod
    def of(cls, teller: Teller, rows: Sequence[int]) -> Summary:
        """The figures of these rows."""
        exchanges, columns = teller.exchanges, teller.log.columns
        servers = Counter(columns.servers.texts[exchanges.server[row]] for row in rows)
        failed = sum(exchanges.state[row] in FAILED for row in rows)
        requests = sum(exchanges.kind[row] == RowKind.REQUEST for row in rows)
        names = ", ".join(sorted(name for name in servers if name)[:20])
        ends = [columns.wall_ns[exchanges.first[row] - 1] for row in (rows[0], rows[-1])] if len(rows) else []
        when = f", {moment(ends[0])} to {moment(ends[1])} UTC" if ends else ""
        sentence = (
            f"{len(rows):,} rows, {requests:,} of them requests, {failed:,} failed{when}. Servers: {names or '–'}."
        )
        methods = []
        for key, found in Latencies.of(exchanges, rows).by_method()[:_METHODS]:
            times = found.sorted_ns
            quantiles = [took(percentile(times, part)) if times else "–" for part in (0.5, 0.95, 1.0)]
            methods.append(Method(key, found.count, found.failed, *quantiles))
        return cls(sentence, tuple(methods))


def laid_out(body: Body) -> str:
    """A body with one member a line where it is JSON, all tokens as spelled."""
    text = body.text
    return jsontext.pretty(text) if len(text) <= LONGEST and text.lstrip()[:1] in ("{", "[") else text


def cut(text: str) -> str:
    """A text with what is too long for a report left out, and said so."""
    if len(text) <= LONGEST:
        return text
    return f"{text[:LONGEST]}\n… {len(text) - LONGEST:,} more characters are left out of this report."


def moment(wall_ns: int) -> str:
    """A time in UTC to the millisecond: ``2026-11-30 14:02:05.123``."""
    when = datetime.fromtimestamp(wall_ns / 1e9, UTC)
    return when.strftime("%Y-%m-%d %H:%M:%S.") + f"{when.microsecond // 1000:03d}"


def took(elapsed_ns: int) -> str:
    """A time span in the unit that suits it."""
    if elapsed_ns < 1_000_000:
        return f"{elapsed_ns / 1e3:.0f} µs"
    return f"{elapsed_ns / 1e6:.1f} ms" if elapsed_ns < 1_000_000_000 else f"{elapsed_ns / 1e9:.2f} s"
