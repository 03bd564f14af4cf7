"""What servers listed at their connects: kept, compared, and read from recorded sessions."""

from __future__ import annotations

import json
import os
import stat
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from mcp_inspector.config.entry import ServerEntry
from mcp_inspector.schema.definitions import Weight
from mcp_inspector.session.compare_sessions import compare_sessions
from mcp_inspector.session.list_book import Connect, ListBook, changes, key_of
from mcp_inspector.session.observer import Observer
from mcp_inspector.session.recorded_lists import recorded_lists
from mcp_inspector.store.exchanges import Exchanges
from mcp_inspector.store.log import Log
from mcp_inspector.store.record import Direction

if TYPE_CHECKING:
    from pathlib import Path

SENT, RECEIVED = Direction.SENT, Direction.RECEIVED


def listed(*names: str, when: int = 1, **members: Any) -> Connect:
    tools = tuple(json.dumps({"name": name, **members}).encode() for name in names)
    return Connect(when, "2025-06-18", "x 1", {"tools": tools, "prompts": ()})


def test_a_book_keeps_connects_that_differ_and_gives_the_one_before(tmp_path: Path) -> None:
    book = ListBook(tmp_path / "lists")
    assert book.connects("k") == []
    assert book.keep("k", listed("a")) is None
    assert book.keep("k", listed("a", when=2)) == listed("a")
    assert len(book.connects("k")) == 1
    assert book.keep("k", listed("a", "b", when=3)) == listed("a")
    # The same connection read its lists again: what was before stays what it is compared with.
    assert book.keep("k", listed("a", "b", "c", when=3), instead=True) == listed("a")
    assert [each.count for each in book.connects("k")] == [1, 3]
    assert book.keep("k", listed("a", when=3), instead=True) == listed("a")
    assert [each.count for each in book.connects("k")] == [1, 3]


def test_a_book_is_bounded_and_for_its_owner_only(tmp_path: Path) -> None:
    book = ListBook(tmp_path / "lists")
    for number in range(40):
        book.keep("k", listed(f"tool {number}", when=number))
    assert [each.wall_ns for each in book.connects("k")] == list(range(10, 40))
    large = listed("a", description="x" * 5_000_000)
    book.keep("k", large)
    book.keep("k", listed("b", description="x" * 5_000_000))
    assert [each.lists["tools"][0][:12] for each in book.connects("k")] == [b'{"name": "b"']
    path = tmp_path / "lists" / "k.json"
    if sys.platform != "win32":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


@pytest.mark.parametrize("data", [b"", b"{}", b"[", b'{"format":"mcp-inspector-lists","version":2}', b"\xff"])
def test_a_damaged_book_is_empty_and_written_anew(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "k.json").write_bytes(data)
    book = ListBook(tmp_path)
    assert book.connects("k") == []
    book.keep("k", listed("a"))
    assert book.connects("k") == [listed("a")]


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="needs a folder that cannot be written")
def test_a_book_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    book = ListBook(tmp_path / "lists")
    book.keep("k", listed("a"))
    assert "cannot be kept" in book.problem
    tmp_path.chmod(0o700)


def test_a_server_is_known_by_how_it_is_reached_and_not_by_its_name_or_secrets() -> None:
    one = ServerEntry("a", command="x", args=("1",))
    assert key_of(one) == key_of(replace(one, name="b", env={"TOKEN": "s"}))
    assert key_of(one) != key_of(replace(one, args=("2",)))
    assert key_of(ServerEntry("a", "http", url="http://x")) != key_of(ServerEntry("a", "http", url="http://y"))


def test_changes_are_counted_and_weighed_in_a_sentence() -> None:
    found = changes(listed("a", "b"), listed("b", "c", title="T"))
    assert (found.count, found.weight) == (3, Weight.BREAKING)
    assert found.sentence == "3 tools changed: 1 breaking, 2 minor"
    assert changes(listed("a"), listed("a")).sentence == "Nothing that is listed has changed."
    assert changes(listed("a"), Connect(1)).count == 0  # a list that was never asked for is no empty list


def said(**members: Any) -> bytes:
    return json.dumps({"jsonrpc": "2.0", **members}).encode()


def session(*exchanges: tuple[str, Any, Any], meta: str = "m") -> Exchanges:
    """A recorded session of requests with their results; an answer that is a string is an error."""
    log = Log()
    seen = Observer(log, "s")
    for number, (method, params, result) in enumerate(exchanges):
        params = {**params, "_meta": {"progressToken": meta}}
        seen.message(SENT, said(id=number, method=method, params=params), (number, number))
        if result is not None:
            answer = {"error": {"code": 1, "message": result}} if isinstance(result, str) else {"result": result}
            seen.message(RECEIVED, said(id=number, **answer), (number, number))
    found = Exchanges(log)
    found.update()
    return found


def test_lists_are_read_from_the_messages_of_a_session_page_by_page() -> None:
    tools = [{"name": name} for name in "abc"]
    info = {"protocolVersion": "2025-06-18", "serverInfo": {"name": "n", "version": "2"}, "capabilities": {}}
    found = recorded_lists(
        session(
            ("initialize", {}, info),
            ("tools/list", {}, {"tools": tools[:1], "nextCursor": "c"}),
            ("tools/list", {"cursor": "c"}, {"tools": tools[1:]}),
            ("prompts/list", {}, {"prompts": [], "nextCursor": "never read"}),
            ("resources/list", {}, "no"),
            ("resources/templates/list", {}, {"resourceTemplates": 5}),
        )
    )
    [connect] = found["s"]
    assert (connect.version, connect.server) == ("2025-06-18", "n 2")
    assert dict(connect.lists) == {"tools": tuple(json.dumps(tool).encode() for tool in tools)}


def test_the_last_list_that_was_read_counts() -> None:
    found = recorded_lists(
        session(("tools/list", {}, {"tools": [{"name": "old"}]}), ("tools/list", {}, {"tools": [{"name": "new"}]}))
    )
    assert found["s"][0].lists["tools"] == (b'{"name": "new"}',)


def test_sessions_are_compared_request_by_request() -> None:
    one = session(
        ("tools/list", {}, {"tools": []}),
        ("tools/call", {"name": "t", "arguments": {"a": 1}}, {"x": 1.0}),
        ("tools/call", {"name": "t", "arguments": {"a": 2}}, {"x": 1}),
        ("tools/call", {"name": "gone"}, {}),
        ("ping", {}, {}),
    )
    two = session(
        ("tools/list", {}, {"tools": [], "_meta": {"other": 1}}),
        ("tools/call", {"name": "t", "arguments": {"a": 2}}, {"x": 2}),
        ("tools/call", {"arguments": {"a": 1.0}, "name": "t"}, {"x": 1}),
        ("tools/call", {"name": "new"}, "failed"),
        meta="other",
    )
    found = compare_sessions(one, two)
    assert [pair.sentence for pair in found.pairs] == [
        "tools/call t: the answer differs: 1 changed",
        "tools/call gone: only in the first",
        "tools/call new: only in the second",
    ]
    assert found.same == 2
    assert found.sentence == "2 requests have the same answer, 1 another, 1 only in the first, 1 only in the second."
    failed = session(("tools/list", {}, "no"))
    assert "ok → error" in compare_sessions(one, failed).pairs[0].sentence
