"""The Quick actions dock: prompts and saved actions as buttons. A click runs one, or asks first for what it needs."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QHBoxLayout,
    QKeySequenceEdit,
    QLineEdit,
    QMenu,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from mcp_inspector.ui import icons, plain, theme
from mcp_inspector.ui.bridge import Pull
from mcp_inspector.ui.models.quick import PINNED, Quick, QuickList
from mcp_inspector.ui.models.server_icon import icon_of
from mcp_inspector.ui.widgets.inputs import SearchEdit
from mcp_inspector.ui.widgets.labels import ElidedLabel, EmptyState
from mcp_inspector.ui.widgets.visible import tooltip

if TYPE_CHECKING:
    from PySide6.QtCore import QPoint
    from PySide6.QtGui import QContextMenuEvent, QResizeEvent

    from mcp_inspector.ui.desk import Desk

_SEARCHED = 7
"""From so many buttons on there is a field to find one."""


class QuickActions(QWidget):
    """Buttons in groups. What a click does is the window's: see `picked`."""

    picked = Signal(object)
    """A `Quick` whose button was pressed."""
    menu_wanted = Signal(object, object)
    """A menu for a `Quick` is about to be shown: whoever knows more can add to it."""

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self.list = QuickList(desk)
        self._shown: list[Quick] | None = None
        self._buttons: list[QuickButton] = []
        self._shortcuts: list[QShortcut] = []
        self._asked: tuple[str, Quick] | None = None
        self.setObjectName("quick-actions")
        self.search = SearchEdit("Find an action")
        self.search.textChanged.connect(self.refresh)
        self.search.returnPressed.connect(self._run_first)
        self.more = QToolButton()
        self.more.setIcon(icons.icon("ellipsis"))
        self.more.setAutoRaise(True)
        self.more.setToolTip("How the actions are grouped")
        self.more.setAccessibleName("How the actions are grouped")
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.more.setStyleSheet("QToolButton::menu-indicator { image: none; }")
        menu = QMenu(self)
        self._by_server = menu.addAction("Group by server")
        self._by_server.setCheckable(True)
        self._by_server.setChecked(self.list.by_server)
        self._by_server.toggled.connect(self._group_by)
        self.more.setMenu(menu)
        self.area = QScrollArea()
        self.area.setWidgetResizable(True)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.name_edit, self.keys_edit = QLineEdit(), QKeySequenceEdit()
        self.below = QVBoxLayout()
        """Where the window puts what asks for values."""
        self._build_naming()
        self._lay_out()
        self._pull = Pull(self.refresh, self)
        desk.servers.refreshed.connect(self._pull.soon)
        desk.shelf.changed.connect(self._pull.soon)
        self.refresh()

    def _build_naming(self) -> None:
        self._naming = QWidget()
        theme.mark(self._naming, surface="window")
        row = QHBoxLayout(self._naming)
        row.setContentsMargins(8, 4, 8, 4)
        row.setSpacing(4)
        done = QPushButton("Set")
        done.clicked.connect(self._named)
        give_up = QToolButton()
        give_up.setIcon(icons.icon("x"))
        give_up.setAutoRaise(True)
        give_up.setToolTip("Leave it as it is")
        give_up.clicked.connect(self._naming.hide)
        self.name_edit.returnPressed.connect(self._named)
        for widget in (self.name_edit, self.keys_edit):
            row.addWidget(widget, 1)
        row.addWidget(done)
        row.addWidget(give_up)
        self._naming.hide()

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(8, 6, 6, 0)
        head.setSpacing(4)
        head.addWidget(self.search, 1)
        head.addWidget(self.more)
        self._head = QWidget()
        self._head.setLayout(head)
        theme.mark(self, surface="base")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._head)
        layout.addWidget(self.area, 1)
        layout.addWidget(self._naming)
        layout.addLayout(self.below)

    @property
    def buttons(self) -> list[QuickButton]:
        """The buttons that are shown."""
        return list(self._buttons)

    def focus_search(self) -> None:
        """Put the keyboard into the field that finds an action."""
        self._head.show()
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def refresh(self) -> None:
        """Show what there is now."""
        wanted = self.list.items(self.search.text().strip())
        if wanted == self._shown:
            return
        self._shown = wanted
        self._buttons = []
        searching = bool(self.search.text())
        self._head.setVisible(searching or self.search.hasFocus() or len(wanted) >= _SEARCHED)
        self._make_shortcuts(wanted)
        if not wanted:
            self._show_nothing(searching)
            return
        body = QWidget()
        theme.mark(body, surface="base")
        layout = QVBoxLayout(body)
        layout.setContentsMargins(8, 8, 8, 8)
        layout.setSpacing(5)
        groups = [PINNED if one.pinned else one.group for one in wanted]
        last = ""
        for one, group in zip(wanted, groups, strict=True):
            if group != last and len(set(groups)) > 1:
                layout.addWidget(ElidedLabel(plain.line(group, 80), "muted", "small"))
            last = group
            button = QuickButton(one)
            button.clicked.connect(partial(self.picked.emit, one))
            button.menu_wanted.connect(partial(self._open_menu, one))
            self._buttons.append(button)
            layout.addWidget(button)
        layout.addStretch(1)
        self.area.setWidget(body)

    def _show_nothing(self, searching: bool) -> None:
        words = "Nothing has these words" if searching else "Prompts become buttons here"
        more = "" if searching else "once a server that has any is connected; saved calls, too"
        self.area.setWidget(EmptyState("message-square-text", words, more))

    def _make_shortcuts(self, items: list[Quick]) -> None:
        if self.search.text():
            return
        for shortcut in self._shortcuts:
            shortcut.deleteLater()
        self._shortcuts = []
        for one in items:
            if one.shortcut and self.window() is not self:
                shortcut = QShortcut(QKeySequence(one.shortcut), self.window())
                shortcut.activated.connect(partial(self._by_key, one.key))
                self._shortcuts.append(shortcut)

    def _by_key(self, key: str) -> None:
        found = next((one for one in self.list.items() if one.key == key), None)
        if found is not None:
            self.picked.emit(found)

    def _run_first(self) -> None:
        if self._shown:
            self.picked.emit(self._shown[0])

    def _group_by(self, on: bool) -> None:
        self.list.set_by_server(on)
        self.refresh()

    # --- the menu of one ---

    def _open_menu(self, one: Quick, place: QPoint) -> QMenu:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(icons.icon("play"), "Run…" if one.asks else "Run", lambda: self.picked.emit(one))
        self.menu_wanted.emit(menu, one)
        menu.addSeparator()
        if not (one.action is not None and one.action.pinned):
            menu.addAction(
                icons.icon("star"), "Take the pin off" if one.pinned else "Pin", lambda: self._do("pin", one)
            )
        menu.addAction(icons.icon("chevron-up"), "Move up", lambda: self._do("up", one))
        menu.addAction(icons.icon("chevron-down"), "Move down", lambda: self._do("down", one))
        groups = menu.addMenu("Group")
        for group in dict.fromkeys(each.group for each in self.list.items() if each.group != one.group):
            groups.addAction(plain.escape_mnemonic(plain.line(group, 60))).triggered.connect(
                partial(self._do, "group", one, group)
            )
        groups.addAction("New group…", lambda: self._ask("group", one))
        groups.addAction("Its own", lambda: self._do("group", one, ""))
        menu.addAction(icons.icon("command"), "Shortcut…", lambda: self._ask("keys", one))
        menu.popup(place)
        return menu

    def _do(self, what: str, one: Quick, value: Any = "", *_: object) -> None:
        if what == "pin":
            self.list.pin(one)
        elif what in ("up", "down"):
            self.list.move(one, -1 if what == "up" else 1)
        elif what == "group":
            self.list.set_group(one, str(value))
        else:
            self.list.set_shortcut(one, str(value))
        self.refresh()

    def _ask(self, what: str, one: Quick) -> None:
        self._asked = what, one
        self.name_edit.setVisible(what == "group")
        self.keys_edit.setVisible(what == "keys")
        self.name_edit.setPlaceholderText("Name of the group")
        self.name_edit.clear()
        self.keys_edit.setKeySequence(QKeySequence(one.shortcut))
        self._naming.show()
        (self.name_edit if what == "group" else self.keys_edit).setFocus()

    def _named(self) -> None:
        if self._asked is None:
            return
        what, one = self._asked
        keys = self.keys_edit.keySequence().toString(QKeySequence.SequenceFormat.PortableText)
        self._naming.hide()
        self._do(what, one, self.name_edit.text().strip() if what == "group" else keys)


class QuickButton(QPushButton):
    """One action. It says by an ellipsis that it asks first, and by its colour that its server is not connected."""

    menu_wanted = Signal(object)

    def __init__(self, item: Quick) -> None:
        super().__init__()
        self.item = item
        self._words = plain.line(item.words, 200) + ("…" if item.asks else "")
        theirs = icon_of(item.item)
        self.setIcon(theirs or icons.icon(item.icon, "accent" if item.online else "muted"))
        self.setIconSize(QSize(14, 14))
        ink = "" if item.online else f" color: {theme.colour('muted').name()};"
        self.setStyleSheet(f"text-align: left; padding: 4px 8px;{ink}")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setMinimumWidth(40)
        state = "" if item.online else ", not connected"
        self.setAccessibleName(f"{self._words} on {item.server}{state}")
        lines = [item.target, item.about]
        lines.append("It asks first for what it needs." if item.asks else "A click runs it at once.")
        if not item.online:
            lines.append(f"{item.server} is not connected; a click connects it.")
        if item.shortcut:
            lines.append(QKeySequence(item.shortcut).toString(QKeySequence.SequenceFormat.NativeText))
        self.setToolTip(tooltip("\n".join(line for line in lines if line)))
        self._fit()

    @property
    def asks(self) -> bool:
        """Whether a click asks first."""
        return self.item.asks

    def _fit(self) -> None:
        room = self.width() - 44
        shown = self.fontMetrics().elidedText(self._words, Qt.TextElideMode.ElideRight, max(room, 20))
        self.setText(plain.escape_mnemonic(shown))

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """What else can be done with it."""
        self.menu_wanted.emit(event.globalPos())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Cut the words to what fits."""
        super().resizeEvent(event)
        self._fit()
