"""The negotiation, as scripts of "this came back, this is done next"."""

import json

import pytest

from mcp_inspector.wire.handshake import Agreed, Handshake, Initialize, Probe, Refused, TryEventStream

NEWEST = "2025-11-25"


def raw(value: object) -> bytes:
    return json.dumps(value).encode()


def error(code: int, data: object = None, message: str = "no") -> bytes:
    return raw({"code": code, "message": message, **({} if data is None else {"data": data})})


DISCOVERED = raw({"supportedVersions": ["2026-07-28", "2025-11-25"], "capabilities": {}})
INITIALIZED = raw({"protocolVersion": "2025-06-18", "capabilities": {}, "serverInfo": {"name": "s"}})


def test_a_modern_server_is_agreed_with_one_probe() -> None:
    hand = Handshake()
    assert hand.start() == Probe("2026-07-28")
    step = hand.result(DISCOVERED)
    assert isinstance(step, Agreed)
    assert (step.era, step.version) == ("modern", "2026-07-28")


@pytest.mark.parametrize("code", [-32601, -32602, -32600, -32000, 0])
def test_any_unrecognized_error_falls_back(code: int) -> None:
    hand = Handshake()
    hand.start()
    assert hand.error(error(code)) == Initialize(NEWEST)
    step = hand.result(INITIALIZED)
    assert isinstance(step, Agreed)
    assert (step.era, step.version) == ("legacy", "2025-06-18")  # LIFE-01: an older answer is accepted


@pytest.mark.parametrize("answer", [{}, {"supportedVersions": "x"}, {"tools": []}, [], None])
def test_a_result_of_another_shape_falls_back(answer: object) -> None:
    hand = Handshake()
    hand.start()
    assert hand.result(raw(answer)) == Initialize(NEWEST)


def test_a_discovery_of_legacy_versions_only_falls_back_to_a_listed_one() -> None:
    hand = Handshake()
    hand.start()
    assert hand.result(raw({"supportedVersions": ["2024-11-05", "2025-03-26"]})) == Initialize("2025-03-26")


def test_unsupported_version_names_what_to_try() -> None:
    hand = Handshake()
    hand.start()
    assert hand.error(error(-32022, {"supported": ["2025-06-18"], "requested": "2026-07-28"})) == Initialize(
        "2025-06-18"
    )
    hand = Handshake()
    hand.start()
    step = hand.error(error(-32022, {"supported": ["2031-01-01"]}), 400)
    assert isinstance(step, Refused)
    assert "2031-01-01" in step.sentence


def test_header_and_capability_errors_are_modern_and_never_fall_back() -> None:
    hand = Handshake()
    hand.start()
    assert hand.error(error(-32021, {"requiredCapabilities": {"roots": {}}})) == Probe("2026-07-28", {"roots": {}})
    assert isinstance(hand.error(error(-32020)), Refused)


def test_silence_falls_back_and_a_slow_modern_server_is_asked_again() -> None:
    hand = Handshake()
    hand.start()
    assert hand.silent("timeout") == Initialize(NEWEST)
    assert hand.error(error(-32022, {"supported": ["2026-07-28"]})) == Probe("2026-07-28")
    assert isinstance(hand.result(DISCOVERED), Agreed)


def test_a_server_that_dies_on_the_probe_gets_one_fresh_start() -> None:
    hand = Handshake()
    hand.start()
    assert hand.silent("exited") == Initialize(NEWEST, fresh=True)
    assert isinstance(hand.silent("exited"), Refused)


def test_a_version_error_is_retried_once_with_a_listed_one() -> None:
    hand = Handshake("legacy")
    assert hand.start() == Initialize(NEWEST)
    step = hand.error(error(-32602, {"supported": ["2024-11-05"], "requested": NEWEST}))
    assert step == Initialize("2024-11-05", fresh=True)
    assert isinstance(hand.result(raw({"protocolVersion": "2024-11-05"})), Agreed)


def test_an_unknown_version_in_the_answer_is_refused_with_both_named() -> None:
    hand = Handshake("legacy")
    hand.start()
    step = hand.result(raw({"protocolVersion": "1.0"}))
    assert isinstance(step, Refused)
    assert "1.0" in step.sentence
    assert NEWEST in step.sentence


@pytest.mark.parametrize("status", [401, 403, 407, 408, 429, 500, 502, 503, 302])
def test_statuses_that_are_no_evidence_of_an_era_end_it(status: int) -> None:
    hand = Handshake(over_http=True, can_fall_back=True)
    hand.start()
    step = hand.refused(status, "body text")
    assert isinstance(step, Refused)
    assert "body text" in step.sentence


def test_http_falls_back_from_probe_to_initialize_to_event_stream() -> None:
    """HTTP-30: both attempts are reported, the first one first."""
    hand = Handshake(over_http=True, can_fall_back=True)
    hand.start()
    assert hand.refused(404, "<h1>no</h1>") == Initialize(NEWEST)
    assert hand.refused(405) == TryEventStream(NEWEST)
    assert len(hand.attempts) == 2
    assert "server/discover" in hand.attempts[0]


def test_an_error_without_a_code_is_told_without_one() -> None:
    hand = Handshake(over_http=True)
    hand.start()
    step = hand.error(b'"no such page."', 500)
    assert isinstance(step, Refused)
    assert step.sentence == "server/discover (2026-07-28) was answered with an error: no such page (HTTP 500)"


def test_an_mcp_endpoint_that_knows_no_initialize_is_not_tried_as_event_stream() -> None:
    hand = Handshake(over_http=True, can_fall_back=True)
    hand.start()
    assert hand.error(error(-32601), 404) == Initialize(NEWEST)
    step = hand.error(error(-32601), 404)
    assert isinstance(step, Refused)
    assert step.hint


def test_pinned_versions_do_not_fall_back() -> None:
    assert Handshake("2025-03-26").start() == Initialize("2025-03-26")
    hand = Handshake("2026-07-28")
    assert hand.start() == Probe("2026-07-28")
    assert isinstance(hand.error(error(-32601)), Refused)
    assert isinstance(Handshake("modern").silent("timeout"), Refused)


def test_a_pinned_version_that_is_answered_with_another_is_noted() -> None:
    hand = Handshake("2025-03-26")
    hand.start()
    step = hand.result(INITIALIZED)
    assert isinstance(step, Agreed)
    assert "2025-03-26" in step.notes[0]


@pytest.mark.parametrize("code", [-32020, -32021, -32022])
def test_a_modern_refusal_of_initialize_is_no_older_transport(code: int) -> None:
    """Protocol §2.4.4: HTTP+SSE is tried only where the body is no recognised modern error."""
    made = Handshake("legacy", over_http=True, can_fall_back=True)
    made.start()
    error = f'{{"code":{code},"message":"modern","data":{{}}}}'.encode()
    assert isinstance(made.error(error, 400), Refused)
