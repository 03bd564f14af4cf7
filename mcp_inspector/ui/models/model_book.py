"""The endpoints that the person configured: where each is, kept in the window's memory; its key, kept in the vault."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from mcp_inspector.config.vault import EMBEDDINGS_KEY, Vault, name_for
from mcp_inspector.session.model_endpoint import ModelEndpoint
from mcp_inspector.ui import bridge

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcp_inspector.ui.bridge import Job
    from mcp_inspector.ui.memory import Memory


@dataclass(frozen=True)
class Purpose:
    """What an endpoint is for. `name` is where it is kept, `secret` names its key, `apis` are the interfaces to choose.

    `per_address`: the key belongs to the address that it was typed for, and is sent to no other.
    """

    name: str
    secret: str
    title: str
    about: str
    model: str = "the model's name"
    apis: tuple[tuple[str, str], ...] = ()
    per_address: bool = True


SAMPLING = Purpose(
    "sampling.model",
    "sampling model key",
    "Model for sampling",
    "An OpenAI-compatible endpoint (chat completions). It is asked only when you press the button beside a sampling "
    "request, and its answer comes to you before the server gets it.",
    per_address=False,
)
PLAYGROUND = Purpose(
    "agent.model",
    "playground model key",
    "Model for the playground",
    "It is asked only when you send something in the playground. It gets what you say, the tools that are offered, and "
    "the results of the tools that it calls. Each request and each answer is shown in Traffic, without the key.",
    apis=(("openai", "OpenAI-compatible (chat completions)"), ("anthropic", "Anthropic (messages)")),
)
EMBEDDINGS = Purpose(
    "agent.embeddings",
    EMBEDDINGS_KEY,
    "Embeddings for finding tools",
    "An OpenAI-compatible endpoint (embeddings; DashScope's compatible mode, too). It gets names and descriptions of "
    "tools, and what you look for by meaning. Without it the small model of the extra “semantic” is used, if it is "
    "installed.",
    model="text-embedding-v4",
)


class ModelBook(QObject):
    """One endpoint for one purpose. It is only asked by what only a click leads to."""

    changed = Signal()

    def __init__(
        self,
        memory: Memory,
        parent: QObject | None = None,
        purpose: Purpose = SAMPLING,
        vault: Callable[[], Vault | None] = lambda: None,
    ) -> None:
        """`vault` gives that of the program, where the key is kept; None before the core is there."""
        super().__init__(parent)
        self.purpose = purpose
        self._memory = memory
        self._shared = vault
        self._own = Vault(keyring=False)

    @property
    def vault(self) -> Vault:
        """Where the key is kept: in the program's vault; before that is there, in memory."""
        return self._shared() or self._own

    @property
    def endpoint(self) -> ModelEndpoint:
        """As it is configured; not usable while it is not."""
        return ModelEndpoint(self._kept("url"), self._kept("model"))

    @property
    def api(self) -> str:
        """The chosen interface, the first when none was chosen; empty where there is no choice."""
        known = [api for api, _ in self.purpose.apis]
        kept = self._kept("api")
        return kept if kept in known else "".join(known[:1])

    def _kept(self, member: str) -> str:
        value = self._memory.get(self.purpose.name, dict[str, str]()).get(member, "")
        return value if isinstance(value, str) else ""

    def _secret(self) -> str:
        purpose = self.purpose
        return name_for(purpose.secret, self._kept("url")) if purpose.per_address else purpose.secret

    def save(self, url: str, model: str, key: str | None, on_done: Callable[[str], object], api: str = "") -> None:
        """Keep it, and the key unless it is None; `on_done` gets the words for where keys are kept."""
        kept = {"url": url.strip(), "model": model.strip()}
        self._memory.put(self.purpose.name, kept | ({"api": api} if api else {}))
        secret, vault = self._secret(), self.vault

        def keep() -> str:
            if key is not None:
                vault.put(secret, key)
            return vault.place()

        def done(place: str) -> None:
            self.changed.emit()
            on_done(place)

        bridge.spawn(bridge.aside(keep), what="keeping the model's key", on_done=done)

    def look(self, on_done: Callable[[tuple[str, bool]], object]) -> None:
        """Find out where keys are kept, in words, and whether there is one."""
        secret, vault = self._secret(), self.vault
        bridge.spawn(
            bridge.aside(lambda: (vault.place(), bool(vault.get(secret)))),
            what="looking for the model's key",
            on_done=on_done,
        )

    async def key(self) -> str:
        """The kept key, empty when there is none."""
        secret, vault = self._secret(), self.vault
        return await bridge.aside(lambda: vault.get(secret))

    def ask(
        self,
        params: bytes,
        on_done: Callable[[bytes], object],
        on_error: Callable[[Exception], object],
        finally_: Callable[[], object],
    ) -> Job:
        """Let the model answer a sampling request; the answer is given back, not sent."""
        endpoint = self.endpoint

        async def work() -> bytes:
            return await endpoint.complete(params, await self.key())

        what = f"asking {endpoint.model}"
        return bridge.spawn(work(), what=what, on_done=on_done, on_error=on_error, finally_=finally_)
