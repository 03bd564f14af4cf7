"""What the doctor found: one line for each thing that was looked at."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from mcp_inspector.signals import Signal
from mcp_inspector.store.redact import redact_text


class Result(StrEnum):
    """How one check ended."""

    OK = "ok"
    ODD = "odd"  # it works, and should be otherwise
    FAILED = "failed"
    SKIPPED = "not looked at"


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at. `seconds` is how long that took; `details` are more lines; nothing is secret."""

    name: str
    result: Result
    sentence: str
    remedy: str = ""
    seconds: float = 0
    details: tuple[str, ...] = ()


@dataclass
class Report:
    """All of it, in order; `changed` tells of a new one. `doing` is what is looked at now, empty when it is done."""

    title: str
    checks: list[Check] = field(default_factory=list)
    doing: str = ""
    changed: Signal[()] = field(default_factory=lambda: Signal[()]())

    @property
    def failed(self) -> bool:
        """Whether anything failed."""
        return any(check.result is Result.FAILED for check in self.checks)

    def add(
        self,
        name: str,
        result: Result,
        sentence: str,
        remedy: str = "",
        seconds: float = 0,
        details: tuple[str, ...] = (),
    ) -> None:
        """Note a check; secrets in its words are masked."""
        clean = [redact_text(text).text for text in (sentence, remedy, *details)]
        self.checks.append(Check(name, result, clean[0], clean[1], seconds, tuple(clean[2:])))
        self.doing = ""
        self.changed.send()

    def begin(self, name: str) -> None:
        """Say what is looked at."""
        self.doing = name
        self.changed.send()

    def markdown(self) -> str:
        """The report to paste elsewhere."""
        lines = [f"# Connection doctor: {_plain(self.title)}", "", "| | check | result | time |", "| - | - | - | - |"]
        for number, check in enumerate(self.checks, 1):
            words = f"**{check.result}**: {_plain(check.sentence)}"
            if check.remedy:
                words += f" *{_plain(check.remedy)}*"
            lines.append(f"| {number} | {_plain(check.name)} | {words} | {took(check.seconds)} |")
        for check in self.checks:
            if check.details:
                lines += ["", f"## {_plain(check.name)}", "", "```", *check.details, "```"]
        return "\n".join(lines) + "\n"

    def plain(self) -> dict[str, Any]:
        """As JSON-ready data."""
        return {
            "title": self.title,
            "failed": self.failed,
            "checks": [
                {
                    "name": check.name,
                    "result": check.result.value,
                    "sentence": check.sentence,
                    "remedy": check.remedy,
                    "seconds": round(check.seconds, 6),
                    "details": list(check.details),
                }
                for check in self.checks
            ],
        }


def took(seconds: float) -> str:
    """A time for people."""
    if not seconds:
        return ""
    return f"{seconds * 1000:.0f} ms" if seconds < 1 else f"{seconds:.1f} s"


def _plain(text: str) -> str:
    """A text that cannot become another cell, a line or markup."""
    return " ".join(text.split()).replace("|", "\\|").replace("`", "'").replace("<", "‹").replace("*", "∗")
