"""What servers ask, answered in the real window with the real demo server, in both eras."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import QObject, Qt, QUrl, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from shiboken6 import isValid

from mcp_inspector.app import demo_entry
from mcp_inspector.session.inbox import ELICITATION, ROOTS, SAMPLING, AskState, Preset
from mcp_inspector.session.outcome import Complete
from mcp_inspector.ui.views.ask_form import FormBody
from mcp_inspector.ui.views.ask_history import AskHistory
from mcp_inspector.ui.views.ask_page import PageBody
from mcp_inspector.ui.views.ask_panel import QUESTION, RAW, AskPanel
from mcp_inspector.ui.views.ask_reply import CANNED, ReplyBody
from mcp_inspector.ui.views.ask_roots import RootsBody
from mcp_inspector.ui.views.model_dialog import ModelDialog
from mcp_inspector.ui.views.roots_dialog import RootsDialog
from tests.peers.fake_model import fake_model
from tests.ui.bench import Bench, demo_opened, opened, press, until, write

if TYPE_CHECKING:
    from pathlib import Path

    from mcp_inspector.ui.models.runs import Run
    from mcp_inspector.ui.views.inbox import InboxView

pytestmark = pytest.mark.anyio

ERAS = pytest.mark.parametrize("era", ["modern", "legacy"])


def demo(era: str, **more: Any) -> Any:
    return opened(replace(demo_entry(lazy=True), protocol=era, **more))


async def asked(bench: Bench, tool: str, arguments: dict[str, Any] | None = None) -> AskPanel:
    """Call a tool that asks; the panel of its question, shown as by the button in the status bar."""
    page = await bench.tool(tool)
    if arguments is not None:
        assert page.arguments.arguments is not None
        page.arguments.arguments.document.set_text(json.dumps(arguments))
        await bench.still()
    press(page.arguments.call)
    await until(lambda: bench.inspector.inbox.waiting, what="a question")
    await bench.still()
    press(bench.window.status.inbox)
    panel = bench.window.inbox.panel
    assert isinstance(panel, AskPanel)
    return panel


async def ended(bench: Bench) -> Run:
    """The run of the tool that asked, when it is over."""
    page = bench.window.area.tools
    await until(lambda: page.run is not None and not page.run.running, what="the call to end")
    await bench.still()
    assert page.run is not None
    return page.run


def result_of(run: Run) -> str:
    assert isinstance(run.outcome, Complete), run.outcome
    return run.outcome.result.decode()


def inbox_of(bench: Bench) -> InboxView:
    return bench.window.inbox


@ERAS
async def test_a_question_shows_itself_and_is_answered_by_its_form(era: str) -> None:
    async with demo(era) as bench:
        await bench.connect()
        panel = await asked(bench, "ask_name")
        window = bench.window
        assert window.panels.inbox_dock.windowTitle() == "Inbox (1)"
        assert window.status.inbox.text() == "1 question waiting"
        assert "demo" in panel.head.title.text()
        assert "tools/call ask_name" in panel.head.title.text()
        waiting = window.area.tools.result._empty._sentence
        await until(lambda: "asks you something" in waiting.text(), what="the result to say so")
        assert isinstance(panel.body, FormBody)
        assert panel.body.form.head.text() == "What should I call you?"
        row = panel.body.form.row_of(("name",))
        assert row is not None
        write(row.editor.line, "Ada & Bé")
        await bench.still()
        press(panel.primary)
        run = await ended(bench)
        assert "Ada & Bé" in result_of(run)
        assert window.panels.inbox_dock.windowTitle() == "Inbox"
        assert not window.status.inbox.isVisible()
        assert isinstance(window.inbox.panel, AskHistory)
        assert window.inbox.panel.ask.state is AskState.ANSWERED


async def test_defaults_of_every_kind_are_filled_in_and_sent() -> None:
    async with demo_opened() as bench:
        panel = await asked(bench, "ask_everything")
        press(panel.primary)
        given = json.loads(result_of(await ended(bench)))["structuredContent"]["answer"]
        assert given == {
            "name": "Ada",
            "day": "2026-07-28",
            "guests": 2,
            "budget": 99.5,
            "window": True,
            "meal": "dinner",
            "drink": "tea",
            "extras": ["music"],
        }


@ERAS
@pytest.mark.parametrize(("button", "word"), [(0, "decline"), (1, "cancel")])
async def test_decline_and_cancel_reach_the_tool(era: str, button: int, word: str) -> None:
    async with demo(era) as bench:
        await bench.connect()
        panel = await asked(bench, "ask_name")
        press(panel.others[button])
        assert word in result_of(await ended(bench))
        history = inbox_of(bench).panel
        assert isinstance(history, AskHistory)
        assert inbox_of(bench).model.data(inbox_of(bench).model.index(0)).endswith(("declined", "cancelled"))


async def test_what_is_wrong_is_shown_first_and_sent_at_the_second_try() -> None:
    async with demo_opened() as bench:
        panel = await asked(bench, "ask_name")
        press(panel.primary)
        await bench.still()
        assert panel.ask.state is AskState.WAITING
        assert panel.primary.text() == "Accept anyway"
        assert panel.count.text() == "1 problem"
        press(panel.primary)
        assert panel.ask.reply is not None
        assert panel.ask.reply.result == b'{"action":"accept","content":{}}'
        await ended(bench)


@ERAS
async def test_two_rounds_follow_each_other_without_a_click(era: str) -> None:
    async with demo(era) as bench:
        await bench.connect()
        panel = await asked(bench, "plan_trip")
        inbox = inbox_of(bench)
        first = panel.ask
        assert isinstance(panel.body, FormBody)
        panel.body.arguments.document.set_text('{"kind": "sea"}')
        press(panel.primary)
        await until(lambda: inbox.ask is not first and inbox.ask is not None, what="the second question")
        await bench.still()
        second = inbox.panel
        assert isinstance(second, AskPanel)
        assert second.ask.call == first.call
        assert second.ask.round == (2 if era == "modern" else 0)
        assert isinstance(second.body, FormBody)
        second.body.arguments.document.set_text('{"town": "Bergen", "days": 3}')
        press(second.primary)
        assert '"Bergen"' in result_of(await ended(bench))


async def test_keyboard_alone_answers_and_never_calls_again() -> None:
    async with demo_opened() as bench:
        panel = await asked(bench, "ask_name")
        calls = len(bench.log)
        assert isinstance(panel.body, FormBody)
        editor = panel.body.form.row_of(("name",)).editor.line
        assert bench.window.focusWidget() is editor
        write(editor, "Grace")
        QTest.keyClick(editor, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
        run = await ended(bench)
        assert "Grace" in result_of(run)
        sent = [one.entry for one in bench.log.slice(calls + 1, len(bench.log) + 1)]
        assert [one.target for one in sent if one.kind == "request" and one.method == "tools/call"] == ["ask_name"]


async def test_the_raw_answer_goes_out_as_it_is_typed() -> None:
    async with demo_opened() as bench:
        panel = await asked(bench, "ask_name")
        panel.tabs.setCurrentIndex(RAW)
        assert json.loads(panel.raw.document.text) == {"action": "accept", "content": {}}
        panel.raw.document.set_text('{"action" : "accept",\n "content": {"name": "X", "n": 1.50}, "_meta": {"a": 1e2}}')
        await bench.still()
        press(panel.primary)
        assert panel.ask.reply is not None
        assert panel.ask.reply.result == b'{"action":"accept","content":{"name":"X","n":1.50},"_meta":{"a":1e2}}'
        run = await ended(bench)
        assert "X" in result_of(run)
        assert any(b"1.50" in one.entry.data for one in bench.log.slice(run.seq, len(bench.log) + 1))


async def test_a_raw_answer_that_breaks_the_rules_is_flagged_and_can_be_sent() -> None:
    async with demo_opened() as bench:
        panel = await asked(bench, "ask_name")
        panel.tabs.setCurrentIndex(RAW)
        panel.raw.document.set_text('{"action": "perhaps"')
        await bench.still()
        assert not panel.primary.isEnabled()
        panel.raw.document.set_text('{"action": "perhaps"}')
        await bench.still()
        assert panel.raw.problems()
        assert panel.primary.text() == "Send raw answer anyway"
        press(panel.primary)
        assert panel.ask.reply is not None
        assert panel.ask.reply.result == b'{"action":"perhaps"}'
        await ended(bench)


async def test_refuse_with_an_error_of_ones_own() -> None:
    async with demo("legacy") as bench:
        await bench.connect()
        panel = await asked(bench, "ask_name")
        press(panel.refuse_button)
        panel.code.setText("-32099")
        panel.message.setText("not today")
        press(panel.send_error)
        await ended(bench)
        sent = [one.entry.data for one in bench.log.slice(1, len(bench.log) + 1) if one.entry.kind == "error"]
        assert any(b'"code":-32099' in data and b"not today" in data for data in sent)
        assert inbox_of(bench).ask is panel.ask
        assert panel.ask.state is AskState.REFUSED


async def test_giving_up_a_round_ends_the_call_here() -> None:
    async with demo("modern") as bench:
        await bench.connect()
        panel = await asked(bench, "ask_name")
        assert panel.refuse_button.text() == "Give up"
        press(panel.refuse_button)
        run = await ended(bench)
        assert "given up" in run.outcome.sentence


class Browser(QObject):
    """Takes the place of the system's browser."""

    def __init__(self) -> None:
        super().__init__()
        self.opened: list[str] = []

    @Slot(QUrl)
    def open(self, url: QUrl) -> None:
        self.opened.append(url.toString())


@ERAS
async def test_a_page_is_opened_by_a_click_and_never_before(era: str) -> None:
    browser = Browser()
    QDesktopServices.setUrlHandler("https", browser, "open")
    try:
        async with demo(era) as bench:
            await bench.connect()
            panel = await asked(bench, "open_page")
            body = panel.body
            assert isinstance(body, PageBody)
            assert body.url.text() == "https://example.com/?topic=privacy"
            assert body.address.host == "example.com"
            assert browser.opened == []
            press(panel.primary)
            assert browser.opened == ["https://example.com/?topic=privacy"]
            assert "agreed" in result_of(await ended(bench))
            assert panel.ask.completed == (era == "legacy")
    finally:
        QDesktopServices.unsetUrlHandler("https")


async def test_sampling_is_answered_by_a_canned_reply_or_what_is_typed() -> None:
    async with demo_opened() as bench:
        panel = await asked(bench, "summarise", {"text": "A long story."})
        body = panel.body
        assert isinstance(body, ReplyBody)
        assert "Summarise in at most 30 words" in body.conversation._result.messages[0].blocks[0].text
        shown = {fact.name: fact.value for fact in body.facts._facts}
        assert shown["System prompt"] == "You write short, plain summaries."
        assert "200 tokens" in shown["Limits"]
        assert body.text.toPlainText() == CANNED
        press(panel.primary)
        assert CANNED in result_of(await ended(bench))
        panel = await asked(bench, "summarise", {"text": "A longer story."})
        body = panel.body
        assert isinstance(body, ReplyBody)
        body.text.setPlainText("Something happens.")
        body.model.setText("me")
        QTest.keyClick(body.text, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
        text = result_of(await ended(bench))
        assert "Something happens." in text
        assert "by me, ended by endTurn" in text


async def test_a_tool_call_is_a_reply_edited_as_json() -> None:
    async with demo_opened() as bench:
        panel = await asked(bench, "summarise", {"text": "A story.", "offer_tool": True})
        body = panel.body
        assert isinstance(body, ReplyBody)
        assert body.tools.isVisible()
        body.tools.menu().actions()[0].trigger()
        await bench.still()
        assert panel.tabs.currentIndex() == RAW
        answer = json.loads(panel.raw.document.text)
        assert answer["stopReason"] == "toolUse"
        assert answer["content"][0]["name"] == "count_words"
        assert panel.raw.problems() == []
        press(panel.primary)
        assert "tool_use" in result_of(await ended(bench))


async def test_roots_are_edited_answered_and_kept(tmp_path: Path) -> None:
    async with opened() as bench:
        refused = bench.book.add(replace(demo_entry(), name="demo"), connect=True)
        assert refused == ""
        await bench.connect()
        panel = await asked(bench, "list_roots")
        body = panel.body
        assert isinstance(body, RootsBody)
        body.editor.add_folder(tmp_path)
        body.keep_box.setChecked(True)
        press(panel.primary)
        assert tmp_path.as_uri() in result_of(await ended(bench))
        assert json.loads(bench.servers_file.read_text())["mcpServers"]["demo"]["roots"] == [
            {"uri": tmp_path.as_uri(), "name": tmp_path.name}
        ]
        page = await bench.call("list_roots")  # now they answer by themselves, and that is said
        assert page.run is not None
        assert tmp_path.as_uri() in result_of(page.run)
        last = bench.inspector.inbox.asks[-1]
        assert (last.method, last.preset, last.state) == (ROOTS, "roots", AskState.ANSWERED)


async def test_presets_answer_are_shown_and_survive_a_restart(tmp_path: Path) -> None:
    memory = tmp_path / "window.json"
    async with demo_opened(memory=memory) as bench:
        inbox = inbox_of(bench)
        assert inbox.strip.text() == ""
        bench.window.show_inbox()
        press(inbox.presets_button)
        editor = inbox.preset_editor
        editor.server.setCurrentIndex(editor.server.findData("demo"))
        editor.action.setCurrentIndex(editor.action.findData("accept"))
        editor._document.set_text('{"name": "Preset"}')
        await bench.still()
        assert bench.inspector.inbox.preset("demo", ELICITATION) == Preset("accept", b'{"name":"Preset"}')
        assert "elicitation, accept with values" in inbox.strip.text()
        page = await bench.call("ask_name")
        assert page.run is not None
        assert "Preset" in result_of(page.run)
        assert "accepted by preset" in inbox.model.data(inbox.model.index(0))
        editor.tabs.setCurrentIndex(1)
        editor.action.setCurrentIndex(editor.action.findData("result"))
        editor.delay.setValue(0.2)
        await bench.still()
        kept = bench.inspector.inbox.preset("demo", SAMPLING)
        assert kept is not None
        assert (kept.action, kept.delay) == ("result", 0.2)
        assert json.loads(kept.content)["model"] == "canned"
    async with demo_opened(memory=memory) as bench:
        assert bench.inspector.inbox.preset("demo", SAMPLING) == kept
        assert "sampling, this result after 0.2 s" in inbox_of(bench).strip.text()
        press(inbox_of(bench).presets_button)
        press(inbox_of(bench).preset_editor.clear_button)
        assert bench.inspector.inbox.presets == {}
        assert inbox_of(bench).strip.text() == ""


async def test_a_question_that_is_taken_back_says_so() -> None:
    async with demo("legacy") as bench:
        await bench.connect()
        panel = await asked(bench, "ask_name")
        await bench.server().disconnect()
        await until(lambda: panel.ask.state is AskState.WITHDRAWN, what="the question to be void")
        await bench.still()
        history = inbox_of(bench).panel
        assert isinstance(history, AskHistory)
        assert "The connection is gone." in [fact.value for fact in history.facts._facts]


async def test_the_question_leads_to_its_exchange_in_traffic() -> None:
    async with demo_opened() as bench:
        panel = await asked(bench, "ask_name")
        panel.tabs.setCurrentIndex(QUESTION)
        press(panel.head.record)
        await bench.still()
        traffic = bench.window.traffic
        assert traffic is not None
        exchange = traffic.model.exchanges[traffic.table.current]
        assert exchange.target == "ask_name"
        bench.window.show_inbox()
        press(panel.others[0])
        await ended(bench)


async def test_nothing_steals_the_keyboard_or_the_preset_editor() -> None:
    async with demo_opened() as bench:
        inbox = inbox_of(bench)
        bench.window.show_inbox()
        inbox.edit_presets()
        page = await bench.tool("ask_name")
        page.list.search.setFocus()
        page.send()
        await until(lambda: bench.inspector.inbox.waiting, what="a question")
        await bench.still()
        assert bench.window.focusWidget() is page.list.search
        assert inbox._detail.currentWidget() is inbox.preset_editor
        inbox.preset_editor.closed.emit()
        assert isinstance(inbox.panel, AskPanel)
        press(inbox.panel.others[0])
        await ended(bench)


async def test_a_model_writes_the_reply_and_a_person_sends_it() -> None:
    async with fake_model() as model, demo_opened() as bench:
        panel = await asked(bench, "summarise", {"text": "A story."})
        inbox, body = inbox_of(bench), panel.body
        assert isinstance(body, ReplyBody)
        assert body.ask_model.text() == "Set up a model…"
        press(body.ask_model)
        (dialog,) = bench.window.findChildren(ModelDialog)
        await until(lambda: "A key is kept" in dialog.where.text(), what="where keys are kept")
        dialog.url.setText(model.url)
        dialog.model.setText("tiny")
        dialog.key.setText("s3cret")
        press(dialog.save_button)
        await until(lambda: not isValid(dialog) or not dialog.isVisible(), what="the dialog to close")
        assert inbox.models.endpoint.usable
        vault = bench.window.desk.vault
        assert vault is not None
        assert vault.get("sampling model key") == "s3cret"
        assert body.ask_model.text() == "Ask tiny"
        assert model.bodies == []  # nothing is asked before the button is pressed
        press(body.ask_model)
        await until(lambda: body.text.toPlainText() == "Hi.", what="the model's answer")
        assert panel.ask.state is AskState.WAITING
        assert "Authorization: Bearer s3cret" in model.heads[0]
        assert body.model.text() == "tiny-1"
        press(panel.primary)
        assert "by tiny-1" in result_of(await ended(bench))
        assert "s3cret" not in json.dumps(bench.window.desk.memory._values)


async def test_a_model_that_fails_says_why_and_the_question_stays() -> None:
    async with fake_model() as model, demo_opened() as bench:
        model.status, model.answer = "500 Oops", {"error": {"message": "It is tired."}}
        bench.window.desk.memory.put("sampling.model", {"url": model.url, "model": "tiny"})
        panel = await asked(bench, "summarise", {"text": "A story."})
        body = panel.body
        assert isinstance(body, ReplyBody)
        press(body.ask_model)
        await until(lambda: body.strip.text(), what="the reason")
        assert "HTTP 500: It is tired." in body.strip.text()
        assert panel.ask.state is AskState.WAITING
        press(panel.primary)
        await ended(bench)


async def test_roots_of_a_server_are_edited_from_its_overview(tmp_path: Path) -> None:
    async with demo("legacy") as bench:
        await bench.connect()
        bench.window.area.show_page("overview")
        await bench.still()
        overview = bench.window.area.overview
        press(next(one for one in overview.findChildren(QPushButton) if one.text() == "Roots…"))
        (dialog,) = bench.window.findChildren(RootsDialog)
        dialog.editor.add_folder(tmp_path)
        press(dialog.save_button)
        page = await bench.call("list_roots")
        assert page.run is not None
        assert tmp_path.as_uri() in result_of(page.run)
        methods = [one.entry.method for one in bench.log.slice(1, len(bench.log) + 1)]
        assert "notifications/roots/list_changed" in methods
