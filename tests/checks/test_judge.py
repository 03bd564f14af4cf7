"""Findings gathered over a session: grouped, counted, bounded, switched off, and found by record."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from mcp_inspector.checks import report
from mcp_inspector.checks.catalogue import RULES
from mcp_inspector.checks.judge import KEPT, Judge
from mcp_inspector.checks.rule import Severity
from mcp_inspector.store.log import Log
from tests.checks.script import N, Talk, text, tool

if TYPE_CHECKING:
    from pathlib import Path


def logged(talk: Talk, log: Log | None = None) -> Log:
    log = log or Log()
    for entry in talk.entries:
        log.append(entry)
    return log


def judged(talk: Talk, **more: object) -> Judge:
    judge = Judge(logged(talk), **more)  # type: ignore[arg-type]  # a test's own words
    judge.update()
    return judge


def test_a_flood_of_one_mistake_is_counted_and_not_kept() -> None:
    talk = Talk(N)
    for _ in range(KEPT + 50):
        talk.tell("notifications/message", {"level": "loud", "data": 1})
    judge = judged(talk)
    group = next(group for group in judge.groups() if group.rule.id == "log-level")
    assert group.count == KEPT + 50
    assert len(group.findings) == KEPT
    assert judge.count(Severity.ERROR) == KEPT + 50


def test_a_rule_that_is_off_is_not_shown_and_comes_back() -> None:
    judge = judged(Talk(N).tools(tool("a b")))
    heard = []
    judge.changed.connect(lambda: heard.append(judge.count()))
    seq = judge.findings()[0].seq
    assert judge.seqs() >= {seq}
    judge.set_off({"tool-name"})
    assert judge.findings() == []
    assert judge.of([seq]) == []
    assert judge.seqs() == set()
    judge.set_off(())
    assert [finding.rule.id for finding in judge.of([seq])] == ["tool-name"]
    assert heard == [0, 1]
    assert judge.take_fresh() >= {seq}


def test_findings_are_found_by_every_record_that_they_name() -> None:
    judge = judged(Talk(N).tools(tool("a b")))
    (finding,) = judge.findings()
    assert len(finding.seqs) == 2  # the request and its answer
    for seq in finding.seqs:
        assert judge.of([seq]) == [finding]
    assert judge.seqs(lambda name: name == "other") == set()
    assert judge.seqs(lambda name: name == "tool-name") == set(finding.seqs)


def test_slices_of_time_come_to_the_same() -> None:
    talk = Talk(N)
    for number in range(300):
        talk.tools(tool(f"a {number}"), nextCursor=None)
    log = logged(talk)
    whole, pieces = Judge(log), Judge(log)
    whole.update()
    rounds = 0
    while pieces.update(100_000):
        rounds += 1
    assert rounds > 2
    assert [finding.sentence for finding in pieces.findings()] == [finding.sentence for finding in whole.findings()]
    assert pieces.behind == 0


def test_a_session_file_is_judged_as_the_live_session_was(tmp_path: Path) -> None:
    talk = Talk(N, over="http")
    for number in range(250):
        talk.tools(tool(f"a {number}")).http(502, (("Content-Type", "text/html"),))
    talk.call(text("x" * 300_000, structuredContent=[1]))
    log = logged(talk, Log.create(tmp_path))
    live = Judge(log)
    live.update()
    log.close()
    assert log.path is not None
    again = Log.open(log.path)
    past = Judge(again)
    past.update()
    again.close()
    assert [(one.rule.id, one.seqs) for one in past.findings()] == [(one.rule.id, one.seqs) for one in live.findings()]
    assert past.count() > 500


def test_a_body_that_is_too_large_is_not_decoded() -> None:
    judge = judged(Talk(N).call(text("x" * 5000, structuredContent=[1])), largest=4000)
    (finding,) = judge.findings()
    assert finding.rule.id == "not-judged"  # said, and not judged by what is not known


def test_a_server_is_not_blamed_for_what_we_send() -> None:
    talk = Talk(N)
    talk.send(b'{"jsonrpc":"1.0","id":9,"method":"ping"}')
    judge = judged(talk)
    assert [(finding.rule.id, finding.ours) for finding in judge.findings()] == [("jsonrpc-2.0", True)]
    assert report.summary(judge.groups()) == {"errors": 0, "warnings": 0, "infos": 0, "ours": 1}


def test_the_probe_of_an_old_server_is_not_judged_by_the_new_version() -> None:
    """A server that does not know 2026-07-28 answers the first question as it likes."""
    talk = Talk("2026-07-28", greet=False)
    talk.ask("server/discover").raw(
        {"jsonrpc": "2.0", "id": "server-error", "error": {"code": -32002, "message": "No."}}
    )
    talk.version = N
    talk.greet().tools(tool())
    assert judged(talk).findings() == []


def test_the_reports_hold_what_was_found() -> None:
    judge = judged(Talk(N).tools(tool("a\x00b"), tool()))
    groups = report.chosen(judge, Severity.WARNING)
    document = report.as_json(groups, len(judge.log))
    assert document["summary"]["warnings"] == len(document["findings"]) == judge.count(Severity.WARNING)
    first = next(one for one in document["findings"] if one["rule"] == "tool-name")
    assert first["tool"] == "a\x00b"
    assert first["section"] == "Tools (2025-11-25)"
    assert first["url"].startswith("https://modelcontextprotocol.io/specification/2025-11-25/")
    assert first["records"] == [6, 7] or len(first["records"]) == 2
    suite = ElementTree.fromstring(report.as_junit(groups, "s")).find("testsuite")
    assert suite is not None
    assert int(suite.attrib["tests"]) == sum(not rule.ours for rule in RULES.values())
    failed = {case.attrib["name"] for case in suite if case.find("failure") is not None}
    assert "tool-name" in failed
    sarif = json.loads(json.dumps(report.as_sarif(groups, "1")))
    run = sarif["runs"][0]
    assert {result["ruleId"] for result in run["results"]} == {group.rule.id for group in groups}
    for result in run["results"]:
        assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
    lines = "\n".join(report.as_text(groups, len(judge.log)))
    assert "tool-name" in lines
