"""What models return, in every wrapping, routed to real servers and answered in the providers' shapes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from pydantic import TypeAdapter

from mcp_inspector.__main__ import main
from mcp_inspector.agent.choice import Choice
from mcp_inspector.agent.dispatch import answers, reading
from mcp_inspector.agent.dispatch.dispatcher import Dispatcher
from mcp_inspector.agent.dispatch.reading import Invocation, Shape, Unreadable
from mcp_inspector.agent.tools import boxed, collect
from mcp_inspector.session.catalogue import What
from tests.agent.conftest import connected, listed

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from mcp_inspector.agent.dispatch.answers import Answer
    from mcp_inspector.agent.tools import AgentTool
    from mcp_inspector.session.call import Call
    from mcp_inspector.session.server import Server

pytestmark = [pytest.mark.anyio, pytest.mark.peer]

CALL = {"name": "mcp__s__echo", "arguments": '{"n": 1.0}'}
FUNCTION = {"id": "c1", "type": "function", "function": CALL}
ITEM = {"type": "function_call", "id": "fc", "call_id": "c1", **CALL}
BLOCK = {"type": "tool_use", "id": "c1", "name": "mcp__s__echo", "input": {"n": 1.0}}
PART = {"functionCall": {"id": "c1", "name": "mcp__s__echo", "args": {"n": 1.0}}}


@pytest.mark.parametrize(
    ("value", "shape"),
    [
        ({"choices": [{"message": {"role": "assistant", "content": None, "tool_calls": [FUNCTION]}}]}, Shape.OPENAI),
        ({"role": "assistant", "tool_calls": [FUNCTION]}, Shape.OPENAI),
        ([FUNCTION], Shape.OPENAI),
        (FUNCTION, Shape.OPENAI),
        ({"output": [{"type": "reasoning", "summary": []}, ITEM]}, Shape.OPENAI_RESPONSES),
        (ITEM, Shape.OPENAI_RESPONSES),
        ({"role": "assistant", "content": [{"type": "text", "text": "Let me."}, BLOCK]}, Shape.ANTHROPIC),
        (BLOCK, Shape.ANTHROPIC),
        ({"candidates": [{"content": {"role": "model", "parts": [{"text": "ok"}, PART]}}]}, Shape.GEMINI),
        (PART, Shape.GEMINI),
        ({"id": "c1", **CALL}, Shape.PLAIN),
    ],
)
def test_calls_are_found_in_every_wrapping(value: Any, shape: Shape) -> None:
    (call,) = reading.read(json.dumps(value))
    assert (call.shape, call.name, call.id, call.wrong) == (shape, "mcp__s__echo", "c1", "")
    assert call.arguments == '{"n": 1.0}', "numbers keep their spelling"


@pytest.mark.parametrize("text", ['mcp__s__echo {"n": 1.0}', 'mcp__s__echo({"n": 1.0})', 'mcp__s__echo\n{"n": 1.0}'])
def test_a_name_and_json(text: str) -> None:
    assert reading.read(text) == (Invocation(Shape.PLAIN, "mcp__s__echo", '{"n": 1.0}'),)


def test_a_fence_and_no_arguments() -> None:
    assert reading.read(f"```json\n{json.dumps(BLOCK)}\n```")[0].name == "mcp__s__echo"
    assert reading.read("mcp__s__echo")[0].arguments == "{}"
    assert reading.read(json.dumps({**FUNCTION, "function": {"name": "x", "arguments": ""}}))[0].arguments == "{}"


def test_what_is_no_call_is_said() -> None:
    for text, said in (("", "nothing here"), ("{", "not JSON"), ('{"a": 1}', "No tool call"), ("go {", "no JSON")):
        with pytest.raises(Unreadable, match=said):
            reading.read(text)
    assert "not JSON" in reading.read(json.dumps({"function": {"name": "x", "arguments": "{"}}))[0].wrong
    assert "Arguments are an object" in reading.read('[{"type":"tool_use","name":"x","input":[1]}]')[0].wrong


@pytest.fixture
async def demo(demo_stdio_command: tuple[str, ...]) -> AsyncIterator[Server]:
    """The demo server, connected, its tools listed."""
    async with connected(s=demo_stdio_command) as inspector:
        yield inspector.servers[0]


def asked(*calls: tuple[str, dict[str, Any]]) -> str:
    """An Anthropic message with these calls."""
    blocks = [
        {"type": "tool_use", "id": f"c{at}", "name": name, "input": given} for at, (name, given) in enumerate(calls)
    ]
    return json.dumps({"role": "assistant", "content": blocks})


async def run(server: Server, text: str, **more: Any) -> tuple[Answer, ...]:
    choice = more.pop("choice", Choice())
    return await Dispatcher(collect([server], choice=choice), {"s": server}.get, **more).run(reading.read(text))


async def test_calls_run_at_once_and_are_answered_in_their_order(demo: Server) -> None:
    """The slow one is first; that both run at once is seen by the second one's end before the first one's."""
    ended: list[int] = []
    text = asked(("mcp__s__slow", {"seconds": 0.5}), ("mcp__s__echo", {"text": "hi"}))

    def begun(at: int, call: Call) -> None:
        assert call.waiter is not None
        call.waiter.add_done_callback(lambda _: ended.append(at))

    dispatcher = Dispatcher(collect([demo]), {"s": demo}.get)
    found = await dispatcher.run(reading.read(text), begun)
    assert [answer.invocation.id for answer in found] == ["c0", "c1"]
    assert not any(answer.failed for answer in found)
    assert found[1].text == "hi"
    assert ended == [1, 0]


async def test_results_in_the_shapes_that_providers_take_back(demo: Server) -> None:
    anthropic = pytest.importorskip("anthropic.types")
    chat = pytest.importorskip("openai.types.chat")
    items = pytest.importorskip("openai.types.responses.response_input_item_param")
    genai = pytest.importorskip("google.genai.types")
    calls: list[tuple[str, dict[str, Any]]] = [
        ("mcp__s__make_image", {}),
        ("mcp__s__add", {"a": 1, "b": 2}),
        ("mcp__s__nix", {}),
    ]
    found = await run(demo, asked(*calls))
    message = json.loads(answers.document(found))
    TypeAdapter(anthropic.MessageParam).validate_python(message)
    assert any(block["type"] == "image" for block in message["content"][0]["content"])
    assert message["content"][2]["is_error"] is True

    functions = [
        {"id": f"c{at}", "function": {"name": name, "arguments": json.dumps(given)}}
        for at, (name, given) in enumerate(calls)
    ]
    for each in json.loads(answers.document(await run(demo, json.dumps({"tool_calls": functions})))):
        TypeAdapter(chat.ChatCompletionToolMessageParam).validate_python(each)
    output = [
        {"type": "function_call", "call_id": "c", "name": name, "arguments": json.dumps(given)} for name, given in calls
    ]
    for each in json.loads(answers.document(await run(demo, json.dumps({"output": output})))):
        TypeAdapter(items.FunctionCallOutput).validate_python(each)
    parts = [{"functionCall": {"name": name, "args": given}} for name, given in calls]
    content = json.loads(answers.document(await run(demo, json.dumps(parts))))
    genai.Content.model_validate(content)
    assert content["parts"][1]["functionResponse"]["response"]["output"]["sum"] == 3
    assert "error" in content["parts"][2]["functionResponse"]["response"]


async def test_unknown_names_fail_fast_with_the_nearest(demo: Server) -> None:
    (answer,) = await run(demo, asked(("mcp__s__ech", {})))
    assert answer.failed
    assert answer.outcome is None
    assert "mcp__s__echo" in answer.text
    (answer,) = await run(demo, asked(("mcp__other__echo", {})))
    assert "mcp__s__echo" in answer.text


async def test_arguments_that_do_not_fit_are_not_sent_unless_wanted(demo: Server) -> None:
    text = asked(("mcp__s__add", {"a": "one", "b": 2}))
    (answer,) = await run(demo, text)
    assert answer.outcome is None
    assert "/a" in answer.text
    (answer,) = await run(demo, text, strict=False)
    assert answer.outcome is not None, "the server itself refuses it now"
    assert answer.failed


async def test_filtered_and_denied_tools_do_not_run(demo: Server) -> None:
    text = asked(("mcp__s__echo", {"text": "hi"}))
    (answer,) = await run(demo, text, choice=Choice(exclude=("echo",)))
    assert "filtered out" in answer.text

    async def deny(server: Server, tool: AgentTool, arguments: str) -> str:
        assert (server.name, tool.tool, arguments) == ("s", "echo", '{"text": "hi"}')
        return "The person does not allow echo."

    (answer,) = await run(demo, text, approve=deny)
    assert answer.outcome is None
    assert answer.text == "The person does not allow echo."


async def test_a_server_that_is_not_connected_is_connected_for_the_call(demo: Server) -> None:
    await demo.disconnect()
    (answer,) = await run(demo, asked(("mcp__s__echo", {"text": "again"})))
    assert answer.text == "again"


async def test_a_model_that_names_two_tools_by_one_name_is_told(demo_stdio_command: tuple[str, ...]) -> None:
    async with connected(a=demo_stdio_command) as inspector:
        server = inspector.servers[0]
        box = boxed(
            [("a", item) for item in server.catalogue[What.TOOLS].items]
            + [("a", listed("b__c")), ("a__b", listed("c"))]
        )
        (answer,) = await Dispatcher(box, inspector.find).run(reading.read("mcp__a__b__c {}"))
        assert "b__c of a, c of a__b" in answer.text


def test_the_command_line_shows_and_runs(
    demo_stdio_command: tuple[str, ...], tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    program = ["--", *demo_stdio_command]
    assert main(["tools", "-q", "--format", "openai", "--fit", "--include", "echo", *program]) == 0
    out, err = capfdbinary.readouterr()
    (tool,) = json.loads(out)
    assert b"1 tools, about" in err
    name = tool["function"]["name"]
    assert main(["tools", "-q", "--query", "weather", "--json", "--threshold", "0.1", *program]) == 0
    assert json.loads(capfdbinary.readouterr().out)["hits"][0]["tool"] == "get_weather"
    labels = tmp_path / "labels.csv"
    labels.write_text("query,tool\nthe weather in a city,get_weather\n")
    assert main(["tools", "-q", "--evaluate", str(labels), "--json", *program]) == 0
    assert json.loads(capfdbinary.readouterr().out)[0]["recall"] == 1.0
    answer = tmp_path / "answer.json"
    answer.write_text(
        json.dumps({"tool_calls": [{"id": "c", "function": {"name": name, "arguments": '{"text": "hi"}'}}]})
    )
    assert main(["dispatch", str(answer), "-q", "--fit", *program]) == 0
    assert json.loads(capfdbinary.readouterr().out) == [{"role": "tool", "tool_call_id": "c", "content": "hi"}]
    answer.write_text("mcp__nix__nix {}")
    assert main(["dispatch", str(answer), "-q", *program]) == 1
    answer.write_text("hello")
    assert main(["dispatch", str(answer), "-q", *program]) == 1
    answer.write_text('{"a": 1}')
    assert main(["dispatch", str(answer), "-q", *program]) == 2
