"""The door between widgets and the loop: jobs survive cancellation and tell of what nobody expected."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import QObject

from mcp_inspector.ui import bridge
from mcp_inspector.ui.notices import Action, Level, Notices
from tests.ui.bench import until

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.anyio


@pytest.fixture
def notices() -> Iterator[Notices]:
    """A list of notices that listens."""
    made = Notices()
    yield made
    made.detach()


async def test_a_job_gives_its_value_and_is_forgotten() -> None:
    got: list[int] = []

    async def work() -> int:
        return 7

    job = bridge.spawn(work(), on_done=got.append)
    assert job.running
    await until(lambda: not job.running)
    await until(lambda: bridge.jobs() == 0)
    assert got == [7]


@pytest.mark.parametrize("steps", [0, 1])
async def test_a_cancelled_job_puts_the_buttons_back_and_says_nothing(steps: int, notices: Notices) -> None:
    """QT-13: cancelled before its first step as well as in the middle."""
    ended: list[str] = []

    async def work() -> None:
        await asyncio.sleep(10)

    job = bridge.spawn(work(), on_done=lambda _: ended.append("done"), finally_=lambda: ended.append("finally"))
    for _ in range(steps):
        await asyncio.sleep(0)
    job.cancel()
    job.cancel()
    await until(lambda: ended)
    assert ended == ["finally"]
    assert notices.open == ()


async def test_what_nobody_expected_is_a_notice_with_the_traceback(notices: Notices, caplog: Any) -> None:
    """QT-05"""

    async def work() -> None:
        raise ZeroDivisionError("by hand")

    bridge.spawn(work(), what="testing")
    await until(lambda: notices.open)
    notice = notices.open[0]
    assert "while testing" in notice.sentence
    assert "by hand" in notice.sentence
    assert "ZeroDivisionError" in notice.detail
    assert "unexpected failure while testing" in caplog.text


async def test_a_callback_that_fails_is_told_too(notices: Notices, caplog: Any) -> None:
    async def work() -> int:
        return 1

    def fail(_: int) -> None:
        raise RuntimeError("in the slot")

    bridge.spawn(work(), what="showing", on_done=fail)
    await until(lambda: notices.open)
    assert "in the slot" in notices.open[0].sentence
    assert caplog.records


async def test_an_expected_error_goes_to_its_handler_only(notices: Notices) -> None:
    errors: list[Exception] = []

    async def work() -> None:
        raise ValueError("expected")

    bridge.spawn(work(), on_error=errors.append)
    await until(lambda: errors)
    assert notices.open == ()


async def test_many_changes_are_one_look() -> None:
    looks: list[int] = []
    owner = QObject()
    pull = bridge.Pull(lambda: looks.append(1), owner)
    for _ in range(1_000):
        pull.soon("any", "arguments")
    assert bridge.pulling()
    await until(lambda: looks)
    await until(lambda: not bridge.pulling())
    assert looks == [1]
    owner.deleteLater()


async def test_a_look_that_fails_is_told_and_the_next_one_works(notices: Notices, caplog: Any) -> None:
    owner = QObject()
    pull = bridge.Pull(lambda: 1 / 0, owner)
    pull.soon()
    await until(lambda: notices.open)
    pull.soon()
    assert pull.waiting
    pull.now()
    assert not pull.waiting
    assert caplog.records
    owner.deleteLater()


async def test_closing_ends_every_job() -> None:
    ended: list[int] = []

    async def work() -> None:
        await asyncio.sleep(100)

    for number in range(3):
        bridge.spawn(work(), finally_=lambda number=number: ended.append(number))
    await bridge.close()
    await until(lambda: len(ended) == 3)
    assert bridge.jobs() == 0


async def test_a_newer_notice_of_the_same_matter_takes_the_place(notices: Notices) -> None:
    notices.say("first", key="file")
    notices.say("other")
    again = notices.say("second", Action("Do", lambda: None), level=Level.WARNING, key="file")
    assert [notice.sentence for notice in notices.open] == ["other", "second"]
    notices.settle("file")
    assert [notice.sentence for notice in notices.open] == ["other"]
    notices.dismiss(again)
    notices.clear()
    assert notices.open == ()
