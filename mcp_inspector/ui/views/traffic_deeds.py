"""What is done with the selected rows: marks, pins and comments, follow, resend, compare; and undone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal

from mcp_inspector.store import jsonpath
from mcp_inspector.store.exchanges import RowKind
from mcp_inspector.store.record import Channel, Direction
from mcp_inspector.ui import plain
from mcp_inspector.ui.views.traffic_columns import Column

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcp_inspector.store.marks import Marks
    from mcp_inspector.ui.views.traffic import TrafficView

_UNDO: Final = 200


class Deeds(QObject):
    """Those of one traffic view."""

    resend_wanted = Signal(int, str)
    """The number of a message of ours, and the server it shall go to; empty for the same."""
    edit_wanted = Signal(int)
    """Its text shall be edited and sent."""
    duplicate_wanted = Signal(int)
    """Its arguments shall go into the form that they came from."""
    compare_wanted = Signal(int, int)
    """Two messages shall be compared, the older one first."""

    def __init__(self, view: TrafficView) -> None:
        super().__init__(view)
        self._view = view
        self._undo: list[Callable[[], object]] = []
        self._waiting = 0

    @property
    def can_undo(self) -> bool:
        """Whether anything was done that can be undone."""
        return bool(self._undo)

    def do(self, deed: str) -> None:
        """Do something with the selection, by its name in `traffic_keys.DEEDS`, or ``undo``."""
        view, seqs = self._view, self._view.table.selected_seqs
        if deed == "undo":
            if self._undo:
                self._undo.pop()()
            return
        if deed == "group":
            view.set_grouped(not view.model.outline.grouped)
            return
        if not seqs:
            return
        if deed.startswith("colour"):
            self._colour(seqs, int(deed[-1]))
        elif deed == "pin":
            pinned = all(self._marks[seq].pinned for seq in seqs)
            self._mark(seqs, pinned=not pinned)
        elif deed == "comment":
            self._ask_comment()
        elif deed == "reference":
            self.set_reference(seqs[0])
        elif deed == "compare":
            self._compare(seqs)
        else:
            self._act(deed)

    def comment(self, seqs: list[int], text: str) -> None:
        """Write a comment on records; an empty one takes it off."""
        self._mark(seqs, comment=text)

    def clear(self, *, hidden_only: bool = False) -> None:
        """Put rows out of sight, so that it can be undone."""
        model = self._view.model
        before = model.cleared_rows
        self._remember(lambda: model.put_cleared(before))
        model.clear(hidden_only=hidden_only)

    def resend(self, server: str = "") -> None:
        """Send what is chosen once more."""
        seq = self._ours()
        if seq:
            self.resend_wanted.emit(seq, server)

    def follow(self, row: int) -> None:
        """Show one operation only, with all that belongs to it below it; its line in the filter again ends that."""
        exchanges = self._view.model.exchanges
        if row < 0:
            return
        root = exchanges.root(row)
        term = f"op:{exchanges.first[root]}"
        if self._view.filter.text() == term:
            self._view.set_filter("")
            self._view.model.set_open(root, False)
            self._view.table.select(root)
            return
        self._view.set_filter(term)
        self._view.show_all_servers()
        self._view.model.catch_up()
        self._view.model.set_open(root, True, all_below=True)
        self._view.table.select(root)

    def set_reference(self, seq: int) -> None:
        """Count the times of the column “since” from a message on; the same one again counts from the first."""
        cells = self._view.table.cells
        cells.reference = 0 if cells.reference == seq else seq
        self._view.table.header.show_column(Column.SINCE)
        self._view.table.viewport().update()

    def add_path(self, path: str) -> str:
        """Make the values at a path a column; returns why that cannot be."""
        try:
            shown = str(jsonpath.parse(path.strip()))
        except jsonpath.PathError as error:
            return error.sentence
        header = self._view.table.header
        if shown not in header.paths:
            header.set_paths((*header.paths, shown))
            if shown not in header.paths:
                return "There are eight columns of your own already."
        return ""

    def ask_path(self) -> None:
        """Ask for the path of a new column."""
        self._view.prompt.ask("Column for", "", self.add_path, "$.params.arguments.city")

    def _ask_comment(self) -> None:
        seqs = self._view.table.selected_seqs
        about = f"#{seqs[0]}" if len(seqs) == 1 else plain.count(len(seqs), "row")

        def take(text: str) -> str:
            self.comment(seqs, text.strip())
            return ""

        self._view.prompt.ask(
            f"Comment on {about}", self._view.model.log.marks[seqs[0]].comment, take, "empty takes it off"
        )

    @property
    def _marks(self) -> Marks:
        return self._view.model.log.marks

    def _colour(self, seqs: list[int], number: int) -> None:
        same = all(self._marks[seq].colour == number for seq in seqs)
        self._mark(seqs, colour=0 if same else number)

    def _mark(self, seqs: list[int], **values: object) -> None:
        before = [self._marks[seq] for seq in seqs]
        self._marks.change(seqs, **values)
        if before != [self._marks[seq] for seq in seqs]:
            self._remember(self._marks.undo)
        if self._marks.problem:
            self._view.said.emit(self._marks.problem)

    def _remember(self, undo: Callable[[], object]) -> None:
        self._undo.append(undo)
        del self._undo[:-_UNDO]

    def _compare(self, seqs: list[int]) -> None:
        if len(seqs) == 2:
            self._waiting = 0
            self.compare_wanted.emit(*seqs)
        elif len(seqs) == 1 and self._waiting and self._waiting != seqs[0]:
            first, self._waiting = self._waiting, 0
            self.compare_wanted.emit(first, seqs[0])
        elif len(seqs) == 1:
            self._waiting = seqs[0]
            self._view.said.emit(f"Choose another row and press C to compare it with #{seqs[0]}.")
        else:
            self._view.said.emit(f"Two rows can be compared; {plain.count(len(seqs), 'row')} are selected.")

    def _act(self, deed: str) -> None:
        view = self._view
        if deed == "follow":
            self.follow(view.table.current)
            return
        seq = self._ours()
        if not seq:
            view.said.emit("Only what was sent from here can be sent again.")
        elif deed == "resend":
            self.resend_wanted.emit(seq, "")
        elif deed == "edit":
            self.edit_wanted.emit(seq)
        elif deed == "duplicate":
            self.duplicate_wanted.emit(seq)

    def _ours(self) -> int:
        """The message of ours that the current row is about, 0 for none."""
        row = self._view.table.current
        if row < 0:
            return 0
        exchange = self._view.model.exchanges[row]
        ours = exchange.channel is Channel.MESSAGE and exchange.direction is Direction.SENT
        return exchange.first if ours and exchange.kind is not RowKind.RESPONSE else 0
