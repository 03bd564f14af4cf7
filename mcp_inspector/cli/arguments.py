"""The command line: what may be said, and what `--help` tells of it."""

from __future__ import annotations

import argparse
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from mcp_inspector.cli import COMMANDS, agent_forms, auth_forms
from mcp_inspector.cli.agent_forms import FORMS as AGENT_FORMS
from mcp_inspector.cli.answers import HELP
from mcp_inspector.cli.auth_forms import FORMS as AUTH_FORMS
from mcp_inspector.cli.exits import MEANING
from mcp_inspector.cli.session_forms import FORMS as SESSION_FORMS
from mcp_inspector.cli.session_forms import OPTIONS, add_options

if TYPE_CHECKING:
    from collections.abc import Sequence

LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")
WHAT = ("tools", "resources", "templates", "prompts", "all")

_TARGET = """\
TARGET is the name of a configured server (see `mcp-inspector servers`) or a URL.
Leave it out to start a server: everything after -- is its command.
"""

_OFFLINE = ("servers", "others", "export", "secret")

_FORMS: dict[str, tuple[str, str, str]] = {
    "list": (
        "[TARGET] [options] [-- COMMAND ARGS…]",
        "List what a server offers, all pages of it.",
        "examples:\n"
        "  mcp-inspector list time\n"
        "  mcp-inspector list https://example.com/mcp --what all --json\n"
        "  mcp-inspector list -- npx -y @modelcontextprotocol/server-everything\n",
    ),
    "call": (
        "[TARGET] TOOL [KEY=VALUE…] [KEY:=JSON…] [options] [-- COMMAND ARGS…]",
        "Call a tool and show its result.\n\n"
        "KEY=VALUE is read by the tool's input schema: a text stays as it is, numbers, booleans, objects\n"
        "and arrays are JSON. KEY:=JSON is sent as it stands, whatever the schema wants. Numbers keep\n"
        "their spelling.",
        "examples:\n"
        "  mcp-inspector call get_time zone=UTC --json -- mcp-server-time\n"
        "  mcp-inspector call time add a=1 b=2.50\n"
        '  mcp-inspector call https://example.com/mcp search query="two words" filter:=\'{"tags": ["x"]}\'\n'
        "  mcp-inspector call files write --args @arguments.json\n",
    ),
    "read": (
        "[TARGET] URI [options] [-- COMMAND ARGS…]",
        "Read a resource and show its contents.",
        "examples:\n  mcp-inspector read files file:///etc/hosts\n",
    ),
    "prompt": (
        "[TARGET] NAME [KEY=VALUE…] [options] [-- COMMAND ARGS…]",
        "Get a prompt and show its messages. The values of a prompt's arguments are texts.",
        "examples:\n  mcp-inspector prompt reviewer code_review language=python\n",
    ),
    "complete": (
        "[TARGET] REF ARGUMENT [VALUE] [KEY=VALUE…] [options] [-- COMMAND ARGS…]",
        "Ask for completions of an argument. REF is the name of a prompt, or the URI template of a\n"
        "resource; VALUE is what has been typed so far; KEY=VALUE are arguments that are known already.",
        "examples:\n"
        "  mcp-inspector complete reviewer code_review language py\n"
        "  mcp-inspector complete files 'file:///{path}' path src/\n",
    ),
    "watch": (
        "[TARGET] [URI…] [options] [-- COMMAND ARGS…]",
        "Print a line for each change that a server tells of: of these resources, and of its lists.\n"
        "It goes on until --count lines, Ctrl+C, or the end of the connection. With --json, a JSON object a line.",
        "examples:\n  mcp-inspector watch demo demo://counter --count 3\n",
    ),
    "send": (
        "[TARGET] MESSAGE [options] [-- COMMAND ARGS…]",
        "Send any message as it is, valid or not: JSON text, @FILE, or - for stdin. Nothing is added: with a\n"
        "server of 2026-07-28 write the _meta, too. The answer to a request is waited for and shown.",
        'examples:\n  mcp-inspector send time \'{"jsonrpc": "2.0", "id": "x", "method": "ping"}\'\n',
    ),
    "ping": (
        "[TARGET] [options] [-- COMMAND ARGS…]",
        "Connect, and ask for a sign of life: ping, or server/discover where there is no ping any more.",
        "examples:\n  mcp-inspector ping time\n",
    ),
    "check": (
        "[SESSION-FILE | TARGET] [options] [-- COMMAND ARGS…]",
        "Connect, list everything that the server offers, and judge each message by the specification of the\n"
        "version it was sent under; or judge a recorded session, for which no server is started.",
        "examples:\n"
        "  mcp-inspector check time\n"
        "  mcp-inspector check --severity error --junit report.xml -- npx -y @modelcontextprotocol/server-everything\n"
        "  mcp-inspector check recorded.mcpsession --json\n",
    ),
    "run": (
        "FILE… [options] [-- COMMAND ARGS…]",
        "Run the actions of collections and hold each result against what it asserts. A server that an action names\n"
        "is the configured one, else the collection's own, else the built-in demo; with a command after -- it is\n"
        "that for all of them. When something fails, the traffic is kept, and each failure names its exchange.",
        "examples:\n"
        "  mcp-inspector run tests.mcp.json\n"
        "  mcp-inspector run *.mcp.json --parallel 4 --report junit report.xml\n"
        "  mcp-inspector run tests.mcp.json --env staging --var user=ada --data people.csv --bail\n"
        "  mcp-inspector run tests.mcp.json --yes -- my-server --flag\n",
    ),
    "servers": (
        "[options]",
        "Show the configured servers, where each stands, and what is wrong with it. None is started.\n"
        "Secrets are masked.",
        "",
    ),
    **SESSION_FORMS,
    **AGENT_FORMS,
    **AUTH_FORMS,
}

GENERAL = f"""\
usage: mcp-inspector [URL | -- COMMAND ARGS…] [options]
       mcp-inspector COMMAND …

Without a command word a window opens: on the configured servers, on the one at URL, or on the one that COMMAND starts.

commands that work without a window:
{chr(10).join(f"  {word:<10} {what}" for word, what in COMMANDS.items())}

`mcp-inspector COMMAND --help` tells more about each.

options of the window:
  --config FILE      read this servers file, too
  --session FILE     open on a recorded session, beside the live one
  --demo             open on the built-in demo server
  --theme THEME      system, light or dark
  --size WxH         the size of the window in pixels
  --scale N          enlarge everything, for example 2
  --screenshot PNG   save a picture of the settled window, and end
  --page NAME        the page to show in that picture

  --version          say which version this is
  --help             say this

{MEANING}"""


@dataclass
class Request:
    """One command line, taken apart. `program` is what stands after ``--``, None without it.

    `options` are those of the commands that work on sessions, by name.
    """

    command: str
    words: list[str]
    program: list[str] | None
    json: bool = False
    config: str = ""
    protocol: str = ""
    transport: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    env: dict[str, str] = field(default_factory=dict)
    cwd: str = ""
    timeout: float | None = None
    quiet: bool = False
    verbose: bool = False
    record: bool = False
    what: str = "tools"
    args: str | None = None
    answers: list[str] = field(default_factory=list)
    meta: str | None = None
    trace: bool = False
    task: bool | None = None
    log_level: str | None = None
    count: int = 0
    severity: str = "warning"
    off: list[str] = field(default_factory=list)
    probe: bool = False
    probe_tools: bool = False
    probed: list[Any] = field(default_factory=list)
    junit: str = ""
    sarif: str = ""
    options: dict[str, Any] = field(default_factory=dict)
    yes: bool = False
    filter: str = ""
    parallel: int = 1
    repeat: int = 1
    bail: bool = False
    environment: str = ""
    variables: dict[str, str] = field(default_factory=dict)
    data: str = ""
    reports: list[tuple[str, str]] = field(default_factory=list)


def parse(argv: Sequence[str]) -> Request:
    """Take a command line apart. Ends with `SystemExit` as argparse does: 0 after ``--help``, 2 for what is wrong."""
    command, *rest = argv
    program: list[str] | None = None
    if "--" in rest:
        at = rest.index("--")
        rest, program = rest[:at], rest[at + 1 :]
    parser = _parser(command)
    found = vars(parser.parse_intermixed_args(rest))
    if program == []:
        parser.error("after -- the command to start is missing")
    if program is not None and command in _OFFLINE:
        parser.error(f"{command} starts nothing; leave out -- and what follows")
    own = OPTIONS if command in SESSION_FORMS else ()
    shared = Request.__dataclass_fields__.keys() - set(own)
    options = {name: found.pop(name) for name in list(found) if name not in shared}
    return Request(command=command, program=program, options=options, **found)


def _parser(command: str) -> argparse.ArgumentParser:
    usage, description, examples = _FORMS[command]
    starts = command not in _OFFLINE
    parser = argparse.ArgumentParser(
        prog=f"mcp-inspector {command}",
        usage=f"mcp-inspector {command} {usage}",
        description=f"{description}\n\n{_TARGET}" if starts and command != "run" else description,
        epilog="\n".join(filter(None, (examples, f"{HELP}\n" if starts and command != "record" else "", MEANING))),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    if starts or command != "servers":
        parser.add_argument("words", nargs="*", help=argparse.SUPPRESS)
    else:
        parser.set_defaults(words=[])
    if command not in ("record", "export"):  # what they write is not of this program
        parser.add_argument("--json", action="store_true", help="print one JSON document on stdout and nothing else")
    parser.add_argument("--config", default="", metavar="FILE", help="read this servers file before one's own")
    if command == "list":
        parser.add_argument("--what", choices=WHAT, default="tools", help="what to list (default: tools)")
    if command == "call":
        parser.add_argument("--args", metavar="JSON", help="the arguments as JSON; @FILE reads a file, - reads stdin")
        parser.add_argument("--yes", action="store_true", help="approve the call where a rule of your policy asks")
        words = "run it as a task, or not (2025-11-25); left out, as the tool says"
        parser.add_argument("--task", action=argparse.BooleanOptionalAction, default=None, help=words)
    if command in ("call", "read", "prompt", "complete"):
        parser.add_argument("--meta", metavar="JSON", help="members for the _meta of the request; also @FILE or -")
        parser.add_argument("--trace", action="store_true", help="add a new trace context (traceparent) to it")
    if command == "check":
        _add_judging(parser)
    if command in SESSION_FORMS:
        add_options(parser, command)
    if command in AGENT_FORMS:
        agent_forms.add_options(parser, command)
    if command in AUTH_FORMS:
        auth_forms.add_options(parser, command)
    if command == "watch":
        parser.add_argument("--count", type=int, default=0, metavar="N", help="end after this many lines")
    if command == "run":
        _add_running(parser)
    elif starts:
        add_ways = _add_reaching if command == "record" else _add_connecting
        add_ways(parser)
    if command == "record":
        return parser
    parser.add_argument(
        "--timeout", type=_seconds, metavar="SECONDS", help="how long to wait for an answer (default: 60)"
    )
    return parser


def _add_connecting(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--protocol", default="", metavar="VERSION", help="auto, legacy, modern, or a version such as 2025-06-18")
    add("--transport", default="", choices=("auto", "stdio", "http", "sse"), help="how to reach the server")
    add("--log-level", choices=LEVELS, metavar="LEVEL", help="ask the server to log from this level on: debug, info, …")
    _add_reaching(parser)
    _add_watching(parser)


def _add_reaching(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    header: dict[str, Any] = {"action": _Pair, "dest": "headers", "default": {}, "sign": ":"}
    add("--header", **header, metavar="'NAME: VALUE'", help="send this HTTP header, too")
    env: dict[str, Any] = {"action": _Pair, "dest": "env", "default": {}, "sign": "="}
    add("--env", **env, metavar="NAME=VALUE", help="set this variable for the server")
    add("--cwd", default="", metavar="FOLDER", help="start the server in this folder")


def _add_watching(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    words = "answer this kind of question of the server so; once for each kind (see below)"
    add("--answer", dest="answers", action="append", default=[], metavar="KIND=HOW", help=words)
    add("--record", action="store_true", help="keep all traffic in a session file, which the window can open")
    add("-q", "--quiet", action="store_true", help="leave out the server's stderr, logs and progress")
    add("-v", "--verbose", action="store_true", help="show every message on stderr")


def _add_judging(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    words = "what is reported and counts for the exit code: error, warning or info, and worse (default: warning)"
    add("--severity", choices=("error", "warning", "info"), default="warning", help=words)
    add("--off", action="append", default=[], metavar="RULE", help="leave this rule out; may be given more than once")
    add("--probe", action="store_true", help="ask the server wrong things on purpose, too, on connections of their own")
    words = "let probes call tools of the server, which may change something, and send a token of --header in a URL"
    add("--probe-tools", action="store_true", help=words)
    add("--junit", default="", metavar="FILE", help="write a JUnit report, too")
    add("--sarif", default="", metavar="FILE", help="write a SARIF 2.1.0 report, too")


def _add_running(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "--filter",
        default="",
        metavar="TEXT",
        help="only actions whose name, target, group or server has it; *, /regex/",
    )
    add("--parallel", type=_count, default=1, metavar="N", help="run so many at once (default: 1)")
    add("--repeat", type=_count, default=1, metavar="N", help="run everything so often")
    add("--bail", action="store_true", help="end at the first that fails")
    add("--env", dest="environment", default="", metavar="NAME", help="use this environment of the collections")
    var: dict[str, Any] = {"action": _Pair, "dest": "variables", "default": {}, "sign": "="}
    add("--var", **var, metavar="NAME=VALUE", help="give a variable a value; JSON, else a text")
    add("--data", default="", metavar="FILE", help="run each action once for each row of this CSV or JSON lines file")
    add("--report", dest="reports", nargs=2, action=_Report, default=[], metavar=("FORMAT", "FILE"), help=_Report.HELP)
    add("--yes", action="store_true", help="approve what the policy would ask about; what it denies stays denied")
    _add_watching(parser)


class _Report(argparse.Action):
    """Collects reports: a format and a file."""

    FORMATS = ("junit", "json", "md")
    HELP = "write a report, junit, json or md, to FILE (- for stdout); can be given several times"

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any, option: str | None = None
    ) -> None:
        kind, file = values
        if kind not in self.FORMATS:
            parser.error(f"{option} knows {', '.join(self.FORMATS)}, not {kind!r}")
        setattr(namespace, self.dest, [*getattr(namespace, self.dest), (kind, file)])


class _Pair(argparse.Action):
    """Collects ``NAME=VALUE`` or ``NAME: VALUE`` into a dictionary."""

    def __init__(self, *args: Any, sign: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._sign = sign

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any, option: str | None = None
    ) -> None:
        name, sign, value = str(values).partition(self._sign)
        if not sign or not name.strip():
            parser.error(f"{option} wants {self.metavar}, not {values!r}")
        pairs = dict(getattr(namespace, self.dest) or {})
        pairs[name.strip()] = value.strip() if self._sign == ":" else value
        setattr(namespace, self.dest, pairs)


def _count(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 0 < int(text) <= 1_000_000:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of 1 or more")
    return int(text)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0
    if not 0 < seconds <= 86_400:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of seconds up to a day")
    return seconds
