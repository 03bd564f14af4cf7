"""What a server lists otherwise than at its connect before: said above its pages, and shown change by change."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from PySide6.QtGui import QGuiApplication

from mcp_inspector.app import demo_entry
from mcp_inspector.schema.definitions import Weight
from mcp_inspector.session.list_book import Connect, ListBook, key_of
from tests.ui.bench import Bench, opened, press, until

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.anyio

OLD = [
    {"name": "gone", "inputSchema": {"type": "object"}},
    {"name": "echo", "description": "Other words.", "inputSchema": {"type": "object"}},
]


def remembered(home: Path, when: int = 1_764_511_325_000_000_000) -> ListBook:
    """A book in which the demo server had other tools."""
    book = ListBook(home / "data" / "lists")
    book.keep(key_of(demo_entry()), Connect(when, lists={"tools": tuple(json.dumps(tool).encode() for tool in OLD)}))
    return book


async def told(bench: Bench) -> str:
    """What the strip says, once it says something."""
    await until(lambda: not bench.window.area.changes.isHidden(), what="the strip")
    return bench.window.area.changes.text()


async def test_changed_tools_are_told_and_shown_and_then_told_no_more(home: Path) -> None:
    book = remembered(home)
    async with opened(demo_entry(lazy=True)) as bench:
        await bench.connect()
        words = await told(bench)
        assert words.startswith("Since 2025-11-30")
        assert " tools changed: " in words
        assert " breaking, " in words
        press(bench.window.area.changes._button)
        dialog = bench.window.findChild(object, "changes")
        await until(lambda: dialog.rows, what="the changes")
        assert bench.window.area.changes.isHidden()
        assert (dialog.rows[0].key, dialog.rows[0].weight) == ("gone", Weight.BREAKING)
        assert b'"gone"' in bytes(dialog.before.index.data)
        assert bytes(dialog.after.index.data) == b""
        dialog.copy()
        assert "- **breaking** tools `gone`: tool removed" in QGuiApplication.clipboard().text()
        dialog.first.setCurrentIndex(dialog.second.currentIndex())
        await until(lambda: not dialog.rows, what="the comparison with itself")
        assert dialog.sentence.text() == "Nothing that is listed has changed."
        dialog.close()
    assert len(book.connects(key_of(demo_entry()))) == 2


async def test_the_same_lists_are_no_news_also_after_a_reconnect(home: Path) -> None:
    async with opened(demo_entry(lazy=True)) as bench:
        server = await bench.connect()
        watch = bench.window.changes.watch
        assert watch is not None
        await until(lambda: watch.book.connects(key_of(server.entry)), what="the book")
        await server.disconnect()
        await bench.connect()
        await bench.still()
        assert watch.of(server) is None
        assert bench.window.area.changes.isHidden()
        assert len(watch.book.connects(key_of(server.entry))) == 1


async def test_a_server_without_a_past_says_so(home: Path) -> None:
    async with opened(demo_entry(lazy=True)) as bench:
        bench.window.desk.choose("demo")
        dialog = bench.window.changes.show()
        assert dialog is not None
        await until(lambda: dialog.sentence.text(), what="the sentence")
        assert "Nothing is remembered" in dialog.sentence.text()
        dialog.close()
