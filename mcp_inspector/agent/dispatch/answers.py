"""Results in the shapes in which the providers take them back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from mcp_inspector.agent.dispatch.reading import Invocation, Shape
from mcp_inspector.session.outcome import Complete, LocalError, RpcError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mcp_inspector.session.outcome import Outcome


@dataclass(frozen=True)
class Answer:
    """What one call came to. `text` is for people and for providers without blocks.

    `outcome` is None when it was not sent. `value` is what the provider takes for this one call: a message, an item, a
    block or a part.
    """

    invocation: Invocation
    server: str
    tool: str
    failed: bool
    text: str
    outcome: Outcome | None = None

    @property
    def value(self) -> dict[str, Any]:
        """This call's result in its provider's shape."""
        call = self.invocation
        if call.shape is Shape.OPENAI:
            return {"role": "tool", "tool_call_id": call.id, "content": self.text}
        if call.shape is Shape.OPENAI_RESPONSES:
            return {"type": "function_call_output", "call_id": call.id, "output": self.text}
        if call.shape is Shape.ANTHROPIC:
            block: dict[str, Any] = {"type": "tool_result", "tool_use_id": call.id, "content": _blocks(self)}
            return {**block, "is_error": True} if self.failed else block
        if call.shape is Shape.GEMINI:
            response = {"name": call.name, "response": {"error" if self.failed else "output": _structured(self)}}
            return {"functionResponse": {"id": call.id, **response} if call.id else response}
        return {"name": call.name, "isError": self.failed, "content": _structured(self)}


def document(answers: Sequence[Answer]) -> bytes:
    """All answers as JSON, in the order of the calls, wrapped as the next turn wants them.

    OpenAI: an array of messages (Responses: of input items). Anthropic and Gemini: one user message with all results.
    """
    values = [answer.value for answer in answers]
    shapes = {answer.invocation.shape for answer in answers}
    if shapes == {Shape.ANTHROPIC}:
        return msgspec.json.encode({"role": "user", "content": values})
    if shapes == {Shape.GEMINI}:
        return msgspec.json.encode({"role": "user", "parts": values})
    return msgspec.json.encode(values)


def text_of(outcome: Outcome) -> str:
    """What a model reads of an outcome as one text: the text blocks, else the structured content."""
    if isinstance(outcome, RpcError):
        code = f" {outcome.code}" if outcome.code is not None else ""
        return f"Error{code}: {outcome.message}"
    if isinstance(outcome, LocalError):
        return f"Error: {outcome.sentence}"
    if not isinstance(outcome, Complete):
        return "The server wants more before it gives a result."
    value = _decoded(outcome.result)
    content = value.get("content") if isinstance(value, dict) else None
    parts = [_block_text(block) for block in content] if isinstance(content, list) else []
    if not parts and isinstance(value, dict) and "structuredContent" in value:
        return msgspec.json.encode(value["structuredContent"]).decode()
    return "\n".join(parts)


def _block_text(block: Any) -> str:
    if not isinstance(block, dict):
        return msgspec.json.encode(block).decode()
    kind = block.get("type")
    if kind == "text" and isinstance(block.get("text"), str):
        return str(block["text"])
    if kind == "resource" and isinstance(block.get("resource"), dict):
        resource = block["resource"]
        return str(resource["text"]) if isinstance(resource.get("text"), str) else f"[resource {resource.get('uri')}]"
    if kind == "resource_link":
        return f"[{block.get('name')}]({block.get('uri')})"
    return f"[{kind} {block.get('mimeType', '')}]"


def _blocks(answer: Answer) -> list[dict[str, Any]]:
    """Content blocks of Anthropic: texts and images; all else as text."""
    outcome = answer.outcome
    value = _decoded(outcome.result) if isinstance(outcome, Complete) else None
    content = value.get("content") if isinstance(value, dict) else None
    if not isinstance(content, list) or not content:
        return [{"type": "text", "text": answer.text or "(no content)"}]
    blocks: list[dict[str, Any]] = []
    for block in content:
        kind = block.get("type") if isinstance(block, dict) else None
        if kind == "image" and block.get("mimeType") in ("image/png", "image/jpeg", "image/gif", "image/webp"):
            source = {"type": "base64", "media_type": block["mimeType"], "data": block.get("data", "")}
            blocks.append({"type": "image", "source": source})
        elif text := _block_text(block):  # an empty text block is refused
            blocks.append({"type": "text", "text": text})
    return blocks or [{"type": "text", "text": "(no content)"}]


def _structured(answer: Answer) -> Any:
    outcome = answer.outcome
    value = _decoded(outcome.result) if isinstance(outcome, Complete) else None
    if isinstance(value, dict) and isinstance(value.get("structuredContent"), dict) and not answer.failed:
        return value["structuredContent"]
    return answer.text


def _decoded(raw: bytes) -> Any:
    try:
        return msgspec.json.decode(raw)
    except (msgspec.MsgspecError, RecursionError):
        return None
