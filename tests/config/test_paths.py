"""The program's folders."""

from __future__ import annotations

import os
import stat
import tempfile
from typing import TYPE_CHECKING

import pytest

from mcp_inspector.config import paths
from mcp_inspector.config.paths import HOME_VARIABLE, folders

if TYPE_CHECKING:
    from pathlib import Path


def test_one_folder_holds_everything_when_it_is_named(tmp_path: Path) -> None:
    found = folders({HOME_VARIABLE: str(tmp_path / "mine")})
    assert found.problems == ()
    assert {found.config, found.data, found.cache, found.state} == {
        tmp_path / "mine" / word for word in ("config", "data", "cache", "state")
    }
    assert found.servers == tmp_path / "mine" / "config" / "servers.json"
    assert found.settings.parent.is_dir()
    assert os.name == "nt" or stat.S_IMODE(found.config.stat().st_mode) == 0o700
    assert list(found.config.iterdir()) == []


@pytest.mark.skipif(os.name == "nt", reason="the XDG variables")
def test_the_system_decides_otherwise(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for word in ("CONFIG", "DATA", "CACHE", "STATE"):
        monkeypatch.setenv(f"XDG_{word}_HOME", str(tmp_path / word))
    monkeypatch.delenv(HOME_VARIABLE, raising=False)
    found = folders()
    assert found.config == tmp_path / "CONFIG" / "mcp-inspector"
    assert found.state.is_dir()


def test_a_folder_that_cannot_be_used_is_replaced_and_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    home = tmp_path / "mine"
    home.mkdir()
    (home / "config").write_text("a file in the way")
    found = folders({HOME_VARIABLE: str(home)})
    assert found.config.is_dir()
    assert temporary in found.config.parents
    assert found.data == home / "data"
    assert len(found.problems) == 1
    assert str(home / "config") in found.problems[0]
    assert HOME_VARIABLE in found.problems[0]


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_home(tmp_path: Path) -> None:
    home = tmp_path / "mine"
    home.mkdir(mode=0o500)
    found = folders({HOME_VARIABLE: str(home)})
    assert len(found.problems) == 4
    (found.data / "x").write_text("works")


def test_a_read_only_folder_of_settings_is_read_all_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As a container gets it; root may write anywhere, so the refusal is put in."""
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "servers.json").write_text("{}")
    refused = {tmp_path / "config", tmp_path / "state"}
    monkeypatch.setattr(paths, "_unusable", lambda path: "read-only file system" if path in refused else "")
    found = folders({HOME_VARIABLE: str(tmp_path)})
    assert found.servers.read_text() == "{}"
    assert found.state != tmp_path / "state"
    assert "changes cannot be saved" in found.problems[0]
    assert "is used for now" in found.problems[1]
