"""Forms of prompts and templates, and lists from pasted text."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mcp_inspector.schema import derived, imports, values
from mcp_inspector.schema.document import Document
from mcp_inspector.schema.fields import Field, Form
from mcp_inspector.schema.kinds import FieldKind
from mcp_inspector.schema.templates import Template


def test_a_prompt_is_a_form_of_texts() -> None:
    code = {"name": "code", "title": "Code", "description": "What to review", "required": True}
    form = derived.prompt_form([code, {"name": "style", "required": "yes"}, {"name": 5}, None, "x"])
    fields = form.root.children()
    assert [(field.key, field.kind, field.required, field.title) for field in fields] == [
        ("code", FieldKind.STRING, True, "Code"),
        ("style", FieldKind.STRING, False, ""),
    ]
    assert fields[0].multiline
    for odd in (None, {}, "x"):
        assert derived.prompt_form(odd).root.children() == []


def test_a_template_is_a_form_with_a_live_uri() -> None:
    """RES-01, RES-02: every variable has an input; what stays omitted leaves nothing behind, what is empty does."""
    template = Template("mcp://m/{id}{/seg*}{?state,limit}")
    form = derived.template_form(template)
    assert [(field.key, field.kind, field.required) for field in form.root.children()] == [
        ("id", FieldKind.STRING, True),
        ("seg", FieldKind.ARRAY, True),
        ("state", FieldKind.STRING, False),
        ("limit", FieldKind.STRING, False),
    ]
    document = Document(values.start_text(form))
    document.set_string(("id",), "0xc0")
    assert template.expand(derived.template_values(document)) == "mcp://m/0xc0"
    document.set_string(("state",), "")
    document.set(("seg",), '["a/b", "c", 5]')
    assert template.expand(derived.template_values(document)) == "mcp://m/0xc0/a%2Fb/c?state="


def lists(item: Any) -> Field:
    return Form({"type": "array", "items": item}).root


ROW = {
    "type": "object",
    "properties": {
        "name": {"type": "string"},
        "qty": {"type": "integer"},
        "on": {"type": "boolean"},
        "size": {"enum": ["S", 1]},
    },
}


@pytest.mark.parametrize(
    ("item", "text", "expected", "how"),
    [
        ({"type": "string"}, "a\nb c\n\n 1 ", ["a", "b c", " 1 "], "3 lines"),
        ({"type": "integer"}, "1\n 2\r\n3", [1, 2, 3], "3 lines"),
        ({"type": "integer"}, "[1, 2.0]", [1, 2.0], "a JSON list of 2 items"),
        (ROW, '{"name": "a"}\n{"name": "b"}', [{"name": "a"}, {"name": "b"}], "2 lines of JSON"),
        (ROW, '{"name": "a",\n"qty": 1}', [{"name": "a", "qty": 1}], "one JSON object"),
        (ROW, "qty,name\n1,a\n,\"b, \"\"c\"\"\"", [{"qty": 1, "name": "a"}, {"name": 'b, "c"'}], "2 rows of a table"),
        (ROW, "name;on;size\nx;TRUE;S\ny;false;1", [{"name": "x", "on": True, "size": "S"},
                                                  {"name": "y", "on": False, "size": 1}], "2 rows of a table"),
        (ROW, "a\t1\nb\t2", [{"name": "a", "qty": 1}, {"name": "b", "qty": 2}], "2 rows of a table"),
        ({}, "1\nx", [1, "x"], "2 lines"),
        ({"type": "string"}, "", [], "0 lines"),
    ],
)  # fmt: skip
def test_lists_from_pasted_text(item: Any, text: str, expected: Any, how: str) -> None:
    pasted = imports.items_of(lists(item), text)
    assert [json.loads(one) for one in pasted.items] == expected
    assert pasted.how == how
    assert pasted.problems == ()


def test_what_does_not_fit_is_kept_and_said() -> None:
    pasted = imports.items_of(lists({"type": "integer"}), "1\ntwo\n3")
    assert pasted.items == ("1", '"two"', "3")
    assert pasted.problems == ("Line 2: two is not a number.",)
    pasted = imports.items_of(lists(ROW), "name,qty\na,b\nc,1,2")
    assert [json.loads(one) for one in pasted.items] == [{"name": "a", "qty": "b"}, {"name": "c", "qty": 1}]
    assert len(pasted.problems) == 2


def test_spellings_survive_pasting() -> None:
    assert imports.items_of(lists({"type": "number"}), "1.0\n9007199254740993\n1e400").items == (
        "1.0",
        "9007199254740993",
        "1e400",
    )
