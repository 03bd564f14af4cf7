"""Help for the known formats of a string: a calendar, the time now, a new UUID, a file. Typed text stays as typed."""

from __future__ import annotations

import base64
import os
import re
import uuid
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QDate, QPoint, Qt
from PySide6.QtGui import QAction, QTextCharFormat
from PySide6.QtWidgets import QCalendarWidget, QFileDialog, QFrame, QLineEdit, QMenu, QToolButton, QVBoxLayout

from mcp_inspector.schema.entry import show
from mcp_inspector.schema.kinds import FieldKind
from mcp_inspector.ui import icons, plain, theme
from mcp_inspector.ui.widgets.visible import visible
from mcp_inspector.wire import jsontext
from mcp_inspector.wire.jsontext import JsonError, Kind

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from mcp_inspector.ui.forms.numbers import NumberEditor
    from mcp_inspector.ui.forms.texts import TextEditor

LARGEST_FILE: Final = 8_000_000
"""Bytes of a file that may become a value; what is longer is better sent from a file by the command line."""

_DURATIONS = {"PT30S": "30 seconds", "PT5M": "5 minutes", "PT1H": "1 hour", "P1D": "1 day", "P1W": "1 week"}
_ZONE = re.compile(r"(Z|[+-]\d\d:?\d\d)$", re.IGNORECASE)
_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_BINARY = frozenset(["base64", "base64url", "base16"])

Action = tuple[str, str, object]


class Help:
    """Something that puts a text into a field: an icon at the end of the line, and entries of the row's menu."""

    icon = ""
    tip = ""

    def __init__(self, editor: TextEditor | NumberEditor) -> None:
        self.editor = editor

    def attach(self) -> None:
        """Put the icon into the line."""
        action = QAction(icons.icon(self.icon, "muted"), self.tip, self.editor.line)
        action.triggered.connect(lambda: self.run())
        self.editor.line.addAction(action, QLineEdit.ActionPosition.TrailingPosition)

    def run(self) -> None:
        """The icon was pressed: a menu of all entries."""
        menu = QMenu(self.editor.line)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for icon, words, run in self.actions():
            menu.addAction(icons.icon(icon), plain.escape_mnemonic(words)).triggered.connect(run)
        menu.popup(self._below())

    def _below(self) -> QPoint:
        line = self.editor.line
        return line.mapToGlobal(QPoint(max(0, line.width() - 260), line.height() + 1))

    def actions(self) -> list[Action]:
        """Entries for the row's menu."""
        raise NotImplementedError

    def _enter(self, text: str) -> Callable[[], None]:
        return lambda: self.editor.enter(text)


class DateHelp(Help):
    """A calendar for dates, and for the date of a time."""

    icon, tip = "calendar", "Choose a day"

    def run(self) -> None:
        """Open the calendar below the line."""
        self.open()

    def open(self) -> Calendar:
        """The calendar, on the day that is typed."""
        found = _DATE.search(self.editor.line.text())
        calendar = Calendar(self, QDate.fromString(found[0], "yyyy-MM-dd") if found else QDate())
        calendar.move(self._below())
        calendar.show()
        return calendar

    def take(self, day: str) -> None:
        """Put the day in, and leave the time of day as it is typed."""
        typed = self.editor.line.text()
        if self.editor.field.format == "date":
            self.editor.enter(day)
        elif _DATE.match(typed):
            self.editor.enter(day + typed[10:])
        else:
            self.editor.enter(f"{day}T00:00:00Z")

    def actions(self) -> list[Action]:
        """Today, and the calendar."""
        today = datetime.now().astimezone().date().isoformat()
        entries: list[Action] = [("calendar", "Choose a day…", self.open)]
        if self.editor.field.format == "date":
            entries.append(("clock", f"Today, {today}", self._enter(today)))
        return entries


class Calendar(QFrame):
    """One month. A click or Return takes the day, Escape none."""

    def __init__(self, help_: DateHelp, day: QDate) -> None:
        super().__init__(help_.editor.line, Qt.WindowType.Popup)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setObjectName("calendar")
        theme.mark(self, surface="base")
        self.days = QCalendarWidget(self)
        self.days.setVerticalHeaderFormat(QCalendarWidget.VerticalHeaderFormat.NoVerticalHeader)
        self.days.setFirstDayOfWeek(Qt.DayOfWeek.Monday)
        for name, icon in (("qt_calendar_prevmonth", "arrow-left"), ("qt_calendar_nextmonth", "arrow-right")):
            button = self.days.findChild(QToolButton, name)
            if button is not None:
                button.setIcon(icons.icon(icon))
        rest = QTextCharFormat()  # Qt's own red for days of rest cannot be read on every ground, and warns of nothing
        rest.setForeground(theme.colour("muted"))
        for day_of_week in (Qt.DayOfWeek.Saturday, Qt.DayOfWeek.Sunday):
            self.days.setWeekdayTextFormat(day_of_week, rest)
        if day.isValid():
            self.days.setSelectedDate(day)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(4, 4, 4, 4)
        layout.addWidget(self.days)
        self._help = help_
        self.days.clicked.connect(self._take)
        self.days.activated.connect(self._take)
        self.days.setFocus()

    def _take(self, day: QDate) -> None:
        if self.isVisible():  # a click tells twice
            self.close()
            # Not toString: a locale with digits of its own would write them.
            self._help.take(f"{day.year():04}-{day.month():02}-{day.day():02}")


class NowHelp(Help):
    """The time now, in UTC or with the zone of this machine; and the zone for a time that has none."""

    icon, tip = "clock", "The time now, and zones"

    def actions(self) -> list[Action]:
        """Now, and zones for a time that is typed."""
        local = datetime.now().astimezone().replace(microsecond=0)
        world = local.astimezone(UTC)
        cut = 11 if self.editor.field.format == "time" else 0
        here = local.isoformat()[cut:]
        there = world.isoformat().replace("+00:00", "Z")[cut:]
        entries: list[Action] = [
            ("clock", f"Now in UTC, {there}", self._enter(there)),
            ("clock", f"Now here, {here}", self._enter(here)),
        ]
        typed = self.editor.line.text().strip()
        if ":" in typed and not _ZONE.search(typed):
            entries.append(("globe", "Add the zone Z (UTC)", self._enter(f"{typed}Z")))
            entries.append(
                ("globe", f"Add the zone {local.isoformat()[-6:]}", self._enter(typed + local.isoformat()[-6:]))
            )
        return entries


class DurationHelp(Help):
    """A few durations, as they are spelled."""

    icon, tip = "clock", "Common durations"

    def actions(self) -> list[Action]:
        """The durations."""
        return [("clock", f"{text}  ({words})", self._enter(text)) for text, words in _DURATIONS.items()]


class UuidHelp(Help):
    """A new UUID."""

    icon, tip = "wand-sparkles", "Make a new UUID"

    def run(self) -> None:
        """Make one."""
        self.editor.enter(str(uuid.uuid4()))

    def actions(self) -> list[Action]:
        """Make one."""
        return [("wand-sparkles", "Make a new UUID", self.run)]


class PathHelp(Help):
    """The path of a file or folder of this machine, as the formats of common generators ask for."""

    icon, tip = "folder-open", "Choose its path"

    def run(self) -> None:
        """Choose it."""
        folder = self.editor.field.format == "directory-path"
        dialog = QFileDialog(self.editor.line.window(), "Choose a folder" if folder else "Choose a file")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(QFileDialog.FileMode.Directory if folder else QFileDialog.FileMode.AnyFile)
        typed = self.editor.line.text()
        if typed:
            dialog.setDirectory(typed if folder else os.path.dirname(typed))
        dialog.fileSelected.connect(self.editor.enter)
        dialog.open()

    def actions(self) -> list[Action]:
        """Choose it."""
        return [("folder-open", "Choose its path…", self.run)]


class FileHelp(Help):
    """The bytes of a file in Base64; for other texts its characters, from the menu only."""

    icon, tip = "folder-open", "Take the bytes of a file"

    @property
    def binary(self) -> bool:
        """Whether the field takes bytes."""
        field = self.editor.field
        return field.encoding.lower() in _BINARY or field.format in ("byte", "binary", "data-url", "data-uri")

    def attach(self) -> None:
        """Only bytes have their icon in the line: most texts are not taken from files."""
        if self.binary:
            super().attach()

    def run(self) -> None:
        """Choose a file."""
        dialog = QFileDialog(
            self.editor.line.window(), "Take the bytes of a file" if self.binary else self.actions()[0][1]
        )
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(self.take)
        dialog.open()

    def take(self, name: str) -> None:
        """Put a file in."""
        from pathlib import Path

        try:
            self.editor.enter(self._text_of(Path(name)))
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else str(error)
            self.editor.row.say(f"{plain.line(name, 120)} was not taken: {reason}.")

    def _text_of(self, path: Path) -> str:
        size = path.stat().st_size
        if size > LARGEST_FILE:
            raise ValueError(f"it has {plain.size(size)}, and {plain.size(LARGEST_FILE)} is the most a field holds")
        data = path.read_bytes()
        field = self.editor.field
        if not self.binary:
            try:
                return data.decode()
            except UnicodeDecodeError:
                raise ValueError("it is not text in UTF-8") from None
        if field.encoding.lower() == "base16":
            return data.hex().upper()
        if field.encoding.lower() == "base64url":
            return base64.urlsafe_b64encode(data).decode().rstrip("=")
        text = base64.b64encode(data).decode()
        if field.format in ("data-url", "data-uri"):
            import mimetypes

            return f"data:{mimetypes.guess_type(path.name)[0] or 'application/octet-stream'};base64,{text}"
        return text

    def actions(self) -> list[Action]:
        """Choose a file."""
        words = "Take the bytes of a file…" if self.binary else "Take the text of a file…"
        return [("folder-open", words, self.run)]


class ExamplesHelp(Help):
    """What the schema gives as examples and as default."""

    icon, tip = "chevron-down", "Examples and default of the schema"

    def texts(self) -> list[str]:
        """Those of the kind that is typed here."""
        field = self.editor.field
        kind = Kind.STRING if field.kind is FieldKind.STRING else Kind.NUMBER
        found = []
        for raw in (*([field.default] if field.default is not None else []), *field.examples):
            try:
                node = jsontext.parse(raw)
            except JsonError:
                continue
            if node.kind is kind and not node.is_empty:
                found.append(show(node))
        return list(dict.fromkeys(found))[:20]

    def actions(self) -> list[Action]:
        """Each of them."""
        return [("text", visible(text)[:80], self._enter(text)) for text in self.texts()]


_BY_FORMAT: dict[str, tuple[Any, ...]] = {
    "date": (DateHelp,),
    "time": (NowHelp,),
    "date-time": (DateHelp, NowHelp),
    "duration": (DurationHelp,),
    "uuid": (UuidHelp,),
    "directory-path": (PathHelp,),
    "file-path": (PathHelp,),
}


def helps_of(editor: TextEditor) -> list[Help]:
    """What helps with a field: its format's, its examples, a file."""
    found: list[Help] = [make(editor) for make in _BY_FORMAT.get(editor.field.format, ())]
    if editor.field.examples or (editor.field.default or "").startswith('"'):
        examples = ExamplesHelp(editor)
        if examples.texts():
            found.append(examples)
    return [*found, FileHelp(editor)]
