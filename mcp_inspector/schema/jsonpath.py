"""JSONPath (RFC 9535) over lossless JSON: the one path language of this program.

The paths of the filter line and of columns (`store.jsonpath`) are its plain part, read without a tree. A match here is
a node of the text, so what a path finds keeps its spelling. The library is imported at the first use: it costs 50 ms
that no start pays for.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from mcp_inspector.wire import jsontext

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcp_inspector.wire.jsontext import Node, Path

MAX_MATCHES = 10_000
"""Matches that are looked at; a descent over a large result can give millions."""


class PathError(ValueError):
    """A text is no JSONPath. The message is a sentence that says why."""


class JsonPath:
    """One compiled path. `text` is as it was written."""

    def __init__(self, text: str) -> None:
        """Raises `PathError`."""
        self.text = text
        self._compiled = _compiled(text)

    @property
    def singular(self) -> bool:
        """Whether it names one place at most: only names and indexes, no wildcard, slice, filter or descent."""
        return bool(self._compiled.singular_query())

    def find(self, root: Node, value: Any = None) -> list[Node]:
        """The nodes it finds, in order. `value` is ``jsontext.value_of(root)`` where the caller has it already."""
        return [node for path in self.paths(root, value) if (node := jsontext.find(root, path)) is not None]

    def paths(self, root: Node, value: Any = None) -> Iterator[Path]:
        """Where it finds something."""
        data = jsontext.value_of(root) if value is None else value
        if not root.is_container:  # the library takes a text for JSON
            if self.text.strip() == "$":
                yield ()
            return
        try:
            for count, match in enumerate(self._compiled.finditer(data)):
                if count >= MAX_MATCHES:
                    return
                yield tuple(match.parts)
        except RecursionError:
            return


def to_path(path: Path) -> str:
    """The JSONPath that names one place: ``$.books[0].title``, with brackets where a name is no plain word."""
    words = []
    for key in path:
        if isinstance(key, int):
            words.append(f"[{key}]")
        elif key.isascii() and key.isidentifier():
            words.append(f".{key}")
        else:
            inner = jsontext.quote(key)[1:-1].replace('\\"', '"').replace("'", "\\'")
            words.append(f"['{inner}']")
    return "$" + "".join(words)


@cache
def _environment() -> Any:
    import jsonpath

    return jsonpath.JSONPathEnvironment(strict=True)


@lru_cache(maxsize=500)
def _compiled(text: str) -> Any:
    import jsonpath

    try:
        return _environment().compile(text)
    except (jsonpath.JSONPathError, RecursionError, ValueError) as error:
        # the library's own text of some errors cannot be made: only what they were raised with is sure
        why = str(error.args[0] if error.args else "").partition("\n")[0].strip().rstrip(".")
        if not text.lstrip().startswith("$"):
            why = "a path begins with $"
        raise PathError(f"{text[:80]!r} is no JSONPath: {why or 'it cannot be read'}.") from None
