"""JWTs in the headers of a record: what they say is shown, what signs them is not."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest

from mcp_inspector.store.log import Log
from mcp_inspector.store.record import Channel, Direction, Entry
from mcp_inspector.ui.models.traffic_facts import about_record
from mcp_inspector.ui.models.traffic_token import token_facts

URL = "https://api.example/v1/mcp"
SENT_NS = 1_700_000_000 * 10**9


def jwt(**claims: Any) -> str:
    parts = ({"alg": "ES256"}, claims)
    shown = [base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=") for part in parts]
    return ".".join((*shown, "c2lnbmF0dXJl"))


def facts_of(token: str, scheme: str = "Bearer") -> dict[str, Any]:
    return {"url": URL, "headers": [["Accept", "*/*"], ["authorization", f"{scheme} {token}"]]}


def test_the_claims_are_shown_beside_the_covered_header() -> None:
    token = jwt(aud=URL, scope="tools", exp=1_700_000_100, access_token="hidden")
    log = Log()
    log.append(
        Entry("s", 1, Channel.HTTP, Direction.SENT, SENT_NS, 1, b"", "request", facts=facts_of(token)),
    )
    shown = {fact.name: fact.value for fact in about_record(log, 1)}
    assert shown["token aud"] == URL
    assert shown["token scope"] == "tools"
    assert shown["token exp"].startswith("1700000100 (20")
    assert "token" not in shown
    said = json.dumps(list(shown.values()))
    assert "hidden" not in said
    assert token not in said
    assert "c2lnbmF0dXJl" not in said


@pytest.mark.parametrize(
    ("audience", "foreign"),
    [
        (URL, False),
        ("https://API.example", False),
        ("https://api.example/v1", False),
        (["https://other.example", URL], False),
        ("a-name", False),
        ("https://api.example/v2", True),
        ("https://api.example/v1/mcp-other", True),
        ("http://api.example/v1/mcp", True),
    ],
)
def test_an_audience_is_held_against_the_address(audience: Any, foreign: bool) -> None:
    said = [fact.value for fact in token_facts(facts_of(jwt(aud=audience)), SENT_NS) if fact.name == "token"]
    assert bool(said) is foreign


def test_a_token_that_had_expired_is_told() -> None:
    said = [fact for fact in token_facts(facts_of(jwt(exp=1_600_000_000)), SENT_NS) if fact.name == "token"]
    assert [fact.tone for fact in said] == ["warn"]


@pytest.mark.parametrize(
    "token", ["", "opaque", "a.b.c", "e30.W10.x", "e30.e30.x", "." * 5, "e30." + "[" * 9000 + ".x"]
)
def test_what_is_no_jwt_has_no_claims(token: str) -> None:
    assert token_facts(facts_of(token), SENT_NS) == []
    assert token_facts(facts_of(jwt(aud="x"), "Basic"), SENT_NS) == []
    assert token_facts({"headers": [1, ["a"], None]}, SENT_NS) == []
