"""Where this program keeps its things: settings, sessions, caches, state."""

from __future__ import annotations

import os
import tempfile
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
    """The four folders, each of which exists and can be written.

    `problems` are sentences: which folder could not be used, why, and what is used in its place.
    """

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


def folders(environ: Mapping[str, str] | None = None) -> Folders:
    """Find the folders, and make those that are missing, for their owner only. Never raises.

    A folder that cannot be made or written (a read-only or missing home) is replaced by one in the system's temporary
    folder; what is kept there may be gone after a restart of the computer.
    """
    environ = os.environ if environ is None else environ
    home = environ.get(HOME_VARIABLE)
    wanted = _under(Path(home).expanduser()) if home else _of_the_system()
    problems: list[str] = []
    temporary: Path | None = None
    found: dict[str, Path] = {}
    for word, path in wanted.items():
        reason = _unusable(path)
        if reason:
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


def _under(home: Path) -> dict[str, Path]:
    return {word: home / word for word in ("config", "data", "cache", "state")}


def _of_the_system() -> dict[str, Path]:
    import platformdirs

    places = platformdirs.PlatformDirs(APP, appauthor=False)
    return {
        "config": places.user_config_path,
        "data": places.user_data_path,
        "cache": places.user_cache_path,
        "state": places.user_state_path,
    }


def _unusable(path: Path) -> str:
    """Why nothing can be written into a folder, or an empty text. A test write, because modes do not tell all."""
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path):
            return ""
    except OSError as error:
        return (error.strerror or str(error)).lower()
