"""A schema as text, its local references, and the flat view of one place in it.

Nothing is ever fetched: a reference that leads out of the document is a reason, not a request. A place that several
schemas describe together (a `$ref` with siblings, `allOf`) is the list of all of them; nothing is merged away.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import unquote as percent_decoded
from urllib.parse import urldefrag, urljoin

from mcp_inspector.wire import jsontext
from mcp_inspector.wire.jsontext import Kind, Node

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

Part = dict[str, Node]
"""The keywords of one schema object that applies, without `$ref`, `allOf` and definitions."""

MAX_PARTS = 500
"""How many schemas may describe one place before the form gives up on it."""

_NOT_SCHEMAS = frozenset(["enum", "const", "default", "examples", "example"])
_SHOWN = 80


@dataclass(frozen=True, slots=True)
class Finding:
    """Something odd in a schema: where (a JSON Pointer into it) and a sentence."""

    where: str
    sentence: str


@dataclass(slots=True)
class Flat:
    """All that applies at one place: `parts` in order of precedence for titles and defaults.

    `never` is True when a schema is `false`. `reason` says why the place cannot be read as a form, empty when it can.
    `first` is the schema the place was read from, for finding it in the text.
    """

    parts: tuple[Part, ...] = ()
    never: bool = False
    reason: str = ""
    first: Node | None = None
    named: str = ""
    """The last word of the first reference that was followed: a name for the place when it has no title."""
    scope: tuple[str, ...] = ()
    """The schema resources that were entered on the way here, outermost first: where `$dynamicRef` looks."""


@dataclass(slots=True)
class _Index:
    by_uri: dict[str, Node] = field(default_factory=dict)
    anchors: dict[str, Node] = field(default_factory=dict)
    dynamic: dict[str, Node] = field(default_factory=dict)
    resources: list[tuple[int, int, str]] = field(default_factory=list)


class Source:
    """One schema document and what was found odd in it so far."""

    def __init__(self, text: str | bytes) -> None:
        """Raises `JsonError` when the text is not JSON."""
        self.root = jsontext.parse(text)
        self.findings: list[Finding] = []
        self.absent = "not sent"
        """What a form calls a member that is left out."""
        self.forgets = True
        """Whether secrets that are typed into the form are not remembered."""
        self._told: set[tuple[int, str]] = set()
        self._index: _Index | None = None
        self._flats: dict[tuple[object, ...], Flat] = {}
        self.scope: tuple[str, ...] = ()
        """The resources around the place that is being read now; see `Flat.scope`."""
        self._dynamic = any(f'"{word}"' in self.root.text for word in ("$dynamicRef", "$recursiveRef"))
        # draft-04 says `id` where all others say `$id`; elsewhere `id` is a property's name more often than not
        self._id = "id" if "draft-04" in text_of(self.root.get("$schema")) else "$id"
        self._may_have_ids = f'"{self._id}"' in self.root.text

    def tell(self, node: Node | None, sentence: str) -> None:
        """Note something odd, once for each place and sentence."""
        start = node.start if node is not None else 0
        if (start, sentence) not in self._told:
            self._told.add((start, sentence))
            where = jsontext.pointer(jsontext.path_at(self.root, start)) if node is not None else ""
            self.findings.append(Finding(where, sentence))

    def cached_flat(self, nodes: Sequence[Node]) -> Flat:
        """As `flat`, remembered: for reading only."""
        key = (*self.scope, *(node.start for node in nodes))
        found = self._flats.get(key)
        if found is None:
            found = self._flats[key] = self.flat(nodes)
        return found

    def flat(self, nodes: Iterable[Node]) -> Flat:
        """All schemas that apply where each of `nodes` does: references and `allOf` followed, each schema once."""
        todo = [*nodes]
        flat = Flat(first=todo[0] if todo else None, scope=self.scope)
        todo.reverse()
        seen: set[int] = set()
        parts: list[Part] = []
        while todo:
            node = todo.pop()
            if node.start in seen:
                continue
            seen.add(node.start)
            if self._dynamic and (base := self._base(node)) not in flat.scope:
                flat.scope = (*flat.scope, base)
            if len(seen) > MAX_PARTS:
                flat.reason = f"more than {MAX_PARTS} schemas describe this place"
                break
            if node.kind is Kind.BOOLEAN:
                flat.never = flat.never or node.raw == "false"
            elif node.kind is not Kind.OBJECT:
                self.tell(node, f"A schema must be an object or a boolean, not {_article(node.kind)}.")
            elif node.items:
                parts.append(self._part(node, flat, todo))
        flat.parts = tuple(part for part in parts if part)
        return flat

    def _part(self, node: Node, flat: Flat, todo: list[Node]) -> Part:
        part = dict(zip(node.names, node.items, strict=True))
        for keyword in ("$defs", "definitions"):
            part.pop(keyword, None)
        after: list[Node] = []
        for keyword in ("$ref", "$dynamicRef", "$recursiveRef"):
            reference = part.pop(keyword, None)
            if reference is None:
                continue
            target, reason = self.resolve(reference)
            if target is not None and keyword != "$ref":
                target = self._overridden(keyword, reference, target, flat.scope)
            if target is not None:
                after.append(target)
                flat.named = flat.named or jsontext.unquote(reference.raw).rstrip("/").rpartition("/")[2].lstrip("#")
            else:
                self.tell(reference, reason)
                flat.reason = flat.reason or reason
        every = part.pop("allOf", None)
        if every is not None and every.kind is Kind.ARRAY:
            after.extend(every.items)
        elif every is not None:
            self.tell(every, '"allOf" must be an array.')
        todo.extend(reversed(after))
        return part

    def resolve(self, reference: Node) -> tuple[Node | None, str]:
        """The schema a `$ref` names, or None and the reason. Only places in this document are ever looked at."""
        if reference.kind is not Kind.STRING:
            return None, "A reference must be a string."
        spelled = jsontext.unquote(reference.raw)
        shown = spelled[:_SHOWN]
        if spelled == "#" or spelled.startswith("#/"):
            found = self._pointed(self._resource_root(reference), spelled[1:])
            return (found, "") if found is not None else (None, f"Reference not found in this schema: {shown}")
        index = self._indexed()
        base = self._base(reference)
        try:
            uri, fragment = urldefrag(urljoin(base, spelled))
        except ValueError:
            return None, f"The reference is no readable URI: {shown}"
        root = index.by_uri.get(uri) if uri else self.root
        if root is None:
            return None, f"External reference not resolved: {shown}"
        if not fragment or fragment.startswith("/"):
            found = self._pointed(root, fragment)
        else:
            found = index.anchors.get(f"{uri}#{fragment}") or index.anchors.get(f"#{fragment}")
        return (found, "") if found is not None else (None, f"Reference not found in this schema: {shown}")

    def _overridden(self, keyword: str, reference: Node, target: Node, scope: tuple[str, ...]) -> Node:
        """What a dynamic reference means here: the outermost resource that has such an anchor says it."""
        index = self._indexed()
        if keyword == "$recursiveRef":
            if _is_true(target.get("$recursiveAnchor")):
                roots = (index.by_uri.get(uri, self.root) if uri else self.root for uri in scope)
                return next((root for root in roots if _is_true(root.get("$recursiveAnchor"))), target)
            return target
        name = jsontext.unquote(reference.raw).rpartition("#")[2]
        if not name or text_of(target.get("$dynamicAnchor")) != name:
            return target  # it leads to an ordinary anchor, or to a place by pointer: then it is an ordinary reference
        anchored = (index.dynamic.get(f"{uri}#{name}") for uri in scope)
        return next((node for node in anchored if node is not None), target)

    def _pointed(self, root: Node, pointer: str) -> Node | None:
        node: Node | None = root
        for part in percent_decoded(pointer).split("/")[1:]:
            if node is None:
                return None
            key = part.replace("~1", "/").replace("~0", "~")
            if node.kind is Kind.ARRAY:
                node = node.get(int(key)) if re.fullmatch("0|[1-9][0-9]{0,8}", key) else None
            else:
                node = node.get(key)
        return node

    def _resource_root(self, reference: Node) -> Node:
        base = self._base(reference)
        return self._indexed().by_uri.get(base, self.root) if base else self.root

    def _base(self, node: Node) -> str:
        """The `$id` of the innermost schema resource around a node, empty when none has one."""
        if not self._may_have_ids:
            return ""
        base = ""
        for start, end, uri in self._indexed().resources:
            if start <= node.start < end:
                base = uri
        return base

    def _indexed(self) -> _Index:
        """Where the `$id`s and anchors are; read when the first reference needs it."""
        if self._index is not None:
            return self._index
        index = self._index = _Index()
        todo: list[tuple[Node, str]] = [(self.root, "")]
        while todo:
            node, base = todo.pop()
            ident = node.get(self._id)
            if ident is not None and ident.kind is Kind.STRING:
                base = _joined(base, jsontext.unquote(ident.raw))
                index.by_uri.setdefault(base, node)
                index.resources.append((node.start, node.end, base))
            for keyword in ("$anchor", "$dynamicAnchor"):
                anchor = node.get(keyword)
                if anchor is not None and anchor.kind is Kind.STRING:
                    name = jsontext.unquote(anchor.raw)
                    index.anchors.setdefault(f"{base}#{name}", node)
                    index.anchors.setdefault(f"#{name}", node)
                    if keyword == "$dynamicAnchor":
                        index.dynamic.setdefault(f"{base}#{name}", node)
            names = node.names or [""] * len(node.items)
            todo.extend(
                (item, base)
                for name, item in zip(names, node.items, strict=True)
                if item.is_container and name not in _NOT_SCHEMAS
            )
        index.resources.sort(key=lambda entry: (entry[0], -entry[1]))
        return index


def _joined(base: str, ident: str) -> str:
    try:
        return urldefrag(urljoin(base, ident))[0]
    except ValueError:
        return base


def _is_true(node: Node | None) -> bool:
    return node is not None and node.raw == "true"


def _article(kind: Kind) -> str:
    return "null" if kind is Kind.NULL else f"{'an' if kind is Kind.ARRAY else 'a'} {kind}"


def text_of(node: Node | None) -> str:
    """A keyword that should be a string, empty when it is absent or something else."""
    return jsontext.unquote(node.raw) if node is not None and node.kind is Kind.STRING else ""


def strings_of(node: Node | None) -> list[str]:
    """A keyword that should be an array of strings; whatever else is in it is left out."""
    if node is None or node.kind is not Kind.ARRAY:
        return []
    return [jsontext.unquote(item.raw) for item in node.items if item.kind is Kind.STRING]


def objects_of(part: Mapping[str, Node], keyword: str) -> list[tuple[str, Node]]:
    """The members of a keyword that should be an object, duplicates included; empty when it is something else."""
    node = part.get(keyword)
    if node is None or node.kind is not Kind.OBJECT:
        return []
    return [*zip(node.names, node.items, strict=True)]
