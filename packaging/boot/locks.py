"""Works out `packaging/locks` anew: exact versions and hashes, valid for every Python and system we name, by markers.

`uv` does it, itself locked in `tools.txt`, because it resolves for all systems at once. No address of any index is
written.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile

from . import environment, peers
from .say import ROOT, Stop, say
from .shell import run as run_quietly

OLDEST = "3.11"
HEADER = "# Made by `python3 packaging/bootstrap.py lock` from {source}. Do not edit.\n"
LISTS = {
    # `run` is worked out within the versions of `test`, so that `test` only adds to it.
    "test": ("pyproject.toml", ["--extra", "demo", "--extra", "dev"], []),
    "run": ("pyproject.toml", ["--extra", "demo"], ["test"]),
    "peer-sdk1": ("packaging/locks/peer-sdk1.in", [], []),
    "peer-sdk2": ("packaging/locks/peer-sdk2.in", [], []),
    "tools": ("packaging/locks/tools.in", [], []),
}


def run(*, upgrade: bool) -> int:
    """Write all locks; versions stay where they still fit, unless `upgrade`."""
    uv = _uv()
    environ = dict(os.environ)
    if "PIP_INDEX_URL" in environ:
        environ.setdefault("UV_DEFAULT_INDEX", environ["PIP_INDEX_URL"])
    os.makedirs(os.path.join(ROOT, ".cache"), exist_ok=True)
    for name, (source, extras, within) in LISTS.items():
        target = os.path.join(environment.LOCKS, name + ".txt")
        command = [
            uv,
            "pip",
            "compile",
            source,
            *extras,
            "--universal",
            "--generate-hashes",
            "--no-header",
            "--no-annotate",
        ]
        command += ["--python-version", OLDEST, "--no-emit-index-url", "--no-emit-find-links", "--quiet"]
        for other in within:
            command += ["--constraints", os.path.join(environment.LOCKS, other + ".txt")]
        if upgrade:
            command.append("--upgrade")
        with tempfile.TemporaryDirectory(dir=os.path.join(ROOT, ".cache")) as folder:
            draft = os.path.join(folder, name + ".txt")
            if os.path.exists(target):
                shutil.copyfile(target, draft)
            code, output = run_quietly([*command, "--output-file", draft], limit=600, env=environ, cwd=ROOT)
            if code:
                raise Stop(f"{name}.txt could not be worked out:\n{output.strip()}")
            with open(draft, encoding="utf-8") as file:
                text = file.read()
        with open(target, "w", encoding="utf-8", newline="\n") as file:
            file.write(HEADER.format(source=source) + text)
        say(f"{name}.txt: {sum(1 for line in text.splitlines() if '==' in line.split(' ')[0])} packages")
    _npm(upgrade=upgrade)
    return 0


def _uv() -> str:
    """The locked uv, or on the very first time any uv on the PATH."""
    if os.path.exists(os.path.join(environment.LOCKS, "tools.txt")):
        python = peers.environment_of("tools", "tools", peers.cache())
        return os.path.join(os.path.dirname(python), "uv.exe" if os.name == "nt" else "uv")
    found = shutil.which("uv")
    if found is None:
        raise Stop("There is no packaging/locks/tools.txt to install uv from, and no uv on the PATH.")
    return found


def _npm(*, upgrade: bool) -> None:
    """The locks of the npm peers. Addresses are taken out: each file is known by its name, version and hash."""
    npm = shutil.which("npm")
    if npm is None:
        say("npm is not on the PATH: its locks stay as they are")
        return
    for name in ("npm", "conformance"):
        _npm_lock(npm, name, upgrade=upgrade)


def _npm_lock(npm: str, name: str, *, upgrade: bool) -> None:
    folder = os.path.join(environment.LOCKS, name)
    target = os.path.join(folder, "package-lock.json")
    if upgrade and os.path.exists(target):
        os.remove(target)
    code, output = run_quietly(
        [npm, "install", "--package-lock-only", "--ignore-scripts", "--no-audit"], limit=600, cwd=folder
    )
    if code:
        raise Stop(f"npm could not work out the lock of {name}:\n{output.strip()}")
    with open(target, encoding="utf-8") as file:
        lock = json.load(file)
    for package in lock["packages"].values():
        package.pop("resolved", None)
        package.pop("funding", None)
    with open(target, "w", encoding="utf-8", newline="\n") as file:
        json.dump(lock, file, indent=1, ensure_ascii=False)
        file.write("\n")
    say(f"{name}/package-lock.json: {len(lock['packages']) - 1} packages")
