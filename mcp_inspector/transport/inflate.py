"""Decompresses an HTTP body as it comes, in bounded pieces: a bomb costs no more memory than any other body."""

from __future__ import annotations

import zlib

ACCEPTED = "gzip, deflate"
"""What we say in Accept-Encoding: what the standard library can undo piece by piece."""

_GZIP_OR_ZLIB = 47
_RAW = -15


class Inflate:
    """One body in an encoding that `supported` names. Feed what came, take until nothing is left.

    Raises `zlib.error` for what is not compressed so. A stream that ends early just gives less.
    """

    def __init__(self, encoding: str) -> None:
        self._bare = encoding == "deflate"  # some servers leave the zlib header away
        self._stream = zlib.decompressobj(_GZIP_OR_ZLIB)
        self._waiting = b""
        self._begun = False

    def feed(self, data: bytes) -> None:
        """Add compressed bytes."""
        self._waiting += data

    def take(self, most: int) -> bytes:
        """Up to `most` decompressed bytes; empty when more input is needed."""
        while self._begun or len(self._waiting) >= 2:
            if not self._begun:
                self._begun = True
                if self._bare and not _has_header(self._waiting):
                    self._stream = zlib.decompressobj(_RAW)
            data = self._stream.decompress(self._waiting, most)
            self._waiting = self._stream.unconsumed_tail
            if self._stream.eof:  # another member of the same gzip file may follow
                self._waiting = self._stream.unused_data.lstrip(b"\0")
                self._stream, self._begun = zlib.decompressobj(_GZIP_OR_ZLIB), False
            if data or not self._waiting:
                return data
        return b""


def _has_header(start: bytes) -> bool:
    return start[:2] == b"\x1f\x8b" or (start[0] & 0x0F == 8 and (start[0] << 8 | start[1]) % 31 == 0)


def supported(encoding: str) -> bool:
    """Whether a Content-Encoding can be undone here; several on top of each other cannot."""
    return encoding in ("gzip", "x-gzip", "deflate")
