"""Made values: valid where the schema can be fulfilled, and at each keyword's edge."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mcp_inspector.schema import boundaries, regexsample, samples
from mcp_inspector.schema.fields import Form
from mcp_inspector.schema.patterns import matches
from mcp_inspector.schema.validate import Checker


@pytest.mark.parametrize(
    "pattern",
    [
        r"^[A-Z][A-Z0-9_]+-\d+(?:-\d+)*$",
        r"^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}|0{8})$",
        r"^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$",
        r"^\d{5}$",
        r"^https?:\/\/",
        r"^\d+[hdw]$",
        r"^[A-Za-z0-9._:-]{1,128}$",
        r"\$\{\w+\}",
        r"^[^/]+/[^/]+$",
        r"^\+?[1-9]\d{1,14}$",
        r"^#(?:[0-9a-f]{3}){1,2}$",
        r"^(a|b)?c{2,}x*$",
        r"^\u0041\x42.$",
        r"^(?<year>[0-9]{4})-[0-1][0-9]$",
        r"",
        r"^$",
    ],
)
def test_a_text_for_a_pattern(pattern: str) -> None:
    for seed in range(3):
        text = regexsample.sample(pattern, 0, seed)
        assert text is not None
        assert matches(pattern, text)


def test_a_text_for_a_pattern_of_a_length() -> None:
    text = regexsample.sample("^[a-z]+$", 20)
    assert text is not None
    assert len(text) >= 20
    assert regexsample.sample("^a{2}$", 20) is None


@pytest.mark.parametrize("pattern", ["(?=a)b", r"(a)\1", "(", "[", "a{2", "(((", r"\p{L}"])
def test_patterns_that_are_not_read_give_none_or_a_match(pattern: str) -> None:
    text = regexsample.sample(pattern)
    assert text is None or matches(pattern, text)


def obj(properties: dict[str, Any], *required: str, **more: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": [*required], **more}


def x(schema: Any) -> dict[str, Any]:
    return obj({"x": schema}, "x")


def free(**keywords: Any) -> dict[str, Any]:
    return {"type": "object", **keywords}


SCHEMAS: list[Any] = [
    x({"type": "integer", "minimum": 5, "multipleOf": 4}),
    x({"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1}),
    x({"type": "integer", "minimum": 9007199254740993}),
    x({"type": "string", "minLength": 30, "maxLength": 31}),
    x({"type": "string", "minLength": 3, "pattern": "^[a-c]+$"}),
    x({"type": "string", "default": 5, "examples": [1, "good"]}),
    x({"enum": ["a", "b"], "not": {"const": "a"}}),
    x({"anyOf": [{"type": "integer", "minimum": 3}, {"type": "null"}]}),
    x({"type": "array", "items": {"enum": [1, 2, 3]}, "minItems": 3, "uniqueItems": True}),
    x({"type": "array", "contains": {"const": 7}, "minContains": 2}),
    x({"type": "array", "prefixItems": [{"type": "string"}, {"const": 2}], "items": False, "minItems": 2}),
    free(required=["x", "y"], minProperties=4),
    free(additionalProperties={"type": "integer"}, minProperties=2, propertyNames={"pattern": "^k[0-9]$"}),
    free(patternProperties={"^x-": {"type": "integer"}}, additionalProperties=False, minProperties=1),
    obj({"a": {}, "b": {}}, oneOf=[{"required": ["a"]}, {"required": ["b"]}]),
    obj({"a": {}, "b": {}}, anyOf=[{"required": ["a"]}, {"required": ["b"]}]),
    obj({"a": {"const": 1}}, "a", dependentRequired={"a": ["b"]}),
    obj(
        {"k": {"enum": ["x"]}},
        "k",
        **{"if": {"properties": {"k": {"const": "x"}}}, "then": obj({"z": {"type": "integer"}}, "z")},
    ),
    {"$ref": "#/$defs/N", "$defs": {"N": obj({"next": {"$ref": "#/$defs/N"}, "v": {"type": "integer"}}, "v")}},
]


@pytest.mark.parametrize("schema", SCHEMAS, ids=lambda schema: json.dumps(schema)[:70])
def test_samples_are_valid(schema: Any) -> None:
    form = Form(schema)
    checker = Checker(form.source)
    for make in (samples.minimal, samples.full):
        sample = make(form, checker)
        assert sample.problems == (), sample.json_text
        assert checker.valid(sample.json_text)


FORMATS = ["date", "time", "date-time", "duration", "email", "hostname", "ipv4", "ipv6", "uri", "uuid", "json-pointer"]
FORMATS += ["regex", "uri-template", "uri-reference", "relative-json-pointer"]


@pytest.mark.parametrize("name", FORMATS)
def test_samples_fit_their_format(name: str) -> None:
    checker = Checker(json.dumps({"type": "string", "format": name}))
    field = Form({"type": "string", "format": name}).root
    for seed in (0, 1, 5):
        assert checker.check(samples.one(field, seed)) == []
    assert checker.check('"~ {not ( of this form ~"') != []


def test_the_full_sample_has_everything_and_the_minimal_one_nothing_more() -> None:
    flags = {"type": "array", "items": {"type": "boolean"}}
    form = Form(obj({"a": {"type": "integer"}, "b": flags, "c": obj({"d": {"type": "string"}})}, "a"))
    assert json.loads(samples.minimal(form).json_text) == {"a": 1}
    assert json.loads(samples.full(form).json_text) == {"a": 1, "b": [True], "c": {"d": "text"}}


def test_what_cannot_be_fulfilled_is_said() -> None:
    sample = samples.minimal(Form({"type": "object", "properties": {"a": False}, "required": ["a"]}))
    assert [problem.path for problem in sample.problems] == [("a",)]


def test_bombs_give_a_sample_in_time() -> None:
    """SCH-27."""
    wide = {"type": "array", "items": {"$ref": "#"}, "minItems": 10}
    assert json.loads(samples.minimal(Form(wide)).json_text) is not None
    tree = {"type": "object", "properties": {name: {"$ref": "#"} for name in "abcdefgh"}, "required": [*"abcdefgh"]}
    assert json.loads(samples.full(Form(tree)).json_text) is not None


def test_cases_at_the_edges() -> None:
    """Each keyword has a case on each side of its edge, and the schema's own verdict."""
    schema = {
        "type": "object",
        "properties": {
            "n": {"type": "integer", "minimum": 2, "maximum": 9},
            "s": {"type": "string", "minLength": 2, "maxLength": 4},
            "e": {"enum": ["a", 1]},
            "l": {"type": "array", "items": {"type": "integer"}, "minItems": 1, "maxItems": 2, "uniqueItems": True},
            "b": {"type": "boolean"},
        },
        "required": ["n"],
        "additionalProperties": False,
    }
    found = {(case.path, case.name): case for case in boundaries.cases(Form(schema))}
    verdicts = {key: case.valid for key, case in found.items()}
    assert verdicts[("n",), "greatest number"]
    assert not verdicts[("n",), "past the greatest number"]
    assert not verdicts[("n",), "past the least number"]
    assert not verdicts[("n",), "with a fraction"]
    assert not verdicts[("n",), "required member missing"]
    assert not verdicts[("n",), "null"]
    assert verdicts[("s",), "greatest length"]
    assert not verdicts[("s",), "past the greatest length"]
    assert not verdicts[("s",), "past the least length"]
    assert verdicts[("e",), "choice 1"]
    assert not verdicts[("e",), "not one of the choices"]
    assert not verdicts[("l",), "empty"]
    assert verdicts[("l",), "most items"]
    assert not verdicts[("l",), "more than the most items"]
    assert not verdicts[("l",), "equal items"]
    assert verdicts[("b",), "false"]
    assert not verdicts[("unknown",), "unknown member"]
    assert len({case.json_text for case in found.values()}) == len(found)
