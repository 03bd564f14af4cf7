"""From what happened to what can be run again: actions, assertions, Python tests; probes and load over real servers."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from mcp_inspector.actions import editing, making, probing
from mcp_inspector.actions.collection import Kind
from mcp_inspector.actions.judging import Ending
from mcp_inspector.actions.load import Histogram, Load, LoadOptions
from mcp_inspector.actions.performing import Performer
from mcp_inspector.actions.pytests import file_name, pytest_of
from mcp_inspector.actions.reading import read, read_action
from mcp_inspector.actions.runner import Options, Runner, plan
from mcp_inspector.actions.values import values_of
from mcp_inspector.config.builtin import demo_entry
from mcp_inspector.config.entry import ServerEntry
from mcp_inspector.config.safe_write import EditRefused
from mcp_inspector.config.settings import Settings
from mcp_inspector.session.approval import Gate
from mcp_inspector.session.dialing import ways
from mcp_inspector.session.inspector import Inspector
from mcp_inspector.store.log import Log

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path

pytestmark = [pytest.mark.anyio, pytest.mark.peer]


class World:
    """An inspector on some servers, with the log of what happens."""

    def __init__(self, inspector: Inspector, log: Log) -> None:
        self.inspector, self.log = inspector, log
        self.performer = Performer(inspector.find, Gate(), yes=True)

    async def run(self, text: str, **options: Any) -> Runner:
        collection = read(text)
        assert collection.usable, [str(one) for one in collection.oddities]
        chosen = Options(**options)
        runner = Runner(self.performer, plan([collection], chosen), chosen, body=self.log.body)
        await runner.run()
        return runner

    async def happened(self, kind: Kind, target: str, arguments: str = "{}") -> making.Happened:
        """Do it, and read it back from the log."""
        made = making.action_of(making.Happened("demo", kind, target, arguments))
        action, _ = read_action(made.text)
        assert action is not None
        performed = await self.performer.perform(action, values_of(read('{"actions": []}')))
        outcome = performed.outcome
        found = making.happened("demo", self.log.body(outcome.call), self.log.body(outcome.reply))
        assert found is not None
        return found


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[Callable[..., World]]:
    log = Log.create(tmp_path / "sessions")
    made: list[Inspector] = []

    def make(*entries: ServerEntry) -> World:
        made.append(Inspector(log, ways(Settings()), entries or [demo_entry()]))
        return World(made[0], log)

    yield make
    for inspector in made:
        await inspector.close()
    log.close()


EXCHANGES = [
    (Kind.TOOL, "add", '{"a": 1, "b": 2.5}'),
    (Kind.TOOL, "echo", '{"text": "a ${b} \\" and \\\\ ünï"}'),
    (Kind.TOOL, "fail", '{"how": "tool error"}'),
    (Kind.TOOL, "fail", '{"how": "protocol error"}'),
    (Kind.TOOL, "search_books", '{"query": ""}'),
    (Kind.RESOURCE, "demo://docs/guide.md", "{}"),
    (Kind.RESOURCE, "demo://logo.png", "{}"),
    (Kind.PROMPT, "code_review", '{"code": "x = 1"}'),
    (Kind.PROMPT, "brainstorm", "{}"),
]


async def test_an_action_made_from_an_exchange_passes_its_own_assertions(world: Callable[..., World]) -> None:
    """Made from the answer, held against the next answer, and against one that says something else."""
    here = world()
    text = editing.new("made")
    for kind, target, arguments in EXCHANGES:
        one = await here.happened(kind, target, arguments)
        text = editing.add_action(text, making.action_of(one, assertions=True, output_schema=target == "add").text)
    runner = await here.run(text)
    assert [result.sentences for result in runner.results.values() if result.sentences] == []
    assert len(runner.results) == len(EXCHANGES)
    changed = (
        text.replace('"a": 1,', '"a": 2,')
        .replace('"code": "x = 1"', '"code": "x = 2"')
        .replace('"how": "tool error"', '"how": "protocol error"')
    )
    again = await here.run(changed)
    wrong = [result.case.action.name for result in again.results.values() if result.sentences]
    assert wrong == ["add", "fail", "code_review"]


async def test_generated_python_tests_pass_on_the_official_sdk(world: Callable[..., World], tmp_path: Path) -> None:
    """Each kind of exchange becomes a file; pytest runs them all in a process of its own."""
    here = world()
    names = set()
    for number, (kind, target, arguments) in enumerate(EXCHANGES):
        one = await here.happened(kind, target, arguments)
        text = pytest_of(one, demo_entry())
        name = file_name(one).removesuffix(".py") + f"_{number}.py"
        names.add(name)
        (tmp_path / name).write_text(text, "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(tmp_path), str(tmp_path)],
        capture_output=True,
        timeout=55,
        env={**os.environ, "PYTEST_ADDOPTS": ""},
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stdout.decode()[-3000:]
    assert f"{len(names)} passed" in done.stdout.decode()


async def test_a_generated_python_test_fails_when_the_answer_is_another(
    world: Callable[..., World], tmp_path: Path
) -> None:
    here = world()
    one = await here.happened(Kind.TOOL, "add", '{"a": 1, "b": 2}')
    (tmp_path / "test_add.py").write_text(pytest_of(one, demo_entry()).replace("'a': 1", "'a': 5"), "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path)],
        capture_output=True,
        timeout=55,
        cwd=tmp_path,
    )
    assert done.returncode == 1
    assert b"1 failed" in done.stdout


def test_secrets_of_an_entry_are_asked_of_the_environment() -> None:
    one = making.Happened("s", Kind.TOOL, 'it\'s """ odd\n', "{}", b'{"content": []}')
    local = ServerEntry("s", command="~/run", args=("${WHERE:-here}",), env={"API_KEY": "sk-123", "MODE": "${MODE}"})
    text = pytest_of(one, local)
    compile(text, "x", "exec")
    assert "sk-123" not in text
    assert "os.environ['API_KEY']" in text
    assert "os.environ.get('WHERE', 'here')" in text
    remote = ServerEntry("s", "http", url="https://h.example/mcp", headers={"Authorization": "Bearer abc"})
    text = pytest_of(one, remote)
    compile(text, "x", "exec")
    assert "abc" not in text
    assert "\"Bearer \" + os.environ['AUTHORIZATION']" in text


def test_a_secret_in_arguments_becomes_a_reference() -> None:
    one = making.Happened("s", Kind.TOOL, "login", '{"user": "ada", "password": "hunter22", "n": 1.0}')
    made = making.action_of(one)
    assert made.secrets == (("password", "hunter22"),)
    assert "hunter22" not in made.text
    assert '"password": "${secret:password}"' in made.text
    assert '"n": 1.0' in made.text


async def test_probing_a_real_tool(world: Callable[..., World]) -> None:
    """The demo rejects what its schema refuses, and never crashes."""
    here = world()
    server = here.inspector.servers[0]
    assert not isinstance(await here.performer.ready("demo"), Exception)
    item = await here.performer.tool(server, "get_weather")
    assert item is not None
    runner = await here.run(probing.probe("demo", item), parallel=4)
    found = probing.endings(runner.results.values())
    assert set(found) == {Ending.ACCEPTED, Ending.REJECTED}
    assert [result.sentences for result in runner.results.values() if result.sentences] == []


async def test_probing_a_server_that_crashes_and_hangs(world: Callable[..., World], rude: Callable[..., Any]) -> None:
    """One outcome each: the case that kills the server is named, and the next one finds it connected again."""
    tool = {"name": "t", "inputSchema": {"type": "object", "properties": {"n": {"type": "integer", "minimum": 0}}}}
    crashing = rude(tools=[tool], on={"tools/call": [{"exit": 3}]})
    here = world(ServerEntry("demo", command=crashing.command, args=crashing.args))
    await here.performer.ready("demo")
    item = await here.performer.tool(here.inspector.servers[0], "t")
    assert item is not None
    text = probing.probe("demo", item)
    runner = await here.run(text, filter="/zero|least number/")
    assert set(probing.endings(runner.results.values())) == {Ending.CRASHED}
    assert "crashed and should be" in next(iter(runner.results.values())).sentences[0]


async def test_a_load_run_counts_and_measures(world: Callable[..., World]) -> None:
    here = world()
    action, _ = read_action(
        '{"name": "x", "kind": "tool", "server": "demo", "target": "echo", "arguments": {"text": "y"}}'
    )
    assert action is not None
    load = Load(here.performer, action, values_of(read('{"actions": []}')), LoadOptions(concurrency=4, seconds=1))
    told: list[int] = []
    disconnect = load.changed.connect(lambda: told.append(load.done))
    await load.run()
    disconnect()
    assert load.done > 4
    assert load.failed == 0
    assert told
    assert 0 < load.times.percentile(50) <= load.times.percentile(95) <= load.times.worst_ms
    assert sum(part.times.count for part in load.slices) == load.done
    slow = Load(here.performer, action, values_of(read('{"actions": []}')), LoadOptions(rate=20, seconds=0.5))
    await slow.run()
    assert 5 <= slow.done + slow.missed <= 11


def test_percentiles_are_right_to_a_bucket() -> None:
    times = Histogram()
    for ms in range(1, 1001):
        times.add(ms)
    for percent in (50, 90, 99):
        assert times.percentile(percent) == pytest.approx(percent * 10, rel=0.021)
    assert times.percentile(100) == pytest.approx(1000, rel=0.011)
    assert (times.worst_ms, times.count) == (1000, 1000)


TEXT = """\
{
  "$schema": "urn:mcp-inspector:collection:1",
  "x-theirs":   {"keep": [1.0,   2]},
  "actions": [
    { "name": "a", "kind": "tool", "server": "s", "target": "t", "arguments": {"n": 1e400}, "x": "y" }
  ]
}
"""


def test_edits_leave_all_else_as_it_is(tmp_path: Path) -> None:
    action = '{"name": "a", "kind": "resource", "server": "s", "target": "u"}'
    text = editing.add_action(TEXT, action)
    assert '"x-theirs":   {"keep": [1.0,   2]}' in text
    assert '"arguments": {"n": 1e400}, "x": "y" }' in text
    assert [each.name for each in read(text).actions] == ["a", "a 2"]
    back = editing.remove_at(text, ("actions", 1))
    assert back.split() == TEXT.split()
    more = editing.add_assertion(TEXT, ("actions", 0), '{"error": false}')
    assert read(more).actions[0].assertions[0].check == "error"
    assert [each.name for each in read(editing.move_action(text, 1, 0)).actions] == ["a 2", "a"]
    path = tmp_path / "x.mcp.json"
    editing.save(path, TEXT, None)
    editing.save(path, text, TEXT)
    with pytest.raises(EditRefused, match="changed by somebody else"):
        editing.save(path, TEXT, TEXT)
    assert path.read_text("utf-8") == text
