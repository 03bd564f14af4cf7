"""The command line of the window."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QSize

from mcp_inspector.ui.options import parse


def test_all_of_it() -> None:
    window = (
        "http://h/mcp --config f.json --screenshot w.png --page traffic --theme dark --size 800x500 --scale 1.5 --demo"
    )
    options = parse([*window.split(), "--", "server", "--page", "x"])
    assert options.url == "http://h/mcp"
    assert options.config == Path("f.json")
    assert options.screenshot == Path("w.png")
    assert (options.page, options.theme, options.size, options.scale) == ("traffic", "dark", QSize(800, 500), 1.5)
    assert options.demo
    assert options.command == ("server", "--page", "x")  # what stands behind -- is the server's


@pytest.mark.parametrize(
    "line", ["--size big", "--size 0x0", "--scale 9", "--scale x", "--page nope", "--theme red", "two words"]
)
def test_what_is_wrong_is_a_usage_error(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        parse(line.split())
    assert ended.value.code == 2
    assert "usage" in capsys.readouterr().err
