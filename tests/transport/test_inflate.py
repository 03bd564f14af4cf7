"""Decompression in bounded pieces."""

from __future__ import annotations

import gzip
import zlib

import pytest

from mcp_inspector.transport.inflate import Inflate, supported

TEXT = b"".join(b'{"n":%d}' % n for n in range(20_000))


def raw_deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(data) + packer.flush()


def undo(pieces: list[bytes], most: int, encoding: str = "deflate") -> bytes:
    inflate, out = Inflate(encoding), []
    for piece in pieces:
        inflate.feed(piece)
        while data := inflate.take(most):
            assert len(data) <= most
            out.append(data)
    return b"".join(out)


@pytest.mark.parametrize(
    "packed",
    [gzip.compress(TEXT), zlib.compress(TEXT), raw_deflate(TEXT), gzip.compress(TEXT[:99]) + gzip.compress(TEXT[99:])],
)
@pytest.mark.parametrize("step", [1, 1000, 10**7])
def test_any_cut_gives_the_same_text(packed: bytes, step: int) -> None:
    """gzip, several members, zlib and the bare deflate that some servers send."""
    assert undo([packed[i : i + step] for i in range(0, len(packed), step)], 4096) == TEXT


def test_a_bomb_comes_in_pieces() -> None:
    """SEC-08: a thousandfold expansion is taken piece by piece, as far as one wants."""
    inflate = Inflate("gzip")
    inflate.feed(gzip.compress(bytes(50 << 20)))
    assert len(inflate.take(65536)) == 65536


def test_many_empty_members_are_no_trouble() -> None:
    """SEC-08: ten thousand empty files on end before the text."""
    assert undo([gzip.compress(b"") * 10_000 + gzip.compress(b"x")], 100) == b"x"


def test_what_is_not_compressed_is_an_error() -> None:
    """HTTP-23: a body that lies about its encoding."""
    for encoding in ("gzip", "deflate"):
        with pytest.raises(zlib.error):
            undo([b'{"jsonrpc":"2.0"}'], 100, encoding)
    with pytest.raises(zlib.error):
        undo([b"{}"], 100, "gzip")


def test_only_single_known_encodings_are_undone() -> None:
    """SEC-08: no nesting."""
    assert supported("gzip")
    assert not supported("gzip, gzip")
    assert not supported("br")
