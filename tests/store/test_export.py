"""JSON lines out and in again."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from store_entries import entry, event, request, response

from mcp_inspector.store.export import ExportFormatError, exported, imported
from mcp_inspector.store.log import Log
from mcp_inspector.store.record import Channel

if TYPE_CHECKING:
    from pathlib import Path

ENTRIES = [
    request(1, data=b'{"id":1,"params":{"api_key":"s3cret"}}'),
    response(1, call=1, status=0),
    entry(data=b"\xff\x00 not text", target="https://x/?token=s3cret"),
    entry(channel=Channel.STDERR, kind="line", method="", data="Größe \u2028".encode()),
    event("timeout", call=1, facts={"sentence": "It took too long.", "big": 2**80, "odd": "\ud800"}),
    entry(channel=Channel.HTTP, kind="request", facts={"headers": [["Authorization", "Bearer s3cret"]]}),
    entry(faults=("is odd: \ud800",), method="\ud800"),
]


def log_of_all() -> Log:
    log = Log()
    for item in ENTRIES:
        log.append(item)
    return log


def taken_in(lines: list[bytes]) -> Log:
    log = Log()
    assert list(imported(lines, log)) == list(range(1, len(log) + 1))
    return log


def test_an_export_without_masks_comes_back_the_same(tmp_path: Path) -> None:
    path = tmp_path / "traffic.jsonl"
    with path.open("wb") as stream:
        stream.writelines(line.data for line in exported(log_of_all(), redact=False))
    with path.open("rb") as stream:
        log = Log()
        assert list(imported(stream, log))[-1] == len(ENTRIES)
    assert [record.entry for record in log.slice(1, 100)] == ENTRIES


def test_secrets_are_masked_and_each_place_is_told() -> None:
    lines = list(exported(log_of_all()))
    assert b"s3cret" not in b"".join(line.data for line in lines)
    assert {line.seq: line.masked for line in lines if line.masked} == {
        1: ("api_key",),
        3: ("token",),
        6: ("Authorization",),
    }
    assert json.loads(lines[0].data) == {"format": "mcp-inspector-traffic", "version": 1, "redacted": True}
    assert json.loads(lines[1].data)["masked"] == ["api_key"]
    again = taken_in([line.data for line in lines])
    assert again.body(1) == '{"id":1,"params":{"api_key":"•••"}}'.encode()
    assert again.body(3) == ENTRIES[2].data


def test_every_line_is_one_json_object() -> None:
    lines = [line.data for line in exported(log_of_all())]
    assert all(line.endswith(b"\n") and line.count(b"\n") == 1 for line in lines)
    assert all(isinstance(json.loads(line), dict) for line in lines)


def test_a_selection_keeps_its_links() -> None:
    log = Log()
    for item in (entry(), request(1), request(2), response(1, call=2), response(2, call=3)):
        log.append(item)
    again = taken_in([line.data for line in exported(log, [2, 4, 5])])
    assert [record.entry.call for record in again.slice(1, 10)] == [0, 1, 0]


def line(**values: Any) -> bytes:
    given = {"seq": 1, "server": "a", "connection": 1, "channel": "message", "direction": "sent"}
    return json.dumps(given | {"wall_ns": 1, "mono_ns": 1} | values).encode()


HEAD = b'{"format":"mcp-inspector-traffic","version":1}\n'


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        ([b"{}"], "This is no export of traffic"),
        ([b"\xff\xfe"], "This is no export of traffic"),
        ([b"[" * 100_000], "This is no export of traffic"),
        ([b'{"format":"mcp-inspector-traffic","version":2}'], "the format version 2, which is not known"),
        ([HEAD, b"{}"], "Line 2 is no record of an export"),
        ([HEAD, line(channel="smoke")], "Line 2 is no record"),
        ([HEAD, line(base64="***")], "Line 2 is no record"),
        ([HEAD, line(), line(facts=5)], "Line 3 is no record"),
        ([HEAD, line(text="\ud800")], "Line 2 is no record"),
        ([HEAD, b'{"seq":' + b"[" * 100_000], "Line 2 is no record"),
    ],
)
def test_what_is_no_export_is_refused_with_its_line(lines: list[bytes], sentence: str) -> None:
    with pytest.raises(ExportFormatError, match=sentence):
        list(imported(lines, Log()))


def test_unknown_members_and_empty_lines_are_passed_over_and_odd_numbers_tamed() -> None:
    log = taken_in([HEAD, line(later="x", text="body"), b"\n", line(connection=-1, call=2**70, status=2**70)])
    assert log.body(1) == b"body"
    assert (log.record(2).entry.connection, log.record(2).entry.call, log.record(2).entry.status) == (0, 0, None)
