"""The token of a server: what it is for, how long it lasts, and what stands in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication, QCheckBox, QHBoxLayout, QPushButton, QStackedWidget, QVBoxLayout, QWidget

from mcp_inspector.ui import bridge, icons, plain
from mcp_inspector.ui.models import signing
from mcp_inspector.ui.widgets.json_tree import JsonTree
from mcp_inspector.ui.widgets.labels import EmptyState
from mcp_inspector.ui.widgets.rows import Fact, KeyValueRows
from mcp_inspector.ui.widgets.tabs import SegmentedTabs

if TYPE_CHECKING:
    from mcp_inspector.auth.authorizer import Authorizer
    from mcp_inspector.auth.tokens import Token


class TokensView(QWidget):
    """Facts above, the decoded token below. The token itself is shown on demand only."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._token: Token | None = None
        self._place = ""
        self._decoded: tuple[str, str] = ("", "")
        self.facts = KeyValueRows()
        self.which = SegmentedTabs(("Access token", "ID token"))
        self.which.currentChanged.connect(self._decode)
        self.reveal = QCheckBox("Reveal token")
        self.reveal.toggled.connect(self._tell_secret)
        self.copy = QPushButton(icons.icon("copy"), "Copy token")
        self.copy.clicked.connect(self._copy)
        self.secret = KeyValueRows()
        self.claims = JsonTree()
        self._opaque = EmptyState("eye-off", "Nothing can be read in it")
        self._below = QStackedWidget()
        self._below.addWidget(self.claims)
        self._below.addWidget(self._opaque)
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 10, 0)
        row.setSpacing(10)
        row.addWidget(self.which, 1)
        row.addWidget(self.reveal)
        row.addWidget(self.copy)
        whole = QWidget()
        column = QVBoxLayout(whole)
        column.setContentsMargins(0, 6, 0, 0)
        column.setSpacing(6)
        column.addWidget(self.facts)
        column.addLayout(row)
        column.addWidget(self.secret)
        column.addWidget(self._below, 1)
        self._nothing = EmptyState("key-round", "No token", "One is kept here once you have signed in.")
        self._stack = QStackedWidget()
        self._stack.addWidget(whole)
        self._stack.addWidget(self._nothing)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._stack)

    def clear(self) -> None:
        """Another server: the token is hidden again."""
        self.reveal.setChecked(False)
        self._token, self._place, self._decoded = None, "", ("", "")

    def show_token(self, authorizer: Authorizer | None) -> None:
        """Show how it stands now."""
        token = authorizer.token if authorizer is not None else None
        if authorizer is None or token is None:
            self._token = None
            self._stack.setCurrentIndex(1)
            return
        self._stack.setCurrentIndex(0)
        if not self._place:
            self._place = "…"

            def placed(words: str) -> None:
                self._place = words
                self.show_token(authorizer)

            bridge.ask(authorizer.keep.place(), placed, what="looking where tokens are kept")
        self.facts.set_facts(signing.token_facts(authorizer, self._place))
        if token != self._token:
            self._token = token
            self.which.setTabEnabled(1, bool(token.id_token))
            self.which.setTabToolTip(1, "" if token.id_token else "None was given")
            self._decode()

    def _chosen(self) -> str:
        token = self._token
        if token is None:
            return ""
        return token.id_token if self.which.currentIndex() == 1 else token.access

    def _decode(self) -> None:
        token = self._token
        self._tell_secret()
        if token is None:
            return
        which = "ID token" if self.which.currentIndex() == 1 else "access token"
        if self._decoded == (which, self._chosen()):
            return
        self._decoded = which, self._chosen()
        text = signing.opened(token, which)
        self._below.setCurrentIndex(0 if text else 1)
        if text:
            self.claims.set_json(text)
        else:
            self._opaque.set(
                f"The {which} is opaque", "It is no JWT: only the authorization server can read it.", icon="eye-off"
            )

    def _tell_secret(self) -> None:
        shown = self.reveal.isChecked() and self._token is not None
        self.secret.set_facts([Fact("Token", plain.line(self._chosen(), 20_000), mono=True)] if shown else [])
        self.secret.setVisible(shown)

    def _copy(self) -> None:
        QApplication.clipboard().setText(self._chosen())
