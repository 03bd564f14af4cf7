"""For each rule about changes, several connections and extensions in use: what it finds, and what it lets pass."""

from __future__ import annotations

from typing import Any

from tests.checks.script import CLIENT, EVERYTHING, PREFIX, STREAM, J, M, N, Talk, X, text, tool

HTTP: dict[str, Any] = {"over": "http"}
FRESH: dict[str, Any] = {"greet": False}
TOOLS = "notifications/tools/list_changed"
ALICE, BOB = ("Authorization", "Bearer alice"), ("Authorization", "Bearer bob")
COVERED = ("Authorization", "Bearer •••")
OWN = "com.example/notes"


def _refetched(t: Talk, *names: str, told_after: float = 2000) -> Talk:
    """A list, a change that is told, and the list once more with these tools."""
    return t.tools(tool("a")).wait(told_after).tell(TOOLS).tools(*(tool(name) for name in names))


def _unsaid(t: Talk, *names: str, told: bool = False) -> Talk:
    t.tools(tool("a"))
    if told:
        t.tell(TOOLS)
    return t.tools(*(tool(name) for name in names)).shutdown("stdin closed")


def _agreed(t: Talk, requested: str, answered: str) -> Talk:
    """A handshake in which one version is asked for and one is answered, on a connection of its own."""
    t.version = requested
    t.again(greet=False).hello()
    result = {"protocolVersion": answered, "capabilities": {}, "serverInfo": {"name": "s", "version": "1"}}
    return t.ok(result)


def _eras(t: Talk, supported: list[str]) -> Talk:
    """A discovery on one connection and a handshake on another, by the same server."""
    meta = {f"{PREFIX}serverInfo": {"name": "s", "version": "1"}}
    t.ask("server/discover").ok({"supportedVersions": supported, "capabilities": {}, "_meta": meta})
    return _agreed(t, N, N)


def _public(t: Talk, scope: str, second: tuple[str, str], name: str) -> Talk:
    t.own = (ALICE,)
    t.tools(tool("a"), cacheScope=scope)
    return t.again(second).tools(tool(name), cacheScope=scope)


def _signed(t: Talk, account: str, name: str) -> Talk:
    for who, listed in (("as 1", "a"), (account, name)):
        t.again(COVERED).event("connected", version=X, signed_in=who)
        t.tools(tool(listed), cacheScope="public")
    return t


def _left(t: Talk, *, answered: bool) -> Talk:
    t.ask("ping").http(headers=STREAM)
    if answered:
        t.ok({})
    else:
        t.cancel()
    return t.stream(event="left open", stream="post", key=t.last, seconds=30.0)


def _quiet(t: Talk, seconds: float) -> Talk:
    t.listen(toolsListChanged=True).acked(toolsListChanged=True)
    t.wait(40_000).stream(event="keep-alive", stream="post", key="l")
    return t.wait(seconds * 1000).tell(TOOLS, {"_meta": {f"{PREFIX}subscriptionId": "l"}}, answers="l")


# rule, version, what it finds, what it lets pass, how the talk begins
CASES: list[tuple[str, str, Any, Any, dict[str, Any]]] = [
    (
        "refetch-time",
        N,
        lambda t: t.tools(tool()).tell(TOOLS).ask("tools/list"),
        lambda t: t.tell(TOOLS).ask("prompts/list"),
        {},
    ),
    ("nothing-changed", N, lambda t: _refetched(t, "a"), lambda t: _refetched(t, "a", "b"), {}),
    # A change that is told just after the list may be one that the list had already.
    ("nothing-changed", N, lambda t: _refetched(t, "a"), lambda t: _refetched(t, "a", told_after=100), {}),
    ("change-never-told", N, lambda t: _unsaid(t, "a", "b"), lambda t: _unsaid(t, "a"), {}),
    ("change-never-told", N, lambda t: _unsaid(t, "b"), lambda t: _unsaid(t, "b", told=True), {}),
    # Nobody listened.
    (
        "change-never-told",
        X,
        lambda t: (
            t.listen(toolsListChanged=True)
            .tools(
                tool("a"),
            )
            .tools(tool("b"))
            .say("x")
            .ok({}, "l")
        ),
        lambda t: t.tools(tool("a")).tools(tool("b")).shutdown("stdin closed"),
        {},
    ),
    ("listen-quiet", X, lambda t: _quiet(t, 90), lambda t: _quiet(t, 40), HTTP),
    (
        "version-not-echoed",
        N,
        lambda t: _agreed(_agreed(t, J, J), J, M),
        lambda t: _agreed(_agreed(t, N, J), J, J),
        FRESH,
    ),
    (
        "version-not-echoed",
        N,
        lambda t: _agreed(_agreed(t, N, M), N, N),
        lambda t: _agreed(_agreed(t, M, M), N, M),
        FRESH,
    ),
    (
        "version-not-latest",
        N,
        lambda t: _agreed(_agreed(t, J, J), N, M),
        lambda t: _agreed(_agreed(t, J, J), N, J),
        FRESH,
    ),
    (
        "version-not-latest",
        N,
        lambda t: _agreed(_agreed(t, N, M), J, J),
        lambda t: _agreed(_agreed(t, N, J), M, M),
        FRESH,
    ),
    ("legacy-not-listed", X, lambda t: _eras(t, [X]), lambda t: _eras(t, [X, N]), FRESH),
    (
        "public-differs",
        X,
        lambda t: _public(t, "public", BOB, "b"),
        lambda t: _public(t, "private", BOB, "b"),
        HTTP,
    ),
    # Tokens that were signed in for are covered: who is signed in tells them apart.
    ("public-differs", X, lambda t: _signed(t, "as 2", "b"), lambda t: _signed(t, "as 1", "b"), HTTP),
    (
        "public-differs",
        X,
        lambda t: _signed(t, "as 2", "b"),
        lambda t: _signed(t, "", "b"),
        HTTP,
    ),
    # The same account may see another list later.
    ("public-differs", X, lambda t: _public(t, "public", BOB, "b"), lambda t: _public(t, "public", ALICE, "b"), HTTP),
    ("stream-left-open", N, lambda t: _left(t, answered=True), lambda t: _left(t, answered=False), HTTP),
    (
        "extension-undeclared",
        X,
        lambda t: t.ask("skills/list").ok({"skills": []}),
        lambda t: t.ask("tools/list").ok({"tools": []}),
        {},
    ),
    (
        "extension-undeclared",
        X,
        lambda t: t.tell(f"notifications/{OWN}/added"),
        lambda t: t.tell("notifications/x"),
        {"caps": {**EVERYTHING, "extensions": {OWN: {}}}},
    ),
    (
        "extension-undeclared",
        N,
        lambda t: t.call(text(_meta={"com.example/other": 1})),
        lambda t: t.call(text(_meta={OWN: 1})),
        {
            "caps": {**EVERYTHING, "extensions": {OWN: {}, "com.example/other": {}}},
            "client": {**CLIENT, "extensions": {OWN: {}}},
        },
    ),
]
