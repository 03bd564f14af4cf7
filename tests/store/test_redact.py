"""Masking: what is a secret by its name or its looks, and that no text makes it slow."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_inspector.store.redact import MASK, is_secret_name, redact_facts, redact_headers, redact_text, redact_value


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ('{"api_key":"abc\\"def","x":1}', '{"api_key":"•••","x":1}'),
        ('{"token" : 12345, "progressToken":5}', '{"token" : •••, "progressToken":5}'),
        ('{"maxTokens":100,"author":"Bob","keys":"a","keyword":"b"}', None),
        ('{"key":"PROJ-1"}', None),
        ('{"token":{"type":"string"},"required":["token"]}', None),
        ('{"password":"', None),
        ('{"password":"never closed', '{"password":"•••'),
        (
            r'{"text":"{\"password\":\"hu\\\"nter\",\"a\":1}"}',
            r'{"text":"{\"password\":\"•••\",\"a\":1}"}',
        ),
        ("{'api_token': 'zz', 'a': 'b'}", "{'api_token': '•••', 'a': 'b'}"),
        ("Authorization: Bearer abc.def", "Authorization: Bearer •••"),
        ("> X-Api-Key: v\n> Accept: */*", "> X-Api-Key: •••\n> Accept: */*"),
        ("Cookie: a=b; c=d\r\nHost: x", "Cookie: •••\r\nHost: x"),
        ("Set-Cookie: sid=1; Path=/", "Set-Cookie: •••"),
        ("error: unexpected token: foo", None),
        ("GET /x?key=AIza&b=1&access_token=zz#f", "GET /x?key=•••&b=1&access_token=•••#f"),
        ("postgres://me:pa55@host/db", "postgres://me:•••@host/db"),
        ("http://host:8080/a@b", None),
        ("GITHUB_TOKEN=ghp_1 HOME=/root", "GITHUB_TOKEN=••• HOME=/root"),
        ("srv --api-key abc --verbose yes --token=x", "srv --api-key ••• --verbose yes --token=•••"),
        ("sent Bearer abcdefghijkl.mno", "sent Bearer •••"),
        ("the bearer of news", None),
        ("got eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln here", "got ••• here"),
        ("uses sk-abcdefghijklmnopqrstuvwx and ghp_abcdefghijklmnopqrst", "uses ••• and •••"),
        ("risk-management, task-1", None),
        ("", None),
    ],
)
def test_secrets_in_a_text_are_masked(text: str, shown: str | None) -> None:
    done = redact_text(text)
    assert done.text == (text if shown is None else shown)
    assert len(done.masked) == done.text.count(MASK)


def test_masked_places_point_into_the_original() -> None:
    text = 'curl -H "Authorization: Bearer s3cret" https://x/?session=abc'
    done = redact_text(text)
    assert [(place.name, text[place.start : place.stop]) for place in done.masked] == [
        ("Authorization", "s3cret"),
        ("session", "abc"),
    ]


def test_nested_json_strings_are_masked_at_any_depth() -> None:
    value: object = {"client_secret": "deep"}
    for _ in range(5):
        value = {"t": json.dumps(value)}
        assert "deep" not in redact_text(json.dumps(value)).text


@given(
    st.text(alphabet='abc"\\ \n=:{}', min_size=1, max_size=20), st.sampled_from(["api_key", "clientSecret", "PASSWORD"])
)
def test_no_value_behind_a_secret_name_gets_out(value: str, name: str) -> None:
    secret = f"S3CRET{value}S3CRET"
    for text in (json.dumps({name: secret}), json.dumps({"text": json.dumps({"a": [{name: secret}]})})):
        assert "S3CRET" not in redact_text(text).text


@given(st.dictionaries(st.sampled_from(["a", "token", "b"]), st.integers() | st.text(max_size=5), max_size=3))
def test_masked_json_stays_json(value: dict[str, object]) -> None:
    text = redact_text(json.dumps(value)).text.replace(f": {MASK}", f': "{MASK}"')
    assert set(json.loads(text)) == set(value)


@pytest.mark.parametrize(
    "name",
    [
        "Authorization",
        "x-api-key",
        "access_token",
        "clientSecret",
        "SESSION",
        "Mcp-Session-Id",
        "OPENAI_API_KEY",
        "apikey",
        "db.password",
    ],
)
def test_secret_names(name: str) -> None:
    assert is_secret_name(name)


@pytest.mark.parametrize(
    "name",
    ["key", "author", "monkey", "progressToken", "max_tokens", "tokenizer", "design", "passive", "", "primary_key"],
)
def test_harmless_names(name: str) -> None:
    assert not is_secret_name(name)
    assert is_secret_name("key", strict=True)


def test_headers_keep_their_scheme_and_what_is_harmless() -> None:
    headers = [
        ("Authorization", "Bearer abc"),
        ("Mcp-Session-Id", "s1"),
        ("Content-Type", "application/json"),
        ("Location", "https://x/cb?code=1&token=2"),
    ]
    masked: list[str] = []
    assert redact_headers(headers, masked) == [
        ("Authorization", f"Bearer {MASK}"),
        ("Mcp-Session-Id", MASK),
        ("Content-Type", "application/json"),
        ("Location", f"https://x/cb?code=1&token={MASK}"),
    ]
    assert masked == ["Authorization", "Mcp-Session-Id", "token"]


def test_facts_of_a_record_are_masked() -> None:
    facts = {
        "argv": ["srv", "--token", "abc", "--x=1", "--api-key=zz", "-v"],
        "env": {"FOO_SECRET": "1", "HOME": "/x"},
        "headers": [["Cookie", "x"], ["A", "b"]],
        "pid": 5,
        "sentence": "The URL http://u:p@x/ refused.",
        "token": True,
    }
    masked: list[str] = []
    assert redact_facts(facts, masked) == redact_value(facts)
    assert masked == ["token", "api-key", "FOO_SECRET", "Cookie", "token"]
    assert redact_value(facts) == {
        "argv": ["srv", "--token", MASK, "--x=1", f"--api-key={MASK}", "-v"],
        "env": {"FOO_SECRET": MASK, "HOME": "/x"},
        "headers": [["Cookie", MASK], ["A", "b"]],
        "pid": 5,
        "sentence": f"The URL http://u:{MASK}@x/ refused.",
        "token": True,
    }


HOSTILE = {
    "quotes": '"',
    "escaped quotes": '\\"',
    "backslashes": "\\",
    "name": "a",
    "pairs": "a=",
    "spaces": " ",
    "dashes": "-",
    "options": " --token",
    "bearers": "Bearer ",
    "userinfo": "://a:",
    "jwt": "eyJ",
    "lines": "token: a ",
    "open values": '"token":"x',
    "nested": '\\"token\\":\\"',
    "colons": 'a: "b": ',
}


@pytest.mark.parametrize("piece", HOSTILE.values(), ids=HOSTILE)
def test_time_grows_with_the_text_and_no_faster(piece: str) -> None:
    """A quadratic expression would take sixty-four times as long for eight times the text."""
    tail = ' "token": "x" key eyJ sk-x @ bearer basic'

    def seconds(count: int) -> float:
        text = '"token":"' + piece * count + tail
        best = 60.0
        for _ in range(3):
            began = time.process_time()
            redact_text(text)
            best = min(best, time.process_time() - began)
        return best

    small = max(seconds(2_000), 0.0005)
    assert seconds(16_000) < small * 30
