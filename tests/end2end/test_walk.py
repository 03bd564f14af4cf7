"""The program as a child, off-screen: what `bootstrap.py run` starts where there is no display, and pictures."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.peers.fixtures import Rude

PNG = b"\x89PNG\r\n\x1a\n"

pytestmark = pytest.mark.timeout(120)


def program(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run the program to its end, in a folder that is not the checkout."""
    environ = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    command = [sys.executable, "-P", "-m", "mcp_inspector", *arguments]
    environ["QT_QPA_PLATFORM"] = "offscreen"
    environ["PYTHONPATH"] = str(os.path.dirname(os.path.dirname(os.path.dirname(__file__))))
    return subprocess.run(command, capture_output=True, text=True, timeout=90, env=environ, cwd=folder)


def test_the_main_job_is_walked_on_the_demo(tmp_path: Path) -> None:
    picture = tmp_path / "a folder" / "walk.png"
    ended = program("--demo", "--walk", str(picture), folder=tmp_path)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    steps = [line.split()[0] for line in ended.stdout.splitlines()]
    assert steps == ["Connected", "Listed", "Called", "Read", "Got", "Saved"]
    assert ended.stdout.count(": ok in ") == 3
    assert ended.stderr == ""
    assert picture.read_bytes().startswith(PNG)


def test_a_walk_that_does_not_get_far_fails_and_still_shows_the_window(tmp_path: Path) -> None:
    picture = tmp_path / "failed.png"
    ended = program("--walk", str(picture), "--", sys.executable, "-c", "raise SystemExit(7)", folder=tmp_path)
    assert ended.returncode == 1
    assert "Not connected: exited (code 7)" in ended.stdout
    assert picture.read_bytes().startswith(PNG)


def test_a_picture_calls_nothing_of_ones_own_server(tmp_path: Path, rude: Callable[..., Rude]) -> None:
    server = rude()
    picture = tmp_path / "own.png"
    ended = program("--screenshot", str(picture), "--", *server.argv, folder=tmp_path)
    assert ended.returncode == 0, ended.stderr
    assert picture.read_bytes().startswith(PNG)
    assert server.heard("tools/list")
    assert not server.heard("tools/call")
    assert not server.heard("resources/read")
    assert not server.heard("prompts/get")


def test_without_a_display_a_server_of_ones_own_is_not_walked(tmp_path: Path, rude: Callable[..., Rude]) -> None:
    server = rude()
    ended = program("--", *server.argv, folder=tmp_path)
    assert ended.returncode == 0, ended.stderr
    assert "Saved" in ended.stdout
    assert server.heard("tools/list")
    assert not server.heard("tools/call")


def test_a_picture_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    ended = program("--demo", "--screenshot", str(tmp_path / "file" / "x.png"), folder=tmp_path)
    assert ended.returncode == 1
    assert "The picture could not be taken" in ended.stderr


def test_what_lies_in_the_current_folder_does_not_get_in_the_way(tmp_path: Path) -> None:
    for name in ("mcp", "json", "mcp_inspector", "asyncio"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('the wrong module')\n")
    ended = program("--demo", "--walk", str(tmp_path / "walk.png"), folder=tmp_path)
    assert ended.returncode == 0, ended.stdout + ended.stderr
