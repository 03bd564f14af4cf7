"""What can be done with collections and their actions besides running them: open, make, paste, pin, take out, probe."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QMenu

from mcp_inspector import resources
from mcp_inspector.actions import editing
from mcp_inspector.actions.collection import SUFFIX
from mcp_inspector.config.safe_write import EditRefused
from mcp_inspector.ui import icons
from mcp_inspector.ui.notices import Level

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtCore import QPoint

    from mcp_inspector.actions.collection import Action, Collection
    from mcp_inspector.ui.views.collections import CollectionsView


class CollectionDeeds(QObject):
    """Serves the panel of collections."""

    def __init__(self, view: CollectionsView) -> None:
        super().__init__(view)
        self._view = view

    def ask_open(self) -> QFileDialog:
        """Ask for a file to open."""
        dialog = QFileDialog(self._view.window(), "Open a collection")
        dialog.setObjectName("collection-file")
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilters([f"Collections (*{SUFFIX})", "JSON files (*.json)", "All files (*)"])
        dialog.fileSelected.connect(lambda path: self.open(Path(path)))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()
        return dialog

    def open(self, path: Path) -> None:
        """Open a collection and select it."""
        self._view.desk.shelf.open(path)
        self._view.select(path)

    def ask_new(self) -> QFileDialog:
        """Ask where a new collection is to be."""
        dialog = QFileDialog(self._view.window(), "A new collection")
        dialog.setObjectName("new-collection")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setNameFilters([f"Collections (*{SUFFIX})"])
        folder = self._view.desk.shelf.folder
        if folder is not None and folder.is_dir():
            dialog.setDirectory(str(folder))
        dialog.selectFile(f"tests{SUFFIX}")
        dialog.fileSelected.connect(lambda path: self.new(Path(path)))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()
        return dialog

    def new(self, path: Path) -> None:
        """Make an empty collection."""
        try:
            self._view.desk.shelf.write(path, editing.new(path.name.removesuffix(SUFFIX)), None)
        except EditRefused as refused:
            self._view.desk.notices.say(str(refused), level=Level.ERROR)
            return
        self._view.select(path)

    def open_example(self) -> None:
        """Open the collection over the demo server that ships with the program."""
        self.open(resources.path("samples/demo.mcp.json"))

    def probe(self, server: str, tool: str) -> None:
        """Make a collection of a tool's boundary cases, in the user's folder, and select it; nothing is run yet."""
        from mcp_inspector.actions.probing import probe
        from mcp_inspector.session.catalogue import What

        shelf = self._view.desk.shelf
        found = self._view.desk.inspector.find(server) if self._view.desk.inspector is not None else None
        item = found.catalogue[What.TOOLS].by_key.get(tool) if found is not None else None
        if item is None or shelf.folder is None:
            return
        word = "".join(sign if sign.isalnum() else "-" for sign in f"{server}-{tool}")[:100]
        path = shelf.folder / f"probe-{word}{SUFFIX}"
        known = shelf.get(path)
        try:
            shelf.write(path, probe(server, item), known.text if known is not None else None)
        except EditRefused as refused:
            self._view.desk.notices.say(str(refused), level=Level.ERROR)
            return
        self._view.select(path)

    def paste(self) -> None:
        """Add the action on the clipboard to the selected collection, else to the single saved actions."""
        items = self._view.tree.selectedItems()
        collection = self._view.of(items[0])[0] if items else None
        from mcp_inspector.actions.reading import read_action

        text = QGuiApplication.clipboard().text()
        action, oddities = read_action(text)
        fatal = [str(oddity) for oddity in oddities if oddity.fatal]
        if action is None or fatal:
            why = fatal[0] if fatal else "it has no known kind."
            self._view.strip.say(f"What is on the clipboard is no action: {why}", "", "error")
            return
        try:
            path = self._view.desk.shelf.add(text, collection.path if collection is not None else None)
        except EditRefused as refused:
            self._view.strip.say(str(refused), "", "error")
            return
        self._view.select(path)

    def open_menu(self, place: QPoint) -> None:
        item = self._view.tree.itemAt(place)
        collection, action = self._view.of(item)
        if collection is None:
            return
        menu = QMenu(self._view)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(icons.icon("play"), "Run", self._view.run_selected)
        if action is not None:
            menu.addAction(icons.icon("copy"), "Copy the action", partial(self.copy, collection, action))
            pinned = "Take off the pinned quick actions" if action.pinned else "Pin to the quick actions"
            menu.addAction(icons.icon("star"), pinned, partial(self._pin, collection, action))
            menu.addAction(
                icons.icon("trash-2"), "Take out of the collection", partial(self._remove, collection, action)
            )
        else:
            menu.addAction(icons.icon("clipboard"), "Paste an action", self.paste)
            own = self._view.desk.shelf.folder is not None and collection.path is not None
            inside = own and self._view.desk.shelf.folder in (collection.path.parents if collection.path else ())
            if collection.path is not None and not inside:
                menu.addAction(icons.icon("x"), "Close", partial(self._view.desk.shelf.close, collection.path))
        menu.popup(self._view.tree.viewport().mapToGlobal(place))

    def copy(self, collection: Collection, action: Action) -> None:
        QGuiApplication.clipboard().setText(editing.action_text(collection.text, action.place))

    def _pin(self, collection: Collection, action: Action) -> None:
        value = "false" if action.pinned else "true"
        self._edit(collection, lambda: editing.replace_at(collection.text, (*action.place, "pinned"), value))

    def _remove(self, collection: Collection, action: Action) -> None:
        self._edit(collection, lambda: editing.remove_at(collection.text, action.place))

    def _edit(self, collection: Collection, change: Callable[[], str]) -> None:
        try:
            if collection.path is not None:
                self._view.desk.shelf.write(collection.path, change(), collection.text)
        except EditRefused as refused:
            self._view.strip.say(str(refused), "", "error")
