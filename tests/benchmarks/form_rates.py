"""What forms cost the window: until a form can be used, per field that is seen, per key, and the longest standstill.

    python tests/benchmarks/form_rates.py [--rounds N]

Prints a table on stderr and, as the last line of stdout, one JSON object with all figures, in milliseconds. The limits
beside them are those that forms are held to: 100 ms for a thousand members, a frame of 16.7 ms for each visible field.
"""

from __future__ import annotations

import argparse
import gc
import gzip
import itertools
import json
import os
import statistics
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication

from mcp_inspector.ui import bridge, theme
from mcp_inspector.ui.desk import Desk
from mcp_inspector.ui.memory import Memory
from mcp_inspector.ui.models.arguments import Arguments
from mcp_inspector.ui.views.arguments import FORM, SPLIT, ArgumentsView

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).resolve().parents[2]
USABLE_MS, FRAME_MS = 100.0, 16.7
_NONE = Qt.KeyboardModifier.NoModifier
_KINDS: list[dict[str, Any]] = [
    {"type": "string", "description": "A text of some length that says what it is for."},
    {"type": "integer", "minimum": 0, "maximum": 1000},
    {"type": "boolean"},
    {"enum": ["one", "two", "three", "four", "five"]},
    {"type": "array", "items": {"type": "string"}},
    {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "number"}}},
    {"type": "string", "format": "date-time"},
    {"anyOf": [{"type": "integer"}, {"type": "string"}, {"type": "null"}]},
]


class Stage:
    """A window with arguments in it, and clocks."""

    def __init__(self) -> None:
        application = QApplication.instance() or QApplication([])
        assert isinstance(application, QApplication)
        self.application = application
        theme.install(self.application, "light")
        self.desk = Desk(Memory(None))
        self.view = ArgumentsView(self.desk, "tools", "Call tool")
        self.view.resize(560, 900)
        self.view.tabs.setCurrentIndex(FORM)
        self.view.show()
        self._made = 0
        self.show({"type": "object", "properties": {f"p{n}": kind for n, kind in enumerate(_KINDS)}})
        self.settle()

    def show(self, schema: Any, text: str | None = None) -> float:
        """Milliseconds of CPU from the schema's text to a form that is painted and takes keys."""
        raw = json.dumps(schema).encode()
        self._made += 1
        began = time.process_time()
        arguments = Arguments(("server", "tools", f"tool {self._made}"), raw, self.desk.drafts)
        if text is not None:
            arguments.document.reset(text)
        self.view.show_arguments(arguments)
        self.view.repaint()
        self.view.form.viewport().repaint()
        return (time.process_time() - began) * 1000

    def settle(self) -> float:
        """Let everything that is due happen; the longest it took between two events, in milliseconds."""
        worst = 0.0
        while bridge.pulling() or self.view._checking.running:
            began = time.perf_counter()
            self.application.processEvents()
            worst = max(worst, time.perf_counter() - began)
        for _ in range(3):
            self.application.processEvents()
        # Outside of a running loop Qt keeps what was deleted for later.
        self.application.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        return worst * 1000

    def key(self, widget: Any, letter: str = "x") -> float:
        """Milliseconds of CPU of one key, with what it draws."""
        began = time.process_time()
        for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
            QApplication.sendEvent(widget, QKeyEvent(kind, 0, _NONE, letter))
        self.view.form.viewport().repaint()
        return (time.process_time() - began) * 1000

    @property
    def seen(self) -> int:
        """Fields that can be seen now."""
        height = self.view.form.viewport().height()
        rows = self.view.form.rows()
        return max(1, sum(row.mapTo(self.view.form.viewport(), row.rect().topLeft()).y() < height for row in rows))


def wide(count: int, *, grouped: bool) -> dict[str, Any]:
    """A schema of many members: of ten groups, or of names that begin in no common way."""
    names = [f"{'abcdefghij'[n * 10 // count]}_member_{n}" if grouped else f"member{n}" for n in range(count)]
    return {
        "type": "object",
        "properties": {name: _KINDS[n % len(_KINDS)] for n, name in enumerate(names)},
        "required": names[:: max(1, count // 12)],
    }


def all_required(count: int) -> dict[str, Any]:
    """A schema none of whose members can be folded away."""
    schema = wide(count, grouped=False)
    return {**schema, "required": [*schema["properties"]]}


def gaps(stage: Stage, work: Callable[[], object], seconds: float) -> float:
    """The longest standstill of the loop while something goes on, in milliseconds."""
    beats = [time.perf_counter()]
    timer = QTimer()
    timer.setInterval(5)
    timer.timeout.connect(lambda: beats.append(time.perf_counter()))
    timer.start()
    work()
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        stage.application.processEvents()
        time.sleep(0.001)
    timer.stop()
    return max(b - a for a, b in itertools.pairwise(beats)) * 1000


def thousand(stage: Stage, rounds: int) -> dict[str, float]:
    """Forms of a thousand members."""
    found: dict[str, float] = {}
    for name, schema in (
        ("1 000 members, grouped", wide(1000, grouped=True)),
        ("1 000 members, no groups", wide(1000, grouped=False)),
        ("1 000 members, all required", all_required(1000)),
    ):
        found[f"{name}: usable"] = statistics.median(stage.show(schema) for _ in range(rounds))
        found[f"{name}: longest slice after"] = stage.settle()
    line = next(row.editor.line for row in stage.view.form.rows() if hasattr(row.editor, "line"))
    line.setFocus()
    found["a key in a form of 1 000"] = statistics.median(stage.key(line) for _ in range(20))
    for _ in range(400):
        stage.view.form.verticalScrollBar().setValue(stage.view.form.verticalScrollBar().maximum())
        stage.settle()
        if len(stage.view.form.rows()) >= 1000:
            break
    found["1 000 rows built: a key"] = statistics.median(stage.key(line) for _ in range(20))
    began = time.process_time()
    stage.view.resize(600, 900)
    stage.application.processEvents()
    found["1 000 rows built: another width"] = (time.process_time() - began) * 1000
    stage.view.resize(560, 900)
    return found


def corpus(stage: Stage) -> dict[str, float]:
    """The schemas of real servers."""
    with gzip.open(ROOT / "tests" / "data" / "corpus_schemas.json.gz") as file:
        tools = json.load(file)
    gc.collect()
    gc.freeze()  # as the program does after its start: what lives on is not walked again and again
    costs = []
    for tool in tools:
        cost = stage.show(tool["inputSchema"])
        stage.settle()
        cost = min(cost, stage.show(tool["inputSchema"]))  # a collection of garbage may have fallen into one of them
        costs.append((cost, cost / stage.seen, len(json.dumps(tool["inputSchema"])), tool["tool"]))
        stage.settle()
    largest = max(costs, key=lambda one: one[2])
    return {
        f"{len(costs)} corpus schemas: median": statistics.median(cost for cost, *_ in costs),
        f"slowest ({max(costs)[3]})": max(costs)[0],
        "slowest per visible field": max(per_field for _, per_field, *_ in costs),
        f"largest ({largest[3]}, {largest[2]:,} B): usable": largest[0],
        "largest: per visible field": largest[1],
    }


def large(stage: Stage) -> dict[str, float]:
    """Values that are large."""
    found: dict[str, float] = {}
    item = {"type": "object", "properties": {"name": {"type": "string"}, "qty": {"type": "integer"}}}
    schema = {"type": "object", "properties": {"items": {"type": "array", "items": item}}}
    rows = json.dumps({"items": [{"name": f"part {n}", "qty": n} for n in range(5_000)]})
    found["5 000 objects in a list: opened"] = stage.show(schema, rows)
    stage.settle()
    text = {"type": "object", "properties": {"t": {"type": "string"}, "u": {"type": "string"}}}
    stage.show(text)
    editor = stage.view.form.rows()[0].editor
    began = time.process_time()
    editor.enter("y" * 40_000)
    stage.view.form.viewport().repaint()
    found["40 KB entered at once"] = (time.process_time() - began) * 1000
    stage.settle()
    big = json.dumps({"t": "x", "pad": [{"n": n, "word": "some words"} for n in range(32_000)]}, indent=0)
    stage.view.tabs.setCurrentIndex(SPLIT)
    stage.show(text, big)
    stage.settle()
    typed = stage.view.json

    def write() -> None:
        for _ in range(3):
            for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
                QApplication.sendEvent(typed, QKeyEvent(kind, 0, _NONE, " "))

    found[f"typing into {len(big) / 1e6:.1f} MB of JSON: longest gap"] = gaps(stage, write, 2.0)
    stage.view.tabs.setCurrentIndex(FORM)
    return found


def main() -> None:
    """Measure all, print a table and the figures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    stage = Stage()
    gc.collect()
    gc.freeze()
    found = {**thousand(stage, rounds), **corpus(stage), **large(stage)}
    for name, value in found.items():
        limit = USABLE_MS if "usable" in name else FRAME_MS if "field" in name or "key" in name else 0.0
        mark = "" if not limit else f"   limit {limit:g}" + ("" if value <= limit else "   OVER")
        print(f"{name:<62}{value:9.2f} ms{mark}", file=sys.stderr)
    stage.view.show_arguments(None)
    stage.view.close()
    print(json.dumps({name: round(value, 3) for name, value in found.items()}))


if __name__ == "__main__":
    main()
