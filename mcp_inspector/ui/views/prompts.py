"""Prompts: fill in the arguments with the server's suggestions, read the messages, copy them."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import msgspec

from mcp_inspector.session.catalogue import What
from mcp_inspector.ui.models.arguments import schema_of_prompt
from mcp_inspector.ui.models.completing import completer
from mcp_inspector.ui.models.runs import Runs
from mcp_inspector.ui.views.caller import CallerPage, Kind
from mcp_inspector.ui.views.conversation import Conversation
from mcp_inspector.ui.views.result import ResultView
from mcp_inspector.ui.views.result_tabs import Tab

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from PySide6.QtWidgets import QWidget

    from mcp_inspector.session.server import Server
    from mcp_inspector.ui.desk import Desk
    from mcp_inspector.ui.forms.completion import Complete
    from mcp_inspector.ui.models.arguments import Arguments
    from mcp_inspector.ui.models.items import Row
    from mcp_inspector.ui.models.runs import Run


class PromptKind(Kind):
    """Prompts: their arguments are texts."""

    name = "prompts"
    what = What.PROMPTS
    method = "prompts/get"
    verb = "Get prompt"
    idle = "The messages come here"

    def schema(self, row: Row) -> bytes | None:
        """A schema of texts, from the list of arguments."""
        return schema_of_prompt(row.item.value.get("arguments"))

    def completer(self, server: Server, row: Row, arguments: Arguments) -> Complete | None:
        """The server's suggestions."""
        return completer(server, {"type": "ref/prompt", "name": row.key}, arguments)

    def params(self, row: Row, arguments: Arguments) -> dict[str, Any]:
        """The prompt's name, and arguments when there are any."""
        given = arguments.document.wire_bytes()
        return {"name": row.key} if given == b"{}" else {"name": row.key, "arguments": msgspec.Raw(given)}

    def start(self, desk: Desk, server: Server, row: Row, arguments: Arguments, more: dict[str, Any]) -> Run:
        """Get it."""
        given = arguments.document.wire_bytes()
        params = self.params(row, arguments)
        return desk.runs.start(
            server,
            self.method,
            row.key,
            given,
            lambda run: server.request(self.method, params, **more, **Runs.hooks(run)),
        )

    def result_view(self, desk: Desk, row_now: Callable[[], Row | None]) -> ResultView:
        """Messages first."""

        @cache  # one, made when it is first looked at
        def talk() -> Conversation:
            made = Conversation()
            made.send_wanted.connect(desk.text_sent)
            return made

        messages = Tab("Messages", talk, lambda result, raw: talk().show_result(result, raw=raw), fits=lambda _: True)
        return ResultView(desk, self.name, self.idle, leading=(messages,))


class PromptsPage(CallerPage):
    """The page."""

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(desk, PromptKind(), parent)
        self.setObjectName("prompts-page")
