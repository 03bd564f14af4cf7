"""The demo's tools keep their promises in both eras: schemas, results, progress, failures."""

from __future__ import annotations

import base64
import io
import json
import struct
import wave
import zlib
from typing import Any

import anyio
import jsonschema_rs
import pytest

from tests.demo.plain_client import META, Failed

pytestmark = pytest.mark.anyio

SPECIAL = {
    "exit_process",
    "slow",
    "ask_name",
    "ask_everything",
    "plan_trip",
    "open_page",
    "summarise",
    "list_roots",
    "visit_first",
}
NEEDED = {
    "echo": {"text": "hi"},
    "add": {"a": 1, "b": 2},
    "get_weather": {"city": "Oslo"},
    "fill_form": {"name": "Ada"},
    "query_region": {"region": "north"},
    "count_up": {"every": 0},
    "brew_tea": {"seconds": 0},
}
"""Arguments of the tools that cannot be called without."""


async def test_every_tool_has_a_sound_schema_and_serves_its_own_defaults(connect: Any, era: str) -> None:
    async with connect(era) as client:
        tools = (await client.request("tools/list"))["tools"]
        assert len(tools) >= 25
        assert len({tool["name"] for tool in tools}) == len(tools)
        for tool in tools:
            assert tool["description"].endswith((".", "!"))
            assert tool["icons"][0]["src"].startswith("data:image/svg+xml;base64,")
            check = jsonschema_rs.validator_for(tool["inputSchema"])
            for member in tool["inputSchema"]["properties"].values():
                if "default" in member:
                    assert jsonschema_rs.is_valid(member, member["default"])
            arguments = NEEDED.get(tool["name"], {})
            assert check.is_valid(arguments), tool["name"]
            if tool["name"] in SPECIAL:
                continue
            result = await client.call(tool["name"], arguments)
            if "outputSchema" in tool:
                fits = jsonschema_rs.is_valid(tool["outputSchema"], result["structuredContent"])
                assert fits is (tool["name"] != "wrong_output")
                assert json.loads(result["content"][-1]["text"]) == result["structuredContent"]


async def test_the_same_on_every_run(connect: Any, era: str) -> None:
    seen = []
    for _ in range(2):
        async with connect(era) as client:
            lists = ("tools/list", "resources/list", "resources/templates/list", "prompts/list")
            first = [await client.request(method) for method in lists]
            forecast = await client.call("get_weather", {"city": "Lima", "days": 14, "wind": True})
            picture = await client.call("make_image", {"width": 8, "height": 8})
            seen.append((first, forecast, picture))
    assert seen[0] == seen[1]


@pytest.mark.parametrize(
    ("tool", "arguments", "sentence"),
    [
        ("get_weather", {}, "city is missing"),
        ("get_weather", {"city": "Atlantis"}, "city must be one of"),
        ("get_weather", {"city": "Oslo", "days": 15}, "days must be at most 14"),
        ("add", {"a": "1", "b": True}, "a must be number"),
        ("echo", {"text": "x", "txet": "y"}, "txet is not known here"),
        ("search_books", {"filters": {"tags": ["novel", "cooking"]}}, "filters.tags[1] must be one of"),
        ("search_books", {"sort": [{"descending": True}]}, "sort[0].by is missing"),
        ("fill_form", {"name": "A"}, "name must be at least 2 characters"),
        ("fill_form", {"name": "Ada", "colour": "b"}, "colour fits none"),
    ],
)
async def test_wrong_arguments_are_the_tools_error_in_words(
    connect: Any, era: str, tool: str, arguments: dict[str, Any], sentence: str
) -> None:
    async with connect(era) as client:
        result = await client.call(tool, arguments)
        assert result["isError"] is True
        assert sentence in result["content"][0]["text"]


async def test_unknown_names_are_errors_of_the_protocol(connect: Any, era: str) -> None:
    async with connect(era) as client:
        for method, params in (("tools/call", {"name": "nope"}), ("prompts/get", {"name": "nope"})):
            with pytest.raises(Failed) as failed:
                await client.request(method, params)
            assert failed.value.code == -32602
        with pytest.raises(Failed) as failed:
            await client.request("resources/read", {"uri": "demo://nope"})
        assert failed.value.code == (-32602 if era == "modern" else -32002)


async def test_search_filters_sorts_and_cuts(connect: Any, era: str) -> None:
    async with connect(era) as client:
        arguments = {
            "filters": {"tags": ["sea"], "years": {"from": 1800}},
            "sort": [{"by": "pages", "descending": True}],
            "limit": 1,
        }
        found = (await client.call("search_books", arguments))["structuredContent"]
        assert found["found"] == 2
        assert [book["id"] for book in found["books"]] == ["moby-dick"]


async def test_pictures_and_sounds_are_real(connect: Any, era: str) -> None:
    async with connect(era) as client:
        content = (await client.call("make_image", {"width": 30, "height": 20, "pattern": "checks"}))["content"]
        data = base64.b64decode(content[1]["data"])
        assert data.startswith(b"\x89PNG\r\n\x1a\n")
        assert struct.unpack(">II", data[16:24]) == (30, 20)
        assert len(zlib.decompress(data[41:-16])) == 20 * (1 + 3 * 30)
        content = (await client.call("make_audio", {"seconds": 0.25, "hertz": 1000}))["content"]
        with wave.open(io.BytesIO(base64.b64decode(content[1]["data"]))) as sound:
            assert (sound.getnframes(), sound.getframerate()) == (2000, 8000)


async def test_values_that_careless_programs_spoil_arrive(connect: Any, era: str) -> None:
    async with connect(era) as client:
        result = await client.call("big_numbers")
        assert '"beyond 2^53": 9007199254740993' in result["content"][0]["text"]
        assert "1e400" in result["content"][0]["text"]
        assert result["structuredContent"]["2^64"] == 2**64
        strange = (await client.call("unicode"))["structuredContent"]
        assert "\u202e" in strange["turned around"]
        assert "\0" in strange["control characters"]
        assert "\u2028" in strange["line ends"]


@pytest.mark.parametrize("shape", ["lines", "one line"])
async def test_big_text_has_the_size_that_was_asked_for(connect: Any, era: str, shape: str) -> None:
    async with connect(era) as client:
        text = (await client.call("big_text", {"kilobytes": 300, "shape": shape}))["content"][0]["text"]
        assert len(text) == 300 * 1024
        assert text.count("\n") == (300 * 16 if shape == "lines" else 0)


async def test_each_kind_of_content_is_shown(connect: Any, era: str) -> None:
    async with connect(era) as client:
        kinds = [block["type"] for block in (await client.call("show_everything"))["content"]]
        assert set(kinds) == {"text", "image", "audio", "resource_link", "resource"}


async def test_links_can_be_followed(connect: Any, era: str) -> None:
    async with connect(era) as client:
        blocks = (await client.call("list_files", {"folder": "data"}))["content"][1:]
        assert [block["type"] for block in blocks] == ["resource_link"] * 2
        read = await client.request("resources/read", {"uri": blocks[0]["uri"]})
        assert read["contents"][0]["text"].startswith("city,")


async def test_slow_reports_its_steps(connect: Any, era: str) -> None:
    async with connect(era) as client:
        await client.call("slow", {"seconds": 0, "steps": 3}, _meta={"progressToken": "p"})
        progress = await client.noted("notifications/progress", 4)
        assert [note["progress"] for note in progress] == [0, 1, 2, 3]
        assert {note["total"] for note in progress} == {3}
        assert progress[1]["message"] == "Step 2 of 3"


async def test_slow_can_be_cancelled(connect: Any, era: str) -> None:
    async with connect(era) as client:
        message = client.begin("tools/call", {"name": "slow", "arguments": {"seconds": 600, "steps": 6000}})
        message["params"].setdefault("_meta", {})["progressToken"] = 0
        await client.send(message)
        await client.noted("notifications/progress", 2)
        cancel = {"method": "notifications/cancelled", "params": {"requestId": message["id"]}}
        await client.send({"jsonrpc": "2.0", **cancel})
        # The server is still there, and says nothing more of it.
        await client.call("echo", {"text": "x"})
        known = len(client.notes)
        await client.call("echo", {"text": "x"})
        assert len(client.notes) == known


async def test_log_lines_keep_to_the_level(connect: Any, era: str) -> None:
    async with connect(era) as client:
        if era == "legacy":
            await client.request("logging/setLevel", {"level": "warning"})
        else:
            await client.call("log_lines", {"count": 8})
            assert client.notes == []
            client.meta = {META + "logLevel": "warning"}
        await client.call("log_lines", {"count": 8})
        lines = await client.noted("notifications/message", 5)
        assert [line["level"] for line in lines] == ["warning", "error", "critical", "alert", "emergency"]
        assert {line["logger"] for line in lines} == {"demo.lines"}


async def test_each_way_to_fail(connect: Any, era: str) -> None:
    async with connect(era) as client:
        assert (await client.call("fail"))["isError"] is True
        with pytest.raises(Failed) as failed:
            await client.call("fail", {"how": "protocol error"})
        assert (failed.value.code, failed.value.data) == (-32000, {"asked": True})
        with pytest.raises(Failed):
            await client.call("fail", {"how": "crash in the tool"})


@pytest.mark.parametrize("kind", ["tool", "resource", "prompt"])
async def test_lists_change_while_one_watches(connect: Any, era: str, kind: str) -> None:
    changed = f"notifications/{kind}s/list_changed"
    async with connect(era) as client:
        if era == "modern":
            wanted = {"toolsListChanged": True, "resourcesListChanged": True, "promptsListChanged": True}
            await client.send(client.begin("subscriptions/listen", {"notifications": wanted}, "listen"))
            await client.noted("notifications/subscriptions/acknowledged")
        await client.call("add_item", {"kind": kind, "name": "newcomer"})
        await client.noted(changed)
        names, cursor = [], None
        while True:
            page = await client.request(f"{kind}s/list", {"cursor": cursor} if cursor else {})
            names += [item["name"] for item in page[f"{kind}s"]]
            if (cursor := page.get("nextCursor")) is None:
                break
        assert names[-1] == "newcomer"
        await client.call("remove_item", {"kind": kind, "name": "newcomer"})
        await client.noted(changed, 2)


async def test_the_counter_tells_its_subscribers(connect: Any, era: str) -> None:
    async with connect(era) as client:
        if era == "modern":
            wanted = {"resourceSubscriptions": ["demo://counter"]}
            await client.send(client.begin("subscriptions/listen", {"notifications": wanted}, "listen"))
            await client.noted("notifications/subscriptions/acknowledged")
        else:
            await client.request("resources/subscribe", {"uri": "demo://counter"})
        result = await client.call("count_up", {"by": 5, "times": 3, "every": 0})
        assert result["structuredContent"] == {"counter": 15}
        updates = await client.noted("notifications/resources/updated", 3)
        assert {update["uri"] for update in updates} == {"demo://counter"}
        read = await client.request("resources/read", {"uri": "demo://counter"})
        assert read["contents"][0]["text"] == "15"
        if era == "legacy":
            await client.request("resources/unsubscribe", {"uri": "demo://counter"})
            await client.call("count_up", {"every": 0})
            assert len(await client.noted("notifications/resources/updated")) == 3


async def test_tea_is_a_task_for_those_who_know_tasks(connect: Any) -> None:
    async with connect("modern") as client:
        task = await client.call("brew_tea", {"seconds": 0.1, "ask": True})
        assert (task["resultType"], task["status"]) == ("task", "working")
        ident = {"taskId": task["taskId"]}
        with anyio.fail_after(5):
            while (state := await client.request("tasks/get", ident))["status"] == "working":
                await anyio.sleep(0.02)
        assert state["status"] == "input_required"
        assert state["inputRequests"]["sugar"]["method"] == "elicitation/create"
        answer = {"action": "accept", "content": {"sugar": "some"}}
        await client.request("tasks/update", {**ident, "inputResponses": {"sugar": answer}})
        done = await client.request("tasks/get", ident)
        assert done["status"] == "completed"
        assert "some sugar" in done["result"]["content"][0]["text"]


async def test_a_task_can_be_cancelled_and_an_unknown_one_is_refused(connect: Any) -> None:
    async with connect("modern") as client:
        task = await client.call("brew_tea", {"seconds": 300})
        ident = {"taskId": task["taskId"]}
        await client.request("tasks/cancel", ident)
        assert (await client.request("tasks/get", ident))["status"] == "cancelled"
        with pytest.raises(Failed) as failed:
            await client.request("tasks/get", {"taskId": "coffee"})
        assert failed.value.code == -32602


async def test_without_the_extension_tea_comes_at_once(connect: Any, era: str) -> None:
    async with connect(era, {}) as client:
        assert "cold tea" in (await client.call("brew_tea"))["content"][0]["text"]
