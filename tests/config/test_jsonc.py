"""Reading: positions, tolerance, and what a person is told about a broken file."""

from __future__ import annotations

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_inspector.config import jsonc
from mcp_inspector.config.jsonc import JsoncError, Spelled, decode, parse

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=30,
)


@given(json_values, st.sampled_from([None, 0, 1, 4, "\t"]), st.booleans())
def test_any_json_reads_as_the_standard_library_reads_it(value: object, indent: int | str | None, ascii_: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_)
    assert parse(text).plain() == json.loads(text)
    assert repr(parse(text).plain()) == repr(json.loads(text))  # 1 is not 1.0, -0.0 not 0.0


@given(st.text())
def test_any_text_reads_as_the_standard_library_reads_it_or_is_refused_with_a_place(text: str) -> None:
    try:
        expected = json.loads(text, parse_constant=lambda word: pytest.fail(word))
    except (ValueError, pytest.fail.Exception):
        with contextlib.suppress(JsoncError):  # tolerated (a comment, a trailing comma), or refused: nothing else
            parse(text)
    else:
        assert parse(text).plain() == expected


def test_cfg_01_comments_trailing_commas_bom_and_crlf() -> None:
    """CFG-01: comments and trailing commas are read, text that looks like a comment is not touched."""
    text = (
        '\ufeff// top\r\n{\r\n  "mcpServers": {\r\n    // disabled: {"command": "x"},\r\n'
        '    "a": {"url": "http://h/mcp//x", "headers": {"X": "/* keep */ // keep",},}, /* c */\r\n  },\r\n}\r\n'
    )
    assert parse(text).plain() == {
        "mcpServers": {"a": {"url": "http://h/mcp//x", "headers": {"X": "/* keep */ // keep"}}}
    }
    assert decode(text.encode()).encode() == text.encode()


def test_nodes_know_their_place() -> None:
    text = '{"a" : [1.0, "x"], /* c */ "b": {"c": true}}'
    document = parse(text)
    for path, expected in {("a",): '[1.0, "x"]', ("a", 0): "1.0", ("b", "c"): "true", (): text}.items():
        node = document.find(path)
        assert node is not None
        assert text[node.start : node.end] == expected
    assert document.find(("a", 2)) is None
    assert document.find(("a", "x")) is None
    assert document.find(("zz", "x")) is None


def test_numbers_keep_their_spelling_when_asked() -> None:
    document = parse("[1.0, 1e400, 9007199254740993, 0]")
    assert document.plain(spelled=True) == ["1.0", "1e400", "9007199254740993", "0"]
    assert all(type(item) is Spelled for item in document.plain(spelled=True))
    assert document.plain()[2] == 9007199254740993
    assert parse("9" * 5000).plain() == float("inf")


def test_of_duplicates_the_last_counts_in_the_place_of_the_first() -> None:
    text = '{"a": 1, "b": 2, "a": 3}'
    assert list(parse(text).plain().items()) == list(json.loads(text).items())


@pytest.mark.parametrize("text", ["", " \r\n", "\ufeff", "// nothing yet", "/* a */ // b\n"])
def test_a_text_without_a_value_has_no_root(text: str) -> None:
    assert parse(text).root is None


@pytest.mark.parametrize(
    ("text", "line", "column", "words"),
    [
        ('{\n  "a": 1\n  "b": 2\n}', 3, 3, "a comma or } should stand here"),
        ("{\n  'a': 1\n}", 2, 3, "a name in double quotes"),
        ("{a: 1}", 1, 2, "a name in double quotes"),
        ("{\"a\": 'x'}", 1, 7, "straight double quotes"),
        ('{"a": “x”}', 1, 7, "typographic"),
        ('\ufeff{"a" 1}', 1, 6, "a colon"),
        ('{"a": }', 1, 7, "a value should stand before this }"),
        ('{"a": 1', 1, 8, "the { of line 1, column 1 is not closed"),
        ('{"a": ', 1, 7, "ends where a value should stand"),
        ('{"a": [1,\r\n 2', 2, 3, "the [ of line 1, column 7 is not closed"),
        ('{"a": "x\n"}', 1, 7, "no closing quote on its line"),
        ('{"a": "x\ty"}', 1, 9, "write \\t"),
        ('{"a": "\\q"}', 1, 8, "wrong escape"),
        ('{"a": NaN}', 1, 7, "'NaN' is no JSON value"),
        ('{"a": 01}', 1, 7, "'01' is no JSON value"),
        ('{"a": 1.5.5}', 1, 7, "'1.5.5' is no JSON value"),
        ('{"a": 1} x', 1, 10, "more text after the end"),
        ("# hello\n{}", 1, 1, "not with #"),
        ("/* open", 1, 1, "not closed"),
        ("/ {}", 1, 1, "a lone /"),
        ("{,}", 1, 2, "a name in double quotes"),
        ("[1,,2]", 1, 4, "before this ,"),
        ("[" * 100_000, 1, 201, "nested more than 200"),
    ],
)
def test_an_error_names_line_column_and_reason(text: str, line: int, column: int, words: str) -> None:
    """CFG-01: a real syntax error is shown with line and column."""
    with pytest.raises(JsoncError) as caught:
        parse(text)
    assert (caught.value.line, caught.value.column) == (line, column), caught.value
    assert words in caught.value.reason


def test_bytes_that_are_no_utf_8_are_named_with_their_place() -> None:
    with pytest.raises(JsoncError, match="line 2, column 3: byte 0xff"):
        decode(b"{\n  \xff}")
    with pytest.raises(JsoncError, match="UTF-16"):
        decode('{"a": 1}'.encode("utf-16"))


def test_style_is_read_from_the_text() -> None:
    document = parse('{\r\n\t"a": 1\r\n}')
    assert document.newline == "\r\n"
    assert document.indent == "\t"
    assert jsonc.line_column("a\r\nb\rc\nd", 8) == (4, 2)
