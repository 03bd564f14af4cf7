"""Dock widgets with a quiet title: name, a word at the right, and buttons that show under the mouse."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtWidgets import QDockWidget, QHBoxLayout, QToolButton, QWidget

from mcp_inspector.ui import icons, theme
from mcp_inspector.ui.widgets.labels import ElidedLabel

if TYPE_CHECKING:
    from PySide6.QtGui import QEnterEvent

_HEIGHT = 26


class Dock(QDockWidget):
    """A panel that can be moved, floated and hidden. `titled` False leaves the title to the tab that carries it.

    `need` is the height (px) that it gets in front of the others, where nobody has chosen one, even in a low window.
    """

    def __init__(self, name: str, title: str, widget: QWidget, *, titled: bool = True, need: int = 0) -> None:
        super().__init__(title)
        self.setObjectName(name)
        self.setWidget(widget)
        self.need = need
        self.setFeatures(
            QDockWidget.DockWidgetFeature.DockWidgetMovable
            | QDockWidget.DockWidgetFeature.DockWidgetFloatable
            | QDockWidget.DockWidgetFeature.DockWidgetClosable
        )
        self.title = DockTitle(title, self)
        self._untitled = QWidget(self)
        self._untitled.setFixedHeight(0)
        self._titled = titled
        self.topLevelChanged.connect(self._dress)
        self._dress(False)

    def _dress(self, floating: bool) -> None:
        # A floating dock with a title widget of its own has no frame to be moved by: it gets the system's.
        self.title.hide()
        if floating:
            self.setTitleBarWidget(None)  # type: ignore[arg-type]  # Qt takes none for the system's title
        else:
            self.setTitleBarWidget(self.title if self._titled else self._untitled)
            self.title.setVisible(self._titled)


class DockTitle(QWidget):
    """The title. It is dragged like any title: what it does not handle goes to the dock."""

    def __init__(self, text: str, dock: QDockWidget) -> None:
        super().__init__(dock)
        theme.mark(self, surface="band")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._text = ElidedLabel(text, bold=True)
        self._word = ElidedLabel(tone="muted", size="small")
        self._float = self._button("external-link", f"Float {text}", lambda: dock.setFloating(not dock.isFloating()))
        self._close = self._button("x", f"Hide {text}", dock.close)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(10, 0, 6, 0)
        layout.setSpacing(4)
        layout.addWidget(self._text)
        layout.addStretch(1)
        layout.addWidget(self._word)
        layout.addWidget(self._float)
        layout.addWidget(self._close)
        self._lit(False)

    def _button(self, icon: str, tip: str, run: object) -> QToolButton:
        button = QToolButton()
        button.setIcon(icons.icon(icon, "muted"))
        button.setToolTip(tip)
        button.setAccessibleName(tip)
        button.setFixedSize(20, 20)
        button.setStyleSheet("QToolButton { padding: 1px; }")
        button.setIconSize(QSize(12, 12))
        button.clicked.connect(run)
        return button

    def set_word(self, text: str) -> None:
        """The word at the right edge."""
        self._word.setText(text)

    def word(self) -> str:
        """The word at the right edge."""
        return self._word.text()

    def _lit(self, on: bool) -> None:
        self._float.setVisible(on)
        self._close.setVisible(on)

    def enterEvent(self, event: QEnterEvent) -> None:
        """Show the buttons."""
        super().enterEvent(event)
        self._lit(True)

    def leaveEvent(self, event: QEvent) -> None:
        """Hide them again."""
        super().leaveEvent(event)
        self._lit(False)

    def sizeHint(self) -> QSize:
        """One line."""
        return QSize(80, _HEIGHT)

    def minimumSizeHint(self) -> QSize:
        """One line."""
        return QSize(40, _HEIGHT)
