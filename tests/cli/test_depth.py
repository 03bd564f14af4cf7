"""Answers, log levels, watching and raw messages from the command line, with the demo server in both eras."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from mcp_inspector.__main__ import main
from mcp_inspector.cli import answers
from mcp_inspector.cli.exits import Exit, UsageError
from mcp_inspector.session.inbox import ELICITATION, ROOTS, SAMPLING

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.peer
ERAS = pytest.mark.parametrize("era", ["modern", "legacy"])


@pytest.fixture
def run(capfdbinary: pytest.CaptureFixture[bytes], demo_stdio_command: tuple[str, ...]) -> Callable[..., Any]:
    """``run("modern", "call", "echo")``: exit code, stdout, stderr."""

    def run(era: str, *words: str) -> tuple[int, str, str]:
        code = main([*words, "--protocol", era, "--", *demo_stdio_command])
        captured = capfdbinary.readouterr()
        return code, captured.out.decode(), captured.err.decode()

    return run


@ERAS
def test_an_elicitation_is_accepted_with_values(run: Any, era: str) -> None:
    code, out, _ = run(era, "call", "ask_name", "--answer", 'elicitation=accept:{"name":"Ada"}')
    assert (code, out.strip()) == (Exit.OK, "Nice to meet you, Ada!")


@ERAS
@pytest.mark.parametrize(("how", "said"), [("decline", "You chose: decline"), ("cancel", "You chose: cancel")])
def test_an_elicitation_is_declined_or_cancelled(run: Any, era: str, how: str, said: str) -> None:
    code, out, _ = run(era, "call", "ask_name", "--answer", f"elicitation={how}")
    assert code == Exit.OK
    assert said in out


def test_defaults_are_accepted_and_a_page_is_consented_to(run: Any) -> None:
    code, out, _ = run("modern", "call", "ask_everything", "--json", "--answer", "elicitation=accept")
    assert code == Exit.OK
    assert json.loads(out)["structuredContent"]["answer"]["extras"] == ["music"]
    code, out, _ = run("modern", "call", "open_page", "--answer", "elicitation=accept")
    assert "You agreed" in out


@ERAS
def test_sampling_and_roots_are_answered(run: Any, era: str) -> None:
    code, out, _ = run(era, "call", "summarise", "text=a story", "--answer", "sampling=It is short.")
    assert code == Exit.OK
    assert "It is short." in out
    code, out, _ = run(era, "call", "list_roots", "--json", "--answer", "roots=file:///a,file:///b")
    assert [root["uri"] for root in json.loads(out)["structuredContent"]["roots"]] == ["file:///a", "file:///b"]


@ERAS
def test_what_is_not_answered_is_not_declared(run: Any, era: str) -> None:
    code, out, err = run(era, "call", "ask_name", "--answer", "sampling=x")
    assert code != Exit.OK
    assert "has not declared the capability elicitation" in out + err


@ERAS
def test_log_messages_come_at_the_level_that_is_asked_for(run: Any, era: str) -> None:
    _, _, err = run(era, "call", "log_lines", "count=8", "--log-level", "error")
    levels = [line.split()[1] for line in err.splitlines() if line.startswith("log ")]
    assert levels == ["error", "critical", "alert", "emergency"]


@ERAS
def test_a_raw_message_is_sent_as_it_is_and_its_answer_shown(run: Any, era: str) -> None:
    params: dict[str, Any] = {}
    if era == "modern":
        prefix = "io.modelcontextprotocol/"
        params = {"_meta": {f"{prefix}protocolVersion": "2026-07-28", f"{prefix}clientCapabilities": {}}}
    message = json.dumps({"jsonrpc": "2.0", "id": "mine", "method": "prompts/list", "params": params})
    code, out, _ = run(era, "send", message, "--json")
    assert code == Exit.OK
    assert json.loads(out)["prompts"]
    code, out, err = run(era, "send", '{"jsonrpc": "2.0", "id": 99, "method": "no/such"}')
    assert code == Exit.RPC_ERROR
    assert "-32601" in err or "-32602" in err
    code, _, err = run(era, "send", '{"jsonrpc": "2.0", "method": "notifications/x"')
    assert code == Exit.OK
    assert "not JSON" in err
    assert "no answer can be matched" in err


@ERAS
def test_watching_goes_on_until_it_is_interrupted(demo_stdio_command: tuple[str, ...], era: str) -> None:
    """It goes on until Ctrl+C, which ends it in order."""
    command = [sys.executable, "-m", "mcp_inspector", "watch", "demo://counter", "--protocol", era, "--json", "--"]
    process = subprocess.Popen(
        [*command, *demo_stdio_command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert process.stderr is not None
        for line in process.stderr:
            if line.startswith("Watching demo://counter"):
                break
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=20)
    finally:
        process.kill()
    assert process.returncode == Exit.INTERRUPTED


@ERAS
def test_ctrl_c_cancels_a_task_at_the_server(demo_stdio_command: tuple[str, ...], era: str) -> None:
    command = [sys.executable, "-m", "mcp_inspector", "call", "brew_tea", "seconds=100", "--task", "--verbose"]
    process = subprocess.Popen(
        [*command, "--protocol", era, "--", *demo_stdio_command],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stderr is not None
        for line in process.stderr:
            if line.startswith("task tea-1 working"):
                break
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=20)
    finally:
        process.kill()
    assert process.returncode == Exit.INTERRUPTED
    assert '"method":"tasks/cancel"' in told


def test_watching_ends_after_so_many_changes_and_names_what_changed(
    capfdbinary: pytest.CaptureFixture[bytes], rude: Any
) -> None:
    updated = {"jsonrpc": "2.0", "method": "notifications/resources/updated", "params": {"uri": "x://1"}}
    changed = {"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}
    later = {"later": [{"sleep": 0.3}, {"out": updated}, {"out": changed}, {"out": updated}]}
    server = rude(on={"resources/subscribe": [{"result": {}}, later]})
    code = main(["watch", "x://1", "--count", "2", "--json", "--", *server.argv])
    lines = [json.loads(line) for line in capfdbinary.readouterr().out.splitlines()]
    assert code == Exit.OK
    assert [(line["changed"], line["what"]) for line in lines] == [("resource", "x://1"), ("list", "tools")]


def test_watching_what_is_refused_ends_with_the_reason(capfdbinary: pytest.CaptureFixture[bytes], rude: Any) -> None:
    server = rude(on={"resources/subscribe": [{"error": {"code": -32602, "message": "no such thing"}}]})
    assert main(["watch", "x://1", "--", *server.argv]) == Exit.RPC_ERROR
    assert b"no such thing" in capfdbinary.readouterr().err


def test_watching_ends_when_the_server_does(capfdbinary: pytest.CaptureFixture[bytes], rude: Any) -> None:
    server = rude(on={"resources/subscribe": [{"result": {}}, {"later": [{"sleep": 0.3}, {"exit": 3}]}]})
    assert main(["watch", "x://1", "--", *server.argv]) == Exit.CONNECTION
    assert b"exit code 3" in capfdbinary.readouterr().err


@pytest.mark.parametrize(
    "wrong",
    ["elicitation", "elicitation=perhaps", "nothing=1", "sampling=result:{", "elicitation=accept:{", "roots="],
)
def test_an_answer_that_is_none_is_a_usage_error(run: Any, wrong: str) -> None:
    code, out, err = run("auto", "ping", "--answer", wrong)
    assert code == Exit.USAGE
    assert out == ""
    assert "--answer" in err


def test_answers_become_presets_and_capabilities() -> None:
    found = answers.presets(["sampling=Hi: there", "elicitation=malformed", 'roots=result:{ "roots" : [] }'])
    assert json.loads(found[SAMPLING].content)["content"]["text"] == "Hi: there"
    assert found[ELICITATION].action == "malformed"
    assert found[ROOTS].content == b'{"roots":[]}'
    assert set(answers.capabilities(found)) == {"sampling", "elicitation", "roots", "tasks"}
    assert set(answers.capabilities(found)["tasks"]["requests"]) == {"sampling", "elicitation"}
    assert set(answers.capabilities({ROOTS: found[ROOTS]})) == {"roots"}
    late = answers.presets(["elicitation=wait:2.5:decline"])[ELICITATION]
    assert (late.action, late.delay) == ("decline", 2.5)
    chosen = {"sampling": {}, "roots": {}, "extensions": {"a": {}}}
    assert answers.narrowed(chosen, {"roots": {}}) == {"roots": {}, "extensions": {"a": {}}}
    assert answers.capabilities({}) == {}
    with pytest.raises(UsageError, match="twice"):
        answers.presets(["sampling=a", "sampling=b"])


def test_help_tells_of_answers(run: Any, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["call", "--help"]) == 0
    told = capfdbinary.readouterr().out.decode()
    assert "elicitation=accept:" in told
    assert "--log-level" in told
    assert main(["watch", "--help"]) == 0
    assert "--count" in capfdbinary.readouterr().out.decode()


@ERAS
def test_meta_and_a_trace_context_go_with_the_request(run: Any, era: str) -> None:
    code, out, _ = run(era, "call", "show_request", "--json", "--trace", "--meta", '{"com.example/n": 1.0}')
    assert code == Exit.OK
    meta = json.loads(out)["structuredContent"]["meta"]
    assert meta["com.example/n"] == 1
    assert meta["traceparent"].startswith("00-")
    assert run(era, "read", "demo://welcome", "--meta", "[1]")[0] == Exit.USAGE


@ERAS
def test_a_task_is_followed_and_asks_on_the_way(run: Any, era: str) -> None:
    answer = 'elicitation=wait:0.1:accept:{"sugar":"much"}'
    words = ("call", "brew_tea", "seconds=0.2", "ask=true", "--task", "--answer", answer)
    code, out, err = run(era, *words)
    assert (code, out.strip()) == (Exit.OK, "Tea with much sugar, brewed for 0.2 s.")
    assert "task tea-1 working" in err
    assert "task tea-1 input_required" in err


def test_freshness_and_pages_are_told_in_full(run: Any) -> None:
    _, _, err = run("modern", "read", "demo://clock", "--verbose")
    assert "demo://clock: fresh for 30 s, private" in err
    _, _, err = run("modern", "list", "--what", "resources", "--verbose")
    assert 'resources page 1: 6 entries, 6 of new names; cursor none, next "after-6"' in err
    assert 'cursor "after-6", next none' in err


def test_a_raw_batch_is_answered_as_a_whole(run: Any, rude: Any, capfdbinary: Any) -> None:
    batch = [{"jsonrpc": "2.0", "id": ident, "method": "ping"} for ident in ("a", "b")]
    code = main(["send", json.dumps(batch), "--json", "--protocol", "2025-03-26", "--", *rude().argv])
    assert code == Exit.OK
    answers = json.loads(capfdbinary.readouterr().out)
    assert answers == [{"id": "a", "result": {}}, {"id": "b", "result": {}}]


def test_secrets_are_masked_in_what_is_told_in_full(run: Any) -> None:
    _, _, err = run("modern", "call", "echo", "text=hi", "--verbose", "--meta", '{"api_key": "very-secret-9"}')
    assert "api_key" in err
    assert "very-secret-9" not in err


def test_what_an_entry_chooses_counts_here_too(rude: Any, tmp_path: Any, capfdbinary: Any) -> None:
    """But not what would ask somebody: nobody is there."""
    peer = rude()
    entry = {"command": peer.command, "args": list(peer.args), "meta": {"a": 1}, "logLevel": "error"}
    entry |= {"capabilities": {"sampling": {}, "extensions": {"com.example/x": {}}}, "roots": ["file:///here"]}
    file = tmp_path / "servers.json"
    file.write_text(json.dumps({"mcpServers": {"mine": entry}}))
    assert main(["call", "mine", "echo", "--config", str(file)]) == Exit.OK
    capfdbinary.readouterr()
    assert peer.heard("initialize")[0]["params"]["capabilities"] == {"extensions": {"com.example/x": {}}}
    assert peer.heard("tools/call")[0]["params"]["_meta"]["a"] == 1
    assert [each["params"]["level"] for each in peer.heard("logging/setLevel")] == ["error"]
