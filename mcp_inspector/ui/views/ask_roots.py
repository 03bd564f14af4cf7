"""Roots: which folders the server may know of, this once or from now on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QVBoxLayout, QWidget

from mcp_inspector.session.asking import roots_result
from mcp_inspector.ui.views.ask_body import AskBody
from mcp_inspector.ui.views.roots import RootsEditor

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcp_inspector.config.entry import Root
    from mcp_inspector.session.inbox import Ask

_NONE = ("Answer none", "Answer with an empty list", b'{"roots":[]}')


class RootsBody(AskBody):
    """The roots that are configured, to be changed before they are told. `keep` writes them into the servers file."""

    title = "Roots"
    verb = "Answer"
    others = (_NONE,)

    def __init__(
        self,
        ask: Ask,
        roots: tuple[Root, ...],
        keep: Callable[[tuple[Root, ...]], object],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(ask, parent)
        self._keep = keep
        self.editor = RootsEditor()
        self.editor.show_roots(roots)
        self.editor.changed.connect(self.changed)
        self.keep_box = QCheckBox("Keep these as the server's roots, which then answer by themselves")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 4)
        layout.setSpacing(4)
        layout.addWidget(self.editor, 1)
        row = QHBoxLayout()
        row.setContentsMargins(10, 0, 10, 0)
        row.addWidget(self.keep_box)
        layout.addLayout(row)

    def result(self) -> bytes | None:
        """The list."""
        return roots_result(self.editor.roots)

    def problems(self) -> list[str]:
        """What is no file: URI."""
        return self.editor.problems()

    def prepare(self) -> bool:
        """Keep them if that is wanted."""
        if self.keep_box.isChecked():
            self._keep(self.editor.roots)
        return True

    def focus_first(self) -> None:
        """Into the table."""
        self.editor.table.setFocus()
