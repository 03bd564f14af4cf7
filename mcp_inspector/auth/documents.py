"""Metadata documents and registrations, read tolerantly; what lacks a mandatory member is none. Pure."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, TypeVar

_MOST = 50
"""The most authorization servers that are looked at."""
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ResourceMetadata:
    """RFC 9728. `resource` is empty where the document, against the standard, names none."""

    resource: str
    servers: tuple[str, ...]
    scopes: tuple[str, ...] = ()
    dpop_required: bool = False
    more: int = 0


@dataclass(frozen=True, slots=True)
class ServerMetadata:
    """RFC 8414 or OpenID. None where a list is missing: that means something else than an empty one."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    registration_endpoint: str = ""
    revocation_endpoint: str = ""
    scopes: tuple[str, ...] = ()
    challenge_methods: tuple[str, ...] | None = None
    token_auth: tuple[str, ...] | None = None
    signing: tuple[str, ...] = ()
    grants: tuple[str, ...] | None = None
    dpop: tuple[str, ...] = ()
    metadata_documents: bool = False
    iss_parameter: bool = False


def resource_metadata(body: bytes) -> ResourceMetadata | None:
    """Read a protected resource's metadata; None when this is none."""
    value = _object(body)
    servers = _texts(value.get("authorization_servers")) or ()
    if not servers:
        return None
    return ResourceMetadata(
        _text(value, "resource"),
        servers[:_MOST],
        _texts(value.get("scopes_supported")) or (),
        value.get("dpop_bound_access_tokens_required") is True,
        max(0, len(servers) - _MOST),
    )


def server_metadata(body: bytes) -> ServerMetadata | None:
    """Read an authorization server's metadata; None when this is none.

    Without an authorization endpoint it is one all the same if it has a token endpoint and says that it does not do
    authorization codes.
    """
    value = _object(body)
    issuer, token = _text(value, "issuer"), _text(value, "token_endpoint")
    authorization = _text(value, "authorization_endpoint")
    grants = _texts(value.get("grant_types_supported"))
    if not issuer or not token or (not authorization and (grants is None or "authorization_code" in grants)):
        return None
    return ServerMetadata(
        issuer,
        authorization,
        token,
        _text(value, "registration_endpoint"),
        _text(value, "revocation_endpoint"),
        _texts(value.get("scopes_supported")) or (),
        _texts(value.get("code_challenge_methods_supported")),
        _texts(value.get("token_endpoint_auth_methods_supported")),
        _texts(value.get("token_endpoint_auth_signing_alg_values_supported")) or (),
        grants,
        _texts(value.get("dpop_signing_alg_values_supported")) or (),
        value.get("client_id_metadata_document_supported") is True,
        value.get("authorization_response_iss_parameter_supported") is True,
    )


def json_object(body: bytes) -> dict[str, Any]:
    """A JSON object, empty when it is none."""
    return _object(body)


def _object(body: bytes) -> dict[str, Any]:
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _text(value: dict[str, Any], name: str) -> str:
    found = value.get(name)
    return found if isinstance(found, str) else ""


def _texts(value: Any) -> tuple[str, ...] | None:
    if not isinstance(value, list):
        return None
    return tuple(item for item in value if isinstance(item, str) and item)
