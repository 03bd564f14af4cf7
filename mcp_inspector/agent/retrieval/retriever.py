"""Query → the tools that fit best, by words, by meaning, or by both, and never silently fewer tools than there are."""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections import OrderedDict
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from mcp_inspector.agent.retrieval import bm25
from mcp_inspector.agent.retrieval.embeddings import cosine
from mcp_inspector.transport.base import Fault

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from mcp_inspector.agent.retrieval.embeddings import Embedder, Vector
    from mcp_inspector.agent.tools import AgentTool

_SHARE = 0.5
_REMEMBERED = 1_000
_LONGEST = 2_000
"""Characters of a tool's text that are embedded: small models read no more."""


class Method(StrEnum):
    """How tools are found."""

    OFF = "off"
    WORDS = "bm25"
    MEANING = "semantic"
    HYBRID = "hybrid"


@dataclass(frozen=True)
class Wishes:
    """`top` tools at most with a score of at least `threshold` (0 to 1); a ranking is kept `ttl` seconds."""

    method: Method = Method.WORDS
    top: int = 5
    threshold: float = 0.3
    ttl: float = 3600.0


@dataclass(frozen=True, eq=False)
class Hit:
    """One tool that fits: what each word of the query added, and how near the meaning is (None: not asked)."""

    tool: AgentTool
    score: float
    words: Mapping[str, float] = field(default_factory=dict)
    similarity: float | None = None


@dataclass(frozen=True, eq=False)
class Ranking:
    """What a query found. `everything`: all tools are given, unranked, and `why` says so. `cached` tells from when."""

    query: str
    hits: tuple[Hit, ...]
    method: Method
    everything: bool = False
    why: str = ""
    cached: bool = False
    elapsed: float = 0.0
    candidates: int = 0


@dataclass
class Figures:
    """What the cache did, and how often the index was made: counts since the start."""

    hits: int = 0
    misses: int = 0
    expired: int = 0
    indexed: int = 0
    embedded: int = 0


class Retriever:
    """The tools of all servers, ready to be searched. `clock` gives seconds and is another one in tests."""

    def __init__(
        self,
        embedder: Embedder | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.figures = Figures()
        self.embedder = embedder
        self._clock = clock
        self._tools: dict[str, tuple[AgentTool, ...]] = {}
        self._documents: dict[tuple[str, str], tuple[bytes, dict[str, float]]] = {}
        self._vectors: dict[bytes, Vector] = {}
        self._index: bm25.Index | None = None
        self._order: tuple[AgentTool, ...] = ()
        self._cache: OrderedDict[tuple[object, ...], tuple[float, Ranking]] = OrderedDict()
        self.notes: dict[str, str] = {}

    @property
    def tools(self) -> tuple[AgentTool, ...]:
        """All tools that can be found."""
        return tuple(tool for tools in self._tools.values() for tool in tools)

    def update(self, tools: Iterable[AgentTool], servers: Iterable[str]) -> None:
        """What these servers offer now; servers that are not named are forgotten.

        A server that offered tools and now has none keeps them: an empty listing comes and goes with a restart. `notes`
        says so. Tools that did not change keep their words and vectors.
        """
        found: dict[str, list[AgentTool]] = {server: [] for server in servers}
        for tool in tools:
            found.setdefault(tool.server, []).append(tool)
        self.notes.clear()
        after: dict[str, tuple[AgentTool, ...]] = {}
        for server, listed in found.items():
            before = self._tools.get(server, ())
            if before and not listed:
                after[server] = before
                self.notes[server] = f"{server} lists no tools now; the {len(before)} of before are still searched."
            else:
                after[server] = tuple(listed)
        if _identity(after) != _identity(self._tools):
            self._index = None
            self._cache.clear()
        self._tools = after

    async def search(self, query: str, wishes: Wishes = Wishes()) -> Ranking:
        """The tools that fit. Raises nothing: what fails gives all tools, and says why."""
        began = time.perf_counter()
        tools = self.tools
        if wishes.method is Method.OFF:
            return _all(query, tools, wishes.method, "Retrieval is off: the model gets every tool.")
        if not tools:
            return Ranking(query, (), wishes.method, why="There are no tools: connect a server.")
        key = (query.strip(), wishes, self.embedder.name if self.embedder else "")
        kept = self._cache.get(key)
        if kept is not None:
            if self._clock() - kept[0] < wishes.ttl:
                self.figures.hits += 1
                self._cache.move_to_end(key)
                return replace(kept[1], cached=True, elapsed=time.perf_counter() - began)
            self.figures.expired += 1
        self.figures.misses += 1
        try:
            hits = await self._ranked(query, wishes)
        except Fault as fault:
            why = f"{fault.sentence} {fault.hint}".strip()
            return _all(query, tools, wishes.method, f"{why} The model gets every tool.")
        ranking = Ranking(query, tuple(hits), wishes.method, candidates=len(tools))
        if not hits:
            why = f"No tool reaches {wishes.threshold:g} for this query: the model gets every tool."
            ranking = _all(query, tools, wishes.method, why)
        self._cache[key] = (self._clock(), ranking)
        if len(self._cache) > _REMEMBERED:
            self._cache.popitem(last=False)
        return replace(ranking, elapsed=time.perf_counter() - began)

    def forget(self) -> None:
        """Empty the cache of rankings; the index stays."""
        self._cache.clear()

    async def _ranked(self, query: str, wishes: Wishes) -> list[Hit]:
        index = self._indexed()
        limit = wishes.top if wishes.method is Method.WORDS else len(index)
        matches = {} if wishes.method is Method.MEANING else {m.document: m for m in index.search(query, limit)}
        near: dict[int, float] = {}
        if wishes.method is not Method.WORDS:
            near = await self._near(query)
        hits = []
        for number in matches.keys() | near.keys():
            match, similarity = matches.get(number), near.get(number)
            if wishes.method is Method.HYBRID:
                score = _SHARE * (match.score if match else 0.0) + (1 - _SHARE) * max(similarity or 0.0, 0.0)
            else:
                score = match.score if match is not None else (similarity or 0.0)
            if score >= wishes.threshold:
                hits.append((number, Hit(self._order[number], score, match.words if match else {}, similarity)))
        hits.sort(key=lambda each: (-each[1].score, each[0]))
        return [hit for _, hit in hits[: wishes.top]]

    def _indexed(self) -> bm25.Index:
        if self._index is None:
            self._order = self.tools
            fresh: dict[tuple[str, str], tuple[bytes, dict[str, float]]] = {}
            for tool in self._order:
                key, mark = (tool.server, tool.tool), _mark(tool.item.raw)
                kept = self._documents.get(key)
                if kept is None or kept[0] != mark:
                    self.figures.indexed += 1
                    kept = (mark, dict(bm25.document(tool)))
                fresh[key] = kept
            self._documents = fresh
            self._index = bm25.Index(fresh[tool.server, tool.tool][1] for tool in self._order)
        return self._index

    async def _near(self, query: str) -> dict[int, float]:
        embedder = self.embedder
        if embedder is None:
            from mcp_inspector.agent.retrieval.embeddings import PackagedModel

            embedder = self.embedder = PackagedModel()
        texts = {number: text_of(tool) for number, tool in enumerate(self._order)}
        marks = {number: _mark(f"{embedder.name}\0{text}".encode("utf-8", "replace")) for number, text in texts.items()}
        missing = {mark: texts[number] for number, mark in marks.items() if mark not in self._vectors}
        fresh = await embedder.embed([query, *missing.values()])
        self.figures.embedded += len(missing)
        self._vectors.update(zip(missing, fresh[1:], strict=True))
        used = set(marks.values())
        self._vectors = {mark: vector for mark, vector in self._vectors.items() if mark in used}
        vectors = self._vectors

        def near() -> dict[int, float]:
            return {number: cosine(fresh[0], vectors[mark]) for number, mark in marks.items()}

        return await asyncio.get_running_loop().run_in_executor(None, near)  # 0.1 s for some thousand tools


def text_of(tool: AgentTool) -> str:
    """What is embedded of a tool: its name in words, its description, and its arguments."""
    schema = tool.item.value.get("inputSchema")
    members = schema.get("properties") if isinstance(schema, dict) else None
    arguments = ", ".join(members) if isinstance(members, dict) else ""
    name = tool.tool.replace("_", " ").replace("-", " ")
    return f"{name}. {tool.item.title}. {tool.description} {arguments}"[:_LONGEST]


def _all(query: str, tools: tuple[AgentTool, ...], method: Method, why: str) -> Ranking:
    hits = tuple(Hit(tool, 0.0) for tool in tools)
    return Ranking(query, hits, method, everything=True, why=why, candidates=len(tools))


def _mark(text: bytes) -> bytes:
    return hashlib.blake2b(text, digest_size=16).digest()


def _identity(tools: Mapping[str, tuple[AgentTool, ...]]) -> list[tuple[str, str, str, bytes]]:
    return [(server, tool.tool, tool.name, tool.item.raw) for server, listed in tools.items() for tool in listed]
