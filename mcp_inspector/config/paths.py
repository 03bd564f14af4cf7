"""Where this program keeps its things: settings, sessions, caches, state."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

APP = "mcp-inspector"
HOME_VARIABLE = "MCP_INSPECTOR_HOME"
"""Names one folder under which everything is kept, in place of the system's own places."""


@dataclass(frozen=True)
class Folders:
    """The four folders. `problems` are sentences: which could not be used, why, and what is used in its place."""

    config: Path
    data: Path
    cache: Path
    state: Path
    problems: tuple[str, ...] = ()

    @property
    def servers(self) -> Path:
        """The user's own servers file; it need not exist."""
        return self.config / "servers.json"

    @property
    def settings(self) -> Path:
        """The user's settings; the file need not exist."""
        return self.config / "settings.json"


def places(environ: Mapping[str, str] | None = None) -> Folders:
    """Where the folders are by the environment and the system, for reading: nothing is made, nothing is tried."""
    home = (os.environ if environ is None else environ).get(HOME_VARIABLE)
    return _under(Path(home).expanduser()) if home else _of_the_system()


def folders(environ: Mapping[str, str] | None = None) -> Folders:
    """Find the folders, and make those that are missing, for their owner only. Never raises.

    A folder that cannot be made or written (a read-only or missing home) is replaced by one in the system's temporary
    folder; what is kept there may be gone after a restart of the computer.
    """
    import tempfile

    wanted = places(environ)
    problems: list[str] = []
    temporary: Path | None = None
    found: dict[str, Path] = {}
    for word in ("config", "data", "cache", "state"):
        path = getattr(wanted, word)
        reason = _unusable(path)
        if reason and word == "config" and path.is_dir() and os.access(path, os.R_OK | os.X_OK):
            found[word] = path  # a file that is given read-only, as in a container, is one's own all the same
            problems.append(
                f"The folder {path} cannot be written: {reason}. What is in it is read; changes cannot be saved. "
                f"Make the folder writable, or name another one in {HOME_VARIABLE}."
            )
        elif reason:
            temporary = temporary or Path(tempfile.mkdtemp(prefix=f"{APP}-"))
            found[word] = temporary / word
            found[word].mkdir()
            problems.append(
                f"The folder {path} cannot be used: {reason}. {found[word]} is used for now and may not survive a "
                f"restart. Make the folder writable, or name another one in {HOME_VARIABLE}."
            )
        else:
            found[word] = path
    return Folders(**found, problems=tuple(problems))


def _under(home: Path) -> Folders:
    return Folders(home / "config", home / "data", home / "cache", home / "state")


def _of_the_system() -> Folders:
    import platformdirs

    dirs = platformdirs.PlatformDirs(APP, appauthor=False)
    return Folders(dirs.user_config_path, dirs.user_data_path, dirs.user_cache_path, dirs.user_state_path)


def _unusable(path: Path) -> str:
    """Why nothing can be written into a folder, or an empty text. A test write, because modes do not tell all."""
    import tempfile

    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path):
            return ""
    except OSError as error:
        return (error.strerror or str(error)).lower()
