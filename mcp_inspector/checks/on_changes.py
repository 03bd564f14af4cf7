"""What lists and resources say after a change was told, or without. Numbers 34, 120 and 121 of the checklist."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from mcp_inspector.checks import methods
from mcp_inspector.checks.rule import INFO, WARNING, Hit, rule, rules_in
from mcp_inspector.checks.state import Asked, Bounded, id_key
from mcp_inspector.checks.view import META, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcp_inspector.checks.view import View

_UPDATED = "notifications/resources/updated"
_TOLD = {
    "notifications/tools/list_changed": ("tools/list",),
    "notifications/prompts/list_changed": ("prompts/list",),
    "notifications/resources/list_changed": ("resources/list", "resources/templates/list"),
    _UPDATED: ("resources/read",),
}
_ASKED = (*methods.LISTS, "resources/read")
_CHANGES = tuple(f"notification {method}" for method in _TOLD)
_ENDS = ("event shutdown", "event exited", "event cancelled", "event lost", "result subscriptions/listen")
_DEBOUNCED_NS = 1_000_000_000
"""Servers gather changes before they tell: what comes sooner after a list may be of what that list had already."""
_QUIET_NS = 60_000_000_000
Place = tuple[str, str]


@dataclass
class _Refetch:
    """Changes that were told and not asked after yet, with record and moment."""

    told: Bounded[tuple[int, int]] = field(default_factory=Bounded)


@dataclass
class _Lists:
    """The latest content of each list and resource: digest, record, moment; and changes told since."""

    content: Bounded[tuple[int, int, int]] = field(default_factory=Bounded)
    told: Bounded[tuple[int, int]] = field(default_factory=Bounded)


@dataclass
class _Unsaid:
    """The latest content of each list, and those of which two answers differed: the records of both."""

    content: dict[str, tuple[int, int]] = field(default_factory=dict)
    differed: dict[str, tuple[int, int]] = field(default_factory=dict)


@dataclass
class _Signs:
    """When something last came on each listen stream, and of which it was said that nothing did."""

    last: Bounded[int] = field(default_factory=Bounded)
    said: Bounded[bool] = field(default_factory=Bounded)


def _places(view: View) -> list[Place]:
    """The lists or the resource that a change is about."""
    uri = view.params.get("uri")
    about = uri if view.entry.method == _UPDATED and isinstance(uri, str) else ""
    return [(method, about) for method in _TOLD.get(view.entry.method, ())]


def _place(method: str, asked: Asked) -> Place:
    uri = asked.params.get("uri")
    return method, uri if isinstance(uri, str) and method == "resources/read" else ""


def _whole(view: View) -> int | None:
    """A digest of a list or a resource that came in one piece; None for one page of several."""
    member = methods.LISTS.get(view.method, "contents")
    asked, value = view.asked, view.result.get(member)
    if asked is None or not isinstance(value, list) or asked.params.get("cursor") or view.result.get("nextCursor"):
        return None
    return hash(shown(value, 1 << 20))


@rule(
    "refetch-time",
    120,
    INFO,
    "What has changed is asked for again.",
    "subscriptions",
    *_CHANGES,
    *(f"sent request {method}" for method in _ASKED),
    ours=True,
)
def refetch_time(view: View) -> Iterator[str | Hit]:
    told = view.talk.of(_Refetch).told
    moment = view.entry.mono_ns
    if not view.ours:
        for place in _places(view):
            if place not in told:
                told[place] = (view.seq, moment)
        return
    uri = view.params.get("uri")
    about = uri if isinstance(uri, str) and view.entry.method == "resources/read" else ""
    before = told.pop((view.entry.method, about), None)
    if before is not None:
        took = (moment - before[1]) / 1e6
        yield Hit(f"{view.entry.method} was asked again {took:,.0f} ms after its change was told.", (before[0],))


@rule(
    "nothing-changed",
    121,
    WARNING,
    "Changes are told when there are some.",
    "subscriptions",
    *_CHANGES,
    *(f"result {method}" for method in _ASKED),
)
def nothing_changed(view: View) -> Iterator[str | Hit]:
    lists, moment = view.talk.of(_Lists), view.entry.mono_ns
    if view.kind == "notification":
        for place in _places(view):
            lists.told[place] = (view.seq, moment)
        return
    content, asked = _whole(view), view.asked
    if content is None or asked is None:
        return
    place = _place(view.method, asked)
    before, told = lists.content.get(place), lists.told.get(place)
    if told is not None and told[0] < asked.seq:
        del lists.told[place]
        if before is not None and before[0] == content and told[1] - before[2] >= _DEBOUNCED_NS:
            what = "resource" if view.method == "resources/read" else "list"
            # The same text may have been written once more: of a resource that is a change.
            severity = INFO if what == "resource" else WARNING
            yield Hit(
                f"A change was told, and the {what} is what it was before.", (before[1], told[0]), severity=severity
            )
    lists.content[place] = (content, view.seq, moment)


@rule(
    "change-never-told",
    34,
    INFO,
    "A server that declares listChanged tells of changes.",
    "lifecycle",
    *(f"result {method}" for method in methods.LISTS),
    *_ENDS,
    "http request",
)
def change_never_told(view: View) -> Iterator[str | Hit]:
    talk = view.talk
    known = talk.of(_Unsaid)
    if view.method in methods.LISTS and view.kind == "response":
        content = _whole(view)
        if content is not None:
            before = known.content.get(view.method)
            if before is not None and before[0] != content:
                known.differed.setdefault(view.method, (before[1], view.seq))
            known.content[view.method] = (content, view.seq)
        return
    if not known.differed or not _ends(view):
        return
    for method, seqs in known.differed.items():
        capability = f"{methods.SERVER_CAPABILITY[method]}.listChanged"
        if talk.has(capability) and method not in talk.changed and (not talk.modern or _listened(view, method)):
            yield Hit(f"The server declares {capability}; {method} has changed, and no change was ever told.", seqs)
    known.differed.clear()


def _ends(view: View) -> bool:
    """Whether a record ends what could still have told of changes."""
    if view.kind == "request":
        return view.facts.get("method") == "DELETE"
    if view.kind in ("cancelled", "lost"):
        asked = view.talk.asked.get(view.entry.call)
        return asked is not None and asked.method == "subscriptions/listen"
    return True


def _listened(view: View, method: str) -> bool:
    """Whether a listen stream asked for the changes of a list: nothing is told without."""
    wanted = f"{methods.SERVER_CAPABILITY[method]}ListChanged"
    for asked in view.talk.asked.values():
        asks = asked.params.get("notifications")
        if asked.method == "subscriptions/listen" and isinstance(asks, dict) and asks.get(wanted):
            return True
    return False


@rule(
    "listen-quiet",
    120,
    INFO,
    "A listen stream shows that it lives.",
    "subscriptions",
    "sent request subscriptions/listen",
    "notification",
    "http stream",
    *_ENDS[2:],
    since="2026-07-28",
)
def listen_quiet(view: View) -> Iterator[str | Hit]:
    if not view.over_http:
        return
    signs, moment = view.talk.of(_Signs), view.entry.mono_ns
    if view.ours:
        signs.last[view.seq] = moment
        return
    asked = _listen_of(view)
    before = signs.last.get(asked.seq) if asked is not None else None
    if asked is None or before is None:
        return
    if moment - before > _QUIET_NS and asked.seq not in signs.said:
        signs.said[asked.seq] = True
        yield Hit(
            f"Nothing came on the listen stream for {(moment - before) / 1e9:,.0f} s, no keep-alive.", (asked.seq,)
        )
    signs.last[asked.seq] = moment


def _listen_of(view: View) -> Asked | None:
    """The listen request that a record belongs to."""
    if view.asked is not None:
        return view.asked
    if view.kind in ("cancelled", "lost"):
        found = view.talk.asked.get(view.entry.call)
    else:
        key = view.facts.get("key", view.facts.get("answers", view.meta.get(f"{META}subscriptionId")))
        found = view.talk.open.get(id_key(key)) if key is not None else None
    return found if found is not None and found.method == "subscriptions/listen" else None


RULES = rules_in(globals())
