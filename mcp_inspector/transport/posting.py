"""One question to an endpoint that the person configured, beside MCP: a body is posted, a body comes back.

A model and its embeddings are asked this way. What is said to them is recorded only where somebody wants the notes, and
the key is in none of them.
"""

from __future__ import annotations

import asyncio
import importlib
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import msgspec

from mcp_inspector.transport import urls
from mcp_inspector.transport.base import Fault, FaultKind, NoteKind
from mcp_inspector.transport.limits import Limits

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcp_inspector.transport.base import HttpHead, Note
    from mcp_inspector.transport.urls import Target

STREAM = "model"
"""What the notes of these exchanges say under `stream`: they are no MCP and are not judged as such."""

LARGEST = 16 * 1024 * 1024
_SHORTEST_KEY = 4
_MASK = "•••"


class Post:
    """Posts JSON to one address. `who` begins the sentences of its faults ("The model"), `timeout` is in seconds.

    `key_header` carries the key; "Authorization" makes a bearer token of it. `largest` is the most bytes of an answer.
    With `note` every exchange is told with its bodies, the answer's when it has come in whole.
    """

    def __init__(
        self,
        url: str,
        who: str,
        key: str = "",
        *,
        key_header: str = "Authorization",
        headers: tuple[tuple[str, str], ...] = (),
        timeout: float = 120,
        largest: int = LARGEST,
        note: Callable[[Note], object] | None = None,
    ) -> None:
        self.target = urls.parse(url)
        self._who = f"{who} at {self.target.authority}"
        self._key = key.strip()
        proof = f"Bearer {self._key}" if key_header == "Authorization" else self._key
        self._proof = _Key(self.target.origin, [(key_header, proof)] if self._key else [])
        self._headers = [("Content-Type", "application/json"), ("Accept", "application/json"), *headers]
        self._timeout, self._largest, self._note = timeout, largest, note
        self._body = b""
        self._answer: Note | None = None
        self._client: Any = None

    async def send(self, body: bytes, key: int = 1) -> bytes:
        """The answer's body; `key` names the exchange in the notes. Raises `Fault`, without the key in it."""
        if self._client is None:
            loop = asyncio.get_running_loop()
            http = await loop.run_in_executor(None, importlib.import_module, "mcp_inspector.transport.http")
            self._client = http.HttpClient(self.target, [], Limits(), self._noted, credentials=self._proof)
        self._body, raw, more = body, b"", False
        try:
            async with asyncio.timeout(self._timeout):
                reply = await self._client.request("POST", self.target, self._headers, body, stream=STREAM, key=key)
                try:
                    raw, more = (reply.shown, False) if reply.head.status >= 300 else await reply.body(self._largest)
                finally:
                    await reply.close()
        except TimeoutError:
            sentence = f"{self._who} did not answer within {self._timeout:g} s."
            raise Fault(FaultKind.TIMEOUT, sentence) from None
        finally:
            self._tell_answer(raw)
        if reply.head.status >= 300:
            said = self._masked(said_by(raw).encode()).decode()
            sentence = f"{self._who} answered with HTTP {reply.head.status}: {said}"
            raise Fault(FaultKind.HTTP_STATUS, sentence, "Look at the address, the name of the model and the key.")
        if more:
            raise Fault(FaultKind.TOO_LARGE, f"The answer of {self._who} is over {self._largest >> 20} MiB.")
        return bytes(raw)

    async def close(self) -> None:
        """Close the connection."""
        if self._client is not None:
            await self._client.close()

    def _noted(self, note: Note) -> None:
        if self._note is None:
            return
        if note.kind is NoteKind.HTTP_RESPONSE:
            self._answer = note
        else:
            self._note(replace(note, data=self._masked(self._body)))

    def _tell_answer(self, raw: bytes) -> None:
        note, self._answer = self._answer, None
        if note is not None and self._note is not None:
            self._note(replace(note, data=self._masked(bytes(raw))))

    def _masked(self, data: bytes) -> bytes:
        """Some endpoints repeat the key that they refuse."""
        return data.replace(self._key.encode(), _MASK.encode()) if len(self._key) >= _SHORTEST_KEY else data


class _Key:
    """The key as `Credentials`: so it is sent to this origin only, and masked in what is noted."""

    def __init__(self, origin: tuple[str, str, int], proof: list[tuple[str, str]]) -> None:
        self._origin, self._proof = origin, proof

    async def headers(self, method: str, target: Target) -> list[tuple[str, str]]:
        """The one header, for the configured origin."""
        return self._proof if target.origin == self._origin else []

    def answered(self, target: Target, head: HttpHead, sent: list[tuple[str, str]]) -> None:
        """Nothing is learned from an answer."""

    async def refused(
        self, method: str, target: Target, head: HttpHead, sent: list[tuple[str, str]], tried: int
    ) -> bool:
        """There is one key: another try would end the same."""
        return False


def said_by(raw: bytes, most: int = 600) -> str:
    """What an endpoint says in a refusal: its `error.message`, else the beginning of the body, `most` characters."""
    try:
        value = msgspec.json.decode(raw)
    except (msgspec.MsgspecError, RecursionError):
        value = None
    error = value.get("error") if isinstance(value, dict) else None
    if isinstance(error, dict) and isinstance(error.get("message"), str):
        return str(error["message"])[:most]
    return bytes(raw[:most]).decode(errors="replace").strip() or "(empty)"
