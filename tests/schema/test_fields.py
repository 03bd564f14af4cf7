"""Fields say in words what a schema asks for, and survive schemas that are odd or broken."""

from __future__ import annotations

import json
from typing import Any

import pytest
from formdriver import Person, rebuild, touch_all
from hypothesis import given
from hypothesis import strategies as st

from mcp_inspector.schema import samples, values
from mcp_inspector.schema.compare import same
from mcp_inspector.schema.document import Document
from mcp_inspector.schema.fields import Field, Form
from mcp_inspector.schema.kinds import FieldKind
from mcp_inspector.schema.validate import Checker
from mcp_inspector.wire import jsontext


def root(schema: Any) -> Field:
    return Form(schema).root


def one(schema: Any) -> Field:
    return Form({"type": "object", "properties": {"x": schema}}).root.children()[0]


@pytest.mark.parametrize(
    ("schema", "hint"),
    [
        ({"type": "integer", "minimum": 1}, "integer ≥ 1"),
        ({"type": "integer", "minimum": 1, "maximum": 100}, "integer 1 to 100"),
        ({"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1}, "number > 0 and < 1"),
        ({"type": "number", "maximum": 0.5, "multipleOf": 0.1}, "number ≤ 0.5, multiple of 0.1"),
        ({"type": "number", "minimum": 5, "maximum": 5}, "number = 5"),
        ({"type": "integer", "maximum": 9007199254740993}, "integer ≤ 9007199254740993"),
        ({"type": "string"}, ""),
        ({"type": "string", "minLength": 1}, "not empty"),
        ({"type": "string", "minLength": 2, "maxLength": 8}, "2 to 8 characters"),
        ({"type": "string", "maxLength": 1}, "at most 1 character"),
        ({"type": "string", "pattern": "^a+$"}, "matches ^a+$"),
        ({"type": "string", "format": "uuid"}, "UUID"),
        ({"type": "string", "format": "phone"}, "phone"),
        ({"type": "string", "contentEncoding": "base64", "contentMediaType": "image/png"}, "base64 of image/png"),
        (
            {"anyOf": [{"type": "string", "format": "ipv4"}, {"type": "string", "format": "ipv6"}]},
            "IPv4 address or IPv6 address",
        ),
        ({"type": "array", "minItems": 1, "maxItems": 3, "uniqueItems": True}, "1 to 3 items, all different"),
        ({"type": "array", "contains": {"const": 1}}, "at least 1 of a certain kind"),
        ({"type": "object", "minProperties": 1}, "at least 1 member"),
        ({"type": "object", "additionalProperties": {}, "propertyNames": {"pattern": "^x"}}, "names match ^x"),
        ({"const": 1}, "fixed"),
        (
            {"type": "object", "properties": {"a": {}}, "anyOf": [{"required": ["a"]}, {"required": ["b", "c"]}]},
            "At least one of these is needed: a; b and c.",
        ),
    ],
)
def test_constraints_in_words(schema: Any, hint: str) -> None:
    assert one(schema).hint == hint


@pytest.mark.parametrize(
    ("schema", "kind", "nullable"),
    [
        ({"type": ["string", "null"]}, "string", True),
        ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, "integer", True),
        ({"oneOf": [{"type": "null"}, {"type": "array", "items": {"type": "string"}}]}, "array", True),
        ({"type": "string", "nullable": True}, "string", True),
        ({"type": "string", "anyOf": [{"minLength": 1}, {"type": "null"}]}, "string", False),
        ({"enum": ["a", None]}, "enum", False),
        ({"anyOf": [{"enum": ["a", "b"]}, {"type": "null"}]}, "enum", True),
        ({"type": "null"}, "null", False),
        ({"anyOf": [{"type": "string"}, {"type": "integer"}, {"type": "null"}]}, "union", True),
        ({"type": ["string", "integer"]}, "union", False),
        ({"type": ["integer", "number"]}, "number", False),
        ({"type": ["string", "number", "integer", "boolean", "object", "array", "null"]}, "any", True),
        ({"type": "object"}, "map", False),
        ({"type": "object", "properties": {}}, "map", False),
        ({"type": "object", "additionalProperties": False}, "object", False),
        ({"type": "array", "prefixItems": [{}]}, "tuple", False),
        ({"minLength": 1}, "string", False),
        ({"properties": {"a": {}}}, "object", False),
        ({"items": {}}, "array", False),
        ({"minimum": 1}, "number", False),
        ({"minimum": 1, "minLength": 1}, "any", True),
        (True, "any", True),
        (False, "raw", False),
        ({}, "any", True),
        ({"not": {"type": "string"}}, "any", True),
        ({"anyOf": [{"const": "a"}, {"const": "b", "title": "B"}]}, "enum", False),
        ({"anyOf": [{"type": "string"}, {"enum": ["a"], "type": "string"}]}, "string", False),
        ({"anyOf": [{"type": "string"}, {}]}, "any", True),
        ({"anyOf": [{"type": "string"}]}, "string", False),
        ({"allOf": [{"type": "string"}, {"minLength": 1}]}, "string", False),
        ({"enum": ["a", "b"], "const": "b"}, "enum", False),
        ({"allOf": [{"enum": ["a", "b"]}, {"enum": ["c"]}]}, "raw", False),
        ({"type": "integer", "format": "int64"}, "integer", False),
    ],
)  # fmt: skip
def test_kinds(schema: Any, kind: str, nullable: bool) -> None:
    field = one(schema)
    assert (field.kind, field.nullable) == (kind, nullable)
    assert bool(field.reason) == (kind in ("any", "raw"))


def test_open_enumerations_are_text_with_suggestions() -> None:
    field = one({"anyOf": [{"enum": ["small", "large"], "type": "string"}, {"type": "string"}], "examples": ["medium"]})
    assert field.kind is FieldKind.STRING
    assert field.examples == ('"small"', '"large"', '"medium"')


def test_required_members_come_first_and_keep_their_place_in_the_text() -> None:
    person = Person({"type": "object", "properties": {"a": {}, "b": {}, "c": {}, "d": {}}, "required": ["d", "b"]})
    assert [field.key for field in person.form.root.children()] == ["b", "d", "a", "c"]
    for name in ("d", "c", "a", "b"):
        person.type((name,), "1")
    assert person.document.wire_bytes() == b'{"a":1,"b":1,"c":1,"d":1}'


def test_annotations() -> None:
    field = one(
        {
            "$ref": "#/nowhere",
            "title": "T",
        }
    )
    assert field.kind is FieldKind.RAW
    field = one(
        {
            "type": "string",
            "title": "Title",
            "description": "What it is",
            "deprecated": True,
            "readOnly": True,
            "writeOnly": True,
            "format": "password",
            "examples": ["a", 1.0],
            "x-order": 1.50,
            "default": "\u00e9",
        }
    )
    assert (field.label, field.title, field.description) == ("x", "Title", "What it is")
    assert (field.deprecated, field.read_only, field.write_only, field.secret) == (True, True, True, True)
    assert field.examples == ('"a"', "1.0")
    assert field.details == (("x-order", "1.5"),)
    assert field.default == '"é"'
    assert one({"type": "string", "description": 5, "title": None, "examples": "x"}).description == ""


def test_siblings_of_a_reference_win() -> None:
    schema = {
        "type": "object",
        "properties": {"x": {"$ref": "#/$defs/X", "description": "here", "default": 2}},
        "$defs": {"X": {"type": "integer", "description": "there", "default": 1, "title": "X"}},
    }
    field = root(schema).children()[0]
    assert (field.kind, field.description, field.default, field.title) == (FieldKind.INTEGER, "here", "2", "X")


def test_long_texts_get_room() -> None:
    fields = {field.key: field for field in root({"type": "object", "properties": {
        "content": {"type": "string"}, "name": {"type": "string"}, "big": {"type": "string", "maxLength": 5000},
        "json": {"type": "string", "contentMediaType": "application/json"},
        "query": {"type": "string", "maxLength": 20},
        "data": {"type": "string", "contentEncoding": "base64"}}}).children()}  # fmt: skip
    assert [name for name, field in fields.items() if field.multiline] == ["content", "big", "json"]
    assert fields["data"].encoding == "base64"


@pytest.mark.parametrize(
    ("reference", "schema"),
    [
        ("#/$defs/a~1b", {"$defs": {"a/b": {"type": "integer"}}}),
        ("#/$defs/a%20b", {"$defs": {"a b": {"type": "integer"}}}),
        ("#/properties/y", {"properties": {"y": {"type": "integer"}}}),
        ("#here", {"$defs": {"q": {"$anchor": "here", "type": "integer"}}}),
        (
            "https://example.com/root.json#/$defs/q",
            {"$id": "https://example.com/root.json", "$defs": {"q": {"type": "integer"}}},
        ),
        (
            "other.json",
            {"$id": "https://example.com/root.json", "$defs": {"q": {"$id": "other.json", "type": "integer"}}},
        ),
        ("#/$defs/list/0", {"$defs": {"list": [{"type": "integer"}]}}),
    ],
)
def test_references_inside_the_schema(reference: str, schema: dict[str, Any]) -> None:
    properties = {**schema.get("properties", {}), "x": {"$ref": reference}}
    form = Form({**schema, "type": "object", "properties": properties})
    assert form.root.member("x").kind is FieldKind.INTEGER
    assert form.findings == ()


def test_references_belong_to_the_schema_they_stand_in() -> None:
    inner = {"$id": "inner.json", "$ref": "#/$defs/v", "$defs": {"v": {"type": "boolean"}}}
    form = Form(
        {
            "$id": "https://example.com/",
            "type": "object",
            "properties": {"x": inner},
            "$defs": {"v": {"type": "string"}},
        }
    )
    assert form.root.member("x").kind is FieldKind.BOOLEAN


@pytest.mark.parametrize(
    ("schema", "kind", "words"),
    [
        ({"type": "object", "properties": {"a": {}}, "required": None}, "object", '"required" is null'),
        ({"type": "object", "properties": []}, "map", '"properties" is []'),
        ({"type": "strng", "minLength": 1}, "string", "does not know"),
        ({"type": 5}, "any", "does not know"),
        ({"enum": []}, "any", '"enum" must be'),
        ({"enum": "x", "type": "string"}, "string", '"enum" must be'),
        ({"anyOf": {}, "type": "string"}, "string", '"anyOf" must be'),
        ({"allOf": {}, "type": "string"}, "string", '"allOf" must be'),
        ({"$ref": 5}, "raw", "must be a string"),
        ({"$ref": "#/nope"}, "raw", "not found"),
        (5, "any", "must be an object or a boolean"),
        ({"anyOf": [5, {"type": "string"}]}, "any", "must be an object or a boolean"),
        ({"minLength": 3}, "string", "No type is given"),
    ],
)
def test_broken_schemas_give_the_best_form_and_a_finding(schema: Any, kind: str, words: str) -> None:
    form = Form({"type": "object", "properties": {"x": schema}})
    field = form.root.children()[0]
    assert field.kind == kind
    field.children()
    assert field.hint is not None
    assert any(words in finding.sentence for finding in form.findings), form.findings
    assert form.findings[0].where.startswith("/properties/x")


@pytest.mark.parametrize("schema", ["", "{", b"\xff", None, "[]", "null"])
def test_what_is_no_schema_gives_a_form_all_the_same(schema: Any) -> None:
    """LIFE-16: a tool whose schema is unusable can still be called."""
    form = Form(schema)
    assert form.root.kind in (FieldKind.MAP, FieldKind.ANY)
    assert form.findings or form.root.kind is FieldKind.ANY
    assert values.start_text(form) == "{}"


CONDITIONAL = {
    "type": "object",
    "properties": {"kind": {"enum": ["card", "cash"]}, "amount": {"type": "number"}},
    "if": {"properties": {"kind": {"const": "card"}}, "required": ["kind"]},
    "then": {"properties": {"number": {"type": "string"}}, "required": ["number"]},
    "else": {"properties": {"change": {"type": "boolean"}}},
    "dependentRequired": {"amount": ["currency"]},
    "dependentSchemas": {"amount": {"properties": {"currency": {"enum": ["EUR"]}}}},
}


def test_conditions_are_live() -> None:
    person = Person(CONDITIONAL)

    def shown() -> list[tuple[str | int, bool]]:
        return [(field.key, field.required) for field in person.form.root.children(person.document.root)]

    assert shown() == [("kind", False), ("amount", False), ("change", False)]
    person.pick(("kind",), 0)
    assert shown() == [("number", True), ("kind", False), ("amount", False)]
    person.type(("amount",), "1")
    assert shown() == [("number", True), ("currency", True), ("kind", False), ("amount", False)]
    assert person.field("currency").kind is FieldKind.ENUM


def test_rules_about_required_members_are_no_choosers() -> None:
    for keyword, how in (("anyOf", "At least one"), ("oneOf", "Exactly one")):
        field = root(
            {"type": "object", "properties": {"a": {}, "b": {}}, keyword: [{"required": ["a"]}, {"required": ["b"]}]}
        )
        assert field.kind is FieldKind.OBJECT
        assert [rule.sentence for rule in field.rules] == [f"{how} of these is needed: a; b."]


def test_members_outside_the_schema_are_shown_as_added_ones() -> None:
    person = Person({"type": "object", "properties": {"a": {}}}, '{"zzz": 1, "a": 2, "zzz": 3}')
    fields = person.form.root.children(person.document.root)
    assert [(field.key, field.extra) for field in fields] == [("a", False), ("zzz", True)]


def test_values_that_do_not_fit_the_editor_are_told() -> None:
    field = one({"type": "integer"})
    assert field.shows(jsontext.parse("1.5"))
    assert not field.shows(jsontext.parse('"1"'))
    assert not field.shows(jsontext.parse("null"))
    assert one({"type": ["integer", "null"]}).shows(jsontext.parse("null"))
    choice = one({"enum": [1, "1"]})
    assert choice.shows(jsontext.parse("1.0"))
    assert not choice.shows(jsontext.parse("2"))


def test_writing_and_clearing_objects_around_a_field() -> None:
    inner = {"type": "object", "properties": {"kind": {"const": "k"}, "n": {"type": "integer"}}, "required": ["kind"]}
    person = Person({"type": "object", "properties": {"outer": {"type": "object", "properties": {"inner": inner}}}})
    person.type(("outer", "inner", "n"), "1")
    assert person.sent() == {"outer": {"inner": {"kind": "k", "n": 1}}}
    assert person.document.undo()
    assert person.sent() == {}
    person.document.redo()
    person.type(("outer", "inner", "n"), "")
    assert person.sent() == {}
    person.document.undo()
    assert person.sent() == {"outer": {"inner": {"kind": "k", "n": 1}}}


def test_clearing_an_item_does_not_move_the_others() -> None:
    person = Person(
        {
            "type": "object",
            "properties": {
                "n": {"type": "array", "items": {"type": "integer"}},
                "s": {"type": "array", "items": {"type": "string"}},
            },
        },
        '{"n": [1, 2, 3], "s": ["a", "b"]}',
    )
    person.type(("n", 1), "")
    person.type(("s", 0), "")
    assert person.sent() == {"n": [1, None, 3], "s": ["", "b"]}


def test_alternatives_keep_what_they_share() -> None:
    schema = {"type": "object", "properties": {"v": {"anyOf": [
        {"type": "string"}, {"type": "integer"}, {"type": "array", "items": {"type": "string"}}]}}}  # fmt: skip
    person = Person(schema)
    assert [branch.label for branch in person.form.root.member("v").branches] == [
        "text",
        "whole number",
        "list of text",
    ]
    person.choose(("v",), 1)
    person.type(("v",), "5")
    assert person.sent() == {"v": 5}
    person.choose(("v",), 0)
    assert person.sent() == {"v": ""}
    person.choose(("v",), 2)
    assert person.sent() == {"v": []}


names = st.sampled_from(["a", "b", "c", "x/y", ""])
json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 9) | st.floats(-1, 1) | st.sampled_from(["", "a", "b", "2026-01-31"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3),
    max_leaves=8,
)
types = st.sampled_from(["string", "integer", "number", "boolean", "null", "array", "object"])


def _schema_of(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.fixed_dictionaries(
        {},
        optional={
            "type": types | st.lists(types, min_size=1, max_size=3),
            "properties": st.dictionaries(names, inner, max_size=3),
            "required": st.lists(names, max_size=2),
            "additionalProperties": inner,
            "patternProperties": st.dictionaries(st.sampled_from(["^a", "b$"]), inner, max_size=1),
            "items": inner,
            "prefixItems": st.lists(inner, max_size=2),
            "anyOf": st.lists(inner, min_size=1, max_size=3),
            "oneOf": st.lists(inner, min_size=1, max_size=2),
            "allOf": st.lists(inner, min_size=1, max_size=2),
            "enum": st.lists(json_values, min_size=1, max_size=3),
            "const": json_values,
            "default": json_values,
            "minimum": st.integers(-3, 3),
            "minLength": st.integers(0, 2),
            "minItems": st.integers(0, 2),
            "not": inner,
            "if": inner,
            "then": inner,
            "$ref": st.sampled_from(["#", "#/properties/a", "#/allOf/0", "#/nope"]),
            "dependentRequired": st.dictionaries(names, st.lists(names, max_size=1), max_size=1),
        },
    )


schemas = st.recursive(st.booleans() | st.just({}), _schema_of, max_leaves=6)


@given(schemas, json_values)
def test_nothing_gets_lost_whatever_schema_and_value(schema: Any, value: Any) -> None:
    text = json.dumps(value)
    form = Form(schema)
    assert touch_all(form, text) == text
    assert same(jsontext.parse(rebuild(form, text)), jsontext.parse(text))
    checker = Checker(form.source)
    checker.check(text)
    jsontext.parse(values.start_text(form, values.Defaults.ALL))


@given(schemas)
def test_samples_are_json_and_say_what_is_wrong(schema: Any) -> None:
    form = Form(schema)
    checker = Checker(form.source)
    for make in (samples.minimal, samples.full):
        sample = make(form, checker)
        assert tuple(checker.check(sample.json_text)) == sample.problems


@given(schemas, st.text(alphabet='{}[]",:1a ', max_size=8))
def test_typing_anything_anywhere_never_breaks_the_document(schema: Any, typed: str) -> None:
    form = Form(schema)
    document = Document(values.start_text(form))
    for field in form.root.children(document.root):
        entry = field.read(typed)
        assert entry.json_text is None or not entry.problem
        if entry.json_text is not None:
            values.write(document, field, entry.json_text)
            assert document.raw(field.path) == entry.json_text
            values.clear(document, field)
    assert document.valid


@pytest.mark.parametrize(
    "schema",
    [
        {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None},
        {"type": ["integer", "null"], "default": None},
        {"anyOf": [{"type": "boolean"}, {"type": "null"}], "default": None},
        {"anyOf": [{"type": "array", "items": {}}, {"type": "string"}, {"type": "null"}], "default": None},
        {"anyOf": [{"$ref": "#/$defs/o"}, {"type": "null"}], "default": None, "$defs": {"o": {"type": "object"}}},
        {"type": "string", "nullable": True, "default": None},
        {"enum": ["a", None], "default": None},
    ],
)
def test_null_fits_as_the_default_of_what_may_be_null(schema: dict[str, Any]) -> None:
    """Every optional member of a common generator looks like this."""
    assert Form(schema).root.default_problem == ""
    assert Form({"type": "string", "default": None}).root.default_problem == "is null, not string"


@pytest.mark.parametrize("mapping", [True, False])
def test_a_discriminator_finds_the_alternative_without_constants(mapping: bool) -> None:
    pet = {"type": "object", "properties": {"kind": {"type": "string"}, "name": {"type": "string"}}}
    rule: dict[str, Any] = {"propertyName": "kind"}
    if mapping:
        rule["mapping"] = {"miaow": "#/$defs/Cat", "woof": "#/$defs/Dog"}
    schema = {
        "oneOf": [{"$ref": "#/$defs/Cat"}, {"$ref": "#/$defs/Dog"}],
        "discriminator": rule,
        "$defs": {"Cat": pet, "Dog": {**pet, "title": "A dog"}},
    }
    root = Form(schema).root
    words = ("miaow", "woof") if mapping else ("Cat", "Dog")
    assert [root.detect(jsontext.parse(f'{{"kind": "{word}", "name": "x"}}')) for word in words] == [0, 1]
    assert root.detect(jsontext.parse('{"kind": "other"}')) == 0
    assert root.detect(jsontext.parse('{"kind": 5}')) == 0
    assert root.detect(jsontext.parse("[]")) is None


def test_choosing_an_alternative_says_its_name_where_a_discriminator_asks_for_it() -> None:
    pet = {"type": "object", "properties": {"kind": {"type": "string"}, "name": {"type": "string"}}}
    constant = {"type": "object", "properties": {"kind": {"const": "fish"}}, "required": ["kind"]}
    schema = {
        "oneOf": [{"$ref": "#/$defs/Cat"}, {"$ref": "#/$defs/Dog"}, {"$ref": "#/$defs/Fish"}],
        "discriminator": {"propertyName": "kind", "mapping": {"woof": "#/$defs/Dog"}},
        "$defs": {"Cat": pet, "Dog": pet, "Fish": constant},
    }
    root = Form(schema).root
    cat, dog, fish = (root.branch(at) for at in range(3))
    assert json.loads(values.switched(cat, dog, None)) == {"kind": "woof"}
    before = jsontext.parse('{"name": "Rex", "kind": "woof"}')
    text = values.switched(dog, cat, before)
    assert json.loads(text) == {"name": "Rex", "kind": "Cat"}
    assert root.detect(jsontext.parse(text)) == 0
    assert json.loads(values.switched(dog, fish, before)) == {"kind": "fish"}
