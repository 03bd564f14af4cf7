"""Text of unknown origin made safe to read: what would hide, move or disguise other text is shown as an escape."""

from __future__ import annotations

import re

_HIDDEN = re.compile(
    "[\x00-\x1f\x7f-\x9f"  # controls, with the beginnings of terminal sequences
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"  # soft hyphen, fillers, marks without a shape
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff"  # zero width, direction, BOM
    "\ud800-\udfff"  # lone surrogates
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"  # tags and variation selectors that can carry hidden text
)
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f]")
"""What hides in plain ASCII, but for tabs and line feeds: most texts have none, and are looked at once."""

_EMOJI = re.compile(
    "(?<=[^\x00-\xff\u2000-\u206f\ufe00-\ufe0f\ud800-\udfff])\ufe0f"
    "|(?<=[0-9#*])\ufe0f(?=\u20e3)"
    "|(?<=[^\x00-\xff\u2000-\u206f])\u200d(?=[^\x00-\xff\u2000-\u206f])"
)
_MARK = "[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]"
_MARKS = re.compile(f"({_MARK}{{4}}){_MARK}+")
_NAMED = {"\t": r"\t", "\n": r"\n", "\r": r"\r"}


def visible(text: str, *, keep: str = "") -> str:
    r"""The text with every control, direction, zero-width, tag and filler character as an escape: ``\x1b``.

    Characters of `keep` stay, for example ``"\n\t"`` for text that is shown on lines. Selectors and joiners of emoji
    stay where they follow one. Of a heap of combining marks four are kept and the rest counted.
    """
    if text.isascii() and _CONTROL.search(text) is None and ("\n" in keep or text.isprintable()):
        return text if "\t" in keep or "\t" not in text else text.replace("\t", r"\t")
    emoji = {match.start() for match in _EMOJI.finditer(text)}

    def escape(match: re.Match[str]) -> str:
        character = match.group()
        if character in keep or match.start() in emoji:
            return character
        return _NAMED.get(character) or _escape(character)

    return _MARKS.sub(lambda match: f"{match.group(1)}[+{len(match.group()) - 4} marks]", _HIDDEN.sub(escape, text))


def _escape(character: str) -> str:
    code = ord(character)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
