"""What is kept of sign-ins between two runs, in the vault: one item for each server, one for each registration.

A server's item is good for its URL and its options only: with another URL, client or issuer it is dropped unread.
A registration belongs to the issuer that gave it. The vault may ask the person, so it is used beside the loop.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mcp_inspector.auth.identity import Client
from mcp_inspector.auth.tokens import Token

if TYPE_CHECKING:
    from mcp_inspector.config.auth_options import AuthOptions
    from mcp_inspector.config.vault import Vault


@dataclass(frozen=True, slots=True)
class SignedIn:
    """A token with the client that it was given to, and where it is refreshed and revoked."""

    token: Token
    client: Client
    token_endpoint: str
    revocation_endpoint: str = ""
    number: str = ""
    """Names this sign-in among others, without being a secret; a refresh leaves it as it is."""


class Keep:
    """Sign-ins by server name, registrations by issuer."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault

    async def place(self) -> str:
        """Where things are kept, in words that follow "It is kept"."""
        return await asyncio.to_thread(self._vault.place)

    async def sign_in(self, name: str, url: str, options: AuthOptions) -> SignedIn | None:
        """What was kept for a server; what was kept for another URL or with other options is dropped."""
        item = f"sign-in:{name}"
        value = await self._read(item)
        if value is None:
            return None
        token, client = Token.restored(value.get("token")), Client.restored(value.get("client"))
        if token is None or client is None or value.get("for") != _digest(url, options) or token.server != url:
            await self._write(item, None)
            return None
        rest = [str(value.get(name, "")) for name in ("token_endpoint", "revocation_endpoint", "number")]
        return SignedIn(token, client, *rest)

    async def put_sign_in(self, name: str, url: str, options: AuthOptions, signed: SignedIn | None) -> None:
        """Keep what a server's sign-in brought; None forgets it."""
        value = None
        if signed is not None:
            value = {
                "for": _digest(url, options),
                "token": signed.token.kept(),
                "client": signed.client.kept(),
                "token_endpoint": signed.token_endpoint,
                "revocation_endpoint": signed.revocation_endpoint,
                "number": signed.number,
            }
        await self._write(f"sign-in:{name}", value)

    async def forget(self, name: str, client_id: str, server: str) -> None:
        """A server is gone: its tokens, and which issuer its own client belongs to."""
        await self._write(f"sign-in:{name}", None)
        if client_id:
            await self.bind(client_id, server, "")

    async def rename(self, old: str, new: str) -> None:
        """A server has another name now."""
        value = await self._read(f"sign-in:{old}")
        if value is not None:
            await self._write(f"sign-in:{new}", value)
            await self._write(f"sign-in:{old}", None)

    async def client(self, issuer: str) -> Client | None:
        """Our registration at an issuer, unless its secret has expired."""
        client = Client.restored(await self._read(f"client:{issuer}"))
        if client is None or client.issuer != issuer or (client.expires and client.expires < time.time()):
            return None
        return client

    async def put_client(self, issuer: str, client: Client | None) -> None:
        """Keep a registration; None forgets it."""
        await self._write(f"client:{issuer}", client.kept() if client is not None else None)

    async def bound(self, client_id: str, server: str) -> str:
        """The issuer that a client registered by hand was used with for a server; empty for none."""
        value = await self._read(f"bound:{client_id}:{server}")
        return str(value.get("issuer", "")) if value else ""

    async def bind(self, client_id: str, server: str, issuer: str) -> None:
        """Remember it; an empty issuer forgets it."""
        await self._write(f"bound:{client_id}:{server}", {"issuer": issuer} if issuer else None)

    async def _read(self, item: str) -> dict[str, Any] | None:
        text = await asyncio.to_thread(self._vault.get, item)
        try:
            value = json.loads(text) if text else None
        except ValueError:
            return None
        return value if isinstance(value, dict) else None

    async def _write(self, item: str, value: dict[str, Any] | None) -> None:
        text = json.dumps(value) if value is not None else ""
        await asyncio.to_thread(self._vault.put, item, text)


def _digest(url: str, options: AuthOptions) -> str:
    """Names a server and an identity: what makes a sign-in another's when it changes."""
    identity = [url, options.grant, options.client_id, options.client_metadata_url, options.issuer, options.resource]
    return hashlib.sha256(json.dumps([*identity, options.token_endpoint]).encode()).hexdigest()
