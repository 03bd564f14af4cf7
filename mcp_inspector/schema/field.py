"""The field tree of a schema, unfolded only where somebody looks.

A `Field` describes one place of the arguments; values live in the `Document`, at the field's `path`. What depends on
the value (items of a list, members a person named, the chosen alternative, conditions) is asked for with its node.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from mcp_inspector.schema import conditions, entry, misfit, unfold, words
from mcp_inspector.schema.build import settle
from mcp_inspector.schema.compare import key_of
from mcp_inspector.schema.kinds import Branch, Choice, FieldKind, Rule
from mcp_inspector.schema.shape import Shape
from mcp_inspector.schema.source import Flat, Part, Source
from mcp_inspector.wire import jsontext
from mcp_inspector.wire.jsontext import Kind, Node, Path

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mcp_inspector.schema.kinds import Settled

MAX_DEPTH = 60
"""How deep fields unfold before a place becomes a JSON editor."""
MAX_ITEMS = 10_000
"""How many items of one list become fields; the rest is edited as JSON."""


class Field:
    """One place of a form.

    Known at once: `path`, `key`, `required`, `extra` (named by the person, not by the schema), `order` (the names of
    the siblings as the schema has them, for `Document.set`), `parent` (the field it is in; for a chosen alternative,
    the union). All else is worked out when it is read.
    """

    def __init__(
        self,
        source: Source,
        path: Path,
        schemas: Sequence[Node] = (),
        *,
        required: bool = False,
        extra: bool = False,
        order: Sequence[str] = (),
        parent: Field | None = None,
        parts: tuple[Part, ...] | None = None,
    ) -> None:
        self.source = source
        self.path = path
        self.required = required
        self.extra = extra
        self.order = order
        self._schemas = schemas
        self.parent = parent
        self._depth: int = parent._depth + 1 if parent is not None else 0
        self._parts = parts
        self._chosen: Branch | None = None
        self.applications: dict[tuple[int, ...], Field] = {}
        """What `applied` has given, by what applied."""

    def __repr__(self) -> str:
        return f"<Field {jsontext.pointer(self.path) or '/'} {self.kind}>"

    @cached_property
    def _flat(self) -> Flat:
        self.source.scope = self._scope
        if self._parts is not None:
            return Flat(self._parts, scope=self._scope)
        return self.source.flat(self._schemas)

    @property
    def scope(self) -> tuple[str, ...]:
        """The schema resources that were entered on the way to this place and in it; see `Flat.scope`."""
        return self._flat.scope

    @property
    def _scope(self) -> tuple[str, ...]:
        """The schema resources around this place."""
        if self._chosen is not None and self._chosen.scope:
            return self._chosen.scope
        return self.parent._flat.scope if self.parent is not None else ()

    @cached_property
    def _settled(self) -> Settled:
        flat = self._flat
        if self._depth > MAX_DEPTH and not flat.reason:
            flat.reason = f"nested more than {MAX_DEPTH} levels deep"
        self.source.scope = flat.scope
        return settle(self.source, flat)

    @cached_property
    def shape(self) -> Shape:
        """All keywords that apply here."""
        return Shape(self.source, self._settled.parts)

    @property
    def kind(self) -> FieldKind:
        """What it edits."""
        return self._settled.kind

    @property
    def key(self) -> str | int:
        """The member name or index; empty for the root."""
        return self.path[-1] if self.path else ""

    @property
    def label(self) -> str:
        """What to call it: the member's name, or the position counted from 1 for an item."""
        return str(self.key + 1) if isinstance(self.key, int) else self.key

    @cached_property
    def title(self) -> str:
        """The schema's title, empty when it has none."""
        return self.shape.text("title")

    @cached_property
    def description(self) -> str:
        """The schema's description, empty when it has none."""
        return self.shape.text("description")

    @property
    def absent(self) -> str:
        """What it is called to be left out: ``not sent``, where it is sent."""
        return self.source.absent

    @property
    def nullable(self) -> bool:
        """Whether null is allowed besides what the kind says."""
        return self._settled.nullable

    @property
    def reason(self) -> str:
        """Why this is a JSON editor; empty when it is not."""
        return self._settled.reason

    @property
    def choices(self) -> tuple[Choice, ...]:
        """The allowed values of an ENUM."""
        return self._settled.choices

    @property
    def branches(self) -> tuple[Branch, ...]:
        """The alternatives of a UNION, the types of an ANY."""
        return self._settled.branches

    @property
    def rules(self) -> tuple[Rule, ...]:
        """Which members are needed instead of each other, with a sentence."""
        return self._settled.rules

    @property
    def alternatives(self) -> tuple[tuple[Part, ...], ...]:
        """What may differ within a text or number: formats, patterns, ranges of which one must hold."""
        return self._settled.alternatives

    @property
    def all_parts(self) -> tuple[Part, ...]:
        """All that applies here, alternatives included."""
        return self._flat.parts

    @property
    def possible(self) -> bool:
        """Whether any value is allowed at all."""
        return not self._flat.never

    @cached_property
    def constant(self) -> str | None:
        """The JSON text of the only value allowed, None when there is a choice."""
        return self.choices[0].json_text if len(self.choices) == 1 and not self.nullable else None

    @cached_property
    def hint(self) -> str:
        """The constraints in words: ``integer ≥ 1``, ``1 to 3 items, all different``; may be empty."""
        return words.hint(self.source, self._settled)

    @cached_property
    def default(self) -> str | None:
        """The JSON text of the default as the schema spells it; also ``null``, ``false``, ``0`` and ``""``."""
        node = self.shape.first("default")
        return node.raw if node is not None else None

    @cached_property
    def default_problem(self) -> str:
        """What is wrong with the default by its own schema, empty when nothing is."""
        node = self.shape.first("default")
        if node is None or (node.kind is Kind.NULL and self.nullable):
            return ""
        return misfit.why(self.source, self._settled.parts, node)

    @cached_property
    def examples(self) -> tuple[str, ...]:
        """JSON texts to suggest; they are never values by themselves."""
        found = [item.raw for node in self.shape.every("examples") if node.kind is Kind.ARRAY for item in node.items]
        single = self.shape.first("example")
        found.extend([single.raw] if single is not None else [])
        return tuple(dict.fromkeys([*self._settled.suggestions, *found]))

    @cached_property
    def format(self) -> str:
        """The ``format`` as spelled, empty when there is none."""
        return self.shape.text("format")

    @cached_property
    def media_type(self) -> str:
        """The ``contentMediaType``, empty when there is none."""
        return self.shape.text("contentMediaType")

    @cached_property
    def encoding(self) -> str:
        """``base64`` and the like, when the text holds encoded bytes, empty otherwise."""
        return self.shape.text("contentEncoding") or ("base64" if self.format == "byte" else "")

    @cached_property
    def multiline(self) -> bool:
        """Whether longer text is likely: by media type, length, or a name that usually holds it."""
        return unfold.multiline(self)

    @cached_property
    def secret(self) -> bool:
        """Whether the characters should be hidden while typing."""
        return self.format == "password"

    @cached_property
    def deprecated(self) -> bool:
        """Whether the schema advises against it."""
        return self.shape.flag("deprecated")

    @cached_property
    def read_only(self) -> bool:
        """Whether the schema says that the server sets it."""
        return self.shape.flag("readOnly")

    @cached_property
    def write_only(self) -> bool:
        """Whether the schema says that it never comes back."""
        return self.shape.flag("writeOnly")

    @cached_property
    def details(self) -> tuple[tuple[str, str], ...]:
        """The ``x-`` keywords and their JSON texts."""
        found = {name: node.raw for part in self.shape.parts for name, node in part.items() if name.startswith("x-")}
        return tuple(found.items())

    def children(self, node: Node | None = None) -> list[Field]:
        """The fields inside, for the value that is there now (None: omitted).

        Of an object: its named members, required ones first, then those the value has besides. Of a list: one for each
        item. Of a union: none; take `branch`.
        """
        if self.kind in (FieldKind.OBJECT, FieldKind.MAP):
            return unfold.members(self, node)
        if self.kind in (FieldKind.ARRAY, FieldKind.TUPLE):
            applied = self.applied(node)
            count = len(node.items) if node is not None and node.kind is Kind.ARRAY else 0
            count = max(count, applied.positions)
            return [applied.item(at) for at in range(min(count, MAX_ITEMS))]
        return []

    def applied(self, node: Node | None) -> Field:
        """A list with what its value makes apply (``if``/``then``/``else``); itself where that is nothing more.

        The same conditions give the same field.
        """
        return unfold.applied(self, node)

    def live(self, node: Node | None) -> Shape:
        """The shape with what the value makes apply: ``if``/``then``/``else``, ``dependentSchemas``."""
        if node is None or node.kind is not Kind.OBJECT:
            return self.shape
        shape = self.shape
        self.source.scope = self._flat.scope
        return conditions.live(self.source, shape, node)

    @cached_property
    def closed(self) -> bool:
        """Whether an object takes no members beside the named ones (and those whose name matches a pattern)."""
        return self.shape.additional().closed

    @cached_property
    def open_names(self) -> bool:
        """Whether a person may add members with names of their own."""
        additional = self.shape.additional()
        return self.kind in (FieldKind.OBJECT, FieldKind.MAP) and (not additional.closed or bool(additional.patterns))

    def member(self, name: str) -> Field:
        """The field of a member with any name, as an added one when the schema does not name it."""
        schemas = self.shape.properties().get(name)
        if schemas is None:
            return unfold.extra(self, self.shape, name)
        required = name in self.shape.required()
        return Field(self.source, (*self.path, name), schemas, required=required, parent=self)

    def name_problem(self, name: str) -> str:
        """Why a member must not be added under this name, empty when it may."""
        return unfold.name_problem(self, name)

    @cached_property
    def _prefix(self) -> list[list[Node]]:
        return self.shape.prefix()

    @cached_property
    def _rest(self) -> tuple[list[Node], bool]:
        return self.shape.rest()

    def item(self, index: int) -> Field:
        """The field of the item at an index, which need not exist yet."""
        prefix = self._prefix
        schemas = prefix[index] if index < len(prefix) else self._rest[0]
        required = index < (self.min_items or 0)
        return Field(self.source, (*self.path, index), schemas, required=required, parent=self)

    @cached_property
    def positions(self) -> int:
        """How many fixed positions a tuple has."""
        return len(self._prefix)

    @cached_property
    def more_items(self) -> bool:
        """Whether there may be items behind the fixed positions."""
        return self._rest[1]

    @cached_property
    def min_items(self) -> int | None:
        """The least number of items."""
        return self.shape.count("minItems", lowest=False)

    @cached_property
    def max_items(self) -> int | None:
        """The greatest number of items."""
        most = self.shape.count("maxItems", lowest=True)
        if not self.more_items:
            return min(len(self._prefix), most) if most is not None else len(self._prefix)
        return most

    @cached_property
    def unique(self) -> bool:
        """Whether all items must be different as JSON."""
        return self.shape.flag("uniqueItems")

    @cached_property
    def contained(self) -> Field | None:
        """The field of an item that `contains` asks for, None when it asks for none."""
        nodes = self.shape.every("contains")
        schemas = [*nodes, *self._rest[0]]
        return Field(self.source, (*self.path, 0), schemas, parent=self) if nodes else None

    def branch(self, index: int) -> Field:
        """This place with one alternative chosen: same path, same document."""
        return self.as_branch(self.branches[index], self)

    def as_branch(self, chosen: Branch, parent: Field | None) -> Field:
        """This place with other schemas that apply."""
        field = Field(
            self.source,
            self.path,
            required=self.required,
            extra=self.extra,
            order=self.order,
            parent=parent,
            parts=chosen.parts,
        )
        field._chosen = chosen
        if chosen.reason:
            field._flat.reason = chosen.reason
        return field

    def detect(self, node: Node | None) -> int | None:
        """The alternative that a value fits best: by constants, types and required members; None when none is near."""
        return unfold.detect(self, node) if node is not None else None

    @property
    def discriminator(self) -> tuple[str, str] | None:
        """Of a chosen alternative: the member that tells it apart by name, and the value that it has for this one."""
        return unfold.discriminator(self.parent, self._chosen) if self.parent is not None else None

    def read(self, typed: str) -> entry.Entry:
        """What typed text comes to in this field."""
        return entry.read(self.kind, typed)

    def shows(self, node: Node | None) -> bool:
        """Whether the field's own editor can show this value; otherwise show its JSON, with `null` as a state."""
        return unfold.shows(self, node)

    def choice_of(self, node: Node) -> int | None:
        """The index of the choice that equals a value (1, "1" and true are three), None when none does."""
        return self._choice_index.get(key_of(node))

    @cached_property
    def _choice_index(self) -> Mapping[object, int]:
        return {key_of(jsontext.parse(one.json_text)): at for at, one in reversed([*enumerate(self.choices)])}

    def empty(self) -> str:
        """The JSON text of the empty value of this kind, what "add" starts with."""
        return unfold.empty(self)
