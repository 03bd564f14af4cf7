"""Regular expressions of a schema, matched within bounds: they come from a server and may be hostile.

Linear time alone is no bound: ``(.{0,1000}x){5}`` on 160 000 characters takes 19 s without ever going back. So what a
pattern comes to is estimated first, and what would take long is not decided here but left to the checks.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jsonschema_rs import Validator

_LINEAR_SIZE = 1_000_000
_BACKTRACKS = 20_000
MOST_ATOMS = 2_000
"""Atoms of one pattern, repetitions counted out, from which compiling it takes more than a frame or two."""
MOST_STEPS = 200_000
"""Atoms times characters that one match may come to: some milliseconds at worst."""

_FANCY = re.compile(r"\(\?(?:[=!>]|<[=!])|\\[1-9k]|[*+?}]\+")
_COUNT = re.compile(r"\{(\d*)(,?)(\d*)\}")
_CLASS = re.compile(r"\[\^?\]?(?:\\.|[^\]\\])*\]")


@lru_cache(maxsize=512)
def _compiled(pattern: str) -> Validator | None:
    import jsonschema_rs  # late: not needed before the first pattern is met

    schema = json.dumps({"pattern": pattern})
    for options in (
        jsonschema_rs.RegexOptions(size_limit=_LINEAR_SIZE),
        jsonschema_rs.FancyRegexOptions(backtrack_limit=_BACKTRACKS),
    ):
        try:
            return jsonschema_rs.Draft202012Validator(schema, pattern_options=options, offline=True)
        except ValueError:
            continue
    return None


@lru_cache(maxsize=2048)
def atoms(pattern: str) -> int:
    """How many characters and classes a pattern has, each counted as often as it may be repeated by number."""
    groups, last, at = [0], 0, 0
    while at < len(pattern):
        letter = pattern[at]
        counted = _COUNT.match(pattern, at) if letter == "{" else None
        if letter == "(":
            groups.append(0)
            last = 0
        elif letter == ")" and len(groups) > 1:
            last = groups.pop()
            groups[-1] += last
        elif counted is not None:
            times = min(int((counted[3] or counted[1] or "1")[:9]), 10**6)
            groups[-1] += last * max(times - 1, 0)
            last *= max(times, 1)
        elif letter not in "*+?|^$":
            last = 1
            groups[-1] += 1
        found = _CLASS.match(pattern, at) if letter == "[" else counted
        at = found.end() if found is not None else at + (2 if letter == "\\" else 1)
        if groups[-1] > 10**9:
            return 10**9
    return max(sum(groups), 1)


@lru_cache(maxsize=2048)
def fancy(pattern: str) -> bool:
    """Whether only an engine that goes back can match it: it looks around or refers back."""
    return _FANCY.search(pattern) is not None


def decidable(pattern: str, text: str) -> bool:
    """Whether `matches` gives an answer: within some milliseconds it can."""
    count = atoms(pattern)
    return count <= MOST_ATOMS and count * len(text) <= MOST_STEPS


def effort(pattern: str, text: str) -> int:
    """What a match costs, counted in steps of about a microsecond."""
    return atoms(pattern) * len(text) // 40 + (1000 if fancy(pattern) else 0)


def matches(pattern: str, text: str) -> bool:
    """Whether a pattern is found in a text; one that cannot be compiled or decided in time matches nothing."""
    if not decidable(pattern, text):
        return False
    validator = _compiled(pattern)
    try:
        return validator is not None and validator.is_valid(text)
    except (ValueError, UnicodeError):
        return False


def decided(pattern: str, text: str, most: int) -> bool | None:
    """As `matches`, with another bound of atoms times characters; None beyond it, or when it cannot be compiled.

    For whoever can wait: 10 million take about half a second at worst. A pattern that goes back keeps the usual bound.
    """
    validator = _compiled(pattern)
    if validator is None or atoms(pattern) > MOST_ATOMS or atoms(pattern) * len(text) > most:
        return None
    if fancy(pattern) and not decidable(pattern, text):
        return None
    try:
        return validator.is_valid(text)
    except (ValueError, UnicodeError):
        return None


def usable(pattern: str) -> bool:
    """Whether a pattern can be compiled."""
    return _compiled(pattern) is not None
