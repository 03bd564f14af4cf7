"""What the package imports is what pyproject.toml declares, so that an installation from it has everything."""

from __future__ import annotations

import ast
import importlib.metadata
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
COMPANIONS = {
    "pydantic": "mcp",
    "yarl": "aiohttp",
    "shiboken6": "pyside6-essentials",
    "starlette": "mcp",
    "anyio": "mcp",
    "mcp-types": "mcp",
}
"""Distributions that are part of another one's interface, by that one."""


def declared(extra: str | None = None) -> set[str]:
    texts = PROJECT["dependencies"] if extra is None else PROJECT["optional-dependencies"][extra]
    return {canonicalize_name(Requirement(text).name) for text in texts}


def imported(paths: list[Path]) -> dict[str, str]:
    """Every imported top-level module that is neither the standard library's nor ours, with a file that does so."""
    found = {}
    for path in paths:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and not node.level:
                names = [node.module or ""]
            else:
                continue
            for name in names:
                found[name.split(".")[0]] = str(path.relative_to(ROOT))
    return {name: path for name, path in found.items() if name not in {*sys.stdlib_module_names, "mcp_inspector"}}


@pytest.mark.parametrize("demo", [False, True])
def test_every_import_is_declared(demo: bool) -> None:
    package = ROOT / "mcp_inspector"
    allowed = declared() | (declared("demo") if demo else set())
    modules = imported([path for path in package.rglob("*.py") if (package / "demo" in path.parents) == demo])
    assert modules
    owners = importlib.metadata.packages_distributions()
    missing = {}
    for module, path in modules.items():
        names = {canonicalize_name(name) for name in owners.get(module, [])}
        if not names & allowed and not {COMPANIONS.get(name) for name in names} & allowed:
            missing[module] = path
    assert missing == {}
