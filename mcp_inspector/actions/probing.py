"""Probing a tool: the boundary cases of its form as a collection, and what the outcomes say."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from mcp_inspector.actions.collection import SCHEMA_ID
from mcp_inspector.actions.judging import Ending
from mcp_inspector.actions.making import without_secrets
from mcp_inspector.schema.boundaries import cases
from mcp_inspector.schema.fields import Form
from mcp_inspector.wire import jsontext

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mcp_inspector.actions.results import CaseResult
    from mcp_inspector.session.catalogue import Item

SECONDS = 10.0
"""How long a case may take before the server counts as hung."""


def probe(server: str, item: Item, *, timeout: float = SECONDS) -> str:
    """A collection, as text, with one action for each boundary case of a tool's arguments.

    What the schema refuses has to be rejected. What it takes may be accepted or rejected: a schema does not say
    everything; but the server must neither crash nor hang.
    """
    form = Form(item.part("inputSchema") or None)
    actions = []
    names: Counter[str] = Counter()
    for case in cases(form):
        where = jsontext.pointer(case.path) or "the whole"
        name = f"{where}: {case.name}"
        names[name] += 1
        if names[name] > 1:
            name = f"{name} ({names[name]})"
        wanted = '["accepted", "rejected"]' if case.valid else '"rejected"'
        # A generated value is no secret, whatever its member is called: only texts like variables are escaped.
        arguments = _escaped(case.json_text)
        actions.append(
            f'    {{ "name": {jsontext.quote(name)}, "kind": "tool", "server": {jsontext.quote(server)}, '
            f'"target": {jsontext.quote(item.key.replace("${", "$${"))}, "arguments": {arguments}, '
            f'"timeout": {timeout:g}, "group": {jsontext.quote("fits the schema" if case.valid else "does not fit")}, '
            f'"assert": [{{ "outcome": {wanted} }}] }}'
        )
    head = (
        f'{{\n  "$schema": {jsontext.quote(SCHEMA_ID)},\n  "name": {jsontext.quote(f"Probe of {item.key}")},\n'
        f'  "description": "Values at the edge of each keyword of its schema, and just past it.",\n  "actions": [\n'
    )
    return head + ",\n".join(actions) + "\n  ]\n}\n"


def endings(results: Iterable[CaseResult]) -> dict[Ending, int]:
    """How the cases ended, each way counted, the ways without any left out."""
    counts = Counter(step.ending for result in results for step in result.steps)
    return {ending: counts[ending] for ending in Ending if counts[ending]}


def _escaped(json_text: str) -> str:
    compact = jsontext.compact(json_text)
    if "${" not in compact:
        return compact
    return without_secrets(compact)[0]
