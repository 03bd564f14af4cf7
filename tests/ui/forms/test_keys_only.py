"""A form of every kind of field, filled in and sent with keys alone, as they come from a keyboard."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tests.ui.bench import write

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from tests.ui.forms.table import Table

CTRL, ALT, SHIFT = (
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.AltModifier,
    Qt.KeyboardModifier.ShiftModifier,
)
NONE = Qt.KeyboardModifier.NoModifier
EVERY: dict[str, Any] = {
    "type": "object",
    "properties": {
        "line": {"type": "string"},
        "secret": {"type": "string", "format": "password"},
        "number": {"type": "number"},
        "flag": {"type": "boolean"},
        "few": {"enum": ["x", "y"]},
        "many": {"enum": [f"choice {n}" for n in range(40)]},
        "days": {"type": "array", "items": {"enum": ["Mon", "Tue"]}, "uniqueItems": True},
        "list": {"type": "array", "items": {"type": "string"}},
        "map": {"type": "object", "additionalProperties": {"type": "integer"}},
        "pair": {"type": "array", "prefixItems": [{"type": "string"}, {"type": "number"}], "items": False},
        "object": {"type": "object", "properties": {"b": {"type": "string"}}},
        "union": {"anyOf": [{"type": "integer"}, {"type": "object", "properties": {"u": {"type": "string"}}}]},
        "any": {},
        "area": {"type": "string", "contentMediaType": "text/x-sql"},
        "raw": {"$ref": "https://example.invalid/any"},
        "last": {"type": "string"},
    },
    "required": ["line", "pair"],
}


class Keys:
    """Presses keys where the keyboard is."""

    def __init__(self, at: Table) -> None:
        self.at = at
        at.arguments_view.activateWindow()

    @property
    def focus(self) -> QWidget:
        """What has the keyboard: a popup that is open, or a widget of the window."""
        popup = QApplication.activePopupWidget()
        if popup is not None:
            return popup.focusWidget() or popup
        return self.at.arguments_view.window().focusWidget() or self.at.view

    def press(self, key: Qt.Key, mods: Qt.KeyboardModifier = NONE, times: int = 1) -> None:
        """One key, some times."""
        for _ in range(times):
            QTest.keyClick(self.focus, key, mods)
        self.at.still()

    def type(self, text: str) -> None:
        """Letters."""
        write(self.focus, text)
        self.at.still()

    def go_to(self, name: str) -> None:
        """Tab until the keyboard is in a field."""
        for _ in range(60):
            row = self.at.view.row_at(self.focus)
            while row is not None:
                if row.field.path[:1] == (name,):
                    return
                row = row.holder.row if row.holder is not None else None
            self.press(Qt.Key.Key_Tab)
        raise AssertionError(f"Tab does not come to {name}")


def test_every_kind_of_field_is_filled_in_and_sent_by_keys(table: Callable[..., Table]) -> None:
    at = table(EVERY, split=False)
    at.arguments_view.resize(620, 700)
    keys = Keys(at)
    at.view.setFocus()
    keys.press(Qt.Key.Key_Return)  # into the first field
    keys.go_to("line")
    keys.type("a word")
    keys.go_to("pair")
    keys.type("first")
    keys.press(Qt.Key.Key_Tab)
    keys.type("1.50")
    keys.go_to("secret")
    keys.type("hush")
    keys.go_to("number")
    keys.type("41")
    keys.press(Qt.Key.Key_Up)
    keys.go_to("flag")
    keys.press(Qt.Key.Key_Right)
    keys.press(Qt.Key.Key_Space)
    keys.go_to("few")
    keys.press(Qt.Key.Key_Right, times=2)
    keys.press(Qt.Key.Key_Return)
    keys.go_to("many")
    keys.press(Qt.Key.Key_Space)
    keys.type("choice 37")
    keys.press(Qt.Key.Key_Return)
    keys.go_to("days")
    keys.press(Qt.Key.Key_Space)
    keys.press(Qt.Key.Key_Right)
    keys.press(Qt.Key.Key_Space)
    keys.go_to("list")
    keys.press(Qt.Key.Key_Space)  # "Add item"; the keyboard goes into it
    keys.type("one")
    while keys.at.view.row_at(keys.focus) is not at.row("list"):
        keys.press(Qt.Key.Key_Tab)
    keys.press(Qt.Key.Key_Space)
    keys.type("two")
    keys.press(Qt.Key.Key_Up, ALT)
    keys.go_to("map")
    keys.press(Qt.Key.Key_Space)
    keys.type("key")
    keys.press(Qt.Key.Key_Return)
    keys.type("7")
    keys.go_to("object")
    keys.press(Qt.Key.Key_Space)
    keys.type("inside")
    keys.go_to("union")
    keys.press(Qt.Key.Key_Space)
    keys.press(Qt.Key.Key_Down, times=2)
    keys.press(Qt.Key.Key_Return)
    keys.press(Qt.Key.Key_Tab)
    keys.type("of it")
    keys.go_to("area")
    keys.type("select")
    keys.press(Qt.Key.Key_Return)
    keys.type("1")
    keys.go_to("raw")
    keys.type("[1.0]")
    keys.go_to("last")
    keys.type("end")
    keys.press(Qt.Key.Key_Return, CTRL)
    import json

    assert json.loads(at.sent_texts[-1]) == {
        "line": "a word",
        "secret": "hush",
        "number": 42,
        "flag": True,
        "few": "y",
        "many": "choice 37",
        "days": ["Mon", "Tue"],
        "list": ["two", "one"],
        "map": {"key": 7},
        "pair": ["first", 1.5],
        "object": {"b": "inside"},
        "union": {"u": "of it"},
        "area": "select\n1",
        "raw": [1.0],
        "last": "end",
    }
    assert '"pair":["first",1.50]' in at.sent_texts[-1]


def test_tab_and_its_opposite_pass_the_same_stops_and_escape_leaves_each(table: Callable[..., Table]) -> None:
    at = table(EVERY, json_text(), split=False)
    keys = Keys(at)
    at.view.focus_first()
    forward = []
    while at.view.isAncestorOf(keys.focus) and keys.focus is not at.view and len(forward) < 80:
        forward.append(keys.focus)
        keys.press(Qt.Key.Key_Tab)
    paths = [row.field.path[:1] for stop in forward if (row := at.view.row_at(stop)) is not None]
    assert list(dict.fromkeys(paths)) == [(name,) for name in ("line", "pair", *rest())]
    forward[-1].setFocus()
    for stop in reversed(forward):
        assert keys.focus is stop
        keys.press(Qt.Key.Key_Backtab, SHIFT)
    for stop in forward:
        stop.setFocus()
        keys.press(Qt.Key.Key_Escape)
        assert keys.focus is at.view
        keys.press(Qt.Key.Key_Return)
        assert keys.focus is stop
    assert at.document.text == json_text()


def rest() -> list[str]:
    """The optional members, in their order."""
    return [name for name in EVERY["properties"] if name not in EVERY["required"]]


def json_text() -> str:
    """A value with something inside of everything."""
    return (
        '{"line": "a", "list": ["x", "y"], "map": {"k": 1}, "pair": ["p", 2], "object": {"b": ""}, '
        '"union": {"u": "v"}, "any": true, "raw": {"r": 1.0}}'
    )
