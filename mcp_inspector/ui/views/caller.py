"""A page that lists things and asks the server for them: list, arguments and result side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from mcp_inspector.config.policy import Rule
from mcp_inspector.config.safe_write import EditRefused
from mcp_inspector.session.approval import refuse
from mcp_inspector.session.catalogue import What
from mcp_inspector.session.status import State
from mcp_inspector.ui.bridge import Pull
from mcp_inspector.ui.models.arguments import Arguments
from mcp_inspector.ui.models.endings import progress_words
from mcp_inspector.ui.models.request_preview import preview_of
from mcp_inspector.ui.views.approval import ApprovalBar
from mcp_inspector.ui.views.arguments import REQUEST, ArgumentsView
from mcp_inspector.ui.views.item_head import ItemHead
from mcp_inspector.ui.views.item_list import ItemList
from mcp_inspector.ui.views.result import ResultView

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QResizeEvent

    from mcp_inspector.config.entry import ServerEntry
    from mcp_inspector.session.approval import Decision
    from mcp_inspector.session.outcome import Outcome
    from mcp_inspector.session.server import Server
    from mcp_inspector.ui.desk import Desk
    from mcp_inspector.ui.forms.completion import Complete
    from mcp_inspector.ui.models.items import Row
    from mcp_inspector.ui.models.runs import Run
    from mcp_inspector.ui.views.item_row import Mark

_KEPT_ARGUMENTS = 60
_NARROW = 700
"""A page narrower than this (px) has no room for a form with names beside their fields and a result."""


class Kind:
    """What differs between tools, prompts and templates: their words, their schema, and how they are asked for."""

    name = ""
    what = What.TOOLS
    method = ""
    verb = ""
    idle = ""

    def schema(self, row: Row) -> bytes | None:
        """The JSON Schema of its arguments."""
        raise NotImplementedError

    def completer(self, server: Server, row: Row, arguments: Arguments) -> Complete | None:
        """Asks the server for values of an argument; None where the era has no such thing."""
        return None

    def preview(self, row: Row, arguments: Arguments) -> str:
        """What the arguments come to; empty when that says nothing."""
        return ""

    def params(self, row: Row, arguments: Arguments) -> dict[str, Any]:
        """The params of the request; values may be `msgspec.Raw`."""
        raise NotImplementedError

    def target(self, row: Row, arguments: Arguments) -> str:
        """What a command line names: the item, or the URI that its arguments come to."""
        return row.key

    def start(self, desk: Desk, server: Server, row: Row, arguments: Arguments, more: dict[str, Any]) -> Run:
        """Ask the server. `more` is what the person puts into its `_meta`, and ``fresh`` for no cache."""
        raise NotImplementedError

    def decision(self, desk: Desk, server: Server, row: Row) -> Decision | None:
        """Whether it may be asked at all; None for what changes nothing."""
        return None

    def result_view(self, desk: Desk, row_now: Callable[[], Row | None]) -> ResultView:
        """The view of results."""
        return ResultView(desk, self.name, self.idle)


class CallerPage(QWidget):
    """List, arguments, result. It shows one server at a time; what runs goes on when another is shown."""

    wanted = Signal(str)
    """A command for the chosen server."""
    link_wanted = Signal(str)

    def __init__(self, desk: Desk, kind: Kind, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk, self._kind = desk, kind
        self._server: Server | None = None
        self._row: Row | None = None
        self._sent: Run | None = None
        self._asked: tuple[str, str, bytes, dict[str, Any]] | None = None
        self._kept: dict[tuple[str, str, int], Arguments] = {}
        self._listening: Callable[[], None] = lambda: None
        self._pull = Pull(self._server_moved, self)
        self.list = ItemList(kind.what, desk, self._mark)
        desk.judged.connect(self.list.view.viewport().update)
        self.head = ItemHead()
        self.approval = ApprovalBar()
        self.arguments = ArgumentsView(desk, kind.name, kind.verb)
        self.result = kind.result_view(desk, lambda: self._row)
        middle = self._middle = QWidget()
        column = QVBoxLayout(middle)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.head)
        column.addWidget(self.approval)
        column.addWidget(self.arguments, 1)
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.setChildrenCollapsible(False)
        for place, widget in enumerate((self.list, middle, self.result)):
            self.splitter.addWidget(widget)
            self.splitter.setStretchFactor(place, (2, 5, 4)[place])
            widget.setMinimumWidth((110, 180, 160)[place])
        desk.memory.splitter(f"{kind.name}.splitter", self.splitter, [230, 500, 430])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.splitter)
        self.arguments.preview = lambda now: kind.preview(self._row, now) if self._row is not None else ""
        self.arguments.request = self._request
        self.arguments.tools.copied = self._copied
        self.list.chosen.connect(self._chosen)
        self.list.entered.connect(self.arguments.form.focus_first)
        self.list.wanted.connect(self.wanted)
        self.arguments.call_wanted.connect(lambda: self.call())
        self.arguments.cancel_wanted.connect(self.cancel)
        self.result.link_wanted.connect(self.link_wanted)
        self.result.fresh_wanted.connect(lambda: self.call(fresh=True))
        desk.runs.changed.connect(self._run_moved)
        self._chosen(None)

    # --- what is shown ---

    @property
    def row(self) -> Row | None:
        """The chosen item."""
        return self._row

    @property
    def run(self) -> Run | None:
        """The last run of the chosen item."""
        return self.result.run

    def show_server(self, server: Server | None) -> None:
        """Show another server."""
        self._listening()
        self._listening = server.changed.connect(self._pull.soon) if server is not None else lambda: None
        self._server = server
        self._row = None
        self.list.show_server(server)
        self._server_moved()

    def open(self, key: str) -> None:
        """Choose an item by its key."""
        if key:
            self.list.choose(key)

    def _request(self, arguments: Arguments) -> tuple[str, str]:
        """What would be sent now."""
        if self._server is None or self._row is None:
            return "", ""
        params = self._kind.params(self._row, arguments)
        own = self.arguments.request_view.meta.meta.shown
        params = {**params, "_meta": own} if own else params
        return preview_of(self._server, self._kind.method, params, self._kind.schema(self._row))

    def _copied(self, arguments: Arguments) -> tuple[ServerEntry, str, str] | None:
        """Whom a copied command asks, and for what."""
        if self._server is None or self._row is None:
            return None
        return self._server.entry, self._kind.name, self._kind.target(self._row, arguments)

    def _chosen(self, row: Row | None) -> None:
        if self.approval.asking and not (row is not None and self._row is not None and row.key == self._row.key):
            self.approval.withdraw()
        self._row = row
        self.head.show_row(row)
        nothing = row is None and not self.list.listing.items
        self._middle.setVisible(not nothing)  # without anything to fill in, what the list says has the whole page
        if row is None or self._server is None:
            self.arguments.show_arguments(None)
            self.result.show_run(None)
            self._fit_result()
            return
        arguments = self._arguments_of(row)
        if self.arguments.arguments is not arguments:
            complete = self._kind.completer(self._server, row, arguments)
            self.arguments.show_arguments(arguments, row.item.description, complete)
        self._show_run()

    def _arguments_of(self, row: Row) -> Arguments:
        """The arguments of an item; the same ones as long as its schema's text is the same."""
        server = self._server
        assert server is not None
        key = (server.name, row.key, row.twin)
        schema = self._kind.schema(row)
        kept = self._kept.pop(key, None)
        if kept is None or kept.schema != schema:
            before, kept = kept, Arguments((server.name, self._kind.name, row.key), schema, self._desk.drafts)
            if before is not None:  # another schema of the same thing: what is typed and folded stays
                kept.unread, kept.folds = before.unread, before.folds
        self._kept[key] = kept
        while len(self._kept) > _KEPT_ARGUMENTS:
            del self._kept[next(iter(self._kept))]
        return kept

    def _show_run(self) -> None:
        run = None
        if self._server is not None and self._row is not None and self.arguments.arguments is not None:
            run = self._desk.runs.last((self._server.name, self._kind.method, self._row.key))
        self.result.show_run(run)
        self._fit_result()
        self._show_running()

    def _run_moved(self, run: Run) -> None:
        if run is self._sent and run.seq:
            self._sent = None
            self._desk.record_sent.emit(run.seq)
        if run is self.result.run or (self._server is run.server and self._row is not None):
            self._show_run()

    def _fit_result(self) -> None:
        """In a narrow page the place of a result that is not there yet belongs to the form."""
        nothing = self._row is None and not self.list.listing.items
        needless = self.result.run is None and self._row is not None and self.width() < _NARROW
        self.result.setVisible(not nothing and not needless)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_result()

    def _show_running(self) -> None:
        run = self.result.run
        running = run is not None and run.running
        self.arguments.set_running(running, progress_words(run) if running and run is not None else "")

    def _server_moved(self) -> None:
        server = self._server
        if server is None:
            self.arguments.set_can_send(False, "There is no server")
            return
        status = server.status
        lazy = server.entry.connect == "lazy" and status.state is State.IDLE
        self.arguments.set_can_send(status.up or lazy, f"{server.name} is {status.words()}: connect it first")

    def _mark(self, server: Server, row: Row) -> Mark:
        key = (server.name, self._kind.method, row.key)
        run = self._desk.runs.last(key)
        if run is None:
            kept = (server.name, self._kind.name, row.key)
            return ("•", "muted") if self._desk.drafts.get(kept) is not None else None
        if run.running:
            return "running", "accent"
        done = self._desk.runs.successes(key)
        if run.ok:
            return f"✓ {done}", "ok"
        return ("✕", "error") if run.outcome is not None else (f"✓ {done}", "ok")

    # --- what is done ---

    def call(self, *, fresh: bool = False) -> None:
        """Ask for the chosen item with the arguments as they are; `fresh`: the server itself, not the cache."""
        server, row, arguments = self._server, self._row, self.arguments.arguments
        if server is None or row is None or arguments is None or not arguments.document.valid:
            return
        meta = self.arguments.request_view.meta.meta
        if meta.problem:
            self.arguments.tabs.setCurrentIndex(REQUEST)
            return
        more = {**meta.given, **({"fresh": True} if fresh else {})}
        decision = self._kind.decision(self._desk, server, row)
        if decision is None or decision.rule is Rule.ALLOW:
            self.arguments.note_sent(arguments)
            self._go(self._kind.start(self._desk, server, row, arguments, more))
        elif decision.rule is Rule.DENY:
            self._refuse(server, row, arguments.document.wire_bytes(), f"{row.key} is denied. {decision.why}")
        else:
            self._ask_first(server, row, arguments, more, decision)

    def _ask_first(
        self, server: Server, row: Row, arguments: Arguments, more: dict[str, Any], decision: Decision
    ) -> None:
        shown = arguments.document.wire_bytes()
        asked = (server.name, row.key, shown, more)
        if self.approval.asking and asked == self._asked:  # Ctrl+Enter once more does not answer it
            self.approval.never.setFocus(Qt.FocusReason.OtherFocusReason)
            return

        def answered(yes: bool, always: bool) -> None:
            if not yes:
                self._refuse(server, row, shown, f"{row.key} was not approved.")
            elif not arguments.document.valid or arguments.document.wire_bytes() != shown:
                self.call()  # it is not what was shown any more: ask about what it is now
            else:
                self._approved(server, row, always=always)
                self.arguments.note_sent(arguments)
                self._go(self._kind.start(self._desk, server, row, arguments, more))

        self.approval.ask(server.name, row.key, shown, decision, answered)
        self._asked = asked

    def _approved(self, server: Server, row: Row, *, always: bool) -> None:
        gate = self._desk.gate
        if gate is None:
            return
        try:
            gate.approve(server.name, row.item, always=always)
        except EditRefused as refused:
            self._desk.notices.say(str(refused))
        if gate.problem:
            self._desk.notices.say(gate.problem, key="approved")

    def _refuse(self, server: Server, row: Row, arguments: bytes, sentence: str) -> None:
        async def refused(_: Run) -> Outcome:
            return refuse(server, row.key, sentence, arguments)

        self._go(self._desk.runs.start(server, self._kind.method, row.key, arguments, refused))

    def _go(self, run: Run) -> None:
        self._sent = run
        self.result.show_run(run)
        self._fit_result()
        self._show_running()

    def next_problem(self) -> None:
        """Go to the next problem of the arguments."""
        self.arguments.next_problem()

    def send(self) -> None:
        """Check the arguments, then call."""
        self.arguments.send()

    def cancel(self) -> None:
        """Cancel the run that is shown."""
        if self.result.run is not None and self.result.run.running:
            self.result.run.cancel()
