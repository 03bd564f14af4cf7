"""Every rule with a conversation in which it finds something, and one in which it finds nothing."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_inspector.checks.catalogue import RULES
from mcp_inspector.checks.rule import ALL, Finding
from mcp_inspector.checks.sections import topics
from tests.checks import cases_base, cases_changes, cases_features
from tests.checks.script import Talk

CASES = [*cases_base.CASES, *cases_features.CASES, *cases_changes.CASES]
NAMES = [case[0] for case in CASES]


def played(version: str, play: Any, begin: dict[str, Any]) -> list[Finding]:
    talk = play(Talk(version, **begin))
    return talk.found(RULES.values())


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_it_finds(case: tuple[str, str, Any, Any, dict[str, Any]]) -> None:
    name, version, bad, _, begin = case
    found = [finding for finding in played(version, bad, begin) if finding.rule.id == name]
    assert found, f"{name} finds nothing"
    for finding in found:
        assert finding.sentence.endswith((".", ">")), finding.sentence
        assert finding.seqs[-1] > 0
        assert finding.rule.ours <= finding.ours


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_it_lets_pass(case: tuple[str, str, Any, Any, dict[str, Any]]) -> None:
    name, version, _, good, begin = case
    assert [finding.sentence for finding in played(version, good, begin) if finding.rule.id == name] == []


def test_every_rule_has_a_case() -> None:
    assert sorted(set(NAMES)) == sorted(RULES)


def test_rules_name_a_place_and_versions_that_exist() -> None:
    assert {rule.topic for rule in RULES.values()} <= topics()
    for rule in RULES.values():
        assert rule.since in ALL
        assert rule.until in ALL
        assert rule.since <= rule.until
        assert rule.sentence.endswith(".")
        assert rule.section(rule.until)[0] or rule.topic == "advice"


@pytest.mark.parametrize("version", ALL)
def test_a_good_conversation_is_not_blamed(version: str) -> None:
    """Rules of other versions stay silent."""
    talk = Talk(version)
    talk.tools({"name": "t", "description": "Does what it is made for.", "inputSchema": {"type": "object"}})
    talk.call({"content": [{"type": "text", "text": "done"}]})
    talk.ask("prompts/list").ok({"prompts": [{"name": "p"}]})
    talk.ask("resources/list").ok({"resources": [{"uri": "file:///a", "name": "a"}]})
    talk.ask("resources/read", {"uri": "file:///a"}).ok({"contents": [{"uri": "file:///a", "text": "x"}]})
    assert [(finding.rule.id, finding.sentence) for finding in talk.found(RULES.values())] == []
