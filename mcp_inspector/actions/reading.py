"""Reads a collection: what is clear is taken, and everything odd is said with its place. Never raises for a file."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from mcp_inspector import resources
from mcp_inspector.actions import values
from mcp_inspector.actions.collection import (
    SUFFIX,
    Action,
    Assertion,
    Collection,
    Environment,
    Kind,
    Oddity,
)
from mcp_inspector.config import entry_reader
from mcp_inspector.schema import patterns
from mcp_inspector.schema.jsonpath import JsonPath, PathError
from mcp_inspector.schema.validate import Checker
from mcp_inspector.store.redact import is_secret_name
from mcp_inspector.wire import jsontext
from mcp_inspector.wire.jsontext import JsonError, Node, Path

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path as FilePath

    from mcp_inspector.config.entry import ServerEntry

MAX_BYTES = 32 * 1024 * 1024
# fmt: off
CHECKS = (
    "error", "outcome", "outputSchema", "schema", "equals", "notEquals", "contains", "matches", "exists", "count",
    "atLeast", "atMost", "greaterThan", "lessThan", "latencyMs", "sizeBytes", "findings",
)
"""The words of assertions."""

_COLLECTION_WORDS = {"$schema", "name", "description", "variables", "environments", "servers", "actions"}
_ACTION_WORDS = {
    "name", "kind", "server", "target", "arguments", "variables", "steps", "capture", "assert", "timeout",
    "description", "group", "shortcut", "pinned", "disabled", "data",
}
# fmt: on


def read_file(path: FilePath) -> Collection:
    """The collection in a file; one that cannot be read is empty and says why."""
    name = path.name.removesuffix(SUFFIX).removesuffix(".json")
    try:
        if path.stat().st_size > MAX_BYTES:
            return _unreadable(name, path, f"The file is larger than {MAX_BYTES // 2**20} MiB.")
        raw = path.read_bytes()
    except OSError as error:
        return _unreadable(name, path, f"{path} cannot be read: {(error.strerror or str(error)).lower()}.")
    return read(raw, path)


def read(text: str | bytes, path: FilePath | None = None) -> Collection:
    """The collection in a text."""
    name = path.name.removesuffix(SUFFIX).removesuffix(".json") if path is not None else ""
    try:
        root = jsontext.parse(text)
    except JsonError as error:
        shown = text.decode(errors="replace") if isinstance(text, bytes) else text
        oddity = Oddity("", error.line, f"It is not JSON: {error.sentence}")
        return Collection(name, shown, path, oddities=(oddity,))
    return _Reader(root, name, path).collection()


def read_action(text: str | bytes) -> tuple[Action | None, tuple[Oddity, ...]]:
    """A single action, as it is copied to the clipboard."""
    try:
        root = jsontext.parse(text)
    except JsonError as error:
        return None, (Oddity("", error.line, f"It is not JSON: {error.sentence}"),)
    found = read(f'{{"actions": [{root.raw}]}}')
    return (found.actions[0] if found.actions else None), found.oddities


@cache
def _checker() -> Checker:
    return Checker(resources.path("schemas/collection-1.schema.json").read_bytes())


def _unreadable(name: str, path: FilePath, sentence: str) -> Collection:
    return Collection(name, "", path, oddities=(Oddity("", 1, sentence),))


class _Reader:
    def __init__(self, root: Node, name: str, path: FilePath | None) -> None:
        self.root, self.name, self.path = root, name, path
        self.oddities: list[Oddity] = []
        self.bad: set[Path] = set()

    def say(self, at: Path, sentence: str, *, fatal: bool = True) -> None:
        """Note an oddity at a place, or at the nearest one around it that is there."""
        node, path = jsontext.find(self.root, at), at
        while node is None and path:
            path = path[:-1]
            node = jsontext.find(self.root, path)
        start = node.start if node is not None else 0
        line = self.root.text.count("\n", 0, start) + 1
        self.oddities.append(Oddity(jsontext.pointer(at), line, sentence, fatal))

    def collection(self) -> Collection:
        for problem in _checker().check(self.root):
            if problem.keyword in ("anyOf", "if", "then", "else") and self._assertion_without_check(problem.path):
                continue
            self.bad.add(problem.path)
            self.say(problem.path, _sentence(problem.path, problem.sentence))
        for path, offset in jsontext.duplicates(self.root):
            line = self.root.text.count("\n", 0, offset) + 1
            self.oddities.append(Oddity(jsontext.pointer(path), line, f'"{path[-1]}" stands here twice.', fatal=True))
        root = self.root
        self._unknown(root, (), _COLLECTION_WORDS)
        variables = self._variables(root.get("variables"), ("variables",))
        actions = tuple(
            action
            for at, node in enumerate(_items(root.get("actions")))
            if (action := self._action(node, ("actions", at), "")) is not None
        )
        self._same_names(actions)
        environments = tuple(self._environments(root.get("environments")))
        servers = self._servers(root.get("servers"))
        self._variable_use(actions, variables, environments)
        self.oddities.sort(key=lambda one: one.line)
        return Collection(
            _text(root.get("name")) or self.name,
            root.text,
            self.path,
            _text(root.get("description")),
            actions,
            variables,
            environments,
            servers,
            tuple(dict.fromkeys(self.oddities)),
        )

    def _assertion_without_check(self, path: Path) -> bool:
        """Said in our own words further on."""
        return len(path) >= 2 and path[-2] == "assert"

    def _unknown(self, node: Node, at: Path, known: set[str]) -> None:
        """A member that is nearly one we know is most likely a slip; others are somebody else's, and kept."""
        import difflib

        for name in node.names:
            if name not in known and (near := difflib.get_close_matches(name, known, 1, 0.8)):
                self.say((*at, name), f'"{name}" has no effect; perhaps "{near[0]}" is meant.', fatal=False)

    def _variables(self, node: Node | None, at: Path) -> Mapping[str, str]:
        found: dict[str, str] = {}
        for name, value in _members(node):
            found[name] = value.raw
            plain = jsontext.unquote(value.raw) if value.kind is jsontext.Kind.STRING else ""
            if is_secret_name(name) and plain and not values.is_reference(plain):
                sentence = (
                    f'The variable "{name}" looks like a secret, and a collection is no place for one. '
                    f"Write ${{secret:{name}}} and keep it in the keyring, or ${{env:NAME}}."
                )
                self.say((*at, name), sentence, fatal=False)
        return found

    def _environments(self, node: Node | None) -> Iterable[Environment]:
        for name, value in _members(node):
            at: Path = ("environments", name)
            servers = {key: _text(item) for key, item in _members(value.get("servers")) if _text(item)}
            yield Environment(name, self._variables(value.get("variables"), (*at, "variables")), servers)

    def _servers(self, node: Node | None) -> Mapping[str, ServerEntry]:
        found = {}
        for name, value in _members(node):
            origin = f"collection {self.name}" if self.name else "collection"
            entry = entry_reader.read_entry(name, _plain(jsontext.value_of(value)), origin)
            for problem in entry.problems:
                self.say(("servers", name), problem, fatal=entry.fatal)
            found[name] = entry
        return found

    def _action(self, node: Node, at: Path, server: str) -> Action | None:
        try:
            kind = Kind(_text(node.get("kind")))
        except ValueError:
            return None
        name = _text(node.get("name"))
        self._unknown(node, at, _ACTION_WORDS)
        own = _text(node.get("server")) or server
        steps: tuple[Action, ...] = ()
        if kind is Kind.CHAIN:
            steps = tuple(
                step
                for index, part in enumerate(_items(node.get("steps")))
                if (step := self._action(part, (*at, "steps", index), own)) is not None
            )
        elif not own:
            self.say(at, f'The action "{name}" names no server. Add "server".')
        arguments = node.get("arguments")
        if arguments is not None and kind is Kind.RESOURCE:
            self.say((*at, "arguments"), "A resource is read by its URI alone; it takes no arguments.", fatal=False)
        captures = {key: _text(item) for key, item in _members(node.get("capture"))}
        for key, text in captures.items():
            self._path(text, (*at, "capture", key))
        timeout = jsontext.value_of(limit) if (limit := node.get("timeout")) is not None else None
        return Action(
            name,
            kind,
            own,
            _text(node.get("target")),
            arguments.raw if arguments is not None and arguments.kind is jsontext.Kind.OBJECT else "{}",
            steps,
            tuple(self._assertions(node.get("assert"), (*at, "assert"))),
            captures,
            self._variables(node.get("variables"), (*at, "variables")),
            float(timeout) if _is_number(timeout) and timeout is not None and 0 < timeout <= 86_400 else None,
            _text(node.get("description")),
            _text(node.get("group")),
            _text(node.get("shortcut")),
            _true(node.get("pinned")),
            _text(node.get("data")),
            _true(node.get("disabled")),
            at,
        )

    def _assertions(self, node: Node | None, at: Path) -> Iterable[Assertion]:
        for index, part in enumerate(_items(node)):
            place = (*at, index)
            self._unknown(part, place, {*CHECKS, "path", "some"})
            said = [(word, wanted) for word in CHECKS if (wanted := part.get(word)) is not None]
            if not said:
                self.say(place, f"An assertion needs a check, one of {', '.join(CHECKS)}.")
            path = _text(part.get("path")) or "$"
            if not self._path(path, (*place, "path")):
                continue
            for word, wanted in said:
                if word == "matches":
                    self._regex(_text(wanted), (*place, word))
                if word == "schema":
                    for finding in Checker(wanted.raw).findings:
                        self.say((*place, word), f"The schema is odd: {finding.sentence}", fatal=False)
                yield Assertion(word, wanted, path, _true(part.get("some")), place)

    def _path(self, text: str, at: Path) -> bool:
        try:
            JsonPath(text)
        except PathError as error:
            self.say(at, str(error))
            return False
        return True

    def _regex(self, pattern: str, at: Path) -> None:
        if not patterns.usable(pattern):
            self.say(at, f"{pattern[:80]!r} is no regular expression.")
        elif patterns.atoms(pattern) > patterns.MOST_ATOMS:
            self.say(at, f"{pattern[:80]!r} repeats too much to be tried in time.")

    def _same_names(self, actions: Iterable[Action]) -> None:
        seen: set[str] = set()
        for action in actions:
            if action.name in seen:
                self.say((*action.place, "name"), f'There is an action "{action.name}" before this one. Rename one.')
            seen.add(action.name)

    def _variable_use(
        self, actions: Iterable[Action], variables: Mapping[str, str], environments: Iterable[Environment]
    ) -> None:
        """A variable that nothing defines may still come from the command line or from rows: said, not fatal."""
        known = {*variables, *(name for one in environments for name in one.variables)}
        for action in actions:
            captured: set[str] = set()
            for step in (action, *action.steps):
                have = {*known, *action.variables, *step.variables, *captured}
                for name in values.names_in(step):
                    if name not in have and not action.data:
                        sentence = (
                            f"${{{name}}} is defined nowhere here: give it with --var {name}=… or with a row of data, "
                            f"or write $${{{name}}} to send it as it is."
                        )
                        self.say(step.place, sentence, fatal=False)
                captured |= set(step.captures)


def _sentence(path: Path, sentence: str) -> str:
    name = path[-1] if path and isinstance(path[-1], str) else ""
    subject = f'"{name}"' if name else f"Entry {path[-1]}" if path else "The collection"
    return f"{subject} {sentence}{'' if sentence.endswith('.') else '.'}"


def _members(node: Node | None) -> list[tuple[str, Node]]:
    if node is None or node.kind is not jsontext.Kind.OBJECT:
        return []
    return [*dict(zip(node.names, node.items, strict=True)).items()]


def _items(node: Node | None) -> list[Node]:
    if node is None or node.kind is not jsontext.Kind.ARRAY:
        return []
    return [item for item in node.items if item.kind is jsontext.Kind.OBJECT]


def _text(node: Node | None) -> str:
    return jsontext.unquote(node.raw) if node is not None and node.kind is jsontext.Kind.STRING else ""


def _true(node: Node | None) -> bool:
    return node is not None and node.raw == "true"


def _is_number(value: Any) -> bool:
    from decimal import Decimal

    return isinstance(value, int | Decimal) and not isinstance(value, bool)


def _plain(value: Any) -> Any:
    """Numbers as the reader of entries knows them."""
    from decimal import Decimal

    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return float(value) if isinstance(value, Decimal) else value
