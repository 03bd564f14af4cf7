"""The stdio transport against real child processes, on both loops."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil
import pytest

from mcp_inspector.transport.base import Fault, FaultKind, NoteKind, Outgoing
from mcp_inspector.transport.limits import Limits
from mcp_inspector.transport.stdio import Stdio

if TYPE_CHECKING:
    from tests.transport.conftest import Listener

pytestmark = [pytest.mark.anyio, pytest.mark.skipif(sys.platform == "win32", reason="the rude peer is POSIX")]
BOTH_LOOPS = True

RUDE = str(Path(__file__).parents[1] / "peers" / "rude_stdio.py")
QUICK = Limits(stop=0.5, linger=0.3)


def rude(*steps: list[Any], **more: Any) -> Stdio:
    return Stdio([sys.executable, RUDE, json.dumps(steps)], **more)


def request(ident: int, params: object = None, method: str = "echo") -> Outgoing:
    body = {"jsonrpc": "2.0", "id": ident, "method": method, "params": params or {}}
    return Outgoing(json.dumps(body, ensure_ascii=False).encode(), ident)


def gone(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE and pid not in {
            c.pid for c in psutil.Process().children()
        }
    except psutil.NoSuchProcess:
        return True


async def until_gone(pid: int) -> None:
    async with asyncio.timeout(10):
        while not gone(pid):
            await asyncio.sleep(0.01)


async def until_written(path: Path) -> str:
    async with asyncio.timeout(10):
        while not (path.exists() and path.read_text()):
            await asyncio.sleep(0.01)
    return path.read_text()


async def test_requests_go_out_and_answers_come_in(listener: Listener) -> None:
    """QT-02: sixty-four at once, in order on the pipe, on plain asyncio and on Qt's loop; then a clean end."""
    stdio = rude(["echo"])
    await stdio.open(listener)
    await asyncio.gather(*[stdio.send(request(n, {"n": n})) for n in range(64)])
    await listener.until(lambda: len(listener.messages) == 64)
    assert [json.loads(raw)["result"]["n"] for raw in listener.raws()] == list(range(64))
    assert all(item.stream == "stdio" and item.answers is None and item.mono_ns for item in listener.messages)
    (started,) = listener.noted_as(NoteKind.STARTED)
    assert started.facts["pid"] == stdio.pid
    await stdio.close()
    await stdio.close()
    assert listener.ends == [None]
    assert listener.order[-1] == "closed"
    (exited,) = listener.noted_as(NoteKind.EXITED)
    assert exited.facts["exit_code"] == 0
    assert not listener.noted_as(NoteKind.SHUTDOWN)
    assert gone(started.facts["pid"])
    with pytest.raises(Fault):
        await stdio.send(request(1))


async def test_connecting_again_and_again_works(listener: Listener) -> None:
    """QT-02: twenty times, two at once; exit codes are known each time."""
    for _ in range(10):
        pair = [rude(["echo"]), rude(["echo"])]
        await asyncio.gather(*[one.open(listener) for one in pair])
        await asyncio.gather(*[one.send(request(1)) for one in pair])
        await asyncio.gather(*[one.close() for one in pair])
    assert [note.facts["exit_code"] for note in listener.noted_as(NoteKind.EXITED)] == [0] * 20
    assert listener.ends == [None] * 20


async def test_lines_that_are_no_messages_come_as_they_are(listener: Listener) -> None:
    """STDIO-01, -02, -03, -04, -07: banner, glued log text, colours, bad UTF-8, a BOM: bytes kept, nothing ends."""
    stray = [
        b"Fake MCP server v1.2 ready",
        b'[INFO] cache warm {"jsonrpc":"2.0","id":1,"result":{}}',
        b"\x1b[32m\xf0\x9f\x9a\x80 listening\x1b[0m",
        b"{not json}",
        b"[1,2,3]",
        b'"text"',
        b"null",
        bytes.fromhex("7b226afffe"),
        b'\xef\xbb\xbf{"jsonrpc":"2.0","id":1,"result":{}}',
    ]
    sent = b"\n".join(stray[:2]) + b"\n" + stray[2] + b"\r\n" + b"\n".join(stray[3:]) + b"\n"
    stdio = rude(["outhex", sent.hex()], ["echo"])
    await stdio.open(listener)
    await stdio.send(request(7))
    await listener.until(lambda: len(listener.messages) == len(stray) + 1)
    assert listener.raws()[:-1] == stray
    assert json.loads(listener.raws()[-1])["id"] == 7
    await stdio.close()


async def test_what_we_write_is_utf8_and_one_lf(listener: Listener, tmp_path: Path) -> None:
    """STDIO-06: the bytes as given, one 0x0A, no 0x0D, whatever the locale."""
    kept = tmp_path / "stdin"
    stdio = rude(["keep", str(kept)], ["read"], ["reply", {}], ["until_eof"], env={"LANG": "C", "PYTHONUTF8": "0"})
    await stdio.open(listener)
    out = request(1, {"text": "naïve – 日本語 – 😀"})
    await stdio.send(out)
    await listener.until(lambda: listener.messages)
    assert kept.read_bytes() == out.raw + b"\n"
    await stdio.close()


async def test_a_character_cut_between_two_writes_stays_whole(listener: Listener) -> None:
    """STDIO-08: a line cut at every byte of its characters."""
    line = '{"name":"測試😀"}'.encode()
    at = range(line.index(b"\xe6"), len(line))
    steps: list[list[Any]] = []
    for cut in at:
        steps += [["outhex", line[:cut].hex()], ["sleep", 0.01], ["outhex", (line[cut:] + b"\n").hex()]]
    stdio = rude(*steps, ["until_eof"])
    await stdio.open(listener)
    await listener.until(lambda: len(listener.messages) == len(at))
    assert set(listener.raws()) == {line}
    await stdio.close()


@pytest.mark.parametrize("size", [65535, 65536, 65537, 200_000, 8 << 20])
async def test_long_lines_come_whole(listener: Listener, size: int) -> None:
    """STDIO-09: sizes round 64 KiB and far above; the next message follows."""
    stdio = rude(["big", size], ["echo"])
    await stdio.open(listener)
    await stdio.send(request(1))
    await listener.until(lambda: len(listener.messages) == 2)
    assert listener.messages[0].raw == b"x" * size
    assert listener.messages[0].skipped == 0
    await stdio.close()


async def test_past_the_limit_one_message_is_cut_and_the_next_is_whole(listener: Listener) -> None:
    """STDIO-10: exactly one oversize message, saying how much was dropped."""
    stdio = rude(["big", 100_001], ["echo"], limits=Limits(message=100_000))
    await stdio.open(listener)
    await stdio.send(request(1))
    await listener.until(lambda: len(listener.messages) == 2)
    assert (len(listener.messages[0].raw), listener.messages[0].skipped) == (100_000, 1)
    assert json.loads(listener.raws()[1])["id"] == 1
    await stdio.close()


async def test_a_flood_on_stderr_never_blocks_the_server(listener: Listener) -> None:
    """STDIO-11: 1 MiB before the first answer and more later; every line is noted, none blocks."""
    stdio = rude(["flood_err", 1 << 20], ["read"], ["reply", {}], ["flood_err", 1 << 18], ["read"], ["reply", {}])
    await stdio.open(listener)
    for n in (1, 2):
        await stdio.send(request(n))
        await listener.until(lambda n=n: len(listener.messages) == n)
    await listener.until(lambda: listener.ends)
    assert len(listener.noted_as(NoteKind.STDERR)) == (1 << 20) // 100 + (1 << 18) // 100
    assert {note.data for note in listener.noted_as(NoteKind.STDERR)} == {b"e" * 99}
    await stdio.close()


async def test_stderr_lines_are_bounded_and_a_prompt_is_shown(listener: Listener) -> None:
    """A line without end is cut; a question without a newline is shown while the program waits."""
    stdio = rude(["err", "y" * 100_000 + "\nOk to proceed? (y) "], ["until_eof"])
    await stdio.open(listener)
    await listener.until(lambda: len(listener.noted_as(NoteKind.STDERR)) == 2)
    long, prompt = listener.noted_as(NoteKind.STDERR)
    assert len(long.data) == 65536
    assert long.facts["skipped"] == 100_000 - 65536
    assert prompt.data == b"Ok to proceed? (y) "
    await stdio.close()


async def test_a_death_in_mid_request_is_told_at_once_with_all_that_is_known(listener: Listener) -> None:
    """STDIO-13: exit code 3, the last twenty stderr lines, the first output, pid, argv and cwd."""
    noise = "".join(f"line {n}\n" for n in range(30)) + "Error: API_KEY is missing"
    stdio = rude(["out", "hello\n"], ["err", noise], ["read"], ["exit", 3])
    await stdio.open(listener)
    pid = stdio.pid
    await stdio.send(request(1))
    await listener.until(lambda: listener.ends)
    fault = listener.ends[0]
    assert fault is not None
    assert (fault.kind, fault.facts["exit_code"], fault.facts["pid"]) == (FaultKind.EXITED, 3, pid)
    assert "exit code 3" in fault.sentence
    assert fault.facts["stderr"] == [*(f"line {n}" for n in range(11, 30)), "Error: API_KEY is missing"]
    assert fault.facts["first_output"] == b"hello\n"
    assert fault.facts["argv"][1] == RUDE
    assert fault.facts["cwd"] == os.getcwd()
    assert fault.reconnectable
    with pytest.raises(Fault) as raised:
        await stdio.send(request(2))
    assert raised.value is fault
    await stdio.close()
    assert listener.ends == [fault]


async def test_a_death_by_a_signal_names_it(listener: Listener) -> None:
    """A crash is told by the signal's name."""
    stdio = rude(["die", "SIGKILL"])
    await stdio.open(listener)
    await listener.until(lambda: listener.ends)
    assert listener.ends[0] is not None
    assert listener.ends[0].facts["signal"] == "SIGKILL"
    await stdio.close()


async def test_the_last_line_needs_no_newline(listener: Listener) -> None:
    """STDIO-25: what came before the end is delivered, also without its newline, and is in the first output."""
    stdio = rude(["out", 'Content-Length: 14\r\n\r\n{"jsonrpc":"2"}'])
    await stdio.open(listener)
    await listener.until(lambda: listener.ends)
    assert listener.raws() == [b"Content-Length: 14", b'{"jsonrpc":"2"}']
    assert listener.ends[0] is not None
    assert listener.ends[0].facts["first_output"].startswith(b"Content-Length: 14")
    await stdio.close()


async def test_env_is_laid_over_ours(listener: Listener) -> None:
    """STDIO-17: PATH and HOME stay, the entry's variables are there."""
    code = "import json,os; print(json.dumps(dict(os.environ)), flush=True)"
    stdio = Stdio([sys.executable, "-c", code], env={"API_KEY": "x", "EMPTY": ""})
    await stdio.open(listener)
    await listener.until(lambda: listener.messages)
    seen = json.loads(listener.raws()[0])
    assert (seen["API_KEY"], seen["EMPTY"], seen["PATH"]) == ("x", "", os.environ["PATH"])
    await stdio.close()


@pytest.mark.parametrize("wrapped", [True, False])
async def test_the_whole_group_goes(listener: Listener, tmp_path: Path, wrapped: bool) -> None:
    """STDIO-20: a shell that stays the parent, and a helper in the same group: nothing is left, no zombie either."""
    pids = tmp_path / "pid", tmp_path / "child"
    argv = [sys.executable, RUDE, json.dumps([["pid", str(pids[0])], ["child", str(pids[1])], ["echo"]])]
    if wrapped:
        argv = ["sh", "-c", '"$@"; true', "sh", *argv]
    stdio = Stdio(argv, limits=QUICK)
    await stdio.open(listener)
    numbers = [int(await until_written(path)) for path in pids]
    await stdio.close()
    for number in [*numbers, stdio.pid]:
        assert number is not None
        await until_gone(number)
    assert [note.facts["step"] for note in listener.noted_as(NoteKind.SHUTDOWN)] == ["SIGTERM"]
    assert listener.ends == [None]


async def test_the_rest_of_the_group_goes_when_its_leader_dies(listener: Listener, tmp_path: Path) -> None:
    """STDIO-20: the wrapper is killed from outside; its server does not stay behind."""
    path = tmp_path / "pid"
    argv = [sys.executable, RUDE, json.dumps([["pid", str(path)], ["ignore", "SIGTERM"], ["sleep", 600]])]
    stdio = Stdio(["sh", "-c", '"$@"; true', "sh", *argv], limits=QUICK)
    await stdio.open(listener)
    server = int(await until_written(path))
    assert stdio.pid is not None
    os.kill(stdio.pid, signal.SIGKILL)
    await listener.until(lambda: listener.ends)
    await until_gone(server)
    await stdio.close()


async def test_a_daemon_that_holds_the_pipes_does_not_hold_us(listener: Listener, tmp_path: Path) -> None:
    """STDIO-21: the server exits, a grandchild in another session keeps stdout open: told by the exit, soon."""
    path = tmp_path / "daemon"
    stdio = rude(["daemon", str(path)], ["out", "last\n"], ["exit", 0], limits=QUICK)
    await stdio.open(listener)
    await listener.until(lambda: listener.ends, seconds=5)
    daemon = int(await until_written(path))
    assert listener.ends[0] is not None
    assert listener.ends[0].kind is FaultKind.EXITED
    assert listener.raws() == [b"last"]
    started = time.monotonic()
    await stdio.close()
    assert time.monotonic() - started < 3
    os.kill(daemon, signal.SIGKILL)


async def test_a_server_that_ignores_all_is_killed(listener: Listener) -> None:
    """STDIO-22: stdin's end and SIGTERM are ignored; SIGKILL comes after two graces, and each step is noted."""
    stdio = rude(["ignore", "SIGTERM"], ["ignore", "SIGINT"], ["out", "up\n"], ["sleep", 600], limits=QUICK)
    await stdio.open(listener)
    await listener.until(lambda: listener.messages)
    started = time.monotonic()
    await stdio.close()
    assert 0.9 < time.monotonic() - started < 4
    assert [note.facts["step"] for note in listener.noted_as(NoteKind.SHUTDOWN)] == ["SIGTERM", "SIGKILL"]
    (exited,) = listener.noted_as(NoteKind.EXITED)
    assert exited.facts["signal"] == "SIGKILL"
    assert listener.ends == [None]


async def test_a_server_gets_time_to_end_by_itself(listener: Listener, tmp_path: Path) -> None:
    """STDIO-23, STDIO-36: stdin is closed first; what comes during the grace is still heard."""
    mark = tmp_path / "clean-exit"
    steps = [["until_eof"], ["sleep", 0.3], ["flood_err", 200_000], ["out", "bye\n"], ["touch", str(mark)]]
    stdio = rude(*steps)
    await stdio.open(listener)
    await stdio.close()
    assert mark.exists()
    assert listener.raws() == [b"bye"]
    assert len(listener.noted_as(NoteKind.STDERR)) == 2000
    assert not listener.noted_as(NoteKind.SHUTDOWN)


@pytest.mark.parametrize(("descriptor", "kind"), [(1, FaultKind.CLOSED), (0, FaultKind.BROKEN_PIPE)])
async def test_a_server_that_closes_one_pipe_is_gone(listener: Listener, descriptor: int, kind: FaultKind) -> None:
    """STDIO-24: stdout or stdin closed while it runs on: the connection is closed and the process ended."""
    stdio = rude(["close", descriptor], ["err", "done\n"], ["sleep", 600], limits=QUICK)
    await stdio.open(listener)
    await listener.until(lambda: listener.noted_as(NoteKind.STDERR))
    if descriptor == 0:
        with pytest.raises(Fault) as raised:
            await stdio.send(request(1))
        assert raised.value.kind is FaultKind.BROKEN_PIPE
    await listener.until(lambda: listener.ends)
    assert listener.ends[0] is not None
    assert listener.ends[0].kind is kind
    assert "exit_code" not in listener.ends[0].facts
    await listener.until(lambda: listener.noted_as(NoteKind.EXITED))
    await stdio.close()
    assert len(listener.ends) == 1


async def test_a_server_that_does_not_read_blocks_nobody(listener: Listener) -> None:
    """STDIO-29: 5 MiB into a full pipe: the loop goes on, the wait can be cancelled, disconnecting works."""
    stdio = rude(["out", "up\n"], ["ignore", "SIGTERM"], ["sleep", 600], limits=QUICK)
    await stdio.open(listener)
    await listener.until(lambda: listener.messages)
    sending = asyncio.ensure_future(stdio.send(request(1, {"big": "x" * (5 << 20)})))
    waiting = asyncio.ensure_future(stdio.send(request(2)))
    gaps = []
    for _ in range(20):
        before = time.perf_counter()
        await asyncio.sleep(0.005)
        gaps.append(time.perf_counter() - before)
    assert max(gaps) < 0.5
    assert not sending.done()
    sending.cancel()
    with pytest.raises(asyncio.CancelledError):
        await sending
    await stdio.close()
    with pytest.raises(Fault):
        await waiting
    assert listener.ends == [None]


async def test_many_messages_in_one_chunk_come_in_slices(listener: Listener) -> None:
    """STDIO-38, QT-07: a burst comes whole and in order, and a slow listener does not hold the loop."""
    count = 3000

    def slow(_: object) -> None:
        until = time.perf_counter() + 0.0003
        while time.perf_counter() < until:
            pass

    listener.on_message = slow
    stdio = rude(["lines", count], ["until_eof"])
    await stdio.open(listener)
    longest = 0.0
    while len(listener.messages) < count:
        before = time.perf_counter()
        await asyncio.sleep(0.001)
        longest = max(longest, time.perf_counter() - before)
    assert [json.loads(raw)["params"]["i"] for raw in listener.raws()] == list(range(count))
    assert longest < 0.25  # the whole burst takes a second; slices are 4 ms, the rest is room for a busy machine
    await stdio.close()


async def test_a_command_that_is_missing_is_named(listener: Listener, tmp_path: Path) -> None:
    """A wrong command, with what was searched and a hint; nothing is left open."""
    with pytest.raises(Fault) as raised:
        await Stdio(["no-such-command-here", "x"], env={"PATH": str(tmp_path)}).open(listener)
    fault = raised.value
    assert fault.kind is FaultKind.NOT_FOUND
    assert (fault.facts["argv"], fault.facts["searched"]) == (["no-such-command-here", "x"], str(tmp_path))
    assert "no-such-command-here" in fault.sentence
    assert fault.hint
    assert not listener.order
    with pytest.raises(Fault) as raised:
        await Stdio([f"{sys.executable} server.py"]).open(listener)
    assert "arguments" in raised.value.hint


async def test_the_path_of_env_finds_the_command(listener: Listener, tmp_path: Path) -> None:
    """The entry's own PATH is searched, and a relative command is looked up in its working directory."""
    program = tmp_path / "own-server"
    program.write_text("#!/bin/sh\necho here\nread line\n")
    program.chmod(0o755)
    for argv, more in (
        (["own-server"], {"env": {"PATH": f"{tmp_path}:/bin:/usr/bin"}}),
        (["./own-server"], {"cwd": str(tmp_path)}),
    ):
        stdio = Stdio(argv, **more)
        await stdio.open(listener)
        await listener.until(lambda: listener.messages)
        assert listener.messages.pop().raw == b"here"
        await stdio.close()


@pytest.mark.parametrize("case", ["mode", "shebang", "cwd", "empty", "null"])
async def test_what_the_system_refuses_to_run_is_said(listener: Listener, tmp_path: Path, case: str) -> None:
    """Not executable, a missing interpreter, a missing folder, no command, a NUL: a fault with a sentence."""
    program = tmp_path / "server"
    program.write_text("#!/no/such/interpreter\n")
    program.chmod(0o755 if case == "shebang" else 0o644)
    stdio = {
        "mode": Stdio([str(program)]),
        "shebang": Stdio([str(program)]),
        "cwd": Stdio([sys.executable], cwd=str(tmp_path / "missing")),
        "empty": Stdio([]),
        "null": Stdio([sys.executable, "a\0b"]),
    }[case]
    with pytest.raises(Fault) as raised:
        await stdio.open(listener)
    assert raised.value.kind is (FaultKind.USAGE if case in ("empty", "null") else FaultKind.NOT_STARTED)
    assert raised.value.sentence.endswith(".")
    await stdio.close()
    assert not listener.order


async def test_closing_is_safe_to_cancel(listener: Listener) -> None:
    """A close that is cancelled goes on by itself; a second one waits for the same end."""
    stdio = rude(["ignore", "SIGTERM"], ["out", "up\n"], ["sleep", 600], limits=QUICK)
    await stdio.open(listener)
    await listener.until(lambda: listener.messages)
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(stdio.close(), 0.1)
    await stdio.close()
    assert listener.ends == [None]
    assert stdio.pid is not None
    assert gone(stdio.pid)


@pytest.mark.skipif(not hasattr(os, "waitid"), reason="waiting without reaping is POSIX")
async def test_a_write_to_a_process_that_has_just_ended_names_its_end(listener: Listener) -> None:
    """The pipe breaks before the end is heard of: the exit is the reason to give all the same."""
    stdio = rude(["exit", 7])
    await stdio.open(listener)
    assert stdio.pid
    os.waitid(os.P_PID, stdio.pid, os.WEXITED | os.WNOWAIT)  # blocks the loop, which so cannot hear of it
    with pytest.raises(Fault) as caught:
        await stdio.send(request(1))
    assert caught.value.kind is FaultKind.EXITED
    assert caught.value.facts["exit_code"] == 7
    await stdio.close()
