"""What a probe is, what it comes to, and the report of a run."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from mcp_inspector.checks.sections import section

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable

    from mcp_inspector.session.probing.bench import Bench


class Verdict(StrEnum):
    """How a probe came out."""

    GOOD = "as it should be"
    WRONG = "wrong"  # breaks a MUST
    ODD = "odd"  # breaks a SHOULD
    TOLD = "worth knowing"
    LEFT_OUT = "left out"
    FAILED = "could not be done"


@dataclass(frozen=True)
class Came:
    """What came of a probe: the verdict, a sentence with what was sent and what came back, and the records of it."""

    verdict: Verdict
    sentence: str
    seqs: tuple[int, ...] = ()


@dataclass(frozen=True)
class Probe:
    """One probe. `number` is that of the checklist. `expected` says what a good server does.

    `applies` says why it is left out for this server, empty when it is not. `changes` says what it might change at a
    server that is not good; empty when nothing: such a probe is only run when the person has agreed.
    """

    id: str
    number: int
    expected: str
    topic: str
    run: Callable[[Bench], Awaitable[Came]]
    applies: Callable[[Bench], str] = lambda _: ""
    changes: str = ""


@dataclass(frozen=True)
class Done:
    """A probe and what came of it."""

    probe: Probe
    came: Came

    @property
    def bad(self) -> bool:
        """Whether the server is to blame."""
        return self.came.verdict in (Verdict.WRONG, Verdict.ODD)


def as_markdown(server: str, version: str, done: Iterable[Done]) -> str:
    """The report of a run, to be pasted somewhere."""
    done = list(done)
    bad = sum(one.bad for one in done)
    ran = sum(one.came.verdict is not Verdict.LEFT_OUT for one in done)
    lines = [f"# Probes of {server} ({version})", "", f"{ran} probes, {bad} not as they should be.", ""]
    lines += ["| probe | verdict | what came | records | source |", "|---|---|---|---|---|"]
    for one in done:
        where, address = section(one.probe.topic, version)
        source = f"[{where}]({address})" if address else where
        records = " ".join(f"#{seq}" for seq in one.came.seqs)
        said = one.came.sentence.replace("|", "\\|").replace("\n", " ")
        lines.append(
            f"| {one.probe.expected} (`{one.probe.id}`) | {one.came.verdict} | {said} | {records} | {source} |"
        )
    return "\n".join(lines) + "\n"
