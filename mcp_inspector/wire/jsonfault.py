"""Why a text is not JSON: the spot and a plain sentence."""

from __future__ import annotations

import re

_WORD = re.compile(r"[^\s\[\]{},:\"]+")
_SHOWN = 30


class JsonError(ValueError):
    """A text is not JSON. `offset` counts characters from 0, `line` and `column` from 1; `sentence` says what is wrong.

    For texts given as bytes to `members` and `elements`, offset and column count bytes.
    """

    def __init__(self, sentence: str, offset: int, line: int, column: int) -> None:
        super().__init__(f"line {line}, column {column}: {sentence}")
        self.sentence = sentence
        self.offset = offset
        self.line = line
        self.column = column


def fault_at(text: str, pos: int, wanted: str, *, in_object: bool = False, after_comma: bool = False) -> JsonError:
    """The error for a reader that stands at `pos` and wanted a value, member, element, what comes after, or the end."""
    sentence, pos = _why(text, pos, wanted, in_object, after_comma)
    line = text.count("\n", 0, pos) + 1
    column = pos - text.rfind("\n", 0, pos)
    return JsonError(sentence, pos, line, column)


def _why(text: str, pos: int, wanted: str, in_object: bool, after_comma: bool) -> tuple[str, int]:
    char = text[pos : pos + 1]
    if text.startswith(("\ufeff", "\xef\xbb\xbf")) and pos == 0:
        return "The text starts with a byte order mark, which JSON must not.", 0
    if wanted == "close":
        return "This bracket is never closed.", pos
    if not char:
        return ("The text is empty." if not text.strip() else "The text ends too early."), pos
    if wanted == "end":
        number = _why_number(text, pos)
        if number is not None:
            return number
        return f"Something follows after the end of the value: {_show(text, pos)}.", pos
    if text.startswith(("//", "/*"), pos) or char == "#":
        return "Comments are not allowed in JSON.", pos
    if char == "'":
        return "Text must stand in double quotes, not single ones.", pos
    if char in "“”„«»‘’":
        return f"Text must stand in plain double quotes, not {char}.", pos
    if char in "\u00a0\u2028\u2029\u200b\ufeff\x0b\x0c":
        return f"U+{ord(char):04X} is no space in JSON; only space, tab and line ends are.", pos
    if wanted == "after":
        return _why_after(text, pos, in_object)
    if wanted == "member":
        return _why_member(text, pos, after_comma)
    if char in "]}" and after_comma:
        return "A comma stands before the closing bracket.", text.rindex(",", 0, pos)
    if char == ",":
        return "A value is missing before the comma.", pos
    return _why_value(text, pos)


def _why_after(text: str, pos: int, in_object: bool) -> tuple[str, int]:
    char = text[pos]
    close = "}" if in_object else "]"
    if char in "]}":
        return f"This bracket should be {close}, because {'{' if in_object else '['} is open.", pos
    number = _why_number(text, pos)
    if number is not None:
        return number
    if char == ":" and not in_object:
        return "A colon stands here, but only objects have names.", pos
    return f"A comma or {close} is missing before {_show(text, pos)}.", pos


def _why_number(text: str, pos: int) -> tuple[str, int] | None:
    """What is wrong with the number that ends at `pos`, None when no number does or it is not the cause."""
    before, char = text[max(pos - 40, 0) : pos], text[pos]
    if not before[-1:].isdigit():
        return None
    if re.search(r"(?:^|[^0-9.eE+-])-?0$", before) and char.isdigit():
        return "A number must not start with 0 and go on.", pos - 1
    if char in ".eE_" or char.isalnum():
        return "The number is not finished, or has characters that JSON numbers do not have.", pos
    return None


def _why_member(text: str, pos: int, after_comma: bool) -> tuple[str, int]:
    char = text[pos]
    if char == "}" and after_comma:
        return "A comma stands before the closing bracket.", text.rindex(",", 0, pos)
    if char == ",":
        return "A member is missing before the comma.", pos
    if char != '"':
        return f"A member's name in double quotes is missing; here stands {_show(text, pos)}.", pos
    end = _string_end(text, pos)
    if isinstance(end, tuple):
        return end
    rest = text[end:]
    colon = end + len(rest) - len(rest.lstrip(" \t\r\n"))
    if text[colon : colon + 1] != ":":
        shown = "the text ends" if colon >= len(text) else f"here stands {_show(text, colon)}"
        return f"A colon is missing after the name; {shown}.", colon
    rest = text[colon + 1 :]
    start = colon + 1 + len(rest) - len(rest.lstrip(" \t\r\n"))
    if start >= len(text):
        return "The text ends too early.", start
    if text[start] in ",}":
        return "The value is missing after the colon.", start
    if text[start] == "'":
        return "Text must stand in double quotes, not single ones.", start
    return _why_value(text, start)


def _why_value(text: str, pos: int) -> tuple[str, int]:
    char = text[pos]
    if char == '"':
        end = _string_end(text, pos)
        return end if isinstance(end, tuple) else ("This text is not a value here.", pos)
    found = _WORD.match(text, pos)
    word = found[0] if found else char
    if word.lstrip("+-").lower() in ("nan", "infinity", "inf"):
        return f"{word} is not a JSON number.", pos
    if word in ("True", "False", "None"):
        right = {"True": "true", "False": "false", "None": "null"}[word]
        return f"{word} is written {right} in JSON.", pos
    if word == "undefined":
        return "undefined is not a JSON value.", pos
    if word.lower() in ("true", "false", "null"):
        return f"{word} must be written in small letters.", pos
    if char == "+":
        return "A number must not start with +.", pos
    if char == ".":
        return "A number needs a digit before the point.", pos
    if char == "-":
        return "A digit is missing after the minus sign.", pos
    if char in "[{":
        return "This bracket is never closed.", pos
    return f"A value is missing; {_show(text, pos)} is none.", pos


def _string_end(text: str, pos: int) -> int | tuple[str, int]:
    """The offset after the string at `pos`, or what is wrong with it and where."""
    at = pos + 1
    scan = re.compile(r'[^"\\\x00-\x1f]*+')
    while True:
        match = scan.match(text, at)
        at = match.end() if match else at
        char = text[at : at + 1]
        if not char:
            return "The closing quote of this text is missing.", pos
        if char == '"':
            return at + 1
        if char < " ":
            name = {"\n": "A line end", "\t": "A tab", "\r": "A line end"}.get(
                char, f"Control character U+{ord(char):04X}"
            )
            escape = {"\n": r"\n", "\t": r"\t", "\r": r"\r"}.get(char, f"\\u{ord(char):04x}")
            return f"{name} inside a text must be written {escape}.", at
        if not re.compile(r'\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})').match(text, at):
            shown = text[at : at + 2]
            return f"{shown} is no escape that JSON knows; a backslash itself is written \\\\.", at
        at += 2


def _show(text: str, pos: int) -> str:
    found = _WORD.match(text, pos)
    word = found[0] if found else text[pos]
    return word[:_SHOWN] + ("…" if len(word) > _SHOWN else "")
