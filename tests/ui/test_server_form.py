"""Server settings on the same form: two live views of the entry as its file has it, saved member by member."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest

from mcp_inspector.ui.views.server_fields import JSON, SPLIT
from tests.ui.bench import opened, press, until, write

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcp_inspector.ui.views.server_dialog import ServerDialog

pytestmark = pytest.mark.anyio


def line(dialog: ServerDialog, *path: str | int) -> Any:
    row = dialog.fields.form.reach(path)
    assert row is not None, path
    return row.editor.line  # type: ignore[attr-defined]  # a text or a number


async def test_an_entry_is_edited_in_both_views_and_keeps_what_nobody_knows(rude: Callable[..., Any]) -> None:
    peer = rude()
    async with opened() as bench:
        held = {"command": peer.command, "args": [*peer.args], "alwaysAllow": ["a"], "odd": {"n": 0}}
        text = json.dumps({"mcpServers": {"one": held}}).replace('"n": 0', '"n": 1.0')
        bench.servers_file.write_text(text)
        bench.book.poll()
        await until(lambda: bench.inspector.find("one"))
        dialog = bench.window.server_actions.edit("one")
        assert dialog is not None
        fields = dialog.fields
        fields.tabs.setCurrentIndex(SPLIT)
        await bench.still()
        assert '"n": 1.0' in fields.json.toPlainText()
        assert line(dialog, "command").text() == peer.command
        write(line(dialog, "cwd"), "/")  # typed in the form, seen in the JSON
        await bench.still()
        assert '"cwd": "/"' in fields.json.toPlainText()
        fields.json.setFocus()
        at = fields.json.toPlainText().index('"a"') + 2
        cursor = fields.json.textCursor()
        cursor.setPosition(at, QTextCursor.MoveMode.MoveAnchor)
        fields.json.setTextCursor(cursor)
        write(fields.json, "bc")  # typed in the JSON, known to the form as a member that somebody added
        await bench.still()
        row = fields.form.reach(("alwaysAllow",))
        assert row is not None
        assert row.field.extra
        press(dialog.save_button)
        await bench.still()
        saved = json.loads(bench.servers_file.read_text())["mcpServers"]["one"]
        assert saved == {**held, "cwd": "/", "alwaysAllow": ["abc"], "odd": {"n": 1.0}}
        assert '"n": 1.0' in bench.servers_file.read_text()


async def test_broken_json_and_what_cannot_be_an_entry_are_said_and_not_saved() -> None:
    async with opened() as bench:
        dialog = bench.window.server_actions.add()
        assert dialog is not None
        write(dialog.fields.name, "new")
        await bench.still()
        assert "neither" in dialog._problems.text()
        assert not dialog.save_button.isEnabled()
        dialog.fields.tabs.setCurrentIndex(JSON)
        dialog.fields.document.set_text('{"command": "x",')
        await bench.still()
        assert "The JSON is not complete: line 1" in dialog._problems.text()
        assert not dialog.save_button.isEnabled()
        dialog.fields.document.set_text('{"command": "x", "timeout": "soon"}')
        await bench.still()
        assert dialog.save_button.isEnabled()  # the reader takes its default, and says so
        assert "timeout" in dialog._problems.text()
        row = dialog.fields.form.reach(("timeout",))
        assert row is not None
        dialog.fields.form.show_problems({}, everywhere=True)
        dialog.fields.check()
        assert "Must be a number" in row.problem()
        dialog.reject()
        await bench.still()


async def test_a_command_becomes_an_address_and_comes_back() -> None:
    async with opened() as bench:
        dialog = bench.window.server_actions.add()
        assert dialog is not None
        write(dialog.fields.name, "new")
        write(line(dialog, "command"), "program")
        write(line(dialog, "description"), "for both")
        root = dialog.fields.form.root
        assert root is not None
        box = root.editor.box  # type: ignore[attr-defined]  # a choice of alternatives
        popup = box.open()
        item = next(popup.list.item(at) for at in range(popup.list.count()) if popup.list.item(at).text() == "URL")
        QTest.mouseClick(popup.list.viewport(), Qt.MouseButton.LeftButton, pos=popup.list.visualItemRect(item).center())
        write(line(dialog, "url"), "https://example.invalid/mcp")
        await bench.still()
        entry, problems = dialog.fields.entry()
        assert (entry.url, entry.command, entry.description, problems) == (
            "https://example.invalid/mcp",
            "",
            "for both",
            [],
        )
        press(dialog.save_button)
        await bench.still()
        saved = json.loads(bench.servers_file.read_text())["mcpServers"]["new"]
        assert saved == {"description": "for both", "url": "https://example.invalid/mcp"}


async def test_ctrl_return_in_a_field_saves_and_connects(rude: Callable[..., Any]) -> None:
    peer = rude()
    async with opened() as bench:
        dialog = bench.window.server_actions.add()
        assert dialog is not None
        write(dialog.fields.name, "keys")
        dialog.fields.document.set_text(json.dumps({"command": peer.command, "args": [*peer.args]}))
        await bench.still()
        widget = line(dialog, "command")
        widget.setFocus()
        QTest.keyClick(widget, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
        server = await until(lambda: bench.inspector.find("keys"))
        await until(lambda: server.status.up, what="the server that was added by keys alone")
        await bench.still()


async def test_return_ends_a_field_and_escape_loses_nothing() -> None:
    async with opened() as bench:
        dialog = bench.window.server_actions.add()
        assert dialog is not None
        write(dialog.fields.name, "new")
        widget = line(dialog, "command")
        write(widget, "program")
        await bench.still()
        assert dialog.connect_button.isEnabled()
        QTest.keyClick(widget, Qt.Key.Key_Return)
        row = dialog.fields.form.reach(("env",))
        assert row is not None
        row.editor.open_name()  # type: ignore[attr-defined]  # a map
        name = dialog.focusWidget()
        assert name is not None
        write(name, "TOKEN")
        QTest.keyClick(name, Qt.Key.Key_Return)
        await bench.still()
        assert dialog.isVisible()
        assert bench.inspector.servers == ()
        assert json.loads(dialog.fields.document.text)["env"] == {"TOKEN": ""}
        for _ in range(3):
            QTest.keyClick(dialog.focusWidget() or dialog, Qt.Key.Key_Escape)
        assert dialog.isVisible()
        assert "Not saved yet" in dialog._problems.text()
        dialog.reject()
        await bench.still()
        again = bench.window.server_actions.add()
        assert again is not None
        QTest.keyClick(again, Qt.Key.Key_Escape)  # nothing was typed: there is nothing to lose
        assert not again.isVisible()
        await bench.still()


async def test_secrets_of_an_entry_are_hidden_and_said_to_stand_in_the_file() -> None:
    async with opened() as bench:
        dialog = bench.window.server_actions.add()
        assert dialog is not None
        dialog.fields.document.set_text('{"url": "https://example.invalid", "auth": {"clientSecret": "${SECRET}"}}')
        await bench.still()
        row = dialog.fields.form.reach(("auth", "clientSecret"))
        assert row is not None
        assert row.field.secret
        note = row.words.shown_note()
        assert "Stands in the file" in note
        assert "not remembered" not in note
        dialog.reject()
        await bench.still()
