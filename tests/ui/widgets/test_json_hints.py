"""What a value means beside its text: times, and what a signed token holds."""

from __future__ import annotations

import base64
import time

import pytest

from mcp_inspector.ui.widgets import json_hints
from mcp_inspector.ui.widgets.json_model import media_of
from mcp_inspector.ui.widgets.json_tree import JsonTree


def _part(text: bytes) -> bytes:
    return base64.urlsafe_b64encode(text).rstrip(b"=")


TOKEN = b'"' + b".".join((_part(b'{"alg":"RS256"}'), _part(b'{"sub":"me","exp":1764511325}'), b"c2ln")) + b'"'


@pytest.mark.parametrize(
    ("name", "text", "seconds"),
    [
        ("exp", b"1764511325", 1764511325),
        ("createdAt", b"1764511325123", 1764511325),
        ("created_at", b"1764511325.5", 1764511325),
        ("timestamp_ns", b"1764511325000000000", 1764511325),
        ("anything", b'"2025-11-30T14:02:05Z"', 1764511325),
        ("anything", b'"2025-11-30T15:02:05.5+01:00"', 1764511325),
    ],
)
def test_times(name, text, seconds):
    assert json_hints.moment(name, text) == time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(seconds))


@pytest.mark.parametrize(
    ("name", "text"),
    [("id", b"1764511325"), ("exp", b"12"), ("exp", b"99999999999999999"), ("format", b"1764511325"), ("a", b'"2025"')],
)
def test_what_is_no_time(name, text):
    assert json_hints.moment(name, text) == ""


def test_a_token_opens_into_its_parts(qtbot):
    assert json_hints.token(TOKEN) == b'{"header":{"alg":"RS256"},"payload":{"sub":"me","exp":1764511325}}'
    assert json_hints.token(b'"eyJ.eyJ.x"') == b""
    tree = JsonTree()
    qtbot.addWidget(tree)
    assert tree.set_json(b'{"access": ' + TOKEN + b"}")
    model = tree.model()
    index = model.index(0, 0)
    assert model.rowCount(index) == 2
    payload = model.index(1, 0, index)
    assert model.data(model.index(1, 0, payload)).startswith("exp: 1764511325 · 20")


def test_media_is_decoded(qtbot):
    tree = JsonTree()
    qtbot.addWidget(tree)
    data = bytes(range(256))
    tree.set_json(b'{"mimeType":"image/png","data":"' + base64.b64encode(data) + b'"}')
    tree.setCurrentIndex(tree.model().index(1, 0))
    assert tree.media() == data
    assert media_of(tree.model().node(tree.model().index(0, 0))) == b""
