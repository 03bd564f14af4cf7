"""``python -m mcp_inspector`` and the command ``mcp-inspector``: a command word goes to `cli`, else a window opens.

Each door is imported only when it is taken: a command needs no Qt, and ``--version`` nothing at all.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program with these words (those of the process by default) and return its exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    first = words[0] if words else ""
    if first in ("--version", "-V"):
        from mcp_inspector import __version__

        sys.stdout.write(f"mcp-inspector {__version__}\n")
        return 0
    if first in ("--help", "-h"):
        from mcp_inspector.cli.arguments import GENERAL

        sys.stdout.write(GENERAL)
        return 0
    if first == "--check-arguments":  # the window's helper: see ui.check_child
        from mcp_inspector.ui.check_child import main as check

        return check()
    from mcp_inspector import cli

    if first in cli.COMMANDS:
        return cli.main(words)
    if first and not first.startswith("-") and "://" not in first:
        sys.stderr.write(f"mcp-inspector: {_unknown(first, cli.COMMANDS)}\n")
        return 2
    from mcp_inspector.app import main as window

    return window(words)


def _unknown(word: str, commands: Collection[str]) -> str:
    """What to say of a first word that is neither a command nor a URL: a mistyped command must not open a window."""
    from difflib import get_close_matches

    if near := get_close_matches(word, commands, 1):
        hint = f"Did you mean {near[0]}?"
    else:
        hint = (
            "See mcp-inspector --help. A URL begins with http:// or https://; the command of a server comes after --."
        )
    return f"{word!r} is neither a command nor a URL. {hint}"


if __name__ == "__main__":
    sys.exit(main())
