"""The likely cause of a server's end, from its last words: what people run into most, and what to try."""

from __future__ import annotations

import re

_KEY = r"\b([A-Z][A-Z0-9_]*(?:API_?KEY|TOKEN|SECRET))\b"
_CAUSES: tuple[tuple[str, str], ...] = (
    (
        r"ModuleNotFoundError: No module named '([^']+)'",
        "The Python that runs it lacks the package {0}. Install it there, or name another interpreter as the command.",
    ),
    (
        r"Cannot find (?:module|package) '([^']+)'",
        "Node cannot find {0}. Install it in the server's folder, or set the working folder.",
    ),
    (r"ImportError: (.+)", "An import failed: {0}. The packages that it runs with do not fit together."),
    (r"EADDRINUSE|[Aa]ddress already in use", "Its port is taken. End the other process, or give it another port."),
    (r"(?:npm|npx).*(?:E404|404 Not Found)", "The package was not found in the registry. Check its name."),
    (rf"{_KEY}.*(?i:missing|required|not set|must be)", "It wants {0}. Set it under Environment."),
    (rf"(?i:missing|required|no|set|provide).{{0,30}}{_KEY}", "It wants {0}. Set it under Environment."),
    (r"(?i)\b(?:api[ _-]?key|access token)\b.{0,40}(?:missing|required|not)", "It wants a key. Set it as a variable."),
    (r"(?i)unrecognized arguments?: (.+)|unknown option:? (.+)", "It does not know {0}. Check the arguments."),
    (r"(?im)^usage: ", "It printed its usage: the arguments are not what it expects."),
    (r"SyntaxError", "Its code cannot be read by the interpreter that runs it. Perhaps the version is too old."),
    (r"[Pp]ermission denied|EACCES", "The system denied access. Check the rights of the command and its files."),
    (r"No such file or directory: '?([^'\n]+)|ENOENT.*'([^']+)'", "It did not find {0}. Check paths and folder."),
    (r"[Oo]ut of memory|MemoryError|heap limit", "It ran out of memory."),
    (r"ECONNREFUSED|[Cc]onnection refused", "Something that it needs does not answer. Start that first."),
)
_COMPILED = tuple((re.compile(pattern), words) for pattern, words in _CAUSES)


def likely(stderr: str) -> str:
    """A sentence with what to try; empty when the words are not known."""
    for pattern, words in _COMPILED:
        found = pattern.search(stderr)
        if found is not None:
            named = next((group for group in found.groups() if group), "something")
            return words.format(named.strip()[:120])
    return ""


def last_words(stderr: str) -> str:
    """The last line that says something."""
    lines = [line.strip() for line in stderr.split("\n") if line.strip()]
    return lines[-1][:300] if lines else ""
