"""A list page by page in the real window; cycles, duplicates and other oddities are named."""

from __future__ import annotations

import pytest

from mcp_inspector.app import demo_entry
from mcp_inspector.session.catalogue import Item, What
from mcp_inspector.session.listing import Page
from mcp_inspector.session.outcome import Complete, RpcError
from mcp_inspector.ui.models.stepping import item_words, oddities
from mcp_inspector.ui.views.stepper import StepperDialog
from tests.ui.bench import opened, press, until

pytestmark = pytest.mark.anyio


async def test_the_demo_lists_its_resources_page_by_page() -> None:
    async with opened(demo_entry(lazy=True)) as bench:
        await bench.connect()
        bench.window.commands.run("pages")
        (dialog,) = bench.window.findChildren(StepperDialog)
        dialog.what.setCurrentIndex(dialog.what.findData(What.RESOURCES))
        before = bench.server().catalogue[What.RESOURCES]
        assert dialog.pages.rowCount() == 0
        press(dialog.next_button)
        await until(lambda: dialog.pages.rowCount() == 1, what="the first page")
        row = [dialog.pages.item(0, column).text() for column in range(7)]
        assert row[:5] == ["1", "none", '"after-6"', "6", "6"]
        assert dialog.items.count() == 6
        assert all(dialog.items.item(at).text().startswith("demo://") for at in range(6))
        assert "more to come" in dialog.state.text()
        await until(dialog.next_button.isEnabled, what="the button")
        press(dialog.next_button)
        await until(lambda: dialog.pages.rowCount() == 2 and "complete" in dialog.state.text(), what="the last page")
        assert dialog.pages.item(1, 1).text() == '"after-6"'
        assert dialog.pages.item(1, 2).text() == "none: the last page"
        assert not dialog.next_button.isEnabled()
        assert bench.server().catalogue[What.RESOURCES] is before
        press(dialog.again_button)
        press(dialog.all_button)
        await until(lambda: "complete" in dialog.state.text(), what="all pages at once")
        dialog.close()


async def test_without_a_connection_it_says_so() -> None:
    async with opened(demo_entry(lazy=True)) as bench:
        await bench.still()
        bench.window.commands.run("pages")
        (dialog,) = bench.window.findChildren(StepperDialog)
        assert not dialog.next_button.isEnabled()
        assert "connect it first" in dialog.state.text()
        dialog.close()


def page(number: int, cursor: bytes | None, following: bytes | None, *names: str, new: int = 0) -> Page:
    items = tuple(Item(What.TOOLS, b'{"name":"%s"}' % name.encode()) for name in names)
    return Page(number, cursor, following, items, new, Complete("tools/list", number))


async def test_what_is_odd_about_a_page_is_named() -> None:
    first = page(1, None, b'"a"', "x", "y", new=2)
    second = page(2, b'"a"', b'"b"', "y", "z", new=1)
    third = page(3, b'"b"', b'"a"', new=0)
    pages = [first, second, third]
    assert oddities(pages, first) == []
    assert oddities(pages, second) == ["1 duplicate"]
    assert oddities(pages, third) == ["a cycle: page 1 had the same next cursor", "it is empty"]
    assert item_words(pages, second) == ["y  – listed before", "z"]
    assert "no text" in oddities(pages, page(4, None, b"7", "q", new=1))[0]
    assert "empty text" in oddities(pages, page(4, None, b'""', "q", new=1))[0]
    assert "its own" in oddities(pages, page(4, b'"c"', b'"c"', "q", new=1))[0]
    refused = Page(4, b'"c"', None, (), 0, RpcError("tools/list", 9, code=-32602, message="bad cursor"))
    assert oddities(pages, refused) == ["error -32602: bad cursor"]


async def test_it_begins_with_the_list_of_the_page_and_of_the_button() -> None:
    async with opened(demo_entry(lazy=True)) as bench:
        server = await bench.connect()
        bench.window.area.show_page("prompts")
        bench.window.commands.run("pages")
        (dialog,) = bench.window.findChildren(StepperDialog)
        assert dialog.what.currentText() == "Prompts"
        dialog.close()
        dialog = bench.window.server_actions.pages(server, "templates")
        assert dialog.what.currentText() == "Resource templates"
        dialog.close()
