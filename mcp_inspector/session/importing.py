"""Brings traffic from a file into a session: JSON lines of this program, HAR, or a session file itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcp_inspector.store.export import ExportFormatError, imported
from mcp_inspector.store.keeping import is_session
from mcp_inspector.store.log import Log
from mcp_inspector.store.session_file import SessionFileError

if TYPE_CHECKING:
    from pathlib import Path


def opened(path: Path, log: Log | None = None) -> Log:
    """The traffic of a file to look at: a session as it lies there, anything else read into `log` or into memory.

    Raises `SessionFileError` and `ExportFormatError`, both with a sentence for people.
    """
    if is_session(path):
        return Log.open(path)
    log = log if log is not None else Log()
    take_in(path, log)
    return log


def take_in(path: Path, log: Log) -> str:
    """Append the traffic of a JSON lines or HAR file to a log; returns what came of it, as a sentence.

    Raises `SessionFileError` when the file cannot be read, `ExportFormatError` when it is neither.
    """
    from mcp_inspector.session.har_import import LARGEST, import_har

    try:
        with path.open("rb") as file:
            head = file.read(4096)
            if b'"mcp-inspector-traffic"' in head.split(b"\n", 1)[0]:
                file.seek(0)
                count = 0
                for count in imported(file, log):  # noqa: B007 - the last one counts
                    pass
                return f"{count:,} records were read from {path.name}."
            if head.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] != b"{":
                raise ExportFormatError(f"{path.name} is no session, no export of traffic and no HAR file.")
            if path.stat().st_size > LARGEST:
                raise ExportFormatError(f"{path.name} is larger than 1 GiB, which is too much for a HAR file.")
            file.seek(0)
            found = import_har(file.read(), log)
    except OSError as error:
        raise SessionFileError(f"{path} cannot be read: {error.strerror or error}.") from error
    left = f" {found.passed_over:,} entries carry no JSON-RPC and were passed over." if found.passed_over else ""
    if not found.taken:
        raise ExportFormatError(f"{path.name} holds no MCP traffic.{left}")
    return f"{found.taken:,} exchanges were read from {path.name}.{left}"
