"""What a filter line is made of: its fields, the tests of their values, and the tree that `query.parse` gives."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from mcp_inspector.store import jsonpath
from mcp_inspector.store.marks import COLOURS

if TYPE_CHECKING:
    from decimal import Decimal

    from mcp_inspector.store.jsonpath import Path
    from mcp_inspector.store.search import Needle


class QueryError(Exception):
    """A filter line that cannot be understood: where (offset and length in characters) and why, as a sentence."""

    def __init__(self, sentence: str, position: int, length: int = 1) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.position = position
        self.length = length


class Shape(Enum):
    """What values a field takes."""

    TEXT = "text"
    ID = "id"
    WORD = "word"
    DURATION = "duration"
    SIZE = "size"
    STATUS = "status"
    BODY = "body"
    NUMBER = "number"
    PATH = "path"
    RULE = "rule"


@dataclass(frozen=True)
class Field:
    """One field of the filter line; `help` says what it is for, `words` are the values it knows."""

    name: str
    shape: Shape
    help: str
    words: tuple[str, ...] = ()


STATE_WORDS = (
    "pending",
    "ok",
    "error",
    "tool error",
    "cancelled",
    "timed out",
    "lost",
    "invalid",
    "late",
    "info",
    "failed",
)
KIND_WORDS = (
    "request",
    "notification",
    "response",
    "batch",
    "invalid",
    "stderr",
    "stdout",
    "http",
    "lifecycle",
    "auth",
)

HAS_WORDS = ("finding", "reply", "progress", "cancel", "late", "note", "mark", "pin", "comment")

FIELDS = {
    field.name: field
    for field in (
        Field("server", Shape.TEXT, "the server's name"),
        Field("method", Shape.TEXT, "the method: method:tools/call, method:=ping, method:*list*"),
        Field("target", Shape.TEXT, "what it is about: a tool, a prompt, a URI"),
        Field("dir", Shape.WORD, "who sent it, seen from us", ("sent", "received", "local")),
        Field("kind", Shape.WORD, "what the row is", KIND_WORDS),
        Field("status", Shape.STATUS, "how it ended, or a code: status:error, status:404, status:-32601", STATE_WORDS),
        Field("id", Shape.ID, "the JSON-RPC id, whole, of any of its messages"),
        Field(
            "dur",
            Shape.DURATION,
            "how long it took, in ms or with a unit: dur:>500, dur:1s..2s; dur:500 is at least",
        ),
        Field("at", Shape.DURATION, "when it began, since the session's first record: at:1.5s..2s, at:>10min"),
        Field("size", Shape.SIZE, "bytes of request and answer: size:>10k, size:<1MiB"),
        Field("rule", Shape.RULE, "a finding of this rule is about it: rule:server-request, rule:*id*"),
        Field("has", Shape.WORD, "what the row comes with", HAS_WORDS),
        Field("mark", Shape.WORD, "the colour that was put on it", COLOURS),
        Field("op", Shape.NUMBER, "all of the operation that this message belongs to: op:18"),
        Field("note", Shape.TEXT, "the sentence or line of the row"),
        Field("body", Shape.BODY, "anything in the bytes of its messages, and in facts and headers"),
    )
}


PATH = Field("$", Shape.PATH, "a value inside a message: $.params.name:echo, $.result.total:>5, $.params.cursor:*")


@dataclass(frozen=True)
class Text:
    """A test of a short text: it holds the needle, or is the needle as a whole."""

    needle: Needle
    whole: bool = False

    def matches(self, text: str) -> bool:
        """Whether the text passes."""
        if not self.whole:
            return self.needle.matches(text)
        return self.needle.pattern.fullmatch(text) is not None


@dataclass(frozen=True)
class Range:
    """A test of a number: `low` <= number <= `high`, in ns, bytes or as a code."""

    low: int
    high: int


@dataclass(frozen=True)
class PathTest:
    """A test of the values at a path: of what they say, of their number, or that there are any (None)."""

    path: Path
    test: Text | tuple[Decimal, Decimal] | None

    def passes(self, body: bytes) -> bool:
        """Whether one value in this message passes."""
        return any(self._fits(value) for value in self.path.values(body))

    def _fits(self, value: bytes) -> bool:
        if isinstance(self.test, Text):
            return self.test.matches(jsonpath.words(value))
        if self.test is None:
            return True
        number = jsonpath.number(value)
        return number is not None and self.test[0] <= number <= self.test[1]


@dataclass(frozen=True)
class Words:
    """A test of a word out of few."""

    words: frozenset[str]


@dataclass(frozen=True)
class Term:
    """One test of one field; the field is None for text without one. `start` and `stop` are its place in the line."""

    field: Field | None
    test: Text | Range | Words | PathTest
    start: int
    stop: int


@dataclass(frozen=True)
class And:
    """All parts must hold; without parts it holds for every row."""

    parts: tuple[Node, ...]


@dataclass(frozen=True)
class Or:
    """One part must hold."""

    parts: tuple[Node, ...]


@dataclass(frozen=True)
class Not:
    """The part must not hold."""

    part: Node


Node = And | Or | Not | Term
