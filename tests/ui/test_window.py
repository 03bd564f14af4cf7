"""The window itself: looks, sizes, memory, palette, shortcuts, dialog, inbox, notices."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QLineEdit, QPushButton, QToolButton

from mcp_inspector.app import demo_entry
from mcp_inspector.session.inbox import AskState
from mcp_inspector.ui import theme
from mcp_inspector.ui.notices import Action, Level
from mcp_inspector.ui.views.notice_bar import NoticeRow
from tests.ui.bench import demo_opened, opened, press, rude_entry, until, write

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytestmark = pytest.mark.anyio


async def test_light_and_dark_by_command() -> None:
    async with opened(demo_entry(lazy=True)) as bench:
        window = bench.window
        for choice in ("dark", "light", "dark"):
            window.commands.run(f"theme-{choice}")
            await bench.still()
            image = window.grab().toImage()
            ground = QColor(image.pixel(image.width() // 2, image.height() // 2))
            assert (ground.lightness() < 128) is (choice == "dark")
            assert theme.scheme() == choice
            assert window.commands.action(f"theme-{choice}").isChecked()
        window.commands.run("theme-light")


@pytest.mark.parametrize(("width", "height"), [(640, 400), (800, 500), (1440, 900), (3840, 2160)])
async def test_nothing_important_is_cut_at_any_size(width: int, height: int) -> None:
    async with demo_opened(size=QSize(width, height)) as bench:
        window = bench.window
        page = await bench.call("add", {"a": 1, "b": 2})
        window.grab()
        assert (window.width(), window.height()) == (width, height)
        for widget in (page.arguments.call, window.tool_bar.palette_field, page.list.view, page.result.content.bar):
            place = widget.mapTo(window, widget.rect().bottomRight())
            assert widget.isVisible(), widget
            assert place.x() <= width, widget
            assert place.y() <= height, widget
        assert page.arguments.call.width() >= page.arguments.call.minimumSizeHint().width()


async def test_every_button_says_what_it_does() -> None:
    async with demo_opened() as bench:
        await bench.tool("add")
        window = bench.window
        window.area.show_page("prompts")
        await bench.still()
        silent = [
            button
            for kind in (QToolButton, QPushButton)
            for button in window.findChildren(kind)
            if button.isVisible()
            and not isinstance(button.parent(), QLineEdit)
            and not (button.text() or button.toolTip() or button.accessibleName())
        ]
        assert silent == []


async def test_the_window_comes_back_as_it_was_left(tmp_path: Path) -> None:
    memory = tmp_path / "window.json"
    async with demo_opened(memory=memory) as bench:
        window = bench.window
        page = await bench.tool("add")
        page.splitter.setSizes([300, 500, 300])
        page.splitter.splitterMoved.emit(300, 1)
        left = page.splitter.sizes()
        page.arguments.tabs.setCurrentIndex(2)
        assert page.arguments.arguments is not None
        page.arguments.arguments.document.set_text('{"a": 1, "b": ')
        page.list.search.setText("ad")
        window.area.show_page("overview")
        window.stderr_dock.close()
        await bench.still()
    async with opened(demo_entry(lazy=True), memory=memory, size=None) as bench:
        window = bench.window
        assert window.area.page == "overview"
        await bench.connect()
        window.area.show_page("tools")
        await bench.still()
        page = window.area.tools
        assert page.list.search.text() == "ad"
        assert page.row is not None
        assert page.row.key == "add"
        assert page.arguments.tabs.currentIndex() == 2
        assert page.arguments.arguments is not None
        assert page.arguments.arguments.document.text == '{"a": 1, "b": '
        assert page.splitter.sizes()[0] == pytest.approx(left[0], abs=12)


async def test_the_palette_finds_tools_servers_and_commands() -> None:
    async with demo_opened() as bench:
        window = bench.window
        window.area.show_page("overview")
        window.commands.run("palette")
        field = window.tool_bar.palette_field
        write(field, "weather")
        assert field.list is not None
        assert field.list.entries()[0].text == "get_weather"
        QTest.keyClick(field, Qt.Key.Key_Return)
        await bench.still()
        assert window.area.page == "tools"
        assert window.area.tools.row is not None
        assert window.area.tools.row.key == "get_weather"
        assert window.focusWidget() is window.area.tools.list.view  # Return goes on to the form
        window.commands.run("palette")
        write(field, "dark")
        assert any(entry.kind == "command" for entry in field.list.entries())
        write(field, "no such thing at all")
        assert field.list.entries() == []
        QTest.keyClick(field, Qt.Key.Key_Escape)
        assert not field.list.isVisible()


async def test_the_palette_knows_the_themes_by_that_word_and_guesses_no_command() -> None:
    async with demo_opened() as bench:
        window = bench.window
        field = window.tool_bar.palette_field
        window.commands.run("palette")
        write(field, "theme")
        assert field.list is not None
        assert {entry.text for entry in field.list.entries()[:3]} == {
            "Theme: light",
            "Theme: dark",
            "Theme: as the system",
        }
        field.clear()
        write(field, "theme dark")
        QTest.keyClick(field, Qt.Key.Key_Return)
        assert theme.scheme() == "dark"
        window.commands.run("theme-light")
        ran: list[str] = []
        for command in window.commands:
            window.commands.action(command.name).triggered.connect(lambda _=False, name=command.name: ran.append(name))
        window.commands.run("palette")
        ran.clear()
        write(field, "qt")  # the letters of "Quit" and others, in order
        assert field.list.entries()
        QTest.keyClick(field, Qt.Key.Key_Return)
        assert ran == []
        QTest.keyClick(field, Qt.Key.Key_Escape)


async def test_the_sheet_shows_every_shortcut() -> None:
    from PySide6.QtWidgets import QLabel

    from mcp_inspector.ui.commands import shown_keys
    from mcp_inspector.ui.views.shortcuts import ShortcutSheet

    async with opened() as bench:
        bench.window.commands.run("shortcuts")
        sheet = bench.window.findChild(ShortcutSheet)
        assert sheet is not None
        assert not sheet.isModal()
        words = {label.text() for label in sheet.findChildren(QLabel)}
        for command in bench.window.commands:
            if command.keys:
                assert shown_keys(command.keys) in words, command.name
        sheet.close()


async def test_no_two_commands_share_a_key() -> None:
    async with opened() as bench:
        keys = [key for command in bench.window.commands for key in command.keys]
        assert len(keys) == len(set(keys))


async def test_paste_anything_see_what_it_does_save_and_connect(rude: Callable[..., Any]) -> None:
    """SEC-13"""
    peer = rude()
    entry = {"command": peer.command, "args": list(peer.args), "env": {"NODE_OPTIONS": "--require /tmp/p.js"}}
    async with opened() as bench:
        dialog = bench.window.server_actions.add()
        assert dialog is not None
        dialog.paste.setPlainText(json.dumps({"mcpServers": {"pasted": {**entry, "shell": True}}}))
        await bench.still()
        assert "Understood as JSON" in dialog._words.text()
        assert dialog.fields.name.text() == "pasted"
        assert peer.command in dialog.effect.text()
        assert "NODE_OPTIONS" in dialog.effect.text()
        assert "NODE_OPTIONS" in dialog._dangers.text()
        assert bench.inspector.servers == ()  # nothing runs before it is seen and saved
        dialog.fields.form.reach(("env",)).set_state(None)
        await bench.still()
        assert dialog._dangers.isHidden()
        press(dialog.connect_button)
        server = await until(lambda: bench.inspector.find("pasted"))
        await until(lambda: server.status.up, what="the pasted server to be connected")
        assert json.loads(bench.servers_file.read_text())["mcpServers"]["pasted"]["command"] == peer.command
        await bench.still()
        assert bench.window.desk.server is server


async def test_what_is_added_is_chosen_beside_others_and_ctrl_enter_in_the_paste_connects(
    rude: Callable[..., Any],
) -> None:
    peer = rude()
    async with opened(rude_entry(peer, "first")) as bench:
        dialog = bench.window.server_actions.add()
        assert dialog is not None
        dialog.paste.setPlainText(json.dumps({"second": {"command": peer.command, "args": list(peer.args)}}))
        await until(lambda: dialog.fields.name.text() == "second", what="the paste to be read")
        await bench.still()
        QTest.keyClick(dialog.paste, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
        server = await until(lambda: bench.inspector.find("second"))
        assert bench.window.desk.server is server
        await bench.still()
        assert bench.window.desk.server is server


async def test_a_refused_edit_is_said_in_the_dialog_and_nothing_is_lost(rude: Callable[..., Any]) -> None:
    peer = rude()
    async with opened() as bench:
        bench.servers_file.write_text("{ broken")
        dialog = bench.window.server_actions.add()
        assert dialog is not None
        dialog.fields.name.setText("new")
        write(dialog.fields.form.reach(("command",)).editor.line, peer.command)
        await bench.still()
        press(dialog.save_button)
        assert not dialog._problems.isHidden()
        assert dialog.isVisible()
        assert dialog.fields.name.text() == "new"
        assert bench.servers_file.read_text() == "{ broken"
        dialog.reject()


async def test_rename_duplicate_remove_and_undo(rude: Callable[..., Any]) -> None:
    peer = rude()
    async with opened() as bench:
        book, window = bench.book, bench.window
        entry = rude_entry(peer, "one")
        assert book.add(entry, connect=False) == ""
        await bench.still()
        window.server_actions.run("duplicate", "one")
        await bench.still()
        dialog = window.findChild(QDialog, "server-dialog")
        assert dialog.fields.name.text() == "one copy"
        dialog.fields.name.setText("two")
        press(dialog.save_button)
        await bench.still()
        assert [server.name for server in bench.inspector.servers] == ["one", "two"]
        window.server_actions.run("remove", "one")
        await until(lambda: bench.inspector.find("one") is None)
        await bench.still()
        row = next(row for row in window.notices.rows() if "removed" in row.notice.sentence)
        press(next(button for button in row.findChildren(QPushButton) if button.text() == "Undo"))
        await until(lambda: bench.inspector.find("one") is not None)
        assert "one" in json.loads(bench.servers_file.read_text())["mcpServers"]


async def test_edits_of_the_file_from_outside_appear(rude: Callable[..., Any]) -> None:
    """CFG-14"""
    peer = rude()
    async with opened() as bench:
        entry = {"command": peer.command, "args": list(peer.args)}
        bench.servers_file.write_text(json.dumps({"mcpServers": {"outside": entry}}))
        bench.book.poll()
        await bench.still()
        assert bench.inspector.find("outside") is not None
        assert bench.window.desk.servers.rowCount() == 1
        bench.servers_file.write_text('{"mcpServers": {"outside": ')
        bench.book.poll()
        await bench.still()
        assert bench.inspector.find("outside") is not None  # half written: it stays as it was
        assert bench.window.desk.notices.open


async def test_a_question_waits_in_the_inbox_and_takes_no_focus() -> None:
    async with demo_opened() as bench:
        window = bench.window
        page = await bench.tool("ask_name")
        focus = window.focusWidget()
        press(page.arguments.call)
        await until(lambda: bench.inspector.inbox.waiting, what="the question")
        await bench.still()
        assert window.inbox is not None
        assert window.focusWidget() in (focus, page.arguments.call)
        assert window.panels.inbox_dock.windowTitle() == "Inbox (1)"
        row = window.notices.rows()[-1]
        press(next(button for button in row.findChildren(QPushButton) if button.text() == "Show"))
        await bench.still()
        panel = window.inbox.panel
        press(panel.others[0])
        await until(lambda: page.run is not None and not page.run.running, what="the call to go on")
        await bench.still()
        assert bench.inspector.inbox.asks[0].state is AskState.ANSWERED
        assert window.panels.inbox_dock.windowTitle() == "Inbox"


async def test_notices_stand_in_one_place_with_their_actions() -> None:
    done: list[str] = []
    async with opened() as bench:
        notices = bench.window.desk.notices
        notices.clear()
        for number in range(3):
            notices.say(f"<b>{number}</b>", Action("Do", lambda: done.append("x")), level=Level.ERROR)
        await bench.still()
        (row,) = bench.window.notices.rows()
        assert row.notice.sentence == "<b>2</b>"
        buttons = {button.text(): button for button in row.findChildren(QPushButton)}
        press(buttons["Do"])
        press(buttons["2 more"])
        await bench.still()
        assert len(bench.window.notices.findChildren(NoticeRow)) >= 3
        notices.clear()
        await bench.still()
        assert not bench.window.notices.isVisible()
        assert done == ["x"]


async def test_copying_json_gives_line_feeds() -> None:
    """QT-11"""
    async with demo_opened() as bench:
        page = await bench.tool("add")
        page.arguments.tabs.setCurrentIndex(1)
        assert page.arguments.arguments is not None
        page.arguments.arguments.document.set_text('{\n  "a": 1\n}')
        await bench.still()
        page.arguments.json.selectAll()
        page.arguments.json.copy()
        assert QGuiApplication.clipboard().text() == '{\n  "a": 1\n}'
        assert json.loads(QGuiApplication.clipboard().text()) == {"a": 1}


async def test_form_and_json_are_two_views_of_one_document() -> None:
    """SCH-33"""
    async with demo_opened() as bench:
        page = await bench.tool("add")
        page.arguments.tabs.setCurrentIndex(2)
        await bench.still()
        editor = page.arguments.json
        editor.selectAll()
        write(editor, '{"b":2,"a":1}')
        await bench.still()
        row = page.arguments.form.row_of(("a",))
        assert row is not None
        assert row.editor.line.text() == "1"
        editor.moveCursor(editor.textCursor().MoveOperation.End)
        place = editor.textCursor().position()
        row.editor.line.selectAll()
        write(row.editor.line, "5")
        assert editor.toPlainText() == '{"b":2,"a":5}'
        assert editor.textCursor().position() == place
        QTest.keyClick(editor, Qt.Key.Key_Backspace)
        await bench.still()
        assert page.arguments.json.toPlainText() == '{"b":2,"a":5'
        assert not page.arguments.call.isEnabled()
        assert "Line 1" in page.arguments._side._error.text()
        QTest.keyClick(editor, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        await bench.still()
        assert page.arguments.call.isEnabled()


async def test_wrong_arguments_are_counted_shown_and_sent_anyway() -> None:
    async with demo_opened() as bench:
        page = await bench.tool("get_weather")
        assert page.arguments.arguments is not None
        page.arguments.arguments.document.set_text('{"city": "Atlantis", "days": 99}')
        await bench.still()
        await until(lambda: page.arguments.errors() == 2, what="two problems")
        assert page.arguments.call.text().startswith("Send anyway")
        press(page.arguments.call)
        await until(lambda: page.run is not None and not page.run.running)
        assert page.run is not None
        assert b"Atlantis" in bench.log.body(page.run.seq)
        row = page.arguments.form.row_of(("days",))
        assert row is not None
        assert row.problem()


async def test_closing_twice_is_harmless() -> None:
    async with opened() as bench:
        asked: list[int] = []
        bench.window.close_wanted.connect(lambda: asked.append(1))
        bench.window.close()
        bench.window.close()
        assert asked == [1, 1]
        assert bench.window.isVisible()  # it is the program that ends, then the window goes


async def test_panels_float_hide_and_come_back() -> None:
    async with opened() as bench:
        window = bench.window
        for dock in window.docks:
            dock.setFloating(True)
            await bench.still()
            assert dock.isWindow()
            assert dock.titleBarWidget() is None  # a floating panel has the system's frame
            dock.setFloating(False)
        window.commands.run("left")
        assert window.servers_dock.isHidden()
        assert window.quick_dock.isHidden()
        window.commands.run("bottom")
        assert window.traffic_dock.isHidden()
        window.commands.run("reset")
        await bench.still()
        assert all(not dock.isHidden() and not dock.isFloating() for dock in window.docks)
        assert window.servers_dock.titleBarWidget() is window.servers_dock.title


async def test_markdown_reads_no_file_and_asks_no_network(tmp_path: Path) -> None:
    """SEC-03"""
    from PySide6.QtGui import QImage

    from mcp_inspector.ui.views.markdown import Markdown, suits

    canary = QImage(50, 50, QImage.Format.Format_RGB32)
    canary.fill(QColor("red"))
    canary.save(str(tmp_path / "canary.png"))
    text = f"![x](http://127.0.0.1:9/?d=secret) ![y]({tmp_path}/canary.png)\n\n<img src='{tmp_path}/canary.png'>\n"
    text += "[ok](javascript:alert(1)) [f](file:///etc/passwd)\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"
    async with opened() as bench:
        view = Markdown(bench.window)
        view.set_text(text)
        view.resize(600, 400)
        image = view.grab().toImage()
        reds = [
            (x, y)
            for x in range(image.width())
            for y in range(image.height())
            if QColor(image.pixel(x, y)).red() > 200 and QColor(image.pixel(x, y)).green() < 60
        ]
        assert reds == []
        assert "[image: x http://127.0.0.1:9/?d=secret]" in view.toPlainText()
        assert "canary.png]" in view.toPlainText()
        assert not view.openLinks()
        assert "<img" in view.toPlainText()  # HTML is text
        assert suits(text, "text/markdown; charset=utf-8")
        assert not suits("x" * 300_000, "text/markdown")
        assert not suits(text, "text/plain")


async def test_no_two_commands_have_one_shortcut() -> None:
    """Qt runs neither of two that share one."""
    async with opened(demo_entry(lazy=True)) as bench:
        found: dict[str, str] = {}
        for command in bench.window.commands:
            for key in command.keys:
                assert key not in found, f"{key}: {found.get(key)} and {command.name}"
                found[key] = command.name
