"""Checking a value against a schema, in the declared dialect, without network, within bounds.

The validating library is native and holds the interpreter while it works: a thread of its own would not keep a window
alive. What is `quick` by an estimate from above (`effort`) can be checked at each pause in typing (mostly some
microseconds); all else belongs into a process of its own that can be ended. Work that could explode is refused before
it starts.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from mcp_inspector.schema.compile import Compiled, compile_schema
from mcp_inspector.schema.cost import depth_of, risky, too_much
from mcp_inspector.schema.effort import effort_of, quick
from mcp_inspector.schema.problems import Problem, Severity, problems_of
from mcp_inspector.schema.source import Finding, Source
from mcp_inspector.wire import jsontext
from mcp_inspector.wire.jsontext import Node

if TYPE_CHECKING:
    import jsonschema_rs

    from mcp_inspector.schema.effort import Effort

INLINE_LIMIT = 200_000
"""Characters of JSON text up to which a check takes less than a frame of the window on a slow machine."""

MAX_DEPTH = 500
"""Levels of nesting that are checked; deeper values could overrun the native stack."""

_ONE_BY_ONE = 2_000_000


class Checker:
    """Validates values of one schema. Compiled at the first use; keep it as long as the schema lives."""

    def __init__(self, schema: str | bytes | Source, *, patient: bool = True) -> None:
        """One that is not `patient` says of what is not `quick` that it is not checked: for where a window waits.

        Raises:
            JsonError: when the schema is not JSON.
        """
        self._source = schema if isinstance(schema, Source) else Source(schema)
        self._patient = patient

    @cached_property
    def _effort(self) -> Effort:
        return effort_of(self._source)

    def quick(self, value: Node) -> bool:
        """Whether checking this value, compiling included, surely takes no longer than a window may wait."""
        return value.end - value.start <= INLINE_LIMIT and quick(self._source, self._effort, value)

    @cached_property
    def _compiled(self) -> Compiled:
        return compile_schema(self._source)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What had to be left out of the schema, and whether it can be checked at all."""
        return self._compiled.findings

    @property
    def usable(self) -> bool:
        """Whether values can be checked."""
        return self._compiled.validator is not None

    @property
    def dialect(self) -> str:
        """The dialect that is followed: ``2020-12``, ``draft-07``, …; an unknown one as it was declared."""
        return self._compiled.dialect

    def check(self, value: Node | str | bytes) -> list[Problem]:
        """All problems of a value, worst first; empty when it is valid or nothing can be checked (see `usable`).

        Numbers are compared exactly, however they are spelled. Formats give warnings. At most 200 problems.

        Raises:
            JsonError: when text is given that is not JSON.
        """
        node = value if isinstance(value, Node) else jsontext.parse(value)
        if not self._patient and not self.quick(node):
            return [_unchecked("that would take too long here")]
        validator = self._compiled.validator
        if validator is None:
            return []
        if depth_of(node) > MAX_DEPTH:
            return [_unchecked(f"it is nested more than {MAX_DEPTH} levels deep")]
        if risky(self._source) and too_much(self._source, node):
            return [_unchecked("the schema asks for too many combinations")]
        return sorted(_errors(validator, node), key=lambda one: one.severity is Severity.WARNING)

    def valid(self, value: Node | str | bytes) -> bool:
        """Whether a value has no error; warnings do not count, nor does what cannot be checked."""
        return not any(problem.severity is Severity.ERROR for problem in self.check(value))


def _errors(validator: jsonschema_rs.Validator, node: Node) -> list[Problem]:
    instance = jsontext.value_of(node)
    try:
        if validator.is_valid(instance):
            return []
        if node.end - node.start > _ONE_BY_ONE:  # the library gathers all errors before it gives the first
            return _first(validator, instance)
        return problems_of(validator.iter_errors(instance))
    except UnicodeError:
        return [_unchecked("it has half a surrogate pair, which the validator cannot read")]
    except ValueError as error:
        return [_unchecked(str(error)[:200])]


def _first(validator: jsonschema_rs.Validator, instance: object) -> list[Problem]:
    import jsonschema_rs

    try:
        validator.validate(instance)
    except jsonschema_rs.ValidationError as error:
        return problems_of([error])
    return []


def _unchecked(why: str) -> Problem:
    return Problem((), f"is not checked: {why}", "", Severity.WARNING)
