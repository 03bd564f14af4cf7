"""The virtual environment `.venv` of a checkout: made, filled from a lock, stamped with what it holds.

The stamp is written last and by one rename, so an interrupted set-up leaves none and is done anew the next time.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import time

from .say import ROOT, Stop, say

VENV = os.path.join(ROOT, ".venv")
LOCKS = os.path.join(ROOT, "packaging", "locks")
STAMP = os.path.join(VENV, "bootstrap.json")
BUSY = os.path.join(VENV, "bootstrap.busy")
FORMAT = 1


class NothingInstalled(Stop):
    """pip has failed before it changed the environment."""


GROUPS = {"run": ("run",), "test": ("run", "test")}
"""What each group brings: `test.txt` holds all of `run.txt` in the same versions (a test says so)."""


def python_of(venv: str) -> str:
    """The interpreter of a virtual environment."""
    return os.path.join(venv, "Scripts", "python.exe") if os.name == "nt" else os.path.join(venv, "bin", "python")


def base_python() -> str:
    """The interpreter to make environments with: never one of a virtual environment, which may be the one to redo."""
    return getattr(sys, "_base_executable", None) or sys.executable


def digest(name: str) -> str:
    """What names the content of a lock."""
    import hashlib

    with open(os.path.join(LOCKS, name + ".txt"), "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def expected() -> dict[str, object]:
    """The part of the stamp that must not differ: another Python, or a moved checkout, asks for a new environment."""
    return {"format": FORMAT, "python": f"{sys.version_info[0]}.{sys.version_info[1]}", "root": ROOT}


def read_stamp() -> dict[str, object]:
    """What `.venv` holds, {} when it holds nothing that can be relied on."""
    try:
        with open(STAMP, encoding="utf-8") as file:
            stamp = json.load(file)
    except (OSError, ValueError):
        return {}
    if not isinstance(stamp, dict) or os.path.exists(BUSY) or not os.path.exists(python_of(VENV)):
        return {}
    return stamp


def write_stamp(stamp: dict[str, object]) -> None:
    """Replace the stamp in one step."""
    with open(STAMP + ".new", "w", encoding="utf-8") as file:
        json.dump(stamp, file, indent=1)
    os.replace(STAMP + ".new", STAMP)


def _groups(stamp: dict[str, object]) -> dict[str, str]:
    groups = stamp.get("groups")
    return groups if isinstance(groups, dict) else {}


def holds(stamp: dict[str, object], group: str) -> bool:
    """Whether this stamp says that the group is installed, as its lock is now."""
    if any(stamp.get(name) != value for name, value in expected().items()):
        return False
    return _groups(stamp).get(group) == digest(group)


def ensure(group: str) -> str:
    """Make sure that `.venv` holds a group (`run` or `test`); returns its interpreter. Quick when it does."""
    if holds(read_stamp(), group):
        return python_of(VENV)
    from .guard import alone

    with alone():
        stamp = read_stamp()
        if holds(stamp, group):  # the one we waited for has done it
            return python_of(VENV)
        started = time.monotonic()
        # Adding to a good environment is quick; whatever else differs, a new one is the only sure thing.
        if not (stamp and all(holds(stamp, name) for name in _groups(stamp))):
            stamp = {**expected(), "groups": {}}
            _new(VENV)
        _install_or_keep(stamp, group)
        _link_checkout()
        stamp["groups"] = {**_groups(stamp), **{name: digest(name) for name in GROUPS[group]}}
        write_stamp(stamp)
        os.remove(BUSY)
        say(f"set up in {time.monotonic() - started:.0f} s")
    return python_of(VENV)


def _install_or_keep(stamp: dict[str, object], group: str) -> None:
    """Install a group; a good environment stays one when pip gives up before it has changed anything (no network)."""
    with open(BUSY, "w", encoding="utf-8") as file:
        file.write(group)
    try:
        install(python_of(VENV), group)
    except NothingInstalled:
        if _groups(stamp):
            os.remove(BUSY)
        raise


def _new(venv: str) -> None:
    """Make `.venv` empty and new."""
    if os.path.lexists(venv):
        ours = any(os.path.exists(path) for path in (STAMP, BUSY)) or not os.path.exists(
            os.path.join(venv, "pyvenv.cfg")
        )
        if not ours:
            raise Stop(
                f"{venv} is a virtual environment that something else has made, and this script needs the place.",
                "Remove it or move it away, then run this again.",
            )
        say("removing the old .venv")
        _remove(venv)
    say(f"making .venv with Python {sys.version.split()[0]}")
    os.makedirs(venv)
    with open(BUSY, "w", encoding="utf-8") as file:
        file.write("new")
    make(venv)


def _remove(venv: str) -> None:
    try:
        if os.path.islink(venv) or not os.path.isdir(venv):
            os.remove(venv)
        else:
            shutil.rmtree(venv)
    except OSError as error:
        raise Stop(
            f"{venv} could not be removed ({error.strerror}: {error.filename}).",
            "End the programs that run from it, see that it is yours, and run this again.",
        ) from error


def make(venv: str) -> None:
    """Make a virtual environment with pip in it, or one that the pip outside can fill."""
    from . import system
    from .shell import clean_environment, quoted, run

    with_pip = system.has_ensurepip()
    command = [base_python(), "-I", "-m", "venv", *([] if with_pip else ["--without-pip"]), venv]
    code, output = run(command, limit=300, env=clean_environment())
    if code:
        raise Stop("The virtual environment could not be made:\n" + _last(output), "By hand: " + quoted(command))


def pip(python: str) -> list[str]:
    """The command that installs into the environment of this interpreter."""
    if os.path.isdir(os.path.join(os.path.dirname(os.path.dirname(python)), "Lib" if os.name == "nt" else "lib")):
        from .shell import run

        if run([python, "-I", "-c", "import pip"], limit=60)[0] == 0:
            return [python, "-I", "-m", "pip"]
    # Debian splits ensurepip off: its python3-pip can fill an environment from outside.
    return [base_python(), "-I", "-m", "pip", "--python", python]


def install(python: str, lock: str) -> None:
    """Install exactly what a lock names, each file by its hash."""
    from .shell import clean_environment, quoted, run

    path = os.path.join(LOCKS, lock + ".txt")
    with open(path, encoding="utf-8") as file:
        count = sum(1 for text in file if "==" in text)
    say(f"installing the locked packages of {lock}.txt ({count} at most)")

    def large(text: str) -> None:
        if "Downloading" in text and any(f"({size}" in text for size in "123456789") and " MB)" in text:
            name, _, size = text.strip().removeprefix("Downloading ").partition(" (")
            if float(size.split(" ")[0]) >= 5:
                say(f"  downloading {name.split('-')[0]} ({size}")

    options = ["--disable-pip-version-check", "--no-input", "--progress-bar", "off", "--require-hashes", "--no-deps"]
    command = [*pip(python), "install", *options, "-r", path]
    code, output = run(command, limit=3600, env=clean_environment(), line=large)
    if code:
        kind = Stop if "Installing collected packages" in output else NothingInstalled
        raise kind("The packages could not be installed. pip said:\n" + _last(output), _remedy(output, quoted(command)))


def _last(output: str) -> str:
    dull = ("Ignoring ", "Requirement already satisfied", "Collecting ", "  Using cached", "  Downloading")
    lines = [text for text in output.strip().splitlines() if not text.startswith(dull)]
    return "\n".join("    " + text for text in lines[-12:])


def _remedy(output: str, command: str) -> str:
    import platform

    if "do not match the hashes" in output.lower() or "hashes are required" in output.lower():
        return (
            "A downloaded file is not the one that was locked: do not install it, look at the mirror or proxy in use."
        )
    if "No space left" in output:
        return "Make room on the disk (about 1 GB), then run this again."
    system = f"{platform.system()} {platform.machine()} {' '.join(platform.libc_ver())}".strip()
    lines = [
        "Can the package index be reached? A proxy is set by HTTPS_PROXY, a mirror by PIP_INDEX_URL.",
        "Then run this again, or by hand:",
        command,
    ]
    if "No matching distribution" in output:
        # An index that does not answer and one that has nothing for us look the same to pip.
        lines.append(
            f"If it can: there is no ready-made package for this system ({system}, Python {sys.version.split()[0]}). "
            "Use Python 3.11 to 3.14 on 64-bit Linux (glibc 2.34 or newer), macOS 14 or Windows 10."
        )
    return "\n".join(lines)


def compile_checkout() -> None:
    """Keep our own modules compiled where nothing else does: with PYTHONDONTWRITEBYTECODE, as containers often set it.

    Without it each start compiles all of them anew, which takes as long as the start itself.
    """
    package = os.path.join(ROOT, "mcp_inspector")
    if sys.dont_write_bytecode and any(_not_compiled(folder) for folder, _, _ in os.walk(package)):
        from .shell import run

        # Where it cannot be written, the program starts all the same.
        run([python_of(VENV), "-I", "-m", "compileall", "-q", package], limit=300)


def _not_compiled(folder: str) -> bool:
    """Whether a module in this folder is newer than what was compiled from it."""
    try:
        with os.scandir(os.path.join(folder, "__pycache__")) as entries:
            suffix = f".{sys.implementation.cache_tag}.pyc"
            compiled = {
                entry.name.removesuffix(suffix): entry.stat().st_mtime
                for entry in entries
                if entry.name.endswith(suffix)
            }
    except OSError:
        compiled = {}
    with os.scandir(folder) as entries:
        sources = [entry for entry in entries if entry.name.endswith(".py")]
        return any(entry.stat().st_mtime > compiled.get(entry.name.removesuffix(".py"), 0.0) for entry in sources)


def _link_checkout() -> None:
    """Make this checkout importable in `.venv`, and give it the command `mcp-inspector`.

    A path file instead of an editable install: that would build in a separate environment, with packages that no lock
    names.
    """
    version = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    library = os.path.join(VENV, "Lib") if os.name == "nt" else os.path.join(VENV, "lib", version)
    with open(os.path.join(library, "site-packages", "mcp_inspector_checkout.pth"), "w", encoding="utf-8") as file:
        file.write(ROOT + "\n")
    python = python_of(VENV)
    # -P: the current folder must not come before the program's own modules.
    if os.name == "nt":
        with open(os.path.join(VENV, "Scripts", "mcp-inspector.cmd"), "w", encoding="utf-8") as file:
            file.write('@"%~dp0python.exe" -P -m mcp_inspector %*\n')
        return
    from shlex import quote

    script = os.path.join(VENV, "bin", "mcp-inspector")
    with open(script, "w", encoding="utf-8") as file:
        file.write(f'#!/bin/sh\nexec {quote(python)} -P -m mcp_inspector "$@"\n')
    os.chmod(script, 0o755)
