"""Renders the widgets and the traffic dock over made-up but realistic data to PNG files, to be looked at.

    python tests/ui/gallery.py FOLDER [NAME…]

Each page is drawn light and dark, at its sizes, at 100 % and 200 %.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QPushButton,
    QRadioButton,
    QSpinBox,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from mcp_inspector.store.log import Log
from mcp_inspector.ui import icons, theme
from mcp_inspector.ui.views.traffic import TrafficView
from mcp_inspector.ui.widgets.hex_view import HexView
from mcp_inspector.ui.widgets.inputs import LongLineEdit, SearchEdit
from mcp_inspector.ui.widgets.json_tree import JsonTree
from mcp_inspector.ui.widgets.labels import ElidedLabel, EmptyState, Pill
from mcp_inspector.ui.widgets.rows import Fact, KeyValueRows
from mcp_inspector.ui.widgets.tabs import SegmentedTabs
from mcp_inspector.ui.widgets.text_view import TextView
from tests.ui.story import WEATHER, tell

if TYPE_CHECKING:
    from collections.abc import Callable


def widgets() -> QWidget:
    """Every small widget once."""
    page = QWidget()
    column = QVBoxLayout(page)
    buttons = QHBoxLayout()
    for kind, text in (("primary", "Call tool"), ("", "Generate"), ("quiet", "Save as action")):
        button = QPushButton(icons.icon("play", "on_accent" if kind == "primary" else "text"), text)
        theme.mark(button, kind=kind)
        buttons.addWidget(button)
    disabled = QPushButton("Disabled")
    disabled.setEnabled(False)
    buttons.addWidget(disabled)
    for pill in (("read-only", "ok", "check"), ("destructive", "error", "triangle-alert"), ("idempotent", "muted", "")):
        buttons.addWidget(Pill(*pill))
    buttons.addStretch()
    column.addLayout(buttons)
    title = QLabel("get-structured-content")
    theme.mark(title, role="title")
    column.addWidget(title)
    tabs = SegmentedTabs(("Tools", "Resources", "Prompts", "Tasks", "Overview"))
    tabs.set_count(0, 19)
    tabs.set_count(1, 7)
    tabs.setTabEnabled(3, False)
    column.addWidget(tabs)
    form = QFormLayout()
    box = QComboBox()
    box.addItems(["Chicago", "(not sent)"])
    invalid = LongLineEdit("2026-13-01", mono=True)
    theme.mark(invalid, invalid=True)
    check = QCheckBox("sent")
    check.setChecked(True)
    radio = QRadioButton("stdio")
    radio.setChecked(True)
    for name, widget in (
        ("location", box),
        ("count", QSpinBox()),
        ("search", SearchEdit("Filter tools")),
        ("since", invalid),
        ("flags", check),
        ("", QCheckBox("not sent")),
        ("transport", radio),
        ("", QRadioButton("http")),
        ("elided", ElidedLabel("A long sentence with \u202e in it " * 8)),
    ):
        form.addRow(name, widget)
    column.addLayout(form)
    column.addWidget(
        KeyValueRows(
            [
                Fact(
                    "command",
                    "npx -y @modelcontextprotocol/server-everything --root=/home/ada/" + "deep/" * 20,
                    mono=True,
                ),
                Fact("exit code", "1", mono=True, tone="error"),
            ]
        )
    )
    below = QHBoxLayout()
    names = QListWidget()
    names.addItems([f"tool-{number}" for number in range(30)])
    names.setCurrentRow(2)
    below.addWidget(names)
    below.addWidget(EmptyState("plug", "No server yet", "Start with the built-in demo server.", "Connect the demo"))
    column.addLayout(below, 1)
    return page


def texts() -> QWidget:
    """Text, hex, tree, image and audio."""
    split = QSplitter(Qt.Orientation.Horizontal)
    left, right = QSplitter(Qt.Orientation.Vertical), QSplitter(Qt.Orientation.Vertical)
    text = TextView()
    odd = "\r\nCR before, tab\there, \u200b zero width, \u202e bidi, \x1b[31mescape, 漢字 é 😀\n" + "long " * 80
    text.set_text(json.dumps(json.loads(WEATHER.replace(b"9007199254740993", b"1")), indent=2) + odd, "json")
    text.open_find()
    text._bar._edit.setText("temper")
    hexes = HexView()
    hexes.set_bytes(WEATHER)
    hexes.select(12, 60)
    tree = JsonTree()
    tree.set_json(WEATHER)
    for widget in (text, hexes):
        left.addWidget(widget)
    right.addWidget(tree)
    right.addWidget(KeyValueRows([Fact(f"name {n}", "value " * n) for n in range(1, 20)]))
    left.setSizes([500, 200])
    right.setSizes([400, 300])
    split.addWidget(left)
    split.addWidget(right)
    split.setSizes([600, 400])
    return split


def _traffic(part: str = "response", *, line: str = "", row: str = "get-structured", rounds: int = 2) -> TrafficView:
    log = Log()
    tell(log, rounds)
    view = TrafficView(log)
    view.model.catch_up()
    if line:
        view.set_filter(line)
        view.model.catch_up()
    for number in reversed(range(len(view.model))):
        exchange = view.model.exchange(number)
        if row in exchange.target or row in exchange.method or row in exchange.note:
            view.table.select(view.model.row(number))
            break
    view.detail.show_part(part)
    view.set_server("everything")
    view._kept_log = log  # type: ignore[attr-defined]  # keeps the session alive as long as the view
    return view


def _http() -> TrafficView:
    view = _traffic()
    for number in range(len(view.model)):
        if view.model.exchange(number).status == 401:
            view.table.select(view.model.row(number))
    view.detail.show_part("http")
    return view


def _tree() -> TrafficView:
    view = _traffic()
    view.detail._tree.setChecked(True)
    view.table.setFocus()
    return view


PAGES: dict[str, tuple[Callable[[], QWidget], list[tuple[int, int]]]] = {
    "widgets": (widgets, [(900, 760)]),
    "texts": (texts, [(1100, 760)]),
    "traffic": (_traffic, [(1440, 520), (800, 300), (2400, 900)]),
    "traffic-tree": (_tree, [(1200, 420)]),
    "traffic-raw": (lambda: _traffic("raw"), [(1440, 420), (1900, 500)]),
    "traffic-notes": (lambda: _traffic("notes"), [(1200, 420)]),
    "traffic-http": (_http, [(1200, 420)]),
    "traffic-started": (lambda: _traffic(row="npx"), [(1200, 420)]),
    "traffic-stderr": (lambda: _traffic(row="ModuleNotFound"), [(1200, 420)]),
    "traffic-failed": (lambda: _traffic(row="search_issues"), [(1200, 420)]),
    "traffic-filtered": (lambda: _traffic(line="method:tools/call -server:github dur:>5"), [(1200, 420)]),
    "traffic-wrong": (lambda: _traffic(line="methd:x"), [(1200, 300)]),
    "traffic-nothing": (lambda: _traffic(line="target:nothing-like-this"), [(1200, 300)]),
    "traffic-empty": (lambda: TrafficView(Log()), [(1200, 300)]),
}


def draw(folder: Path, names: list[str], ratio: str) -> None:
    """Draw pages in this process, whose scale is fixed."""
    app = QApplication([])
    look = theme.install(app, "light")
    for name in names:
        make, sizes = PAGES[name]
        page = make()
        page.setWindowTitle(name)
        page.show()
        for size in sizes if ratio == "1" else sizes[:1]:
            page.resize(*size)
            for choice in ("light", "dark"):
                look.choose(choice)  # type: ignore[arg-type]  # one of the two
                for _ in range(8):
                    app.processEvents()
                page.grab().save(
                    str(folder / f"{name}-{size[0]}x{size[1]}-{choice}{'' if ratio == '1' else '@2x'}.png")
                )
        page.close()


def main() -> None:
    """Draw the named pages, or all, at both scales."""
    folder = Path(sys.argv[1])
    names = sys.argv[2:] or [*PAGES]
    folder.mkdir(parents=True, exist_ok=True)
    if "QT_SCALE_FACTOR" in os.environ:
        draw(folder, names, os.environ["QT_SCALE_FACTOR"])
        return
    for ratio in ("1", "2"):
        subprocess.run([sys.executable, *sys.argv], env=os.environ | {"QT_SCALE_FACTOR": ratio}, check=True)


if __name__ == "__main__":
    main()
