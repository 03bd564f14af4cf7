"""Resource templates: a field for each variable, the URI they come to, and what stands there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from mcp_inspector.schema.templates import Template, Value
from mcp_inspector.session.catalogue import What
from mcp_inspector.ui.models.completing import completer
from mcp_inspector.ui.models.runs import Runs
from mcp_inspector.ui.views.caller import CallerPage, Kind

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from mcp_inspector.session.server import Server
    from mcp_inspector.ui.desk import Desk
    from mcp_inspector.ui.forms.completion import Complete
    from mcp_inspector.ui.models.arguments import Arguments
    from mcp_inspector.ui.models.items import Row
    from mcp_inspector.ui.models.runs import Run

_OPERATORS = {"?": "query", "&": "query", ";": "parameter", "#": "fragment", "/": "path", ".": "label", "+": "as it is"}


class TemplateKind(Kind):
    """Templates: their variables are texts, or lists of texts where the template takes lists."""

    name = "templates"
    what = What.TEMPLATES
    method = "resources/read"
    verb = "Read"
    idle = "What the URI names comes here"

    def schema(self, row: Row) -> bytes | None:
        """A schema of the template's variables. Those without which the URI has no good form are required."""
        properties: dict[str, Any] = {}
        required = []
        for variable in Template(row.key).variables:
            one: dict[str, Any] = {"type": "string"}
            if variable.explode:
                one = {"type": "array", "items": {"type": "string"}}
            where = _OPERATORS.get(variable.operator, "")
            cut = f"first {variable.length} characters" if variable.length else ""
            one["description"] = ", ".join(filter(None, (where, cut)))
            properties[variable.name] = one
            if not variable.optional:
                required.append(variable.name)
        schema = {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
        return msgspec.json.encode(schema)

    def completer(self, server: Server, row: Row, arguments: Arguments) -> Complete | None:
        """The server's suggestions; it is asked with the template, not with the URI."""
        return completer(server, {"type": "ref/resource", "uri": row.key}, arguments)

    def preview(self, row: Row, arguments: Arguments) -> str:
        """The URI."""
        return expanded(row.key, arguments)

    def params(self, row: Row, arguments: Arguments) -> dict[str, Any]:
        """The URI that the values give."""
        return {"uri": expanded(row.key, arguments)}

    def target(self, row: Row, arguments: Arguments) -> str:
        """The URI."""
        return expanded(row.key, arguments)

    def start(self, desk: Desk, server: Server, row: Row, arguments: Arguments, more: dict[str, Any]) -> Run:
        """Read the URI that the values give."""
        uri = expanded(row.key, arguments)
        return desk.runs.start(
            server,
            self.method,
            row.key,
            arguments.document.wire_bytes(),
            lambda run: server.read_resource(uri, **more, **Runs.hooks(run)),
        )


def expanded(template: str, arguments: Arguments) -> str:
    """The URI for the values as they are; values that are no texts count as their JSON."""
    values = arguments.document.value(())
    found: dict[str, Value | None] = {}
    for name, value in values.items() if isinstance(values, dict) else ():
        if isinstance(value, list):
            found[name] = [one if isinstance(one, str) else str(one) for one in value]
        elif value is not None:
            found[name] = value if isinstance(value, str) else str(value)
    return Template(template).expand(found)


class TemplatesPage(CallerPage):
    """The page."""

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(desk, TemplateKind(), parent)
        self.setObjectName("templates-page")
