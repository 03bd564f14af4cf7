"""TLS and proxy of a server that is reached by URL, as inputs of the server dialog."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QGridLayout, QLabel, QWidget

from mcp_inspector.config.route import Route, fingerprint
from mcp_inspector.ui import theme
from mcp_inspector.ui.widgets.inputs import LongLineEdit

_LINES = (
    ("proxy", "Proxy", "empty: as the environment says; http://host:port, or none"),
    ("ca", "CA file", "roots beside the system's, PEM"),
    ("cert", "Client certificate", "PEM file"),
    ("key", "Its key", "PEM file; empty when it is in the same one"),
)


class RouteFields(QWidget):
    """The fields; the switch for a pinned certificate is off unless somebody set it. `changed` tells of edits."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._base = Route()
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(10)
        grid.setVerticalSpacing(8)
        grid.setColumnStretch(1, 1)
        self.lines: dict[str, LongLineEdit] = {}
        for at, (name, words, hint) in enumerate(_LINES):
            line = self.lines[name] = LongLineEdit(mono=True)
            line.setPlaceholderText(hint)
            line.setAccessibleName(words)
            line.textChanged.connect(self.changed)
            grid.addWidget(QLabel(words), at, 0)
            grid.addWidget(line, at, 1)
        self.pinned = QCheckBox("Take only the certificate with this fingerprint, and check nothing else")
        self.pinned.toggled.connect(self._switched)
        self.pin = LongLineEdit(mono=True)
        self.pin.setPlaceholderText("SHA-256, as the connection doctor shows it")
        self.pin.setAccessibleName("Fingerprint")
        self.pin.textChanged.connect(self.changed)
        self.warning = QLabel("Whoever has this certificate's key is taken for the server, also when it has expired.")
        self.warning.setWordWrap(True)
        theme.mark(self.warning, role="warn")
        at = len(_LINES)
        for row, widget in enumerate((self.pinned, self.pin, self.warning), at):
            grid.addWidget(widget, row, 1)
        self._switched(False)

    def fill(self, route: Route) -> None:
        """Show a route."""
        self._base = route
        for name, line in self.lines.items():
            line.setText(getattr(route, name))
        self.pin.setText(route.pin)
        self.pinned.setChecked(bool(route.pin))

    def route(self) -> tuple[Route, list[str]]:
        """What the inputs say, and what is wrong with it."""
        texts = {name: line.text().strip() for name, line in self.lines.items()}
        typed = self.pin.text().strip()
        pin = (typed if typed.startswith("${") else fingerprint(typed)) if self.pinned.isChecked() else ""
        problems = ["The fingerprint has to be 64 hexadecimal digits."] if self.pinned.isChecked() and not pin else []
        proxy = texts["proxy"]
        if proxy and proxy != "none" and not proxy.startswith(("http://", "https://", "${")):
            problems.append("The proxy has to be an http URL, or none.")
        return Route(**texts, pin=pin, key_password=self._base.key_password), problems

    def _switched(self, on: bool) -> None:
        self.pin.setVisible(on)
        self.warning.setVisible(on)
        self.changed.emit()
