"""Traffic in the formats of others: checked against their shapes, hostile texts harmless, secrets masked."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any

import jsonschema_rs
import pytest
from store_entries import MILLISECOND, RECEIVED, SENT, entry, event, request, response

from mcp_inspector.store.exchanges import Exchanges
from mcp_inspector.store.formats import FORMATS, pieces, whole
from mcp_inspector.store.latency import Latencies, histogram, percentile
from mcp_inspector.store.log import Log
from mcp_inspector.store.otlp import batches
from mcp_inspector.store.record import Channel
from mcp_inspector.store.telling import Teller

if TYPE_CHECKING:
    from collections.abc import Iterable

EVIL = "</script><img src=x onerror=alert(1)> `` ``` | [a](javascript:alert(1)) \u202e\x1b[31m"
URL = "http://127.0.0.1:9/mcp?api_key=s3cret"


def traffic() -> Log:
    """A session of every kind of row."""
    asked = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"token": "s3cret", "x": EVIL}})
    answer = json.dumps({"jsonrpc": "2.0", "id": 1, "result": {"isError": True}}).encode()
    head = {"method": "POST", "url": URL, "key": 1, "headers": [["Authorization", "Bearer s3cret"]]}
    length = ["Content-Length", str(len(asked.encode()))]
    log = Log()
    for item in (
        event("started", facts={"sentence": EVIL}),
        request(1, data=asked.encode(), target=EVIL),
        entry(
            channel=Channel.HTTP,
            direction=SENT,
            kind="request",
            method="POST",
            target=URL,
            facts={**head, "headers": [*head["headers"], length]},
        ),
        entry(channel=Channel.HTTP, kind="response", method="POST", status=200, facts={**head, "seconds": 0.5}),
        entry(method="notifications/progress", call=2, mono_ns=MILLISECOND, data=b'{"progress":1}'),
        response(1, 20, call=2, data=answer, facts={"tool_error": True}),
        request(7, 30, direction=RECEIVED, method="roots/list", target="", data=b'{"id":7}'),
        response(7, 31, direction=SENT, call=7, method="roots/list", target="", data=b'{"id":7,"result":{}}'),
        entry(data=b"\xff\x00 not text", faults=("is not UTF-8",)),
        request(8, 40, data=b"{}"),
        entry(channel=Channel.STDERR, kind="line", method="", data=EVIL.encode()),
        response(8, 41, call=10, kind="error", status=-32601, data=b'{"error":{}}'),
        request(9, 50, data=b"{}", target="slow"),
    ):
        log.append(item)
    return log


def written(word: str, log: Log, seqs: list[int] | None = None, **how: Any) -> str:
    return b"".join(piece.data for piece in pieces(word, log, seqs, version="1.2.3", **how)).decode()


def required(**members: Any) -> dict[str, Any]:
    return {"type": "object", "properties": members, "required": list(members)}


TEXT, NUMBER, WHOLE = {"type": "string"}, {"type": "number", "minimum": -1}, {"type": "integer", "minimum": -1}
PAIRS = {"type": "array", "items": required(name=TEXT, value=TEXT)}
COMMON = {"httpVersion": TEXT, "cookies": {"type": "array"}, "headers": PAIRS, "headersSize": WHOLE, "bodySize": WHOLE}
HAR_REQUEST = required(method=TEXT, url={"type": "string", "format": "uri"}, queryString=PAIRS, **COMMON)
HAR_REQUEST["properties"]["postData"] = required(mimeType=TEXT, text=TEXT)
CONTENT = required(size=WHOLE, mimeType=TEXT)
HAR_RESPONSE = required(status=WHOLE, statusText=TEXT, redirectURL=TEXT, content=CONTENT, **COMMON)
HAR_ENTRY = required(
    startedDateTime={"type": "string", "format": "date-time"},
    time={"type": "number", "minimum": 0},
    request=HAR_REQUEST,
    response=HAR_RESPONSE,
    cache={"type": "object"},
    timings=required(send=NUMBER, wait=NUMBER, receive=NUMBER),
)
HAR = required(
    log=required(version={"const": "1.2"}, creator=required(name=TEXT, version=TEXT), entries={"items": HAR_ENTRY})
)
"""HAR 1.2 as its specification requires it."""

ATTRIBUTES = {
    "items": required(
        key=TEXT,
        value={
            "minProperties": 1,
            "maxProperties": 1,
            "properties": {"stringValue": TEXT, "intValue": {"pattern": r"^-?\d+$"}},
            "additionalProperties": False,
        },
    )
}
TIME = {"type": "string", "pattern": r"^\d{18,20}$"}
SPAN = required(
    traceId={"pattern": "^[0-9a-f]{32}$"},
    spanId={"pattern": "^[0-9a-f]{16}$"},
    name={"type": "string", "minLength": 1},
    kind={"enum": [1, 2, 3]},
    startTimeUnixNano=TIME,
    endTimeUnixNano=TIME,
    attributes=ATTRIBUTES,
    status={"properties": {"code": {"enum": [0, 1, 2]}, "message": TEXT}, "additionalProperties": False},
)
SPAN["properties"]["events"] = {"items": required(timeUnixNano=TIME, name=TEXT)}
SPAN["properties"]["parentSpanId"] = {"pattern": "^[0-9a-f]{16}$"}
SPAN["additionalProperties"] = False
OTLP = required(
    resourceSpans={
        "items": required(
            resource=required(attributes=ATTRIBUTES),
            scopeSpans={"items": required(scope=required(name=TEXT, version=TEXT), spans={"items": SPAN})},
        )
    }
)
"""The JSON mapping of an OTLP trace request, as far as it is used."""


def complaints(schema: dict[str, Any], document: Any) -> list[str]:
    validator = jsonschema_rs.Draft202012Validator(schema, validate_formats=True)
    return [f"{error.instance_path}: {error.message[:200]}" for error in validator.iter_errors(document)]


def test_har_is_as_its_specification_wants_it_and_names_what_carried_a_message() -> None:
    document = json.loads(written("har", traffic()))
    assert complaints(HAR, document) == []
    entries = document["log"]["entries"]
    assert [each["_mcp"]["kind"] for each in entries] == ["request", "request", "notification", "request", "request"]
    first = entries[0]
    assert first["request"]["url"].startswith("http://127.0.0.1:9/mcp?api_key=")
    assert first["response"]["status"] == 200
    assert first["time"] == 20
    assert [each["text"] for each in first["_mcp"]["between"]] == ['{"progress":1}']
    asked = entries[1]  # by the server: its question is what came, our answer what went
    assert (asked["request"]["postData"]["text"], asked["response"]["content"]["text"]) == (
        '{"id":7,"result":{}}',
        '{"id":7}',
    )
    assert entries[4]["response"]["status"] == 0


def test_spans_have_the_shape_that_collectors_take() -> None:
    document = json.loads(written("otlp", traffic()))
    assert complaints(OTLP, document) == []
    [resource] = document["resourceSpans"]
    root, call, asked, failed, pending = resource["scopeSpans"][0]["spans"]
    assert call["parentSpanId"] == asked["parentSpanId"] == root["spanId"]
    assert {each["traceId"] for each in (root, call, asked, failed, pending)} == {root["traceId"]}
    assert (call["kind"], asked["kind"]) == (3, 2)
    assert int(call["endTimeUnixNano"]) - int(call["startTimeUnixNano"]) == 20 * MILLISECOND
    words = {each["key"]: each["value"] for each in failed["attributes"]}
    assert words["error.type"] == {"stringValue": "-32601"}
    assert (call["status"]["code"], failed["status"]["code"], pending["status"]["code"]) == (2, 2, 0)
    assert [each["name"] for each in call["events"]] == ["notifications/progress"]


def test_a_trace_context_of_the_request_is_kept() -> None:
    log = Log()
    parent = f"00-{'a' * 32}-{'b' * 16}-01"
    log.append(request(1, data=json.dumps({"params": {"_meta": {"traceparent": parent}}}).encode()))
    spans = json.loads(written("otlp", log))["resourceSpans"][0]["scopeSpans"][0]["spans"]
    assert (spans[1]["traceId"], spans[1]["parentSpanId"]) == ("a" * 32, "b" * 16)


def test_batches_for_a_collector_hold_each_span_once() -> None:
    log = Log()
    for number in range(1_200):
        log.append(request(number, data=b"{}"))
    found = list(batches(Teller(log)))
    assert [count for _, count in found] == [500, 500, 201]
    assert all(complaints(OTLP, json.loads(body)) == [] for body, _ in found)


class Page(HTMLParser):
    """What a browser would do with a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs


def test_the_html_report_runs_and_loads_nothing_whatever_a_server_says() -> None:
    text = written("html", traffic())
    page = Page()
    page.feed(text)
    allowed = {"html", "head", "meta", "title", "style", "body", "h1", "h2", "p", "table", "tr", "th", "td"}
    assert set(page.tags) <= allowed | {"details", "summary", "span", "pre", "b"}
    assert {name for name, _ in page.attributes} <= {"lang", "charset", "http-equiv", "content", "name", "class"}
    assert "default-src 'none'" in text
    assert "\u202e" not in text
    assert "\x1b" not in text
    assert "tools/call" in text


def test_the_markdown_report_keeps_texts_of_servers_inside_code() -> None:
    text = written("md", traffic())
    outside = re.sub(r"(?ms)^(`{3,})json\n.*?^\1\n", "", text)
    outside = re.sub(r"(?m)`[^`\n]*`", "", outside)
    assert "<img" not in outside.replace("\\<img", "")
    assert "](javascript" not in outside
    assert "````json" in text  # a longer fence than any run of backticks inside


@pytest.mark.parametrize("word", FORMATS)
def test_secrets_are_masked_in_every_format_and_each_is_told(word: str) -> None:
    """SEC-11: whatever leaves the program has its secrets masked."""
    log = traffic()
    found = list(pieces(word, log))
    assert b"s3cret" not in b"".join(piece.data for piece in found)
    if word != "otlp":  # has no bodies
        assert {"token", "Authorization", "api_key"} <= {name for piece in found for name in piece.masked}
        assert "s3cret" in written(word, log, redact=False)


@pytest.mark.parametrize("word", FORMATS)
def test_nothing_odd_stops_an_export(word: str) -> None:
    log = Log()
    assert written(word, log)
    for item in (
        entry(method="\ud800", target="\ud800", data=b"\xff", facts={"odd": "\ud800", "big": 2**80}),
        request("x\ud800", data=b"[" * 10_000),
        entry(channel=Channel.HTTP, kind="request", facts={"headers": "no pairs", "key": [1]}),
        entry(channel=Channel.HTTP, kind="response", facts={"url": 5, "headers": [[1, 2], [3]]}, status=200),
        entry(data=b'"' + b"x" * 300_000 + b'"'),
    ):
        log.append(item)
    assert written(word, log)


def test_a_selection_is_of_whole_exchanges() -> None:
    log = traffic()
    exchanges = Exchanges(log)
    exchanges.update()
    seqs = whole(exchanges, [exchanges.row(6)])
    assert seqs == [2, 5, 6]
    assert len(json.loads(written("har", log, [6]))["log"]["entries"]) == 1


def test_latencies_are_told_for_each_method_and_tool() -> None:
    log = traffic()
    exchanges = Exchanges(log)
    exchanges.update()
    found = dict(Latencies.of(exchanges).by_method())
    calls = found["tools/call"]
    assert (calls.count, calls.failed, calls.pending) == (3, 2, 1)
    assert list(calls.sorted_ns) == [MILLISECOND, 20 * MILLISECOND]
    assert found["tools/call slow"].pending == 1
    assert found["roots/list"].count == 1
    some = Latencies.of(exchanges, [exchanges.row(2)])
    assert next(name for name, _ in some.by_method()) == "tools/call"


def test_percentiles_and_histogram_count_every_value() -> None:
    ordered = sorted([*range(1, 101)])
    assert [percentile(ordered, part) for part in (0, 0.5, 0.95, 0.99, 1)] == [1, 50, 95, 99, 100]
    assert percentile([], 0.5) == 0
    for values in ([0], [5, 5, 5], [1, 1_000_000_000], ordered):
        bars = histogram(values)
        assert sum(count for _, _, count in bars) == len(values)
        assert all(bars[at][1] == bars[at + 1][0] for at in range(len(bars) - 1))
    assert histogram([]) == []


def names(found: Iterable[Any]) -> list[str]:
    return [each.word for each in found]


def test_every_format_has_its_words() -> None:
    assert names(FORMATS.values()) == ["jsonl", "har", "html", "md", "otlp"]
    with pytest.raises(KeyError):
        list(pieces("pdf", Log()))
