"""Names that a model calls tools by: made, refused, ambiguous, colliding, and found again."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_inspector.agent.names import RULES, Provider, Routes, Scheme

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcp_inspector.agent.tools import Toolbox


def test_the_usual_name() -> None:
    routes = Routes([("git", "log"), ("time", "now")])
    assert [route.name for route in routes.routes] == ["mcp__git__log", "mcp__time__now"]
    assert [(route.server, route.tool) for route in routes.find("mcp__git__log")] == [("git", "log")]
    assert routes.find("git__log") == ()
    assert routes.troubles() == ()


def test_another_prefix_and_separator() -> None:
    assert Routes([("git", "log")], Scheme("", ".")).routes[0].name == "git.log"
    assert Routes([("git", "log")], Scheme("tool", "-")).routes[0].name == "tool-git-log"


def test_tools_that_share_a_name_are_told_and_found_both() -> None:
    routes = Routes([("a", "b__c"), ("a__b", "c")])
    assert len(routes.find("mcp__a__b__c")) == 2
    collisions = [trouble for trouble in routes.troubles() if trouble.kind == "collision"]
    assert len(collisions) == 2
    assert "b__c of a" in collisions[1].sentence
    assert "c of a__b" in collisions[1].sentence


def test_a_server_with_the_separator_in_its_name_is_misread_by_a_naive_host() -> None:
    routes = Routes([("my__git", "log"), ("git", "log__all")])
    kinds = {trouble.route.server: trouble.sentence for trouble in routes.troubles() if trouble.kind == "ambiguous"}
    assert list(kinds) == ["my__git"]  # the first separator after "git" is the right one, whatever the tool is called
    assert "goes to my / git__log" in kinds["my__git"]


@pytest.mark.parametrize(
    ("name", "refused"),
    [
        ("mcp__git__log", ""),
        ("mcp__git__" + "x" * 60, "openai gemini"),
        ("mcp__git__" + "x" * 130, "openai anthropic gemini"),
        ("mcp__files__read.text", "openai anthropic"),
        ("1__a__b", "gemini"),
        ("mcp__Zeit__jetzt zeigen", "openai anthropic gemini"),
        ("mcp__文件__读", "openai anthropic gemini"),
        ("", "openai anthropic gemini"),
    ],
)
def test_each_provider_refuses_its_own(name: str, refused: str) -> None:
    assert " ".join(provider for provider in Provider if RULES[provider].wrong(name)) == refused


def test_fitted_names_are_taken_by_all_and_never_collide() -> None:
    pairs = [
        ("my server", "read.text"),
        ("my.server", "read text"),
        ("x" * 80, "tool"),
        ("x" * 80, "tool2"),
        ("文", "读"),
    ]
    routes = Routes(pairs, Scheme("", "__", fit=True))
    names = [route.name for route in routes.routes]
    assert len(set(names)) == len(pairs)
    for name in names:
        assert not any(rule.wrong(name) for rule in RULES.values()), name
        assert len(routes.find(name)) == 1


def test_a_fitted_name_does_not_depend_on_the_others_order() -> None:
    pairs = [("a b", "c"), ("a.b", "c")]
    there = Routes(pairs, Scheme(fit=True)).by_tool
    back = Routes(pairs[::-1], Scheme(fit=True)).by_tool
    assert all(there[pair].name == back[pair].name for pair in pairs)


@given(st.lists(st.tuples(st.text(max_size=80), st.text(max_size=80)), max_size=8, unique=True))
def test_every_tool_is_found_again_by_a_fitted_name(pairs: list[tuple[str, str]]) -> None:
    routes = Routes(pairs, Scheme(fit=True))
    for route in routes.routes:
        assert [(found.server, found.tool) for found in routes.find(route.name)] == [(route.server, route.tool)]
        assert re.fullmatch(r"[A-Za-z_][A-Za-z0-9_-]{0,63}", route.name)


def test_a_wrong_name_is_answered_with_the_nearest() -> None:
    routes = Routes([("git", "log"), ("git", "status"), ("time", "now")])
    assert routes.nearest("mcp__git__stauts")[0] == "mcp__git__status"
    assert routes.nearest("status")[0] == "mcp__git__status"
    assert routes.nearest("mcp__github__log")[0] == "mcp__git__log"


def test_include_exclude_and_annotations(box: Callable[..., Toolbox], tool: Callable[..., Any]) -> None:
    from mcp_inspector.agent.choice import Choice

    tools = (
        ("fs", tool("read_file", annotations={"readOnlyHint": True})),
        ("fs", tool("write_file", annotations={"destructiveHint": True})),
        ("git", tool("log")),
        ("git", tool("add", annotations={"destructiveHint": False})),
    )

    def offered(*include: str, exclude: tuple[str, ...] = ()) -> list[str]:
        return [each.tool for each in box(*tools, choice=Choice(include, exclude)).tools]

    assert offered() == ["read_file", "write_file", "log", "add"]
    assert offered("*_file") == ["read_file", "write_file"]
    assert offered("mcp__git__*") == ["log", "add"]
    assert offered("git/log", "write_file") == ["write_file", "log"]
    assert offered("@readOnly") == ["read_file"]
    assert offered("@!destructive") == ["read_file", "add"], "what says nothing may destroy"
    assert offered(exclude=("fs/*",)) == ["log", "add"]
    assert offered("*", exclude=("@readOnly",)) == ["write_file", "log", "add"]
    left = box(*tools, choice=Choice(("@readOnly",), ("read_*",)))
    assert next((each.tool, verdict.why) for each, verdict in left.left_out) == ("read_file", "excluded by read_*")
    assert "@readonly is no annotation" in box(*tools, choice=Choice(("@readonly",))).problems[0]
