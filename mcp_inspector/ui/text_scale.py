"""The size of all text, at the start and while the window is open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from shiboken6 import isValid

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from mcp_inspector.ui.theme import Theme

_PROPERTY = "text-scale"


def begin(app: QApplication, scale: float) -> None:
    """Set the size before there is any widget; 1 is the system's."""
    font = app.font()
    font.setPointSizeF(font.pointSizeF() * scale / _now(app))
    app.setFont(font)
    app.setProperty(_PROPERTY, scale)


def change(app: QApplication, theme: Theme, scale: float) -> None:
    """Set the size of everything that is open, too.

    A widget that was given a font of its own does not follow that of the application, so it is given one anew.
    """
    ratio = scale / _now(app)
    if ratio == 1:
        return
    own = [widget for widget in app.allWidgets() if widget.testAttribute(Qt.WidgetAttribute.WA_SetFont)]
    fonts = [(widget, widget.font()) for widget in own]
    begin(app, scale)
    theme.choose(theme.choice)  # the style sheet carries sizes as well; it puts fonts back, so it comes first
    for widget, font in fonts:
        if isValid(widget) and widget.font().pointSizeF() == font.pointSizeF():
            font.setPointSizeF(font.pointSizeF() * ratio)
            widget.setFont(font)


def _now(app: QApplication) -> float:
    value = app.property(_PROPERTY)
    return value if isinstance(value, float) and value > 0 else 1.0
