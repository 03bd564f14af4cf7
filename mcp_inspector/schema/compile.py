"""From a schema, however broken, to a validator: what cannot be compiled is taken out, and said.

The validator never fetches. A reference that leads nowhere is no permission: values under it are reported as not
checked.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import jsonschema_rs

from mcp_inspector.schema.source import Finding, Source, text_of
from mcp_inspector.wire import jsontext
from mcp_inspector.wire.jsontext import Kind, Node, Path

if TYPE_CHECKING:
    from collections.abc import Iterator

UNRESOLVED = "unresolved-reference"
"""The keyword that stands in for a reference that leads nowhere."""

DIALECTS = {
    "http://json-schema.org/draft-04/schema": "draft-04",
    "http://json-schema.org/draft-06/schema": "draft-06",
    "http://json-schema.org/draft-07/schema": "draft-07",
    "http://json-schema.org/schema": "draft-07",
    "https://json-schema.org/draft/2019-09/schema": "2019-09",
    "https://json-schema.org/draft/2020-12/schema": "2020-12",
}
"""The dialects that can be validated, by the address they are declared with (with http or https, with or without #)."""

_DRAFTS: dict[str, type[jsonschema_rs.Validator]] = {
    "draft-04": jsonschema_rs.Draft4Validator,
    "draft-06": jsonschema_rs.Draft6Validator,
    "draft-07": jsonschema_rs.Draft7Validator,
    "2019-09": jsonschema_rs.Draft201909Validator,
    "2020-12": jsonschema_rs.Draft202012Validator,
}
_REPAIRS = 50
_MAPS = frozenset(["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"])
_NOT_SCHEMAS = frozenset(["enum", "const", "default", "examples", "example"])
_LINEAR_SIZE = 10_000_000
_BACKTRACKS = 100_000


@dataclass(frozen=True, slots=True)
class Compiled:
    """A validator, None when there can be none; the dialect it follows; and what had to be left out."""

    validator: jsonschema_rs.Validator | None
    dialect: str
    findings: tuple[Finding, ...]


class _Unresolved:
    """Reports every value that a missing schema should have described."""

    def __init__(self, parent_schema: dict[str, Any], value: Any, schema_path: list[str | int]) -> None:
        self.reason = str(value)

    def validate(self, instance: Any) -> None:
        raise ValueError(self.reason)


def compile_schema(source: Source) -> Compiled:
    """Compile a schema in its declared dialect (2020-12 when none is declared). Never raises, never fetches."""
    findings: list[Finding] = []
    declared = text_of(source.root.get("$schema"))
    dialect = dialect_of(declared)
    if not dialect:
        sentence = f"The dialect {declared[:100]} is not known; values are not checked."
        return Compiled(None, declared, (Finding("/$schema", sentence),))
    if source.root.kind not in (Kind.OBJECT, Kind.BOOLEAN):
        return Compiled(None, dialect, (Finding("", "The schema is no object; values are not checked."),))
    schema = jsontext.value_of(source.root)
    if isinstance(schema, dict):
        schema.pop("$schema", None)  # the dialect is chosen by the class
        for path, reason in _unresolvable(source):
            if _replace_reference(schema, path, reason):
                findings.append(Finding(jsontext.pointer(path), reason))
    validator = _build(schema, _DRAFTS[dialect], dialect, findings)
    return Compiled(validator, dialect, tuple(findings))


def dialect_of(declared: str) -> str:
    """The dialect's name for a ``$schema``, empty for one that is not known."""
    if not declared:
        return "2020-12"
    address = declared.removesuffix("#")
    other = address.replace("http:", "https:") if address.startswith("http:") else address.replace("https:", "http:")
    return DIALECTS.get(address) or DIALECTS.get(other) or ""


def _unresolvable(source: Source) -> Iterator[tuple[Path, str]]:
    if 'ef"' not in source.root.text and "\\u00" not in source.root.text:
        return  # no keyword that refers
    todo: list[tuple[Node, Path]] = [(source.root, ())]
    while todo:
        node, path = todo.pop()
        for keyword in ("$ref", "$dynamicRef", "$recursiveRef"):
            reference = node.get(keyword)
            if reference is not None and reference.kind is Kind.STRING:
                target, reason = source.resolve(reference)
                if target is None:
                    yield (*path, keyword), reason
        keys: list[str | int] = [*node.names] if node.kind is Kind.OBJECT else [*range(len(node.items))]
        todo.extend(
            (item, (*path, key))
            for key, item in zip(keys, node.items, strict=True)
            if item.is_container and (key not in _NOT_SCHEMAS or (path and path[-1] in _MAPS))
        )


def _replace_reference(schema: Any, path: Path, reason: str) -> bool:
    parent = _at(schema, path[:-1])
    if not isinstance(parent, dict) or path[-1] not in parent:
        return False
    del parent[path[-1]]
    parent[UNRESOLVED] = reason
    return True


def _at(value: Any, path: Path) -> Any:
    for key in path:
        try:
            value = value[key]
        except (KeyError, IndexError, TypeError):
            return None
    return value


def _build(
    schema: Any, draft: type[jsonschema_rs.Validator], dialect: str, findings: list[Finding]
) -> jsonschema_rs.Validator | None:
    engines: list[jsonschema_rs.RegexOptions | jsonschema_rs.FancyRegexOptions] = [
        jsonschema_rs.RegexOptions(size_limit=_LINEAR_SIZE),
        jsonschema_rs.FancyRegexOptions(backtrack_limit=_BACKTRACKS),
    ]
    for _ in range(_REPAIRS):
        try:
            return draft(
                schema,
                pattern_options=engines[0],
                validate_formats=True,
                offline=True,
                keywords={UNRESOLVED: _Unresolved},
                mask="the value",  # messages are our own; without it each repeats the whole value
            )
        except jsonschema_rs.ValidationError as error:
            path: Path = tuple(error.instance_path)
            if error.kind.name == "format" and len(engines) > 1:
                engines.pop(0)  # look-around needs the engine that goes back, within its limit
                continue
            if not path:
                findings.append(Finding("", f"The schema cannot be compiled: {error.message[:300]}"))
                return None
            findings.append(Finding(jsontext.pointer(path), _repair(schema, path, error, dialect)))
        except (ValueError, UnicodeError) as error:
            reason = "it is nested too deeply" if "ecursion" in str(error) else str(error)[:200]
            findings.append(Finding("", f"The schema cannot be compiled: {reason}"))
            return None
    findings.append(Finding("", f"The schema has more than {_REPAIRS} faults; values are not checked."))
    return None


def _repair(schema: Any, path: Path, error: jsonschema_rs.ValidationError, dialect: str) -> str:
    """Take a faulty keyword out of the schema, or turn a habit of an old draft into today's words."""
    parent, keyword = _at(schema, path[:-1]), path[-1]
    value = _at(schema, path)
    if isinstance(parent, list) and isinstance(keyword, int):
        parent[keyword] = True
        return "This is no schema; taken as one that allows anything."
    if not isinstance(parent, dict):
        return "This could not be read."
    if len(path) > 1 and path[-2] in _MAPS and not isinstance(value, (dict, bool)):
        parent[keyword] = True
        return "This is no schema; taken as one that allows anything."
    del parent[keyword]
    bound = {"exclusiveMinimum": "minimum", "exclusiveMaximum": "maximum"}.get(str(keyword))
    if bound and isinstance(value, bool):
        if value and bound in parent:
            parent[keyword] = parent.pop(bound)
        return f'"{keyword}" as true or false is draft-04; read as such.'
    if keyword == "items" and isinstance(value, list) and dialect == "2020-12":
        parent["prefixItems"] = value
        if "additionalItems" in parent:
            parent["items"] = parent.pop("additionalItems")
        return '"items" as a list is draft-07; read as "prefixItems".'
    if error.kind.name == "format" and keyword == "pattern":
        return f"The pattern {str(value)[:80]} is no regular expression that can be checked."
    shown = json.dumps(value, ensure_ascii=False, default=str)
    return f'"{keyword}" must not be {shown[:60]} here; left out.'
