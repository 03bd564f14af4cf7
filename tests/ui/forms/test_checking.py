"""Checks in a process of their own: they answer, they end in time, and a failure is said."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import pytest

from mcp_inspector.schema.problems import Severity
from mcp_inspector.schema.validate import INLINE_LIMIT, Checker
from mcp_inspector.ui import check_child
from mcp_inspector.ui.models import check_process
from mcp_inspector.ui.models.check_process import CheckProcess
from mcp_inspector.ui.models.content import Result
from mcp_inspector.ui.models.endings import Large, checked, verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from mcp_inspector.schema.problems import Problem
    from tests.ui.forms.table import Table

SCHEMA = b'{"type": "object", "properties": {"n": {"type": "integer", "maximum": 5}}}'


@pytest.fixture
def process(qapp: Any) -> Iterator[CheckProcess]:
    """One, ended after the test."""
    from PySide6.QtCore import QObject

    parent = QObject()
    made = CheckProcess(parent)
    yield made
    made.stop()
    parent.deleteLater()


def answer(process: CheckProcess, qtbot: Any, schema: bytes, value: bytes) -> list[Problem]:
    """What it says."""
    with qtbot.waitSignal(process.done, timeout=15_000) as told:
        process.start(schema, value)
    assert not process.running
    found: list[Problem] = told.args[0]
    return found


def test_the_answer_is_that_of_the_checker(process: CheckProcess, qtbot: Any) -> None:
    found = answer(process, qtbot, SCHEMA, b'{"n": 9007199254740993}')
    assert [(one.path, one.sentence, one.severity) for one in found] == [(("n",), "must be at most 5", Severity.ERROR)]
    assert answer(process, qtbot, SCHEMA, b'{"n": 5.0}') == []


def test_a_new_check_ends_the_one_before(process: CheckProcess, qtbot: Any) -> None:
    process.start(SCHEMA, b'{"n": 6}')
    assert answer(process, qtbot, SCHEMA, b'{"n": 1}') == []


def test_what_is_no_json_and_what_is_no_schema_is_said(process: CheckProcess, qtbot: Any) -> None:
    for schema, value in ((SCHEMA, b"{"), (b"{", b"{}")):
        found = answer(process, qtbot, schema, value)
        assert found[0].sentence.startswith("is not checked")
        assert found[0].severity is Severity.WARNING


def test_what_takes_too_long_is_ended(process: CheckProcess, qtbot: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check_child, "WORD", "--version-that-does-not-exist")
    process._limit.setInterval(1)
    found = answer(process, qtbot, SCHEMA, b"{}")
    assert found[0].sentence.startswith("is not checked")


def test_a_process_that_cannot_start_is_said(
    process: CheckProcess, qtbot: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(check_process.sys, "executable", sys.executable + "-nowhere")
    found = answer(process, qtbot, SCHEMA, b"{}")
    assert found[0].sentence == "is not checked: the process that checks has failed"


def test_large_results_are_left_to_it(process: CheckProcess, qtbot: Any) -> None:
    value = json.dumps({"n": 6, "pad": "x" * INLINE_LIMIT}).encode()
    found = checked(SCHEMA, Result(structured=value))
    assert isinstance(found, Large)
    assert verdict(answer(process, qtbot, found.schema, found.value))[0] == "breaks outputSchema"
    small = checked(SCHEMA, Result(structured=b'{"n": 1}'))
    assert small == ("matches outputSchema", "ok", "")


@pytest.mark.parametrize(
    ("schema", "text", "said"),
    [
        ({"pattern": "(.{0,1000}x){5}y"}, ("a" * 40 + "x") * 3000, "is not checked: it takes longer than"),
        ({"items": {"pattern": r"^((a|b)*)*\1c", "maxLength": 9}}, ["ab" * 30] * 100, "must have at most 9 characters"),
        ({"type": "string", "anyOf": [{"pattern": f"^x{n}(.{{0,99}}y){{9}}"} for n in range(9)]}, "zy", "must match"),
    ],
)
def test_hostile_patterns_never_stop_the_window(
    table: Callable[..., Table],
    qtbot: Any,
    monkeypatch: pytest.MonkeyPatch,
    schema: dict[str, Any],
    text: object,
    said: str,
) -> None:
    """Typing, checking and sending go on while another process tries; what takes too long is said and ended."""
    at = table({"type": "object", "properties": {"t": schema, "u": {"type": "string"}}})
    checking = at.arguments_view._checking
    if "takes longer" in said:  # the others end by themselves, however busy the machine is
        checking._process._limit.setInterval(1500)
    monkeypatch.setattr(Checker, "_compiled", property(lambda _: pytest.fail("compiled in the window")))
    at.document.set_text(json.dumps({"t": text}))
    at.still()
    assert any("is being checked" in line.lower() for line in at.problems())
    at.type("u", "on")  # another text: the check begins anew, and nothing waits for it
    at.press_send()
    assert json.loads(at.sent_texts[-1]) == {"t": text, "u": "on"}
    with qtbot.waitSignal(checking.changed, timeout=20_000):
        pass
    at.still()
    assert any(said in line.lower() for line in at.problems()), at.problems()
    assert at.row("u").problem() == ""


def test_samples_and_cases_of_a_hostile_schema_come_at_once(table: Callable[..., Table]) -> None:
    at = table({"type": "object", "properties": {"t": {"type": "string", "pattern": r"((\w{30}){30}){30}"}}})
    assert "would take too long" in at.arguments.generate(everything=True)
    assert at.arguments.cases()
