"""The checks of the protocol as a judge of assertions: what they find in one exchange of a log."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcp_inspector.checks.judge import Judge as Checks
from mcp_inspector.checks.rule import Severity

if TYPE_CHECKING:
    from mcp_inspector.actions.judging import Judge
    from mcp_inspector.store.log import Log


def judge_of(log: Log) -> Judge:
    """Judges the records of a log up to now, each once, whenever it is asked; what is our own fault does not count."""
    kept: list[Checks] = []

    def judge(call: int, reply: int, severity: str) -> list[str]:
        if not kept:
            kept.append(Checks(log))
        checks = kept[0]
        checks.update()
        least = Severity[severity.upper()]
        return [one.sentence for one in checks.of((call, reply)) if one.severity >= least and not one.ours]

    return judge
