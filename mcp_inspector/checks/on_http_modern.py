"""Stateless Streamable HTTP of 2026-07-28. Numbers 66 to 77 of the checklist, less those that need probes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from mcp_inspector.checks.rule import ERROR, INFO, WARNING, Hit, rule, rules_in
from mcp_inspector.checks.state import id_key
from mcp_inspector.checks.view import shown
from mcp_inspector.wire import headers

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcp_inspector.checks.view import View

_MODERN = "2026-07-28"
_SENSITIVE = re.compile(r"pass(word|wd|phrase)|secret|token|api.?key|credential|private|ssn|cvv", re.IGNORECASE)


@rule("session-in-modern", 66, ERROR, "There are no sessions.", "http", "http response", since=_MODERN)
def session_in_modern(view: View) -> Iterator[str]:
    if view.header("mcp-session-id") is not None:
        yield "The response has a header Mcp-Session-Id."


@rule(
    "event-id-in-modern",
    66,
    WARNING,
    "Streams cannot be resumed, so events have no id.",
    "http",
    "message",
    since=_MODERN,
)
def event_id_in_modern(view: View) -> Iterator[str]:
    if view.facts.get("event_id") is not None:
        yield f"The event has the id {shown(view.facts['event_id'])}."


@rule("header-refused", 72, ERROR, "Headers that conform are taken.", "headers", "error", since=_MODERN)
def header_refused(view: View) -> Iterator[str | Hit]:
    asked = view.asked
    if view.code != -32020 or asked is None or view.talk.probing:
        return
    exchange = view.talk.exchanges.get(id_key(asked.id))
    if exchange is None:
        return
    sent = {
        str(pair[0]).lower(): str(pair[1])
        for pair in exchange.sent
        if isinstance(pair, list | tuple) and len(pair) == 2
    }
    wanted: list[tuple[str, str]] = list(headers.for_request(asked.method, asked.version, asked.params))
    if asked.method == "tools/call":
        schema = view.talk.tools.get(asked.target, {}).get("inputSchema")
        wanted += headers.for_arguments(schema, asked.params.get("arguments"))
    wrong = [name for name, value in wanted if sent.get(name.lower()) != value]
    if wrong:
        yield Hit(
            f"The header {wrong[0]} was {shown(sent.get(wrong[0].lower()))}: the refusal is right.", severity=INFO
        )
    else:
        yield f"The error says that a header is wrong; all {len(wanted)} headers are as the body wants them."


@rule("status-of-code", 73, ERROR, "Errors of the protocol have status 400.", "http", "error", since=_MODERN)
def status_of_code(view: View) -> Iterator[str]:
    asked = view.asked
    if asked is None or asked.http_status is None or not view.over_http:
        return
    if view.code in (-32020, -32021, -32022) and asked.http_status != 400:
        yield f"Error {view.code} came with HTTP status {asked.http_status}."


@rule(
    "header-annotation", 74, ERROR, "x-mcp-header annotations are valid.", "tools", "result tools/list", since=_MODERN
)
def header_annotation(view: View) -> Iterator[str | Hit]:
    for tool in _tools(view):
        why = headers.refusal(tool.get("inputSchema"))
        if why:
            name = str(tool.get("name"))
            yield Hit(f"The tool {shown(name)} cannot be used over HTTP: {why}.", tool=name)


@rule(
    "header-sensitive", 74, WARNING, "Secrets are not mirrored in headers.", "tools", "result tools/list", since=_MODERN
)
def header_sensitive(view: View) -> Iterator[str | Hit]:
    for tool in _tools(view):
        schema = tool.get("inputSchema")
        properties = schema.get("properties") if isinstance(schema, dict) else None
        for name, part in properties.items() if isinstance(properties, dict) else ():
            if isinstance(part, dict) and "x-mcp-header" in part and _SENSITIVE.search(name):
                sentence = f"The tool {shown(tool.get('name'))} mirrors its argument {shown(name)} in a header."
                yield Hit(sentence, tool=str(tool.get("name")))


@rule(
    "cancel-by-server",
    76,
    ERROR,
    "A server cancels nothing but a listen.",
    "cancellation",
    "notification notifications/cancelled",
    since=_MODERN,
)
def cancel_by_server(view: View) -> Iterator[str]:
    ident = view.params.get("requestId")
    asked = view.talk.open.get(id_key(ident))
    known = asked or next((one for one in view.talk.asked.values() if id_key(one.id) == id_key(ident)), None)
    if known is None or known.method != "subscriptions/listen":
        about = f"the request {known.method}" if known is not None else f"{shown(ident)}, which is no request of ours"
        yield f"The server cancels {about}."


@rule("own-batch", 77, ERROR, "We send one message at a time.", "http", "sent batch", since=_MODERN, ours=True)
def own_batch(view: View) -> Iterator[str]:
    yield "An array of messages was sent."


@rule("own-answer", 77, ERROR, "We send no responses.", "http", "sent answer", since=_MODERN, ours=True)
def own_answer(view: View) -> Iterator[str]:
    yield "A response was sent, which this version has no place for."


@rule(
    "own-cancel",
    77,
    ERROR,
    "Over HTTP we cancel by closing the stream.",
    "cancellation",
    "sent notification notifications/cancelled",
    since=_MODERN,
    ours=True,
)
def own_cancel(view: View) -> Iterator[str]:
    if view.over_http:
        yield "notifications/cancelled was sent over HTTP."


@rule("own-session", 77, ERROR, "We name no session.", "http", "http request", since=_MODERN, ours=True)
def own_session(view: View) -> Iterator[str]:
    if view.header("mcp-session-id") is not None:
        yield "Our request has a header Mcp-Session-Id."


def _tools(view: View) -> list[dict[str, Any]]:
    tools = view.result.get("tools")
    return [tool for tool in tools if isinstance(tool, dict)] if isinstance(tools, list) else []


RULES = rules_in(globals())
