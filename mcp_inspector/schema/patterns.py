"""Regular expressions of a schema, matched in linear time: they come from a server and may be hostile."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jsonschema_rs import Validator

_LINEAR_SIZE = 1_000_000
_BACKTRACKS = 100_000


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


def matches(pattern: str, text: str) -> bool:
    """Whether a pattern is found in a text; a pattern that cannot be compiled matches nothing."""
    validator = _compiled(pattern)
    try:
        return validator is not None and validator.is_valid(text)
    except (ValueError, UnicodeError):
        return False


def usable(pattern: str) -> bool:
    """Whether a pattern can be compiled."""
    return _compiled(pattern) is not None
