"""All checks and tests, or the benchmarks, with the programs of `.venv`."""

from __future__ import annotations

import os
import subprocess
import sys
import time

from . import peers
from .say import FAILED, ROOT, say

CHECKS = (
    ("ruff check", ["-m", "ruff", "check", "."]),
    ("ruff format", ["-m", "ruff", "format", "--check", "."]),
    ("mypy", ["-m", "mypy"]),
    # It cannot be run as a module.
    ("import contracts", ["-c", "from importlinter.cli import lint_imports_command as lint; lint()"]),
)
"""Name, and arguments to the interpreter."""
LIMIT = 900.0
"""Seconds for one check."""
TESTS_LIMIT = 3600.0
"""Seconds for all tests: each test has a limit of its own, this one is for what hangs between them."""


def surroundings() -> dict[str, str]:
    """The environment of checks and tests: off-screen, without the person's own Python paths."""
    out = {"PYTHONHOME", "PYTHONPATH", "PYTEST_ADDOPTS", "WAYLAND_DISPLAY"}
    kept = {name: value for name, value in os.environ.items() if name not in out}
    kept["QT_QPA_PLATFORM"] = "offscreen"
    return kept


def run(python: str, arguments: list[str]) -> int:
    """Run the checks, then pytest; with arguments only pytest.

    What failed is told before pytest's closing line, which stays last.
    """
    peers.prepare(peers.FOR_TESTS)
    environ = surroundings()
    failed = []
    for name, command in () if arguments else CHECKS:
        started = time.monotonic()
        code, output = _quietly([python, *command], environ)
        say(f"{name}: {'passed' if code == 0 else 'FAILED'} ({time.monotonic() - started:.1f} s)")
        if code:
            failed.append(name)
            print(output, flush=True)
    script = os.path.join(ROOT, "packaging", "boot", "run_pytest.py")
    environ["BOOTSTRAP_FAILED"] = ", ".join(failed)
    # Two files at a time: most tests wait for a server. More would only make timed ones late.
    whole = ["-n", "2", "--dist", "loadfile"]
    whole += ["--durations=15", "--durations-min=3"]  # above the closing line: what makes the run long
    code = _loudly([python, "-P", script, *(arguments or whole)], environ)
    # Nothing is printed from here on.
    return code or (FAILED if failed else 0)


def bench(python: str, arguments: list[str]) -> int:
    """Run the benchmarks beside their peers."""
    if "--list" not in arguments:
        peers.prepare(peers.FOR_BENCH)
    environ = surroundings()
    return _loudly([python, "-P", os.path.join(ROOT, "tests", "benchmarks", "bench.py"), *arguments], environ)


def _quietly(command: list[str], environ: dict[str, str]) -> tuple[int, str]:
    from .shell import run as run_quietly

    return run_quietly(command, limit=LIMIT, env=environ, cwd=ROOT)


def _loudly(command: list[str], environ: dict[str, str]) -> int:
    sys.stdout.flush()
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL, env=environ, cwd=ROOT)
    try:
        code = child.wait(TESTS_LIMIT)
        if code < 0:  # then there was no closing line either
            say(f"{os.path.basename(command[2])} was ended by signal {-code}")
        return abs(code)
    except subprocess.TimeoutExpired:
        say(f"ended after {TESTS_LIMIT:.0f} s")
        return FAILED
    except KeyboardInterrupt:
        child.wait(20)
        raise
    finally:
        if child.poll() is None:
            child.kill()
            child.wait()
