"""Watched resources in the real window with the demo server, in both eras; and how fresh what was read is."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from mcp_inspector.app import demo_entry
from mcp_inspector.session.outcome import RpcError
from mcp_inspector.ui.models import freshness
from tests.ui.bench import opened, press, until, write

if TYPE_CHECKING:
    from mcp_inspector.session.subscriptions import Subscriptions

pytestmark = pytest.mark.anyio

COUNTER = "demo://counter"


def is_watched(subscriptions: Subscriptions) -> bool:
    """Whether the server has said that it tells of the counter."""
    opened = any(one.what == "opened" and one.detail == COUNTER for one in subscriptions.history)
    return opened or COUNTER in str(subscriptions.honoured)


@pytest.mark.parametrize("era", ["modern", "legacy"])
async def test_a_watched_resource_says_that_it_has_changed_and_is_read_again(era: str) -> None:
    async with opened(replace(demo_entry(lazy=True), protocol=era)) as bench:
        server = await bench.connect()
        window = bench.window
        window.area.open("resources", COUNTER)
        await bench.still()
        reader = window.area.resources.reader
        press(reader.read_button)
        await until(lambda: reader.run is not None and reader.run.outcome is not None, what="the first reading")
        press(reader.watching.button)
        subscriptions = server.subscriptions
        await until(lambda: is_watched(subscriptions), what="the subscription")
        await bench.still()
        assert reader.watching.button.text() == "Watched"
        press(reader.watching.follow)
        await server.call_tool("count_up", b'{"times":2,"every":0}')
        await until(lambda: "changed" in reader.watching.strip.text(), what="the word that it has changed")
        reader.watching.strip.activated.emit("read")
        await until(lambda: reader.run is not None and not reader.run.running, what="the second reading")
        await until(lambda: reader.watching.strip.text() == "", what="the strip to go")
        assert reader.run is not None
        assert b'"2"' in reader.run.outcome.result
        window.panels.show_subscriptions()
        panel = window.panels.subscriptions
        assert panel is not None
        await bench.still()
        words = [panel.model.data(panel.model.index(row)) for row in range(panel.model.rowCount())]
        assert any(word.startswith("updated demo://counter") for word in words)
        if era == "modern":
            assert any(word.startswith("acknowledged") for word in words)
            shown = {fact.name: fact.value for fact in panel.facts._facts}
            assert "resourceSubscriptions (1)" in shown["Honoured"]
        assert [panel.watched.item(at).text() for at in range(panel.watched.count())] == [COUNTER]
        panel.watched.setCurrentRow(0)
        press(panel.stop_button)
        await until(lambda: not subscriptions.uris, what="the end of watching")
        await bench.still()
        assert panel.watched.count() == 0
        assert not reader.watching.button.isChecked()


@pytest.mark.parametrize("era", ["modern", "legacy"])
async def test_an_open_watched_resource_is_read_again_by_itself(era: str) -> None:
    async with opened(replace(demo_entry(lazy=True), protocol=era)) as bench:
        server = await bench.connect()
        area = bench.window.area
        area.open("resources", COUNTER)
        await bench.still()
        reader = area.resources.reader
        press(reader.read_button)
        await until(lambda: reader.result.state_words == "ok", what="the first reading")
        reader.result.content.show_tab("Raw")
        raw = reader.result.content.raw
        raw.select(2, 8)
        press(reader.watching.button)
        await until(lambda: is_watched(server.subscriptions), what="the subscription")
        await bench.still()
        pointed = []
        bench.window.desk.record_sent.connect(pointed.append)
        await server.call_tool("count_up", b'{"times":3,"every":0}')
        await until(lambda: b'"3"' in raw.data(), what="the newest contents by themselves")
        await until(lambda: reader.watching.pill.text().startswith("changed "), what="the word that it was read again")
        assert raw.selection() == (2, 8)
        assert raw.changed_lines() == ((0, 1),)
        assert reader.watching.strip.text() == ""
        assert pointed == []

        # What is not seen is not read; it is when one comes back.
        area.show_page("tools")
        await server.call_tool("count_up", b'{"times":1,"every":0}')
        await until(lambda: reader.watching._updates == 1, what="the update")
        await bench.still()
        assert reader.run is not None
        assert not reader.run.running
        assert b'"3"' in raw.data()
        area.show_page("resources")
        await until(lambda: b'"4"' in raw.data(), what="what changed meanwhile")


async def test_a_reading_by_itself_that_fails_leaves_what_is_shown() -> None:
    async with opened(demo_entry(lazy=True)) as bench:
        server = await bench.connect()
        bench.window.area.open("resources", COUNTER)
        await bench.still()
        reader = bench.window.area.resources.reader
        press(reader.read_button)
        await until(lambda: reader.result.state_words == "ok", what="the first reading")
        before = reader.result.content._raw

        async def refused(*_: object, **__: object) -> RpcError:
            return RpcError("resources/read", 0, code=-32603, message="not now")

        server.read_resource = refused  # the demo server never refuses what it has listed
        reader.watching._updated(COUNTER)
        await until(lambda: "not now" in reader.watching.strip.text(), what="why it could not be read")
        assert reader.result.content._raw == before
        assert reader.result.state_words == "ok"


async def test_any_uri_can_be_watched_and_a_refusal_is_in_the_history() -> None:
    async with opened(replace(demo_entry(lazy=True), protocol="legacy")) as bench:
        server = await bench.connect()
        bench.window.panels.show_subscriptions()
        panel = bench.window.panels.subscriptions
        assert panel is not None
        assert "Nothing has been subscribed" in panel._empty._sentence.text()
        write(panel.uri, "demo://anything")
        press(panel.watch_button)
        await until(lambda: panel.model.rowCount() > 0, what="what came of it")
        assert "demo://anything" in panel.model.data(panel.model.index(0))
        assert server.subscriptions.uris == {"demo://anything"}


async def test_how_fresh_a_reading_is_stands_beside_it() -> None:
    async with opened(demo_entry(lazy=True)) as bench:
        await bench.connect()
        bench.window.area.open("resources", "demo://welcome")
        await bench.still()
        reader = bench.window.area.resources.reader
        press(reader.read_button)
        await until(lambda: reader.run is not None and reader.run.outcome is not None, what="the reading")
        await bench.still()
        ttl, scope = freshness.hints(reader.run.outcome.result)
        assert ttl is not None
        assert reader.watching.label.text().endswith(scope)
        assert reader.watching.label.text().startswith(("fresh for", "stale"))


@pytest.mark.parametrize(
    ("ttl", "scope", "age", "words"),
    [
        (300_000, "public", 10, "fresh for 4 min 50 s more, public"),
        (1_000, "private", 4, "stale since 3.0 s, private"),
        (0, "", 0, "stale at once"),
        (-5, "", 0, "ttlMs is -5, which means stale at once"),
        (None, "private", 0, "private"),
        (None, "", 0, ""),
    ],
)
async def test_freshness_in_words(ttl: float | None, scope: str, age: float, words: str) -> None:
    assert freshness.words(ttl, scope, age) == words
