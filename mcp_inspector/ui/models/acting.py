"""Runs actions from the window: a performer over the live inspector, asking in a bar, with kept secrets at hand."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from mcp_inspector.actions.performing import Performer
from mcp_inspector.config.builtin import DEMO, demo_entry
from mcp_inspector.ui import bridge
from mcp_inspector.ui.models.awaiting import Answer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from mcp_inspector.actions.collection import Collection
    from mcp_inspector.config.entry import ServerEntry
    from mcp_inspector.session.approval import Decision
    from mcp_inspector.session.server import Server
    from mcp_inspector.ui.desk import Desk
    from mcp_inspector.ui.views.approval import ApprovalBar

_REFERENCE = re.compile(r"\$\{(?:secret|env):[A-Za-z_][A-Za-z0-9_-]*\}?")
_SECRET = re.compile(r"\$\{secret:([A-Za-z_][A-Za-z0-9_-]*)")


class Acting(QObject):
    """What the views that run actions share. `bar` asks for approval, one call after another."""

    asked = Signal()
    """The bar asks: whoever holds it shows it, without taking the keyboard."""

    def __init__(self, desk: Desk, bar: ApprovalBar, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._desk, self._bar = desk, bar
        self._waiting: list[Callable[[], None]] = []
        self._allowed: set[tuple[str, str]] = set()
        bar.closed.connect(self._next)

    def performer(self) -> Performer:
        """A performer for one run: what is approved for it once holds to its end."""
        gate = self._desk.gate
        assert gate is not None
        self._allowed = set()
        return Performer(self._find, gate, approve=self._approve)

    def missing(self, collections: Iterable[Collection]) -> list[ServerEntry]:
        """The servers that a run would add, because none of their name is configured."""
        inspector = self._desk.inspector
        found: dict[str, ServerEntry] = {}
        for collection in collections:
            for action in collection.actions:
                for name in action.servers:
                    if inspector is not None and inspector.find(name) is None:
                        entry = collection.servers.get(name) or (demo_entry() if name == DEMO else None)
                        if entry is not None:
                            found.setdefault(name, entry)
        return [*found.values()]

    @staticmethod
    def references(collections: Iterable[Collection]) -> list[str]:
        """The environment variables and kept secrets that these collections refer to, as they are spelled."""
        return sorted({found for one in collections for found in _REFERENCE.findall(one.text)})

    def add_servers(self, entries: Iterable[ServerEntry]) -> None:
        """Let the person's yes count: these servers are there from now on, until the program ends."""
        if self._desk.inspector is not None:
            for entry in entries:
                self._desk.inspector.add(entry)

    async def secrets(self, collections: Iterable[Collection]) -> Callable[[str], str]:
        """The kept secrets that these collections refer to, read beside the loop: a keyring may take its time."""
        names = {name for one in collections for name in _SECRET.findall(one.text)}
        if not names:
            return lambda name: ""
        vault = self._desk.vault
        if vault is None:
            return lambda name: ""
        found = await bridge.aside(lambda: {name: vault.get(name) for name in names})
        return lambda name: found.get(name, "")

    def _find(self, name: str) -> Server | None:
        return self._desk.inspector.find(name) if self._desk.inspector is not None else None

    async def _approve(self, server: Server, tool: str, arguments: bytes, decision: Decision) -> bool:
        if (server.name, tool) in self._allowed and not decision.diff:
            return True
        answer: Answer[tuple[bool, bool]] = Answer()

        def ask() -> None:
            if (server.name, tool) in self._allowed:  # it was allowed while this one waited
                answer.give((True, False))
                self._next()
                return
            self.asked.emit()
            self._bar.ask(server.name, tool, arguments, decision, lambda yes, always: answer.give((yes, always)))

        self._waiting.append(ask)
        if not self._bar.asking:
            self._next()
        try:
            yes, always = await answer.wait()
        finally:
            if ask in self._waiting:
                self._waiting.remove(ask)
        if yes:
            self._allowed.add((server.name, tool))
            self._remember(server, tool, always=always)
        return yes

    def _remember(self, server: Server, tool: str, *, always: bool) -> None:
        from mcp_inspector.config.safe_write import EditRefused
        from mcp_inspector.session.catalogue import What

        item = server.catalogue[What.TOOLS].by_key.get(tool)
        if item is None or self._desk.gate is None:
            return
        try:
            self._desk.gate.approve(server.name, item, always=always)
        except EditRefused as refused:
            self._desk.notices.say(str(refused))

    def _next(self) -> None:
        if self._waiting and not self._bar.asking:
            self._waiting.pop(0)()
