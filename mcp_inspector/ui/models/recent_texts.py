"""The texts of recent results, to be sent on into another action."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcp_inspector.ui.models import content
from mcp_inspector.ui.models.endings import raw_of

if TYPE_CHECKING:
    from mcp_inspector.ui.models.runs import Run, Runs

_MOST = 12
_LONGEST = 1_000_000


def text_of(run: Run) -> str:
    """A result as one text: its messages, its text blocks, else its structured content as JSON; empty without any."""
    if run.outcome is None:
        return ""
    raw = raw_of(run.outcome)
    if not raw or len(raw) > 8 * _LONGEST:
        return ""
    result = content.read(raw)
    if result.messages:
        parts = [block.text for message in result.messages for block in message.blocks if block.text]
    else:
        parts = [block.text for block in result.blocks if block.text]
    return "\n\n".join(parts)[:_LONGEST]


def recent_texts(runs: Runs) -> list[tuple[str, str]]:
    """What to call each, and its text; the newest first."""
    found = []
    for run in runs.recent()[:_MOST]:
        text = text_of(run)
        if text:
            first = text.lstrip().partition("\n")[0][:60]
            found.append((f"{run.key[2]}: {first}", text))
    return found
