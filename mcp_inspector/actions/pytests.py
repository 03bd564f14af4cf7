"""A Python test from an exchange that happened: it runs with pytest on the official SDK, and nothing of ours."""

from __future__ import annotations

import keyword
import math
import pprint
import re
from typing import TYPE_CHECKING, Any

from mcp_inspector.actions.collection import Kind
from mcp_inspector.actions.making import Happened, plain
from mcp_inspector.store.redact import is_secret_name

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mcp_inspector.config.entry import ServerEntry

_LONGEST_EQUAL = 2_000
_VARIABLE = re.compile(r"\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}")

_HEAD = '''\
"""{title}

Run it with: pip install "mcp>=2,<3" pytest && pytest {file}
"""

import asyncio
{imports}
from mcp import Client{names}

{server}

TIMEOUT = 60  # seconds


def {name}():
    """{title}"""
    asyncio.run(asyncio.wait_for(check(), TIMEOUT))


async def check():
    async with Client({client}) as client:
'''


def file_name(one: Happened) -> str:
    """What to call the file."""
    return f"{_word(one)}.py"


def pytest_of(one: Happened, entry: ServerEntry) -> str:
    """The text of the file. Secrets of the server's entry are taken from environment variables."""
    if entry.remote:
        server, client, needs_os, names = _remote(entry)
    else:
        server, needs_os = _local(entry)
        client, names = "SERVER", ", StdioServerParameters"
    body = _body(one)
    imports = "import os\n" if needs_os else ""
    title = _quiet(f"{one.server}: {one.kind} {one.target}")
    more = ", MCPError" if one.error else ""
    text = _HEAD.format(
        title=title,
        file=file_name(one),
        imports=imports,
        names=f"{more}{names}" if more else names,
        server=server,
        name=_word(one),
        client=client,
    )
    if "pytest." in body:
        text = text.replace("\nfrom mcp import", "\nimport pytest\nfrom mcp import", 1)
    return text + body


def _body(one: Happened) -> str:
    call = _call(one)
    pad = " " * 8
    if one.error:
        code = one.code
        lines = ["with pytest.raises(MCPError) as caught:", f"    await {call}"]
        if code is not None:
            lines.append(f"assert caught.value.error.code == {code}")
        return "".join(f"{pad}{line}\n" for line in lines)
    lines = [f"answer = await {call}", 'result = answer.model_dump(mode="json", by_alias=True, exclude_none=True)']
    lines += _asserts(one)
    return "".join(f"{pad}{part}\n" for line in lines for part in line.split("\n"))


def _call(one: Happened) -> str:
    target = repr(one.target)
    if one.kind is Kind.RESOURCE:
        return f"client.read_resource({target})"
    method = "call_tool" if one.kind is Kind.TOOL else "get_prompt"
    return f"client.{method}({target}, {_literal(plain(one.arguments))})"


def _asserts(one: Happened) -> list[str]:
    if one.tool_error:
        return ['assert result.get("isError") is True']
    result = plain(one.result) if one.result else {}
    lines = ['assert not result.get("isError")'] if one.kind is Kind.TOOL else []
    if not isinstance(result, dict):
        return lines
    structured = result.get("structuredContent")
    if structured is not None:
        whole = _literal(structured)
        if len(whole) <= _LONGEST_EQUAL:
            return [*lines, f'assert result["structuredContent"] == {whole}']
        keys = sorted(structured) if isinstance(structured, dict) else []
        return [*lines, f'assert sorted(result["structuredContent"]) == {_literal(keys)}']
    member = {Kind.TOOL: "content", Kind.PROMPT: "messages", Kind.RESOURCE: "contents"}[one.kind]
    items = result.get(member)
    if not isinstance(items, list):
        return lines
    lines.append(f'assert len(result["{member}"]) == {len(items)}')
    first: Any = items[0] if items else None
    path = f'result["{member}"][0]'
    if one.kind is Kind.PROMPT and isinstance(first, dict):
        lines.append(f'assert {path}["role"] == {first.get("role")!r}')
        first, path = first.get("content"), f'{path}["content"]'
    if isinstance(first, dict) and isinstance(first.get("text"), str):
        text = first["text"]
        if len(text) <= _LONGEST_EQUAL:
            lines.append(f'assert {path}["text"] == {text!r}')
        else:
            lines.append(f'assert {path}["text"].startswith({text[:200]!r})')
    return lines


def _local(entry: ServerEntry) -> tuple[str, bool]:
    """The server as the SDK starts it. It gets the whole environment, as it does from us."""
    words = [f"    command={_filled(entry.command)},", f"    args=[{', '.join(map(_filled, entry.args))}],"]
    env = "".join(f", {name!r}: {_named(name, value)}" for name, value in entry.env.items())
    words.append(f"    env={{**os.environ{env}}},")
    if entry.cwd:
        words.append(f"    cwd={_filled(entry.cwd)},")
    return "SERVER = StdioServerParameters(\n" + "\n".join(words) + "\n)", True


def _remote(entry: ServerEntry) -> tuple[str, str, bool, str]:
    server = f"URL = {_filled(entry.url)}"
    needs_os = "os." in server
    if not entry.headers:
        return server, "URL", needs_os, ""
    inner = ", ".join(f"{name!r}: {_named(name, value, strict=True)}" for name, value in entry.headers.items())
    server += f"\nHEADERS = {{{inner}}}"
    client = "streamable_http_client(URL, http_client=create_mcp_http_client(headers=HEADERS))"
    names = "\nfrom mcp.client.streamable_http import create_mcp_http_client, streamable_http_client"
    return server, client, "os." in server, names


def _named(name: str, value: str, *, strict: bool = False) -> str:
    """A value of env or of a header: a secret that stands in the entry itself is asked of the environment."""
    if is_secret_name(name, strict=strict) and "${" not in value:
        variable = re.sub(r"\W", "_", name).upper()
        scheme, space, rest = value.partition(" ")
        if strict and space and rest and scheme.isalpha():
            return f'"{scheme} " + os.environ[{variable!r}]'
        return f"os.environ[{variable!r}]"
    return _filled(value)


def _filled(text: str) -> str:
    """A text of the entry as a Python expression, its variables from the environment, a leading ``~`` as the home."""
    parts: list[str] = []
    at = 0
    if text == "~" or text.startswith(("~/", "~\\")):
        parts.append('os.path.expanduser("~")')
        at = 1
    for match in _VARIABLE.finditer(text):
        if match.start() > at:
            parts.append(repr(text[at : match.start()]))
        default = "" if match[2] is None else f", {match[2]!r}"
        parts.append(f"os.environ.get({match[1]!r}{default})" if default else f"os.environ[{match[1]!r}]")
        at = match.end()
    if at < len(text) or not parts:
        parts.append(repr(text[at:]))
    return " + ".join(parts)


def _literal(value: Any) -> str:
    """A value as a Python expression; a number beyond all doubles is written so that it is one."""
    if _odd(value):
        return re.sub(r"(?<![\w'\"])(-?)inf(?![\w'\"])", r'float("\1inf")', repr(value))
    return pprint.pformat(value, width=100, sort_dicts=False)


def _odd(value: Any) -> bool:
    if isinstance(value, float):
        return not math.isfinite(value)
    if isinstance(value, dict):
        return any(_odd(item) for item in value.values())
    return isinstance(value, list) and any(_odd(item) for item in value)


def _word(one: Happened) -> str:
    """A name for the test and its file."""
    plain_text = re.sub(r"\W+", "_", one.target.encode("ascii", "ignore").decode()).strip("_").lower()[:60]
    word = f"test_{plain_text or one.kind.value}"
    return f"{word}_" if keyword.iskeyword(word) else word


def _quiet(text: str) -> str:
    """A text that cannot end the docstring it stands in."""
    return re.sub(r"[^\w .,:;/()<>=@#%&*+?!~^|'-]", " ", text).strip()[:150]


def described(entry: ServerEntry) -> Mapping[str, str]:
    """Which environment variables the test needs for secrets that stand in the entry itself: variable and origin."""
    pairs = [*entry.headers.items()] if entry.remote else [*entry.env.items()]
    return {
        re.sub(r"\W", "_", name).upper(): name
        for name, value in pairs
        if is_secret_name(name, strict=entry.remote) and "${" not in value
    }
