"""The icons: one set of SVG files, drawn in a named colour of the scheme, sharp at every size and scale.

The files are those of lucide-static 1.62.0 that are used, without class names and comments; the licence lies beside
them. An icon asks for its colour when it is painted, so a change of scheme changes every icon that is on screen.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QByteArray, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QIconEngine, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from mcp_inspector import resources
from mcp_inspector.ui import theme

if TYPE_CHECKING:
    from PySide6.QtGui import QColor

_FALLBACK: Final = "circle-dashed"
_LIMIT: Final = 2000
_pixmaps: dict[tuple[str, str, int, int, float, bool, int], QPixmap] = {}
_clones: list[_Engine] = []


@cache
def icon(name: str, colour: str = "text") -> QIcon:
    """An icon by its file name without ``.svg``, in a named colour. Unknown names give a dashed circle."""
    return QIcon(_Engine(name, colour))


def pixmap(name: str, size: int, colour: str = "text", ratio: float = 1.0) -> QPixmap:
    """A square pixmap of `size` logical pixels for a device pixel ratio: for delegates and canvases."""
    return _drawn(name, colour, QSize(size, size), ratio, disabled=False)


def names() -> list[str]:
    """All icons that are shipped."""
    return sorted(path.stem for path in resources.path("icons").glob("*.svg"))


@cache
def _source(name: str) -> bytes:
    path = resources.path(f"icons/{name}.svg")
    if not path.is_file():
        path = resources.path(f"icons/{_FALLBACK}.svg")
    return path.read_bytes()


def _render(painter: QPainter, name: str, colour: QColor, area: QRectF) -> None:
    svg = _source(name).replace(b"currentColor", colour.name().encode())
    QSvgRenderer(QByteArray(svg)).render(painter, area)


def _drawn(name: str, colour: str, size: QSize, ratio: float, *, disabled: bool) -> QPixmap:
    if size.isEmpty():  # a button squeezed to nothing is still painted
        return QPixmap()
    key = (name, colour, size.width(), size.height(), ratio, disabled, theme.generation())
    found = _pixmaps.get(key)
    if found is not None:
        return found
    result = QPixmap(size * ratio)
    result.fill(Qt.GlobalColor.transparent)
    side = min(result.width(), result.height())
    painter = QPainter(result)
    if disabled:
        painter.setOpacity(0.45)
    corner = ((result.width() - side) / 2, (result.height() - side) / 2)
    _render(painter, name, theme.colour(colour), QRectF(*corner, side, side))
    painter.end()
    result.setDevicePixelRatio(ratio)
    if len(_pixmaps) >= _LIMIT:
        _pixmaps.clear()
    _pixmaps[key] = result
    return result


class _Engine(QIconEngine):
    """Draws one icon. Qt owns and deletes it."""

    def __init__(self, name: str, colour: str) -> None:
        super().__init__()
        self._name = name
        self._colour = colour

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        ratio = painter.device().devicePixelRatio()
        drawn = _drawn(self._name, self._colour, rect.size(), ratio, disabled=mode == QIcon.Mode.Disabled)
        painter.drawPixmap(rect, drawn)

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        return self.scaledPixmap(size, mode, state, 1.0)

    def scaledPixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State, scale: float) -> QPixmap:
        return _drawn(self._name, self._colour, size, scale, disabled=mode == QIcon.Mode.Disabled)

    def actualSize(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QSize:
        return size

    def isNull(self) -> bool:
        return False

    def iconName(self) -> str:
        return self._name

    def key(self) -> str:
        return "mcp-inspector-icon"

    def clone(self) -> QIconEngine:
        # Qt takes the clone over while Python still believes that it owns it: without this reference it would be
        # deleted twice. Qt clones only when a shared icon is altered, which nobody does, so the list stays empty.
        engine = _Engine(self._name, self._colour)
        _clones.append(engine)
        return engine
