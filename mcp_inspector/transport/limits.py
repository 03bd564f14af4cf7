"""How long a transport waits and how much it takes, in one place."""

from __future__ import annotations

from dataclasses import dataclass

MIB = 1 << 20


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of one connection. Times are seconds, sizes are bytes.

    `message` bounds one message after decompression: past it the rest is dropped and said. `connect` is for reaching an
    HTTP server and, in HTTP+SSE, for its endpoint event. `accept` is how long a notification, an answer of ours or a
    refusal's body may take; a request's own time is the session's business. `stop` is how long an ending process gets
    after each step (stdin closed, SIGTERM, SIGKILL), `linger` how long output may still come once the process ended,
    `drain` how long a response stream stays open behind its response, `farewell` what the DELETE of a session takes.
    `resume` and `listen` are how many times in a row a stream is reopened without anything coming of it.
    """

    message: int = 256 * MIB
    connect: float = 10.0
    accept: float = 30.0
    stop: float = 2.0
    linger: float = 0.5
    drain: float = 30.0
    farewell: float = 2.0
    resume: int = 5
    listen: int = 5


BODY_KEPT = 64 * 1024
"""The most bytes of a refusing body that a fault or note keeps."""

SLICE_NS = 4_000_000
"""The longest that one callback hands over messages before it gives the loop back, in nanoseconds."""

LONG_WAIT = 3600.0
"""The longest that a server's `retry` is honoured, in seconds; a timer of the window's loop cannot hold much more."""
