"""Small pictures and sounds, made on the fly from nothing but numbers."""

from __future__ import annotations

import math
import struct
import zlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

Pixel = tuple[int, int, int]

PATTERNS: dict[str, Callable[[float, float], float]] = {
    "gradient": lambda x, y: (x + y) / 2,
    "rings": lambda x, y: 0.5 + 0.5 * math.cos(24 * math.hypot(x - 0.5, y - 0.5)),
    "checks": lambda x, y: float((int(x * 8) + int(y * 8)) % 2),
    "waves": lambda x, y: 0.5 + 0.5 * math.sin(12 * x + 4 * math.sin(9 * y)),
}
"""Brightness from 0 to 1 at a point of the unit square, by the pattern's name."""

COLOURS: dict[str, Pixel] = {"blue": (68, 103, 196), "green": (46, 148, 104), "red": (196, 72, 68), "grey": (120,) * 3}


def png(width: int, height: int, pattern: str, colour: str) -> bytes:
    """A PNG picture, 8 bits RGB; `pattern` and `colour` are names of the tables above."""
    bright, base = PATTERNS[pattern], COLOURS[colour]
    rows = bytearray()
    for row in range(height):
        rows.append(0)
        for column in range(width):
            light = bright(column / width, row / height)
            rows += bytes(round(255 - (255 - part) * light) for part in base)
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = _chunk(b"IHDR", head) + _chunk(b"IDAT", zlib.compress(bytes(rows), 9)) + _chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + body


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def wav(seconds: float, hertz: float) -> bytes:
    """A sine tone, 8 bits mono at 8 kHz."""
    rate = 8000
    count = round(seconds * rate)
    fade = max(1, min(400, count // 4))
    samples = bytes(
        round(128 + 100 * min(1.0, n / fade, (count - n) / fade) * math.sin(2 * math.pi * hertz * n / rate))
        for n in range(count)
    )
    form = struct.pack("<HHIIHH", 1, 1, rate, rate, 1, 8)
    body = b"WAVEfmt " + struct.pack("<I", len(form)) + form + b"data" + struct.pack("<I", count) + samples
    return b"RIFF" + struct.pack("<I", len(body) + count % 2) + body + b"\0" * (count % 2)
