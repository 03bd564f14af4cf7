"""Shows a file of this program in the system's file manager."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication

from mcp_inspector.ui import plain
from mcp_inspector.ui.notices import Action, Level

if TYPE_CHECKING:
    from pathlib import Path

    from mcp_inspector.ui.notices import Notices


def open_folder(path: Path, notices: Notices) -> None:
    """Open the folder in which a file is, or the folder itself; the nearest one that exists, else say the path."""
    folder = path
    while not folder.is_dir() and folder != folder.parent:
        folder = folder.parent
    if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder))):
        notices.say(
            f"No file manager could be opened for {plain.line(str(folder))}.",
            Action("Copy path", lambda: QGuiApplication.clipboard().setText(str(path))),
            level=Level.WARNING,
            key="reveal",
        )
