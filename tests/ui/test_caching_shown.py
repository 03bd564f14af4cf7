"""What 2026-07-28 lets a client keep: told at each list and each resource; from the cache while fresh, and said so."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import pytest

from mcp_inspector.app import demo_entry
from mcp_inspector.session.catalogue import What
from mcp_inspector.ui.models import freshness, overview
from tests.ui.bench import opened, press, rude_entry, until

pytestmark = pytest.mark.anyio

URI = "rude://text"


def read(ttl: Any, scope: str = "private") -> dict[str, Any]:
    contents = [{"uri": URI, "text": "hello"}]
    return {"result": {"resultType": "complete", "contents": contents, "ttlMs": ttl, "cacheScope": scope}}


async def test_a_result_from_the_cache_says_so_and_its_button_asks_the_server(rude: Any) -> None:
    peer = rude(discover="modern", on={"resources/read": [read(600_000)]})
    async with opened(rude_entry(peer)) as bench:
        await bench.connect("rude")
        bench.window.area.open("resources", URI)
        await bench.still()
        reader = bench.window.area.resources.reader
        press(reader.read_button)
        await until(lambda: reader.result.state_words == "ok", what="the first reading")
        first = reader.run.seq
        assert "fresh for 9 min" in reader.watching.label.text()
        press(reader.read_button)
        await until(lambda: reader.result.state_words == "from cache", what="the second reading")
        assert len(peer.heard("resources/read")) == 1
        assert reader.run.seq == first
        strip = reader.result.content.strip
        assert strip.text().startswith("From the cache: read ")
        assert "private" in strip.text()
        press(strip._button)
        await until(lambda: reader.result.state_words == "ok", what="the server's answer")
        assert len(peer.heard("resources/read")) == 2
        assert strip.text() == ""


async def test_a_template_reads_from_the_cache_too(rude: Any) -> None:
    peer = rude(discover="modern", on={"resources/read": [read(600_000, "public")]})
    async with opened(rude_entry(peer)) as bench:
        await bench.connect("rude")
        pages = bench.window.area.resources
        bench.window.area.open("resources", "rude://items/{id}")
        await bench.still()
        page = pages.templates
        page.arguments.arguments.document.set_text('{"id": "7"}')
        await bench.still()
        for word in ("ok", "from cache"):
            page.call()
            await until(lambda word=word: page.result.state_words == word, what=word)
        press(page.result.content.strip._button)
        await until(lambda: page.result.state_words == "ok", what="the server's answer")
        assert len(peer.heard("resources/read")) == 2


@pytest.mark.parametrize(("ttl", "words"), [(0, "stale at once"), (-5, "ttlMs is -5"), ("soon", ""), (None, "private")])
async def test_odd_times_are_never_kept(rude: Any, ttl: Any, words: str) -> None:
    peer = rude(discover="modern", on={"resources/read": [read(ttl)]})
    async with opened(rude_entry(peer)) as bench:
        await bench.connect("rude")
        bench.window.area.open("resources", URI)
        await bench.still()
        reader = bench.window.area.resources.reader
        for count in (1, 2):
            press(reader.read_button)
            await until(lambda count=count: len(peer.heard("resources/read")) == count, what="a request")
            await until(lambda: not reader.run.running, what="the end")
        await bench.still()
        assert words in reader.watching.label.text()


async def test_each_list_says_how_old_and_how_fresh_it_is() -> None:
    async with opened(demo_entry(lazy=True)) as bench:
        server = await bench.connect()
        for page in ("tools", "resources", "prompts"):
            bench.window.area.show_page(page)
            await bench.still()
            part = getattr(bench.window.area, page)
            age = part.list.age
            assert age.isVisible()
            assert age.label.text().startswith("read just now") or " ago" in age.label.text()
            assert age.label.text().endswith(("private", "public"))
        bench.window.area.resources.show_part(1)
        await bench.still()
        assert "fresh for" in bench.window.area.resources.list.age.label.text()
        facts = {
            fact.name: fact.value for group in overview.groups(server) if group.title == "Lists" for fact in group.facts
        }
        assert "fresh · " not in facts["Tools"]
        assert "read " in facts["Templates"]
        before = server.catalogue[What.TEMPLATES].fetched_wall_ns
        bench.window.commands.run("refresh")
        await until(lambda: server.catalogue[What.TEMPLATES].fetched_wall_ns > before, what="a reading of the server")
        assert server.catalogue[What.TEMPLATES].cached is None


async def test_a_legacy_list_says_only_its_age() -> None:
    async with opened(replace(demo_entry(lazy=True), protocol="legacy")) as bench:
        server = await bench.connect()
        words = freshness.listing_words(server.catalogue[What.TOOLS], time.time_ns())
        assert words.startswith("read ")
        assert " · " not in words
