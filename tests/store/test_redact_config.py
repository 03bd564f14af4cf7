"""Secrets of a configuration do not show, variables in their place do."""

from __future__ import annotations

import pytest

from mcp_inspector.store.redact import MASK, redact_headers, redact_text, redact_value


def test_sec_11_a_variable_is_not_the_secret() -> None:
    """SEC-11."""
    given = {"PATH": "/bin", "API_KEY": "${API_KEY}", "TOKEN": "abc", "Authorization": "Bearer ${TOKEN}"}
    assert dict(redact_headers(given.items())) == {**given, "TOKEN": MASK}
    assert redact_value("${KEY}", "api_key") == "${KEY}"
    assert redact_text("--token ${TOKEN} --token abc").text == f"--token ${{TOKEN}} --token {MASK}"


@pytest.mark.parametrize(
    "url",
    [
        "http://h/mcp?api_key=SECRET&x=1",
        "http://h/sse?a=1&session_id=SECRET#token=SECRET",
        "http://user:SECRET@h/mcp",
    ],
)
def test_sec_11_addresses(url: str) -> None:
    """SEC-11: query parameters and credentials of an address."""
    shown = redact_text(url).text
    assert "SECRET" not in shown
    assert shown.startswith("http://")
    assert redact_text("http://h/mcp?q=a%20b").text == "http://h/mcp?q=a%20b"


def test_sec_11_command_lines() -> None:
    """SEC-11: flags, assignments and headers among arguments."""
    words = ["npx", "http://h/?token=SECRET", "--header", "Authorization: Bearer SECRET", "--api-key", "SECRET"]
    words += ["--password=SECRET", "-e", "GH_TOKEN=SECRET", "--port", "8080", "--api-key", "--verbose", "a=b", "x"]
    shown = redact_value(words)
    assert "SECRET" not in " ".join(shown)
    assert shown[0] == "npx"
    assert shown[-6:] == words[-6:]
