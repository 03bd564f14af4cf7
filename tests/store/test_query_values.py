"""The filter line about values inside messages, marks and operations."""

from __future__ import annotations

import pytest
from store_entries import RECEIVED, entry, response
from store_entries import request as asked

from mcp_inspector.store.exchanges import Exchanges
from mcp_inspector.store.filter import Filter
from mcp_inspector.store.log import Log
from mcp_inspector.store.query import QueryError, parse

BIG = b'{"params":{"name":"huge","x":"' + b"y" * 2_000_000 + b'"}}'


@pytest.fixture(params=[False, True], ids=["memory", "file"])
def rows(request, tmp_path):
    log = Log.create(tmp_path) if request.param else Log()
    bodies = (
        b'{"params":{"name":"echo","arguments":{"n":9007199254740993,"city":"K\\u00f6ln"}}}',
        b'{"params":{"name":"add","arguments":{"n":5,"list":[{"a":1},{"a":7}]}}}',
        b'{"params":{"name":"add","arguments":{"n":-1.5e3}}}',
        BIG,
    )
    for number, body in enumerate(bodies, 1):
        log.append(asked(number, number * 10, data=body))
        answer = b'{"result":{"total":%d}}' % (number * 100)
        log.append(response(number, number * 10 + 1, call=2 * number - 1, data=answer))
    log.append(entry(direction=RECEIVED, kind="request", method="roots/list", id="9", call=1, data=b"{}"))
    log.flush()
    made = Exchanges(log)
    made.update()
    yield made
    log.close()


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("$.params.name:echo", [0]),
        ("$.params.name:=ad", []),
        ("$.params.name:a*", [1, 2]),
        ("-$.params.name:add", [0, 3, 4]),
        ("$.params.arguments.n:9007199254740993", [0]),
        ("$.params.arguments.n:>9007199254740992", [0]),
        ("$.params.arguments.n:>=9007199254740993", [0]),
        ("$.params.arguments.n:>9007199254740993", []),
        ("$.params.arguments.n:0..10", [1]),
        ("$.params.arguments.n:<0", [2]),
        ("$.params.arguments.city:köln", [0]),
        ("$.params.arguments.city:/^K.ln$/", [0]),
        ("$.params.arguments.city:*", [0]),
        ("$.params.arguments.list[*].a:7", [1]),
        ("$.params.arguments.list[0].a:7", []),
        ("$.result.total:>=300", [2, 3]),
        ("$.params.name:huge", [3]),
        ("op:2", [0, 4]),
        ("op:9", [0, 4]),
        ("op:77", []),
        ("mark:red", [1]),
        ("has:mark", [1, 2]),
        ("has:pin", [2]),
        ("has:comment", [2]),
        ("has:mark -mark:red", [2]),
    ],
)
def test_rows_that_pass(rows, line, expected):
    rows.log.marks.change([rows.first[1]], colour=1)
    rows.log.marks.change([rows.first[2]], colour=4, pinned=True, comment="x")
    found = Filter(parse(line), rows)
    assert list(found.rows()) == expected
    steps = list(Filter(parse(line), rows).scan())
    assert [row for step in steps for row in step.rows] == expected
    assert steps[-1].done == steps[-1].total


def test_values_of_what_comes_later(rows):
    found = Filter(parse("$.params.name:late"), rows)
    assert not found.rows()
    rows.log.append(asked(50, 900, data=b'{"params":{"name":"late"}}'))
    rows.update()
    assert list(found.rows()) == [5]


@pytest.mark.parametrize(
    ("line", "place"), [("$.a", 0), ("$.a:", 0), ("x $.a[", 5), ("$.:1", 1), ("op:x", 3), ("mark:pink", 5)]
)
def test_what_is_wrong_and_where(line, place):
    with pytest.raises(QueryError) as caught:
        parse(line)
    assert caught.value.position == place
