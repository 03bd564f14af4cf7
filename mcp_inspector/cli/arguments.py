"""The command line: what may be said, and what `--help` tells of it."""

from __future__ import annotations

import argparse
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from mcp_inspector.cli import COMMANDS
from mcp_inspector.cli.answers import HELP
from mcp_inspector.cli.exits import MEANING
from mcp_inspector.config.auth_options import GRANTS

if TYPE_CHECKING:
    from collections.abc import Sequence

LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")
WHAT = ("tools", "resources", "templates", "prompts", "all")

_TARGET = """\
TARGET is the name of a configured server (see `mcp-inspector servers`) or a URL.
Leave it out to start a server: everything after -- is its command.
"""

SIGN_IN = {
    "grant": ("GRANT", "how a token is got"),
    "client_id": ("ID", "a client that was registered by hand; its secret is read from MCP_INSPECTOR_CLIENT_SECRET"),
    "client_metadata_url": ("URL", "the Client ID Metadata Document to be known by"),
    "scope": ("SCOPES", "the scopes to ask for, in one text"),
    "issuer": ("URL", "the authorization server to use"),
    "redirect_uri": ("URI", "where the browser comes back to, for example http://127.0.0.1:3118/callback"),
}
"""The options of signing in, which are those of an entry's ``auth``."""

_OFFLINE = ("servers", "secret")

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
    "login": (
        "[TARGET] [options]",
        "Sign in at a server that is reached by URL. The address to open is printed; the answer of the browser is\n"
        "waited for on this machine. Nothing is opened unless --open is given. What the server's entry says under\n"
        '"auth" counts, and the options below more. The tokens are kept for the other commands, and refreshed.',
        "examples:\n"
        "  mcp-inspector login https://example.com/mcp\n"
        "  mcp-inspector login search --open --scope 'read write'\n"
        "  mcp-inspector login build --grant client_credentials --client-id ci\n",
    ),
    "logout": (
        "[TARGET] [options]",
        "Revoke the tokens of a server where its authorization server can, and forget them.",
        "examples:\n  mcp-inspector logout https://example.com/mcp --forget-client\n",
    ),
    "secret": (
        "KIND:NAME [options]",
        "Keep a value for ${secret:NAME} or ${input:NAME} in servers files. It is asked for, or read from stdin, and\n"
        "never stands on a command line. An empty value forgets it.",
        "examples:\n  mcp-inspector secret secret:search-token\n",
    ),
    "servers": (
        "[options]",
        "Show the configured servers, where each stands, and what is wrong with it. None is started.\n"
        "Secrets are masked.",
        "",
    ),
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
    """One command line, taken apart. `program` is what stands after ``--``, None without it."""

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
    log_level: str | None = None
    count: int = 0
    open: bool = False
    steps: bool = False
    forget_client: bool = False
    auth: dict[str, Any] = field(default_factory=dict)


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
    if command == "login":
        found["auth"] = {name: value for name in SIGN_IN if (value := found.pop(f"auth_{name}")) is not None}
    return Request(command=command, program=program, **found)


def _parser(command: str) -> argparse.ArgumentParser:
    usage, description, examples = _FORMS[command]
    starts = command not in _OFFLINE
    parser = argparse.ArgumentParser(
        prog=f"mcp-inspector {command}",
        usage=f"mcp-inspector {command} {usage}",
        description=f"{description}\n\n{_TARGET}" if starts else description,
        epilog="\n".join(filter(None, (examples, f"{HELP}\n" if starts else "", MEANING))),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    if starts or command == "secret":
        parser.add_argument("words", nargs="*", help=argparse.SUPPRESS)
    else:
        parser.set_defaults(words=[])
    parser.add_argument("--json", action="store_true", help="print one JSON document on stdout and nothing else")
    parser.add_argument("--config", default="", metavar="FILE", help="read this servers file before one's own")
    if command == "list":
        parser.add_argument("--what", choices=WHAT, default="tools", help="what to list (default: tools)")
    if command == "call":
        parser.add_argument("--args", metavar="JSON", help="the arguments as JSON; @FILE reads a file, - reads stdin")
    if command == "watch":
        parser.add_argument("--count", type=int, default=0, metavar="N", help="end after this many lines")
    if command in ("login", "logout"):
        _add_sign_in(parser, command)
    if starts:
        _add_connecting(parser)
    parser.add_argument(
        "--timeout", type=_seconds, metavar="SECONDS", help="how long to wait for an answer (default: 60)"
    )
    return parser


def _add_connecting(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--protocol", default="", metavar="VERSION", help="auto, legacy, modern, or a version such as 2025-06-18")
    add("--transport", default="", choices=("auto", "stdio", "http", "sse"), help="how to reach the server")
    header: dict[str, Any] = {"action": _Pair, "dest": "headers", "default": {}, "sign": ":"}
    add("--header", **header, metavar="'NAME: VALUE'", help="send this HTTP header, too")
    env: dict[str, Any] = {"action": _Pair, "dest": "env", "default": {}, "sign": "="}
    add("--env", **env, metavar="NAME=VALUE", help="set this variable for the server")
    add("--cwd", default="", metavar="FOLDER", help="start the server in this folder")
    words = "answer this kind of question of the server so; once for each kind (see below)"
    add("--answer", dest="answers", action="append", default=[], metavar="KIND=HOW", help=words)
    add("--log-level", choices=LEVELS, metavar="LEVEL", help="ask the server to log from this level on: debug, info, …")
    add("--record", action="store_true", help="keep all traffic in a session file, which the window can open")
    add("-q", "--quiet", action="store_true", help="leave out the server's stderr, logs and progress")
    add("-v", "--verbose", action="store_true", help="show every message on stderr")


def _add_sign_in(parser: argparse.ArgumentParser, command: str) -> None:
    add = parser.add_argument
    if command == "logout":
        add("--forget-client", action="store_true", help="forget the registration at the authorization server, too")
        return
    add("--open", action="store_true", help="open the address in a browser, too")
    add("--steps", action="store_true", help="say every step of the sign-in, with the rule that decided it")
    for name, (metavar, words) in SIGN_IN.items():
        choices: dict[str, Any] = {"choices": GRANTS} if name == "grant" else {"metavar": metavar}
        add(f"--{name.replace('_', '-')}", dest=f"auth_{name}", help=words, **choices)


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


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0
    if not 0 < seconds <= 86_400:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of seconds up to a day")
    return seconds
