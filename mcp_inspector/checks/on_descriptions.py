"""Advice on tools and descriptions, as a model reads them. No rules of the specification, so none is an error."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Any

import msgspec

from mcp_inspector.checks import methods
from mcp_inspector.checks.on_lists import items, named
from mcp_inspector.checks.rule import INFO, WARNING, Hit, rule, rules_in
from mcp_inspector.checks.view import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcp_inspector.checks.view import View

_LISTS = tuple(f"result {method}" for method in methods.LISTS)
_TOOLS = "result tools/list"
_HIDDEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0e"
    "\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]"
)
_JOINED = re.compile("(?<=[^\x00-\u2190])\u200d(?=[^\x00-\u2190])|(?<=[\u0600-\u109f])[\u200c\u200d]|\ufeff?$^")
_TAG = range(0xE0020, 0xE007F)
_BIDI = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
_BYTES_A_TOKEN = 4
_MANY_TOKENS, _MANY_IN_ALL, _LONG_RESULT = 2_000, 20_000, 25_000
_SHORT = 10
_COMMANDING = re.compile(
    r"<(?:important|system|instructions?)>|ignore (?:all |any )?(?:previous|prior|other) instructions"
    r"|do not (?:tell|inform|mention|reveal)[^.]{0,40}\buser\b"
    r"|before (?:using|calling) (?:any|this|other)[^.]{0,30}tools?,?"
    r" (?:you )?(?:must|always)",
    re.IGNORECASE,
)


def _texts(item: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The texts of an item that a model or a person reads, each with where it is."""
    for key in ("name", "title", "description", "uri", "uriTemplate"):
        if isinstance(item.get(key), str):
            yield key, item[key]
    hints = item.get("annotations")
    if isinstance(hints, dict) and isinstance(hints.get("title"), str):
        yield "annotations.title", hints["title"]
    arguments = item.get("arguments")
    for one in arguments if isinstance(arguments, list) else ():
        if isinstance(one, dict):
            yield from ((f"argument {one.get('name')}", text) for text in one.values() if isinstance(text, str))
    yield from _schema_texts(item.get("inputSchema"))


def _schema_texts(schema: Any) -> Iterator[tuple[str, str]]:
    todo: list[tuple[str, Any, int]] = [("inputSchema", schema, 0)]
    seen = 0
    while todo and seen < 2_000:
        where, part, depth = todo.pop()
        seen += 1
        if isinstance(part, str):
            yield where, part
        elif isinstance(part, dict) and depth < 12:
            yield from ((f"{where}: a member's name", key) for key in part if not key.isascii())
            todo.extend((f"{where}.{key}"[:120], value, depth + 1) for key, value in part.items())
        elif isinstance(part, list) and depth < 12:
            todo.extend((where, value, depth + 1) for value in part[:200])


@rule("hidden-characters", 0, WARNING, "A text holds nothing that people cannot see.", "advice", *_LISTS)
def hidden_characters(view: View) -> Iterator[str | Hit]:
    for item in items(view):
        yield ""
        for where, text in _texts(item):
            if text.isascii() and text.isprintable():
                continue
            found = [match[0] for match in _HIDDEN.finditer(_JOINED.sub("", text))]
            if found:
                yield Hit(f"{where} of {shown(named(item), 60)} holds {_described(found)}.", tool=named(item))


@rule(
    "hidden-instructions",
    0,
    WARNING,
    "What a server says of itself hides nothing.",
    "advice",
    "result initialize",
    "result server/discover",
)
def hidden_instructions(view: View) -> Iterator[str]:
    text = view.result.get("instructions")
    found = [match[0] for match in _HIDDEN.finditer(_JOINED.sub("", text))] if isinstance(text, str) else []
    if found:
        yield f"The instructions hold {_described(found)}."


@rule("commanding", 0, WARNING, "A description describes; it gives no orders.", "advice", *_LISTS)
def commanding(view: View) -> Iterator[str | Hit]:
    for item in items(view):
        yield ""
        for where, text in _texts(item):
            match = _COMMANDING.search(text[:20_000])
            if match is not None:
                sentence = f"{where} of {shown(named(item), 60)} gives orders to a model: {shown(match[0], 80)}."
                yield Hit(sentence, tool=named(item))


@rule("no-description", 0, WARNING, "A tool is described.", "advice", _TOOLS)
def no_description(view: View) -> Iterator[str | Hit]:
    for tool in items(view):
        text = tool.get("description")
        name = named(tool)
        if not isinstance(text, str) or not text.strip():
            yield Hit(f"{shown(name)} has no description: a model can only guess what it does.", tool=name)


@rule("short-description", 0, INFO, "A description says something.", "advice", _TOOLS)
def short_description(view: View) -> Iterator[str | Hit]:
    for tool in items(view):
        text, name = tool.get("description"), named(tool)
        if isinstance(text, str) and text.strip() and (len(text.strip()) < _SHORT or _words(text) == _words(name)):
            yield Hit(f"The description of {shown(name)} says no more than its name: {shown(text)}.", tool=name)


@rule("no-parameter-description", 0, INFO, "Arguments are described.", "advice", _TOOLS)
def no_parameter_description(view: View) -> Iterator[str | Hit]:
    for tool in items(view):
        schema, name = tool.get("inputSchema"), named(tool)
        properties = schema.get("properties") if isinstance(schema, dict) else None
        bare = [
            key
            for key, part in (properties.items() if isinstance(properties, dict) else ())
            if isinstance(part, dict) and not part.get("description") and not part.get("title") and "$ref" not in part
        ]
        if bare:
            yield Hit(f"{shown(name)} does not describe {', '.join(shown(key, 40) for key in bare[:5])}.", tool=name)


@rule("required-unknown", 0, WARNING, "What is required is a property.", "advice", _TOOLS)
def required_unknown(view: View) -> Iterator[str | Hit]:
    for tool in items(view):
        schema, name = tool.get("inputSchema"), named(tool)
        if not isinstance(schema, dict) or not isinstance(schema.get("required"), list):
            continue
        properties = schema.get("properties")
        closed = any(key in schema for key in ("allOf", "anyOf", "oneOf", "$ref", "patternProperties"))
        unknown = [key for key in schema["required"] if isinstance(properties, dict) and str(key) not in properties]
        if unknown and not closed:
            yield Hit(f"{shown(name)} requires {shown(unknown[0])}, which is none of its properties.", tool=name)


@rule("names-alike", 0, WARNING, "Names differ by more than case.", "advice", *_LISTS[:2])
def names_alike(view: View) -> Iterator[str | Hit]:
    seen: dict[str, str] = {}
    for item in items(view):
        name = named(item)
        plain = unicodedata.normalize("NFKC", name).casefold().replace("-", "_")
        other = seen.setdefault(plain, name)
        if other != name:
            yield Hit(f"{shown(name)} and {shown(other)} are easily taken for each other.", tool=name)


@rule("tokens", 0, INFO, "A tool fits into a model's context.", "advice", _TOOLS)
def tokens(view: View) -> Iterator[str | Hit]:
    total = 0
    for tool in items(view):
        size = len(msgspec.json.encode(tool)) // _BYTES_A_TOKEN
        total += size
        if size > _MANY_TOKENS:
            yield Hit(f"{shown(named(tool))} takes about {size:,} tokens of each conversation.", tool=named(tool))
    if total > _MANY_IN_ALL:
        yield f"The tools of this page take about {total:,} tokens of each conversation."


@rule("result-tokens", 0, INFO, "A result fits into a model's context.", "advice", "result tools/call")
def result_tokens(view: View) -> Iterator[str]:
    content = view.result.get("content")
    size = sum(
        len(block["text"])
        for block in (content if isinstance(content, list) else ())
        if isinstance(block, dict) and isinstance(block.get("text"), str)
    )
    if size // _BYTES_A_TOKEN > _LONG_RESULT:
        yield f"The text of the result takes about {size // _BYTES_A_TOKEN:,} tokens."


def _described(found: list[str]) -> str:
    """Hidden characters in words, with what tag characters spell."""
    spelled = "".join(chr(ord(one) - 0xE0000) for one in found if ord(one) in _TAG)
    if spelled:
        return f"{len(spelled)} invisible tag characters that spell {shown(spelled)}"
    if any(one in _BIDI for one in found):
        return f"characters that turn the direction of text ({_codes(found)})"
    return f"characters that cannot be seen ({_codes(found)})"


def _codes(found: list[str]) -> str:
    return ", ".join(f"U+{ord(one):04X}" for one in list(dict.fromkeys(found))[:5])


def _words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", text.casefold())


RULES = rules_in(globals())
