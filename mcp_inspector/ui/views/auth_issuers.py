"""On the Authorization page: which authorization server is asked, where the metadata of a server names several."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QWidget

from mcp_inspector.ui import plain, theme
from mcp_inspector.ui.notices import Level
from mcp_inspector.ui.widgets.labels import ElidedLabel

if TYPE_CHECKING:
    from mcp_inspector.config.entry import ServerEntry
    from mcp_inspector.ui.desk import Desk


class IssuerPicker(QWidget):
    """Hidden where there is nothing to choose. A choice is the option `issuer` of the entry."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self.setObjectName("issuer-picker")
        self._desk = desk
        self._name = ""
        self._shown: tuple[str, tuple[str, ...], str] | None = None
        label = QLabel("Authorization server")
        theme.mark(label, role="muted")
        self.box = QComboBox()
        self.box.setAccessibleName("Authorization server")
        self.box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.box.setMinimumContentsLength(28)
        self.box.activated.connect(self._chosen)
        label.setBuddy(self.box)
        self.note = ElidedLabel(tone="muted", size="small")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(label)
        row.addWidget(self.box)
        row.addWidget(self.note, 1)
        self.hide()

    def show_offered(self, entry: ServerEntry, offered: tuple[str, ...]) -> None:
        """Show what there is to choose from, for this entry."""
        self._name = entry.name
        own = entry.auth.issuer
        self.setVisible(len(offered) > 1)
        if self._shown == (entry.name, offered, own):
            return
        self._shown = (entry.name, offered, own)
        self.box.clear()
        if offered:
            self.box.addItem(f"The first: {plain.line(offered[0], 200)}", "")
        for issuer in dict.fromkeys((*offered, own)):
            if issuer:
                self.box.addItem(plain.line(issuer, 200), issuer)
        self.box.setCurrentIndex(max(0, self.box.findData(own)))
        said = "is set" if own in offered else "is set, and is none of them" if own else "is used while none is set"
        self.note.setText(f"The server names {len(offered)}; {plain.line(own, 80) if own else 'the first'} {said}.")

    def _chosen(self, at: int) -> None:
        book = self._desk.book
        entry = book.entry(self._name) if book is not None else None
        issuer = str(self.box.itemData(at) or "")
        if book is None or entry is None or issuer == entry.auth.issuer:
            return
        refused = book.choose(entry.name, auth=replace(entry.auth, issuer=issuer))
        if refused:
            self._shown = None
            self._desk.notices.say(refused, level=Level.ERROR, key="auth options")
