"""The controls above the traffic table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QMenu, QPushButton, QToolButton, QWidget

from mcp_inspector.ui import icons, theme

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

NARROWEST: Final = 300


class Bar(QWidget):
    """A row of controls that may become narrower than they would like: some of them then give way."""

    resized = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.setMinimumWidth(NARROWEST)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.resized.emit(self.width())
        super().resizeEvent(event)


def tool(icon: str, tip: str) -> QToolButton:
    """A button with an icon; `tip` is its tooltip and its name."""
    button = QToolButton()
    button.setIcon(icons.icon(icon))
    button.setToolTip(tip)
    button.setAccessibleName(tip)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    return button


def toggle(icon: str, tip: str) -> QToolButton:
    """Such a button that stays down."""
    button = tool(icon, tip)
    button.setCheckable(True)
    return button


def menu_button(menu: QMenu) -> QToolButton:
    """A button that opens a menu."""
    button = QToolButton()
    button.setText(menu.title())
    button.setMenu(menu)
    button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    return button


def quiet(text: str, tip: str) -> QPushButton:
    """A button that looks like a text."""
    button = QPushButton(text)
    button.setToolTip(tip)
    theme.mark(button, kind="quiet")
    return button
