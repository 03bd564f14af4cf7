"""Makes visible what text hides: control, bidirectional and invisible characters, and bytes that are no text.

Text from a server may be written to mislead: an override that turns a line around, a zero-width character inside a
name, tags that only a model reads. They are shown as tokens such as ``⟨202E⟩``; what is copied stays what it was.
"""

from __future__ import annotations

import html
import re
import unicodedata
from bisect import bisect_right
from typing import Final

_ODD: Final = re.compile(
    "[\x00-\x08\x0a-\x1f\x7f-\xa0\xad"
    "\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f"
    "\u3000\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff9-\ufffb\ud800-\udfff"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_CONTROLS: Final = re.findall(
    "[A-Z0-9]+",
    "NUL SOH STX ETX EOT ENQ ACK BEL BS TAB LF VT FF CR SO SI "
    "DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US",
)
_TOOLTIP: Final = 1500


def is_plain(text: str) -> bool:
    """Whether nothing in the text needs a token; tabs are plain."""
    return _ODD.search(text) is None


def token(character: str) -> str:
    """What is shown for one character: itself, or its name or code in brackets, which every font can draw.

    Lone surrogates U+DC80 to U+DCFF are what Python makes of bytes that are not UTF-8; they are shown as ``⟨xFF⟩``.
    """
    if _ODD.match(character) is None:
        return character
    code = ord(character)
    if code < 0x20:
        return f"⟨{_CONTROLS[code]}⟩"
    if 0xDC80 <= code <= 0xDCFF:
        return f"⟨x{code - 0xDC00:02X}⟩"
    return f"⟨{code:02X}⟩"


def visible(text: str) -> str:
    """The text with every hidden character shown, on one line: a line feed is shown as ↵."""
    if text.isascii() and text.isprintable():
        return text
    return _ODD.sub(lambda found: "↵" if found.group() == "\n" else token(found.group()), text)


class Shown:
    """Text as it is drawn, with the way back to the text as it is.

    Qt counts in UTF-16 units and a token is longer than what it stands for, so places differ: `starts[i]` is where
    character `i` begins in `text`, in UTF-16 units, with one more entry for the end; None when every place is the same.
    `tokens` are (start, length) in UTF-16 units. Line feeds become U+2028, at which `QTextLayout` breaks, when `lines`.
    """

    __slots__ = ("starts", "text", "tokens")

    def __init__(self, text: str, *, lines: bool = False) -> None:
        self.text = text
        self.starts: list[int] | None = None
        self.tokens: list[tuple[int, int]] = []
        if text.isascii() and is_plain(text):
            return
        parts: list[str] = []
        starts: list[int] = []
        place = 0
        for character in text:
            starts.append(place)
            part = "\u2028" if lines and character == "\n" else token(character)
            size = len(part) + (part > "\uffff")
            if part != character and part != "\u2028":
                self.tokens.append((place, size))
            parts.append(part)
            place += size
        starts.append(place)
        self.text, self.starts = "".join(parts), starts

    def place(self, index: int) -> int:
        """Where a character of the real text is drawn."""
        return index if self.starts is None else self.starts[min(index, len(self.starts) - 1)]

    def index(self, place: int) -> int:
        """Which character of the real text is drawn at a place."""
        if self.starts is None:
            return min(place, len(self.text))
        return max(0, bisect_right(self.starts, place) - 1)


def name(character: str) -> str:
    """The Unicode name of a character for a tooltip, for example ``U+202E RIGHT-TO-LEFT OVERRIDE``."""
    code = ord(character)
    if 0xDC80 <= code <= 0xDCFF:
        return f"byte 0x{code - 0xDC00:02X}, not UTF-8"
    return f"U+{code:04X} {unicodedata.name(character, 'control character')}"


def tooltip(text: str) -> str:
    """A tooltip that shows exactly this text. Qt guesses rich text in tooltips, so it is escaped and told to be so."""
    if not text:
        return ""
    short = text if len(text) <= _TOOLTIP else text[:_TOOLTIP] + " …"
    lines = "\n".join(visible(line) for line in short.split("\n"))
    return f'<p style="white-space:pre-wrap">{html.escape(lines)}</p>'
