"""Traffic as a Markdown report, to be read by people and pasted into an issue: a table, then each exchange."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mcp_inspector.config.visible import visible
from mcp_inspector.store.reporting import Summary, cut, laid_out, moment, took
from mcp_inspector.store.telling import Piece

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from mcp_inspector.store.telling import Body, Teller, Told

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>()#+.!|~&-])")


def markdown(teller: Teller, seqs: Iterable[int] | None = None, *, version: str = "") -> Iterator[Piece]:
    """The pieces of one report in UTF-8. Texts of servers stand in code or are escaped: they stay what they say."""
    rows = teller.rows(seqs)
    summary = Summary.of(teller, rows)
    yield _piece(
        f"# MCP traffic\n\n{summary.sentence}\n\n"
        f"{'Secrets are masked.' if teller.redact else '**Secrets are not masked.**'}"
        f" Written by MCP Inspector {version}.\n\n"
    )
    if summary.methods:
        yield _piece(
            "| method | count | failed | median | p95 | slowest |\n| --- | ---: | ---: | ---: | ---: | ---: |\n"
        )
        for each in summary.methods:
            cells = (_code(each.name), each.count, each.failed, each.median, each.p95, each.slowest)
            yield _piece(f"| {' | '.join(map(str, cells))} |\n")
        yield _piece("\n")
    for told in teller.tell(rows):
        yield Piece(_told(told).encode("utf-8", "replace"), told.row.first, told.masked)


def _told(told: Told) -> str:
    row = told.row
    title = " ".join(filter(None, (row.method or row.kind.name.lower(), told.target)))
    arrow = {"SENT": "→", "RECEIVED": "←"}.get(row.direction.name, "·")
    lines = [f"## #{row.first} {arrow} {_plain(title)}\n"]
    about = [moment(row.wall_ns), _plain(row.server), row.state.word]
    if row.elapsed_ns is not None:
        about.append(took(row.elapsed_ns))
    if told.web is not None and told.web.status:
        about.append(f"HTTP {told.web.status}")
    lines.append(" · ".join(filter(None, about)) + "\n")
    lines += [f"- {_plain(fault)}\n" for fault in told.faults]
    if told.note and not told.first.size:
        lines.append(f"{_plain(told.note)}\n")
    lines += _block("", told.first)
    for body in told.between:
        lines += _block(f"#{body.seq}", body)
    if told.reply is not None:
        lines += _block("Answer", told.reply)
    return "\n".join(lines) + "\n"


def _block(title: str, body: Body) -> list[str]:
    if not body.size:
        return []
    text = visible(cut(laid_out(body)), keep="\n\t")
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return [*([f"{title}:\n"] if title else []), f"{fence}json\n{text}\n{fence}\n"]


def _plain(text: str) -> str:
    """One line of text of unknown origin as it must stand in Markdown to be taken as it is."""
    return _SPECIAL.sub(r"\\\1", visible(text))


def _code(text: str) -> str:
    """Text as code inside a table."""
    return "`" + visible(text).replace("`", "'").replace("|", "\\|") + "`"


def _piece(text: str) -> Piece:
    return Piece(text.encode("utf-8", "replace"))
