"""Holds what a server answered against assertions: each gives one verdict with a sentence that shows both sides."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any

import msgspec

from mcp_inspector.schema import patterns
from mcp_inspector.schema.compare import same
from mcp_inspector.schema.jsonpath import JsonPath, PathError
from mcp_inspector.schema.validate import Checker
from mcp_inspector.session.outcome import Complete, LocalError, Outcome, RpcError
from mcp_inspector.transport.base import FaultKind
from mcp_inspector.wire import jsontext
from mcp_inspector.wire.jsontext import JsonError, Kind, Node

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from decimal import Decimal

    from mcp_inspector.actions.collection import Assertion

_SHOWN = 120
_MOST_STEPS = 8_000_000
"""Atoms of a pattern times characters of a text up to which it is tried: both may be a stranger's."""
_PLAIN = re.compile(r"[\w ,;:/'\"<>=@#%&!~`-]*")

Judge = Callable[[int, int, str], "Sequence[str]"]
"""Gives the findings of the checks in an exchange (records of request and reply) of this severity or worse."""


class Ending(StrEnum):
    """How a call ended, seen as a test of the server."""

    ACCEPTED = "accepted"
    REJECTED = "rejected"  # isError, or a JSON-RPC error that refuses
    CRASHED = "crashed"  # the connection is gone, an internal error, or an answer that cannot be used
    HUNG = "hung"  # a time limit passed
    NOT_RUN = "not run"  # nothing was sent


@dataclass(frozen=True)
class Verdict:
    """What one assertion came to. `sentence` tells what was wanted and what was found."""

    passed: bool
    sentence: str
    check: str
    where: str = ""


@dataclass(frozen=True)
class Evidence:
    """What is judged: the outcome, what the tool's outputSchema is (None: it has none, or it is not known)."""

    outcome: Outcome
    output_schema: bytes | None = None
    judge: Judge | None = None

    @cached_property
    def root(self) -> Node | None:
        """The result, or the error object, as a tree; None when there is none that can be read."""
        outcome = self.outcome
        raw = outcome.error if isinstance(outcome, RpcError) else getattr(outcome, "result", b"")
        try:
            return jsontext.parse(raw) if raw else None
        except JsonError:
            return None

    @cached_property
    def value(self) -> Any:
        """The same as plain values, once for all paths."""
        return jsontext.value_of(self.root) if self.root is not None else None


def ending(outcome: Outcome) -> Ending:
    """How a call ended. Internal error (-32603) counts as crashed: the server says that it broke."""
    if isinstance(outcome, RpcError):
        return Ending.CRASHED if outcome.code in (None, -32603) else Ending.REJECTED
    if isinstance(outcome, LocalError):
        kind = outcome.fault.kind if outcome.fault is not None else FaultKind.CLOSED
        if kind is FaultKind.TIMEOUT:
            return Ending.HUNG
        if kind in (FaultKind.USAGE, FaultKind.CANCELLED, FaultKind.INTERNAL, FaultKind.DENIED, FaultKind.NOT_STARTED):
            return Ending.NOT_RUN
        return Ending.CRASHED
    return Ending.REJECTED if isinstance(outcome, Complete) and outcome.tool_error else Ending.ACCEPTED


def judged(assertions: Sequence[Assertion], evidence: Evidence) -> tuple[Verdict, ...]:
    """All assertions. An error nobody asked about fails first, and the values of its result are then not looked at."""
    asks = any(one.check in ("error", "outcome") for one in assertions)
    if not asks:
        wrong = error_sentence(evidence.outcome)
        if wrong:
            return (Verdict(False, wrong, "error"),)
    return tuple(_judge(one, evidence) for one in assertions)


def error_sentence(outcome: Outcome) -> str:
    """What went wrong, empty when nothing did."""
    if isinstance(outcome, RpcError):
        code = "without a code" if outcome.code is None else str(outcome.code)
        return f"The server answered with error {code}: {outcome.message[:400]}".rstrip(": ")
    if isinstance(outcome, LocalError):
        return outcome.sentence or "It ended without an answer."
    if isinstance(outcome, Complete) and outcome.tool_error:
        said = _first_text(outcome.result)
        return f"The tool reported an error{': ' if said else '.'}{said}"
    return "" if isinstance(outcome, Complete) else "The server wants more before it completes this."


def _judge(assertion: Assertion, evidence: Evidence) -> Verdict:
    where = jsontext.pointer(assertion.place)
    try:
        passed, sentence = _CHECKS[assertion.check](assertion, evidence)
    except (PathError, JsonError) as error:
        passed, sentence = False, str(error)
    return Verdict(passed, sentence, assertion.check, where)


Found = tuple[bool, str]


def _error(assertion: Assertion, evidence: Evidence) -> Found:
    wanted, outcome = jsontext.value_of(assertion.wanted), evidence.outcome
    said = error_sentence(outcome)
    if wanted is True:
        real = isinstance(outcome, RpcError) or (isinstance(outcome, Complete) and outcome.tool_error)
        return real, "It is an error." if real else said or "It is no error, and should be one."
    if wanted is False:
        return not said, said or "It is no error."
    if wanted == "tool":
        tool = isinstance(outcome, Complete) and outcome.tool_error
        return tool, "The tool reported an error." if tool else said or "The tool reported no error, and should."
    coded = isinstance(outcome, RpcError) and outcome.code == wanted
    return coded, f"It is error {wanted}." if coded else f"It should be error {wanted}. {said or 'It is none.'}"


def _outcome(assertion: Assertion, evidence: Evidence) -> Found:
    wanted = jsontext.value_of(assertion.wanted)
    allowed = [wanted] if isinstance(wanted, str) else wanted
    found = ending(evidence.outcome)
    if found in allowed:
        return True, f"It was {found}."
    more = error_sentence(evidence.outcome)
    return False, f"It was {found} and should be {' or '.join(map(str, allowed))}.{f' {more}' if more else ''}"


def _output_schema(assertion: Assertion, evidence: Evidence) -> Found:
    if evidence.output_schema is None:
        return False, "The tool lists no outputSchema to hold the result against."
    node = evidence.root.get("structuredContent") if evidence.root is not None else None
    if node is None:
        return False, "The result has no structuredContent, which the tool's outputSchema calls for."
    return _valid(Checker(evidence.output_schema), node, "structuredContent", "the outputSchema")


def _schema(assertion: Assertion, evidence: Evidence) -> Found:
    checker = Checker(assertion.wanted.raw)
    return _each(assertion, evidence, lambda node: _valid(checker, node, assertion.path, "the schema"))


def _valid(checker: Checker, node: Node, what: str, of: str) -> Found:
    if not checker.usable:
        return False, f"{of[0].upper()}{of[1:]} cannot be used: {' '.join(one.sentence for one in checker.findings)}"
    problems = [one.text for one in checker.check(node) if one.severity == "error"]
    if not problems:
        return True, f"{what} is valid by {of}."
    more = f" and {len(problems) - 3} more" if len(problems) > 3 else ""
    return False, f"{what} is not valid by {of}: {'; '.join(problems[:3])}{more}."


def _equals(assertion: Assertion, evidence: Evidence) -> Found:
    wanted = assertion.wanted
    return _each(assertion, evidence, lambda node: (same(node, wanted), f"is {_cut(node)}, wanted {_cut(wanted)}"))


def _not_equals(assertion: Assertion, evidence: Evidence) -> Found:
    wanted = assertion.wanted
    return _each(assertion, evidence, lambda node: (not same(node, wanted), f"is {_cut(node)}, which is not wanted"))


def _contains(assertion: Assertion, evidence: Evidence) -> Found:
    wanted = assertion.wanted

    def look(node: Node) -> Found:
        return _holds(node, wanted), f"is {_cut(node)}, wanted {_cut(wanted)} in it"

    return _each(assertion, evidence, look)


def _holds(node: Node, wanted: Node) -> bool:
    if node.kind is Kind.STRING:
        return wanted.kind is Kind.STRING and jsontext.unquote(wanted.raw) in jsontext.unquote(node.raw)
    if node.kind is Kind.ARRAY:
        return any(same(item, wanted) or (item.kind is Kind.OBJECT and _holds(item, wanted)) for item in node.items)
    if node.kind is Kind.OBJECT and wanted.kind is Kind.OBJECT:
        pairs = zip(wanted.names, wanted.items, strict=True)
        return all(
            (own := node.get(name)) is not None and (same(own, item) or (own.is_container and _holds(own, item)))
            for name, item in pairs
        )
    return same(node, wanted)


def _matches(assertion: Assertion, evidence: Evidence) -> Found:
    pattern = jsontext.unquote(assertion.wanted.raw)

    def look(node: Node) -> Found:
        text = jsontext.unquote(node.raw) if node.kind is Kind.STRING else node.raw
        plain = _PLAIN.fullmatch(pattern) is not None
        found = pattern in text if plain else patterns.decided(pattern, text, _MOST_STEPS)
        if found is None:
            return False, f"is too long for /{pattern[:_SHOWN]}/ to be tried on its {len(text):,} characters"
        return found, f"is {_cut(node)}, wanted /{pattern[:_SHOWN]}/"

    return _each(assertion, evidence, look)


def _exists(assertion: Assertion, evidence: Evidence) -> Found:
    wanted = assertion.wanted.raw == "true"
    found = bool(_found(assertion, evidence))
    word = "is there" if found else "is not there"
    return found is wanted, f"{assertion.path} {word}{'' if found is wanted else ', and should be' if wanted else ''}."


def _count(assertion: Assertion, evidence: Evidence) -> Found:
    found = _found(assertion, evidence)
    count = len(found)
    if len(found) == 1 and JsonPath(assertion.path).singular:
        node = found[0]
        count = len(node.items) if node.is_container else len(jsontext.unquote(node.raw)) if _is_text(node) else 1
    wanted = jsontext.value_of(assertion.wanted)
    if isinstance(wanted, dict):
        low, high = wanted.get("atLeast", 0), wanted.get("atMost")
        words = f"at least {low}" + (f" and at most {high}" if high is not None else "")
        return count >= low and (high is None or count <= high), f"{assertion.path} counts {count}, wanted {words}."
    return count == wanted, f"{assertion.path} counts {count}, wanted {wanted}."


def _compare(words: str, holds: Callable[[Decimal, Decimal], bool]) -> Callable[[Assertion, Evidence], Found]:
    def check(assertion: Assertion, evidence: Evidence) -> Found:
        wanted = jsontext.decimal_of(assertion.wanted.raw)

        def look(node: Node) -> Found:
            if node.kind is not Kind.NUMBER:
                return False, f"is {_cut(node)}, which is no number"
            return holds(
                jsontext.decimal_of(node.raw), wanted
            ), f"is {_cut(node)}, wanted {words} {_cut(assertion.wanted)}"

        return _each(assertion, evidence, look)

    return check


def _latency(assertion: Assertion, evidence: Evidence) -> Found:
    taken, limit = evidence.outcome.elapsed_ns / 1e6, float(jsontext.decimal_of(assertion.wanted.raw))
    return taken <= limit, f"It took {taken:.1f} ms, at most {limit:g} ms are wanted."


def _size(assertion: Assertion, evidence: Evidence) -> Found:
    size = len(getattr(evidence.outcome, "result", b""))
    limit = int(jsontext.decimal_of(assertion.wanted.raw))
    return size <= limit, f"The result has {size:,} bytes, at most {limit:,} are wanted."


def _findings(assertion: Assertion, evidence: Evidence) -> Found:
    if evidence.judge is None:
        return False, "The checks of the protocol are not there, so nothing can be said about findings."
    severity = jsontext.unquote(assertion.wanted.raw)
    found = evidence.judge(evidence.outcome.call, evidence.outcome.reply, severity)
    if not found:
        return True, f"The checks find nothing of severity {severity} or worse."
    return False, f"The checks find {len(found)}: {' '.join(found[:3])}"


_CHECKS: dict[str, Callable[[Assertion, Evidence], Found]] = {
    "error": _error,
    "outcome": _outcome,
    "outputSchema": _output_schema,
    "schema": _schema,
    "equals": _equals,
    "notEquals": _not_equals,
    "contains": _contains,
    "matches": _matches,
    "exists": _exists,
    "count": _count,
    "atLeast": _compare("at least", lambda one, two: one >= two),
    "atMost": _compare("at most", lambda one, two: one <= two),
    "greaterThan": _compare("more than", lambda one, two: one > two),
    "lessThan": _compare("less than", lambda one, two: one < two),
    "latencyMs": _latency,
    "sizeBytes": _size,
    "findings": _findings,
}


def _found(assertion: Assertion, evidence: Evidence) -> list[Node]:
    if evidence.root is None:
        return []
    return JsonPath(assertion.path).find(evidence.root, evidence.value)


def _each(assertion: Assertion, evidence: Evidence, look: Callable[[Node], Found]) -> Found:
    """All matches have to pass, or one of them with `some`; no match at all fails."""
    if evidence.root is None:
        return False, error_sentence(evidence.outcome) or "There is no result."
    found = _found(assertion, evidence)
    if not found:
        return False, f"{assertion.path} is not in the result."
    last: Found = (True, "")
    for passed, words in _looked(found, look):
        last = passed, words
        if passed is assertion.some:
            break
    passed, words = last
    sentence = words if words.endswith(".") else f"{assertion.path} {words}."
    return passed, sentence


def _looked(nodes: Sequence[Node], look: Callable[[Node], Found]) -> Iterator[Found]:
    for node in nodes:
        yield look(node)


def _is_text(node: Node) -> bool:
    return node.kind is Kind.STRING


def _cut(node: Node) -> str:
    raw = node.raw if node.end - node.start < 20_000 else node.text[node.start : node.start + 2 * _SHOWN]
    text = " ".join(raw.split())
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def _first_text(result: bytes) -> str:
    try:
        content = msgspec.json.decode(result).get("content")
    except (msgspec.MsgspecError, RecursionError, AttributeError):
        return ""
    for block in content if isinstance(content, list) else ():
        if isinstance(block, dict) and isinstance(block.get("text"), str):
            return str(block["text"])[:400]
    return ""
