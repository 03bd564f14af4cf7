"""One running call of a tool: its arguments, and all that it may say to the client and ask of it, in either era."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import secrets
from typing import TYPE_CHECKING, Any

from mcp.shared.exceptions import MCPError
from mcp.shared.message import ServerMessageMetadata
from mcp_types import (
    CreateMessageRequest,
    CreateMessageResult,
    CreateMessageResultWithTools,
    ElicitRequest,
    ElicitResult,
    ListRootsRequest,
    ListRootsResult,
)
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mcp.server.context import ServerRequestContext
    from mcp.server.session import ServerSession
    from pydantic import BaseModel

    from .parts import Json
    from .state import State

LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")
ANSWER_LIMIT_S = 600.0
"""How long a person may take to answer a question of a legacy connection."""

MISSING_CLIENT_CAPABILITY = -32021
INVALID_PARAMS = -32602


class NeedsInput(Exception):
    """The tool has asked something that is not answered yet: the modern era's result says so, and the call ends."""

    def __init__(self, requests: Json, state: str) -> None:
        super().__init__("input required")
        self.requests = requests
        self.state = state


class Call:
    """What a tool's function gets.

    In the legacy era `ask` sends a request and waits for its response. In the modern one the call ends and is made
    again with the answer, so a tool must not do anything lasting before its last question is answered.
    """

    def __init__(
        self,
        context: ServerRequestContext[Any, Any],
        arguments: Json,
        state: State,
        params: Mapping[str, Any],
        schema: Json,
    ) -> None:
        self.context = context
        self.arguments = arguments
        self._members = schema.get("properties", {})
        self.state = state
        self._answers = _unseal(state.key, params.get("requestState"))
        self._answers |= params.get("inputResponses") or {}

    def __getitem__(self, name: str) -> Any:
        """An argument; 3.0 is a whole number, too, and comes as 3 where one is asked for."""
        value = self.arguments[name]
        whole = self._members.get(name, {}).get("type") == "integer"
        return int(value) if whole and isinstance(value, float) else value

    @property
    def modern(self) -> bool:
        """Whether this call came without a session, as of 2026-07-28."""
        return self.context.protocol_version in MODERN_PROTOCOL_VERSIONS

    @property
    def session(self) -> ServerSession:
        """The SDK's way back to the client."""
        return self.context.session

    def client_has(self, *path: str) -> bool:
        """Whether the client declares a capability, by path: ``elicitation``, ``url``."""
        return declares(self.session.client_capabilities, *path)

    async def progress(self, done: float, total: float | None = None, message: str | None = None) -> None:
        """Report progress; nothing is sent when the client gave no token."""
        await self.session.report_progress(done, total, message)

    async def log(self, level: str, data: Any, logger: str = "demo") -> None:
        """Send a log message, if the client wants this level."""
        if not self.modern and LEVELS.index(level) < LEVELS.index(self.state.level_of(self.context)):
            return
        await self.session.send_log_message(
            level,  # type: ignore[arg-type]  # one of LEVELS, which is the SDK's literal
            data,
            logger,
            related_request_id=self.context.request_id,
        )

    async def elicit(self, key: str, message: str, properties: Json, required: tuple[str, ...] = ()) -> Json:
        """Ask the person to fill a form; returns the ElicitResult."""
        schema: Json = {"type": "object", "properties": properties}
        schema |= {"required": list(required)} if required else {}
        params = {"mode": "form", "message": message, "requestedSchema": schema}
        return await self._ask(key, {"method": "elicitation/create", "params": params}, "elicitation")

    async def elicit_url(self, key: str, message: str, url: str, identifier: str) -> Json:
        """Ask the person to open a page; returns the ElicitResult, in which accept only means consent."""
        params = {"mode": "url", "message": message, "url": url}
        if not self.modern:
            params["elicitationId"] = identifier
        return await self._ask(key, {"method": "elicitation/create", "params": params}, "elicitation", "url")

    async def sample(self, key: str, params: Json) -> Json:
        """Ask the client's model; returns the CreateMessageResult."""
        return await self._ask(key, {"method": "sampling/createMessage", "params": params}, "sampling")

    async def roots(self, key: str = "roots") -> list[Json]:
        """Ask for the client's roots."""
        answer = await self._ask(key, {"method": "roots/list"}, "roots")
        roots: list[Json] = answer["roots"]
        return roots

    async def _ask(self, key: str, request: Json, *capability: str) -> Json:
        if not self.client_has(*capability):
            needed: Json = {}
            for step in reversed(capability):
                needed = {step: needed}
            sentence = f"This tool asks the client, which has not declared the capability {'.'.join(capability)}."
            if self.modern:
                raise MCPError(MISSING_CLIENT_CAPABILITY, sentence, {"requiredCapabilities": needed})
            raise LookupError(sentence)
        if self.modern:
            if key not in self._answers:
                raise NeedsInput({key: request}, _seal(self.state.key, self._answers))
            answer: Json = self._answers[key]
            return answer
        return await self._request(request)

    async def _request(self, request: Json) -> Json:
        sampled = CreateMessageResultWithTools if "tools" in request.get("params", {}) else CreateMessageResult
        kinds: dict[str, tuple[type[ElicitRequest | CreateMessageRequest | ListRootsRequest], type[BaseModel]]] = {
            "elicitation/create": (ElicitRequest, ElicitResult),
            "sampling/createMessage": (CreateMessageRequest, sampled),
            "roots/list": (ListRootsRequest, ListRootsResult),
        }
        model, reply = kinds[request["method"]]
        answer = await self.session.send_request(
            model.model_validate(request),
            reply,
            request_read_timeout_seconds=ANSWER_LIMIT_S,
            metadata=ServerMessageMetadata(related_request_id=self.context.request_id),
        )
        dumped: Json = answer.model_dump(by_alias=True, mode="json", exclude_none=True)
        return dumped


def declares(capabilities: BaseModel | None, *path: str) -> bool:
    """Whether these capabilities hold one, by path; the empty path is always there."""
    value: Any = capabilities.model_dump(by_alias=True, exclude_none=True) if capabilities else {}
    for step in path:
        if not isinstance(value, dict) or step not in value:
            return False
        value = value[step]
    return True


def new_key() -> bytes:
    """A key for the state that travels through the client; it lives as long as the process."""
    return secrets.token_bytes(32)


def _seal(key: bytes, answers: Json) -> str:
    body = base64.urlsafe_b64encode(json.dumps(answers).encode())
    return f"{body.decode()}.{hmac.new(key, body, hashlib.sha256).hexdigest()}"


def _unseal(key: bytes, state: Any) -> Json:
    """The answers of earlier rounds. Raises the protocol's error when a client has changed them."""
    if state is None:
        return {}
    try:
        body, seal = str(state).rsplit(".", 1)
        if hmac.compare_digest(seal, hmac.new(key, body.encode(), hashlib.sha256).hexdigest()):
            answers: Json = json.loads(base64.urlsafe_b64decode(body))
            return answers
    except (ValueError, binascii.Error):
        pass
    raise MCPError(INVALID_PARAMS, "requestState has been changed, or comes from another server process")
