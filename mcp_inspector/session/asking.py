"""What one server asks of the person beside its requests: roots that are configured, and pages to visit first."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from mcp_inspector.session.inbox import ELICITATION, Ask, Inbox
from mcp_inspector.session.outcome import Outcome, RpcError
from mcp_inspector.session.reading import decoded_params

if TYPE_CHECKING:
    from mcp_inspector.config.entry import Root
    from mcp_inspector.transport.tasks import Tasks
    from mcp_inspector.wire.frame import Frame

URL_ELICITATION_REQUIRED = -32042


class Asking:
    """The inbox as one server sees it, over all its connections. Without an inbox it does nothing."""

    def __init__(self, server: str, inbox: Inbox | None, tasks: Tasks) -> None:
        self._server, self._inbox, self._tasks = server, inbox, tasks

    def set_roots(self, roots: tuple[Root, ...]) -> None:
        """Let these answer `roots/list`; without any, a person is asked."""
        if self._inbox is not None:
            self._inbox.set_roots(self._server, roots_result(roots) if roots else None)

    def ended(self, outcome: Outcome) -> None:
        """A request has ended: an error of 2025-11-25 may name pages to visit before it is sent again by hand."""
        if self._inbox is None or not isinstance(outcome, RpcError) or outcome.code != URL_ELICITATION_REQUIRED:
            return
        for params in url_elicitations(outcome.error):
            ask = Ask(self._server, ELICITATION, params, outcome.call, outcome.reply, way="consent")
            self._tasks.spawn(self._inbox.put(ask), "consent")

    def heard(self, frame: Frame) -> None:
        """A notification has come: what was to be done at a URL may be done."""
        if frame.method == "notifications/elicitation/complete" and self._inbox is not None:
            identifier = decoded_params(frame).get("elicitationId")
            if isinstance(identifier, str):
                self._inbox.complete(self._server, identifier)


def roots_result(roots: tuple[Root, ...]) -> bytes:
    """The result of `roots/list`, as JSON text."""
    items = [{"uri": root.uri, "name": root.name} if root.name else {"uri": root.uri} for root in roots]
    return msgspec.json.encode({"roots": items})


class _Error(msgspec.Struct):
    data: msgspec.Raw = msgspec.Raw(b"{}")


class _Elicitations(msgspec.Struct):
    elicitations: list[msgspec.Raw] = []


def url_elicitations(error: bytes) -> list[bytes]:
    """The params of the elicitations in an error -32042; none when there are none that can be read."""
    try:
        data = msgspec.json.decode(error, type=_Error).data
        return [bytes(each) for each in msgspec.json.decode(data, type=_Elicitations).elicitations]
    except (msgspec.MsgspecError, RecursionError):
        return []
