"""The servers file and the running servers, kept in step: edits from the window go out, edits from outside come in."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Signal

from mcp_inspector.config.entry_reader import read_entry
from mcp_inspector.config.names import free_name
from mcp_inspector.config.safe_write import EditRefused
from mcp_inspector.config.variables import kept_names
from mcp_inspector.ui import bridge, plain
from mcp_inspector.ui.notices import Action, Level

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from mcp_inspector.config.entry import ServerEntry
    from mcp_inspector.config.inputs import Input
    from mcp_inspector.config.sources import ServerList
    from mcp_inspector.config.vault import Vault
    from mcp_inspector.session.inspector import Inspector
    from mcp_inspector.ui.notices import Notices

_POLL_MS = 1_500
UNDO_MS = 60_000
"""How long a removed server can be brought back; then its tokens are removed, too."""


class Book(QObject):
    """Adds, changes and removes servers. What is refused is a sentence, given back and nothing done."""

    renamed = Signal(str, str)
    """A server's old and new name."""
    files_changed = Signal()
    """A servers file was opened or closed."""

    def __init__(
        self, servers: ServerList, inspector: Inspector, notices: Notices, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._servers, self._inspector, self._notices = servers, inspector, notices
        self._said: tuple[str, ...] = ()
        self._undoing: dict[str, QTimer] = {}
        self._clock = QTimer(self)
        self._clock.setInterval(_POLL_MS)
        self._clock.timeout.connect(self.poll)
        self._clock.start()
        self._tell()

    def stop(self) -> None:
        """Look no more."""
        self._clock.stop()
        for timer in self._undoing.values():
            timer.stop()  # the inspector forgets at its end

    @property
    def names(self) -> tuple[str, ...]:
        """All names in use."""
        return tuple(entry.name for entry in self._servers.entries)

    @property
    def file(self) -> str:
        """Where new servers are written."""
        return str(self._servers.own.path)

    @property
    def files(self) -> tuple[tuple[Path, int], ...]:
        """The servers files that are read, with the number of servers of each."""
        return self._servers.files

    def open_file(self, path: Path) -> str:
        """Read one more servers file; returns why not."""
        try:
            count = self._servers.open(path)
        except EditRefused as refused:
            return str(refused)
        self._inspector.apply(self._servers.entries)
        self._tell()
        self.files_changed.emit()
        words = f"{plain.line(str(path))} was opened with {plain.count(count, 'server')}."
        if not count:
            words = f"{plain.line(str(path))} was opened; there is no server in it yet."
        self._notices.say(words, Action("Close it", lambda: self.close_file(path)), key=f"file:{path}")
        return ""

    def close_file(self, path: Path) -> None:
        """Read a servers file no more; what is connected from it ends."""
        self._servers.close(path)
        self._inspector.apply(self._servers.entries)
        self._tell()
        self._notices.settle(f"file:{path}")
        self.files_changed.emit()

    def entry(self, name: str) -> ServerEntry | None:
        """A server's entry as it stands in its file."""
        return self._servers.get(name)

    def value(self, name: str) -> Any:
        """A server's entry as it stands in its file, with the members that nobody knows; None where it has no file."""
        return self._servers.value(name)

    @property
    def vault(self) -> Vault | None:
        """Where secrets are kept."""
        return self._inspector.vault

    def named_elsewhere(self, name: str) -> frozenset[str]:
        """The values of the vault that the other servers name."""
        return frozenset(item for entry in self._servers.entries if entry.name != name for item in kept_names(entry))

    def keep(self, secrets: Mapping[str, str], on_done: Callable[[str], object]) -> None:
        """Put secrets into the vault, empty ones out of it; `on_done` is told where they are kept."""
        vault = self.vault
        if vault is None:
            return

        def work() -> str:
            for item, value in secrets.items():
                vault.put(item, value)
            return vault.place()

        bridge.spawn(bridge.aside(work), what="keeping secrets", on_done=on_done)

    def kept(self, after: ServerEntry, values: tuple[Any, Any], secrets: Mapping[str, str], place: str) -> None:
        """Say that secrets of a saved server are kept, and offer to have them in its file again.

        `values` are its plain ones as they are saved and with the secrets in them.
        """
        name = after.name

        def undo() -> None:
            self._notices.settle(f"secrets:{name}")
            before = read_entry(name, values[1], after.origin)
            refused = self.update(name, after, before, connect=False, values=values)
            if refused:
                self._notices.say(refused, level=Level.ERROR)
            else:
                self.keep(dict.fromkeys(secrets, ""), lambda _: None)

        what = plain.count(len(secrets), "secret")
        self._notices.say(f"{what} of {plain.line(name)} {'is' if len(secrets) == 1 else 'are'} kept {place}; "
                          "the file only names them.", Action("Undo", undo), key=f"secrets:{name}")  # fmt: skip

    def inputs(self, name: str) -> tuple[Input, ...]:
        """What the file of a server says of the inputs that it names."""
        return self._servers.inputs(name)

    def poll(self) -> None:
        """Look whether a file was edited outside."""
        if self._servers.poll():
            self._inspector.apply(self._servers.entries)
            self._tell()

    def _tell(self) -> None:
        """Say what is wrong with the files, each thing once."""
        problems = self._servers.problems
        for problem in problems:
            if problem not in self._said:
                self._notices.say(problem, level=Level.WARNING, key=f"servers:{problem}")
        for gone in set(self._said) - set(problems):
            self._notices.settle(f"servers:{gone}")
        self._said = problems

    def add(self, entry: ServerEntry, *, connect: bool, value: Any = None) -> str:
        """Add a server to the person's own file, with all of its plain `value` if there is one; returns why not."""
        return self._do(lambda: self._servers.add(entry, value=value), entry.name, connect=connect)

    def update(
        self,
        name: str,
        before: ServerEntry,
        after: ServerEntry,
        *,
        connect: bool,
        values: tuple[Any, Any] | None = None,
    ) -> str:
        """Write a changed entry to where it stands; returns why not. `values` are the plain ones before and after."""

        def edit() -> None:
            self._servers.update(name, before, after, values)
            if after.name != name:
                self._inspector.rename(name, after.name)
                self.renamed.emit(name, after.name)

        return self._do(edit, after.name, connect=connect)

    def choose(self, name: str, **fields: Any) -> str:
        """Set fields of an entry without connecting anew; returns why not."""
        entry = self.entry(name)
        if entry is None:
            return f"There is no server {plain.line(name)} any more."
        return self.update(name, entry, replace(entry, **fields), connect=False)

    def _do(self, edit: Callable[[], object], name: str, *, connect: bool) -> str:
        try:
            edit()
        except EditRefused as refused:
            return str(refused)
        self._inspector.apply(self._servers.entries)
        self._tell()
        server = self._inspector.find(name)
        if server is not None and connect and not server.entry.disabled:
            if server.needs_restart:
                bridge.spawn(server.restart(), what=f"restarting {name}")
            else:
                server.connect()
        return ""

    def duplicate(self, name: str) -> str:
        """Add a copy under a free name and return that name, empty when it was refused (then a notice says why)."""
        entry = self.entry(name)
        if entry is None:
            return ""
        copy = replace(entry, name=free_name(f"{name} copy", self.names), disabled=entry.disabled)
        problem = self.add(copy, connect=False, value=self.value(name))
        if problem:
            self._notices.say(problem, level=Level.ERROR)
        return "" if problem else copy.name

    def remove(self, name: str) -> None:
        """Take a server away; a notice brings it back."""
        entry = self.entry(name)
        if entry is None:
            return
        problem = self._do(lambda: self._servers.remove(name), name, connect=False)
        if problem:
            self._notices.say(problem, level=Level.ERROR)
            return

        self._inspector.let_go(entry)

        def undo() -> None:
            self._notices.settle(f"removed:{name}")
            self._inspector.take_back(name)
            self._undoing[name].stop()
            again = self.add(entry, connect=False)
            if again:
                self._notices.say(again, level=Level.ERROR)

        def over() -> None:
            self._notices.settle(f"removed:{name}")
            bridge.spawn(self._inspector.forget(name), what=f"forgetting the tokens of {name}")

        self._notices.say(f"{plain.line(name)} was removed.", Action("Undo", undo), key=f"removed:{name}")
        if (earlier := self._undoing.pop(name, None)) is not None:
            earlier.stop()
        timer = self._undoing[name] = QTimer(self)
        timer.setSingleShot(True)
        timer.timeout.connect(over)
        timer.start(UNDO_MS)
