"""The command line over real servers: what goes to stdout, what to stderr, and how it ends."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from mcp_inspector import __version__
from mcp_inspector.__main__ import main
from mcp_inspector.cli.exits import Exit

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.peers.fixtures import Rude

pytestmark = pytest.mark.peer

SCHEMA = {
    "type": "object",
    "properties": {"text": {"type": "string"}, "n": {"type": "number"}, "flag": {"type": "boolean"}},
    "required": ["text"],
}
TOOL = {"name": "echo", "description": "Gives back.\nMore of it.", "inputSchema": SCHEMA}


class Ran:
    """How one command ended."""

    def __init__(self, code: int, out: bytes, err: bytes) -> None:
        self.code, self.raw, self.err = code, out, err.decode()
        self.out = out.decode()

    @property
    def json(self) -> Any:
        """The one document on stdout."""
        return json.loads(self.raw)


@pytest.fixture
def run(capfdbinary: pytest.CaptureFixture[bytes]) -> Callable[..., Ran]:
    """``run("list", "--json", on=rude_server)``: the command in this process."""

    def run(*words: str, on: Rude | None = None) -> Ran:
        code = main([*words, *(["--", *on.argv] if on else [])])
        captured = capfdbinary.readouterr()
        return Ran(code, captured.out, captured.err)

    return run


def test_a_call_follows_the_rules_of_the_person(run: Run, rude: Make, tmp_path: Path) -> None:
    """Only rules that were written down count for a call that was typed; what is refused is not sent."""
    from mcp_inspector.config import paths, policy

    file = paths.places().config / "policy.json"
    server = rude(tools=[TOOL])
    assert run("call", "echo", "text=x", on=server).code == Exit.OK
    policy.put(file, "*", "echo", policy.Rule.ASK)
    refused = run("call", "echo", "text=x", "--json", on=server)
    assert (refused.code, refused.json["error"]["kind"]) == (Exit.USAGE, "denied")
    assert len(server.heard("tools/call")) == 1
    assert run("call", "echo", "text=x", "--yes", on=server).code == Exit.OK
    policy.put(file, "*", "echo", policy.Rule.DENY)
    assert run("call", "echo", "text=x", "--yes", on=server).code == Exit.USAGE
    assert len(server.heard("tools/call")) == 2


def configure(home: Path, text: str) -> Path:
    path = home / "config" / "servers.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


Run = "Callable[..., Ran]"
Make = "Callable[..., Rude]"


def test_list_for_people(run: Run, rude: Make) -> None:
    done = run("list", on=rude(tools=[TOOL, {"name": "b"}]))
    assert done.code == Exit.OK
    assert done.out.splitlines() == [
        "Tools (2)",
        "  echo  Gives back.",
        "        text=string [n=number] [flag=boolean]",
        "  b",
        "        ! has no inputSchema",
    ]
    assert done.err == ""


def test_list_as_json_is_what_the_server_sent(run: Run, rude: Make) -> None:
    text = '{"name":"echo","inputSchema":{"type":"object","default":1.0,"x":9007199254740993,"x":2}}'
    script = '{"jsonrpc":"2.0","id":ID,"result":{"tools":[' + text + "]}}\n"
    # the third request of a legacy conversation has id 3: server/discover, initialize, tools/list
    server = rude(on={"tools/list": [{"text": script.replace("ID", "3")}]})
    done = run("list", "--json", on=server)
    assert done.code == Exit.OK
    assert done.raw == b'{"tools":[' + text.encode() + b"]}\n"
    assert done.err == ""


def test_list_all_leaves_out_what_is_not_declared(run: Run, rude: Make) -> None:
    done = run("list", "--what", "all", "--json", on=rude(capabilities={"tools": {}, "prompts": {}}))
    assert (done.code, sorted(done.json)) == (Exit.OK, ["prompts", "resourceTemplates", "resources", "tools"])
    assert done.json["resources"] == []
    human = run("list", "--what", "all", on=rude(capabilities={"tools": {}}))
    assert 'Prompts: the server does not declare the capability "prompts"' in human.out


def test_list_asks_for_what_is_named_although_it_is_not_declared(run: Run, rude: Make) -> None:
    done = run("list", "--what", "prompts", "--json", on=rude(capabilities={}))
    assert [prompt["name"] for prompt in done.json["prompts"]] == ["greet"]


def test_list_reads_all_pages(run: Run, rude: Make) -> None:
    items = [{"name": f"t{number}", "inputSchema": {"type": "object"}} for number in range(3)]
    pages = [
        {"cursor": None, "items": items[:2], "next": "p2"},
        {"cursor": "p2", "items": items[2:]},
    ]
    done = run("list", "--json", on=rude(pages={"tools/list": pages}))
    assert [tool["name"] for tool in done.json["tools"]] == ["t0", "t1", "t2"]


def test_a_list_that_fails_says_so_and_keeps_what_came(run: Run, rude: Make) -> None:
    server = rude(on={"tools/list": [{"error": {"code": -32603, "message": "broken", "data": 1.0}}]})
    done = run("list", "--json", on=server)
    assert done.code == Exit.RPC_ERROR
    assert done.json["errors"]["tools"]["code"] == -32603
    assert "-32603" in done.err


def test_call_types_values_by_the_schema_and_keeps_spelling(run: Run, rude: Make) -> None:
    server = rude(tools=[TOOL], on={"tools/call": [{"result": {"content": []}}]})
    done = run("call", "echo", "text=5", "n=1.50", "flag=true", "more:=[1e2, 9007199254740993]", on=server)
    assert done.code == Exit.OK
    sent = Path(server.journal).read_text()
    assert '"arguments":{"text":"5","n":1.50,"flag":true,"more":[1e2,9007199254740993]}' in sent.replace(": ", ":")


def test_call_as_json_gives_the_result_as_it_came(run: Run, rude: Make) -> None:
    body = (
        '{"content":[{"type":"text","text":"\\u001b[2J"}],"structuredContent":{"n":1.0,"n":2,"b":12345678901234567890}}'
    )
    server = rude(on={"tools/call": [{"text": '{"jsonrpc":"2.0","id":3,"result":' + body + "}\n"}]})
    done = run("call", "echo", "--json", on=server)
    assert (done.code, done.raw, done.err) == (Exit.OK, body.encode() + b"\n", "")


def test_sec_04_text_of_a_server_cannot_steer_a_terminal(run: Run, rude: Make) -> None:
    """SEC-04: escapes, direction marks and tags are shown, in results, names, logs and errors."""
    evil = "ok\x1b[2K\x1b]52;c;ZWNobw==\x07\u202e\U000e0041\r"
    server = rude(
        tools=[{**TOOL, "name": f"t{evil}", "description": evil}],
        on={
            "tools/call": [
                {"stderr": f"{evil}\n"},
                {"out": {"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": evil, "data": evil}}},
                {"result": {"content": [{"type": "text", "text": f"{evil}\nline 2\tend"}]}},
            ],
            "tools/call#2": [{"error": {"code": 1, "message": evil, "data": evil}}],
        },
    )
    shown = [run("list", on=server), run("call", "x", on=server)]
    for done in shown:
        for text in (done.out, done.err):
            assert not set(text) & set("\x1b\x07\r\u202e\U000e0041")
    assert r"ok\x1b[2K\x1b]52;c;ZWNobw==\x07\u202e\U000e0041\r" in shown[1].out
    assert "\nline 2\tend\n" in shown[1].out
    assert r"stderr: ok\x1b[2K" in shown[1].err
    assert r"log ok\x1b[2K" in shown[1].err


def test_content_that_is_not_text_is_described(run: Run, rude: Make) -> None:
    content = [
        {"type": "image", "mimeType": "image/png", "data": "AAAA"},
        {"type": "resource_link", "uri": "x://y", "name": "y"},
        {"type": "resource", "resource": {"uri": "x://z", "text": "inside"}},
        {"type": "strange", "n": 1},
        7,
    ]
    result = {"content": content, "structuredContent": {"a": 1}}
    done = run("call", "echo", on=rude(on={"tools/call": [{"result": result}]}))
    assert done.out.splitlines() == [
        "[image image/png, 3 bytes; --json shows the data]",
        "[link x://y y]",
        "inside",
        "{",
        '  "type": "strange",',
        '  "n": 1',
        "}",
        "7",
        "structured content:",
        "{",
        '  "a": 1',
        "}",
    ]


def test_structured_content_that_the_text_says_already_is_not_said_twice(run: Run, rude: Make) -> None:
    result = {"content": [{"type": "text", "text": '{"a": 1}'}], "structuredContent": {"a": 1}}
    assert run("call", "echo", on=rude(on={"tools/call": [{"result": result}]})).out == '{"a": 1}\n'


@pytest.mark.parametrize(
    ("step", "code", "words", "kind"),
    [
        ({"result": {"content": [{"type": "text", "text": "no"}], "isError": True}}, Exit.TOOL_ERROR, "reported", None),
        ({"error": {"code": -32602, "message": "bad", "data": [1.0]}}, Exit.RPC_ERROR, "error -32602: bad", None),
        ({"exit": 3}, Exit.CONNECTION, "exit code 3", "exited"),
        ({"result": "text"}, Exit.RPC_ERROR, "no valid response", "bad content"),
    ],
)
def test_exit_codes_of_calls(
    run: Run, rude: Make, step: dict[str, Any], code: Exit, words: str, kind: str | None
) -> None:
    done = run("call", "echo", "--json", on=rude(on={"tools/call": [step]}))
    assert done.code == code
    assert words in done.err
    if kind:
        assert done.json["error"]["kind"] == kind
        assert "code" not in done.json["error"]
    elif "error" in step:
        assert done.json == {"error": step["error"]}
    else:
        assert done.json == step["result"]


def test_a_time_limit_has_a_code_of_its_own(run: Run, rude: Make) -> None:
    server = rude(on={"tools/call": []})
    done = run("call", "echo", "--json", "--timeout", "0.3", on=server)
    assert done.code == Exit.TIMEOUT
    assert done.json["error"]["kind"] == "timeout"
    assert len(server.heard("notifications/cancelled")) == 1


def test_a_hung_handshake_ends_in_time(run: Run, rude: Make) -> None:
    server = rude(on={"server/discover": [], "initialize": []})
    assert run("ping", "--timeout", "0.3", on=server).code == Exit.TIMEOUT


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["list", "--", "no-such-program-here"], Exit.CONNECTION, "no-such-program-here"),
        (["list", "--", sys.executable, "-c", "raise SystemExit(7)"], Exit.CONNECTION, "exit code 7"),
        (["list"], Exit.USAGE, "No server is named"),
        (["list", "nobody"], Exit.USAGE, "none is configured"),
        (["list", "--"], Exit.USAGE, "the command to start is missing"),
        (["call", "--", "x"], Exit.USAGE, "the tool is missing"),
        (["call", "t", "word", "--", "x"], Exit.USAGE, "'word' is no argument"),
        (["call", "t", "a=1", "a=2", "--", "x"], Exit.USAGE, "given twice"),
        (["call", "t", "a:={", "--", "x"], Exit.USAGE, "a:= is not JSON"),
        (["call", "t", "--args", "{", "--", "x"], Exit.USAGE, "--args is not JSON"),
        (["call", "t", "--args", "@none.json", "--", "x"], Exit.USAGE, "--args cannot be read"),
        (["call", "t", "a=1", "--args", "[]", "--", "x"], Exit.USAGE, "--args is no object"),
        (["read", "--", "x"], Exit.USAGE, "the URI is missing"),
        (["ping", "a", "b"], Exit.USAGE, "No server is called 'a'"),
        (["list", "--what", "everything"], Exit.USAGE, "invalid choice"),
        (["list", "--timeout", "soon"], Exit.USAGE, "no number of seconds"),
        (["list", "--header", "nonsense", "http://h"], Exit.USAGE, "--header wants"),
        (["list", "--header", "A: b", "--", "x"], Exit.USAGE, "reached by URL"),
        (["list", "--env", "A=b", "http://h"], Exit.USAGE, "that are started"),
        (["list", "--transport", "http", "--", "x"], Exit.USAGE, "has no URL"),
        (["list", "--config", "none.json", "a"], Exit.USAGE, "no file none.json"),
        (["list", "--nonsense"], Exit.USAGE, "unrecognized arguments"),
        (["servers", "--", "x"], Exit.USAGE, "starts nothing"),
        (["list", "--", "${NOT_SET_ANYWHERE}"], Exit.USAGE, "NOT_SET_ANYWHERE, which is not set"),
        (["list", "ws://h/"], Exit.USAGE, "WebSocket"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(run: Run, words: list[str], code: Exit, said: str) -> None:
    done = run(*words)
    assert done.code == code, done.err
    assert said in done.err
    assert "Traceback" not in done.err
    assert done.out == ""


def test_a_value_of_the_wrong_type_is_refused_before_it_is_sent(run: Run, rude: Make) -> None:
    server = rude(tools=[TOOL])
    done = run("call", "echo", "n=soon", on=server)
    assert (done.code, server.heard("tools/call")) == (Exit.USAGE, [])
    assert "n should be a number, and 'soon' is not. To send it all the same: n:=JSON." in done.err


def test_args_from_a_file_and_a_pair_over_it(run: Run, rude: Make, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{"text": "x", "n": 1.0}')
    server = rude(tools=[TOOL], on={"tools/call": [{"result": {"content": []}}]})
    run("call", "echo", "--args", f"@{tmp_path / 'a.json'}", "text=y", on=server)
    assert server.heard("tools/call")[0]["params"]["arguments"] == {"text": "y", "n": 1.0}


def test_read(run: Run, rude: Make) -> None:
    contents = [{"uri": "a:1", "text": "one"}, {"uri": "a:2", "mimeType": "x/y", "blob": "AAAA"}]
    server = rude(on={"resources/read": [{"result": {"contents": contents}}]})
    assert run("read", "a:1", on=server).out == "--- a:1\none\n--- a:2\n[a:2 x/y, 3 bytes; --json shows the data]\n"
    assert run("read", "a:1", "--json", on=server).json == {"contents": contents}


def test_prompt(run: Run, rude: Make) -> None:
    messages = [
        {"role": "user", "content": {"type": "text", "text": "Greet"}},
        {"role": "assistant", "content": {"type": "text", "text": "Hi"}},
    ]
    server = rude(on={"prompts/get": [{"result": {"description": "d", "messages": messages}}]})
    done = run("prompt", "greet", "who=5", on=server)
    assert done.out == "d\n\nuser:\nGreet\n\nassistant:\nHi\n"
    assert server.heard("prompts/get")[0]["params"]["arguments"] == {"who": "5"}


def test_complete(run: Run, rude: Make) -> None:
    result = {"completion": {"values": ["python", "pytorch"], "total": 5, "hasMore": True}}
    server = rude(on={"completion/complete": [{"result": result}]})
    done = run("complete", "review", "language", "py", "style=short", on=server)
    assert (done.out, done.err) == ("python\npytorch\n", "There are more: these are 2 of 5.\n")
    run("complete", "file:///{path}", "path", on=server)
    first, second = (message["params"] for message in server.heard("completion/complete"))
    assert first["ref"] == {"type": "ref/prompt", "name": "review"}
    assert first["argument"] == {"name": "language", "value": "py"}
    assert first["context"] == {"arguments": {"style": "short"}}
    assert second["ref"] == {"type": "ref/resource", "uri": "file:///{path}"}


@pytest.mark.parametrize("discover", ["unknown", "modern"])
def test_ping_in_both_eras(run: Run, rude: Make, discover: str) -> None:
    done = run("ping", "--json", on=rude(discover=discover))
    assert done.code == Exit.OK
    assert done.json["protocolVersion"] == ("2026-07-28" if discover == "modern" else "2025-11-25")
    assert done.json["elapsedMs"] > 0
    assert "is alive" in run("ping", on=rude()).out


def test_a_version_can_be_pinned(run: Run, rude: Make) -> None:
    server = rude()
    assert run("ping", "--protocol", "2024-11-05", "--json", on=server).json["protocolVersion"] == "2024-11-05"
    assert server.heard("server/discover") == []


def test_progress_logs_and_stray_lines_go_to_stderr_only(run: Run, rude: Make) -> None:
    message = {
        "jsonrpc": "2.0",
        "method": "notifications/message",
        "params": {"level": "info", "logger": "l", "data": [1]},
    }
    params = {"progressToken": "$token", "progress": 1, "total": 4, "message": "going"}
    steps = [
        {"text": "a stray line\n"},
        {"out": message},
        {"out": {"jsonrpc": "2.0", "method": "notifications/progress", "params": params}},
        {"result": {"content": [{"type": "text", "text": "done"}]}},
    ]
    server = rude(on={"tools/call": steps})
    done = run("call", "echo", "--json", on=server)
    assert done.json["content"][0]["text"] == "done"
    for words in ("a stray line", "log info l: [1]", "progress 1 of 4: going"):
        assert words in done.err
    assert run("call", "echo", "--quiet", on=server).err == ""
    loud = run("call", "echo", "--verbose", on=server).err
    assert "→ {" in loud
    assert "← {" in loud


def test_what_a_server_asks_is_refused_at_once(run: Run, rude: Make) -> None:
    ask = {"jsonrpc": "2.0", "id": "q", "method": "elicitation/create", "params": {"message": "?"}}
    server = rude(on={"tools/call": [{"out": ask}], "response": [{"out": _late_result()}]})
    done = run("call", "echo", "--timeout", "5", on=server)
    assert done.code == Exit.OK
    assert "not declared to it: refused" in done.err
    assert server.heard("response")[0]["error"]["code"] == -32601
    assert server.heard("initialize")[0]["params"]["capabilities"] == {}


def _late_result() -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 3, "result": {"content": [{"type": "text", "text": "without"}]}}


def test_a_configured_server_by_name(run: Run, rude: Make, home: Path) -> None:
    server = rude()
    entry = {"command": server.command, "args": list(server.args), "disabled": True, "env": {"A": "${HOME}"}}
    configure(home, json.dumps({"mcpServers": {"my server": entry, "other": {"command": "x"}}}))
    assert run("ping", "my server").code == Exit.OK
    missing = run("ping", "my servr", "--json")
    assert (missing.code, "There is: my server." in missing.err) == (Exit.USAGE, True)
    assert missing.json["error"]["kind"] == "usage"


def test_a_broken_entry_is_said_and_not_started(run: Run, home: Path) -> None:
    configure(home, '{"mcpServers": {"a": {"command": "x", "url": "http://h"}}}')
    done = run("list", "a")
    assert (done.code, done.out) == (Exit.USAGE, "")
    assert 'both "command" and a URL' in done.err


def test_a_file_given_by_path_comes_first(run: Run, rude: Make, home: Path, tmp_path: Path) -> None:
    server = rude()
    configure(home, '{"mcpServers": {"a": {"command": "not-this-one"}}}')
    other = tmp_path / "other.json"
    other.write_text(json.dumps({"servers": {"a": {"command": server.command, "args": list(server.args)}}}))
    assert run("ping", "a", "--config", str(other)).code == Exit.OK


def test_servers_shows_everything_and_starts_nothing(run: Run, home: Path, tmp_path: Path, monkeypatch: Any) -> None:
    canary = tmp_path / "started"
    monkeypatch.setenv("MCP_INSPECTOR_REQUEST_TIMEOUT", "5")
    path = configure(
        home,
        json.dumps({"mcpServers": {
            "a\x1b": {"command": "sh", "args": ["-c", f"touch {canary}", "--key", "SECRET"], "env": {"KEY": "SECRET"}},
            "b": {"url": "https://u:SECRET@h/mcp?api_key=SECRET", "headers": {"Authorization": "Bearer SECRET"}},
            "c": {"command": "x", "enabled": False, "args": ["${MISSING_HERE}"]},
            "d": {},
        }}),
    )  # fmt: skip
    done = run("servers", "--timeout", "7")
    assert done.code == Exit.OK
    assert not canary.exists()
    assert "SECRET" not in done.out
    rows = [line.split() for line in done.out.splitlines()]
    assert [row[:3] for row in rows[:5]] == [
        ["NAME", "KIND", "STATE"],
        [r"a\x1b", "stdio", "enabled"],
        ["b", "auto", "enabled"],
        ["c", "stdio", "disabled"],
        ["d", "stdio", "broken"],
    ]
    assert str(path) in done.out
    assert "MISSING_HERE, which is not set" in done.out
    assert 'neither "command" nor "url"' in done.out
    assert "setting request_timeout = 7.0 (command line)" in done.out
    document = run("servers", "--json").json
    assert "SECRET" not in json.dumps(document)
    assert [server["state"] for server in document["servers"]] == ["enabled", "enabled", "disabled", "broken"]
    assert document["settings"]["request_timeout"] == {
        "value": 5.0,
        "origin": "environment MCP_INSPECTOR_REQUEST_TIMEOUT",
    }


def test_servers_of_an_unreadable_file_are_said(run: Run, home: Path) -> None:
    path = configure(home, "{")
    done = run("servers", "--json")
    assert (done.code, done.json["servers"]) == (Exit.OK, [])
    assert str(path) in done.json["problems"][0]


def test_traffic_is_kept_when_wanted(run: Run, rude: Make, home: Path) -> None:
    from mcp_inspector.store.log import Log

    done = run("ping", "--record", on=rude())
    assert done.code == Exit.OK
    (path,) = [file for file in (home / "data" / "sessions").iterdir() if file.suffix not in (".db-wal", ".db-shm")]
    assert str(path) in done.err
    log = Log.open(path)
    try:
        methods = [log.record(seq).entry.method for seq in range(1, len(log) + 1)]
    finally:
        log.close()
    assert "ping" in methods


def test_version_and_help(run: Run) -> None:
    assert run("--version").out == f"mcp-inspector {__version__}\n"
    general = run("--help")
    assert general.code == Exit.OK
    for command in ("list", "call", "read", "prompt", "complete", "ping", "servers"):
        assert f"\n  {command} " in general.out
        own = run(command, "--help")
        assert own.code == Exit.OK
        assert "exit codes:" in own.out
        assert max(map(len, own.out.splitlines())) <= 110


def test_a_command_loads_no_qt_and_no_http(rude: Make) -> None:
    """The start of a command: neither window nor HTTP client is loaded for a server over stdio."""
    code = (
        "import sys; from mcp_inspector.__main__ import main; code = main(sys.argv[1:]);"
        "print([m for m in ('PySide6', 'httpx', 'pydantic', 'sqlite3', 'mcp') if m in sys.modules], code)"
    )
    argv = [sys.executable, "-c", code, "call", "echo", "--json", "--", *rude().argv]
    done = subprocess.run(argv, capture_output=True, text=True, timeout=30, check=True)
    assert done.stdout.splitlines()[-1] == "[] 0"


def test_a_reader_that_goes_away_is_no_error(rude: Make) -> None:
    tools = [{"name": f"t{number}", "inputSchema": {"type": "object"}} for number in range(5000)]
    argv = [sys.executable, "-m", "mcp_inspector", "list", "--", *rude(tools=tools).argv]
    child = subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert child.stdout is not None
    assert child.stdout.read(10) == b"Tools (500"
    child.stdout.close()
    assert child.wait(30) == 0
    assert child.stderr is not None
    assert child.stderr.read() == b""
    child.stderr.close()


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
@pytest.mark.parametrize(("number", "code"), [(2, Exit.INTERRUPTED), (15, Exit.TERMINATED)])
def test_an_interrupt_cancels_the_request_and_ends_the_server(rude: Make, number: int, code: Exit) -> None:
    server = rude(on={"tools/call": [{"stderr": "calling\n"}]})
    argv = [sys.executable, "-m", "mcp_inspector", "call", "echo", "--json", "--", *server.argv]
    child = subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert child.stderr is not None
    assert b"calling" in child.stderr.readline()
    child.send_signal(number)
    out, err = child.communicate(timeout=30)
    assert (child.returncode, out) == (code, b"")
    assert b"Traceback" not in err
    assert len(server.heard("notifications/cancelled")) == 1


@pytest.mark.skipif(os.name == "nt", reason="file descriptors of a POSIX shell")
@pytest.mark.parametrize(
    ("redirection", "words", "code"),
    [(">&-", "list", Exit.OK), ("<&-", "call echo --args -", Exit.USAGE), (">/dev/full", "list", Exit.OUTPUT)],
)
def test_streams_that_are_closed_or_full(rude: Make, redirection: str, words: str, code: Exit) -> None:
    if redirection == ">/dev/full" and not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full")
    line = f'"$0" -m mcp_inspector {words} -- "$@" {redirection}'
    done = subprocess.run(["sh", "-c", line, sys.executable, *rude().argv], capture_output=True, timeout=30)
    assert done.returncode == code
    assert b"Traceback" not in done.stderr
    assert b"Exception" not in done.stderr


@pytest.mark.parametrize(
    ("word", "said"),
    [("cal", "Did you mean call?"), ("frobnicate", "mcp-inspector --help"), ("localhost:3000/mcp", "http://")],
)
def test_a_mistyped_command_opens_no_window(word: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Without a display a picture would be drawn and the exit code be 0: a script would never notice."""
    assert main([word]) == Exit.USAGE
    error = capsys.readouterr().err
    assert repr(word) in error
    assert said in error
