"""Servers of other applications in the window: found once it is asked for, seen masked, imported disabled, exported."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import Qt

from mcp_inspector.app import demo_entry
from mcp_inspector.config import others
from mcp_inspector.config.servers_file import ServersFile
from mcp_inspector.session.status import State
from mcp_inspector.ui.views.others_dialog import OthersDialog
from mcp_inspector.ui.views.server_dialog import ServerDialog
from tests.ui.bench import opened, press, until

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.anyio

SECRET = "ghp_abcdefghijklmnopqrstuv"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A person's folder with servers of two applications, one file broken."""
    home, project = tmp_path / "home", tmp_path / "project"
    (home / ".cursor").mkdir(parents=True)
    (home / ".codeium" / "windsurf").mkdir(parents=True)
    project.mkdir()
    servers = {
        "git": {"command": "git-server", "args": ["--token", "hush-hush"], "env": {"GITHUB_TOKEN": SECRET}},
        "demo": {"url": "https://example.com/mcp", "headers": {"X-Key": "hidden-one"}},
    }
    (home / ".cursor" / "mcp.json").write_text(json.dumps({"mcpServers": servers}))
    (home / ".codeium" / "windsurf" / "mcp_config.json").write_text('{"mcpServers": {')
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / ".config"))
    monkeypatch.chdir(project)
    return home


def lines(dialog: Any) -> list[Any]:
    tops = [dialog.tree.topLevelItem(at) for at in range(dialog.tree.topLevelItemCount())]
    return [line for top in tops for line in (top, *(top.child(at) for at in range(top.childCount())))]


async def shown(dialog: Any) -> dict[str, Any]:
    await until(lambda: dialog.menu.actions(), what="what was found")
    return {line.text(0).split(" ·")[0]: line for line in lines(dialog)}


async def test_servers_are_seen_masked_and_taken_over_disabled(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[Any] = []
    find = others.find

    def told(project: Path) -> Any:
        looked.append(project)
        return find(project)

    monkeypatch.setattr(others, "find", told)
    async with opened(demo_entry(lazy=True)) as bench:
        bench.window.commands.run("add")
        (adding,) = bench.window.findChildren(ServerDialog)
        assert not looked, "nothing is looked for before it is asked for"
        adding.others_wanted.emit()
        adding.reject()
        (dialog,) = bench.window.findChildren(OthersDialog)
        found = await shown(dialog)
        assert len(looked) == 1
        assert "Cursor: ~/.cursor/mcp.json" in found
        assert any("cannot be read" in line.text(0) for line in lines(dialog))
        assert "you have one of this name" in found["demo"].text(0)
        dialog.tree.setCurrentItem(found["git"])
        text = dialog.preview.data().decode()
        assert "git-server" in text
        dialog.tree.setCurrentItem(found["demo"])
        text += dialog.preview.data().decode()
        assert "https://example.com/mcp" in text
        for secret in (SECRET, "hush-hush", "hidden-one"):
            assert secret not in text
        assert not dialog.import_button.isEnabled()
        for name in ("git", "demo"):
            found[name].setCheckState(0, Qt.CheckState.Checked)
        assert dialog.import_button.text() == "Import 2 servers"
        press(dialog.import_button)
        assert "git, demo (2): added, disabled, from" in dialog.said.text()
        assert str(home / ".cursor" / "mcp.json") in dialog.said.text()
        assert bench.server("git").status.state is State.DISABLED
        kept = ServersFile(bench.servers_file).read().entries
        assert [(entry.name, entry.disabled) for entry in kept] == [("git", True), ("demo (2)", True)]
        assert dict(kept[0].env) == {"GITHUB_TOKEN": SECRET}
        await until(lambda: not dialog.chosen, what="the new look")
        dialog.close()


async def test_own_servers_are_exported_with_a_backup(home: Path) -> None:
    async with opened() as bench:
        bench.window.commands.run("others")
        (dialog,) = bench.window.findChildren(OthersDialog)
        found = await shown(dialog)
        assert not dialog.export_button.isEnabled(), "there is nothing to write"
        found["git"].setCheckState(0, Qt.CheckState.Checked)
        press(dialog.import_button)
        await until(lambda: dialog.export_button.isEnabled(), what="a server of one's own")
        action = next(action for action in dialog.menu.actions() if action.text().startswith("Cursor: ~"))
        action.trigger()
        await until(lambda: 'already has a server "git"' in dialog.said.text(), what="the refusal")
        dialog.replace_known.setChecked(True)
        action = next(action for action in dialog.menu.actions() if action.text().startswith("Cursor: ~"))
        action.trigger()
        await until(lambda: "1 server written to" in dialog.said.text(), what="the export")
        (backup,) = (home / ".cursor").glob("mcp.json.backup-*")
        assert "disabled" not in backup.read_text()
        after = json.loads((home / ".cursor" / "mcp.json").read_text())["mcpServers"]
        assert after["git"]["disabled"] is True
        assert after["demo"]["url"] == "https://example.com/mcp"
        action = next(action for action in dialog.menu.actions() if action.text().startswith("LM Studio"))
        assert "(new)" in action.text()
        dialog.close()
