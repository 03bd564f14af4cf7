"""Every icon that the program names is shipped."""

from __future__ import annotations

import re
from pathlib import Path

from mcp_inspector import resources
from mcp_inspector.ui import icons, window_commands


def test_the_commands_icons_are_shipped() -> None:
    source = Path(window_commands.__file__).read_text("utf-8")
    named = set(re.findall(r'\), "([a-z0-9-]+)"\),?\n', source))
    assert named
    assert named <= set(icons.names())


def test_the_empty_states_icons_are_shipped() -> None:
    folder = Path(icons.__file__).parent
    named = {
        name
        for file in folder.rglob("*.py")
        for name in re.findall(r'(?:EmptyState|icons\.icon|icons\.pixmap)\(\s*"([a-z0-9-]+)"', file.read_text("utf-8"))
    }
    assert named
    missing = {name for name in named if not resources.path(f"icons/{name}.svg").is_file()}
    assert missing == set()
