"""Pictures and sound that a server sent: looked at without trusting them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QBuffer, QByteArray, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QImage, QImageReader, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QStackedWidget, QVBoxLayout, QWidget

from mcp_inspector.ui import icons, plain, theme
from mcp_inspector.ui.widgets.labels import ElidedLabel, IconLabel
from mcp_inspector.ui.widgets.text_view import TextView
from mcp_inspector.ui.widgets.visible import visible

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

_MEGAPIXELS: Final = 100
_FORMATS: Final = frozenset({b"png", b"jpeg", b"gif", b"webp", b"bmp", b"ico", b"tiff", b"pbm", b"pgm", b"ppm"})
_SQUARE: Final = 8


class ImageView(QWidget):
    """A picture, scaled down to fit, over squares where it is transparent; SVG and what cannot be read as text.

    Pictures of more than 100 megapixels are not decoded. SVG can fetch and run things, so it is shown as its source.
    """

    save_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._canvas = _Canvas()
        self._text = TextView()
        self._stack = QStackedWidget()
        self._stack.addWidget(self._canvas)
        self._stack.addWidget(self._text)
        self._about = ElidedLabel(tone="muted", size="small")
        self._save = QPushButton(icons.icon("save"), "Save…")
        theme.mark(self._save, kind="quiet")
        self._save.clicked.connect(self.save_wanted)
        foot = QHBoxLayout()
        foot.setContentsMargins(8, 2, 4, 2)
        foot.addWidget(self._about, 1)
        foot.addWidget(self._save)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._stack, 1)
        layout.addLayout(foot)

    def set_image(self, data: bytes, mime: str = "") -> bool:
        """Show a picture; False when it is shown as text instead, with the reason below it."""
        size = plain.size(len(data))
        head = data[:300].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
        if "svg" in mime.lower() or head.startswith(b"<svg") or (head.startswith(b"<?xml") and b"<svg" in head):
            return self._as_text(data, f"SVG, shown as its source · {size}")
        buffer = QBuffer(self)
        buffer.setData(QByteArray(data))
        reader = QImageReader(buffer)
        reader.setAutoTransform(True)
        found = bytes(reader.format().data()).lower()
        pixels = reader.size()
        if found not in _FORMATS:
            return self._as_text(data, f"Not a picture that can be shown ({visible(mime) or 'no type'}) · {size}")
        if pixels.width() * pixels.height() > _MEGAPIXELS * 1_000_000:
            return self._as_text(data, f"{pixels.width()} × {pixels.height()} is too large to be shown · {size}")
        image = reader.read()
        if image.isNull():
            return self._as_text(data, f"The picture cannot be read: {reader.errorString()} · {size}")
        self._canvas.show_image(image)
        self._stack.setCurrentWidget(self._canvas)
        claimed = f" · sent as {visible(mime)}" if mime and found.decode() not in mime.replace("jpg", "jpeg") else ""
        self._about.setText(f"{found.decode().upper()} · {image.width()} × {image.height()} · {size}{claimed}")
        return True

    def about(self) -> str:
        """What is said below the picture."""
        return self._about.text()

    def _as_text(self, data: bytes, why: str) -> bool:
        self._text.set_bytes(data)
        self._stack.setCurrentWidget(self._text)
        self._about.setText(why)
        return False


class _Canvas(QWidget):
    def __init__(self) -> None:
        super().__init__()
        self._image = QImage()
        self._scaled: QImage | None = None
        self.setMinimumSize(40, 40)

    def show_image(self, image: QImage) -> None:
        self._image, self._scaled = image, None
        self.update()

    def sizeHint(self) -> QSize:
        return self._image.size() if not self._image.isNull() else QSize(200, 120)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._scaled = None

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.colour("base"))
        if self._image.isNull():
            return
        ratio = self.devicePixelRatioF()
        room = (self.size() - QSize(16, 16)) * ratio
        if self._scaled is None:
            too_large = self._image.width() > room.width() or self._image.height() > room.height()
            keep, smooth = Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
            self._scaled = self._image.scaled(room, keep, smooth) if too_large else self._image
        width, height = self._scaled.width() / ratio, self._scaled.height() / ratio
        area = QRectF((self.width() - width) / 2, (self.height() - height) / 2, width, height)
        if self._image.hasAlphaChannel():
            self._squares(painter, area)
        painter.drawImage(area, self._scaled)

    @staticmethod
    def _squares(painter: QPainter, area: QRectF) -> None:
        painter.save()
        painter.setClipRect(area)
        light, dark = QColor("#ffffff"), QColor("#d9dce1")
        painter.fillRect(area, light)
        for row in range(int(area.height()) // _SQUARE + 1):
            for column in range(row % 2, int(area.width()) // _SQUARE + 1, 2):
                x, y = area.x() + column * _SQUARE, area.y() + row * _SQUARE
                painter.fillRect(QRectF(x, y, _SQUARE, _SQUARE), dark)
        painter.restore()


class AudioInfo(QWidget):
    """Sound that a server sent: what it is and how large, to be saved and played elsewhere."""

    save_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icon = IconLabel("file-audio", 20)
        self._about = ElidedLabel()
        self._save = QPushButton(icons.icon("save"), "Save…")
        self._save.clicked.connect(self.save_wanted)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(10, 8, 10, 8)
        layout.addWidget(self._icon)
        layout.addWidget(self._about, 1)
        layout.addWidget(self._save)

    def set_audio(self, data: bytes, mime: str = "") -> None:
        """Tell what it is."""
        self._about.setText(f"{visible(mime) or 'Audio'} · {plain.size(len(data))}")

    def about(self) -> str:
        """What is said about it."""
        return self._about.text()
