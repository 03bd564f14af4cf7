"""The messages of a prompt as other programs take them: text, JSON, OpenAI's and Anthropic's chat formats.

What a format has no place for becomes a text that names it; nothing is left out without a word.
"""

from __future__ import annotations

import base64
import json
from typing import Any

_TEXT_LIKE = ("text/", "application/json", "application/xml", "application/yaml")
_AUDIO = {"audio/wav": "wav", "audio/x-wav": "wav", "audio/mpeg": "mp3", "audio/mp3": "mp3"}
_ANTHROPIC_IMAGES = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})


def as_json(messages: list[Any]) -> str:
    """The messages as the server spelled their values, laid out."""
    return json.dumps(messages, ensure_ascii=False, indent=2)


def openai(messages: list[Any]) -> list[dict[str, Any]]:
    """For the chat completions interface: content is a text, or parts where there is more than text."""
    found = []
    for message in messages:
        if not isinstance(message, dict):
            continue
        parts = [_openai_part(block) for block in _blocks(message)]
        texts = [part["text"] for part in parts if part["type"] == "text"]
        content: Any = "\n\n".join(texts) if len(texts) == len(parts) else parts
        found.append({"role": _role(message), "content": content})
    return found


def anthropic(messages: list[Any]) -> list[dict[str, Any]]:
    """For the messages interface: content is a list of blocks; messages of one role in a row become one."""
    found: list[dict[str, Any]] = []
    for message in messages:
        if not isinstance(message, dict):
            continue
        blocks = [_anthropic_block(block) for block in _blocks(message)]
        role = _role(message)
        if found and found[-1]["role"] == role:
            found[-1]["content"] += blocks
        else:
            found.append({"role": role, "content": blocks})
    return found


def text_of(block: Any) -> str:
    """A block as text; what is no text is named."""
    if not isinstance(block, dict):
        return json.dumps(block, ensure_ascii=False)
    kind = block.get("type")
    if isinstance(block.get("text"), str):
        return str(block["text"])
    resource = block.get("resource")
    if kind == "resource" and isinstance(resource, dict):
        named = f"[{resource.get('uri')}]"
        if isinstance(resource.get("text"), str):
            return f"{named}\n{resource['text']}"
        text = _decoded_text(resource)
        return f"{named}\n{text}" if text is not None else f"{named} ({resource.get('mimeType') or 'bytes'})"
    if kind == "resource_link":
        return f"[{block.get('title') or block.get('name') or 'link'}]({block.get('uri')})"
    if kind in ("image", "audio"):
        return f"[{kind} {block.get('mimeType') or ''}]".replace(" ]", "]")
    return json.dumps(block, ensure_ascii=False)


def _openai_part(block: Any) -> dict[str, Any]:
    if isinstance(block, dict) and isinstance(block.get("data"), str):
        mime = str(block.get("mimeType") or "")
        if block.get("type") == "image":
            return {"type": "image_url", "image_url": {"url": f"data:{mime or 'image/png'};base64,{block['data']}"}}
        if block.get("type") == "audio" and mime in _AUDIO:
            return {"type": "input_audio", "input_audio": {"data": block["data"], "format": _AUDIO[mime]}}
    return {"type": "text", "text": text_of(block)}


def _anthropic_block(block: Any) -> dict[str, Any]:
    if isinstance(block, dict):
        mime = str(block.get("mimeType") or "")
        if block.get("type") == "image" and isinstance(block.get("data"), str) and mime in _ANTHROPIC_IMAGES:
            return {"type": "image", "source": {"type": "base64", "media_type": mime, "data": block["data"]}}
        resource = block.get("resource")
        if block.get("type") == "resource" and isinstance(resource, dict):
            blob, mime = resource.get("blob"), str(resource.get("mimeType") or "")
            if isinstance(blob, str) and mime in _ANTHROPIC_IMAGES:
                return {"type": "image", "source": {"type": "base64", "media_type": mime, "data": blob}}
            if isinstance(blob, str) and mime == "application/pdf":
                return {"type": "document", "source": {"type": "base64", "media_type": mime, "data": blob}}
            if isinstance(resource.get("text"), str):
                source = {"type": "text", "media_type": "text/plain", "data": resource["text"]}
                return {"type": "document", "source": source, "title": str(resource.get("uri") or "")}
    return {"type": "text", "text": text_of(block)}


def _decoded_text(resource: dict[str, Any]) -> str | None:
    blob, mime = resource.get("blob"), str(resource.get("mimeType") or "")
    if not isinstance(blob, str) or not mime.startswith(_TEXT_LIKE):
        return None
    try:
        return base64.b64decode(blob, validate=True).decode()
    except ValueError:
        return None


def _blocks(message: dict[str, Any]) -> list[Any]:
    content = message.get("content")
    return content if isinstance(content, list) else [content]


def _role(message: dict[str, Any]) -> str:
    role = message.get("role")
    return role if role in ("user", "assistant") else "user"
