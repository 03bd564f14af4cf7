"""What may be said to the commands that show servers as a model sees them: tools, dispatch."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

FORMATS = ("mcp", "openai", "openai-responses", "anthropic", "gemini")

PROFILES = ("eager-go", "lazy-go", "retrying-cpp", "strict", "naive")
TROUBLES = ("kill", "drop", "expire", "delay", "refuse", "503")

FORMS: dict[str, tuple[str, str, str]] = {
    "tools": (
        "[TARGET…] [options] [-- COMMAND ARGS…]",
        "Show the tools of one or several servers under the names that a model gets, in the shape that its provider\n"
        "takes, with what is lost on the way. Without a TARGET: of all enabled servers. With --query: the tools that\n"
        "fit best. With --evaluate: how good that is, for labelled queries (CSV: query,tool).",
        "examples:\n"
        "  mcp-inspector tools --format openai git time\n"
        "  mcp-inspector tools --format gemini --fit --json\n"
        "  mcp-inspector tools --query 'create a pull request' --top 3\n"
        "  mcp-inspector tools --include '@readOnly' --exclude 'git/*'\n",
    ),
    "dispatch": (
        "FILE [TARGET…] [options] [-- COMMAND ARGS…]",
        "Run the tool calls that a model returned, and answer in the shape that its provider takes back. FILE (or -)\n"
        "holds OpenAI tool calls, Anthropic tool_use blocks, Gemini function calls, or mcp__server__tool {…}.\n"
        "Without a TARGET the calls go to all enabled servers.",
        "examples:\n  mcp-inspector dispatch answer.json git time\n  mcp-inspector dispatch - < answer.json\n",
    ),
    "others": (
        "[APPLICATION…] [--take SERVER…] [--export FILE] [options]",
        "Show the servers that other applications on this computer are configured with, and where: Claude Desktop,\n"
        "Claude Code, Cursor, VS Code, Windsurf, Cline, Codex, Gemini CLI, Zed, LM Studio, an agent's\n"
        ".evo_agent/mcp.json, a registry's server.json. None is started. --take copies some into your own servers\n"
        "file, --export writes yours into the file of another application, after a backup.",
        "examples:\n"
        "  mcp-inspector others\n"
        "  mcp-inspector others Cursor --take github --take sqlite\n"
        "  mcp-inspector others --export ~/.cursor/mcp.json\n",
    ),
    "lab": (
        "[TARGET] --profile NAME [options] [-- COMMAND ARGS…]",
        "Treat a server as a host of some kind would: connect, list, call, and come back after a fault, with its\n"
        "limits and its short cuts. Says what works and what would break. Profiles: " + ", ".join(PROFILES) + ".",
        "examples:\n"
        "  mcp-inspector lab time --profile naive\n"
        "  mcp-inspector lab time --profile lazy-go --tool get_time --args '{}' --trouble kill\n"
        "  mcp-inspector lab https://example.com/mcp --profile retrying-cpp --trouble refuse --amount 2\n",
    ),
}


def add_options(parser: argparse.ArgumentParser, command: str) -> None:
    """The options that only these commands have."""
    add = parser.add_argument
    if command == "others":
        add("--take", action="append", default=[], metavar="SERVER", help="copy this one into your own servers file")
        add("--export", default="", metavar="FILE", help="write your own servers into this file of another application")
        add("--replace", action="store_true", help="replace servers of the same name there")
        return
    if command == "lab":
        add("--profile", choices=PROFILES, required=True, help="the kind of host")
        add("--tool", default="", metavar="TOOL", help="a tool that may be called")
        add("--args", metavar="JSON", help="its arguments as JSON; @FILE reads a file, - reads stdin")
        add("--trouble", choices=TROUBLES, help="let this go wrong")
        add("--amount", type=float, default=1, metavar="N", help="seconds of delay, or how many times (default: 1)")
        return
    add("--prefix", default="mcp", metavar="TEXT", help="what names begin with (default: mcp)")
    add("--separator", default="__", metavar="TEXT", help="what parts prefix, server and tool (default: __)")
    add("--fit", action="store_true", help="change names that a provider refuses, and those that collide")
    words = "only tools that this matches: a name, a pattern, server/tool, or @readOnly, @!destructive, …"
    add("--include", action="append", default=[], metavar="RULE", help=words)
    add("--exclude", action="append", default=[], metavar="RULE", help="not the tools that this matches")
    if command == "dispatch":
        words = "approve what the policy would ask about; what it denies stays denied"
        add("--yes", dest="approved", action="store_true", help=words)
        add("--unchecked", action="store_true", help="send arguments that the schema refuses, too")
        return
    add("--format", choices=FORMATS, default="mcp", help="the shape (default: mcp, as the server sent it)")
    add("--strict", action="store_true", help="OpenAI's strict mode")
    add("--query", metavar="TEXT", help="show the tools that fit this best")
    add("--method", choices=("bm25", "semantic", "hybrid"), default="bm25", help="how to find them (default: bm25)")
    add("--top", type=int, default=5, metavar="K", help="how many at most (default: 5)")
    add("--threshold", type=float, default=0.3, metavar="X", help="the least score, 0 to 1 (default: 0.3)")
    words = "ask this OpenAI-compatible endpoint for meaning; its key is in MCP_INSPECTOR_EMBEDDINGS_KEY or kept"
    add("--embeddings", default="", metavar="URL", help=words)
    add("--embeddings-model", default="", metavar="NAME", help="the endpoint's model")
    add("--evaluate", default="", metavar="CSV", help="judge all methods by these labelled queries")
