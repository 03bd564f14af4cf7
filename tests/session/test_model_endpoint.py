"""The endpoint that may write replies to sampling: what is asked of it, and what its answers become."""

from __future__ import annotations

import asyncio
import json

import pytest

from mcp_inspector.session.model_endpoint import ModelEndpoint, chat_request, sampling_result
from mcp_inspector.transport.base import Fault, FaultKind
from tests.peers.fake_model import fake_model

pytestmark = pytest.mark.anyio

PARAMS = {
    "messages": [{"role": "user", "content": {"type": "text", "text": "Hello?"}}],
    "systemPrompt": "Be short.",
    "maxTokens": 50,
    "temperature": 0.2,
    "stopSequences": ["END"],
}


async def test_a_request_becomes_a_completion_and_its_answer_a_result() -> None:
    async with fake_model() as model:
        raw = await ModelEndpoint(model.url + "/", "tiny").complete(json.dumps(PARAMS).encode(), "s3cret")
        assert json.loads(raw) == {
            "role": "assistant",
            "content": {"type": "text", "text": "Hi."},
            "model": "tiny-1",
            "stopReason": "endTurn",
        }
        assert model.heads[0].startswith("POST /v1/chat/completions HTTP/1.1\r\n")
        assert "Authorization: Bearer s3cret" in model.heads[0]
        assert model.bodies[0] == {
            "model": "tiny",
            "messages": [{"role": "system", "content": "Be short."}, {"role": "user", "content": "Hello?"}],
            "max_tokens": 50,
            "temperature": 0.2,
            "stop": ["END"],
        }


async def test_without_a_key_no_credentials_are_sent() -> None:
    async with fake_model() as model:
        await ModelEndpoint(model.url, "tiny").complete(b'{"messages":[]}')
        assert "authorization" not in model.heads[0].lower()


async def test_a_refusal_is_a_sentence_without_the_key() -> None:
    async with fake_model() as model:
        model.status, model.answer = "401 Unauthorized", {"error": {"message": "Wrong key."}}
        with pytest.raises(Fault) as failed:
            await ModelEndpoint(model.url, "tiny").complete(b"{}", "s3cret")
        assert failed.value.kind is FaultKind.HTTP_STATUS
        assert "HTTP 401: Wrong key." in failed.value.sentence
        assert "s3cret" not in f"{failed.value.sentence}{failed.value.hint}{failed.value.facts}"


async def test_an_answer_that_is_no_completion_is_said_to_be_none() -> None:
    async with fake_model() as model:
        model.answer = {"choices": []}
        with pytest.raises(Fault, match="no completion"):
            await ModelEndpoint(model.url, "tiny").complete(b"{}")


async def test_waiting_has_a_limit() -> None:
    async with fake_model() as model:
        model.hold = asyncio.Event()
        with pytest.raises(Fault) as failed:
            await ModelEndpoint(model.url, "tiny", timeout=0.3).complete(b"{}")
        assert failed.value.kind is FaultKind.TIMEOUT


@pytest.mark.parametrize("url", ["ftp://x/", "nothing", ""])
async def test_an_address_that_is_none_is_a_fault(url: str) -> None:
    with pytest.raises(Fault):
        await ModelEndpoint(url, "tiny").complete(b"{}")


def test_tools_travel_both_ways() -> None:
    params = {
        "messages": [
            {"role": "user", "content": {"type": "text", "text": "Count."}},
            {
                "role": "assistant",
                "content": [{"type": "tool_use", "id": "c1", "name": "count", "input": {"text": "a b"}}],
            },
            {
                "role": "user",
                "content": [{"type": "tool_result", "toolUseId": "c1", "content": [{"type": "text", "text": "2"}]}],
            },
        ],
        "maxTokens": 9,
        "tools": [{"name": "count", "description": "Counts.", "inputSchema": {"type": "object"}}],
        "toolChoice": {"mode": "required"},
    }
    request = chat_request("m", params)
    assert request["tools"] == [
        {"type": "function", "function": {"name": "count", "parameters": {"type": "object"}, "description": "Counts."}}
    ]
    assert request["tool_choice"] == "required"
    assert request["messages"][1]["tool_calls"][0]["function"] == {"name": "count", "arguments": '{"text":"a b"}'}
    assert request["messages"][2] == {"role": "tool", "tool_call_id": "c1", "content": "2"}
    answer = {
        "choices": [
            {
                "message": {
                    "content": None,
                    "tool_calls": [{"id": "c2", "function": {"name": "count", "arguments": '{"text": "x"}'}}],
                },
                "finish_reason": "tool_calls",
            }
        ]
    }
    assert json.loads(sampling_result(json.dumps(answer).encode(), "m")) == {
        "role": "assistant",
        "content": [{"type": "tool_use", "id": "c2", "name": "count", "input": {"text": "x"}}],
        "model": "m",
        "stopReason": "toolUse",
    }


def test_pictures_and_sounds_are_handed_on() -> None:
    content = [
        {"type": "text", "text": "Look"},
        {"type": "image", "mimeType": "image/png", "data": "AA=="},
        {"type": "audio", "mimeType": "audio/wav", "data": "BB=="},
    ]
    request = chat_request("m", {"messages": [{"role": "user", "content": content}]})
    assert [part["type"] for part in request["messages"][0]["content"]] == ["text", "image_url", "input_audio"]
    assert request["messages"][0]["content"][1]["image_url"]["url"] == "data:image/png;base64,AA=="
    assert request["messages"][0]["content"][2]["input_audio"] == {"data": "BB==", "format": "wav"}
