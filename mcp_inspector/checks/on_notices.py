"""Progress and logging. Numbers 110 to 113 of the checklist."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, TypeGuard

from mcp_inspector.checks.rule import ERROR, INFO, WARNING, Hit, rule, rules_in
from mcp_inspector.checks.state import Asked, Bounded, id_key
from mcp_inspector.checks.view import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcp_inspector.checks.view import View

_MODERN = "2026-07-28"
_PROGRESS, _LOG = "notification notifications/progress", "notification notifications/message"
LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")
_SECRET = re.compile(
    rb"(?:gh[pousr]_[A-Za-z0-9]{20,}|sk-[A-Za-z0-9_-]{20,}|AKIA[0-9A-Z]{16}|xox[abpr]-[A-Za-z0-9-]{10,}"
    rb"|eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}|-----BEGIN [A-Z ]{0,20}PRIVATE KEY"
    rb"|[Bb]earer [A-Za-z0-9._~+/-]{20,}|\"(?:password|passwd|secret|api_?key)\"\s*:\s*\"[^\"]{4,})"
)
_SIGNS = (b"assw", b"ecret", b"pi_key", b"pikey", b"earer ", b"gh", b"sk-", b"AKIA", b"xox", b"eyJ", b"PRIVATE KEY")
_FLOOD = 200
_FLOOD_NS = 1_000_000_000


class _Notices:
    """The tokens of requests, how far each has come, and what was set for the session."""

    def __init__(self) -> None:
        self.last: Bounded[tuple[float, int]] = Bounded()
        self.since = 0
        self.many = 0
        self.flooded = False


def _owner(view: View) -> Asked | None:
    """The request that a progress token belongs to: an open one first."""
    token = id_key(view.params.get("progressToken"))
    talk = view.talk
    for asked in (*talk.open.values(), *reversed(talk.asked.values())):
        if asked.token is not None and id_key(asked.token) == token:
            return asked
    return None


@rule("progress-shape", 110, ERROR, "Progress is a token and a number.", "progress", _PROGRESS)
def progress_shape(view: View) -> Iterator[str]:
    token, progress, total = (view.params.get(name) for name in ("progressToken", "progress", "total"))
    if not isinstance(token, str | int) or isinstance(token, bool):
        yield f"progressToken is {shown(token)}."
    if not _number(progress):
        yield f"progress is {shown(progress)}, not a number."
    if total is not None and not _number(total):
        yield f"total is {shown(total)}, not a number."


@rule("progress-token", 110, ERROR, "Progress is of a request that is open.", "progress", _PROGRESS)
def progress_token(view: View) -> Iterator[str | Hit]:
    if view.entry.call:
        return  # the request that it belongs to is open
    asked = _owner(view)
    token = view.params.get("progressToken")
    if asked is None:
        yield f"No request of ours has the progress token {shown(token)}."
    elif asked.state == "answered" and "task" not in asked.params:
        yield Hit(f"Progress of {asked.method} came after its response.", (asked.seq, asked.ended))


@rule("progress-back", 110, ERROR, "Progress only grows.", "progress", _PROGRESS)
def progress_back(view: View) -> Iterator[str | Hit]:
    progress, known = view.params.get("progress"), view.talk.of(_Notices).last
    key = (view.entry.call, id_key(view.params.get("progressToken")))
    if not _number(progress):
        return
    before = known.get(key)
    if before is not None and progress <= before[0]:
        yield Hit(f"progress is {shown(progress)} after {shown(before[0])}.", (before[1],))
    known[key] = (progress, view.seq)


@rule("progress-over", 110, WARNING, "Progress ends at its total.", "progress", _PROGRESS)
def progress_over(view: View) -> Iterator[str]:
    progress, total = view.params.get("progress"), view.params.get("total")
    if _number(progress) and _number(total) and progress > total:
        yield f"progress is {shown(progress)} of {shown(total)}."


@rule("progress-flood", 110, INFO, "Progress is told now and then.", "progress", _PROGRESS)
def progress_flood(view: View) -> Iterator[str]:
    known, moment = view.talk.of(_Notices), view.entry.mono_ns
    if moment - known.since > _FLOOD_NS:
        known.since, known.many = moment, 0
    known.many += 1
    if known.many > _FLOOD and not known.flooded:
        known.flooded = True
        yield f"More than {_FLOOD} progress notifications came within a second."


@rule("log-unasked", 111, ERROR, "A server logs for requests that ask for it.", "logging", _LOG, since=_MODERN)
def log_unasked(view: View) -> Iterator[str | Hit]:
    talk = view.talk
    carrier = talk.open.get(id_key(view.facts["answers"])) if "answers" in view.facts else None
    if carrier is not None and carrier.method == "subscriptions/listen":
        yield Hit("A log message came on a listen stream.", (carrier.seq,))
        return
    asking = [carrier] if carrier is not None else [one for one in talk.waiting if one.log_level]
    if not asking or not any(one.log_level for one in asking):
        yield "No open request asked for log messages."
        return
    level = view.params.get("level")
    least = min(_rank(one.log_level) for one in asking if one.log_level)
    if 0 <= _rank(level) < least:
        yield Hit(
            f"The message is of level {level}; {LEVELS[least]} was asked for.", tuple(one.seq for one in asking[:3])
        )


@rule("log-level", 112, ERROR, "A log message has one of eight levels.", "logging", _LOG)
def log_level(view: View) -> Iterator[str]:
    if view.params.get("level") not in LEVELS:
        yield f"The level is {shown(view.params.get('level'))}."
    if "data" not in view.params:
        yield "The log message has no data."


@rule("log-undeclared", 112, ERROR, "A server that logs declares it.", "logging", _LOG)
def log_undeclared(view: View) -> Iterator[str]:
    if not view.talk.has("logging") and view.talk.version:
        yield 'The server logs, and does not declare the capability "logging".'


@rule("log-secret", 113, WARNING, "Logs hold no secrets.", "logging", _LOG)
def log_secret(view: View) -> Iterator[str]:
    data = view.entry.data[:65_536]
    # The expression alone would cost more than all other rules together.
    if any(sign in data for sign in _SIGNS) and _SECRET.search(data):
        yield "The log message holds something that looks like a token, a key or a password."


def _number(value: Any) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _rank(level: Any) -> int:
    return LEVELS.index(level) if level in LEVELS else -1


RULES = rules_in(globals())
