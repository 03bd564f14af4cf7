"""Text between a `Document` and Qt's text widget, without the changes that Qt makes to some characters.

Qt keeps line ends as U+2029 and uses U+FDD0 and U+FDD1 for itself; a real one of those, or a carriage return, would
come back as something else. They are shown as other noncharacters of the same block, one for one, and turned back.
Qt counts UTF-16 units, Python counts code points.
"""

from __future__ import annotations

_SPECIAL = "\r\u2029\ufdd0\ufdd1"
_STANDINS = "\ufdd4\ufdd5\ufdd6\ufdd7"
_TO_QT = str.maketrans(_SPECIAL, _STANDINS)
_FROM_QT = str.maketrans(_STANDINS + "\u2029", _SPECIAL + "\n")


def to_qt(text: str) -> str:
    """What to give to the widget. Lone surrogates cannot cross into Qt; they become U+FFFD there."""
    text = text.translate(_TO_QT)
    try:
        text.encode("utf-16-le")
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "replace").decode("utf-16-le")
    return text


def from_qt(raw: str) -> str:
    """What the widget's raw text stands for."""
    return raw.translate(_FROM_QT)


def exact(text: str) -> bool:
    """Whether the widget can hold this text without loss."""
    return from_qt(to_qt(text)) == text


def units(text: str, end: int) -> int:
    """How many UTF-16 units the first `end` characters take."""
    head = text[:end]
    return end if head.isascii() else len(head.encode("utf-16-le", "surrogatepass")) // 2


def characters(text: str, end_units: int) -> int:
    """How many characters the first `end_units` UTF-16 units are."""
    if text.isascii():
        return min(end_units, len(text))
    return len(text.encode("utf-16-le", "surrogatepass")[: 2 * end_units].decode("utf-16-le", "replace"))
