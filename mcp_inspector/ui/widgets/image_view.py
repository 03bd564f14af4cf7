"""Shows an image from bytes that may lie: by its content, within limits, and nothing that could reach out."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QRectF, QSize, Qt
from PySide6.QtGui import QImage, QImageReader, QPainter, QPaintEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QWidget

from mcp_inspector.ui import theme

_FORMATS: Final = frozenset([b"png", b"jpeg", b"gif", b"webp", b"bmp", b"ico"])
"""SVG is not among them: its renderer reads files that the image names."""
_MOST_PIXELS: Final = 64_000_000
_CHECK: Final = 8


class ImageView(QAbstractScrollArea):
    """One image, fitted into the view when it is larger; Ctrl and the wheel zoom. Transparent parts show squares."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAccessibleName("Image")
        self._image = QImage()
        self._zoom = 0.0
        self.problem = ""
        """Why nothing can be shown, as a sentence; empty when an image is."""
        self.facts = ""
        """Format and size in words."""

    def set_bytes(self, data: bytes) -> None:
        """Show the image in these bytes, whatever they were said to be."""
        self._image, self._zoom, self.facts = QImage(), 0.0, ""
        self.problem = self._read(data)
        self._range()
        self.viewport().update()

    def _read(self, data: bytes) -> str:
        if not data:
            return "There are no bytes."
        buffer = QBuffer()
        buffer.setData(QByteArray(data))
        buffer.open(QIODevice.OpenModeFlag.ReadOnly)
        reader = QImageReader(buffer)
        reader.setDecideFormatFromContent(True)
        reader.setAutoTransform(True)
        kind = bytes(reader.format().data()).lower()
        if kind not in _FORMATS:
            svg = b"<svg" in data[:2_000]
            what = "SVG is not drawn, because it could read files." if svg else "This is no image known here."
            return f"{what} Its text or bytes stand under the other tabs."
        size = reader.size()
        if size.isValid() and size.width() * size.height() > _MOST_PIXELS:
            return f"The image claims {size.width():,} × {size.height():,} pixels, which is more than is drawn here."
        image = reader.read()
        if image.isNull():
            return f"The {kind.decode()} cannot be decoded: {reader.errorString()}."
        self._image = image
        self.facts = f"{kind.decode().upper()} · {image.width()} × {image.height()}"
        return ""

    @property
    def image(self) -> QImage:
        """The decoded image; null when there is none."""
        return self._image

    def _scale(self) -> float:
        if self._zoom:
            return self._zoom
        room, size = self.viewport().size(), self._image.size()
        if size.isEmpty():
            return 1.0
        return min(1.0, (room.width() - 16) / size.width(), (room.height() - 16) / size.height())

    def _drawn(self) -> QSize:
        scale = max(self._scale(), 0.01)
        return QSize(max(1, int(self._image.width() * scale)), max(1, int(self._image.height() * scale)))

    def _range(self) -> None:
        drawn, room = self._drawn(), self.viewport().size()
        for bar, size, seen in (
            (self.horizontalScrollBar(), drawn.width(), room.width()),
            (self.verticalScrollBar(), drawn.height(), room.height()),
        ):
            bar.setPageStep(seen)
            bar.setRange(0, max(0, size - seen) if self._zoom else 0)

    def paintEvent(self, _: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.fillRect(self.viewport().rect(), theme.colour("base"))
        if self._image.isNull():
            painter.setPen(theme.colour("muted"))
            area = self.viewport().rect().adjusted(16, 16, -16, -16)
            painter.drawText(area, int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap), self.problem)
            return
        drawn, room = self._drawn(), self.viewport().size()
        left = max(0, (room.width() - drawn.width()) // 2) - self.horizontalScrollBar().value()
        top = max(0, (room.height() - drawn.height()) // 2) - self.verticalScrollBar().value()
        place = QRectF(left, top, drawn.width(), drawn.height())
        if self._image.hasAlphaChannel():
            self._squares(painter, place.intersected(QRectF(self.viewport().rect())))
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, self._scale() < 1)
        painter.drawImage(place, self._image)

    @staticmethod
    def _squares(painter: QPainter, area: QRectF) -> None:
        painter.fillRect(area, theme.colour("base"))
        dark = theme.colour("hover")
        for row in range(int(area.height()) // _CHECK + 1):
            for column in range(row % 2, int(area.width()) // _CHECK + 1, 2):
                square = QRectF(area.x() + column * _CHECK, area.y() + row * _CHECK, _CHECK, _CHECK)
                painter.fillRect(square.intersected(area), dark)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            factor = 1.2 if event.angleDelta().y() > 0 else 1 / 1.2
            self._zoom = min(max(self._scale() * factor, 0.02), 32.0)
            self._range()
            self.viewport().update()
        else:
            super().wheelEvent(event)

    def mouseDoubleClickEvent(self, _: object) -> None:
        """Between fitted and full size."""
        self._zoom = 1.0 if not self._zoom else 0.0
        self._range()
        self.viewport().update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._range()

    def sizeHint(self) -> QSize:
        return self._image.size().boundedTo(QSize(600, 400)).expandedTo(QSize(120, 80))

    def scrollContentsBy(self, _dx: int, _dy: int) -> None:
        self.viewport().update()
