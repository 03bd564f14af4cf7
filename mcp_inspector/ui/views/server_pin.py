"""In the form of an entry: the switch that takes one pinned certificate instead of checking any. Off by default."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from mcp_inspector.config.route import fingerprint
from mcp_inspector.ui.widgets.inputs import LongLineEdit
from mcp_inspector.ui.widgets.labels import ElidedLabel
from mcp_inspector.ui.widgets.visible import tooltip
from mcp_inspector.wire import jsontext

if TYPE_CHECKING:
    from mcp_inspector.schema.document import Document

_PATH = ("tls", "pin")
_OFF = "Off: the certificate must be valid and signed by a root that this system, or the entry's tls.ca, trusts."
_ON = (
    "On: only the certificate with this SHA-256 is taken, and nothing else of it is checked: whoever has its key is "
    "taken for the server."
)


class PinSwitch(QWidget):
    """Shows and changes `tls.pin` of a document; hidden where the entry has no https URL."""

    def __init__(self, document: Document) -> None:
        super().__init__()
        self.setObjectName("pin-switch")
        self._document = document
        self._last = ""
        self.switch = QCheckBox("Take one pinned certificate, unchecked")
        self.line = LongLineEdit(mono=True)
        self.line.setAccessibleName("SHA-256 of the certificate")
        self.line.setPlaceholderText("its SHA-256, 64 hexadecimal digits")
        self.meaning = ElidedLabel(size="small")
        self.switch.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        row = QHBoxLayout()
        row.setSpacing(10)
        row.addWidget(self.switch)
        row.addWidget(self.line, 1)
        row.addStretch(0)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 2, 16, 2)
        column.setSpacing(2)
        column.addLayout(row)
        column.addWidget(self.meaning)
        self.switch.clicked.connect(self._switched)
        self.line.textEdited.connect(self._typed)
        self.look()

    def look(self) -> None:
        """Look at the entry again."""
        held = self._document.value(_PATH, None)
        pin = held if isinstance(held, str) else ""
        url = self._document.value(("url",), "")
        self.setVisible(bool(pin) or (isinstance(url, str) and url.lower().startswith(("https:", "${"))))
        on = bool(pin) or (self.switch.isChecked() and self.line.hasFocus())
        self.switch.setChecked(on)
        if on and self.line.text() != pin and not self.line.hasFocus():
            self.line.setText(pin)
        self.line.setVisible(on)
        odd = bool(pin) and not fingerprint(pin) and "${" not in pin
        words = "This is no SHA-256 fingerprint, and is not used: write its 64 hexadecimal digits." if odd else _ON
        self.meaning.setText(words if on else _OFF)
        self.meaning.setToolTip(tooltip(words if on else _OFF))
        self.meaning.set_tone("error" if odd else "warn" if on else "muted")

    def _switched(self, on: bool) -> None:
        if on:
            self.line.show()
            self.line.setText(self._last)
            self.line.setFocus()
            self._typed(self._last)
        else:
            self._last = self.line.text()
            self._remove()
        self.look()

    def _typed(self, text: str) -> None:
        pin = text.strip()
        if not pin:
            self._remove()
        elif self._document.value(("tls",), None) is None:
            self._document.set(("tls",), f'{{"pin": {jsontext.quote(pin)}}}')
        else:
            self._document.set(_PATH, jsontext.quote(pin))

    def _remove(self) -> None:
        tls = self._document.value(("tls",), None)
        if isinstance(tls, dict) and "pin" in tls:
            self._document.remove(_PATH if len(tls) > 1 else ("tls",))
