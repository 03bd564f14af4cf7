"""One page of a list in words: its cursors as they travelled, how many entries were new, what is odd about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcp_inspector.session.outcome import Complete, LocalError, RpcError
from mcp_inspector.ui import plain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mcp_inspector.session.listing import Page

HEADS = ("Page", "Cursor sent", "Next cursor", "Entries", "New", "Time", "What is odd")
_MOST = 2_000


def cells(page: Page, odd: Sequence[str]) -> tuple[str, ...]:
    """The row of a page, one text for each of `HEADS`."""
    return (
        str(page.number),
        _cursor(page.cursor, "none"),
        _cursor(page.next_cursor, "none: the last page"),
        str(len(page.items)),
        str(page.new),
        plain.elapsed(page.outcome.elapsed_ns) if page.outcome.elapsed_ns else "",
        "; ".join(odd),
    )


def oddities(pages: Sequence[Page], page: Page) -> list[str]:
    """What is odd about a page among those before it: a cycle of cursors, duplicates, broken entries, a failure."""
    found = []
    outcome = page.outcome
    if isinstance(outcome, RpcError):
        found.append(f"error {outcome.code}: {plain.line(outcome.message, 200)}")
    elif isinstance(outcome, LocalError):
        found.append(plain.line(outcome.sentence, 200))
    elif not isinstance(outcome, Complete):
        found.append("it wants input before it lists")
    if page.next_cursor is not None:
        same = [each.number for each in pages if each.number < page.number and each.next_cursor == page.next_cursor]
        if same:
            found.append(f"a cycle: page {same[0]} had the same next cursor")
        if page.next_cursor == page.cursor:
            found.append("its next cursor is its own")
        if page.next_cursor == b'""':
            found.append("the next cursor is an empty text, which is a cursor like any other")
        elif not page.next_cursor.startswith(b'"'):
            found.append("the next cursor is no text")
    repeated = sum(1 for item in page.items if item.key) - page.new
    if repeated > 0:
        found.append(plain.count(repeated, "duplicate"))
    broken = sum(1 for item in page.items if item.problem)
    if broken:
        found.append(plain.count(broken, "broken entry", "broken entries"))
    if isinstance(outcome, Complete) and not page.items:
        found.append("it is empty")
    return found


def item_words(pages: Sequence[Page], page: Page) -> list[str]:
    """The entries of a page, those marked that came before."""
    before = {item.key for each in pages if each.number < page.number for item in each.items}
    words = []
    for item in page.items[:_MOST]:
        name = plain.line(item.key) or "(no key)"
        note = "  – listed before" if item.key in before else f"  – {item.problem}" if item.problem else ""
        words.append(f"{name}{note}")
        before.add(item.key)
    if len(page.items) > _MOST:
        words.append(f"… {len(page.items) - _MOST:,} more")
    return words


def _cursor(cursor: bytes | None, none: str) -> str:
    return none if cursor is None else plain.line(cursor.decode(errors="replace"), 200)
