"""Progress of a running call: bar, message, rate and cancel; whatever numbers the server tells, nothing breaks."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_inspector.session.call import Progress
from mcp_inspector.ui.models.pace import Pace
from tests.ui.bench import opened, press, rude_entry, until

pytestmark = pytest.mark.anyio

SECOND = 1_000_000_000


VALUES: tuple[dict[str, Any], ...] = (
    {"progress": 1, "total": 10, "message": "begun"},
    {"progress": -5, "total": 10},
    {"progress": 3, "total": 0},
    {"progress": 3, "total": -1},
    {"progress": 10**400, "total": 10**400},
    {"progress": 123456789012345678901234567890123456789, "total": 9e307},
    {"progress": "NaN", "total": "many"},
    {"progress": None, "message": 7},
    {"message": "long " * 4_000},
    {"message": "\u202eturned\u0000 <b>bold</b>"},
    {"progress": 2, "total": 4, "message": "half"},
)


def _outs() -> list[dict[str, Any]]:
    return [
        {"out": {"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": "$token", **value}}}
        for value in VALUES
    ]


@pytest.mark.parametrize("discover", ["modern", "unknown"])
async def test_odd_values_never_break_it_and_cancel_stays(rude: Any, discover: str) -> None:
    """Cases progress-decreasing and progress-odd-values."""
    peer = rude(discover=discover, on={"tools/call:echo": [*_outs(), {"wait": "notifications/never"}]})
    async with opened(rude_entry(peer)) as bench:
        await bench.connect("rude")
        page = await bench.tool("echo")
        press(page.arguments.call)
        await until(lambda: page.run is not None and page.run.pace.told == len(VALUES), what="all progress")
        await bench.still()
        assert page.run.running
        bar = page.result._progress
        assert (bar.maximum(), bar.value()) == (1000, 500)
        assert page.result._empty._detail.text().startswith("2 of 4")
        assert "half" in page.result._empty._detail.text()
        assert "it went back" in page.result._empty._detail.text()
        press(page.arguments.cancel)
        await until(lambda: not page.run.running, what="the end")


def heard(*values: tuple[Any, Any], seconds: float = 1.0) -> Pace:
    pace = Pace()
    for at, (value, total) in enumerate(values):
        pace.hear(Progress(value, total), int(at * seconds * SECOND))
    return pace


@pytest.mark.parametrize(
    ("values", "part", "words"),
    [
        ([(1, 10), (3, 10)], 0.3, "3 of 10 · 2/s · about 4.0 s left"),
        ([(1, None), (4, None)], None, "4 · 3/s"),
        ([(0.5, 1.0)], 0.5, "0.5 of 1"),
        ([(5, 10), (2, 10)], 0.2, "2 of 10 · it went back"),
        ([(5, 10), (2, 10), (4, 10)], 0.4, "4 of 10 · 2/s · about 3.0 s left · it went back"),
        ([(-3, 10)], 0.0, "-3 of 10"),
        ([(30, 10)], 1.0, "30 of 10"),
        ([(3, 0)], None, "3"),
        ([(3, -5)], None, "3"),
        ([(None, 10)], None, ""),
        ([(float("nan"), 10)], None, ""),
        ([(float("inf"), float("inf"))], None, ""),
        ([(1e300, 1e308), (1e308, 1e308)], 1.0, "1e+308 of 1e+308 · 1e+308/s"),
        ([(1e18, 2e18)], 0.5, "1e+18 of 2e+18"),
    ],
)
async def test_progress_in_words(values: list[tuple[Any, Any]], part: float | None, words: str) -> None:
    pace = heard(*values)
    assert pace.part == part
    assert pace.words() == words
