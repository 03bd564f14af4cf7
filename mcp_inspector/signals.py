"""Typed, weak, Qt-free signal: how the core tells a face that something changed."""

from __future__ import annotations

import inspect
import logging
import weakref
from typing import TYPE_CHECKING, Generic, TypeVarTuple, Unpack

if TYPE_CHECKING:
    from collections.abc import Callable

Ts = TypeVarTuple("Ts")

_log = logging.getLogger(__name__)


class Signal(Generic[*Ts]):
    """A list of listeners that are called in order of connection, on the caller's thread.

    Bound methods are held weakly: a view that is gone is forgotten without a word. Plain functions and lambdas are
    held strongly, so whoever connects one keeps the return value and calls it to disconnect. A listener that raises is
    logged and never stops the sender or the other listeners.
    """

    def __init__(self) -> None:
        self._listeners: list[Callable[[], Callable[[Unpack[Ts]], object] | None]] = []

    def connect(self, listener: Callable[[Unpack[Ts]], object]) -> Callable[[], None]:
        """Add a listener and return a function that removes it again."""
        # Not by `__self__`: a method of a built-in object has it too, but cannot be held weakly.
        bound = inspect.ismethod(listener)
        reference: Callable[[], Callable[[Unpack[Ts]], object] | None]
        reference = weakref.WeakMethod(listener) if bound else lambda: listener
        self._listeners.append(reference)

        def disconnect() -> None:
            if reference in self._listeners:
                self._listeners.remove(reference)

        return disconnect

    def send(self, *values: *Ts) -> None:
        """Call every listener with these values."""
        gone = []
        for reference in tuple(self._listeners):
            listener = reference()
            if listener is None:
                gone.append(reference)
                continue
            try:
                listener(*values)
            except Exception:
                _log.exception("a listener of a signal failed")
        for reference in gone:
            if reference in self._listeners:
                self._listeners.remove(reference)
