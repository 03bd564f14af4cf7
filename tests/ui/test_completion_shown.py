"""Completion in fields of prompts and templates: asked for at pauses, with the other arguments, late answers lost."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_inspector.ui.forms.completion import Suggestions
from tests.ui.bench import opened, rude_entry, until, write

pytestmark = pytest.mark.anyio

PROMPT = {"name": "greet", "arguments": [{"name": "who", "required": True}, {"name": "tongue", "required": True}]}


def completion(*values: str) -> dict[str, Any]:
    return {"result": {"resultType": "complete", "completion": {"values": list(values), "total": 2, "hasMore": False}}}


@pytest.mark.parametrize("discover", ["modern", "unknown"])
async def test_a_prompt_field_is_completed_at_pauses_and_in_order(rude: Any, discover: str) -> None:
    on = {
        "completion/complete#1": [{"later": [{"sleep": 0.6}, completion("late")]}],
        "completion/complete": [completion("Adam", "Adele")],
    }
    peer = rude(discover=discover, prompts=[PROMPT], on=on)
    async with opened(rude_entry(peer)) as bench:
        server = await bench.connect("rude")
        area = bench.window.area
        area.open("prompts", "greet")
        await bench.still()
        form = area.prompts.arguments.form
        tongue, who = form.row_of(("tongue",)), form.row_of(("who",))
        assert tongue is not None
        assert who is not None
        area.prompts.arguments.arguments.document.set_text('{"tongue": "Ukrainian"}')
        await bench.still()
        suggestions = who.editor.line.findChild(Suggestions)
        assert suggestions is not None
        write(who.editor.line, "Ada")
        await until(lambda: peer.heard("completion/complete"), what="the question at the pause")
        write(who.editor.line, "m")
        await until(lambda: suggestions.values == ["Adam", "Adele"], what="the suggestions")
        asked = [one["params"] for one in peer.heard("completion/complete")]
        assert [one["argument"] for one in asked] == [{"name": "who", "value": "Ada"}, {"name": "who", "value": "Adam"}]
        assert all(one["context"] == {"arguments": {"tongue": "Ukrainian"}} for one in asked)
        assert asked[0]["ref"] == {"type": "ref/prompt", "name": "greet"}
        asking = "completion/complete"
        await until(lambda: all(one.method != asking for one in server.in_flight), what="the late one")
        await bench.still()
        assert suggestions.values == ["Adam", "Adele"]


async def test_a_template_field_is_completed_with_its_template(rude: Any) -> None:
    peer = rude(discover="modern", on={"completion/complete": [completion("7", "70")]})
    async with opened(rude_entry(peer)) as bench:
        await bench.connect("rude")
        area = bench.window.area
        area.open("resources", "rude://items/{id}")
        await bench.still()
        row = area.resources.templates.arguments.form.row_of(("id",))
        assert row is not None
        suggestions = row.editor.line.findChild(Suggestions)
        assert suggestions is not None
        write(row.editor.line, "7")
        await until(lambda: suggestions.values == ["7", "70"], what="the suggestions")
        (asked,) = [one["params"] for one in peer.heard("completion/complete")]
        assert asked["ref"] == {"type": "ref/resource", "uri": "rude://items/{id}"}
        assert "context" not in asked


async def test_without_the_method_a_field_is_not_completed_again(rude: Any) -> None:
    peer = rude(prompts=[PROMPT], on={"completion/complete": [{"error": {"code": -32601, "message": "no"}}]})
    async with opened(rude_entry(peer)) as bench:
        await bench.connect("rude")
        bench.window.area.open("prompts", "greet")
        await bench.still()
        row = bench.window.area.prompts.arguments.form.row_of(("who",))
        assert row is not None
        suggestions = row.editor.line.findChild(Suggestions)
        assert suggestions is not None
        write(row.editor.line, "A")
        await until(lambda: suggestions._dead, what="the refusal")
        write(row.editor.line, "d")
        suggestions.ask()
        await bench.still()
        assert len(peer.heard("completion/complete")) == 1
