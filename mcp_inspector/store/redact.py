"""Masks secrets where traffic is shown or leaves the program. The session file keeps the bytes as they came.

A value is masked because of the name before it (a header, a JSON member, a query parameter, a variable, an option of a
command line), or because it looks like nothing but a secret: a bearer token, a JWT, a key with a known prefix. A
variable (``${API_KEY}``) is shown: it is not the secret, and what one has to see to correct it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

MASK = "•••"


@dataclass(frozen=True, slots=True)
class Masked:
    """One masked place: the name that gave it away and where the value stood in the original, in characters."""

    name: str
    start: int
    stop: int


@dataclass(frozen=True, slots=True)
class Redacted:
    """A text with its secrets masked, and where they were."""

    text: str
    masked: tuple[Masked, ...]


# fmt: off
_SECRET_WORDS = frozenset((
    "token", "secret", "auth", "authorization", "password", "passwd", "passphrase", "pwd", "cookie", "session",
    "credential", "credentials", "jwt", "signature", "sig", "apikey", "accesskey", "secretkey", "privatekey",
    "accesstoken", "refreshtoken", "idtoken", "clientsecret",
))
_KEY_BEFORE = frozenset((
    "api", "access", "secret", "private", "signing", "encryption", "account", "subscription", "master", "shared",
    "ssh", "auth", "app", "client",
))
# fmt: on
_OF_OAUTH = frozenset({"code", "code_verifier", "assertion", "client_assertion", "state"})
_TYPES = frozenset({"subject_token_type", "requested_token_type", "token_type_hint", "actor_token_type"})
_HARMLESS = frozenset({"progresstoken", "nexttoken", "pagetoken", "continuationtoken", "maxtoken", "authurl"})
_VARIABLE = re.compile(r"(?:(?:Bearer|Basic|Token) )?\$\{[^{}]*\}")
_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


def is_secret_name(name: str, *, strict: bool = False) -> bool:
    """Whether what stands behind this name is likely a secret: ``X-Api-Key``, ``access_token``, ``clientSecret``.

    A bare ``key`` counts with `strict` only: it is a secret in a header or a URL, and mostly none in a JSON text.
    """
    words = [part.lower() for part in _PARTS.findall(name[:100])]
    if not words or "".join(words) in _HARMLESS:
        return False
    if _SECRET_WORDS.intersection(words) or "".join(words) in _SECRET_WORDS:
        return True
    if words[-1] != "key":
        return False
    return strict if len(words) == 1 else bool(_KEY_BEFORE.intersection(words[:-1])) or strict


def redact_headers(pairs: Iterable[tuple[str, str]], masked: list[str] | None = None) -> list[tuple[str, str]]:
    """Header pairs with secret values masked; an authorization scheme stays, URLs lose only what is secret in them.

    The names that gave a secret away are added to `masked`.
    """
    result = []
    for name, value in pairs:
        if is_secret_name(name, strict=True) and not _VARIABLE.fullmatch(value):
            scheme, space, rest = value.partition(" ")
            keeps_scheme = space and rest and scheme.isalpha() and "auth" in name.lower()
            result.append((name, f"{scheme} {MASK}" if keeps_scheme else MASK))
            _note(masked, name)
        else:
            result.append((name, _redacted(value, masked)))
    return result


def redact_form(pairs: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """The fields of a form or a query of OAuth with what is secret there masked, of which some have plain names."""
    return [
        (name, MASK if value and (name in _OF_OAUTH or is_secret_name(name)) and name not in _TYPES else value)
        for name, value in pairs
    ]


def redact_value(value: Any, name: str = "", masked: list[str] | None = None) -> Any:
    """A JSON-like value with secrets masked: members by name, header pairs, options of an argv, texts inside.

    The names that gave a secret away are added to `masked`.
    """
    if isinstance(value, dict):
        return {key: redact_value(item, str(key), masked) for key, item in value.items()}
    if isinstance(value, list | tuple):
        if value and all(_is_pair(item) for item in value):
            pairs = redact_headers([(str(item[0]), str(item[1])) for item in value], masked)
            return [list(pair) for pair in pairs]
        return _redact_arguments(list(value), masked)
    named = bool(name) and is_secret_name(name) and not (isinstance(value, str) and _VARIABLE.fullmatch(value))
    if named and isinstance(value, str | int | float) and not isinstance(value, bool):
        _note(masked, name)
        return MASK
    return _redacted(value, masked) if isinstance(value, str) else value


def redact_facts(facts: Mapping[str, Any], masked: list[str] | None = None) -> dict[str, Any]:
    """The facts of a record with secrets masked, as `redact_value` does it."""
    return {name: redact_value(value, name, masked) for name, value in facts.items()}


def redact_text(text: str) -> Redacted:
    """A text with secrets masked: JSON, also inside a JSON string, header lines, URLs, variables, options."""
    low = text.lower()
    # Rules share triggers: each is looked for once.
    present = [trigger for trigger in _TRIGGERS if trigger in low]
    found: list[Masked] = []
    for rule in _RULES if present else ():
        if not rule.triggers.isdisjoint(present):
            found += rule.find(text)
    found.sort(key=lambda place: (place.start, -place.stop))
    places: list[Masked] = []
    for place in found:
        if not places or place.start >= places[-1].stop:
            places.append(place)
        elif place.stop > places[-1].stop:
            places[-1] = Masked(places[-1].name, places[-1].start, place.stop)
    pieces: list[str] = []
    at = 0
    for place in places:
        pieces += (text[at : place.start], MASK)
        at = place.stop
    return Redacted("".join((*pieces, text[at:])), tuple(places))


@dataclass(frozen=True)
class _Rule:
    """Where a secret may stand: what comes before it, with the `name` that decides, and how far it goes.

    One of `triggers` must be in the lower-cased text for it to be worth a look. Names and values are two expressions,
    so that a name which is harmless costs no reading of the value: each runs in linear time over any text. `value` is
    None for JSON inside a JSON string, where the value ends at the same `quote` that began it.
    """

    triggers: frozenset[str]
    before: re.Pattern[str]
    value: re.Pattern[str] | None
    strict: bool = False

    def find(self, text: str) -> list[Masked]:
        found = []
        at = 0
        while (before := self.before.search(text, at)) is not None:
            start = stop = before.end()
            at = max(start, before.start() + 1)
            named = before.groupdict().get("name")
            if named is not None and not is_secret_name(named, strict=self.strict):
                continue
            if self.value is None:
                stop = _end_of_quoted(text, start, before["quote"])
            elif (value := self.value.match(text, start)) is not None:
                stop = value.end()
            if stop > start and not _VARIABLE.fullmatch(text, start, stop):
                found.append(Masked(named or "token", start, stop))
                at = stop
        return found


def _end_of_quoted(text: str, start: int, quote: str) -> int:
    """Where the next such quote is that is not part of one with more backslashes."""
    stop = text.find(quote, start)
    while stop > 0 and text[stop - 1] == "\\":
        stop = text.find(quote, stop + len(quote))
    return stop if stop >= 0 else len(text)


_NAME = r"(?P<name>[A-Za-z0-9_.$-]{1,100}+)"
_HEADER = r"[A-Za-z0-9-]{3,100}+"
_SCHEME = "(?:(?:Bearer|Basic|Token|Digest) )?"
_GAP = r"\s{0,20}+:\s{0,20}+"
_NAMED = frozenset(("token", "secret", "auth", "pass", "pwd", "cookie", "session", "credential", "jwt", "sig", "key"))
_KNOWN = frozenset(
    ("eyj", "sk-", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "xox", "akia", "aiza")
)
_RULES = (
    # "name": "value" or a number.
    _Rule(_NAMED, re.compile(f'"{_NAME}"{_GAP}"'), re.compile(r'(?:[^"\\]|\\.)*+', re.DOTALL)),
    _Rule(_NAMED, re.compile(f'"{_NAME}"{_GAP}(?=[-0-9])'), re.compile(r"[-+.\deE]++")),
    # The same inside a JSON string, where each quote has backslashes before it, at any depth.
    _Rule(_NAMED, re.compile(rf'(?<!\\)(?P<quote>\\{{1,64}}+"){_NAME}(?P=quote){_GAP}(?P=quote)'), None),
    # {'name': 'value'}, as Python prints it.
    _Rule(_NAMED, re.compile(f"'{_NAME}'{_GAP}'"), re.compile(r"(?:[^'\\]|\\.)*+", re.DOTALL)),
    # name: value at the start of a line or a string; further inside only what looks like a header, because
    # "unexpected token: …" is no secret.
    _Rule(_NAMED, re.compile(rf"(?<![^\r\n'\"]){_NAME}:[ \t]++{_SCHEME}"), re.compile(r"[^\r\n\"']++"), strict=True),
    _Rule(
        _NAMED,
        re.compile(rf"(?<=[ \t])(?P<name>Authorization|Cookie|(?=\w+-){_HEADER}):[ \t]++{_SCHEME}", re.IGNORECASE),
        re.compile(r"[^\r\n\"']++"),
        strict=True,
    ),
    # ?name=value, &name=value, NAME=value, --name=value, and --name value
    _Rule(_NAMED, re.compile(rf"(?<![^\s?&#;,'\"(-]){_NAME}="), re.compile(r"[^\s&#;,'\"<>)]++"), strict=True),
    _Rule(_NAMED, re.compile(rf"(?<!\S)--?{_NAME}[ \t]++(?=[^\s'\"-])"), re.compile(r"[^\s'\"]++"), strict=True),
    _Rule(
        frozenset(("bearer", "basic")),
        re.compile(r"\b(?:[Bb]earer|[Bb]asic)[ \t]++"),
        # a challenge has parameters where a header has its token
        re.compile(
            r"(?!(?:resource_metadata|realm|scope|error|error_description|error_uri)\s*=)[A-Za-z0-9._~+/-]{8,}+=*+"
        ),
    ),
    _Rule(frozenset("@"), re.compile(r"://[^\s/:@]{0,200}+:(?=[^\s/@]{1,500}+@)"), re.compile(r"[^\s/@]++")),
    _Rule(_KNOWN, re.compile(r"\b(?=eyJ)"), re.compile(r"[\w-]{11,}+\.[\w-]{8,}+\.[\w-]*+")),
    _Rule(
        _KNOWN,
        re.compile(r"\b(?=sk-|gh[pousr]_|github_pat_|glpat-|xox[abeprs]-|AKIA|AIza)"),
        re.compile(r"[\w-]{16,}+"),
    ),
)
_TRIGGERS = tuple(sorted({trigger for rule in _RULES for trigger in rule.triggers}))


def _is_pair(item: object) -> bool:
    return isinstance(item, list | tuple) and len(item) == 2 and all(isinstance(part, str) for part in item)


def _redact_arguments(items: list[Any], masked: list[str] | None) -> list[Any]:
    """A list, in which the item behind a secret option such as ``--token`` is masked."""
    result = []
    option = ""
    for item in items:
        is_option = isinstance(item, str) and item.startswith("-")
        if option and isinstance(item, str) and not is_option and not _VARIABLE.fullmatch(item):
            _note(masked, option)
            result.append(MASK)
        else:
            result.append(redact_value(item, masked=masked))
        option = item if is_option and "=" not in item and is_secret_name(item, strict=True) else ""
    return result


def _redacted(text: str, masked: list[str] | None) -> str:
    done = redact_text(text)
    for place in done.masked:
        _note(masked, place.name)
    return done.text


def _note(masked: list[str] | None, name: str) -> None:
    if masked is not None:
        masked.append(name.lstrip("-"))
