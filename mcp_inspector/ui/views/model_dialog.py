"""Where a model is that the person lets be asked: address, name and key. Not modal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)
from shiboken6 import isValid

from mcp_inspector.ui import theme
from mcp_inspector.ui.widgets.inputs import LongLineEdit

if TYPE_CHECKING:
    from mcp_inspector.ui.models.model_book import ModelBook


class ModelDialog(QDialog):
    """Edits a `ModelBook`. An empty key field leaves the kept key as it is."""

    def __init__(self, book: ModelBook, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(book.purpose.title)
        self.setModal(False)
        self._book = book
        endpoint = book.endpoint
        self.url = LongLineEdit(endpoint.base_url, mono=True)
        self.url.setPlaceholderText("http://127.0.0.1:11434/v1")
        self.model = LongLineEdit(endpoint.model, mono=True)
        self.model.setPlaceholderText(book.purpose.model)
        self.key = LongLineEdit(mono=True)
        self.key.setEchoMode(QLineEdit.EchoMode.Password)
        self.key.setPlaceholderText("none")
        self.forget = QPushButton("Forget the key")
        self.forget.clicked.connect(self._forget)
        self.forget.hide()
        self.where = QLabel("Looking where keys can be kept…")
        self.where.setWordWrap(True)
        theme.mark(self.where, role="muted")
        about = QLabel(book.purpose.about)
        about.setWordWrap(True)
        self.save_button = QPushButton("Save")
        theme.mark(self.save_button, kind="primary")
        self.save_button.clicked.connect(self.save)
        form = QFormLayout()
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        self.api = QComboBox()
        for api, title in book.purpose.apis:
            self.api.addItem(title, api)
        self.api.setCurrentIndex(max(self.api.findData(book.api), 0))
        if book.purpose.apis:
            form.addRow("Interface", self.api)
            self.api.currentIndexChanged.connect(self._hint)
            self._hint()
        else:
            self.api.setParent(self)
            self.api.hide()
        form.addRow("Base URL", self.url)
        form.addRow("Model", self.model)
        form.addRow("Key", self.key)
        buttons = QHBoxLayout()
        buttons.addWidget(self.forget)
        buttons.addStretch(1)
        close = QPushButton("Close")
        close.clicked.connect(self.close)
        buttons.addWidget(close)
        buttons.addWidget(self.save_button)
        layout = QVBoxLayout(self)
        layout.addWidget(about)
        layout.addLayout(form)
        layout.addWidget(self.where)
        layout.addLayout(buttons)
        self.resize(520, self.sizeHint().height())
        book.look(self._known)

    def _known(self, found: tuple[str, bool]) -> None:
        place, has_key = found
        if not isValid(self):
            return  # closed meanwhile
        self.where.setText(f"A key is kept {place}.")
        self.key.setPlaceholderText("kept; type to replace it" if has_key else "none")
        self.forget.setVisible(has_key)

    def _hint(self) -> None:
        anthropic = self.api.currentData() == "anthropic"
        self.url.setPlaceholderText("https://api.anthropic.com/v1" if anthropic else "http://127.0.0.1:11434/v1")

    def save(self) -> None:
        """Keep what is typed, then close."""
        key = self.key.text().strip()
        self._book.save(self.url.text(), self.model.text(), key or None, lambda _: self._saved(), self._api)

    @property
    def _api(self) -> str:
        return self.api.currentData() or ""

    def _saved(self) -> None:
        if isValid(self):
            self.close()

    def _forget(self) -> None:
        self.key.clear()
        self._book.save(self.url.text(), self.model.text(), "", lambda place: self._known((place, False)), self._api)
