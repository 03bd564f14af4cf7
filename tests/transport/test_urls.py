"""URLs: what is sent is what was typed."""

from __future__ import annotations

import pytest

from mcp_inspector.transport.base import Fault, FaultKind
from mcp_inspector.transport.urls import parse


@pytest.mark.parametrize(
    ("text", "target", "authority"),
    [
        ("http://127.0.0.1:8000/Api/MCP/?key=a%2Fb&x=", "/Api/MCP/?key=a%2Fb&x=", "127.0.0.1:8000"),
        ("  HTTP://Example.COM/Mcp#frag \n", "/Mcp", "example.com"),
        ("http://h", "/", "h"),
        ("http://h:80/%7e%41%2f/../x/", "/%7e%41%2f/../x/", "h"),
        ("https://h:443?a=1", "/?a=1", "h"),
        ("https://h:8443/a b/ü?q=ü", "/a%20b/%C3%BC?q=%C3%BC", "h:8443"),
        ("http://[::1]:9/mcp", "/mcp", "[::1]:9"),
        ("http://bücher.example/", "/", "xn--bcher-kva.example"),
        ("http://h/a;b=c,d@e:f|g\\h'()*!$&+=~", "/a;b=c,d@e:f|g\\h'()*!$&+=~", "h"),
    ],
)
def test_the_target_is_kept(text: str, target: str, authority: str) -> None:
    """HTTP-12: case, slashes, escapes and query untouched; white space trimmed; the fragment is not sent."""
    parsed = parse(text)
    assert (parsed.target, parsed.authority) == (target, authority)
    assert parsed.text.endswith(target)
    assert parse(parsed.text) == parsed


def test_credentials_are_taken_out_of_what_is_shown() -> None:
    """A password in the URL becomes a header and is in no text."""
    parsed = parse("http://me:p%40ss@h/x")
    assert parsed.authorization == "Basic bWU6cEBzcw=="
    assert parsed.text == "http://h/x"


@pytest.mark.parametrize(
    "text", ["", "   ", "h/mcp", "ftp://h/", "http://", "http://h:port/", "http://[::1", "file:///etc"]
)
def test_what_is_no_web_address_is_said(text: str) -> None:
    """A fault of kind USAGE with a sentence and a hint."""
    with pytest.raises(Fault) as raised:
        parse(text)
    assert raised.value.kind is FaultKind.USAGE
    assert raised.value.hint


def test_references_resolve_and_origins_compare() -> None:
    """Endpoints and redirects: relative or absolute, compared by scheme, host and port."""
    base = parse("http://127.0.0.1:8000/a/sse?x=1")
    assert base.join("/messages?session_id=A%2FB").target == "/messages?session_id=A%2FB"
    assert base.join("m").target == "/a/m"
    assert base.join("http://127.0.0.1:8000/m").origin == base.origin
    for other in ("http://localhost:8000/m", "https://127.0.0.1:8000/m", "http://127.0.0.1:8001/m", "//evil.example/m"):
        assert base.join(other).origin != base.origin
