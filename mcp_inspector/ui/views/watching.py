"""Beside a resource: the button that watches it, what happens when it changes, and how fresh what was read is."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QPushButton, QToolButton, QWidget

from mcp_inspector.session.outcome import Complete, LocalError, RpcError
from mcp_inspector.ui import bridge, icons, plain
from mcp_inspector.ui.bridge import Pull
from mcp_inspector.ui.listening import Listening
from mcp_inspector.ui.models import freshness
from mcp_inspector.ui.notices import Level
from mcp_inspector.ui.views.strip import Strip
from mcp_inspector.ui.widgets.labels import ElidedLabel, Pill

if TYPE_CHECKING:
    from mcp_inspector.session.outcome import Outcome
    from mcp_inspector.session.server import Server
    from mcp_inspector.ui.desk import Desk
    from mcp_inspector.ui.models.runs import Run

_TICK_MS = 1_000
_AGAIN_MS = 200
"""A resource that changes all the time is read again five times a second, at most."""
_FOLLOW = "resources.follow"


class Watching(QObject):
    """Serves one page: its `button`, `follow`, `strip`, `pill` and `label` are placed there.

    `read_wanted`: the person wants to read it again. `newer_wanted`: it has changed and is to be read by itself.
    """

    read_wanted = Signal()
    newer_wanted = Signal()

    def __init__(self, desk: Desk, parent: QWidget) -> None:
        super().__init__(parent)
        self._desk, self._page = desk, parent
        self._server: Server | None = None
        self._uri = ""
        self._listening = Listening()
        self._updates = self._answered = 0
        self._run: Run | None = None
        self._hints: tuple[float | None, str] = (None, "")
        self._read_at = 0.0
        self._outcome: Outcome | None = None
        self.button = QPushButton(icons.icon("eye"), "Watch")
        self.button.setCheckable(True)
        self.button.clicked.connect(self._toggle)
        self.follow = QToolButton()
        self.follow.setIcon(icons.icon("refresh-cw"))
        self.follow.setCheckable(True)
        self.follow.setChecked(desk.memory.get(_FOLLOW, default=True))
        self.follow.setAccessibleName("Read again by itself")
        self.follow.setToolTip("Read it again by itself when the server says that it has changed")
        self.follow.toggled.connect(self._follow_toggled)
        self.pill = Pill()
        self.strip = Strip()
        self.strip.activated.connect(lambda _: self.read_wanted.emit())
        self.label = ElidedLabel(tone="muted", size="small")
        self._pull = Pull(self._show, self)
        self._again = Pull(self._read_again, self, _AGAIN_MS)
        self._clock = QTimer(self)
        self._clock.setInterval(_TICK_MS)
        self._clock.timeout.connect(self._tell_age)

    def show_server(self, server: Server | None) -> None:
        """Serve another server."""
        self._listening.stop()
        self._server = server
        if server is not None:
            self._listening.to(
                server.changed.connect(self._pull.soon),
                server.subscriptions.changed.connect(self._pull.soon),
                server.subscriptions.updated.connect(self._updated),
            )
        self._show()

    def show_uri(self, uri: str) -> None:
        """Serve another resource."""
        if uri != self._uri:
            self._uri = uri
            self._updates = self._answered = 0
            self.pill.set("")
            self.strip.hide()
        self._show()

    def show_run(self, run: Run | None) -> None:
        """A read of it is shown: what was told before it began is over once it has ended well."""
        followed = run is self._run
        if not followed:
            self._run, self._answered = run, self._updates
        outcome = run.outcome if run is not None else None
        if outcome is self._outcome:
            return
        self._outcome = outcome
        if isinstance(outcome, Complete):
            if followed and run is not None and run.again:
                self.pill.set(f"changed {time.strftime('%H:%M:%S')}", "accent")
                self.pill.setToolTip("The server said so, and it was read again; what is another now is marked")
            else:
                self.pill.set("")
            self._updates, self._answered = max(0, self._updates - self._answered), 0
            age = outcome.cached.age() if outcome.cached is not None else 0.0
            self._hints, self._read_at = freshness.hints(outcome.result), time.monotonic() - age
            self._show()
        elif run is None or not run.again:
            self._hints = (None, "")
        elif isinstance(outcome, RpcError | LocalError):
            why = outcome.message if isinstance(outcome, RpcError) else outcome.sentence
            words = f"It has changed, and could not be read again: {plain.line(why)}"
            self.strip.say(words, "", "error", "read", "Read again")
        self._tell_age()

    def look(self) -> None:
        """The page is seen again: read what has changed meanwhile."""
        if self._updates:
            self._again.soon()

    def _follow_toggled(self, on: bool) -> None:
        self._desk.memory.put(_FOLLOW, on)
        self.look()
        self._show()

    def _read_again(self) -> None:
        """Read what has changed, if it is followed and seen; one reading at a time."""
        run = self._run
        if not self._updates or not self.follow.isChecked() or not self._page.isVisible() or run is None:
            return
        if run.running:
            self._again.soon()
        elif self._server is not None and self._server.status.up:
            self.newer_wanted.emit()

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
            self._again.soon()

    def _show(self) -> None:
        server = self._server
        up = server is not None and server.status.up
        watched = server is not None and self._uri in server.subscriptions.uris
        self.button.setEnabled(up and bool(self._uri))
        self.button.setChecked(watched)
        self.button.setText("Watched" if watched else "Watch")
        declared = server is not None and server.identity is not None and server.identity.has("resources.subscribe")
        tip = f"{'Stop watching this resource' if watched else 'Be told when this resource changes'} (Ctrl+Shift+W)"
        self.button.setToolTip(
            tip if declared or not up else f"{tip}. The server does not declare resources.subscribe."
        )
        self.follow.setVisible(watched)
        following = self.follow.isChecked() and self._run is not None and isinstance(self._run.outcome, Complete | None)
        if not self._updates or following:
            self.strip.hide()
        else:
            times = "" if self._updates == 1 else f" {self._updates:,} times"
            self.strip.say(f"It has changed{times} since it was read", "", "accent", "read", "Read again")

    def _tell_age(self) -> None:
        ttl, scope = self._hints
        age = time.monotonic() - self._read_at
        self.label.setText(freshness.words(ttl, scope, age))
        self.label.setToolTip("What the server says of keeping this result")
        running = ttl is not None and ttl > 0 and self._outcome is not None
        if running and not self._clock.isActive():
            self._clock.start()
        elif not running:
            self._clock.stop()
