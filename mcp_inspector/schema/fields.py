"""The form of one schema, and its fields."""

from __future__ import annotations

import json
from functools import cached_property
from typing import TYPE_CHECKING

from mcp_inspector.schema.field import MAX_DEPTH, MAX_ITEMS, Field
from mcp_inspector.schema.source import Finding, Source, text_of
from mcp_inspector.wire import jsontext

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["MAX_DEPTH", "MAX_ITEMS", "Field", "Form"]

_ANY_OBJECT = '{"type": "object"}'


class Form:
    """The form of one schema: the root field and what was found odd so far (more may come as fields unfold)."""

    def __init__(
        self,
        schema: str | bytes | Mapping[str, object] | bool | None,
        absent: str = "not sent",
        *,
        forgets: bool = True,
    ) -> None:
        """A schema that is not JSON, or missing, gives a form for any JSON object, and a finding.

        `absent` is what the form calls a member that is left out; `forgets` whether secrets are not remembered.
        """
        problem = ""
        if isinstance(schema, (str, bytes)):
            text: str | bytes = schema
        elif schema is None:
            text, problem = _ANY_OBJECT, "There is no schema."
        else:
            text = json.dumps(schema, ensure_ascii=False)
        try:
            self.source = Source(text)
        except jsontext.JsonError as error:
            self.source = Source(_ANY_OBJECT)
            problem = f"The schema is not JSON: {error}"
        self.source.absent, self.source.forgets = absent, forgets
        if problem:
            self.source.tell(None, problem)
        self.root = Field(self.source, (), [self.source.root], required=True)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What is odd in the schema, as far as fields were unfolded."""
        return tuple(self.source.findings)

    @property
    def schema_text(self) -> str:
        """The schema as it came."""
        return self.source.root.text

    @cached_property
    def dialect(self) -> str:
        """The ``$schema`` as spelled, empty when there is none."""
        return text_of(self.source.root.get("$schema"))
