"""A lazy tree over a JSON text: a level is read when it is opened, and long ones come in ranges of a hundred."""

from __future__ import annotations

import base64
import binascii
import re
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt, QTimer

from mcp_inspector.ui.widgets import json_hints, json_spans
from mcp_inspector.ui.widgets.json_spans import Parts, Text
from mcp_inspector.ui.widgets.visible import tooltip, visible

if TYPE_CHECKING:
    from collections.abc import Callable

Index = QModelIndex | QPersistentModelIndex

NOWHERE: Final = QModelIndex()
RANGE: Final = 100
_OPEN_END: Final = 2**62
_SHOWN: Final = 400
_HINTED: Final = 64
_MEDIA_LIMIT: Final = 32 << 20
_COUNTED: Final = 1 << 18
_INSIDE_LIMIT: Final = 4 << 20
_BASE64: Final = re.compile(rb'"[A-Za-z0-9+/_-]{64,}')
_PLAIN_NAME: Final = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]*")


class Node:
    """One value, or a range of its parent's children when `span` is set. `name` is as spelled, None in arrays."""

    __slots__ = ("_children", "_inside", "_parts", "again", "is_token", "name", "parent", "row", "span", "text")

    def __init__(self, text: Text, parent: Node | None, row: int, name: bytes | None = None) -> None:
        self.text = text
        self.parent = parent
        self.row = row
        self.name = name
        self.is_token = False
        """Whether what is inside is a signed token's; known once `inside` was asked for."""
        self.again = False
        """Whether an earlier member of the same object has the same name."""
        self.span: tuple[int, int] | None = None
        self._parts: Parts | None = None
        self._children: list[Node] | None = None
        self._inside: Text | None = None

    @property
    def kind(self) -> str:
        """``{``, ``[``, ``"`` or the first character of a scalar."""
        return chr(self.text[0]) if len(self.text) else ""

    @property
    def inside(self) -> Text:
        """The JSON text that this string holds, empty when it holds none."""
        if self._inside is None:
            self._inside = b""
            signed = json_hints.token(bytes(self.text)) if self.kind == '"' and _may_be_token(self.text) else b""
            if signed and (parts := Parts(signed)).good:
                self._inside, self._parts, self.is_token = signed, parts, True
            elif self.kind == '"' and 4 < len(self.text) < _INSIDE_LIMIT and _maybe_json(self.text):
                value = json_spans.string(self.text)
                raw = json_spans.strip(value.encode("utf-8", "surrogatepass")) if value else b""
                if raw[:1] in (b"{", b"["):
                    parts = Parts(raw)
                    if parts.good:
                        self._inside, self._parts = raw, parts
        return self._inside

    @property
    def parts(self) -> Parts:
        """What it holds, unread; of a range, what the whole value holds."""
        owner = self
        while owner.span is not None and owner.parent is not None:
            owner = owner.parent
        if owner._parts is None:
            owner._parts = Parts(owner.inside or owner.text)
        return owner._parts

    @property
    def is_read(self) -> bool:
        """Whether its parts are known already."""
        return self._parts is not None

    @property
    def has_children(self) -> bool:
        """Whether it can be opened; cheap, and true for every range."""
        if self.span is not None or self.inside:
            return True
        if self.kind not in ("{", "["):
            return False
        return not json_spans.is_blank(self.text, 1, len(self.text) - 1)

    @property
    def count(self) -> int:
        """How many members or elements it holds."""
        return self.end - self.span[0] if self.span is not None else len(self.parts)

    @property
    def end(self) -> int:
        """The number after that of its last child."""
        return min(self.span[1], len(self.parts)) if self.span is not None else len(self.parts)

    @property
    def children(self) -> list[Node]:
        """Its members or elements, or ranges of them."""
        if self._children is None:
            first, last = self.span or (0, len(self.parts))
            step = 1
            while (min(last, len(self.parts)) - first) > step * RANGE:
                step *= RANGE
            if step > 1:
                starts = range(first, min(last, len(self.parts)), step)
                self._children = [self._range(start, min(start + step, last), row) for row, start in enumerate(starts)]
                if not self.parts.settled and last >= len(self.parts):
                    # Members of the same name again are only known when all have been found: they belong to the end.
                    self._children[-1].span = (starts[-1], _OPEN_END)
            else:
                parts = self.parts.between(first, last)
                self._children = [Node(part.text, self, row, part.name) for row, part in enumerate(parts)]
                seen: set[bytes] = set()
                for node in self._children:
                    if node.name is not None:
                        node.again = node.name in seen
                        seen.add(node.name)
        return self._children

    def _range(self, first: int, last: int, row: int) -> Node:
        node = Node(b"", self, row)
        node.span = (first, last)
        return node

    @property
    def number(self) -> int:
        """Its place in the array or object it belongs to."""
        return self.row + (self.parent.span[0] if self.parent is not None and self.parent.span is not None else 0)

    def path(self) -> list[str | int]:
        """Names and numbers from the root; JSON inside a string continues the path."""
        steps: list[str | int] = []
        node: Node | None = self
        while node is not None and node.parent is not None:
            if node.span is None:
                steps.append(node.number if node.name is None else json_spans.string(node.name) or "")
            node = node.parent
        return steps[::-1]

    def raw(self) -> bytes:
        """The text as spelled; of a range, its values as an array."""
        if self.span is not None:
            return b"[" + b", ".join(bytes(part.text) for part in self.parts.between(*self.span)) + b"]"
        return bytes(self.text)


def _may_be_token(text: Text) -> bool:
    return bytes(text[:4]) == b'"eyJ'


def _maybe_json(text: Text) -> bool:
    head = bytes(text[1:40]).lstrip(b" \t")
    while head[:2] in (rb"\n", rb"\r", rb"\t"):
        head = head[2:].lstrip(b" \t")
    return head[:1] in (b"{", b"[")


def dotted(path: list[str | int]) -> str:
    """A path as people write it: ``$.result.content[0].text``."""
    out = "$"
    for step in path:
        if isinstance(step, int):
            out += f"[{step}]"
        elif _PLAIN_NAME.fullmatch(step):
            out += f".{step}"
        else:
            escaped = step.replace("\\", "\\\\").replace("'", "\\'")
            out += f"['{escaped}']"
    return out


def pointer(path: list[str | int]) -> str:
    """A path as a JSON Pointer (RFC 6901)."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in path)


class JsonModel(QAbstractItemModel):
    """The tree as Qt sees it: one column, whose parts a delegate draws by `NameRole`, `ValueRole` and `InkRole`."""

    NameRole: Final = Qt.ItemDataRole.UserRole + 1
    ValueRole: Final = Qt.ItemDataRole.UserRole + 2
    InkRole: Final = Qt.ItemDataRole.UserRole + 3

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.root = self._before = Node(b"", None, 0)
        self.mask: Callable[[str, str], str] = lambda name, shown: shown
        """What is shown of a value, given its name and its text: the place to cover secrets."""

    def set_text(self, text: bytes) -> bool:
        """Show another text; False, and nothing is shown, when it is no JSON."""
        root = Node(json_spans.strip(text), None, 0)
        good = root.parts.good
        # Indexes hold bare pointers to nodes: those of the text before have to live until nobody can have one any more.
        self._before = self.root
        self.beginResetModel()
        if not good:
            root = Node(b"", None, 0)
        elif root.kind not in ("{", "["):
            # A lone scalar is shown as the only row, as if it stood in an array.
            root = Node(b"[" + text + b"]", None, 0)
        self.root = root
        self.endResetModel()
        QTimer.singleShot(0, self, self._forget_before)
        return good

    def _forget_before(self) -> None:
        self._before = self.root

    def node(self, index: Index) -> Node:
        """What an index stands for."""
        found = index.internalPointer() if index.isValid() else None
        return found if isinstance(found, Node) else self.root

    def index(self, row: int, column: int, parent: Index = NOWHERE) -> QModelIndex:
        children = self.node(parent).children
        return self.createIndex(row, column, children[row]) if 0 <= row < len(children) else QModelIndex()

    def parent(self, index: Index) -> QModelIndex:  # type: ignore[override]  # the stub has only QObject.parent()
        up = self.node(index).parent if index.isValid() else None
        return QModelIndex() if up is None or up is self.root else self.createIndex(up.row, 0, up)

    def rowCount(self, parent: Index = NOWHERE) -> int:
        node = self.node(parent)
        return len(node.children) if node is self.root or node.has_children else 0

    def columnCount(self, parent: Index = NOWHERE) -> int:
        return 1

    def hasChildren(self, parent: Index = NOWHERE) -> bool:
        node = self.node(parent)
        return node is self.root or node.has_children

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        node = self.node(index)
        if role == self.NameRole:
            return _name(node)
        if role == self.ValueRole:
            return self._shown(node) + (" · same name again" if node.again else "")
        if role == self.InkRole:
            return "warn" if node.again else _value(node)[1]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return f"{_name(node)}: {self.data(index, self.ValueRole)}"
        if role == Qt.ItemDataRole.ToolTipRole and node.span is None and node.kind == '"':
            shown = bytes(node.text[:2000]).decode("utf-8", "replace")
            return tooltip(self.mask(_name(node), shown))
        return None

    def _shown(self, node: Node) -> str:
        """A value with what it says beside its text."""
        shown = _value(node)[0]
        if node.kind in ("{", "[") or node.span is not None or (node.inside and not node.is_token):
            return shown
        name = _name(node)
        meant = json_hints.moment(name, bytes(node.text)) if len(node.text) < _HINTED else ""
        masked = self.mask(name, shown)
        return f"{masked} · {meant}" if meant and masked == shown else masked


def _name(node: Node) -> str:
    if node.span is not None:
        return f"{node.span[0]} … {node.end - 1}"
    if node.name is None:
        return str(node.number)
    return visible(node.name[1:-1].decode("utf-8", "surrogateescape"))


def _value(node: Node) -> tuple[str, str]:
    """What is shown of a value, and its ink."""
    if node.span is not None:
        return f"{node.count:,} items", "muted"
    kind = node.kind
    if kind in ("{", "["):
        # Counting a large value means reading it: its size will do until it is opened.
        held = f"{node.count:,}" if node.is_read or len(node.text) < _COUNTED else _size(len(node.text))
        return (f"{{{held}}}" if kind == "{" else f"[{held}]"), "muted"
    if kind == '"':
        if node.inside:
            if node.is_token:
                return _short(node.text), "string"
            return "text · JSON inside", "muted"
        media = _media(node)
        if media:
            return media, "muted"
        return _short(node.text), "string"
    return _short(node.text), "number"


def media_of(node: Node) -> bytes:
    """What a value holds in base64 beside a `mimeType`, decoded; nothing when it holds none, or too much."""
    if node.kind != '"' or len(node.text) > _MEDIA_LIMIT or not _media(node):
        return b""
    try:
        return base64.b64decode(bytes(node.text[1:-1]).replace(b"\\/", b"/"), validate=True)
    except (binascii.Error, ValueError):
        return b""


def _media(node: Node) -> str:
    name = node.name
    if name not in (b'"data"', b'"blob"') or _BASE64.match(node.text) is None or node.parent is None:
        return ""
    owner = node.parent.parts.between(0, 50)
    mime = next((part.text for part in owner if part.name == b'"mimeType"'), b"")
    words = json_spans.string(mime) if mime else None
    return f"base64 · {_size((len(node.text) - 2) * 3 // 4)}" + (f" · {visible(words)}" if words else "")


def _size(count: int) -> str:
    return f"{count:,} B" if count < 1000 else f"{count / 1e3:,.1f} KB" if count < 1e6 else f"{count / 1e6:,.1f} MB"


def _short(text: Text) -> str:
    shown = bytes(text[:_SHOWN]).decode("utf-8", "surrogateescape")
    return visible(shown) + (f"… {len(text):,} bytes" if len(text) > _SHOWN else "")
