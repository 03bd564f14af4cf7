"""The locks: whole, exact, hashed, without addresses, and in step with pyproject.toml."""

from __future__ import annotations

import importlib.metadata
import json
import re
import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

if TYPE_CHECKING:
    from packaging.markers import Marker

ROOT = Path(__file__).parents[2]
LOCKS = ROOT / "packaging" / "locks"
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
SYSTEMS = (("linux", "Linux"), ("darwin", "Darwin"), ("win32", "Windows"))


def locked(name: str) -> list[Requirement]:
    """The requirements of a lock, hashes left out."""
    text = (LOCKS / f"{name}.txt").read_text()
    return [Requirement(line.rstrip("\\ ")) for line in text.splitlines() if line[:1].isalnum()]


def environments() -> list[dict[str, str]]:
    """What markers see on each system and Python that is promised."""
    common = {"implementation_name": "cpython", "platform_python_implementation": "CPython"}
    return [
        {**common, "sys_platform": platform, "platform_system": system, "python_version": python,
         "python_full_version": f"{python}.1", "os_name": "nt" if platform == "win32" else "posix"}
        for python in PYTHONS
        for platform, system in SYSTEMS
    ]  # fmt: skip


def wanted(extras: tuple[str, ...]) -> list[Requirement]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    texts = [*project["dependencies"], *(text for extra in extras for text in project["optional-dependencies"][extra])]
    return [Requirement(text) for text in texts if not text.startswith(project["name"])]


def holds(marker: Marker | None, environment: dict[str, str]) -> bool:
    return marker is None or marker.evaluate(environment)


@pytest.mark.parametrize("path", sorted(LOCKS.rglob("*.*")), ids=lambda path: path.name)
def test_no_lock_names_an_address(path: Path) -> None:
    assert re.findall(r"\w+://\S+", path.read_text()) == []


@pytest.mark.parametrize("name", [path.stem for path in sorted(LOCKS.glob("*.txt"))])
def test_every_package_is_exact_and_hashed(name: str) -> None:
    text = (LOCKS / f"{name}.txt").read_text().replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    assert lines
    for line in lines:
        assert re.match(r"[a-z0-9-]+==[0-9][^ ;]* .*--hash=sha256:[0-9a-f]{64}$", line), line


@pytest.mark.parametrize(("name", "extras"), [("run", ("demo",)), ("test", ("demo", "dev"))])
def test_the_lock_covers_what_the_project_needs_everywhere(name: str, extras: tuple[str, ...]) -> None:
    lock = locked(name)
    for environment in environments():
        there = {
            canonicalize_name(entry.name): next(iter(entry.specifier)).version
            for entry in lock
            if holds(entry.marker, environment)
        }
        for need in wanted(extras):
            if holds(need.marker, environment):
                version = there.get(canonicalize_name(need.name))
                assert version is not None, f"{need} is missing in {name}.txt: run `bootstrap.py lock`"
                assert need.specifier.contains(version), f"{need} is locked as {version}: run `bootstrap.py lock`"


def test_the_tests_only_add_to_what_runs() -> None:
    assert {str(entry) for entry in locked("run")} <= {str(entry) for entry in locked("test")}


@pytest.mark.parametrize("lock", ["npm", "conformance"])
def test_an_npm_lock_has_a_hash_for_every_package(lock: str) -> None:
    packages = json.loads((LOCKS / lock / "package-lock.json").read_text())["packages"]
    assert packages.pop("")
    assert packages
    assert [name for name, entry in packages.items() if not entry.get("integrity", "").startswith("sha512-")] == []


@pytest.mark.skipif(Path(sys.prefix) != ROOT / ".venv", reason="runs in an environment that bootstrap.py did not make")
def test_what_is_installed_is_what_is_locked() -> None:
    differing = [
        entry.name
        for entry in locked("test")
        if holds(entry.marker, {}) and not entry.specifier.contains(importlib.metadata.version(entry.name))
    ]
    assert differing == []
