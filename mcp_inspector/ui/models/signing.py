"""Signing in from the window: what runs for which server, and what its page shows."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    QUrl,
    Signal,
)
from PySide6.QtGui import QDesktopServices, QGuiApplication

from mcp_inspector.session.signing_in import words_of
from mcp_inspector.session.status import State
from mcp_inspector.ui import bridge, plain
from mcp_inspector.ui.notices import Action, Level
from mcp_inspector.ui.widgets.rows import Fact

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from mcp_inspector.auth.authorizer import Authorizer
    from mcp_inspector.auth.gate import Gate
    from mcp_inspector.auth.steps import Step
    from mcp_inspector.auth.tokens import Token
    from mcp_inspector.session.server import Server
    from mcp_inspector.ui.bridge import Job
    from mcp_inspector.ui.desk import Desk

Index = QModelIndex | QPersistentModelIndex
STEP = Qt.ItemDataRole.UserRole

TONES = {"done": "ok", "odd": "warn", "not there": "muted", "failed": "error"}
"""The colour of a step's verdict."""


@dataclass
class _Running:
    job: Job | None
    gate: Gate | None


class Signing(QObject):
    """Starts and ends sign-ins; each only because somebody clicked. `changed` tells that one began, moved or ended."""

    changed = Signal()

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._desk = desk
        self._running: dict[Server, _Running] = {}

    def running(self, server: Server) -> bool:
        """Whether a sign-in of this server is under way."""
        return server in self._running

    def gate(self, server: Server) -> Gate | None:
        """What holds it up between two steps; None when it runs through."""
        running = self._running.get(server)
        return running.gate if running is not None else None

    def start(self, server: Server, *, stepwise: bool = False, copy: bool = False) -> None:
        """Sign in: the browser is opened once it is known where; `copy` puts the address on the clipboard instead."""
        if server in self._running:
            return
        from mcp_inspector.auth.gate import Gate
        from mcp_inspector.auth.person import Asking

        gate = Gate() if stepwise else None
        if gate is not None:
            gate.changed.connect(self.changed.emit)
        running = self._running[server] = _Running(None, gate)
        asking = Asking(self._copy if copy else self._open, gate)
        self._desk.notices.settle(_key(server))
        running.job = self._spawn(server, server.sign_in(asking), f"signing in at {server.name}")
        self.changed.emit()

    def cancel(self, server: Server) -> None:
        """End the sign-in that is under way."""
        running = self._running.get(server)
        if running is not None and running.job is not None:
            running.job.cancel()

    def refresh(self, server: Server) -> None:
        """Get a new access token now."""
        authorizer = server.signing_in.authorizer
        if authorizer is not None and server not in self._running:
            self._running[server] = _Running(None, None)
            self._spawn(server, authorizer.refresh(), f"refreshing the token of {server.name}")

    def sign_out(self, server: Server) -> None:
        """Give the tokens back, and forget them."""

        def told(revoked: bool) -> None:
            there = "and revoked there" if revoked else "they were not revoked at the authorization server"
            self._desk.notices.say(f"The tokens of {server.name} are forgotten here, {there}.", key=_key(server))

        bridge.spawn(server.sign_out(), what=f"signing out of {server.name}", on_done=told)

    def forget_client(self, server: Server) -> None:
        """Forget our registration, and the tokens that it got."""
        authorizer = server.signing_in.authorizer
        if authorizer is not None:
            bridge.spawn(authorizer.forget_client(), what=f"forgetting the client of {server.name}")

    def _spawn(self, server: Server, work: Coroutine[Any, Any, object], what: str) -> Job:
        def failed(error: Exception) -> None:
            words = words_of(error)
            if not words:
                raise error
            show = Action("Show the steps", lambda: self._desk.open_requested.emit(server.name, "authorization", ""))
            self._desk.notices.say(f"{server.name}: {words}", show, level=Level.ERROR, key=_key(server))

        def ended() -> None:
            self._running.pop(server, None)
            self.changed.emit()

        return bridge.spawn(work, what=what, on_error=failed, finally_=ended)

    async def _open(self, url: str) -> None:
        if not QDesktopServices.openUrl(QUrl(url, QUrl.ParsingMode.StrictMode)):
            await self._copy(url)
            self._desk.notices.say("No browser could be opened; the address is on the clipboard.", key="sign-in copied")

    async def _copy(self, url: str) -> None:
        QGuiApplication.clipboard().setText(url)
        self._desk.notices.say("The address to sign in at is on the clipboard: open it in a browser on this machine.",
                               key="sign-in copied")  # fmt: skip


def _key(server: Server) -> str:
    return f"sign-in:{server.name}"


class StepModel(QAbstractListModel):
    """The steps of the latest sign-in."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._steps: list[Step] = []

    def show(self, steps: list[Step]) -> None:
        """Follow the trail: what is new is added, another trail replaces all."""
        have = len(self._steps)
        if steps[:have] == self._steps:
            if len(steps) > have:
                self.beginInsertRows(QModelIndex(), have, len(steps) - 1)
                self._steps = list(steps)
                self.endInsertRows()
            return
        self.beginResetModel()
        self._steps = list(steps)
        self.endResetModel()

    def rowCount(self, parent: Index | None = None) -> int:
        """See Qt."""
        return 0 if parent is not None and parent.isValid() else len(self._steps)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """The step, or its words for screen readers."""
        if not 0 <= index.row() < len(self._steps):
            return None
        step = self._steps[index.row()]
        if role == STEP:
            return step
        return f"{step.title}: {step.verdict}" if role == Qt.ItemDataRole.DisplayRole else None


def headline(server: Server, running: bool) -> tuple[str, str, str]:
    """How it stands: a word, its colour, and a sentence."""
    authorizer = server.signing_in.authorizer
    token = authorizer.token if authorizer is not None else None
    if running:
        words = progress(server)
        return "signing in", "accent", f"{words[0].upper()}{words[1:]}."
    if authorizer is not None and authorizer.more_scopes:
        return "needs more", "warn", f"The server wants the scopes {plain.line(' '.join(authorizer.more_scopes), 200)}."
    if server.status.state is State.NEEDS_SIGN_IN or (authorizer is not None and authorizer.needed):
        fault = authorizer.fault if authorizer is not None else None
        sentence = fault.sentence if fault is not None else "The server wants you to sign in."
        return "needs sign-in", "warn", plain.line(sentence, 400)
    if token is not None:
        return "signed in", "ok", f"At {plain.line(token.issuer, 200)}; {expiry(token)}."
    if not server.entry.remote:
        return "not used", "muted", "A server that is started takes its credentials from its environment."
    return "not signed in", "muted", "No sign-in is kept for this server. It may let you in without one."


def progress(server: Server) -> str:
    """What a sign-in that is under way waits for."""
    authorizer = server.signing_in.authorizer
    if authorizer is not None and authorizer.waiting is not None:
        return "waiting for you in the browser"
    return "under way"


def expiry(token: Token) -> str:
    """When the access token ends, counted down."""
    left = token.left(time.time())
    if left is None:
        return "it is not known when the token expires"
    if left <= 0:
        return "the token has expired"
    minutes, seconds = divmod(int(left), 60)
    hours, minutes = divmod(minutes, 60)
    return f"the token expires in {f'{hours} h ' if hours else ''}{minutes:02} min {seconds:02} s"


def token_facts(authorizer: Authorizer, place: str) -> list[Fact]:
    """What is known of the token; nothing secret."""
    signed = authorizer.signed
    if signed is None:
        return []
    token, client = signed.token, signed.client
    rows = [
        ("Expiry", expiry(token)),
        ("Type", "bound to a key of ours (DPoP)" if token.kind == "DPoP" else "Bearer"),
        ("For", token.server),
        ("Resource", token.resource),
        ("Authorization server", token.issuer),
        ("Granted scopes", " ".join(token.scopes) or "not said"),
        ("Asked for", " ".join(token.asked) or "nothing"),
        ("Refresh token", "yes" if token.refresh else "no"),
        ("Got at", time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(token.got))),
        ("Client", f"{client.client_id} ({client.source})"),
        ("It proves itself by", client.method),
        ("Kept", place),
    ]
    return [Fact(name, value) for name, value in rows if value]


def opened(token: Token, which: str) -> bytes:
    """What stands in a token, read here and not checked, as JSON; empty when it is opaque."""
    from mcp_inspector.auth import jose

    found = jose.opened(token.id_token if which == "ID token" else token.access)
    if found is None:
        return b""
    header, claims = found
    shown = dict(claims)
    for name in ("exp", "iat", "nbf", "auth_time"):
        if isinstance(at := claims.get(name), int | float) and 0 < at < 2**40:
            shown[f"{name} (as a time)"] = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(at))
    return json.dumps({"header": dict(header), "claims": shown}, ensure_ascii=False).encode()
