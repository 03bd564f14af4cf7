"""The filter line: what it means, where it is wrong, and that rows pass as the plain reading of it says."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from store_entries import LOCAL, MILLISECOND, RECEIVED, entry, event, request, response

from mcp_inspector.store.completion import completions, exactly
from mcp_inspector.store.exchanges import FAILED, Exchange, Exchanges
from mcp_inspector.store.filter import Filter
from mcp_inspector.store.log import Log
from mcp_inspector.store.query import FIELDS, And, Node, Not, Or, QueryError, Range, Term, Text, Words, parse
from mcp_inspector.store.record import Channel

if TYPE_CHECKING:
    from pathlib import Path


def shape(node: Node) -> object:
    """A tree in short, for comparing."""
    if isinstance(node, And):
        return ["and", *map(shape, node.parts)]
    if isinstance(node, Or):
        return ["or", *map(shape, node.parts)]
    if isinstance(node, Not):
        return ["not", shape(node.part)]
    name = node.field.name if node.field else ""
    if isinstance(node.test, Text):
        kind = ("/" if node.test.needle.regex else "") + ("=" if node.test.whole else "")
        return name + ":" + kind + node.test.needle.text
    if isinstance(node.test, Range):
        return (name, node.test.low, node.test.high)
    return (name, *sorted(node.test.words))


MOST = 2**63 - 1


@pytest.mark.parametrize(
    ("line", "meaning"),
    [
        ("", ["and"]),
        ("   ", ["and"]),
        ("echo", ":echo"),
        ("a b", ["and", ":a", ":b"]),
        ("a or b c", ["or", ":a", ["and", ":b", ":c"]]),
        ("a OR b", ["or", ":a", ":b"]),
        ("(a or b) c", ["and", ["or", ":a", ":b"], ":c"]),
        ("-a -(b c)", ["and", ["not", ":a"], ["not", ["and", ":b", ":c"]]]),
        ("--a", ["not", ["not", ":a"]]),
        ("orange for or-b", ["and", ":orange", ":for", ":or-b"]),
        ("method:tools/call", "method:tools/call"),
        ("METHOD:ping", "method:ping"),
        ("method:=ping", "method:=ping"),
        ("method:*list", "method:/=(?s:.*list)"),
        ('method:="a *b"', "method:=a *b"),
        ('target:"two words" x', ["and", "target:two words", ":x"]),
        ('"or"', ":or"),
        (r'"say \"hi\" \\"', ':say "hi" \\'),
        ('target:""', "target:="),
        ("/time ?out/", ":/time ?out"),
        (r"/a\/b/", ":/a/b"),
        ("server:/^git/", "server:/^git"),
        ("/usr/bin/env", ":/usr/bin/env"),
        ("file:///a/b", ":file:///a/b"),
        ("http://x/?a=b:c", ":http://x/?a=b:c"),
        ("12:30", ":12:30"),
        ("(target:f(x))", "target:f(x)"),
        ("a) b", ["and", ":a)", ":b"]),
        ("dir:sent", ("dir", "sent")),
        ("dir:in", ("dir", "received")),
        ("kind:not", ("kind", "notification")),
        ("kind:std", ("kind", "stderr", "stdout")),
        ("status:error", ("status", "error", "tool error")),
        ("status:=error", ("status", "error")),
        ("status:tool-error", ("status", "tool error")),
        ('status:"timed out"', ("status", "timed out")),
        ("status:404", ("status", 404, 404)),
        ("status:-32601", ("status", -32601, -32601)),
        ("status:>=400", ("status", 400, MOST)),
        ("status:400..499", ("status", 400, 499)),
        ("dur:>500", ("dur", 500 * MILLISECOND + 1, MOST)),
        ("dur:500", ("dur", 500 * MILLISECOND, MOST)),
        ("dur:<1.5s", ("dur", -MOST, 1_500 * MILLISECOND - 1)),
        ("dur:<=20µs", ("dur", -MOST, 20_000)),
        ("dur:1..2s", ("dur", 10**9, 2 * 10**9)),
        ("size:>10k", ("size", 10_001, MOST)),
        ("size:<1MiB", ("size", -MOST, (1 << 20) - 1)),
        ("size:=0", ("size", 0, 0)),
        ("size:>99999999999999999999999g", ("size", MOST, MOST)),
        ("has:finding", ("has", "finding")),
        ("has:faults", ("has", "finding")),
        ("id:5", "id:=5"),
        ("body:zebra", "body:zebra"),
    ],
)
def test_what_a_line_means(line: str, meaning: object) -> None:
    assert shape(parse(line)) == meaning


@pytest.mark.parametrize(
    ("line", "place", "sentence"),
    [
        ("ping methd:x", (5, 5), "There is no field “methd”. The fields are server, method"),
        ("a method:", (2, 7), "“method:” needs a value: the method"),
        ("a or", (2, 2), "needs something on both sides"),
        ("or a", (0, 2), "needs something on both sides"),
        ("(a or) b", (3, 2), "needs something on both sides"),
        ("a (b c", (2, 1), "This parenthesis is not closed"),
        ("b )", (2, 1), "This parenthesis closes nothing"),
        ('x "abc', (2, 4), "This quote is not closed"),
        ("x - y", (2, 1), "needs something to leave out"),
        ("/a(/", (2, 1), "The regular expression is not valid: missing ), unterminated subpattern"),
        ("kind:elephant", (5, 8), "“elephant” is nothing that kind can be: request, notification"),
        ("dur:>fast", (4, 5), "“>fast” is no number for dur: how long it took"),
        ("dur:>5parsecs", (4, 9), "“parsecs” is no unit for dur; the units are ns, us"),
        ("status:>4k", (7, 3), "“k” is no unit for status; it has none"),
        ("-" * 60 + "a", (50, 1), "nested too deeply"),
    ],
)
def test_where_a_line_is_wrong(line: str, place: tuple[int, int], sentence: str) -> None:
    with pytest.raises(QueryError) as caught:
        parse(line)
    assert (caught.value.position, caught.value.length) == place
    assert sentence in caught.value.sentence


@given(st.text(alphabet='ab -():"/\\=*<>.0159msk orduribzehtgandx\n\u00e9', max_size=30))
def test_a_line_is_understood_or_refused_at_a_place_in_it(line: str) -> None:
    refused = None
    try:
        parse(line)
    except QueryError as error:
        refused = error
    if refused is not None:
        assert 0 <= refused.position <= len(line)
        assert refused.length >= 1
        assert refused.sentence.endswith(".")


@given(st.sampled_from(["server", "method", "target", "note"]), st.text(min_size=1, max_size=12))
def test_filter_by_this_cell_finds_this_value(name: str, value: str) -> None:
    node = parse(exactly(name, value))
    assert isinstance(node, Term)
    assert isinstance(node.test, Text)
    assert node.test.whole
    assert node.test.matches(value)
    assert not node.test.matches(value + "x")


SESSION = [
    request(1, at=0, data=b"x" * 100),
    response(1, at=700, data=b'{"result":"zebra"}'),
    request("abc", at=0, method="resources/read", target="file:///Data/Größe.txt", server="github"),
    response("abc", at=3, server="github", kind="error", status=-32002, data=b"no such RESOURCE"),
    event("started", facts={"argv": ["python", "-m", "server"]}),
    entry(channel=Channel.STDERR, kind="line", method="", data="Traceback: Größe zu groß".encode()),
    entry(channel=Channel.HTTP, direction=LOCAL, kind="response", method="POST", status=503, target="http://x/mcp"),
    request(2, at=0, method="ping", target="", server="github"),
    event("timeout", at=60_000, call=8, server="github", facts={"sentence": "github did not answer."}),
    request(3, at=5, faults=("odd",)),
    response(3, at=6, facts={"tool_error": True}, data="Zebra ü".encode()),
    entry(method="notifications/progress", call=10),
    request(3, direction=RECEIVED, method="sampling/createMessage", target=""),
    entry(kind="invalid", method="", data=b"{oops", id="", faults=("is not JSON",)),
    response(77),
]


def session(log: Log | None = None) -> Exchanges:
    exchanges = Exchanges(log or Log())
    for item in SESSION:
        exchanges.log.append(item)
        exchanges.update()
    return exchanges


@pytest.mark.parametrize(
    ("line", "rows"),
    [
        ("", list(range(10))),
        ("method:tools/call", [0, 6, 9]),
        ("server:github", [1, 5]),
        ("github -ping", [1]),
        ("target:GRÖSSE", []),
        ("target:größe", [1]),
        ("größe", [1, 3]),
        ("traceback", [3]),
        ("note:/ZU gro/", [3]),
        ("note:=github*", []),
        ("note:github*", [5]),
        ("python", [2]),
        ("status:ok", [0]),
        ("status:failed", [1, 4, 5, 6, 8]),
        ("status:error", [1, 4, 6]),
        ("status:pending", [7]),
        ("status:late", [9]),
        ("status:>=500", [4]),
        ("status:-32002", [1]),
        ("dur:>500", [0, 5]),
        ("dur:<5", [1, 6]),
        ("dur:0..1h", [0, 1, 5, 6]),
        ("size:>110", [0]),
        ("kind:http or kind:lifecycle", [2, 4]),
        ("dir:received kind:request", [7]),
        ("dir:local", [2, 4]),
        ("id:3", [6, 7]),
        ("id:abc", [1]),
        ('id:"\\"abc\\""', [1]),
        ("id:/^[0-9]+$/ method:ping", [5]),
        ("has:finding", [6, 8]),
        ("has:reply", [0, 1, 6]),
        ("has:progress", [6]),
        ("has:note -has:reply", [2, 3, 5]),
        ("body:zebra", [0, 6]),
        ("body:resource -body:zebra", [1]),
        ("body:/z.bra/ status:ok", [0]),
        ("body:oops or ping", [5, 8]),
        ("-(server:github or kind:request)", [2, 3, 4, 8, 9]),
    ],
)
def test_which_rows_pass(line: str, rows: list[int]) -> None:
    exchanges = session()
    chosen = Filter(parse(line), exchanges)
    assert list(chosen.rows()) == rows
    assert [row for row in range(len(exchanges)) if chosen.matches(row)] == rows
    assert list(chosen.rows(2, 6)) == [row for row in rows if 2 <= row < 6]
    assert [row for step in Filter(parse(line), exchanges).scan() for row in step.rows] == rows
    assert [step.total - step.done for step in Filter(parse(line), exchanges).scan()][-1] == 0


@pytest.mark.parametrize(
    "line", ["größe or python", "id:3", "body:zebra", "status:pending", "has:progress", "/^github/"]
)
def test_a_filter_goes_on_where_it_was_as_rows_come_and_change(line: str) -> None:
    exchanges = Exchanges(Log())
    chosen = Filter(parse(line), exchanges)
    shown: set[int] = set()
    for item in SESSION:
        exchanges.log.append(item)
        changes = exchanges.update()
        shown |= set(chosen.rows(changes.start, changes.stop))
        for row in changes.updated:
            (shown.add if chosen.matches(row) else shown.discard)(row)
    assert sorted(shown) == list(Filter(parse(line), exchanges).rows())


def test_bodies_are_looked_through_on_disk_as_in_memory(tmp_path: Path) -> None:
    log = Log.create(tmp_path)
    exchanges = session(log)
    assert log.flush()
    chosen = Filter(parse("body:zebra"), exchanges)
    assert chosen.reads_bodies
    assert list(chosen.rows()) == [0, 6]
    log.append(entry(data=b"another ZEBRA"))
    exchanges.update()
    assert list(chosen.rows()) == [0, 6, 10]
    log.close()


def test_no_rows_at_all() -> None:
    exchanges = Exchanges(Log())
    for line in ("", "a", "body:a", "id:1", "dur:>5"):
        assert [(len(step.rows), step.done, step.total) for step in Filter(parse(line), exchanges).scan()] == [
            (0, 0, 0)
        ]


words = st.sampled_from(["a", "b", "ab", "b/a", "Ab"])
rows_strategy = st.lists(
    st.one_of(
        st.builds(
            request, st.integers(0, 9), server=words, method=words, target=words, at=st.integers(0, 9), data=st.binary()
        ),
        st.builds(response, st.integers(0, 9), server=words, at=st.integers(9, 20), call=st.integers(0, 20)),
        st.builds(entry, channel=st.just(Channel.STDERR), kind=st.just("line"), data=words.map(str.encode)),
    ),
    max_size=25,
)
terms = st.one_of(
    words,
    st.builds("{}:{}".format, st.sampled_from(["server", "method", "target", "note"]), words),
    st.builds("{}:={}".format, st.sampled_from(["server", "method", "target"]), words),
    st.builds("dur:{}{}".format, st.sampled_from([">", "<", ">=", "<="]), st.integers(0, 15)),
    st.builds("size:{}{}".format, st.sampled_from([">", "<"]), st.integers(0, 40)),
    st.builds("id:{}".format, st.integers(0, 9)),
    st.builds("status:{}".format, st.sampled_from(["ok", "pending", "failed", "info"])),
    st.builds("kind:{}".format, st.sampled_from(["request", "stderr"])),
)
lines = st.recursive(
    terms,
    lambda inner: st.one_of(
        inner.map("-({})".format),
        st.builds("({}) ({})".format, inner, inner),
        st.builds("({}) or {}".format, inner, inner),
    ),
    max_leaves=6,
)


def passes(node: Node, row: Exchange, ids: set[str]) -> bool:
    """The plain reading of a query, row by row; `ids` are those of the row's messages."""
    if isinstance(node, And):
        return all(passes(part, row, ids) for part in node.parts)
    if isinstance(node, Or):
        return any(passes(part, row, ids) for part in node.parts)
    if isinstance(node, Not):
        return not passes(node.part, row, ids)
    test = node.test
    name = node.field.name if node.field else ""
    if isinstance(test, Words):
        if name == "kind":
            return row.kind.name.lower() in test.words
        return row.state.word in test.words or ("failed" in test.words and row.state in FAILED)
    if isinstance(test, Range):
        number = row.elapsed_ns if name == "dur" else row.size
        return number is not None and test.low <= number <= test.high
    if name == "id":
        return test.needle.text in ids
    texts = [row.server, row.method, row.target, row.note] if not name else [getattr(row, name)]
    return any(re.search(re.escape(test.needle.text), text, re.IGNORECASE) is not None for text in texts) and (
        not test.whole or any(text.lower() == test.needle.text.lower() for text in texts)
    )


@settings(max_examples=200, deadline=None)
@given(rows_strategy, lines)
def test_rows_pass_as_the_plain_reading_says(entries: list, line: str) -> None:
    log = Log()
    for item in entries:
        log.append(item)
    exchanges = Exchanges(log)
    exchanges.update()
    node = parse(line)
    ids = [{log.columns.id_text(seq - 1) for seq in exchanges.records(row)} for row in range(len(exchanges))]
    expected = [row for row in range(len(exchanges)) if passes(node, exchanges[row], ids[row])]
    assert list(Filter(node, exchanges).rows()) == expected


def test_many_distinct_texts_and_rows() -> None:
    """More texts than fit a byte, more rows than fit a chunk."""
    log = Log()
    for number in range(70_000):
        log.append(entry(target=f"file:///{number % 700}"))
    exchanges = Exchanges(log)
    exchanges.update()
    assert list(Filter(parse("target:=file:///699"), exchanges).rows()) == list(range(699, 70_000, 700))
    assert len(Filter(parse("-target:=file:///699"), exchanges).rows()) == 69_900


@pytest.mark.parametrize(
    ("line", "cursor", "expected"),
    [
        ("", 0, [*(f"{name}:" for name in FIELDS), "$."]),
        ("me", 2, ["method:"]),
        ("ping -st", 8, ["status:"]),
        ("(se", 3, ["server:"]),
        ("server:", 7, ["server:everything", "server:github"]),
        ("server:GIT", 10, ["server:github"]),
        ("method:=tools", 13, ["method:=tools/call"]),
        ("kind:std", 8, ["kind:stderr", "kind:stdout"]),
        ('status:"ti', 10, ['status:"timed out"']),
        ("target:größ", 11, ["target:file:///Data/Größe.txt"]),
        ("nonsense:", 9, []),
        ("zzz", 3, []),
        ("size:", 5, ["size:>1k", "size:>10k", "size:>1M"]),
    ],
)
def test_what_could_come_next(line: str, cursor: int, expected: list[str]) -> None:
    assert [completion.text for completion in completions(line, cursor, session().log)] == expected


def test_a_completion_replaces_the_word_at_the_cursor() -> None:
    (found,) = completions("a metho b", 5, session().log)
    assert ("a metho b"[: found.start] + found.text + "a metho b"[found.stop :], found.help) == (
        "a method: b",
        FIELDS["method"].help,
    )
    for completion in completions("x status:", 9, session().log):
        parse("x status:"[: completion.start] + completion.text)
