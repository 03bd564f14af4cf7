"""WWW-Authenticate, read as RFC 9110 §11.6.1 means it and as servers write it. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_TOKEN = r"[!#$%&'*+.^_`|~0-9A-Za-z-]+"
_SCHEME = re.compile(rf"({_TOKEN})(?=[ \t,]|$)[ \t]*")
_PARAM = re.compile(rf"({_TOKEN})[ \t]*=[ \t]*(?:\"((?:[^\"\\]|\\.)*)\"?|'([^']*)'|([^,\s]*))", re.DOTALL)
_TOKEN68 = re.compile(r"[A-Za-z0-9._~+/-]+=*(?=[ \t]*(?:,|$))")
_GAP = re.compile(r"[ \t\r\n,]*")
_MOST = 64 * 1024


@dataclass(frozen=True, slots=True)
class Challenge:
    """One challenge: the scheme in lower case, and its parameters in order; a name may come more than once."""

    scheme: str
    params: tuple[tuple[str, str], ...] = ()

    def all(self, name: str) -> tuple[str, ...]:
        """The values of a parameter, by name without regard to case."""
        return tuple(value for key, value in self.params if key == name)

    def get(self, name: str) -> str:
        """The first value of a parameter, empty without one."""
        return next(iter(self.all(name)), "")

    @property
    def is_token(self) -> bool:
        """Whether it asks for an OAuth token."""
        return self.scheme in ("bearer", "dpop")


def parse(values: Iterable[str]) -> tuple[Challenge, ...]:
    """All challenges of all header lines. What cannot be read ends its line; nothing raises."""
    found: list[Challenge] = []
    for value in values:
        found += _line(value[:_MOST])
    return tuple(found)


def about_tokens(challenges: Iterable[Challenge]) -> tuple[Challenge, ...]:
    """Those that ask for an OAuth token."""
    return tuple(each for each in challenges if each.is_token)


def first(challenges: Iterable[Challenge], name: str) -> str:
    """The first value of a parameter among challenges that ask for a token."""
    return next((value for each in about_tokens(challenges) if (value := each.get(name))), "")


def _line(text: str) -> list[Challenge]:
    found: list[Challenge] = []
    at = _skip(text, 0)
    while at < len(text):
        param = _PARAM.match(text, at)
        scheme = None if param else _SCHEME.match(text, at)
        if param is not None and found:
            last = found[-1]
            found[-1] = Challenge(last.scheme, (*last.params, (param[1].lower(), _value(param))))
            at = _skip(text, param.end())
        elif scheme is not None:
            found.append(Challenge(scheme[1].lower()))
            at = scheme.end()
            credentials = None if _PARAM.match(text, at) else _TOKEN68.match(text, at)
            if credentials is not None and text[at - 1 : at] in " \t":
                at = credentials.end()
            at = _skip(text, at)
        else:
            break
    return found


def _skip(text: str, at: int) -> int:
    gap = _GAP.match(text, at)
    return gap.end() if gap else at


def _value(param: re.Match[str]) -> str:
    if param[2] is not None:
        return re.sub(r"\\(.)", r"\1", param[2], flags=re.DOTALL)
    return param[3] if param[3] is not None else param[4]
