"""How a version was negotiated is kept and recorded: each step with its answer and time, and the reason."""

from __future__ import annotations

import re
from typing import Any

import pytest

pytestmark = pytest.mark.anyio

_TIMED = re.compile(r".+ \([\d,]+ ms\)")


async def test_the_steps_to_an_old_version(rude: Any, supervised: Any) -> None:
    async with supervised(rude().argv) as server:
        steps, reason = server.negotiation
        assert len(steps) == 2
        assert all(_TIMED.fullmatch(step) for step in steps)
        assert steps[0].startswith("server/discover (2026-07-28) was answered with error")
        assert steps[1].startswith("initialize (2025-11-25) was answered with a result")
        assert reason == "server/discover was not answered as its version has it, and initialize was"


async def test_the_step_to_the_newest(rude: Any, supervised: Any) -> None:
    async with supervised(rude(discover="modern").argv) as server:
        steps, reason = server.negotiation
        assert len(steps) == 1
        assert reason == "the answer to server/discover lists it"
        await server.restart()
        assert (await server.settled()).up
        assert len(server.negotiation[0]) == 1
