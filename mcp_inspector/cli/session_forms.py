"""What may be said to the commands that work on sessions: record, export, diff."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

FORMATS = ("jsonl", "har", "html", "md", "otlp")
WEIGHTS = ("minor", "dangerous", "breaking")
OPTIONS = (
    "output",
    "port",
    "filter",
    "format",
    "show_secrets",
    "redact",
    "collector",
    "what",
    "fail_on",
    "junit",
)  # fmt: skip
"""The names of the options below, which `Request.options` holds."""

FORMS: dict[str, tuple[str, str, str]] = {
    "record": (
        "[TARGET] [-o FILE] [options] [-- COMMAND ARGS…]",
        "Stand between a client and a server, pass on every byte unchanged, and keep it in a session file.\n\n"
        "A server that is started: put this command where a client's configuration has the server's own; what the\n"
        "server says on stdout and stderr comes out of this program, and so does its exit code. A server at a URL: a\n"
        "proxy listens on a port of this machine, says its URL on stderr, and goes on until Ctrl+C.",
        "examples:\n"
        "  mcp-inspector record -- npx -y @modelcontextprotocol/server-everything\n"
        "  mcp-inspector record time -o time.mcpsession\n"
        "  mcp-inspector record https://example.com/mcp --port 8123\n",
    ),
    "export": (
        "SESSION [--format FORMAT] [-o FILE] [--filter LINE] [--show-secrets] [options]",
        "Write the traffic of a session in another format. SESSION is a session file, an export as JSON lines, a HAR\n"
        "file, or the beginning of the name of a recorded session; “latest” is the newest one. No server is started.\n"
        "A filter takes whole exchanges. Secrets are masked, and stderr says how many of which names.",
        "examples:\n"
        "  mcp-inspector export latest --format html -o report.html\n"
        "  mcp-inspector export traffic.mcpsession --format har --filter 'method:tools/call status:failed'\n"
        "  mcp-inspector export latest --format otlp --collector http://localhost:4318\n",
    ),
    "diff": (
        "A [B] [--what WHAT] [--fail-on WEIGHT] [options] [-- COMMAND ARGS…]",
        "Tell what differs. A and B are sessions (see `mcp-inspector export --help`), or servers: names, URLs, or the\n"
        "command after -- for B. What servers list is compared by name, each change breaking, dangerous or minor;\n"
        "of two sessions, the answers to the same requests, too. Without B, what a server lists now is compared with\n"
        "what it listed when it was connected before.",
        "examples:\n"
        "  mcp-inspector diff yesterday.mcpsession today.mcpsession\n"
        "  mcp-inspector diff https://example.com/mcp http://localhost:8000/mcp --fail-on breaking\n"
        "  mcp-inspector diff recorded.mcpsession --junit changes.xml -- my-server --flag\n",
    ),
}


def add_options(parser: argparse.ArgumentParser, command: str) -> None:
    """The options that only this command has."""
    add = parser.add_argument
    if command in ("record", "export"):
        add("-o", "--output", default="", metavar="FILE", help="write this file")
    if command == "record":
        add("--port", type=int, default=0, metavar="PORT", help="the proxy's port (default: a free one)")
        return
    add("--filter", default="", metavar="LINE", help="only rows that this line of the window's filter lets through")
    if command == "export":
        add("--format", choices=FORMATS, default="jsonl", help="the format (default: jsonl)")
        add("--show-secrets", action="store_true", help="leave secrets as they crossed the wire")
        add("--redact", action="store_true", help="mask secrets, which is what happens anyway")
        add("--collector", default="", metavar="URL", help="with otlp: send the spans to this OTLP/HTTP collector")
        return
    add("--what", choices=("all", "lists", "exchanges"), default="all", help="what to compare (default: all)")
    words = "from which weight on the exit code says that something differs (default: minor)"
    add("--fail-on", choices=WEIGHTS, default="minor", help=words)
    add("--junit", default="", metavar="FILE", help="write a JUnit report, too")
