"""Settings: every one with its meaning and origin, where the files are, and what was wrong at the start."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication, QHideEvent
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from mcp_inspector.ui import icons, plain, reveal, theme
from mcp_inspector.ui.models.setting_list import GROUPS
from mcp_inspector.ui.views.setting_row import SettingEditor
from mcp_inspector.ui.widgets.inputs import SearchEdit
from mcp_inspector.ui.widgets.labels import ElidedLabel, EmptyState
from mcp_inspector.ui.widgets.rows import ValueLabel
from mcp_inspector.ui.widgets.visible import tooltip

if TYPE_CHECKING:
    from pathlib import Path

    from mcp_inspector.ui.desk import Desk
    from mcp_inspector.ui.models.setting_list import Places

_MARGIN = 16
_NAME_WIDTH = 116


class SettingsDialog(QDialog):
    """Not modal: it can stay open beside the work. What is good is kept at once; there is nothing to confirm."""

    open_wanted = Signal()
    """Another servers file shall be opened."""

    def __init__(self, desk: Desk, places: Places, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("settings")
        self.setWindowTitle("Settings")
        self.setModal(False)
        self._desk, self._places = desk, places
        self.search = SearchEdit("Search settings")
        self.editors = {name: SettingEditor(places.settings, name) for names in GROUPS.values() for name in names}
        self._groups: list[tuple[QWidget, list[QWidget]]] = []
        self._words: dict[QWidget, str] = {}
        self._nothing = EmptyState("search", "No setting is called that")
        self._files = QVBoxLayout()
        self._files.setSpacing(2)
        self._build()
        self.search.textChanged.connect(self._filter)
        self.search.left.connect(self.close)
        self.search.submitted.connect(self._to_first)
        places.settings.reread.connect(self._reread)
        if desk.book is not None:
            desk.book.files_changed.connect(self.show_files)
        room = parent.size()
        self.resize(min(680, max(460, room.width() - 40)), min(720, max(360, room.height() - 40)))

    # --- building ---

    def _build(self) -> None:
        head = QWidget()
        theme.mark(head, surface="band")
        row = QHBoxLayout(head)
        row.setContentsMargins(_MARGIN, 8, _MARGIN, 8)
        row.addWidget(self.search)
        body = QWidget()
        theme.mark(body, surface="base")
        column = QVBoxLayout(body)
        column.setContentsMargins(_MARGIN, 10, _MARGIN, 14)
        column.setSpacing(2)
        self._build_problems(column)
        for title, names in GROUPS.items():
            rows: list[QWidget] = [self.editors[name] for name in names]
            self._add_group(column, title, rows)
            for name in names:
                self._words[self.editors[name]] = f"{title.casefold()} {self.editors[name].row.words}"
        files = QWidget()
        files.setLayout(self._files)
        self._files.setContentsMargins(0, 0, 0, 0)
        self._add_group(column, "Files", [files])
        self._words[files] = "files folder path servers sessions log settings open"
        self.show_files()
        column.addWidget(self._nothing)
        self._nothing.hide()
        column.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(body)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(head)
        layout.addWidget(area, 1)

    def _build_problems(self, column: QVBoxLayout) -> None:
        problems = dict.fromkeys((*self._places.problems, *self._places.settings.problems))
        self._problems = [ValueLabel(problem, tone="warn") for problem in problems]
        if self._problems:
            self._add_group(column, "Problems met at the start", list(self._problems))
            for label in self._problems:
                self._words[label] = f"problems {label.text().casefold()}"

    def _add_group(self, column: QVBoxLayout, title: str, rows: list[QWidget]) -> None:
        head = QLabel(title)
        theme.mark(head, role="title")
        head.setContentsMargins(0, 10 if self._groups else 0, 0, 2)
        column.addWidget(head)
        for row in rows:
            column.addWidget(row)
        self._groups.append((head, rows))

    # --- files ---

    def show_files(self) -> None:
        """Show where everything is kept."""
        while (item := self._files.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        folders, book = self._places.folders, self._desk.book
        for path, count in book.files if book is not None else ((folders.servers, 0),):
            own = path == folders.servers
            detail = plain.count(count, "server") if path.exists() else "made when a server is added"
            self._files.addWidget(self._file("Servers" if own else "Servers, opened", path, detail, closable=not own))
        more = QPushButton(icons.icon("folder-open"), "Open servers file… (Ctrl+O)")
        more.setAutoDefault(False)
        theme.mark(more, kind="quiet")
        more.clicked.connect(self.open_wanted)
        self.open_button = more
        self._files.addWidget(more, 0, Qt.AlignmentFlag.AlignLeft)
        for name, path in (
            ("Settings", self._places.settings.path),
            ("Sessions", folders.data / "sessions"),
            ("Program log", folders.state / "mcp-inspector.log"),
        ):
            self._files.addWidget(self._file(name, path, "" if path.exists() else "not there yet"))

    def _file(self, name: str, path: Path, detail: str, *, closable: bool = False) -> QWidget:
        line = QWidget()
        row = QHBoxLayout(line)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        label = QLabel(name)
        label.setMinimumWidth(_NAME_WIDTH)
        row.addWidget(label)
        where = ElidedLabel(str(path), mono=True, size="small", mode=Qt.TextElideMode.ElideMiddle)
        where.setToolTip(tooltip(f"{path}\n{detail}".strip()))
        row.addWidget(where, 1)
        if detail:
            row.addWidget(ElidedLabel(detail, tone="muted", size="small"))
        notices = self._desk.notices
        buttons = [
            ("folder-open", f"Open the folder of {path.name}", lambda: reveal.open_folder(path, notices)),
            ("copy", f"Copy the path of {path.name}", lambda: QGuiApplication.clipboard().setText(str(path))),
        ]
        book = self._desk.book
        if closable and book is not None:
            buttons.append(("x", f"Close {path.name}: its servers leave the window", lambda: book.close_file(path)))
        for icon, tip, run in buttons:
            button = QToolButton()
            button.setIcon(icons.icon(icon, "muted"))
            button.setToolTip(tooltip(tip))
            button.setAccessibleName(tip)
            button.clicked.connect(lambda _=False, run=run: run())
            row.addWidget(button)
        return line

    # --- searching ---

    def _filter(self, text: str) -> None:
        parts = text.casefold().split()
        any_shown = False
        for head, rows in self._groups:
            shown = 0
            for row in rows:
                fits = all(part in self._words[row] for part in parts)
                row.setVisible(fits)
                shown += fits
            head.setVisible(bool(shown))
            any_shown |= bool(shown)
        self._nothing.setVisible(not any_shown)

    def _to_first(self) -> None:
        for editor in self.editors.values():
            if not editor.isHidden():
                editor.setFocus(Qt.FocusReason.TabFocusReason)
                return

    # --- following ---

    def _reread(self) -> None:
        for editor in self.editors.values():
            editor.show_row()

    def show_anew(self) -> None:
        """Read the settings again, and come to the front."""
        self._places.settings.reload()
        self.show_files()
        self.show()
        self.raise_()
        self.activateWindow()
        self.search.setFocus(Qt.FocusReason.ActiveWindowFocusReason)

    def hideEvent(self, event: QHideEvent) -> None:
        """What was typed and can be kept is kept."""
        for editor in self.editors.values():
            if editor.line is not None and editor.line.isModified():
                editor.keep()
        super().hideEvent(event)
