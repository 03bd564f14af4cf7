"""What is typed is never lost: not by another view, tool, page or server, a lost connection, a new list or schema."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from mcp_inspector.ui.views.arguments import FORM, JSON, REQUEST, SPLIT
from tests.ui.bench import Bench, opened, rude_entry, until
from tests.ui.forms.hand import Hand

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcp_inspector.ui.views.caller import CallerPage
    from tests.ui.forms.table import Table

pytestmark = pytest.mark.anyio

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "text": {"type": "string"},
        "n": {"type": "integer"},
        "any": {},
        "l": {"items": {}, "type": "array"},
    },
}
CHANGED: dict[str, Any] = {**SCHEMA, "properties": {**SCHEMA["properties"], "new": {"type": "boolean"}}}
ECHO, OTHER = {"name": "echo", "inputSchema": SCHEMA}, {"name": "other", "inputSchema": SCHEMA}
MOVED = {"out": {"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}}
SCRIPT = {
    "tools": [ECHO, OTHER],
    "on": {
        "tools/call": [MOVED, {"answer": True}],
        "tools/list#2": [{"result": {"tools": [OTHER, ECHO]}}],
        "tools/list#3": [{"result": {"tools": [{"name": "echo", "inputSchema": CHANGED}, OTHER]}}],
    },
}


class PageHand(Hand):
    """A hand at the arguments that a page shows now."""

    def __init__(self, page: CallerPage) -> None:
        self.page = page

    @property
    def view(self) -> Any:  # type: ignore[override]
        """The form that is shown."""
        return self.page.arguments.form

    @property
    def document(self) -> Any:  # type: ignore[override]
        """The document that is shown."""
        arguments = self.page.arguments.arguments
        assert arguments is not None
        return arguments.document


async def typed_in(bench: Bench, name: str = "echo") -> PageHand:
    """A tool with values, and with a text that can be no number, typed in its form."""
    page = await bench.tool(name)
    page.arguments.tabs.setCurrentIndex(FORM)
    hand = PageHand(page)
    hand.type("text", "typed by hand")
    hand.type("n", "12x")
    return hand


def still_there(hand: PageHand) -> bool:
    return hand.sent == {"text": "typed by hand"} and hand.input("n").text() == "12x"


async def test_another_view(rude: Callable[..., Any]) -> None:
    async with opened(rude_entry(rude(**SCRIPT))) as bench:
        await bench.connect("rude")
        hand = await typed_in(bench)
        for mode in (JSON, SPLIT, REQUEST, FORM):
            hand.page.arguments.tabs.setCurrentIndex(mode)
            await bench.still()
            assert hand.sent == {"text": "typed by hand"}
        assert still_there(hand)
        assert "is no number" in hand.row("n").problem() or "number" in hand.row("n").problem().lower()


async def test_another_tool_and_another_page(rude: Callable[..., Any]) -> None:
    async with opened(rude_entry(rude(**SCRIPT))) as bench:
        await bench.connect("rude")
        hand = await typed_in(bench)
        await bench.tool("other")
        assert hand.sent == {}
        assert hand.input("n").text() == ""
        bench.window.area.open("prompts", "greet")
        await bench.still()
        await bench.tool("echo")
        assert still_there(hand)
        assert hand.row("n").problem()
        hand.type("n", "12")
        assert hand.sent["n"] == 12
        await bench.tool("other")
        await bench.tool("echo")
        assert hand.input("n").text() == "12"


async def test_another_server_with_a_tool_of_the_same_name(rude: Callable[..., Any]) -> None:
    async with opened(rude_entry(rude(**SCRIPT), "one"), rude_entry(rude(**SCRIPT), "two")) as bench:
        await bench.connect("two")
        await bench.connect("one")
        hand = await typed_in(bench)
        bench.window.desk.choose("two")
        await bench.tool("echo")
        assert hand.sent == {}
        hand.type("text", "for two")
        bench.window.desk.choose("one")
        await bench.tool("echo")
        assert still_there(hand)
        bench.window.desk.choose("two")
        await bench.tool("echo")
        assert hand.sent == {"text": "for two"}


async def test_a_lost_connection_and_the_next(rude: Callable[..., Any]) -> None:
    async with opened(rude_entry(rude(**SCRIPT))) as bench:
        server = await bench.connect("rude")
        hand = await typed_in(bench)
        await server.disconnect()
        await bench.still()
        assert still_there(hand)
        assert not hand.page.arguments.call.isEnabled()
        hand.type("text", "typed by ")  # and one can go on typing meanwhile
        await bench.connect("rude")
        await bench.tool("echo")
        QTest.keyClick(hand.input("text"), Qt.Key.Key_End)
        hand.type("text", "typed by hand")
        assert still_there(hand)


async def test_a_new_list_and_a_changed_schema_say_so(rude: Callable[..., Any]) -> None:
    async with opened(rude_entry(rude(**SCRIPT))) as bench:
        await bench.connect("rude")
        hand = await typed_in(bench)
        before = hand.page.arguments.arguments
        hand.page.send()
        await until(lambda: [row.key for row in hand.page.list.listing.items] == ["other", "echo"], what="the new list")
        await bench.still()
        assert hand.page.arguments.arguments is before  # the same tool at another place: nothing is built anew
        assert still_there(hand)
        hand.page.send()
        await until(lambda: hand.page.arguments.arguments is not before, what="the changed schema")
        await bench.still()
        assert still_there(hand)
        assert hand.row("new") is not None
        assert "schema has changed since this was typed" in hand.page.arguments.strip.text().lower()


async def test_broken_json_stays_broken_and_is_not_sent(rude: Callable[..., Any]) -> None:
    async with opened(rude_entry(rude(**SCRIPT))) as bench:
        await bench.connect("rude")
        page = await bench.tool("echo")
        hand = PageHand(page)
        hand.document.set_text('{"text": "half')
        await bench.tool("other")
        await bench.tool("echo")
        assert hand.document.text == '{"text": "half'
        assert not page.arguments.call.isEnabled()
        page.send()
        assert page.run is None


def test_broken_json_of_one_field_comes_back_and_goes_when_one_begins_anew(table: Callable[..., Table]) -> None:
    schema = {"type": "object", "properties": {"r": {"$ref": "https://example.invalid/x"}, "n": {"type": "number"}}}
    at = table(schema)
    at.type("r", '{"half')
    at.type("n", "1e")
    first = at.arguments
    at.show(SCHEMA, name="other")
    at.arguments_view.show_arguments(first)
    at.arguments, at.document = first, first.document
    assert at.input("r").text() == '{"half'
    assert at.input("n").text() == "1e"
    assert "Line 1" in at.row("r").problem()
    at.arguments_view._do_reset()
    assert at.input("r").text() == at.input("n").text() == ""
    assert at.row("r").problem() == at.row("n").problem() == ""
    assert json.loads(first.document.text) == {}
