"""Pairing answers with requests."""

from hypothesis import given
from hypothesis import strategies as st

from mcp_inspector.wire.exchange import Match, Pairing
from mcp_inspector.wire.frame import read, write_error, write_result


def pairing(*idents: int) -> Pairing[str]:
    made: Pairing[str] = Pairing()
    for ident in idents:
        made.ask(ident, f"call {ident}")
    return made


def test_answers_find_their_calls_in_any_order() -> None:
    """LIFE-14."""
    made = pairing(1, 2, 3)
    for ident in (3, 1, 2):
        taken = made.take(read(write_result(str(ident), {})))
        assert (taken.match, taken.call, taken.fault) == (Match.ANSWER, f"call {ident}", "")


def test_second_late_and_strange_answers_are_named() -> None:
    """LIFE-06, LIFE-18: a late reply is never given to another call."""
    made = pairing(1, 2)
    made.take(read(write_result("1", {})))
    made.give_up(2)
    assert made.take(read(write_result("1", {}))).match is Match.DUPLICATE
    assert made.take(read(write_result("2", {}))) == made.take(read(write_result("2", {})))
    assert made.take(read(write_result("2", {}))).match is Match.LATE
    assert made.take(read(write_result("9999", {}))).match is Match.UNKNOWN


def test_an_id_of_the_other_type_is_taken_with_a_fault() -> None:
    """LIFE-04."""
    taken = pairing(1).take(read(write_result('"1"', {})))
    assert (taken.match, taken.call) == (Match.ANSWER, "call 1")
    assert '"1"' in taken.fault


def test_an_error_without_id_answers_the_only_open_request() -> None:
    """Protocol §2.3.6."""
    assert pairing(1).take(read(write_error("null", -32600, "no"))).call == "call 1"
    assert pairing(1, 2).take(read(write_error("null", -32600, "no"))).match is Match.UNKNOWN


def test_a_whole_body_answers_its_own_request_whatever_its_id() -> None:
    """MOD-16."""
    taken = pairing(1, 2).take(read(write_error('"server-error"', -32600, "no session")), answers=2, sole=True)
    assert (taken.match, taken.call) == (Match.ANSWER, "call 2")
    assert taken.fault


def test_a_stream_of_one_request_may_carry_the_answer_to_another() -> None:
    taken = pairing(1, 2).take(read(write_result("1", {})), answers=2)
    assert (taken.call, taken.fault) == ("call 1", "")


def test_drain_closes_all_and_later_answers_are_late() -> None:
    made = pairing(1, 2)
    assert made.drain() == ["call 1", "call 2"]
    assert made.take(read(write_result("2", {}))).match is Match.LATE


@given(st.lists(st.sampled_from(["answer", "give up"]), min_size=1, max_size=30), st.randoms())
def test_each_request_ends_exactly_once(ends: list[str], random: object) -> None:
    made = pairing(*range(len(ends)))
    order = list(range(len(ends)))
    random.shuffle(order)  # type: ignore[attr-defined]
    for ident in order:
        if ends[ident] == "give up":
            assert made.give_up(ident) == f"call {ident}"
            assert made.give_up(ident) is None
        verdict = made.take(read(write_result(str(ident), {})))
        assert verdict.match is (Match.LATE if ends[ident] == "give up" else Match.ANSWER)
    assert not made.open
