"""Taking a command line apart and putting it together, in the way of the system's usual shell."""

from __future__ import annotations

import os
import shlex
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


class CommandLineError(ValueError):
    """A command line whose quotes do not match. The message says where it went wrong."""


def split(line: str, *, windows: bool = os.name == "nt") -> list[str]:
    """Split a command line into words, without any expansion. On Windows a backslash is a character like others."""
    lexer = shlex.shlex(line.replace("\\\r\n", " ").replace("\\\n", " "), posix=True, punctuation_chars=False)
    lexer.whitespace_split = True
    lexer.commenters = ""
    if windows:
        lexer.escape = ""
        lexer.quotes = '"'
    try:
        return list(lexer)
    except ValueError as error:
        reason = "a quote is not closed" if "quotation" in str(error) else "it ends with a backslash"
        raise CommandLineError(reason) from None


def join(words: Sequence[str], *, windows: bool = os.name == "nt") -> str:
    """One line that `split` takes apart again, to be shown and copied."""
    if not windows:
        return shlex.join(words)
    return " ".join(f'"{word}"' if not word or any(sign in word for sign in " \t&|<>^") else word for word in words)
