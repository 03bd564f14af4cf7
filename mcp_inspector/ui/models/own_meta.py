"""What a person adds to the `_meta` of a tool's, prompt's or template's requests, kept for each of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from mcp_inspector.ui.memory import Memory
    from mcp_inspector.ui.models.drafts import Key

_NAME = "request.meta"
_MOST = 400
_LONGEST = 16 * 1024


@dataclass(frozen=True)
class Meta:
    """The `_meta` as typed, valid or not, and whether a trace context is made for each request."""

    text: str = ""
    trace: bool = False

    @property
    def problem(self) -> str:
        """Why nothing can be sent with it; empty when it can."""
        return "" if self.members is not None else "The _meta of this request is no JSON object"

    @property
    def members(self) -> dict[str, Any] | None:
        """Its members, each spelled as it is typed; None when it is no JSON object."""
        if not self.text.strip():
            return {}
        try:
            found = msgspec.json.decode(self.text.encode(errors="replace"), type=dict[str, msgspec.Raw])
        except (msgspec.MsgspecError, RecursionError):
            return None
        return {name: msgspec.Raw(msgspec.json.format(bytes(raw), indent=-1)) for name, raw in found.items()}

    @property
    def given(self) -> dict[str, Any]:
        """What to hand to the request."""
        found: dict[str, Any] = {"meta": self.members} if self.members else {}
        return {**found, "trace": True} if self.trace else found

    @property
    def shown(self) -> dict[str, Any]:
        """The `_meta` as it would be sent now, for a preview: the trace context is another one each time."""
        from mcp_inspector.session.eras import traceparent  # late: the window is on screen before it is needed

        return {**(traceparent() if self.trace else {}), **(self.members or {})}

    @property
    def word(self) -> str:
        """What it holds, for a badge; empty for nothing."""
        return " + ".join(filter(None, ("_meta" if self.text.strip() else "", "trace" if self.trace else "")))


class OwnMeta:
    """By server, kind and name. What looks like a secret lives as long as the window, and is not kept on disk."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._metas: dict[Key, Meta] = {}
        kept: list[Any] = memory.get(_NAME, [])
        for entry in kept:
            match entry:
                case [str(server), str(kind), str(name), str(text), bool(trace)]:
                    self._metas[server, kind, name] = Meta(text, trace)

    def get(self, key: Key) -> Meta:
        """What was chosen for it."""
        return self._metas.get(key, Meta())

    def put(self, key: Key, meta: Meta) -> None:
        """Choose something else."""
        if meta == self.get(key):
            return
        self._metas.pop(key, None)
        if meta != Meta():
            self._metas[key] = meta
        self._keep()

    def rename(self, old: str, new: str) -> None:
        """A server has another name now."""
        self._metas = {(new if key[0] == old else key[0], *key[1:]): meta for key, meta in self._metas.items()}
        self._keep()

    def _keep(self) -> None:
        newest = [*self._metas.items()][-_MOST:]
        self._memory.put(_NAME, [[*key, meta.text, meta.trace] for key, meta in newest if _may_stand_on_disk(meta)])


def _may_stand_on_disk(meta: Meta) -> bool:
    from mcp_inspector.store.redact import redact_value  # late, as above

    if len(meta.text) > _LONGEST:
        return False
    try:
        value = msgspec.json.decode(meta.text or "{}")
    except (msgspec.MsgspecError, RecursionError):
        return False
    return bool(redact_value(value) == value)
