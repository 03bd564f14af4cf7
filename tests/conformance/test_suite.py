"""The official conformance suite against our client: what `expected.json` says passes does, each scenario run alone."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from tests.conformance.suite import TABLE, expected, run, scenarios, table

if TYPE_CHECKING:
    from pathlib import Path

PASSING = [(row["scenario"], row["version"]) for row in expected() if row["passes"]]

pytestmark = [
    pytest.mark.node,
    pytest.mark.timeout(150),
    pytest.mark.skipif(sys.platform == "win32", reason="the suite starts clients through a POSIX shell"),
    pytest.mark.skipif(" " in sys.executable, reason="the suite splits the client's command at blanks"),
]


@pytest.mark.parametrize(("scenario", "version"), PASSING, ids=lambda value: str(value))
def test_a_scenario(conformance_suite: list[str], scenario: str, version: str, tmp_path: Path) -> None:
    result = run(conformance_suite, scenario, version, tmp_path)
    assert result.bad == ()
    assert result.checks


def test_every_scenario_of_a_released_version_is_expected_one_way_or_the_other(conformance_suite: list[str]) -> None:
    """A new suite brings new scenarios: they are not to be overlooked. All but authorization pass."""
    rows = expected()
    listed = set(scenarios(conformance_suite))
    assert {(row["scenario"], row["version"]) for row in rows} <= listed
    assert {key for key in listed if not key[0].startswith("auth/")} <= set(PASSING)


def test_the_table_shows_what_is_expected() -> None:
    assert table(expected()) in TABLE.read_text("utf-8")
