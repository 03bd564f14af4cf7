"""Sessions, the GET stream and HTTP+SSE of the handshake versions. Numbers 55 to 65 of the checklist."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcp_inspector.checks.on_http import asked_by, media_type
from mcp_inspector.checks.rule import ERROR, INFO, WARNING, Hit, rule, rules_in
from mcp_inspector.checks.state import Bounded, id_key
from mcp_inspector.checks.view import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcp_inspector.checks.view import View

_SHORT = 16


class _Session:
    """The id that a server gave, and the event ids that it used."""

    def __init__(self) -> None:
        self.id = ""
        self.seq = 0
        self.events: Bounded[int] = Bounded()
        self.primed: Bounded[int] = Bounded()
        self.retry: Bounded[int] = Bounded()


@rule(
    "session-id", 55, ERROR, "A session id is visible ASCII.", "sessions", "http response", until="2025-11-25", any=True
)
def session_id(view: View) -> Iterator[str]:
    value, asked = view.header("mcp-session-id"), asked_by(view)
    if asked is None or asked.method != "initialize" or value is None:
        return
    known = view.talk.of(_Session)
    known.id, known.seq = value.strip(), view.seq
    if any(not "!" <= letter <= "~" for letter in value.strip()) or not value.strip():
        yield f"The session id is {shown(value)}."


@rule(
    "session-id-weak",
    55,
    WARNING,
    "A session id cannot be guessed.",
    "sessions",
    "http response",
    until="2025-11-25",
    any=True,
)
def session_id_weak(view: View) -> Iterator[str]:
    value, asked = (view.header("mcp-session-id") or "").strip(), asked_by(view)
    if asked is not None and asked.method == "initialize" and value and (len(value) < _SHORT or value.isdigit()):
        yield f"The session id has {len(value)} characters{', all of them digits' if value.isdigit() else ''}."


@rule("session-late", 56, WARNING, "A session begins with initialize.", "sessions", "http response", until="2025-11-25")
def session_late(view: View) -> Iterator[str]:
    value, known = view.header("mcp-session-id"), view.talk.of(_Session)
    if value is not None and not known.id and view.talk.transport == "http":
        yield f"The response to {view.facts.get('method')} brings a session id; initialize brought none."


@rule("session-changed", 56, INFO, "A session keeps its id.", "sessions", "http response", until="2025-11-25")
def session_changed(view: View) -> Iterator[str | Hit]:
    value, known = view.header("mcp-session-id"), view.talk.of(_Session)
    if value is not None and known.id and value.strip() != known.id:
        yield Hit("A response names another session id than initialize did.", (known.seq,))


@rule("session-end", 58, INFO, "A session can be ended.", "sessions", "http response", until="2025-11-25")
def session_end(view: View) -> Iterator[str]:
    status = view.entry.status or 0
    if view.facts.get("method") == "DELETE" and not 200 <= status < 300:
        yield f"DELETE was answered with status {status}."


@rule("get-answer", 59, ERROR, "GET gives an event stream or 405.", "http", "http response", until="2025-11-25")
def get_answer(view: View) -> Iterator[str]:
    if view.facts.get("method") != "GET" or view.facts.get("key") is not None or view.talk.transport != "http":
        return
    status, media = view.entry.status or 0, media_type(view)
    if status in (401, 403, 405, 429) or status >= 500 or 300 <= status < 400:
        return
    if not (200 <= status < 300 and media == "text/event-stream"):
        yield f"GET was answered with status {status} and content type {shown(media) if media else 'none'}."


@rule("answer-on-get", 60, ERROR, "The GET stream brings no responses.", "http", "answer", until="2025-11-25")
def answer_on_get(view: View) -> Iterator[str]:
    if view.facts.get("stream") == "get" and "answers" not in view.facts and view.talk.transport == "http":
        yield "The response came on the standalone GET stream, which was not opened to resume anything."


@rule(
    "event-id-twice",
    61,
    ERROR,
    "An event id is used once in a session.",
    "resume",
    "message",
    until="2025-11-25",
    any=True,
)
def event_id_twice(view: View) -> Iterator[str | Hit]:
    ident = view.facts.get("event_id")
    if not isinstance(ident, str):
        return
    known = view.talk.of(_Session).events
    before = known.get(ident)
    if before is not None:
        yield Hit(f"The event id {shown(ident)} was used before.", (before,))
    else:
        known[ident] = view.seq


@rule("foreign-replay", 61, ERROR, "What is replayed is of the same stream.", "resume", "answer", until="2025-11-25")
def foreign_replay(view: View) -> Iterator[str]:
    key = view.facts.get("answers")
    if view.facts.get("stream") == "get" and key is not None and id_key(view.message.get("id")) != id_key(key):
        other = shown(view.message.get("id"))
        yield f"The stream of request {shown(key)} was resumed; it brought the response to {other}."


@rule(
    "no-priming",
    62,
    WARNING,
    "A stream that can be resumed begins with an id.",
    "resume",
    "message",
    "http stream",
    since="2025-11-25",
    until="2025-11-25",
    any=True,
)
def no_priming(view: View) -> Iterator[str]:
    known = view.talk.of(_Session)
    if view.kind == "stream":
        if view.facts.get("event") == "event without data" and view.facts.get("event_id"):
            known.primed[id_key(view.facts.get("key"))] = view.seq
        return
    if view.facts.get("stream") != "post" or view.facts.get("event_id") is None or not view.version:
        return
    key = id_key(view.facts.get("answers", view.message.get("id")))
    if key not in known.primed:
        known.primed[key] = view.seq
        yield "The first event of the stream carries a message; an event with an id and no data comes before it."


@rule(
    "no-retry",
    62,
    WARNING,
    "Who ends a stream early says when to come back.",
    "resume",
    "http stream",
    since="2025-11-25",
    until="2025-11-25",
    any=True,
)
def no_retry(view: View) -> Iterator[str]:
    known, key = view.talk.of(_Session), view.facts.get("key")
    retry = view.facts.get("retry_ms")
    if isinstance(retry, int):
        known.retry[id_key(key)] = retry
    resumed = str(view.facts.get("event", "")).startswith("reconnecting")
    if resumed and key is not None and id_key(key) not in known.retry:
        yield f"The stream of request {shown(key)} was ended before its response, without a time to come back."


@rule(
    "own-version-header",
    63,
    ERROR,
    "We name the version in each HTTP request.",
    "headers",
    "http request",
    since="2025-06-18",
    until="2025-11-25",
    ours=True,
)
def own_version_header(view: View) -> Iterator[str]:
    if view.talk.transport == "http" and view.talk.initialized and view.header("mcp-protocol-version") is None:
        yield f"Our {view.facts.get('method')} has no header MCP-Protocol-Version."


@rule(
    "initialized-refused",
    64,
    WARNING,
    "notifications/initialized is accepted.",
    "lifecycle",
    "http response",
    until="2025-11-25",
)
def initialized_refused(view: View) -> Iterator[str]:
    refused = view.entry.status is not None and view.entry.status >= 400
    posted = view.facts.get("key") is None and view.facts.get("method") == "POST"
    if refused and posted and view.talk.last_sent == "notifications/initialized":
        yield f"notifications/initialized was refused with status {view.entry.status}."


@rule(
    "endpoint",
    65,
    ERROR,
    "HTTP+SSE begins with the endpoint, of the same origin.",
    "http+sse",
    "event failed",
    any=True,
)
def endpoint(view: View) -> Iterator[str]:
    if view.facts.get("fault") == "bad endpoint":
        yield f"{view.facts.get('sentence')}"


@rule(
    "answer-in-body",
    65,
    WARNING,
    "Over HTTP+SSE responses come on the stream.",
    "http+sse",
    "http response",
    until="2025-11-25",
)
def answer_in_body(view: View) -> Iterator[str]:
    if view.talk.transport == "sse" and view.facts.get("method") == "POST" and b'"jsonrpc"' in view.entry.data:
        yield "The body of the POST holds a JSON-RPC message."


@rule("transport-deprecated", 65, WARNING, "HTTP+SSE is deprecated.", "deprecated", "event connected", any=True)
def transport_deprecated(view: View) -> Iterator[str]:
    if view.facts.get("transport") == "sse":
        yield "The server is reached over HTTP+SSE, which Streamable HTTP has replaced since 2025-03-26."


RULES = rules_in(globals())
