"""What a command line, an environment and an address may hold before they are handed to the system.

Each function gives the words of what is wrong, without the remedy, or an empty text. They are asked twice: when an
entry is read, and again for what variables made of it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mcp_inspector.config.visible import visible

if TYPE_CHECKING:
    from collections.abc import Mapping

_HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+\Z")
_SURROGATE = re.compile("[\ud800-\udfff]")


def text_fault(text: str) -> str:
    """What keeps a text from being an argument, a folder or an environment value."""
    if "\x00" in text:
        return "holds a NUL character, which no program can be given"
    return "holds half of a surrogate pair, which is no character" if _SURROGATE.search(text) else ""


def env_fault(name: str, value: str) -> str:
    """What is wrong with an environment variable."""
    if not name or "=" in name:
        return f'"{visible(name)}" is no name of an environment variable'
    fault = text_fault(name) or text_fault(value)
    return f'"{visible(name)}" {fault}' if fault else ""


def header_fault(name: str, value: str) -> str:
    """What is wrong with an HTTP header."""
    if not _HEADER_NAME.match(name):
        return f'"{visible(name)}" is no name of an HTTP header'
    if re.search(r"[\r\n\x00]", value):
        return f'"{name}" holds a line end or NUL, which no HTTP header may'
    return f'"{name}" {text_fault(value)}' if text_fault(value) else ""


def url_fault(url: str) -> str:
    """What keeps a text from being the address of an MCP server."""
    from urllib.parse import urlsplit

    if re.search(r"[\s\x00-\x1f\x7f]", url):
        return "holds a blank or control character"
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        return f"is not a URL ({error})"
    if parts.scheme in ("ws", "wss"):
        return "is a WebSocket address, and MCP has no WebSocket transport"
    if parts.scheme not in ("http", "https"):
        return "does not begin with http:// or https://"
    if not parts.hostname:
        return "names no host"
    return "has port 0" if port == 0 else ""


def mapping_faults(values: Mapping[str, str], *, headers: bool) -> list[str]:
    """The faults of an environment or of headers."""
    check = header_fault if headers else env_fault
    return [fault for name, value in values.items() if (fault := check(name, value))]
