"""The findings of one session, gathered while its records come: grouped, counted, bounded, and found by record."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass, field
from time import perf_counter_ns
from typing import TYPE_CHECKING

from mcp_inspector.checks.catalogue import RULES
from mcp_inspector.checks.observer import Observer
from mcp_inspector.checks.rule import Finding, Severity
from mcp_inspector.signals import Signal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from mcp_inspector.checks.rule import Rule
    from mcp_inspector.store.log import Log
    from mcp_inspector.store.record import Record

_FEW = 200
KEPT = 100
"""Findings that are kept of one group; beyond that they are counted."""
_TOOLS = 200
"""Tools or targets that one rule names apart for one server; what comes beyond is put together."""


@dataclass(eq=False)
class Group:
    """What one rule has found at one tool of one server. `findings` holds the first of `count`."""

    rule: Rule
    server: str
    tool: str
    ours: bool
    severity: Severity = Severity.INFO
    count: int = 0
    findings: list[Finding] = field(default_factory=list)


class Judge:
    """Judges the records of one log as they come, when `update` is called; for the thread that calls it.

    `off` are ids of rules that are not shown: they are judged all the same, so that they can be switched on again.
    `changed` is sent when something shown has changed. Findings beyond `KEPT` of a group are counted, not kept.
    """

    def __init__(self, log: Log, off: Iterable[str] = (), largest: int = 1 << 20) -> None:
        self.log = log
        self.changed: Signal[()] = Signal()
        self.off = frozenset(off)
        self.seen = 0
        self.revision = 0
        self._reader: Iterator[Record] | None = None
        self._steps: Iterator[Finding | None] | None = None
        self._observer = Observer(RULES.values(), largest)
        self._groups: dict[tuple[str, str, str, bool], Group] = {}
        self._tools: dict[tuple[str, str], int] = {}
        self._at: dict[int, list[Finding]] = {}
        self._fresh: set[int] = set()

    @property
    def behind(self) -> int:
        """How many records have not been looked at."""
        return len(self.log) - self.seen

    def update(self, budget_ns: int = 0) -> bool:
        """Look at new records for about `budget_ns` (0: all of them); says whether there are more."""
        until = perf_counter_ns() + budget_ns
        before = self.revision
        log = self.log
        count = len(log)
        while self.seen < count:
            if self._steps is None:
                record = self._next(count)
                self._steps = self._observer.steps(record.seq, record.entry)
            for finding in self._steps:
                if finding is not None:
                    self._keep(finding)
                if budget_ns and perf_counter_ns() > until:
                    break
            else:
                self._steps = None
                self.seen += 1
            if budget_ns and perf_counter_ns() > until:
                break
        if self.revision != before:
            self.changed.send()
        return self.seen < len(log)

    def _next(self, count: int) -> Record:
        """The next record: one by one at the end of the log, block by block where there is much to read."""
        seq, largest = self.seen + 1, self._observer.largest
        if self._reader is None and count - self.seen > _FEW:
            self._reader = self.log.records(seq, largest=largest)
        if self._reader is not None:
            try:
                record = next(self._reader, None)
            except sqlite3.Error:
                record = None  # a damaged file gives what can be had one by one
            if record is not None and record.seq == seq:
                return record
            self._reader = None
        return self.log.record(seq, body=self.log.body_size(seq) <= largest)

    def set_off(self, off: Iterable[str]) -> None:
        """Switch these rules off, and all others on."""
        off = frozenset(off)
        if off != self.off:
            self._fresh.update(
                seq for seq, found in self._at.items() if any(one.rule.id in off ^ self.off for one in found)
            )
            self.off = off
            self.revision += 1
            self.changed.send()

    def groups(self) -> Iterator[Group]:
        """The groups that are shown, in the order in which they appeared."""
        return (group for group in self._groups.values() if group.rule.id not in self.off)

    def count(self, least: Severity = Severity.INFO) -> int:
        """How many findings are shown of this severity or worse."""
        return sum(group.count for group in self.groups() if group.severity >= least)

    def findings(self) -> list[Finding]:
        """All kept findings that are shown, in the order of their records."""
        found = [finding for group in self.groups() for finding in group.findings]
        return sorted(found, key=lambda finding: finding.seq)

    def of(self, seqs: Iterable[int]) -> list[Finding]:
        """The shown findings about any of these records, worst first."""
        found = dict.fromkeys(
            finding for seq in seqs for finding in self._at.get(seq, ()) if finding.rule.id not in self.off
        )
        return sorted(found, key=lambda finding: (-finding.severity, finding.seq))

    def of_tool(self, server: str, tool: str) -> list[Group]:
        """The shown groups about one tool of a server."""
        return [group for group in self.groups() if group.server == server and group.tool == tool]

    def seqs(self, matches: Callable[[str], bool] | None = None) -> set[int]:
        """The records that shown findings are about; `matches` is asked about each rule's id, None takes all."""
        known: dict[str, bool] = {}
        found = set()
        for seq, findings in self._at.items():
            for finding in findings:
                name = finding.rule.id
                if name not in known:
                    known[name] = name not in self.off and (matches is None or matches(name))
                if known[name]:
                    found.add(seq)
                    break
        return found

    def take_fresh(self) -> set[int]:
        """The records whose findings have changed since this was last asked."""
        fresh, self._fresh = self._fresh, set()
        return fresh

    def _keep(self, finding: Finding) -> None:
        self.revision += 1
        name = (finding.server, finding.rule.id)
        key = (*name, finding.tool, finding.ours)
        group = self._groups.get(key)
        if group is None:
            if self._tools.get(name, 0) >= _TOOLS:
                key = (*name, "", finding.ours)
                group = self._groups.get(key)
            if group is None:
                self._tools[name] = self._tools.get(name, 0) + 1
                group = self._groups[key] = Group(finding.rule, finding.server, key[2], finding.ours)
        group.count += 1
        group.severity = max(group.severity, finding.severity)
        if len(group.findings) < KEPT:
            group.findings.append(finding)
            for seq in finding.seqs:
                self._at.setdefault(seq, []).append(finding)
                self._fresh.add(seq)
