"""The machinery that hunts for leaks does catch them: tests that leak on purpose must fail, each with its reason."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

LEAKS = {
    "child": "child process",
    "thread": "thread Thread-",
    "task": "tasks left behind",
    "task_on_qt": "tasks left behind",
    "window": "window <PySide6.QtWidgets.QWidget",
    "timer": "running timer",
    "qt_warning": "careless",
    "resource_warning": "ResourceWarning",
    "hung_coroutine": "TimeoutError",
    "hung_coroutine_on_qt": "TimeoutError",
    "hung_fixture": "Timeout",
    "hung_fixture_on_qt": "Event loop stopped|Timeout",
}
"""What the report of each leaking test must say."""

TESTS = """
import asyncio, os, subprocess, sys, threading, time
import pytest
from PySide6.QtCore import QTimer, qWarning
from PySide6.QtWidgets import QWidget

kept = []
anyio = pytest.mark.anyio
on_qt = pytest.mark.qt_loop
short = pytest.mark.timeout(4)

def test_child():
    kept.append(subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE))

def test_thread():
    kept.append(threading.Timer(4, print))
    kept[-1].start()

@anyio
async def test_task():
    kept.append(asyncio.create_task(asyncio.sleep(30)))

@anyio
@on_qt
async def test_task_on_qt():
    kept.append(asyncio.create_task(asyncio.sleep(30)))

def test_window(qapp):
    kept.append(QWidget())
    kept[-1].show()

def test_timer(qapp):
    kept.append(QTimer())
    kept[-1].start(1000)

def test_qt_warning(qapp):
    qWarning("careless")

def test_resource_warning():
    open(__file__)

@short
@anyio
async def test_hung_coroutine():
    await asyncio.Event().wait()

@short
@anyio
@on_qt
async def test_hung_coroutine_on_qt():
    await asyncio.Event().wait()

@pytest.fixture
async def stuck():
    yield
    await asyncio.Event().wait()

@short
@anyio
async def test_hung_fixture(stuck):
    pass

@short
@anyio
@on_qt
async def test_hung_fixture_on_qt(stuck):
    pass

# From here on everything is in order.

@pytest.fixture
async def spoken():
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", "print(input())", stdin=-1, stdout=-1)
    yield process
    process.stdin.close()
    await process.wait()

async def speak(process):
    out, _ = await process.communicate(b"x\\n")
    assert out == b"x\\n"

@anyio
async def test_good_plain(spoken):
    assert not type(asyncio.get_running_loop()).__name__.startswith("Q")
    await speak(spoken)

@anyio
@on_qt
async def test_good_on_qt(spoken):
    assert type(asyncio.get_running_loop()).__name__.startswith("Q")
    await speak(spoken)

@anyio
@on_qt
async def test_good_window_closes_and_the_loop_goes_on(qapp, qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    window.show()
    window.close()
    await asyncio.sleep(0)

@anyio
async def test_good_task_that_is_ending():
    asyncio.get_running_loop().create_task(asyncio.sleep(0.05))

def test_good_home(home, tmp_path):
    assert os.environ["MCP_INSPECTOR_HOME"] == str(home) and tmp_path in home.parents
"""


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The output of one run of the tests above under the real conftest and ini file."""
    folder = tmp_path_factory.mktemp("inner")
    file = folder / "test_inner.py"
    file.write_text(TESTS)
    shutil.copy(ROOT / "tests" / "conftest.py", folder)
    command = [sys.executable, "-m", "pytest", "-c", str(ROOT / "pyproject.toml"), "--rootdir", str(folder)]
    command += ["-p", "no:cacheprovider", "--timeout", "10", "-v", str(file)]
    environ = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=ROOT, env=environ, capture_output=True, text=True, timeout=55)
    return done.stdout + done.stderr


@pytest.mark.parametrize("name", LEAKS)
def test_what_is_left_behind_fails_the_test(name: str, report: str) -> None:
    assert re.search(rf"^(FAILED|ERROR) \S+::test_{name}\b", report, re.MULTILINE), report
    sections = re.split(r"^_{3,} (?:ERROR at teardown of )?(\w+)(?:\[\w+\])? _{3,}$", report, flags=re.MULTILINE)
    own = [text for title, text in zip(sections[1::2], sections[2::2], strict=True) if title == f"test_{name}"]
    assert any(re.search(LEAKS[name], text) for text in own), report


def test_tidy_tests_pass_on_both_loops(report: str) -> None:
    passed = re.findall(r"^\S+::(test_good_\w+)\S* PASSED", report, re.MULTILINE)
    assert len(passed) == 5, report
    assert not re.search(r"^(FAILED|ERROR) \S+::test_good", report, re.MULTILINE), report
