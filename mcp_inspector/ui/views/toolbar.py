"""The tool bar: add, connect, disconnect; the field that finds everything; recording, settings, help."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QMenu, QSizePolicy, QToolBar, QToolButton, QWidget

from mcp_inspector.ui import icons, plain
from mcp_inspector.ui.bridge import Pull
from mcp_inspector.ui.server_actions import is_on
from mcp_inspector.ui.views.palette import PaletteField
from mcp_inspector.ui.widgets.visible import tooltip

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from mcp_inspector.session.server import Server
    from mcp_inspector.store.log import Log
    from mcp_inspector.ui.main_window import MainWindow

_NARROW = 900
_ICON = QSize(16, 16)


class ToolBar(QToolBar):
    """Built from the window's commands."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__("Tools")
        self.setObjectName("tool-bar")
        self.setMovable(False)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self.setIconSize(_ICON)
        self._window = window
        self._log: Log | None = None
        self._pull = Pull(self._recording, self, 250)
        self._worded: list[QToolButton] = []
        self.add_button = self._button("add")
        self.add_button.setText("Add server")
        self.all_button = self._button("connect-all")
        self.connect_button = self._button("connect")
        self.palette_field = PaletteField(window.palette_entries)
        self.palette_field.setMinimumWidth(150)
        self.palette_field.setMaximumWidth(420)
        self.palette_field.setToolTip("Servers, tools, resources, prompts, commands (Ctrl+K)")
        self.addWidget(_spring())
        self.addWidget(self.palette_field)
        self.addWidget(_spring())
        self.recording = QToolButton()
        self.recording.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.recording.clicked.connect(lambda: window.focus_traffic())
        self._worded.append(self.recording)
        self.addWidget(self.recording)
        self.settings = QToolButton()
        self.settings.setIcon(icons.icon("settings"))
        self.settings.setToolTip("Settings, files, look and panels (Ctrl+,)")
        self.settings.setAccessibleName("Settings")
        self.settings.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.settings.setStyleSheet("QToolButton::menu-indicator { image: none; } QToolButton { padding-right: 6px; }")
        self.addWidget(self.settings)
        self._button("shortcuts", words=False)
        self._recording()

    def _button(self, command: str, *, words: bool = True) -> QToolButton:
        button = QToolButton()
        button.setDefaultAction(self._window.commands.action(command))
        button.setToolButtonStyle(
            Qt.ToolButtonStyle.ToolButtonTextBesideIcon if words else Qt.ToolButtonStyle.ToolButtonIconOnly
        )
        if words:
            self._worded.append(button)
        self.addWidget(button)
        return button

    def build_menu(self) -> None:
        """The menu of the settings button; once the docks are there."""
        window = self._window
        menu = QMenu(self)
        menu.setToolTipsVisible(True)
        for name in ("settings", "open-file", "open-session", "export"):
            menu.addAction(window.commands.action(name))
        menu.addSection("Look")
        group = QActionGroup(menu)
        self._themes = {}
        for choice in ("system", "light", "dark"):
            action = window.commands.action(f"theme-{choice}")
            action.setCheckable(True)
            group.addAction(action)
            menu.addAction(action)
            self._themes[choice] = action
        self.show_theme(window.theme_choice)
        menu.addAction(window.commands.action("rows"))
        menu.addSection("Panels")
        for dock in window.docks:
            menu.addAction(dock.toggleViewAction())
        menu.addAction(window.commands.action("reset"))
        menu.addSeparator()
        menu.addAction(window.commands.action("shortcuts"))
        menu.addAction(window.commands.action("quit"))
        self.settings.setMenu(menu)

    def show_theme(self, choice: str) -> None:
        """Which look is chosen."""
        self._themes[choice].setChecked(True)

    def show_server(self, server: Server | None) -> None:
        """What the connect button would do to the chosen server."""
        action = self._window.commands.action("connect")
        action.setEnabled(server is not None)
        on = server is not None and is_on(server)
        action.setText("Disconnect" if on else "Connect")
        action.setIcon(icons.icon("unplug" if on else "plug"))
        name = plain.line(server.name, 60) if server is not None else "the chosen server"
        action.setToolTip(tooltip(f"{'Disconnect' if on else 'Connect'} {name} (Ctrl+Shift+D)"))

    def show_recording(self, log: Log) -> None:
        """Follow the state of the log."""
        self._log = log
        log.changed.connect(self._pull.soon)
        self._recording()

    def _recording(self) -> None:
        log = self._log
        if log is None:
            self.recording.setText("Starting")
            self.recording.setIcon(icons.icon("circle-dashed", "muted"))
            return
        if log.problem:
            self.recording.setText("Not recording" if log.path is None else "Recording, trouble")
            self.recording.setIcon(icons.icon("triangle-alert", "warn"))
            self.recording.setToolTip(tooltip(log.problem))
            return
        self.recording.setText("Recording")
        self.recording.setIcon(icons.icon("circle-dot", "error"))
        self.recording.setToolTip(tooltip(f"Everything is kept in {log.path}. Click for Traffic (Ctrl+Shift+T)."))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Words go when there is no room for them."""
        super().resizeEvent(event)
        narrow = self.width() < _NARROW
        style = Qt.ToolButtonStyle.ToolButtonIconOnly if narrow else Qt.ToolButtonStyle.ToolButtonTextBesideIcon
        for button in self._worded:
            if button is not self.add_button:
                button.setToolButtonStyle(style)


def _spring() -> QWidget:
    widget = QWidget()
    widget.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
    return widget
