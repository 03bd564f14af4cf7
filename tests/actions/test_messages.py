"""Prompt messages in the shapes of chat interfaces; what has no place there is named."""

from __future__ import annotations

from mcp_inspector.actions.messages import anthropic, openai

IMAGE = {"type": "image", "data": "aGk=", "mimeType": "image/png"}
MESSAGES = [
    {"role": "user", "content": {"type": "text", "text": "look"}},
    {"role": "user", "content": IMAGE},
    {"role": "assistant", "content": {"type": "audio", "data": "aGk=", "mimeType": "audio/ogg"}},
    {"role": "user", "content": {"type": "resource", "resource": {"uri": "a://b", "text": "inside"}}},
    {"role": "user", "content": {"type": "resource_link", "uri": "a://c", "name": "c"}},
    {"role": "system", "content": [{"type": "text", "text": "one"}, {"type": "odd", "x": 1}]},
    "no message",
]


def test_openai() -> None:
    assert openai(MESSAGES) == [
        {"role": "user", "content": "look"},
        {"role": "user", "content": [{"type": "image_url", "image_url": {"url": "data:image/png;base64,aGk="}}]},
        {"role": "assistant", "content": "[audio audio/ogg]"},
        {"role": "user", "content": "[a://b]\ninside"},
        {"role": "user", "content": "[c](a://c)"},
        {"role": "user", "content": 'one\n\n{"type": "odd", "x": 1}'},
    ]


def test_anthropic_joins_messages_of_one_role() -> None:
    found = anthropic(MESSAGES)
    assert [message["role"] for message in found] == ["user", "assistant", "user"]
    assert found[0]["content"] == [
        {"type": "text", "text": "look"},
        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "aGk="}},
    ]
    assert found[2]["content"][0] == {
        "type": "document",
        "source": {"type": "text", "media_type": "text/plain", "data": "inside"},
        "title": "a://b",
    }


def test_audio_that_openai_takes_is_given_as_audio() -> None:
    block = {"type": "audio", "data": "aGk=", "mimeType": "audio/wav"}
    assert openai([{"role": "user", "content": block}])[0]["content"] == [
        {"type": "input_audio", "input_audio": {"data": "aGk=", "format": "wav"}}
    ]
