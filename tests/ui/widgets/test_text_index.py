"""Lines and rows of bytes, however they are read."""

from hypothesis import given
from hypothesis import strategies as st

from mcp_inspector.ui.widgets.text_index import LineIndex

LONG = 10**12

texts = st.lists(st.sampled_from([b"\n", b"a", b"bc\n", "é".encode(), "漢字".encode(), "😀".encode(), b"x" * 40])).map(
    b"".join
)


@given(texts, st.integers(4, 30))
def test_rows_cover_every_byte_once_and_never_split_a_character(data, width):
    index = LineIndex(data, width)
    index.grow(LONG)
    place = 0
    for row in range(index.rows):
        line, part = index.locate(row)
        start, end = index.row_span(line, part)
        if part == 0:
            assert start == index.span(line)[0]
            assert start == place or data[place:start] == b"\n"
        else:
            assert start == place
        data[start:end].decode()
        assert end - start <= width + 3
        place = end
    assert data[place:] in (b"", b"\n")


@given(texts, st.integers(4, 30))
def test_a_byte_is_found_in_the_row_that_holds_it(data, width):
    index = LineIndex(data, width)
    index.grow(LONG)
    for row in range(index.rows):
        start, end = index.row_span(*index.locate(row))
        if start < end:
            assert index.row_at(start) == row
            assert index.row_at(end - 1) == row


@given(texts, st.integers(4, 30), st.integers(4, 30))
def test_another_width_is_the_same_as_starting_with_it(data, before, after):
    changed, fresh = LineIndex(data, before), LineIndex(data, after)
    changed.grow(LONG)
    fresh.grow(LONG)
    changed.set_width(after)
    assert changed.rows == fresh.rows


@given(st.lists(texts, max_size=5))
def test_text_that_comes_in_pieces_has_the_same_lines(pieces):
    grown = LineIndex()
    for piece in pieces:
        grown.append(piece)
        grown.grow(LONG)
    whole = LineIndex(b"".join(pieces))
    whole.grow(LONG)
    assert grown.lines == whole.lines
    assert [grown.span(line) for line in range(grown.lines)] == [whole.span(line) for line in range(whole.lines)]


def test_many_lines_with_some_long_ones():
    data = b"\n".join(b"y" * (3000 if number % 500 == 7 else 20) for number in range(5000)) + b"\n"
    index = LineIndex(data, 100)
    index.grow(LONG)
    assert index.lines == 5000
    assert index.rows == 4990 + 10 * 30
    assert index.locate(index.rows - 1) == (4999, 0)
    assert index.locate(7 + 29) == (7, 29)


def test_a_first_look_does_not_need_the_rest():
    index = LineIndex(b"line\n" * 200_000)
    assert not index.grow(LONG, until=1000)
    assert index.rows > 100
    assert index.grow(LONG)
    assert index.lines == 200_000


@given(texts, st.integers(4, 12), st.data())
def test_folded_lines_cover_every_byte_too_and_open_to_what_they_were(data, width, draw):
    folded, plain = LineIndex(data, width, fold=True), LineIndex(data, width)
    folded.grow(LONG)
    plain.grow(LONG)
    place = 0
    for row in range(folded.rows):
        line, part = folded.locate(row)
        start, end = folded.row_span(line, part)
        assert start == place or data[place:start] == b"\n"
        if start < end:
            assert folded.row_at(start) == row
        place = end
    assert data[place:] in (b"", b"\n")
    for line in range(folded.lines):
        folded.open(line)
    assert folded.rows == plain.rows


def test_opening_a_fold_moves_everything_below_it():
    data = b"\n".join([b"a"] * 400 + [b"y" * 5000] + [b"b"] * 400)
    index = LineIndex(data, 100, fold=True)
    index.grow(LONG)
    below = index.row_at(len(data) - 1)
    assert below == 400 + 3 + 399
    index.open(400)
    assert index.row_at(len(data) - 1) == 400 + 50 + 399
    assert index.rows == 400 + 50 + 400
