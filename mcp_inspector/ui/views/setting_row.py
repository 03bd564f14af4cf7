"""One row of the settings: what it is, its value to be edited, where that comes from, and back to the default."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QGridLayout, QHBoxLayout, QLabel, QToolButton, QWidget

from mcp_inspector.ui import icons, theme
from mcp_inspector.ui.widgets.inputs import LongLineEdit
from mcp_inspector.ui.widgets.labels import ElidedLabel
from mcp_inspector.ui.widgets.visible import tooltip

if TYPE_CHECKING:
    from mcp_inspector.ui.models.setting_list import SettingList

_VALUE_WIDTH: Final = 112
_SOURCE_WIDTH: Final = 104


class SettingEditor(QWidget):
    """Shows and edits one setting. A value is checked as it is typed, and kept by Return or on leaving the field."""

    def __init__(self, settings: SettingList, name: str) -> None:
        super().__init__()
        self.name = name
        self._settings = settings
        self.row = settings.row(name)
        self.line: LongLineEdit | None = None
        self.box: QComboBox | None = None
        self._title = QLabel(self.row.title)
        theme.mark(self._title, role="head")
        self._help = _sentence(self.row.explained, "small")
        self.problem = _sentence("", "error")
        self._unit = QLabel(self.row.unit)
        theme.mark(self._unit, role="muted")
        self.source = ElidedLabel(size="small", tone="muted", mode=Qt.TextElideMode.ElideMiddle)
        self.source.setMinimumWidth(_SOURCE_WIDTH)
        self.reset_button = QToolButton()
        self.reset_button.setIcon(icons.icon("undo-2"))
        self.reset_button.setAccessibleName(f"Reset {self.row.title} to the default")
        self.reset_button.clicked.connect(self._reset)
        self._lay_out(self._editor())
        self.show_row()

    def _editor(self) -> QWidget:
        if self.row.choices:
            self.box = QComboBox()
            self.box.addItems(list(self.row.choices))
            self.box.activated.connect(lambda _: self.keep())
            editor: QWidget = self.box
        else:
            self.line = LongLineEdit()
            self.line.setAlignment(Qt.AlignmentFlag.AlignRight)
            self.line.textEdited.connect(lambda _: self._typed())
            self.line.editingFinished.connect(self.keep)
            editor = self.line
        editor.setFixedWidth(_VALUE_WIDTH)
        editor.setAccessibleName(self.row.title)
        editor.setAccessibleDescription(self.row.help)
        self.setFocusProxy(editor)
        return editor

    def _lay_out(self, editor: QWidget) -> None:
        value = QHBoxLayout()
        value.setSpacing(6)
        value.addWidget(editor)
        self._unit.setMinimumWidth(self.fontMetrics().horizontalAdvance("MiB") + 4)
        value.addWidget(self._unit)
        value.addWidget(self.source)
        value.addWidget(self.reset_button)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 4, 0, 4)
        grid.setHorizontalSpacing(14)
        grid.setVerticalSpacing(1)
        grid.addWidget(self._title, 0, 0, Qt.AlignmentFlag.AlignVCenter)
        grid.addLayout(value, 0, 1)
        grid.addWidget(self._help, 1, 0, 1, 2)
        grid.addWidget(self.problem, 2, 0, 1, 2)
        grid.setColumnStretch(0, 1)

    def text(self) -> str:
        """The value as it is typed or chosen."""
        return self.box.currentText() if self.box is not None else self.line.text() if self.line is not None else ""

    def show_row(self) -> None:
        """Show the setting as it stands; what is being typed is left alone."""
        row = self.row = self._settings.row(self.name)
        if self.box is not None:
            self.box.setCurrentText(row.value)
            self.box.setEnabled(not row.fixed)
        if self.line is not None:
            self.line.setReadOnly(bool(row.fixed))
            if not (self.line.hasFocus() and self.line.isModified()):
                self.line.setText(row.value)
                self.line.setModified(False)
                self._say("")
        self.source.setText(row.source)
        self.source.set_tone("muted" if row.source == "default" else "warn" if row.fixed else "accent")
        self.source.setToolTip(tooltip(row.fixed or (row.origin if row.source != "default" else "")))
        self._help.setText(row.explained)
        self.reset_button.setEnabled(row.source == "settings.json")
        self.reset_button.setToolTip(f"Reset to the default, {row.default} {row.unit}".rstrip())

    def keep(self) -> None:
        """Keep what is typed, if it is something else and can be."""
        if self.row.fixed:
            return
        if self.text().strip() == self.row.value:
            self._say("")
            return
        problem = self._settings.put(self.name, self.text())
        self._say(problem)
        if not problem and self.line is not None:
            self.line.setText(self.row.value)
            self.line.setModified(False)

    def _typed(self) -> None:
        self._say(self._settings.check(self.name, self.text()))

    def _reset(self) -> None:
        if self.line is not None:
            self.line.setModified(False)
        self._say(self._settings.reset(self.name))

    def _say(self, problem: str) -> None:
        self.problem.setText(problem)
        self.problem.setVisible(bool(problem))
        field = self.line or self.box
        if field is not None:
            theme.mark(field, invalid=bool(problem))


def _sentence(text: str, role: str) -> QLabel:
    label = QLabel(text)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    label.setVisible(bool(text))
    theme.mark(label, role=role)
    return label
