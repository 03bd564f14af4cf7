"""The findings of one session for the window: judged in slices between frames, grouped and filtered as is wished."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt, QTimer, Signal

from mcp_inspector.checks.catalogue import RULES
from mcp_inspector.checks.judge import Judge
from mcp_inspector.checks.rule import Severity
from mcp_inspector.ui import plain
from mcp_inspector.ui.bridge import Pull

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from mcp_inspector.checks.judge import Group
    from mcp_inspector.checks.rule import Finding
    from mcp_inspector.store.log import Log
    from mcp_inspector.ui.memory import Memory

Index = QModelIndex | QPersistentModelIndex
LINE = Qt.ItemDataRole.UserRole
"""The `Line` or `Finding` of an index."""

OFF: Final = "checks.off"
_SLICE_NS: Final = 3_000_000
_REST_MS: Final = 12
_TELL_MS: Final = 200
TONES: Final = {Severity.ERROR: "error", Severity.WARNING: "warn", Severity.INFO: "accent"}
ICONS: Final = {Severity.ERROR: "circle-x", Severity.WARNING: "triangle-alert", Severity.INFO: "info"}


class Findings(QObject):
    """Judges one session while the window lives on: 3 ms at a time, with pauses, however much comes.

    `changed` tells at most five times a second. Which rules are off is remembered, and shared by all sessions.
    """

    changed = Signal()
    caught_up = Signal()
    """Everything that has come is judged, whether or not something was found."""

    def __init__(self, log: Log, memory: Memory, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.judge = Judge(log, map(str, memory.get(OFF, list[Any]())))
        self._memory = memory
        self._badges: dict[tuple[str, str], tuple[int, Severity]] = {}
        self._badges_of = -1
        self._slice = QTimer(self)
        self._slice.setSingleShot(True)
        self._slice.setInterval(_REST_MS)
        self._slice.timeout.connect(self._go_on)
        self._soon = Pull(self._go_on, self)
        self._tell = Pull(self.changed.emit, self, _TELL_MS)
        stops = (log.changed.connect(self._soon.soon), self.judge.changed.connect(self._tell.soon))
        self.destroyed.connect(lambda: [stop() for stop in stops])
        self._soon.soon()

    @property
    def off(self) -> frozenset[str]:
        """The ids of the rules that are switched off."""
        return self.judge.off

    def set_off(self, off: Iterable[str]) -> None:
        """Switch these rules off and all others on, here and from now on."""
        self.judge.set_off(name for name in off if name in RULES)
        self._memory.put(OFF, sorted(self.judge.off))

    def switch(self, rule: str, on: bool) -> None:
        """Switch one rule on or off."""
        self.set_off(self.off - {rule} if on else self.off | {rule})

    def catch_up(self) -> None:
        """Judge everything that has come, at once: for who must know now."""
        self.judge.update()
        self._tell.now()

    @property
    def behind(self) -> int:
        """How many records wait to be judged."""
        return self.judge.behind

    def badge(self, server: str, tool: str) -> tuple[int, Severity]:
        """How many warnings and errors about one tool the server is to blame for, and the worst of them."""
        if self._badges_of != self.judge.revision:
            self._badges_of = self.judge.revision
            self._badges = {}
            for group in self.judge.groups():
                if not group.ours and group.severity > Severity.INFO:
                    count, worst = self._badges.get((group.server, group.tool), (0, Severity.INFO))
                    self._badges[group.server, group.tool] = count + group.count, max(worst, group.severity)
        return self._badges.get((server, tool), (0, Severity.INFO))

    def _go_on(self) -> None:
        if self.judge.update(_SLICE_NS):
            self._slice.start()
        else:
            self.caught_up.emit()


@dataclass(frozen=True)
class Line:
    """One row of groups: what they have in common, and the findings in it. `count` may be more than are kept."""

    key: str
    title: str
    note: str
    severity: Severity
    count: int
    groups: tuple[Group, ...]

    @property
    def findings(self) -> list[Finding]:
        """The kept findings, in the order of their records."""
        found = [finding for group in self.groups for finding in group.findings]
        return sorted(found, key=lambda finding: finding.seq)


def lines(groups: Iterable[Group], by: str) -> list[Line]:
    """Groups put together by ``rule``, ``server`` or ``tool``: worst first; our own mistakes last."""
    gathered: dict[tuple[bool, str], list[Group]] = {}
    for group in groups:
        key = {"rule": group.rule.id, "server": group.server, "tool": f"{group.server}\n{group.tool}"}[by]
        gathered.setdefault((group.ours, key), []).append(group)
    found = [_line(key, ours, members, by) for (ours, key), members in gathered.items()]
    return sorted(found, key=lambda line: (line.groups[0].ours, -line.severity, -line.count))


def _line(key: str, ours: bool, members: list[Group], by: str) -> Line:
    first = members[0]
    servers = list(dict.fromkeys(group.server for group in members))
    rules = list(dict.fromkeys(group.rule.id for group in members))
    if by == "rule":
        title, note = first.rule.sentence, f"{first.rule.id} · {_some(servers)}"
    elif by == "server":
        title, note = first.server, plain.count(len(rules), "rule")
    else:
        title = first.tool or "(the server itself)"
        note = f"{first.server} · {_some(rules)}"
    worst = max(group.severity for group in members)
    words = plain.line(f"ours · {note}" if ours else note, 120)
    return Line(f"{ours}{key}", plain.line(title, 200), words, worst, sum(one.count for one in members), tuple(members))


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")


def passing(
    groups: Iterable[Group], *, server: str | None = None, least: Severity = Severity.INFO, text: str = ""
) -> list[Group]:
    """The groups of a server (None: of all), of this severity or worse, with a text in anything they say."""
    wanted = text.strip().casefold()

    def passes(group: Group) -> bool:
        if group.severity < least or (server is not None and group.server != server):
            return False
        rule = group.rule
        hay = f"{rule.id} {rule.sentence} {group.server} {group.tool}".casefold()
        return wanted in hay or any(wanted in finding.sentence.casefold() for finding in group.findings)

    return [group for group in groups if passes(group)]


class Rows(QAbstractListModel):
    """A list of `Line`s or `Finding`s; `words` says each for screen readers and for what looks by typing."""

    def __init__(self, words: Callable[[Any], str], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._words = words
        self.items: list[Any] = []

    def show(self, items: list[Any]) -> bool:
        """Show these instead; False when they are the same. Rows that are only added keep what is chosen."""
        if items == self.items:
            return False
        if self.items and items[: len(self.items)] == self.items:
            self.beginInsertRows(QModelIndex(), len(self.items), len(items) - 1)
            self.items = items
            self.endInsertRows()
            return True
        self.beginResetModel()
        self.items = items
        self.endResetModel()
        return True

    def rowCount(self, parent: Index | None = None) -> int:
        """How many."""
        return 0 if parent is not None and parent.isValid() else len(self.items)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """The item; its words."""
        if not index.isValid() or index.row() >= len(self.items):
            return None
        item = self.items[index.row()]
        if role == LINE:
            return item
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return self._words(item)
        return None


def explained(finding: Finding) -> list[tuple[str, str]]:
    """What there is to say about a finding, as names and values."""
    where, address = finding.rule.section(finding.version)
    return [
        ("", finding.sentence),
        ("rule", finding.rule.sentence),
        ("name", finding.rule.id),
        ("specification", where),
        ("address", address),
        ("judged under", finding.version or "no version: none was agreed yet"),
        ("server", finding.server),
        ("about", finding.tool),
        ("to blame", "this program, or what was sent by hand" if finding.ours else ""),
        ("records", ", ".join(f"#{seq}" for seq in finding.seqs)),
    ]


def as_markdown(findings: Iterable[Finding]) -> str:
    """Findings as a Markdown list, to be pasted into a report."""
    rows = []
    for one in findings:
        where, address = one.rule.section(one.version)
        about = f" `{one.server}`" + (f" `{one.tool}`" if one.tool else "")
        source = f" ([{where}]({address}))" if address else f" ({where})" if where else ""
        rows.append(f"- **{one.severity.word}** `{one.rule.id}`{about}: {one.sentence}{source}")
    return "\n".join(rows)
