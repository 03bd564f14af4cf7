"""What is said of an address before anybody opens it."""

from __future__ import annotations

import pytest

from mcp_inspector.ui.models.web_address import read


@pytest.mark.parametrize(
    ("text", "host", "can_open", "words"),
    [
        ("https://example.com/?topic=x", "example.com", True, ()),
        ("https://EXAMPLE.com:8443/example.com", "EXAMPLE.com", True, ("unusual port 8443",)),
        ("https://example.com@evil.org/", "evil.org", True, ("user name; the page is at evil.org",)),
        ("http://localhost:3000/x", "localhost", True, ()),
        ("http://example.com/", "example.com", True, ("not encrypted",)),
        ("https://xn--pple-43d.com/", "xn--pple-43d.com", True, ("punycode", "аpple.com")),
        ("https://аpple.com/", "аpple.com", True, ("beyond ASCII",)),
        ("https://10.1.2.3/", "10.1.2.3", True, ("bare number",)),
        ("https://2130706433/", "2130706433", True, ("unusual spelling",)),
        ("javascript:alert(1)", "", False, ("not http or https",)),
        ("file:///etc/passwd", "", False, ("not http or https",)),
        ("https:///nowhere", "", False, ("no host",)),
        ("https://[::1", "", False, ("cannot be read",)),
        ("https://exam\u202eple.com/", "exam\u202eple.com", False, ("hidden characters",)),
        ("https://good.com\\@evil.org/", "evil.org", False, ("backslashes",)),
        ("", "", False, ("not http or https",)),
    ],
)
def test_an_address_is_read_and_judged(text: str, host: str, can_open: bool, words: tuple[str, ...]) -> None:
    found = read(text)
    assert found.can_open is can_open
    assert found.text[found.start : found.stop] == host
    said = " ".join(found.warnings)
    for word in words:
        assert word in said
    if not words:
        assert found.warnings == ()
