"""A run as JUnit XML, JSON or Markdown. Secrets are masked already in what a runner keeps."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape, quoteattr

from mcp_inspector.actions.results import BAD, CaseResult, Status, Summary, summary

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_LONGEST_CELL = 200


def junit(results: list[CaseResult], whole: Summary, session: str = "") -> str:
    """One suite a collection, one case a run of an action. Characters that XML cannot hold become escapes."""
    lines = ['<?xml version="1.0" encoding="UTF-8"?>']
    counts = f'tests="{len(results)}" failures="{whole.failed}" errors="{whole.errors}" skipped="{whole.skipped}"'
    lines.append(f'<testsuites name="mcp-inspector run" {counts} time="{whole.seconds:.3f}">')
    for name, some in _by_collection(results):
        part = summary(some, sum(one.seconds for one in some))
        counts = f'tests="{len(some)}" failures="{part.failed}" errors="{part.errors}" skipped="{part.skipped}"'
        lines.append(f'  <testsuite name={_attribute(name)} {counts} time="{part.seconds:.3f}">')
        for result in some:
            lines += _junit_case(name, result, session)
        lines.append("  </testsuite>")
    return "\n".join((*lines, "</testsuites>", ""))


def _junit_case(suite: str, result: CaseResult, session: str) -> list[str]:
    head = (
        f"    <testcase classname={_attribute(suite)} name={_attribute(result.case.name)} "
        f'time="{result.elapsed_ns / 1e9:.6f}"'
    )
    if result.status is Status.PASSED:
        return [f"{head}/>"]
    if result.status is Status.SKIPPED:
        return [f"{head}>", f"      <skipped message={_attribute(result.why)}/>", "    </testcase>"]
    word = "failure" if result.status is Status.FAILED else "error"
    sentences = result.sentences
    text = "\n".join((*sentences, *_evidence(result, session)))
    return [
        f"{head}>",
        f"      <{word} message={_attribute(sentences[0] if sentences else '')}>{escape(_xml(text))}</{word}>",
        "    </testcase>",
    ]


def as_json(results: list[CaseResult], whole: Summary, session: str = "") -> str:
    """Everything, for programs."""
    document = {
        "ok": whole.ok,
        "passed": whole.passed,
        "failed": whole.failed,
        "notRun": whole.errors,
        "skipped": whole.skipped,
        "seconds": round(whole.seconds, 3),
        "session": session or None,
        "cases": [_json_case(result) for result in results],
    }
    return json.dumps(document, ensure_ascii=False, indent=2).encode(errors="replace").decode() + "\n"


def _json_case(result: CaseResult) -> dict[str, Any]:
    case = result.case
    return {
        "collection": case.collection.name,
        "name": case.name,
        "action": case.action.name,
        "row": case.row or None,
        "round": case.round,
        "status": result.status.value,
        "why": list(result.sentences),
        "elapsedMs": round(result.elapsed_ns / 1e6, 3),
        "steps": [
            {
                "name": step.name,
                "server": step.server,
                "method": step.method,
                "target": step.target,
                "outcome": step.ending.value,
                "elapsedMs": round(step.elapsed_ns / 1e6, 3),
                "sizeBytes": step.size,
                "assertions": [
                    {"check": one.check, "passed": one.passed, "sentence": one.sentence, "where": one.where}
                    for one in step.verdicts
                ],
                "exchange": {"request": step.quoted.call or None, "answer": step.quoted.reply or None},
                **({"sent": step.quoted.request, "received": step.quoted.answer} if step.failures else {}),
            }
            for step in result.steps
        ],
    }


def markdown(results: list[CaseResult], whole: Summary, session: str = "") -> str:
    """A table for people, then each failure with its exchange."""
    lines = ["# MCP run", "", f"**{whole.words}**", ""]
    if session:
        lines += [f"The traffic is in `{session}`.", ""]
    for name, some in _by_collection(results):
        lines += [f"## {_cell(name)}", "", "| | action | outcome | time |", "| --- | --- | --- | ---: |"]
        for result in some:
            mark = {Status.PASSED: "✓", Status.SKIPPED: "–"}.get(result.status, "✕")
            ending = ", ".join(dict.fromkeys(step.ending.value for step in result.steps)) or result.status.value
            lines.append(f"| {mark} | {_cell(result.case.name)} | {ending} | {result.elapsed_ns / 1e6:.1f} ms |")
        lines.append("")
        for result in some:
            if result.status in BAD:
                lines += [f"### ✕ {_cell(result.case.name)}", ""]
                lines += [f"- {_cell(sentence, 2_000)}" for sentence in result.sentences]
                evidence = _evidence(result, "")
                fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", "\n".join(evidence))), default=0))
                lines += ["", fence, *evidence, fence, ""] if evidence else [""]
    return "\n".join(lines)


def _evidence(result: CaseResult, session: str) -> list[str]:
    """The exchange that shows the failure."""
    quoted = result.quoted
    lines = []
    if quoted.call:
        where = f"exchange {quoted.call}" + (f" → {quoted.reply}" if quoted.reply else " (no answer)")
        lines.append(f"{where} of {session}" if session else where)
    if quoted.request:
        lines.append(f"sent: {quoted.request}")
    if quoted.answer:
        lines.append(f"received: {quoted.answer}")
    return lines


FORMATS: Mapping[str, Callable[[list[CaseResult], Summary, str], str]] = {
    "junit": junit,
    "json": as_json,
    "md": markdown,
}
"""The reports by their word on the command line."""


def _by_collection(results: Iterable[CaseResult]) -> list[tuple[str, list[CaseResult]]]:
    found: dict[str, list[CaseResult]] = {}
    for result in results:
        found.setdefault(result.case.collection.name or "collection", []).append(result)
    return [*found.items()]


def _xml(text: str) -> str:
    return _NOT_XML.sub(lambda match: f"\\u{{{ord(match[0]):x}}}", text)


def _attribute(text: str) -> str:
    return quoteattr(_xml(" ".join(text.split("\n"))))


def _cell(text: str, most: int = _LONGEST_CELL) -> str:
    """One line that breaks no table and is no markup."""
    line = " ".join(text.split())[:most]
    return re.sub(r"([\\`*_{}\[\]<>#|!])", r"\\\1", line)
