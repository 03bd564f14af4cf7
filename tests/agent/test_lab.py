"""Profiles of hosts against real servers: what works, what would break, and how they come back."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from mcp_inspector.__main__ import main
from mcp_inspector.agent.lab.profiles import PROFILES, Growth, Naive, Profile, Refreshing, profile_named
from mcp_inspector.agent.lab.runner import Attempt, Lab, Probe, Report
from mcp_inspector.agent.lab.sabotage import Trouble
from mcp_inspector.agent.library import connect
from mcp_inspector.config.entry import ServerEntry
from mcp_inspector.config.sources import load
from mcp_inspector.session.catalogue import Freshness, What
from mcp_inspector.session.dialing import Dialer
from mcp_inspector.store.log import Log
from mcp_inspector.transport.base import FaultKind
from tests.agent.conftest import connected

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = [pytest.mark.anyio, pytest.mark.peer]

PATIENT = Profile("patient", "", connect_timeout=60)
QUICK = replace(PATIENT, reconnects=3, wait=0.01, degrades=True)


@pytest.fixture
def log() -> Iterator[Log]:
    log = Log()
    yield log
    log.close()


@pytest.fixture
def demo(demo_stdio_command: tuple[str, ...]) -> ServerEntry:
    command, *args = demo_stdio_command
    return ServerEntry("demo", command=command, args=tuple(args))


def verdicts(report: Report) -> dict[str, bool | None]:
    return {judgement.what: judgement.works for judgement in report.judgements}


async def play(log: Log, entry: ServerEntry, profile: Profile, **more: Any) -> Report:
    return await Lab(log, Dialer()).run(profile, entry, **more)


def test_waits_grow_as_the_profile_says() -> None:
    assert Profile("", "", reconnects=4, wait=0.5, growth=Growth.EXPONENTIAL).waits() == (0.5, 1, 2, 4)
    assert Profile("", "", reconnects=3, wait=2).waits() == (2, 4, 6)
    assert Profile("", "", reconnects=10, wait=8, growth=Growth.EXPONENTIAL).waits()[-1] == 30
    assert len({profile.name for profile in PROFILES}) == len(PROFILES)
    assert profile_named("lazy-go") is PROFILES[1]


async def test_the_demo_server_suits_a_plain_host(log: Log, demo: ServerEntry) -> None:
    profile = replace(PATIENT, naive=frozenset(Naive), refreshing=Refreshing.EACH_RUN)
    report = await play(log, demo, profile, probe=Probe("fail"))
    found = verdicts(report)
    assert found["connect"] is True
    assert found["list tools"] is True
    assert found["call"] is True
    assert found[Naive.NO_IS_ERROR] is False, "the tool fail says isError"
    assert found[Naive.NO_SESSION] is None, "there is no HTTP"
    for judgement in report.judgements:
        for seq in judgement.seqs:
            assert log.record(seq).entry.server == "demo", "the evidence is in the log"
    evidence = next(j.seqs for j in report.judgements if j.what == Naive.NO_IS_ERROR)
    assert b'"isError":true' in log.record(evidence[0]).entry.data.replace(b" ", b"")


async def test_short_cuts_break_at_a_server_that_does_what_it_may(log: Log, rude: Any) -> None:
    schema = {"type": "object", "properties": {"x": {"$ref": "#/$defs/x"}}, "$defs": {"x": {"type": "object"}}}
    first = {"cursor": None, "items": [{"name": "a", "inputSchema": schema}], "next": "2"}
    long = {"name": "b", "description": "x" * 70_000, "inputSchema": {"type": "object"}}
    message = {"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": "listing"}}
    server = rude(
        pages={"tools/list": [first, {"cursor": "2", "items": [long]}]},
        on={"tools/list#1": [{"out": message}, {"answer": True}]},
    )
    entry = ServerEntry("my__server", command=server.command, args=server.args)
    report = await play(log, entry, replace(PATIENT, naive=frozenset(Naive)))
    found = verdicts(report)
    for naive in (Naive.FIRST_LINE, Naive.LINE_LIMIT, Naive.FIRST_PAGE, Naive.FIRST_SPLIT, Naive.NO_DEFINITIONS):
        assert found[naive] is False, naive
    sentences = {judgement.what: judgement.sentence for judgement in report.judgements}
    assert sentences[Naive.FIRST_PAGE] == "The first page has 1 of 2 tools: the others are never seen."
    assert report.broken >= 5


async def test_a_host_that_reconnects_comes_back_after_a_kill(log: Log, demo: ServerEntry) -> None:
    lab = Lab(log, Dialer())
    told: list[str] = []
    attempts: list[Attempt] = []
    stop = lab.told.connect(told.append), lab.attempted.connect(attempts.append)
    report = await lab.run(QUICK, demo, probe=Probe("echo", b'{"text": "hi"}'), trouble=Trouble.KILL)
    for each in stop:
        each()
    found = verdicts(report)
    assert found["reconnect after kill"] is True
    assert found["call after reconnect"] is True
    assert [attempt.number for attempt in report.attempts] == [1]
    assert tuple(attempts) == report.attempts
    assert any("was killed" in sentence for sentence in told)


async def test_attempts_and_waits_are_counted_while_connections_are_refused(log: Log, demo: ServerEntry) -> None:
    profile = replace(QUICK, growth=Growth.EXPONENTIAL, reconnects=5)
    report = await play(log, demo, profile, trouble=Trouble.REFUSE, amount=2)
    assert [attempt.up for attempt in report.attempts] == [False, False, True]
    assert [attempt.wait for attempt in report.attempts] == [0.01, 0.02, 0.04]
    assert "refused" in report.attempts[0].sentence
    report = await play(log, demo, replace(profile, reconnects=2), trouble=Trouble.REFUSE, amount=9)
    assert verdicts(report)["reconnect after refuse"] is False
    assert len(report.attempts) == 2


async def test_a_host_that_does_not_reconnect_stays_away(log: Log, demo: ServerEntry) -> None:
    report = await play(log, demo, PATIENT, trouble=Trouble.DROP)
    assert verdicts(report)["reconnect after drop"] is False
    assert report.attempts == ()
    other = replace(QUICK, classes=frozenset({FaultKind.TIMEOUT}))
    report = await play(log, demo, other, trouble=Trouble.DROP)
    assert "for this kind of fault" in next(j.sentence for j in report.judgements if j.what == "reconnect after drop")


async def test_a_slow_server_is_too_slow_for_a_short_wait(log: Log, rude: Any) -> None:
    server = rude(on={"initialize": [{"sleep": 20}]})
    entry = ServerEntry("slow", command=server.command, args=server.args)
    report = await play(log, entry, replace(PATIENT, connect_timeout=0.5))
    assert verdicts(report) == {"connect": False}


async def test_a_delay_beyond_the_hosts_patience_and_a_503(log: Log, demo: ServerEntry) -> None:
    probe = Probe("echo", b'{"text": "hi"}')
    report = await play(log, demo, replace(QUICK, call_timeout=0.5), probe=probe, trouble=Trouble.DELAY, amount=2)
    assert verdicts(report)["call under delay"] is False
    report = await play(log, demo, QUICK, probe=probe, trouble=Trouble.UNAVAILABLE)
    assert "503" in next(j.sentence for j in report.judgements if j.what == "call under 503")


async def test_an_expired_session_is_begun_anew(log: Log, demo_http: str) -> None:
    """The server itself refuses the unknown session with 404."""
    entry = ServerEntry("http", "http", url=demo_http, protocol="2025-06-18")
    report = await play(log, entry, QUICK, trouble=Trouble.EXPIRE)
    assert verdicts(report)["reconnect after expire"] is True


def test_the_command_line_reports(
    demo_stdio_command: tuple[str, ...], capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    program = ["--", *demo_stdio_command]
    words = ["lab", "-q", "--profile", "lazy-go", "--tool", "echo", "--args", '{"text": "hi"}', "--timeout", "60"]
    code = main([*words, "--trouble", "kill", "--json", *program])
    report = json.loads(capfdbinary.readouterr().out)
    assert code == (1 if report["broken"] else 0)
    assert report["waits"] == [1, 2, 3]
    assert [attempt["up"] for attempt in report["attempts"]] == [True]
    assert main(["lab", "-q", "--profile", "strict", *program]) == 0
    assert b"works   connect:" in capfdbinary.readouterr().out


async def test_the_eager_agent_leaves_out_what_does_not_come_up_and_routes_by_the_first_separators(
    log: Log, tmp_path: Path, demo_stdio_command: tuple[str, ...]
) -> None:
    """One file, all enabled servers at the start, names of prefix, server and tool: what that agent documents."""
    command, *args = demo_stdio_command
    servers = {
        "demo": {"command": command, "args": args},
        "gone": {"command": "no-such-program"},
        "off": {"command": command, "args": args, "disabled": True},
    }
    file = tmp_path / ".evo_agent" / "mcp.json"
    file.parent.mkdir()
    file.write_text(json.dumps({"mcpServers": servers}))
    profile = replace(profile_named("eager-go") or PATIENT, connect_timeout=60)
    enabled = [entry for entry in load(file).entries if not entry.disabled]
    assert [entry.name for entry in enabled] == ["demo", "gone"]
    up, down = [await play(log, entry, profile, probe=Probe("echo", b'{"text": "hi"}')) for entry in enabled]
    assert verdicts(up)["call"] is True
    assert verdicts(up)[Naive.FIRST_SPLIT] is True
    assert verdicts(down) == {"connect": False}
    assert down.judgements[0].sentence.endswith("The others go on.")
    async with connect(file) as run:
        assert await run.call_text("mcp__demo__echo", text="hi") == "hi"


async def test_the_lazy_agent_lists_before_each_run_keeps_what_it_had_and_reconnects(log: Log, rude: Any) -> None:
    """A listing that fails leaves the tools of before; a lost connection is tried again as often as it says."""
    profile = replace(profile_named("lazy-go") or PATIENT, connect_timeout=60, wait=0.01)
    assert (profile.refreshing, profile.reconnects, profile.degrades) == (Refreshing.EACH_RUN, 3, True)
    peer = rude(on={"tools/list#2": [{"error": {"code": -32603, "message": "not now"}}]})
    entry = ServerEntry("rude", command=peer.command, args=peer.args)
    report = await play(log, entry, profile, probe=Probe("echo", b'{"text": "hi"}'), trouble=Trouble.KILL)
    assert verdicts(report)["reconnect after kill"] is True
    assert len(report.attempts) == 1
    report = await play(log, entry, profile, trouble=Trouble.REFUSE, amount=9)
    assert [attempt.up for attempt in report.attempts] == [False, False, False]

    async with connected(rude=peer.argv) as inspector:
        server = inspector.servers[0]
        before = server.catalogue[What.TOOLS].items
        await server.refresh(What.TOOLS)
        assert before
        assert server.catalogue[What.TOOLS].items == before
        assert server.catalogue[What.TOOLS].freshness is Freshness.STALE
