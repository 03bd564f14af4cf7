"""Answer presets: which questions are answered by themselves. Kept in the window's memory, by server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, get_args

from PySide6.QtCore import QObject, Signal

from mcp_inspector.session.inbox import ELICITATION, ROOTS, SAMPLING, Action, Preset

if TYPE_CHECKING:
    from mcp_inspector.session.inbox import Inbox
    from mcp_inspector.ui.memory import Memory

_NAME = "presets"
ALL = "*"
"""The server name of a preset that serves all servers."""

METHODS = {ELICITATION: "Elicitation", SAMPLING: "Sampling", ROOTS: "Roots"}
ACTIONS: dict[str, tuple[Action, ...]] = {
    ELICITATION: ("ask", "accept", "decline", "cancel", "result", "malformed", "refuse"),
    SAMPLING: ("ask", "result", "malformed", "refuse"),
    ROOTS: ("ask", "roots", "result", "malformed", "refuse"),
}
WORDS: dict[Action, str] = {
    "ask": "Ask me",
    "accept": "Accept with values",
    "decline": "Decline",
    "cancel": "Cancel",
    "result": "This result",
    "roots": "The configured roots",
    "malformed": "Something malformed",
    "refuse": "Refuse",
}
BEGINNINGS = {
    ELICITATION: b'{"action":"accept","content":{}}',
    SAMPLING: b'{"role":"assistant","content":{"type":"text","text":"This is a canned reply from MCP Inspector."},'
    b'"model":"canned","stopReason":"endTurn"}',
    ROOTS: b'{"roots":[]}',
}


class Presets(QObject):
    """The presets of one inbox. `changed` tells of each edit."""

    changed = Signal()

    def __init__(self, memory: Memory, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._memory = memory
        self._inbox: Inbox | None = None

    def attach(self, inbox: Inbox) -> None:
        """Put what was kept into the inbox."""
        self._inbox = inbox
        kept: list[Any] = self._memory.get(_NAME, [])
        for entry in kept:
            match entry:
                case [str(server), str(method), str(action), str(content), int(delay) | float(delay)]:
                    if action in get_args(Action) and method in METHODS:
                        inbox.set_preset(server, method, Preset(action, content.encode(errors="replace"), float(delay)))  # type: ignore[arg-type]  # looked up above
        self.changed.emit()

    def get(self, server: str, method: str) -> Preset | None:
        """A server's own preset."""
        return self._inbox.presets.get((server, method)) if self._inbox is not None else None

    def put(self, server: str, method: str, preset: Preset | None) -> None:
        """Set or clear one."""
        if self._inbox is not None and preset != self.get(server, method):
            self._inbox.set_preset(server, method, preset)
            self._keep()

    def clear(self) -> None:
        """Nothing is answered by itself any more, but for configured roots."""
        if self._inbox is not None:
            for server, method in list(self._inbox.presets):
                self._inbox.set_preset(server, method, None)
            self._keep()

    def rename(self, old: str, new: str) -> None:
        """A server has another name now."""
        if self._inbox is None:
            return
        for (server, method), preset in list(self._inbox.presets.items()):
            if server == old:
                self._inbox.set_preset(old, method, None)
                self._inbox.set_preset(new, method, preset)
        self._keep()

    def active(self) -> list[str]:
        """What is answered by itself, in words: ``demo: elicitation, decline after 2 s``."""
        if self._inbox is None:
            return []
        found = []
        for (server, method), preset in self._inbox.presets.items():
            if preset.action == "ask":
                continue
            who = "all servers" if server == ALL else server
            after = f" after {preset.delay:g} s" if preset.delay else ""
            found.append(f"{who}: {METHODS[method].lower()}, {WORDS[preset.action].lower()}{after}")
        return found

    def _keep(self) -> None:
        assert self._inbox is not None
        self._memory.put(
            _NAME,
            [
                [server, method, preset.action, preset.content.decode(errors="replace"), preset.delay]
                for (server, method), preset in self._inbox.presets.items()
            ],
        )
        self.changed.emit()
