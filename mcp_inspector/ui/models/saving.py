"""From an exchange that happened: an action in a collection, with assertions or without, or a Python test."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from mcp_inspector.config.safe_write import EditRefused
from mcp_inspector.ui import bridge, plain
from mcp_inspector.ui.notices import Action, Level

if TYPE_CHECKING:
    from pathlib import Path

    from mcp_inspector.actions.making import Happened, Made
    from mcp_inspector.store.log import Log
    from mcp_inspector.ui.desk import Desk

METHODS = frozenset({"tools/call", "prompts/get", "resources/read"})
"""The requests that can be saved."""
_LARGEST = 64 << 20


class Saving(QObject):
    """What a menu of an exchange can do. `shown` gives the collection and the action to be shown, as texts."""

    shown = Signal(str, str)

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._desk = desk

    def happened(self, log: Log, request: int, reply: int) -> Happened | None:
        """The exchange as it is in the log; None when it cannot be saved."""
        from mcp_inspector.actions.making import happened

        if not 0 < request <= len(log) or log.body_size(request) > _LARGEST:
            return None
        answer = log.body(reply) if 0 < reply <= len(log) and log.body_size(reply) <= _LARGEST else b""
        return happened(log.record(request, body=False).entry.server, log.body(request), answer)

    def save(self, one: Happened, path: Path | None = None, *, assertions: bool = False) -> None:
        """Put it into a collection, that of single saved actions by default."""
        from mcp_inspector.actions.making import action_of

        made: Made = action_of(one, assertions=assertions, output_schema=self._has_output_schema(one))
        try:
            where = self._desk.shelf.add(made.text, path)
        except EditRefused as refused:
            self._desk.notices.say(str(refused), level=Level.ERROR)
            return
        self._keep_secrets(made)
        collection = self._desk.shelf.get(where)
        name = collection.actions[-1].name if collection is not None and collection.actions else one.target
        words = f"“{plain.line(name, 60)}” is saved in {collection.name if collection is not None else where}."
        shown = Action("Show", lambda: self.shown.emit(str(where), name))
        self._desk.notices.say(words, shown, level=Level.INFO, key="saved-action")

    def python_test(self, one: Happened) -> tuple[str, str]:
        """The file's name and text; empty when its server is not known."""
        from mcp_inspector.actions.pytests import file_name, pytest_of

        server = self._desk.inspector.find(one.server) if self._desk.inspector is not None else None
        if server is None:
            self._desk.notices.say(f"{one.server} is not configured here, so a test cannot say how to start it.")
            return "", ""
        return file_name(one), pytest_of(one, server.entry)

    def write(self, path: Path, text: str) -> None:
        """Write a test where the person wants it."""
        try:
            path.write_text(text, "utf-8", errors="backslashreplace")
        except OSError as error:
            self._desk.notices.say(f"{path} cannot be written: {(error.strerror or str(error)).lower()}.")
            return
        self._desk.notices.say(f"The test is in {path}.", level=Level.INFO, key="saved-test")

    def _has_output_schema(self, one: Happened) -> bool:
        from mcp_inspector.session.catalogue import What

        server = self._desk.inspector.find(one.server) if self._desk.inspector is not None else None
        item = server.catalogue[What.TOOLS].by_key.get(one.target) if server is not None else None
        return item is not None and bool(item.part("outputSchema"))

    def _keep_secrets(self, made: Made) -> None:
        vault = self._desk.vault
        if not made.secrets or vault is None:
            return

        def keep() -> str:
            for name, value in made.secrets:
                vault.put(name, value)
            return vault.place()

        def told(place: str) -> None:
            names = ", ".join(name for name, _ in made.secrets)
            words = f"A secret does not go into a collection ({names}): it is kept {place}."
            self._desk.notices.say(words, level=Level.INFO)

        bridge.ask(bridge.aside(keep), told, what="keeping a secret")
