"""Signals: who is told, who is forgotten, and what a bad listener may do."""

from __future__ import annotations

import gc
import logging
from typing import TYPE_CHECKING

from mcp_inspector.signals import Signal

if TYPE_CHECKING:
    import pytest


class View:
    def __init__(self) -> None:
        self.seen: list[int] = []

    def hear(self, number: int) -> None:
        self.seen.append(number)


def test_listeners_are_told_in_order_until_they_disconnect() -> None:
    signal: Signal[int] = Signal()
    told: list[tuple[str, int]] = []
    drop = signal.connect(lambda number: told.append(("first", number)))
    signal.connect(lambda number: told.append(("second", number)))
    signal.send(1)
    drop()
    drop()
    signal.send(2)
    assert told == [("first", 1), ("second", 1), ("second", 2)]


def test_a_view_that_is_gone_is_forgotten() -> None:
    signal: Signal[int] = Signal()
    view = View()
    signal.connect(view.hear)
    signal.send(1)
    seen = view.seen
    del view
    gc.collect()
    signal.send(2)
    assert seen == [1]


def test_a_method_of_a_built_in_object_can_listen() -> None:
    signal: Signal[int] = Signal()
    seen: list[int] = []
    signal.connect(seen.append)
    signal.send(1)
    assert seen == [1]


def test_a_listener_that_raises_stops_nobody(caplog: pytest.LogCaptureFixture) -> None:
    signal: Signal[int] = Signal()
    seen: list[int] = []

    def bad(number: int) -> None:
        raise ValueError(number)

    signal.connect(bad)
    signal.connect(lambda number: seen.append(number))
    with caplog.at_level(logging.ERROR):
        signal.send(1)
    assert seen == [1]
    assert "a listener of a signal failed" in caplog.text
