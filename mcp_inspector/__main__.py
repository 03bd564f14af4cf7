"""``python -m mcp_inspector`` and the command ``mcp-inspector``: a command word goes to `cli`, else a window opens."""

from __future__ import annotations

import sys


def main() -> int:
    """Run the program and return its exit code."""
    raise NotImplementedError


if __name__ == "__main__":
    sys.exit(main())
