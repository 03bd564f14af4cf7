"""What the HTTP client asks of whoever signs in: headers for a request, and whether a refusal is worth another try."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    from mcp_inspector.transport.base import HttpHead
    from mcp_inspector.transport.urls import Target

TRIES = 5
"""The most times that one request is sent, whatever the credentials say."""


class Credentials(Protocol):
    """Tokens for one server. Called for every request, the GET stream and the DELETE too."""

    async def headers(self, method: str, target: Target) -> list[tuple[str, str]]:
        """The headers that prove who we are to this very address; empty for any other origin. They are not recorded."""

    def answered(self, target: Target, head: HttpHead, sent: list[tuple[str, str]]) -> None:
        """Some response has come for a request with the headers `sent`; it may carry a nonce for the next one."""

    async def refused(
        self, method: str, target: Target, head: HttpHead, sent: list[tuple[str, str]], tried: int
    ) -> bool:
        """A 401 or 403 came for a request with the headers `sent`, which was `tried` times before.

        True sends it once more, with headers asked for anew.
        """


@runtime_checkable
class TakesCredentials(Protocol):
    """A transport that can sign in; what is set before it is opened counts."""

    credentials: Credentials | None
