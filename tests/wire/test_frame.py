"""The envelope decoder: classifies anything, never raises, keeps the bytes."""

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mcp_inspector.wire import frame
from mcp_inspector.wire.frame import Kind


@pytest.mark.parametrize(
    ("raw", "kind", "ident"),
    [
        (b'{"jsonrpc":"2.0","id":1,"method":"ping"}', Kind.REQUEST, 1),
        (b'{"jsonrpc":"2.0","id":"","method":"ping"}', Kind.REQUEST, ""),
        (b'{"jsonrpc":"2.0","id":0,"method":"ping"}', Kind.REQUEST, 0),
        (b'{"jsonrpc":"2.0","method":"x","params":[]}', Kind.NOTIFICATION, None),
        (b'{"jsonrpc":"2.0","id":1,"result":{}}', Kind.RESPONSE, 1),
        (b'{"jsonrpc":"2.0","id":1,"result":{},"error":null}', Kind.RESPONSE, 1),
        (b'{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"m"}}', Kind.ERROR, 1),
        (b'{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"m"}}', Kind.ERROR, None),
        (b'{"id":1,"error":"boom"}', Kind.ERROR, 1),
        (b'{"id":1}', Kind.INVALID, 1),
        (b'{"jsonrpc":"2.0","id":{},"method":"m"}', Kind.INVALID, None),
        (b'{"jsonrpc":"2.0","id":1,"method":5}', Kind.INVALID, 1),
        (b"[1,2,3]", Kind.INVALID, None),
        (b'"text"', Kind.INVALID, None),
        (b"null", Kind.INVALID, None),
        (b"{not json}", Kind.INVALID, None),
        (b'{"a":NaN}', Kind.INVALID, None),
        (b"", Kind.INVALID, None),
    ],
)
def test_kinds(raw: bytes, kind: Kind, ident: object) -> None:
    """LIFE-07, LIFE-10, STDIO-03: every shape has a kind, and id 0 and "" are ids."""
    read = frame.read(raw)
    assert (read.kind, read.id, read.raw) == (kind, ident, raw)
    assert (kind is Kind.INVALID) <= bool(read.faults)


def test_ids_are_told_apart_by_type_and_one_point_zero_is_one() -> None:
    """LIFE-04."""
    assert frame.read(b'{"jsonrpc":"2.0","id":"1","result":{}}').id == "1"
    with_fraction = frame.read(b'{"jsonrpc":"2.0","id":1.0,"result":{}}')
    assert (with_fraction.id, with_fraction.id_text) == (1, "1.0")
    assert "fraction" in with_fraction.faults[0]
    huge = frame.read(b'{"jsonrpc":"2.0","id":99999999999999999999999,"result":{}}')
    assert huge.id == 99999999999999999999999


def test_body_is_kept_as_spelled() -> None:
    params = b'{"a":1e400,"b":1.0,"b":9007199254740993}'
    read = frame.read(b'{"jsonrpc":"2.0","id":1,"method":"m","params":' + params + b"}")
    assert read.params == params


def test_a_bom_is_a_fault_and_not_the_end() -> None:
    """STDIO-07."""
    read = frame.read(b'\xef\xbb\xbf{"jsonrpc":"2.0","id":1,"result":{}}')
    assert (read.kind, read.id) == (Kind.RESPONSE, 1)
    assert "byte order mark" in read.faults[0]


@pytest.mark.parametrize(
    ("raw", "word"),
    [
        (b"Content-Length: 123", "LSP"),  # STDIO-25
        (b'{"j\xff\xfe', "UTF-8"),  # STDIO-04
        (b"<html></html>", "HTML"),
        ('{"jsonrpc":"2.0","id":1}'.encode("utf-16"), "UTF-"),
        (b'[INFO] warm {"jsonrpc":"2.0","id":1,"result":{}}', "before a message"),  # STDIO-02
        (b'{"a":NaN}', "NaN"),  # HTTP-23
        (b"[" * 100_000, "deeply"),
    ],
)
def test_what_is_no_message_says_why(raw: bytes, word: str) -> None:
    assert word in frame.read(raw).faults[0]


def test_an_envelope_is_read_around_a_value_without_end() -> None:
    deep = b"[" * 50_000 + b"]" * 50_000
    read = frame.read(b'{"jsonrpc":"2.0","id":7,"result":{"a":' + deep + b"}}")
    assert (read.kind, read.id) == (Kind.RESPONSE, 7)
    assert read.result is not None
    assert len(read.result) == len(deep) + 6


def test_a_batch_holds_its_messages() -> None:
    read = frame.read(b' [{"jsonrpc":"2.0","id":1,"result":{}}, 5, {"jsonrpc":"2.0","method":"n"}]')
    assert read.kind is Kind.BATCH
    assert [item.kind for item in read.items] == [Kind.RESPONSE, Kind.INVALID, Kind.NOTIFICATION]


@given(st.binary(max_size=200))
def test_any_bytes_are_read(raw: bytes) -> None:
    assert frame.read(raw).raw == raw


_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(st.dictionaries(st.sampled_from(["jsonrpc", "id", "method", "params", "result", "error", "x"]), _json))
def test_any_object_is_read(value: dict[str, object]) -> None:
    read = frame.read(msgspec.json.encode(value))
    assert read.is_object
    if read.kind is Kind.REQUEST:
        assert read.id is not None
        assert read.method == value["method"]


def test_written_messages_are_read_back() -> None:
    raw = frame.write("tools/call", {"arguments": msgspec.Raw(b'{"n":1.0}')}, 7)
    assert raw == b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"arguments":{"n":1.0}}}'
    assert frame.read(raw).kind is Kind.REQUEST
    assert frame.read(frame.write("notifications/x")).kind is Kind.NOTIFICATION
    assert frame.read(frame.write_result('"p3"', {})).id == "p3"
    assert frame.read(frame.write_error("0", -32601, "no")).id == 0


DEEP = b"[" * 100_000 + b"]" * 100_000


@pytest.mark.parametrize(
    ("raw", "kind"),
    [
        (b'{"jsonrpc":"2.0","id":1,"error":' + DEEP + b"}", Kind.ERROR),
        (b'{"jsonrpc":"2.0","id":' + DEEP + b',"result":{}}', Kind.RESPONSE),
        (b'{"jsonrpc":"2.0","id":1,"method":' + DEEP + b"}", Kind.INVALID),
        (b'{"jsonrpc":' + DEEP + b',"id":1,"result":{}}', Kind.RESPONSE),
        (DEEP, Kind.INVALID),
    ],
    ids=["error", "id", "method", "jsonrpc", "batch"],
)
def test_members_nested_beyond_any_decoder_are_faults(raw: bytes, kind: Kind) -> None:
    """Nothing on the wire may raise past the reader, however deep it goes."""
    read = frame.read(raw)
    assert (read.kind, read.raw) == (kind, raw)
    assert read.faults


def test_arrays_in_a_batch_are_not_followed() -> None:
    read = frame.read(b'[{"jsonrpc":"2.0","method":"x"},' + b"[" * 400 + b"]" * 400 + b"]")
    assert [item.kind for item in read.items] == [Kind.NOTIFICATION, Kind.INVALID]
    assert read.items[1].faults == ("is an array inside a batch",)
