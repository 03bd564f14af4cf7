"""Long objects fold by group: what is required first, then members whose names begin alike, then the rest."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QPainter

from mcp_inspector.ui import icons, plain, theme
from mcp_inspector.ui.forms import measure
from mcp_inspector.ui.forms.marks import Mark
from mcp_inspector.ui.forms.measure import GUTTER

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QKeyEvent, QPaintEvent
    from PySide6.QtWidgets import QWidget

    from mcp_inspector.schema.fields import Field

LONG = 20
"""Members up to which an object is shown without groups."""
_ALIKE = 4
"""Members that must begin alike to be a group."""
_PREFIX = re.compile(r"[^\W_]+?(?=[._\-/:]|(?<=[a-z0-9])(?=[A-Z]))")
_ICON = 14


@dataclass
class Group:
    """Some members under one head. The first group of a form that needs no groups has no title."""

    title: str = ""
    fields: list[Field] = field(default_factory=list)
    required: bool = False


def groups_of(fields: Sequence[Field]) -> list[Group]:
    """The groups of an object's members, in order; one without a title when there are few."""
    if len(fields) <= LONG:
        return [Group("", [*fields])]
    required = Group("Required", [one for one in fields if one.required], True)
    optional = [one for one in fields if not one.required]
    by_prefix: dict[str, list[Field]] = {}
    for one in optional:
        found = _PREFIX.match(str(one.key))
        by_prefix.setdefault(found[0] if found else "", []).append(one)
    alike = {prefix for prefix, some in by_prefix.items() if prefix and len(some) >= _ALIKE}
    if len(alike) == 1 and sum(len(by_prefix[prefix]) for prefix in alike) == len(optional):
        alike = set()
    groups = [required] if required.fields else []
    rest = Group("Other optional members" if alike else "Optional", [])
    seen: dict[str, Group] = {}
    for one in optional:
        found = _PREFIX.match(str(one.key))
        prefix = found[0] if found else ""
        if prefix not in alike:
            rest.fields.append(one)
            continue
        if prefix not in seen:
            seen[prefix] = Group(f"{prefix}…", [])
            groups.append(seen[prefix])
        seen[prefix].fields.append(one)
    return [*groups, *([rest] if rest.fields else [])]


class SectionHead(Mark):
    """The head of a group: a click folds it, Left and Right do by key."""

    def __init__(self, parent: QWidget, group: Group, folded: bool, fold: Callable[[bool], object]) -> None:
        super().__init__(parent, "")
        self.section, self.folded = group, folded
        self._fold = fold
        self.note = ""
        self.tone = "muted"
        self.foldable = True
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(f"{group.title}, {plain.count(len(group.fields), 'field')}")
        self.clicked.connect(lambda: fold(not self.folded))

    def say(self, note: str, tone: str = "muted") -> None:
        """What is in the group now: how many are set, how many are wrong."""
        if (note, tone) != (self.note, self.tone):
            self.note, self.tone = note, tone
            self.update()

    def height_for(self) -> int:
        """A line."""
        return measure.line()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Left folds, Right unfolds."""
        if event.key() == Qt.Key.Key_Left and not event.modifiers():
            self._fold(True)
        elif event.key() == Qt.Key.Key_Right and not event.modifiers():
            self._fold(False)
        else:
            super().keyPressEvent(event)

    def _chevron(self) -> str:
        return "chevron-left" if self.isRightToLeft() else "chevron-right"

    def paintEvent(self, _: QPaintEvent) -> None:
        """A mark, the title, what is in it, a line to the right."""
        painter = QPainter(self)
        area = self.rect()
        if self._lit or self.hasFocus():
            painter.fillRect(area, theme.colour("hover"))
        mark = icons.pixmap(
            self._chevron() if self.folded else "chevron-down", _ICON, "muted", self.devicePixelRatioF()
        )
        painter.drawPixmap(measure.placed(self, QRect(1, (area.height() - _ICON) // 2, _ICON, _ICON)).topLeft(), mark)
        title = plain.line(self.section.title, 60)
        wide = measure.width(title, "bold")
        place = measure.placed(self, QRect(GUTTER, 0, wide, area.height()))
        measure.draw(painter, place, title, "text", "bold", wrap=False)
        note = " · ".join(filter(None, (plain.count(len(self.section.fields), "field"), self.note)))
        left = GUTTER + wide + 10
        room = QRect(left, 0, max(area.width() - left, 0), area.height())
        measure.draw(painter, measure.placed(self, room), note, self.tone, "small", wrap=False)
        end = left + measure.width(note, "small") + 10
        line = QRect(end, area.height() // 2, max(area.width() - end - 6, 0), 1)
        painter.fillRect(measure.placed(self, line), theme.colour("line"))
        if self.hasFocus():
            painter.fillRect(0, area.height() - 2, area.width(), 2, theme.colour("accent"))
