"""Both loops that the program runs on, and a listener that can be waited for."""

from __future__ import annotations

import asyncio
import gc
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from mcp_inspector.transport.base import Fault, Key, Note, NoteKind, Received


class Listener:
    """A sink that keeps everything, in order, and can be waited for."""

    def __init__(self) -> None:
        self.messages: list[Received] = []
        self.notes: list[Note] = []
        self.faults: list[tuple[Key, Fault]] = []
        self.ends: list[Fault | None] = []
        self.order: list[str] = []
        self.on_message: Callable[[Received], object] | None = None
        self._news = asyncio.Event()

    def received(self, item: Received) -> None:
        self.messages.append(item)
        self._told("received")
        if self.on_message is not None:
            self.on_message(item)

    def noted(self, note: Note) -> None:
        self.notes.append(note)
        self._told("noted")

    def lost(self, key: Key, fault: Fault) -> None:
        self.faults.append((key, fault))
        self._told("lost")

    def closed(self, fault: Fault | None) -> None:
        self.ends.append(fault)
        self._told("closed")

    def _told(self, what: str) -> None:
        self.order.append(what)
        self._news.set()

    async def until(self, ready: Callable[[], Any], seconds: float = 20) -> None:
        """Wait until a condition on what was heard holds."""
        async with asyncio.timeout(seconds):
            while not ready():
                self._news.clear()
                await self._news.wait()

    def raws(self) -> list[bytes]:
        return [item.raw for item in self.messages]

    def noted_as(self, kind: NoteKind) -> list[Note]:
        return [note for note in self.notes if note.kind is kind]


@pytest.fixture(autouse=True)
def _collect_on_the_main_thread() -> Iterator[None]:
    """Loops of earlier tests hold Qt objects in cycles: freed by a collection in a worker thread, they crash Qt."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Tests that a module names in `BOTH_LOOPS` (True: all) run on plain asyncio and on the window's loop."""
    named = getattr(metafunc.module, "BOTH_LOOPS", ())
    if named is True or (named and metafunc.function.__name__ in named):
        window = pytest.param("qasync", marks=pytest.mark.qt_loop)
        metafunc.parametrize("loop_kind", ["asyncio", window], indirect=True)


@pytest.fixture(autouse=True)
def loop_kind(request: pytest.FixtureRequest) -> str:
    """Which loop this test runs on."""
    return getattr(request, "param", "asyncio")


@pytest.fixture
async def listener(anyio_backend: object) -> Listener:
    return Listener()
