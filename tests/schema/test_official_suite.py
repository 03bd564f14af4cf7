"""The official JSON Schema test suite: every instance comes through the form unchanged, and is judged rightly.

The data is the suite as the source distribution of `jsonschema` 4.26.0 ships it (MIT, see the licence beside it).
"""

from __future__ import annotations

import gzip
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from formdriver import rebuild, touch_all

from mcp_inspector.schema.compare import same
from mcp_inspector.schema.fields import Form
from mcp_inspector.schema.problems import Severity
from mcp_inspector.schema.validate import Checker
from mcp_inspector.wire import jsontext
from mcp_inspector.wire.jsontext import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

DATA = Path(__file__).parent.parent / "data" / "json_schema_suite.json.gz"
DIALECTS = {
    "draft2020-12": "https://json-schema.org/draft/2020-12/schema",
    "draft2019-09": "https://json-schema.org/draft/2019-09/schema",
    "draft7": "http://json-schema.org/draft-07/schema#",
    "draft6": "http://json-schema.org/draft-06/schema#",
    "draft4": "http://json-schema.org/draft-04/schema#",
}


@dataclass(frozen=True)
class Group:
    about: str
    schema: str
    tests: tuple[tuple[str, bool], ...]


def groups(draft: str) -> Iterator[Group]:
    for item in jsontext.parse(gzip.decompress(DATA.read_bytes())).items:
        member = dict(zip(item.names, item.items, strict=True))
        if jsontext.unquote(member["draft"].raw) != draft:
            continue
        node = member["schema"]
        schema = node.raw
        if node.kind is Kind.OBJECT and "$schema" not in node.names:
            schema = f'{{"$schema": "{DIALECTS[draft]}"{", " if node.items else ""}{schema[1:]}'
        tests = []
        for test in member["tests"].items:
            data, valid = test.get("data"), test.get("valid")
            assert data is not None
            assert valid is not None
            tests.append((data.raw, valid.raw == "true"))
        file = jsontext.unquote(member["file"].raw)
        yield Group(f"{file}: {jsontext.unquote(member['about'].raw)}", schema, tuple(tests))


@pytest.mark.parametrize("draft", DIALECTS)
def test_every_instance_comes_through_the_form_unchanged(draft: str) -> None:
    count = 0
    for group in groups(draft):
        form = Form(group.schema)
        for text, _ in group.tests:
            count += 1
            assert touch_all(form, text) == text, group.about
            rebuilt = rebuild(form, text)
            assert same(jsontext.parse(rebuilt), jsontext.parse(text)), (group.about, rebuilt)
    assert count > 500


@pytest.mark.parametrize("draft", DIALECTS)
def test_instances_are_judged_as_the_suite_says(draft: str) -> None:
    judged = 0
    for group in groups(draft):
        checker = Checker(group.schema)
        if group.about.startswith("vocabulary"):
            continue  # dialects of one's own are not known here, and said so
        for text, valid in group.tests:
            problems = checker.check(text)
            if any("not checked" in problem.sentence for problem in problems):
                continue  # references to schemas of other documents, which are not there
            judged += 1
            errors = [problem for problem in problems if problem.severity is Severity.ERROR]
            assert bool(errors) is not valid, (group.about, text, errors)
    assert judged > 500
