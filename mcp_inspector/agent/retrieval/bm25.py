"""BM25 over tools, with fields weighted: an own page, since a general index knows no fields and no reasons.

Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009), with the weights of fields put
on the counts of words before they saturate (BM25F).
"""

from __future__ import annotations

import heapq
import math
from bisect import bisect_left
from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from mcp_inspector.agent.retrieval.words import words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from mcp_inspector.agent.tools import AgentTool

K1, B = 1.2, 0.75
NAME, TITLE, DESCRIPTION, ARGUMENT, ARGUMENT_TEXT = 3.0, 2.0, 1.0, 1.0, 0.4
_LONGEST = 20_000
"""Characters of one text that are read: a description may be a book."""


@dataclass(frozen=True)
class Match:
    """How well one document fits: `score` from 0 to 1, and what each word of the query added to it."""

    document: int
    score: float
    words: Mapping[str, float] = field(default_factory=dict)


class Index:
    """The words of a set of documents. It is made once and not changed; making it again is quick."""

    def __init__(self, documents: Iterable[Mapping[str, float]]) -> None:
        """Each document is its words with their weighted counts."""
        self._postings: dict[str, tuple[list[int], list[float]]] = {}
        lengths: list[float] = []
        for number, counts in enumerate(documents):
            lengths.append(sum(counts.values()))
            for word, count in counts.items():
                found = self._postings.get(word)
                if found is None:
                    found = self._postings[word] = ([], [])
                found[0].append(number)
                found[1].append(count)
        self._count = len(lengths)
        average = (sum(lengths) / self._count if self._count else 0) or 1.0
        flat = [K1 * (1 - B + B * length / average) for length in lengths]
        for numbers, weights in self._postings.values():
            # What a count weighs is worked out once: a query then only multiplies and adds.
            weights[:] = [(K1 + 1) * count / (count + flat[at]) for at, count in zip(numbers, weights, strict=True)]

    def __len__(self) -> int:
        return self._count

    def search(self, query: str, top: int) -> list[Match]:
        """The best documents, best first; documents without any word of the query are none of them.

        A score of 1 would be a document that is nothing but the query; words that no document has count against all.
        """
        wanted = list(dict.fromkeys(words(query)))
        rarity = {word: self._rarity(word) for word in wanted}
        best = sum(rarity.values()) * (K1 + 1)
        if not best:
            return []
        scores = [0.0] * self._count
        for word in wanted:
            numbers, weights = self._postings.get(word, ((), ()))
            factor = rarity[word]
            for number, weight in zip(numbers, weights, strict=True):
                scores[number] -= factor * weight
        first = heapq.nsmallest(top, ((score, number) for number, score in enumerate(scores) if score))
        return [Match(number, -score / best, self._reasons(number, rarity, best)) for score, number in first]

    def _rarity(self, word: str) -> float:
        found = len(self._postings[word][0]) if word in self._postings else 0
        return math.log1p((self._count - found + 0.5) / (found + 0.5))

    def _reasons(self, document: int, rarity: Mapping[str, float], best: float) -> dict[str, float]:
        reasons: dict[str, float] = {}
        for word, factor in rarity.items():
            numbers, weights = self._postings.get(word, ([], []))
            at = bisect_left(numbers, document)
            if at < len(numbers) and numbers[at] == document:
                reasons[word] = factor * weights[at] / best
        return reasons


def document(tool: AgentTool) -> dict[str, float]:
    """The words of one tool with their weights: name, title, description, arguments and what is said of them."""
    counts: dict[str, float] = defaultdict(float)

    def add(text: object, weight: float) -> None:
        if isinstance(text, str):
            for word in words(text[:_LONGEST]):
                counts[word] += weight

    value = tool.item.value
    add(tool.tool, NAME)
    add(tool.server, DESCRIPTION)
    if tool.item.title != tool.tool:
        add(tool.item.title, TITLE)
    add(tool.item.description, DESCRIPTION)
    schema = value.get("inputSchema")
    members = schema.get("properties") if isinstance(schema, dict) else None
    for name, part in members.items() if isinstance(members, dict) else ():
        add(name, ARGUMENT)
        if isinstance(part, dict):
            add(part.get("title"), ARGUMENT_TEXT)
            add(part.get("description"), ARGUMENT_TEXT)
            for each in part["enum"][:50] if isinstance(part.get("enum"), list) else ():
                add(each, ARGUMENT_TEXT)
    return counts
