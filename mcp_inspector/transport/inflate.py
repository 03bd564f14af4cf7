"""Decompresses an HTTP body as it comes, in bounded pieces: a bomb costs no more memory than any other body."""

from __future__ import annotations

import zlib

ACCEPTED = "gzip, deflate"
"""What we say in Accept-Encoding: what the standard library can undo piece by piece."""

_GZIP_OR_ZLIB = 47
_RAW = -15


class Inflate:
    """One body in ``gzip`` or ``deflate``. Feed what came, then take until nothing is left. Raises `zlib.error`."""

    def __init__(self) -> None:
        self._stream = zlib.decompressobj(_GZIP_OR_ZLIB)
        self._waiting = b""
        self._begun = False

    def feed(self, data: bytes) -> None:
        """Add compressed bytes."""
        self._waiting += data

    def take(self, most: int) -> bytes:
        """Up to `most` decompressed bytes; empty when more input is needed."""
        while True:
            if self._stream.eof:  # another member of the same gzip file may follow
                self._waiting = self._stream.unused_data + self._waiting
                if not self._waiting.strip(b"\0"):
                    self._waiting = b""
                    return b""
                self._stream = zlib.decompressobj(_GZIP_OR_ZLIB)
            given = self._waiting
            try:
                data = self._stream.decompress(given, most)
            except zlib.error:
                if self._begun:
                    raise
                self._stream = zlib.decompressobj(_RAW)  # some servers leave the zlib header away
                data = self._stream.decompress(given, most)
            self._begun = self._begun or bool(given)
            self._waiting = self._stream.unconsumed_tail
            if data or not self._stream.eof:
                return data


def supported(encoding: str) -> bool:
    """Whether a Content-Encoding can be undone here; several on top of each other cannot."""
    return encoding in ("gzip", "x-gzip", "deflate")
