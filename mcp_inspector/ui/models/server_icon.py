"""A picture that a server gives to a thing it lists: only what stands in the list itself, and only plain pictures.

Nothing is fetched, and SVG is left out: it is a document that can name files.
"""

from __future__ import annotations

import base64
import re
from typing import TYPE_CHECKING

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QSize, Qt
from PySide6.QtGui import QIcon, QImageReader, QPixmap

if TYPE_CHECKING:
    from mcp_inspector.session.catalogue import Item

_DATA = re.compile(r"data:image/(png|jpe?g|webp|gif);base64,([A-Za-z0-9+/=]+)\Z")
_LONGEST = 128 * 1024
_MOST = 8
_WIDEST = 1024
_SIZE = 32


def icon_of(item: Item | None) -> QIcon | None:
    """The first of its icons that may be shown; None when there is none."""
    icons = item.value.get("icons") if item is not None else None
    for icon in icons[:_MOST] if isinstance(icons, list) else ():
        source = icon.get("src") if isinstance(icon, dict) else None
        found = _DATA.match(source) if isinstance(source, str) and len(source) <= _LONGEST else None
        if found is not None and (picture := _picture(found[2], found[1])) is not None:
            return QIcon(picture)
    return None


def _picture(coded: str, kind: str) -> QPixmap | None:
    try:
        raw = base64.b64decode(coded, validate=True)
    except ValueError:
        return None
    buffer = QBuffer()
    buffer.setData(QByteArray(raw))
    buffer.open(QIODevice.OpenModeFlag.ReadOnly)
    reader = QImageReader(buffer, QByteArray(kind.encode()))
    reader.setDecideFormatFromContent(False)
    size = reader.size()
    if not size.isValid() or max(size.width(), size.height()) > _WIDEST:
        return None
    reader.setScaledSize(size.scaled(QSize(_SIZE, _SIZE), Qt.AspectRatioMode.KeepAspectRatio))
    image = reader.read()
    return None if image.isNull() else QPixmap.fromImage(image)
