"""Settings: where a value comes from, and what a wrong one costs."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import pytest

from mcp_inspector.config import settings
from mcp_inspector.config.servers_file import EditRefused
from mcp_inspector.config.settings import Settings, load, save

if TYPE_CHECKING:
    from pathlib import Path


def test_defaults_without_any_source() -> None:
    loaded = load(None, {})
    assert loaded.settings == Settings()
    assert loaded.origin("theme") == "default"
    assert loaded.problems == ()
    assert {setting.name for setting in fields(Settings)} == set(settings.HELP)
    assert all(settings.check(setting.name, setting.default) == setting.default for setting in fields(Settings))


def test_each_source_beats_the_next_and_is_named(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_text('{"theme": "dark", "request_timeout": 5, "total_timeout": 7, /* c */}')
    environ = {"MCP_INSPECTOR_REQUEST_TIMEOUT": "6.5", "MCP_INSPECTOR_TOTAL_TIMEOUT": "8", "MCP_INSPECTOR_HOME": "/x"}
    loaded = load(path, environ, {"total_timeout": "9"})
    assert (loaded.settings.theme, loaded.settings.request_timeout, loaded.settings.total_timeout) == ("dark", 6.5, 9.0)
    assert loaded.origin("theme") == str(path)
    assert loaded.origin("request_timeout") == "environment MCP_INSPECTOR_REQUEST_TIMEOUT"
    assert loaded.origin("total_timeout") == "command line"
    assert loaded.origin("probe_timeout") == "default"
    assert loaded.problems == ()


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("theme", "pink", "none of the choices"),
        ("request_timeout", "soon", "a number"),
        ("request_timeout", -1, ">= 0.1"),
        ("request_timeout", True, "a number"),
        ("request_timeout", float("1e999"), "86400"),
        ("message_limit", 1.5, "a whole number"),
        ("text_scale", None, "a number"),
        ("theme", ["dark"], "a text"),
        ("them", "dark", 'Perhaps "theme" is meant'),
        ("xyz", "dark", "Known are theme"),
    ],
)
def test_a_wrong_value_costs_itself_only_and_is_said(tmp_path: Path, name: str, value: Any, words: str) -> None:
    import json

    path = tmp_path / "settings.json"
    path.write_text(json.dumps({name: value, "probe_timeout": 3}).replace("Infinity", "1e999"))
    loaded = load(path, {})
    assert loaded.settings == Settings(probe_timeout=3)
    assert len(loaded.problems) == 1
    assert words in loaded.problems[0]
    assert str(path) in loaded.problems[0]
    assert "`" not in loaded.problems[0]


def test_a_wrong_override_leaves_the_value_below_it(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_text('{"theme": "dark"}')
    loaded = load(path, {"MCP_INSPECTOR_THEME": "pink"}, {"text_scale": "big"})
    assert loaded.settings.theme == "dark"
    assert loaded.origin("theme") == str(path)
    origins = [problem.split(":")[0] for problem in loaded.problems]
    assert origins == ["environment MCP_INSPECTOR_THEME", "command line"]


@pytest.mark.parametrize("content", [b"{", b"[]", b"\xff", b"7"])
def test_an_unreadable_file_gives_the_defaults_and_a_sentence(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "settings.json"
    path.write_bytes(content)
    loaded = load(path, {})
    assert loaded.settings == Settings()
    assert len(loaded.problems) == 1
    assert "defaults" in loaded.problems[0]
    with pytest.raises(EditRefused, match="not saved"):
        save(path, {"theme": "dark"})
    assert path.read_bytes() == content


def test_saving_keeps_everything_else(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "settings.json"
    save(path, {"theme": "dark"})
    assert path.read_text() == '{\n  "theme": "dark"\n}\n'
    path.write_text('{\n  // mine\n  "theme": "dark", // at night\n  "other": 1.0\n}\n')
    save(path, {"theme": "light", "text_scale": 1.25})
    assert path.read_text() == (
        '{\n  // mine\n  "theme": "light", // at night\n  "other": 1.0,\n  "text_scale": 1.25\n}\n'
    )
    save(path, {"text_scale": None, "theme": None, "probe_timeout": None})
    assert path.read_text() == '{\n  // mine\n  "other": 1.0\n}\n'
    with pytest.raises(ValueError, match="none of the choices"):
        save(path, {"theme": "pink"})


def test_loading_settings_does_not_load_slow_things() -> None:
    """The start-up path: neither pydantic nor asyncio nor Qt."""
    code = (
        "import sys; from mcp_inspector.config import settings, sources, paste, paths, variables;"
        "settings.load(None, {});"
        "print([m for m in ('pydantic', 'asyncio', 'PySide6', 'difflib', 'httpx') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=30, check=True)
    assert done.stdout.strip() == "[]"
