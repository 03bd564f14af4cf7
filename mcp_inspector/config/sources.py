"""All configured servers together: the user's own file, one opened by path, and what the command line names.

The list gives every server a name of its own, says where it comes from, writes edits to the file it stands in, and
notices changes from outside when it is asked to look (`poll`). It looks at the stat of the files: file watchers lose a
file after it has been replaced.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from mcp_inspector.config.names import free_name
from mcp_inspector.config.safe_write import EditRefused
from mcp_inspector.config.servers_file import Contents, ServersFile
from mcp_inspector.config.visible import visible

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from mcp_inspector.config.entry import ServerEntry
    from mcp_inspector.config.inputs import Input

_RACY_NS = 2_000_000_000
"""A file written this shortly before it was read may be written again without its stat showing it."""


@dataclass(frozen=True)
class Source:
    """One server and where it stands: in `file` under the name `key`, or nowhere (`file` None: the command line)."""

    entry: ServerEntry
    file: ServersFile | None
    key: str


@dataclass
class _Watched:
    """One file as it was last understood."""

    file: ServersFile
    required: bool = False
    contents: Contents = field(default_factory=Contents)
    raw: bytes | None = None
    signature: tuple[int, ...] | None = None
    doubtful: bool = True  # the stat alone does not tell whether it has changed
    waiting: bool = False  # it was gone or empty at the last look
    problems: tuple[str, ...] = ()


class ServerList:
    """The servers of some files, the user's own last, and of the command line; more files can be opened later.

    Files that come first keep their names when names collide.
    """

    def __init__(self, files: Sequence[ServersFile], extra: Sequence[ServerEntry] = ()) -> None:
        self._extra = list(extra)
        self._watched = [_Watched(file, required=file is not files[-1]) for file in files]
        self._own = files[-1]
        self.sources: tuple[Source, ...] = ()
        self.problems: tuple[str, ...] = ()
        for watched in self._watched:
            _look(watched, first=True)
        self._collect()

    @property
    def entries(self) -> tuple[ServerEntry, ...]:
        """Every server, each under a name of its own."""
        return tuple(source.entry for source in self.sources)

    @property
    def own(self) -> ServersFile:
        """The file to which new servers are added: the user's own."""
        return self._own

    @property
    def files(self) -> tuple[tuple[Path, int], ...]:
        """Every file that is read, with the number of its servers, in the order in which names are given."""
        return tuple((watched.file.path, len(watched.contents.entries)) for watched in self._watched)

    def open(self, path: Path) -> int:
        """Read one more file, after all others, so that no server in use gets another name; how many servers it has.

        Raises `EditRefused` when it is open already or cannot be read; nothing has changed then.
        """
        if any(watched.file.path.resolve() == path.resolve() for watched in self._watched):
            raise EditRefused(f"{path} is open already.")
        watched = _Watched(ServersFile(path), required=True)
        _look(watched, first=True)
        if watched.raw is None or not watched.contents.readable:
            raise EditRefused(" ".join(watched.contents.problems) or f"{path} does not exist.")
        self._watched.append(watched)
        self._collect()
        return len(watched.contents.entries)

    def close(self, path: Path) -> None:
        """Read a file no more; its servers are gone from the list, and stand in the file as before."""
        self._watched = [one for one in self._watched if one.file is self._own or one.file.path != path]
        self._collect()

    def get(self, name: str) -> ServerEntry | None:
        """A server by its name."""
        return next((entry for entry in self.entries if entry.name == name), None)

    def poll(self) -> bool:
        """Look whether a file has changed; True when the entries or the problems are others now. Quick when not.

        A file that cannot be read any more (half written, or broken in an editor) leaves its servers as they were and
        is reported. One that is suddenly gone or empty is believed when it is so at the next look, too.
        """
        changed = [_look(watched) for watched in self._watched]
        return any(changed) and self._collect()

    def value(self, name: str) -> Any:
        """A server's entry as it stands in its file, plain and with numbers as `Spelled`; None where it has no file."""
        source = next((source for source in self.sources if source.entry.name == name), None)
        return source.file.value(source.key) if source is not None and source.file is not None else None

    def inputs(self, name: str) -> tuple[Input, ...]:
        """What the file of a server says about the inputs that its servers name."""
        file = next((source.file for source in self.sources if source.entry.name == name), None)
        return next((one.contents.inputs for one in self._watched if file is not None and one.file is file), ())

    def add(self, entry: ServerEntry, file: ServersFile | None = None, value: Any = None) -> None:
        """Add a server to a file, the user's own by default; `value` as in `ServersFile.add`. Raises `EditRefused`."""
        if self.get(entry.name) is not None and self._of(entry.name).file is not None:
            raise EditRefused(f'There is a server "{visible(entry.name)}" already. Choose another name.')
        (file or self.own).add(entry, value)
        self._extra = [other for other in self._extra if other.name != entry.name]
        self._refresh()

    def update(self, name: str, before: ServerEntry, after: ServerEntry, values: tuple[Any, Any] | None = None) -> None:
        """Write what differs between `before` and `after`, also the name, to where the server stands.

        `before` is the entry as it was shown when the change was begun; `values` are as in `ServersFile.update`.
        Raises `EditRefused`.
        """
        source = self._of(name)
        if after.name != name and self.get(after.name) is not None:
            raise EditRefused(f'There is a server "{visible(after.name)}" already. Choose another name.')
        if source.file is None:
            self._extra = [after if other.name == source.key else other for other in self._extra]
        else:
            renamed = source.key if after.name == name else after.name
            source.file.update(source.key, replace(before, name=source.key), replace(after, name=renamed), values)
        self._refresh()

    def rename(self, name: str, new: str) -> None:
        """Give a server another name. Raises `EditRefused`."""
        entry = self._of(name).entry
        self.update(name, entry, replace(entry, name=new))

    def remove(self, name: str) -> None:
        """Take a server out of its file. Raises `EditRefused`."""
        source = self._of(name)
        if source.file is None:
            self._extra = [other for other in self._extra if other.name != source.key]
        else:
            source.file.remove(source.key)
        self._refresh()

    def set_disabled(self, name: str, disabled: bool) -> None:
        """Switch a server off or on. Raises `EditRefused`."""
        source = self._of(name)
        if source.file is None:
            self.update(name, source.entry, replace(source.entry, disabled=disabled))
        else:
            source.file.set_disabled(source.key, disabled)
            self._refresh()

    def _of(self, name: str) -> Source:
        source = next((source for source in self.sources if source.entry.name == name), None)
        if source is None:
            raise EditRefused(f'There is no server "{visible(name)}" any more. Add it if it is still wanted.')
        return source

    def _refresh(self) -> None:
        """After an edit of ours: look again, and believe what is there."""
        for watched in self._watched:
            watched.doubtful = True
            _look(watched, first=True)
        self._collect()

    def _collect(self) -> bool:
        before = (self.sources, self.problems)
        sources: dict[str, Source] = {}
        problems: list[str] = []
        for entry in self._extra:
            name = free_name(entry.name, sources)
            sources[name] = Source(replace(entry, name=name), None, entry.name)
        for watched in self._watched:
            problems += watched.problems
            for entry in watched.contents.entries:
                name = entry.name
                if name in sources:
                    name = free_name(f"{name} ({watched.file.path.stem})", sources)
                    problems.append(
                        f'Server "{visible(entry.name)}" stands in {sources[entry.name].entry.origin} and in '
                        f'{watched.file.path}; that of the latter is shown as "{visible(name)}". Rename one of them.'
                    )
                sources[name] = Source(replace(entry, name=name), watched.file, entry.name)
        self.sources, self.problems = tuple(sources.values()), tuple(problems)
        return (self.sources, self.problems) != before


def load(config_path: Path | None = None, extra: Sequence[ServerEntry] = (), own: Path | None = None) -> ServerList:
    """The servers of a file opened by path, of the user's own file, and of the command line. Never raises.

    `own` is ``paths.folders().servers``; without it there must be a `config_path`.
    """
    files = [ServersFile(path) for path in (config_path, own) if path is not None]
    if len(files) == 2 and files[0].path.resolve() == files[1].path.resolve():
        files.pop()
    return ServerList(files, extra)


def _look(watched: _Watched, *, first: bool = False) -> bool:
    """Read a file again if it may have changed; whether there is something new. `first`: believe what is there."""
    path = watched.file.path
    try:
        found = path.stat()
        signature: tuple[int, ...] = (found.st_mtime_ns, found.st_size, found.st_ino)
    except OSError:
        signature = ()
    if signature == watched.signature and not watched.doubtful:
        return False
    watched.doubtful = bool(signature) and time.time_ns() - signature[0] < _RACY_NS
    watched.signature = signature
    raw, contents = watched.file.look()
    emptied = contents.readable and not (raw or b"").strip() and bool(watched.contents.entries)
    if emptied and not first and not watched.waiting:
        watched.waiting = watched.doubtful = True
        return False
    watched.waiting = False
    if raw == watched.raw and contents.readable == watched.contents.readable and not first:
        return False
    before = (watched.contents, watched.problems)
    watched.raw, watched.problems = raw, contents.problems
    if raw is None and contents.readable and watched.required:
        watched.problems = (f"{path} does not exist. It is made when a server is added to it.",)
    if contents.readable or not watched.contents.entries:
        watched.contents = contents
    else:
        note = "Its servers are shown as they were before."
        watched.problems = tuple(f"{problem} {note}" for problem in contents.problems)
    return (watched.contents, watched.problems) != before
