"""A model behind an OpenAI-compatible endpoint that can answer sampling, once the person has let it.

Only what the person configured is called, with what he has seen; nothing here is called by itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from mcp_inspector.transport.base import Fault, FaultKind
from mcp_inspector.transport.posting import Post, said_by

if TYPE_CHECKING:
    from collections.abc import Mapping

_STOP = {"stop": "endTurn", "length": "maxTokens", "tool_calls": "toolUse"}


@dataclass(frozen=True)
class ModelEndpoint:
    """Where the model is: `base_url` up to and without ``/chat/completions``, its name, and seconds to wait."""

    base_url: str
    model: str
    timeout: float = 120

    @property
    def usable(self) -> bool:
        """Whether there is enough to ask."""
        return bool(self.base_url.strip() and self.model.strip())

    async def complete(self, params: bytes, key: str = "") -> bytes:
        """The result of `sampling/createMessage` that the model gives for these params, as JSON text.

        Raises `Fault` with a sentence that never holds the key.
        """
        body = msgspec.json.encode(chat_request(self.model.strip(), _object(params)))
        # Without notes: what is said to the model on a server's behalf is no traffic of that server.
        post = Post(self.base_url.strip().rstrip("/") + "/chat/completions", "The model", key, timeout=self.timeout)
        try:
            raw = await post.send(body)
        finally:
            await post.close()
        return sampling_result(raw, self.model.strip())


def chat_request(model: str, params: Mapping[str, Any]) -> dict[str, Any]:
    """The body of a chat completion for the params of a sampling request."""
    messages: list[dict[str, Any]] = []
    if isinstance(params.get("systemPrompt"), str):
        messages.append({"role": "system", "content": params["systemPrompt"]})
    for message in _list(params.get("messages")):
        if isinstance(message, dict):
            messages += _messages(message)
    request: dict[str, Any] = {"model": model, "messages": messages}
    for ours, theirs in (("maxTokens", "max_tokens"), ("temperature", "temperature"), ("stopSequences", "stop")):
        if params.get(ours) is not None:
            request[theirs] = params[ours]
    tools = [_tool(tool) for tool in _list(params.get("tools")) if isinstance(tool, dict)]
    if tools:
        request["tools"] = tools
        choice = params.get("toolChoice")
        if isinstance(choice, dict) and choice.get("mode") in ("auto", "required", "none"):
            request["tool_choice"] = choice["mode"]
    return request


def _tool(tool: Mapping[str, Any]) -> dict[str, Any]:
    function = {"name": tool.get("name"), "parameters": tool.get("inputSchema") or {"type": "object"}}
    if isinstance(tool.get("description"), str):
        function["description"] = tool["description"]
    return {"type": "function", "function": function}


def _messages(message: Mapping[str, Any]) -> list[dict[str, Any]]:
    """One message of the protocol; results of tools are messages of their own there."""
    content = message.get("content")
    blocks = [block for block in (content if isinstance(content, list) else [content]) if isinstance(block, dict)]
    results = [
        {"role": "tool", "tool_call_id": str(block.get("toolUseId", "")), "content": _text_of(block.get("content"))}
        for block in blocks
        if block.get("type") == "tool_result"
    ]
    calls = [
        {
            "id": str(block.get("id", "")),
            "type": "function",
            "function": {
                "name": str(block.get("name", "")),
                "arguments": msgspec.json.encode(block.get("input", {})).decode(),
            },
        }
        for block in blocks
        if block.get("type") == "tool_use"
    ]
    parts = [part for block in blocks if (part := _part(block)) is not None]
    if not parts and not calls:
        return results
    shown: dict[str, Any] = {"role": str(message.get("role", "user"))}
    only_text = all(part["type"] == "text" for part in parts)
    shown["content"] = "\n".join(part["text"] for part in parts) if only_text else parts
    if calls:
        shown |= {"tool_calls": calls, "content": shown["content"] or None}
    return [*results, shown]


def _part(block: Mapping[str, Any]) -> dict[str, Any] | None:
    sort, mime, data = block.get("type"), block.get("mimeType", ""), block.get("data", "")
    if sort == "text":
        return {"type": "text", "text": str(block.get("text", ""))}
    if sort == "image":
        return {"type": "image_url", "image_url": {"url": f"data:{mime};base64,{data}"}}
    if sort == "audio":
        return {"type": "input_audio", "input_audio": {"data": data, "format": str(mime).rpartition("/")[2]}}
    return None


def _text_of(content: Any) -> str:
    texts = [str(block["text"]) for block in _list(content) if isinstance(block, dict) and "text" in block]
    return "\n".join(texts) or msgspec.json.encode(content).decode()


def sampling_result(raw: bytes, model: str) -> bytes:
    """The result of `sampling/createMessage` for a chat completion. Raises `Fault` when it is none."""
    value = _object(raw)
    choices = _list(value.get("choices"))
    choice = choices[0] if choices and isinstance(choices[0], dict) else {}
    message = choice.get("message")
    if not isinstance(message, dict):
        raise Fault(FaultKind.BAD_CONTENT, f"The model answered with something that is no completion: {said_by(raw)}")
    blocks: list[dict[str, Any]] = []
    if isinstance(message.get("content"), str) and message["content"]:
        blocks.append({"type": "text", "text": message["content"]})
    for call in _list(message.get("tool_calls")):
        function = call.get("function") if isinstance(call, dict) else None
        if isinstance(function, dict):
            given = _object(str(function.get("arguments") or "{}").encode())
            name = str(function.get("name", ""))
            blocks.append({"type": "tool_use", "id": str(call.get("id", "")), "name": name, "input": given})
    reason = str(choice.get("finish_reason") or "stop")
    only = blocks[0] if len(blocks) == 1 and blocks[0]["type"] == "text" else None
    result = {
        "role": "assistant",
        "content": only or blocks or {"type": "text", "text": ""},
        "model": value["model"] if isinstance(value.get("model"), str) else model,
        "stopReason": "toolUse" if any(block["type"] == "tool_use" for block in blocks) else _STOP.get(reason, reason),
    }
    return msgspec.json.encode(result)


def _object(raw: bytes) -> dict[str, Any]:
    try:
        value = msgspec.json.decode(raw)
    except (msgspec.MsgspecError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
