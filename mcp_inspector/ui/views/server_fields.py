"""The fields of the server dialog: an entry as texts, and back."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFileDialog,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from mcp_inspector.config.entry import ServerEntry
from mcp_inspector.ui import icons, theme
from mcp_inspector.ui.forms.inputs import AreaEdit
from mcp_inspector.ui.forms.segments import Segments
from mcp_inspector.ui.models.entry_text import lines_of, mapping_of, pairs_of, words_of
from mcp_inspector.ui.views.route_fields import RouteFields
from mcp_inspector.ui.widgets.inputs import LongLineEdit

_WAYS: tuple[tuple[str, str], ...] = (("stdio", "Command"), ("http", "HTTP"), ("sse", "HTTP+SSE"), ("auto", "Detect"))
_PROTOCOLS = ("auto", "legacy", "modern", "2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")


class ServerFields(QWidget):
    """The parts of an entry as inputs. `changed` tells of every change."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._base = ServerEntry("")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(10)
        column.addLayout(self._build_fields())
        column.addWidget(self._build_more())

    def _build_fields(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(10)
        grid.setVerticalSpacing(8)
        grid.setColumnStretch(1, 1)
        self.name = LongLineEdit()
        self.way = Segments(tuple(words for _, words in _WAYS))
        self.way.picked.connect(self._way_changed)
        self.command, self.cwd, self.url = LongLineEdit(mono=True), LongLineEdit(mono=True), LongLineEdit(mono=True)
        self.args, self.env, self.headers = _area(), _area(), _area()
        self.url.setPlaceholderText("https://…")
        self.command.setPlaceholderText("program; its arguments go below")
        self.args.setPlaceholderText("one argument a line; no quotes needed for spaces")
        self.env.setPlaceholderText("NAME=value, one a line; ${NAME} takes it from the environment")
        self.headers.setPlaceholderText("Name: value, one a line")
        browse = QToolButton()
        browse.setIcon(icons.icon("folder-open"))
        browse.setToolTip("Choose the folder…")
        browse.clicked.connect(self._browse)
        folder = QWidget()
        row = QHBoxLayout(folder)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.cwd, 1)
        row.addWidget(browse)
        self._stdio_rows: list[QWidget] = []
        self._remote_rows: list[QWidget] = []
        for words, widget, rows in (
            ("Name", self.name, None),
            ("Reached by", self.way, None),
            ("Command", self.command, self._stdio_rows),
            ("Arguments", self.args, self._stdio_rows),
            ("Working folder", folder, self._stdio_rows),
            ("Environment", self.env, self._stdio_rows),
            ("URL", self.url, self._remote_rows),
            ("Headers", self.headers, self._remote_rows),
        ):
            label = QLabel(words)
            at = grid.rowCount()
            grid.addWidget(label, at, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(widget, at, 1)
            label.setFixedHeight(26)
            widget.setAccessibleName(words)
            if rows is not None:
                rows += [label, widget]
        for line in (self.name, self.command, self.cwd, self.url):
            line.textChanged.connect(self.changed)
        for area in (self.args, self.env, self.headers):
            area.textChanged.connect(self.changed)
        return grid

    def _build_more(self) -> QWidget:
        self.protocol = QComboBox()
        self.protocol.addItems(_PROTOCOLS)
        self.timeout = LongLineEdit()
        self.timeout.setPlaceholderText("seconds; empty for the default")
        self.reconnect = QComboBox()
        self.reconnect.addItems([str(number) for number in range(11)])
        self.lazy = QCheckBox("Connect only when it is needed")
        self.refresh = QCheckBox("Read the tools anew before each call")
        self.disabled = QCheckBox("Disabled")
        self.description = LongLineEdit()
        box = QWidget()
        grid = QGridLayout(box)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(10)
        grid.setVerticalSpacing(8)
        grid.setColumnStretch(1, 1)
        for at, (words, widget) in enumerate(
            (
                ("Protocol", self.protocol),
                ("Time limit", self.timeout),
                ("Reconnect up to", self.reconnect),
                ("Description", self.description),
            )
        ):
            grid.addWidget(QLabel(words), at, 0)
            grid.addWidget(widget, at, 1)
        self.route = RouteFields()
        self.route.changed.connect(self.changed)
        for at, box_widget in enumerate((self.lazy, self.refresh, self.disabled), 4):
            grid.addWidget(box_widget, at, 1)
        grid.addWidget(self.route, grid.rowCount(), 0, 1, 2)
        self._remote_rows.append(self.route)
        self._more = QToolButton()
        self._more.setText("More")
        self._more.setCheckable(True)
        self._more.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._more.setIcon(icons.icon("chevron-right", "muted"))
        self._more.toggled.connect(box.setVisible)
        self._more.toggled.connect(
            lambda on: self._more.setIcon(icons.icon("chevron-down" if on else "chevron-right", "muted"))
        )
        box.hide()
        self.timeout.textChanged.connect(self.changed)
        whole = QWidget()
        column = QVBoxLayout(whole)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._more)
        column.addWidget(box)
        return whole

    def fill(self, entry: ServerEntry) -> None:
        self._base = entry
        self.name.setText(entry.name)
        self.way.choose([way for way, _ in _WAYS].index(entry.transport))
        self.command.setText(entry.command)
        self.args.setText(lines_of(entry.args))
        self.env.setText(pairs_of(entry.env, "="))
        self.cwd.setText(entry.cwd)
        self.url.setText(entry.url)
        self.headers.setText(pairs_of(entry.headers, ": "))
        self.protocol.setCurrentText(entry.protocol)
        self.timeout.setText("" if entry.timeout is None else f"{entry.timeout:g}")
        self.reconnect.setCurrentText(str(entry.reconnect))
        self.lazy.setChecked(entry.connect == "lazy")
        self.refresh.setChecked(entry.refresh_before_call)
        self.disabled.setChecked(entry.disabled)
        self.description.setText(entry.description)
        self.route.fill(entry.route)
        self._way_changed()

    def entry(self) -> tuple[ServerEntry, list[str]]:
        """The entry that the fields say, and what keeps it from being saved."""
        env, problems = mapping_of(self.env.text(), "=")
        headers, more = mapping_of(self.headers.text(), ": ")
        transport: Any = _WAYS[max(self.way.chosen, 0)][0]
        stdio = transport == "stdio"
        route, wrong = self.route.route()
        problems = problems if stdio else [*more, *wrong]
        timeout: float | None = None
        if self.timeout.text().strip():
            try:
                timeout = float(self.timeout.text())
            except ValueError:
                problems.append(f"The time limit is no number of seconds: {self.timeout.text()[:40]}")
        name = self.name.text().strip()
        if not name:
            problems.append("It needs a name.")
        if stdio and not self.command.text().strip():
            problems.append("It needs a command.")
        if not stdio and not self.url.text().strip():
            problems.append("It needs a URL.")
        entry = replace(
            self._base,
            name=name,
            transport=transport,
            command=self.command.text().strip() if stdio else "",
            args=words_of(self.args.text()) if stdio else (),
            env=env if stdio else {},
            cwd=self.cwd.text().strip() if stdio else "",
            url="" if stdio else self.url.text().strip(),
            headers={} if stdio else headers,
            route=self._base.route if stdio else route,
            protocol=self.protocol.currentText(),
            timeout=timeout,
            reconnect=int(self.reconnect.currentText()),
            connect="lazy" if self.lazy.isChecked() else "start",
            refresh_before_call=self.refresh.isChecked(),
            disabled=self.disabled.isChecked(),
            description=self.description.text(),
            problems=(),
            fatal=False,
        )
        return entry, problems

    def _way_changed(self, _: int = 0) -> None:
        stdio = self.way.chosen <= 0
        for widget in self._stdio_rows:
            widget.setVisible(stdio)
        for widget in self._remote_rows:
            widget.setVisible(not stdio)
        self.changed.emit()

    def _browse(self) -> None:
        dialog = QFileDialog(self, "Working folder")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setDirectory(self.cwd.text())
        dialog.fileSelected.connect(self.cwd.setText)
        dialog.open()


def _area() -> AreaEdit:
    area = AreaEdit()
    area.setFont(theme.mono())
    area.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
    return area
