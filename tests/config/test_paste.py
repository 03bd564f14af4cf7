"""One pasted text: a command line, a URL, a file of any program, or a part of one."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_inspector.config.command_line import join, split
from mcp_inspector.config.paste import from_argv, from_url, looks_like_url, understand


def test_a_command_line() -> None:
    found = understand("$ API_KEY='a b' npx -y @scope/server-thing --dir \"My Files\" \\\n  --flag")
    (entry,) = found.entries
    assert (entry.name, entry.command, entry.transport) == ("server-thing", "npx", "stdio")
    assert entry.args == ("-y", "@scope/server-thing", "--dir", "My Files", "--flag")
    assert entry.env == {"API_KEY": "a b"}
    assert entry.origin == "pasted"
    assert found.words == 'Understood as a command line: "server-thing" starts npx with 5 arguments, 1 variable.'
    assert found.problems == ()


def test_a_shell_is_not_imitated_and_that_is_said() -> None:
    found = understand("server --x | tee log")
    assert found.entries[0].args == ("--x", "|", "tee", "log")
    assert "no shell is used" in found.problems[0]


@pytest.mark.parametrize("text", ["https://h.example/mcp?k=v", "  <https://h.example/mcp?k=v>\n"])
def test_a_url(text: str) -> None:
    (entry,) = understand(text).entries
    assert (entry.name, entry.url, entry.transport, entry.fatal) == (
        "h.example",
        "https://h.example/mcp?k=v",
        "auto",
        False,
    )


SERVER: dict[str, Any] = {"command": "x", "args": ["-y"]}


@pytest.mark.parametrize(
    "text",
    [
        json.dumps({"mcpServers": {"a": SERVER}}),
        json.dumps({"servers": {"a": SERVER}}),
        json.dumps({"a": SERVER}),
        '"a": {"command": "x", "args": ["-y"]},',
        '// from a page\n"a": {"command": "x", "args": ["-y"],} // end',
        '"mcpServers": {"a": {"command": "x", "args": ["-y"]}}',
        "```json\n" + json.dumps({"mcpServers": {"a": SERVER}}, indent=2) + "\n```",
        '\ufeff// c\r\n{"mcp": {"servers": {"a": {"command": "x", "args": ["-y"]}}}}',
        '[mcp_servers.a]\ncommand = "x"\nargs = ["-y"]\n',
        json.dumps([{"name": "a", **SERVER}]),
    ],
)
def test_cfg_07_every_shape_gives_the_same_server(text: str) -> None:
    """CFG-07: pasted shapes of the neighbourhood."""
    found = understand(text)
    assert [(entry.name, entry.command, entry.args) for entry in found.entries] == [("a", "x", ("-y",))]
    assert found.problems == ()
    assert '"a" starts x with 1 argument.' in found.words


def test_names_that_are_taken_are_not_used_again() -> None:
    text = json.dumps([{"name": "a", "command": "x"}, {"name": "b", "command": "x"}])
    assert [entry.name for entry in understand(text, {"a", "a (2)"}).entries] == ["a (3)", "b"]


def test_a_broken_entry_is_shown_among_the_others() -> None:
    found = understand('{"mcpServers": {"a": {}, "b": {"url": "http://h/"}}}')
    assert [entry.fatal for entry in found.entries] == [True, False]
    assert '2 servers: "a", which cannot be used as it is; "b" at http://h/ (HTTP)' in found.words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "nothing to understand"),
        ("   \n", "nothing to understand"),
        ('{"a": ', "line 1, column 6"),
        ('{"theme": "dark"}', "mcpServers"),
        ("[mcp_servers.a\n", "TOML"),
        ("run 'unclosed", "a quote is not closed"),
        ("A=b", "starts nothing"),
        ("7", ""),
    ],
)
def test_cfg_07_what_is_not_understood_is_said(text: str, words: str) -> None:
    """CFG-07: rejected with a sentence, never silently."""
    found = understand(text)
    assert bool(found.entries) != bool(found.problems)
    assert not words or words in found.problems[0]


@given(st.text())
def test_nothing_raises(text: str) -> None:
    found = understand(text)
    assert found.entries or found.problems


def test_the_words_of_a_command_line() -> None:
    entry = from_argv(["mcp-server-time", "--zone", "UTC"])
    assert (entry.name, entry.command, entry.args) == ("mcp-server-time", "mcp-server-time", ("--zone", "UTC"))
    assert entry.origin == "command line"
    assert from_url("http://h:1/mcp").name == "h:1"
    assert from_url("ws://h").fatal
    assert looks_like_url("HTTP://h")
    assert looks_like_url("ws://h")
    assert not looks_like_url("my server")


@given(st.lists(st.text(st.characters(exclude_characters="\x00\r\n\\", codec="utf-8"))))
def test_a_command_line_is_put_together_and_taken_apart_again(words: list[str]) -> None:
    assert split(join(words, windows=False), windows=False) == words


def test_windows_paths_keep_their_backslashes() -> None:
    line = r'C:\tools\x.exe "C:\My Files\a" it\'s'.replace(r"\'", "'")
    assert split(line, windows=True) == [r"C:\tools\x.exe", r"C:\My Files\a", "it's"]
    assert join(["a b", "c"], windows=True) == '"a b" c'


def test_a_text_far_too_long_for_a_command_line_is_refused_at_once() -> None:
    """Splitting one word of a megabyte would take half a minute, and the window waits for it."""
    understood = understand("x" * 1_000_000)
    assert not understood.entries
    assert "too long" in understood.problems[0]
    assert understand("run " + "x" * 60_000).entries
