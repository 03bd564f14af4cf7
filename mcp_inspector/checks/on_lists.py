"""Lists, their pages, and the names and places in them. Numbers 85 to 91 of the checklist."""

from __future__ import annotations

import base64
import re
from typing import TYPE_CHECKING, Any

from mcp_inspector.checks import methods
from mcp_inspector.checks.rule import ERROR, INFO, WARNING, Hit, rule, rules_in
from mcp_inspector.checks.state import Bounded
from mcp_inspector.checks.view import shown
from mcp_inspector.schema.templates import Template

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcp_inspector.checks.view import View

_LISTS = tuple(f"result {method}" for method in methods.LISTS)
_NEEDED = {
    "tools": ("name", "inputSchema"),
    "prompts": ("name",),
    "resources": ("uri", "name"),
    "resourceTemplates": ("uriTemplate", "name"),
}
_KEYS = {"tools": "name", "prompts": "name", "resources": "uri", "resourceTemplates": "uriTemplate"}
_URI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[A-Za-z0-9._~:/?#\[\]@!$&'()*+,;=%-]*")
_BROKEN_ESCAPE = re.compile(r"%(?![0-9A-Fa-f]{2})")
_TOOL_NAME = re.compile(r"[A-Za-z0-9_.-]{1,128}")
_MODIFIED = re.compile(r"\d{4}-\d\d-\d\d(?:[Tt ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:[Zz]|[+-]\d\d:?\d\d)?)?")
_SIZES = re.compile(r"any|\d{1,5}x\d{1,5}")
_SINCE: dict[str, dict[str, str]] = {
    "tools": {
        "annotations": "2025-03-26",
        "outputSchema": "2025-06-18",
        "title": "2025-06-18",
        "icons": "2025-11-25",
        "execution": "2025-11-25",
    },
    "prompts": {"title": "2025-06-18", "icons": "2025-11-25"},
    "resources": {"title": "2025-06-18", "icons": "2025-11-25"},
    "resourceTemplates": {"title": "2025-06-18", "icons": "2025-11-25"},
}
_MAGIC = {
    "image/png": (b"\x89PNG",),
    "image/jpeg": (b"\xff\xd8\xff",),
    "image/jpg": (b"\xff\xd8\xff",),
    "image/webp": (b"RIFF",),
    "image/gif": (b"GIF8",),
    "image/svg+xml": (b"<",),
}


class _Pages:
    """What the pages of each list have said, from the first one on."""

    def __init__(self) -> None:
        self.cursors: dict[str, Bounded[int]] = {}
        self.names: dict[str, Bounded[int]] = {}
        self.order: dict[tuple[str, str], tuple[tuple[str, ...], int]] = {}


def items(view: View) -> list[dict[str, Any]]:
    """The items of a list result that are objects."""
    found = view.result.get(methods.LISTS.get(view.method, ""))
    return [item for item in found if isinstance(item, dict)] if isinstance(found, list) else []


def named(item: dict[str, Any]) -> str:
    """What an item is called."""
    for key in ("name", "uri", "uriTemplate"):
        if isinstance(item.get(key), str):
            return str(item[key])
    return ""


@rule("list-items", 85, ERROR, "A list is there, and its items are whole.", "schema", *_LISTS)
def list_items(view: View) -> Iterator[str | Hit]:
    member = methods.LISTS[view.method]
    found = view.result.get(member)
    if not view.complete:
        return
    if not isinstance(found, list):
        yield f"The result has no list {member}."
        return
    for place, item in enumerate(found):
        if not isinstance(item, dict):
            yield f"Item {place} of {member} is {shown(item, 40)}, not an object."
            continue
        missing = [key for key in _NEEDED[member] if key not in item]
        if missing:
            yield Hit(f"{shown(named(item) or f'item {place}')} has no {' and no '.join(missing)}.", tool=named(item))


@rule("cursor-type", 86, ERROR, "A cursor is a text.", "pagination", *_LISTS)
def cursor_type(view: View) -> Iterator[str]:
    if "nextCursor" in view.result and not isinstance(view.result["nextCursor"], str):
        yield f"nextCursor is {shown(view.result['nextCursor'])}; it is a text, or it is left out."


@rule("cursor-again", 86, WARNING, "Pages come to an end.", "pagination", *_LISTS)
def cursor_again(view: View) -> Iterator[str | Hit]:
    asked, cursor = view.asked, view.result.get("nextCursor")
    if asked is None:
        return
    known = view.talk.of(_Pages).cursors
    if asked.params.get("cursor") is None:
        known[view.method] = Bounded()
    seen = known.setdefault(view.method, Bounded())
    if isinstance(cursor, str):
        if cursor in seen:
            yield Hit(f"The cursor {shown(cursor)} was given before: the pages go round.", (seen[cursor],))
        seen[cursor] = view.seq


@rule("page-empty", 86, INFO, "A page holds something.", "pagination", *_LISTS)
def page_empty(view: View) -> Iterator[str]:
    if view.result.get(methods.LISTS[view.method]) == [] and isinstance(view.result.get("nextCursor"), str):
        yield "The page is empty and names a next one."


@rule("listed-twice", 88, WARNING, "A list names each thing once.", "tools", *_LISTS)
def listed_twice(view: View) -> Iterator[str | Hit]:
    asked = view.asked
    member = methods.LISTS[view.method]
    pages = view.talk.of(_Pages)
    known = pages.names
    cursor = asked.params.get("cursor") if asked is not None else None
    if not isinstance(cursor, str) or cursor not in pages.cursors.get(view.method, ()):
        known[member] = Bounded()  # a first page, or one under a cursor that nobody gave
    seen = known.setdefault(member, Bounded())
    for item in items(view):
        name = item.get(_KEYS[member])
        if not isinstance(name, str):
            continue
        if name in seen:
            yield Hit(f"{shown(name)} is listed more than once.", (seen[name],), name)
        seen[name] = view.seq


@rule("tool-name", 88, WARNING, "A tool's name is short and plain.", "tools", "result tools/list", since="2025-11-25")
def tool_name(view: View) -> Iterator[str | Hit]:
    for item in items(view):
        name = item.get("name")
        if isinstance(name, str) and _TOOL_NAME.fullmatch(name) is None:
            why = (
                f"it has {len(name)} characters"
                if not 1 <= len(name) <= 128
                else "it has others than A-Z a-z 0-9 _ - ."
            )
            yield Hit(f"The name {shown(name)} is not one of 1 to 128 plain characters: {why}.", tool=name)


@rule("order-changed", 88, INFO, "A list keeps its order.", "tools", *_LISTS)
def order_changed(view: View) -> Iterator[str | Hit]:
    asked = view.asked
    if asked is None:
        return
    known = view.talk.of(_Pages).order
    key = (view.method, shown(asked.params.get("cursor")))
    names = tuple(named(item) for item in items(view))
    before = known.get(key)
    if before is not None and before[0] != names and sorted(before[0]) == sorted(names):
        severity = WARNING if view.modern else None
        yield Hit("The same items come in another order than before.", (before[1],), severity=severity)
    if len(known) < 1000:
        known[key] = (names, view.seq)


@rule("bad-uri", 89, ERROR, "The URI of a resource is one.", "resources", "result resources/list")
def bad_uri(view: View) -> Iterator[str | Hit]:
    for item in items(view):
        uri = item.get("uri")
        if isinstance(uri, str) and not is_uri(uri):
            yield Hit(f"{shown(uri)} is not a URI.", tool=uri)


@rule("bad-template", 89, ERROR, "A URI template follows RFC 6570.", "resources", "result resources/templates/list")
def bad_template(view: View) -> Iterator[str | Hit]:
    for item in items(view):
        template = item.get("uriTemplate")
        if isinstance(template, str):
            for why in Template(template).problems:
                yield Hit(f"The template {shown(template)}: {why}", tool=template)


@rule(
    "bad-annotations",
    89,
    WARNING,
    "Annotations have their values.",
    "resources",
    "result resources/list",
    "result resources/templates/list",
)
def bad_annotations(view: View) -> Iterator[str | Hit]:
    for item in items(view):
        size = item.get("size")
        if "size" in item and (not isinstance(size, int | float) or isinstance(size, bool) or size < 0):
            yield Hit(f"The size of {shown(named(item))} is {shown(size)}.", tool=named(item))
        for why in annotation_faults(item.get("annotations")):
            yield Hit(f"{shown(named(item))}: {why}.", tool=named(item))


@rule("icons", 90, ERROR, "An icon is a picture that may be shown.", "icons", "result", since="2025-11-25")
def icons(view: View) -> Iterator[str | Hit]:
    for owner, icon in _icons(view):
        source = icon.get("src")
        if not isinstance(source, str):
            yield Hit(f"An icon of {shown(owner)} has no src.", tool=owner)
            continue
        scheme = source.split(":", 1)[0].lower()
        if scheme not in ("https", "data", "http"):
            yield Hit(
                f"An icon of {shown(owner)} has the scheme {shown(scheme, 40)}; https and data are allowed.", tool=owner
            )
        elif scheme == "data":
            why = _data_fault(source, icon.get("mimeType"))
            if why:
                yield Hit(f"An icon of {shown(owner)} {why}.", tool=owner)


@rule("icon-sizes", 90, WARNING, "The sizes of an icon are like 48x48, or any.", "icons", "result", since="2025-11-25")
def icon_sizes(view: View) -> Iterator[str | Hit]:
    for owner, icon in _icons(view):
        sizes = icon.get("sizes")
        good = isinstance(sizes, list) and all(isinstance(size, str) and _SIZES.fullmatch(size) for size in sizes)
        if sizes is not None and not good:
            yield Hit(f"An icon of {shown(owner)} has the sizes {shown(sizes)}.", tool=owner)


@rule("newer-members", 91, WARNING, "A result has the members of its version.", "schema", *_LISTS)
def newer_members(view: View) -> Iterator[str | Hit]:
    member = methods.LISTS[view.method]
    for item in items(view):
        newer = [
            f"{name} (since {since})" for name, since in _SINCE[member].items() if name in item and view.version < since
        ]
        if newer:
            yield Hit(f"{shown(named(item))} has {', '.join(newer)}; the version is {view.version}.", tool=named(item))
        if view.modern and "execution" in item:
            yield Hit(f"{shown(named(item))} has execution, which {view.version} has removed.", tool=named(item))


def is_uri(text: str) -> bool:
    """Whether a text is a URI with a scheme, by RFC 3986; characters beyond ASCII are not."""
    return _URI.fullmatch(text) is not None and _BROKEN_ESCAPE.search(text) is None


def annotation_faults(annotations: Any) -> Iterator[str]:
    """What is wrong with the annotations of a resource or a content block."""
    if not isinstance(annotations, dict):
        return
    priority, audience, modified = (annotations.get(name) for name in ("priority", "audience", "lastModified"))
    number = isinstance(priority, int | float) and not isinstance(priority, bool)
    if priority is not None and not (number and 0 <= priority <= 1):
        yield f"its priority is {shown(priority)}, not a number from 0 to 1"
    if audience is not None and not (
        isinstance(audience, list) and all(one in ("user", "assistant") for one in audience)
    ):
        yield f"its audience is {shown(audience)}, not user and assistant"
    if modified is not None and not (isinstance(modified, str) and _MODIFIED.fullmatch(modified)):
        yield f"its lastModified is {shown(modified)}, not a moment of ISO 8601"


def _icons(view: View) -> Iterator[tuple[str, dict[str, Any]]]:
    owners = [("the server", view.result.get("serverInfo"))] if view.method == "initialize" else []
    owners += [(named(item), item) for item in items(view)]
    for owner, item in owners:
        found = item.get("icons") if isinstance(item, dict) else None
        for icon in found if isinstance(found, list) else ():
            if isinstance(icon, dict):
                yield owner, icon


def _data_fault(source: str, stated: Any) -> str:
    """Why the picture in a data URI is not what it says; empty when it is, or cannot be told."""
    head, comma, body = source[5:].partition(",")
    media = head.split(";")[0].lower() or (stated.lower() if isinstance(stated, str) else "")
    if not comma:
        return "is a data URI without data"
    if not head.endswith(";base64"):
        return ""
    try:
        start = base64.b64decode(body[:64], validate=True)
    except ValueError:
        return "is not Base64"
    magic = _MAGIC.get(media)
    if magic is not None and not start.lstrip().startswith(magic):
        return f"says {media}, and its bytes begin otherwise"
    return ""


RULES = rules_in(globals())
