"""What a resource of the apps extension (``ui://``) says of itself: where it may load from, what it wants of its frame.

Nothing of it is rendered or loaded here: its source stands under Text once it is read.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import msgspec

from mcp_inspector.session.catalogue import What
from mcp_inspector.ui import plain
from mcp_inspector.ui.widgets.rows import Fact

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mcp_inspector.session.server import Server

SCHEME = "ui://"
MIME = "text/html;profile=mcp-app"
_DOMAINS = {
    "connectDomains": "connects to",
    "resourceDomains": "loads from",
    "frameDomains": "frames",
    "baseUriDomains": "has its base at",
}
_ORIGIN = re.compile(r"(?:(?:https?|wss?)://)(?:\*\.)?[A-Za-z0-9.\-\[\]:]+(?::(?:\d+|\*))?")
_LARGEST = 8 << 20


class _Entry(msgspec.Struct):
    uri: Any = ""
    mimeType: Any = ""
    text: msgspec.Raw = msgspec.Raw(b"")
    blob: msgspec.Raw = msgspec.Raw(b"")
    meta: Any = msgspec.field(name="_meta", default=None)


class _Contents(msgspec.Struct):
    contents: list[_Entry] = msgspec.field(default_factory=list)


def is_view(uri: str) -> bool:
    """Whether a URI names a view of the apps extension."""
    return uri.lower().startswith(SCHEME)


def view_facts(uri: str, listed: Any, result: bytes = b"", used_by: tuple[str, ...] = ()) -> list[Fact]:
    """Rows about a view; none for other resources. `listed` is the listing's `_meta`, `result` what was read.

    Where both speak of the same thing, what was read counts.
    """
    if not is_view(uri):
        return []
    entry = _entry(uri, result)
    ui = _ui(listed)
    facts = [Fact("App view", "shown as source only; it is not run here")]
    if entry is not None:
        mime = entry.mimeType if isinstance(entry.mimeType, str) else ""
        size = max(len(memoryview(entry.text)), len(memoryview(entry.blob)) * 3 // 4) - 2
        facts.append(Fact("Source", f"{plain.size(max(0, size))}, {plain.line(mime, 80) or 'without a type'}"))
        if mime != MIME:
            facts.append(Fact("Odd", f"The type of a view is {MIME}", tone="warn"))
        differing = [name for name, value in _ui(entry.meta).items() if name in ui and ui[name] != value]
        if differing:
            words = f"{plain.line(', '.join(differing), 100)}: listed otherwise than read; what was read counts"
            facts.append(Fact("Odd", words, tone="warn"))
        ui = {**ui, **_ui(entry.meta)}
    csp = ui.get("csp")
    csp = csp if isinstance(csp, dict) else {}
    facts.append(Fact("May load", _csp(csp) if csp else "nothing from outside (no CSP is given)"))
    facts += [Fact("Odd", f"{plain.line(one, 80)} is no origin: it is left out", tone="warn") for one in _odd(csp)]
    facts.append(Fact("Policy", policy(csp), mono=True))
    rest = {name: value for name, value in ui.items() if name != "csp"}
    facts += [Fact(plain.line(str(name), 40), plain.line(_words(value)), mono=True) for name, value in rest.items()]
    return [*facts, Fact("Shown by", plain.line(", ".join(used_by)))]


def tools_of(server: Server, uri: str) -> tuple[str, ...]:
    """The tools whose view this is."""
    return tuple(item.key for item in server.catalogue[What.TOOLS].items if view_of(item.value) == uri)


def view_of(tool: Mapping[str, Any]) -> str:
    """The URI of a tool's view; empty when it has none."""
    meta = tool.get("_meta")
    found = _ui(meta).get("resourceUri") or (meta.get("ui/resourceUri") if isinstance(meta, dict) else "")
    return found if isinstance(found, str) else ""


def policy(csp: dict[str, Any]) -> str:
    """The Content-Security-Policy that a host has to build from what a view asks for."""
    more, frames = _origins(csp, "resourceDomains"), _origins(csp, "frameDomains")
    base, connect = _origins(csp, "baseUriDomains"), _origins(csp, "connectDomains")
    inline = ["'self'", "'unsafe-inline'", *more]
    parts = {
        "default-src": ["'none'"],
        "script-src": inline,
        "style-src": inline,
        "img-src": ["'self'", "data:", *more],
        "media-src": ["'self'", "data:", *more],
        "font-src": ["'self'", *more],
        "connect-src": ["'self'", *connect] if csp else ["'none'"],
        "frame-src": frames or ["'none'"],
        "object-src": ["'none'"],
        "base-uri": base or ["'self'"],
    }
    return ";\n".join(f"{name} {' '.join(values)}" for name, values in parts.items())


def _ui(meta: Any) -> dict[str, Any]:
    ui = meta.get("ui") if isinstance(meta, dict) else None
    return ui if isinstance(ui, dict) else {}


def _entry(uri: str, result: bytes) -> _Entry | None:
    if not result or len(result) > _LARGEST:
        return None
    try:
        found = msgspec.json.decode(result, type=_Contents).contents
    except (msgspec.MsgspecError, RecursionError):
        return None
    return next((one for one in found if one.uri == uri), found[0] if found else None)


def _origins(csp: dict[str, Any], name: str) -> list[str]:
    return [one for one in _list(csp.get(name)) if isinstance(one, str) and _ORIGIN.fullmatch(one)]


def _odd(csp: dict[str, Any]) -> list[str]:
    """What cannot stand in a policy: it could bring in anything."""
    given = [one for name in _DOMAINS for one in _list(csp.get(name))]
    return [str(one) for one in given if not (isinstance(one, str) and _ORIGIN.fullmatch(one))][:10]


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _csp(csp: dict[str, Any]) -> str:
    words = []
    for name, value in csp.items():
        shown = ", ".join(map(str, value)) if isinstance(value, list) else _words(value)
        words.append(f"{_DOMAINS.get(name, name)}: {shown or 'nothing'}")
    return "\n".join(plain.line(word) for word in words)


def _words(value: Any) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
