"""Schemas of tools that real servers list: every one gives a form, and nothing gets lost on the way through it.

The data holds the distinct input schemas of some forty servers; titles and descriptions were replaced.
"""

from __future__ import annotations

import gzip
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest
from formdriver import rebuild, touch_all

from mcp_inspector.schema import samples
from mcp_inspector.schema.fields import Field, Form
from mcp_inspector.schema.kinds import FieldKind
from mcp_inspector.schema.validate import Checker
from mcp_inspector.schema.values import start_text
from mcp_inspector.wire import jsontext

DATA = Path(__file__).parent.parent / "data" / "corpus_schemas.json.gz"


@dataclass(frozen=True)
class Tool:
    name: str
    schema: str


@pytest.fixture(scope="module")
def tools() -> list[Tool]:
    root = jsontext.parse(gzip.decompress(DATA.read_bytes()))
    found = []
    for item in root.items:
        members = dict(zip(item.names, item.items, strict=True))
        name = f"{jsontext.unquote(members['server'].raw)}: {jsontext.unquote(members['tool'].raw)}"
        found.append(Tool(name, members["inputSchema"].raw))
    return found


def unfold(field: Field, depth: int = 0) -> list[Field]:
    """The field and all that the schema names inside it; one item of each list, every alternative of each union."""
    found = [field]
    if depth > 8 or field.kind in (FieldKind.ANY, FieldKind.RAW):
        return found
    inside = field.children()
    if field.kind is FieldKind.UNION:
        inside = [field.branch(at) for at in range(len(field.branches))]
    elif field.kind is FieldKind.ARRAY:
        inside = [field.item(0)]
    elif field.kind is FieldKind.MAP and field.shape.additional().schemas:
        inside = [field.member("key")]
    for child in inside:
        found.extend(unfold(child, depth + 1))
    return found


def test_every_tool_gives_a_form_and_few_fields_are_json_editors(tools: list[Tool]) -> None:
    kinds: Counter[FieldKind] = Counter()
    for tool in tools:
        form = Form(tool.schema)
        fields = unfold(form.root)
        kinds.update(field.kind for field in fields)
        assert form.findings == (), tool.name
        for field in fields:
            json_editor = field.kind in (FieldKind.RAW, FieldKind.ANY)
            assert bool(field.reason) is json_editor, (tool.name, field)
            if field.choices:
                assert len({choice.label for choice in field.choices}) == len(field.choices)
            if field.branches:
                assert len({branch.label for branch in field.branches}) == len(field.branches)
    editors = kinds[FieldKind.RAW] + kinds[FieldKind.ANY]
    assert sum(kinds.values()) > 7_000
    assert editors <= 0.02 * sum(kinds.values()), kinds


def test_every_schema_compiles_in_its_dialect(tools: list[Tool]) -> None:
    for tool in tools:
        checker = Checker(tool.schema)
        assert checker.usable, tool.name
        assert checker.findings == (), tool.name


def test_samples_are_valid_and_come_through_the_form_unchanged(tools: list[Tool]) -> None:
    for tool in tools:
        form = Form(tool.schema)
        checker = Checker(form.source)
        for make in (samples.minimal, samples.full):
            sample = make(form, checker)
            assert sample.problems == (), (tool.name, sample.json_text)
            assert touch_all(form, sample.json_text) == sample.json_text, tool.name
            rebuilt = rebuild(form, sample.json_text)
            assert jsontext.compact(rebuilt) == jsontext.compact(sample.json_text), tool.name


def test_a_started_document_holds_nothing_wrong(tools: list[Tool]) -> None:
    """What is missing may be missing; what the form put in by itself must be right."""
    for tool in tools:
        form = Form(tool.schema)
        problems = Checker(form.source).check(start_text(form))
        assert [problem for problem in problems if problem.keyword not in ("required", "minItems")] == [], tool.name
