"""What is known about a server that failed, as rows of facts and as a report to paste elsewhere."""

from __future__ import annotations

import shlex
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mcp_inspector.session.status import State
from mcp_inspector.store.record import Channel
from mcp_inspector.store.redact import redact_facts, redact_text, redact_value
from mcp_inspector.ui import plain
from mcp_inspector.ui.models import causes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mcp_inspector.session.server import Server
    from mcp_inspector.store.record import Record

STDERR_LINES = 20
LINES = 400
"""How many of a server's last lines are looked at."""
FIRST_BYTES = 512
BODY_SHOWN = 4_000


@dataclass(frozen=True)
class Section:
    """A titled block of wire text."""

    title: str
    text: str


@dataclass(frozen=True)
class Failure:
    """All of it. `rows` are name and value. Secrets in arguments, URLs and headers are masked already."""

    title: str
    sentence: str
    hint: str
    rows: tuple[tuple[str, str], ...]
    sections: tuple[Section, ...]
    sign_in: bool = False
    values: bool = False
    """Whether it only lacks values that are asked for at the next try."""
    certificate: bool = False
    """Whether its certificate is not trusted, and could be accepted as the one that is."""

    def report(self) -> str:
        """The same as plain text."""
        parts = [self.title, self.sentence, self.hint, ""]
        parts += [f"{name}: {value}" for name, value in self.rows if value]
        for section in self.sections:
            parts += ["", f"--- {section.title} ---", section.text]
        return redact_text("\n".join(parts).strip() + "\n").text


def read(server: Server, records: Iterable[Record]) -> Failure:
    """Gather what is known. `records` are the newest of this server's connection, in order."""
    fault = server.status.fault
    facts: dict[str, Any] = redact_facts(fault.facts) if fault is not None else {}
    entry = server.entry
    argv = facts.get("argv") or (redact_value([entry.command, *entry.args]) if entry.command else ())
    rows = [
        ("Command", shlex.join(map(str, argv)) if argv else ""),
        ("Working folder", str(facts.get("cwd") or entry.cwd or "")),
        ("URL", str(facts.get("url") or redact_value(entry.url) or "")),
        ("Process id", _text(facts.get("pid"))),
        ("Exit code", _text(facts.get("exit_code"))),
        ("Signal", _text(facts.get("signal"))),
        ("Rule", _text(facts.get("rule"))),
        ("HTTP status", _text(facts.get("http_status"))),
        ("Searched (PATH)", _text(facts.get("searched"))),
        ("Attempts", _attempts(facts.get("attempts"))),
        ("When", _when(server.status.since_ns)),
    ]
    known = tuple(records)
    stderr = "\n".join(_decoded(record.entry.data) for record in known if record.entry.channel is Channel.STDERR)
    words = causes.last_words(stderr) if fault is not None and fault.kind == "exited" else ""
    sentence = fault.sentence if fault is not None else server.status.detail
    return Failure(
        f"{server.name}: {server.status.words()}",
        f"{sentence} Its last words: {words}" if words else sentence,
        " ".join(filter(None, (fault.hint if fault is not None else "", causes.likely(stderr)))),
        tuple((name, value) for name, value in rows if value),
        tuple(_sections(facts, known)),
        server.status.state is State.NEEDS_SIGN_IN,
        bool(facts.get("wanted")),
        bool(facts.get("untrusted")) and entry.remote,
    )


def _attempts(sentences: Any) -> str:
    """What was tried, oldest first; the same again is counted."""
    counted: dict[str, int] = {}
    for sentence in sentences or ():
        counted[str(sentence)] = counted.get(str(sentence), 0) + 1
    if len(counted) == 1 and sum(counted.values()) < 3:
        return ""
    return "\n".join(f"{sentence} ({times} times)" if times > 1 else sentence for sentence, times in counted.items())


def _when(since_ns: int) -> str:
    if not since_ns:
        return ""
    then = time.time() - (time.perf_counter_ns() - since_ns) / 1e9
    return f"{time.strftime('%Y-%m-%d %H:%M:%S', time.localtime(then))}"


def _text(value: Any) -> str:
    return "" if value is None else str(value)


def _sections(facts: dict[str, Any], records: tuple[Record, ...]) -> Iterable[Section]:
    stderr = [record.entry.data for record in records if record.entry.channel is Channel.STDERR][-STDERR_LINES:]
    if stderr:
        lines = "\n".join(_decoded(line)[:2_000] for line in stderr)
        yield Section(f"stderr, last {plain.count(len(stderr), 'line')}", lines)
    stray = next((record.entry.data for record in records if record.entry.channel is Channel.STDOUT), b"")
    if stray:
        more = f" of {plain.size(len(stray))}" if len(stray) > FIRST_BYTES else ""
        yield Section(
            f"First bytes on stdout that are no message ({plain.size(min(len(stray), FIRST_BYTES))}{more})",
            _decoded(stray[:FIRST_BYTES]),
        )
    body = facts.get("body")
    if isinstance(body, bytes) and body:
        more = f", first {plain.size(BODY_SHOWN)}" if len(body) > BODY_SHOWN else ""
        what = "HTTP body" if "http_status" in facts else "Answer"
        yield Section(f"{what} ({plain.size(len(body))}{more})", _decoded(body[:BODY_SHOWN]))
    headers = facts.get("headers")
    if headers:
        yield Section("HTTP headers", "\n".join(f"{name}: {value}" for name, value in headers))


def _decoded(data: bytes) -> str:
    return data.decode(errors="backslashreplace")
