"""Servers of other applications: every known file in its own shape, taken over, and ours written back with a backup."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from mcp_inspector.__main__ import main
from mcp_inspector.config import others
from mcp_inspector.config.entry import ServerEntry
from mcp_inspector.config.safe_write import EditRefused
from mcp_inspector.config.servers_file import ServersFile

ONE = {"command": "one", "args": ["-y"]}
FILES = {
    ("evo agent", "{project}/.evo_agent/mcp.json"): json.dumps({"mcpServers": {"evo": ONE}}),
    ("Claude Desktop", "~/.config/Claude/claude_desktop_config.json"): json.dumps({"mcpServers": {"desktop": ONE}}),
    ("Claude Code", "~/.claude.json"): json.dumps(
        {"numStartups": 7, "mcpServers": {"user": ONE}, "projects": {"/a": {"mcpServers": {"local": ONE}}, "/b": {}}}
    ),
    ("Cursor", "~/.cursor/mcp.json"): json.dumps({"mcpServers": {"cursor": {"url": "https://example.com/mcp"}}}),
    ("VS Code", "{project}/.vscode/mcp.json"): """{
        // with comments
        "inputs": [{"id": "key", "type": "promptString", "password": true}],
        "servers": {"code": {"type": "http", "url": "https://example.com/mcp", "headers": {"X-Key": "${input:key}"}}},
    }""",
    ("Windsurf", "~/.codeium/windsurf/mcp_config.json"): json.dumps(
        {"mcpServers": {"surf": {"serverUrl": "https://e.com"}}}
    ),
    ("Codex", "~/.codex/config.toml"): 'model = "x"\n[mcp_servers.codex]\ncommand = "one"\nargs = ["-y"]\n',
    ("Gemini CLI", "~/.gemini/settings.json"): json.dumps(
        {"theme": "x", "mcpServers": {"gem": {"httpUrl": "https://e.com"}}}
    ),
    ("Zed", "~/.config/zed/settings.json"): '{"theme": "x", /* c */ "context_servers": {"zed": {"command": "one"}}}',
    ("LM Studio", "~/.lmstudio/mcp.json"): json.dumps({"mcpServers": {"lm": ONE}}),
}
SERVER_JSON = {
    "name": "io.github.example/weather",
    "description": "Weather.",
    "version": "1.2.0",
    "remotes": [
        {
            "type": "streamable-http",
            "url": "https://example.com/mcp",
            "headers": [{"name": "X-Key", "isRequired": True}],
        },
        {"type": "carrier-pigeon", "url": "coop"},
    ],
    "packages": [
        {
            "registryType": "npm",
            "identifier": "@example/weather",
            "version": "1.2.0",
            "transport": {"type": "stdio"},
            "packageArguments": [
                {"type": "named", "name": "--units", "value": "si"},
                {"type": "positional", "value": "x"},
            ],
            "environmentVariables": [{"name": "API_KEY", "isRequired": True, "isSecret": True}, {"name": "OPTIONAL"}],
        },
        {"registryType": "pypi", "identifier": "weather", "version": "1.2.0"},
        {
            "registryType": "oci",
            "identifier": "docker.io/example/weather:1.2.0",
            "environmentVariables": [{"name": "K", "default": "v"}],
        },
        {"registryType": "mcpb", "identifier": "https://example.com/x.mcpb"},
    ],
}


@pytest.fixture
def computer(tmp_path: Path) -> dict[str, object]:
    """A home and a project with a file of every application."""
    home, project = tmp_path / "home", tmp_path / "project"
    for (_, place), text in FILES.items():
        path = Path(place.replace("~", str(home)).replace("{project}", str(project)))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return {"project": project, "home": home, "environ": {}, "system": "linux"}


def test_every_application_is_read_as_it_stands(computer: dict[str, object]) -> None:
    found = others.find(**computer)  # type: ignore[arg-type]  # keyword arguments by name
    by_name = {entry.name: (one.application, entry) for one in found for entry in one.entries}
    wanted = {"evo", "desktop", "user", "local", "cursor", "code", "surf", "codex", "gem", "zed", "lm"}
    assert set(by_name) == wanted
    assert not [one.problems for one in found if one.problems]
    assert not [entry.problems for _, entry in by_name.values() if entry.problems]
    assert by_name["codex"][1].args == ("-y",)
    assert by_name["code"][1].headers == {"X-Key": "${input:key}"}
    assert by_name["local"][1].origin.endswith("(/a)")
    assert {application for application, _ in by_name.values()} == {application for application, _ in FILES}


def test_a_file_that_is_broken_or_not_ours_is_told_or_left_alone(computer: dict[str, object], tmp_path: Path) -> None:
    home = tmp_path / "home"
    (home / ".cursor" / "mcp.json").write_text("{")
    (home / ".gemini" / "settings.json").write_text('{"theme": "x"}')
    found = {one.application: one for one in others.find(**computer)}  # type: ignore[arg-type]  # as above
    assert "cannot be read" in found["Cursor"].problems[0]
    assert "Gemini CLI" not in found


def test_a_registrys_server_json(tmp_path: Path) -> None:
    path = tmp_path / "server.json"
    path.write_text(json.dumps(SERVER_JSON))
    found = others.read("registry", path)
    assert found is not None
    remote, npm, pypi, oci = found.entries
    assert (remote.transport, remote.url, remote.headers) == (
        "http",
        "https://example.com/mcp",
        {"X-Key": "${input:X-Key}"},
    )
    assert (npm.command, npm.args) == ("npx", ("-y", "@example/weather@1.2.0", "--units", "si", "x"))
    assert npm.env == {"API_KEY": "${input:API_KEY}"}
    assert (pypi.command, pypi.args) == ("uvx", ("weather==1.2.0",))
    assert (oci.command, oci.args) == (
        "docker",
        ("run", "-i", "--rm", "-e", "K", "docker.io/example/weather:1.2.0"),
    )
    assert len({entry.name for entry in found.entries}) == 4
    assert len(found.problems) == 2
    path.write_text('{"name": "x", "version": 1}')
    assert others.read("registry", path) is None


@pytest.mark.parametrize(
    ("system", "environ", "place"),
    [
        ("darwin", {}, "Library/Application Support/Claude/claude_desktop_config.json"),
        ("win32", {}, "AppData/Roaming/Claude/claude_desktop_config.json"),
        ("linux", {"XDG_CONFIG_HOME": "{home}/cfg"}, "cfg/Claude/claude_desktop_config.json"),
    ],
)
def test_places_follow_the_system(tmp_path: Path, system: str, environ: dict[str, str], place: str) -> None:
    environ = {name: value.replace("{home}", str(tmp_path)) for name, value in environ.items()}
    paths = dict(others.candidates(tmp_path, tmp_path, environ, system))
    assert paths["Claude Desktop"] == tmp_path / place


def test_export_keeps_the_file_and_a_backup(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_text('{\n  // mine\n  "theme": "x",\n  "mcpServers": {"old": {"command": "a"}}\n}\n')
    before = path.read_text()
    mine = ServerEntry("new", command="b", args=("c",))
    backup = others.export(path, [mine])
    assert backup is not None
    assert backup.read_text() == before
    assert "// mine" in path.read_text()
    assert [entry.name for entry in ServersFile(path).read().entries] == ["old", "new"]
    with pytest.raises(EditRefused, match="already has"):
        others.export(path, [mine])
    others.export(path, [replace(mine, command="d")], replace=True)
    known = ServersFile(path).read().get("new")
    assert known is not None
    assert known.command == "d"
    assert others.export(tmp_path / "fresh.json", [mine]) is None
    with pytest.raises(EditRefused, match="TOML"):
        others.export(tmp_path / "config.toml", [mine])


def test_the_command_line_shows_takes_and_exports(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    home, project = tmp_path / "home", tmp_path / "project"
    (project / ".evo_agent").mkdir(parents=True)
    (home / ".cursor").mkdir(parents=True)
    evo = {"command": "x", "env": {"API_KEY": "s3cret"}}
    (project / ".evo_agent" / "mcp.json").write_text(json.dumps({"mcpServers": {"evo": evo}}))
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("MCP_INSPECTOR_HOME", str(tmp_path / "ours"))
    monkeypatch.chdir(project)
    assert main(["others"]) == 0
    out = capfd.readouterr().out
    assert "evo agent" in out
    assert main(["others", "--json"]) == 0
    out = capfd.readouterr().out
    assert json.loads(out)[0]["servers"][0]["name"] == "evo"
    assert "s3cret" not in out
    assert main(["others", "--take", "evo"]) == 0
    taken = ServersFile(tmp_path / "ours" / "config" / "servers.json").read().get("evo")
    assert taken is not None
    assert taken.disabled
    assert taken.env == {"API_KEY": "s3cret"}
    assert main(["others", "--export", str(home / ".cursor" / "mcp.json")]) == 0
    assert ServersFile(home / ".cursor" / "mcp.json").read().get("evo") is not None
    assert main(["others", "nix"]) == 2
    assert main(["others", "--take", "nix"]) == 2
