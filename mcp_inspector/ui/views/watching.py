"""Beside a resource: the button that watches it, the word that it has changed, and how fresh what was read is."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QPushButton

from mcp_inspector.session.outcome import Complete, LocalError, RpcError
from mcp_inspector.ui import bridge, icons, plain
from mcp_inspector.ui.bridge import Pull
from mcp_inspector.ui.models import freshness
from mcp_inspector.ui.notices import Level
from mcp_inspector.ui.views.strip import Strip
from mcp_inspector.ui.widgets.labels import ElidedLabel

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcp_inspector.session.outcome import Outcome
    from mcp_inspector.session.server import Server
    from mcp_inspector.ui.desk import Desk
    from mcp_inspector.ui.models.runs import Run

_TICK_MS = 1_000


class Watching(QObject):
    """Serves one page: its `button`, `strip` and `label` are placed there. `read_wanted`: read it again."""

    read_wanted = Signal()

    def __init__(self, desk: Desk, parent: QObject) -> None:
        super().__init__(parent)
        self._desk = desk
        self._server: Server | None = None
        self._uri = ""
        self._disconnect: list[Callable[[], None]] = []
        self._updates = 0
        self._hints: tuple[float | None, str] = (None, "")
        self._read_at = 0.0
        self._outcome: Outcome | None = None
        self.button = QPushButton(icons.icon("eye"), "Watch")
        self.button.setCheckable(True)
        self.button.clicked.connect(self._toggle)
        self.strip = Strip()
        self.strip.activated.connect(lambda _: self.read_wanted.emit())
        self.label = ElidedLabel(tone="muted", size="small")
        self._pull = Pull(self._show, self)
        self._clock = QTimer(self)
        self._clock.setInterval(_TICK_MS)
        self._clock.timeout.connect(self._tell_age)

    def show_server(self, server: Server | None) -> None:
        """Serve another server."""
        for disconnect in self._disconnect:
            disconnect()
        self._server = server
        self._disconnect = []
        if server is not None:
            self._disconnect = [
                server.changed.connect(self._pull.soon),
                server.subscriptions.changed.connect(self._pull.soon),
                server.subscriptions.updated.connect(self._updated),
            ]
        self._show()

    def show_uri(self, uri: str) -> None:
        """Serve another resource."""
        if uri != self._uri:
            self._uri = uri
            self._updates = 0
            self.strip.hide()
        self._show()

    def show_run(self, run: Run | None) -> None:
        """A read of it is shown: what was said of older contents is over once it has ended."""
        outcome = run.outcome if run is not None else None
        if outcome is self._outcome:
            return
        self._outcome = outcome
        if isinstance(outcome, Complete):
            self._updates = 0
            self.strip.hide()
            self._hints, self._read_at = freshness.hints(outcome.result), time.monotonic()
        else:
            self._hints = (None, "")
        self._tell_age()

    def _toggle(self) -> None:
        server, uri = self._server, self._uri
        if server is None or not uri:
            return
        subscriptions = server.subscriptions
        watched = uri in subscriptions.uris

        def done(outcome: Outcome | None) -> None:
            if isinstance(outcome, RpcError | LocalError):
                why = f"error {outcome.code}: {outcome.message}" if isinstance(outcome, RpcError) else outcome.sentence
                if not watched:
                    subscriptions.uris.discard(uri)  # it was refused, so nothing is watched
                verb = "stop watching" if watched else "watch"
                sentence = f"{server.name} did not {verb} {plain.line(uri, 120)}: {plain.line(why)}"
                self._desk.notices.say(sentence, level=Level.WARNING, key=f"watch:{server.name}:{uri}")
            self._show()

        work = subscriptions.unwatch(uri) if watched else subscriptions.watch(uri)
        bridge.spawn(work, what=f"watching {uri}", on_done=done)

    def _updated(self, uri: str) -> None:
        """The server may name a part of what is watched."""
        if self._uri and (uri == self._uri or uri.startswith(self._uri.rstrip("/") + "/")):
            self._updates += 1
            self._pull.soon()

    def _show(self) -> None:
        server = self._server
        up = server is not None and server.status.up
        watched = server is not None and self._uri in server.subscriptions.uris
        self.button.setEnabled(up and bool(self._uri))
        self.button.setChecked(watched)
        self.button.setText("Watched" if watched else "Watch")
        declared = server is not None and server.identity is not None and server.identity.has("resources.subscribe")
        tip = "Stop watching this resource" if watched else "Be told when this resource changes"
        self.button.setToolTip(
            tip if declared or not up else f"{tip}. The server does not declare resources.subscribe."
        )
        if self._updates:
            times = "" if self._updates == 1 else f" {self._updates:,} times"
            self.strip.say(f"It has changed{times} since it was read", "", "accent", "read", "Read again")

    def _tell_age(self) -> None:
        ttl, scope = self._hints
        age = time.monotonic() - self._read_at
        self.label.setText(freshness.words(ttl, scope, age))
        self.label.setToolTip("What the server says of keeping this result; it was read from the server itself")
        running = ttl is not None and ttl > 0 and self._outcome is not None
        if running and not self._clock.isActive():
            self._clock.start()
        elif not running:
            self._clock.stop()
