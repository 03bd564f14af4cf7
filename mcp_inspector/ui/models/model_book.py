"""The model that may answer sampling: where it is, kept in the window's memory; its key, kept in the keyring if any."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from mcp_inspector.session.model_endpoint import ModelEndpoint
from mcp_inspector.ui import bridge

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcp_inspector.config.vault import Vault
    from mcp_inspector.ui.bridge import Job
    from mcp_inspector.ui.memory import Memory

_NAME = "sampling.model"
_KEY = "sampling model key"


class ModelBook(QObject):
    """One endpoint for all servers. It is only asked by `ask`, which only a click leads to."""

    changed = Signal()

    def __init__(self, memory: Memory, vault: Callable[[], Vault], parent: QObject | None = None) -> None:
        """`vault` gives that of the program, where the key is kept."""
        super().__init__(parent)
        self._memory = memory
        self._vault = vault

    @property
    def endpoint(self) -> ModelEndpoint:
        """As it is configured; not usable while it is not."""
        kept = self._memory.get(_NAME, dict[str, str]())
        url, model = kept.get("url", ""), kept.get("model", "")
        return ModelEndpoint(url if isinstance(url, str) else "", model if isinstance(model, str) else "")

    def save(self, url: str, model: str, key: str | None, on_done: Callable[[str], object]) -> None:
        """Keep it, and the key unless it is None; `on_done` gets the words for where keys are kept."""
        self._memory.put(_NAME, {"url": url.strip(), "model": model.strip()})
        self.changed.emit()

        vault = self._vault()

        def keep() -> str:
            if key is not None:
                vault.put(_KEY, key)
            return vault.place()

        bridge.spawn(bridge.aside(keep), what="keeping the model's key", on_done=on_done)

    def look(self, on_done: Callable[[tuple[str, bool]], object]) -> None:
        """Find out where keys are kept, in words, and whether there is one."""
        vault = self._vault()
        bridge.spawn(
            bridge.aside(lambda: (vault.place(), bool(vault.get(_KEY)))),
            what="looking for the model's key",
            on_done=on_done,
        )

    def ask(
        self,
        params: bytes,
        on_done: Callable[[bytes], object],
        on_error: Callable[[Exception], object],
        finally_: Callable[[], object],
    ) -> Job:
        """Let the model answer a sampling request; the answer is given back, not sent."""
        endpoint, vault = self.endpoint, self._vault()

        async def work() -> bytes:
            key = await bridge.aside(lambda: vault.get(_KEY))
            return await endpoint.complete(params, key)

        what = f"asking {endpoint.model}"
        return bridge.spawn(work(), what=what, on_done=on_done, on_error=on_error, finally_=finally_)
