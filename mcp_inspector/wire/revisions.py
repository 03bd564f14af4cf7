"""The protocol versions that this program speaks, newest first, and what differs on the wire.

Source: the specification's pages and schemas of each version. Version strings sort by date, so an unknown one after the
newest known is treated as modern.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Era = Literal["legacy", "modern"]


@dataclass(frozen=True, slots=True)
class Revision:
    """One version. `era` is ``legacy`` for the handshake versions, ``modern`` for the stateless ones.

    `version_header`: HTTP requests after `initialize` carry MCP-Protocol-Version. `batches`: JSON arrays are messages.
    `resumes`: a POST stream that ended may be resumed with Last-Event-ID.
    """

    version: str
    era: Era
    version_header: bool
    batches: bool = False
    resumes: bool = False


REVISIONS = (
    Revision("2026-07-28", "modern", version_header=True),
    Revision("2025-11-25", "legacy", version_header=True, resumes=True),
    Revision("2025-06-18", "legacy", version_header=True, resumes=True),
    Revision("2025-03-26", "legacy", version_header=False, batches=True, resumes=True),
    Revision("2024-11-05", "legacy", version_header=False),
)
MODERN = tuple(item.version for item in REVISIONS if item.era == "modern")
LEGACY = tuple(item.version for item in REVISIONS if item.era == "legacy")
_BY_VERSION = {item.version: item for item in REVISIONS}


def era_of(version: str) -> Era:
    """The era of a version, known or not."""
    known = _BY_VERSION.get(version)
    if known is not None:
        return known.era
    return "modern" if version > LEGACY[0] else "legacy"


def newest(offered: object, ours: tuple[str, ...]) -> str | None:
    """The newest of our versions that a peer's list holds; None when it is no list or holds none."""
    if not isinstance(offered, list):
        return None
    return next((version for version in ours if version in offered), None)
