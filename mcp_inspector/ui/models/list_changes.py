"""What a server listed at its connects, and what is different between two of them, in words. No widget in here."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from mcp_inspector.session.catalogue import What
from mcp_inspector.ui import plain
from mcp_inspector.wire import jsontext

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mcp_inspector.session.remembered import Difference, Remembered

TONES = {"added": "ok", "removed": "error", "changed": "accent"}
SIGNS = {"added": "+", "removed": "−", "changed": "≠"}
_NOUNS = {What.TOOLS: "tool", What.RESOURCES: "resource", What.TEMPLATES: "template", What.PROMPTS: "prompt"}
_LONGEST = 300_000


def connects(remembered: Sequence[Remembered]) -> list[Remembered]:
    """One for each connect and set of capabilities, oldest first: the last that was read of it."""
    found: dict[int, Remembered] = {}
    for one in remembered:
        found[one.connection] = one
    return list(found.values())


def other_set(some: Sequence[Remembered]) -> int:
    """The newest connect that was told of other capabilities than the last; else the one before, else the last."""
    last = len(some) - 1
    others = [at for at in range(last) if some[at].declared != some[last].declared]
    return others[-1] if others else max(0, last - 1)


def told(declared: Mapping[str, Any]) -> str:
    """What the server had been told that we can do: ``roots, sampling``."""
    names = [name for name in declared if name != "extensions"]
    extensions = declared.get("extensions")
    names += list(extensions) if isinstance(extensions, dict) else []
    return plain.line(", ".join(names), 200) or "no capability"


def label(one: Remembered) -> str:
    """A connect in one line: number (a date for those of earlier runs), time, version, what it was told of."""
    moment = time.strftime("%H:%M:%S", time.localtime(one.wall_ns / 1e9))
    number = f"#{one.connection}" if one.connection > 0 else time.strftime("%d %b", time.localtime(one.wall_ns / 1e9))
    return f"{number}  {moment}  {plain.line(one.version, 20)}  {told(one.declared)}"


def words(one: Difference) -> str:
    """A difference in one line: ``+ tool get_weather``."""
    return f"{SIGNS[one.kind]} {_NOUNS[one.what]} {plain.line(one.key, 200) or '(no name)'}"


def summary(some: Sequence[Difference]) -> str:
    """``2 added, 1 changed``; that nothing is different."""
    counts = [
        f"{sum(one.kind == kind for one in some):,} {kind}" for kind in SIGNS if any(one.kind == kind for one in some)
    ]
    return ", ".join(counts) or "Nothing: both list the same"


def laid_out(definition: bytes) -> str:
    """A definition on lines, as it is spelled."""
    text = definition.decode(errors="replace")
    return jsontext.pretty(text) if len(text) <= _LONGEST and "\n" not in text.strip() else text
