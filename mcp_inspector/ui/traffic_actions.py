"""Sends recorded messages again, opens them to be edited, and puts their arguments back into the form."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from mcp_inspector.config.policy import Rule
from mcp_inspector.session.again import renumbered, send_again
from mcp_inspector.session.approval import refuse
from mcp_inspector.session.catalogue import What
from mcp_inspector.store import jsonpath
from mcp_inspector.transport.base import Fault
from mcp_inspector.ui import bridge, plain
from mcp_inspector.ui.models.drafts import Draft
from mcp_inspector.ui.models.traffic_diff import Side
from mcp_inspector.ui.notices import Action, Level
from mcp_inspector.ui.views import saving_menu

if TYPE_CHECKING:
    from mcp_inspector.session.server import Server
    from mcp_inspector.ui.main_window import MainWindow
    from mcp_inspector.ui.views.traffic import TrafficView

_LARGEST = 64 << 20
_EDITABLE = 1 << 20
_PAGES = {"tools/call": ("tools", "tool"), "prompts/get": ("prompts", "prompt")}


class TrafficActions(QObject):
    """For the live traffic and for earlier sessions: what is sent always goes to a live server."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window, self._desk = window, window.desk
        self._number = 0

    def attach(self, view: TrafficView) -> None:
        """Serve a view of traffic."""
        view.server_names = lambda: [server.name for server in self._desk.servers.servers if server.status.up]
        view.make_lasting = lambda menu, request, reply: saving_menu.fill(
            menu, self._desk, view.model.log, request, reply
        )
        deeds = view.deeds
        deeds.resend_wanted.connect(lambda seq, server: self.resend(view, seq, server))
        deeds.edit_wanted.connect(lambda seq: self.edit(view, seq))
        deeds.duplicate_wanted.connect(lambda seq: self.duplicate(view, seq))

    def resend(self, view: TrafficView, seq: int, to: str = "", *, approved: bool = False) -> None:
        """Send a message once more, to the server it went to or to another; its row is chosen, with the difference.

        A tool call goes by the policy, as any call does; `approved` means that the person has been asked.
        """
        raw = self._body(view, seq, _LARGEST)
        server = self._server(view, seq, to)
        if raw is None or server is None or (not approved and self._held_back(view, seq, server)):
            return
        log = view.model.log
        index = seq - 1
        what = log.columns.methods.texts[log.columns.method[index]] or "the message"
        before = len(self._desk.log) if self._desk.log is not None else 0

        def sent(new: int) -> None:
            self._made(view, seq, new)

        def done(outcome: object) -> None:
            if isinstance(outcome, Fault):
                self._say(f"{what} was not sent to {server.name}: {outcome}")
            elif outcome is None and self._desk.log is not None and len(self._desk.log) > before:
                self._made(view, seq, before + 1)

        bridge.spawn(send_again(server, raw, sent), what=f"sending {what} again", on_done=done)

    def _held_back(self, view: TrafficView, seq: int, server: Server) -> bool:
        """Whether the policy denies this call, or asks first: then the person is asked by a notice."""
        entry, gate = view.model.log.record(seq, body=False).entry, self._desk.gate
        if entry.method != "tools/call" or gate is None:
            return False
        tool = entry.target
        decision = gate.decide(server.name, tool, server.catalogue[What.TOOLS].by_key.get(tool))
        if decision.rule is Rule.ALLOW:
            return False
        if decision.rule is Rule.DENY:
            refuse(server, tool, f"{tool} is denied. {decision.why}")
            self._say(f"{tool} of {server.name} was not sent again. {decision.why}")
            return True
        again = Action("Send again", lambda: self.resend(view, seq, server.name, approved=True))
        words = f"Send #{seq}, a call of {plain.line(tool, 60)}, to {server.name} again? {decision.why}"
        self._desk.notices.say(words, again, level=Level.WARNING, key="resend")
        return True

    def edit(self, view: TrafficView, seq: int) -> None:
        """Open a message in the editor for any request, under a new id; what is sent then is compared with it."""
        raw = self._body(view, seq, _EDITABLE)
        composer = self._window.panels.composer
        if raw is None or composer is None:
            return
        name = view.model.log.columns.servers.texts[view.model.log.columns.server[seq - 1]]
        if any(server.name == name for server in self._desk.servers.servers):
            self._desk.choose(name)
        self._number += 1
        self._window.panels.show_composer()
        composer.open_message(renumbered(raw, f'"again-{self._number}"'), lambda new: self._made(view, seq, new))

    def duplicate(self, view: TrafficView, seq: int) -> None:
        """Put the arguments of a call into the form of its tool or prompt; any other message into the editor."""
        log = view.model.log
        columns, index = log.columns, seq - 1
        method, target = columns.methods.texts[columns.method[index]], columns.targets.texts[columns.target[index]]
        name = columns.servers.texts[columns.server[index]]
        raw = self._body(view, seq, _EDITABLE)
        if raw is None:
            return
        known = any(server.name == name for server in self._desk.servers.servers)
        if method not in _PAGES or not known:
            self.edit(view, seq)
            return
        page, kind = _PAGES[method]
        arguments = jsonpath.parse("$.params.arguments").first(raw) or b"{}"
        self._desk.open_requested.emit(name, page, target)
        caller = self._window.area.tools if page == "tools" else self._window.area.prompts
        text = arguments.decode("utf-8", "surrogatepass")
        if caller.row is not None and caller.row.key == target and caller.arguments.arguments is not None:
            caller.arguments.arguments.document.set_text(text)
        else:
            self._desk.drafts.put((name, kind, target), Draft(text))

    def _made(self, view: TrafficView, old: int, new: int) -> None:
        """A message was made from another one: choose it, and let it be compared."""
        live = self._window.traffic
        if live is None or not new:
            return
        older = Side.of(view.model.exchanges, old)
        live.model.catch_up()
        if not live.reveal(new):
            return
        live.detail.note_pair(older, Side.of(live.model.exchanges, new))

    def _body(self, view: TrafficView, seq: int, largest: int) -> bytes | None:
        log = view.model.log
        size = log.body_size(seq)
        if size > largest:
            self._say(f"#{seq} has {plain.size(size)}: too large for this.")
            return None
        return log.body(seq)

    def _server(self, view: TrafficView, seq: int, to: str) -> Server | None:
        columns = view.model.log.columns
        name = to or columns.servers.texts[columns.server[seq - 1]]
        found = next((server for server in self._desk.servers.servers if server.name == name), None)
        if found is None:
            self._say(f"There is no server {plain.line(name, 100)} any more. “Resend to” offers the others.")
        elif not found.status.up:
            self._say(f"{plain.line(name, 100)} is not connected: nothing was sent. Connect it first.")
            found = None
        return found

    def _say(self, sentence: str) -> None:
        self._desk.notices.say(plain.line(sentence), level=Level.WARNING, key="again")
