"""``mcp-inspector lab``: a server under the habits of a kind of host."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import msgspec

from mcp_inspector.agent.lab.profiles import profile_named
from mcp_inspector.agent.lab.runner import Lab, Probe
from mcp_inspector.agent.lab.sabotage import Trouble
from mcp_inspector.cli import printing, values
from mcp_inspector.cli.exits import Exit, UsageError
from mcp_inspector.cli.journal import say
from mcp_inspector.session.dialing import ways

if TYPE_CHECKING:
    from mcp_inspector.agent.lab.runner import Report
    from mcp_inspector.cli.arguments import Request
    from mcp_inspector.cli.journal import Talk
    from mcp_inspector.config.entry import ServerEntry
    from mcp_inspector.config.settings import Settings

_MARKS = {True: "works ", False: "BREAKS", None: "unseen"}


async def carry_out(request: Request, entry: ServerEntry, settings: Settings, talk: Talk) -> int:
    """Run the profile, print its report, and give 1 when something would break."""
    options = request.options
    profile = profile_named(options["profile"])
    if profile is None:
        raise UsageError(f"There is no profile {options['profile']}.")
    probe = None
    if options["tool"]:
        probe = Probe(options["tool"], values.given_json(request.args) or b"{}")
    trouble = Trouble(options["trouble"]) if options["trouble"] else None
    lab = Lab(talk, ways(settings).dial)
    if not request.quiet:
        lab.told.connect(say)
    report = await lab.run(profile, entry, probe=probe, trouble=trouble, amount=options["amount"])
    if request.json:
        printing.put_json(msgspec.json.encode(_document(report)))
    else:
        printing.put(_lines(report))
    return Exit.TOOL_ERROR if report.broken else Exit.OK


def _lines(report: Report) -> list[str]:
    lines = [f"{report.server} under {report.profile.name}: {report.profile.about}"]
    for judgement in report.judgements:
        seqs = f" (#{', #'.join(map(str, judgement.seqs[:5]))})" if judgement.seqs else ""
        lines.append(f"  {_MARKS[judgement.works]}  {judgement.what}: {judgement.sentence}{seqs}")
    for attempt in report.attempts:
        state = "up" if attempt.up else "down"
        lines.append(f"  attempt {attempt.number} after {attempt.wait:g} s: {state}; {attempt.sentence}")
    return lines


def _document(report: Report) -> dict[str, object]:
    return {
        "server": report.server,
        "profile": report.profile.name,
        "waits": report.profile.waits(),
        "broken": report.broken,
        "judgements": [asdict(judgement) for judgement in report.judgements],
        "attempts": [asdict(attempt) for attempt in report.attempts],
    }
