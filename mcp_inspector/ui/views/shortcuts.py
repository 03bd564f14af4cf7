"""The sheet of shortcuts: every command with its keys, from the same list that makes the commands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QGridLayout, QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from mcp_inspector.ui import theme
from mcp_inspector.ui.commands import shown_keys
from mcp_inspector.ui.forms.keys import SHEET

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mcp_inspector.ui.commands import Command

IN_PLACES = (
    ("Servers list", (("Edit", "F2"), ("Duplicate", "Ctrl+D"), ("Remove", "Del"), ("Connect", "Return"))),
    ("Lists", (("Search", "type letters"), ("To the form, or read", "Return"), ("Copy the name", "Ctrl+C"))),
    ("Recorded sessions", (("Open in Traffic", "Return"), ("Remove", "Del"))),
    ("Form and JSON", SHEET),
    (
        "Traffic",
        (
            ("Pause", "P"),
            ("Clear the view", "Ctrl+L"),
            ("Detail", "Ctrl+D"),
            ("Newest row", "End"),
            ("Next and previous row", "J, K"),
            ("Request, response", "[, ]"),
            ("Open and close a row", "Right, Left, Space"),
            ("Follow the operation", "F"),
            ("Operations grouped or not", "G"),
            ("Resend, edit, duplicate", "R, E, D"),
            ("Compare two rows", "C"),
            ("Mark with a colour, take it off", "1 to 6, 0"),
            ("Comment, pin", "M, B"),
            ("Count time from here", "T"),
            ("Undo marks and clearing", "Ctrl+Z"),
        ),
    ),
    ("Wire content", (("Find", "Ctrl+F"), ("Go to line", "Ctrl+G"), ("Larger, smaller", "Ctrl++, Ctrl+-"))),
)


class ShortcutSheet(QDialog):
    """Not modal: it can stay open beside the work."""

    def __init__(self, commands: Iterable[Command], parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Shortcuts")
        self.setModal(False)
        groups: dict[str, list[tuple[str, str]]] = {}
        for command in commands:
            if command.keys:
                groups.setdefault(command.group, []).append((command.text.rstrip("…"), shown_keys(command.keys)))
        groups |= {title: list(rows) for title, rows in IN_PLACES}
        body = QWidget()
        theme.mark(body, surface="base")
        columns = QHBoxLayout(body)
        columns.setContentsMargins(18, 14, 18, 14)
        columns.setSpacing(32)
        names = list(groups)
        half = _split([len(groups[name]) + 2 for name in names])
        for part in (names[:half], names[half:]):
            column = QVBoxLayout()
            column.setSpacing(4)
            for name in part:
                column.addWidget(_title(name))
                column.addLayout(_rows(groups[name]))
                column.addSpacing(10)
            column.addStretch(1)
            columns.addLayout(column, 1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setWidget(body)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(area)
        room = parent.size()
        self.resize(min(680, room.width() - 40), min(body.sizeHint().height() + 8, room.height() - 40))


def _split(weights: list[int]) -> int:
    total, seen = sum(weights), 0
    for at, weight in enumerate(weights):
        if seen + weight / 2 >= total / 2:
            return max(1, at)
        seen += weight
    return len(weights)


def _title(text: str) -> QLabel:
    label = QLabel(text)
    theme.mark(label, role="head")
    return label


def _rows(rows: list[tuple[str, str]]) -> QGridLayout:
    grid = QGridLayout()
    grid.setVerticalSpacing(3)
    grid.setColumnStretch(0, 1)
    for at, (text, keys) in enumerate(rows):
        grid.addWidget(QLabel(text), at, 0)
        shown = QLabel(keys)
        theme.mark(shown, role="muted")
        grid.addWidget(shown, at, 1, Qt.AlignmentFlag.AlignRight)
    return grid
