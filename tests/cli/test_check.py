"""`mcp-inspector check`: a server, a recorded session, the reports, and what the exit code says."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest

from mcp_inspector.__main__ import main
from mcp_inspector.cli.exits import Exit

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.peers.fixtures import Rude

pytestmark = pytest.mark.peer

BAD = Path(__file__).parents[1] / "checks" / "bad_server.py"


@pytest.fixture
def check(capfdbinary: pytest.CaptureFixture[bytes]) -> Callable[..., tuple[int, str, str]]:
    """``check("--json", on=[…])``: exit code, stdout, stderr."""

    def run(*words: str, on: list[str] | None = None) -> tuple[int, str, str]:
        code = main(["check", *words, *(["--", *on] if on else [])])
        captured = capfdbinary.readouterr()
        return code, captured.out.decode(), captured.err.decode()

    return run


Check = "Callable[..., tuple[int, str, str]]"
BAD_COMMAND = [sys.executable, str(BAD)]


def test_a_good_server(check: Check, rude: Callable[..., Rude]) -> None:
    good = rude(tools=[{"name": "a", "description": "Does what it is made for.", "inputSchema": {"type": "object"}}])
    code, out, _ = check(on=list(good.argv))
    assert code == Exit.OK
    assert "nothing found" in out


def test_a_bad_server_for_people(check: Check) -> None:
    code, out, _ = check(on=BAD_COMMAND)
    assert code == Exit.FINDINGS
    assert "error    stray-stdout" in out
    assert "Tools (2025-11-25)" in out
    assert "hints-contradict" not in out  # information is asked for
    assert "invisible tag characters" in out


def test_severity_and_rules_that_are_off(check: Check) -> None:
    code, out, _ = check("--severity", "error", "--json", on=BAD_COMMAND)
    found = json.loads(out)
    assert code == Exit.FINDINGS
    assert {one["severity"] for one in found["findings"]} == {"error"}
    names = {one["rule"] for one in found["findings"]}
    code, out, _ = check("--severity", "error", "--json", *(f"--off={name}" for name in names), on=BAD_COMMAND)
    assert code == Exit.OK
    assert json.loads(out)["findings"] == []


def test_reports_for_other_programs(check: Check, tmp_path: Path) -> None:
    junit, sarif = tmp_path / "out.xml", tmp_path / "out.sarif"
    code, out, _ = check("--junit", str(junit), "--sarif", str(sarif), on=BAD_COMMAND)
    assert code == Exit.FINDINGS
    assert out
    suite = ElementTree.parse(junit).getroot().find("testsuite")
    assert suite is not None
    assert int(suite.attrib["failures"]) > 3
    document = json.loads(sarif.read_text())
    assert document["version"] == "2.1.0"
    assert any(one["ruleId"] == "hidden-characters" for one in document["runs"][0]["results"])


def test_a_recorded_session_needs_no_server(check: Check, home: Path) -> None:
    _, first, told = check("--record", "--json", on=BAD_COMMAND)
    path = told.split("The traffic is kept in ")[1].splitlines()[0].rstrip(".")
    code, out, _ = check(path, "--json")
    assert code == Exit.FINDINGS
    assert json.loads(out)["findings"] == json.loads(first)["findings"]


def test_what_cannot_be_checked(check: Check, tmp_path: Path) -> None:
    code, _, told = check("--off", "tool-nam", on=BAD_COMMAND)
    assert code == Exit.USAGE
    assert "tool-name" in told
    other = tmp_path / "other.txt"
    other.write_text("no session")
    code, _, told = check(str(other))
    assert code == Exit.USAGE
    code, out, _ = check("--json", on=[sys.executable, "-c", "print('hello')"])
    assert code == Exit.CONNECTION
    assert {one["rule"] for one in json.loads(out)["findings"]} == {"stray-stdout"}
    code, _, told = check("--junit", str(tmp_path / "no" / "such.xml"), on=BAD_COMMAND)
    assert code == Exit.OUTPUT
