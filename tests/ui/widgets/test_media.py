"""Pictures and sound from a server, looked at without trusting them."""

import pytest
from PySide6.QtCore import QBuffer, QByteArray, QIODevice
from PySide6.QtGui import QColor, QImage

from mcp_inspector.ui.widgets.media import AudioInfo, ImageView


def picture(kind: str = "PNG", width: int = 30, height: int = 20) -> bytes:
    image = QImage(width, height, QImage.Format.Format_ARGB32)
    image.fill(QColor("#3366cc"))
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    assert image.save(buffer, kind)
    return bytes(data.data())


@pytest.fixture
def view(qtbot):
    made = ImageView()
    qtbot.addWidget(made)
    made.resize(300, 200)
    made.show()
    return made


@pytest.mark.parametrize("kind", ["PNG", "BMP"])
def test_a_picture_is_shown(view, kind):
    assert view.set_image(picture(kind), f"image/{kind.lower()}")
    assert view.about().startswith(f"{kind} · 30 × 20 · ")
    middle = view._canvas.grab().toImage()
    assert middle.pixelColor(middle.width() // 2, middle.height() // 2) == QColor("#3366cc")


def test_a_wrong_type_is_said(view):
    assert view.set_image(picture("PNG"), "image/jpeg")
    assert view.about().endswith("sent as image/jpeg")


@pytest.mark.parametrize(
    "data",
    [
        b'<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>',
        b'<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>',
    ],
)
def test_svg_is_only_text(view, data):
    assert not view.set_image(data, "image/png")
    assert "SVG" in view.about()
    assert view._text.data() == data


def test_what_is_no_picture_is_text(view):
    assert not view.set_image(b"<html>not found</html>", "image/png")
    assert "Not a picture" in view.about()
    assert not view.set_image(picture()[:60], "image/png")
    assert "cannot be read" in view.about()


def test_a_picture_that_would_fill_the_memory_is_not_decoded(view):
    small = picture()
    huge = small[:16] + (60_000).to_bytes(4, "big") * 2 + small[24:]
    assert not view.set_image(huge, "image/png")
    assert "60000 × 60000" in view.about() or "cannot be read" in view.about()


def test_sound_is_told_and_saved_elsewhere(qtbot):
    sound = AudioInfo()
    qtbot.addWidget(sound)
    sound.set_audio(bytes(2_000_000), "audio/wav")
    assert sound.about() == "audio/wav · 2.0 MB"
    with qtbot.waitSignal(sound.save_wanted):
        sound._save.click()
