"""How the person wants to sign in at a server: the ``auth`` member of its entry (``oauth`` is read, too).

Everything may be left out: then it is found out from the server. What is given wins over what a server says.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Final

GRANTS: Final = ("authorization_code", "client_credentials", "jwt_bearer", "enterprise")
"""How a token is got: a person signs in; the client's own credentials; a workload's assertion; a company's identity
provider."""

TOKEN_AUTH: Final = ("none", "client_secret_basic", "client_secret_post", "private_key_jwt")
DPOP: Final = ("auto", "always", "never")


@dataclass(frozen=True, slots=True)
class AuthOptions:
    """What is set for one server. Empty means: find it out.

    `client_id`, `client_secret` and `token_auth` are of a client that was registered by hand; `private_key` (PEM text,
    or the path of a PEM file) with `algorithm` and `key_id` is for private_key_jwt. `client_metadata_url` is the https
    URL of a Client ID Metadata Document. `redirect_uri` is a loopback URI; without a port a free one is used. `issuer`
    chooses the authorization server, the three endpoints and `resource` overrule what was discovered. `scopes` overrule
    the choice of scopes. `extra` goes into the authorization request. `assertion` is a workload's JWT. The `idp_*` are
    of a company's identity provider. `without_pkce` goes on where PKCE is not announced, `private_network` lets a
    public server's metadata name addresses of the private network.
    """

    grant: str = "authorization_code"
    client_id: str = ""
    client_secret: str = field(default="", repr=False)
    token_auth: str = ""
    private_key: str = field(default="", repr=False)
    algorithm: str = "ES256"
    key_id: str = ""
    client_metadata_url: str = ""
    redirect_uri: str = "http://127.0.0.1/callback"
    issuer: str = ""
    resource: str = ""
    scopes: tuple[str, ...] = ()
    authorization_endpoint: str = ""
    token_endpoint: str = ""
    registration_endpoint: str = ""
    extra: Mapping[str, str] = field(default_factory=dict)
    dpop: str = "auto"
    assertion: str = field(default="", repr=False)
    idp_issuer: str = ""
    idp_token_endpoint: str = ""
    idp_client_id: str = ""
    idp_client_secret: str = field(default="", repr=False)
    idp_id_token: str = field(default="", repr=False)
    without_pkce: bool = False
    private_network: bool = False

    @property
    def by_machine(self) -> bool:
        """Whether a token can be got without a person and a browser."""
        return self.grant != "authorization_code"

    def filled(self, fill: Callable[[str, str], str]) -> AuthOptions:
        """The same with variables filled in: `fill` gets a text and the name of its member."""
        texts: dict[str, Any] = {
            option.name: fill(value, f"auth.{member_of(option.name)}")
            for option in fields(self)
            if isinstance(value := getattr(self, option.name), str)
        }
        extra = {name: fill(value, f"auth.extra.{name}") for name, value in self.extra.items()}
        scopes = tuple(fill(scope, "auth.scopes") for scope in self.scopes)
        return replace(self, **texts, extra=extra, scopes=scopes)


_OWN_NAMES = {"without_pkce": "allowWithoutPkce", "private_network": "allowPrivateNetwork"}
_CHOICES = {"grant": GRANTS, "token_auth": ("", *TOKEN_AUTH), "dpop": DPOP}


def member_of(name: str) -> str:
    """The member of a file that an option stands in: ``client_id`` is ``clientId``."""
    if name in _OWN_NAMES:
        return _OWN_NAMES[name]
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def read(value: Any, note: Callable[[str, str], object]) -> AuthOptions:
    """Read the member's plain value; `note` is told what is odd and what to do. What is odd is not used."""
    if not isinstance(value, Mapping):
        note('"auth" is not an object and is not used', 'Write {"clientId": "…"}, or leave it out.')
        return AuthOptions()
    found: dict[str, Any] = {}
    for option in fields(AuthOptions):
        member = member_of(option.name)
        given = value.get(member)
        if given is None:
            continue
        read_value = _read(option.name, given)
        if read_value is None:
            note(f'in "auth", "{member}" is not what it should be and is not used', _should_be(option.name))
        else:
            found[option.name] = read_value
    port = value.get("callbackPort")
    if port is not None and "redirect_uri" not in found and str(port).isdecimal() and 0 < int(str(port)) < 65536:
        found["redirect_uri"] = f"http://localhost:{port}/callback"
    return AuthOptions(**found)


def members(options: AuthOptions) -> dict[str, Any]:
    """What differs from the defaults, as it is written into a file."""
    found: dict[str, Any] = {}
    plain = AuthOptions()
    for option in fields(options):
        value = getattr(options, option.name)
        if value != getattr(plain, option.name):
            value = list(value) if isinstance(value, tuple) else dict(value) if isinstance(value, Mapping) else value
            found[member_of(option.name)] = value
    return found


def _read(name: str, given: Any) -> Any:
    if name == "scopes":
        words = given.split() if isinstance(given, str) else given
        texts = isinstance(words, list) and all(isinstance(word, str) and word for word in words)
        return tuple(str(word) for word in words) if texts else None
    if name == "extra":
        texts = isinstance(given, Mapping) and all(isinstance(item, str) for item in given.values())
        return {str(key): str(item) for key, item in given.items()} if texts else None
    if name in ("without_pkce", "private_network"):
        return given if isinstance(given, bool) else None
    if not isinstance(given, str):
        return None
    return str(given) if given in _CHOICES.get(name, (given,)) else None


def _should_be(name: str) -> str:
    if name in _CHOICES:
        return f"Write one of {', '.join(filter(None, _CHOICES[name]))}."
    if name == "scopes":
        return 'Write ["read", "write"], or "read write".'
    if name == "extra":
        return 'Write {"audience": "…"}: texts only.'
    return "Write true or false." if name in ("without_pkce", "private_network") else "Write a text."
