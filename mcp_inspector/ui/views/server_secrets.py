"""Above the form of an entry: which values stand in the file in plain text, and a button that keeps them elsewhere."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QMenu, QToolButton, QWidget
from shiboken6 import isValid

from mcp_inspector.ui import bridge, icons, plain, theme
from mcp_inspector.ui.models import secret_values
from mcp_inspector.ui.views.strip import Strip
from mcp_inspector.wire import jsontext

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from mcp_inspector.config.vault import Vault
    from mcp_inspector.schema.document import Document
    from mcp_inspector.ui.models.secret_values import PlainValue

_NAMED = 3


class ServerSecrets(Strip):
    """Marks values of a document as secret. They go to the vault when the entry is saved: see `wanted`.

    `button` offers every value; the strip offers those that look secret.
    """

    marked = Signal()

    def __init__(self, document: Document, value: Callable[[], Any], name: Callable[[], str]) -> None:
        """`value` gives the entry as a plain value, `name` the server's name."""
        super().__init__()
        self.setObjectName("server-secrets")
        self._document, self._value, self._name = document, value, name
        self._vault: Vault | None = None
        self._taken: frozenset[str] = frozenset()
        self._place = ""
        self._held: dict[str, str] = {}
        self._before: list[tuple[tuple[str, ...], str]] = []
        self.button = QToolButton()
        self.button.setText("Mark as secret")
        self.button.setIcon(icons.icon("key-round"))
        self.button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.button.setToolTip("Keep the value of a header or a variable in the vault; the file only names it")
        theme.mark(self.button, kind="quiet")
        self._menu = QMenu(self.button)
        self._menu.aboutToShow.connect(self._fill_menu)
        self.button.setMenu(self._menu)
        self.button.hide()
        self.activated.connect(self._on_button)

    def use(self, vault: Vault | None, taken: Iterable[str]) -> None:
        """Keep in this vault; `taken` are names there that other servers use. Without a vault nothing is offered."""
        self._vault, self._taken = vault, frozenset(taken)
        if vault is not None:
            bridge.spawn(bridge.aside(vault.place), what="looking where secrets are kept", on_done=self._placed)
        self.look()

    def _placed(self, place: str) -> None:
        if isValid(self):
            self._place = place
            self.look()

    def look(self) -> None:
        """Look at the entry again."""
        values = secret_values.plain_values(self._value()) if self._vault is not None else ()
        self.button.setVisible(bool(values))
        looking = [one for one in values if one.looks_secret]
        if looking:
            verb, what = ("looks", "stands") if len(looking) == 1 else ("look", "stand")
            words = f"{_names(looking)} {verb} secret and {what} in the file in plain text"
            self.say(words, "It can be kept in the vault instead.", "warn", "mark", "Mark as secret")
        elif held := self.wanted():
            names = ", ".join(plain.line(item.rpartition("/")[2], 60) for item in held)
            where = f"kept {self._place}" if self._place else "kept in the vault"
            self.say(f"When this is saved, {names} is {where}", "", "ok", "undo", "Undo")
        else:
            self.hide()

    def wanted(self) -> dict[str, str]:
        """What is to be kept, by names in the vault: what was marked, and is still named."""
        named = secret_values.named_in(self._document.text)
        return {item: value for item, value in self._held.items() if item in named}

    def mark(self, values: Iterable[PlainValue]) -> None:
        """Let the entry only name these values; nothing is kept before it is saved."""
        for one in values:
            item = secret_values.item_for(self._name(), one.name, {*self._taken, *self.wanted()})
            self._held[item] = one.secret
            self._before.append((one.path, one.prefix + one.secret))
            self._document.set(one.path, jsontext.quote(one.reference(item)))
        self.marked.emit()
        self.look()

    def take_back(self) -> None:
        """Put the values back that were marked here."""
        for path, text in self._before:
            if secret_values.named_in(str(self._document.value(path, ""))).intersection(self._held):
                self._document.set(path, jsontext.quote(text))
        self._before.clear()
        self._held.clear()
        self.look()

    def _on_button(self, command: str) -> None:
        if command == "mark":
            self.mark([one for one in secret_values.plain_values(self._value()) if one.looks_secret])
        else:
            self.take_back()

    def _fill_menu(self) -> None:
        self._menu.clear()
        for one in secret_values.plain_values(self._value()):
            kind = "header" if "headers" in one.path[:-1] else "variable"
            self._menu.addAction(f"{plain.line(one.name, 60)} ({kind})", partial(self.mark, [one]))


def _names(values: list[PlainValue]) -> str:
    names = [plain.line(one.name, 60) for one in values[:_NAMED]]
    more = len(values) - _NAMED
    if more > 0:
        return f"{', '.join(names)} and {plain.count(more, 'more value')}"
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def beside(tabs: QWidget, button: QToolButton) -> QWidget:
    """A band with tabs and, at its right edge, the button."""
    from PySide6.QtWidgets import QHBoxLayout

    bar = QWidget()
    theme.mark(bar, surface="band")
    row = QHBoxLayout(bar)
    row.setContentsMargins(0, 0, 8, 0)
    row.addWidget(tabs, 1)
    row.addWidget(button)
    return bar
