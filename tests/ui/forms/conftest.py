"""Forms and arguments on screen, taken off it after the test."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from mcp_inspector.ui import theme
from tests.ui.forms.hand import Hand
from tests.ui.forms.table import Table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path


@pytest.fixture(autouse=True)
def look(qapp: Any) -> None:
    """The look of the program: widths and heights are those that people see."""
    theme.install(qapp, "light")


@pytest.fixture
def hand(qapp: Any) -> Iterator[Callable[..., Hand]]:
    """``hand(schema)`` puts a form on screen."""
    made: list[Hand] = []

    def make(schema: Mapping[str, Any], text: str | None = None) -> Hand:
        made.append(Hand(schema, text))
        return made[-1]

    yield make
    for one in made:
        one.close()


@pytest.fixture
def table(qapp: Any, tmp_path: Path) -> Iterator[Callable[..., Table]]:
    """``table(schema)`` puts arguments on screen: form, JSON, foot. Without an event loop of their own."""
    made: list[Table] = []

    def make(schema: Mapping[str, Any] | bytes, text: str | None = None, **more: Any) -> Table:
        made.append(Table(schema, text, memory=tmp_path / "memory.json", **more))
        return made[-1]

    yield make
    for one in made:
        one.close()
