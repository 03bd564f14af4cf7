"""The program as a child process: it shows itself, ends in order whatever happens, and leaves no process behind."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil
import pytest
from PySide6.QtGui import QImage

from mcp_inspector.store.log import Log
from mcp_inspector.store.record import Channel, Direction, Entry

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROOT = Path(__file__).parents[2]
END_SECONDS = 5.0


class Child:
    """One run of the program."""

    def __init__(self, home: Path, *words: str) -> None:
        environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "MCP_INSPECTOR_HOME": str(home)}
        environment |= {"PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1", "PYTHONWARNINGS": "default"}
        code = "import sys; from mcp_inspector.app import main; sys.exit(main(sys.argv[1:]))"
        self.process = subprocess.Popen(
            [sys.executable, "-X", "dev", "-c", code, *words],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def children(self) -> list[psutil.Process]:
        """Processes that it has started."""
        return psutil.Process(self.process.pid).children(recursive=True)

    def wait_for_children(self, count: int = 1) -> list[psutil.Process]:
        """Wait until servers run."""
        end = time.monotonic() + 20
        while time.monotonic() < end:
            if self.process.poll() is not None:
                pytest.fail(f"it ended: {self.process.communicate()}")
            found = self.children()
            if len(found) >= count:
                return found
            time.sleep(0.05)
        pytest.fail("no server was started")

    def end(self, by: Callable[[], Any] | None = None, seconds: float = END_SECONDS) -> tuple[str, str]:
        """End it and check that it ends in order."""
        servers = self.children()
        if by is not None:
            by()
        began = time.monotonic()
        out, err = self.process.communicate(timeout=30)
        took = time.monotonic() - began
        assert self.process.returncode == 0, err
        assert took <= seconds, f"it took {took:.1f} s to end"
        for words in ("Traceback", "was destroyed but it is pending", "Event loop is closed", "never awaited"):
            assert words not in err, err
        _, alive = psutil.wait_procs(servers, timeout=1)
        assert not alive, f"left behind: {alive}"
        return out, err


@pytest.fixture
def run(home: Path) -> Iterator[Callable[..., Child]]:
    """``run("--demo")`` starts the program."""
    made: list[Child] = []

    def start(*words: str) -> Child:
        made.append(Child(home, *words))
        return made[-1]

    yield start
    for child in made:
        if child.process.poll() is None:
            child.process.kill()
            child.process.communicate()


@pytest.mark.timeout(120)
@pytest.mark.parametrize("page", ["tools", "resources", "add", "settings", "sessions"])
def test_a_picture_of_each_page(run: Callable[..., Child], tmp_path: Path, page: str) -> None:
    picture = tmp_path / "window.png"
    child = run("--demo", "--screenshot", str(picture), "--page", page, "--size", "1000x700", "--theme", "dark")
    out, _ = child.end(seconds=60)
    image = QImage(str(picture))
    assert (image.width(), image.height()) == (1000, 700)
    colours = {image.pixel(x, y) for x in range(0, 1000, 7) for y in range(0, 700, 7)}
    assert len(colours) > 20  # something is drawn
    assert "Saved" in out


@pytest.mark.timeout(120)
def test_without_a_display_it_walks_the_main_job_and_says_so(home: Path) -> None:
    """QT-10"""
    environment = {**os.environ, "MCP_INSPECTOR_HOME": str(home), "PYTHONPATH": str(ROOT)}
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        environment.pop(name, None)
    code = "import sys; from mcp_inspector.app import main; sys.exit(main(['--demo']))"
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=90, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "There is no display" in done.stderr
    for words in ("Connected to demo", "Listed", "Called", "Read demo://", "Got", "Saved"):
        assert words in done.stdout, done.stdout
    assert "LocalError" not in done.stdout
    assert (home / "state" / "window.png").exists()


@pytest.mark.timeout(120)
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
@pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX")
def test_signals_end_it_in_order(run: Callable[..., Child], name: str) -> None:
    """QT-03 (e)"""
    # Off-screen it takes a picture and ends by itself, so a server that never answers holds it.
    stuck = run("--size", "900x600", "--", sys.executable, "-c", "import time; time.sleep(600)")
    stuck.wait_for_children()
    time.sleep(0.5)
    stuck.end(lambda: stuck.process.send_signal(getattr(signal, name)))


_FLOOD = """
import os, signal
signal.signal(signal.SIGTERM, signal.SIG_IGN)
lines = (b"x" * 999 + b"\\n") * 1000
while True:
    os.write(2, lines)
"""


@pytest.mark.timeout(120)
@pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX")
def test_a_flood_that_ignores_every_wish_to_end_costs_no_record_that_was_written(
    run: Callable[..., Child], home: Path
) -> None:
    child = run("--", sys.executable, "-c", _FLOOD)
    child.wait_for_children()
    session = next((home / "data" / "sessions").glob("*.mcpsession"))
    end = time.monotonic() + 20
    while sum(path.stat().st_size for path in session.parent.iterdir()) < 2_000_000 and time.monotonic() < end:
        time.sleep(0.05)
    child.end(lambda: child.process.send_signal(signal.SIGTERM))
    log = Log.open(session)
    try:
        assert log.problem == ""
        assert len(log) > 1000
        assert log.body(len(log) // 2) == b"x" * 999
    finally:
        log.close()


@pytest.mark.timeout(120)
@pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX")
def test_leaving_while_many_servers_start(run: Callable[..., Child], tmp_path: Path) -> None:
    stuck = {"command": sys.executable, "args": ["-S", "-c", "import time; time.sleep(600)"]}
    servers = tmp_path / "servers.json"
    servers.write_text(json.dumps({"mcpServers": {f"s{number}": stuck for number in range(40)}}))
    child = run("--config", str(servers))
    child.wait_for_children(3)
    child.end(lambda: child.process.send_signal(signal.SIGTERM))


def recorded(folder: Path, size: int, age: int) -> Path:
    """A session of an earlier run, last written `age` days ago."""
    log = Log.create(folder, "test")
    log.append(Entry("old", 1, Channel.STDERR, Direction.RECEIVED, 1, 1, b"x" * size, "line"))
    log.close()
    assert log.path is not None
    path = log.path.replace(folder / f"{age} days.mcpsession")
    os.utime(path, (time.time() - age * 86_400,) * 2)
    return path


@pytest.mark.timeout(120)
def test_the_start_deletes_the_oldest_sessions_beyond_the_limit_and_says_so(
    run: Callable[..., Child], home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = home / "data" / "sessions"
    old, new = recorded(folder, 900_000, 9), recorded(folder, 300_000, 2)
    monkeypatch.setenv("MCP_INSPECTOR_SESSION_LIMIT", "1")
    run("--demo", "--screenshot", str(tmp_path / "window.png")).end(seconds=60)
    assert not old.exists()
    assert new.exists()
    live = next(path for path in folder.iterdir() if path not in (old, new))
    log = Log.open(live)
    try:
        said = [log.facts(seq)["sentence"] for seq in range(1, len(log) + 1) if log.record(seq).entry.kind == "pruned"]
    finally:
        log.close()
    assert len(said) == 1
    assert said[0].startswith("The oldest session was deleted (")
    assert old.name in said[0]
