"""The ``inputs`` of a servers file: what ``${input:NAME}`` stands for, in the words of whoever wrote the file.

Source: the configuration of VS Code, whose ``inputs`` stand beside the servers, at the top or under ``mcp``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from mcp_inspector.config.shapes import is_text

_LONGEST = 2_000
_MOST = 200


@dataclass(frozen=True)
class Input:
    """One value to be asked for. `options` are the only ones that may be given; without any, it is any text.

    `password` says that it must not be seen while it is typed. `default` is what is given when nothing else is.
    """

    name: str
    description: str = ""
    password: bool = False
    default: str = field(default="", repr=False)
    options: tuple[str, ...] = ()


def read_inputs(root: Any) -> tuple[Input, ...]:
    """The inputs of a whole servers file as a plain value. What is odd is left out: it only describes."""
    holders = [root, root.get("mcp")] if isinstance(root, Mapping) else []
    found: dict[str, Input] = {}
    for holder in holders:
        listed = holder.get("inputs") if isinstance(holder, Mapping) else None
        for one in (listed if isinstance(listed, list) else [])[:_MOST]:
            if isinstance(one, Mapping) and (name := _text(one.get("id"))):
                options = tuple(filter(None, map(_option, _list(one.get("options"))[:_MOST])))
                described = Input(
                    name, _text(one.get("description")), one.get("password") is True, _text(one.get("default")), options
                )
                found.setdefault(name, described)
    return tuple(found.values())


def _text(value: Any) -> str:
    return str(value)[:_LONGEST] if is_text(value) else ""


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _option(value: Any) -> str:
    return _text(value.get("value")) if isinstance(value, Mapping) else _text(value)
