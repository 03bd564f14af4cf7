"""Provider shapes, checked by the request types of the providers' own packages, and what each of them loses."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from pydantic import TypeAdapter

from mcp_inspector.agent.formats import Definition, Effect, Format, define, document
from mcp_inspector.agent.tools import boxed
from mcp_inspector.session.catalogue import Item, What
from mcp_inspector.wire import jsontext

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcp_inspector.agent.tools import AgentTool, Toolbox

CORPUS = Path(__file__).parent.parent / "data" / "corpus_schemas.json.gz"


@pytest.fixture
def one(box: Callable[..., Toolbox], tool: Callable[..., Item]) -> Callable[..., AgentTool]:
    """``one(schema, name="x", description=…)``."""

    def make(schema: Any, name: str = "t", **more: Any) -> AgentTool:
        return box(("s", tool(name, schema, **more))).tools[0]

    return make


def told(definition: Definition, effect: Effect | None = None) -> list[str]:
    return [f"{loss.pointer} {loss.effect}" for loss in definition.losses if effect in (None, loss.effect)]


def test_a_plain_tool_loses_nothing_anywhere(one: Any) -> None:
    schema = {"type": "object", "properties": {"a": {"type": "integer", "minimum": 1}}, "required": ["a"]}
    tool = one(schema, description="Adds.")
    for format in Format:
        assert define(tool, format).losses == (), format
    assert define(tool, Format.OPENAI).value["function"]["parameters"] == schema
    assert define(tool, Format.ANTHROPIC).value["input_schema"] == schema
    assert define(tool, Format.GEMINI).value["parameters"] == {
        "type": "OBJECT",
        "properties": {"a": {"type": "INTEGER", "minimum": 1}},
        "required": ["a"],
    }


def test_the_original_stays_as_the_server_spelled_it() -> None:
    number = b'{"type":"number","default":1.0,"maximum":9007199254740993,"minimum":-1e400}'
    raw = b'{"name":"t","inputSchema":{"type":"object","properties":{"n":' + number + b"}}}"
    tool = boxed([("s", Item(What.TOOLS, raw))]).tools[0]
    assert define(tool, Format.MCP).raw == raw.replace(b'"name":"t"', b'"name":"mcp__s__t"')
    for format in Format:
        made = define(tool, format).raw
        assert b"9007199254740993" in made
        assert b"-1e400" in made
        assert b"1.0" in made


@pytest.mark.parametrize("format", [Format.OPENAI, Format.ANTHROPIC])
def test_alternatives_at_the_top_are_refused(one: Any, format: Format) -> None:
    schema = {"type": "object", "oneOf": [{"required": ["a"]}, {"required": ["b"]}]}
    assert told(define(one(schema), format), Effect.REJECTED) == ["/oneOf rejected"]


def test_strict_mode_requires_everything_and_closes_objects(one: Any) -> None:
    schema = {
        "type": "object",
        "properties": {
            "name": {"type": "string", "minLength": 2},
            "size": {"type": "integer", "default": 3},
            "kind": {"enum": ["a", "b"], "type": "string"},
            "map": {"type": "object", "additionalProperties": {"type": "string"}},
            "any": {},
        },
        "required": ["name"],
    }
    made = define(one(schema), Format.OPENAI, strict=True)
    written = made.value["function"]["parameters"]
    assert made.value["function"]["strict"] is True
    assert written["required"] == ["name", "size", "kind", "map", "any"]
    assert written["additionalProperties"] is False
    assert written["properties"]["name"] == {"type": "string"}
    assert written["properties"]["size"] == {"type": ["integer", "null"]}
    assert written["properties"]["kind"]["enum"] == ["a", "b", None]
    places = told(made)
    assert "/properties/name/minLength dropped" in places
    assert "/properties/size/default dropped" in places
    assert "/properties/map/additionalProperties rejected" in places
    assert "/properties/any rejected" in places
    assert define(one({"type": "object"}), Format.OPENAI_RESPONSES).value["strict"] is False


def test_strict_mode_is_what_openais_own_package_makes_of_pydantic_models(one: Any) -> None:
    """The package's converter is the oracle: what it makes needs no change in strict mode."""
    openai = pytest.importorskip("openai")
    from pydantic import BaseModel

    class Inner(BaseModel):
        lines: list[str]

    class Outer(BaseModel):
        name: str
        inner: Inner
        more: list[Inner] | None

    theirs = openai.pydantic_function_tool(Outer)["function"]["parameters"]
    made = define(one(json.loads(json.dumps(theirs))), Format.OPENAI, strict=True)
    assert made.value["function"]["parameters"] == theirs
    assert made.losses == ()


def test_gemini_writes_references_out_and_says_what_it_cannot(one: Any) -> None:
    schema = {
        "type": "object",
        "$defs": {
            "point": {"type": "object", "properties": {"x": {"type": "number"}}},
            "tree": {"type": "object", "properties": {"kids": {"type": "array", "items": {"$ref": "#/$defs/tree"}}}},
        },
        "properties": {
            "at": {"$ref": "#/$defs/point", "description": "Where."},
            "tree": {"$ref": "#/$defs/tree"},
            "level": {"enum": [1, 2]},
            "mode": {"const": "fast"},
            "maybe": {"type": ["string", "null"], "format": "email"},
            "either": {"oneOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]},
            "tags": {"type": "object", "patternProperties": {"^x": {"type": "string"}}},
        },
        "additionalProperties": False,
    }
    made = define(one(schema), Format.GEMINI)
    members = made.value["parameters"]["properties"]
    assert members["at"] == {"type": "OBJECT", "properties": {"x": {"type": "NUMBER"}}, "description": "Where."}
    assert members["tree"]["properties"]["kids"]["items"] == {"type": "OBJECT"}
    assert "One of: 1, 2." in members["level"]["description"]
    assert members["mode"] == {"type": "STRING", "enum": ["fast"]}
    assert members["maybe"] == {"type": "STRING", "nullable": True}
    assert [each["type"] for each in members["either"]["anyOf"]] == ["STRING", "ARRAY"]
    sentences = " ".join(loss.sentence for loss in made.losses)
    for word in ("recursive", "email", "oneOf", "patternProperties", "additionalProperties"):
        assert word in sentences


def test_a_schema_that_explodes_when_written_out_stays_small(one: Any) -> None:
    definitions = {
        f"d{at}": {"type": "object", "properties": {k: {"$ref": f"#/$defs/d{at + 1}"} for k in "abcd"}}
        for at in range(20)
    }
    definitions["d20"] = {"type": "string"}
    schema = {"type": "object", "$defs": definitions, "properties": {"x": {"$ref": "#/$defs/d0"}}}
    made = define(one(schema), Format.GEMINI)
    assert len(made.raw) < 3_000_000
    assert any("too large" in loss.sentence for loss in made.losses)


@pytest.mark.parametrize("schema", [None, [], "x", True, {"type": "object", "properties": {"a": True, "b": False}}])
def test_broken_schemas_give_a_definition_and_a_sentence(box: Any, schema: Any) -> None:
    raw = json.dumps({"name": "t", "inputSchema": schema}).encode()
    tool = box(("s", Item(What.TOOLS, raw))).tools[0]
    for format in Format:
        for strict in (False, True):
            json.loads(define(tool, format, strict=strict).raw)


def test_a_name_that_is_refused_is_a_loss(one: Any) -> None:
    tool = one({"type": "object"}, name="read.text")
    assert "has ." in define(tool, Format.OPENAI).losses[0].sentence
    assert define(tool, Format.GEMINI).losses == ()


def test_the_document_is_what_goes_under_tools(one: Any) -> None:
    made = [define(one({"type": "object"}), Format.GEMINI)] * 2
    assert len(json.loads(document(made, Format.GEMINI))[0]["functionDeclarations"]) == 2
    assert isinstance(json.loads(document([define(one({}), Format.OPENAI)], Format.OPENAI))[0]["function"], dict)


@pytest.fixture(scope="module")
def corpus() -> tuple[AgentTool, ...]:
    root = jsontext.parse(gzip.decompress(CORPUS.read_bytes()))
    items = []
    for node in root.items:
        schema = node.get("inputSchema")
        assert schema is not None
        name = jsontext.unquote(node.get("tool").raw)  # type: ignore[union-attr]  # every entry has one
        items.append(
            (f"s{len(items)}", Item(What.TOOLS, f'{{"name":{json.dumps(name)},"inputSchema":{schema.raw}}}'.encode()))
        )
    return boxed(items).tools


def test_tools_of_real_servers_are_taken_by_the_providers_own_types(corpus: tuple[AgentTool, ...]) -> None:
    """Thousands of schemas in the wild: none breaks, all fit the request types that the providers publish."""
    chat = pytest.importorskip("openai.types.chat")
    answers = pytest.importorskip("openai.types.responses")
    messages = pytest.importorskip("anthropic.types")
    genai = pytest.importorskip("google.genai.types")
    adapters: dict[Format, Any] = {
        Format.OPENAI: TypeAdapter(chat.ChatCompletionFunctionToolParam),
        Format.OPENAI_RESPONSES: TypeAdapter(answers.FunctionToolParam),
        Format.ANTHROPIC: TypeAdapter(messages.ToolParam),
        Format.GEMINI: TypeAdapter(genai.FunctionDeclaration),
    }
    assert len(corpus) > 500
    for tool in corpus:
        for format, adapter in adapters.items():
            for strict in (False, True) if format is Format.OPENAI else (False,):
                adapter.validate_python(json.loads(define(tool, format, strict=strict).raw))
