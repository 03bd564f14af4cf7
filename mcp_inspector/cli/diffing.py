"""The command `diff`: sessions, or what servers list, compared; text, JSON or JUnit, and an exit code."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape, quoteattr

import msgspec

from mcp_inspector.cli import printing
from mcp_inspector.cli.exits import Exit, OutputError, UsageError
from mcp_inspector.cli.exporting import filtered, session_of, session_path
from mcp_inspector.cli.journal import say
from mcp_inspector.cli.target import take_target
from mcp_inspector.config.visible import visible
from mcp_inspector.schema.definitions import Weight
from mcp_inspector.session.compare_sessions import SessionDiff, compare_sessions
from mcp_inspector.session.list_book import Changes, Connect, ListBook, changes, key_of
from mcp_inspector.session.recorded_lists import recorded_lists
from mcp_inspector.store.exchanges import Exchanges
from mcp_inspector.store.reporting import moment
from mcp_inspector.wire import jsontext

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcp_inspector.cli.arguments import Request
    from mcp_inspector.cli.journal import Talk
    from mcp_inspector.config.entry import ServerEntry
    from mcp_inspector.config.paths import Folders
    from mcp_inspector.config.settings import Settings
    from mcp_inspector.store.log import Log

_SHOWN = 12


@dataclass
class _Side:
    """What is compared: a recorded session or a server."""

    name: str
    log: Log | None = None
    entry: ServerEntry | None = None
    exchanges: Exchanges | None = None
    rows: list[int] | None = None
    lists: dict[str, Connect] = field(default_factory=dict)

    @property
    def only(self) -> Connect | None:
        """The lists, when they are of one server."""
        return next(iter(self.lists.values())) if len(self.lists) == 1 else None


@dataclass
class Report:
    """What was found: changes of lists by server, and of two sessions their requests."""

    lists: list[tuple[str, Changes]] = field(default_factory=list)
    session: SessionDiff | None = None
    notes: list[str] = field(default_factory=list)

    def weight(self) -> Weight | None:
        """The worst; another answer counts as dangerous."""
        found = [each.weight for _, each in self.lists if each.weight is not None]
        if self.session is not None and self.session.pairs:
            found.append(Weight.DANGEROUS)
        return max(found, default=None)


class Plan:
    """One comparison, taken apart and checked before anything is started."""

    def __init__(self, request: Request, sides: list[_Side], folders: Folders) -> None:
        self._request, self._sides, self._folders = request, sides, folders

    @property
    def entries(self) -> list[ServerEntry]:
        """The servers that have to be connected."""
        return [side.entry for side in self._sides if side.entry is not None]

    def close(self) -> None:
        """Let go of the sessions."""
        for side in self._sides:
            if side.log is not None:
                side.log.close()

    async def carry_out(self, settings: Settings, talk: Talk) -> int:
        """Connect what has to be connected, compare, and show. Returns the exit code."""
        for side in self._sides:
            if side.entry is not None:
                code = await self._read(side, side.entry, settings, talk)
                if code:
                    return code
        return self._show(self._report())

    def _show(self, report: Report) -> int:
        for note in report.notes:
            say(note)
        options = self._request.options
        if options["junit"]:
            _write(Path(options["junit"]).expanduser(), _junit(report))
        if self._request.json:
            printing.put_json(_json(report))
        else:
            printing.put(_lines(report))
        least = Weight[options["fail_on"].upper()]
        worst = report.weight()
        return Exit.FINDINGS if worst is not None and worst >= least else Exit.OK

    async def _read(self, side: _Side, entry: ServerEntry, settings: Settings, talk: Talk) -> int:
        from mcp_inspector.cli.commands import not_connected, read_list
        from mcp_inspector.cli.failures import exit_of
        from mcp_inspector.session.catalogue import What
        from mcp_inspector.session.dialing import ways
        from mcp_inspector.session.inspector import Inspector

        inspector = Inspector(talk, ways(settings, lists_at_connect=False), [entry])
        try:
            server = inspector.servers[0]
            server.connect()
            if not (await server.settled()).up:
                return not_connected(self._request, server)
            lists = {}
            for what in What:
                listing, outcome = await read_list(server, what, talk, insist=False)
                if outcome is not None:
                    say(f"{server.name} {what}: {listing.why}")
                    return exit_of(outcome)
                lists[str(what)] = tuple(item.raw for item in listing.items)
            identity = server.identity
            side.lists = {entry.name: Connect(0, identity.version if identity is not None else "", "", lists)}
        finally:
            await inspector.close()
        return Exit.OK

    def _report(self) -> Report:
        report = Report()
        what = self._request.options["what"]
        before, after = self._before(report), self._sides[-1]
        if what != "exchanges":
            self._compare_lists(report, before, after)
        if what != "lists" and before.exchanges is not None and after.exchanges is not None:
            report.session = compare_sessions(before.exchanges, after.exchanges, (before.rows, after.rows))
        elif what == "exchanges":
            raise UsageError("The requests of two sessions can be compared; one of these is a server.")
        return report

    def _before(self, report: Report) -> _Side:
        """The first side; without one, what the server listed before, by the book that the window keeps."""
        if len(self._sides) > 1:
            return self._sides[0]
        side = self._sides[0]
        assert side.entry is not None  # a session alone was refused
        book = ListBook(self._folders.data / "lists")
        now = side.lists[side.entry.name]
        known = book.connects(key_of(side.entry))
        if not known:
            raise UsageError(f"Nothing is remembered of what {visible(side.name)} listed before: name something else.")
        past = next((each for each in reversed(known) if each.lists != now.lists), known[-1])
        report.notes.append(f"Compared with what it listed at {moment(past.wall_ns)} UTC.")
        return _Side(side.name, lists={side.entry.name: past})

    @staticmethod
    def _compare_lists(report: Report, before: _Side, after: _Side) -> None:
        if before.only is not None and after.only is not None:
            name = next(iter(after.lists))
            report.lists.append((name, changes(before.only, after.only)))
            return
        for name in [*before.lists, *(name for name in after.lists if name not in before.lists)]:
            if name in before.lists and name in after.lists:
                report.lists.append((name, changes(before.lists[name], after.lists[name])))
            else:
                place = "first" if name in before.lists else "second"
                report.notes.append(f"Only the {place} has lists of {visible(name)}.")


def plan(request: Request, folders: Folders) -> Plan:
    """What the words name. Raises `UsageError`."""
    words = list(request.words)
    if len(words) + (request.program is not None) not in (1, 2):
        raise UsageError("Name two things to compare, or one server. See mcp-inspector diff --help.")
    sides = [_side(word, request, folders) for word in words]
    if request.program is not None:
        entry, _ = take_target(replace(request, words=[]), folders)
        sides.append(_Side(entry.name, entry=entry))
    if len(sides) == 1 and sides[0].entry is None:
        raise UsageError("Name two sessions, or a session and a server. See mcp-inspector diff --help.")
    return Plan(request, sides, folders)


def _side(word: str, request: Request, folders: Folders) -> _Side:
    if "://" in word or session_path(word, folders) is None:
        entry, _ = take_target(replace(request, words=[word], program=None), folders)
        return _Side(entry.name, entry=entry)
    log = session_of(word, folders)
    exchanges = Exchanges(log)
    exchanges.update()
    seqs = filtered(exchanges, request.options["filter"])
    rows = None if seqs is None else sorted({exchanges.row(seq) for seq in seqs})
    lists = {name: connects[-1] for name, connects in recorded_lists(exchanges).items()}
    return _Side(word, log, None, exchanges, rows, lists)


def _lines(report: Report) -> Iterator[str]:
    for name, found in report.lists:
        yield f"{name}: {found.sentence}"
        for each in found.lists:
            for change in sorted(each.changes, key=lambda change: -change.weight):
                place = f" {change.key}" if change.key else ""
                yield f"  {change.weight.word:<9} {each.what}{place}: {change.sentence}"
            if each.why:
                yield f"  {each.why}"
    if report.session is not None:
        yield report.session.sentence
        for pair in report.session.pairs:
            yield f"  {pair.sentence}"
            for difference in pair.diff.differences[:_SHOWN] if pair.diff is not None else ():
                yield f"      {difference.sentence}"
            if pair.diff is not None and len(pair.diff.differences) > _SHOWN:
                yield f"      … {len(pair.diff.differences) - _SHOWN:,} more"


def _json(report: Report) -> bytes:
    document: dict[str, Any] = {
        "same": report.weight() is None,
        "weight": worst.word if (worst := report.weight()) is not None else None,
        "lists": [
            {
                "server": name,
                "changes": [
                    {
                        "list": change.what,
                        "key": change.key,
                        "weight": change.weight.word,
                        "sentence": change.sentence,
                        "path": jsontext.pointer(change.path),
                        "before": change.before or None,
                        "after": change.after or None,
                    }
                    for each in found.lists
                    for change in each.changes
                ],
            }
            for name, found in report.lists
        ],
    }
    if report.session is not None:
        document["requests"] = {
            "same": report.session.same,
            "different": [
                {
                    "what": pair.what,
                    "sentence": pair.sentence,
                    "states": pair.states,
                    "differences": [
                        {
                            "change": str(each.change),
                            "path": jsontext.pointer(each.path),
                            "before": each.before or None,
                            "after": each.after or None,
                        }
                        for each in (pair.diff.differences if pair.diff is not None else ())
                    ],
                }
                for pair in report.session.pairs
            ],
        }
    return msgspec.json.encode(document, enc_hook=str)


def _junit(report: Report) -> bytes:
    """One test case a change; breaking and dangerous ones fail, minor ones are skipped with their sentence."""
    cases: list[str] = []
    failures = skipped = 0
    for name, found in report.lists:
        if not found.lists:
            cases.append(f"<testcase classname={_attribute(name)} name='lists'/>")
        for each in found.lists:
            for change in each.changes:
                title = _attribute(f"{each.what} {change.key}: {change.sentence}")
                head = f"<testcase classname={_attribute(name)} name={title}>"
                if change.weight is Weight.MINOR:
                    skipped += 1
                    cases.append(f"{head}<skipped message='minor'/></testcase>")
                else:
                    failures += 1
                    text = f"{change.before or '(nothing)'}\n→\n{change.after or '(nothing)'}"
                    kind = change.weight.word
                    cases.append(f"{head}<failure type='{kind}' message={title}>{_text(text)}</failure></testcase>")
    for pair in report.session.pairs if report.session is not None else ():
        failures += 1
        lines = "\n".join(each.sentence for each in (pair.diff.differences if pair.diff is not None else ()))
        head = f"<testcase classname='requests' name={_attribute(pair.what)}>"
        failure = f"<failure type='answer' message={_attribute(pair.sentence)}>{_text(lines)}</failure>"
        cases.append(f"{head}{failure}</testcase>")
    numbers = f"tests='{len(cases)}' failures='{failures}' skipped='{skipped}'"
    head = f"<?xml version='1.0' encoding='UTF-8'?>\n<testsuite name='mcp-inspector diff' {numbers}>"
    return "\n".join((head, *cases, "</testsuite>\n")).encode()


def _attribute(text: str) -> str:
    return quoteattr(visible(text))


def _text(text: str) -> str:
    return escape(visible(text[:10_000], keep="\n\t"))


def _write(path: Path, data: bytes) -> None:
    try:
        path.write_bytes(data)
    except OSError as error:
        raise OutputError(f"{path} cannot be written: {error.strerror or error}.") from error
