"""Add or edit a server: paste anything, or fill in. What would run is shown first; nothing runs before it is saved."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QFileDialog,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from mcp_inspector.config import paste
from mcp_inspector.config.entry import ServerEntry
from mcp_inspector.config.variables import effective
from mcp_inspector.ui import icons, plain, theme
from mcp_inspector.ui.bridge import Pull
from mcp_inspector.ui.forms.inputs import AreaEdit
from mcp_inspector.ui.forms.segments import Segments
from mcp_inspector.ui.models.entry_text import lines_of, mapping_of, pairs_of, words_of
from mcp_inspector.ui.widgets.inputs import LongLineEdit
from mcp_inspector.ui.widgets.rows import ValueLabel

if TYPE_CHECKING:
    from mcp_inspector.ui.models.book import Book

_WAYS: tuple[tuple[str, str], ...] = (("stdio", "Command"), ("http", "HTTP"), ("sse", "HTTP+SSE"), ("auto", "Detect"))
_PROTOCOLS = ("auto", "legacy", "modern", "2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
_PREVIEW_MS = 150


class ServerDialog(QDialog):
    """One entry under edit. `saved` gives its name."""

    saved = Signal(str)

    def __init__(self, book: Book, entry: ServerEntry | None, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setModal(False)
        self.setObjectName("server-dialog")
        self._book = book
        self._before = entry
        self._base = entry or ServerEntry("")
        self._found: tuple[ServerEntry, ...] = ()
        self.setWindowTitle(f"Edit {plain.line(entry.name, 60)}" if entry else "Add server")
        self._pull = Pull(self._preview, self, _PREVIEW_MS)
        self._build()
        self._fill(self._base)
        self._preview()
        room = parent.size()
        self.resize(min(660, max(420, room.width() - 40)), min(760, max(380, room.height() - 40)))

    # --- building ---

    def _build(self) -> None:
        body = QWidget()
        theme.mark(body, surface="window")
        column = QVBoxLayout(body)
        column.setContentsMargins(16, 14, 16, 10)
        column.setSpacing(10)
        if self._before is None:
            self._build_paste(column)
        column.addLayout(self._build_fields())
        column.addWidget(self._build_more())
        column.addWidget(_head("What connecting would do"))
        self.effect = ValueLabel("", mono=True)
        self._effect_frame = QWidget()
        theme.mark(self._effect_frame, surface="base")
        self._effect_layout = QVBoxLayout(self._effect_frame)
        self._effect_layout.setContentsMargins(10, 8, 10, 8)
        self._effect_layout.addWidget(self.effect)
        column.addWidget(self._effect_frame)
        self._dangers = _sentence("warn")
        self._problems = _sentence("error")
        column.addWidget(self._dangers)
        column.addWidget(self._problems)
        column.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setWidget(body)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(area, 1)
        layout.addWidget(self._build_foot())

    def _build_paste(self, column: QVBoxLayout) -> None:
        self.paste = AreaEdit()
        self.paste.setFont(theme.mono())
        self.paste.setPlaceholderText("Paste a command line, a URL, or a configuration of any program")
        self.paste.edited.connect(self._pasted)
        self._words = _sentence("muted")
        self._several = QComboBox()
        self._several.activated.connect(self._chosen)
        self._all = QPushButton("Add all")
        self._all.clicked.connect(self._add_all)
        row = QHBoxLayout()
        row.addWidget(self._several, 1)
        row.addWidget(self._all)
        self._several.hide()
        self._all.hide()
        column.addWidget(self.paste)
        column.addWidget(self._words)
        column.addLayout(row)

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
            line.textChanged.connect(self._pull.soon)
        for area in (self.args, self.env, self.headers):
            area.textChanged.connect(self._pull.soon)
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
        for at, box_widget in enumerate((self.lazy, self.refresh, self.disabled), 4):
            grid.addWidget(box_widget, at, 1)
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
        self.timeout.textChanged.connect(self._pull.soon)
        whole = QWidget()
        column = QVBoxLayout(whole)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._more)
        column.addWidget(box)
        return whole

    def _build_foot(self) -> QWidget:
        foot = QWidget()
        theme.mark(foot, surface="band")
        row = QHBoxLayout(foot)
        row.setContentsMargins(16, 10, 16, 10)
        where = QLabel(f"Saved in {self._base.origin if self._before else self._book.file}")
        where.setTextFormat(Qt.TextFormat.PlainText)
        where.setWordWrap(True)
        theme.mark(where, role="small")
        self.save_button = QPushButton("Save")
        self.connect_button = QPushButton("Save and connect")
        theme.mark(self.connect_button, kind="primary")
        cancel = QPushButton("Cancel")
        cancel.clicked.connect(self.reject)
        self.save_button.clicked.connect(lambda: self.save(connect=False))
        self.connect_button.clicked.connect(lambda: self.save(connect=True))
        self.connect_button.setDefault(True)
        row.addWidget(where, 1)
        for button in (cancel, self.save_button, self.connect_button):
            button.setAutoDefault(False)
            row.addWidget(button)
        return foot

    # --- pasting ---

    def _pasted(self, text: str) -> None:
        if not text.strip():
            self._words.hide()
            self._several.hide()
            self._all.hide()
            return
        understood = paste.understand(text, self._book.names)
        self._found = understood.entries
        words = [understood.words, *understood.problems]
        self._words.setText("\n".join(word for word in words if word))
        theme.mark(self._words, role="muted" if understood.entries and not understood.problems else "warn")
        self._words.show()
        several = len(understood.entries) > 1
        self._several.setVisible(several)
        self._all.setVisible(several)
        self._several.clear()
        self._several.addItems([plain.line(entry.name, 80) for entry in understood.entries])
        if understood.entries:
            self._fill(understood.entries[0])
            self._preview()

    def _chosen(self, at: int) -> None:
        self._fill(self._found[at])
        self._preview()

    def _add_all(self) -> None:
        problems = []
        for entry in self._found:
            problem = self._book.add(replace(entry, origin=""), connect=False)
            if problem:
                problems.append(problem)
        if problems:
            self._say_problems(problems)
        else:
            self.saved.emit(self._found[0].name)
            self.accept()

    # --- between entry and fields ---

    def _fill(self, entry: ServerEntry) -> None:
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
        self._way_changed()

    def entry(self) -> tuple[ServerEntry, list[str]]:
        """The entry that the fields say, and what keeps it from being saved."""
        env, problems = mapping_of(self.env.text(), "=")
        headers, more = mapping_of(self.headers.text(), ": ")
        transport: Any = _WAYS[max(self.way.chosen, 0)][0]
        stdio = transport == "stdio"
        problems = problems if stdio else more
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
        self._pull.soon()

    def _preview(self) -> None:
        entry, problems = self.entry()
        would = effective(entry)
        text = "\n".join(would.lines()) if entry.command or entry.url else "Nothing yet."
        if text != self.effect.text():
            self._effect_layout.removeWidget(self.effect)
            self.effect.hide()
            self.effect.deleteLater()
            self.effect = ValueLabel(text, mono=True)
            self._effect_layout.addWidget(self.effect)
        self._dangers.setText("\n".join(would.dangers))
        self._dangers.setVisible(bool(would.dangers))
        blank = not (entry.name or entry.command or entry.url)
        self._say_problems([] if blank else [*problems, *would.problems])
        for button in (self.save_button, self.connect_button):
            button.setEnabled(not problems)

    def _say_problems(self, problems: list[str]) -> None:
        self._problems.setText("\n".join(problems))
        self._problems.setVisible(bool(problems))

    # --- the end ---

    def save(self, *, connect: bool) -> None:
        """Write it to the servers file; a refusal is said here and nothing is lost."""
        entry, problems = self.entry()
        if problems:
            self._say_problems(problems)
            return
        if self._before is None:
            refused = self._book.add(replace(entry, origin=""), connect=connect)
        else:
            refused = self._book.update(self._before.name, self._before, entry, connect=connect)
        if refused:
            self._say_problems([refused])
            return
        self.saved.emit(entry.name)
        self.accept()

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


def _head(text: str) -> QLabel:
    label = QLabel(text)
    theme.mark(label, role="head")
    return label


def _sentence(role: str) -> QLabel:
    label = QLabel()
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    theme.mark(label, role=role)
    label.hide()
    return label
