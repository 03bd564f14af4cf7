"""Signing, and reading what was signed, by PyJWT.

PyJWT and not another library: the official SDK of the demo and test servers brings it already, so that one library less
is installed, and it does the whole of what is needed here: RFC 7523 assertions, RFC 9449 proofs, and reading a token
without checking it. Imported when first used.
"""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from mcp_inspector.transport.base import Fault, FaultKind

if TYPE_CHECKING:
    from collections.abc import Mapping

PROOF_ALGORITHM = "ES256"
_LIFETIME = 300


def base64url(data: bytes) -> str:
    """Base64url without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def assertion(client_id: str, audience: str, private_key: str, algorithm: str, key_id: str = "") -> str:
    """A client's assertion for private_key_jwt (RFC 7523 §3). Raises `Fault` for a key that cannot be used."""
    import jwt

    now = int(time.time())
    claims = {
        "iss": client_id,
        "sub": client_id,
        "aud": audience,
        "iat": now,
        "exp": now + _LIFETIME,
        "jti": secrets.token_urlsafe(24),
    }
    try:
        return jwt.encode(claims, _pem(private_key), algorithm, headers={"kid": key_id} if key_id else None)
    except (jwt.PyJWTError, ValueError, TypeError, NotImplementedError, OSError) as error:
        sentence = f"The private key of the client cannot sign with {algorithm[:40]}: {str(error)[:200]}"
        raise Fault(FaultKind.USAGE, sentence, "Give it as PEM text or as a PEM file, with its algorithm.") from error


def new_key() -> str:
    """A new P-256 key for proofs, as PEM."""
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    encoding, shape = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
    return key.private_bytes(encoding, shape, serialization.NoEncryption()).decode()


def proof(key: str, method: str, url: str, *, token: str = "", nonce: str = "") -> str:
    """A DPoP proof for one request (RFC 9449 §4.2); `token` is the access token that goes with it."""
    import jwt

    parts = urlsplit(url)
    claims: dict[str, Any] = {
        "jti": secrets.token_urlsafe(24),
        "htm": method,
        "htu": f"{parts.scheme}://{parts.netloc}{parts.path}",
        "iat": int(time.time()),
    }
    if token:
        claims["ath"] = base64url(hashlib.sha256(token.encode()).digest())
    if nonce:
        claims["nonce"] = nonce
    return jwt.encode(claims, key, PROOF_ALGORITHM, headers={"typ": "dpop+jwt", "jwk": _public(key)})


def thumbprint(key: str) -> str:
    """The RFC 7638 thumbprint of a proof key, which an authorization request binds its code to."""
    public = _public(key)
    text = json.dumps({name: public[name] for name in ("crv", "kty", "x", "y")}, separators=(",", ":"), sort_keys=True)
    return base64url(hashlib.sha256(text.encode()).digest())


def opened(token: str) -> tuple[Mapping[str, Any], Mapping[str, Any]] | None:
    """Header and claims of a JWT, read here and not checked; None when it is none."""
    import jwt

    try:
        whole = jwt.decode_complete(token, options={"verify_signature": False})
    except (jwt.PyJWTError, ValueError, RecursionError):
        return None
    payload = whole["payload"]
    return (whole["header"], payload) if isinstance(payload, dict) else None


def _pem(text: str) -> str:
    """A key as it stands, or out of the file that is named."""
    return text if "-----BEGIN" in text else Path(text).expanduser().read_text("utf-8")


def _public(key: str) -> dict[str, Any]:
    from cryptography.hazmat.primitives import serialization
    from jwt.algorithms import ECAlgorithm

    private = serialization.load_pem_private_key(key.encode(), None)
    public: dict[str, Any] = json.loads(ECAlgorithm.to_jwk(private.public_key()))  # type: ignore[arg-type] # ours is EC
    return public
