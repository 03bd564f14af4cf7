"""A large block is decoded beside the window: a word stands there meanwhile, and only the last one wanted is shown."""

from __future__ import annotations

import base64

import pytest

from mcp_inspector.ui.models import content
from mcp_inspector.ui.views.blocks import BlockView
from mcp_inspector.ui.widgets.hex_view import HexView
from tests.ui.bench import demo_opened, until

pytestmark = pytest.mark.anyio


def blocks(*sizes: int) -> tuple[content.Block, ...]:
    parts = [
        b'{"type":"audio","mimeType":"audio/wav","data":"' + base64.b64encode(bytes([at]) * size) + b'"}'
        for at, size in enumerate(sizes)
    ]
    return content.read(b'{"content":[' + b",".join(parts) + b"]}").blocks


async def test_a_large_block_is_decoded_beside_the_window() -> None:
    async with demo_opened() as bench:
        view = BlockView(bench.window.desk, bench.window, as_bytes=True)
        view.show()
        some = blocks(9_000_000, 8_000_000, 10)
        view.show_blocks(some)
        assert view._stack.currentWidget() is view._waiting
        assert "Decoding" in view._waiting._sentence.text()
        assert not some[0].is_decoded
        view._chooser.setCurrentIndex(1)
        await until(lambda: isinstance(view._stack.currentWidget(), HexView), what="the second block")
        shown = view._stack.currentWidget()
        assert isinstance(shown, HexView)
        shown.select(0, 2)
        assert shown.selected_bytes() == b"\x01\x01"
        await until(lambda: some[0].is_decoded, what="the first block")
        assert shown.selected_bytes() == b"\x01\x01"
        view._chooser.setCurrentIndex(2)
        assert isinstance(view._stack.currentWidget(), HexView)
        view.hide()
        view.deleteLater()
