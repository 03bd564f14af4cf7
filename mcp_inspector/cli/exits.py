"""How a command ended, for the shell and for people."""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    """The exit codes, which are a promise to scripts."""

    OK = 0
    TOOL_ERROR = 1
    FAILED = 1  # of run
    USAGE = 2
    RPC_ERROR = 3
    CONNECTION = 4
    TIMEOUT = 5
    FINDINGS = 6
    OUTPUT = 74
    INTERRUPTED = 130
    TERMINATED = 143


MEANING = """\
exit codes:
  0  it worked
  1  the tool was called and reported an error (isError); run: something that is asserted does not hold
  2  the command line or the configuration is wrong, or a call was not approved; nothing was sent
  3  the server answered with a JSON-RPC error, or with something that cannot be used
  4  the server could not be reached or started, or the connection was lost
  5  a time limit passed
  6  check: something was found; diff: something differs
  74  the output could not be written, for example because the disk is full
  130 and 143  it was ended by Ctrl+C or SIGTERM; the request was cancelled and the server ended
"""


class UsageError(Exception):
    """The command line or the configuration cannot be used; the message is a sentence with what to do."""


class OutputError(Exception):
    """Standard output takes no more; the message is a sentence."""
