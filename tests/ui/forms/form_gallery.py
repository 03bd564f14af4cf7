"""Draws forms of difficult schemas to PNG files, to be looked at: light and dark, wide and narrow, at 100 % and 200 %.

python tests/ui/forms/form_gallery.py FOLDER [NAME…]
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from PySide6.QtWidgets import QApplication, QWidget

from mcp_inspector.ui import theme
from mcp_inspector.ui.desk import Desk
from mcp_inspector.ui.memory import Memory
from mcp_inspector.ui.models.arguments import Arguments
from mcp_inspector.ui.views.arguments import FORM, SPLIT, ArgumentsView
from tests.ui.forms import form_schemas as schemas

if TYPE_CHECKING:
    from collections.abc import Callable

WIDE, NARROW, TALL = (560, 900), (330, 900), (560, 1500)

ORDER = {"customer": "", "quantity": 120, "price": 9.95, "revision": 2, "note": None, "code": "abc", "extra": [1, 2]}
FORMATS = {
    "day": "2026-13-01",
    "moment": "2026-01-02T03:04:05+05:30",
    "secret": "hunter2",
    "script": "def greet(name):\n    return f'hello {name}'\n",
    "picture": "iVBORw0KGgo=",
    "mail": "not a mail",
}
CONTAINERS: dict[str, Any] = {
    "tags": ["new", "red"],
    "days": ["Mon", "Wed"],
    "items": [{"name": "Bolt", "qty": 3}, {"name": "Nut", "qty": 0}],
    "point": [1.5, -2],
    "home": {"city": "Basel"},
    "labels": {"env": "test", "a.b": "c"},
    "scores": {"toolong": 1},
    "headers": {"x-a": "1"},
    "tree": {"name": "root", "children": [{"name": "leaf"}]},
    "anything": {"a": [1, None]},
    "list": [1, "1", None, {"a": []}],
}
UNIONS = {"target": {"kind": "sms", "number": "+41 1"}, "limit": "all", "value": 1.50, "when": "2026-01-01"}
PAGES: dict[str, tuple[dict[str, Any] | bool, Any, list[tuple[int, int]]]] = {
    "order-new": (schemas.ORDER, None, [WIDE, NARROW]),
    "order": (schemas.ORDER, ORDER, [WIDE, NARROW]),
    "formats-new": (schemas.FORMATS, None, [WIDE, NARROW]),
    "formats": (schemas.FORMATS, FORMATS, [WIDE, NARROW]),
    "containers-new": (schemas.CONTAINERS, None, [WIDE, NARROW]),
    "containers": (schemas.CONTAINERS, CONTAINERS, [(560, 1900), (330, 2100)]),
    "unions-new": (schemas.UNIONS, None, [WIDE, NARROW]),
    "unions": (schemas.UNIONS, UNIONS, [WIDE, NARROW]),
    "conditions": (schemas.CONDITIONS, {"method": "card", "coupon": "X", "gift": True}, [WIDE]),
    "odd": (schemas.ODD, {"default_wrong": "5", "": "x"}, [WIDE, NARROW]),
    "wide": (schemas.wide(60), None, [WIDE, NARROW]),
    "any": (True, None, [WIDE]),
}


def _problems(view: ArgumentsView) -> QWidget:
    view.check()
    view.toggle_problems()
    return view


def _cases(view: ArgumentsView) -> QWidget:
    view.tools.list_cases()
    return view


def _sets(view: ArgumentsView) -> QWidget:
    arguments = view.arguments
    assert arguments is not None
    for name, text in (("small order", '{"quantity": 1}'), ("everything", '{"customer": "Ada", "quantity": 12}')):
        view._desk.recall.save(arguments.key, name, text, arguments.mark)
        view._desk.recall.note_sent(arguments.key, text, arguments.mark if name == "everything" else "older")
    panel = view.tools.open_sets()
    assert panel is not None
    return panel


def _choices(view: ArgumentsView) -> QWidget:
    row = view.form.row_of(("a_member_3",))
    assert row is not None
    return row.editor.box.open()  # type: ignore[attr-defined]  # an enumeration's


def _calendar(view: ArgumentsView) -> QWidget:
    row = view.form.row_of(("day",))
    assert row is not None
    return row.editor.helps[0].open()  # type: ignore[attr-defined]  # a date's


def _find(view: ArgumentsView) -> QWidget:
    view.form.finder.bar.edit.setText("member_1")
    return view


def _broken(view: ArgumentsView) -> QWidget:
    view.tabs.setCurrentIndex(SPLIT)
    view.resize(900, 700)
    assert view.arguments is not None
    view.arguments.document.set_text('{"customer": "Ada",\n  "quantity": }')
    view.check()
    view.form._show_waiting()
    return view


ACTS: dict[str, tuple[str, Callable[[ArgumentsView], QWidget]]] = {
    "problems": ("order", _problems),
    "cases": ("order", _cases),
    "sets": ("order", _sets),
    "choices": ("wide", _choices),
    "calendar": ("formats", _calendar),
    "find": ("wide", _find),
    "broken": ("order", _broken),
}
"""What is done to a page before it is drawn; what is drawn is what the function gives."""


def draw(folder: Path, names: list[str], ratio: str) -> None:
    """Draw pages in this process, whose scale is fixed."""
    app = QApplication([])
    look = theme.install(app, "light")
    for name in names:
        page, act = ACTS.get(name, (name, None))
        schema, value, sizes = PAGES[page]
        desk = Desk(Memory(None))
        view = ArgumentsView(desk, "gallery", "Call tool")
        view.setMinimumWidth(180)
        arguments = Arguments(("s", "tool", name), json.dumps(schema).encode(), desk.drafts)
        if value is not None:
            arguments.document.set_text(json.dumps(value, indent=2))
        view.tabs.setCurrentIndex(FORM)
        view.show_arguments(arguments, "What this tool does, in the words of its server: it takes all of these.")
        view.show()
        if value is not None:
            view.form.show_problems(view.form.context.problems if view.form.context else {}, everywhere=True)
        if act is not None:
            view.resize(*sizes[0])
            for choice in ("light", "dark"):
                look.choose(choice)  # type: ignore[arg-type]  # one of the two
                drawn = act(view)
                shots(app, drawn)(f"{folder}/{name}-{choice}{'' if ratio == '1' else '@2x'}.png")
                if drawn is not view:
                    drawn.close()
            view.close()
            continue
        settle = shots(app, view)
        for size in sizes if ratio == "1" else sizes[:1]:
            view.resize(*size)
            for choice in ("light", "dark"):
                look.choose(choice)  # type: ignore[arg-type]  # one of the two
                settle(f"{folder}/{name}-{size[0]}-{choice}{'' if ratio == '1' else '@2x'}.png")
        if ratio == "1" and value is not None:
            view.tabs.setCurrentIndex(SPLIT)
            view.resize(900, 700)
            settle(f"{folder}/{name}-split.png")
        view.close()


def shots(app: QApplication, view: QWidget) -> Callable[[str], None]:
    """A function that draws a widget when it has come to rest."""

    def shoot(path: str) -> None:
        from mcp_inspector.ui import bridge

        for _ in range(400):
            app.processEvents()
            if not bridge.pulling():
                break
        for _ in range(5):
            app.processEvents()
        view.grab().save(path)

    return shoot


def main() -> None:
    """Draw the named pages, or all, at both scales."""
    folder = Path(sys.argv[1])
    names = sys.argv[2:] or [*PAGES, *ACTS]
    folder.mkdir(parents=True, exist_ok=True)
    if "QT_SCALE_FACTOR" in os.environ:
        draw(folder, names, os.environ["QT_SCALE_FACTOR"])
        return
    for ratio in ("1", "2"):
        subprocess.run([sys.executable, *sys.argv], env=os.environ | {"QT_SCALE_FACTOR": ratio}, check=True)


if __name__ == "__main__":
    main()
