"""What can be read: texts, a picture, a folder, a counter, and families of resources."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, unquote, urlsplit

from . import library, media
from .parts import Json, Resource, Template

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

COUNTER = "demo://counter"
CLOCK = "demo://clock"

WELCOME = """\
Welcome to the demo server.

It is a real server in a process of its own. Call a tool, read a resource, run a prompt,
and look at Traffic for every byte of it.
"""

GUIDE_TEXT = """\
# A walk through the demo

1. Call **echo**, then **get_weather**: the form knows the choices and the defaults.
2. Call **slow** and cancel it. Its progress has a message for each step.
3. Subscribe to `demo://counter`, then call **count_up**.
4. Call **ask_name**: the server asks *you*, and waits.
5. Call **add_item**: the list of tools grows while you watch.
6. Call **brew_tea** and follow its task; let it ask for sugar.
7. Read `demo://clock` twice, then once more, fresh: it may be used again for half a minute.

| for the depths | try |
|---|---|
| what comes with a request | `show_request` |
| a page to visit first | `visit_first` |
| progress that is odd | `odd_progress` |
| a tool that HTTP excludes | `odd_header` |
| what your client declares | `extra_tool`, which has to be earned |

| when it goes wrong | try |
|---|---|
| a tool fails | `fail` |
| a result breaks its schema | `wrong_output` |
| the server dies | `exit_process` |

> Nothing here reaches the network.

```python
await session.call_tool("echo", {"text": "Hello!"})
```
"""

TABLE = "city,latitude,longitude\n" + "Oslo,59.91,10.75\nLima,-12.05,-77.04\nCairo,30.04,31.24\n"


def _text(value: str) -> Sequence[Json]:
    return [{"text": value}]


def _blob(data: bytes) -> Sequence[Json]:
    return [{"blob": base64.b64encode(data).decode()}]


GUIDE = Resource(
    "demo://docs/guide.md",
    "guide.md",
    "A walk through the demo",
    "What to try, in Markdown.",
    "text/markdown",
    lambda: _text(GUIDE_TEXT),
    {"annotations": {"audience": ["user"], "priority": 1.0}, "size": len(GUIDE_TEXT.encode())},
)

FILES = (
    Resource(
        "demo://files/README.txt",
        "README.txt",
        "Read me",
        "A file in a folder.",
        "text/plain",
        lambda: _text("This folder is made up.\n"),
        {"annotations": {"lastModified": "2026-07-28T12:00:00Z"}},
    ),
    Resource("demo://files/data/cities.csv", "cities.csv", "Cities", "A table.", "text/csv", lambda: _text(TABLE)),
    Resource(
        "demo://files/data/rings.png",
        "rings.png",
        "Rings",
        "A picture.",
        "image/png",
        lambda: _blob(media.png(64, 64, "rings", "green")),
    ),
    Resource(
        "demo://files/notes/todo.md",
        "todo.md",
        "To do",
        "A list.",
        "text/markdown",
        lambda: _text("- [x] connect\n- [ ] call a tool\n"),
    ),
)
FOLDERS = ["data", "notes"]


def _folder() -> Sequence[Json]:
    """A folder is read as all that is in it: several contents, each with its own URI."""
    return [{"uri": file.uri, "mimeType": file.mime, **file.read()[0]} for file in FILES]


RESOURCES = (
    Resource("demo://welcome", "welcome", "Welcome", "A first plain text.", "text/plain", lambda: _text(WELCOME)),
    GUIDE,
    Resource(
        "demo://books.json",
        "books.json",
        "The whole shelf",
        "Eighteen books as JSON.",
        "application/json",
        lambda: _text(json.dumps([book.json() for book in library.BOOKS], ensure_ascii=False, indent=2)),
    ),
    Resource(
        "demo://logo.png",
        "logo.png",
        "A picture",
        "A picture, sent as Base64.",
        "image/png",
        lambda: _blob(media.png(128, 128, "waves", "blue")),
    ),
    Resource(
        "demo://files/",
        "files",
        "A folder",
        "Read as several contents at once.",
        "inode/directory",
        _folder,
    ),
    *FILES,
)


def _book(uri: str) -> Sequence[Json] | None:
    head, _, name = uri.partition("demo://books/")
    book = None if head else library.BY_ID.get(unquote(name))
    return None if book is None else _text(json.dumps(book.json(), ensure_ascii=False, indent=2))


def _search(uri: str) -> Sequence[Json] | None:
    parts = urlsplit(uri)
    if (parts.scheme, parts.netloc, parts.path) != ("demo", "search", ""):
        return None
    asked = {name: values[-1] for name, values in parse_qs(parts.query, keep_blank_values=True).items()}
    found = library.search(asked.get("q", ""), asked.get("lang", ""))
    return _text(json.dumps([book.json() for book in found], ensure_ascii=False, indent=2))


def _words(chosen: Mapping[str, str]) -> list[str]:
    """The authors of the language that is chosen already."""
    return sorted({book.author for book in library.search(lang=chosen.get("lang", ""))})


TEMPLATES = (
    Template(
        "demo://books/{id}",
        "book",
        "One book",
        "A book of the shelf by its name.",
        "application/json",
        _book,
        {"id": lambda chosen: list(library.BY_ID)},
    ),
    Template(
        "demo://search{?q,lang}",
        "search",
        "Search the shelf",
        "Books by words and language; the suggestions for words depend on the language.",
        "application/json",
        _search,
        {"q": _words, "lang": lambda chosen: list(library.LANGUAGES)},
    ),
)
