"""Lossless JSON text: read, laid out and looked up without changing a token."""

from __future__ import annotations

import json
import time
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_inspector.wire import jsontext
from mcp_inspector.wire.jsontext import JsonError, Kind

SPELLINGS = ["9007199254740993", "1.0", "1e400", "-0", "-0.0e-0", "1E+2", "0.10", "12345678901234567890123456789.5"]

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=30,
)
blank = st.text(alphabet=" \t\r\n", max_size=3)


@given(json_values, st.sampled_from([None, 0, 3]), st.booleans())
def test_reads_what_the_standard_library_writes(value: object, indent: int | None, ascii_only: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    node = jsontext.parse(text)
    assert node.raw == text
    assert json.loads(text, parse_float=Decimal) == jsontext.value_of(node)


@given(st.text(alphabet='{}[]:,"\\ntrufalse0123456789.eE+- \n/u', max_size=12))
def test_accepts_exactly_what_the_standard_library_accepts(text: str) -> None:
    try:
        json.loads(text, parse_constant=_refuse)
    except ValueError:
        with pytest.raises(JsonError) as caught:
            jsontext.parse(text)
        assert 0 <= caught.value.offset <= len(text)
        assert caught.value.sentence.endswith(".")
        assert not jsontext.surely_json(text)
    else:
        assert jsontext.parse(text).raw == text.strip(" \t\r\n")


def _refuse(word: str) -> None:
    raise ValueError(word)


@given(json_values, st.integers(0, 4))
def test_layout_changes_whitespace_only(value: object, indent: int) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=False)
    assert json.loads(jsontext.pretty(text)) == value
    assert jsontext.compact(text) == json.dumps(value, separators=(",", ":"), ensure_ascii=False)
    assert jsontext.compact(jsontext.pretty(text)) == jsontext.compact(text)
    assert jsontext.compact(text.encode()) == jsontext.compact(text).encode()
    assert jsontext.pretty(text.encode()) == jsontext.pretty(text).encode()


@given(json_values)
def test_pretty_is_laid_out_as_the_standard_library_does(value: object) -> None:
    expected = json.dumps(value, indent=2, ensure_ascii=False)
    assert jsontext.pretty(json.dumps(value, ensure_ascii=False)) == expected


@pytest.mark.parametrize("spelled", SPELLINGS)
def test_numbers_keep_their_spelling(spelled: str) -> None:
    text = f'{{"n": {spelled}, "list": [{spelled}]}}'
    node = jsontext.parse(text)
    assert jsontext.find(node, ("n",)).raw == spelled  # type: ignore[union-attr]  # it is there
    assert jsontext.compact(text) == f'{{"n":{spelled},"list":[{spelled}]}}'
    assert jsontext.compact(jsontext.pretty(text)) == jsontext.compact(text)


def test_members_keep_order_duplicates_and_escapes() -> None:
    text = r'{"b": 1, "a": "\u00e9\/", "b": 2, "\u0061": 3}'
    node = jsontext.parse(text)
    assert list(node.names) == ["b", "a", "b", "a"]
    assert [item.raw for item in node.items] == ["1", r'"\u00e9\/"', "2", "3"]
    assert node.get("b").raw == "2"  # type: ignore[union-attr]  # it is there
    assert jsontext.duplicates(node) == [(("b",), text.index('"b": 2')), (("a",), text.index(r'"\u0061"'))]
    assert jsontext.compact(text) == text.replace(": ", ":").replace(", ", ",")


def test_duplicates_are_found_inside() -> None:
    assert jsontext.duplicates(jsontext.parse('[{"x": {"a": 1, "a": 1}}]')) == [((0, "x", "a"), 16)]


def test_python_values_are_exact() -> None:
    value = jsontext.value_of(
        jsontext.parse("[9007199254740993, 1.0, 0.1, 1e400, -0, 1e99999999999999999999, true, null]")
    )
    assert value[:3] == [9007199254740993, Decimal("1.0"), Decimal("0.1")]
    assert [type(item) for item in value[:5]] == [int, Decimal, Decimal, Decimal, int]
    assert value[3] == Decimal("1e400")
    assert value[5].is_finite()
    assert value[6:] == [True, None]


def test_a_number_of_ten_thousand_digits_is_read() -> None:
    digits = "7" * 10_000
    assert jsontext.value_of(jsontext.parse(digits)) == Decimal(digits)
    assert jsontext.parse(digits).raw == digits


@pytest.mark.parametrize(
    ("text", "line", "column", "words"),
    [
        ("", 1, 1, "empty"),
        (" \n ", 2, 2, "empty"),
        ("{", 1, 2, "ends too early"),
        ("[1,]", 1, 3, "comma stands before the closing bracket"),
        ('{"a":1,}', 1, 7, "comma stands before the closing bracket"),
        ('{"a" 1}', 1, 6, "colon is missing"),
        ('{"a":}', 1, 6, "value is missing after the colon"),
        ("[1 2]", 1, 4, "comma or ] is missing before 2"),
        ('{"a":1\n "b":2}', 2, 2, "comma or } is missing"),
        ("[01]", 1, 2, "must not start with 0"),
        ("-01", 1, 2, "must not start with 0"),
        ("NaN", 1, 1, "NaN is not a JSON number"),
        ("[-Infinity]", 1, 2, "-Infinity is not a JSON number"),
        ("[+1]", 1, 2, "must not start with +"),
        ("[.5]", 1, 2, "digit before the point"),
        ("[1.]", 1, 3, "number is not finished"),
        ("1.", 1, 2, "number is not finished"),
        ("[1e]", 1, 3, "number is not finished"),
        ("0x10", 1, 2, "number is not finished"),
        ("[-]", 1, 2, "digit is missing after the minus"),
        ('"a\nb"', 1, 3, r"written \n"),
        ('"a\tb"', 1, 3, r"written \t"),
        ('"\x00"', 1, 2, r"written \u0000"),
        (r'"\x"', 1, 2, "no escape"),
        (r'"\u12g4"', 1, 2, "no escape"),
        ('"abc', 1, 1, "closing quote"),
        ('{"a": "b}', 1, 7, "closing quote"),
        ("{'a':1}", 1, 2, "double quotes"),
        ("{\"a\":'b'}", 1, 6, "double quotes"),
        ("[“a”]", 1, 2, "double quotes"),
        ("{a:1}", 1, 2, "name in double quotes"),
        ("[True]", 1, 2, "written true"),
        ("[None]", 1, 2, "written null"),
        ("[undefined]", 1, 2, "undefined"),
        ("[1}", 1, 3, "should be ]"),
        ('{"a":[1}', 1, 8, "should be ]"),
        ('{"a":1]', 1, 7, "should be }"),
        ("{}x", 1, 3, "follows after the end"),
        ("{} {}", 1, 4, "follows after the end"),
        ("[1, // one\n2]", 1, 5, "Comments"),
        ("[,1]", 1, 2, "missing before the comma"),
        ("\u00a01", 1, 1, "U+00A0"),
        ("\ufeff{}", 1, 1, "byte order mark"),
    ],
)
def test_what_is_wrong_is_said_where_it_is(text: str, line: int, column: int, words: str) -> None:
    """SCH-33: a comment, a cut text and the like are marked at their spot."""
    with pytest.raises(JsonError) as caught:
        jsontext.parse(text)
    assert (caught.value.line, caught.value.column) == (line, column), caught.value
    assert words in caught.value.sentence


@pytest.mark.parametrize(
    ("data", "offset", "words"),
    [
        (b'{"a": "\xff"}', 7, "0xff"),
        (b"\xef\xbb\xbf{}", 0, "byte order mark"),
        ("{}".encode("utf-16"), 0, "UTF-16"),
        (b'"\xed\xa0\x80"', 1, "UTF-8"),
        (b'"\xc0\x80"', 1, "UTF-8"),
    ],
)
def test_bytes_that_are_no_text(data: bytes, offset: int, words: str) -> None:
    with pytest.raises(JsonError) as caught:
        jsontext.parse(data)
    assert caught.value.offset == offset
    assert words in caught.value.sentence


def test_lone_surrogates_stay_escapes() -> None:
    text = r'["\ud800", "\udc00\ud800", "\ud83d\ude00"]'
    node = jsontext.parse(text)
    assert jsontext.compact(text) == text.replace(" ", "")
    assert jsontext.value_of(node) == ["\ud800", "\udc00\ud800", "\U0001f600"]
    assert jsontext.quote("\ud800é") == '"\\ud800é"'
    assert jsontext.encode('"\ud800"') == b'"\\ud800"'


@given(st.text())
def test_a_quoted_string_reads_back(value: str) -> None:
    assert jsontext.unquote(jsontext.quote(value)) == value


def test_nesting_has_no_limit() -> None:
    depth = 100_000
    text = "[" * depth + "]" * depth
    node = jsontext.parse(text)
    assert node.end == len(text)
    assert jsontext.compact(text) == text
    assert len(jsontext.pretty(text)) < 500 * depth
    value = jsontext.value_of(node)
    levels = 0
    while value:
        value, levels = value[0], levels + 1
    assert levels == depth - 1
    with pytest.raises(JsonError, match="ends too early"):
        jsontext.parse("[" * depth)
    objects = '{"a":' * depth + "null" + "}" * depth
    assert jsontext.parse(objects).end == len(objects)
    assert jsontext.members(objects.encode()) == [jsontext.Member("a", 5, len(objects) - 1)]


def test_members_of_an_envelope() -> None:
    data = ' {"id" : 1.0,"result":{"}":[1,"]"]} , "id":"\\u0041é", "n":null}\n'.encode()
    found = [(one.name, data[one.start : one.end].decode()) for one in jsontext.members(data)]
    assert found == [("id", "1.0"), ("result", '{"}":[1,"]"]}'), ("id", '"\\u0041é"'), ("n", "null")]
    assert jsontext.members(b" {} ") == []
    batch = b'[ {"a":1}, 2 ,[]]'
    assert [batch[one.start : one.end] for one in jsontext.elements(batch)] == [b'{"a":1}', b"2", b"[]"]


@pytest.mark.parametrize("data", [b"", b"[]", b'{"a":1', b'{"a" 1}', b'{"a":1}x', b'{"a":[}', b'{"a":1 "b":2}', b"{,}"])
def test_members_of_what_is_no_object(data: bytes) -> None:
    with pytest.raises(JsonError):
        jsontext.members(data)


@given(st.dictionaries(st.text(), json_values))
def test_members_agree_with_the_tree(value: dict[str, object]) -> None:
    data = json.dumps(value, ensure_ascii=False, indent=1).encode()
    found = [(one.name, data[one.start : one.end].decode()) for one in jsontext.members(data)]
    node = jsontext.parse(data)
    assert found == [(name, item.raw) for name, item in zip(node.names, node.items, strict=True)]


@pytest.mark.parametrize(
    ("text", "expected"), [("1 2", "1 2"), ('{a  b: "c  d}', '{a b:"c  d}'), ("[1 ,\n 2", "[1,2"), ('"\n', '"\n')]
)
def test_compacting_what_is_no_json_joins_no_words(text: str, expected: str) -> None:
    assert jsontext.compact(text) == expected
    assert jsontext.compact(text.encode()) == expected.encode()


def test_pretty_goes_on_after_a_fault() -> None:
    assert "nope" in jsontext.pretty('{"a": nope "b"}')


def test_pointers() -> None:
    node = jsontext.parse('{"a/b": {"~": [10, {"0": true}]}, "": 1}')
    path = ("a/b", "~", 1, "0")
    assert jsontext.pointer(path) == "/a~1b/~0/1/0"
    assert jsontext.read_pointer("/a~1b/~0/1/0", node) == path
    assert jsontext.find(node, path).raw == "true"  # type: ignore[union-attr]  # it is there
    assert jsontext.read_pointer("/", node) == ("",)
    assert jsontext.read_pointer("", node) == ()
    assert jsontext.find(node, ("a/b", "~", 7)) is None
    assert jsontext.find(node, ("a/b", 0)) is None
    assert jsontext.find(node, ("", "x")) is None


def test_the_path_under_the_cursor() -> None:
    text = '{"a": [1, {"bb": "x"}], "c": 2}'
    node = jsontext.parse(text)
    assert jsontext.path_at(node, text.index("x")) == ("a", 1, "bb")
    assert jsontext.path_at(node, text.index("bb")) == ("a", 1, "bb")
    assert jsontext.path_at(node, text.index("1")) == ("a", 0)
    assert jsontext.path_at(node, text.index("2")) == ("c",)
    assert jsontext.path_at(node, 0) == ()


def test_a_megabyte_takes_a_small_multiple_of_what_it_must() -> None:
    """Reading is linear: four times the text takes about four times as long, not sixteen."""
    unit = '{"id": 12345, "name": "n\\u0041", "tags": ["a", "b"], "ok": true, "v": 0.25}'
    small = "[" + ", ".join([unit] * 1_000) + "]"
    large = "[" + ", ".join([unit] * 8_000) + "]"

    def seconds(text: str) -> float:
        begin = time.process_time()
        jsontext.parse(text)
        return time.process_time() - begin

    one = min(seconds(small) for _ in range(3))
    eight = min(seconds(large) for _ in range(3))
    assert eight < one * 8 * 4
    assert jsontext.parse(large).items[-1].kind is Kind.OBJECT
