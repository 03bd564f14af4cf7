"""Results taken apart: odd blocks are flagged one by one, nothing raises, names for files are safe."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest

from mcp_inspector.ui.models import content
from mcp_inspector.ui.models.content import Sort, file_name


def read(**result: Any) -> content.Result:
    """A result from Python values."""
    return content.read(json.dumps(result).encode())


@pytest.mark.parametrize(
    ("blob", "data", "flagged"),
    [
        ("YWI=", b"ab", False),
        ("YQ", b"a", True),
        ("_-8=", b"\xff\xef", True),
        ("YW\nJj", b"abc", True),
        ("not base64!", None, True),
        ("", b"", False),
    ],
)
def test_blobs_are_decoded_leniently_and_flagged(blob: str, data: bytes | None, flagged: bool) -> None:
    """RES-04"""
    block = read(contents=[{"uri": "x://1", "blob": blob}]).blocks[0]
    assert bool(block.flags) is flagged
    decoded = block.data
    if data is not None:
        assert decoded == data


def test_text_and_blob_neither_and_no_uri_are_said() -> None:
    """RES-04"""
    both, neither, nameless = read(
        contents=[{"uri": "x://4", "text": "a", "blob": "Yg=="}, {"uri": "x://5"}, {"text": "t"}]
    ).blocks
    assert both.flags == ('it has both "text" and "blob"',)
    assert both.text == "a"
    assert neither.sort is Sort.OTHER
    assert nameless.flags == ('it has no "uri"',)


@pytest.mark.parametrize("raw", [b"null", b"[]", b'"x"', b"5", b"{}", b'{"content": 5}', b'{"content": {}}', b"\xff"])
def test_results_of_any_shape_are_taken(raw: bytes) -> None:
    """QT-05"""
    result = content.read(raw)
    assert isinstance(result.blocks, tuple)


def test_unknown_blocks_keep_their_text() -> None:
    (block,) = read(content=[{"type": "hologram", "data": 1}]).blocks
    assert block.sort is Sort.OTHER
    assert '"hologram"' in block.text
    assert "hologram" in block.flags[0]


def test_prompt_messages_of_any_kind_are_shown() -> None:
    """PRM-02"""
    messages = [
        {"role": "user", "content": {"type": "resource", "resource": {"uri": "x://1", "blob": "AA=="}}},
        {"role": "system", "content": {"type": "text", "text": "s"}},
        {"role": "assistant", "content": [{"type": "text", "text": "x"}]},
        {"role": "user", "content": "bare"},
        {"role": "user"},
        5,
    ]
    result = read(messages=messages)
    assert len(result.messages) == 6
    assert result.messages[0].flags == ()
    assert "system" in result.messages[1].flags[0]
    assert "array" in result.messages[2].flags[0]
    assert result.messages[2].blocks[0].text == "x"
    assert result.messages[3].blocks[0].text == "bare"
    assert read(messages=[]).messages == ()


def test_structured_null_is_not_absent() -> None:
    assert read(content=[]).structured is None
    assert read(content=[], structuredContent=None).structured == b"null"


@pytest.mark.parametrize(
    ("uri", "mime", "name"),
    [
        ("file:///a/../../.bashrc", "text/plain", "bashrc.txt"),
        ("x://h/..%2f..%2fetc", "", "etc.bin"),
        ("C:\\Windows\\x", "", "x.bin"),
        ("x://h/CON", "text/plain", "binary.txt"),
        ("x://h/a\u0000b", "", "a_b.bin"),
        ("x://h/cron.d/", "", "cron.d"),
        ("x://h/evil\u202egpj.exe", "", "evil_gpj.exe"),
        ("x://h/" + "n" * 300, "image/png", "n" * 100 + ".png"),
        ("", "application/json", "binary.json"),
        ("x://h/photo", "image/jpeg", "photo.jpg"),
    ],
)
def test_proposed_file_names_stay_in_the_folder(uri: str, mime: str, name: str) -> None:
    """SEC-06"""
    blob = base64.b64encode(b"x").decode()
    (block,) = read(contents=[{"uri": uri, "blob": blob, "mimeType": mime}]).blocks
    proposed = file_name(block)
    assert proposed.endswith(name.rpartition(".")[2])
    assert not set(proposed) & set('/\\\x00<>:"|?*\u202e')
    assert not proposed.startswith(".")
    assert proposed.partition(".")[0].lower() not in ("con", "prn", "aux", "nul")
    assert len(proposed) <= 110


@pytest.mark.parametrize("size", [0, 1, 2, 3, 5, (1 << 18) * 3 // 4, (1 << 18) * 3 // 4 + 1, 700_001])
def test_base64_is_decoded_in_steps_to_the_same_bytes(size: int) -> None:
    data = bytes(number * 7 % 256 for number in range(size))
    coded = base64.b64encode(data)
    block = content.read(b'{"content":[{"type":"audio","mimeType":"audio/wav","data":"' + coded + b'"}]}').blocks[0]
    assert not block.is_decoded
    assert block.data == data
    assert block.is_decoded


@pytest.mark.parametrize(
    ("coded", "data"),
    [
        (b"QUJD\\/\\/8=", b"ABC\xff\xff"),
        (b"QUI", b"AB"),
        (b"QQ==QUJD", None),
        (b"Q U J D", b"ABC"),
        (b"-_-_", b"\xfb\xff\xbf"),
    ],
)
def test_base64_that_is_not_strict_is_decoded_as_far_as_it_can_be(coded: bytes, data: bytes | None) -> None:
    block = content.read(b'{"content":[{"type":"audio","mimeType":"audio/wav","data":"' + coded + b'"}]}').blocks[0]
    assert block.data == (content.decode_base64(block.encoded)[0] if data is None else data)
    assert data is None or block.data == data
