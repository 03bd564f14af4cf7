"""Names of servers: a readable one for something new, a free one, and one that is safe as a file name."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

_RUNNERS = re.compile(
    r"(?:npx|npm|pnpm|pnpx|yarn|bunx|bun|uvx|uv|pipx|node|deno|tsx|python[\d.]*|pythonw|py|ruby|java|dotnet|docker|podman"
    r"|sh|bash|cmd)$"
)
_WORDS = frozenset({"run", "exec", "dlx", "x", "tool", "/c"})
_SCRIPT = re.compile(r"\.(?:py|js|mjs|cjs|ts|mts|rb|jar|dll|exe|cmd|bat|sh)$", re.IGNORECASE)


def storage_key(name: str) -> str:
    """A file name for a server, different for every name on every file system: a readable part and a hash of the name.

    Only ``a-z``, ``0-9`` and ``-`` occur, so that case, Unicode normalization, reserved device names, dots and slashes
    cannot make two names meet or lead out of a folder.
    """
    import hashlib

    readable = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:40].strip("-")
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:24]
    return f"{readable or 'server'}-{digest}"


def free_name(name: str, taken: Container[str]) -> str:
    """The name itself, or with the first number in brackets that makes it free."""
    if name not in taken:
        return name
    number = 2
    while f"{name} ({number})" in taken:
        number += 1
    return f"{name} ({number})"


def name_of_command(command: str, args: Sequence[str]) -> str:
    """What a person would call this command: the package, module or script, not the program that runs it."""
    for word in (command, *args):
        base = re.split(r"[\\/]", word.rstrip("\\/"))[-1]
        bare = _SCRIPT.sub("", base)
        if not base or word.startswith("-") or word in _WORDS or _RUNNERS.match(bare.lower()):
            continue
        if re.search(r"\s", word) and word is not command:
            break  # a program's text, as behind -c: no name for anything
        # A dot, as in the name of a module, is refused in the names that models call tools by.
        return (re.split(r"[@:=\[]", bare)[0] or bare).replace(".", "-")
    return _SCRIPT.sub("", re.split(r"[\\/]", command)[-1]) or "server"


def name_of_url(url: str) -> str:
    """What a person would call this address: its host, with the port when one is given."""
    host = re.sub(r"^[a-z][a-z0-9+.-]*://", "", url.strip(), flags=re.IGNORECASE)
    return re.split(r"[/?#]", host)[0].rsplit("@", 1)[-1] or "server"
