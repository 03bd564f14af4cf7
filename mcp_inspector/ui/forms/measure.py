"""Sizes of a form: heights of lines, widths of words, texts broken to a width. Kept until the look changes."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final, Literal
from unicodedata import bidirectional

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFont, QFontMetrics

from mcp_inspector.ui import theme

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter
    from PySide6.QtWidgets import QWidget

Ink = Literal["name", "bold", "old", "small", "mono"]

GUTTER: Final = 16
"""At the left of every row: where the mark to fold it stands, and the line that shows what belongs together."""
GAP: Final = 8
"""Between rows, and between a name and its editor."""
SIDE: Final = 26
"""At the right of every row: its menu."""
NAME_MOST: Final = 168
NARROW: Final = 400
"""Pixels of a form below which names stand above their editors."""

_LONG_WORD = 24
"""Characters from which a word may be wider than a column: then lines break anywhere."""
_TALLEST: Final = 100_000
_LOOKED_AT: Final = 200


def font(ink: Ink) -> QFont:
    """The font of a part of a row."""
    return _font(ink, theme.generation())


def line() -> int:
    """The height of an input of one line."""
    return max(26, metrics("name").height() + 8)


def text_line() -> int:
    """The height of one line of notes."""
    return metrics("small").height() + 1


def metrics(ink: Ink) -> QFontMetrics:
    """The measures of a font."""
    return _metrics(ink, theme.generation())


def width(text: str, ink: Ink = "name") -> int:
    """How wide a text is on one line."""
    return _width(text, ink, theme.generation())


def height(text: str, room: int, ink: Ink = "small") -> int:
    """How high a text is, broken to a width; 0 for no text."""
    return _height(text, max(room, 20), ink, theme.generation()) if text else 0


def mirrored(area: QRect, width: int) -> QRect:
    """The same place in a width, counted from the right."""
    return QRect(width - area.x() - area.width(), area.y(), area.width(), area.height())


def placed(widget: QWidget, area: QRect) -> QRect:
    """A place inside of a widget, counted from the side where its language begins."""
    return mirrored(area, widget.width()) if widget.isRightToLeft() else area


def right_to_left(text: str) -> bool:
    """Whether a text begins at the right, by its first letter that has a direction."""
    for letter in text[:_LOOKED_AT]:
        direction = bidirectional(letter)
        if direction in ("L", "R", "AL"):
            return direction != "L"
    return False


def draw(painter: QPainter, area: QRect, text: str, colour: str, ink: Ink = "small", *, wrap: bool = True) -> None:
    """Draw a text in a named colour, broken to the area's width, or on one line with … at its end."""
    painter.setFont(font(ink))
    painter.setPen(theme.colour(colour))
    mirror = painter.layoutDirection() is Qt.LayoutDirection.RightToLeft
    # Where it stands is the window's direction; how its words follow each other is its own.
    own = Qt.LayoutDirection.RightToLeft if right_to_left(text) else Qt.LayoutDirection.LeftToRight
    side = Qt.AlignmentFlag.AlignRight if mirror else Qt.AlignmentFlag.AlignLeft
    align = int(side | Qt.AlignmentFlag.AlignAbsolute)
    painter.setLayoutDirection(own)
    if wrap:
        painter.drawText(area, align | int(Qt.AlignmentFlag.AlignTop) | _wrap(text, area.width(), ink), text)
    else:
        shown = metrics(ink).elidedText(text, Qt.TextElideMode.ElideRight, area.width())
        painter.drawText(area, align | int(Qt.AlignmentFlag.AlignVCenter), shown)
    if mirror is not (own is Qt.LayoutDirection.RightToLeft):
        painter.setLayoutDirection(Qt.LayoutDirection.RightToLeft if mirror else Qt.LayoutDirection.LeftToRight)


@lru_cache(maxsize=16)
def _font(ink: Ink, _: int) -> QFont:
    if ink == "mono":
        return theme.mono("small")
    result = theme.font("small" if ink == "small" else "normal", bold=ink == "bold")
    result.setStrikeOut(ink == "old")
    return result


@lru_cache(maxsize=16)
def _metrics(ink: Ink, generation: int) -> QFontMetrics:
    return QFontMetrics(_font(ink, generation))


@lru_cache(maxsize=20_000)
def _width(text: str, ink: Ink, generation: int) -> int:
    return _metrics(ink, generation).horizontalAdvance(text) + 1


@lru_cache(maxsize=20_000)
def _height(text: str, room: int, ink: Ink, generation: int) -> int:
    measure = _metrics(ink, generation)
    if "\n" not in text and len(text) < 400 and _width(text, ink, generation) <= room:
        return measure.height() + 1
    return measure.boundingRect(QRect(0, 0, room, _TALLEST), _wrap(text, room, ink), text).height() + 1


def _wrap(text: str, room: int, ink: Ink) -> int:
    """Lines break between words, or anywhere when one word alone is too wide."""
    longest = max(text.split(), key=len, default="")
    anywhere = len(longest) >= _LONG_WORD and width(longest, ink) > room
    return int(Qt.TextFlag.TextWrapAnywhere if anywhere else Qt.TextFlag.TextWordWrap)
