"""The playground over the real demo server and a local endpoint: set up, talk, approve, stop, begin anew."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from shiboken6 import isValid

from mcp_inspector.app import demo_entry
from mcp_inspector.config.policy import Rule
from mcp_inspector.session.approval import Gate
from mcp_inspector.ui.views.model_dialog import ModelDialog
from mcp_inspector.ui.views.transcript import CallRow
from mcp_inspector.ui.widgets.rows import ValueLabel
from tests.peers.fake_model import FakeModel, fake_model
from tests.ui.bench import opened, press, until, write

if TYPE_CHECKING:
    from tests.ui.bench import Bench

pytestmark = pytest.mark.anyio


async def playground(bench: Bench, model: FakeModel | None = None) -> Any:
    if model is not None:
        bench.window.desk.memory.put("agent.model", {"url": model.url, "model": "tiny"})
    await bench.connect()
    bench.window.area.show_page("agent")
    await bench.still()
    page = bench.window.area.agent
    page.tabs.setCurrentIndex(3)
    await bench.still()
    return page.playground


def shown(view: Any) -> str:
    body = view.transcript.widget()
    texts = [label.text() for kind in (QLabel, ValueLabel) for label in body.findChildren(kind)]
    return "\n".join([*texts, *(row.title.text() for row in body.findChildren(CallRow))])


def calling(*calls: tuple[str, Any]) -> Any:
    """A model that calls these tools and then says what it got."""

    def answer(body: dict[str, Any]) -> dict[str, Any]:
        results = [each["content"] for each in body["messages"] if each["role"] == "tool"]
        if results:
            return {"choices": [{"message": {"role": "assistant", "content": f"I got {' and '.join(results)}."}}]}
        wanted = [
            {"id": str(at), "type": "function", "function": {"name": name, "arguments": json.dumps(given)}}
            for at, (name, given) in enumerate(calls)
        ]
        return {"choices": [{"message": {"role": "assistant", "content": None, "tool_calls": wanted}}]}

    return answer


async def test_it_is_off_until_a_model_is_set_up() -> None:
    async with fake_model() as model, opened(demo_entry(lazy=True)) as bench:
        view = await playground(bench)
        assert not view.send_button.isEnabled()
        assert view.stack.currentWidget() is view.nothing
        view.nothing.activated.emit()
        (dialog,) = bench.window.findChildren(ModelDialog)
        await until(lambda: "A key is kept" in dialog.where.text(), what="where keys are kept")
        dialog.api.setCurrentIndex(dialog.api.findData("anthropic"))
        dialog.url.setText(model.url)
        dialog.model.setText("tiny")
        dialog.key.setText("s3cret-key")
        press(dialog.save_button)
        await until(lambda: not isValid(dialog) or not dialog.isVisible(), what="the dialog to close")
        assert view.send_button.isEnabled()
        assert model.bodies == []
        model.answer = {"content": [{"type": "text", "text": "Good day."}], "stop_reason": "end_turn"}
        write(view.edit, "Hello")
        QTest.keyClick(view.edit, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
        await until(lambda: "Good day." in shown(view), what="the answer")
        assert "x-api-key: s3cret-key" in model.heads[0]
        assert "s3cret" not in json.dumps(bench.window.desk.memory._values)
        records = [bench.log.record(seq) for seq in range(1, len(bench.log) + 1)]
        assert any(record.entry.server == "model tiny" and b"Hello" in record.entry.data for record in records)
        assert not any("s3cret" in f"{record.entry.data!r}{record.entry.facts}" for record in records)


async def test_calls_are_shown_approved_and_lead_to_traffic() -> None:
    gate = Gate()
    gate.put("demo", "echo", Rule.ALLOW)
    gate.put("demo", "add", Rule.ASK)
    async with fake_model() as model, opened(demo_entry(lazy=True), gate=gate) as bench:
        view = await playground(bench, model)
        view.top.setCurrentIndex(view.top.findData(0))
        view.top.activated.emit(view.top.currentIndex())
        model.answer = calling(("mcp__demo__echo", {"text": "hi"}), ("mcp__demo__add", {"a": 2, "b": 40}))
        write(view.edit, "Go")
        press(view.send_button)
        await until(lambda: view.approval.asking, what="the question")
        assert view.stop_button.isEnabled()
        press(view.approval.once)
        await until(lambda: "I got hi and" in shown(view), what="the answer")
        await until(lambda: view.send_button.isEnabled(), what="the end")
        text = shown(view)
        assert "Retrieval is off" in text
        assert "42" in text
        rows = view.transcript.widget().findChildren(CallRow)
        assert [row.title.text().split()[0] for row in rows] == ["mcp__demo__echo", "mcp__demo__add"]
        wanted: list[int] = []
        bench.window.desk.record_requested.connect(wanted.append)
        bench.window.area.agent.playground.transcript.verticalScrollBar().setValue(0)
        rows[0].button.click()
        assert bench.log.record(wanted[0]).entry.target == "echo"

        press(view.new_button)
        assert view.stack.currentWidget() is view.nothing
        model.answer = {"choices": [{"message": {"content": "Fresh."}}]}
        write(view.edit, "Again")
        press(view.send_button)
        await until(lambda: "Fresh." in shown(view), what="the answer")
        assert len(model.bodies[-1]["messages"]) == 1


async def test_a_new_conversation_shows_nothing_of_a_turn_that_was_under_way() -> None:
    async with fake_model() as model, opened(demo_entry(lazy=True)) as bench:
        view = await playground(bench, model)
        model.hold = asyncio.Event()
        write(view.edit, "old")
        press(view.send_button)
        await until(lambda: model.bodies, what="the request")
        press(view.new_button)
        await until(view.send_button.isEnabled, what="the end")
        model.hold.set()
        model.hold, model.answer = None, {"choices": [{"message": {"content": "Fresh."}}]}
        write(view.edit, "new")
        press(view.send_button)
        await until(lambda: "Fresh." in shown(view), what="the answer")
        assert "old" not in shown(view).split()
        assert "Stopped" not in shown(view)
        assert [each["content"] for each in model.bodies[-1]["messages"]] == ["new"]


async def test_stop_limit_and_faults_are_said() -> None:
    async with fake_model() as model, opened(demo_entry(lazy=True)) as bench:
        view = await playground(bench, model)
        model.hold = asyncio.Event()
        write(view.edit, "weather")
        press(view.send_button)
        await until(lambda: model.bodies, what="the request")
        press(view.stop_button)
        await until(lambda: view.send_button.isEnabled(), what="the end")
        assert "Stopped." in shown(view)
        model.hold.set()
        model.hold = None
        model.status, model.answer = "500 Oops", {"error": {"message": "It is tired."}}
        write(view.edit, "weather")
        press(view.send_button)
        await until(lambda: "It is tired." in shown(view), what="the fault")
        call = {"id": "1", "type": "function", "function": {"name": "mcp__demo__echo", "arguments": '{"text": "x"}'}}
        model.status, model.answer = "200 OK", {"choices": [{"message": {"content": "", "tool_calls": [call]}}]}
        view.rounds.setValue(2)
        await until(lambda: view.send_button.isEnabled(), what="the end")
        write(view.edit, "echo")
        press(view.send_button)
        await until(lambda: "limit of 2 rounds" in shown(view), what="the limit")
