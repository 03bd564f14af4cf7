"""Every format that traffic can be exported in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mcp_inspector.store.telling import Piece, Teller

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from mcp_inspector.store.exchanges import Exchanges
    from mcp_inspector.store.log import Log


@dataclass(frozen=True, slots=True)
class Format:
    """One format: its word on the command line, the suffix of its files, and what it is for, in words."""

    word: str
    suffix: str
    title: str
    about: str


FORMATS = {
    each.word: each
    for each in (
        Format("jsonl", ".jsonl", "JSON lines", "Every record with its bytes; this program reads it back."),
        Format("har", ".har", "HAR 1.2", "Each exchange, for tools that read what browsers save."),
        Format("html", ".html", "HTML report", "One page to read and to hand on; it loads nothing."),
        Format("md", ".md", "Markdown report", "To read, and to paste into an issue."),
        Format("otlp", ".otlp.json", "OpenTelemetry spans", "Times and states without bodies, for a tracing tool."),
    )
}


def pieces(
    word: str,
    log: Log,
    seqs: Sequence[int] | None = None,
    *,
    redact: bool = True,
    exchanges: Exchanges | None = None,
    version: str = "",
) -> Iterator[Piece]:
    """The export of these records, or of all, piece by piece. Formats of exchanges export each one whole.

    Run through without writing, it is the preview of what would be masked. `exchanges` may be handed in when the rows
    of the log are worked out already. Raises `KeyError` for a format that is not in `FORMATS`.
    """
    if word == "jsonl":
        from mcp_inspector.store.export import exported

        yield from (Piece(line.data, line.seq, line.masked) for line in exported(log, seqs, redact=redact))
        return
    yield from _writer(word)(Teller(log, exchanges, redact=redact), seqs, version=version)


def _writer(word: str) -> Callable[..., Iterator[Piece]]:
    if word == "har":
        from mcp_inspector.store.har import har

        return har
    if word == "html":
        from mcp_inspector.store.html import html

        return html
    if word == "md":
        from mcp_inspector.store.markdown import markdown

        return markdown
    if word == "otlp":
        from mcp_inspector.store.otlp import otlp

        return otlp
    raise KeyError(word)


def whole(exchanges: Exchanges, rows: Iterable[int]) -> list[int]:
    """The records of these rows, ascending: a selection with everything that belongs to it."""
    wanted = set(rows)
    return [seq for seq, row in enumerate(exchanges.row_of, 1) if row in wanted]
