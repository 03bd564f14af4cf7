"""Fixtures that start peers, and helpers to script the rude ones. `tests/conftest.py` makes them known everywhere."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

PEERS = Path(__file__).parent
LONGEST_ARGUMENT = 100_000
"""Bytes; Linux refuses a single argument of 128 KiB."""


class Rude:
    """One scripted stdio server that has not been started: `argv` starts it, `heard` is what it was sent."""

    def __init__(self, argv: tuple[str, ...], journal: Path) -> None:
        self.argv = argv
        self.journal = journal

    @property
    def command(self) -> str:
        """The program, for a server entry."""
        return self.argv[0]

    @property
    def args(self) -> tuple[str, ...]:
        """The program's arguments, for a server entry."""
        return self.argv[1:]

    def heard(self, method: str | None = None) -> list[dict[str, Any]]:
        """Every message received so far, in order; of one method when it is given (``response`` for answers)."""
        if not self.journal.exists():
            return []
        messages = [json.loads(line) for line in self.journal.read_bytes().splitlines()]
        return [each for each in messages if method is None or each.get("method", "response") == method]


@pytest.fixture
def rude(tmp_path: Path) -> Callable[..., Rude]:
    """``rude(on={...}, before=[...], ...)`` makes a stdio server from a script, see `rude_script` for the language."""
    made = 0

    def make(**script: Any) -> Rude:
        nonlocal made
        made += 1
        journal = tmp_path / f"rude-{made}.journal"
        text = json.dumps({"journal": str(journal), **script})
        if len(text) > LONGEST_ARGUMENT:
            file = tmp_path / f"rude-{made}.json"
            file.write_text(text, "utf-8")
            text = f"@{file}"
        return Rude((sys.executable, str(PEERS / "rude_session.py"), text), journal)

    return make
