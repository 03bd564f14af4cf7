"""Arguments as something else: JSON, a command line, a Python program. Secrets become variables."""

from __future__ import annotations

import re
import shlex
import sys
from typing import TYPE_CHECKING

from mcp_inspector.schema.kinds import FieldKind
from mcp_inspector.wire import jsontext
from mcp_inspector.wire.jsontext import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcp_inspector.config.entry import ServerEntry
    from mcp_inspector.schema.document import Document
    from mcp_inspector.schema.fields import Field, Form
    from mcp_inspector.wire.jsontext import Node

_NOT_A_NAME = re.compile(r"\W+")
_PROGRAM = "mcp-inspector"
_DEEPEST = 30


def as_json(document: Document, *, lines: bool = True) -> str:
    """The arguments as they are, or on one line as they are sent."""
    return document.text if lines else document.wire_bytes().decode()


def as_command(entry: ServerEntry, kind: str, name: str, form: Form, document: Document) -> str:
    """A command line of this program that sends the same, for a POSIX shell."""
    text, secrets = _without_secrets(form, document)
    words = [_PROGRAM, {"tools": "call", "prompts": "prompt", "templates": "read"}.get(kind, "call")]
    tail: list[str] = []
    if entry.origin in ("built in", "command line") or not entry.origin:
        if entry.remote:
            words.append(shlex.quote(entry.url))
        else:
            # Values stay out of it: the environment of a server is where secrets are kept.
            tail = [part for name_ in entry.env for part in ("--env", f'{shlex.quote(name_)}="${name_}"')]
            tail += ["--cwd", shlex.quote(entry.cwd)] if entry.cwd else []
            tail += ["--", *map(shlex.quote, (_command(entry.command), *entry.args))]
    else:
        words.append(shlex.quote(entry.name))
    words.append(shlex.quote(name))
    if kind == "prompts":
        value = document.value((), {})
        for key, one in value.items() if isinstance(value, dict) else ():
            words.append(shlex.quote(f"{key}={one}"))
    elif text != "{}" and kind != "templates":
        words += ["--args", _quoted(text, secrets)]
    return " ".join([*words, *tail])


def as_python(entry: ServerEntry, kind: str, name: str, form: Form, document: Document) -> str:
    """A program on the official SDK that sends the same."""
    text, secrets = _without_secrets(form, document)
    call = {"prompts": "get_prompt", "templates": "read_resource"}.get(kind, "call_tool")
    arguments = f"json.loads({text!r})"
    for variable, quoted in secrets.items():
        text_of = f"json.dumps(os.environ[{variable!r}])"
        arguments = arguments[:-1] + f".replace({quoted!r}, {text_of}))"
    loads = [] if kind == "templates" else ["import json"]
    lines = ["import asyncio", *loads, *(["import os"] if secrets or entry.env else []), ""]
    if entry.remote:
        lines += [
            "from mcp import ClientSession",
            "from mcp.client.streamable_http import streamable_http_client",
            "",
            "",
            "async def main() -> None:",
            f"    async with streamable_http_client({entry.url!r}) as streams:",
            "        async with ClientSession(streams[0], streams[1]) as session:",
        ]
    else:
        lines += [
            "from mcp import ClientSession, StdioServerParameters",
            "from mcp.client.stdio import stdio_client",
            "",
            "",
            "async def main() -> None:",
            f"    server = StdioServerParameters({_started(entry)})",
            "    async with stdio_client(server) as streams:",
            "        async with ClientSession(*streams) as session:",
        ]
    return "\n".join(
        [
            *lines,
            "            await session.initialize()",
            *([] if kind == "templates" else [f"            arguments = {arguments}"]),
            f"            print(await session.{call}({name!r}{'' if kind == 'templates' else ', arguments'}))",
            "",
            "",
            "asyncio.run(main())",
            "",
        ]
    )


def _started(entry: ServerEntry) -> str:
    parts = [f"command={_command(entry.command)!r}", f"args={list(entry.args)!r}"]
    if entry.env:
        parts.append(f"env={{{', '.join(f'{name!r}: os.environ[{name!r}]' for name in entry.env)}}}")
    return ", ".join([*parts, *([f"cwd={entry.cwd!r}"] if entry.cwd else [])])


def _command(command: str) -> str:
    """This interpreter has another place on another machine."""
    return "python" if command == sys.executable else command


def _without_secrets(form: Form, document: Document) -> tuple[str, dict[str, str]]:
    """The arguments on one line with a stand-in for each secret, and the stand-ins as JSON by variable."""
    from mcp_inspector.schema.document import Document as Copy

    copy = Copy(document.text)
    secrets: dict[str, str] = {}
    for field, node in _filled(form.root, copy.root, 0):
        if field.secret and node.kind is Kind.STRING and not node.is_empty:
            variable = _NOT_A_NAME.sub("_", str(field.key)).strip("_").upper() or "SECRET"
            while variable in secrets:
                variable += "_"
            secrets[variable] = jsontext.quote(f"${variable}")
            copy.set(field.path, secrets[variable])
    return jsontext.compact(copy.text), secrets


def _filled(field: Field, node: Node | None, depth: int) -> Iterator[tuple[Field, Node]]:
    if node is None or depth > _DEEPEST:
        return
    yield field, node
    if field.kind is FieldKind.UNION:
        at = field.detect(node)
        if at is not None:
            yield from _filled(field.branch(at), node, depth + 1)
        return
    if node.is_container and field.shows(node):
        for child in field.children(node):
            yield from _filled(child, node.get(child.key), depth + 1)


def _quoted(text: str, secrets: dict[str, str]) -> str:
    """For the shell; a stand-in becomes its variable between two quoted parts."""
    word = shlex.quote(text)
    for variable, quoted in secrets.items():
        word = word.replace(quoted, f'"\'"${variable}"\'"')
    return word
