"""Secrets do not show."""

from __future__ import annotations

import pytest

from mcp_inspector.config.secrets import MASK, is_secret, mask, mask_all, mask_url, mask_words


@pytest.mark.parametrize(
    "name", ["API_KEY", "x-api-key", "Authorization", "githubToken", "DB_PASSWORD", "Mcp-Session-Id"]
)
def test_sec_11_names_of_secrets(name: str) -> None:
    """SEC-11: by name, without regard to case."""
    assert is_secret(name)
    assert mask(name, "hunter2") == MASK


def test_sec_11_what_is_no_secret_stays() -> None:
    """SEC-11: a variable is not the secret."""
    assert mask_all({"PATH": "/bin", "API_KEY": "${API_KEY}", "TOKEN": ""}) == {
        "PATH": "/bin",
        "API_KEY": "${API_KEY}",
        "TOKEN": "",
    }
    assert mask("Authorization", "Bearer abc") == f"Bearer {MASK}"


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("http://h/mcp?api_key=SECRET&x=1", f"http://h/mcp?api_key={MASK}&x=1"),
        ("http://h/sse?a=1&session_id=SECRET#token=SECRET", f"http://h/sse?a=1&session_id={MASK}#token={MASK}"),
        ("http://user:SECRET@h/mcp", f"http://{MASK}@h/mcp"),
        ("http://h/mcp?q=a%20b", "http://h/mcp?q=a%20b"),
    ],
)
def test_sec_11_urls(url: str, shown: str) -> None:
    """SEC-11: query parameters and credentials of an address."""
    assert mask_url(url) == shown


def test_sec_11_command_lines() -> None:
    """SEC-11: flags, assignments and headers among arguments."""
    words = [
        "npx",
        "mcp-remote",
        "http://h/?token=SECRET",
        "--header",
        "Authorization: Bearer SECRET",
        "--api-key",
        "SECRET",
    ]
    words += ["--password=SECRET", "-e", "GH_TOKEN=SECRET", "--port", "8080", "--api-key", "--verbose", "a=b", "x"]
    shown = mask_words(words)
    assert "SECRET" not in " ".join(shown)
    assert shown[:2] == ["npx", "mcp-remote"]
    assert shown[4] == f"Authorization: Bearer {MASK}"
    assert shown[-6:] == words[-6:]
