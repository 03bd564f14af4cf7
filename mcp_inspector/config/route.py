"""How the connections of a server by URL are made: TLS and proxy, the ``tls`` and ``proxy`` members of its entry."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

_MEMBERS = {"ca": "ca", "cert": "cert", "key": "key", "key_password": "keyPassword", "pin": "pin"}
_PIN = re.compile(r"(?:sha256:)?([0-9a-f]{64})\Z")


@dataclass(frozen=True, slots=True)
class Route:
    """Empty is the usual: the system's roots, no client certificate, the proxy of the environment.

    `ca` is a PEM file of roots that count beside the system's; `cert` and `key` are PEM files of a client certificate,
    `key_password` its key's. `pin` is the SHA-256 fingerprint (64 hexadecimal digits) of the one certificate that is
    taken whatever is wrong with it; it is off unless somebody sets it. `proxy` is a URL, or ``none``.
    """

    ca: str = ""
    cert: str = ""
    key: str = ""
    key_password: str = field(default="", repr=False)
    pin: str = ""
    proxy: str = ""

    @property
    def words(self) -> tuple[str, ...]:
        """What is not as usual, in words."""
        said = [f"roots of {self.ca} beside the system's"] if self.ca else []
        said += [f"client certificate {self.cert}"] if self.cert else []
        said += [f"ONLY the certificate {self.pin[:16]}… is taken, unchecked"] if self.pin else []
        return tuple(said)

    def filled(self, fill: Callable[[str, str], str]) -> Route:
        """The same with variables filled in: `fill` gets a text and the name of its member."""
        texts = {
            option.name: fill(getattr(self, option.name), member_of(option.name).replace("tls.", "tls "))
            for option in fields(self)
        }
        return replace(self, **texts)


def member_of(name: str) -> str:
    """Where an option stands in a file: ``tls.keyPassword``, ``proxy``."""
    return f"tls.{_MEMBERS[name]}" if name in _MEMBERS else name


def fingerprint(text: str) -> str:
    """A fingerprint as 64 small hexadecimal digits, however it is written; empty when it is none."""
    match = _PIN.match(re.sub(r"[\s:]", "", text.strip().lower().removeprefix("sha256:")))
    return match[1] if match else ""


def read(tls: Any, proxy: Any, note: Callable[[str, str], object]) -> Route:
    """Read both members; `note` is told what is odd and what to do. What is odd is not used."""
    found: dict[str, str] = {}
    if tls is not None and not isinstance(tls, Mapping):
        note('"tls" is not an object and is not used', 'Write {"ca": "/path/to/roots.pem"}.')
        tls = None
    for name, member in _MEMBERS.items() if tls else ():
        value = tls.get(member)
        if value is None:
            continue
        if not isinstance(value, str):
            note(f'in "tls", "{member}" is not a text and is not used', "Write a text.")
        elif name == "pin" and not fingerprint(value) and "${" not in value:
            note('in "tls", "pin" is no SHA-256 fingerprint and is not used', "Write its 64 hexadecimal digits.")
        else:
            found[name] = fingerprint(value) or str(value) if name == "pin" else str(value)
    if isinstance(proxy, str) and proxy:
        if proxy == "none" or proxy.startswith(("http://", "https://", "${")):
            found["proxy"] = str(proxy)
        else:
            note('"proxy" is no http URL and is not used', "Write http://host:port, or none.")
    elif proxy is not None and proxy != "":
        note('"proxy" is not a text and is not used', "Write http://host:port, or none.")
    return Route(**found)


def members(route: Route) -> dict[str, Any]:
    """What is set, as it is written into a file."""
    tls = {member: value for name, member in _MEMBERS.items() if (value := getattr(route, name))}
    return {**({"tls": tls} if tls else {}), **({"proxy": route.proxy} if route.proxy else {})}
