"""Asks for the values that an entry only names: ``${input:NAME}`` and ``${secret:NAME}``. Not modal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)
from shiboken6 import isValid

from mcp_inspector.config.inputs import Input
from mcp_inspector.ui import bridge, plain, theme
from mcp_inspector.ui.widgets.inputs import LongLineEdit

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mcp_inspector.config.vault import Vault

_KIND = "input:"


class ValuesDialog(QDialog):
    """One field for each name. `given` tells that all values are there: in the vault, and nowhere else."""

    given = Signal()

    def __init__(
        self,
        server: str,
        items: Sequence[str],
        inputs: Mapping[str, Input],
        vault: Vault,
        parent: QWidget,
        *,
        kept: Sequence[str] = (),
    ) -> None:
        """`items` are names in the vault (see `item_of`), `inputs` what the file says of inputs, by their names.

        What is `kept` already may stay empty: then it is left as it is.
        """
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setObjectName("values-dialog")
        self.setWindowTitle(f"Values for {server[:60]}")
        self.setModal(False)
        self._vault, self._kept = vault, frozenset(kept)
        self.fields: dict[str, QLineEdit | QComboBox] = {}
        about = _text(
            f"{plain.line(server, 60)} needs {'this value' if len(items) == 1 else 'these values'}. "
            "The servers file only names them; what you enter is not written into it."
        )
        self.keep = QCheckBox("Keep for later runs, too")
        self.where = _text("Without it, they are forgotten when the program ends.", role="muted")
        self.ok = QPushButton("Connect")
        theme.mark(self.ok, kind="primary")
        self.ok.setDefault(True)
        self.ok.clicked.connect(self.give)
        cancel = QPushButton("Cancel")
        cancel.setAutoDefault(False)
        cancel.clicked.connect(self.reject)
        body = QWidget()
        theme.mark(body, surface="base")
        rows = QVBoxLayout(body)
        rows.setContentsMargins(14, 12, 14, 12)
        rows.setSpacing(4)
        for item in items:
            self._add(rows, item, inputs)
        rows.addStretch(1)
        area = QScrollArea()
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(body)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(cancel)
        buttons.addWidget(self.ok)
        layout = QVBoxLayout(self)
        layout.setSpacing(8)
        layout.addWidget(about)
        layout.addWidget(area, 1)
        layout.addWidget(self.keep)
        layout.addWidget(self.where)
        layout.addLayout(buttons)
        wanted = body.sizeHint().height() + 170
        self.resize(min(560, parent.width() - 40), max(240, min(wanted, parent.height() - 60)))
        self._look()
        bridge.spawn(bridge.aside(vault.place), what="looking where values are kept", on_done=self._placed)

    def _add(self, rows: QVBoxLayout, item: str, inputs: Mapping[str, Input]) -> None:
        name = item.removeprefix(_KIND)
        told = inputs.get(name) if item.startswith(_KIND) else None
        told = told or Input(name, password=True)  # nobody says that it may be seen
        label = _text(plain.line(name, 100))
        label.setFont(theme.font(bold=True))
        rows.addWidget(label)
        if told.description:
            rows.addWidget(_text(plain.lines(told.description), role="muted"))
        if told.options:
            box = QComboBox()
            box.addItems([plain.line(option, 100) for option in told.options])
            box.setCurrentIndex(max(0, told.options.index(told.default) if told.default in told.options else 0))
            for at, option in enumerate(told.options):
                box.setItemData(at, option)
            field: QLineEdit | QComboBox = box
        else:
            line = LongLineEdit(told.default, mono=True)
            line.textChanged.connect(self._look)
            if told.password:
                line.setEchoMode(QLineEdit.EchoMode.Password)
            if item in self._kept:
                line.setPlaceholderText("kept; type to replace it")
            field = line
        self.fields[item] = field
        field.setAccessibleName(name)
        label.setBuddy(field)
        rows.addWidget(field)
        rows.addSpacing(8)

    def _placed(self, place: str) -> None:
        if isValid(self):
            self.where.setText(f"They are kept {place}. Without it, they are forgotten when the program ends.")

    def _values(self) -> dict[str, str]:
        return {
            item: str(field.currentData()) if isinstance(field, QComboBox) else field.text()
            for item, field in self.fields.items()
        }

    def _look(self) -> None:
        missing = [item for item, value in self._values().items() if not value and item not in self._kept]
        self.ok.setEnabled(not missing)
        self.ok.setToolTip("Fill in everything first" if missing else "")

    def give(self) -> None:
        """Put them into the vault, then close."""
        values = {item: value for item, value in self._values().items() if value}
        lasting, vault = self.keep.isChecked(), self._vault

        def work() -> None:
            for item, value in values.items():
                (vault.put if lasting else vault.hold)(item, value)

        self.ok.setEnabled(False)
        bridge.spawn(bridge.aside(work), what="keeping the values", on_done=lambda _: self._done())

    def _done(self) -> None:
        if isValid(self):
            self.given.emit()
            self.accept()


def _text(text: str, role: str = "") -> QLabel:
    label = QLabel(text)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    if role:
        theme.mark(label, role=role)
    return label
