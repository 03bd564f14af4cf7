"""Languages that begin at the right, and input methods that compose: nothing stands wrong, nothing half is sent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from mcp_inspector.ui.forms import measure

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from mcp_inspector.ui.forms.row import FieldRow
    from tests.ui.forms.hand import Hand
    from tests.ui.forms.table import Table

RIGHT, LEFT = Qt.LayoutDirection.RightToLeft, Qt.LayoutDirection.LeftToRight
SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["name"],
    "properties": {
        "name": {"type": "string", "maxLength": 9, "description": "שם"},
        "flag": {"type": "boolean"},
        "items": {"type": "array", "items": {"type": "object", "properties": {"n": {"type": "number"}}}},
        "more": {"type": "object", "additionalProperties": {"type": "string"}},
    },
}
TEXT = '{"name": "שלום", "items": [{"n": 1.50}], "more": {"a": "b"}}'


def heads(row: FieldRow) -> list[QWidget]:
    return [head for head in row.active.heads if not head.isHidden()]


def test_a_mirrored_form_is_the_mirror_of_the_other(hand: Callable[..., Hand]) -> None:
    form = hand(SCHEMA, TEXT)
    for path in ("items/0/n", "more/a"):
        form.row(path)
    rows = form.view.rows()
    assert len(rows) >= 7

    def picture() -> list[tuple[int, int, int]]:
        form.view.lay_out()
        found = []
        for row in rows:
            areas = [row.name_rect, row.note_rect, row.menu_button.geometry()]
            areas += [one.geometry() for one in (*heads(row), *row.buttons)]
            areas += [row.fold_button.geometry()] if row.fold_button is not None else []
            found += [(area.x(), area.right(), row.width()) for area in areas if not area.isEmpty()]
            found.append((row.x(), row.geometry().right(), row.parentWidget().width()))
        return found

    usual = picture()
    form.view.setLayoutDirection(RIGHT)
    mirrored = picture()
    for (left, right, width), (other_left, other_right, other) in zip(usual, mirrored, strict=True):
        assert width == other
        assert (other_left, other_right) == (width - 1 - right, width - 1 - left)
    form.view.setLayoutDirection(LEFT)
    assert picture() == usual


def test_a_mirrored_form_folds_moves_and_sends_the_same(hand: Callable[..., Hand]) -> None:
    form = hand(SCHEMA, TEXT)
    form.view.setLayoutDirection(RIGHT)
    form.view.lay_out()
    row = form.row("items")
    assert row.fold_button is not None
    QTest.mouseClick(row.fold_button, Qt.MouseButton.LeftButton)
    assert row.folded
    QTest.mouseClick(row.fold_button, Qt.MouseButton.LeftButton)
    form.type("items/0/n", "2.50")
    words = form.editor("flag").segments  # type: ignore[attr-defined]  # a switch
    assert words.place(0).x() > words.place(1).x()  # what stands first stands at the right
    form.pick("flag", "true")
    assert form.document.wire_bytes().decode() == ('{"name":"שלום","flag":true,"items":[{"n":2.50}],"more":{"a":"b"}}')


def test_json_begins_at_the_left_in_every_language(table: Callable[..., Table]) -> None:
    at = table(SCHEMA, TEXT)
    at.arguments_view.setLayoutDirection(RIGHT)
    assert at.json.layoutDirection() is LEFT
    assert at.view.layoutDirection() is RIGHT


@pytest.mark.parametrize(
    ("words", "right"), [("שלום world", True), ("world שלום", False), ("12 مرحبا", True), ("12", False), ("", False)]
)
def test_words_follow_each_other_as_their_own_language_has_it(words: str, right: bool) -> None:
    assert measure.right_to_left(words) is right


def compose(widget: QWidget, half: str, whole: str) -> None:
    """Compose a word: first what is only shown, then what is committed."""
    QApplication.sendEvent(widget, QInputMethodEvent(half, []))
    event = QInputMethodEvent()
    event.setCommitString(whole)
    QApplication.sendEvent(widget, event)


@pytest.mark.parametrize("field", ["line", "area", "secret", "any"])
def test_half_a_word_is_never_sent_and_the_whole_is(table: Callable[..., Table], field: str) -> None:
    properties = {
        "line": {"type": "string"},
        "area": {"type": "string", "contentMediaType": "text/plain"},
        "secret": {"type": "string", "format": "password"},
        "any": {"$ref": "https://example.invalid/any"},
    }
    at = table({"type": "object", "properties": properties})
    widget = at.input(field)
    widget.setFocus()
    QApplication.sendEvent(widget, QInputMethodEvent("zhong", []))
    at.still()
    assert at.sent == {}
    QTest.keyClick(widget, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)  # some send while they compose
    assert at.sent_texts in ([], ["{}"])
    compose(widget, "zhongwen", '"中文"' if field == "any" else "中文")
    assert at.sent == {field: "中文"}
    compose(widget, "ri", " " if field == "any" else "日")
    assert at.sent == {field: "中文" if field == "any" else "中文日"}


def test_composing_in_the_json_changes_the_document_when_it_is_done(table: Callable[..., Table]) -> None:
    at = table({"type": "object", "properties": {"t": {"type": "string"}}}, '{"t": ""}')
    cursor = at.json.textCursor()
    cursor.setPosition(at.json.toPlainText().index('""') + 1)
    at.json.setTextCursor(cursor)
    at.json.setFocus()
    QApplication.sendEvent(at.json, QInputMethodEvent("に", []))
    at.still()
    assert at.sent == {"t": ""}
    compose(at.json, "にほ", "日本")
    at.still()
    assert at.sent == {"t": "日本"}
    assert at.input("t").text() == "日本"


def test_digits_of_another_script_are_no_json_number_and_said_so(hand: Callable[..., Hand]) -> None:
    form = hand({"type": "object", "properties": {"n": {"type": "integer"}}})
    widget = form.input("n")
    widget.setFocus()
    compose(widget, "١", "١٢")
    assert form.sent == {}
    assert form.row("n").problem()
