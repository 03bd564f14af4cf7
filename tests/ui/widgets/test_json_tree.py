"""JSON as a tree: lossless, lazy, any size."""

import base64
import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QGuiApplication

from mcp_inspector.ui.widgets import json_spans
from mcp_inspector.ui.widgets.json_model import JsonModel, dotted, pointer
from mcp_inspector.ui.widgets.json_spans import Parts
from mcp_inspector.ui.widgets.json_tree import JsonTree

DOCUMENT = b"""{"big": 9007199254740993, "one": 1.0, "huge": 1e400, "z": 1, "a": 2, "z": 3, "esc\\u0061ped": "\\u00e9",
 "content": [{"type": "text", "text": "{\\"temperature\\": 36}"}], "empty": {}, "none": []}"""


@pytest.fixture
def tree(qtbot):
    widget = JsonTree()
    widget.resize(500, 400)
    qtbot.addWidget(widget)
    widget.show()
    return widget


def rows(tree, parent=None):
    parent = parent or QModelIndex()
    model = tree.model()
    return [model.index(row, 0, parent).data(Qt.ItemDataRole.DisplayRole) for row in range(model.rowCount(parent))]


def at(tree, *places):
    index = QModelIndex()
    for place in places:
        index = tree.model().index(place, 0, index)
    return index


def test_numbers_order_duplicates_and_escapes_are_shown_as_they_came(tree):
    assert tree.set_json(DOCUMENT)
    assert rows(tree) == [
        "big: 9007199254740993",
        "one: 1.0",
        "huge: 1e400",
        "z: 1",
        "a: 2",
        "z: 3 · same name again",
        'esc\\u0061ped: "\\u00e9"',
        "content: [1]",
        "empty: {0}",
        "none: [0]",
    ]
    assert not tree.model().hasChildren(at(tree, 8))


def test_json_inside_a_string_opens(tree):
    tree.set_json(DOCUMENT)
    text = at(tree, 7, 0, 1)
    assert text.data(Qt.ItemDataRole.DisplayRole) == "text: text · JSON inside"
    assert rows(tree, text) == ["temperature: 36"]


def test_media_are_told_by_their_size(tree):
    data = base64.b64encode(bytes(3000)).decode()
    tree.set_json(json.dumps({"type": "image", "mimeType": "image/png", "data": data}).encode())
    assert rows(tree)[2] == "data: base64 · 3.0 KB · image/png"


def test_copying(tree, qtbot):
    tree.set_json(DOCUMENT)
    tree.setCurrentIndex(at(tree, 7, 0, 1, 0))
    clipboard = QGuiApplication.clipboard()
    qtbot.keyClick(tree, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert clipboard.text() == "36"
    tree.copy_path()
    assert clipboard.text() == "$.content[0].text.temperature"
    tree.copy_pointer()
    assert clipboard.text() == "/content/0/text/temperature"
    tree.setCurrentIndex(at(tree, 6))
    tree.copy_string()
    assert clipboard.text() == "é"
    tree.copy_pointer()
    assert clipboard.text() == "/escaped"
    tree.copy_all()
    assert clipboard.text() == DOCUMENT.decode()


def test_paths_with_odd_names():
    assert dotted(["a b", 0, "it's"]) == "$['a b'][0]['it\\'s']"
    assert pointer(["a/b", "m~n", 3]) == "/a~1b/m~0n/3"


def test_long_arrays_come_in_ranges(tree):
    tree.set_json(json.dumps([*range(25_000)]).encode())
    assert rows(tree) == ["0 … 9999: 10,000 items", "10000 … 19999: 10,000 items", "20000 … 24999: 5,000 items"]
    assert rows(tree, at(tree, 2))[-1] == "24900 … 24999: 100 items"
    leaf = at(tree, 2, 49, 7)
    assert leaf.data(Qt.ItemDataRole.DisplayRole) == "24907: 24907"
    tree.setCurrentIndex(leaf)
    assert tree.pointer() == "/24907"


def test_a_large_object_with_names_that_come_again(tree):
    members = [(f"k{number}", number) for number in range(2_950)] + [("k7", "again"), ("k8", "again")]
    text = "{" + ", ".join(f'"{name}": {json.dumps(value)}' for name, value in members) + "}"
    assert tree.set_json(text.encode())
    assert len(rows(tree)) == 30
    assert rows(tree, at(tree, 0))[7] == "k7: 7"
    last = rows(tree, at(tree, 29))
    assert last[-3:] == ["k2949: 2949", 'k7: "again"', 'k8: "again"']
    tree.setCurrentIndex(at(tree, 29, 51))
    assert tree.pointer() == "/k8"


def test_200_000_objects_are_not_read_before_they_are_opened(tree):
    """QT-07: opening stays far below the time of reading it all."""
    text = json.dumps([{"id": number, "tags": ["a", "b"]} for number in range(200_000)]).encode()
    started = time.process_time()
    json.loads(text)
    reading = time.process_time() - started
    started = time.process_time()
    assert tree.set_json(text)
    assert time.process_time() - started < reading
    assert len(rows(tree)) == 20


def test_100_000_levels_do_not_end_the_program(tree):
    assert tree.set_json(b"[" * 100_000 + b"]" * 100_000)
    tree.grab()


@pytest.mark.parametrize("text", [b"", b"{", b'{"a" 1}', b"[1,]", b"nope", b"{'a':1}", b"\xff"])
def test_what_is_no_json_is_said_not_shown(tree, text):
    assert not tree.set_json(text)
    assert rows(tree) == []


def test_a_lone_value_is_a_row(tree):
    assert tree.set_json(b' "text" ')
    assert rows(tree) == ['0: "text"']


def test_the_star_key_opens_below_within_reason(tree, qtbot):
    tree.set_json(json.dumps({"a": {"b": {"c": [1, 2]}}, "many": [[[0]] * 50] * 50}).encode())
    tree.collapseAll()
    tree.setCurrentIndex(at(tree, 0))
    qtbot.keyClick(tree, Qt.Key.Key_Asterisk)
    assert tree.isExpanded(at(tree, 0, 0, 0))
    assert not tree.isExpanded(at(tree, 1))


leaves = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
documents = st.recursive(leaves, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=30)


@given(documents, st.sampled_from([None, 1, "\t"]))
def test_parts_are_the_text_between_the_commas(value, indent):
    text = json.dumps(value, indent=indent).encode()
    parts = Parts(text)
    assert parts.good
    if isinstance(value, dict):
        found = [(json.loads(part.name), json.loads(bytes(part.text))) for part in parts.between(0, len(parts))]
        assert found == [*value.items()]
    elif isinstance(value, list):
        assert [json.loads(bytes(part.text)) for part in parts.between(0, len(parts))] == value
    else:
        assert len(parts) == 0


@given(st.lists(st.tuples(st.sampled_from("abc"), documents), min_size=1))
def test_duplicate_names_keep_their_own_values(members):
    text = "{" + ", ".join(f'"{name}" : {json.dumps(value)}' for name, value in members) + " }"
    parts = Parts(text.encode())
    found = [(json.loads(part.name), json.loads(bytes(part.text))) for part in parts.between(0, len(parts))]
    assert found == members


@given(documents, st.sampled_from([None, 1, "\t"]))
def test_laid_out_text_is_what_python_would_write(value, indent):
    text = json.dumps(value, indent=indent, ensure_ascii=False).encode("utf-8", "surrogatepass")
    laid_out = b"".join(json_spans.pretty(text))
    assert laid_out == json.dumps(value, indent=2, ensure_ascii=False).encode("utf-8", "surrogatepass")


@given(st.binary(max_size=200))
def test_laying_out_what_is_no_json_loses_nothing(text):
    laid_out = b"".join(json_spans.pretty(text))
    blanks = bytes.maketrans(b"", b"")
    assert laid_out.translate(blanks, b" \t\r\n") == text.translate(blanks, b" \t\r\n")


def test_the_model_reports_nothing_for_an_invalid_index():
    model = JsonModel()
    model.set_text(b"[1]")
    assert not model.parent(QModelIndex()).isValid()
    assert model.columnCount() == 1
