"""The command line of the window."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize

from mcp_inspector import __version__

if TYPE_CHECKING:
    from collections.abc import Sequence

PAGES = (
    "tools", "resources", "prompts", "overview", "tasks", "agent", "traffic", "add", "palette", "shortcuts", "settings",
    "sessions",
)  # fmt: skip


@dataclass(frozen=True)
class Options:
    """What the command line asks for."""

    url: str = ""
    command: tuple[str, ...] = ()
    config: Path | None = None
    screenshot: Path | None = None
    walk: Path | None = None
    page: str = ""
    theme: str = ""
    size: QSize | None = None
    scale: float = 0.0
    demo: bool = False
    session: Path | None = None

    @property
    def overrides(self) -> dict[str, str]:
        """The settings that it gives, which go before all others."""
        return {"theme": self.theme} if self.theme else {}


def parse(argv: Sequence[str]) -> Options:
    """Read the command line. Ends the program with a sentence on a wrong one."""
    words = list(argv)
    command: tuple[str, ...] = ()
    if "--" in words:
        at = words.index("--")
        words, command = words[:at], tuple(words[at + 1 :])
    parser = argparse.ArgumentParser(
        prog="mcp-inspector", description="The window of MCP Inspector. After -- comes a command that starts a server."
    )
    parser.add_argument("url", nargs="?", default="", help="open the window on the server at this address")
    parser.add_argument("--config", type=Path, metavar="FILE", help="open the window on this servers file")
    parser.add_argument("--session", type=Path, metavar="FILE", help="open the window on this recorded session")
    parser.add_argument("--demo", action="store_true", help="open the window on the built-in demo server")
    parser.add_argument("--theme", choices=("system", "light", "dark"), default="", help="how the window looks")
    parser.add_argument("--size", type=_size, metavar="WxH", help="the size of the window in pixels")
    parser.add_argument("--scale", type=_scale, default=0.0, metavar="N", help="enlarge everything, for example 2")
    parser.add_argument("--screenshot", type=Path, metavar="PNG", help="save a picture of the settled window and exit")
    parser.add_argument(
        "--walk", type=Path, metavar="PNG", help="do the main job once, say what came of it, save a picture and exit"
    )
    parser.add_argument("--page", choices=PAGES, default="", help="what to show, with something real in it")
    parser.add_argument("--version", action="version", version=f"mcp-inspector {__version__}")
    found = parser.parse_args(words)
    return Options(
        found.url,
        command,
        found.config,
        found.screenshot,
        found.walk,
        found.page,
        found.theme,
        found.size,
        found.scale,
        found.demo,
        found.session,
    )


def _size(text: str) -> QSize:
    width, _, height = text.lower().partition("x")
    if not (width.isdigit() and height.isdigit() and 100 <= int(width) <= 16_384 and 100 <= int(height) <= 16_384):
        raise argparse.ArgumentTypeError(f"{text!r} is no size such as 1440x900")
    return QSize(int(width), int(height))


def _scale(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0.5 <= value <= 4:
        raise argparse.ArgumentTypeError(f"{text!r} is no scale from 0.5 to 4")
    return value
