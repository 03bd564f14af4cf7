"""Making `.venv` in a checkout of its own: really, with locks that name no package."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ENSURE = "from boot import environment; print(environment.ensure('run'))"

pytestmark = pytest.mark.skipif(os.name == "nt", reason="looks into the layout of a POSIX environment")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout with nothing to install, in a folder whose name a shell would trip over."""
    folder = tmp_path / "a check'out"
    shutil.copytree(ROOT / "packaging" / "boot", folder / "packaging" / "boot")
    (folder / "packaging" / "locks").mkdir()
    for name in ("run", "test"):
        (folder / "packaging" / "locks" / f"{name}.txt").write_text("# nothing\n")
    (folder / "mcp_inspector").mkdir()
    (folder / "mcp_inspector" / "__main__.py").write_text("import sys; print(sys.argv[1:])")
    return folder


def start(checkout: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", ENSURE]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, cwd=checkout / "packaging", stdout=pipe, stderr=pipe, text=True)


def ensure(checkout: Path) -> tuple[int, str]:
    """Set up; returns the exit code and what was said."""
    with start(checkout) as child:
        _, said = child.communicate(timeout=50)
    return child.returncode, said


def inode(checkout: Path) -> int:
    return (checkout / ".venv" / "pyvenv.cfg").stat().st_ino


def test_an_environment_is_made_once_and_made_anew_when_it_is_not_whole(checkout: Path) -> None:
    code, said = ensure(checkout)
    assert code == 0, said
    stamp = json.loads((checkout / ".venv" / "bootstrap.json").read_text())
    assert stamp["python"] == "{}.{}".format(*sys.version_info)
    assert list(stamp["groups"]) == ["run"]
    script = checkout / ".venv" / "bin" / "mcp-inspector"
    elsewhere = checkout / "packaging"  # the command works in any folder
    ended = subprocess.run([script, "a b", "c"], capture_output=True, text=True, cwd=elsewhere, timeout=30)
    assert ended.stdout.strip() == "['a b', 'c']", ended.stderr
    first = inode(checkout)

    assert ensure(checkout) == (0, "")
    assert inode(checkout) == first

    (checkout / ".venv" / "bootstrap.busy").touch()
    code, said = ensure(checkout)
    assert code == 0, said
    assert "removing the old .venv" in said
    assert not (checkout / ".venv" / "bootstrap.busy").exists()


def test_our_modules_are_compiled_where_python_is_told_not_to(checkout: Path) -> None:
    def compiled() -> bool:
        command = [sys.executable, "-c", f"{ENSURE}; environment.compile_checkout()"]
        environ = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
        subprocess.run(command, cwd=checkout / "packaging", env=environ, check=True, capture_output=True, timeout=50)
        kept = list((checkout / "mcp_inspector" / "__pycache__").glob("__main__.*.pyc"))
        return len(kept) == 1 and b"changed" in kept[0].read_bytes()

    assert not compiled()
    source = checkout / "mcp_inspector" / "__main__.py"
    source.write_text("print('changed')")
    later = time.time() + 10
    os.utime(source, (later, later))
    assert compiled()


def test_what_was_good_stays_good_when_more_cannot_be_had(checkout: Path) -> None:
    assert ensure(checkout)[0] == 0
    lock = checkout / "packaging" / "locks" / "test.txt"
    lock.write_text(f"no-such-package==1 --hash=sha256:{'0' * 64}\n")
    environ = {**os.environ, "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": "", "PIP_CONFIG_FILE": os.devnull}
    command = [sys.executable, "-c", ENSURE.replace("run", "test")]
    ended = subprocess.run(command, cwd=lock.parents[1], env=environ, capture_output=True, text=True, timeout=50)
    assert "could not be installed" in ended.stderr
    assert ended.returncode == 1
    assert ensure(checkout) == (0, "")


def test_two_at_once_make_one(checkout: Path) -> None:
    first = start(checkout)
    try:
        deadline = time.monotonic() + 20
        while not (checkout / ".venv").exists() and time.monotonic() < deadline:
            time.sleep(0.01)
        code, said = ensure(checkout)
        _, first_said = first.communicate(timeout=50)
    finally:
        first.kill()
        first.wait()
    assert (code, first.returncode) == (0, 0), said + first_said
    assert "making .venv" in first_said
    assert "waiting" in said
    assert "making .venv" not in said


def test_an_environment_of_something_else_is_left_alone(checkout: Path) -> None:
    (checkout / ".venv").mkdir()
    (checkout / ".venv" / "pyvenv.cfg").write_text("home = elsewhere\n")
    code, said = ensure(checkout)
    assert code == 1
    assert "something else has made" in said
    assert (checkout / ".venv" / "pyvenv.cfg").read_text() == "home = elsewhere\n"


@pytest.mark.parametrize(
    ("member", "value"), [("python", "3.10"), ("root", "elsewhere"), ("format", 0), ("groups", {"run": "other"})]
)
def test_a_stamp_that_differs_is_not_trusted(member: str, value: object) -> None:
    from boot import environment

    good = {**environment.expected(), "groups": {"run": environment.digest("run")}}
    assert environment.holds(good, "run")
    assert not environment.holds(good, "test")
    assert not environment.holds({**good, member: value}, "run")
