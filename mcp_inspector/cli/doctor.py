"""``mcp-inspector doctor``: everything that a connection needs, looked at in order."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from mcp_inspector.cli import printing
from mcp_inspector.cli.exits import Exit, UsageError
from mcp_inspector.config import paths
from mcp_inspector.config.vault import standard
from mcp_inspector.config.visible import visible
from mcp_inspector.session.dialing import ways
from mcp_inspector.session.doctor.doctor import Doctor
from mcp_inspector.session.doctor.report import Result, took

if TYPE_CHECKING:
    from mcp_inspector.cli.arguments import Request
    from mcp_inspector.cli.journal import Talk
    from mcp_inspector.config.entry import ServerEntry
    from mcp_inspector.config.settings import Settings
    from mcp_inspector.session.doctor.report import Check

_SIGNS = {Result.OK: "✓", Result.ODD: "!", Result.FAILED: "✗", Result.SKIPPED: "-"}


async def carry_out(request: Request, entry: ServerEntry, words: list[str], settings: Settings, talk: Talk) -> int:
    """Examine, tell each check as it is done, and give 0 when nothing failed. Raises `UsageError`."""
    if words:
        raise UsageError(f"{words[0]!r} is too much. See mcp-inspector doctor --help.")
    vault = standard(paths.places().config, settings.secrets)
    doctor = Doctor(entry, ways(settings, lists_at_connect=False, vault=vault), talk)
    markdown = bool(request.options.get("markdown"))
    told = 0

    def tell() -> None:
        nonlocal told
        for check in doctor.report.checks[told:]:
            printing.put(_lines(check))
        told = len(doctor.report.checks)

    disconnect = doctor.report.changed.connect(tell) if not request.json and not markdown else lambda: None
    report = await doctor.examine()
    disconnect()
    if request.json:
        printing.put_json(msgspec.json.encode(report.plain()))
    elif markdown:
        printing.put([report.markdown().rstrip("\n")])
    return Exit.CONNECTION if report.failed else Exit.OK


def _lines(check: Check) -> list[str]:
    time = took(check.seconds)
    lines = [f"{_SIGNS[check.result]} {check.name}: {visible(check.sentence)}{f'  [{time}]' if time else ''}"]
    lines += [f"    {visible(line)}" for line in check.details]
    return [*lines, f"    → {visible(check.remedy)}"] if check.remedy else lines
