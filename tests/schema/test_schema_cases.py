"""The schema-form cases that the core decides: what a person does, and what exactly is sent."""

from __future__ import annotations

import json
import socket
import time
from typing import Any

import pytest
from formdriver import Person

from mcp_inspector.schema.document import Document, State
from mcp_inspector.schema.fields import Form
from mcp_inspector.schema.kinds import FieldKind
from mcp_inspector.schema.validate import Checker
from mcp_inspector.schema.values import Defaults, start_text


def obj(properties: dict[str, Any], *required: str, **more: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(required), **more}


TEXT = {"type": "string"}
WHOLE = {"type": "integer"}


def test_untouched_optional_parameters_are_omitted() -> None:
    """SCH-01."""
    person = Person(obj({"q": TEXT, "page": WHOLE, "flag": {"type": "boolean"}}, "q"))
    person.type(("q",), "x")
    assert person.sent() == {"q": "x"}


def test_cleared_fields_are_omitted_and_empty_text_can_be_chosen() -> None:
    """SCH-03."""
    person = Person(obj({"price": WHOLE, "note": TEXT}))
    person.type(("price",), "5")
    person.type(("note",), "x")
    person.type(("price",), "")
    person.type(("note",), "")
    assert person.sent() == {}
    person.document.set_string(("note",), "")
    assert person.sent() == {"note": ""}


def test_falsy_defaults_are_defaults() -> None:
    """SCH-05."""
    schema = obj(
        {
            "zero": {"type": "integer", "default": 0},
            "off": {"type": "boolean", "default": False},
            "empty": {"type": "string", "default": ""},
            "none": {"type": ["string", "null"], "default": None},
            "list": {"type": "array", "items": WHOLE, "default": []},
            "nothing": TEXT,
        }
    )
    form = Form(schema)
    shown = {field.key: field.default for field in form.root.children()}
    assert shown == {"zero": "0", "off": "false", "empty": '""', "none": "null", "list": "[]", "nothing": None}
    assert json.loads(start_text(form)) == {}
    everything = {"zero": 0, "off": False, "empty": "", "none": None, "list": []}
    assert json.loads(start_text(form, Defaults.ALL)) == everything
    person = Person(schema, start_text(form, Defaults.ALL))
    for typed in ("true", "false"):
        person.type(("off",), typed)
    person.type(("zero",), "0")
    assert person.sent() == everything


def test_defaults_of_required_members_are_prefilled_and_removable() -> None:
    person = Person(obj({"a": {"type": "integer", "default": 1.0}, "b": {"type": "integer", "default": 2}}, "a"))
    assert person.document.wire_bytes() == b'{"a":1.0}'
    person.document.remove(("a",))
    assert person.sent() == {}


@pytest.mark.parametrize(
    ("typed", "json_text"),
    [("1", "1"), (" 7 ", "7"), ("1e3", "1e3"), ("1.0", "1.0"), ("-0", "-0"), ("9007199254740993",) * 2],
)
def test_whole_numbers_keep_their_spelling(typed: str, json_text: str) -> None:
    """SCH-07."""
    person = Person(obj({"count": WHOLE, "ratio": {"type": "number"}}, "count"))
    person.type(("count",), typed)
    person.type(("ratio",), "0.10")
    assert person.document.wire_bytes() == f'{{"count":{json_text},"ratio":0.10}}'.encode()


@pytest.mark.parametrize(
    ("kind", "typed", "words"),
    [
        ("integer", "1.5", "whole"),
        ("integer", "1e-1", "whole"),
        ("integer", "０１", "digits 0 to 9"),
        ("integer", "٣", "digits 0 to 9"),
        ("integer", "1_000", "digits 0 to 9"),
        ("integer", "01", "start with 0"),
        ("integer", "+1", "start with +"),
        ("number", "1,5", "point"),
        ("number", ".5", "digit before the point"),
        ("number", "NaN", "NaN"),
        ("number", "-Infinity", "Infinity"),
        ("number", "0x10", "not a number"),
        ("number", "abc", "not a number"),
        ("number", "1 2", "not a number"),
        ("number", "true", "not a number"),
    ],
)
def test_what_is_no_json_number_is_said_and_never_sent(kind: str, typed: str, words: str) -> None:
    """SCH-07: no habits of a programming language or a country."""
    entry = Form(obj({"n": {"type": kind}})).root.member("n").read(typed)
    assert entry.json_text is None
    assert words in entry.problem


def test_enumerations_send_the_exact_json_type() -> None:
    """SCH-10: 1, "1" and true are three."""
    person = Person(
        obj(
            {
                "phases": {"type": "integer", "enum": [0, 1, 3]},
                "mixed": {"enum": [1, "1", True, None, 1.5, {"a": 1}, [1]]},
            }
        )
    )
    person.pick(("phases",), 2)
    for index, expected in [(1, "1"), (2, True), (5, {"a": 1}), (3, None), (0, 1)]:
        person.pick(("mixed",), index)
        sent = person.sent()["mixed"]
        assert sent == expected
        assert type(sent) is type(expected)
        node = person.document.node(("mixed",))
        assert node is not None
        assert person.field("mixed").choice_of(node) == index
    assert person.sent()["phases"] == 3
    labels = [choice.label for choice in person.field("mixed").choices]
    assert len(set(labels)) == 7
    assert labels[:3] == ["1", '"1"', "true"]


def test_titled_enumerations_show_labels_and_send_values() -> None:
    """SCH-11."""
    schema = obj(
        {
            "size": {
                "type": "string",
                "oneOf": [{"const": "s-1", "title": "Small"}, {"const": "l-9", "title": "Large"}],
            },
            "legacy": {"type": "string", "enum": ["a", "b"], "enumNames": ["Alpha", "Beta"]},
            "multi": {
                "type": "array",
                "minItems": 1,
                "maxItems": 2,
                "items": {"anyOf": [{"const": "x", "title": "X"}, {"const": "y", "title": "Y"}]},
            },
            "twins": {"enum": ["a", "b"], "enumNames": ["Same", "Same"]},
        }
    )
    person = Person(schema)
    assert [choice.label for choice in person.field("size").choices] == ["Small", "Large"]
    person.pick(("size",), 0)
    assert [choice.label for choice in person.field("legacy").choices] == ["Alpha", "Beta"]
    person.pick(("legacy",), 1)
    person.pick(("multi", 0), 0)
    assert person.field("multi", 0).choices[0].label == "X"
    assert person.sent() == {"size": "s-1", "legacy": "b", "multi": ["x"]}
    assert [choice.label for choice in person.field("twins").choices] == ['Same ("a")', 'Same ("b")']


def test_references_to_definitions_are_fields() -> None:
    """SCH-12."""
    address = obj({"city": TEXT, "zip": TEXT}, "city")
    for keyword in ("$defs", "definitions"):
        reference = f"#/{keyword}/Addr"
        schema = obj(
            {"home": {"$ref": reference, "description": "Home"}, "work": {"$ref": reference}},
            "home",
            **{keyword: {"Addr": address}},
        )
        person = Person(schema)
        assert person.field("home").description == "Home"
        assert person.field("home", "city").required
        assert not person.field("home", "zip").required
        person.type(("home", "city"), "Bonn")
        assert person.sent() == {"home": {"city": "Bonn"}}


VARIANTS = {
    "type": "object",
    "anyOf": [
        {"properties": {"kind": {"const": "email"}, "address": TEXT}, "required": ["kind", "address"]},
        {"properties": {"kind": {"const": "sms"}, "phone": TEXT}, "required": ["kind", "phone"]},
    ],
}


def test_alternatives_at_the_root() -> None:
    """SCH-15: a chooser, constants by themselves, only the chosen members."""
    person = Person(VARIANTS)
    assert [branch.label for branch in person.form.root.branches] == ["email", "sms"]
    assert person.sent() == {"kind": "email"}
    person.type(("address",), "a@b")
    person.choose((), 1)
    person.type(("phone",), "1")
    assert person.sent() == {"kind": "sms", "phone": "1"}


def test_all_of_and_reference_at_the_root() -> None:
    """SCH-15."""
    schema = {"allOf": [obj({"a": TEXT}, "a"), {"$ref": "#/$defs/B"}], "$defs": {"B": obj({"b": WHOLE}, "b")}}
    fields = Form(schema).root.children()
    assert [(field.key, field.kind, field.required) for field in fields] == [
        ("a", FieldKind.STRING, True),
        ("b", FieldKind.INTEGER, True),
    ]
    assert [field.key for field in Form({"$ref": "#/$defs/B", "$defs": {"B": obj({"b": WHOLE})}}).root.children()] == [
        "b"
    ]


OVERLAPPING = obj(
    {
        "t": {
            "oneOf": [
                {"title": "A", **obj({"kind": {"const": "a"}, "x": WHOLE, "y": TEXT}, "kind", "x")},
                {"title": "B", **obj({"kind": {"const": "b"}, "x": WHOLE}, "kind", "x")},
            ],
            "discriminator": {"propertyName": "kind"},
        }
    }
)


def test_a_changed_alternative_leaves_nothing_behind() -> None:
    """SCH-16."""
    person = Person(OVERLAPPING)
    person.choose(("t",), 0)
    person.type(("t", "x"), "1")
    person.type(("t", "y"), "q")
    assert person.sent() == {"t": {"kind": "a", "x": 1, "y": "q"}}
    person.choose(("t",), 1)
    assert person.sent() == {"t": {"kind": "b", "x": 1}}
    person.type(("t", "x"), "2")
    assert person.sent() == {"t": {"kind": "b", "x": 2}}


def test_saved_arguments_find_their_alternative() -> None:
    """SCH-16: by the constant, whatever else fits."""
    field = Form(OVERLAPPING).root.member("t")
    for text, expected in [
        ('{"kind": "b", "x": 1}', 1),
        ('{"kind": "a"}', 0),
        ('{"kind": "b", "y": "q"}', 1),
        ("{}", 0),
    ]:
        assert field.detect(Document(text).root) == expected, text
    assert field.detect(Document('"text"').root) is None
    assert field.detect(None) is None


def test_all_of_with_a_base() -> None:
    """SCH-17."""
    schema = obj(
        {"item": {"allOf": [{"$ref": "#/$defs/Base"}, obj({"n": WHOLE})]}},
        "item",
        **{"$defs": {"Base": obj({"id": TEXT}, "id")}},
    )
    person = Person(schema)
    person.type(("item", "id"), "a")
    person.type(("item", "n"), "2")
    assert person.sent() == {"item": {"id": "a", "n": 2}}
    both = Form({"allOf": [{"type": "integer", "minimum": 1}, {"type": "number", "minimum": 3, "maximum": 9}]}).root
    assert (both.kind, both.hint) == (FieldKind.INTEGER, "integer 3 to 9")


def test_conflicting_schemas_are_a_json_editor_with_a_reason() -> None:
    """SCH-17."""
    field = Form({"allOf": [{"type": "string"}, {"type": "integer"}]}).root
    assert field.kind is FieldKind.RAW
    assert "no type in common" in field.reason


def test_objects_and_lists_are_sent_as_what_they_are() -> None:
    """SCH-18."""
    person = Person(obj({"filter": {"type": "object"}, "any": {}}))
    person.type(("filter",), '{"a":1}')
    person.type(("any",), "[1,null]")
    assert person.sent() == {"filter": {"a": 1}, "any": [1, None]}
    for text in ("true", "null", "5", '"x"', "[1]", "{}"):
        person.type(("any",), text)
        assert person.sent()["any"] == json.loads(text)
    any_field = person.field("any")
    assert any_field.kind is FieldKind.ANY
    assert [branch.label for branch in any_field.branches][:3] == ["text", "number", "true or false"]
    assert any_field.branch(0).read("plain").json_text == '"plain"'


def test_maps_take_any_names_with_typed_values() -> None:
    """SCH-20."""
    schema = obj(
        {
            "labels": {"type": "object", "additionalProperties": TEXT},
            "scores": {"type": "object", "additionalProperties": WHOLE},
            "free": {"type": "object", "additionalProperties": True},
            "closed": {"type": "object", "additionalProperties": False, "properties": {"x": TEXT}},
            "hdr": {"type": "object", "patternProperties": {"^x-": TEXT}, "additionalProperties": False},
        }
    )
    person = Person(schema)
    person.type(("labels", "a.b"), "1")
    person.type(("scores", "k"), "2")
    person.type(("hdr", "x-a"), "v")
    assert person.sent() == {"labels": {"a.b": "1"}, "scores": {"k": 2}, "hdr": {"x-a": "v"}}
    for name in ("", "__class__", "日本", "a/b~c"):
        person.type(("labels", name), "v")
        assert person.sent()["labels"][name] == "v"
    assert person.field("labels").kind is FieldKind.MAP
    assert person.field("hdr").name_problem("y") == "Names here must match ^x-."
    assert person.field("hdr").name_problem("x-b") == ""
    assert person.field("closed").name_problem("y") == "This object takes no other members."
    assert not person.field("closed").open_names
    assert person.field("free").open_names
    extra = person.field("labels", "日本")
    assert (extra.kind, extra.extra) == (FieldKind.STRING, True)


def test_tuples_have_a_field_for_each_position() -> None:
    """SCH-21."""
    schema = obj(
        {
            "pt": {
                "type": "array",
                "prefixItems": [{"type": "number"}, TEXT, {"enum": ["u", "v"]}],
                "items": False,
                "minItems": 2,
            }
        }
    )
    person = Person(schema)
    point = person.field("pt")
    assert [(one.kind, one.required) for one in point.children()] == [
        (FieldKind.NUMBER, True),
        (FieldKind.STRING, True),
        (FieldKind.ENUM, False),
    ]
    assert (point.more_items, point.max_items) == (False, 3)
    person.type(("pt", 0), "1.5")
    person.type(("pt", 1), "Main")
    assert person.sent() == {"pt": [1.5, "Main"]}


def test_a_huge_least_number_of_items_builds_no_fields() -> None:
    """SCH-22."""
    two = Form({"type": "array", "items": TEXT, "minItems": 2}).root
    assert (two.min_items, two.item(0).required, two.item(2).required) == (2, True, False)
    huge = Form({"type": "array", "items": TEXT, "minItems": 1_000_000}).root
    assert huge.children() == []
    assert huge.hint == "at least 1000000 items"
    long = Document("[" + ",".join(["1"] * 50_000) + "]")
    assert len(Form({"type": "array"}).root.children(long.root)) == 10_000


NAMES = [
    "a.b",
    "x/y~z",
    "",
    "class",
    "objectName",
    "__init__",
    "größe",
    "&File",
    "<b>x</b>",
    "e\u0301",
    "\u00e9",
    "A",
    "a",
]


def test_names_are_kept_verbatim() -> None:
    """SCH-23: dots and slashes do not split, case and normalisation do not join."""
    person = Person(obj({**{name: TEXT for name in NAMES if name != "a"}, "a": obj({"b": TEXT})}))
    assert {field.key for field in person.form.root.children()} == set(NAMES)
    person.type(("a.b",), "1")
    person.type(("a", "b"), "2")
    assert person.sent() == {"a.b": "1", "a": {"b": "2"}}
    for name in NAMES:
        if name != "a":
            person.type((name,), name or "e")
            assert person.sent()[name] == (name or "e")


def test_old_dialects_give_the_same_forms() -> None:
    """SCH-25."""
    schema = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "definitions": {"P": {"type": "integer", "exclusiveMinimum": 0}},
        **obj(
            {"p": {"$ref": "#/definitions/P"}, "t": {"type": "array", "items": [TEXT, WHOLE], "additionalItems": False}}
        ),
    }
    person = Person(schema)
    assert person.field("p").hint == "integer > 0"
    person.type(("p",), "1")
    person.type(("t", 0), "a")
    person.type(("t", 1), "2")
    assert person.sent() == {"p": 1, "t": ["a", 2]}
    assert Checker(person.form.source).check(person.document.wire_bytes()) == []
    assert person.field("t").max_items == 2
    four = Form(
        {"$schema": "http://json-schema.org/draft-04/schema#", "type": "number", "minimum": 1, "exclusiveMinimum": True}
    )
    assert four.root.hint == "number > 1"


def test_references_out_of_the_schema_are_never_followed() -> None:
    """SCH-26."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.setblocking(False)
        base = f"http://127.0.0.1:{listener.getsockname()[1]}"
        schema = obj(
            {
                "x": {"$ref": f"{base}/leak.json"},
                "y": {"$ref": "file:///etc/passwd"},
                "d": {"$dynamicRef": f"{base}/dyn"},
            }
        )
        person = Person(schema)
        fields = person.form.root.children()
        assert [field.kind for field in fields] == [FieldKind.RAW] * 3
        assert fields[0].reason == f"External reference not resolved: {base}/leak.json"
        with pytest.raises(BlockingIOError):
            listener.accept()
    assert [finding.where for finding in person.form.findings] == [
        "/properties/x/$ref",
        "/properties/y/$ref",
        "/properties/d/$dynamicRef",
    ]
    person.type(("x",), '{"any": [1.0]}')
    assert person.document.wire_bytes() == b'{"x":{"any": [1.0]}}'.replace(b": [", b":[")


def unfolded(form: Form, budget: int = 3000) -> int:
    """Unfold every field, as far as the budget reaches; the number of fields."""
    todo, count = [form.root], 0
    while todo and count < budget:
        field = todo.pop()
        count += 1
        todo.extend(field.children())
        todo.extend(field.branch(at) for at in range(min(len(field.branches), 3)))
    return count


@pytest.mark.parametrize("keyword", ["allOf", "anyOf", "oneOf"])
def test_schemas_that_double_give_a_form_in_time(keyword: str) -> None:
    """SCH-27."""
    definitions: dict[str, Any] = {
        f"a{at}": {keyword: [{"$ref": f"#/$defs/a{at + 1}"}, {"$ref": f"#/$defs/a{at + 1}"}]} for at in range(30)
    }
    definitions["a30"] = obj({"x": TEXT})
    begin = time.process_time()
    form = Form({"$defs": definitions, "properties": {"v": {"$ref": "#/$defs/a0"}}, "type": "object"})
    assert unfolded(form) > 1
    field = form.root.member("v")
    assert field.detect(Document('{"x": "1"}').root) in (None, 0)
    assert time.process_time() - begin < 2


def test_ten_thousand_properties() -> None:
    """SCH-27."""
    begin = time.process_time()
    form = Form(obj({f"p{at}": TEXT for at in range(10_000)}))
    fields = form.root.children()
    assert len(fields) == 10_000
    assert fields[-1].kind is FieldKind.STRING
    assert time.process_time() - begin < 2


def test_two_thousand_levels() -> None:
    """SCH-27: deep places become JSON editors, with the reason."""
    text = '{"type":"object","properties":{"a":' * 2000 + '{"type":"string"}' + "}}" * 2000
    form = Form(text)
    field, depth = form.root, 0
    while field.children():
        field, depth = field.children()[0], depth + 1
    assert 50 < depth < 100
    assert field.kind is FieldKind.RAW
    assert "levels deep" in field.reason


def test_recursion_unfolds_where_one_looks() -> None:
    form = Form(
        {
            "$ref": "#/$defs/T",
            "$defs": {"T": obj({"name": TEXT, "kids": {"type": "array", "items": {"$ref": "#/$defs/T"}}}, "name")},
        }
    )
    person = Person(json.loads(form.schema_text))
    person.type(("kids", 0, "kids", 0, "name"), "deep")
    assert person.sent() == {"kids": [{"kids": [{"name": "deep"}]}]}
    circle = Form({"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}})
    assert circle.root.kind is FieldKind.ANY


def test_formats_do_not_touch_the_text() -> None:
    """SCH-28."""
    person = Person(
        obj(
            {
                "when": {"type": "string", "format": "date-time"},
                "mail": {"type": "string", "format": "email"},
                "u": {"type": "string", "format": "uri"},
                "p": {"type": "string", "format": "phone"},
            }
        )
    )
    for path, typed in [
        (("when",), "2026-01-02T03:04:05.123456+05:30"),
        (("when",), "23:59:60"),
        (("u",), "HTTP://Ex.com/%7e"),
        (("p",), " 1 "),
    ]:
        person.type(path, typed)
        assert person.sent()[path[0]] == typed
    person.type(("mail",), "x@y")
    person.type(("mail",), "")
    assert "mail" not in person.sent()
    assert person.field("when").format == "date-time"


def test_constants_are_sent_and_examples_are_not() -> None:
    """SCH-29."""
    schema = obj(
        {
            "v": {"const": 2},
            "e": {"enum": ["a"], "default": "zzz"},
            "n": {"type": "integer", "default": "5"},
            "s": {"type": "string", "examples": ["ex"]},
        },
        "v",
    )
    person = Person(schema)
    assert person.sent() == {"v": 2}
    assert person.field("v").constant == "2"
    assert person.field("s").examples == ('"ex"',)
    assert person.field("e").default == '"zzz"'
    assert person.field("e").default_problem == "is not one of the allowed values"
    assert person.field("n").default_problem == 'is "5", not integer'
    assert person.field("s").default_problem == ""
    assert person.document.state(("e",)) is State.OMITTED


def test_arguments_belong_to_the_tool_they_were_typed_for() -> None:
    """SCH-36: each tool has a document of its own."""
    schema = obj({"a": {"type": "number"}, "b": {"type": "number"}}, "a", "b")
    add, mul = Person(schema), Person(schema)
    add.type(("a",), "10")
    assert mul.sent() == {}


def test_lists_without_items_take_anything() -> None:
    """SCH-39."""
    person = Person(
        obj({"list": {"type": "array"}, "any": {"type": "array", "items": {}}, "t": {"type": "array", "items": True}})
    )
    for name in ("list", "any", "t"):
        for at, text in enumerate(["1", '"1"', "null", '{"a":[]}']):
            person.type((name, at), text)
        assert person.sent()[name] == [1, "1", None, {"a": []}]


def test_no_parameters_are_an_empty_object() -> None:
    """SCH-40."""
    closed = {"type": "object", "properties": {}, "additionalProperties": False}
    for schema in ({"type": "object"}, closed, None, {}, {"$ref": "#/nowhere"}):
        assert Person(schema).document.wire_bytes() == b"{}"
