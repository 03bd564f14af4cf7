"""Runs pytest and has it tell, above its own closing line, which checks before it have failed."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from _pytest.terminal import TerminalReporter


class ChecksBefore:
    """A pytest plugin: one line of the summary."""

    def pytest_terminal_summary(self, terminalreporter: TerminalReporter) -> None:
        """Say which checks failed; the exit code is the caller's."""
        failed = os.environ.get("BOOTSTRAP_FAILED", "")
        if failed:
            terminalreporter.write_line(f"FAILED before the tests, see above: {failed}", red=True)


if __name__ == "__main__":
    sys.exit(pytest.main(sys.argv[1:], plugins=[ChecksBefore()]))
