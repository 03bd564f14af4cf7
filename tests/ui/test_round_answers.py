"""Rounds of 2026-07-28 answered otherwise than the server asked for, by buttons; every way to answer is to be seen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import QSize

from mcp_inspector.app import demo_entry
from mcp_inspector.session.inbox import MOST_ROUNDS
from mcp_inspector.session.outcome import Complete, LocalError
from mcp_inspector.ui.models.spoiled import altered
from mcp_inspector.ui.views.ask_panel import RAW, AskPanel
from tests.ui.bench import Bench, opened, press, rude_entry, until

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QPushButton

pytestmark = pytest.mark.anyio

FORM = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
QUESTION = {"method": "elicitation/create", "params": {"message": "Who?", "requestedSchema": FORM}}
WANTED = {"resultType": "input_required", "requestState": "st-1", "inputRequests": {"who": QUESTION}}
DONE = {"resultType": "complete", "content": [{"type": "text", "text": "done"}]}

ONE_ROUND = {"tools/call:echo#1": [{"result": WANTED}], "tools/call:echo": [{"result": DONE}]}


async def asked(bench: Bench) -> AskPanel:
    """The panel of the question that a call of the rude server's tool brings, with the raw answer in front."""
    await bench.connect("rude")
    page = await bench.tool("echo")
    press(page.arguments.call)
    return await next_question(bench)


async def next_question(bench: Bench) -> AskPanel:
    await until(lambda: bench.inspector.inbox.waiting, what="a question")
    await bench.still()
    bench.window.show_inbox()
    bench.window.inbox.show_ask(bench.inspector.inbox.waiting[0])
    await bench.still()
    panel = bench.window.inbox.panel
    assert isinstance(panel, AskPanel)
    panel.tabs.setCurrentIndex(RAW)
    return panel


async def second(bench: Bench, peer: Any) -> dict[str, Any]:
    """The params of the request that was sent again, when the call has ended."""
    page = bench.window.area.tools
    await until(lambda: page.run is not None and not page.run.running, what="the call to end")
    assert isinstance(page.run.outcome, Complete)
    calls = [one["params"] for one in peer.heard("tools/call")]
    assert len(calls) == 2
    return calls[1]


@pytest.mark.parametrize(
    ("button", "sent"),
    [
        (lambda test: test.alter, {"requestState": "st-A"}),
        (lambda test: test.drop, {}),
        (lambda test: test.back, {"requestState": "st-1"}),
    ],
    ids=["altered", "left out", "as it came"],
)
async def test_the_state_goes_back_as_the_button_says(
    rude: Any, button: Callable[[Any], QPushButton], sent: dict
) -> None:
    peer = rude(
        discover="modern", on={"tools/call:echo#1": [{"result": WANTED}], "tools/call:echo": [{"result": DONE}]}
    )
    async with opened(rude_entry(peer)) as bench:
        panel = await asked(bench)
        test = panel.raw.round
        assert test is not None
        assert test.state.text() == '"st-1"'
        test.state.setText('"typed"')
        press(button(test))
        await bench.still()
        press(panel.primary)
        given = await second(bench, peer)
        assert {name: value for name, value in given.items() if name == "requestState"} == sent
        assert list(given["inputResponses"]) == ["who"]


async def test_an_answer_is_left_out_or_goes_under_another_key(rude: Any) -> None:
    peer = rude(
        discover="modern", on={"tools/call:echo#1": [{"result": WANTED}], "tools/call:echo": [{"result": DONE}]}
    )
    async with opened(rude_entry(peer)) as bench:
        panel = await asked(bench)
        assert panel.raw.round is not None
        panel.raw.round.key.clear()
        await bench.still()
        assert "The answer to who is left out" in panel.raw.problems()
        assert panel.primary.text().endswith("anyway")
        panel.raw.round.key.setText("whom")
        press(panel.primary)
        given = await second(bench, peer)
        assert list(given["inputResponses"]) == ["whom"]
        assert given["requestState"] == "st-1"

    peer = rude(
        discover="modern", on={"tools/call:echo#1": [{"result": WANTED}], "tools/call:echo": [{"result": DONE}]}
    )
    async with opened(rude_entry(peer)) as bench:
        panel = await asked(bench)
        assert panel.raw.round is not None
        panel.raw.round.key.clear()
        press(panel.primary)
        assert (await second(bench, peer))["inputResponses"] == {}


async def test_spoiled_answers_are_filled_in_and_sent_as_they_are(rude: Any) -> None:
    peer = rude(
        discover="modern", on={"tools/call:echo#1": [{"result": WANTED}], "tools/call:echo": [{"result": DONE}]}
    )
    async with opened(rude_entry(peer)) as bench:
        panel = await asked(bench)
        wrong = next(one for one in panel.raw.offers.actions() if one.text() == "Wrong types")
        press(panel.raw.offers.widgetForAction(wrong))
        await bench.still()
        assert panel.raw.problems()
        press(panel.primary)
        given = await second(bench, peer)
        assert given["inputResponses"] == {"who": {"action": "accept", "content": {"name": 12345}}}


async def test_rounds_beyond_the_limit_end_in_a_sentence_and_the_limit_can_be_raised(rude: Any) -> None:
    peer = rude(discover="modern", on={"tools/call:echo": [{"result": WANTED}]})
    async with opened(rude_entry(peer)) as bench:
        panel = await asked(bench)
        assert panel.raw.round is not None
        assert panel.raw.round.rounds.value() == MOST_ROUNDS
        panel.raw.round.rounds.setValue(2)
        press(panel.primary)
        await until(
            lambda: bench.inspector.inbox.waiting and bench.inspector.inbox.waiting[0].round == 2, what="round 2"
        )
        panel = await next_question(bench)
        assert "round 2 of 2" in panel.head.facts.text()
        press(panel.primary)
        page = bench.window.area.tools
        await until(lambda: page.run is not None and not page.run.running, what="the call to end")
        assert isinstance(page.run.outcome, LocalError)
        assert "after 2 rounds" in page.run.outcome.sentence
        assert len(peer.heard("tools/call")) == 3


@pytest.mark.parametrize("state", [b'"abc"', b'"a"', b'"abA"', b'""', b"{}", b'"=="'])
async def test_an_altered_state_is_another_one(state: bytes) -> None:
    assert altered(state) != state


@pytest.mark.parametrize("size", [QSize(640, 400), QSize(800, 500), QSize(1440, 900)], ids=["640", "800", "1440"])
async def test_every_way_to_answer_can_be_seen(size: QSize) -> None:
    async with opened(demo_entry(lazy=True), size=size) as bench:
        await bench.connect()
        for tool in ("ask_name", "open_page", "summarise", "list_roots"):
            page = await bench.tool(tool)
            page.call()
            panel = await next_question(bench)
            for at in (RAW, 0):
                panel.tabs.setCurrentIndex(at)
                if at == RAW:
                    panel.raw.fill_in(b"[]")
                await bench.still()
                shown = [
                    one
                    for one in (panel.refuse_button, *panel.others, panel.primary, panel.test_button)
                    if one.isVisible()
                ]
                for button in shown:
                    assert button.width() >= button.minimumSizeHint().width(), (tool, button.text())
                    assert button.height() >= button.minimumSizeHint().height(), (tool, button.text())
                    corner = button.mapTo(panel, button.rect().bottomRight())
                    assert panel.rect().contains(corner), (tool, button.text(), corner)
                    assert not button.visibleRegion().isEmpty()
                assert panel.refuse_button in shown
            press(panel.refuse_button)
            if panel.refusal.isVisible():
                press(panel.send_error)
            await until(lambda: not bench.inspector.inbox.waiting, what="the question to be over")
