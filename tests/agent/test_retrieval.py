"""From a query to the tools that fit: words, meaning, both; caches, changes, failures; and how good it is."""

from __future__ import annotations

import asyncio
import json
import math
import os
import sys
from typing import TYPE_CHECKING, Any

import pytest

from mcp_inspector.__main__ import main
from mcp_inspector.agent.retrieval.embeddings import Endpoint, PackagedModel, unit
from mcp_inspector.agent.retrieval.evaluate import evaluate, read_labels, unknown
from mcp_inspector.agent.retrieval.retriever import Method, Retriever, Wishes
from mcp_inspector.agent.retrieval.words import words
from mcp_inspector.config import paths
from mcp_inspector.config.vault import EMBEDDINGS_KEY, name_for, standard
from mcp_inspector.transport.base import Fault, FaultKind

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

pytestmark = pytest.mark.anyio

LOOSE = Wishes(threshold=0.05)


@pytest.fixture
def tools(box: Any, tool: Any) -> tuple[Any, ...]:
    argument = {"type": "object", "properties": {"city": {"type": "string", "description": "Where it is."}}}
    return (
        *box(
            ("files", tool("readFile", description="Reads a file from the disk.")),
            ("files", tool("write_file", description="Writes text to a file.")),
            ("weather", tool("forecast", argument, description="Tells what the sky will do tomorrow.")),
            ("git", tool("create_pull_requests", description="Opens pull requests.")),
            ("wen", tool("chuangjian", description="创建一个新的文本文件")),
            ("wen", tool("tianqi", description="查询城市的天气预报")),
        ).tools,
    )


@pytest.fixture
def filled(tools: Any) -> Callable[..., Retriever]:
    def make(**more: Any) -> Retriever:
        retriever = Retriever(**more)
        retriever.update(tools, {tool.server for tool in tools})
        return retriever

    return make


def test_words_take_identifiers_apart_and_chinese_in_pairs() -> None:
    assert words("createPullRequests") == ["create", "pull", "request", "createpullrequests"]
    assert words("get_user-IDs") == ["get", "user", "ids", "getuserids"]
    assert words("HTTPServer2") == ["http", "server", "2", "httpserver2"]
    assert words("创建文件 now") == ["创建", "建文", "文件", "now"]
    assert words("Füße 文") == ["füsse", "文"]
    assert words("read文件") == ["read", "文件"]


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("read a file", "readFile"),
        ("write text", "write_file"),
        ("open a pull request", "create_pull_requests"),
        ("city", "forecast"),
        ("新建文本文件", "chuangjian"),
        ("天气怎么样", "tianqi"),
    ],
)
async def test_words_find_the_tool_and_say_why(filled: Any, query: str, first: str) -> None:
    ranking = await filled().search(query, LOOSE)
    assert not ranking.everything
    assert ranking.hits[0].tool.tool == first
    hit = ranking.hits[0]
    assert hit.words
    assert math.isclose(sum(hit.words.values()), hit.score)
    assert 0 < hit.score <= 1


async def test_top_k_and_threshold(filled: Any) -> None:
    retriever = filled()
    assert len((await retriever.search("file", Wishes(top=2, threshold=0))).hits) == 2
    none = await retriever.search("nothing of this kind", Wishes(threshold=0.9))
    assert none.everything
    assert len(none.hits) == 6
    assert "No tool reaches 0.9" in none.why


async def test_off_gives_every_tool_and_says_so(filled: Any) -> None:
    ranking = await filled().search("file", Wishes(method=Method.OFF))
    assert ranking.everything
    assert "off" in ranking.why
    assert (await Retriever().search("file")).why == "There are no tools: connect a server."


async def test_rankings_are_kept_for_their_time_and_counted(filled: Any) -> None:
    now = [0.0]
    retriever = filled(clock=lambda: now[0])
    wishes = Wishes(threshold=0, ttl=3600)
    assert not (await retriever.search("file", wishes)).cached
    assert (await retriever.search(" file ", wishes)).cached
    now[0] = 3600.0
    assert not (await retriever.search("file", wishes)).cached
    figures = retriever.figures
    assert (figures.hits, figures.misses, figures.expired) == (1, 2, 1)


async def test_only_changed_tools_are_indexed_again_and_an_empty_listing_is_transient(
    filled: Any, tools: Any, box: Any, tool: Any
) -> None:
    retriever = filled()
    await retriever.search("file", LOOSE)
    assert retriever.figures.indexed == 6
    changed = box(("git", tool("create_pull_requests", description="Submits a patch for review."))).tools
    servers = {each.server for each in tools}
    retriever.update([each for each in tools if each.server != "git"] + list(changed), servers)
    found = await retriever.search("review a patch", LOOSE)
    assert found.hits[0].tool.tool == "create_pull_requests"
    assert retriever.figures.indexed == 7

    retriever.update([each for each in tools if each.server != "files"], servers)
    assert "the 2 of before" in retriever.notes["files"]
    assert (await retriever.search("read a file", LOOSE)).hits[0].tool.tool == "readFile"
    retriever.update([each for each in tools if each.server != "files"], servers - {"files"})
    assert all(each.server != "files" for each in retriever.tools)


class Colours:
    """An embedder whose meaning is known: each text points to the axes of the words that it holds."""

    name = "axes"
    axes = ("file", "sky", "patch")
    likes = (("rain", "sky"), ("document", "file"))

    def __init__(self) -> None:
        self.asked: list[int] = []
        self.fault: Fault | None = None

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        self.asked.append(len(texts))
        if self.fault:
            raise self.fault
        return [unit([float(self.says(text, axis)) for axis in self.axes] + [0.1]) for text in texts]

    def says(self, text: str, axis: str) -> bool:
        return axis in text.lower() or any(word in text for word, other in self.likes if other == axis)


async def test_meaning_finds_what_words_do_not(filled: Any) -> None:
    embedder = Colours()
    retriever = filled(embedder=embedder)
    assert (await retriever.search("rain", Wishes(threshold=0.01))).everything
    ranking = await retriever.search("rain", Wishes(Method.MEANING))
    assert ranking.hits[0].tool.tool == "forecast"
    assert ranking.hits[0].similarity is not None
    assert not ranking.hits[0].words
    both = await retriever.search("write a document", Wishes(Method.HYBRID, threshold=0.1))
    assert both.hits[0].tool.tool == "write_file"
    assert both.hits[0].words
    assert embedder.asked == [7, 1], "tools are embedded once, queries each time"


async def test_an_embedder_that_fails_gives_every_tool_with_its_sentence(filled: Any) -> None:
    embedder = Colours()
    embedder.fault = Fault(FaultKind.REFUSED, "The embeddings are down.", "Start them.")
    retriever = filled(embedder=embedder)
    ranking = await retriever.search("rain", Wishes(Method.MEANING))
    assert ranking.everything
    assert ranking.why == "The embeddings are down. Start them. The model gets every tool."
    embedder.fault = None
    assert not (await retriever.search("rain", Wishes(Method.MEANING))).everything, "a failure is not cached"


async def test_the_packaged_model_knows_meanings_without_a_network(
    filled: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not PackagedModel.installed():
        pytest.skip("the extra semantic is not installed")
    for name in ("HTTP_PROXY", "HTTPS_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    ranking = await filled().search("will it rain", Wishes(Method.MEANING, threshold=0.05))
    assert ranking.hits[0].tool.tool == "forecast"


async def test_an_endpoint_is_asked_in_batches_with_the_key_in_no_sentence(filled: Any) -> None:
    from tests.peers.fake_model import fake_model

    async with fake_model() as model:
        model.answer = lambda body: {
            "data": [
                {"index": at, "embedding": [1.0, float("file" in text.lower())]}
                for at, text in enumerate(body["input"])
            ][::-1]
        }
        retriever = filled(embedder=Endpoint(model.url, "text-embedding-v4", "sk-secret", batch=3))
        ranking = await retriever.search("file", Wishes(Method.MEANING, top=2))
        assert {hit.tool.tool for hit in ranking.hits} == {"readFile", "write_file"}
        assert [len(body["input"]) for body in model.bodies] == [3, 3, 1]
        assert "authorization: bearer sk-secret" in model.heads[0].lower()
        model.status, model.answer = "401 Unauthorized", {"error": "no such key"}
        failed = await retriever.search("other", Wishes(Method.MEANING))
        assert failed.everything
        assert "HTTP 401" in failed.why
        assert "sk-secret" not in failed.why
        model.status, model.answer = "200 OK", {"data": []}
        assert "gave 0 vectors for 1 texts" in (await retriever.search("third", Wishes(Method.MEANING))).why


@pytest.mark.parametrize("kept", [False, True], ids=["environment", "vault"])
async def test_the_command_line_asks_an_endpoint_with_its_key(kept: bool) -> None:
    from tests.peers.fake_model import fake_model

    async with fake_model() as model:
        model.answer = lambda body: {
            "data": [
                {"index": at, "embedding": [1.0, float("weather" in text or text == "rain")]}
                for at, text in enumerate(body["input"])
            ]
        }
        vault = standard(paths.places().config, "file")  # what is in a keyring depends on the machine
        vault.put(name_for(EMBEDDINGS_KEY, "http://127.0.0.1:9/v1"), "sk-of-another-address")
        if kept:
            vault.put(name_for(EMBEDDINGS_KEY, model.url), "sk-right")
        environ = {**os.environ, "MCP_INSPECTOR_SECRETS": "file"}
        if not kept:
            environ["MCP_INSPECTOR_EMBEDDINGS_KEY"] = "sk-right"
        words = ["tools", "-q", "--query", "rain", "--method", "semantic", "--json", "--embeddings", model.url]
        served = ["--embeddings-model", "m", "--", sys.executable, "-m", "mcp_inspector.demo"]
        child = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "mcp_inspector", *words, *served, stdout=asyncio.subprocess.PIPE, env=environ
        )
        out, _ = await asyncio.wait_for(child.communicate(), 60)
        assert child.returncode == 0
        assert json.loads(out)["hits"][0]["tool"] == "get_weather"
        assert "authorization: bearer sk-right" in model.heads[0].lower()
        assert model.bodies[0]["model"] == "m"


def test_an_address_without_a_model_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tools", "--query", "x", "--embeddings", "http://127.0.0.1:9/v1", "demo"]) == 2
    assert "go together" in capsys.readouterr().err


async def test_labelled_queries_are_judged_per_method(filled: Any) -> None:
    labels, problems = read_labels(
        "query,tool\nread a file,readFile\nrain,weather/forecast\n,x\n"
        '"a, b",mcp__git__create_pull_requests|write_file\n'
    )
    assert [label.line for label in labels] == [2, 3, 5]
    assert problems == ("Line 4 has no query and is left out.",)
    retriever = filled(embedder=Colours())
    assert unknown(labels, retriever.tools) == ()
    assert "no server offers nix" in unknown(read_labels("q,nix")[0], retriever.tools)[0]
    by_words, by_meaning = await evaluate(retriever, labels[:2], [Method.WORDS, Method.MEANING])
    assert (by_words.recall, by_words.mrr) == (0.5, 0.5)
    assert by_words.judged[1].rank == 0
    assert by_meaning.recall == 1.0
