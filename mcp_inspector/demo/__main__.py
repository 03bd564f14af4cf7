"""``python -m mcp_inspector.demo stdio | http [--port N] | sse [--port N]``."""

from __future__ import annotations

import argparse
import gc
import sys
import warnings
from typing import TYPE_CHECKING

from . import trim

if TYPE_CHECKING:
    from collections.abc import Callable


def load() -> Callable[[str, int, bool], None]:
    """The function that serves, with as little of the SDK as it needs; with all of it where that does not do."""
    trim.trim()
    try:
        from .serve import run
    except ImportError:
        trim.restore()
        from .serve import run
    return run


def main() -> int:
    """Run the server that the command line asks for and return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m mcp_inspector.demo", description="The demo server of MCP Inspector."
    )
    parser.add_argument("transport", choices=["stdio", "http", "sse"], nargs="?", default="stdio")
    parser.add_argument("--port", type=int, default=0, help="for http and sse; 0 takes a free one (default)")
    parser.add_argument("--with-parent", action="store_true", help="for http and sse: end when stdin is closed")
    options = parser.parse_args()

    # The SDK warns of each capability that 2026-07-28 deprecates; showing them is what this server is for.
    warnings.filterwarnings("ignore", message=r".* deprecated as of 2026-07-28")
    gc.disable()  # importing the SDK makes much and frees nothing
    try:
        run = load()
    except ModuleNotFoundError as error:
        sys.stderr.write(
            f"The demo server needs the official SDK ({error}): pip install 'mcp-inspector-desktop[demo]'\n"
        )
        return 3
    gc.enable()
    gc.freeze()
    try:
        run(options.transport, options.port, options.with_parent)
    except KeyboardInterrupt:
        return 130
    except OSError as error:
        sys.stderr.write(f"The demo server cannot listen on port {options.port}: {error.strerror}\n")
        return 4
    return 0


if __name__ == "__main__":
    sys.exit(main())
