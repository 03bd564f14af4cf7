"""What goes to standard output: one JSON document, or text for people.

Text that comes from a server is shown with its control characters as escapes, always: a pipe may end in a terminal.
``--json`` gives everything exactly as it came.
"""

from __future__ import annotations

import re
import shutil
import sys
from typing import TYPE_CHECKING, Any

import msgspec

from mcp_inspector.cli.exits import OutputError
from mcp_inspector.config.visible import visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from mcp_inspector.session.catalogue import Item, Listing

_HIDDEN_IN_JSON = re.compile(
    "[\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e0fff]"
)
_WIDEST_NAME = 40


def put_json(raw: bytes) -> None:
    """One JSON document. On a terminal it is laid out, and what could steer the terminal becomes a JSON escape."""
    if sys.stdout.isatty():
        from mcp_inspector.wire.jsontext import pretty

        text = _HIDDEN_IN_JSON.sub(_json_escape, pretty(raw.decode(errors="replace")))
        raw = text.encode(errors="replace")
    _write(raw + b"\n")


def put(lines: Iterable[str]) -> None:
    """Lines for people, made safe."""
    text = "".join(visible(line, keep="\n\t") + "\n" for line in lines)
    _write(text.encode(errors="backslashreplace"))


def put_text(text: str) -> None:
    """A text as it is, for whoever reads the pipe."""
    _write(text.encode(errors="backslashreplace"))


def _write(data: bytes) -> None:
    try:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError(f"the output cannot be written: {error.strerror}.") from error


def width() -> int:
    """How many characters a line may have: those of the terminal, or no limit in a pipe."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else 10_000


def listing_lines(listing: Listing, title: str) -> list[str]:
    """One list for people: name, description, and what a tool or prompt wants."""
    lines = [f"{title} ({len(listing.items)})"]
    names = [_line(item.key) or "(broken)" for item in listing.items]
    column = min(max(map(len, names), default=0), _WIDEST_NAME)
    for item, name in zip(listing.items, names, strict=True):
        about = _line(item.description or (item.title if item.title != item.key else ""))
        lines.append(_cut(f"  {name:<{column}}  {about}".rstrip()))
        if item.problem:
            lines.append(f"  {'':<{column}}  ! {item.problem}")
        elif wants := _wants(item):
            lines.append(_cut(f"  {'':<{column}}  {wants}"))
    return lines


def result_lines(result: Mapping[str, Any]) -> list[str]:
    """A tool's result: its content, then its structured content where that says something else."""
    content = result.get("content")
    blocks = content if isinstance(content, list) else []
    lines = [line for block in blocks for line in block_lines(block)]
    structured = result.get("structuredContent")
    if structured is not None and not _said_already(blocks, structured):
        lines += ["structured content:", _pretty(structured)]
    return lines or ["(no content)"]


def block_lines(block: Any) -> list[str]:
    """One block of content. Bytes are described, not printed."""
    if not isinstance(block, dict):
        return [_pretty(block)]
    kind = block.get("type")
    if kind == "text" and isinstance(block.get("text"), str):
        return [block["text"]]
    if kind in ("image", "audio"):
        return [f"[{kind} {_line(block.get('mimeType'))}, {_bytes(block.get('data'))}; --json shows the data]"]
    if kind == "resource_link":
        return [f"[link {_line(block.get('uri'))} {_line(block.get('title') or block.get('name'))}]".replace(" ]", "]")]
    if kind == "resource" and isinstance(block.get("resource"), dict):
        return resource_lines(block["resource"])
    return [_pretty(block)]


def resource_lines(resource: Any) -> list[str]:
    """One piece of a resource's contents."""
    if not isinstance(resource, dict):
        return [_pretty(resource)]
    if isinstance(resource.get("text"), str):
        return [resource["text"]]
    size = _bytes(resource.get("blob"))
    return [f"[{_line(resource.get('uri'))} {_line(resource.get('mimeType'))}, {size}; --json shows the data]"]


def message_lines(result: Mapping[str, Any]) -> list[str]:
    """The messages of a prompt, each under its role."""
    messages = result.get("messages")
    lines = [str(result["description"]), ""] if isinstance(result.get("description"), str) else []
    for message in messages if isinstance(messages, list) else []:
        if not isinstance(message, dict):
            lines.append(_pretty(message))
            continue
        content = message.get("content")
        blocks = content if isinstance(content, list) else [content]
        lines += [f"{_line(message.get('role'))}:", *(line for block in blocks for line in block_lines(block)), ""]
    return lines[:-1] if lines else ["(no messages)"]


def _wants(item: Item) -> str:
    """What a tool or prompt takes, in the way it is typed: ``text=string [count=integer]``."""
    parts = []
    schema = item.value.get("inputSchema")
    if isinstance(schema, dict):
        required = schema.get("required") if isinstance(schema.get("required"), list) else []
        members = schema.get("properties")
        for name, part in members.items() if isinstance(members, dict) else ():
            kind = part.get("type") if isinstance(part, dict) else None
            word = f"{name}={kind if isinstance(kind, str) else '…'}"
            parts.append(word if name in (required or ()) else f"[{word}]")
    arguments = item.value.get("arguments")
    for argument in arguments if isinstance(arguments, list) else ():
        if isinstance(argument, dict):
            word = f"{argument.get('name')}=…"
            parts.append(word if argument.get("required") is True else f"[{word}]")
    return _line(" ".join(parts))


def _line(value: Any) -> str:
    """The first line of a text, without hidden characters."""
    text = value.strip() if isinstance(value, str) else ""
    return visible(text.split("\n", 1)[0].strip())


def _cut(line: str) -> str:
    limit = width()
    return line if len(line) <= limit else line[: limit - 1] + "…"


def _bytes(data: Any) -> str:
    if not isinstance(data, str):
        return "no data"
    size = len(data) * 3 // 4 - data[-2:].count("=")
    return f"{size:,} bytes"


def _said_already(blocks: list[Any], structured: Any) -> bool:
    """Whether a text block is the structured content as JSON, as the specification advises servers to do."""
    for block in blocks:
        text = block.get("text") if isinstance(block, dict) else None
        if isinstance(text, str):
            try:
                if msgspec.json.decode(text) in (structured, structured.get("result", ...)):
                    return True
            except (msgspec.MsgspecError, RecursionError, AttributeError):
                continue
    return False


def _pretty(value: Any) -> str:
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode()


def _json_escape(found: re.Match[str]) -> str:
    units = memoryview(found[0].encode("utf-16-le")).cast("H")
    return "".join(f"\\u{unit:04x}" for unit in units)
