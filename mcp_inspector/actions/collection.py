"""What a collection is: actions on servers, with variables, environments and assertions. Frozen; made by `reading`."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from mcp_inspector.config.entry import ServerEntry
    from mcp_inspector.wire.jsontext import Node
    from mcp_inspector.wire.jsontext import Path as Place

SCHEMA_ID = "urn:mcp-inspector:collection:1"
"""What ``$schema`` says in a file of this version; the schema is `resources/schemas/collection-1.schema.json`."""

SUFFIX = ".mcp.json"
"""How the names of collections end, so that one is found beside a project."""


class Kind(StrEnum):
    """What an action does."""

    TOOL = "tool"
    PROMPT = "prompt"
    RESOURCE = "resource"
    CHAIN = "chain"


METHODS = {Kind.TOOL: "tools/call", Kind.PROMPT: "prompts/get", Kind.RESOURCE: "resources/read"}
"""The request that each makes; a chain makes those of its steps."""


@dataclass(frozen=True)
class Assertion:
    """One thing that must be true of a result. `check` is its word, `wanted` the JSON of what it says, `path` where.

    `path` is a JSONPath into the result, ``$`` when the whole is meant. With `some`, one of several matches is enough.
    `place` leads to it in the file.
    """

    check: str
    wanted: Node
    path: str = "$"
    some: bool = False
    place: Place = ()


@dataclass(frozen=True)
class Action:
    """One saved call, read or prompt, or a chain of them.

    `target` is the tool's or prompt's name, or the URI; `arguments` JSON text as it stands in the file, with its
    variables unfilled. `captures` name a value of the result by JSONPath, for the steps that follow. `place` leads to
    it in the file, `group` is a heading to show it under, `key` a shortcut, `data` a file of rows to run it with.
    """

    name: str
    kind: Kind
    server: str = ""
    target: str = ""
    arguments: str = "{}"
    steps: tuple[Action, ...] = ()
    assertions: tuple[Assertion, ...] = ()
    captures: Mapping[str, str] = field(default_factory=dict)
    variables: Mapping[str, str] = field(default_factory=dict)
    timeout: float | None = None
    description: str = ""
    group: str = ""
    key: str = ""
    pinned: bool = False
    data: str = ""
    disabled: bool = False
    place: Place = ()

    @property
    def servers(self) -> tuple[str, ...]:
        """The servers it needs, each once."""
        if self.kind is not Kind.CHAIN:
            return (self.server,)
        return tuple(dict.fromkeys(name for step in self.steps for name in step.servers))


@dataclass(frozen=True)
class Environment:
    """Values for the variables under one name, and which servers stand for those that the actions name.

    Values are JSON text; a string in them may refer to ``${env:NAME}`` or ``${secret:NAME}``.
    """

    name: str
    variables: Mapping[str, str] = field(default_factory=dict)
    servers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Oddity:
    """Something wrong in a collection: where (a JSON Pointer), the line from 1, a sentence, and whether it must go."""

    where: str
    line: int
    sentence: str
    fatal: bool = True

    def __str__(self) -> str:
        """For people."""
        at = f"line {self.line}" + (f" ({self.where})" if self.where else "")
        return f"{at}: {self.sentence}"


@dataclass(frozen=True)
class Collection:
    """One file. With a fatal oddity it is shown and edited, but not run. `text` is the file as it was read."""

    name: str
    text: str
    path: Path | None = None
    description: str = ""
    actions: tuple[Action, ...] = ()
    variables: Mapping[str, str] = field(default_factory=dict)
    environments: tuple[Environment, ...] = ()
    servers: Mapping[str, ServerEntry] = field(default_factory=dict)
    oddities: tuple[Oddity, ...] = ()

    @property
    def usable(self) -> bool:
        """Whether it can be run."""
        return not any(oddity.fatal for oddity in self.oddities)

    def action(self, name: str) -> Action | None:
        """An action by its name."""
        return next((action for action in self.actions if action.name == name), None)

    def environment(self, name: str) -> Environment | None:
        """An environment by its name."""
        return next((one for one in self.environments if one.name == name), None)
