"""What a server over stdio writes and how it ends. Numbers 39 to 44 of the checklist."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mcp_inspector.checks.rule import ERROR, WARNING, Hit, rule, rules_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcp_inspector.checks.view import View

_FRAGMENT = re.compile(rb'\s*(?:[{}\[\]]+,?|"(?:[^"\\]|\\.){0,200}"\s*:.*)\s*')
_SETTLED_NS = 1_000_000_000
"""How long after a cancel something may still come that was under way."""


@rule("stray-stdout", 39, ERROR, "stdout carries nothing but messages.", "stdio", "stdout", any=True)
def stray_stdout(view: View) -> Iterator[str]:
    line = view.entry.data
    if not _FRAGMENT.fullmatch(line[:2000]):
        yield f"stdout has the line {line[:120].decode(errors='backslashreplace')!r}, which is no message."


@rule("message-lines", 40, ERROR, "A message is one line.", "stdio", "stdout", any=True)
def message_lines(view: View) -> Iterator[str]:
    line = view.entry.data
    if _FRAGMENT.fullmatch(line[:2000]):
        shown = line[:120].decode(errors="backslashreplace").strip()
        yield f"stdout has the line {shown!r}: it looks like a part of JSON that was laid out over several lines."


@rule("slow-exit", 41, WARNING, "A server ends when its stdin is closed.", "stdio", "event shutdown", any=True)
def slow_exit(view: View) -> Iterator[str]:
    step = view.facts.get("step")
    if step in ("SIGTERM", "SIGKILL", "terminated", "killed"):
        yield f"The process did not end by itself when its stdin was closed: it got {step}."


class _Killed:
    """The probe on which a process of this connection ended, and the record of its end."""

    def __init__(self) -> None:
        self.seqs: tuple[int, ...] = ()


@rule(
    "killed-by-probe",
    42,
    WARNING,
    "An unknown first message does not end a server.",
    "stdio",
    "event exited",
    "result initialize",
    any=True,
)
def killed_by_probe(view: View) -> Iterator[str | Hit]:
    killed = view.talk.of(_Killed)
    if view.kind == "exited":
        probe = next((asked for asked in view.talk.waiting if asked.method == "server/discover"), None)
        killed.seqs = (probe.seq, view.seq) if probe is not None and not view.talk.version else ()
    elif killed.seqs:
        # Only a server that lives on without the probe has died of it.
        yield Hit("The process had ended on server/discover; a new one answers initialize.", killed.seqs)
        killed.seqs = ()


@rule(
    "after-cancel", 44, ERROR, "Nothing follows for a cancelled request.", "cancellation", "answer", since="2026-07-28"
)
def after_cancel(view: View) -> Iterator[str | Hit]:
    asked = view.asked
    if asked is None or asked.state != "cancelled" or view.over_http:
        return
    passed = view.entry.mono_ns - asked.ended_ns
    if passed > _SETTLED_NS:
        yield Hit(
            f"{asked.method} was answered {passed / 1e9:.1f} s after it had been cancelled.", (asked.seq, asked.ended)
        )


RULES = rules_in(globals())
