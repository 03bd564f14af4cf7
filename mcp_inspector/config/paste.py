"""One pasted text into servers: a command line, an address, a settings file of any program, or a part of one.

Nothing is started or written here: what was understood is given back in words, to be shown first.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from mcp_inspector.config import jsonc
from mcp_inspector.config.command_line import CommandLineError, split
from mcp_inspector.config.entry_reader import read_entry
from mcp_inspector.config.jsonc import JsoncError
from mcp_inspector.config.names import free_name, name_of_command, name_of_url
from mcp_inspector.config.shapes import ACCEPTED, locate
from mcp_inspector.config.visible import visible

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from mcp_inspector.config.entry import ServerEntry

_FENCE = re.compile(r"\A\s*```[\w-]*[ \t]*\r?\n(.*?)\r?\n?```\s*\Z", re.DOTALL)
_URL = re.compile(r"\A<?(https?://\S+?)>?\Z", re.IGNORECASE)
_FRAGMENT = re.compile(r'\A(?:[ \t\r\n]|//[^\n]*\n)*"(?:[^"\\]|\\.)*"\s*:')
_TOML = re.compile(r"^\s*\[[\w.\"-]*mcp_?servers\b", re.IGNORECASE | re.MULTILINE)
_ASSIGNMENT = re.compile(r"\A([A-Za-z_][A-Za-z0-9_]*)=(.*)\Z", re.DOTALL)
_LONGEST_COMMAND = 1 << 16  # characters; taking words apart is quadratic in their length
_OPERATORS = frozenset({"|", "||", "&&", "&", ";", ">", ">>", "<", "2>", "2>&1"})


@dataclass(frozen=True)
class Pasted:
    """What a text was understood as. `words` says it for people; `problems` are sentences about the text as a whole."""

    entries: tuple[ServerEntry, ...] = ()
    words: str = ""
    problems: tuple[str, ...] = ()
    values: tuple[Any, ...] = ()
    """The plain values of the entries, with members that nobody knows; empty where they say all."""


def understand(text: str, taken: Collection[str] = (), origin: str = "pasted") -> Pasted:
    """Understand a pasted text. Names in `taken` are not used again. Never raises."""
    fenced = _FENCE.match(text)
    text = (fenced.group(1) if fenced else text).lstrip(jsonc.BOM).strip()
    if not text:
        return Pasted(problems=("There is nothing to understand. Paste a command line, a URL or a settings file.",))
    if url := _URL.match(text):
        return _named([from_url(url.group(1), origin)], taken, "a URL")
    if _TOML.search(text):
        return _toml(text, taken, origin)
    if _FRAGMENT.match(text):
        return _json("{" + text + "\n}", taken, origin)
    if text[0] in "{[" or text.startswith(("//", "/*")):
        return _json(text, taken, origin)
    return _command(text, taken, origin)


def from_argv(argv: Sequence[str], origin: str = "command line") -> ServerEntry:
    """The server that a command starts. Its words may hold variables as in a file: ``${NAME}``."""
    command, *args = argv
    return read_entry(name_of_command(command, args), {"command": command, "args": args}, origin)


def from_url(url: str, origin: str = "command line") -> ServerEntry:
    """The server at an address."""
    return read_entry(name_of_url(url), {"url": url}, origin)


def looks_like_url(text: str) -> bool:
    """Whether a word of the command line is an address and not the name of a server."""
    return re.match(r"[a-z][a-z0-9+.-]*://", text, re.IGNORECASE) is not None


def _command(text: str, taken: Collection[str], origin: str) -> Pasted:
    if len(text) > _LONGEST_COMMAND:
        sentence = f"This is neither JSON nor a URL, and too long for a command line ({len(text):,} characters)."
        return Pasted(problems=(sentence,))
    try:
        words = split(re.sub(r"\A[$>%#]\s+", "", text))
    except CommandLineError as error:
        return Pasted(problems=(f"This looks like a command line, but {error}. Correct it.",))
    env: dict[str, str] = {}
    while words and (assignment := _ASSIGNMENT.match(words[0])):
        env[assignment.group(1)] = assignment.group(2)
        words.pop(0)
    if not words:
        return Pasted(problems=("This sets variables, but starts nothing. Add the command.",))
    notes = []
    if found := [word for word in words if word in _OPERATORS]:
        notes.append(
            f"{found[0]} would be given to the program as an argument, because no shell is used. "
            f"Take it away, or start a shell: sh -c '…'."
        )
    if "\n" in text and not re.search(r"\\\r?\n", text):
        notes.append("The text has several lines; they were taken as one command.")
    entry = replace(from_argv(words, origin), env=env)
    return replace(_named([entry], taken, "a command line"), problems=tuple(notes))


def _json(text: str, taken: Collection[str], origin: str) -> Pasted:
    try:
        value = jsonc.parse(text).plain(spelled=True)
    except JsoncError as error:
        return Pasted(problems=(f"This looks like JSON, but cannot be read: {error}.",))
    return _located(value, taken, origin, "JSON")


def _toml(text: str, taken: Collection[str], origin: str) -> Pasted:
    import tomllib

    try:
        value = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        return Pasted(problems=(f"This looks like TOML, but cannot be read: {error}.",))
    return _located(value, taken, origin, "TOML")


def _located(value: Any, taken: Collection[str], origin: str, language: str) -> Pasted:
    shape = locate(value)
    if not shape.places:
        return Pasted(problems=shape.problems or (f"This {language} holds no servers. It should be {ACCEPTED}.",))
    entries = [read_entry(place.name, place.value, origin) for place in shape.places]
    values = tuple(place.value for place in shape.places)
    return replace(_named(entries, taken, f"{language}, {shape.word}"), problems=shape.problems, values=values)


def _named(entries: list[ServerEntry], taken: Collection[str], what: str) -> Pasted:
    """Free names for all, and the words for what was found."""
    found: list[ServerEntry] = []
    for entry in entries:
        name = free_name(entry.name, {*taken, *(other.name for other in found)})
        found.append(replace(entry, name=name))
    parts = [_words(entry) for entry in found]
    count = f"{len(parts)} servers: " if len(parts) > 1 else ""
    return Pasted(tuple(found), f"Understood as {what}: {count}{'; '.join(parts)}.")


def _words(entry: ServerEntry) -> str:
    name = f'"{visible(entry.name)}"'
    if entry.fatal:
        return f"{name}, which cannot be used as it is"
    if entry.remote:
        kind = {"http": "Streamable HTTP", "sse": "HTTP+SSE", "auto": "HTTP"}[entry.transport]
        return f"{name} at {visible(entry.url)} ({kind})"
    count = len(entry.args)
    env = f", {len(entry.env)} variable{'s' * (len(entry.env) != 1)}" if entry.env else ""
    return f"{name} starts {visible(entry.command)} with {count} argument{'s' * (count != 1)}{env}"
