"""Collections over the demo server and over rude ones: in this process, and as the command."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from mcp_inspector import resources
from mcp_inspector.__main__ import main
from mcp_inspector.actions.data import DataError, rows_of
from mcp_inspector.cli.exits import Exit
from mcp_inspector.store.log import Log

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.peer

SAMPLE = resources.path("samples/demo.mcp.json")
ECHO = {"name": "echo", "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": True}}


class Ran:
    def __init__(self, code: int, out: bytes, err: bytes) -> None:
        self.code, self.out, self.err = code, out.decode(), err.decode()

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@pytest.fixture
def run(capfdbinary: pytest.CaptureFixture[bytes], tmp_path: Path) -> Callable[..., Ran]:
    """``run(actions or path, *words, on=rude)``."""

    def run(what: Any, *words: str, on: Any = None) -> Ran:
        path = what
        if isinstance(what, list | dict):
            path = tmp_path / "made.mcp.json"
            path.write_text(json.dumps({"actions": what} if isinstance(what, list) else what), "utf-8")
        code = main(["run", str(path), *words, *(["--", *on.argv] if on else [])])
        captured = capfdbinary.readouterr()
        return Ran(code, captured.out, captured.err)

    return run


def tool(name: str, target: str, arguments: Any = None, *assertions: Any, **more: Any) -> dict[str, Any]:
    return {
        "name": name,
        "kind": "tool",
        "server": "demo",
        "target": target,
        "arguments": arguments or {},
        "assert": list(assertions),
        **more,
    }


def test_the_sample_passes(run: Callable[..., Ran], tmp_path: Path) -> None:
    """The collection that ships; in parallel, in another environment, with all three reports."""
    reports = {kind: tmp_path / f"report.{kind}" for kind in ("junit", "json", "md")}
    words = [word for kind, file in reports.items() for word in ("--report", kind, str(file))]
    done = run(SAMPLE, "--env", "south", "--parallel", "4", "--repeat", "2", *words)
    assert done.code == Exit.OK, done.out
    assert "16 passed in" in done.out
    suite = ElementTree.parse(reports["junit"]).getroot()
    assert (suite.get("tests"), suite.get("failures"), len(suite.findall(".//testcase"))) == ("16", "0", 16)
    found = json.loads(reports["json"].read_text("utf-8"))
    chain = next(case for case in found["cases"] if case["name"].startswith("The first book"))
    assert [step["method"] for step in chain["steps"]] == ["tools/call", "resources/read", "tools/call"]
    assert reports["md"].read_text("utf-8").count("| ✓ |") == 16
    assert found["session"] is None  # all is well: nothing is left behind


def test_a_failure_shows_its_exchange(run: Callable[..., Ran]) -> None:
    done = run(
        [
            tool("wrong", "add", {"a": 1, "b": 2}, {"path": "$.structuredContent.sum", "equals": 4}),
            tool("right", "add", {"a": 1, "b": 2}, {"path": "$.structuredContent.sum", "equals": 3}),
            tool("hangs", "slow", {"seconds": 30}, timeout=0.3),
        ],
        "--json",
    )
    assert done.code == Exit.FAILED
    wrong, right, hangs = done.json["cases"]
    assert (wrong["status"], right["status"], hangs["status"]) == ("failed", "passed", "failed")
    assert wrong["why"] == ["$.structuredContent.sum is 3, wanted 4."]
    exchange = wrong["steps"][0]["exchange"]
    log = Log.open(Path(done.json["session"]))
    try:
        assert b'"name":"add"' in log.body(exchange["request"])
        assert b'"sum":3' in log.body(exchange["answer"])
    finally:
        log.close()
    assert '"name":"add"' in wrong["steps"][0]["sent"]
    assert hangs["steps"][0]["outcome"] == "hung"


def test_what_may_destroy_needs_a_yes(run: Callable[..., Ran]) -> None:
    """Denied or unasked calls are not sent, leave a row in the session, and the exit code says so."""
    actions = [tool("ends", "exit_process", {"code": 0}), tool("after", "echo", {"text": "x"})]
    refused = run(actions, "--json")
    assert refused.code == Exit.USAGE
    assert [case["status"] for case in refused.json["cases"]] == ["error", "passed"]
    assert "asks first" in refused.json["cases"][0]["why"][0]
    assert "--yes" not in refused.out
    log = Log.open(Path(refused.json["session"]))
    try:
        entry = log.record(refused.json["cases"][0]["steps"][0]["exchange"]["request"]).entry
        assert (entry.kind, entry.target, entry.facts["arguments"]) == ("denied", "exit_process", '{"code":0}')
    finally:
        log.close()
    done = run(actions, "--json", "--yes")
    crash, after = done.json["cases"]
    assert crash["steps"][0]["outcome"] == "crashed"
    assert after["status"] == "passed"  # the server was connected again


def test_filter_bail_and_variables(run: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GREETING_TOKEN", "sesame-123")
    collection = {
        "variables": {"who": "you", "secret": "${env:GREETING_TOKEN}"},
        "actions": [
            tool("one", "echo", {"text": "hi ${who}"}, {"path": "$.content[0].text", "equals": "hi 7"}),
            tool("two", "echo", {"text": "${secret}"}, {"path": "$.content[0].text", "equals": "no"}),
            tool("three", "echo", {"text": "$${who}"}, {"path": "$.content[0].text", "equals": "${who}"}),
        ],
    }
    assert run(collection, "--var", "who=7", "--filter", "one").code == Exit.OK
    assert run(collection, "--filter", "thr*").code == Exit.OK
    done = run(collection, "--var", "who=7", "--bail", "--json")
    assert [case["status"] for case in done.json["cases"]] == ["passed", "failed", "skipped"]
    assert "sesame" not in done.out  # masked in the sentence and in the exchange
    assert "•••" in done.out
    assert run(collection, "--filter", "nothing").code == Exit.USAGE
    assert run(collection, "--env", "nowhere").code == Exit.USAGE


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
def test_ctrl_c_ends_a_run_in_order_and_reports(tmp_path: Path) -> None:
    path = tmp_path / "slow.mcp.json"
    actions = [tool("fast", "echo", {"text": "x"}), tool("slow", "slow", {"seconds": 50}), tool("after", "echo")]
    path.write_text(json.dumps({"actions": actions}), "utf-8")
    report = tmp_path / "report.json"
    words = [sys.executable, "-m", "mcp_inspector", "run", str(path), "-q", "--report", "json", str(report)]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert process.stdout is not None
    assert process.stdout.readline().startswith("✓ fast".encode())
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=30)
    assert process.returncode == Exit.INTERRUPTED
    assert [case["status"] for case in json.loads(report.read_text("utf-8"))["cases"]] == [
        "passed",
        "skipped",
        "skipped",
    ]


def test_a_report_on_stdout_stands_alone_there(run: Callable[..., Ran]) -> None:
    done = run([tool("x", "echo", {"text": "x"})], "--report", "junit", "-")
    assert ElementTree.fromstring(done.out.encode()).get("tests") == "1"


def test_rows_of_data(run: Callable[..., Ran], tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_text('a,b,sum\n1,2,3\n0.1,0.25,0.35\n"1","2",4\n', "utf-8")
    check = {"path": "$.structuredContent.sum", "schema": {"type": "number"}}
    action = tool("add", "add", {"a": "${a}", "b": "${b}"}, check, data="rows.csv")
    done = run([action], "--json")
    assert [case["row"] for case in done.json["cases"]] == [1, 2, 3]
    assert done.code == Exit.OK
    (tmp_path / "other.jsonl").write_text('{"a": 1, "b": "x"}\n\n{"a": 5, "b": 6}\n', "utf-8")
    done = run([action], "--json", "--data", str(tmp_path / "other.jsonl"))
    assert [case["status"] for case in done.json["cases"]] == ["failed", "passed"]


def test_rows_come_from_the_folder_of_the_collection_only(run: Callable[..., Ran], tmp_path: Path) -> None:
    """Who sends a collection must not read the files of who runs it."""
    (tmp_path.parent / "secret.csv").write_text("a\n1\n", "utf-8")
    for place in ("../secret.csv", str(tmp_path.parent / "secret.csv")):
        done = run([tool("x", "echo", {"text": "${a}"}, data=place)])
        assert done.code == Exit.USAGE
        assert "is not in the collection's folder" in done.err


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("a,b\n1\n", "line 2: 1 cells"),
        ("a,a\n1,2\n", "a name of its own"),
        ('{"a": 1}\n[1]\n', "line 2: a row is an object"),
        ('{"a": 1}\n{"a": }\n', "line 2: it is not JSON"),
        ("a,b\n", "no rows"),
    ],
)
def test_bad_data_is_said_with_its_line(text: str, place: str) -> None:
    with pytest.raises(DataError, match=place):
        rows_of(text, "x")


def test_cells_are_json_where_they_are() -> None:
    assert rows_of('a;b;c;d\n007;1.0;true;"""7"""\n') == [{"a": '"007"', "b": "1.0", "c": "true", "d": '"7"'}]


def test_a_bad_collection_starts_nothing(run: Callable[..., Ran], rude: Callable[..., Any]) -> None:
    server = rude(tools=[ECHO])
    done = run([tool("x", "echo", {}, {"path": "$.a[", "equals": 1}), {"name": "y", "kind": "tol"}], on=server)
    assert done.code == Exit.USAGE
    assert "line 1 (/actions/0/assert/0/path): '$.a[' is no JSONPath" in done.err
    assert '(/actions/1/kind): "kind" must be one of' in done.err
    assert server.heard() == []


def test_a_server_that_cannot_be_reached(run: Callable[..., Ran], tmp_path: Path) -> None:
    collection = {
        "servers": {"gone": {"command": str(tmp_path / "nothing")}},
        "actions": [tool("x", "y", server="gone")],
    }
    done = run(collection)
    assert done.code == Exit.CONNECTION
    assert "gone is not connected" in done.out


def test_findings_of_the_checks_fail_an_assertion(run: Callable[..., Ran], rude: Callable[..., Any]) -> None:
    """A response that does not say which JSON-RPC it is: the tool works, the protocol does not."""
    server = rude(tools=[ECHO], on={"tools/call": [{"out": {"id": "$id", "result": {"content": []}}}]})
    done = run([tool("x", "echo", {}, {"findings": "error"})], "--json", on=server)
    assert done.code == Exit.FAILED
    assert "The checks find" in done.json["cases"][0]["why"][0]


def test_numbers_keep_their_spelling(run: Callable[..., Ran], rude: Callable[..., Any], tmp_path: Path) -> None:
    """What is written in the file is what is sent, also through a variable."""
    path = tmp_path / "n.mcp.json"
    path.write_text(
        '{"variables": {"big": 9007199254740993.0}, "actions": [{"name": "n", "kind": "tool", "server": "demo", '
        '"target": "echo", "arguments": {"n": 1e400, "m": "${big}", "s": "is ${big}"}, "assert": [{"error": true}]}]}'
    )
    done = run(path, "--json", on=rude(tools=[ECHO]))
    sent = done.json["cases"][0]["steps"][0]["sent"]
    assert '"arguments":{"n":1e400,"m":9007199254740993.0,"s":"is 9007199254740993.0"}' in sent


def test_the_server_of_the_command_line_stands_for_all(run: Callable[..., Ran], rude: Callable[..., Any]) -> None:
    server = rude(tools=[ECHO])
    assert run([tool("x", "echo", {}, server="whoever")], on=server).code == Exit.OK
    assert server.heard("tools/call")[0]["params"]["name"] == "echo"
