"""All servers together: origins, collisions, and changes from outside."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from mcp_inspector.config.entry import ServerEntry
from mcp_inspector.config.servers_file import EditRefused, ServersFile
from mcp_inspector.config.sources import ServerList, load

if TYPE_CHECKING:
    from pathlib import Path

OWN = '{"mcpServers": {"a": {"command": "own-a"}, "b": {"command": "own-b"}}}'
OPENED = '{"mcpServers": {"a": {"command": "opened-a"}, "c": {"command": "opened-c"}}}'


@pytest.fixture
def own(tmp_path: Path) -> Path:
    path = tmp_path / "config" / "servers.json"
    path.parent.mkdir()
    path.write_text(OWN)
    return path


@pytest.fixture
def opened(tmp_path: Path) -> Path:
    path = tmp_path / "project.json"
    path.write_text(OPENED)
    return path


def names(servers: ServerList) -> list[str]:
    return [entry.name for entry in servers.entries]


def settle(path: Path, seconds: int = 60) -> None:
    """Make a file look as if it had been written a while ago, so that its stat alone is trusted."""
    found = path.stat()
    os.utime(path, ns=(found.st_atime_ns, found.st_mtime_ns - seconds * 10**9))


def test_names_that_collide_are_kept_apart_and_said(own: Path, opened: Path) -> None:
    servers = load(opened, [ServerEntry("b", command="typed", origin="command line")], own)
    assert names(servers) == ["b", "a", "c", "a (servers)", "b (servers)"]
    assert [entry.command for entry in servers.entries] == ["typed", "opened-a", "opened-c", "own-a", "own-b"]
    assert len(servers.problems) == 2
    assert 'shown as "a (servers)"' in servers.problems[0]
    assert "command line" in servers.problems[1]
    assert [entry.origin for entry in servers.entries] == [
        "command line", str(opened), str(opened), str(own), str(own)
    ]  # fmt: skip


def test_edits_go_to_the_file_the_server_stands_in(own: Path, opened: Path) -> None:
    servers = load(opened, (), own)
    servers.set_disabled("a (servers)", True)
    assert '"command": "own-a", "disabled": true' in own.read_text()
    assert opened.read_text() == OPENED
    before = servers.get("a (servers)")
    assert before is not None
    servers.update("a (servers)", before, replace(before, command="x"))
    assert names(servers) == ["a", "c", "a (servers)", "b"]
    servers.rename("a (servers)", "z")
    assert names(servers) == ["a", "c", "z", "b"]
    assert servers.problems == ()
    servers.remove("c")
    servers.add(ServerEntry("new", command="n"))
    assert names(servers) == ["a", "z", "b", "new"]
    assert [item.name for item in ServersFile(own).read().entries] == ["z", "b", "new"]
    with pytest.raises(EditRefused, match='"b" already'):
        servers.rename("a", "b")
    with pytest.raises(EditRefused, match='"b" already'):
        servers.add(ServerEntry("b", command="n"))
    with pytest.raises(EditRefused, match="any more"):
        servers.remove("gone")


def test_a_server_of_the_command_line_is_kept_in_memory_until_it_is_saved(own: Path) -> None:
    typed = ServerEntry("typed", command="x", origin="command line")
    servers = load(None, [typed], own)
    servers.set_disabled("typed", True)
    assert servers.entries[0].disabled
    assert own.read_text() == OWN
    servers.add(typed)
    assert names(servers) == ["a", "b", "typed"]
    assert servers.entries[-1].origin == str(own)


def test_cfg_14_a_change_from_outside_is_seen_once(own: Path) -> None:
    """CFG-14: rename-replace and writing in place."""
    servers = load(None, (), own)
    assert not servers.poll()
    other = own.with_name("other")
    other.write_text(OWN.replace("own-b", "changed"))
    other.replace(own)
    assert servers.poll()
    assert servers.entries[1].command == "changed"
    assert not servers.poll()
    own.write_text(OWN)
    assert servers.poll()
    assert servers.entries[1].command == "own-b"
    assert not servers.poll()


def test_cfg_14_a_change_in_the_same_moment_and_of_the_same_size_is_seen(own: Path) -> None:
    """CFG-14: also when the stat of the file stays the same, shortly after it was written."""
    servers = load(None, (), own)
    before = own.stat()
    with own.open("r+") as file:
        file.write(OWN.replace("own-b", "own-c"))
    os.utime(own, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert servers.poll()
    assert servers.entries[1].command == "own-c"


def test_a_look_at_a_quiet_file_does_not_read_it(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settle(own)
    servers = load(None, (), own)

    def read(self: ServersFile) -> bytes:
        raise AssertionError("read although its stat is the same")

    monkeypatch.setattr(ServersFile, "_bytes", read)
    assert not servers.poll()


def test_cfg_14_a_half_written_file_keeps_the_servers(own: Path) -> None:
    """CFG-14, CFG-01: a slow write in two steps never empties the list."""
    servers = load(None, (), own)
    own.write_text("")
    assert not servers.poll()
    assert names(servers) == ["a", "b"]
    own.write_text(OWN[:40])
    assert servers.poll()
    assert names(servers) == ["a", "b"]
    assert "line 1, column" in servers.problems[0]
    assert "as they were before" in servers.problems[0]
    assert not servers.poll()
    own.write_text(OWN.replace('"b"', '"d"'))
    assert servers.poll()
    assert names(servers) == ["a", "d"]
    assert servers.problems == ()


def test_a_file_that_stays_gone_is_believed(own: Path) -> None:
    servers = load(None, (), own)
    own.unlink()
    assert not servers.poll()
    assert names(servers) == ["a", "b"]
    assert servers.poll()
    assert names(servers) == []
    own.write_text(OWN)
    assert servers.poll()
    assert names(servers) == ["a", "b"]


def test_a_file_that_is_back_at_once_was_never_gone(own: Path) -> None:
    servers = load(None, (), own)
    own.unlink()
    assert not servers.poll()
    own.write_text(OWN)
    assert not servers.poll()
    assert names(servers) == ["a", "b"]


def test_a_file_that_is_unreadable_from_the_start_is_said(own: Path, opened: Path) -> None:
    own.write_text("{")
    servers = load(opened, (), own)
    assert names(servers) == ["a", "c"]
    assert str(own) in servers.problems[0]
    with pytest.raises(EditRefused):
        servers.add(ServerEntry("new", command="x"))
    assert own.read_text() == "{"


def test_a_missing_file_is_said_only_when_it_was_asked_for(own: Path, tmp_path: Path) -> None:
    assert load(tmp_path / "none.json", (), own).problems[0].startswith(f"{tmp_path / 'none.json'} does not exist")
    assert load(None, (), tmp_path / "none.json").problems == ()


def test_the_same_file_twice_is_one(own: Path) -> None:
    assert names(load(own, (), own)) == ["a", "b"]


def test_edits_see_what_another_program_did_meanwhile(own: Path) -> None:
    """CFG-17: our stale view does not overwrite."""
    servers = load(None, (), own)
    ServersFile(own).add(ServerEntry("theirs", command="x"))
    servers.set_disabled("a", True)
    assert names(servers) == ["a", "b", "theirs"]


def test_a_file_opened_later_gives_its_servers_and_takes_no_name_away(tmp_path: Path) -> None:
    own, other = tmp_path / "servers.json", tmp_path / "other.json"
    own.write_text('{"mcpServers": {"a": {"command": "one"}}}')
    other.write_text('{"mcpServers": {"a": {"command": "two"}, "b": {"command": "three"}}}')
    servers = load(None, (), own)
    assert servers.open(other) == 2
    assert [(entry.name, entry.command) for entry in servers.entries] == [
        ("a", "one"),
        ("a (other)", "two"),
        ("b", "three"),
    ]
    assert servers.files == ((own, 1), (other, 2))
    assert servers.own.path == own
    servers.add(ServerEntry("c", command="four"))
    assert '"c"' in own.read_text()
    with pytest.raises(EditRefused, match="open already"):
        servers.open(other)
    servers.close(other)
    assert [entry.name for entry in servers.entries] == ["a", "c"]
    servers.close(own)
    assert servers.files == ((own, 2),)


@pytest.mark.parametrize(("text", "words"), [(None, "does not exist"), ("{", "other.json")])
def test_a_file_that_cannot_be_read_is_not_opened(tmp_path: Path, text: str | None, words: str) -> None:
    other = tmp_path / "other.json"
    if text is not None:
        other.write_text(text)
    servers = load(None, (), tmp_path / "servers.json")
    with pytest.raises(EditRefused, match=words) as refused:
        servers.open(other)
    assert str(other) in str(refused.value)
    assert len(servers.files) == 1
