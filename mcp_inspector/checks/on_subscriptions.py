"""Changes that a server tells of: unasked, subscribed, or on listen streams. Numbers 114 to 121 of the checklist."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from mcp_inspector.checks.rule import ERROR, INFO, WARNING, Hit, rule, rules_in
from mcp_inspector.checks.state import Asked, Bounded, id_key
from mcp_inspector.checks.view import META, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcp_inspector.checks.view import View

_MODERN = "2026-07-28"
_ID = f"{META}subscriptionId"
_ACK = "notifications/subscriptions/acknowledged"
_UPDATED = "notifications/resources/updated"
_WANTED = {
    "notifications/tools/list_changed": "toolsListChanged",
    "notifications/prompts/list_changed": "promptsListChanged",
    "notifications/resources/list_changed": "resourcesListChanged",
    _UPDATED: "resourceSubscriptions",
    "notifications/tasks": "taskIds",
}
_CHANGES = tuple(f"notification {method}" for method in _WANTED)
_STORM, _STORM_NS = 20, 1_000_000_000


@dataclass
class _Listen:
    """A listen stream: what was asked for, and what was agreed to; None before that."""

    wanted: dict[str, Any]
    agreed: dict[str, Any] | None = None
    ack: int = 0


@dataclass
class _Streams:
    """The listen streams of a connection by the seq of their request, and legacy subscriptions by URI."""

    listens: Bounded[_Listen] = field(default_factory=Bounded)

    recent: list[int] = field(default_factory=list)
    told: int = 0


def _listen(view: View) -> tuple[Asked | None, _Listen | None]:
    """The listen request that a notification belongs to, and how it stands."""
    asked = view.talk.open.get(id_key(view.meta.get(_ID)))
    if asked is None or asked.method != "subscriptions/listen":
        return None, None
    streams = view.talk.of(_Streams).listens
    if asked.seq not in streams:
        wanted = asked.params.get("notifications")
        streams[asked.seq] = _Listen(wanted if isinstance(wanted, dict) else {})
    return asked, streams[asked.seq]


@rule(
    "change-unbound",
    114,
    ERROR,
    "A change names the subscription that it is for.",
    "subscriptions",
    *_CHANGES,
    since=_MODERN,
)
def change_unbound(view: View) -> Iterator[str | Hit]:
    if _ID not in view.meta:
        yield f"{view.entry.method} has no {_ID}."
        return
    ident = view.meta[_ID]
    asked = view.talk.open.get(id_key(ident))
    if asked is not None and asked.method == "subscriptions/listen":
        return
    loose = next(
        (one for one in view.talk.waiting if str(one.id) == str(ident) and one.method == "subscriptions/listen"), None
    )
    if loose is not None:
        yield Hit(f"The subscription id is {shown(ident)}, the request's id is {shown(loose.id)}.", (loose.seq,))
    else:
        yield f"The subscription id {shown(ident)} is that of no open listen request."


@rule(
    "change-before-ack",
    115,
    ERROR,
    "A subscription is acknowledged before anything else.",
    "subscriptions",
    *_CHANGES,
    since=_MODERN,
)
def change_before_ack(view: View) -> Iterator[str | Hit]:
    asked, listen = _listen(view)
    if asked is not None and listen is not None and listen.agreed is None:
        yield Hit(f"{view.entry.method} came before the subscription was acknowledged.", (asked.seq,))


@rule(
    "ack",
    115,
    ERROR,
    "A subscription is acknowledged once, with no more than was asked for.",
    "subscriptions",
    f"notification {_ACK}",
    since=_MODERN,
)
def ack(view: View) -> Iterator[str | Hit]:
    asked, listen = _listen(view)
    if asked is None or listen is None:
        yield f"The acknowledged subscription {shown(view.meta.get(_ID))} is that of no open listen request."
        return
    agreed = view.params.get("notifications")
    agreed = agreed if isinstance(agreed, dict) else {}
    if listen.agreed is not None:
        yield Hit("The subscription was acknowledged before.", (listen.ack,), severity=INFO)
    for name, value in agreed.items():
        wanted = listen.wanted.get(name)
        more = [one for one in value if one not in (wanted or [])] if isinstance(value, list) else []
        if (value is True and wanted is not True) or more:
            yield Hit(
                f"{name} is acknowledged, and was not asked for{f': {shown(more[0])}' if more else ''}.", (asked.seq,)
            )
    listen.agreed, listen.ack = agreed, view.seq


@rule("change-unwanted", 116, ERROR, "Only what was agreed to is told.", "subscriptions", *_CHANGES, since=_MODERN)
def change_unwanted(view: View) -> Iterator[str | Hit]:
    asked, listen = _listen(view)
    if asked is None or listen is None or listen.agreed is None:
        return
    name = _WANTED[view.entry.method]
    agreed = listen.agreed.get(name)
    if view.entry.method == _UPDATED:
        uri = view.params.get("uri")
        known = agreed if isinstance(agreed, list) else []
        if isinstance(uri, str) and not any(isinstance(one, str) and uri.startswith(one.rstrip("/")) for one in known):
            yield Hit(f"{shown(uri)} was updated; it is not among what was acknowledged.", (listen.ack,))
    elif not agreed:
        yield Hit(f"{view.entry.method} came; {name} was not acknowledged.", (listen.ack,))


@rule("ack-less", 117, WARNING, "What is declared is honoured.", "subscriptions", f"notification {_ACK}", since=_MODERN)
def ack_less(view: View) -> Iterator[str | Hit]:
    asked, listen = _listen(view)
    agreed = view.params.get("notifications")
    if asked is None or listen is None or not isinstance(agreed, dict):
        return
    for name, value in listen.wanted.items():
        capability = (
            "resources.subscribe"
            if name == "resourceSubscriptions"
            else f"{name.removesuffix('ListChanged')}.listChanged"
        )
        if value and view.talk.has(capability) and not agreed.get(name):
            yield Hit(f"The server declares {capability}, and does not acknowledge {name}.", (asked.seq,))


@rule(
    "listen-lost", 118, WARNING, "A subscription that ends has a result.", "subscriptions", "event lost", since=_MODERN
)
def listen_lost(view: View) -> Iterator[str | Hit]:
    asked = view.talk.asked.get(view.entry.call)
    if asked is not None and asked.method == "subscriptions/listen" and view.facts.get("fault") == "no reply":
        yield Hit("The listen stream ended without a result: it is not known why.", (asked.seq,))


@rule(
    "listen-result",
    118,
    ERROR,
    "The result of a subscription names it.",
    "subscriptions",
    "result subscriptions/listen",
    since=_MODERN,
)
def listen_result(view: View) -> Iterator[str]:
    asked = view.asked
    ident = view.meta.get(_ID)
    if asked is None:
        return
    if _ID not in view.meta:
        yield f"The result's _meta has no {_ID}."
    elif ident != asked.id or isinstance(ident, str) is not isinstance(asked.id, str):
        yield f"The result is of subscription {shown(ident)}; the request's id is {shown(asked.id)}."


@rule(
    "updated-unasked",
    119,
    WARNING,
    "Only subscribed resources are told of.",
    "subscriptions",
    f"notification {_UPDATED}",
    until="2025-11-25",
)
def updated_unasked(view: View) -> Iterator[str]:
    uri = view.params.get("uri")
    if not isinstance(uri, str):
        yield f"The updated resource is {shown(uri)}, no URI."
    elif not any(uri.startswith(one.rstrip("/")) for one in view.talk.uris):
        yield f"{shown(uri)} was updated, to which we are not subscribed."


@rule("changed-undeclared", 119, WARNING, "Who tells of changed lists declares it.", "subscriptions", *_CHANGES[:3])
def changed_undeclared(view: View) -> Iterator[str]:
    name = _WANTED[view.entry.method].removesuffix("ListChanged")
    if view.talk.has(name) and not view.talk.has(f"{name}.listChanged"):
        yield f"{view.entry.method} came; the server does not declare {name}.listChanged."


@rule("change-storm", 121, WARNING, "Changes are told when there are some.", "subscriptions", *_CHANGES[:3])
def change_storm(view: View) -> Iterator[str]:
    streams, moment = view.talk.of(_Streams), view.entry.mono_ns
    streams.recent = [*[one for one in streams.recent if moment - one < _STORM_NS][-_STORM:], moment]
    if len(streams.recent) > _STORM and moment - streams.told > _STORM_NS:
        streams.told = moment
        yield f"Lists were said to have changed more than {_STORM} times within a second."


RULES = rules_in(globals())
