"""What the window remembers: only what it can use, for its owner alone, and never at the cost of the start."""

from __future__ import annotations

import json
import os
import stat
import sys
from typing import TYPE_CHECKING, Any

import pytest

from mcp_inspector.ui.memory import Memory
from mcp_inspector.ui.models.drafts import KEPT, LONGEST_KEPT, Draft, Drafts

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def _app(qapp: Any) -> None:
    """Timers need an application."""


def test_values_come_back_with_their_types_only(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "window.json"
    memory = Memory(path)
    memory.put("page", "tools")
    memory.put("sizes", [1, 2])
    memory.put_bytes("geometry", b"\x00\xff")
    memory.save()
    again = Memory(path)
    assert again.get("page", "") == "tools"
    assert again.get("sizes", [0]) == [1, 2]
    assert again.get("page", 5) == 5
    assert again.get("missing", default=True) is True
    assert again.get_bytes("geometry") == b"\x00\xff"
    assert again.get_bytes("page") == b""


@pytest.mark.skipif(sys.platform == "win32", reason="modes are POSIX")
def test_only_the_owner_may_read_it(tmp_path: Path) -> None:
    path = tmp_path / "window.json"
    memory = Memory(path)
    memory.put("draft", "secret")
    memory.save()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize("text", ["", "[1]", "{broken", "\x00", '{"a": ' * 10_000, "nul"])
def test_an_unusable_file_costs_the_memory_and_not_the_start(tmp_path: Path, text: str) -> None:
    path = tmp_path / "window.json"
    path.write_text(text)
    memory = Memory(path)
    assert memory.get("page", "tools") == "tools"


@pytest.mark.skipif(os.geteuid() == 0 if hasattr(os, "geteuid") else True, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    folder = tmp_path / "closed"
    folder.mkdir(mode=0o500)
    memory = Memory(folder / "window.json")
    memory.put("a", 1)
    memory.save()
    assert "cannot be saved" in memory.problem


def test_a_failed_write_leaves_the_old_file_and_no_rest(tmp_path: Path) -> None:
    path = tmp_path / "window.json"
    path.mkdir()  # in the file's place: replacing it must fail
    memory = Memory(path)
    memory.put("a", 1)
    memory.save()
    assert memory.problem
    assert [entry.name for entry in tmp_path.glob("window*")] == ["window.json"]


def test_drafts_come_back_newest_kept_longest_left_out(tmp_path: Path) -> None:
    path = tmp_path / "window.json"
    drafts = Drafts(memory := Memory(path))
    for number in range(KEPT + 5):
        drafts.put(("s", "tools", str(number)), Draft(f'{{"n": {number}}}', "mark"))
    drafts.put(("s", "tools", "long"), Draft("x" * (LONGEST_KEPT + 1)))
    drafts.put(("s", "tools", "odd"), Draft("\ud800 half"))
    memory.save()
    again = Drafts(Memory(path))
    assert again.get(("s", "tools", str(KEPT + 4))) == Draft(f'{{"n": {KEPT + 4}}}', "mark")
    assert again.get(("s", "tools", "0")) is None
    assert again.get(("s", "tools", "long")) is None
    assert drafts.get(("s", "tools", "long")) is not None
    assert again.get(("s", "tools", "odd")) == Draft("\ud800 half")


def test_a_renamed_server_keeps_its_drafts(tmp_path: Path) -> None:
    drafts = Drafts(Memory(tmp_path / "window.json"))
    drafts.put(("old", "tools", "echo"), Draft("{}"))
    drafts.rename("old", "new")
    assert drafts.get(("new", "tools", "echo")) == Draft("{}")
    assert drafts.get(("old", "tools", "echo")) is None


def test_junk_among_the_drafts_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "window.json"
    path.write_text(json.dumps({"drafts": [1, ["a"], ["s", "tools", "t", "{}", "m"], {"x": 1}, [1, 2, 3, 4, 5]]}))
    assert Drafts(Memory(path)).get(("s", "tools", "t")) == Draft("{}", "m")
