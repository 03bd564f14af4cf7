"""Operations of several messages: retries, polls and questions belong to the request that began them."""

from __future__ import annotations

from store_entries import RECEIVED, SENT, entry, event, request, response

from mcp_inspector.store.exchanges import Exchanges, RowState
from mcp_inspector.store.log import Log
from mcp_inspector.store.record import Channel


def made(*entries):
    """The rows of a log with these entries, taken in at once and one by one: both must be the same."""
    log = Log()
    step = Exchanges(log)
    for one in entries:
        log.append(one)
        step.update()
    whole = Exchanges(log)
    whole.update()
    assert [whole[row] for row in range(len(whole))] == [step[row] for row in range(len(step))]
    assert [tuple(whole.parts(row)) for row in range(len(whole))] == [
        tuple(step.parts(row)) for row in range(len(step))
    ]
    return step


WANTS = {"unfinished": True}


def test_rounds_are_one_operation_that_ends_with_its_last_answer():
    rows = made(
        request(1, 0),
        response(1, 10, call=1, facts=WANTS),
        request(2, 50, call=1),
        response(2, 60, call=3, facts=WANTS),
        request(3, 90, call=1),
        response(3, 130, call=5),
    )
    whole = rows[0]
    assert whole.state is RowState.OK
    assert (whole.reply, whole.elapsed_ns) == (6, 130_000_000)
    assert [rows[row].depth for row in range(3)] == [0, 1, 1]
    assert list(rows.nested) == [1, 2]
    assert rows.parts(0) == (1, 2)
    assert rows.root(2) == 0
    assert not rows.pending


def test_an_operation_that_wants_input_is_pending_until_it_is_answered():
    log = Log()
    rows = Exchanges(log)
    log.append(request(1, 0))
    log.append(response(1, 10, call=1, facts=WANTS))
    rows.update()
    assert rows[0].state is RowState.PENDING
    assert rows[0].reply == 2
    assert rows.pending == (0,)
    log.append(request(2, 50, call=1))
    log.append(entry(direction=RECEIVED, kind="error", id="2", status=-32602, call=3))
    assert rows.update().updated == (0,)
    assert rows[0].state is rows[1].state is RowState.ERROR
    assert rows[0].status == -32602


def test_giving_up_ends_it():
    rows = made(request(1, 0), response(1, 10, call=1, facts=WANTS), event("cancelled", 40, call=1))
    assert rows[0].state is RowState.CANCELLED
    assert rows[0].elapsed_ns == 40_000_000
    assert not rows.pending


def test_a_second_answer_to_what_goes_on_is_late():
    rows = made(request(1, 0), response(1, 10, call=1, facts=WANTS), response(1, 12, call=1))
    assert (rows[0].state, rows[0].late) == (RowState.PENDING, 1)


def test_a_task_is_pending_over_its_polls_and_ends_with_its_result():
    poll = {"method": "tasks/get", "target": ""}
    rows = made(
        request(1, 0),
        response(1, 5, call=1, facts=WANTS),
        request(2, 20, call=1, **poll),
        response(2, 22, call=3, **poll),
        request(3, 40, call=1, **poll),
        response(3, 42, call=5, **poll),
        request(4, 43, call=1, method="tasks/result", target=""),
        response(4, 60, call=7, method="tasks/result", target="", facts={"tool_error": True}),
        event("task completed", 61, call=1, facts={"sentence": "It ended.", "tool_error": True}),
    )
    assert (rows[0].state, rows[0].reply, rows[0].elapsed_ns) == (RowState.TOOL_ERROR, 8, 60_000_000)
    assert [rows[row].state for row in (1, 2)] == [RowState.OK, RowState.OK]
    assert len(rows) == 4


def test_a_task_whose_result_comes_with_a_poll_ends_with_what_is_said_of_it():
    poll = {"method": "tasks/get", "target": ""}
    rows = made(
        request(1, 0),
        response(1, 5, call=1, facts=WANTS),
        request(2, 20, call=1, **poll),
        response(2, 22, call=3, **poll),
        event("task completed", 23, call=1, facts={"tool_error": True}),
    )
    assert rows[0].state is RowState.TOOL_ERROR
    assert rows[0].elapsed_ns == 23_000_000


def test_a_question_belongs_to_the_call_that_it_came_in_and_does_not_end_it():
    rows = made(
        request(1, 0),
        entry(direction=RECEIVED, kind="request", method="sampling/createMessage", id="1", call=1, mono_ns=1),
        entry(direction=SENT, kind="response", method="sampling/createMessage", id="1", call=2, mono_ns=2),
        entry(channel=Channel.HTTP, kind="response", method="POST", call=1, status=200),
    )
    assert rows[0].state is RowState.PENDING
    assert rows[1].state is RowState.OK
    assert rows[1].parent == 0
    assert list(rows.nested) == [1]
    assert rows.parts(0) == (1, 2)
