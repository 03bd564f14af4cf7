"""Values checked in the declared dialect, exactly, offline and within bounds; problems said in words at their place."""

from __future__ import annotations

import socket
import threading
import time
from typing import Any

import pytest

from mcp_inspector.schema.problems import Severity
from mcp_inspector.schema.validate import Checker


def told(schema: str, value: str) -> list[str]:
    return [problem.text for problem in Checker(schema).check(value)]


@pytest.mark.parametrize(
    ("schema", "value", "expected"),
    [
        ('{"type": "string"}', "1", "The value must be text"),
        ('{"type": ["string", "null"]}', "1", "The value must be null or text"),
        ('{"minimum": 1}', "0", "The value must be at least 1"),
        ('{"exclusiveMaximum": 0.5}', "0.5", "The value must be less than 0.5"),
        ('{"multipleOf": 0.01}', "0.075", "The value must be a multiple of 0.01"),
        ('{"minLength": 1}', '""', "The value must not be empty"),
        ('{"maxLength": 2}', '"abc"', "The value must have at most 2 characters"),
        ('{"pattern": "^a"}', '"b"', "The value must match ^a"),
        ('{"enum": [1, "1", null]}', "true", 'The value must be one of 1, "1", null'),
        ('{"const": 2}', "3", "The value must be 2"),
        ('{"minItems": 1}', "[]", "The value must have at least 1 item"),
        ('{"uniqueItems": true}', "[1, 1.0]", "The value has equal items, but all must be different"),
        ('{"not": {}}', "1", "The value has a value that the schema excludes"),
        ('{"properties": {"a": false}}', '{"a": 1}', "/a is not allowed here"),
        ('{"required": ["a b"]}', "{}", "/a b is required"),
        ('{"dependentRequired": {"a": ["b"]}}', '{"a": 1}', "/b is required"),
        ('{"additionalProperties": false}', '{"x/y": 1}', "The value must have no members"),
        ('{"additionalProperties": false, "properties": {"a": {}}}', '{"x/y": 1}', "/x~1y is not a member that the"),
        ('{"propertyNames": {"pattern": "^x"}}', '{"a": 1}', "The value has a member whose name must match ^x"),
        ('{"anyOf": [{"type": "string"}, {"type": "integer"}]}', "[]", "The value must be text or a whole number"),
        ('{"oneOf": [{"type": "number"}, {"type": "integer"}]}', "1", "The value fits several alternatives"),
        ('{"items": {"minimum": 3}}', "[5, 1]", "/1 must be at least 3"),
        ('{"contains": {"type": "string"}}', "[1]", "The value has not the number of certain items"),
    ],
)
def test_problems_in_words(schema: str, value: str, expected: str) -> None:
    texts = told(schema, value)
    assert len(texts) == 1
    assert texts[0].startswith(expected)


def test_problems_of_the_alternative_that_is_meant() -> None:
    schema = """{"oneOf": [
        {"properties": {"kind": {"const": "a"}, "x": {"type": "integer"}, "y": {"type": "integer"}}},
        {"properties": {"kind": {"const": "b"}, "z": {"type": "string"}}, "required": ["kind", "z"]}]}"""
    assert told(schema, '{"kind": "a", "x": "1", "y": "2"}') == [
        "/x must be a whole number",
        "/y must be a whole number",
    ]
    assert told(schema, '{"kind": "b"}') == ["/z is required"]


@pytest.mark.parametrize(
    ("schema", "valid", "invalid"),
    [
        ('{"type": "integer"}', ["1.0", "1e3", "9007199254740993", "1e400", "-0"], ["1.5", "1e-1", '"1"', "true"]),
        ('{"minimum": 9007199254740993}', ["9007199254740993"], ["9007199254740992", "9007199254740992.9"]),
        ('{"enum": [1, "1", true]}', ["1", "1.0", '"1"', "true"], ["2", "0", "false", '"true"']),
        ('{"const": 1e400}', ["1e400", "10e399"], ["1e401"]),
        ('{"uniqueItems": true}', ["[true, 1]", '[1, "1"]', "[[], {}]"], ["[1, 1.0]", '[{"a": 1}, {"a": 1.00}]']),
        ('{"multipleOf": 0.1}', ["0.3", "1e2"], ["0.35"]),
        ('{"maximum": 18446744073709551616}', ["18446744073709551616"], ["18446744073709551617"]),
    ],
)
def test_numbers_are_exact_however_spelled(schema: str, valid: list[str], invalid: list[str]) -> None:
    """SCH-07, SCH-10, SCH-22: 1 and 1.0 are equal, true and 1 are not, big numbers are compared to the last digit."""
    checker = Checker(schema)
    assert [value for value in valid if not checker.valid(value)] == []
    assert [value for value in invalid if checker.valid(value)] == []


DIALECTS: list[tuple[str, str, str, str]] = [
    ("", '"prefixItems": [{"type": "string"}], "items": false', '["a"]', '["a", 1]'),
    (
        "http://json-schema.org/draft-07/schema#",
        '"items": [{"type": "string"}], "additionalItems": false',
        '["a"]',
        "[1]",
    ),
    (
        "https://json-schema.org/draft-07/schema",
        '"definitions": {"P": {"minimum": 1}}, "$ref": "#/definitions/P"',
        "1",
        "0",
    ),
    ("http://json-schema.org/draft-04/schema#", '"minimum": 1, "exclusiveMinimum": true', "2", "1"),
    ("http://json-schema.org/draft-06/schema#", '"exclusiveMinimum": 1', "2", "1"),
    ("https://json-schema.org/draft/2019-09/schema", '"dependentRequired": {"a": ["b"]}', "{}", '{"a": 1}'),
]


@pytest.mark.parametrize(("declared", "rule", "valid", "invalid"), DIALECTS)
def test_the_declared_dialect_decides(declared: str, rule: str, valid: str, invalid: str) -> None:
    """SCH-25."""
    head = f'"$schema": "{declared}", ' if declared else ""
    checker = Checker(f"{{{head}{rule}}}")
    assert checker.findings == ()
    assert checker.valid(valid)
    assert not checker.valid(invalid)


def test_an_unknown_dialect_is_said_and_nothing_is_checked() -> None:
    """SCH-25."""
    checker = Checker('{"$schema": "https://example.invalid/x", "type": "string"}')
    assert not checker.usable
    assert "https://example.invalid/x" in checker.findings[0].sentence
    assert checker.check("1") == []


@pytest.mark.parametrize(
    ("schema", "where", "words", "valid", "invalid"),
    [
        ('{"type": "object", "required": null, "minProperties": 1}', "/required", "null", '{"a": 1}', "{}"),
        ('{"properties": [], "type": "object"}', "/properties", "left out", "{}", "1"),
        ('{"properties": {"a": null, "b": {"type": "string"}}}', "/properties/a", "no schema", '{"a": 1}', '{"b": 1}'),
        ('{"type": "strng", "minimum": 1}', "/type", "strng", "1", "0"),
        ('{"items": {"minimum": 1, "exclusiveMinimum": true}}', "/items/exclusiveMinimum", "draft-04", "[2]", "[1]"),
        ('{"items": [{"type": "string"}], "additionalItems": false}', "/items", "draft-07", '["a"]', '["a", 1]'),
        ('{"pattern": "(", "maxLength": 1}', "/pattern", "regular expression", '"a"', '"ab"'),
        ('{"properties": {"a": {"required": true, "type": "string"}}}', "/properties/a/required", "must not be", "{}",
         '{"a": 1}'),
    ],
)  # fmt: skip
def test_a_broken_schema_still_checks_the_rest(schema: str, where: str, words: str, valid: str, invalid: str) -> None:
    """LIFE-16: `required: null` and the like cost that keyword, not the schema."""
    checker = Checker(schema)
    assert [finding.where for finding in checker.findings] == [where]
    assert words in checker.findings[0].sentence
    assert checker.valid(valid)
    assert not checker.valid(invalid)


@pytest.mark.parametrize("schema", ["[]", "null", '"x"', "5"])
def test_what_is_no_schema_checks_nothing(schema: str) -> None:
    checker = Checker(schema)
    assert not checker.usable
    assert checker.findings
    assert checker.check("1") == []


def test_nothing_is_fetched_and_what_is_missing_is_reported() -> None:
    """SCH-26: a remote reference opens no connection and is not taken as permission."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.setblocking(False)
        port = listener.getsockname()[1]
        schema = f"""{{"properties": {{
            "x": {{"$ref": "http://127.0.0.1:{port}/leak.json"}},
            "y": {{"$ref": "file:///etc/passwd"}},
            "z": {{"$ref": "#/$defs/none"}},
            "d": {{"$dynamicRef": "http://127.0.0.1:{port}/dyn.json"}},
            "ok": {{"type": "string"}}}}}}"""
        checker = Checker(schema)
        problems = checker.check('{"x": 1, "y": 2, "z": 3, "d": 4, "ok": 5}')
        with pytest.raises(BlockingIOError):
            listener.accept()
    assert len(checker.findings) == 4
    assert [(problem.path, problem.severity) for problem in problems] == [
        (("ok",), Severity.ERROR),
        *(((name,), Severity.WARNING) for name in ("x", "y", "z", "d")),
    ]
    unchecked = {problem.path[0]: problem.sentence for problem in problems if problem.severity is Severity.WARNING}
    assert unchecked["x"].startswith("is not checked: external reference not resolved: http://127.0.0.1")
    assert checker.check('{"ok": "a"}') == []


def test_formats_are_warnings() -> None:
    """SCH-28: formats are annotations; unknown ones say nothing."""
    checker = Checker(
        '{"properties": {"m": {"format": "email"}, "p": {"format": "phone"}, "w": {"format": "date-time"}}}'
    )
    problems = checker.check('{"m": "nobody", "p": "x", "w": "2026-01-02T03:04:05.123456+05:30"}')
    assert [(problem.path, problem.severity, problem.keyword) for problem in problems] == [
        (("m",), Severity.WARNING, "format")
    ]
    assert problems[0].sentence == "is not a valid email address"
    assert checker.valid('{"m": "nobody"}')


@pytest.mark.parametrize("pattern", ["^(a+)+$", "^(a|aa)+$", r"^(?=(a+)+b$)(a|aa)+\\1c$"])
def test_hostile_patterns_end(pattern: str) -> None:
    """SCH-27: a pattern that explodes elsewhere takes linear time here, or gives up."""
    begin = time.process_time()
    problems = Checker(f'{{"pattern": "{pattern}"}}').check('"' + "a" * 40 + 'b"')
    assert time.process_time() - begin < 2
    assert [problem.keyword for problem in problems] == ["pattern"]


def doubling(keyword: str, depth: int) -> str:
    links = ", ".join(
        f'"a{at}": {{"{keyword}": [{{"$ref": "#/$defs/a{at + 1}"}}, {{"$ref": "#/$defs/a{at + 1}"}}]}}'
        for at in range(depth)
    )
    return f'{{"$defs": {{{links}, "a{depth}": {{"type": "string"}}}}, "$ref": "#/$defs/a0"}}'


@pytest.mark.parametrize("keyword", ["allOf", "anyOf", "oneOf"])
def test_schemas_that_double_are_refused_before_they_start(keyword: str) -> None:
    """SCH-27: 2^30 checks in a few lines."""
    begin = time.process_time()
    problems = Checker(doubling(keyword, 30)).check("1")
    assert time.process_time() - begin < 2
    assert [problem.sentence for problem in problems] == ["is not checked: the schema asks for too many combinations"]
    assert not Checker(doubling("allOf", 5)).valid("1")


def test_recursion_that_doubles_with_the_value_is_refused() -> None:
    schema = '{"properties": {"x": {"anyOf": [{"$ref": "#"}, {"$ref": "#"}]}}, "type": "object"}'
    assert Checker(schema).valid('{"x": {"x": {}}}')
    deep = '{"x":' * 40 + "1" + "}" * 40
    begin = time.process_time()
    problems = Checker(schema).check(deep)
    assert time.process_time() - begin < 2
    assert "too many combinations" in problems[0].sentence


@pytest.mark.parametrize(
    "schema", ['{"$ref": "#"}', '{"$defs": {"a": {"allOf": [{"$ref": "#/$defs/a"}]}}, "$ref": "#/$defs/a"}']
)
def test_references_in_a_circle_end(schema: str) -> None:
    assert Checker(schema).check("[1]") == []


def test_values_nested_beyond_reason_are_not_checked() -> None:
    deep = "[" * 100_000 + "]" * 100_000
    problems = Checker('{"items": {"$ref": "#"}}').check(deep)
    assert "levels deep" in problems[0].sentence


def test_a_schema_nested_beyond_reason_is_said() -> None:
    """SCH-27."""
    schema = '{"properties": {"a": ' * 2000 + "{}" + "}}" * 2000
    checker = Checker(schema)
    assert not checker.usable
    assert "deeply" in checker.findings[0].sentence


def test_half_a_surrogate_pair_is_not_a_crash() -> None:
    problems = Checker('{"type": "string", "maxLength": 1}').check('"\\ud800\\ud800"')
    assert "surrogate" in problems[0].sentence


def test_many_errors_in_a_large_value_are_bounded() -> None:
    value = "[" + ", ".join(['"0123456789"'] * 300_000) + "]"
    problems = Checker('{"items": {"type": "integer"}}').check(value)
    assert len(problems) == 1


def test_exponents_beyond_reason_end() -> None:
    checker = Checker('{"type": "number", "multipleOf": 0.01, "maximum": 5}')
    begin = time.process_time()
    for value in ("1e1000000", "1e99999999999999999999", "-1e99999999999999999999", "1e-99999999999999999999"):
        checker.check(value)
    assert time.process_time() - begin < 2


def test_a_checker_may_be_used_from_any_thread() -> None:
    checker = Checker('{"type": "object", "properties": {"a": {"$ref": "http://127.0.0.1:9/x"}}}')
    checker.check("{}")
    seen: list[Any] = []
    thread = threading.Thread(target=lambda: seen.extend(checker.check('{"a": 1}')))
    thread.start()
    thread.join(10)
    assert [problem.path for problem in seen] == [("a",)]
