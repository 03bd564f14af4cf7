"""Runs other programs: never without a limit of time, never with our standard input."""

from __future__ import annotations

import os
import shlex
import subprocess
from typing import TYPE_CHECKING

from .say import Stop

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence


def clean_environment() -> dict[str, str]:
    """Our environment for installers: without what would move an installation to another place.

    Mirrors, proxies, certificates and caches (`PIP_INDEX_URL`, `PIP_CERT`, `HTTPS_PROXY`, …) stay as they are.
    """
    out = {"PYTHONHOME", "PYTHONPATH", "PIP_TARGET", "PIP_PREFIX", "PIP_ROOT", "PIP_PYTHON", "PIP_REQUIRE_VIRTUALENV"}
    kept = {name: value for name, value in os.environ.items() if name not in out}
    kept["PIP_USER"] = "0"
    return kept


def quoted(command: Sequence[str]) -> str:
    """A command as a person would type it."""
    return subprocess.list2cmdline(command) if os.name == "nt" else shlex.join(command)


def run(
    command: Sequence[str],
    *,
    limit: float,
    env: Mapping[str, str] | None = None,
    cwd: str | None = None,
    line: Callable[[str], None] | None = None,
) -> tuple[int, str]:
    """Run a command quietly; returns its exit code and all it printed. `line` sees each line as it comes.

    `limit` is in seconds. Raises `Stop` when it cannot be started or takes longer.
    """
    import threading

    try:
        child = subprocess.Popen(
            list(command),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=env,
            cwd=cwd,
            text=True,
            encoding="utf-8",
            errors="replace",
        )
    except OSError as error:
        raise Stop(f"{command[0]} could not be started: {error.strerror or error}.") from error
    late = threading.Event()

    def end() -> None:
        late.set()
        child.kill()

    timer = threading.Timer(limit, end)
    timer.daemon = True
    timer.start()
    lines = []
    try:
        assert child.stdout is not None
        with child.stdout:
            for text in child.stdout:
                lines.append(text)
                if line is not None:
                    line(text.rstrip())
        code = child.wait()
    except BaseException:
        child.terminate()
        try:
            child.wait(5)
        except subprocess.TimeoutExpired:
            child.kill()
        raise
    finally:
        timer.cancel()
    if late.is_set():
        raise Stop(f"{command[0]} was ended after {limit:.0f} seconds.", f"Try it by hand: {quoted(command)}")
    return code, "".join(lines)
