"""``mcp-inspector secret KIND:NAME``: keep a value that servers files name. It never stands on a command line."""

from __future__ import annotations

import getpass
import sys
from typing import TYPE_CHECKING

from mcp_inspector.cli.exits import Exit, UsageError
from mcp_inspector.cli.journal import say
from mcp_inspector.config import settings as program_settings
from mcp_inspector.config.variables import item_of
from mcp_inspector.config.vault import standard

if TYPE_CHECKING:
    from mcp_inspector.cli.arguments import Request
    from mcp_inspector.config.paths import Folders


def keep_secret(request: Request, folders: Folders) -> int:
    """Ask for the value, or read it from stdin, and keep it. Raises `UsageError`."""
    words = request.words
    kind, colon, name = words[0].partition(":") if words else ("", "", "")
    if len(words) != 1 or kind not in ("secret", "input") or not colon or not name:
        raise UsageError("Name what is to be kept: secret:NAME or input:NAME, as it stands in the servers file.")
    line = getpass.getpass(f"{words[0]}: ") + "\n" if sys.stdin.isatty() else sys.stdin.readline()
    if not line:
        raise UsageError(f"Nothing was given for {words[0]}, and nothing was changed. An empty line forgets it.")
    value = line.rstrip("\r\n")
    vault = standard(folders.config, program_settings.load(folders.settings).settings.secrets)
    vault.put(item_of(kind, name), value)
    say(f"{words[0]} is kept {vault.place()}." if value else f"{words[0]} is forgotten.")
    return Exit.OK
