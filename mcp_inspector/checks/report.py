"""Findings for other programs and for people: JSON, JUnit, SARIF, text. Each is a value; nothing is written here."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape, quoteattr

from mcp_inspector.checks.catalogue import RULES, SUBJECTS
from mcp_inspector.checks.rule import Severity

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mcp_inspector.checks.judge import Group, Judge
    from mcp_inspector.checks.rule import Finding, Rule

_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
_NOT_XML = re.compile("[^\t\n -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_SHOWN = 5
"""Findings of one group that the text spells out; the rest is counted."""


def chosen(judge: Judge, least: Severity) -> list[Group]:
    """The shown groups with findings of this severity or worse: worst first, then by server and rule number."""
    found = [group for group in judge.groups() if group.severity >= least]
    return sorted(found, key=lambda group: (group.ours, -group.severity, group.server, group.rule.number, group.tool))


def summary(groups: Iterable[Group]) -> dict[str, int]:
    """How many findings of each severity the servers are to blame for, and how many are our own."""
    counts = {"errors": 0, "warnings": 0, "infos": 0, "ours": 0}
    names = {Severity.ERROR: "errors", Severity.WARNING: "warnings", Severity.INFO: "infos"}
    for group in groups:
        counts["ours" if group.ours else names[group.severity]] += group.count
    return counts


def as_text(groups: list[Group], records: int) -> list[str]:
    """Lines for people."""
    lines: list[str] = []
    server = None
    for group in groups:
        if group.server != server:
            server = group.server
            lines += ["", f"{server}"] if lines else [f"{server}"]
        first = group.findings[0]
        where, _ = group.rule.section(first.version)
        about = f" [{group.tool}]" if group.tool else ""
        mine = " (ours)" if group.ours else ""
        lines.append(f"  {group.severity.word:<8} {group.rule.id}{about}{mine}")
        for finding in group.findings[:_SHOWN]:
            lines.append(f"           {finding.sentence}  {_places(finding)}")
        if group.count > _SHOWN:
            lines.append(f"           … and {group.count - min(_SHOWN, len(group.findings)):,} more")
        if where:
            lines.append(f"           {where}")
    counts = summary(groups)
    words = [
        f"{count:,} {name if count != 1 else name[:-1]}" for name, count in counts.items() if count and name != "ours"
    ]
    words += [f"{counts['ours']:,} of our own"] if counts["ours"] else []
    lines += ["", f"{records:,} records judged: {', '.join(words) or 'nothing found'}."]
    return lines if len(lines) > 2 else lines[1:]


def as_json(groups: list[Group], records: int) -> dict[str, Any]:
    """One document; `more` counts the findings of a rule at one tool that are not listed singly."""
    findings = sorted((finding for group in groups for finding in group.findings), key=lambda finding: finding.seq)
    more = [
        {"rule": group.rule.id, "server": group.server, "tool": group.tool, "more": group.count - len(group.findings)}
        for group in groups
        if group.count > len(group.findings)
    ]
    return {
        "records": records,
        "summary": summary(groups),
        "findings": [finding_json(finding) for finding in findings],
        **({"more": more} if more else {}),
    }


def finding_json(finding: Finding) -> dict[str, Any]:
    """One finding as plain data."""
    where, address = finding.rule.section(finding.version)
    return {
        "rule": finding.rule.id,
        "number": finding.rule.number,
        "severity": finding.severity.word,
        "sentence": finding.sentence,
        "rule_sentence": finding.rule.sentence,
        "section": where,
        "url": address,
        "version": finding.version,
        "server": finding.server,
        "tool": finding.tool,
        "ours": finding.ours,
        "records": list(finding.seqs),
    }


def as_junit(groups: list[Group], name: str) -> str:
    """One test case for each rule about servers; what was found is its failure, information its output."""
    found: dict[str, list[Finding]] = {}
    for group in groups:
        if not group.ours:
            found.setdefault(group.rule.id, []).extend(group.findings)
    rules = [rule for rule in RULES.values() if not rule.ours]
    failing = sum(any(one.severity > Severity.INFO for one in found.get(rule.id, ())) for rule in rules)
    head = (
        f'<testsuite name={quoteattr(_plain(name))} tests="{len(rules)}" failures="{failing}" errors="0" skipped="0">'
    )
    cases = "\n".join(_case(rule, found.get(rule.id, [])) for rule in rules)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n{head}\n{cases}\n</testsuite>\n</testsuites>\n'


def _case(rule: Rule, found: list[Finding]) -> str:
    opening = f"  <testcase classname={quoteattr('mcp.' + SUBJECTS[rule.id])} name={quoteattr(rule.id)}"
    if not found:
        return f"{opening}/>"
    text = escape(_plain("\n".join(f"{one.server}: {one.sentence} {_places(one)}" for one in found)))
    if all(one.severity is Severity.INFO for one in found):
        return f"{opening}><system-out>{text}</system-out></testcase>"
    worst = max(one.severity for one in found)
    message = quoteattr(_plain(rule.sentence))
    return f'{opening}><failure type="{worst.word}" message={message}>{text}</failure></testcase>'


def as_sarif(groups: list[Group], version: str) -> dict[str, Any]:
    """SARIF 2.1.0. A finding lies at a tool of a server, not in a file: its locations are logical ones."""
    rules = list(RULES.values())
    index = {rule.id: place for place, rule in enumerate(rules)}
    results = [
        {
            "ruleId": finding.rule.id,
            "ruleIndex": index[finding.rule.id],
            "level": _LEVELS[finding.severity],
            "message": {"text": finding.sentence},
            "locations": [{"logicalLocations": [_logical(finding)]}],
            "properties": {"records": list(finding.seqs), "version": finding.version, "ours": finding.ours},
        }
        for group in groups
        for finding in group.findings
    ]
    driver = {
        "name": "mcp-inspector",
        "version": version,
        "rules": [_sarif_rule(rule) for rule in rules],
    }
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}],
    }


def _sarif_rule(rule: Rule) -> dict[str, Any]:
    _, address = rule.section(rule.until)
    return {
        "id": rule.id,
        "shortDescription": {"text": rule.sentence},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
        **({"helpUri": address} if address else {}),
    }


def _logical(finding: Finding) -> dict[str, str]:
    if finding.tool:
        return {"name": finding.tool, "fullyQualifiedName": f"{finding.server}/{finding.tool}", "kind": "member"}
    return {"name": finding.server, "fullyQualifiedName": finding.server, "kind": "module"}


def _places(finding: Finding) -> str:
    return f"({', '.join(f'#{seq}' for seq in finding.seqs[-4:])})" if finding.seqs else ""


def _plain(text: str) -> str:
    """Text that XML can hold."""
    return _NOT_XML.sub("\ufffd", text)
