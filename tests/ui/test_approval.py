"""A tool that may destroy asks in its page; what is refused leaves a row, what is allowed always does not ask again."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest

from mcp_inspector.app import demo_entry
from mcp_inspector.config.policy import Rule
from mcp_inspector.session.approval import Gate
from mcp_inspector.session.outcome import Complete, LocalError
from tests.ui.bench import opened, press, until

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.anyio


def picture(window, name: str) -> None:
    """For a person who wants to look."""
    folder = os.environ.get("MCP_INSPECTOR_PICTURES")
    if folder:
        window.grab().save(f"{folder}/{name}.png")


async def test_a_call_that_may_destroy_asks_and_sends_exactly_what_it_shows(tmp_path: Path) -> None:
    gate = Gate(tmp_path / "policy.json", tmp_path / "approved.json")
    async with opened(demo_entry(lazy=True), gate=gate) as bench:
        await bench.connect()
        page = await bench.tool("remove_item")
        page.arguments.arguments.document.set_text('{"kind": "tool",  "name": "x"}')
        await bench.still()
        sent = len(bench.log)
        press(page.arguments.call)
        assert page.approval.isVisible()
        assert b'"name": "x"' in page.approval._sent.data()
        assert not any(one.entry.method == "tools/call" for one in bench.log.slice(sent + 1, len(bench.log) + 1))
        await bench.still()
        picture(bench.window, "approval")

        press(page.approval.never)
        await until(lambda: page.run is not None and not page.run.running, what="the refusal")
        assert isinstance(page.run.outcome, LocalError)
        denied = bench.log.record(page.run.outcome.call).entry
        assert (denied.kind, denied.target) == ("denied", "remove_item")
        assert "not approved" in denied.facts["sentence"]
        assert not page.approval.isVisible()

        press(page.arguments.call)
        press(page.approval.always)
        await until(lambda: page.run is not None and isinstance(page.run.outcome, Complete), what="the answer")
        assert json.loads((tmp_path / "policy.json").read_text()) == {"servers": {"demo": {"remove_item": "allow"}}}
        before = page.run
        press(page.arguments.call)  # asks no more
        await until(lambda: page.run is not before and not page.run.running, what="the next answer")
        assert isinstance(page.run.outcome, Complete)


async def test_asked_for_twice_the_question_stays_and_nothing_counts_as_sent(tmp_path: Path) -> None:
    """A second Ctrl+Enter is neither a yes nor a no: it leads to the question, where Escape and Tab work."""
    gate = Gate(tmp_path / "policy.json", tmp_path / "approved.json")
    async with opened(demo_entry(lazy=True), gate=gate) as bench:
        await bench.connect()
        page = await bench.tool("remove_item")
        key = page.arguments.arguments.key
        page.send()
        page.send()
        assert page.approval.asking
        assert page.run is None
        assert page.window().focusWidget() is page.approval.never
        assert not [one for one in bench.log.slice(1, len(bench.log) + 1) if one.entry.kind == "denied"]
        assert bench.window.desk.recall.count(key) == 0
        press(page.approval.never)
        await until(lambda: page.run is not None and not page.run.running, what="the refusal")
        assert bench.window.desk.recall.count(key) == 0
        page.send()
        press(page.approval.once)
        await until(lambda: page.run is not None and isinstance(page.run.outcome, Complete), what="the answer")
        assert bench.window.desk.recall.count(key) == 1


async def test_what_the_policy_denies_is_never_sent_and_what_only_reads_never_asks() -> None:
    gate = Gate()
    gate.put("demo", "echo", Rule.DENY)
    async with opened(demo_entry(lazy=True), gate=gate) as bench:
        await bench.connect()
        page = await bench.call("echo", {"text": "x"})
        assert isinstance(page.run.outcome, LocalError)
        assert "denied" in page.run.outcome.sentence
        page = await bench.call("add", {"a": 1, "b": 2})
        assert isinstance(page.run.outcome, Complete)


async def test_a_call_that_is_sent_again_goes_by_the_policy_too() -> None:
    gate = Gate()
    async with opened(demo_entry(lazy=True), gate=gate) as bench:
        await bench.connect()
        page = await bench.tool("remove_item")
        page.arguments.arguments.document.set_text('{"kind": "tool", "name": "x"}')
        await bench.still()
        press(page.arguments.call)
        press(page.approval.once)
        await until(lambda: page.run is not None and not page.run.running, what="the first call")
        first = page.run.seq

        def calls() -> int:
            entries = [one.entry for one in bench.log.slice(1, len(bench.log) + 1)]
            return sum(entry.kind == "request" and entry.method == "tools/call" for entry in entries)

        bench.window.again.resend(bench.window.traffic, first)
        notice = next(one for one in bench.window.desk.notices.open if one.key == "resend")
        assert calls() == 1
        notice.actions[0].run()
        await until(lambda: calls() == 2, what="the second call")
        gate.put("demo", "remove_item", Rule.DENY)
        bench.window.again.resend(bench.window.traffic, first)
        assert calls() == 2


async def test_changed_arguments_are_asked_about_anew() -> None:
    async with opened(demo_entry(lazy=True), gate=Gate()) as bench:
        await bench.connect()
        page = await bench.tool("remove_item")
        document = page.arguments.arguments.document
        document.set_text('{"kind": "tool", "name": "x"}')
        await bench.still()
        press(page.arguments.call)
        document.set_text('{"kind": "tool", "name": "y"}')
        await bench.still()
        press(page.approval.once)
        assert page.approval.isVisible()
        assert b'"name": "y"' in page.approval._sent.data()
        await bench.tool("echo")  # another tool: nobody asks about this one any more
        assert not page.approval.isVisible()
