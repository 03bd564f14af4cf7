"""How a JSON tree is opened, what is chosen in it and how far it is scrolled: kept over a newer version of its text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QModelIndex

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcp_inspector.ui.widgets.json_model import Node
    from mcp_inspector.ui.widgets.json_tree import JsonTree

_MOST: Final = 5_000
"""Rows that are looked at to find what is open."""

Key = tuple[bytes | int | tuple[int, int], ...]


def key(node: Node) -> Key:
    """Names, numbers and ranges from the root: what a node is called in every version of a text."""
    steps: list[bytes | int | tuple[int, int]] = []
    at: Node | None = node
    while at is not None and at.parent is not None:
        steps.append(at.span if at.span is not None else at.row if at.name is None else bytes(at.name))
        at = at.parent
    return tuple(reversed(steps))


@dataclass(frozen=True)
class Place:
    """What is open and chosen, how far it is scrolled, and the texts that were to be seen."""

    opened: frozenset[Key]
    chosen: Key | None
    scrolled: tuple[int, int]
    texts: dict[Key, bytes]


def take(tree: JsonTree) -> Place:
    """Where a tree stands now."""
    opened: set[Key] = set()
    texts: dict[Key, bytes] = {}
    for index, node in _seen(tree):
        texts[key(node)] = bytes(node.text)
        if tree.isExpanded(index):
            opened.add(key(node))
    chosen = tree.node()
    bars = tree.horizontalScrollBar().value(), tree.verticalScrollBar().value()
    return Place(frozenset(opened), key(chosen) if chosen is not None else None, bars, texts)


def put(tree: JsonTree, place: Place) -> None:
    """Bring a tree that shows the newer version to where it stood."""
    model = tree.model()
    level = [QModelIndex()]
    while level:
        parent = level.pop()
        for row in range(model.rowCount(parent)):
            index = model.index(row, 0, parent)
            at = key(tree.node_at(index))
            if at == place.chosen:
                tree.setCurrentIndex(index)
            if at in place.opened:
                tree.setExpanded(index, True)
                level.append(index)
    tree.doItemsLayout()
    tree.horizontalScrollBar().setValue(place.scrolled[0])
    tree.verticalScrollBar().setValue(place.scrolled[1])


def _seen(tree: JsonTree) -> Iterator[tuple[QModelIndex, Node]]:
    """The rows that are to be seen when one scrolls, from the top."""
    index, count = tree.model().index(0, 0), 0
    while index.isValid() and count < _MOST:
        yield index, tree.node_at(index)
        index, count = tree.indexBelow(index), count + 1
