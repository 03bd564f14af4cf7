"""Settings in the real window: what is shown, what is edited, what counts at once, and what the files are."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QToolButton

from mcp_inspector.app import Program, demo_entry, parse
from mcp_inspector.config import paths, settings
from mcp_inspector.session.dialing import Dialer
from mcp_inspector.ui import text_scale
from mcp_inspector.ui.models.setting_list import Places, SettingList
from tests.ui.bench import Bench, demo_opened, opened, press, until, write

if TYPE_CHECKING:
    from pathlib import Path

    from mcp_inspector.ui.views.setting_row import SettingEditor
    from mcp_inspector.ui.views.settings_dialog import SettingsDialog

pytestmark = pytest.mark.anyio


def shown(bench: Bench) -> SettingsDialog:
    """The settings, opened by the command that has the shortcut."""
    bench.window.commands.run("settings")
    dialog = bench.window.places.show_settings()
    assert dialog is not None
    assert dialog.isVisible()
    return dialog


def typed(editor: SettingEditor, text: str, *, leave: bool = True) -> None:
    """Type a value in place of what stands there."""
    assert editor.line is not None
    editor.line.setFocus()
    editor.line.selectAll()
    write(editor.line, text)
    if leave:
        QTest.keyClick(editor.line, Qt.Key.Key_Return)


async def test_every_setting_is_shown_with_meaning_value_unit_and_origin(home: Path) -> None:
    file = home / "config" / "settings.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text('{"message_limit": 64}')
    async with opened(demo_entry(lazy=True)) as bench:
        assert bench.window.commands.action("settings").shortcut().toString() == "Ctrl+,"
        dialog = shown(bench)
        assert sorted(dialog.editors) == sorted(settings.NAMES)
        for name, editor in dialog.editors.items():
            assert editor.isVisible()
            assert settings.HELP[name][1:] in editor.row.explained
            assert editor.row.unit == settings.UNITS.get(name, "")
        limit = dialog.editors["message_limit"]
        assert (limit.text(), limit.source.text(), limit.reset_button.isEnabled()) == ("64", "settings.json", True)
        other = dialog.editors["request_timeout"]
        assert (other.text(), other.source.text(), other.reset_button.isEnabled()) == ("60", "default", False)
        assert not dialog.isModal()


async def test_a_value_is_checked_as_it_is_typed_and_kept_by_return(home: Path) -> None:
    async with opened(demo_entry(lazy=True)) as bench:
        dialog = shown(bench)
        editor = dialog.editors["request_timeout"]
        typed(editor, "soon")
        assert '"request_timeout" cannot be soon' in editor.problem.text()
        assert editor.problem.isVisible()
        assert not (home / "config" / "settings.json").exists()
        typed(editor, "0", leave=False)
        assert ">= 0.1" in editor.problem.text()
        typed(editor, "7.5")
        assert not editor.problem.isVisible()
        assert json.loads((home / "config" / "settings.json").read_text()) == {"request_timeout": 7.5}
        assert editor.source.text() == "settings.json"
        press(editor.reset_button)
        assert editor.text() == "60"
        assert json.loads((home / "config" / "settings.json").read_text()) == {}
        typed(editor, "9", leave=False)
        dialog.close()  # what is good is kept on leaving, too
        assert json.loads((home / "config" / "settings.json").read_text()) == {"request_timeout": 9.0}


async def test_what_the_environment_or_the_command_line_gives_is_read_only_and_says_why(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MCP_INSPECTOR_REQUEST_TIMEOUT", "12")
    async with opened(demo_entry(lazy=True)) as bench:
        window, places = bench.window, bench.window.places.places
        assert places is not None
        given = SettingList(places.settings.path, {"theme": "dark"}, window)
        window.places.places = Places(given, places.folders, ("The folder x cannot be used.",))
        dialog = shown(bench)
        editor = dialog.editors["request_timeout"]
        assert editor.line is not None
        assert editor.line.isReadOnly()
        assert (editor.text(), editor.source.text()) == ("12", "environment")
        assert "MCP_INSPECTOR_REQUEST_TIMEOUT goes before the file" in editor.row.explained
        typed(editor, "5")
        assert editor.text() == "12"
        theme = dialog.editors["theme"]
        assert theme.box is not None
        assert not theme.box.isEnabled()
        assert (theme.text(), theme.source.text()) == ("dark", "command line")
        assert not theme.reset_button.isEnabled()
        assert [label.text() for label in dialog._problems] == ["The folder x cannot be used."]


async def test_an_edit_from_outside_is_there_when_it_is_opened_again(home: Path) -> None:
    async with opened(demo_entry(lazy=True)) as bench:
        dialog = shown(bench)
        dialog.close()
        (home / "config" / "settings.json").write_text('{"total_timeout": 33, "probe_timeout": "x"}')
        assert shown(bench) is dialog
        assert dialog.editors["total_timeout"].text() == "33"
        assert dialog.editors["probe_timeout"].text() == "10"


async def test_the_search_hides_what_does_not_fit() -> None:
    async with opened(demo_entry(lazy=True)) as bench:
        dialog = shown(bench)
        write(dialog.search, "reconnect")
        assert [name for name, editor in dialog.editors.items() if editor.isVisible()] == ["reconnect_base"]
        dialog.search.clear()
        write(dialog.search, "MCP_INSPECTOR_THEME")
        assert [name for name, editor in dialog.editors.items() if editor.isVisible()] == ["theme"]
        dialog.search.clear()
        write(dialog.search, "zzz")
        assert dialog._nothing.isVisible()
        QTest.keyClick(dialog.search, Qt.Key.Key_Escape)
        assert all(editor.isVisible() for editor in dialog.editors.values())
        QTest.keyClick(dialog.search, Qt.Key.Key_Escape)
        assert not dialog.isVisible()


async def test_paths_are_shown_and_copied_and_the_dialog_fits_a_small_window() -> None:
    async with opened(demo_entry(lazy=True), size=QSize(640, 400)) as bench:
        dialog = shown(bench)
        assert dialog.width() <= 640
        assert dialog.height() <= 400
        copies = [
            button for button in dialog.findChildren(QToolButton) if button.accessibleName().startswith("Copy the path")
        ]
        copies[0].click()
        assert QGuiApplication.clipboard().text() == str(bench.servers_file)


async def test_another_servers_file_is_opened_shown_and_closed(tmp_path: Path) -> None:
    other = tmp_path / "other.json"
    other.write_text('{"mcpServers": {"second": {"command": "nothing", "connect": "lazy"}}}')
    async with opened(demo_entry(lazy=True)) as bench:
        window = bench.window
        assert window.commands.action("open-file").shortcut().toString() == "Ctrl+O"
        window.commands.run("open-file")
        asked = window.findChild(QFileDialog, "servers-file")
        assert asked is not None
        assert asked.isVisible()
        asked.fileSelected.emit(str(other))
        asked.close()
        await bench.still()
        assert [server.name for server in window.desk.servers.servers] == ["demo", "second"]
        assert window.desk.server is bench.server("second")
        dialog = window.places.show_settings()
        assert dialog is not None
        closing = [
            button for button in dialog.findChildren(QToolButton) if button.accessibleName().startswith("Close other")
        ]
        await until(lambda: closing[-1].isVisible(), what="the row to be laid out")
        press(closing[-1])
        await bench.still()
        assert [server.name for server in window.desk.servers.servers] == ["demo"]
        window.places.open_file(str(tmp_path / "missing.json"))
        assert "does not exist" in window.desk.notices.open[-1].sentence


async def test_changes_count_at_once_where_they_can(home: Path) -> None:
    async with demo_opened() as bench:
        window = bench.window
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        points = application.font().pointSizeF()
        program = Program(application, parse([]), paths.folders(), settings.Settings(), [], True)
        program._attach_places(window, bench.log, bench.inspector)
        dialog = shown(bench)
        session = bench.server().session
        assert session is not None
        typed(dialog.editors["request_timeout"], "7")
        typed(dialog.editors["total_timeout"], "70")
        typed(dialog.editors["message_limit"], "3")
        assert (session.timeout, session.ceiling) == (7.0, 70.0)
        dial = bench.server()._life.ways.dial
        assert isinstance(dial, Dialer)
        assert dial.limits.message == 3 * 2**20
        page = await bench.call("echo", {"text": "still connected"})
        assert page.result.state_words == "ok"
        theme = dialog.editors["theme"]
        assert theme.box is not None
        QTest.keyClicks(theme.box, "dark")
        theme.box.activated.emit(theme.box.currentIndex())
        assert window.theme.scheme == "dark"
        window.choose_theme("light")
        assert theme.text() == "light"
        assert json.loads((home / "config" / "settings.json").read_text())["theme"] == "light"
        small = window.status.connected
        sizes = (small.font().pointSizeF(), window.font().pointSizeF())
        try:
            typed(dialog.editors["text_scale"], "1.5")
            assert application.font().pointSizeF() == pytest.approx(1.5 * points)
            assert small.font().pointSizeF() == pytest.approx(1.5 * sizes[0])
            assert window.font().pointSizeF() == pytest.approx(1.5 * sizes[1])
        finally:
            text_scale.change(application, window.theme, 1.0)
        assert small.font().pointSizeF() == pytest.approx(sizes[0])
