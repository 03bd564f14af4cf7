"""Why a server is not there: what happened, what is known, what to try. In the pane, never a dialog."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QScrollArea, QVBoxLayout, QWidget

from mcp_inspector.ui import icons, plain, theme
from mcp_inspector.ui.widgets.rows import Fact, KeyValueRows, ValueLabel

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from mcp_inspector.ui.models.failure import Failure

_WORDS = 790
"""The width in pixels from which on all buttons have their words."""
_WORDS_MORE = 930
"""The same where a certificate can be accepted."""
_LESSER = ("authorization", "edit", "traffic", "copy")
_MONO = ("Command", "Working folder", "URL", "Searched (PATH)", "Attempts")


class FailureCard(QScrollArea):
    """Shows one `Failure`. `wanted` is a command: `edit`, `connect`, `traffic`, `doctor`, `sign-in` and so on."""

    wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self._failure: Failure | None = None
        body = QWidget()
        theme.mark(body, surface="base")
        self._layout = QVBoxLayout(body)
        self._layout.setContentsMargins(20, 18, 20, 18)
        self._layout.setSpacing(8)
        self._title = ValueLabel()
        self._title.setFont(theme.font("title", bold=True))
        self._sentence = ValueLabel()
        self._hint = ValueLabel(tone="muted")
        head = QHBoxLayout()
        head.setSpacing(10)
        self._icon = QLabel()
        head.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignTop)
        head.addWidget(self._title, 1)
        self._layout.addLayout(head)
        self._layout.addWidget(self._sentence)
        self._layout.addWidget(self._hint)
        self._layout.addLayout(self._buttons())
        self._rows = KeyValueRows()
        self._layout.addWidget(self._rows)
        self._sections = QVBoxLayout()
        self._sections.setSpacing(6)
        self._layout.addLayout(self._sections)
        self._layout.addStretch(1)
        self.setWidget(body)

    def _buttons(self) -> QHBoxLayout:
        self.buttons: dict[str, QPushButton] = {}
        row = QHBoxLayout()
        row.setContentsMargins(0, 6, 0, 6)
        row.setSpacing(8)
        for text, command, icon in (
            ("Sign in", "sign-in", "log-in"),
            ("Steps…", "authorization", "list-tree"),
            ("Retry", "connect", "rotate-cw"),
            ("Find out why…", "doctor", "activity"),
            ("Accept this certificate…", "certificate", "key-round"),
            ("Edit…", "edit", "pencil"),
            ("Show traffic", "traffic", "arrow-left-right"),
        ):
            primary = command in ("connect", "sign-in")
            button = QPushButton(icons.icon(icon, "on_accent" if primary else "text"), text)
            if primary:
                theme.mark(button, kind="primary")
            self.buttons[command] = button
            button.setObjectName(f"failure-{command}")
            button.clicked.connect(lambda _=False, command=command: self.wanted.emit(command))
            row.addWidget(button)
        self._copy = QPushButton(icons.icon("clipboard-copy"), "Copy report")
        self._copy.clicked.connect(self._copy_report)
        self.buttons["copy"] = self._copy
        self._words = {command: button.text() for command, button in self.buttons.items()}
        for command, button in self.buttons.items():
            button.setAccessibleName(self._words[command])
            button.setToolTip(self._words[command])
        row.addWidget(self._copy)
        row.addStretch(1)
        return row

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where it is narrow, the lesser buttons are their icons."""
        super().resizeEvent(event)
        narrow = self.viewport().width() < (_WORDS_MORE if self.buttons["certificate"].isVisibleTo(self) else _WORDS)
        for command in _LESSER:
            self.buttons[command].setText("" if narrow else self._words[command])

    def show_failure(self, failure: Failure) -> None:
        """Show what is known; the same again changes nothing (selections stay)."""
        if failure == self._failure:
            return
        self._failure = failure
        for command in ("sign-in", "authorization"):
            self.buttons[command].setVisible(failure.sign_in)
        self.buttons["certificate"].setVisible(failure.certificate)
        retry = self.buttons["connect"]
        retry.setVisible(not failure.sign_in)
        retry.setText("Enter values…" if failure.values else self._words["connect"])
        retry.setToolTip(retry.text())
        retry.setAccessibleName(retry.text())
        self._icon.setPixmap(icons.pixmap("circle-x", 20, "error", self.devicePixelRatioF()))
        self._title.setText(plain.lines(failure.title))
        self._sentence.setText(plain.lines(failure.sentence[:2_000]))
        self._hint.setText(plain.lines(failure.hint[:2_000]))
        self._hint.setVisible(bool(failure.hint))
        self._rows.set_facts(Fact(name, value, mono=name in _MONO) for name, value in failure.rows)
        while (item := self._sections.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        for section in failure.sections:
            title = QLabel(section.title)
            title.setTextFormat(Qt.TextFormat.PlainText)
            title.setWordWrap(True)
            theme.mark(title, role="head")
            self._sections.addWidget(title)
            frame = QWidget()
            theme.mark(frame, surface="window")
            inner = QVBoxLayout(frame)
            inner.setContentsMargins(10, 8, 10, 8)
            inner.addWidget(ValueLabel(section.text, mono=True))
            self._sections.addWidget(frame)

    def _copy_report(self) -> None:
        if self._failure is not None:
            QGuiApplication.clipboard().setText(self._failure.report())
