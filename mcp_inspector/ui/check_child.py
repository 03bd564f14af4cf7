"""Checks one value against one schema, as a process of its own: what takes long there does not stop the window.

On stdin: the length of the schema in 8 bytes, the schema, the value. On stdout: the problems as JSON.
"""

from __future__ import annotations

import json
import sys

from mcp_inspector.schema.problems import Problem, Severity
from mcp_inspector.schema.validate import Checker
from mcp_inspector.wire.jsontext import JsonError

WORD = "--check-arguments"
"""The word of the command line that starts this."""


def request(schema: bytes, value: bytes) -> bytes:
    """What the child is to read."""
    return len(schema).to_bytes(8, "big") + schema + value


def read(answer: bytes) -> list[Problem] | None:
    """The problems that the child has found; None when it has not answered."""
    try:
        found = json.loads(answer)
        return [
            Problem(tuple(path), sentence, keyword, Severity(severity), rule)
            for path, sentence, keyword, severity, rule in found
        ]
    except (ValueError, TypeError):
        return None


def main() -> int:
    """Read, check, answer."""
    data = sys.stdin.buffer.read()
    length = int.from_bytes(data[:8], "big")
    try:
        problems = Checker(data[8 : 8 + length]).check(data[8 + length :])
    except JsonError as error:
        problems = [Problem((), f"is not checked: {error}", "", Severity.WARNING)]
    rows = [[one.path, one.sentence, one.keyword, one.severity.value, one.rule] for one in problems]
    sys.stdout.write(json.dumps(rows))
    return 0
