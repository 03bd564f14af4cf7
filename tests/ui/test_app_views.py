"""Resources of the apps extension: their metadata is shown, their source is text, nothing is run."""

from __future__ import annotations

import pytest

from mcp_inspector.app import demo_entry
from mcp_inspector.ui.models.app_views import view_facts
from tests.ui.bench import opened, press, until

pytestmark = pytest.mark.anyio


async def test_a_view_of_the_demo_is_listed_with_its_metadata_and_read_as_source() -> None:
    async with opened(demo_entry(lazy=True)) as bench:
        await bench.connect()
        bench.window.area.open("resources", "ui://demo/book-card")
        await bench.still()
        reader = bench.window.area.resources.reader
        shown = {fact.name: fact.value for fact in reader._facts._facts}
        assert "not run here" in shown["App view"]
        assert shown["Type"].startswith("text/html")
        press(reader.read_button)
        await until(lambda: reader.run is not None and reader.run.outcome is not None, what="the reading")
        await bench.still()
        assert reader.run is not None
        assert b"text/html" in reader.run.outcome.result


async def test_what_a_view_may_load_in_words() -> None:
    meta = {"ui": {"csp": {"connectDomains": ["https://a.example"], "resourceDomains": []}, "prefersBorder": True}}
    facts = {fact.name: fact.value for fact in view_facts("ui://x", meta)}
    assert facts["May load"] == "connects to: https://a.example\nloads from: nothing"
    assert facts["prefersBorder"] == "true"
    assert "nothing from outside" in {fact.name: fact.value for fact in view_facts("ui://x", None)}["May load"]
    assert view_facts("file:///x", meta) == []
    assert view_facts("ui://x", {"ui": [1]})[0].name == "App view"


async def test_the_overview_says_how_fresh_each_list_is() -> None:
    async with opened(demo_entry(lazy=True)) as bench:
        await bench.connect()
        bench.window.area.show_page("overview")
        await bench.still()
        rows = bench.window.area.overview._facts._groups["Lists"].rows._facts
        tools = next(fact.value for fact in rows if fact.name == "Tools")
        assert "stale at once" in tools or "fresh for" in tools
