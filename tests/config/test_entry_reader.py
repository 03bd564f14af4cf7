"""One entry of a servers file: what is understood, and what a person is told."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_inspector.config import jsonc
from mcp_inspector.config.entry import ServerEntry
from mcp_inspector.config.entry_reader import read_entry
from mcp_inspector.config.entry_writer import members


def said(entry: ServerEntry) -> str:
    return " ".join(entry.problems)


@pytest.mark.parametrize(
    "word", ["http", "HTTP", "streamable-http", "streamableHttp", "streamable_http", "StreamableHTTP"]
)
def test_cfg_06_words_for_streamable_http(word: str) -> None:
    """CFG-06: aliases without regard to case, hyphens and underscores."""
    for member in ("type", "transport", "transportType"):
        entry = read_entry("a", {member: word, "url": "http://h/mcp"})
        assert (entry.transport, entry.problems, entry.fatal) == ("http", (), False)


@pytest.mark.parametrize(
    ("value", "transport", "url"),
    [
        ({"url": "http://h/mcp"}, "auto", "http://h/mcp"),
        ({"httpUrl": "http://h/mcp"}, "auto", "http://h/mcp"),
        ({"serverUrl": "http://h/mcp"}, "auto", "http://h/mcp"),
        ({"uri": "http://h/mcp"}, "auto", "http://h/mcp"),
        ({"transport": "sse", "url": "http://h/sse"}, "sse", "http://h/sse"),
        ({"type": "SSE", "url": "http://h/sse"}, "sse", "http://h/sse"),
        ({"type": "remote", "url": "http://h/x"}, "auto", "http://h/x"),
        ({"type": "STDIO", "command": "x"}, "stdio", ""),
        ({"type": "local", "command": ["x", "-y"]}, "stdio", ""),
        ({"command": "x"}, "stdio", ""),
    ],
)
def test_cfg_06_transport_is_said_or_inferred(value: dict[str, Any], transport: str, url: str) -> None:
    """CFG-06: a URL alone is tried both ways, every usual word for it is read."""
    entry = read_entry("a", value)
    assert (entry.transport, entry.url, entry.problems, entry.fatal) == (transport, url, (), False)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ({"command": "x", "url": "http://h"}, 'both "command" and a URL'),
        ({"type": "ws", "url": "ws://h"}, "no WebSocket transport"),
        ({"type": "carrier-pigeon", "url": "http://h"}, "no known transport"),
        ({"type": 7, "url": "http://h"}, "not a text"),
        ({}, 'neither "command" nor "url"'),
        ({"type": "stdio", "url": "http://h"}, 'no "command"'),
        ({"type": "http", "command": "x"}, 'no "url"'),
        ({"url": "h/mcp"}, "does not begin with http://"),
        ({"url": "http://h /mcp"}, "blank"),
        ({"url": "http://"}, "names no host"),
        ({"url": "http://h:99999/"}, "not a URL"),
        ({"url": "http://[::1"}, "not a URL"),
        ({"url": 5}, "not a text"),
        ({"command": ""}, '"command" is empty'),
        ({"command": []}, "an empty list"),
        ({"command": 7}, "not a text"),
        ({"command": "x", "args": [None]}, "args[0] is null"),
        ({"command": "x", "args": ["a", ["b"]]}, "args[1] is a list"),
        ({"command": "x", "args": {"a": 1}}, '"args" is not a list'),
        ({"command": "x", "args": 'a "b'}, "a quote is not closed"),
        ({"command": "x", "env": {"LIST": ["a"]}}, '"LIST" is a list'),
        ({"command": "x", "env": ["A=b"]}, '"env" is not an object'),
        ({"command": "x", "env": {"A=B": "c"}}, "no name of an environment variable"),
        ({"command": "x\x00y"}, "NUL"),
        ({"command": "x", "env": {"A": "b\x00"}}, "NUL"),
        ({"command": "x", "args": ["\ud800"]}, "surrogate"),
        ({"url": "http://h", "headers": {"X Y": "1"}}, "no name of an HTTP header"),
        ({"url": "http://h", "headers": {"X": "a\r\nEvil: 1"}}, "line end"),
        ("x", "not an object"),
        (None, "not an object"),
    ],
)
def test_what_is_unclear_is_flagged_with_the_server_and_a_remedy(value: Any, words: str) -> None:
    """CFG-06, CFG-08: the entry is shown, never started, and its sentence names it."""
    entry = read_entry("box", value, "somewhere")
    assert entry.fatal
    assert words in said(entry)
    assert all(problem.startswith('Server "box": ') for problem in entry.problems)
    assert (entry.name, entry.origin) == ("box", "somewhere")


def test_cfg_06_a_type_decides_between_command_and_url() -> None:
    """CFG-06: the documented precedence: `type` decides, and what is not used is said."""
    entry = read_entry("a", {"type": "sse", "command": "x", "url": "http://h"})
    assert (entry.transport, entry.fatal) == ("sse", False)
    assert "the command is not used" in said(entry)
    assert "disagree" in said(read_entry("a", {"type": "http", "transport": "sse", "url": "http://h"}))


def test_cfg_08_numbers_and_booleans_become_their_text() -> None:
    """CFG-08: coerced to their JSON text as it is spelled; null is not set."""
    text = '{"command":"x","args":["-p",8080,true,1.0],"headers":{"X":1},'
    text += '"env":{"PORT":8080,"DEBUG":true,"N":null,"V":1.10}}'
    entry = read_entry("a", jsonc.parse(text).plain(spelled=True))
    assert (entry.command, *entry.args) == ("x", "-p", "8080", "true", "1.0")
    assert entry.env == {"PORT": "8080", "DEBUG": "true", "V": "1.10"}
    assert entry.headers == {"X": "1"}
    assert (entry.problems, entry.fatal) == ((), False)


def test_cfg_08_a_command_line_in_args_is_split_and_said() -> None:
    """CFG-08: `args` as one text is split like a shell line, with a notice."""
    entry = read_entry("a", {"command": "x", "args": "-a 'b c'"})
    assert entry.args == ("-a", "b c")
    assert not entry.fatal
    assert "split" in said(entry)
    assert "holds blanks" in said(read_entry("a", {"command": "npx -y thing"}))
    assert read_entry("a", {"command": "/opt/My App/run"}).problems == ()


@pytest.mark.parametrize(
    ("value", "disabled", "words"),
    [
        ({"disabled": True}, True, ""),
        ({"disabled": False}, False, ""),
        ({"enabled": False}, True, ""),
        ({"enabled": True}, False, ""),
        ({"disabled": None}, False, ""),
        ({"enabled": True, "disabled": False}, False, ""),
        ({"enabled": True, "disabled": True}, True, "contradict"),
        ({"enabled": False, "disabled": False}, True, "contradict"),
        ({"disabled": "true"}, True, "without quotes"),
        ({"disabled": "False"}, False, "without quotes"),
        ({"enabled": "false"}, True, "without quotes"),
        ({"disabled": "yes"}, True, "treated as disabled"),
        ({"disabled": 0}, True, "treated as disabled"),
        ({"enabled": 1}, True, "treated as disabled"),
        ({"enabled": []}, True, "treated as disabled"),
    ],
)
def test_cfg_09_flags_never_fail_open(value: dict[str, Any], disabled: bool, words: str) -> None:
    """CFG-09, CFG-08: an unclear flag does not start a server."""
    entry = read_entry("a", {"command": "x", **value})
    assert entry.disabled is disabled
    assert words in said(entry)
    assert bool(words) == bool(entry.problems)


@pytest.mark.parametrize(
    ("value", "seconds", "words"),
    [
        (60, 60.0, ""),
        (0.5, 0.5, ""),
        (None, None, ""),
        (60000, 60.0, "milliseconds: 60 s"),
        (1000, 1.0, "milliseconds"),
        (999, 999.0, ""),
        (0, None, "no time to wait"),
        (-1, None, "no time to wait"),
        ("30", 30.0, "30 s"),
        ("60s", 60.0, "60 s"),
        ("500ms", 0.5, "0.5 s"),
        ("2 min", 120.0, "120 s"),
        ("soon", None, "no number of seconds"),
        (True, None, "no number of seconds"),
        (float("inf"), None, "no time to wait"),
        ([], None, "no number of seconds"),
    ],
)
def test_cfg_10_timeout_is_in_seconds(value: Any, seconds: float | None, words: str) -> None:
    """CFG-10: seconds, from 1000 on milliseconds with a notice; nothing means 'fail at once'."""
    entry = read_entry("a", {"command": "x", "timeout": value})
    assert entry.timeout == seconds
    assert words in said(entry)
    assert bool(words) == bool(entry.problems)
    assert not entry.fatal
    assert "not used here" in said(read_entry("a", {"command": "x", "startup_timeout_sec": 5}))


def test_our_own_members() -> None:
    value = {"command": "x", "protocol": "2025-06-18", "connect": "lazy", "reconnect": 0, "refreshBeforeCall": True}
    entry = read_entry("a", value)
    assert (entry.protocol, entry.connect, entry.reconnect, entry.refresh_before_call) == (
        "2025-06-18",
        "lazy",
        0,
        True,
    )
    assert entry.problems == ()
    odd = read_entry(
        "a", {"command": "x", "protocol": "9", "connect": "soon", "reconnect": 99, "refreshBeforeCall": "y"}
    )
    assert (odd.protocol, odd.connect, odd.reconnect, odd.refresh_before_call) == ("auto", "lazy", 10, False)
    assert len(odd.problems) == 4
    assert not odd.fatal
    assert read_entry("a", {"command": "x", "reconnect": False}).reconnect == 0


def test_sec_13_unknown_members_do_not_change_what_is_started() -> None:
    """SEC-13: only command, args, env and cwd decide what runs."""
    plain = {"command": "node", "args": ["server.js"], "env": {"NODE_OPTIONS": "--require /tmp/p.js"}, "cwd": "/tmp"}
    entry = read_entry("a", {**plain, "dxtPath": "/tmp/x", "manifest": "/tmp/y", "shell": True})
    assert entry == read_entry("a", plain)


def test_the_forms_of_other_programs() -> None:
    zed = read_entry("a", {"source": "custom", "command": {"path": "x", "args": ["-y"], "env": {"A": "b"}}})
    assert (zed.command, zed.args, zed.env, zed.problems) == ("x", ("-y",), {"A": "b"}, ())
    opencode = read_entry("a", {"type": "local", "command": ["x", "-y"], "environment": {"A": "b"}, "enabled": True})
    assert (opencode.command, opencode.args, opencode.env, opencode.problems) == ("x", ("-y",), {"A": "b"}, ())


def test_cfg_15_an_empty_name_is_flagged_and_a_hidden_one_is_shown() -> None:
    """CFG-15: the sentence cannot be forged by a name."""
    assert read_entry("", {"command": "x"}).fatal
    assert 'Server "x\\ny\\u202e"' in said(read_entry("x\ny\u202e", {}))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
KNOWN = ["type", "transport", "command", "args", "env", "cwd", "url", "headers", "disabled", "enabled", "timeout"]
KNOWN += ["description", "protocol", "connect", "reconnect", "refreshBeforeCall"]


@given(st.text(max_size=5), st.dictionaries(st.sampled_from(KNOWN), json_values))
def test_cfg_08_nothing_raises_and_the_types_are_right(name: str, value: dict[str, Any]) -> None:
    """CFG-08: never an error at start because of a type."""
    entry = read_entry(name, value)
    assert all(type(word) is str for word in (entry.command, entry.cwd, entry.url, *entry.args))
    assert all(type(word) is str for pair in (*entry.env.items(), *entry.headers.items()) for word in pair)
    assert entry.timeout is None or entry.timeout > 0
    assert 0 <= entry.reconnect <= 10


texts = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=8)


@given(
    st.builds(
        ServerEntry,
        name=texts.filter(bool),
        command=texts.filter(lambda text: bool(text.strip()) and " " not in text.strip()),
        args=st.lists(texts, max_size=3).map(tuple),
        env=st.dictionaries(texts.filter(lambda name: bool(name) and "=" not in name), texts, max_size=2),
        cwd=texts,
        disabled=st.booleans(),
        timeout=st.none() | st.integers(1, 3000).map(float) | st.sampled_from([0.5, 1234.5]),
        description=texts,
        protocol=st.sampled_from(["auto", "legacy", "2025-11-25"]),
        connect=st.sampled_from(["start", "lazy"]),
        reconnect=st.integers(0, 10),
        refresh_before_call=st.booleans(),
    )
)
def test_what_is_written_is_read_back(entry: ServerEntry) -> None:
    back = read_entry(entry.name, members(entry))
    notices = ("milliseconds", "holds blanks")
    assert not back.fatal
    assert all(any(word in problem for word in notices) for problem in back.problems)
    assert ServerEntry(**{**{field: getattr(back, field) for field in ServerEntry.__slots__}, "problems": ()}) == entry


def test_what_a_server_is_told_of_this_client() -> None:
    given = {"command": "x", "capabilities": {}, "meta": {"a": [1, None]}, "trace": True, "logLevel": "Warning"}
    entry = read_entry("s", given)
    assert entry.problems == ()
    assert (entry.capabilities, entry.meta, entry.trace, entry.log_level) == ({}, {"a": [1, None]}, True, "warning")
    plain = read_entry("s", {"command": "x"})
    assert (plain.capabilities, plain.meta, plain.trace, plain.log_level) == (None, {}, False, "")


@pytest.mark.parametrize(
    ("member", "value"),
    [
        ("capabilities", []),
        ("capabilities", "all"),
        ("meta", [1]),
        ("meta", 5),
        ("trace", "yes"),
        ("logLevel", "loud"),
        ("logLevel", 5),
    ],
)
def test_what_cannot_be_said_is_not_used_and_said(member: str, value: object) -> None:
    entry = read_entry("s", {"command": "x", member: value})
    assert len(entry.problems) == 1
    assert not entry.fatal
    assert (entry.capabilities, entry.meta, entry.trace, entry.log_level) == (None, {}, False, "")
