"""The protocol versions that this program speaks, newest first.

What differs between them stands where it matters: `session.eras`, `session.connecting`, `transport.streamable_http`.
Version strings sort by date, so an unknown one after the newest legacy one is treated as modern.
"""

from __future__ import annotations

from typing import Literal

Era = Literal["legacy", "modern"]
"""``legacy`` are the versions with a handshake, ``modern`` the stateless ones."""

MODERN = ("2026-07-28",)
LEGACY = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")


def era_of(version: str) -> Era:
    """The era of a version, known or not."""
    return "modern" if version > LEGACY[0] else "legacy"


def newest(offered: object, ours: tuple[str, ...]) -> str | None:
    """The newest of our versions that a peer's list holds; None when it is no list or holds none."""
    if not isinstance(offered, list):
        return None
    return next((version for version in ours if version in offered), None)
