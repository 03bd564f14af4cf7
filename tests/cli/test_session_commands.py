"""record, export and diff: the real commands, with a real client and real servers."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import xml.etree.ElementTree as ET
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import anyio
import httpx
import pytest

from mcp_inspector.__main__ import main
from mcp_inspector.cli.exits import Exit
from mcp_inspector.config.entry import ServerEntry
from mcp_inspector.session.list_book import Connect, ListBook, key_of
from mcp_inspector.session.observer import Observer
from mcp_inspector.session.recorded_lists import recorded_lists
from mcp_inspector.store.exchanges import Exchanges, RowKind
from mcp_inspector.store.log import Log
from mcp_inspector.store.record import Channel, Direction
from mcp_inspector.transport.proxy import RecordingProxy
from tests.peers.raw_http import RawHttp, Reply, Request

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping
    from pathlib import Path

pytestmark = pytest.mark.peer

PYTHON = sys.executable
DEMO = [PYTHON, "-m", "mcp_inspector.demo"]
SENT, RECEIVED = Direction.SENT, Direction.RECEIVED


def ran(*words: str, **how: Any) -> subprocess.CompletedProcess[bytes]:
    """The real command in a process of its own."""
    return subprocess.run([PYTHON, "-m", "mcp_inspector", *words], capture_output=True, timeout=50, check=False, **how)


def said(capfdbinary: pytest.CaptureFixture[bytes], *words: str) -> tuple[int, str, str]:
    """The command in this process: exit code, stdout, stderr."""
    code = main(list(words))
    found = capfdbinary.readouterr()
    return code, found.out.decode(), found.err.decode()


# --- record ---

ECHO = """
import os, sys
os.write(2, b"ready\\r\\nhalf")
while data := os.read(0, 7):
    os.write(1, data)
os.write(2, b" a line")
sys.exit(3)
"""
ODD = b'{"jsonrpc":"2.0","id":1,"method":"ping"}\r\n\xff\x00 no text\n\n{"a":1}\nwithout an end'


def test_every_byte_passes_unchanged_and_the_exit_code_too(tmp_path: Path) -> None:
    target = tmp_path / "kept.mcpsession"
    done = ran("record", "-o", str(target), "--", PYTHON, "-c", ECHO, input=ODD)
    assert done.stdout == ODD
    assert b"ready\r\nhalf a line" in done.stderr
    assert done.returncode == 3
    assert [path.name for path in tmp_path.glob("*.mcpsession*")] == ["kept.mcpsession"]
    log = Log.open(target)
    records = [each.entry for each in log.slice(1, 100)]
    bodies = [entry.data for entry in records if entry.direction is SENT]
    assert bodies == [b'{"jsonrpc":"2.0","id":1,"method":"ping"}', b"\xff\x00 no text", b'{"a":1}', b"without an end"]
    assert [entry.data for entry in records if entry.channel is Channel.STDERR] == [b"ready", b"half a line"]
    assert [entry.kind for entry in records if entry.channel is Channel.LIFECYCLE] == ["started", "exited"]
    assert records[-1].status == 3
    log.close()


def test_what_cannot_be_started_or_written_is_said(tmp_path: Path) -> None:
    done = ran("record", "-o", str(tmp_path / "x"), "--", "no-such-program-here")
    assert done.returncode == Exit.CONNECTION
    assert b"no-such-program-here was not found" in done.stderr
    taken = tmp_path / "taken.mcpsession"
    taken.touch()
    assert ran("record", "-o", str(taken), "--", PYTHON, "-c", "").returncode == Exit.USAGE
    assert ran("record", "-o", str(tmp_path / "no" / "x"), "--", PYTHON, "-c", "").returncode == Exit.USAGE
    assert ran("record").returncode == Exit.USAGE


@pytest.mark.skipif(sys.platform == "win32", reason="signals are of POSIX")
def test_a_signal_reaches_the_server_and_its_end_is_kept(tmp_path: Path) -> None:
    code = "import time; print('up', flush=True); time.sleep(60)"
    argv = [PYTHON, "-m", "mcp_inspector", "record", "-o", str(tmp_path / "x"), "--", PYTHON, "-c", code]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"up\n"
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 128 + signal.SIGTERM
    log = Log.open(tmp_path / "x.mcpsession")
    assert log.record(len(log)).entry.facts["signal"] == "SIGTERM"
    log.close()


@pytest.mark.anyio
async def test_a_real_client_works_through_it_and_all_is_kept(tmp_path: Path) -> None:
    from mcp import ClientSession, StdioServerParameters
    from mcp.client.stdio import stdio_client

    target = tmp_path / "kept.mcpsession"
    words = ["-m", "mcp_inspector", "record", "-o", str(target), "--", *DEMO]
    with open(os.devnull, "w") as quiet:
        env = {**os.environ}
        parameters = StdioServerParameters(command=PYTHON, args=words, env=env)
        with anyio.fail_after(40):
            async with stdio_client(parameters, quiet) as (read, write), ClientSession(read, write) as client:
                await client.initialize()
                tools = await client.list_tools()
                result = await client.call_tool("add", {"a": 1, "b": 2})
                assert '"sum": 3' in result.content[0].text
        while not target.exists():
            await asyncio.sleep(0.05)
    log = Log.open(target)
    exchanges = Exchanges(log)
    exchanges.update()
    rows = [exchanges[row] for row in range(len(exchanges))]
    calls = [row for row in rows if row.kind is RowKind.REQUEST and row.method == "tools/call"]
    assert [(row.target, row.state.word) for row in calls] == [("add", "ok")]
    assert len(next(iter(recorded_lists(exchanges).values()))[0].lists["tools"]) == len(tools.tools)
    log.close()


class Seen:
    """What a proxy shows."""

    def __init__(self) -> None:
        self.messages: list[tuple[bool, bytes]] = []
        self.heads: list[Mapping[str, Any]] = []
        self.problems: list[str] = []

    def head(self, facts: Mapping[str, Any], data: bytes) -> None:
        self.heads.append(facts)

    def message(self, data: bytes, facts: Mapping[str, Any], *, sent: bool) -> None:
        self.messages.append((sent, data))

    def refused(self, sentence: str) -> None:
        self.problems.append(sentence)


@asynccontextmanager
async def proxied(play: Any, headers: Mapping[str, str] | None = None) -> AsyncIterator[tuple[str, RawHttp, Seen]]:
    seen = Seen()
    async with RawHttp(play) as server:
        proxy = RecordingProxy(server.url("/a%2Fb?x=1"), headers or {}, seen)
        url = await proxy.open()
        try:
            yield url, server, seen
        finally:
            await proxy.close()


@pytest.mark.anyio
async def test_the_proxy_passes_requests_and_answers_on_as_they_are() -> None:
    question, answer = b'{ "jsonrpc":"2.0", "id":1e0,"method":"ping" }', b'{"jsonrpc":"2.0","id":1,  "result":{}}'

    async def play(request: Request, reply: Reply) -> None:
        if request.method == "GET":
            await reply.stream("X-Odd: 1")
            await reply.chunk(b": ping\n\nid: 7\nda")
            await reply.chunk(b'ta: {"jsonrpc":"2.0","method":"x"}\n\n')
            await reply.end()
        else:
            await reply.send("200 OK", answer, "Content-Type: application/json", "Mcp-Session-Id: s1")

    async with proxied(play, {"X-Own": "1"}) as (url, server, seen), httpx.AsyncClient() as client:
        assert url.endswith("/a%2Fb?x=1")
        headers = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
        got = await client.post(url, content=question, headers=headers)
        assert (got.status_code, got.content, got.headers["mcp-session-id"]) == (200, answer, "s1")
        got = await client.get(url, headers={"accept": "text/event-stream"})
        assert got.content == b': ping\n\nid: 7\ndata: {"jsonrpc":"2.0","method":"x"}\n\n'
        assert got.headers["x-odd"] == "1"
    post = server.requests[0]
    assert (post.target, post.body, post.get("x-own")) == ("/a%2Fb?x=1", question, "1")
    assert post.get("accept") == "application/json, text/event-stream"
    assert [(sent, data) for sent, data in seen.messages] == [
        (True, question),
        (False, answer),
        (False, b'{"jsonrpc":"2.0","method":"x"}'),
    ]
    assert [facts.get("status") for facts in seen.heads] == [None, 200, None, 200]


@pytest.mark.anyio
async def test_no_page_of_the_web_gets_through_the_proxy() -> None:
    async def play(request: Request, reply: Reply) -> None:
        await reply.json({})

    async with proxied(play) as (url, server, seen), httpx.AsyncClient() as client:
        for headers in ({"host": "evil.example"}, {"origin": "https://evil.example"}, {"origin": "null"}):
            assert (await client.post(url, content=b"{}", headers=headers)).status_code == 403
        port = httpx.URL(url).port
        for headers in ({"host": f"localhost:{port}"}, {"origin": f"http://127.0.0.1:{port}"}):
            assert (await client.post(url, content=b"{}", headers=headers)).status_code == 200
        assert len(server.requests) == 2
        assert len(seen.problems) == 3


@pytest.mark.anyio
async def test_a_server_that_is_not_there_is_a_502() -> None:
    seen = Seen()
    proxy = RecordingProxy("http://127.0.0.1:9/mcp", {}, seen)
    url = await proxy.open()
    async with httpx.AsyncClient() as client:
        got = await client.post(url, content=b"{}")
    await proxy.close()
    assert got.status_code == 502
    assert "127.0.0.1:9 was not reached" in seen.problems[0]


@pytest.mark.skipif(sys.platform == "win32", reason="signals are of POSIX")
@pytest.mark.anyio
async def test_the_command_is_a_proxy_that_a_real_client_works_through(tmp_path: Path) -> None:
    from mcp import ClientSession
    from mcp.client.streamable_http import streamable_http_client

    target = tmp_path / "kept.mcpsession"
    demo = await asyncio.create_subprocess_exec(
        *DEMO, "http", "--with-parent", stdin=-1, stdout=asyncio.subprocess.DEVNULL, stderr=-1
    )
    assert demo.stderr is not None
    assert demo.stdin is not None
    upstream = (await demo.stderr.readline()).decode().split()[-1]
    process = await asyncio.create_subprocess_exec(
        PYTHON, "-m", "mcp_inspector", "record", upstream, "-o", str(target), stdin=-3, stdout=-3, stderr=-1
    )
    assert process.stderr is not None
    await process.stderr.readline()
    url = (await process.stderr.readline()).decode().split()[2]
    with anyio.fail_after(40):
        async with streamable_http_client(url) as streams, ClientSession(*streams[:2]) as client:
            await client.initialize()
            result = await client.call_tool("add", {"a": 1, "b": 2})
            assert '"sum": 3' in result.content[0].text
    process.send_signal(signal.SIGINT)
    assert await asyncio.wait_for(process.wait(), 20) == 0
    demo.stdin.close()
    await asyncio.wait_for(demo.wait(), 20)
    log = Log.open(target)
    exchanges = Exchanges(log)
    exchanges.update()
    rows = [exchanges[row] for row in range(len(exchanges))]
    assert ("tools/call", "add", "ok") in {(row.method, row.target, row.state.word) for row in rows}
    assert RowKind.HTTP in {row.kind for row in rows}
    log.close()


# --- export and diff ---


def kept(path: Path, *tools: dict[str, Any], answer: Any = 1) -> Path:
    """A recorded session: a list, and a call with a secret."""
    log = Log.create(path.parent)
    seen = Observer(log, "s")
    call = {"name": "t", "arguments": {"token": "s3cret"}}
    for number, (method, params, result) in enumerate(
        [("tools/list", {}, {"tools": tools}), ("tools/call", call, {"content": [], "n": answer})]
    ):
        times = number + 1, number + 1
        request = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        seen.message(SENT, json.dumps(request).encode(), times)
        seen.message(RECEIVED, json.dumps({"jsonrpc": "2.0", "id": number, "result": result}).encode(), times)
    log.close()
    assert log.path is not None
    return log.path.rename(path)


TOOL = {"name": "t", "inputSchema": {"type": "object", "properties": {"a": {"type": "string"}}}}
NARROW = {"name": "t", "inputSchema": {"type": "object", "properties": {"a": {"type": "integer"}}}}


def test_export_masks_filters_and_says_so(
    home: Path, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    path = str(kept(tmp_path / "x.mcpsession", TOOL))
    code, out, err = said(capfdbinary, "export", path)
    assert (code, len(out.splitlines())) == (0, 5)
    assert "s3cret" not in out
    assert "1 secrets are masked: token (1)" in err
    code, out, err = said(capfdbinary, "export", path, "--show-secrets", "--filter", "method:tools/call")
    assert (code, "s3cret" in out, len(out.splitlines()), err) == (0, True, 3, "")
    for word in ("har", "html", "md", "otlp"):
        target = tmp_path / word
        assert said(capfdbinary, "export", path, "--format", word, "-o", str(target))[0] == 0
        assert target.stat().st_size > 100
    assert said(capfdbinary, "export", str(tmp_path / "har"), "--format", "md")[0] == 0


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ([], "Name one session"),
        (["no-such"], "There is no session"),
        (["PATH", "--filter", "x:("], "The filter cannot be read"),
        (["PATH", "--collector", "http://x"], "add --format otlp"),
        (["PATH", "--format", "otlp", "--collector", "ftp://x"], "not an http or https URL"),
        (["PATH", "--redact", "--show-secrets"], "contradict"),
        (["PATH", "--", "x"], "starts nothing"),
    ],
)
def test_what_export_cannot_do_is_refused_before_anything_is_written(
    home: Path, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes], words: list[str], expected: str
) -> None:
    path = str(kept(tmp_path / "x.mcpsession", TOOL))
    code, out, err = said(capfdbinary, "export", *(path if word == "PATH" else word for word in words))
    assert (code, out) == (Exit.USAGE, "")
    assert expected in err


def test_sessions_are_found_by_how_their_name_begins(home: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    folder = home / "data" / "sessions"
    folder.mkdir(parents=True)
    kept(folder / "2026-01-01 one.mcpsession", TOOL)
    kept(folder / "2026-01-02 two.mcpsession", TOOL)
    assert said(capfdbinary, "export", "2026-01-02")[0] == 0
    assert said(capfdbinary, "export", "latest")[0] == 0
    code, _, err = said(capfdbinary, "export", "2026")
    assert (code, "2 sessions are called" in err) == (Exit.USAGE, True)


def test_diff_of_sessions_in_text_json_and_junit(
    home: Path, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    one = str(kept(tmp_path / "1.mcpsession", TOOL))
    two = str(kept(tmp_path / "2.mcpsession", NARROW, {"name": "new"}, answer=2))
    code, out, _ = said(capfdbinary, "diff", one, two)
    assert code == Exit.FINDINGS
    assert "s: 2 tools changed: 1 breaking, 1 minor" in out
    assert 'breaking  tools t: arguments: a: “type”: "string" → "integer"' in out
    assert "tools/call t: the answer differs" in out
    assert "/n: 1 → 2" in out
    report = tmp_path / "report.xml"
    code, out, _ = said(capfdbinary, "diff", one, two, "--json", "--junit", str(report))
    found = json.loads(out)
    assert (code, found["weight"], found["requests"]["same"]) == (Exit.FINDINGS, "breaking", 0)
    assert found["lists"][0]["changes"][0]["path"] == "/inputSchema/properties/a/type"
    suite = ET.parse(report).getroot()
    assert (suite.attrib["failures"], suite.attrib["skipped"]) == ("3", "1")
    assert said(capfdbinary, "diff", one, one)[0] == 0
    assert said(capfdbinary, "diff", one, two, "--what", "exchanges", "--fail-on", "breaking")[0] == 0
    assert said(capfdbinary, "diff", one, two, "--filter", "method:ping", "--what", "exchanges")[0] == 0


def test_diff_of_a_session_and_a_server_that_is_started(
    home: Path, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    one = str(kept(tmp_path / "1.mcpsession", {**TOOL, "name": "only here"}))
    code, out, _ = said(capfdbinary, "diff", one, "-q", "--", *DEMO)
    assert code == Exit.FINDINGS
    assert "breaking  tools only here: tool removed" in out
    assert "minor     tools add: new tool" in out
    code, _, err = said(capfdbinary, "diff", one, "-q", "--what", "exchanges", "--", *DEMO)
    assert (code, "one of these is a server" in err) == (Exit.USAGE, True)


def test_diff_with_what_a_server_listed_before(home: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    code, _, err = said(capfdbinary, "diff", "-q", "--", *DEMO)
    assert (code, "Nothing is remembered" in err) == (Exit.USAGE, True)
    entry = ServerEntry("x", command=DEMO[0], args=tuple(DEMO[1:]))
    before = Connect(1_764_511_325_000_000_000, lists={"tools": (json.dumps({**TOOL, "name": "old"}).encode(),)})
    ListBook(home / "data" / "lists").keep(key_of(entry), before)
    code, out, err = said(capfdbinary, "diff", "-q", "--", *DEMO)
    assert code == Exit.FINDINGS
    assert "tool removed" in out
    assert "Compared with what it listed at 2025-11-30" in err


@pytest.mark.parametrize(
    ("words", "expected"),
    [([], "Name two things"), (["a", "b", "c"], "Name two things"), (["nobody", "here"], "No server is called")],
)
def test_what_diff_cannot_compare_is_refused(
    home: Path, capfdbinary: pytest.CaptureFixture[bytes], words: list[str], expected: str
) -> None:
    code, _, err = said(capfdbinary, "diff", *words)
    assert (code, expected in err) == (Exit.USAGE, True), err
