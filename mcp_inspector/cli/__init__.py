"""The second door: servers without a window, on the same core. Light to import, so that a command starts at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

COMMANDS = {
    "list": "list the tools, resources, templates and prompts of a server",
    "call": "call a tool",
    "read": "read a resource",
    "prompt": "get a prompt",
    "complete": "ask for completions of an argument",
    "watch": "print changes of resources and lists as they come",
    "send": "send any message as it is",
    "ping": "ask for a sign of life",
    "check": "judge a server, or a recorded session, by the specification",
    "record": "stand between a client and a server, and keep the traffic",
    "export": "write a session as JSON lines, HAR, a report or spans",
    "diff": "tell what differs between sessions, or between what servers list",
    "tools": "show the tools of servers as a model gets them, or find those that fit a query",
    "dispatch": "run the tool calls that a model returned",
    "lab": "treat a server as hosts of some kind would, and say what breaks",
    "run": "run collections of saved calls and what they assert",
    "doctor": "find out why a server cannot be reached, step by step",
    "login": "sign in at a server, in the browser or with credentials of its entry",
    "logout": "give a server's tokens back, and forget them",
    "secret": "keep a value that a servers file names with ${secret:NAME}",
    "others": "show the servers of other applications on this computer, and take them over",
    "servers": "show the configured servers; none is started",
}
"""The command words and what each does."""


def main(argv: Sequence[str]) -> int:
    """Run one command, whose word comes first in `argv`, and return its exit code (see `exits.Exit`)."""
    from mcp_inspector.cli.run import run

    return run(argv)
