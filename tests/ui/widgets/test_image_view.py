"""Pictures from a server, looked at without trusting them."""

import zlib

import pytest
from PySide6.QtCore import QBuffer, QByteArray, QIODevice
from PySide6.QtGui import QColor, QImage

from mcp_inspector.ui.widgets.image_view import ImageView


def picture(kind: str = "PNG", width: int = 30, height: int = 20) -> bytes:
    image = QImage(width, height, QImage.Format.Format_ARGB32)
    image.fill(QColor("#3366cc"))
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    assert image.save(buffer, kind)
    return bytes(data.data())


def claiming(side: int) -> bytes:
    """A picture whose head, with a right checksum, claims to be that large."""
    small = picture()
    head = small[12:16] + side.to_bytes(4, "big") * 2 + small[24:29]
    return small[:12] + head + zlib.crc32(head).to_bytes(4, "big") + small[33:]


@pytest.fixture
def view(qtbot):
    made = ImageView()
    qtbot.addWidget(made)
    made.resize(300, 200)
    made.show()
    return made


@pytest.mark.parametrize("kind", ["PNG", "BMP"])
def test_a_picture_is_shown(view, kind):
    view.set_bytes(picture(kind))
    assert (view.problem, view.facts) == ("", f"{kind} · 30 × 20")
    drawn = view.viewport().grab().toImage()
    assert drawn.pixelColor(drawn.width() // 2, drawn.height() // 2) == QColor("#3366cc")


@pytest.mark.parametrize(
    ("data", "word"),
    [
        (b'<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>', "SVG"),
        (b'<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>', "SVG"),
        (b"<html>not found</html>", "no image"),
        (b"", "no bytes"),
        (picture()[:60], "cannot be decoded"),
        (claiming(20_000), "20,000 × 20,000"),
    ],
)
@pytest.mark.qt_log_ignore("libpng")
def test_what_is_not_drawn_says_why(view, data, word):
    view.set_bytes(data)
    assert word in view.problem
    assert view.image.isNull()
    view.grab()
