"""Values that an entry only names are asked for at connect, and kept only when the person says so."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtWidgets import QComboBox, QLineEdit

from mcp_inspector.config.secret_file import SecretFile
from mcp_inspector.config.vault import Vault
from mcp_inspector.session.status import State
from mcp_inspector.ui.views.values_dialog import ValuesDialog
from tests.ui.bench import Bench, opened, press, until, write

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytestmark = pytest.mark.anyio


def write_file(bench: Bench, peer: Any) -> None:
    """A servers file in VS Code's words, with two inputs."""
    inputs = [
        {"id": "key", "type": "promptString", "description": "Your key\nfor the notes", "password": True},
        {"id": "zone", "type": "pickString", "options": ["eu", {"label": "US", "value": "us"}], "default": "us"},
    ]
    env = {"KEY": "${input:key}", "ZONE": "${input:zone}"}
    servers = {"one": {"command": peer.command, "args": [*peer.args], "env": env, "reconnect": 0}}
    bench.servers_file.write_text(json.dumps({"inputs": inputs, "servers": servers}))
    bench.book.poll()


async def asked(bench: Bench) -> ValuesDialog:
    """The dialog, once it is there."""
    return await until(lambda: bench.window.findChild(ValuesDialog), what="to be asked")


async def test_inputs_are_asked_for_at_connect_and_kept_when_the_person_says_so(
    rude: Callable[..., Any], tmp_path: Path
) -> None:
    vault = Vault(SecretFile(tmp_path / "secrets.json"), keyring=False)
    async with opened(vault=vault) as bench:
        write_file(bench, rude())
        server = await until(lambda: bench.inspector.find("one"))
        await bench.still()
        bench.window.server_actions.run("connect", "one")
        dialog = await asked(bench)
        assert server.status.state is State.IDLE  # nothing has been started
        key, zone = dialog.fields["input:key"], dialog.fields["input:zone"]
        assert isinstance(key, QLineEdit)
        assert key.echoMode() is QLineEdit.EchoMode.Password
        assert isinstance(zone, QComboBox)
        assert [zone.itemData(at) for at in range(zone.count())] == ["eu", "us"]
        assert zone.currentData() == "us"
        assert not dialog.ok.isEnabled()
        await until(lambda: "secrets.json" in dialog.where.text(), what="the place to be said")
        write(key, "k-12345")
        assert not dialog.keep.isChecked()  # it is the person's word
        dialog.keep.click()
        press(dialog.ok)
        await until(lambda: server.status.up, what="the server to be connected")
        environment = server.connected_entry.env if server.connected_entry is not None else {}
        assert environment["KEY"] == "${input:key}"  # what is configured never holds the value
        assert "k-12345" not in bench.servers_file.read_text()
    again = Vault(SecretFile(tmp_path / "secrets.json"), keyring=False)
    assert (again.get("input:key"), again.get("input:zone")) == ("k-12345", "us")


async def test_for_this_run_only_and_from_the_card(rude: Callable[..., Any], tmp_path: Path) -> None:
    vault = Vault(SecretFile(tmp_path / "secrets.json"), keyring=False)
    async with opened(vault=vault) as bench:
        write_file(bench, rude())
        server = await until(lambda: bench.inspector.find("one"))
        await bench.still()
        server.connect()  # as at the start of the program, where nobody asked for anything
        await server.settled()
        assert server.status.state is State.FAILED
        bench.window.desk.choose("one")
        bench.window.area.show_page("tools")
        await bench.still()
        button = bench.window.area.card.buttons["connect"]
        assert button.text() == "Enter values…"
        press(button)
        dialog = await asked(bench)
        write(dialog.fields["input:key"], "k-67890")
        press(dialog.ok)
        await until(lambda: server.status.up, what="the server to be connected")
        bench.window.server_actions.run("restart", "one")  # it is known now
        await until(lambda: server.connection == 3 and server.status.up, what="the second connection")
        assert bench.window.findChild(ValuesDialog) is None
    assert not (tmp_path / "secrets.json").exists()
    assert vault.get("input:key") == "k-67890"
