"""Forms in the real window with the real demo server: what is filled in is what arrives, digit by digit."""

from __future__ import annotations

import asyncio
import json
import os
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from mcp_inspector.config.entry import ServerEntry
from mcp_inspector.session.outcome import Complete
from mcp_inspector.ui.views.arguments import FORM, REQUEST, SPLIT
from mcp_inspector.ui.views.resources import TEMPLATES
from tests.ui.bench import Bench, demo_opened, opened, press, until, write
from tests.ui.forms.hand import Hand

if TYPE_CHECKING:
    from mcp_inspector.ui.views.caller import CallerPage

pytestmark = pytest.mark.anyio
ROOT = Path(__file__).resolve().parents[3]


class PageHand(Hand):
    """A hand at the form of a page of the real window."""

    def __init__(self, page: CallerPage) -> None:
        arguments = page.arguments.arguments
        assert arguments is not None
        self.page = page
        self.view, self.form, self.document = page.arguments.form, arguments.form, arguments.document


async def send(bench: Bench, page: CallerPage) -> dict[str, Any]:
    """Press the button, wait for the end, and give what was recorded as sent."""
    press(page.arguments.call)
    await until(lambda: page.run is not None and not page.run.running, what="the call to end")
    await bench.still()
    assert page.run is not None
    return json.loads(bench.log.body(page.run.seq))


async def test_every_kind_of_argument_arrives_as_it_was_filled_in() -> None:
    async with demo_opened() as bench:
        page = await bench.tool("fill_form")
        page.arguments.tabs.setCurrentIndex(SPLIT)
        hand = PageHand(page)
        hand.type("name", "Ada")
        hand.type("note", "ünï 日本 😀")
        hand.type("birthday", "1815-12-10")
        hand.type("age", "36")
        hand.type("weight", "1.50")
        hand.pick("agree", "false")
        hand.pick("size", "L")
        hand.pick("colour", "Green")
        hand.pick("toppings", "olives")
        hand.pick("toppings", "cheese")
        assert hand.row("address").editor._begin.isVisible()
        QTest.mouseClick(hand.row("address").editor._begin, Qt.MouseButton.LeftButton)
        hand.type("address/street", "Main 1")
        hand.add_item("friends")
        hand.type("friends/0/name", "Charles")
        hand.state("nickname", "Send null")
        hand.pick("extra", "number")
        hand.type("extra", "9007199254740993")
        await bench.still()
        assert page.arguments.errors() == 0
        sent = await send(bench, page)
        expected = {
            "name": "Ada",
            "note": "ünï 日本 😀",
            "birthday": "1815-12-10",
            "age": 36,
            "weight": 1.5,
            "agree": False,
            "size": "L",
            "colour": "g",
            "toppings": ["olives", "cheese"],
            "address": {"street": "Main 1"},
            "friends": [{"name": "Charles"}],
            "nickname": None,
            "extra": 9007199254740993,
        }
        assert sent["params"]["arguments"] == expected
        assert b"1.50" in bench.log.body(page.run.seq)
        assert isinstance(page.run.outcome, Complete)
        echoed = json.loads(json.loads(page.run.outcome.result)["content"][0]["text"])
        echoed["address"].pop("city")  # the server puts its own default in
        assert {name: echoed[name] for name in expected} == expected


async def test_nothing_that_was_not_touched_is_sent() -> None:
    async with demo_opened() as bench:
        page = await bench.tool("fill_form")
        PageHand(page).type("name", "Ada")
        sent = await send(bench, page)
        assert sent["params"]["arguments"] == {"name": "Ada"}


async def test_broken_json_never_sends_what_stood_there_before() -> None:
    async with demo_opened() as bench:
        page = await bench.tool("fill_form")
        page.arguments.tabs.setCurrentIndex(SPLIT)
        hand = PageHand(page)
        hand.type("name", "Ada")
        editor = page.arguments.json
        editor.moveCursor(editor.textCursor().MoveOperation.End)
        QTest.keyClick(editor, Qt.Key.Key_Backspace)
        await bench.still()
        assert not page.arguments.call.isEnabled()
        bench.window.commands.run("call")  # Ctrl+Enter of the window
        await bench.still()
        assert page.run is None
        await bench.tool("echo")
        page = await bench.tool("fill_form")
        assert page.arguments.arguments.document.text.endswith('"Ada"\n')
        editor.moveCursor(editor.textCursor().MoveOperation.End)
        write(editor, "}")
        await bench.still()
        assert (await send(bench, page))["params"]["arguments"] == {"name": "Ada"}


async def test_send_anyway_sends_it_and_the_servers_words_stand_first() -> None:
    async with demo_opened() as bench:
        page = await bench.tool("search_books")
        page.arguments.arguments.document.set_text('{"limit": "many"}')
        await bench.still()
        assert page.arguments.call.text().startswith("Send anyway")
        sent = await send(bench, page)
        assert sent["params"]["arguments"] == {"limit": "many"}
        assert page.result.state_words != "ok"
        assert isinstance(page.run.outcome, Complete)
        assert b"limit" in page.run.outcome.result


async def test_the_preview_is_the_request_that_goes_out() -> None:
    async with demo_opened() as bench:
        page = await bench.tool("add")
        hand = PageHand(page)
        hand.type("a", "1.0")
        hand.type("b", "1e3")
        page.arguments.tabs.setCurrentIndex(REQUEST)
        await bench.still()
        shown = page.arguments.request_view.shown()
        await send(bench, page)
        body = bench.log.body(page.run.seq).decode()
        assert "".join(shown.split()) == "".join(body.split())
        assert "1.0" in shown
        page.arguments.arguments.document.set_text("{")
        await bench.still()
        assert page.arguments.request_view.shown() == ""
        assert "nothing can be sent" in page.arguments.request_view.note.text()
        page.arguments.tabs.setCurrentIndex(FORM)


async def test_over_http_the_preview_has_the_headers_that_mirror_arguments(demo_http: str) -> None:
    entry = ServerEntry("web", "http", url=demo_http, protocol="modern")
    async with opened(entry) as bench:
        await bench.connect("web")
        page = await bench.tool("query_region")
        PageHand(page).pick("region", "süd")
        page.arguments.tabs.setCurrentIndex(REQUEST)
        await bench.still()
        shown = page.arguments.request_view.shown()
        assert "Mcp-Method: tools/call" in shown
        assert "Mcp-Name: query_region" in shown
        assert "Mcp-Param-Region: =?base64?" in shown
        await send(bench, page)
        assert page.result.state_words == "ok"
        page.arguments.tabs.setCurrentIndex(FORM)


async def test_arguments_counts_and_sets_survive_a_restart_of_the_window(tmp_path: Path) -> None:
    memory = tmp_path / "window.json"
    async with demo_opened(memory=memory) as bench:
        page = await bench.tool("echo")
        for text in ("one", "two"):
            PageHand(page).type("text", text)
            await send(bench, page)
        panel = page.arguments.tools.open_sets()
        write(panel.name, "mine")
        QTest.keyClick(panel.name, Qt.Key.Key_Return)
        panel.close()
    async with demo_opened(memory=memory) as bench:
        page = await bench.tool("echo")
        assert page.arguments.arguments.document.value(("text",)) == "two"
        assert page.arguments._busy.text() == "sent 2 times"
        panel = page.arguments.tools.open_sets()
        words = [panel.list.item(at).text() for at in range(panel.list.count())]
        assert words[0].startswith("mine")
        assert words[1] == "Sent before"
        panel.load(3)
        await bench.still()
        assert page.arguments.arguments.document.value(("text",)) == "one"


async def test_a_template_shows_its_uri_while_one_types_and_reads_it() -> None:
    async with demo_opened() as bench:
        resources = bench.window.area.resources
        bench.window.area.show_page("resources")
        resources.show_part(TEMPLATES)
        page = resources.templates
        await bench.still()
        page.open("demo://search{?q,lang}")
        await bench.still()
        hand = PageHand(page)
        hand.type("q", "a b&c")
        await bench.still()
        assert page.arguments._preview.text() == "demo://search?q=a%20b%26c"
        assert page.arguments._preview.isVisible()
        hand.type("lang", "en")
        await bench.still()
        assert page.arguments._preview.text() == "demo://search?q=a%20b%26c&lang=en"
        sent = await send(bench, page)
        assert sent["params"]["uri"] == "demo://search?q=a%20b%26c&lang=en"


async def test_prompts_have_fields_with_suggestions_of_the_server() -> None:
    async with demo_opened() as bench:
        button = next(one for one in bench.window.quick.buttons if one.asks)
        press(button)
        await bench.still()
        page = bench.window.area.prompts
        bench.window.activateWindow()
        hand = PageHand(page)
        found: list[str] = []
        for row in page.arguments.form.rows():
            editor = row.editor
            assert editor.suggestions is not None
            editor.line.setFocus()
            editor.suggestions.ask()
            for _ in range(100):
                await asyncio.sleep(0.02)
                found = editor.suggestions.values
                if found:
                    break
            if found:
                editor.suggestions._take(found[0])
                break
        assert found, f"no suggestions for {page.row.key}"
        await bench.still()
        assert found[0] in hand.document.text


async def test_a_copied_command_and_a_copied_program_send_the_same() -> None:
    async with demo_opened() as bench:
        page = await bench.tool("echo")
        PageHand(page).type("text", 'it\'s $HOME "quoted" é')
        await bench.still()
        expected = await send(bench, page)
        texts = []
        for what in ("command", "python"):
            page.arguments.tools.copy_as(what)
            text = QGuiApplication.clipboard().text()
            if what == "command":
                words = shlex.split(text)
                words[:1] = [sys.executable, "-m", "mcp_inspector"]
                at = words.index("--")
                words[at:at] = ["--json"]
                words[words.index("--") + 1] = sys.executable
                words[words.index("--") : words.index("--")] = ["--env", f"PYTHONPATH={ROOT}"]
            else:
                words = [sys.executable, "-c", text.replace("command='python'", f"command={sys.executable!r}")]
            process = await asyncio.create_subprocess_exec(
                *words,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                env={**os.environ, "PYTHONPATH": str(ROOT)},
            )
            out, err = await process.communicate()
            assert process.returncode == 0, err.decode()
            texts.append(out.decode())
        wanted = expected["params"]["arguments"]["text"]
        assert json.dumps(wanted, ensure_ascii=False)[1:-1] in texts[0] or wanted in texts[0]
        assert wanted in texts[1] or repr(wanted)[1:-1] in texts[1]


async def test_results_are_held_against_their_schema_after_they_are_shown() -> None:
    async with demo_opened() as bench:
        page = await bench.tool("get_weather")
        hand = PageHand(page)
        hand.pick("city", hand.choices("city")[1])
        await send(bench, page)
        assert page.result.state_words == "ok"
        assert page.result.content.isVisible()
        await until(lambda: page.result.output_words, what="the check of the result")
        assert page.result.output_words == "matches outputSchema"
