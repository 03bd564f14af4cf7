"""Filling in variables, and showing what would run."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mcp_inspector.config.entry import ServerEntry
from mcp_inspector.config.entry_reader import read_entry
from mcp_inspector.config.variables import effective, expand

ENVIRON = {"A": "alpha", "EMPTY": "", "NEST": "${A}", "CRLF": "x\r\nEvil: 1", "SPACE": "a b"}


def filled(text: str) -> str:
    expanded = expand(ServerEntry("s", command="x", args=(text,)), ENVIRON, "/home/me")
    assert expanded.problems == ()
    return expanded.entry.args[0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("${A}", "alpha"),
        ("${env:A}", "alpha"),
        ("-${A}-${A}-", "-alpha-alpha-"),
        ("${A:-b}", "alpha"),
        ("${MISSING:-b c}", "b c"),
        ("${env:MISSING:-b}", "b"),
        ("${EMPTY:-b}", "b"),
        ("${MISSING:-}", ""),
        ("${EMPTY}", ""),
        ("${NEST}", "${A}"),
        ("~", "/home/me"),
        ("~/x", "/home/me/x"),
        ("~you/x", "~you/x"),
        ("a~/x", "a~/x"),
        ("$A $$ ${1} ${} ${#A} ${A", "$A $$ ${1} ${} ${#A} ${A"),
        ("~/${A}", "/home/me/alpha"),
    ],
)
def test_what_is_filled_in(text: str, expected: str) -> None:
    assert filled(text) == expected


def test_every_field_is_filled_and_the_entry_is_a_new_one() -> None:
    entry = ServerEntry(
        "s",
        command="~/bin/${A}",
        args=("${A}",),
        env={"K": "~/${A}"},
        cwd="~",
        url="http://${A}/",
        headers={"H": "~${A}"},
    )
    full = expand(entry, ENVIRON, "/h").entry
    assert full == replace(
        entry,
        command="/h/bin/alpha",
        args=("alpha",),
        env={"K": "/h/alpha"},
        cwd="/h",
        url="http://alpha/",
        headers={"H": "~alpha"},
    )
    assert entry.command == "~/bin/${A}"


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        (ServerEntry("s", command="${NO}"), '"command" needs the environment variable NO, which is not set'),
        (ServerEntry("s", command="x", args=("a", "${env:NO}")), '"args[1]" needs the environment variable NO'),
        (ServerEntry("s", command="x", env={"K": "${NO}"}), '"env.K" needs'),
        (ServerEntry("s", command="x", cwd="${NO}"), '"cwd" needs'),
        (ServerEntry("s", "http", url="http://${NO}/"), '"url" needs'),
        (
            ServerEntry("s", "http", url="http://h/", headers={"Authorization": "Bearer ${NO}"}),
            '"headers.Authorization" needs',
        ),
        (ServerEntry("s", command="x", args=("${input:key}",)), "${input:key}, which is not kept here"),
        (ServerEntry("s", command="${EMPTY}"), '"command" with its variables filled in is empty'),
        (ServerEntry("s", "http", url="http://${SPACE}/"), "blank"),
        (ServerEntry("s", "http", url="${A}"), "does not begin with http://"),
        (ServerEntry("s", "http", url="http://h/", headers={"X": "${CRLF}"}), "line end"),
    ],
)
def test_what_cannot_be_filled_in_is_said_and_never_empty(entry: ServerEntry, words: str) -> None:
    problems = expand(entry, ENVIRON).problems
    assert len(problems) == 1
    assert problems[0].startswith('Server "s": ')
    assert words in problems[0]


def test_the_environment_is_that_of_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MCP_TEST_VALUE", "v")
    monkeypatch.setenv("HOME", "/somewhere")
    monkeypatch.setenv("USERPROFILE", "/somewhere")
    assert expand(ServerEntry("s", command="~/${MCP_TEST_VALUE}")).entry.command == "/somewhere/v"


def test_sec_13_all_that_runs_is_shown() -> None:
    """SEC-13: argv, cwd and environment whole, dangerous names flagged, unknown members without effect."""
    value = {
        "command": "node", "args": ["server.js"], "env": {"NODE_OPTIONS": "--require /tmp/p.js", "k": "v"},
        "cwd": "/tmp", "dxtPath": "/tmp/x", "manifest": "/tmp/y", "shell": True,
    }  # fmt: skip
    shown = effective(read_entry("s", value), {})
    assert shown.argv == ("node", "server.js")
    assert shown.lines() == [
        "command: node",
        "argument 1: server.js",
        "folder: /tmp",
        "environment: NODE_OPTIONS=--require /tmp/p.js",
        "environment: k=v",
    ]
    assert [danger for danger in shown.dangers if '"NODE_OPTIONS"' in danger] == list(shown.dangers)
    assert shown.problems == ()


@pytest.mark.parametrize(
    "name", ["LD_PRELOAD", "PYTHONSTARTUP", "DYLD_INSERT_LIBRARIES", "ld_preload", "Path", "BASH_ENV"]
)
def test_sec_13_dangerous_names(name: str) -> None:
    """SEC-13: also in small letters, which count on some systems."""
    assert len(effective(ServerEntry("s", command="x", env={name: "y", "API_KEY": "z"}), {}).dangers) == 1


def test_sec_13_nothing_hides_in_an_argument() -> None:
    """SEC-13: blanks, line ends, direction marks and length hide nothing."""
    args = ("a.js" + " " * 500 + "--evil", "x\ny", "a\u202eb", "z" * 10_000)
    lines = effective(ServerEntry("s", command="node", args=args), {}).lines()
    assert lines[1:] == [
        "argument 1: a.js[500 blanks]--evil",
        "argument 2: x\\ny",
        "argument 3: a\\u202eb",
        "argument 4: " + "z" * 10_000,
    ]


def test_sec_13_an_approval_is_bound_to_the_very_command() -> None:
    """SEC-13: whatever changes what happens changes the digest; what does not, does not."""
    entry = ServerEntry("s", command="node", args=("a",), env={"K": "v"}, cwd="/w")
    digest = effective(entry, {}).digest
    same = [replace(entry, name="t"), replace(entry, description="d"), replace(entry, disabled=True)]
    assert {effective(other, {}).digest for other in same} == {digest}
    others = [
        replace(entry, command="nod"),
        replace(entry, args=("a", "")),
        replace(entry, env={"K": "w"}),
        replace(entry, env={}),
        replace(entry, cwd="/"),
        replace(entry, transport="http", url="http://h"),
        replace(entry, command="${X}"),
    ]
    digests = {effective(other, {"X": "n"}).digest for other in others}
    assert len(digests | {digest}) == len(others) + 1
    moved = replace(entry, command="${X}")
    assert effective(moved, {"X": "1"}).digest != effective(moved, {"X": "2"}).digest


def test_a_remote_server_shows_its_address_and_headers() -> None:
    shown = effective(ServerEntry("s", "auto", command="unused", url="http://${A}/", headers={"X": "1"}), ENVIRON)
    assert shown.lines() == ["URL: http://alpha/", "header: X: 1"]
    assert shown.argv == ()


def test_the_problems_of_a_fatal_entry_are_shown() -> None:
    assert "neither" in effective(read_entry("s", {}), {}).problems[0]
