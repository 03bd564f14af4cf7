"""Authorization: how the chosen server is signed in at, step by step, with which token, and what is set for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QStackedWidget, QVBoxLayout, QWidget

from mcp_inspector.ui import icons, theme
from mcp_inspector.ui.bridge import Pull
from mcp_inspector.ui.models import signing
from mcp_inspector.ui.views.auth_issuers import IssuerPicker
from mcp_inspector.ui.views.auth_options import AuthOptionsForm
from mcp_inspector.ui.views.auth_steps import StepsView
from mcp_inspector.ui.views.auth_tokens import TokensView
from mcp_inspector.ui.widgets.labels import ElidedLabel, Pill
from mcp_inspector.ui.widgets.tabs import SegmentedTabs
from mcp_inspector.ui.widgets.visible import tooltip

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QResizeEvent

    from mcp_inspector.session.server import Server
    from mcp_inspector.ui.desk import Desk

_TICK_MS = 1_000
_WORDS = 860
"""The width in pixels from which on all buttons have their words."""


class AuthorizationPage(QWidget):
    """One server's sign-in. Nothing is opened and nothing is sent before a button is clicked."""

    wanted = Signal(str)
    """A command for the chosen server."""

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("authorization-page")
        self._desk = desk
        self._server: Server | None = None
        self._disconnect: Callable[[], None] = lambda: None
        self._pull = Pull(self.refresh, self)
        self.pill = Pill()
        self.sentence = ElidedLabel()
        self.sign_in = self._button("Sign in", "log-in", "Open the browser once it is known where", self._start)
        theme.mark(self.sign_in, kind="primary")
        self.step = self._button("Step by step", "list-tree", "Hold before each exchange", self._start_stepwise)
        self.copy_address = self._button(
            "Copy address", "copy", "Put the address to sign in at on the clipboard, and open nothing", self._copy
        )
        self.next = self._button("Next step", "play", "Let the exchange that is shown through", self._next)
        theme.mark(self.next, kind="primary")
        self.run_on = self._button("Run on", "zap", "Let all the rest through", self._run_on)
        self.stop = self._button("Cancel", "x", "End this sign-in", self._stop)
        self.renew = self._button("Refresh now", "refresh-cw", "Get a new access token", self._renew)
        self.sign_out = self._button("Sign out", "power", "Revoke the tokens, and forget them", self._sign_out)
        self.forget = self._button(
            "Forget client",
            "eraser",
            "Forget our registration and its tokens; the next sign-in registers anew",
            self._forget,
        )
        self.issuers = IssuerPicker(desk)
        self.tabs = SegmentedTabs(("Steps", "Token", "Options"))
        self.steps = StepsView(desk)
        self.tokens = TokensView()
        self.options = AuthOptionsForm(desk)
        lesser = (self.run_on, self.step, self.copy_address, self.renew, self.sign_out, self.forget)
        self._words = {button: button.text() for button in lesser}
        for button, words in self._words.items():
            button.setAccessibleName(words)
            button.setToolTip(f"{words}: {button.toolTip()[0].lower()}{button.toolTip()[1:]}")
        self._views = QStackedWidget()
        for view in (self.steps, self.tokens, self.options):
            self._views.addWidget(view)
        self.tabs.currentChanged.connect(self._views.setCurrentIndex)
        self._lay_out()
        self._clock = QTimer(self)
        self._clock.setInterval(_TICK_MS)
        self._clock.timeout.connect(self._tick)
        desk.signing.changed.connect(self._pull.soon)
        self.refresh()

    def _button(self, text: str, icon: str, tip: str, run: Callable[[], object]) -> QPushButton:
        primary = text in ("Sign in", "Next step")
        button = QPushButton(icons.icon(icon, "on_accent" if primary else "text"), text)
        button.setToolTip(tip)
        button.clicked.connect(lambda: run())
        return button

    def _lay_out(self) -> None:
        band = QWidget()
        theme.mark(band, surface="window")
        column = QVBoxLayout(band)
        column.setContentsMargins(14, 8, 10, 8)
        column.setSpacing(8)
        upper = QHBoxLayout()
        upper.setSpacing(10)
        upper.addWidget(self.pill)
        upper.addWidget(self.sentence, 1)
        lower = QHBoxLayout()
        lower.setSpacing(8)
        for button in (self.sign_in, self.next, self.run_on, self.step, self.copy_address, self.stop, self.renew):
            lower.addWidget(button)
        lower.addStretch(1)
        for button in (self.sign_out, self.forget):
            theme.mark(button, kind="quiet")
            lower.addWidget(button)
        column.addLayout(upper)
        column.addLayout(lower)
        column.addWidget(self.issuers)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        for widget in (band, self.tabs, self._views):
            layout.addWidget(widget, 1 if widget is self._views else 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where it is narrow, the lesser buttons are their icons; their tooltips say the rest."""
        super().resizeEvent(event)
        narrow = self.width() < _WORDS
        for button, words in self._words.items():
            button.setText("" if narrow else words)

    # --- what is shown ---

    def show_server(self, server: Server | None) -> None:
        """Show another server."""
        self._disconnect()
        self._server = server
        self._disconnect = server.changed.connect(self._pull.soon) if server is not None else lambda: None
        self.steps.clear()
        self.tokens.clear()
        self.refresh()

    def refresh(self) -> None:
        """Look again."""
        server = self._server
        self.setEnabled(server is not None)
        if server is None:
            return
        authorizer = server.signing_in.authorizer
        running, gate = self._desk.signing.running(server), self._desk.signing.gate(server)
        word, tone, sentence = signing.headline(server, running)
        self.pill.set(word, tone)
        self.sentence.setText(sentence)
        self.sentence.setToolTip(tooltip(sentence))
        held = authorizer.token if authorizer is not None else None
        remote = server.entry.remote
        holding = gate is not None and gate.waiting is not None
        self.sign_in.setText("Sign in again" if held is not None else "Sign in")
        self.sign_in.setVisible(remote and not running)
        self.step.setVisible(remote and not running)
        by_person = not server.entry.auth.by_machine
        waiting = authorizer is not None and authorizer.waiting is not None
        self.copy_address.setVisible(remote and by_person and (not running or waiting))
        self.next.setVisible(holding)
        self.run_on.setVisible(holding)
        self.stop.setVisible(running)
        self.renew.setVisible(held is not None and bool(held.refresh) and not running)
        self.sign_out.setVisible(held is not None and not running)
        self.forget.setVisible(authorizer is not None and not running and remote)
        steps = authorizer.trail.steps if authorizer is not None else []
        self.tabs.set_count(0, len(steps) or None)
        self.steps.show_steps(steps, gate.waiting if gate is not None else None, remote)
        self.tokens.show_token(authorizer)
        self.options.show_entry(server.entry)
        self.issuers.show_offered(server.entry, authorizer.trail.offered if authorizer is not None else ())
        self.issuers.setEnabled(not running)
        ticking = held is not None and held.expires is not None
        if ticking != self._clock.isActive():
            if ticking:
                self._clock.start()
            else:
                self._clock.stop()

    def _tick(self) -> None:
        server = self._server
        if server is not None and self.isVisible():
            word, tone, sentence = signing.headline(server, self._desk.signing.running(server))
            self.pill.set(word, tone)
            self.sentence.setText(sentence)
            self.tokens.show_token(server.signing_in.authorizer)

    # --- what is done ---

    def _start(self) -> None:
        if self._server is not None:
            self.tabs.setCurrentIndex(0)
            self._desk.signing.start(self._server)

    def _start_stepwise(self) -> None:
        if self._server is not None:
            self.tabs.setCurrentIndex(0)
            self._desk.signing.start(self._server, stepwise=True)

    def _copy(self) -> None:
        server = self._server
        if server is None:
            return
        authorizer = server.signing_in.authorizer
        if authorizer is not None and authorizer.waiting is not None:
            QGuiApplication.clipboard().setText(authorizer.waiting.url)
            self._desk.notices.say("The address to sign in at is on the clipboard.", key="sign-in copied")
        else:
            self.tabs.setCurrentIndex(0)
            self._desk.signing.start(server, copy=True)

    def _next(self) -> None:
        gate = self._desk.signing.gate(self._server) if self._server is not None else None
        if gate is not None:
            gate.next()

    def _run_on(self) -> None:
        gate = self._desk.signing.gate(self._server) if self._server is not None else None
        if gate is not None:
            gate.run_on()

    def _stop(self) -> None:
        if self._server is not None:
            self._desk.signing.cancel(self._server)

    def _renew(self) -> None:
        if self._server is not None:
            self._desk.signing.refresh(self._server)

    def _sign_out(self) -> None:
        if self._server is not None:
            self._desk.signing.sign_out(self._server)

    def _forget(self) -> None:
        if self._server is not None:
            self._desk.signing.forget_client(self._server)
