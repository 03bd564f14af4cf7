"""The commands of `bootstrap.py`."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from typing import TYPE_CHECKING, NoReturn

from . import environment
from .say import INTERRUPTED, ROOT, USAGE, Stop, say, stopped

if TYPE_CHECKING:
    from types import FrameType

    from .system import Need

USAGE_TEXT = """\
usage: python3 packaging/bootstrap.py COMMAND [ARGS…]

  run [ARGS…]     set up what is missing, then open the window on the built-in demo server;
                  ARGS go to the program instead (see: run --help)
  test [ARGS…]    set up, then lint, types, import contracts and all tests; ARGS go to pytest, which then runs alone
  bench [NAMES…]  set up, then measure, side by side with the official Python SDK (see: bench --list)
  setup           set up for `run` only
  lock [--upgrade]  work out packaging/locks anew from pyproject.toml

exit codes: that of the program for run; 0 all passed, 1 something failed, 2 used wrongly, 3 could not be set up"""

COMMAND_WORDS = frozenset(
    {
        *("list", "call", "read", "prompt", "complete", "watch", "send", "ping", "check", "record", "export", "diff"),
        *("tools", "dispatch", "lab", "run", "doctor", "login", "logout", "secret", "others", "servers"),
    }
)
"""First arguments by which the program needs no window; a test compares them with the program's own."""

WITH_VALUE = frozenset({"--config", "--theme", "--size", "--scale", "--screenshot", "--walk", "--page", "--session"})
"""The window's options that are followed by a value; a test compares them with the program's own."""

TARGETS_AND_ENDS = frozenset({"--", "--config", "--session", "--demo", "--version", "--help", "-h", "-V"})
"""Options by which the program has something to show, or shows no window."""

NO_WINDOW_LEFT_OPEN = frozenset({"--walk", "--screenshot", "--version", "--help", "-h"})
"""Options by which the program ends by itself."""


def main(arguments: list[str]) -> int:
    """Run one command; returns the exit code."""
    _open_standard_streams()
    signal.signal(signal.SIGTERM, _ended)
    command, rest = (arguments[0], arguments[1:]) if arguments else ("", [])
    if sys.version_info[:2] > (3, 14):
        say(f"Python {sys.version.split()[0]} is newer than 3.14, the last that the locked packages are for")
    try:
        if command == "run":
            return run(rest)
        if command == "setup" and not rest:
            set_up("run")
            return 0
        if command == "test":
            from . import checks

            python, _ = set_up("test")
            environment.compile_checkout()
            return checks.run(python, rest)
        if command == "bench":
            from . import checks

            python, _ = set_up("test")
            environment.compile_checkout()
            return checks.bench(python, rest)
        if command == "lock" and set(rest) <= {"--upgrade"}:
            from . import locks

            return locks.run(upgrade=bool(rest))
    except Stop as stop:
        return stopped(stop)
    except KeyboardInterrupt:
        say("interrupted; what was half done is done anew the next time")
        return INTERRUPTED
    except OSError as error:
        if not error.filename:
            raise
        return stopped(
            Stop(f"{error.filename}: {error.strerror}.", "See that it is there and yours, then run this again.")
        )
    if command in ("-h", "--help", "help"):
        print(USAGE_TEXT)
        return 0
    print(USAGE_TEXT, file=sys.stderr)
    return USAGE


def set_up(group: str, platforms: tuple[str, ...] = ("offscreen",)) -> tuple[str, frozenset[str]]:
    """`.venv` and the system's libraries; returns the interpreter and the Qt platforms that lack something."""
    stamp = environment.read_stamp()
    whole = environment.holds(stamp, group)
    wanted = tuple(platform for platform in platforms if not whole or platform not in _tried(stamp))
    if whole and not wanted:
        return environment.python_of(environment.VENV), frozenset()
    from . import system

    lack = system.prepare(wanted, venv=not whole)
    python = environment.ensure(group)
    _try_qt(python, lack)
    lacking = frozenset(platform for platform in wanted if lack and set(lack) & set(system.needed((platform,))))
    stamp = environment.read_stamp()
    environment.write_stamp({**stamp, "libraries": sorted({*_tried(stamp), *wanted} - lacking)})
    return python, lacking


def _tried(stamp: dict[str, object]) -> list[str]:
    tried = stamp.get("libraries")
    return tried if isinstance(tried, list) else []


def _try_qt(python: str, lack: list[Need]) -> None:
    """Load Qt once, so that a missing library is told here and not as a traceback of the program."""
    from .shell import run as run_quietly
    from .system import remedy

    code, output = run_quietly(
        [python, "-I", "-c", "import PySide6.QtWidgets, PySide6.QtSvg, PySide6.QtNetwork"], limit=120
    )
    if code:
        why = output.strip().splitlines()[-1:] or ["no reason given"]
        todo = remedy(lack) if lack else "Install what brings the library it names, then run this again."
        raise Stop(f"Qt does not load: {why[0]}", todo)


def run(arguments: list[str]) -> int:
    """Set up, then become the program."""
    from . import display

    python, lacking = set_up("run", ("offscreen", *display.candidates()))
    environment.compile_checkout()
    own = arguments[: arguments.index("--")] if "--" in arguments else arguments
    no_window = bool(own and own[0] in COMMAND_WORDS) or not NO_WINDOW_LEFT_OPEN.isdisjoint(
        {argument.partition("=")[0] for argument in own}
    )
    if names_no_server(arguments):
        arguments = ["--demo", *arguments]
    command = [python, "-P", "-m", "mcp_inspector", *arguments]
    environ = dict(os.environ)
    reason = display.why_none(lacking)
    if reason:
        environ["QT_QPA_PLATFORM"] = display.asked() or "offscreen"
        if not no_window:
            command[4:] = _unseen(arguments, reason)
    sys.stdout.flush()
    if os.name != "nt":
        os.execve(python, command, environ)
    import subprocess

    return subprocess.call(command, env=environ)


def names_no_server(arguments: list[str]) -> bool:
    """Whether these arguments of the program say nothing about what to connect to: then it is the demo."""
    left = iter(arguments)
    for argument in left:
        option, equals, _ = argument.partition("=")
        if not argument.startswith("-") or option in TARGETS_AND_ENDS:
            return False
        if option in WITH_VALUE and not equals:
            next(left, None)
    return True


def _unseen(arguments: list[str], reason: str) -> list[str]:
    """What the program is to do when nobody could see its window: walk through the demo, or take one picture."""
    picture = os.path.join(_picture_folder(), "mcp-inspector-window.png")
    # The off-screen platform believes in a screen of 800x800.
    size = [] if any(argument.startswith("--size") for argument in arguments) else ["--size", "1440x900"]
    if names_no_server([argument for argument in arguments if argument != "--demo"]):
        say(f"{reason}: running off-screen, walking the main job on the demo server, picture in {picture}")
        return [*arguments, *size, "--walk", picture]
    # A server of the person's own is looked at, never walked: a walk calls a tool, and that may do anything.
    say(f"{reason}: drawing the window off-screen, connecting, and saving a picture to {picture}")
    return [*size, "--screenshot", picture, *arguments]


def _picture_folder() -> str:
    folder = os.path.join(ROOT, "build")
    with contextlib.suppress(OSError):
        os.makedirs(folder, exist_ok=True)
    if os.access(folder, os.W_OK):
        return folder
    import tempfile

    return tempfile.mkdtemp(prefix="mcp-inspector-")


def _open_standard_streams() -> None:
    """Give what runs below us the three standard streams: with one closed, its first file or socket would become it."""
    for number, mode in ((0, os.O_RDONLY), (1, os.O_WRONLY), (2, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            os.dup2(os.open(os.devnull, mode), number)
            os.set_inheritable(number, True)


def _ended(_number: int, _frame: FrameType | None) -> NoReturn:
    raise KeyboardInterrupt
