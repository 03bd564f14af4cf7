"""What finding tools costs with ten thousand of them: indexing, queries by words, and what changes after an edit.

    python tests/benchmarks/retrieval_rates.py [--tools N]

Prints, as the last line of stdout, one JSON object with all figures in seconds: `index` from the listed tools to the
answer of the first query, `query` and `query worst` of different queries that no cache has, `cached` of one that it
has, `changed` the first query after one tool of all has changed.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import statistics
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from mcp_inspector.agent.retrieval.retriever import Retriever, Wishes
from mcp_inspector.agent.tools import Toolbox, boxed
from mcp_inspector.session.catalogue import Item, What

if TYPE_CHECKING:
    from mcp_inspector.agent.retrieval.retriever import Ranking

_VERBS, _NOUNS, _WORDS = (
    text.split()
    for text in (
        "create read update delete list search fetch send open close merge split copy move rename archive",
        "file folder issue branch ticket invoice customer message channel calendar event report chart user team",
        "the a of for with from that returns given optional identifier name path content text number date range status "
        "owner project workspace repository filter sorted page limit result error when found missing all one several "
        "new 文件 天气 城市 搜索 创建 用户 消息 报告",
    )
)
_QUERIES = 200
_LOOSE = Wishes(threshold=0.0)


def listed(count: int) -> list[tuple[str, Item]]:
    """Tools of twenty servers, each with a description of thirty words and four arguments."""
    chance = random.Random(7)
    found = []
    for number in range(count):
        name = f"{chance.choice(_VERBS)}_{chance.choice(_NOUNS)}_{number}"
        members = {
            f"{chance.choice(_NOUNS)}_{at}": {"type": "string", "description": " ".join(chance.choices(_WORDS, k=6))}
            for at in range(4)
        }
        described = " ".join(chance.choices([*_VERBS, *_NOUNS, *_WORDS], k=30))
        value: dict[str, Any] = {"name": name, "description": described}
        value["inputSchema"] = {"type": "object", "properties": members}
        found.append((f"server{number % 20}", Item(What.TOOLS, json.dumps(value, ensure_ascii=False).encode())))
    return found


async def timed(retriever: Retriever, query: str) -> tuple[float, Ranking]:
    """Seconds for one query, and what it found."""
    began = time.perf_counter()
    ranking = await retriever.search(query, _LOOSE)
    return time.perf_counter() - began, ranking


async def measure(count: int) -> dict[str, float]:
    """All figures."""
    chance = random.Random(11)
    tools = listed(count)
    box: Toolbox = boxed(tools)
    servers = {tool.server for tool in box.tools}
    retriever = Retriever()
    began = time.perf_counter()
    retriever.update(box.tools, servers)
    _, first = await timed(retriever, "create a file")
    figures = {"index": time.perf_counter() - began, "tools": float(len(retriever.tools))}
    assert len(first.hits) == 5
    times = []
    for number in range(_QUERIES):
        words = [chance.choice(_VERBS), *chance.choices(_WORDS, k=4), chance.choice(_NOUNS), str(number)]
        seconds, ranking = await timed(retriever, " ".join(words))
        assert not ranking.cached
        times.append(seconds)
    figures |= {"query": statistics.median(times), "query worst": max(times)}
    figures["cached"] = (await timed(retriever, "create a file"))[0]
    server, item = tools[0]
    tools[0] = (server, Item(What.TOOLS, item.raw.replace(b'"description": "', b'"description": "changed ', 1)))
    changed = boxed(tools)
    began = time.perf_counter()
    retriever.update(changed.tools, servers)
    await retriever.search("create a file", _LOOSE)
    figures["changed"] = time.perf_counter() - began
    return figures


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tools", type=int, default=10_000)
    print(json.dumps(asyncio.run(measure(parser.parse_args().tools))))


if __name__ == "__main__":
    main()
