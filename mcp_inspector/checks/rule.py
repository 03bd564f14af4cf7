"""What a rule is, and what it finds. A rule looks at one record in what has gone before, and changes nothing."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING

from mcp_inspector.checks.sections import section

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from mcp_inspector.checks.view import View

ALL = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28")
"""The versions that rules know, oldest first."""

NEWEST_LEGACY, MODERN = ALL[-2], ALL[-1]


class Severity(IntEnum):
    """How bad a finding is: INFO is worth knowing, WARNING breaks a SHOULD, ERROR breaks a MUST."""

    INFO = 1
    WARNING = 2
    ERROR = 3

    @property
    def word(self) -> str:
        """The severity as people read it: ``error``, ``warning``, ``info``."""
        return self.name.lower()


INFO, WARNING, ERROR = Severity.INFO, Severity.WARNING, Severity.ERROR


@dataclass(frozen=True, slots=True)
class Hit:
    """What a rule yields when the bare sentence does not say it all: other records that belong to it, another tool."""

    sentence: str
    seqs: tuple[int, ...] = ()
    tool: str = ""
    severity: Severity | None = None


Look = "Callable[[View], Iterator[str | Hit]]"


@dataclass(frozen=True, eq=False)
class Rule:
    """One rule. `id` is a slug that never changes, `number` that of the checklist (0 for advice beyond it).

    `on` names the events that it looks at (see `View.events`). `since` and `until` bound the versions it holds for; a
    rule of any version has ``any`` and holds also before a version is agreed. `topic` is the place in the
    specification, see `sections`. `ours` says that it is about what this program sends.
    """

    id: str
    number: int
    severity: Severity
    sentence: str
    topic: str
    on: tuple[str, ...]
    look: Callable[[View], Iterator[str | Hit]]
    since: str = ALL[0]
    until: str = ALL[-1]
    any: bool = False
    ours: bool = False

    def holds(self, version: str) -> bool:
        """Whether it may judge what was sent under a version; an unknown newer one counts as the newest."""
        if not version:
            return self.any
        return self.since <= version and (version <= self.until or self.until == MODERN)

    def section(self, version: str) -> tuple[str, str]:
        """Where the specification says so: name of the page in words, and its address; both empty for advice."""
        return section(self.topic, version or self.until)


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong. `seqs` are its records, the one at fault last. `tool` is the tool, prompt or URI.

    `version` is the one it was judged under, empty where none was agreed. `ours` means that this side sent it: a
    server is never blamed for that.
    """

    rule: Rule
    severity: Severity
    sentence: str
    seqs: tuple[int, ...]
    server: str
    tool: str = ""
    version: str = ""
    ours: bool = False

    @property
    def seq(self) -> int:
        """The record at fault."""
        return self.seqs[-1] if self.seqs else 0


def rule(
    id: str,
    number: int,
    severity: Severity,
    sentence: str,
    topic: str,
    *on: str,
    since: str = ALL[0],
    until: str = ALL[-1],
    any: bool = False,
    ours: bool = False,
) -> Callable[[Callable[[View], Iterator[str | Hit]]], Rule]:
    """Make a rule of the function below it; see `Rule` for the parts."""

    def made(look: Callable[[View], Iterator[str | Hit]]) -> Rule:
        return Rule(id, number, severity, sentence, topic, on, look, since, until, any, ours)

    return made


def rules_in(names: dict[str, object]) -> tuple[Rule, ...]:
    """The rules of one module, from its `globals()`, in the order in which they stand there."""
    return tuple(value for value in names.values() if isinstance(value, Rule))
