"""How good retrieval is on the person's own tools: labelled queries → recall at k and mean reciprocal rank."""

from __future__ import annotations

import asyncio
import csv
import io
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from mcp_inspector.agent.retrieval.retriever import Method, Wishes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mcp_inspector.agent.retrieval.retriever import Retriever
    from mcp_inspector.agent.tools import AgentTool

_MOST = 10_000


@dataclass(frozen=True)
class Label:
    """A query, and the tools that are right for it by own name, routed name, or ``server/tool``."""

    query: str
    right: tuple[str, ...]
    line: int


@dataclass(frozen=True)
class Judged:
    """One query: the rank of the first right tool (0: not found), and how many of the right ones were found."""

    label: Label
    rank: int
    found: int
    wanted: int
    first: str


@dataclass(frozen=True)
class Score:
    """One method over all queries. `recall` and `mrr` are from 0 to 1; `why` tells of what failed."""

    method: Method
    recall: float
    mrr: float
    milliseconds: float
    judged: tuple[Judged, ...]
    why: str = ""


def read_labels(text: str) -> tuple[tuple[Label, ...], tuple[str, ...]]:
    """Labels of a CSV with the columns ``query`` and ``tool`` (or without a head line, in this order), and problems.

    Several right tools are parted by ``|`` or stand in further columns. Lines that cannot be used are told, not lost.
    """
    labels: list[Label] = []
    problems: list[str] = []
    reader = csv.reader(io.StringIO(text.removeprefix("\ufeff")))
    try:
        for row in reader:
            cells = [cell.strip() for cell in row]
            if not any(cells) or (not labels and cells[0].casefold() == "query"):
                continue
            right = tuple(name.strip() for cell in cells[1:] for name in cell.split("|") if name.strip())
            if not cells[0] or not right:
                missing = "query" if not cells[0] else "tool"
                problems.append(f"Line {reader.line_num} has no {missing} and is left out.")
            elif len(labels) < _MOST:
                labels.append(Label(cells[0], right, reader.line_num))
            else:
                problems.append(f"There are more than {_MOST:,} queries: the rest is left out.")
                break
    except csv.Error as error:
        problems.append(f"Line {reader.line_num} is no CSV: {error}.")
    return tuple(labels), tuple(problems)


def unknown(labels: Iterable[Label], tools: Iterable[AgentTool]) -> tuple[str, ...]:
    """Sentences about labels whose tools nobody offers: they can never be found."""
    names = {name for tool in tools for name in (tool.tool, tool.name, f"{tool.server}/{tool.tool}")}
    return tuple(
        f"Line {label.line}: no server offers {', '.join(missing)}."
        for label in labels
        if (missing := [name for name in label.right if name not in names])
    )


async def evaluate(
    retriever: Retriever,
    labels: Iterable[Label],
    methods: Iterable[Method],
    wishes: Wishes = Wishes(),
) -> tuple[Score, ...]:
    """Each method over all queries with ``wishes.top`` as k and without a threshold, so that ranks can be seen."""
    labels = tuple(labels)
    scores: list[Score] = []
    for method in methods:
        asked = replace(wishes, method=method, threshold=0.0)
        judged: list[Judged] = []
        why, elapsed = "", 0.0
        for label in labels:
            await asyncio.sleep(0)  # ten thousand queries by words wait for nothing: others want their turn
            ranking = await retriever.search(label.query, asked)
            elapsed += ranking.elapsed
            if ranking.everything:
                why = ranking.why
                judged.append(Judged(label, 0, 0, len(label.right), ""))
                continue
            names = [{hit.tool.tool, hit.tool.name, f"{hit.tool.server}/{hit.tool.tool}"} for hit in ranking.hits]
            rank = next((at for at, each in enumerate(names, 1) if each & set(label.right)), 0)
            found = sum(any(name in each for each in names) for name in label.right)
            first = ranking.hits[0].tool.name if ranking.hits else ""
            judged.append(Judged(label, rank, found, len(label.right), first))
        count = len(judged) or 1
        recall = sum(each.found / each.wanted for each in judged) / count
        mrr = sum(1 / each.rank for each in judged if each.rank) / count
        scores.append(Score(method, recall, mrr, 1000 * elapsed / count, tuple(judged), why))
    return tuple(scores)
