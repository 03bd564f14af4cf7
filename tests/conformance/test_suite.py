"""The official conformance suite against our client: what `expected.json` says passes does, each scenario run alone."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from tests.conformance.suite import TABLE, expected, run, scenarios, table

if TYPE_CHECKING:
    from tests.conformance.suite import Result

    Results = dict[tuple[str, str], Result]

PASSING = [(row["scenario"], row["version"]) for row in expected() if row["passes"]]

pytestmark = [
    pytest.mark.node,
    pytest.mark.timeout(900),  # the first test waits for all scenarios
    pytest.mark.skipif(sys.platform == "win32", reason="the suite starts clients through a POSIX shell"),
    pytest.mark.skipif(" " in sys.executable, reason="the suite splits the client's command at blanks"),
]


@pytest.fixture(scope="module")
def results(conformance_suite: list[str], tmp_path_factory: pytest.TempPathFactory) -> Results:
    """All scenarios, two at a time, before the first test: nearly all of a run is the start of its processes."""
    folder = tmp_path_factory.mktemp("conformance")
    with ThreadPoolExecutor(2) as pool:
        found = pool.map(lambda at: run(conformance_suite, *PASSING[at], folder / str(at)), range(len(PASSING)))
        return dict(zip(PASSING, found, strict=True))


@pytest.mark.parametrize(("scenario", "version"), PASSING, ids=lambda value: str(value))
def test_a_scenario(results: Results, scenario: str, version: str) -> None:
    result = results[scenario, version]
    assert result.bad == ()
    assert result.checks


def test_every_scenario_of_a_released_version_is_expected_one_way_or_the_other(conformance_suite: list[str]) -> None:
    """A new suite brings new scenarios: they are not to be overlooked. All of them pass."""
    rows = expected()
    listed = set(scenarios(conformance_suite))
    assert {(row["scenario"], row["version"]) for row in rows} <= listed
    assert listed == set(PASSING)


def test_the_table_shows_what_is_expected() -> None:
    assert table(expected()) in TABLE.read_text("utf-8")
