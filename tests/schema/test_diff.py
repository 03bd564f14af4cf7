"""What differs between two JSON texts."""

from __future__ import annotations

import itertools
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_inspector.schema.align import unchanged
from mcp_inspector.schema.diff import MAX_BYTES, Change, compare


def told(before: str, after: str) -> list[tuple[str, str, str, str]]:
    return [(str(each.change), each.where, each.before, each.after) for each in compare(before, after).differences]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ('{"a":1}', '{"a":1}', []),
        ('{"a":1}', '{"a":2}', [("changed", "/a", "1", "2")]),
        ('{"a":1}', '{"b":1}', [("removed", "/a", "1", ""), ("added", "/b", "", "1")]),
        ('{"a":1,"b":2}', '{"b":2,"a":1}', [("order", "(root)", '["a", "b"]', '["b", "a"]')]),
        ("[9007199254740993]", "[9007199254740992]", [("changed", "/0", "9007199254740993", "9007199254740992")]),
        ("[1.0]", "[1]", [("spelled", "/0", "1.0", "1")]),
        ("[1e400]", "[1e401]", [("changed", "/0", "1e400", "1e401")]),
        ("[0]", "[-0]", [("spelled", "/0", "0", "-0")]),
        ('["A"]', '["\\u0041"]', [("spelled", "/0", '"A"', '"\\u0041"')]),
        ('{"A":1}', '{"\\u0041":1}', [("spelled", "/A", '"A"', '"\\u0041"')]),
        ("[1, 2]", "[1,2]", [("spacing", "(root)", "", "")]),
        ('{"a":1,"a":2}', '{"a":1}', [("removed", "/a", "2", "")]),
        ('{"a":true}', '{"a":1}', [("changed", "/a", "true", "1")]),
        ("[1,2,3]", "[0,1,2,3]", [("added", "/0", "", "0")]),
        ("[1,2,3,4]", "[4,1,2,3]", [("moved", "/0", "4", "4")]),
        ('[{"x":1},{"y":2}]', '[{"y":2}]', [("removed", "/0", '{"x":1}', "")]),
        (
            '[{"name":"a","v":1},{"name":"b"}]',
            '[{"name":"b"},{"name":"a","v":2}]',
            [("order", "(root)", '["a", "b"]', '["b", "a"]'), ("changed", "/1/v", "1", "2")],
        ),
    ],
)
def test_each_kind_of_difference_is_told_apart(
    before: str, after: str, expected: list[tuple[str, str, str, str]]
) -> None:
    assert told(before, after) == expected


def test_the_turn_of_a_repeated_member_is_told() -> None:
    [found] = compare('{"a":1,"a":2}', '{"a":1,"a":3}').differences
    assert (found.change, found.turn, found.before, found.after) == (Change.CHANGED, 1, "2", "3")


def test_what_is_only_written_differently_has_the_same_value() -> None:
    assert compare('{"a":1.0,"b":[]}', '{ "b": [], "a":1}').same_value
    assert not compare("[1]", "[2]").same_value
    assert compare("[1]", "[1]").same


def test_what_is_no_json_or_too_large_gets_a_sentence_and_the_place() -> None:
    diff = compare('{"a":1', '{"a":2}')
    assert diff.differences == ()
    assert "not JSON" in diff.why
    assert "byte 5" in diff.why
    large = '["' + "x" * MAX_BYTES + '"'
    assert "Too large" in compare(large + "]", large + ",1]").why
    assert compare(large, large).same


def test_nesting_without_end_and_many_differences_stay_bounded() -> None:
    deep = compare("[" * 50_000 + "]" * 50_000, "[" * 50_000 + "1" + "]" * 50_000)
    assert [each.change for each in deep.differences] == [Change.CHANGED]
    many = compare(json.dumps([*range(5_000)]), json.dumps([f"{each}" for each in range(5_000)]))
    assert len(many.differences) == 1_000
    assert "first 1,000" in many.why


values = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from(["", "a", "name"]),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=20,
)


@given(values, values)
def test_values_differ_exactly_when_a_difference_is_told(one: object, two: object) -> None:
    diff = compare(json.dumps(one), json.dumps(two))
    canonical = [json.dumps(each, sort_keys=True) for each in (one, two)]
    assert diff.same_value == (canonical[0] == canonical[1])
    assert diff.same == (json.dumps(one) == json.dumps(two))


@given(st.lists(st.integers(0, 5), max_size=30), st.lists(st.integers(0, 5), max_size=30))
def test_lines_are_paired_in_order_with_equal_ones(one: list[int], two: list[int]) -> None:
    pairs = unchanged(one, two)
    assert all(one[left] == two[right] for left, right in pairs)
    assert all(a[0] < b[0] and a[1] < b[1] for a, b in itertools.pairwise(pairs))
