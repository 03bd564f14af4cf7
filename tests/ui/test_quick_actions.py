"""Quick actions in the real window: prompts and saved calls, asked for values, pinned, found, kept, compared."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, QSize
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu

from mcp_inspector.app import demo_entry
from mcp_inspector.session.approval import Gate
from mcp_inspector.ui.views.conversation import Conversation
from tests.ui.bench import Bench, opened, press, until

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.anyio

ACTIONS = [
    {
        "name": "Say hello",
        "kind": "tool",
        "server": "demo",
        "target": "echo",
        "arguments": {"text": "hello"},
        "group": "Mine",
    },
    {"name": "Say it", "kind": "tool", "server": "demo", "target": "echo", "arguments": {"text": "say ${what}"}},
    {"name": "Read the guide", "kind": "resource", "server": "demo", "target": "demo://docs/guide.md"},
    {
        "name": "Twice",
        "kind": "chain",
        "server": "demo",
        "steps": [
            {
                "name": "one",
                "kind": "tool",
                "target": "echo",
                "arguments": {"text": "a"},
                "capture": {"t": "$.content[0].text"},
            },
            {"name": "two", "kind": "tool", "target": "echo", "arguments": {"text": "${t}b"}},
        ],
    },
]


def picture(window, name: str) -> None:
    """For a person who wants to look."""
    folder = os.environ.get("MCP_INSPECTOR_PICTURES")
    if folder:
        for theme in ("light", "dark"):
            window.choose_theme(theme, keep=False)
            window.grab().save(f"{folder}/{name}-{theme}.png")
        window.choose_theme("light", keep=False)


async def saved(bench: Bench) -> None:
    """Put the actions into the user's folder."""
    shelf = bench.window.desk.shelf
    shelf.folder.mkdir(parents=True, exist_ok=True)
    (shelf.folder / "mine.mcp.json").write_text(json.dumps({"name": "Mine", "actions": ACTIONS}), "utf-8")
    shelf.look()
    await bench.still()


def button(bench: Bench, words: str):
    return next(one for one in bench.window.quick.buttons if one.item.words == words)


async def ran(bench: Bench, text: str) -> None:
    """Until the newest run in the history is the one with this text."""
    history = bench.window.quick_runs.history
    key = button(bench, "Say it").item.key
    sent = f"say {text}".encode()
    await until(lambda: history.get(key) and sent in bench.log.body(history[key][0].call), what="the run")


def entry(menu: QMenu, words: str):
    found = [*menu.actions(), *(one for sub in menu.findChildren(QMenu) for one in sub.actions())]
    return next(one for one in found if one.text() == words)


async def test_a_prompt_is_asked_for_step_by_step_with_the_servers_completion() -> None:
    async with opened(demo_entry(lazy=True)) as bench:
        await bench.connect()
        press(button(bench, "Translate"))
        ask = bench.window.quick_runs.ask
        await until(ask.isVisible, what="the question")
        assert ask.name == "text"
        assert not ask.next_button.isEnabled()
        QGuiApplication.clipboard().setText("Good\nmorning")
        ask.from_clipboard()
        ask.edit.setFocus()
        bench.window.call()  # Ctrl+Enter goes on here; the form of the page is not what is filled in
        assert bench.window.area.prompts.run is None
        assert ask.name == "language"
        await until(lambda: ask.offers.count() > 0, what="suggestions")
        await bench.still()
        picture(bench.window, "quick-ask")
        ask.edit.setPlainText("Ger")
        await until(lambda: ask.offers.count() == 1, what="the one suggestion")
        ask.offers.itemClicked.emit(ask.offers.item(0))
        assert ask.name == "style"
        await until(lambda: ask.offers.count() == 2, what="styles of German")
        press(ask.next_button)  # may stay empty
        page = bench.window.area.prompts
        await until(lambda: page.run is not None and page.run.outcome is not None, what="the prompt")
        await bench.still()
        assert page.run.ok
        assert json.loads(page.run.arguments) == {"text": "Good\nmorning", "language": "German"}
        picture(bench.window, "quick-result")
        talk = page.result.findChild(Conversation)
        for shape, words in (
            ("json", '"role": "user"'),
            ("openai", '"content": "Translate'),
            ("anthropic", '"type": "text"'),
        ):
            talk.copy_as(shape)
            assert words in QGuiApplication.clipboard().text()
        talk.send_wanted.emit("sent on")
        menu = next(
            one
            for one in bench.window.findChildren(QMenu)
            if any("Code review" in each.text() for each in one.actions())
        )
        next(each for each in menu.actions() if "Code review" in each.text()).trigger()
        menu.close()
        await until(lambda: ask.isVisible() and ask.edit.toPlainText() == "sent on", what="the text in the next action")
        ask.close_ask()
        press(button(bench, "Translate"))  # what was given last time is there
        assert ask.edit.toPlainText() == "Good\nmorning"
        ask.close_ask()
        assert ask.isHidden()


async def test_saved_actions_run_with_a_click_and_connect_their_server(tmp_path: Path) -> None:
    async with opened(demo_entry(lazy=True)) as bench:
        await saved(bench)
        hello = button(bench, "Say hello")
        assert not hello.item.online
        picture(bench.window, "quick-offline")
        press(hello)
        page = bench.window.area.tools
        await until(lambda: page.run is not None and page.run.outcome is not None, what="the call")
        await bench.still()
        assert bench.server().status.up
        assert page.row.key == "echo"
        assert page.run.outcome.value["content"][0]["text"] == "hello"

        press(button(bench, "Say it"))
        ask = bench.window.quick_runs.ask
        file = tmp_path / "words.txt"
        file.write_text("from a file", "utf-8")
        ask.from_file(file)
        before = page.run
        press(ask.next_button)
        await until(lambda: page.run is not before and page.run.outcome is not None, what="the call")
        assert page.run.outcome.value["content"][0]["text"] == "say from a file"

        press(button(bench, "Say it"))
        ask.results.menu().aboutToShow.emit()
        ask.results.menu().actions()[0].trigger()
        assert ask.edit.toPlainText() == "say from a file"  # another result as a value
        ask.close_ask()

        press(button(bench, "Read the guide"))
        resources = bench.window.area.resources
        await until(
            lambda: bench.window.desk.runs.last(("demo", "resources/read", "demo://docs/guide.md")), what="read"
        )
        assert resources is not None

        press(button(bench, "Twice"))
        view = bench.window.panels.collections
        await until(lambda: view.run.runner is not None and view.run.runner.finished, what="the chain")
        assert view.run.runner.summary.passed == 1
        await bench.still()
        picture(bench.window, "quick-chain")


async def test_a_saved_call_that_may_destroy_asks_where_it_can_be_seen() -> None:
    async with opened(demo_entry(lazy=True), gate=Gate()) as bench:
        await bench.connect()
        shelf = bench.window.desk.shelf
        action = {"name": "Gone", "kind": "tool", "server": "demo", "target": "remove_item", "arguments": {"name": "x"}}
        shelf.add(json.dumps(action))
        await bench.still()
        press(button(bench, "Gone"))
        await until(lambda: bench.window.panels.collections is not None, what="the panel")
        bar = bench.window.panels.collections.bar
        await until(bar.isVisible, what="the question")
        press(bar.once)
        page = bench.window.area.tools
        await until(lambda: page.run is not None and page.run.outcome is not None, what="the answer")
        assert page.run.outcome.call > 0


async def test_buttons_are_found_pinned_ordered_grouped_and_given_shortcuts() -> None:
    async with opened(demo_entry(lazy=True), size=QSize(1440, 900)) as bench:
        await bench.connect()
        await saved(bench)
        quick = bench.window.quick
        names = [one.item.words for one in quick.buttons]
        assert names[:6] == [
            "Code review",
            "Explain an error",
            "Brainstorm",
            "Translate",
            "Describe a picture",
            "What next?",
        ]
        quick._do("pin", button(bench, "Brainstorm").item)
        quick._do("down", button(bench, "Code review").item)
        assert [one.item.words for one in quick.buttons][:3] == ["Brainstorm", "Explain an error", "Code review"]
        quick._do("group", button(bench, "What next?").item, "Later")
        quick._do("keys", button(bench, "Brainstorm").item, "Ctrl+Alt+B")
        assert button(bench, "What next?").item.group == "Later"
        quick._by_server.setChecked(False)
        assert button(bench, "Say hello").item.group == "Mine"
        await bench.still()
        picture(bench.window, "quick-groups")
        quick._shortcuts[0].activated.emit()
        page = bench.window.area.prompts
        await until(lambda: page.run is not None and page.run.outcome is not None, what="the prompt by its shortcut")
        quick.search.setText("guide")
        assert [one.item.words for one in quick.buttons] == ["Read the guide"]
        quick.search.setText("nothing has this")
        assert quick.buttons == []
        bench.window.resize(800, 500)
        quick.search.clear()
        await bench.still()
        picture(bench.window, "quick-small")


async def test_runs_are_kept_and_two_are_compared() -> None:
    async with opened(demo_entry(lazy=True)) as bench:
        await bench.connect()
        await saved(bench)
        ask = bench.window.quick_runs.ask
        for text in ("one", "two"):
            press(button(bench, "Say it"))
            ask.edit.setPlainText(text)
            press(ask.next_button)
            await ran(bench, text)
        await bench.still()
        menu = bench.window.quick._open_menu(button(bench, "Say it").item, QPoint(0, 0))
        past = bench.window.quick_runs.history[button(bench, "Say it").item.key]
        assert [bench.log.record(each.call).entry.target for each in past] == ["echo", "echo"]
        seen: list[int] = []
        bench.window.desk.record_requested.connect(seen.append)
        entry(menu, "Compare the last two runs").trigger()
        await bench.still()
        assert seen == [past[0].call]
        detail = bench.window.traffic.detail
        assert detail.tabs.tabText(detail.tabs.currentIndex()) == "Diff"
        picture(bench.window, "quick-compare")
        menu.close()
