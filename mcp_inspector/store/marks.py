"""What a person wrote on records: a colour, a comment, a pin. Kept in the session's file, beside what happened."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from mcp_inspector.signals import Signal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

COLOURS = ("red", "orange", "yellow", "green", "blue", "purple")
"""What the colours 1 to 6 are called."""

COMMENT_LIMIT = 10_000
"""Characters kept of a comment."""

_UNDO = 200


@dataclass(frozen=True, slots=True)
class Mark:
    """What stands on one record. `colour` is 0 for none, else the number of one of `COLOURS`, from 1."""

    colour: int = 0
    pinned: bool = False
    comment: str = ""

    @property
    def word(self) -> str:
        """The colour's name, empty for none."""
        return COLOURS[self.colour - 1] if 0 < self.colour <= len(COLOURS) else ""


NONE = Mark()
Row = tuple[int, int, int, str]
"""As the session's file keeps it: seq, colour, pinned, comment."""


class Marks:
    """The marks of one session, by the seq of the record they stand on. For one thread.

    `keep` brings changed ones to the file and returns why it could not, as a sentence. `changed` is told the seqs.
    """

    def __init__(self, keep: Callable[[Sequence[Row]], str] = lambda rows: "", rows: Iterable[Row] = ()) -> None:
        self.changed: Signal[tuple[int, ...]] = Signal()
        self.problem = ""
        self._keep = keep
        self._marks: dict[int, Mark] = {seq: Mark(colour, bool(pin), comment) for seq, colour, pin, comment in rows}
        self._undo: list[dict[int, Mark]] = []

    def __len__(self) -> int:
        return len(self._marks)

    def __bool__(self) -> bool:
        """No marks are still marks that can be set: without this, ``marks or other`` would throw them away."""
        return True

    def __getitem__(self, seq: int) -> Mark:
        return self._marks.get(seq, NONE)

    def items(self) -> list[tuple[int, Mark]]:
        """All marks, by seq."""
        return sorted(self._marks.items())

    def change(self, seqs: Iterable[int], **values: Any) -> None:
        """Set `colour`, `pinned` or `comment` of these records; what is not named stays."""
        self._put({seq: replace(self[seq], **values) for seq in seqs}, remember=True)

    def clear(self, seqs: Iterable[int]) -> None:
        """Take all marks off these records."""
        self._put(dict.fromkeys(seqs, NONE), remember=True)

    def undo(self) -> bool:
        """Take the last change back; False when there is none."""
        if not self._undo:
            return False
        self._put(self._undo.pop(), remember=False)
        return True

    def _put(self, wanted: Mapping[int, Mark], *, remember: bool) -> None:
        new = {seq: _sound(mark) for seq, mark in wanted.items()}
        before = {seq: self[seq] for seq, mark in new.items() if self[seq] != mark}
        if not before:
            return
        if remember:
            self._undo.append(before)
            del self._undo[:-_UNDO]
        for seq in before:
            if new[seq] == NONE:
                self._marks.pop(seq, None)
            else:
                self._marks[seq] = new[seq]
        rows = [(seq, self[seq].colour, int(self[seq].pinned), self[seq].comment) for seq in before]
        self.problem = self._keep(rows)
        self.changed.send(tuple(before))


def _sound(mark: Mark) -> Mark:
    colour = mark.colour if 0 <= mark.colour <= len(COLOURS) else 0
    return Mark(colour, mark.pinned, mark.comment[:COMMENT_LIMIT])
