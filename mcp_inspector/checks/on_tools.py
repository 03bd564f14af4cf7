"""Tools, their schemas and their results. Numbers 92 to 103 of the checklist."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from mcp_inspector.checks.on_lists import items
from mcp_inspector.checks.rule import ERROR, INFO, WARNING, Hit, rule, rules_in
from mcp_inspector.checks.state import Bounded
from mcp_inspector.checks.view import decoded, shown
from mcp_inspector.schema.validate import Checker
from mcp_inspector.wire.jsontext import JsonError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcp_inspector.checks.view import View

_TYPES = ("string", "number", "integer", "boolean", "object", "array", "null")
_DEEP = 32
_MANY = 2_000
_BAD_PARAMS = ("invalid", "required", "missing", "validation", "expected", "must")
_LARGEST_VALUE = 1 << 20


class _Checkers:
    """Validators of schemas by their text, so that a list that is read again costs nothing."""

    def __init__(self) -> None:
        self.by_text: Bounded[Checker | None] = Bounded()

    def of(self, schema: Any) -> Checker | None:
        """The validator of a schema, None when it is none."""
        try:
            text = msgspec.json.encode(schema)
        except (TypeError, ValueError, RecursionError, OverflowError):
            return None
        if text not in self.by_text:
            try:
                self.by_text[text] = Checker(text)
            except JsonError:
                self.by_text[text] = None
        return self.by_text[text]


def _schemas(view: View) -> Iterator[tuple[str, str, Any]]:
    """Tool, member and schema of each schema in a list of tools."""
    for tool in items(view):
        name = str(tool.get("name", ""))
        for member in ("inputSchema", "outputSchema"):
            if member in tool:
                yield name, member, tool[member]


@rule("input-schema", 92, ERROR, "A tool's inputSchema is an object schema.", "tools", "result tools/list")
def input_schema(view: View) -> Iterator[str | Hit]:
    for tool in items(view):
        if "inputSchema" not in tool:
            continue  # told as a missing member
        name, schema = str(tool.get("name", "")), tool["inputSchema"]
        if not isinstance(schema, dict):
            yield Hit(f"The inputSchema of {shown(name)} is {shown(schema, 40)}, not an object.", tool=name)
        elif schema.get("type") != "object":
            stated = f"has the type {shown(schema['type'])}" if "type" in schema else "has no type"
            yield Hit(f'The inputSchema of {shown(name)} {stated}; its root is "object".', tool=name)


@rule("schema-invalid", 93, ERROR, "A schema is valid in its dialect.", "json-schema", "result tools/list")
def schema_invalid(view: View) -> Iterator[str | Hit]:
    checkers = view.talk.of(_Checkers)
    for name, member, schema in _schemas(view):
        yield ""  # a list of hundreds of schemas is judged in pieces
        if not isinstance(schema, dict):
            continue
        checker = checkers.of(schema)
        if checker is None:
            continue
        for finding in checker.findings[:5]:
            if "reference" not in finding.sentence and "$ref" not in finding.sentence:
                where = finding.where or "its root"
                yield Hit(f"The {member} of {shown(name)}, at {where}: {finding.sentence}", tool=name)


@rule("dialect", 93, INFO, "A schema has a dialect that is known.", "json-schema", "result tools/list")
def dialect(view: View) -> Iterator[str | Hit]:
    for name, member, schema in _schemas(view):
        stated = schema.get("$schema") if isinstance(schema, dict) else None
        checker = view.talk.of(_Checkers).of(schema) if stated is not None else None
        if checker is not None and not checker.usable:
            yield Hit(
                f"The {member} of {shown(name)} is of the dialect {shown(stated)} and cannot be checked.", tool=name
            )


@rule("reference", 94, ERROR, "References lead to a place in the schema.", "json-schema", "result tools/list")
def reference(view: View) -> Iterator[str | Hit]:
    for name, member, schema in _schemas(view):
        for target in _references(schema):
            if not target.startswith("#") and "://" in target and not _embeds(schema, target):
                yield Hit(
                    f"The {member} of {shown(name)} refers to {shown(target)}, which is never fetched.", tool=name
                )
            elif target.startswith("#/") and not _leads(schema, target):
                yield Hit(f"The {member} of {shown(name)} refers to {shown(target)}, which is not there.", tool=name)


@rule("schema-large", 94, WARNING, "A schema is of a reasonable size.", "json-schema", "result tools/list")
def schema_large(view: View) -> Iterator[str | Hit]:
    for name, member, schema in _schemas(view):
        depth, count = _extent(schema)
        if depth > _DEEP or count > _MANY:
            yield Hit(f"The {member} of {shown(name)} has {count:,} parts, {depth} levels deep.", tool=name)


@rule(
    "output-schema",
    95,
    ERROR,
    "An outputSchema is an object schema.",
    "tools",
    "result tools/list",
    since="2025-06-18",
    until="2025-11-25",
)
def output_schema(view: View) -> Iterator[str | Hit]:
    for tool in items(view):
        schema, name = tool.get("outputSchema"), str(tool.get("name", ""))
        if "outputSchema" in tool and not (isinstance(schema, dict) and schema.get("type") == "object"):
            yield Hit(f'The outputSchema of {shown(name)} is {shown(schema, 60)}; its root is "object".', tool=name)


@rule(
    "output-missing",
    96,
    ERROR,
    "What an outputSchema promises is returned.",
    "tools",
    "result tools/call",
    since="2025-06-18",
)
def output_missing(view: View) -> Iterator[str | Hit]:
    tool = _tool(view)
    if "outputSchema" not in tool or not view.complete or "task" in view.result:
        return
    if "structuredContent" not in view.result:
        failed = view.result.get("isError") is True
        sentence = f"{shown(tool.get('name'))} declares an outputSchema, and its result has no structuredContent."
        if not failed:
            yield sentence


@rule(
    "output-wrong",
    96,
    ERROR,
    "Structured content fits the outputSchema.",
    "tools",
    "result tools/call",
    since="2025-06-18",
)
def output_wrong(view: View) -> Iterator[str | Hit]:
    tool = _tool(view)
    schema = tool.get("outputSchema")
    if not isinstance(schema, dict) or "structuredContent" not in view.result or len(view.entry.data) > _LARGEST_VALUE:
        return
    checker = view.talk.of(_Checkers).of(schema)
    if checker is None or not checker.usable:
        return
    severity = INFO if view.result.get("isError") is True else None
    for problem in checker.check(msgspec.json.encode(view.result["structuredContent"]))[:5]:
        if problem.severity.name == "ERROR":
            yield Hit(f"structuredContent {problem.text}.", severity=severity)


@rule(
    "structured-object",
    97,
    ERROR,
    "Structured content is an object.",
    "tools",
    "result tools/call",
    since="2025-06-18",
    until="2025-11-25",
)
def structured_object(view: View) -> Iterator[str]:
    value = view.result.get("structuredContent")
    if "structuredContent" in view.result and not isinstance(value, dict):
        yield f"structuredContent is {shown(value, 40)}, not an object."


@rule(
    "structured-early",
    97,
    INFO,
    "Structured content came with 2025-06-18.",
    "tools",
    "result tools/call",
    until="2025-03-26",
)
def structured_early(view: View) -> Iterator[str]:
    if "structuredContent" in view.result:
        yield f"The result has structuredContent, which {view.version} does not know."


@rule(
    "structured-text",
    98,
    WARNING,
    "Structured content stands in a text block, too.",
    "tools",
    "result tools/call",
    since="2025-06-18",
)
def structured_text(view: View) -> Iterator[str]:
    result = view.result
    content = result.get("content")
    if "structuredContent" not in result or not isinstance(content, list) or len(view.entry.data) > _LARGEST_VALUE:
        return
    texts = [block.get("text") for block in content if isinstance(block, dict) and block.get("type") == "text"]
    value = result["structuredContent"]
    values = [decoded(text.encode(errors="replace")) for text in texts if isinstance(text, str)]
    # A bare value is often wrapped for the structured form, and stands in the text as itself.
    wrapped = value["result"] if isinstance(value, dict) and list(value) == ["result"] else value
    if (
        not any(one in (value, wrapped) for one in values)
        and wrapped not in texts
        and not _pieced(wrapped, values, texts)
    ):
        yield "No text block holds the structured content as JSON."


@rule("content-missing", 99, ERROR, "A tool's result has content.", "tools", "result tools/call")
def content_missing(view: View) -> Iterator[str]:
    if not view.complete or "task" in view.result or not isinstance(view.message.get("result"), dict):
        return
    if not isinstance(view.result.get("content"), list):
        yield "The result has no list content." if "content" not in view.result else "The result's content is no list."


@rule("unknown-tool", 100, WARNING, "An unknown tool is an error of the protocol.", "tools", "result tools/call")
def unknown_tool(view: View) -> Iterator[str]:
    asked = view.asked
    listed = bool(view.talk.tools)
    if asked is not None and listed and asked.target not in view.talk.tools and view.result.get("isError") is True:
        yield f"{shown(asked.target)} is not listed; its call was answered with isError, not with error -32602."


@rule(
    "bad-arguments",
    100,
    WARNING,
    "Bad arguments are an error of the tool.",
    "tools",
    "error tools/call",
    since="2025-11-25",
)
def bad_arguments(view: View) -> Iterator[str]:
    asked = view.asked
    if view.code != -32602 or asked is None or asked.target not in view.talk.tools:
        return
    message = str(view.error.get("message", "")).lower()
    if any(word in message for word in _BAD_PARAMS) and "unknown tool" not in message:
        yield "The arguments were refused with a protocol error; a result with isError would let a model mend them."


@rule("error-empty", 101, WARNING, "A failed tool says why.", "tools", "result tools/call")
def error_empty(view: View) -> Iterator[str]:
    if view.result.get("isError") is True and view.result.get("content") == []:
        yield "The result has isError and no content."


@rule(
    "hints-contradict",
    101,
    INFO,
    "Hints do not contradict each other.",
    "tools",
    "result tools/list",
    since="2025-03-26",
)
def hints_contradict(view: View) -> Iterator[str | Hit]:
    for tool in items(view):
        hints, name = tool.get("annotations"), str(tool.get("name", ""))
        if isinstance(hints, dict) and hints.get("readOnlyHint") is True and hints.get("destructiveHint") is True:
            yield Hit(f"{shown(name)} says that it only reads, and that it may destroy.", tool=name)


@rule("own-arguments", 102, INFO, "Arguments fit the schema.", "tools", "sent request tools/call", ours=True)
def own_arguments(view: View) -> Iterator[str | Hit]:
    name, arguments = view.params.get("name"), view.params.get("arguments", {})
    schema = view.talk.tools.get(name, {}).get("inputSchema") if isinstance(name, str) else None
    if not isinstance(schema, dict) or len(view.entry.data) > _LARGEST_VALUE:
        return
    checker = view.talk.of(_Checkers).of(schema)
    if checker is not None and checker.usable:
        for problem in checker.check(msgspec.json.encode(arguments))[:3]:
            if problem.severity.name == "ERROR":
                yield Hit(f"The arguments that were sent: {problem.text}.", tool=str(name))


@rule("embedded-undeclared", 103, WARNING, "Who embeds resources declares them.", "tools", "result tools/call")
def embedded_undeclared(view: View) -> Iterator[str]:
    content = view.result.get("content")
    blocks = content if isinstance(content, list) else []
    if not view.talk.has("resources") and any(
        isinstance(one, dict) and one.get("type") == "resource" for one in blocks
    ):
        yield 'The result embeds a resource, and the server does not declare the capability "resources".'


def _tool(view: View) -> dict[str, Any]:
    return view.talk.tools.get(view.asked.target, {}) if view.asked is not None else {}


def _pieced(value: Any, values: list[Any], texts: list[Any]) -> bool:
    """Whether a list stands in the text blocks item by item, as some libraries write it."""
    if not isinstance(value, list):
        return False
    return value in (values, texts) or (not value and not texts)


def _parts(schema: Any) -> Iterator[tuple[Any, int]]:
    todo = [(schema, 0)]
    while todo:
        part, depth = todo.pop()
        yield part, depth
        inner = part.values() if isinstance(part, dict) else part if isinstance(part, list) else ()
        todo.extend((one, depth + 1) for one in inner if isinstance(one, dict | list))


def _extent(schema: Any) -> tuple[int, int]:
    depth = count = 0
    for _, level in _parts(schema):
        depth, count = max(depth, level), count + 1
    return depth, count


def _references(schema: Any) -> list[str]:
    found: dict[str, None] = {}
    for part, _ in _parts(schema):
        if isinstance(part, dict):
            found.update((part[key], None) for key in ("$ref", "$dynamicRef") if isinstance(part.get(key), str))
    return list(found)[:50]


def _embeds(schema: Any, target: str) -> bool:
    wanted = target.split("#")[0].rstrip("#")
    known = ("json-schema.org/",)
    return any(name in wanted for name in known) or any(
        isinstance(part, dict) and isinstance(part.get("$id"), str) and part["$id"].rstrip("#") == wanted
        for part, _ in _parts(schema)
    )


def _leads(schema: Any, pointer: str) -> bool:
    from urllib.parse import unquote

    place = schema
    if any(isinstance(part, dict) and "$id" in part for part, depth in _parts(schema) if depth):
        return True  # an embedded schema has its own root
    for step in unquote(pointer[2:]).split("/") if len(pointer) > 2 else ():
        step = step.replace("~1", "/").replace("~0", "~")
        if isinstance(place, dict) and step in place:
            place = place[step]
        elif isinstance(place, list) and step.isdigit() and int(step) < len(place):
            place = place[int(step)]
        else:
            return False
    return True


RULES = rules_in(globals())
