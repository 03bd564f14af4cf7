"""The shapes of settings files that hold servers."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_inspector.config.shapes import locate


@pytest.mark.parametrize(
    ("root", "names", "container"),
    [
        ({"mcpServers": {"a": {"command": "x"}}}, ["a"], ("mcpServers",)),
        ({"servers": {"a": {"command": "x"}}, "inputs": []}, ["a"], ("servers",)),
        ({"a": {"command": "x"}}, ["a"], ()),
        ({"$schema": "s", "a": {"command": "x"}, "b": {}}, ["a", "b"], ()),
        ({"mcp": {"servers": {"a": {"command": "x"}}}}, ["a"], ("mcp", "servers")),
        ({"mcp": {"a": {"type": "local", "command": ["x", "-y"]}}}, ["a"], ("mcp",)),
        ({"mcp.servers": {"a": {"command": "x"}}}, ["a"], ("mcp.servers",)),
        ({"context_servers": {"a": {"command": "x"}}}, ["a"], ("context_servers",)),
        ({"context_servers": {"a": {"command": {"path": "x", "args": []}}}}, ["a"], ("context_servers",)),
        ({"command": "npx", "args": ["-y", "@scope/server-thing@1.2"]}, ["server-thing"], None),
        ({"url": "https://example.com:8443/mcp"}, ["example.com:8443"], None),
        ([{"name": "a", "command": "x"}, {"url": "http://h"}], ["a", "h"], None),
        ({"mcpServers": [{"name": "a", "command": "x"}, {"name": "a", "command": "y"}]}, ["a", "a (2)"], None),
        ({"mcpServers": {}}, [], ("mcpServers",)),
        ({"mcpServers": None}, [], ("mcpServers",)),
        ({"mcpServers": {"a": {}, "b": 7, "//": "note"}}, ["a", "b"], ("mcpServers",)),
        ({"servers": {"a": {}}}, ["a"], ("servers",)),
        (None, [], ("mcpServers",)),
        ({}, [], ("mcpServers",)),
    ],
)
def test_cfg_07_shapes_are_recognised(root: Any, names: list[str], container: Any) -> None:
    """CFG-07: every shape of the neighbourhood."""
    shape = locate(root)
    assert [place.name for place in shape.places] == names
    assert shape.container == container
    for place in shape.places:
        value = root
        for step in place.path:
            value = value[step]
        assert value is place.value


@pytest.mark.parametrize("name", ["servers", "mcpServers", "mcp", "context_servers", "command", "url", "__proto__"])
def test_cfg_07_a_server_may_be_called_like_a_shape(name: str) -> None:
    """CFG-07: a server literally called `servers` or `mcpServers` works, in the usual shape and in a bare map."""
    for root in ({"mcpServers": {name: {"command": "x"}}}, {name: {"command": "x"}, "b": {"command": "y"}}):
        assert name in [place.name for place in locate(root).places]


@pytest.mark.parametrize("root", [7, "text", True, {"theme": "dark"}, {"mcpServers": "x"}])
def test_cfg_07_what_is_not_recognised_is_said_with_the_accepted_shapes(root: Any) -> None:
    """CFG-07: nothing is silently ignored."""
    shape = locate(root)
    assert shape.places == ()
    assert "mcpServers" in shape.problems[0]


def test_cfg_07_servers_in_a_second_place_are_said() -> None:
    """CFG-07: nothing is silently ignored."""
    shape = locate({"mcpServers": {"a": {"command": "x"}}, "servers": {"b": {"command": "y"}}})
    assert [place.name for place in shape.places] == ["a"]
    assert '"servers" also holds servers' in shape.problems[0]
