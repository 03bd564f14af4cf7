"""The real servers and clients of others that tests and benchmarks run beside: installed by lock into a cache.

Where they are is written to `.cache/peers.json` of the checkout; `tests/peers/installed.py` reads it. A peer that
cannot be had is no failure: its tests skip, with the reason that is written there.
"""

from __future__ import annotations

import json
import os
import shutil
import sys

from . import environment
from .guard import alone
from .say import ROOT, Stop, say

LIST = os.path.join(ROOT, ".cache", "peers.json")
FOR_TESTS = ("sdk1", "everything", "conformance")
FOR_BENCH = ("sdk1", "sdk2")
"""``sdk1`` and ``sdk2``: the official Python SDK, each major in an environment of its own. From npm:
``everything``, a server for everything, and ``conformance``, the official suite with the Node that it needs."""


def cache() -> str:
    """Where peers are kept for all checkouts of this person; in the checkout when there is no such place."""
    home = os.path.expanduser("~")
    if os.environ.get("MCP_INSPECTOR_CACHE"):
        base = os.environ["MCP_INSPECTOR_CACHE"]
    elif sys.platform == "win32":
        base = os.path.join(os.environ.get("LOCALAPPDATA", home), "mcp-inspector", "Cache")
    elif sys.platform == "darwin":
        base = os.path.join(home, "Library", "Caches", "mcp-inspector")
    else:
        base = os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.join(home, ".cache"), "mcp-inspector")
    folder = os.path.join(base, "peers")
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError:
        folder = ""
    if folder and os.access(folder, os.W_OK):
        return folder
    folder = os.path.join(ROOT, ".cache", "peers")
    os.makedirs(folder, exist_ok=True)
    return folder


def prepare(names: tuple[str, ...]) -> dict[str, dict[str, object]]:
    """Install these peers where they are not yet; returns, and writes down, what is there and why something is not."""
    known: dict[str, dict[str, object]]
    try:
        with open(LIST, encoding="utf-8") as file:
            known = json.load(file)
    except (OSError, ValueError):
        known = {}
    folder = cache()
    for name in names:
        try:
            known[name] = NPM[name](folder) if name in NPM else _python(name, folder)
        except Stop as stop:
            known[name] = {"missing": stop.sentence}
            say(f"the peer {name} is not there, and its tests are skipped: {stop.sentence}")
    os.makedirs(os.path.dirname(LIST), exist_ok=True)
    with open(LIST + ".new", "w", encoding="utf-8") as file:
        json.dump(known, file, indent=1)
    os.replace(LIST + ".new", LIST)
    return known


def environment_of(name: str, lock: str, folder: str) -> str:
    """An environment in the cache that holds exactly one lock; returns its interpreter."""
    place = os.path.join(folder, f"{name}-py{sys.version_info[0]}{sys.version_info[1]}-{environment.digest(lock)[:10]}")
    with alone(folder):
        if not os.path.exists(os.path.join(place, "complete")):
            say(f"installing {name} into {place}")
            shutil.rmtree(place, ignore_errors=True)
            environment.make(place)
            environment.install(environment.python_of(place), lock)
            _complete(place)
    return environment.python_of(place)


def _python(name: str, folder: str) -> dict[str, object]:
    return {"python": environment_of(name, f"peer-{name}", folder)}


def _everything(folder: str) -> dict[str, object]:
    place, node = _npm("everything", "npm", folder)
    entry = os.path.join(place, "node_modules", "@modelcontextprotocol", "server-everything", "dist", "index.js")
    if not os.path.exists(entry):
        raise Stop(f"npm installed it without {entry}")
    return {"command": [node, entry]}


def _conformance(folder: str) -> dict[str, object]:
    place, node = _npm("conformance", "conformance", folder)
    modules = os.path.join(place, "node_modules")
    for machine in ("x64", "arm64"):  # the suite needs a newer Node than many systems have: it is in the lock
        own = os.path.join(modules, f"node-linux-{machine}", "bin", "node")
        if os.path.exists(own):
            node = own
    entry = os.path.join(modules, "@modelcontextprotocol", "conformance", "dist", "index.js")
    if not os.path.exists(entry):
        raise Stop(f"npm installed it without {entry}")
    return {"command": [node, entry]}


NPM = {"everything": _everything, "conformance": _conformance}


def _npm(name: str, lock_folder: str, folder: str) -> tuple[str, str]:
    """Install one npm lock into a folder of its own; returns that folder and the system's node."""
    import hashlib

    from .shell import run

    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        raise Stop("node and npm are not on the PATH")
    source = os.path.join(environment.LOCKS, lock_folder)
    with open(os.path.join(source, "package-lock.json"), "rb") as file:
        lock = hashlib.sha256(file.read()).hexdigest()
    place = os.path.join(folder, f"{name}-{lock[:10]}")
    with alone(folder):
        if not os.path.exists(os.path.join(place, "complete")):
            say(f"installing {name} (npm) into {place}")
            shutil.rmtree(place, ignore_errors=True)
            os.makedirs(place)
            for part in ("package.json", "package-lock.json"):
                shutil.copy(os.path.join(source, part), place)
            # No install scripts: nothing that is not in the lock is fetched or built.
            command = [npm, "ci", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund"]
            code, output = run(command, limit=600, cwd=place)
            if code:
                raise Stop("npm could not install it: " + " ".join(output.split()[-30:]))
            _complete(place)
    return place, node


def _complete(place: str) -> None:
    with open(os.path.join(place, "complete"), "w", encoding="utf-8"):
        pass
