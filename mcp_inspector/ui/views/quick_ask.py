"""Asks for what a quick action needs, value by value: typed, suggested by the server, or taken from elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QMenu,
    QPlainTextEdit,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from mcp_inspector.store.redact import is_secret_name
from mcp_inspector.ui import bridge, icons, plain, theme
from mcp_inspector.ui.models.recent_texts import recent_texts
from mcp_inspector.ui.widgets.labels import ElidedLabel

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from pathlib import Path

    from PySide6.QtGui import QKeyEvent

    from mcp_inspector.ui.desk import Desk

    Complete = Callable[[str, str, dict[str, str]], Coroutine[Any, Any, tuple[str, ...]]]

_LAST = "quick.last"
_KEPT, _LONGEST = 200, 10_000
_LARGEST_FILE = 4 << 20
_PAUSE_MS = 180
_SUGGESTED = 50


class QuickAsk(QWidget):
    """One question at a time, in the dock. `done` gives all values by name; `left` tells that the person gave up."""

    done = Signal(object)
    left = Signal()

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        theme.mark(self, surface="window")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._desk = desk
        self._key, self._words = "", ""
        self._names: list[str] = []
        self._needed: set[str] = set()
        self._abouts: dict[str, str] = {}
        self._at = 0
        self._values: dict[str, str] = {}
        self._complete: Complete | None = None
        self._asked = 0
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(_PAUSE_MS)
        self._pause.timeout.connect(self._suggest)
        self.title = ElidedLabel(bold=True)
        self.step = ElidedLabel(tone="muted", size="small")
        self.about = QLabel()
        self.about.setTextFormat(Qt.TextFormat.PlainText)
        self.about.setWordWrap(True)
        self.about.setFont(theme.font("small"))
        theme.mark(self.about, role="muted")
        self.edit = _Value()
        self.edit.setAccessibleName("Value")
        self.edit.entered.connect(self.next)
        self.edit.escaped.connect(self.close_ask)
        self.edit.textChanged.connect(self._typed)
        self.offers = QListWidget()
        self.offers.setAccessibleName("Suggestions")
        self.offers.setMaximumHeight(4 * (self.fontMetrics().height() + 6))
        self.offers.itemActivated.connect(lambda item: self._take(item.text()))
        self.offers.itemClicked.connect(lambda item: self._take(item.text()))
        self.next_button = QPushButton("Next")
        theme.mark(self.next_button, kind="primary")
        self.next_button.clicked.connect(self.next)
        self.back_button = QPushButton("Back")
        self.back_button.clicked.connect(self.back)
        self._lay_out()
        self.hide()

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(4)
        head.addWidget(self.title, 1)
        head.addWidget(self._tool("x", "Give up (Esc)", self.close_ask))
        foot = QHBoxLayout()
        foot.setSpacing(4)
        foot.addWidget(self._tool("clipboard", "From the clipboard", self.from_clipboard))
        foot.addWidget(self._tool("folder-open", "From a file", self.ask_file))
        self.results = self._tool("history", "From another result", None)
        menu = QMenu(self)
        menu.aboutToShow.connect(self._fill_results)
        self.results.setMenu(menu)
        self.results.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.results.setStyleSheet("QToolButton::menu-indicator { image: none; }")
        foot.addWidget(self.results)
        foot.addStretch(1)
        foot.addWidget(self.back_button)
        foot.addWidget(self.next_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 6, 8, 8)
        layout.setSpacing(4)
        layout.addLayout(head)
        for widget in (self.step, self.about, self.edit, self.offers):
            layout.addWidget(widget)
        layout.addLayout(foot)

    def _tool(self, icon: str, tip: str, run: Callable[[], object] | None) -> QToolButton:
        button = QToolButton()
        button.setIcon(icons.icon(icon))
        button.setIconSize(QSize(14, 14))
        button.setAutoRaise(True)
        button.setToolTip(tip)
        button.setAccessibleName(tip)
        if run is not None:
            button.clicked.connect(run)
        return button

    # --- one action ---

    def ask(
        self,
        key: str,
        words: str,
        names: tuple[str, ...],
        needed: tuple[str, ...],
        abouts: dict[str, str],
        complete: Complete | None = None,
    ) -> None:
        """Begin to ask for these names. `abouts` describe them; `complete` asks the server with what is known."""
        self._key, self._words = key, words
        self._names, self._needed, self._abouts = list(names), set(needed), abouts
        self._complete = complete
        self._values = {}
        self._at = 0
        self.show()
        self._show_step()

    @property
    def name(self) -> str:
        """What is asked for now."""
        return self._names[self._at] if self._at < len(self._names) else ""

    def next(self) -> None:
        """Take the value and go on; after the last one it is done."""
        if not self._names or (self.name in self._needed and not self.edit.toPlainText()):
            return
        self._values[self.name] = self.edit.toPlainText()
        if self._at + 1 < len(self._names):
            self._at += 1
            self._show_step()
            return
        given = {name: value for name, value in self._values.items() if value or name in self._needed}
        self._keep(given)
        self.hide()
        self.done.emit(given)

    def back(self) -> None:
        """The value before."""
        if self._at:
            self._values[self.name] = self.edit.toPlainText()
            self._at -= 1
            self._show_step()

    def close_ask(self) -> None:
        """Ask no more; nothing is run."""
        self._names = []
        self.hide()
        self.left.emit()

    def _show_step(self) -> None:
        name = self.name
        last = self._at + 1 == len(self._names)
        needed = " *" if name in self._needed else ""
        self.title.setText(plain.line(self._words, 80))
        self.step.setText(f"{plain.line(name, 60)}{needed} · {self._at + 1} of {len(self._names)}")
        about = self._abouts.get(name, "")
        self.about.setText(plain.lines(about[:300]))
        self.about.setVisible(bool(about))
        self.edit.setPlaceholderText("" if name in self._needed else "may stay empty")
        known = self._values.get(name, self._last().get(name, ""))
        self.edit.setPlainText(known)
        self.edit.selectAll()
        self.edit.setFocus(Qt.FocusReason.OtherFocusReason)
        self.back_button.setVisible(self._at > 0)
        self.next_button.setText("Run" if last else "Next")
        self._show_offers(())
        self._suggest()
        self._typed()

    def _typed(self) -> None:
        self.next_button.setEnabled(bool(self.edit.toPlainText()) or self.name not in self._needed)
        if self._complete is not None:
            self._pause.start()

    # --- where a value comes from ---

    def _suggest(self) -> None:
        complete, name, typed = self._complete, self.name, self.edit.toPlainText()
        if complete is None or not name or "\n" in typed or len(typed) > 200:
            return
        self._asked += 1
        number = self._asked
        shown = "" if typed == self._last().get(name, "") else typed  # what is only remembered hides nothing
        others = {key: value for key, value in self._values.items() if key != name and value}

        def answered(found: tuple[str, ...]) -> None:
            if number == self._asked and name == self.name:
                self._show_offers(found)

        bridge.spawn(complete(name, shown, others), what=f"completing {name}", on_done=answered)

    def _show_offers(self, found: tuple[str, ...]) -> None:
        self.offers.clear()
        self.offers.addItems([plain.line(value, 200) for value in found[:_SUGGESTED]])
        self.offers.setVisible(bool(found))

    def _take(self, value: str) -> None:
        self.edit.setPlainText(value)
        self.next()

    def from_clipboard(self) -> None:
        """Take what is on the clipboard."""
        self.edit.setPlainText(QGuiApplication.clipboard().text())
        self.edit.setFocus()

    def ask_file(self) -> QFileDialog:
        """Ask for a file to take the text of."""
        dialog = QFileDialog(self.window(), "A file for the value")
        dialog.setObjectName("quick-file")
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(lambda path: self.from_file(path))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()
        return dialog

    def from_file(self, path: str | Path) -> None:
        """Take the text of a file."""
        try:
            with open(path, "rb") as file:
                raw = file.read(_LARGEST_FILE + 1)
        except OSError as error:
            self._desk.notices.say(f"{path} cannot be read: {(error.strerror or str(error)).lower()}.")
            return
        if len(raw) > _LARGEST_FILE:
            self._desk.notices.say(f"{path} is larger than {_LARGEST_FILE >> 20} MiB.")
            return
        self.edit.setPlainText(raw.decode("utf-8-sig", "replace"))
        self.edit.setFocus()

    def _fill_results(self) -> None:
        menu = self.results.menu()
        menu.clear()
        for words, text in recent_texts(self._desk.runs):
            action = menu.addAction(plain.escape_mnemonic(plain.line(words, 80)))
            action.triggered.connect(lambda _=False, text=text: self.edit.setPlainText(text))
        if menu.isEmpty():
            menu.addAction("There is no result yet").setEnabled(False)

    # --- last time ---

    def _last(self) -> dict[str, str]:
        kept: dict[str, Any] = self._desk.memory.get(_LAST, dict[str, Any]())
        found = kept.get(self._key)
        return (
            {name: value for name, value in found.items() if isinstance(value, str)} if isinstance(found, dict) else {}
        )

    def _keep(self, values: dict[str, str]) -> None:
        """What was given, for next time; no secrets, nothing long."""
        kept: dict[str, Any] = dict(self._desk.memory.get(_LAST, dict[str, Any]()))
        kept.pop(self._key, None)
        small = {name: text for name, text in values.items() if len(text) <= _LONGEST and not is_secret_name(name)}
        kept[self._key] = small
        self._desk.memory.put(_LAST, dict([*kept.items()][-_KEPT:]))


class _Value(QPlainTextEdit):
    """Some lines; Return goes on, Shift+Return begins a new line."""

    entered = Signal()
    escaped = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setTabChangesFocus(True)
        self.setFixedHeight(3 * self.fontMetrics().height() + 14)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)  # one long line in a wrapping widget is quadratic

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return and Escape are answers."""
        if (
            event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
            and not event.modifiers() & Qt.KeyboardModifier.ShiftModifier
        ):
            self.entered.emit()
        elif event.key() == Qt.Key.Key_Escape:
            self.escaped.emit()
        else:
            super().keyPressEvent(event)
