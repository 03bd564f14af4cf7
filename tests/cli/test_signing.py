"""login, logout and secret: signing in without a window, with what is kept for the other commands."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from mcp_inspector.cli.exits import Exit
from tests.peers.auth_server import AuthPeer, GuardedPeer, Knobs

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = [pytest.mark.peer, pytest.mark.timeout(60)]

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def guarded() -> Iterator[GuardedPeer]:
    auth = AuthPeer(Knobs())
    peer = GuardedPeer(auth)
    yield peer
    peer.close()
    auth.close()


class Shell:
    """Runs the program in processes of its own, with one home and no keyring."""

    def __init__(self, home: Path, **more: str) -> None:
        self.home = home
        kept = {name: value for name, value in os.environ.items() if not name.startswith("MCP_INSPECTOR")}
        self.env = {**kept, "MCP_INSPECTOR_HOME": str(home), "MCP_INSPECTOR_SECRETS": "file", **more}

    def start(self, *words: str) -> subprocess.Popen[str]:
        """Start a command."""
        pipes: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        command = [sys.executable, "-m", "mcp_inspector", *words]
        return subprocess.Popen(command, cwd=ROOT, env=self.env, text=True, **pipes)

    def run(self, *words: str, stdin: str = "") -> tuple[int, str, str]:
        """Run a command to its end."""
        with self.start(*words) as process:
            out, err = process.communicate(stdin, timeout=30)
        return process.returncode, out, err

    @property
    def secrets(self) -> Path:
        """The file of secrets."""
        return self.home / "config" / "secrets.json"


def log_in(shell: Shell, *words: str) -> tuple[int, str, str]:
    """Log in, and go where it says."""
    with shell.start("login", *words) as process:
        assert process.stderr is not None
        said = ""
        for line in process.stderr:
            said += line
            if line.strip().startswith("http"):
                with urllib.request.urlopen(line.strip(), timeout=20) as page:
                    assert "Signed in" in page.read().decode()
        out = process.stdout.read() if process.stdout is not None else ""
    return process.returncode, out, said


@pytest.mark.parametrize("passphrase", ["", "open sesame"])
def test_login_list_and_logout(guarded: GuardedPeer, tmp_path: Path, passphrase: str) -> None:
    """The token is kept in a file of its owner alone, encrypted where there is a passphrase, and never shown."""
    shell = Shell(tmp_path, MCP_INSPECTOR_PASSPHRASE=passphrase)
    code, _, said = shell.run("list", guarded.url)
    assert code == Exit.CONNECTION
    assert f"mcp-inspector login {guarded.url}" in said
    code, out, said = log_in(shell, guarded.url, "--json", "--steps")
    assert code == Exit.OK
    told = json.loads(out)
    assert told["issuer"] == guarded.auth.issuer
    assert ("encrypted with your passphrase" in told["kept"]) == bool(passphrase)
    assert "by the rule: " in said
    token = guarded.auth.provider.tokens[0].given["access_token"]
    assert token not in out + said
    assert stat.S_IMODE(shell.secrets.stat().st_mode) == 0o600
    assert (token in shell.secrets.read_text()) == (not passphrase)
    code, out, said = shell.run("list", guarded.url)
    assert (code, out.splitlines()[:2]) == (Exit.OK, ["Tools (1)", "  greet"])
    code, out, _ = shell.run("call", guarded.url, "greet")
    assert (code, out) == (Exit.OK, "hello\n")
    code, _, said = shell.run("logout", guarded.url, "--forget-client")
    assert code == Exit.OK
    assert "revoked there" in said
    assert guarded.auth.provider.tokens[0].revoked
    assert json.loads(shell.secrets.read_text()) == {}
    assert shell.run("list", guarded.url)[0] == Exit.CONNECTION


def test_with_another_passphrase_it_is_not_read(guarded: GuardedPeer, tmp_path: Path) -> None:
    assert log_in(Shell(tmp_path, MCP_INSPECTOR_PASSPHRASE="one"), guarded.url)[0] == Exit.OK
    assert Shell(tmp_path, MCP_INSPECTOR_PASSPHRASE="two").run("list", guarded.url)[0] == Exit.CONNECTION
    assert Shell(tmp_path, MCP_INSPECTOR_PASSPHRASE="one").run("list", guarded.url)[0] == Exit.OK


def test_a_machine_logs_in_without_a_browser(guarded: GuardedPeer, tmp_path: Path) -> None:
    shell = Shell(tmp_path)
    assert log_in(shell, guarded.url)[0] == Exit.OK
    ours = next(iter(guarded.auth.provider.clients.values()))
    ours.metadata["token_endpoint_auth_method"] = "client_secret_basic"
    machine = Shell(tmp_path / "machine", MCP_INSPECTOR_CLIENT_SECRET=ours.secret)
    code, out, said = machine.run("login", guarded.url, "--grant", "client_credentials", "--client-id", ours.client_id)
    assert (code, out) == (Exit.OK, "")
    assert "authorize" not in said
    assert guarded.auth.at("/token")[-1].form["grant_type"] == "client_credentials"


def test_login_says_why_it_failed(guarded: GuardedPeer, tmp_path: Path) -> None:
    guarded.knobs.metadata["code_challenge_methods_supported"] = ["plain"]
    code, out, said = Shell(tmp_path).run("login", guarded.url, "--json")
    assert code == Exit.CONNECTION
    assert "only by plain" in said
    assert "S256" in json.loads(out)["error"]["hint"]


def test_a_secret_of_a_servers_file(guarded: GuardedPeer, tmp_path: Path) -> None:
    """It is named in the file, given on stdin, and sent; and where it is not kept, nothing is."""
    shell = Shell(tmp_path)
    entry = {"url": guarded.url, "headers": {"X-Api-Key": "${secret:notes}"}}
    (tmp_path / "config").mkdir(parents=True)
    (tmp_path / "config" / "servers.json").write_text(json.dumps({"mcpServers": {"notes": entry}}))
    code, _, said = shell.run("list", "notes")
    assert code == Exit.USAGE
    assert "mcp-inspector secret secret:notes" in said
    assert guarded.seen == []
    code, _, said = shell.run("secret", "secret:notes", stdin="s3cret-value\n")
    assert code == Exit.OK
    assert "s3cret" not in said
    shell.run("list", "notes")
    assert guarded.seen[0].headers["x-api-key"] == "s3cret-value"
    assert shell.run("secret", "notes")[0] == Exit.USAGE
