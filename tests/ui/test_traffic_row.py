"""The words of a row, what is copied of it, and the facts beside it."""

import json
import re

import pytest

from mcp_inspector.store.exchanges import Exchanges
from mcp_inspector.store.log import Log
from mcp_inspector.store.record import Channel, Direction
from mcp_inspector.ui.models.byte_warnings import byte_warnings
from mcp_inspector.ui.models.traffic_copy import Masks, as_json, as_markdown
from mcp_inspector.ui.models.traffic_facts import about_record, command_line, http_sections
from mcp_inspector.ui.models.traffic_row import row_text
from tests.ui.story import WEATHER, Story, tell


@pytest.fixture
def exchanges():
    log = Log()
    tell(log)
    made = Exchanges(log)
    made.update()
    yield made
    log.close()


def _find(exchanges, **wanted):
    for row in range(len(exchanges)):
        exchange = exchanges[row]
        if all(value in str(getattr(exchange, name)) for name, value in wanted.items()):
            return exchange
    raise AssertionError(wanted)


def _text(exchanges, **wanted):
    return row_text(exchanges.log, _find(exchanges, **wanted))


def test_a_call(exchanges):
    text = _text(exchanges, target="get-structured-content")
    assert text.method == "tools/call"
    assert text.status.word == "ok"
    assert text.latency == "12.4 ms"
    assert text.note == "1 finding"
    assert text.kind.word == "request, sent"
    assert re.fullmatch(r"\d\d:\d\d:\d\d\.\d{3}", text.time)


def test_states_are_words_never_only_colours(exchanges):
    assert _text(exchanges, target="fail_sometimes").status.word == "tool error"
    assert _text(exchanges, target="trigger-long").status.word == "error -32602"
    assert _text(exchanges, target="search_issues").status.word == "timed out"
    assert _text(exchanges, target="slow", state="5").status.word == "cancelled"
    assert _text(exchanges, target="slow", state="1").status.word == "running"
    assert _text(exchanges, method="sampling").status.word == "waiting"
    assert _text(exchanges, status="401").status.word == "401"


def test_what_was_said_has_the_whole_row(exchanges):
    stderr = _text(exchanges, note="ModuleNotFound")
    assert stderr.spread
    assert stderr.method == "stderr"
    assert "\x1b" not in stderr.note
    exited = _text(exchanges, status="1", channel="5")
    assert exited.spread
    assert exited.note.startswith("code 1")
    stray = _text(exchanges, note="DEBUG")
    assert stray.note == "DEBUG connection opened · 1 finding"


def test_a_running_time(exchanges):
    exchange = _find(exchanges, target="slow", state="1")
    text = row_text(exchanges.log, exchange, exchange.mono_ns + 2_100_000_000)
    assert text.latency == "2.1 s"
    assert text.target == "slow · 3 progress"


def test_progress_of_an_open_subscription_is_no_waiting():
    log = Log()
    Story(log).call("demo", "subscriptions/listen", "", {}, None)
    rows = Exchanges(log)
    rows.update()
    text = row_text(log, rows[0], 10**15)
    assert (text.status.word, text.latency) == ("open", "")


def test_copied_json_keeps_bodies_as_they_were_spelled(exchanges):
    row = _find(exchanges, target="get-structured-content").index
    text = as_json(exchanges, [row])
    assert WEATHER.decode() in text
    value = json.loads(text)
    assert value["response"]["result"]["structuredContent"]["station"] == 9007199254740993
    assert value["latency_ms"] == 12.4
    assert value["faults"] == ['member "temperature" stands there twice']
    several = json.loads(as_json(exchanges, [0, 1, row]))
    assert [one["kind"] for one in several] == ["lifecycle", "stderr", "request"]


def test_copied_json_of_what_is_no_json(exchanges):
    row = _find(exchanges, note="DEBUG").index
    assert json.loads(as_json(exchanges, [row]))["message"] == "DEBUG connection opened"


def test_copied_markdown(exchanges):
    row = _find(exchanges, target="fail_sometimes").index
    text = as_markdown(exchanges, [row])
    assert "`fail_sometimes` · tool error, 8.2 ms" in text
    assert "```json\n{" in text


def test_a_fence_is_longer_than_any_inside():
    log = Log()
    story = Story(log)
    story.put("demo", Channel.STDOUT, Direction.RECEIVED, b"```` not json", kind="stray")
    rows = Exchanges(log)
    rows.update()
    assert "`````\n```` not json\n`````" in as_markdown(rows, [0])


def test_facts_are_readable(exchanges):
    facts = {fact.name: fact.value for fact in about_record(exchanges.log, _find(exchanges, note="npx").first)}
    assert facts["command"].endswith("'--root=/home/ada/projects/weather station'")
    assert facts["folder"] == "/home/ada/projects"
    assert facts["pid"] == "41207"
    assert command_line(["a b", "c"]) == "'a b' c"


def test_secrets_are_covered(exchanges):
    asked, answered = (_find(exchanges, method="POST", status=status) for status in ("None", "401"))
    shown = json.dumps([http_sections(exchanges.log, exchange) for exchange in (asked, answered)], ensure_ascii=False)
    assert "ghp_0123456789" not in shown
    assert "access_token=abc" not in shown
    assert "abcdef0123456789" not in shown
    assert "Bearer •••" in shown
    assert "application/json" in shown


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b'{"a":1}', []),
        (b'\xef\xbb\xbf{"a":1}', ["byte order mark"]),
        (b'{"a":1}\r', ["CRLF"]),
        (b'{"a":\r1}', ["CR at offset 5"]),
        (b'{"a":"\xff"}', ["not UTF-8: byte 0xFF at offset 6"]),
        (b"\x00", ["NUL"]),
    ],
)
def test_odd_bytes_are_told(data, words):
    found = byte_warnings(data)
    assert len(found) == len(words)
    for sentence, word in zip(found, words, strict=True):
        assert word in sentence


def test_copied_rows_hide_their_secrets_unless_they_are_wanted():
    log = Log()
    arguments = {"api_key": "sk-abcdefghijklmnopqrstuvwx", "pin_token": 4711, "city": "Oslo"}
    Story(log).call("demo", "tools/call", "lookup", {"name": "lookup", "arguments": arguments}, {"ok": True})
    rows = Exchanges(log)
    rows.update()
    for make in (as_json, as_markdown):
        masks = Masks()
        text = make(rows, [0], masks)
        assert "sk-abc" not in text
        assert "4711" not in text
        assert "Oslo" in text
        assert masks.count >= 2
        whole = make(rows, [0], Masks(secrets=True))
        assert "sk-abc" in whole
        assert "4711" in whole
    value = json.loads(as_json(rows, [0]))
    assert value["request"]["params"]["arguments"] == {"api_key": "•••", "pin_token": "•••", "city": "Oslo"}
