"""Values inside messages by their path, for the filter line and for columns: ``$.params.arguments.city``, ``$.a[0]``.

    path = "$" { "." name | "[" number "]" | "[*]" | '["' name '"]' }

Only what lies on the way is read, and every value stays as it is spelled. Of members of one name the last counts.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import cached_property
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterator

_STEP = re.compile(
    r"""\.(?P<name>[^\s.\[\]:"'=<>()]+)
    | \[(?P<number>\d{1,9})\] | \[(?P<every>\*)\]
    | \[(?P<quoted>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')\]""",
    re.VERBOSE,
)
_PLAIN = re.compile(r"[A-Za-z_$][A-Za-z0-9_$-]*")
_objects = msgspec.json.Decoder(dict[str, msgspec.Raw])
_arrays = msgspec.json.Decoder(list[msgspec.Raw])
_MOST_MATCHES = 1_000


class PathError(Exception):
    """A path that cannot be understood: why, as a sentence, and where in it."""

    def __init__(self, sentence: str, position: int) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.position = position


@dataclass(frozen=True)
class Path:
    """The steps from the root: a name, a number, or None for every element."""

    steps: tuple[str | int | None, ...]

    def __str__(self) -> str:
        return "$" + "".join(_spelled(step) for step in self.steps)

    @cached_property
    def literal(self) -> bytes:
        """Bytes that a text must hold to have a value at this path; empty where none is sure."""
        names = [step for step in self.steps if isinstance(step, str) and _PLAIN.fullmatch(step)]
        return f'"{names[-1]}"'.encode() if names else b""

    def values(self, text: bytes | memoryview) -> Iterator[bytes]:
        """The JSON texts of all values at this path; none where the text is no JSON or has none."""
        yield from _walk(text, self.steps)

    def first(self, text: bytes) -> bytes | None:
        """The first of them."""
        return next(self.values(text), None)


def scan(text: str, start: int = 0) -> tuple[Path, int]:
    """Read a path from `start` on, as far as it goes; where it ends. Raises `PathError`."""
    if text[start : start + 1] != "$":
        raise PathError("A path begins with $, for example $.params.name.", start)
    at, steps = start + 1, []
    while text[at : at + 1] in (".", "["):
        found = _STEP.match(text, at)
        if found is None:
            raise PathError('After $ come .name, [0], [*] or ["name"].', at)
        if found["name"] is not None:
            steps.append(found["name"])
        elif found["number"] is not None:
            steps.append(int(found["number"]))
        elif found["every"] is not None:
            steps.append(None)
        else:
            steps.append(re.sub(r"\\(.)", r"\1", found["quoted"][1:-1]))
        at = found.end()
    if not steps:
        raise PathError("A path goes on behind $, for example $.params.name.", start)
    return Path(tuple(steps)), at


def parse(text: str) -> Path:
    """A path that is the whole text. Raises `PathError`."""
    path, end = scan(text)
    if end < len(text):
        raise PathError('After $ come .name, [0], [*] or ["name"].', end)
    return path


def spelled(steps: list[str | int]) -> str:
    """The path of these steps as it is typed."""
    return str(Path(tuple(steps)))


def step(name: str) -> str:
    """One step to a member, as it is typed."""
    return _spelled(name)


def members(text: bytes) -> list[tuple[str, bool]]:
    """The names of an object's members, and whether each holds an object or array; nothing for anything else."""
    try:
        found = _objects.decode(text)
    except (msgspec.MsgspecError, RecursionError):
        return []
    return [(name, bytes(memoryview(value)[:1]) in (b"{", b"[")) for name, value in found.items()]


def words(value: bytes) -> str:
    """A value as people read it: a string without quotes and escapes, anything else as it is spelled."""
    if value[:1] == b'"':
        try:
            return str(json.loads(value))
        except ValueError:
            pass
    return value.decode("utf-8", "replace")


def number(value: bytes) -> Decimal | None:
    """A number's exact value, None for anything else."""
    if value[:1] not in b"-0123456789" or not value:
        return None
    try:
        return Decimal(value.decode())
    except (InvalidOperation, UnicodeDecodeError):
        return None


def _spelled(step: str | int | None) -> str:
    if step is None:
        return "[*]"
    if isinstance(step, int):
        return f"[{step}]"
    if _PLAIN.fullmatch(step):
        return f".{step}"
    escaped = step.replace("\\", "\\\\").replace('"', '\\"')
    return f'["{escaped}"]'


def _walk(text: bytes | memoryview, steps: tuple[str | int | None, ...]) -> Iterator[bytes]:
    value: bytes | memoryview = text
    for place, step in enumerate(steps):
        try:
            if isinstance(step, str):
                found = _objects.decode(value).get(step)
            else:
                elements = _arrays.decode(value)
                if step is None:
                    for element in elements[:_MOST_MATCHES]:
                        yield from _walk(memoryview(element), steps[place + 1 :])
                    return
                found = elements[step] if step < len(elements) else None
        except (msgspec.MsgspecError, RecursionError):
            return
        if found is None:
            return
        value = memoryview(found)
    yield bytes(value).strip()
