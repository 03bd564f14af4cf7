"""Pictures of a server's own: what stands in the list, decoded within bounds, and nothing else."""

from __future__ import annotations

import base64
import json

import pytest
from PySide6.QtCore import QBuffer, QIODevice
from PySide6.QtGui import QImage

from mcp_inspector.session.catalogue import Item, What
from mcp_inspector.ui.models.server_icon import icon_of


def png(width: int, height: int) -> str:
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.fill(0xFF0000)
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")
    return "data:image/png;base64," + base64.b64encode(buffer.data().data()).decode()


def item(*sources: object) -> Item:
    return Item(What.PROMPTS, json.dumps({"name": "x", "icons": [{"src": one} for one in sources]}).encode())


def test_a_small_picture_is_shown(qapp: object) -> None:
    assert icon_of(item("https://example.com/a.png", png(20, 10))) is not None


@pytest.mark.parametrize(
    "source",
    [
        "https://example.com/a.png",
        "file:///etc/passwd",
        "data:image/svg+xml;base64,PHN2Zy8+",
        "data:image/png;base64,bm8gcGljdHVyZQ==",
        "data:image/png;base64,****",
        7,
        None,
    ],
)
def test_nothing_else_is(qapp: object, source: object) -> None:
    assert icon_of(item(source)) is None


def test_a_picture_too_large_to_be_an_icon_is_left_out(qapp: object) -> None:
    assert icon_of(item(png(2000, 2000))) is None
    assert icon_of(None) is None
