"""What only several connections of one server tell: versions, public content. Numbers 21, 26, 83."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from mcp_inspector.checks import methods
from mcp_inspector.checks.on_http import exchange_of
from mcp_inspector.checks.rule import ALL, ERROR, INFO, NEWEST_LEGACY, WARNING, Hit, rule, rules_in
from mcp_inspector.checks.state import Bounded
from mcp_inspector.checks.view import META, shown
from mcp_inspector.store.redact import MASK

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcp_inspector.checks.view import View

_MODERN = "2026-07-28"
_CACHED = tuple(f"result {method}" for method in methods.CACHED)


@dataclass
class _Versions:
    """What the handshakes of one server came to, by the server's own name and version: an update begins anew.

    `agreed` has the versions that it spoke, `denied` those that it answered with another, each with its record.
    """

    who: Any = None
    agreed: dict[str, int] = field(default_factory=dict)
    denied: dict[str, tuple[str, int]] = field(default_factory=dict)


@dataclass
class _Echo(_Versions):
    """The same, for the rule about echoes."""


@dataclass
class _Latest(_Versions):
    """The same, for the rule about the latest version."""


@dataclass
class _Eras:
    """What a server discovered and whether it took the handshake, with the records; by its name."""

    name: str = ""
    discovered: int = 0
    greeted: int = 0
    told: bool = False


@dataclass
class _Public:
    """Public results by what was asked: digest of the content, of the credentials, and the record."""

    results: Bounded[tuple[int, int, int]] = field(default_factory=Bounded)


def _met(view: View, make: type[_Versions]) -> tuple[_Versions, str, str] | None:
    """What is known before this handshake, what was requested and what was answered; None for an odd one."""
    asked, answered = view.asked, view.result.get("protocolVersion")
    if asked is None or answered not in ALL or asked.version not in ALL:
        return None
    known = view.talk.of_server(make)
    info = shown(view.result.get("serverInfo"), 1 << 10)
    if known.who != info:
        known.who, known.agreed, known.denied = info, {}, {}
    return known, asked.version, answered


def _keep(known: _Versions, requested: str, answered: str, seq: int) -> None:
    known.agreed.setdefault(answered, seq)
    if requested != answered:
        known.denied.setdefault(requested, (answered, seq))


@rule(
    "legacy-not-listed",
    21,
    INFO,
    "A server lists every version that it speaks.",
    "discover",
    "result server/discover",
    "result initialize",
)
def legacy_not_listed(view: View) -> Iterator[str | Hit]:
    known = view.talk.of_server(_Eras)
    info = view.result.get("serverInfo") or view.meta.get(f"{META}serverInfo")
    name = str(info.get("name")) if isinstance(info, dict) else ""
    if name != known.name:
        known.name, known.discovered, known.greeted = name, 0, 0
    supported = view.result.get("supportedVersions")
    if view.method == "initialize":
        known.greeted = view.seq if view.result.get("protocolVersion") in ALL[:-1] else known.greeted
    elif isinstance(supported, list):
        known.discovered = 0 if any(version in ALL[:-1] for version in supported) else view.seq
    if known.discovered and known.greeted and not known.told:
        known.told = True
        seqs = (min(known.discovered, known.greeted),)
        yield Hit("The server takes initialize, and server/discover lists no version that has it.", seqs)


@rule(
    "version-not-echoed",
    26,
    ERROR,
    "A version that the server supports is answered with itself.",
    "lifecycle",
    "result initialize",
)
def version_not_echoed(view: View) -> Iterator[str | Hit]:
    met = _met(view, _Echo)
    if met is None:
        return
    known, requested, answered = met
    if requested != answered and requested in known.agreed:
        yield Hit(
            f"{requested} was requested and {answered} answered; another connection agreed on {requested}.",
            (known.agreed[requested],),
        )
    elif answered in known.denied:
        other, seq = known.denied[answered]
        yield Hit(f"The server speaks {answered}, which it answered with {other} on another connection.", (seq,))
    _keep(known, requested, answered, view.seq)


@rule(
    "version-not-latest",
    26,
    WARNING,
    "A version that the server does not support is answered with its latest.",
    "lifecycle",
    "result initialize",
)
def version_not_latest(view: View) -> Iterator[str | Hit]:
    met = _met(view, _Latest)
    if met is None:
        return
    known, requested, answered = met
    newer = max((one for one in known.agreed if one <= NEWEST_LEGACY), default="")
    if requested != answered and answered < newer:
        yield Hit(
            f"{requested} was requested and {answered} answered; the server also speaks {newer}.",
            (known.agreed[newer],),
        )
    for other, seq in known.denied.values():
        if other < answered <= NEWEST_LEGACY and answered not in known.agreed:
            yield Hit(f"The server speaks {answered}; to a version it does not know it answered {other}.", (seq,))
            break
    _keep(known, requested, answered, view.seq)


@rule(
    "public-differs",
    83,
    INFO,
    "What is public is the same for everybody.",
    "caching",
    *_CACHED,
    since=_MODERN,
)
def public_differs(view: View) -> Iterator[str | Hit]:
    asked, exchange = view.asked, exchange_of(view)
    if asked is None or exchange is None or view.result.get("cacheScope") != "public" or not view.complete:
        return
    credentials, account = _credentials(exchange.sent), view.talk.account
    if not account and any(MASK in value for value in credentials):
        return  # a token that was signed in for is in no record: it is not known whose it is
    who = hash((credentials, account))
    what = (asked.method, shown(asked.params.get("uri"), 2000), shown(asked.params.get("cursor"), 2000))
    content = hash(shown({name: value for name, value in view.result.items() if name not in _ASIDE}, 1 << 20))
    known = view.talk.of_server(_Public).results
    before = known.get(what)
    if before is not None and before[0] != content and before[1] != who:
        yield Hit(
            f"The result of {asked.method} is public, and differs from the one that other credentials got.",
            (before[2],),
        )
    known[what] = (content, who, view.seq)


_ASIDE = ("_meta", "ttlMs", "cacheScope", "resultType")


def _credentials(headers: list[Any]) -> tuple[str, ...]:
    """The credentials that a request bore."""
    pairs = [pair for pair in headers if isinstance(pair, list | tuple) and len(pair) == 2]
    return tuple(str(value) for name, value in pairs if str(name).lower() in ("authorization", "cookie", "x-api-key"))


RULES = rules_in(globals())
