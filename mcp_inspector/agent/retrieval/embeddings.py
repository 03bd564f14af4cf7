"""Meaning as numbers: a small model that is installed as a package, or an endpoint that the person configured.

Nothing is downloaded and no endpoint is asked that was not configured.
"""

from __future__ import annotations

import asyncio
import importlib
import importlib.util
import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from mcp_inspector.transport.base import Fault, FaultKind
from mcp_inspector.transport.posting import Post

if TYPE_CHECKING:
    from collections.abc import Sequence

Vector = list[float]
KEY_VARIABLE = "MCP_INSPECTOR_EMBEDDINGS_KEY"
"""The environment variable with the endpoint's key, for use without a window."""

LARGEST = 64 * 1024 * 1024


class Embedder(Protocol):
    """Turns texts into vectors of length 1, one for each text in order. `name` tells vectors of two models apart."""

    @property
    def name(self) -> str:
        """Who makes the vectors."""

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        """Raises `Fault` with a sentence."""


class PackagedModel:
    """The model that comes inside of the package `wordllama` (extra ``semantic``): it needs no network and no GPU."""

    name = "wordllama"

    def __init__(self) -> None:
        self._model: Any = None

    @staticmethod
    def installed() -> bool:
        """Whether the package is there; looked up without importing it."""
        return importlib.util.find_spec("wordllama") is not None

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        """In a thread: numpy does the work outside of the interpreter's lock."""
        if not self.installed():
            sentence = "The packaged model is not installed."
            raise Fault(FaultKind.USAGE, sentence, "Install the extra: mcp-inspector-desktop[semantic].")
        return await asyncio.get_running_loop().run_in_executor(None, self._embed, list(texts))

    def _embed(self, texts: list[str]) -> list[Vector]:
        if self._model is None:
            package = importlib.import_module("wordllama")
            # It looks for the tokenizer that it ships only in a cache folder: its own is named as one.
            home = Path(str(package.__file__)).parent
            self._model = package.WordLlama.load(cache_dir=home, disable_download=True)
        rows: list[Vector] = self._model.embed([text or " " for text in texts], norm=True).tolist()
        return rows


@dataclass
class Endpoint:
    """An endpoint with OpenAI's ``/embeddings``. `base_url` goes up to and without that word.

    `batch` texts go in one request: DashScope's compatible mode takes 10. `timeout` is in seconds for each request.
    """

    base_url: str
    model: str
    key: str = ""
    batch: int = 10
    timeout: float = 30

    @property
    def name(self) -> str:
        """The address and the model."""
        return f"{self.base_url.rstrip('/')} {self.model}"

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        """One request after the other. The key is in no sentence."""
        url = self.base_url.strip().rstrip("/") + "/embeddings"
        post = Post(url, "The embeddings", self.key, timeout=self.timeout, largest=LARGEST)
        vectors: list[Vector] = []
        try:
            for at in range(0, len(texts), self.batch):
                part = list(texts[at : at + self.batch])
                raw = await post.send(
                    msgspec.json.encode({"model": self.model, "input": part, "encoding_format": "float"})
                )
                vectors += _vectors(raw, len(part), post.target.authority)
        finally:
            await post.close()
        return vectors


def cosine(one: Vector, other: Vector) -> float:
    """How near two vectors of length 1 are: 1 the same way, 0 nothing in common."""
    return sum(map(float.__mul__, one, other))


def unit(vector: Sequence[float]) -> Vector:
    """The vector with length 1; one of length 0 stays."""
    length = math.sqrt(sum(each * each for each in vector))
    return [each / length for each in vector] if length else list(vector)


class _Row(msgspec.Struct):
    embedding: list[float]
    index: int = 0


class _Reply(msgspec.Struct):
    data: list[_Row]


def _vectors(raw: bytes, count: int, who: str) -> list[Vector]:
    try:
        rows = msgspec.json.decode(raw, type=_Reply).data
    except msgspec.MsgspecError as error:
        sentence = f"The answer of the embeddings at {who} cannot be read: {error}."
        raise Fault(FaultKind.BAD_CONTENT, sentence) from None
    if sorted(row.index for row in rows) != list(range(count)):
        sentence = f"The embeddings at {who} gave {len(rows)} vectors for {count} texts."
        raise Fault(FaultKind.BAD_CONTENT, sentence)
    return [unit(row.embedding) for row in sorted(rows, key=lambda row: row.index)]
