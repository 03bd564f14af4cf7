"""Finds a file of `resources/` from a checkout, a wheel or a frozen program."""

from __future__ import annotations

import sys
from pathlib import Path


def path(name: str) -> Path:
    """The path of a shipped file, for example ``icons/plug.svg``; it need not exist."""
    here = Path(__file__).resolve().parent
    for root in (Path(getattr(sys, "_MEIPASS", here)) / "mcp_inspector" / "_resources", here / "_resources"):
        if root.is_dir():
            return root / name
    return here.parent / "resources" / name
