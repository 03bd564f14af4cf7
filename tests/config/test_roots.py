"""Roots of a server in its file: read tolerantly, written back with the fewest changes."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from mcp_inspector.config import sources
from mcp_inspector.config.entry import Root, ServerEntry
from mcp_inspector.config.entry_reader import read_entry
from mcp_inspector.config.entry_writer import GONE, changes, members

if TYPE_CHECKING:
    from pathlib import Path


def test_roots_are_objects_or_uris() -> None:
    entry = read_entry("x", {"command": "c", "roots": [{"uri": "file:///a", "name": "A", "more": 1}, "file:///b"]})
    assert entry.roots == (Root("file:///a", "A"), Root("file:///b"))
    assert entry.problems == ()


@pytest.mark.parametrize(
    ("value", "kept", "word"),
    [
        ("file:///a", 0, "not a list"),
        ([3, {"name": "n"}, {"uri": "file:///a", "name": 4}], 0, "roots[2]"),
        (["https://x/"], 1, "begin with file:"),
    ],
)
def test_odd_roots_are_said_and_never_keep_a_server_from_starting(value: Any, kept: int, word: str) -> None:
    entry = read_entry("x", {"command": "c", "roots": value})
    assert len(entry.roots) == kept
    assert not entry.fatal
    assert word in " ".join(entry.problems)


def test_roots_are_written_and_taken_out_again() -> None:
    before = ServerEntry("x", command="c")
    after = replace(before, roots=(Root("file:///a", "A"), Root("file:///b")))
    written = [{"uri": "file:///a", "name": "A"}, {"uri": "file:///b"}]
    assert members(after)["roots"] == written
    assert changes({"command": "c"}, before, after) == [(("roots",), written)]
    assert changes({"command": "c", "roots": written}, after, before) == [(("roots",), GONE)]
    assert "roots" not in members(before)


def test_a_file_keeps_all_else(tmp_path: Path) -> None:
    file = tmp_path / "servers.json"
    file.write_text('{"mcpServers": {"x": {"command": "c" /* mine */, "args": [8080]}}}')
    servers = sources.load(None, [], file)
    before = servers.get("x")
    assert before is not None
    servers.update("x", before, replace(before, roots=(Root("file:///a"),)))
    text = file.read_text()
    assert "/* mine */" in text
    assert json.loads(text.replace("/* mine */", ""))["mcpServers"]["x"] == {
        "command": "c",
        "args": [8080],
        "roots": [{"uri": "file:///a"}],
    }
    assert sources.load(None, [], file).get("x").roots == (Root("file:///a"),)  # type: ignore[union-attr]  # it is there
