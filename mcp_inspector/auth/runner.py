"""Carries out a flow: each thing that it asks for, one after another, or step by step when somebody holds the gate."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, TypeVar

from mcp_inspector.auth.steps import Ask, Browse, Callback, Flow

if TYPE_CHECKING:
    from mcp_inspector.auth.web import Web

T = TypeVar("T")
Gate = Callable[[Ask], Awaitable[None]]
"""Is awaited before each thing that is asked: a face that single-steps lets it through one by one."""


async def run(
    flow: Flow[T], web: Web, gate: Gate | None = None, visit: Callable[[Browse], Awaitable[Callback]] | None = None
) -> T:
    """Run a flow to its end. `visit` sends the person somewhere and waits for them. Raises what the flow raises."""
    answer: Any = None
    try:
        while True:
            asked = flow.send(answer)
            if gate is not None:
                await gate(asked)
            if isinstance(asked, Browse):
                assert visit is not None, "only the authorization code flow sends somebody somewhere"
                answer = await visit(asked)
            else:
                answer = await web.send(asked)
    except StopIteration as ended:
        value: T = ended.value
        return value
    finally:
        flow.close()
