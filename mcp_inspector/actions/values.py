"""Variables of a collection: ``${name}`` in arguments and targets, filled in losslessly; secrets by reference only.

A text that is nothing but ``${name}`` becomes the variable's value with its type and spelling; inside a longer text the
value is written into it, a text as it is and anything else as JSON. ``${env:NAME}`` is a variable of the process's
environment and ``${secret:NAME}`` a secret in the keyring; ``:-default`` may follow a name. ``$${…}`` stays ``${…}``.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from mcp_inspector.wire import jsontext
from mcp_inspector.wire.jsontext import JsonError, Kind, Node

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from mcp_inspector.actions.collection import Action, Collection, Environment

_NAME = r"[A-Za-z_][A-Za-z0-9_-]*"
_VARIABLE = re.compile(rf"(\$?)\$\{{(env:|secret:)?({_NAME})(?::-([^}}]*))?\}}")
_REFERENCE = re.compile(r"(?:(?:Bearer|Basic|Token) )?\$\{[^{}]*\}")
_DEEPEST = 8
_SHORTEST_HIDDEN = 4
"""A secret shorter than this is not looked for in texts: it would be found everywhere."""


class MissingValue(ValueError):
    """A variable has no value; the message is a sentence with what to do."""


def is_reference(text: str) -> bool:
    """Whether a text only refers to a value that is kept elsewhere."""
    return _REFERENCE.fullmatch(text) is not None


def names_in(action: Action) -> list[str]:
    """The variables that an action's own arguments and target use, without references and those with a default."""
    found: dict[str, None] = {}
    for text in (action.target, action.arguments):
        for match in _VARIABLE.finditer(text):
            if not match[1] and not match[2] and match[4] is None:
                found[match[3]] = None
    return [*found]


@dataclass
class Values:
    """Variables by name, as JSON text; what comes later wins. `secrets` are the texts that references gave."""

    by_name: dict[str, str] = field(default_factory=dict)
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ)
    secret: Callable[[str], str] = lambda name: ""
    secrets: set[str] = field(default_factory=set)

    def with_more(self, more: Mapping[str, str]) -> Values:
        """The same with more variables, and the same memory of secrets."""
        return Values({**self.by_name, **more}, self.environ, self.secret, self.secrets)

    def fill_text(self, text: str) -> str:
        """A plain text with its variables filled in. Raises `MissingValue`."""
        return _VARIABLE.sub(lambda match: self._inside(match, ()), text)

    def fill_json(self, json_text: str) -> str:
        """JSON text with the variables in its strings filled in; all else keeps its spelling. Raises `MissingValue`."""
        if "${" not in json_text:
            return json_text
        return self._filled(json_text, ())

    def hide(self, text: str) -> str:
        """A text without the secrets that were filled in."""
        for secret in sorted(self.secrets, key=len, reverse=True):
            if len(secret) >= _SHORTEST_HIDDEN:
                text = text.replace(secret, "•••").replace(jsontext.quote(secret)[1:-1], "•••")
        return text

    def _filled(self, json_text: str, seen: tuple[str, ...]) -> str:
        parts: list[str] = []
        at = 0
        for node in _strings(jsontext.parse(json_text)):
            if "${" not in node.raw:
                continue
            parts += (json_text[at : node.start], self._string(jsontext.unquote(node.raw), seen))
            at = node.end
        return "".join((*parts, json_text[at:]))

    def _string(self, text: str, seen: tuple[str, ...]) -> str:
        """The JSON text that a string comes to."""
        whole = _VARIABLE.fullmatch(text)
        if whole is not None and not whole[1]:
            return self._value(whole, seen)
        return jsontext.quote(_VARIABLE.sub(lambda match: self._inside(match, seen), text))

    def _inside(self, match: re.Match[str], seen: tuple[str, ...]) -> str:
        if match[1]:
            return match[0][1:]
        value = self._value(match, seen)
        return jsontext.unquote(value) if value.startswith('"') else value

    def _value(self, match: re.Match[str], seen: tuple[str, ...]) -> str:
        place, name, default = match[2] or "", match[3], match[4]
        if place:
            given = self.environ.get(name, "") if place == "env:" else self.secret(name)
            if given:
                self.secrets.add(given)
                return jsontext.quote(given)
            if default is not None:
                return jsontext.quote(default)
            where = "environment variable" if place == "env:" else "secret"
            raise MissingValue(f"The {where} {name} is not there. Set it, or write ${{{place}{name}:-default}}.")
        value = self.by_name.get(name)
        if value is None:
            if default is not None:
                return jsontext.quote(default)
            raise MissingValue(
                f"The variable {name} has no value. Give it with --var {name}=…, in the collection, or in a row of "
                f"data; or write $${{{name}}} to send it as it is."
            )
        if name in seen or len(seen) > _DEEPEST:
            raise MissingValue(f"The variable {name} is defined by itself: {' → '.join((*seen, name))}.")
        return self._filled(value, (*seen, name)) if "${" in value else value


def values_of(
    collection: Collection,
    environment: Environment | None = None,
    given: Mapping[str, str] | None = None,
    *,
    environ: Mapping[str, str] | None = None,
    secret: Callable[[str], str] | None = None,
) -> Values:
    """The variables of a run: the collection's, then the environment's, then those that were given."""
    merged = {**collection.variables, **(environment.variables if environment else {}), **(given or {})}
    return Values(merged, os.environ if environ is None else environ, secret or (lambda name: ""))


def as_json(text: str) -> str:
    """What a person or a cell wrote, as JSON text: a number, true, false, null, object, array or quoted text is that.

    Anything else is a text, ``007`` and ``1.`` among it.
    """
    stripped = text.strip()
    try:
        node = jsontext.parse(stripped)
    except JsonError:
        return jsontext.quote(text)
    return node.raw


def _strings(root: Node) -> Iterator[Node]:
    """Every string value, in the order of the text; member names are left alone."""
    todo = [root]
    while todo:
        node = todo.pop()
        if node.kind is Kind.STRING:
            yield node
        todo.extend(reversed(node.items))
