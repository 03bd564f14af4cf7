"""The ways to look at a result: as a tree, as text, as images, as bytes, raw, and whatever stands before them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from mcp_inspector.ui.models import content
from mcp_inspector.ui.models.content import Sort
from mcp_inspector.ui.views.blocks import BlockView
from mcp_inspector.ui.views.strip import Strip
from mcp_inspector.ui.widgets.json_tree import JsonTree
from mcp_inspector.ui.widgets.tabs import SegmentedTabs
from mcp_inspector.ui.widgets.text_view import TextView

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcp_inspector.ui.desk import Desk


@dataclass(frozen=True, eq=False)
class Tab:
    """One way to look at a result. `count` says how many things it would show: none disables it, None always enables.

    `fits` says whether it is the best one to begin with.
    """

    title: str
    view: Callable[[], QWidget]
    fill: Callable[[content.Result, bytes], object]
    count: Callable[[content.Result], int | None] = lambda _: None
    nothing: str = ""
    fits: Callable[[content.Result], bool] = lambda _: False


LARGE = 8 << 20
"""Bytes of a result from which it is shown as it came first, and taken apart later."""


class ResultTabs(QWidget):
    """Shows one result at a time. The way a person chose is kept for the next result that can be shown so."""

    link_wanted = Signal(str)

    def __init__(self, desk: Desk, name: str, leading: tuple[Tab, ...] = (), parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk, self._name = desk, name
        self._result = content.Result()
        self._raw = b""
        self._filled: set[int] = set()
        self._kept: set[int] = set()
        """Views that show the version before: what is seen in them stays when they are filled."""
        self._keeping = False
        self._made: dict[int, QWidget] = {}
        self._tabs = (*leading, *self._own_tabs())
        self.bar = SegmentedTabs(tuple(tab.title for tab in self._tabs))
        self.bar.setObjectName(f"{name}-result-tabs")
        self.bar.tabBarClicked.connect(self._preferred)
        self.bar.currentChanged.connect(self._show_tab)
        self.strip = Strip()
        self._views = QStackedWidget()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.bar)
        layout.addWidget(self.strip)
        layout.addWidget(self._views, 1)

    def show_result(self, result: content.Result, raw: bytes, *, keep: bool = False) -> None:
        """Show another result; `raw` is its JSON text. `keep`: a newer version of what is shown, in its place."""
        self._result, self._raw = result, raw
        self._kept = self._filled | self._kept if keep else set()
        self._filled = set()
        shown = self.bar.currentIndex()
        blocked = self.bar.blockSignals(True)  # nothing is filled before it is known which one is looked at
        self._offer_tabs()
        if keep and self.bar.isTabEnabled(shown):
            self.bar.setCurrentIndex(shown)
        self.bar.blockSignals(blocked)
        self._show_tab()

    def know(self, result: content.Result) -> None:
        """What the shown result holds, which was not known before: it can be looked at in other ways now."""
        shown = self.bar.currentIndex()
        self._result = result
        blocked = self.bar.blockSignals(True)
        self._filled &= {at for at in self._filled if self._tabs[at].title in ("Tree", "Raw")}
        self._offer_tabs()
        self.bar.setCurrentIndex(shown)
        self.bar.blockSignals(blocked)
        self._show_tab()

    # Views are made when they are first looked at: most results are seen in one way.

    @cached_property
    def tree(self) -> JsonTree:
        """The result as a tree."""
        return JsonTree()

    @cached_property
    def text(self) -> BlockView:
        """Its texts."""
        view = BlockView(self._desk)
        view.link_wanted.connect(self.link_wanted)
        return view

    @cached_property
    def image(self) -> BlockView:
        """Its images."""
        return BlockView(self._desk)

    @cached_property
    def bytes(self) -> BlockView:
        """What is encoded in it."""
        return BlockView(self._desk, as_bytes=True)

    @cached_property
    def raw(self) -> TextView:
        """Its bytes as they came."""
        return TextView()

    def _own_tabs(self) -> tuple[Tab, ...]:
        def texts(result: content.Result) -> list[content.Block]:
            return [block for block in result.blocks if block.sort is not Sort.IMAGE]

        def images(result: content.Result) -> list[content.Block]:
            return [block for block in result.blocks if block.sort is Sort.IMAGE]

        def binary(result: content.Result) -> list[content.Block]:
            return [block for block in result.blocks if block.has_bytes]

        return (
            Tab("Tree", lambda: self.tree, lambda _, raw: self.tree.set_json(raw, keep=self._keeping)),
            Tab(
                "Text",
                lambda: self.text,
                lambda result, _: self.text.show_blocks(texts(result), keep=self._keeping),
                lambda result: len(texts(result)),
                "The result holds no text",
                lambda result: self._name == "resources" and bool(texts(result)) and not images(result),
            ),
            Tab(
                "Image",
                lambda: self.image,
                lambda result, _: self.image.show_blocks(images(result), keep=self._keeping),
                lambda result: len(images(result)),
                "The result holds no image",
                lambda result: bool(images(result)) and not texts(result) and result.structured is None,
            ),
            Tab(
                "Bytes",
                lambda: self.bytes,
                lambda result, _: self.bytes.show_blocks(binary(result), keep=self._keeping),
                lambda result: len(binary(result)),
                "The result holds nothing encoded",
            ),
            Tab("Raw", lambda: self.raw, lambda _, raw: self.raw.set_bytes(raw, "json", keep=self._keeping)),
        )

    def _offer_tabs(self) -> None:
        for at, tab in enumerate(self._tabs):
            count = tab.count(self._result)
            self.bar.setTabEnabled(at, count != 0)
            self.bar.set_count(at, count if count is not None and count > 1 else None)
            self.bar.setTabToolTip(at, tab.nothing if count == 0 else "")
        able = [at for at in range(len(self._tabs)) if self.bar.isTabEnabled(at)]
        wanted = self._desk.memory.get(f"{self._name}.tab", "")
        if len(self._raw) > LARGE:
            # A tree or the text of 100 MB stops the window to begin with: they are made when they are asked for.
            wanted = "Raw"
        liked = [at for at in able if self._tabs[at].title == wanted]
        fitting = [at for at in able if self._tabs[at].fits(self._result)]
        tree = next(at for at, tab in enumerate(self._tabs) if tab.title == "Tree")
        self.bar.setCurrentIndex([*liked, *fitting, tree][0])

    def _preferred(self, at: int) -> None:
        if 0 <= at < len(self._tabs) and self.bar.isTabEnabled(at):
            self._desk.memory.put(f"{self._name}.tab", self._tabs[at].title)

    def show_tab(self, title: str) -> None:
        """Choose a way to look, if the result can be looked at that way."""
        at = next((at for at, tab in enumerate(self._tabs) if tab.title == title), -1)
        if at >= 0 and self.bar.isTabEnabled(at):
            self.bar.setCurrentIndex(at)

    def _show_tab(self) -> None:
        at = self.bar.currentIndex()
        if at not in self._made:
            self._made[at] = self._tabs[at].view()
            self._views.addWidget(self._made[at])
        self._views.setCurrentWidget(self._made[at])
        if at not in self._filled:
            self._filled.add(at)
            self._keeping = at in self._kept
            self._tabs[at].fill(self._result, self._raw)
