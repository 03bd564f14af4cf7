"""Resources of the apps extension: their metadata is shown, their source is text, nothing is run."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from mcp_inspector.app import demo_entry
from mcp_inspector.ui.models.app_views import policy, view_facts
from tests.ui.bench import opened, press, rude_entry, until

if TYPE_CHECKING:
    from mcp_inspector.ui.widgets.rows import Fact

pytestmark = pytest.mark.anyio


async def test_a_view_of_the_demo_is_listed_with_its_metadata_and_read_as_source() -> None:
    async with opened(demo_entry(lazy=True)) as bench:
        await bench.connect()
        bench.window.area.open("resources", "ui://demo/book-card")
        await bench.still()
        reader = bench.window.area.resources.reader
        shown = {fact.name: fact.value for fact in reader._facts.rows._facts}
        assert "not run here" in shown["App view"]
        assert shown["Type"].startswith("text/html")
        press(reader.read_button)
        await until(lambda: reader.run is not None and reader.run.outcome is not None, what="the reading")
        await bench.still()
        assert reader.run is not None
        assert b"text/html" in reader.run.outcome.result
        shown = {fact.name: fact.value for fact in reader._facts.rows._facts}
        assert "text/html;profile=mcp-app" in shown["Source"]
        assert shown["prefersBorder"] == "true"
        assert shown["Shown by"] == "show_book"
        assert "connect-src 'none'" in shown["Policy"]


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
        facts = {fact.name: fact.value for fact in bench.window.area.overview._facts._groups["Connection"].rows._facts}
        assert facts["Negotiation"].startswith("server/discover (2026-07-28) was answered with a result (")
        assert "lists it" in facts["Why this version"]


def named(facts: list[Fact]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for fact in facts:
        found.setdefault(fact.name, []).append(fact.value)
    return found


async def test_what_was_read_counts_and_odd_domains_stay_out_of_the_policy() -> None:
    listed = {"ui": {"csp": {"connectDomains": ["https://old.example"]}, "domain": "a"}}
    csp = {
        "connectDomains": ["https://api.example:8443", "wss://*.live.example", "*", "https://x.example; script-src *"],
        "resourceDomains": ["https://cdn.example", 7],
    }
    entry = {"uri": "ui://x", "mimeType": "text/html", "text": "<p>", "_meta": {"ui": {"csp": csp}}}
    facts = named(view_facts("ui://x", listed, json.dumps({"contents": [entry]}).encode(), ("show", "draw")))
    assert facts["Source"] == ["3 B, text/html"]
    assert any("The type of a view is" in one for one in facts["Odd"])
    assert any(one.startswith("csp: listed otherwise") for one in facts["Odd"])
    assert sum("is no origin" in one for one in facts["Odd"]) == 3
    (made,) = facts["Policy"]
    assert "connect-src 'self' https://api.example:8443 wss://*.live.example;" in made
    assert "script-src 'self' 'unsafe-inline' https://cdn.example;" in made
    assert "*;" not in made
    assert "script-src *" not in made
    assert facts["domain"] == ["a"]
    assert facts["Shown by"] == ["show, draw"]
    assert "connect-src 'none'" in policy({})


@pytest.mark.parametrize(
    "result", [b"", b"[]", b'{"contents": 1}', b'{"contents": []}', b'{"contents": [{"_meta": 5}]}']
)
async def test_odd_contents_of_a_view_never_break_it(result: bytes) -> None:
    assert view_facts("ui://x", {"ui": {"csp": [1]}}, result)


async def test_extensions_are_shown_with_their_settings_and_unknown_ones_lead_to_any_request(rude: Any) -> None:
    extensions = {"com.example/magic": {"level": 3}, "io.modelcontextprotocol/tasks": {}}
    peer = rude(discover="modern", capabilities={"tools": {}, "extensions": extensions})
    async with opened(rude_entry(peer)) as bench:
        await bench.connect("rude")
        bench.window.area.show_page("overview")
        await bench.still()
        group = bench.window.area.overview._facts._groups["Extensions"]
        facts = {fact.name: fact.value for fact in group.rows._facts}
        assert "unknown to this program" in facts["com.example/magic"]
        assert '{"level":3}' in facts["com.example/magic"]
        assert "not declared by this client" in facts["com.example/magic"]
        assert facts["io.modelcontextprotocol/tasks"].startswith("Tasks")
        assert "declared by this client, too" in facts["io.modelcontextprotocol/tasks"]
        press(group.button)
        assert bench.window.panels.composer is not None
        assert bench.window.panels.composer.isVisible()
    known = {"io.modelcontextprotocol/ui": {"mimeTypes": ["text/html;profile=mcp-app"]}}
    peer = rude(discover="modern", capabilities={"tools": {}, "extensions": known})
    async with opened(rude_entry(peer)) as bench:
        await bench.connect("rude")
        bench.window.area.show_page("overview")
        await bench.still()
        group = bench.window.area.overview._facts._groups["Extensions"]
        assert "MCP Apps" in group.rows._facts[0].value
        assert not group.button.isVisible()
