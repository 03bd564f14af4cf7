"""Plays a pure flow against scripted answers: this in, exactly this out."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, TypeVar

from mcp_inspector.auth.steps import Answer, Ask, Flow, Request

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

T = TypeVar("T")
MISSING = Answer(404, "Not Found")


def document(value: Any, status: int = 200) -> Answer:
    """An answer with JSON in it."""
    return Answer(status, "OK", (("content-type", "application/json"),), json.dumps(value).encode())


def play(flow: Flow[T], answers: Mapping[str, Answer] | Callable[[Ask], Any]) -> tuple[T, list[Any]]:
    """Run a flow; answers by URL, anything else is not there. Returns what came of it, and what was asked."""
    asked: list[Any] = []
    answer: Any = None
    while True:
        try:
            wanted = flow.send(answer)
        except StopIteration as ended:
            return ended.value, asked
        asked.append(wanted)
        if callable(answers):
            answer = answers(wanted)
        else:
            assert isinstance(wanted, Request)
            answer = answers.get(wanted.url, MISSING)
