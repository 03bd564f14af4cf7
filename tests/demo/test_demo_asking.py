"""What the demo asks of the client: by a request in the legacy era, by another round in the modern one."""

from __future__ import annotations

from typing import Any

import pytest

from tests.demo.plain_client import Failed

pytestmark = pytest.mark.anyio


async def answered(client: Any, tool: str, arguments: dict[str, Any], answers: dict[str, Any]) -> dict[str, Any]:
    """Call a tool and answer what it asks, in order, in the way of the era; `client.asked` has the questions."""
    if client.era == "legacy":
        client.answers = {method: list(given) for method, given in answers.items()}
        result: dict[str, Any] = await client.call(tool, arguments)
        return result
    left = {method: list(given) for method, given in answers.items()}
    result = await client.call(tool, arguments)
    while result["resultType"] == "input_required":
        given = {}
        for key, question in result["inputRequests"].items():
            client.asked.append(question)
            given[key] = left[question["method"]].pop(0)
        more = {"requestState": result["requestState"]} if "requestState" in result else {}
        result = await client.call(tool, arguments, inputResponses=given, **more)
    return result


def said(result: dict[str, Any]) -> str:
    return str(result["content"][0]["text"])


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ({"action": "accept", "content": {"name": "Ada"}}, "Nice to meet you, Ada!"),
        ({"action": "decline"}, "You chose: decline. Nothing was done."),
        ({"action": "cancel"}, "You chose: cancel. Nothing was done."),
    ],
)
async def test_a_name_is_asked(connect: Any, era: str, answer: dict[str, Any], text: str) -> None:
    async with connect(era) as client:
        result = await answered(client, "ask_name", {}, {"elicitation/create": [answer]})
        assert said(result) == text
        assert client.asked[0]["params"]["requestedSchema"]["required"] == ["name"]


async def test_every_kind_of_field_is_asked(connect: Any, era: str) -> None:
    content = {"name": "Ada", "guests": 3, "budget": 1.5, "window": False, "extras": ["music", "candles"]}
    async with connect(era) as client:
        answer = {"action": "accept", "content": content}
        result = await answered(client, "ask_everything", {}, {"elicitation/create": [answer]})
        assert result["structuredContent"] == {"answer": content}
        fields = client.asked[0]["params"]["requestedSchema"]["properties"]
        assert {field["type"] for field in fields.values()} == {"string", "integer", "number", "boolean", "array"}
        assert {"email", "uri", "date", "date-time"} <= {field.get("format") for field in fields.values()}


async def test_the_second_question_depends_on_the_first_answer(connect: Any, era: str) -> None:
    answers = [
        {"action": "accept", "content": {"kind": "sea"}},
        {"action": "accept", "content": {"town": "Lisboa", "days": 4}},
    ]
    async with connect(era) as client:
        result = await answered(client, "plan_trip", {"days": 2}, {"elicitation/create": answers})
        assert result["structuredContent"] == {"kind": "sea", "town": "Lisboa", "days": 4}
        assert client.asked[1]["params"]["requestedSchema"]["properties"]["town"]["enum"] == ["Bergen", "Lisboa"]


async def test_a_changed_state_is_refused(connect: Any) -> None:
    async with connect("modern") as client:
        first = await client.call("ask_name")
        given = {"name": {"action": "accept", "content": {"name": "Eve"}}}
        state = first["requestState"]
        for changed in (state[:-1] + ("0" if state[-1] != "0" else "1"), "x" + state, "nonsense"):
            with pytest.raises(Failed) as failed:
                await client.call("ask_name", {}, inputResponses=given, requestState=changed)
            assert failed.value.code == -32602


async def test_an_answer_that_is_left_out_is_asked_for_again(connect: Any) -> None:
    async with connect("modern") as client:
        first = await client.call("ask_name")
        again = await client.call("ask_name", {}, inputResponses={}, requestState=first["requestState"])
        assert again["inputRequests"] == first["inputRequests"]


async def test_a_page_is_offered(connect: Any, era: str) -> None:
    async with connect(era) as client:
        result = await answered(client, "open_page", {}, {"elicitation/create": [{"action": "accept"}]})
        assert "agreed" in said(result)
        params = client.asked[0]["params"]
        assert (params["mode"], params["url"]) == ("url", "https://example.com/?topic=privacy")
        assert ("elicitationId" in params) is (era == "legacy")
        if era == "legacy":
            assert await client.noted("notifications/elicitation/complete") == [{"elicitationId": "demo-page-1"}]


@pytest.mark.parametrize("content", [{"type": "text", "text": "Short."}, [{"type": "text", "text": "Short."}]])
@pytest.mark.parametrize("offer_tool", [False, True])
async def test_the_model_is_asked(connect: Any, era: str, content: Any, offer_tool: bool) -> None:
    if isinstance(content, list) and not offer_tool and era == "legacy":
        pytest.skip("the SDK takes lists only where tools were offered")
    reply = {"role": "assistant", "content": content, "model": "test-1", "stopReason": "endTurn"}
    async with connect(era) as client:
        arguments = {"text": "A long text.", "offer_tool": offer_tool}
        result = await answered(client, "summarise", arguments, {"sampling/createMessage": [reply]})
        assert said(result) == "Short."
        assert "test-1" in result["content"][1]["text"]
        params = client.asked[0]["params"]
        assert "A long text." in params["messages"][0]["content"]["text"]
        assert ("tools" in params) is offer_tool


async def test_roots_are_asked(connect: Any, era: str) -> None:
    roots = [{"uri": "file:///home/ada", "name": "home"}]
    async with connect(era) as client:
        result = await answered(client, "list_roots", {}, {"roots/list": [{"roots": roots}]})
        assert result["structuredContent"] == {"roots": roots}


@pytest.mark.parametrize(
    ("tool", "capability"),
    [("ask_name", "elicitation"), ("open_page", "elicitation.url"), ("summarise", "sampling"), ("list_roots", "roots")],
)
async def test_a_client_that_cannot_be_asked_is_told(connect: Any, era: str, tool: str, capability: str) -> None:
    async with connect(era, {"elicitation": {"form": {}}} if "." in capability else {}) as client:
        if era == "legacy":
            result = await client.call(tool)
            assert result["isError"] is True
            assert capability in said(result)
        else:
            with pytest.raises(Failed) as failed:
                await client.call(tool)
            assert failed.value.code == -32021
            first, _, second = capability.partition(".")
            assert failed.value.data == {"requiredCapabilities": {first: {second: {}} if second else {}}}
