"""Traffic as one HTML page that needs nothing else: no script, no image, no font, no link; light and dark.

Everything of a server is escaped, and the page forbids itself to load or run anything.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from mcp_inspector.config.visible import visible
from mcp_inspector.store.exchanges import FAILED
from mcp_inspector.store.reporting import Summary, cut, laid_out, moment, took
from mcp_inspector.store.telling import Piece

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from mcp_inspector.store.telling import Body, Teller, Told

_STYLE = """
:root { color-scheme: light dark; --line: #d4d8dd; --soft: #5c6670; --bad: #b3261e; --band: #f4f5f7; }
@media (prefers-color-scheme: dark) { :root { --line: #3a4048; --soft: #9aa4ae; --bad: #ff8a80; --band: #23272d; } }
body { font: 14px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 75rem; padding: 0 1rem; }
h1 { font-size: 1.4rem; } p { color: var(--soft); }
table { border-collapse: collapse; margin: 1rem 0; } th { text-align: left; font-weight: 600; }
td, th { border-bottom: 1px solid var(--line); padding: .2rem .8rem .2rem 0; } .n { text-align: right; }
details { border-bottom: 1px solid var(--line); } details[open] { padding-bottom: .6rem; }
summary { cursor: pointer; padding: .3rem 0; display: grid; gap: .8rem;
  grid-template-columns: 4rem 13rem 10rem 1fr 6rem 5.5rem; }
summary > span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.s { color: var(--soft); } .bad { color: var(--bad); font-weight: 600; }
pre { background: var(--band); padding: .6rem; overflow: auto; max-height: 40rem; white-space: pre-wrap;
  overflow-wrap: anywhere; font: 12px/1.4 ui-monospace, monospace; margin: .3rem 0; }
h2 { font-size: .85rem; margin: .5rem 0 .1rem; }
@media (max-width: 50rem) { summary { grid-template-columns: 3rem 1fr 5rem; } .w { display: none; } }
"""
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


def html(teller: Teller, seqs: Iterable[int] | None = None, *, version: str = "") -> Iterator[Piece]:
    """The pieces of one page in UTF-8."""
    rows = teller.rows(seqs)
    summary = Summary.of(teller, rows)
    masks = "Secrets are masked." if teller.redact else '<b class="bad">Secrets are not masked.</b>'
    yield _piece(
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        '<meta name="viewport" content="width=device-width"><meta name="referrer" content="no-referrer">'
        f"<title>MCP traffic</title><style>{_STYLE}</style></head><body>\n<h1>MCP traffic</h1>\n"
        f"<p>{_text(summary.sentence)} {masks} Written by MCP Inspector {_text(version)}.</p>\n"
    )
    if summary.methods:
        heads = "".join(f'<th class="n">{word}</th>' for word in ("count", "failed", "median", "p95", "slowest"))
        yield _piece(f"<table><tr><th>method</th>{heads}</tr>\n")
        for each in summary.methods:
            cells = (each.count, each.failed, each.median, each.p95, each.slowest)
            numbers = "".join(f'<td class="n">{cell}</td>' for cell in cells)
            yield _piece(f"<tr><td>{_text(each.name)}</td>{numbers}</tr>\n")
        yield _piece("</table>\n")
    for told in teller.tell(rows):
        yield Piece(_told(told).encode("utf-8", "replace"), told.row.first, told.masked)
    yield _piece("</body></html>\n")


def _told(told: Told) -> str:
    row = told.row
    arrow = {"SENT": "→", "RECEIVED": "←"}.get(row.direction.name, "·")
    what = " ".join(filter(None, (row.method or row.kind.name.lower(), told.target))) or told.note
    bad = ' class="bad"' if row.state in FAILED else ""
    time = took(row.elapsed_ns) if row.elapsed_ns is not None else ""
    cells = (
        f'<span class="s">{row.first}</span>',
        f'<span class="s w">{moment(row.wall_ns)}</span>',
        f'<span class="w">{_text(row.server)}</span>',
        f"<span>{arrow} {_text(what)}</span>",
        f"<span{bad}>{row.state.word}</span>",
        f'<span class="n s w">{time}</span>',
    )
    parts = [f"<details><summary>{''.join(cells)}</summary>"]
    if told.web is not None:
        head = f"{told.web.method} {told.web.url} → {told.web.status or 'no answer'} {told.web.reason}"
        heads = [f"{name}: {value}" for name, value in (*told.web.sent, ("", ""), *told.web.received)]
        parts.append(_block("HTTP", head + "\n" + "\n".join(line if line != ": " else "" for line in heads)))
    parts += [f'<p class="bad">{_text(fault)}</p>' for fault in told.faults]
    if told.note and told.note != what:
        parts.append(f"<p>{_text(told.note)}</p>")
    parts.append(_body("Message", told.first))
    parts += [_body(f"#{body.seq}", body) for body in told.between]
    if told.reply is not None:
        parts.append(_body("Answer", told.reply))
    return "".join(parts) + "</details>\n"


def _body(title: str, body: Body) -> str:
    return _block(f"{title}, {body.size:,} bytes", cut(laid_out(body))) if body.size else ""


def _block(title: str, text: str) -> str:
    return f"<h2>{_text(title)}</h2><pre>{escape(visible(text, keep=chr(10) + chr(9)))}</pre>"


def _text(text: str) -> str:
    return escape(visible(text))


def _piece(text: str) -> Piece:
    return Piece(text.encode("utf-8", "replace"))
