"""Forms of things that have no schema of their own: prompts and resource templates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mcp_inspector.schema.fields import Form

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mcp_inspector.schema.document import Document
    from mcp_inspector.schema.templates import Template, Value


def prompt_form(arguments: object) -> Form:
    """The form of a prompt from its decoded ``arguments``: texts by name. Entries that are none are left out."""
    properties: dict[str, Any] = {}
    required = []
    for entry in arguments if isinstance(arguments, list) else ():
        if not isinstance(entry, dict) or not isinstance(entry.get("name"), str):
            continue
        name = entry["name"]
        words = {key: entry[key] for key in ("title", "description") if isinstance(entry.get(key), str)}
        properties[name] = {"type": "string", **words}
        if entry.get("required") is True:
            required.append(name)
    return _form(properties, required)


def template_form(template: Template) -> Form:
    """The form of a resource template: a text for each variable, a list of texts for an exploded one.

    Variables of the path are required in the form, because without them the URI names something else; those of a
    query, parameter or fragment are not.
    """
    properties: dict[str, Any] = {}
    for variable in template.variables:
        text = {"type": "string"}
        properties[variable.name] = {"type": "array", "items": text} if variable.explode else text
    return _form(properties, [variable.name for variable in template.variables if not variable.optional])


def template_values(document: Document) -> dict[str, Value | None]:
    """The values of a template's document, for `Template.expand`. What is no text or list of texts is left out."""
    found: dict[str, Value | None] = {}
    content = document.value((), {})
    for name, value in content.items() if isinstance(content, dict) else ():
        if isinstance(value, str):
            found[name] = value
        elif isinstance(value, list):
            found[name] = [item for item in value if isinstance(item, str)]
        elif isinstance(value, dict):
            found[name] = {key: item for key, item in value.items() if isinstance(item, str)}
    return found


def _form(properties: Mapping[str, Any], required: Sequence[str]) -> Form:
    return Form({"type": "object", "properties": properties, "required": [*required], "additionalProperties": False})
