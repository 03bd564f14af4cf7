"""Add or edit a server: paste anything, or fill in. What would run is shown first; nothing runs before it is saved."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)
from shiboken6 import isValid

from mcp_inspector.config import paste
from mcp_inspector.config.entry import ServerEntry
from mcp_inspector.config.variables import effective
from mcp_inspector.ui import plain, theme
from mcp_inspector.ui.bridge import Pull
from mcp_inspector.ui.forms.inputs import AreaEdit, submits
from mcp_inspector.ui.models.secret_values import restored
from mcp_inspector.ui.views.server_fields import ServerFields, about_it
from mcp_inspector.ui.widgets.rows import ValueLabel

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent, QResizeEvent

    from mcp_inspector.ui.models.book import Book

_PREVIEW_MS = 150
_LOW = 560
"""Pixels of height below which the place to paste into is two lines high, and the effect has less room."""


class ServerDialog(QDialog):
    """One entry under edit. `saved` gives its name."""

    saved = Signal(str)
    others_wanted = Signal()
    """The person would rather take servers from other applications."""

    def __init__(self, book: Book, entry: ServerEntry | None, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setModal(False)
        self.setObjectName("server-dialog")
        self._book = book
        self._before = entry
        self._base = entry or ServerEntry("")
        self._value = book.value(entry.name) if entry is not None else None
        self._found: tuple[ServerEntry, ...] = ()
        self._values: tuple[Any, ...] = ()
        self.setWindowTitle(f"Edit {plain.line(entry.name, 60)}" if entry else "Add server")
        self._pull = Pull(self._preview, self, _PREVIEW_MS)
        self._build()
        self.fields.secrets.use(book.vault, book.named_elsewhere(self._base.name))
        self.fields.fill(self._base, self._value)
        self._preview()
        room = parent.size()
        self.resize(min(920, max(420, room.width() - 40)), min(800, max(380, room.height() - 40)))

    # --- building ---

    def _build(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 12, 0, 0)
        layout.setSpacing(8)
        if self._before is None:
            column = QVBoxLayout()
            column.setContentsMargins(16, 0, 16, 0)
            self._build_paste(column)
            layout.addLayout(column)
        self.fields = ServerFields()
        self.fields.changed.connect(self._pull.soon)
        self.fields.submitted.connect(lambda: self.save(connect=True))
        layout.addWidget(self.fields, 1)
        layout.addWidget(self._build_effect())
        layout.addWidget(self._build_foot())

    def _build_effect(self) -> QWidget:
        """What connecting would do, and what is wrong: as high as it needs to be, within reason."""
        body = self._effect_body = QWidget()
        theme.mark(body, surface="window")
        column = QVBoxLayout(body)
        column.setContentsMargins(16, 4, 16, 6)
        column.setSpacing(6)
        column.addWidget(_head("What connecting would do"))
        self.effect = ValueLabel("", mono=True)
        self._effect_frame = QWidget()
        theme.mark(self._effect_frame, surface="base")
        self._effect_layout = QVBoxLayout(self._effect_frame)
        self._effect_layout.setContentsMargins(10, 8, 10, 8)
        self._effect_layout.addWidget(self.effect)
        column.addWidget(self._effect_frame)
        self._dangers = _sentence("warn")
        self._problems = _sentence("error")
        column.addWidget(self._dangers)
        column.addWidget(self._problems)
        column.addStretch(1)
        area = self._area = QScrollArea()
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # else it is the first that gets the keys, and eats them
        area.setWidgetResizable(True)
        area.setWidget(body)
        area.setMinimumHeight(64)
        return area

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape closes it as long as nothing typed would be lost; Ctrl+Enter connects, from the paste as well."""
        if submits(event) and self.connect_button.isVisible() and self.connect_button.isEnabled():
            self.connect_button.click()
        elif event.key() == Qt.Key.Key_Escape and (self.fields.touched or self._pasting()):
            self._say_problems(["Not saved yet: the button Cancel closes without saving."])
            event.accept()
        else:
            super().keyPressEvent(event)

    def _pasting(self) -> bool:
        return self._before is None and bool(self.paste.text().strip())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The form has most of the room."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        wanted = self._effect_body.sizeHint().height() + 2
        self._area.setFixedHeight(
            max(64, min(wanted, self.height() // 6 if self.height() < _LOW else self.height() * 3 // 10))
        )
        if self._before is None:
            self.paste.setFixedHeight(52 if self.height() < _LOW else 92)

    def _build_paste(self, column: QVBoxLayout) -> None:
        self.paste = AreaEdit()
        self.paste.setFont(theme.mono())
        self.paste.setPlaceholderText("Paste a command line, a URL, or a configuration of any program")
        self.paste.edited.connect(self._pasted)
        self._words = _sentence("muted")
        self._several = QComboBox()
        self._several.activated.connect(self._chosen)
        self._all = QPushButton("Add all")
        self._all.clicked.connect(self._add_all)
        others = QPushButton("From other applications…")
        others.setToolTip("Look for servers that other applications on this computer have (Ctrl+Shift+Y)")
        others.setAutoDefault(False)
        others.clicked.connect(self._take_others)
        row = QHBoxLayout()
        row.addWidget(others)
        row.addWidget(self._several, 1)
        row.addStretch()
        row.addWidget(self._all)
        self._several.hide()
        self._all.hide()
        column.addWidget(self.paste)
        column.addWidget(self._words)
        column.addLayout(row)

    def _build_foot(self) -> QWidget:
        foot = QWidget()
        theme.mark(foot, surface="band")
        row = QHBoxLayout(foot)
        row.setContentsMargins(16, 10, 16, 10)
        where = QLabel(f"Saved in {self._base.origin if self._before else self._book.file}")
        where.setTextFormat(Qt.TextFormat.PlainText)
        where.setWordWrap(True)
        theme.mark(where, role="small")
        self.save_button = QPushButton("Save")
        self.connect_button = QPushButton("Save and connect")
        theme.mark(self.connect_button, kind="primary")
        cancel = QPushButton("Cancel")
        cancel.clicked.connect(self.reject)
        self.save_button.clicked.connect(lambda: self.save(connect=False))
        self.connect_button.clicked.connect(lambda: self.save(connect=True))
        self.connect_button.setDefault(True)
        row.addWidget(where, 1)
        for button in (cancel, self.save_button, self.connect_button):
            button.setAutoDefault(False)
            row.addWidget(button)
        return foot

    # --- pasting ---

    def _take_others(self) -> None:
        self.others_wanted.emit()
        self.reject()

    def _pasted(self, text: str) -> None:
        if not text.strip():
            self._words.hide()
            self._several.hide()
            self._all.hide()
            return
        understood = paste.understand(text, self._book.names)
        self._found, self._values = understood.entries, understood.values
        words = [understood.words, *understood.problems]
        self._words.setText("\n".join(word for word in words if word))
        theme.mark(self._words, role="muted" if understood.entries and not understood.problems else "warn")
        self._words.show()
        several = len(understood.entries) > 1
        self._several.setVisible(several)
        self._all.setVisible(several)
        self._several.clear()
        self._several.addItems([plain.line(entry.name, 80) for entry in understood.entries])
        if understood.entries:
            self._chosen(0)

    def _chosen(self, at: int) -> None:
        self.fields.fill(self._found[at], self._value_of(at))
        self._preview()

    def _value_of(self, at: int) -> Any:
        return self._values[at] if at < len(self._values) else None

    def _add_all(self) -> None:
        problems = []
        for at, entry in enumerate(self._found):
            problem = self._book.add(replace(entry, origin=""), connect=False, value=self._value_of(at))
            if problem:
                problems.append(problem)
        if problems:
            self._say_problems(problems)
        else:
            self.saved.emit(self._found[0].name)
            self.accept()

    # --- between entry and fields ---

    def _preview(self) -> None:
        entry, problems = self.fields.entry()
        would = effective(entry)
        text = "\n".join(would.lines()) if entry.command or entry.url else "Nothing yet."
        if text != self.effect.text():
            self._effect_layout.removeWidget(self.effect)
            self.effect.hide()
            self.effect.deleteLater()
            self.effect = ValueLabel(text, mono=True)
            self._effect_layout.addWidget(self.effect)
        self._dangers.setText("\n".join(would.dangers))
        self._dangers.setVisible(bool(would.dangers))
        blank = not (entry.name or entry.command or entry.url)
        more = [about_it(one, entry.name) for one in would.problems]
        self._say_problems([] if blank else [*dict.fromkeys((*problems, *entry.problems, *more))])
        for button in (self.save_button, self.connect_button):
            button.setEnabled(not problems)

    def _say_problems(self, problems: list[str]) -> None:
        self._problems.setText("\n".join(problems))
        self._problems.setVisible(bool(problems))
        self._fit()

    # --- the end ---

    def save(self, *, connect: bool) -> None:
        """Write it to the servers file; a refusal is said here and nothing is lost. Secrets are kept first."""
        entry, problems = self.fields.entry()
        if problems:
            self._say_problems(problems)
            return
        value, secrets = self.fields.value(), self.fields.secrets.wanted()
        if not secrets:
            self._write(entry, value, connect=connect)
            return

        def kept(place: str) -> None:
            if isValid(self) and self._write(entry, value, connect=connect):
                self._book.kept(entry, (value, restored(value, secrets)), secrets, place)

        for button in (self.save_button, self.connect_button):
            button.setEnabled(False)  # until they are kept
        self._book.keep(secrets, kept)

    def _write(self, entry: ServerEntry, value: Any, *, connect: bool) -> bool:
        if self._before is None:
            refused = self._book.add(replace(entry, origin=""), connect=connect, value=value)
        else:
            values = None if self._value is None else (self._value, value)
            refused = self._book.update(self._before.name, self._before, entry, connect=connect, values=values)
        if refused:
            self._say_problems([refused])
            for button in (self.save_button, self.connect_button):
                button.setEnabled(True)
            return False
        self.saved.emit(entry.name)
        self.accept()
        return True


def _head(text: str) -> QLabel:
    label = QLabel(text)
    theme.mark(label, role="head")
    return label


def _sentence(role: str) -> QLabel:
    label = QLabel()
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    theme.mark(label, role=role)
    label.hide()
    return label
