"""The demo's resources, templates, prompts and completions."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest

from tests.demo.plain_client import Failed

pytestmark = pytest.mark.anyio


async def pages(client: Any) -> list[list[dict[str, Any]]]:
    found, cursor = [], None
    while True:
        page = await client.request("resources/list", {"cursor": cursor} if cursor else {})
        found.append(page["resources"])
        if (cursor := page.get("nextCursor")) is None:
            return found


async def test_all_resources_are_listed_in_pages_and_can_be_read(connect: Any, era: str) -> None:
    async with connect(era) as client:
        listed = await pages(client)
        assert len(listed) > 1
        for resource in (item for page in listed for item in page):
            contents = (await client.request("resources/read", {"uri": resource["uri"]}))["contents"]
            if resource["uri"] != "demo://files/":
                assert contents[0]["uri"] == resource["uri"]
                assert contents[0]["mimeType"] == resource["mimeType"]
            data = contents[0].get("text", "").encode() or base64.b64decode(contents[0]["blob"])
            assert data
            assert resource.get("size", len(data)) == len(data)


async def test_a_foreign_cursor_is_refused(connect: Any, era: str) -> None:
    async with connect(era) as client:
        with pytest.raises(Failed) as failed:
            await client.request("resources/list", {"cursor": "elsewhere"})
        assert failed.value.code == -32602


async def test_a_folder_is_read_as_its_files(connect: Any, era: str) -> None:
    async with connect(era) as client:
        contents = (await client.request("resources/read", {"uri": "demo://files/"}))["contents"]
        assert {"text" in item for item in contents} == {True, False}
        assert len({item["uri"] for item in contents}) == 4


async def test_templates_are_read(connect: Any, era: str) -> None:
    async with connect(era) as client:
        templates = (await client.request("resources/templates/list"))["resourceTemplates"]
        assert [template["uriTemplate"] for template in templates] == ["demo://books/{id}", "demo://search{?q,lang}"]

        async def read(uri: str) -> Any:
            return json.loads((await client.request("resources/read", {"uri": uri}))["contents"][0]["text"])

        assert (await read("demo://books/moby-dick"))["year"] == 1851
        assert [book["id"] for book in await read("demo://search?q=Verne")] == ["leagues"]
        assert [book["id"] for book in await read("demo://search?lang=de")] == ["werther", "process"]
        assert [book["id"] for book in await read("demo://search?q=%E5%A4%8F%E7%9B%AE&lang=ja")] == ["cat"]
        assert len(await read("demo://search")) == 18


async def test_prompts_are_filled_in(connect: Any, era: str) -> None:
    async with connect(era) as client:
        prompts = {prompt["name"]: prompt for prompt in (await client.request("prompts/list"))["prompts"]}
        assert "arguments" not in prompts["brainstorm"]
        filled = await client.request(
            "prompts/get", {"name": "code_review", "arguments": {"code": "x = 1", "language": "python"}}
        )
        assert "```python\nx = 1\n```" in filled["messages"][0]["content"]["text"]
        talk = await client.request("prompts/get", {"name": "explain_error", "arguments": {"error": "E42"}})
        assert [message["role"] for message in talk["messages"]] == ["user", "assistant", "user"]
        picture = await client.request("prompts/get", {"name": "describe_image"})
        assert picture["messages"][0]["content"]["type"] == "image"
        with pytest.raises(Failed, match="translate needs: text, language") as failed:
            await client.request("prompts/get", {"name": "translate"})
        assert failed.value.code == -32602


@pytest.mark.parametrize(
    ("ref", "name", "typed", "chosen", "first"),
    [
        ({"type": "ref/prompt", "name": "code_review"}, "language", "py", {}, ["python"]),
        ({"type": "ref/prompt", "name": "code_review"}, "language", "script", {}, ["javascript", "typescript"]),
        ({"type": "ref/prompt", "name": "code_review"}, "code", "x", {}, []),
        ({"type": "ref/prompt", "name": "translate"}, "style", "", {"language": "French"}, ["tu", "vous"]),
        ({"type": "ref/resource", "uri": "demo://books/{id}"}, "id", "mo", {}, ["moby-dick"]),
        ({"type": "ref/resource", "uri": "demo://search{?q,lang}"}, "q", "", {"lang": "ja"}, ["夏目漱石"]),
        ({"type": "ref/prompt", "name": "nope"}, "x", "", {}, []),
    ],
)
async def test_values_are_suggested(
    connect: Any, era: str, ref: dict[str, str], name: str, typed: str, chosen: dict[str, str], first: list[str]
) -> None:
    params = {"ref": ref, "argument": {"name": name, "value": typed}, "context": {"arguments": chosen}}
    async with connect(era) as client:
        completion = (await client.request("completion/complete", params))["completion"]
        assert completion["values"][: len(first)] == first
        assert completion["total"] == len(completion["values"])
        assert first or completion["values"] == []


async def test_a_tool_has_a_view_that_loads_nothing(connect: Any, era: str) -> None:
    async with connect(era) as client:
        tools = {tool["name"]: tool for tool in (await client.request("tools/list"))["tools"]}
        uri = tools["show_book"]["_meta"]["ui"]["resourceUri"]
        content = (await client.request("resources/read", {"uri": uri}))["contents"][0]
        assert content["mimeType"] == "text/html;profile=mcp-app"
        assert content["_meta"]["ui"] == {"prefersBorder": True}
        assert content["text"].startswith("<!doctype html>")
        assert "http" not in content["text"]
        assert "src=" not in content["text"]
        book = (await client.call("show_book"))["structuredContent"]
        assert book["title"].startswith("Moby-Dick")
