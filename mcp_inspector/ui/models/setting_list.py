"""The settings as rows: what each is, what it is now, where that comes from, and when a change counts."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, get_args, get_type_hints

from PySide6.QtCore import QObject, Signal

from mcp_inspector.config import settings
from mcp_inspector.config.safe_write import EditRefused
from mcp_inspector.config.settings import HELP, NAMES, PREFIX, UNITS, Settings

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from mcp_inspector.config.paths import Folders

GROUPS: Final[Mapping[str, tuple[str, ...]]] = {
    "Look": ("theme", "text_scale"),
    "Requests": ("request_timeout", "total_timeout"),
    "Connections": ("probe_timeout", "message_limit", "reconnect_base"),
    "Sessions": ("session_limit",),
    "Secrets": ("secrets",),
}
_REQUESTS = "for new requests; the time limit of a server's own entry goes before it"
_WHEN: Final[Mapping[str, str]] = {
    "theme": "at once",
    "text_scale": "at once",
    "request_timeout": _REQUESTS,
    "total_timeout": "for new requests",
    "probe_timeout": "at the next connect",
    "message_limit": "at the next connect",
    "reconnect_base": "at the next reconnect",
    "session_limit": "",  # its help says so
    "secrets": "",  # its help says so
}


@dataclass(frozen=True)
class SettingRow:
    """One setting. `value` and `default` are as they are typed; `fixed` says why it cannot be changed here.

    `source` is ``default``, ``settings.json``, ``environment`` or ``command line``; `origin` is the whole of it.
    """

    name: str
    title: str
    help: str
    unit: str
    value: str
    default: str
    origin: str
    source: str
    fixed: str
    when: str
    choices: tuple[str, ...]

    @property
    def explained(self) -> str:
        """Its meaning, and when a change counts or why there can be none."""
        if self.fixed:
            return f"{self.help}. {self.fixed}"
        return f"{self.help}. Takes effect {self.when}." if self.when else f"{self.help}."

    @property
    def words(self) -> str:
        """What a search looks through."""
        variable = PREFIX + self.name.upper()
        return " ".join((self.name, self.title, self.help, self.source, variable, *self.choices)).casefold()


@dataclass(frozen=True)
class Places:
    """What the program was started with: its settings, where its files are, and what was wrong then."""

    settings: SettingList
    folders: Folders
    problems: tuple[str, ...] = field(default=())


class SettingList(QObject):
    """The effective settings of this run. What is refused is a sentence, given back and nothing done."""

    changed = Signal(str)
    """The name of a setting whose effective value is another now."""
    reread = Signal()
    """Values or origins may be others: show them anew."""

    def __init__(self, path: Path, overrides: Mapping[str, Any] | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.path = path
        self._overrides = dict(overrides or {})
        self._loaded = settings.load(path, overrides=self._overrides)

    @property
    def values(self) -> Settings:
        """The effective values."""
        return self._loaded.settings

    @property
    def problems(self) -> tuple[str, ...]:
        """Sentences about wrong values, wherever they come from."""
        return self._loaded.problems

    def row(self, name: str) -> SettingRow:
        """One setting as it stands."""
        origin = self._loaded.origin(name)
        source = "settings.json" if origin == str(self.path) else origin
        fixed = ""
        if source.startswith("environment "):
            variable, source = source.removeprefix("environment "), "environment"
            fixed = f"The environment variable {variable} goes before the file: change it there."
        elif source == "command line":
            fixed = "The command line goes before the file, for this run."
        return SettingRow(
            name,
            name.replace("_", " ").capitalize(),
            HELP[name][:1].upper() + HELP[name][1:],
            UNITS.get(name, ""),
            _shown(getattr(self.values, name)),
            _shown(getattr(Settings(), name)),
            origin,
            source,
            fixed,
            _WHEN[name],
            _choices(name),
        )

    def check(self, name: str, text: str) -> str:
        """What is wrong with a value as it is typed, as a sentence; empty when it is good."""
        try:
            settings.check(name, text.strip(), strict=False)
        except ValueError as error:
            return str(error)
        return ""

    def put(self, name: str, text: str) -> str:
        """Keep a value in the file; returns why not."""
        try:
            value = settings.check(name, text.strip(), strict=False)
        except ValueError as error:
            return str(error)
        return self._save(name, value)

    def reset(self, name: str) -> str:
        """Take a setting out of the file, so that the default counts; returns why not."""
        return self._save(name, None)

    def reload(self) -> None:
        """Read the file again: it may have been edited outside."""
        before, self._loaded = self._loaded, settings.load(self.path, overrides=self._overrides)
        for name in NAMES:
            if getattr(before.settings, name) != getattr(self.values, name):
                self.changed.emit(name)
        self.reread.emit()

    def _save(self, name: str, value: Any) -> str:
        try:
            settings.save(self.path, {name: value})
        except (EditRefused, ValueError) as refused:
            return str(refused)
        self.reload()
        return ""


def _shown(value: object) -> str:
    return f"{value:.12g}" if isinstance(value, float) else str(value)


def _choices(name: str) -> tuple[str, ...]:
    hint = get_type_hints(Settings)[name]
    return tuple(one for one in get_args(hint) if isinstance(one, str))
