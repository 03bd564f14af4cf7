"""Garbage with Qt objects in it is freed on the window's thread, however busy the others are."""

from __future__ import annotations

import gc
import threading
import weakref
from typing import Any

import pytest

from mcp_inspector.ui.collector import Collector


class Ring:
    """Garbage that only the collector can find."""

    def __init__(self, freed: list[int]) -> None:
        self.ring = self
        weakref.finalize(self, lambda: freed.append(threading.get_ident()))


def allocate_elsewhere(rounds: int = 200) -> None:
    """Allocate on a worker until Python's own collector would have run many times."""

    def work() -> None:
        kept = [[[] for _ in range(2_000)] for _ in range(rounds)]
        kept.clear()

    worker = threading.Thread(target=work)
    worker.start()
    worker.join()


@pytest.fixture
def collector(qapp: Any) -> Any:
    """The collector at work."""
    made = Collector()
    yield made
    made.stop()
    made.deleteLater()


def test_without_it_a_worker_frees_what_is_ours(qapp: Any) -> None:
    """The danger is real; if Python changes, this says that the collector is not needed any more."""
    freed: list[int] = []
    gc.collect()
    Ring(freed)
    allocate_elsewhere()
    assert freed
    assert freed[0] != threading.get_ident()


def test_workers_collect_nothing_and_a_tick_does(collector: Collector) -> None:
    freed: list[int] = []
    gc.collect()
    Ring(freed)
    allocate_elsewhere()
    assert freed == []
    collector.young_at = 0.0
    collector.tick()
    assert freed == [threading.get_ident()]


def test_much_new_garbage_is_not_waited_for(collector: Collector) -> None:
    freed: list[int] = []
    gc.collect()
    Ring(freed)
    kept: list[list[int]] = [[] for _ in range(10_000)]
    collector.tick()
    assert freed == [threading.get_ident()]
    assert kept


def test_old_garbage_goes_when_its_time_has_come(collector: Collector) -> None:
    freed: list[int] = []
    ring = Ring(freed)
    gc.collect()  # it is old now
    del ring
    collector.young_at = 0.0
    collector.tick()
    assert freed == []
    collector.full_at = 0.0
    collector.tick()
    assert freed == [threading.get_ident()]


def test_it_gives_the_collecting_back(qapp: Any) -> None:
    assert gc.isenabled()
    made = Collector()
    assert not gc.isenabled()
    made.stop()
    assert gc.isenabled()
    made.deleteLater()
