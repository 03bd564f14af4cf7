"""The machinery that hunts for leaks does catch them: small test files that leak on purpose must fail."""

from __future__ import annotations

import itertools
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

HEAD = """
import asyncio, subprocess, sys, threading, warnings
import pytest
kept = []
"""


def run(folder: Path, body: str) -> tuple[dict[str, int], str]:
    """Run one test file under the real conftest and ini file; returns pytest's summary counts and its output."""
    file = folder / "test_inner.py"
    file.write_text(HEAD + body)
    shutil.copy(ROOT / "tests" / "conftest.py", folder)
    command = [sys.executable, "-m", "pytest", "-c", str(ROOT / "pyproject.toml")]
    command += ["--rootdir", str(folder), "-p", "no:cacheprovider", "--timeout", "2", "-q", str(file)]
    done = subprocess.run(
        command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, timeout=50
    )
    last = next(line for line in reversed(done.stdout.splitlines()) if " in " in line)
    words = last.replace(",", "").replace("=", "").split()
    counts = {word.rstrip("s"): int(number) for number, word in itertools.pairwise(words) if number.isdigit()}
    return counts, done.stdout + done.stderr


LEAKS = {
    "child": (
        "def test_it():\n    kept.append(subprocess.Popen([sys.executable, '-c', 'input()'], stdin=subprocess.PIPE))\n",
        "child process",
    ),
    "thread": (
        "def test_it():\n    kept.append(threading.Timer(4, print))\n    kept[-1].start()\n",
        "thread Thread-",
    ),
    "task": (
        "@pytest.mark.anyio\nasync def test_it():\n    kept.append(asyncio.create_task(asyncio.sleep(30)))\n",
        "tasks left behind",
    ),
    "task on the Qt loop": (
        "@pytest.mark.anyio\n@pytest.mark.qt_loop\nasync def test_it():\n"
        "    kept.append(asyncio.create_task(asyncio.sleep(30)))\n",
        "tasks left behind",
    ),
    "window": (
        "def test_it(qapp):\n    from PySide6.QtWidgets import QWidget\n"
        "    kept.append(QWidget())\n    kept[-1].show()\n",
        "window <PySide6.QtWidgets.QWidget",
    ),
    "timer": (
        "def test_it(qapp):\n    from PySide6.QtCore import QTimer\n    import PySide6.QtWidgets\n"
        "    kept.append(QTimer())\n    kept[-1].start(1000)\n",
        "running timer",
    ),
    "Qt warning": (
        "def test_it(qapp):\n    from PySide6.QtCore import qWarning\n    qWarning('careless')\n",
        "careless",
    ),
    "resource warning in a destructor": (
        "def test_it():\n    open(__file__)\n",
        "ResourceWarning",
    ),
    "hung coroutine": (
        "@pytest.mark.anyio\nasync def test_it():\n    await asyncio.Event().wait()\n",
        "TimeoutError",
    ),
    "hung coroutine on the Qt loop": (
        "@pytest.mark.anyio\n@pytest.mark.qt_loop\nasync def test_it():\n    await asyncio.Event().wait()\n",
        "TimeoutError",
    ),
    "hung fixture": (
        "@pytest.fixture\nasync def stuck():\n    yield\n    await asyncio.Event().wait()\n"
        "@pytest.mark.anyio\nasync def test_it(stuck):\n    pass\n",
        "Timeout",
    ),
    "hung fixture on the Qt loop": (
        "@pytest.fixture\nasync def stuck():\n    yield\n    await asyncio.Event().wait()\n"
        "@pytest.mark.anyio\n@pytest.mark.qt_loop\nasync def test_it(stuck):\n    pass\n",
        "Event loop stopped",
    ),
}


@pytest.mark.parametrize("name", LEAKS)
def test_what_is_left_behind_fails_the_test(name: str, tmp_path: Path) -> None:
    body, sentence = LEAKS[name]
    counts, output = run(tmp_path, body)
    assert counts.get("failed", 0) + counts.get("error", 0) >= 1, output
    assert sentence in output


def test_tidy_tests_pass_on_both_loops(tmp_path: Path) -> None:
    counts, output = run(
        tmp_path,
        """
@pytest.fixture
async def spoken():
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", "print(input())", stdin=-1, stdout=-1)
    yield process
    process.stdin.close()
    await process.wait()

async def speak(process):
    out, _ = await process.communicate(b"x\\n")
    assert out == b"x\\n"

@pytest.mark.anyio
async def test_plain(spoken):
    assert not type(asyncio.get_running_loop()).__name__.startswith("Q")
    await speak(spoken)

@pytest.mark.anyio
@pytest.mark.qt_loop
async def test_qt(spoken):
    assert type(asyncio.get_running_loop()).__name__.startswith("Q")
    await speak(spoken)

@pytest.mark.anyio
@pytest.mark.qt_loop
async def test_window_closes(qapp, qtbot):
    from PySide6.QtWidgets import QWidget
    window = QWidget()
    qtbot.addWidget(window)
    window.show()
    window.close()
    await asyncio.sleep(0)

def test_home(home, tmp_path):
    import os
    assert os.environ["MCP_INSPECTOR_HOME"] == str(home) and tmp_path in home.parents
""",
    )
    assert counts == {"passed": 4}, output
