"""A model behind an OpenAI-compatible or an Anthropic endpoint: one request of a conversation, and what it answers.

Messages are kept in the provider's own shape: what a model said goes back to it as it was spelled.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

import msgspec

from mcp_inspector.agent import formats
from mcp_inspector.agent.dispatch import reading
from mcp_inspector.agent.formats import Format
from mcp_inspector.transport.base import Fault, FaultKind
from mcp_inspector.transport.posting import Post, said_by
from mcp_inspector.wire import jsontext
from mcp_inspector.wire.jsontext import JsonError, Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from mcp_inspector.agent.dispatch.reading import Invocation
    from mcp_inspector.agent.tools import AgentTool
    from mcp_inspector.transport.base import Note
    from mcp_inspector.wire.jsontext import Node

MOST_TOKENS = 4096
"""Anthropic wants a limit for each answer; OpenAI-compatible endpoints have their own."""

_ANTHROPIC_VERSION = ("anthropic-version", "2023-06-01")
_CUT = {
    "length": "The answer was cut at the model's limit of tokens.",
    "max_tokens": "The answer was cut at the limit of tokens.",
    "content_filter": "The provider's filter stopped the answer.",
    "refusal": "The model refused to answer.",
}


class Api(StrEnum):
    """Whose interface the endpoint has."""

    OPENAI = "openai"
    ANTHROPIC = "anthropic"


@dataclass(frozen=True)
class Reply:
    """What the model said: its text, the calls that it wants, and the message to keep. `note` tells of a cut answer."""

    text: str
    calls: tuple[Invocation, ...]
    message: dict[str, Any]
    note: str = ""


@dataclass(frozen=True)
class ChatEndpoint:
    """Where the model is. `base_url` goes up to and without ``/chat/completions`` or ``/messages``; seconds to wait."""

    base_url: str
    model: str
    api: Api = Api.OPENAI
    timeout: float = 120

    @property
    def usable(self) -> bool:
        """Whether there is enough to ask."""
        return bool(self.base_url.strip() and self.model.strip())

    @property
    def url(self) -> str:
        """The address that is posted to."""
        path = "/messages" if self.api is Api.ANTHROPIC else "/chat/completions"
        return self.base_url.strip().rstrip("/") + path

    @property
    def format(self) -> Format:
        """The shape of its tools."""
        return Format.ANTHROPIC if self.api is Api.ANTHROPIC else Format.OPENAI

    def post(self, key: str, note: Callable[[Note], object]) -> Post:
        """The way to it. Raises `Fault` for an address that is none."""
        anthropic = self.api is Api.ANTHROPIC
        return Post(
            self.url,
            "The model",
            key,
            key_header="x-api-key" if anthropic else "Authorization",
            headers=(_ANTHROPIC_VERSION,) if anthropic else (),
            timeout=self.timeout,
            note=note,
        )

    def request(self, messages: Sequence[dict[str, Any]], tools: Sequence[AgentTool], system: str = "") -> bytes:
        """The body of one request."""
        body: dict[str, Any] = {"model": self.model.strip()}
        if self.api is Api.ANTHROPIC:
            body["max_tokens"] = MOST_TOKENS
            if system:
                body["system"] = system
            body["messages"] = list(messages)
        else:
            first = [{"role": "system", "content": system}] if system else []
            body["messages"] = [*first, *messages]
        if tools:
            body["tools"] = [formats.define(tool, self.format).value for tool in tools]
        return msgspec.json.encode(body)

    def read(self, raw: bytes) -> Reply:
        """What an answer says. Raises `Fault` when it is none."""
        try:
            root = jsontext.parse(raw.decode("utf-8", "replace"))
            reply = _anthropic(root) if self.api is Api.ANTHROPIC else _openai(root)
        except (JsonError, RecursionError, reading.Unreadable):
            reply = None
        if reply is None:
            sentence = f"The model answered with something that is no answer of a chat: {said_by(raw)}"
            raise Fault(FaultKind.BAD_CONTENT, sentence, "Look at the address and at which interface it has.")
        return reply


def _openai(root: Node) -> Reply | None:
    choice = _first(root.get("choices") if root.kind is Kind.OBJECT else None)
    message = choice.get("message") if choice is not None and choice.kind is Kind.OBJECT else None
    if choice is None or message is None or message.kind is not Kind.OBJECT:
        return None
    text = _string(message.get("content"))
    calls = message.get("tool_calls")
    wanted: tuple[Invocation, ...] = ()
    kept: dict[str, Any] = {"role": "assistant", "content": text}
    if calls is not None and calls.kind is Kind.ARRAY and calls.items:
        wanted = reading.read(calls.raw)
        kept |= {"content": text or None, "tool_calls": msgspec.Raw(calls.raw.encode())}
    return Reply(text, wanted, kept, _CUT.get(_string(choice.get("finish_reason")), ""))


def _anthropic(root: Node) -> Reply | None:
    content = root.get("content") if root.kind is Kind.OBJECT else None
    if content is None or content.kind is not Kind.ARRAY:
        return None
    blocks = [block for block in content.items if block.kind is Kind.OBJECT]
    texts = [_string(block.get("text")) for block in blocks if _string(block.get("type")) == "text"]
    uses = [block.raw for block in blocks if _string(block.get("type")) == "tool_use"]
    wanted = reading.read(f"[{','.join(uses)}]") if uses else ()
    kept = {"role": "assistant", "content": msgspec.Raw(content.raw.encode())}
    return Reply("\n".join(filter(None, texts)), wanted, kept, _CUT.get(_string(root.get("stop_reason")), ""))


def _first(node: Node | None) -> Node | None:
    return node.items[0] if node is not None and node.kind is Kind.ARRAY and node.items else None


def _string(node: Node | None) -> str:
    return jsontext.unquote(node.raw) if node is not None and node.kind is Kind.STRING else ""
