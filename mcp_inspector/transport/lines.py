"""Newline framing on chunks, in linear time: a line of 100 MB is a list of chunks joined once."""

from __future__ import annotations


class Lines:
    """Cuts a byte stream into lines.

    Only LF ends a line; one CR before it is dropped; blank lines are dropped silently. Past `limit` bytes the rest of
    a line is counted, not kept.
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._parts: list[bytes] = []
        self._size = 0
        self._skipped = 0

    @property
    def partial(self) -> bool:
        """Whether a line has begun and not ended."""
        return bool(self._parts)

    def feed(self, chunk: bytes) -> list[tuple[bytes, int]]:
        """Take the next bytes; return the lines that they complete, each with its count of skipped bytes."""
        pieces = chunk.split(b"\n")
        rest = pieces.pop()
        done: list[tuple[bytes, int]] = []
        for piece in pieces:
            if self._parts or len(piece) > self.limit:
                self._add(piece)
                done += self.flush()
            else:
                line = piece[:-1] if piece.endswith(b"\r") else piece
                if line and not line.isspace():
                    done.append((line, 0))
        if rest:
            self._add(rest)
        return done

    def flush(self) -> list[tuple[bytes, int]]:
        """End the line that has begun, if any: its last newline has come, or never will."""
        if not self._parts:
            return []
        line = self._parts[0] if len(self._parts) == 1 else b"".join(self._parts)
        skipped = self._skipped
        self._parts, self._size, self._skipped = [], 0, 0
        if not skipped and line.endswith(b"\r"):
            line = line[:-1]
        return [(line, skipped)] if line and (skipped or not line.isspace()) else []

    def _add(self, part: bytes) -> None:
        room = self.limit - self._size
        if len(part) > room:
            self._skipped += len(part) - room
            part = part[:room]
        if part:
            self._parts.append(part)
            self._size += len(part)
