"""What the Raw tab warns of: everything that another reader would trip over or change."""

from __future__ import annotations

import pytest

from mcp_inspector.ui.models.byte_warnings import byte_warnings


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"\xef\xbb\xbf{}", ["byte order mark"]),
        (b"{}\r", ["CRLF"]),
        (b'{"a":\r1}', ["CR at offset 5"]),
        (b'{"a":"\xff"}', ["not UTF-8: byte 0xFF at offset 6"]),
        (b'{"a":"\x00"}', ["NUL byte at offset 6"]),
        (b'{"a":{"b":1,"b":2}}', ["/a/b stands there again at character 12"]),
        (b'{"n":9007199254740993}', ["9007199254740993 is changed", "9007199254740992"]),
        (b'{"n":1e400}', ["1e400 is changed", "none can hold it"]),
        (b'{"n":-123456789012345678901234567890}', ["is changed"]),
    ],
)
def test_what_is_odd(data, words):
    sentences = byte_warnings(data)
    assert len(sentences) == 1
    assert all(word in sentences[0] for word in words)


@pytest.mark.parametrize(
    "data",
    [b'{"a":9007199254740992,"b":1.0,"c":0.1,"d":1e3,"e":"9007199254740993","f":1e22}', b"[]", b"no json", b""],
)
def test_what_is_not(data):
    assert byte_warnings(data) == []


def test_many_are_counted():
    assert byte_warnings(b"[" + b",".join([b"9007199254740993"] * 10) + b"]")[-1] == "7 more numbers would be changed."
