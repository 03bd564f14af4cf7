"""How a request ended, in words and bytes; and whether a result keeps its tool's promise."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec

from mcp_inspector.session.outcome import Complete, InputRequired, LocalError, RpcError, TaskStarted
from mcp_inspector.ui import plain

if TYPE_CHECKING:
    from mcp_inspector.schema.problems import Problem
    from mcp_inspector.session.outcome import Outcome
    from mcp_inspector.ui.models import content
    from mcp_inspector.ui.models.runs import Run


def progress_words(run: Run) -> str:
    """How far it says it is: ``3 of 10 · 2/s · copying``."""
    message = plain.line(run.progress.message, 200) if run.progress is not None else ""
    return " · ".join(filter(None, (run.pace.words(), message)))


def words_of(outcome: Outcome, *, tool_error: bool) -> tuple[str, str, str]:
    """How it ended in a word, its colour, and a sentence where there is more to say."""
    if isinstance(outcome, Complete):
        return ("tool error", "error", "") if tool_error else ("ok", "ok", "")
    if isinstance(outcome, InputRequired):
        return "input required", "warn", "The server asks for input first. It is shown as it came."
    if isinstance(outcome, TaskStarted):
        return "task", "warn", "The server made a task of it. Its handle is shown as it came."
    if isinstance(outcome, RpcError):
        code = "" if outcome.code is None else f" {outcome.code}"
        return f"error{code}", "error", outcome.message or "The server answered with an error without a message."
    kind = str(outcome.fault.kind) if outcome.fault is not None else "cancelled"
    return kind, "warn" if kind == "cancelled" else "error", outcome.sentence


def raw_of(outcome: Outcome) -> bytes:
    """The bytes that came: the result, or the error object."""
    if isinstance(outcome, RpcError):
        return outcome.error
    return b"" if isinstance(outcome, LocalError) else outcome.result


Verdict = tuple[str, str, str]
"""A word, its colour, a sentence."""


@dataclass(frozen=True)
class Large:
    """A result that cannot surely be checked at once, and the schema it has to fit."""

    schema: bytes
    value: bytes


def checked(schema: bytes | None, result: content.Result) -> Verdict | Large | None:
    """Compare a tool's structured content with its output schema."""
    if schema is None:
        return None
    if result.structured is None:
        if result.is_error:
            return None
        return "no structuredContent", "warn", "The tool has an output schema, but the result has no structuredContent."
    from mcp_inspector.schema.validate import INLINE_LIMIT, Checker
    from mcp_inspector.wire import jsontext

    if len(result.structured) > INLINE_LIMIT:
        return Large(schema, bytes(result.structured))
    try:
        checker = Checker(schema)
        node = jsontext.parse(result.structured)
        if not checker.quick(node):
            return Large(schema, bytes(result.structured))
        problems = checker.check(node)
    except jsontext.JsonError as error:
        return "not checked", "warn", f"The output schema or the structuredContent cannot be read: {error}"
    if not checker.usable:
        return "not checked", "warn", "; ".join(finding.sentence for finding in checker.findings)
    return verdict(problems)


def verdict(problems: list[Problem]) -> Verdict:
    """What a check of structured content has found, in words."""
    from mcp_inspector.schema.problems import Severity

    errors = [problem for problem in problems if problem.severity is Severity.ERROR]
    if errors:
        return "breaks outputSchema", "error", "structuredContent: " + "; ".join(one.text for one in errors[:5])
    unchecked = next((one for one in problems if one.sentence.startswith("is not checked")), None)
    if unchecked is not None:
        return "not checked", "warn", f"The structuredContent {unchecked.sentence}."
    return "matches outputSchema", "ok", ""


def schema_of(raw: bytes, member: str) -> bytes | None:
    """A member of a listed item as JSON text, None when it is absent."""
    try:
        value = msgspec.json.decode(raw, type=dict[str, msgspec.Raw]).get(member)
    except (msgspec.MsgspecError, RecursionError):
        return None
    return None if value is None else bytes(value)
