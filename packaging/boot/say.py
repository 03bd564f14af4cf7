"""Progress and errors on stderr, as sentences."""

from __future__ import annotations

import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
"""The checkout. Plain strings and `os.path` here and elsewhere: `pathlib` costs the quick path a third of its time."""

FAILED, USAGE, NOT_SET_UP, INTERRUPTED = 1, 2, 3, 130
"""Exit codes: a check failed; used wrongly; could not be set up; interrupted by the person."""


class Stop(Exception):
    """It cannot go on. `sentence` says what happened, `remedy` what to do."""

    def __init__(self, sentence: str, remedy: str = "", code: int = NOT_SET_UP) -> None:
        super().__init__(sentence)
        self.sentence, self.remedy, self.code = sentence, remedy, code


def say(text: str) -> None:
    """One line of progress."""
    try:
        print("bootstrap: " + text, file=sys.stderr, flush=True)
    except (OSError, ValueError):  # stderr is gone: nobody reads, the work goes on
        return


def stopped(stop: Stop) -> int:
    """Tell why it stopped; returns the exit code."""
    say(stop.sentence)
    for line in stop.remedy.splitlines():
        say("  " + line)
    return stop.code
