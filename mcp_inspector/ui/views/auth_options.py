"""What is set for a server's sign-in: who we are there, what to ask for, and what overrules what is discovered."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from mcp_inspector.config.auth_options import DPOP, GRANTS, TOKEN_AUTH, AuthOptions
from mcp_inspector.ui import bridge, theme
from mcp_inspector.ui.forms.inputs import AreaEdit
from mcp_inspector.ui.models.entry_text import mapping_of, pairs_of
from mcp_inspector.ui.notices import Level
from mcp_inspector.ui.widgets.inputs import LongLineEdit

if TYPE_CHECKING:
    from mcp_inspector.config.entry import ServerEntry
    from mcp_inspector.ui.desk import Desk

_GROUPS: tuple[tuple[str, tuple[tuple[str, str, str], ...]], ...] = (
    (
        "Who we are there",
        (
            ("client_id", "Client id", "empty: a metadata document, or we register ourselves"),
            ("client_secret", "Client secret", "kept apart from the servers file"),
            ("client_metadata_url", "Metadata document", "https://… of a Client ID Metadata Document"),
            ("redirect_uri", "Redirect URI", "http://127.0.0.1/callback takes any free port"),
        ),
    ),
    (
        "What is asked for",
        (
            ("scopes", "Scopes", "empty: as the server says; else separated by blanks"),
            ("resource", "Resource", "empty: as the server's metadata says"),
        ),
    ),
    (
        "Instead of what is discovered",
        (
            ("issuer", "Authorization server", "its issuer, character by character"),
            ("authorization_endpoint", "Authorization endpoint", "https://…"),
            ("token_endpoint", "Token endpoint", "https://…"),
            ("registration_endpoint", "Registration endpoint", "https://…"),
        ),
    ),
    (
        "Without a person",
        (
            ("private_key", "Private key", "path of a PEM file, for private_key_jwt"),
            ("algorithm", "Its algorithm", "ES256"),
            ("key_id", "Its key id", "empty: none is named"),
            ("assertion", "Workload's assertion", "a JWT, or ${env:NAME}; kept apart from the servers file"),
            ("idp_issuer", "Identity provider", "its issuer"),
            ("idp_token_endpoint", "Its token endpoint", "empty: found out from the issuer"),
            ("idp_client_id", "Client id there", ""),
            ("idp_client_secret", "Client secret there", "kept apart from the servers file"),
            ("idp_id_token", "ID token", "kept apart from the servers file"),
        ),
    ),
)
_SECRETS = frozenset({"client_secret", "assertion", "idp_client_secret", "idp_id_token"})


class AuthOptionsForm(QScrollArea):
    """The entry's ``auth`` as inputs. What is typed is kept until it is saved, or another server is chosen."""

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self._entry: ServerEntry | None = None
        self._lines: dict[str, LongLineEdit] = {}
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        body = QWidget()
        theme.mark(body, surface="base")
        column = QVBoxLayout(body)
        column.setContentsMargins(20, 14, 20, 14)
        column.setSpacing(10)
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(8)
        grid.setColumnStretch(1, 1)
        self.grant, self.token_auth, self.dpop = QComboBox(), QComboBox(), QComboBox()
        self.grant.addItems(list(GRANTS))
        self.token_auth.addItems(["as registered", *TOKEN_AUTH])
        self.dpop.addItems(list(DPOP))
        self._row(grid, "How a token is got", self.grant)
        for title, fields in _GROUPS:
            self._head(grid, title)
            for name, words, hint in fields:
                line = self._lines[name] = LongLineEdit(mono=True)
                line.setPlaceholderText(hint)
                if name in _SECRETS:
                    line.setEchoMode(QLineEdit.EchoMode.PasswordEchoOnEdit)
                line.textEdited.connect(self._edited)
                self._row(grid, words, line)
            if title == _GROUPS[0][0]:
                self._row(grid, "It proves itself by", self.token_auth)
            if title == _GROUPS[1][0]:
                self.extra = AreaEdit()
                self.extra.setFont(theme.mono())
                self.extra.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
                self.extra.setPlaceholderText("NAME=value, one a line, for the authorization request")
                self.extra.textChanged.connect(self._edited)
                self._row(grid, "Extra parameters", self.extra)
        self._head(grid, "Safety")
        self._row(grid, "Tokens bound to a key (DPoP)", self.dpop)
        self.without_pkce = QCheckBox("Go on where S256 is not announced")
        self.private_network = QCheckBox("A public server's metadata may lead there")
        for words, box in (("PKCE", self.without_pkce), ("Private network", self.private_network)):
            self._row(grid, words, box)
            box.clicked.connect(self._edited)
        for combo in (self.grant, self.token_auth, self.dpop):
            combo.activated.connect(self._edited)
        column.addLayout(grid)
        self.save = QPushButton("Save")
        theme.mark(self.save, kind="primary")
        self.save.clicked.connect(self._save)
        self.undo = QPushButton("Undo changes")
        self.undo.clicked.connect(self._undo)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addWidget(self.save)
        buttons.addWidget(self.undo)
        self.said = QLabel()
        self.said.setTextFormat(Qt.TextFormat.PlainText)
        theme.mark(self.said, role="muted")
        buttons.addWidget(self.said, 1)
        column.addLayout(buttons)
        column.addStretch(1)
        self.setWidget(body)
        self._set_dirty(False)

    def _head(self, grid: QGridLayout, title: str) -> None:
        label = QLabel(title)
        theme.mark(label, role="head")
        label.setContentsMargins(0, 8, 0, 0)
        grid.addWidget(label, grid.rowCount(), 0, 1, 2)

    def _row(self, grid: QGridLayout, words: str, widget: QWidget) -> None:
        at = grid.rowCount()
        label = QLabel(words)
        label.setFixedHeight(26)
        widget.setAccessibleName(words)
        grid.addWidget(label, at, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(widget, at, 1)

    @property
    def dirty(self) -> bool:
        """Whether something was typed that is not saved."""
        return self.save.isEnabled()

    def show_entry(self, entry: ServerEntry) -> None:
        """Show an entry; what is being typed for the same one stays."""
        before, self._entry = self._entry, entry
        same = before is not None and before.name == entry.name
        if same and (self.dirty or before.auth == entry.auth):  # type: ignore[union-attr] # same says that there is one
            return
        self._fill(entry.auth)

    def _fill(self, options: AuthOptions) -> None:
        self.grant.setCurrentText(options.grant)
        self.token_auth.setCurrentText(options.token_auth or "as registered")
        self.dpop.setCurrentText(options.dpop)
        for name, line in self._lines.items():
            value = getattr(options, name)
            line.setText(" ".join(value) if name == "scopes" else value)
        self.extra.setText(pairs_of(options.extra, "="))
        self.without_pkce.setChecked(options.without_pkce)
        self.private_network.setChecked(options.private_network)
        self._set_dirty(False)

    def options(self) -> tuple[AuthOptions, list[str]]:
        """What the inputs say, and what is wrong with it."""
        base = self._entry.auth if self._entry is not None else AuthOptions()
        extra, problems = mapping_of(self.extra.text(), "=")
        texts: dict[str, Any] = {name: line.text().strip() for name, line in self._lines.items()}
        texts["scopes"] = tuple(texts["scopes"].split())
        texts["redirect_uri"] = texts["redirect_uri"] or AuthOptions().redirect_uri
        chosen = self.token_auth.currentText()
        return (
            replace(
                base,
                **texts,
                grant=self.grant.currentText(),
                token_auth="" if self.token_auth.currentIndex() == 0 else chosen,
                dpop=self.dpop.currentText(),
                extra=extra,
                without_pkce=self.without_pkce.isChecked(),
                private_network=self.private_network.isChecked(),
            ),
            problems,
        )

    def _edited(self) -> None:
        self._set_dirty(True)

    def _set_dirty(self, dirty: bool) -> None:
        self.save.setEnabled(dirty)
        self.undo.setEnabled(dirty)
        self.said.setText("Not saved yet; it counts from the next sign-in on." if dirty else "")

    def _undo(self) -> None:
        if self._entry is not None:
            self._fill(self._entry.auth)

    def _save(self) -> None:
        entry = self._entry
        options, problems = self.options()
        if entry is None:
            return
        if problems:
            self.said.setText(" ".join(problems))
            return
        vault = self._desk.vault
        typed = {name: value for name in _SECRETS if (value := getattr(options, name)) and not value.startswith("${")}
        if not typed or vault is None:
            self._write(entry, options)
            return
        # Secrets are kept in the vault; the file only names them.
        stem = re.sub(r"[^A-Za-z0-9_.-]", "-", entry.name)[:60]
        names = {option: f"{stem}-{option.replace('_', '-')}" for option in typed}

        def keep() -> str:
            for option, value in typed.items():
                vault.put(names[option], value)
            return vault.place()

        def kept(place: str) -> None:
            references: dict[str, Any] = {option: f"${{secret:{name}}}" for option, name in names.items()}
            self._write(entry, replace(options, **references))
            what = ", ".join(option.replace("_", " ") for option in sorted(typed))
            self._desk.notices.say(f"What is secret of {entry.name} ({what}) is kept {place}.", key="client secret")

        bridge.spawn(bridge.aside(keep), what="keeping the secrets", on_done=kept)

    def _write(self, entry: ServerEntry, options: AuthOptions) -> None:
        book = self._desk.book
        wrong = book.choose(entry.name, auth=options) if book is not None else "Nothing can be saved yet."
        if wrong:
            self._desk.notices.say(wrong, level=Level.ERROR, key="auth options")
            return
        self._entry = replace(entry, auth=options)
        self._fill(options)
        self.said.setText("Saved.")
