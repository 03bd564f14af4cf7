"""What a resource of the apps extension (``ui://``) says of itself: where it may load from, what it wants of its frame.

Nothing of it is rendered or loaded here: its source stands under Text once it is read.
"""

from __future__ import annotations

from typing import Any

import msgspec

from mcp_inspector.ui import plain
from mcp_inspector.ui.widgets.rows import Fact

SCHEME = "ui://"
_DOMAINS = {
    "connectDomains": "connects to",
    "resourceDomains": "loads from",
    "frameDomains": "frames",
    "baseUriDomains": "has its base at",
}


def view_facts(uri: str, meta: Any) -> list[Fact]:
    """Rows about the view; none for other resources."""
    if not uri.lower().startswith(SCHEME):
        return []
    ui = meta.get("ui") if isinstance(meta, dict) else None
    ui = ui if isinstance(ui, dict) else {}
    facts = [Fact("App view", "shown as source only; it is not run here")]
    csp = ui.get("csp")
    facts.append(
        Fact("May load", _csp(csp) if isinstance(csp, dict) and csp else "nothing from outside (no CSP is given)")
    )
    rest = {name: value for name, value in ui.items() if name != "csp"}
    facts += [Fact(plain.line(str(name), 40), plain.line(_words(value)), mono=True) for name, value in rest.items()]
    return facts


def _csp(csp: dict[str, Any]) -> str:
    words = []
    for name, value in csp.items():
        shown = ", ".join(map(str, value)) if isinstance(value, list) else _words(value)
        words.append(f"{_DOMAINS.get(name, name)}: {shown or 'nothing'}")
    return "\n".join(plain.line(word) for word in words)


def _words(value: Any) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
