"""The entries of a menu that make something lasting of an exchange: an action, an assertion, a Python test."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QMenu, QWidget

from mcp_inspector.ui import icons, plain
from mcp_inspector.ui.notices import Level

if TYPE_CHECKING:
    from mcp_inspector.store.log import Log
    from mcp_inspector.ui.desk import Desk


def fill(menu: QMenu, desk: Desk, log: Log, request: int, reply: int) -> None:
    """Add the entries for the exchange of these two records."""
    saver = desk.saving

    def save(path: Path | None, assertions: bool) -> None:
        one = saver.happened(log, request, reply)
        if one is not None:
            saver.save(one, path, assertions=assertions)

    def copy() -> None:
        one = saver.happened(log, request, reply)
        name, text = saver.python_test(one) if one is not None else ("", "")
        if text:
            QGuiApplication.clipboard().setText(text)
            desk.notices.say(f"{name} is on the clipboard.", level=Level.INFO, key="saved-test")

    def to_file() -> None:
        one = saver.happened(log, request, reply)
        name, text = saver.python_test(one) if one is not None else ("", "")
        if text:
            ask_file(menu.parentWidget() or menu, name, lambda path: saver.write(path, text))

    menu.addAction(icons.icon("bookmark"), "Save as action", lambda: save(None, False))
    targets = menu.addMenu(icons.icon("circle-check"), "Add to a collection, with what it must answer")
    for collection in desk.shelf.collections:
        if collection.usable and collection.path is not None:
            shown = plain.escape_mnemonic(plain.line(collection.name, 60))
            targets.addAction(shown).triggered.connect(partial(_put, save, collection.path))
    if not any(collection.name == "My actions" for collection in desk.shelf.collections):
        targets.addAction("My actions", lambda: save(None, True))
    tests = menu.addMenu("Make a pytest test")
    tests.addAction(icons.icon("copy"), "Copy", copy)
    tests.addAction(icons.icon("save"), "Save…", to_file)


def ask_file(parent: QWidget, name: str, write: object) -> QFileDialog:
    """Ask where a file goes; nothing is modal for the rest of the window's work."""
    dialog = QFileDialog(parent.window(), "Save the test")
    dialog.setObjectName("python-test")
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setNameFilters(["Python (*.py)"])
    dialog.selectFile(name)
    assert callable(write)
    dialog.fileSelected.connect(lambda path: write(Path(path)))
    dialog.finished.connect(dialog.deleteLater)
    dialog.open()
    return dialog


def _put(save: object, path: Path) -> None:
    assert callable(save)
    save(path, True)
