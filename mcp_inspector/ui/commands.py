"""What the window can do, each once: the tool bar, the palette, the menus and the sheet of shortcuts show the same."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QKeySequence

from mcp_inspector.ui import icons

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from PySide6.QtWidgets import QWidget


@dataclass(frozen=True)
class Command:
    """One thing to do. `keys` are shortcuts in Qt's portable spelling, the first one is shown."""

    name: str
    text: str
    group: str
    run: Callable[[], object]
    keys: tuple[str, ...] = ()
    icon: str = ""


class Commands(QObject):
    """The commands as actions of the window."""

    def __init__(self, window: QWidget, commands: Iterable[Command]) -> None:
        super().__init__(window)
        self._commands: dict[str, Command] = {}
        self._actions: dict[str, QAction] = {}
        for command in commands:
            self._add(window, command)

    def _add(self, window: QWidget, command: Command) -> None:
        action = QAction(command.text, window)
        if command.icon:
            action.setIcon(icons.icon(command.icon))
        action.setShortcuts([QKeySequence(key) for key in command.keys])
        action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
        keys = shown_keys(command.keys)
        action.setToolTip(f"{command.text.rstrip('…')} ({keys})" if keys else command.text.rstrip("…"))
        action.triggered.connect(lambda: command.run())
        window.addAction(action)
        self._commands[command.name] = command
        self._actions[command.name] = action

    def __iter__(self) -> Iterator[Command]:
        return iter(self._commands.values())

    def action(self, name: str) -> QAction:
        """The action of a command."""
        return self._actions[name]

    def enable(self, name: str, yes: bool) -> None:
        """Whether it makes sense now."""
        self._actions[name].setEnabled(yes)

    def run(self, name: str) -> None:
        """Do it, if it makes sense now."""
        self._actions[name].trigger()

    def enabled(self, name: str) -> bool:
        """Whether it makes sense now."""
        return self._actions[name].isEnabled()


def shown_keys(keys: tuple[str, ...]) -> str:
    """The first shortcut as this system spells it."""
    return QKeySequence(keys[0]).toString(QKeySequence.SequenceFormat.NativeText) if keys else ""
