"""Streamable HTTP of every version: status, content type, streams. Numbers 45 to 54 of the checklist."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcp_inspector.checks.rule import ERROR, INFO, WARNING, Hit, rule, rules_in
from mcp_inspector.checks.state import id_key
from mcp_inspector.checks.view import META, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcp_inspector.checks.state import Asked, Exchange
    from mcp_inspector.checks.view import View

_STREAM, _JSON = "text/event-stream", "application/json"


def media_type(view: View) -> str:
    """The content type of an HTTP record without its parameters, in lower case."""
    return (view.header("content-type") or "").split(";")[0].strip().lower()


def asked_by(view: View) -> Asked | None:
    """The open request that an HTTP record belongs to."""
    key = view.facts.get("key")
    return view.talk.open.get(id_key(key)) if key is not None else None


def exchange_of(view: View) -> Exchange | None:
    """The HTTP exchange that brought a message."""
    key = view.facts.get("answers", view.message.get("id"))
    found: Exchange | None = view.talk.exchanges.get(id_key(key))
    return found


def _ok(view: View) -> bool:
    return view.entry.status is not None and 200 <= view.entry.status < 300


@rule(
    "content-type", 45, ERROR, "A request is answered with JSON or an event stream.", "http", "http response", any=True
)
def content_type(view: View) -> Iterator[str]:
    media, asked = media_type(view), asked_by(view)
    if asked is None or not _ok(view) or view.entry.status in (202, 204) or view.facts.get("method") != "POST":
        return
    if media not in (_STREAM, _JSON) and view.talk.transport == "http":
        yield f"{asked.method} was answered with the content type {shown(media) if media else 'none'}."


@rule("body-no-answer", 45, ERROR, "A JSON body is the response.", "http", "request", "notification")
def body_no_answer(view: View) -> Iterator[str | Hit]:
    exchange = exchange_of(view) if view.facts.get("stream") == "post" and "answers" in view.facts else None
    if exchange is not None and exchange.media == _JSON:
        yield Hit(f"The JSON body holds {view.entry.method}, not the response.", (exchange.seq,))


@rule("accepted-request", 46, ERROR, "A request is answered, not only accepted.", "http", "http response")
def accepted_request(view: View) -> Iterator[str | Hit]:
    asked = asked_by(view)
    if asked is not None and view.facts.get("method") == "POST" and view.entry.status in (202, 204) and view.over_http:
        yield Hit(f"{asked.method} is a request; it got status {view.entry.status} and no response.", (asked.seq,))


@rule("notification-answered", 47, ERROR, "A notification is accepted with 202 and no body.", "http", "http response")
def notification_answered(view: View) -> Iterator[str]:
    if view.facts.get("key") is not None or view.facts.get("method") != "POST" or not view.over_http or not _ok(view):
        return
    status, body = view.entry.status, view.entry.data.strip()
    if status != 202 or body:
        yield f"It was answered with status {status} and {len(body)} bytes of body."


@rule(
    "stream-buffered",
    49,
    WARNING,
    "Event streams ask proxies not to buffer.",
    "http",
    "http response",
    since="2026-07-28",
)
def stream_buffered(view: View) -> Iterator[str]:
    if media_type(view) == _STREAM and (view.header("x-accel-buffering") or "").strip().lower() != "no":
        yield "The event stream has no header X-Accel-Buffering: no."


@rule(
    "stream-cached",
    49,
    INFO,
    "Event streams say that they are not cached.",
    "http",
    "http response",
    since="2026-07-28",
)
def stream_cached(view: View) -> Iterator[str]:
    if media_type(view) == _STREAM and view.header("cache-control") is None:
        yield "The event stream has no header Cache-Control."


@rule("stream-without-answer", 50, ERROR, "A stream ends after the response.", "http", "event lost")
def stream_without_answer(view: View) -> Iterator[str | Hit]:
    asked = view.talk.asked.get(view.entry.call)
    if asked is None or view.facts.get("fault") != "no reply":
        return
    exchange = view.talk.exchanges.get(id_key(asked.id))
    if exchange is not None and exchange.media == _STREAM and exchange.status not in (202, 204):
        yield Hit(f"The stream of {asked.method} ended without its response.", (asked.seq, exchange.seq))


@rule("after-answer", 51, ERROR, "Nothing follows the response on its stream.", "http", "request", "notification")
def after_answer(view: View) -> Iterator[str | Hit]:
    if view.facts.get("stream") != "post" or "answers" not in view.facts:
        return
    key = id_key(view.facts["answers"])
    if key in view.talk.open:
        return
    for asked in reversed(view.talk.asked.values()):
        if id_key(asked.id) == key:
            if asked.state == "answered":
                yield Hit(f"{view.entry.method} came after the response to {asked.method}.", (asked.seq, asked.ended))
            return


@rule("stream-left-open", 51, WARNING, "A stream ends with the response.", "http", "http stream")
def stream_left_open(view: View) -> Iterator[str | Hit]:
    facts = view.facts
    if facts.get("event") != "left open" or facts.get("key") is None:
        return
    key = id_key(facts["key"])
    asked = next((one for one in reversed(view.talk.asked.values()) if id_key(one.id) == key), None)
    exchange = view.talk.exchanges.get(key)
    if asked is None or asked.state != "answered" or exchange is None or exchange.media != _STREAM:
        return  # one that we gave up is let go in the same way
    seconds = facts.get("seconds")
    after = f"{seconds:g} s after the response" if isinstance(seconds, int | float) else "long after the response"
    yield Hit(f"The stream of {asked.method} was still open {after}, and was closed here.", (asked.seq, asked.ended))


@rule(
    "unrelated", 52, ERROR, "A stream carries what belongs to its request.", "http", "notification", since="2026-07-28"
)
def unrelated(view: View) -> Iterator[str | Hit]:
    asked = _carrier(view)
    if asked is None:
        return
    method = view.entry.method
    token = view.params.get("progressToken")
    if method == "notifications/progress" and token != asked.token:
        yield Hit(
            f"Progress of {shown(token)} came on the stream of {asked.method}, whose token is {shown(asked.token)}.",
            (asked.seq,),
        )
    elif asked.method == "subscriptions/listen":
        subscription = view.meta.get(f"{META}subscriptionId")
        if subscription is not None and subscription != asked.id:
            yield Hit(
                f"{method} of subscription {shown(subscription)} came on the stream of {shown(asked.id)}.", (asked.seq,)
            )


@rule(
    "unrelated-legacy",
    52,
    WARNING,
    "A stream carries what belongs to its request.",
    "http",
    "notification",
    until="2025-11-25",
)
def unrelated_legacy(view: View) -> Iterator[str | Hit]:
    asked = _carrier(view)
    token = view.params.get("progressToken")
    if asked is not None and view.entry.method == "notifications/progress" and token != asked.token:
        yield Hit(f"Progress of {shown(token)} came on the stream of {asked.method}.", (asked.seq,))


@rule("event-name", 53, INFO, "Messages come in events named message.", "http", "http stream", any=True)
def event_name(view: View) -> Iterator[str]:
    if view.facts.get("event") == "ignored event":
        yield f"An event named {shown(view.facts.get('name'))} came; it is not a message."


@rule("oversized", 53, INFO, "A message can be taken in whole.", "messages", "message", any=True)
def oversized(view: View) -> Iterator[str]:
    skipped = view.facts.get("skipped")
    if isinstance(skipped, int) and skipped:
        yield f"{skipped:,} bytes of the message were dropped: it is larger than the limit."


@rule("redirect", 54, INFO, "The endpoint answers itself.", "http", "http response", any=True)
def redirect(view: View) -> Iterator[str]:
    if view.entry.status in (301, 302, 303, 307, 308):
        yield f"Status {view.entry.status} leads to {shown(view.header('location'), 200)}."


@rule("html-answer", 54, INFO, "Errors of MCP are JSON.", "http", "http response", any=True)
def html_answer(view: View) -> Iterator[str]:
    if view.entry.status is not None and view.entry.status >= 400 and media_type(view) == "text/html":
        yield f"Status {view.entry.status} came with a page of HTML: a proxy or another program may have answered."


def _carrier(view: View) -> Asked | None:
    """The open request whose POST stream brought a message."""
    if view.facts.get("stream") != "post" or "answers" not in view.facts:
        return None
    found: Asked | None = view.talk.open.get(id_key(view.facts["answers"]))
    return found


RULES = rules_in(globals())
