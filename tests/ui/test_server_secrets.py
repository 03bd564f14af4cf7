"""Values of headers and variables go to the vault from the server form, and can be taken back."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from mcp_inspector.config.secret_file import SecretFile
from mcp_inspector.config.vault import Vault
from mcp_inspector.ui.models.secret_values import item_for, plain_values, restored
from tests.ui.bench import Bench, opened, press, until

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from mcp_inspector.ui.views.server_dialog import ServerDialog

pytestmark = pytest.mark.anyio

HELD = {"url": "https://h.example/mcp", "headers": {"Authorization": "Bearer abc123def456", "X-Zone": "eu"}}


async def edited(bench: Bench, held: dict[str, Any]) -> ServerDialog:
    bench.servers_file.write_text(json.dumps({"mcpServers": {"one": held}}))
    bench.book.poll()
    await until(lambda: bench.inspector.find("one"))
    await bench.still()
    dialog = bench.window.server_actions.edit("one")
    assert dialog is not None
    await bench.still()
    return dialog


def saved(bench: Bench) -> Any:
    return json.loads(bench.servers_file.read_text())["mcpServers"]["one"]


def test_what_stands_in_plain_text_is_found_and_named() -> None:
    found = plain_values({**HELD, "env": {"A": "${B}", "API_KEY": "k", "C": "sk-" + "x" * 30}})
    assert [(one.path, one.prefix, one.looks_secret) for one in found] == [
        (("env", "API_KEY"), "", True),
        (("env", "C"), "", True),
        (("headers", "Authorization"), "Bearer ", True),
        (("headers", "X-Zone"), "", False),
    ]
    assert "abc123" not in repr(found)
    assert item_for("one", "A", ()) == "one/A"
    assert item_for("one", "A", {"one/A"}) == "one/A-2"
    assert item_for("ä b", "A", ()) != item_for("ö b", "A", ())
    assert restored({"a": ["x ${secret:one/A}"]}, {"one/A": "v"}) == {"a": ["x v"]}


async def test_a_value_that_looks_secret_is_offered_kept_and_named_in_the_file(tmp_path: Path) -> None:
    vault = Vault(SecretFile(tmp_path / "secrets.json"), keyring=False)
    async with opened(vault=vault) as bench:
        dialog = await edited(bench, HELD)
        strip = dialog.fields.secrets
        assert strip.text() == "Authorization looks secret and stands in the file in plain text"
        press(strip._button)
        await bench.still()
        assert '"Bearer ${secret:one/Authorization}"' in dialog.fields.document.text
        await until(lambda: "secrets.json" in strip.text(), what="the place to be said")
        press(strip._button)  # Undo: nothing was kept yet
        await bench.still()
        assert dialog.fields.document.value(("headers", "Authorization")) == HELD["headers"]["Authorization"]  # type: ignore[index]
        press(strip._button)
        press(dialog.save_button)
        await until(lambda: "secret:" in bench.servers_file.read_text(), what="the file to name it")
        assert saved(bench)["headers"] == {"Authorization": "Bearer ${secret:one/Authorization}", "X-Zone": "eu"}
        assert vault.get("one/Authorization") == "abc123def456"
        notice = next(one for one in bench.window.desk.notices.open if one.key == "secrets:one")
        assert "secrets.json" in notice.sentence
        notice.actions[0].run()
        assert saved(bench) == HELD
        await until(lambda: not vault.get("one/Authorization"), what="the vault to forget it")


async def test_any_value_can_be_marked_and_the_server_gets_it(rude: Callable[..., Any]) -> None:
    peer = rude()
    vault = Vault(keyring=False)
    async with opened(vault=vault) as bench:
        held = {"command": peer.command, "args": [*peer.args], "env": {"PLAIN": "v-1"}, "reconnect": 0}
        dialog = await edited(bench, held)
        strip = dialog.fields.secrets
        assert strip.text() == ""  # nothing looks secret
        strip._fill_menu()
        (action,) = strip._menu.actions()
        assert action.text() == "PLAIN (variable)"
        action.trigger()
        await bench.still()
        press(dialog.connect_button)
        server = bench.server("one")
        await until(lambda: server.status.up, what="the server to be connected")
        assert saved(bench)["env"] == {"PLAIN": "${secret:one/PLAIN}"}
        assert vault.get("one/PLAIN") == "v-1"
        assert "in memory only" in next(one for one in bench.window.desk.notices.open if "secret" in one.key).sentence
