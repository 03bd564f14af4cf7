"""One child process with an owner: started in a group of its own, watched, and ended with its whole group."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
import weakref
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, cast

from mcp_inspector.transport.base import Fault, FaultKind

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

WINDOWS = sys.platform == "win32"
_POLL = 0.02
_STDOUT_PIPE = 256 * 1024

_HINTS = {
    "npx": "npx comes with Node.js: install Node.js, or give the full path of npx.",
    "node": "Install Node.js, or give the full path of node.",
    "uvx": "uvx comes with uv: install uv, or give the full path of uvx.",
    "uv": "Install uv, or give its full path.",
    "docker": "Install Docker, or give its full path.",
    "python": "Try python3, or give the full path of the interpreter.",
    "bunx": "bunx comes with Bun: install Bun, or give its full path.",
    "deno": "Install Deno, or give its full path.",
}


def environment(own: Mapping[str, str]) -> dict[str, str]:
    """The child's environment: ours, with the entry's variables over it, so that PATH and HOME stay."""
    merged = dict(os.environ)
    if getattr(sys, "frozen", False) and "LD_LIBRARY_PATH_ORIG" in merged:
        # a frozen program points this at its own libraries, which other programs must not load
        merged["LD_LIBRARY_PATH"] = merged.pop("LD_LIBRARY_PATH_ORIG")
    for name, value in own.items():
        merged[name.upper() if WINDOWS else name] = value
    return merged


def resolve(command: str, env: Mapping[str, str], cwd: str) -> str:
    """The file to run, by the child's PATH and working directory, with Windows' shims (`npx.cmd`). Raises `Fault`."""
    facts: dict[str, Any] = {"argv": [command], "cwd": cwd}
    if os.path.dirname(command):
        path = os.path.join(cwd, command)
        found = shutil.which(path)
        if found is None and os.path.isfile(path):
            sentence = f"{command} is not a program: the file may not be executed."
            raise Fault(FaultKind.NOT_STARTED, sentence, "Make it executable, or start its interpreter.", facts)
        if found is None:
            raise Fault(FaultKind.NOT_FOUND, f"There is no program {command}.", _hint(command, env), facts)
        return found
    searched = env.get("PATH", os.defpath)
    found = shutil.which(command, path=searched)
    if found is None:
        facts["searched"] = searched
        sentence = f"The command {command} was not found on the PATH."
        raise Fault(FaultKind.NOT_FOUND, sentence, _hint(command, env), facts)
    return found


def _hint(command: str, env: Mapping[str, str]) -> str:
    words = command.strip().split(" ")
    for count in range(1, len(words)):  # the path of a program may hold blanks itself
        first = " ".join(words[:count])
        if shutil.which(first, path=env.get("PATH", os.defpath)):
            return f"Only {first} is the command; put the rest into its arguments."
    return _HINTS.get(os.path.basename(command).lower(), "Check the spelling, or give the full path.")


_processes: weakref.WeakSet[Process] = weakref.WeakSet()


def kill_all() -> int:
    """Kill the groups of all children that still run, without another word: the program has no time left.

    Returns how many there were. Whoever waits for their ends sees them at once.
    """
    left = [process for process in _processes if not process.exited.done()]
    for process in left:
        process._signal("TerminateProcess" if WINDOWS else "SIGKILL")
    return len(left)


def _here() -> str:
    try:
        return os.getcwd()
    except OSError:  # it was deleted under us
        return os.path.expanduser("~")


class Process:
    """A running child. `stdin`, `stdout`, `stderr` are unbuffered pipes that the caller takes over and closes.

    `cwd` is the directory it runs in. `exited` is done when it has ended and was reaped; its result is the return code,
    negative for a signal on POSIX.
    """

    def __init__(self, argv: Sequence[str], env: Mapping[str, str], cwd: str = "") -> None:
        """Start it. Needs a running loop. Raises `Fault`: NOT_FOUND, NOT_STARTED, USAGE."""
        self.argv = tuple(argv)
        self.cwd = os.path.expanduser(cwd) if cwd else _here()
        if not self.argv or not self.argv[0].strip():
            raise Fault(FaultKind.USAGE, "There is no command to start.", "Enter a command for this server.")
        merged = environment(env)
        facts: dict[str, Any] = {"argv": list(self.argv), "cwd": self.cwd}
        if not os.path.isdir(self.cwd):
            sentence = f"The working directory {self.cwd} does not exist."
            raise Fault(FaultKind.NOT_STARTED, sentence, "Correct the working directory of this server.", facts)
        try:
            program = resolve(self.argv[0], merged, self.cwd)
            self._popen = self._start(program, merged)
        except Fault as fault:
            fault.facts["argv"] = facts["argv"]
            raise
        except ValueError as error:
            raise Fault(FaultKind.USAGE, f"The command cannot be run: {error}.", "", facts) from error
        except OSError as error:
            hint = "A script's first line must name an interpreter that exists, such as #!/usr/bin/env python3."
            sentence = f"The system refused to run {program}: {error.strerror or error}."
            raise Fault(FaultKind.NOT_STARTED, sentence, "" if WINDOWS else hint, facts) from error
        self.pid = self._popen.pid
        self.program = program
        self.stdin = cast("IO[bytes]", self._popen.stdin)
        self.stdout = cast("IO[bytes]", self._popen.stdout)
        self.stderr = cast("IO[bytes]", self._popen.stderr)
        self._started = time.perf_counter()
        self.seconds = 0.0
        self.exited: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._watch()
        _processes.add(self)

    def _start(self, program: str, env: Mapping[str, str]) -> subprocess.Popen[bytes]:
        where: Any = {"cwd": self.cwd, "env": env, "bufsize": 0}
        pipes: Any = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        if sys.platform == "win32":
            flags = subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW
            # the resolved path: CreateProcess would neither find npx.cmd nor search the entry's own PATH
            return subprocess.Popen([program, *self.argv[1:]], creationflags=flags, **pipes, **where)
        started: subprocess.Popen[bytes]
        started = subprocess.Popen(self.argv, executable=program, start_new_session=True, **pipes, **where)
        if sys.platform == "linux":
            import fcntl

            with contextlib.suppress(OSError):  # a user's pipes may be used up: it is only for speed
                fcntl.fcntl(cast("IO[bytes]", started.stdout), fcntl.F_SETPIPE_SZ, _STDOUT_PIPE)
        return started

    def _watch(self) -> None:
        loop = asyncio.get_running_loop()
        if sys.platform == "linux":
            with contextlib.suppress(OSError):  # an old kernel or a sandbox: the thread does as well
                pidfd = os.pidfd_open(self.pid)

                def over() -> None:
                    loop.remove_reader(pidfd)
                    os.close(pidfd)
                    self._reaped(self._popen.wait())

                loop.add_reader(pidfd, over)
                return

        def wait() -> None:
            code = self._popen.wait()
            with contextlib.suppress(RuntimeError):  # the loop has been closed
                loop.call_soon_threadsafe(self._reaped, code)

        threading.Thread(target=wait, name=f"wait for {self.pid}", daemon=True).start()

    def _reaped(self, code: int) -> None:
        self.seconds = time.perf_counter() - self._started
        if not self.exited.done():
            self.exited.set_result(code)

    def how(self) -> dict[str, Any]:
        """How it ended, as facts: `exit_code`, or `signal` by name. Empty while it runs."""
        if not self.exited.done():
            return {}
        code = self.exited.result()
        if code >= 0 or WINDOWS:
            return {"exit_code": code}
        try:
            return {"signal": signal.Signals(-code).name}
        except ValueError:
            return {"signal": str(-code)}

    async def end(self, grace: float, step: Callable[[str], None]) -> None:
        """End it and its whole group. The caller has closed its standard input and goes on draining its output.

        Waits `grace` seconds, then SIGTERM, again, then SIGKILL; on Windows the whole tree is ended at once. `step` is
        told each signal that was needed. Takes three times `grace` at most.
        """
        if await self._gone(grace):
            return
        for name in ("TerminateProcess",) if WINDOWS else ("SIGTERM", "SIGKILL"):
            step(name)
            self._signal(name)
            if await self._gone(grace):
                return

    async def _gone(self, grace: float) -> bool:
        until = time.perf_counter() + grace
        await asyncio.wait({self.exited}, timeout=grace)
        # nothing tells when the last of a group has ended
        while self.exited.done() and _group_alive(self.pid) and time.perf_counter() < until:  # noqa: ASYNC110
            await asyncio.sleep(_POLL)
        return self.exited.done() and not _group_alive(self.pid)

    def _signal(self, name: str) -> None:
        if sys.platform == "win32":
            kill = ["taskkill", "/T", "/F", "/PID", str(self.pid)]
            flags = subprocess.CREATE_NO_WINDOW
            subprocess.Popen(kill, creationflags=flags, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        else:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, signal.Signals[name])


def _group_alive(group: int) -> bool:
    """Whether a process of this group runs. A zombie that nobody reaps (a container without an init) does not count."""
    if sys.platform == "win32":
        return False
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # macOS says this of a group of zombies
        return sys.platform != "darwin"
    if sys.platform != "linux":
        return True
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError, IndexError):
            fields = stat.read_bytes().rpartition(b")")[2].split()
            if int(fields[2]) == group and fields[0] not in (b"Z", b"X"):
                return True
    return False
