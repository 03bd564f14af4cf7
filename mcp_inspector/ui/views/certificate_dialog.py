"""The certificate that a server shows and nobody trusts, to be accepted for this server alone. Not modal."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QPushButton, QScrollArea, QVBoxLayout, QWidget
from shiboken6 import isValid

from mcp_inspector.session.signing_in import words_of
from mcp_inspector.ui import bridge, icons, plain, theme
from mcp_inspector.ui.notices import Action, Level
from mcp_inspector.ui.widgets.rows import Fact, KeyValueRows

if TYPE_CHECKING:
    from mcp_inspector.session.doctor.network import Presented
    from mcp_inspector.session.server import Server
    from mcp_inspector.ui.desk import Desk

_MEANING = (
    "Accept it only if you know this fingerprint from whoever runs the server. From then on this server is taken to be "
    "whoever holds the key of this ONE certificate: its name, its dates and who signed it are not looked at any more. "
    "Another certificate is refused, and no other server is concerned."
)
_NAMES = {"subject": "Subject", "issuer": "Issuer", "valid": "Valid", "for": "For"}


class CertificateDialog(QDialog):
    """Shows it; accepting writes its fingerprint as `tls.pin` into the entry of this server, and connects."""

    def __init__(self, desk: Desk, server: Server, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setObjectName("certificate-dialog")
        self.setWindowTitle(f"Certificate of {server.name[:60]}")
        self.setModal(False)
        self._desk, self._server = desk, server
        self._found: Presented | None = None
        pinned = server.entry.route.pin
        fault = server.status.fault
        self.why = _text(plain.line(fault.sentence, 400) if fault is not None else "")
        self.rows = KeyValueRows()
        self.warning = _text(
            "This is ANOTHER certificate than the one that was accepted before. " + _MEANING if pinned else _MEANING
        )
        theme.mark(self.warning, role="warn")
        sign = QLabel()
        sign.setPixmap(icons.pixmap("triangle-alert", 18, "warn", self.devicePixelRatioF()))
        warned = QHBoxLayout()
        warned.setSpacing(10)
        warned.addWidget(sign, 0, Qt.AlignmentFlag.AlignTop)
        warned.addWidget(self.warning, 1)
        body = QWidget()
        theme.mark(body, surface="base")
        column = QVBoxLayout(body)
        column.setContentsMargins(14, 12, 14, 12)
        column.setSpacing(12)
        column.addWidget(self.rows)
        column.addLayout(warned)
        column.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(body)
        self.accept_button = QPushButton("Accept for this server")
        self.accept_button.setEnabled(False)
        self.accept_button.setAutoDefault(False)
        self.accept_button.clicked.connect(self.take)
        cancel = QPushButton("Cancel")
        cancel.setDefault(True)
        cancel.clicked.connect(self.reject)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(self.accept_button)
        buttons.addWidget(cancel)
        layout = QVBoxLayout(self)
        layout.setSpacing(8)
        layout.addWidget(self.why)
        layout.addWidget(area, 1)
        layout.addLayout(buttons)
        self.resize(min(660, parent.width() - 40), min(430, parent.height() - 60))
        self.rows.set_facts([Fact("Certificate", "Looking at it …", tone="muted")])
        if desk.inspector is not None:
            look = desk.inspector.certificate(server)
            what = f"looking at the certificate of {server.name}"
            bridge.spawn(look, what=what, on_done=self._show, on_error=self._failed)

    def _show(self, found: Presented) -> None:
        if not isValid(self):
            return  # closed meanwhile
        self._found = found
        digits = found.fingerprint.upper()
        pairs = " ".join(digits[at : at + 4] for at in range(0, len(digits), 4))
        facts = [Fact("SHA-256", pairs, mono=True)]
        facts += [Fact(_NAMES[name], plain.line(value, 500)) for name, value in found.facts if name in _NAMES]
        self.rows.set_facts(facts)
        self.accept_button.setEnabled(True)

    def _failed(self, error: Exception) -> None:
        words = words_of(error)
        if not words:
            raise error
        if isValid(self):
            self.rows.set_facts([Fact("Certificate", plain.line(words, 500), tone="error")])

    def take(self) -> None:
        """Write the fingerprint into the entry of this server, connect, and close."""
        name, book, found = self._server.name, self._desk.book, self._found
        entry = book.entry(name) if book is not None else None
        if book is None or entry is None or found is None:
            self.reject()
            return
        before = entry.route.pin
        pinned = replace(entry, route=replace(entry.route, pin=found.fingerprint))
        refused = book.update(name, entry, pinned, connect=True)
        if refused:
            self._desk.notices.say(refused, level=Level.ERROR, key=f"pin:{name}")
            return

        def undo() -> None:
            self._desk.notices.settle(f"pin:{name}")
            now = book.entry(name)
            if now is not None and now.route.pin == found.fingerprint:
                book.update(name, now, replace(now, route=replace(now.route, pin=before)), connect=True)

        self._desk.notices.say(
            f"{plain.line(name)}: only the certificate {found.fingerprint[:16]}… is taken from now on.",
            Action("Undo", undo),
            level=Level.WARNING,
            key=f"pin:{name}",
        )
        self.accept()


def _text(text: str) -> QLabel:
    label = QLabel(text)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label
