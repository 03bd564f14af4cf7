"""Follows the records of a session in their order, and asks of each the rules that concern it. No clock, no I/O."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from mcp_inspector.checks import methods
from mcp_inspector.checks.rule import Finding, Hit, Severity
from mcp_inspector.checks.state import Asked, Conversation, Exchange, id_key
from mcp_inspector.checks.view import META, View
from mcp_inspector.store.record import Channel, Direction

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from mcp_inspector.checks.rule import Rule
    from mcp_inspector.store.record import Entry

_log = logging.getLogger(__name__)

_MODERN_CODES = frozenset({-32020, -32021, -32022})
_ENDINGS = {"timeout": "timed out", "cancelled": "cancelled", "lost": "lost"}
_SMALL = frozenset({"name", "uri", "cursor", "taskId", "ref", "level"})
_LARGE = 16_384
"""Bytes of a request beyond which only the members that name something are kept of it."""
_CHANGES = {
    "notifications/tools/list_changed": ("tools/list",),
    "notifications/prompts/list_changed": ("prompts/list",),
    "notifications/resources/list_changed": ("resources/list", "resources/templates/list"),
    "notifications/resources/updated": ("resources/read",),
}
_CACHED = 4_000
_CONVERSATIONS = 500


class Observer:
    """The passive judge. `feed` takes each record of a session once, in order, and gives what it finds.

    A body of more than `largest` bytes is not decoded. Memory is bounded: what a connection leaves is a few lists of
    some thousand entries, and the oldest connections are forgotten. A rule that fails by a mistake of ours costs what
    it would have found, and is logged; `strict` lets it through, for tests.
    """

    def __init__(self, rules: Iterable[Rule], largest: int = 1 << 20, *, strict: bool = False) -> None:
        self.largest = largest
        self._strict = strict
        self._rules: dict[str, list[Rule]] = {}
        self._order: dict[Rule, int] = {}
        for rule in rules:
            self._order[rule] = len(self._order)
            for name in rule.on:
                self._rules.setdefault(name, []).append(rule)
        self._for: dict[tuple[Any, ...], tuple[Rule, ...]] = {}
        self._talks: dict[tuple[str, int], Conversation] = {}
        self._shared: dict[str, dict[Any, Any]] = {}

    def feed(self, seq: int, entry: Entry) -> list[Finding]:
        """Judge one record. Never raises for what it holds."""
        return [finding for finding in self.steps(seq, entry) if finding is not None]

    def steps(self, seq: int, entry: Entry) -> Iterator[Finding | None]:
        """The same step by step, with a None now and then where there is nothing: the caller may pause at each.

        All steps of a record must be taken before the next record is begun.
        """
        key = (entry.server, entry.connection)
        talk = self._talks.get(key)
        if talk is None:
            if entry.server not in self._shared and len(self._shared) >= _CONVERSATIONS:
                del self._shared[next(iter(self._shared))]
            talk = self._talks[key] = Conversation(*key, shared=self._shared.setdefault(entry.server, {}))
            if len(self._talks) > _CONVERSATIONS:
                del self._talks[next(iter(self._talks))]
        view = View(seq, entry, talk, decode=len(entry.data) <= self.largest)
        if entry.channel is Channel.MESSAGE:
            _place(view)
        elif entry.channel is Channel.HTTP and view.facts.get("stream") == "model":
            view.unjudged = True  # what is said to a model is no MCP
        if not view.unjudged:
            yield from self._judge(view)
        if entry.channel is Channel.MESSAGE:
            _learn_message(view)
        elif entry.channel is not Channel.STDERR:
            _learn_event(view)

    def _judge(self, view: View) -> Iterator[Finding | None]:
        entry, asked = view.entry, view.asked
        key = (entry.channel, entry.direction, entry.kind, view.method, view.version, view.undecoded)
        rules = self._for.get(key)
        if rules is None:
            if len(self._for) > _CACHED:  # a peer that invents methods
                self._for.clear()
            wanted = [rule for name in view.events for rule in self._rules.get(name, ()) if rule.holds(view.version)]
            rules = self._for[key] = tuple(sorted(set(wanted), key=self._order.__getitem__))
        if view.talk.probing and view.method in methods.LISTS and not view.ours:
            return  # probes read the same lists over and over
        for rule in rules:
            if view.talk.probing and (rule.ours or view.ours):
                continue  # what a probe sends is wrong on purpose
            for each in self._looked(rule, view):
                if not each:
                    yield None
                    continue
                hit = each if isinstance(each, Hit) else Hit(each)
                view.faulted |= (hit.severity or rule.severity) is Severity.ERROR
                before = (asked.seq,) if asked is not None and not hit.seqs else ()
                yield (
                    Finding(
                        rule,
                        hit.severity or rule.severity,
                        hit.sentence,
                        tuple(dict.fromkeys((*before, *hit.seqs, view.seq))),
                        entry.server,
                        hit.tool or (asked.target if asked is not None else entry.target),
                        view.version,
                        rule.ours or view.ours,
                    )
                )

    def _looked(self, rule: Rule, view: View) -> Iterator[str | Hit]:
        try:
            yield from rule.look(view)
        except Exception:
            if self._strict:
                raise
            _log.exception("the rule %s failed at record %s", rule.id, view.seq)


def _place(view: View) -> None:
    """Find the request that an answer belongs to, and the version that a message was sent under."""
    entry, talk = view.entry, view.talk
    if entry.kind in ("response", "error", "invalid"):
        if view.ours:
            view.asked = talk.theirs.get(id_key(view.message.get("id")))
        else:
            view.asked = talk.asked.get(entry.call) if entry.call else None
        asked = view.asked
        if asked is not None:
            view.version = asked.version or talk.version
            if asked.method == "server/discover" and not talk.version:
                _place_probe(view)
            elif asked.method == "initialize" and isinstance(view.result.get("protocolVersion"), str):
                view.version = view.result["protocolVersion"]
        elif not talk.version and any(each.method == "server/discover" for each in talk.waiting):
            view.unjudged = entry.kind != "invalid"
    elif entry.kind == "request" and view.ours:
        stated = view.meta.get(f"{META}protocolVersion")
        if isinstance(stated, str):
            view.version = stated
        elif entry.method == "initialize" and isinstance(view.params.get("protocolVersion"), str):
            view.version = view.params["protocolVersion"]


def _place_probe(view: View) -> None:
    """An answer to the first question: only a server that speaks the version of the question is judged by it."""
    result = view.result
    if isinstance(result.get("supportedVersions"), list) or view.code in _MODERN_CODES:
        return
    view.version = ""
    view.unjudged = view.kind != "invalid"


def _learn_message(view: View) -> None:
    entry, talk = view.entry, view.talk
    if view.ours:
        talk.last_sent = entry.method
    if entry.kind == "request":
        _learn_request(view)
    elif entry.kind in ("response", "error"):
        _learn_answer(view)
    elif entry.kind == "notification" and not view.ours:
        for method in _CHANGES.get(entry.method, ()):
            talk.changed[method] = view.seq
        if entry.method == "notifications/cancelled":
            theirs = talk.theirs.get(id_key(view.params.get("requestId")))
            if theirs is not None and theirs.state == "open":
                theirs.state = "cancelled"
    elif entry.kind == "notification":
        if entry.method == "notifications/initialized":
            talk.initialized = view.seq
        elif entry.method == "notifications/cancelled":
            _end(talk, entry.call, "cancelled", view)


def _learn_request(view: View) -> None:
    entry, talk = view.entry, view.talk
    meta, params = view.meta, view.params
    caps = talk.client_caps
    if view.ours:
        declared = meta.get(f"{META}clientCapabilities")
        if isinstance(declared, dict):
            caps = talk.client_caps = declared
        elif entry.method == "initialize":
            declared = params.get("capabilities")
            caps = talk.client_caps = declared if isinstance(declared, dict) else {}
            talk.offered = view.version
    level = meta.get(f"{META}logLevel")
    asked = Asked(
        view.seq,
        view.message.get("id"),
        entry.id,
        entry.method,
        params if len(entry.data) <= _LARGE else {name: value for name, value in params.items() if name in _SMALL},
        view.version,
        caps,
        entry.mono_ns,
        view.ours,
        token=meta.get("progressToken"),
        log_level=level if isinstance(level, str) else "",
    )
    if view.ours:
        talk.asked[view.seq] = asked
        talk.open[id_key(asked.id)] = asked
        if entry.method == "resources/subscribe" and isinstance(params.get("uri"), str):
            talk.uris[params["uri"]] = view.seq
    else:
        talk.theirs[id_key(asked.id)] = asked


def _learn_answer(view: View) -> None:
    entry, talk, asked = view.entry, view.talk, view.asked
    if asked is None:
        return
    if asked.state == "open":
        asked.state, asked.ended, asked.ended_ns = "answered", view.seq, entry.mono_ns
    if asked.ours and talk.open.get(id_key(asked.id)) is asked:
        del talk.open[id_key(asked.id)]
    if entry.kind == "error" or not asked.ours:
        return
    result = view.result
    if asked.method == "initialize":
        _agree(talk, view.version, result)
        talk.server_info = result.get("serverInfo")
    elif asked.method == "server/discover" and isinstance(result.get("supportedVersions"), list):
        if not talk.version and asked.version in result["supportedVersions"]:
            _agree(talk, asked.version, result)
    elif asked.method == "resources/unsubscribe":
        talk.uris.pop(asked.params.get("uri"), None)
    elif asked.method == "tools/list":
        tools = result.get("tools")
        for tool in tools if isinstance(tools, list) else ():
            if isinstance(tool, dict) and isinstance(tool.get("name"), str):
                talk.tools[tool["name"]] = tool


def _agree(talk: Conversation, version: str, result: dict[str, Any]) -> None:
    talk.version = version
    caps = result.get("capabilities")
    talk.server_caps = caps if isinstance(caps, dict) else {}


def _learn_event(view: View) -> None:
    entry, talk = view.entry, view.talk
    if entry.channel is Channel.LIFECYCLE:
        if entry.kind == "started":
            _begin(talk, "stdio", view.seq)
        elif entry.kind == "connected":
            version, account = view.facts.get("version"), view.facts.get("signed_in")
            talk.account = account if isinstance(account, str) else ""
            if isinstance(version, str) and not talk.version:
                talk.version = version
        elif entry.kind == "probing":
            talk.probing = True
        elif entry.kind == "shutdown":
            talk.ending = view.seq
        elif entry.kind in _ENDINGS and entry.call:
            _end(talk, entry.call, _ENDINGS[entry.kind], view)
    elif entry.channel is Channel.HTTP:
        stream = view.facts.get("stream")
        talk.transport = "sse" if stream == "sse" else talk.transport or "http"
        key = view.facts.get("key")
        if key is not None:
            _learn_exchange(view, id_key(key))


def _learn_exchange(view: View, key: Any) -> None:
    entry, talk, facts = view.entry, view.talk, view.facts
    if entry.kind == "request" and entry.direction is Direction.SENT:
        headers = facts.get("headers")
        talk.exchanges[key] = Exchange(headers if isinstance(headers, list) else [], view.seq)
    elif entry.kind == "response":
        exchange, asked = talk.exchanges.get(key), talk.open.get(key)
        if exchange is not None:
            exchange.status, exchange.seq = entry.status or 0, view.seq
            exchange.media = (view.header("content-type") or "").split(";")[0].strip().lower()
        if asked is not None and entry.status is not None:
            asked.http_status = entry.status


def _begin(talk: Conversation, transport: str, seq: int) -> None:
    """A new process: what was agreed with the one before holds no more."""
    talk.transport, talk.version, talk.initialized, talk.ending = transport, "", 0, 0
    talk.open.clear()


def _end(talk: Conversation, call: int, state: str, view: View) -> None:
    asked = talk.asked.get(call)
    if asked is None:
        return
    if asked.state == "open":
        asked.state, asked.ended, asked.ended_ns = state, view.seq, view.entry.mono_ns
    if talk.open.get(id_key(asked.id)) is asked:
        del talk.open[id_key(asked.id)]
