"""What a press on a quick action does: connect, ask, run, and keep what it came to; with the history of each."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QMenu

from mcp_inspector.ui import bridge, icons, plain
from mcp_inspector.ui.models.completing import values_of
from mcp_inspector.ui.notices import Level

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from mcp_inspector.session.server import Server
    from mcp_inspector.ui.main_window import MainWindow
    from mcp_inspector.ui.models.quick import Quick
    from mcp_inspector.ui.models.runs import Run
    from mcp_inspector.ui.views.quick_ask import QuickAsk

_KEPT = 20


@dataclass(frozen=True)
class Past:
    """One run of a quick action: when, its exchange in the live session, and how it ended."""

    at_s: float
    call: int
    reply: int
    words: str


class QuickRuns(QObject):
    """Serves the dock of a window."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window, self._desk = window, window.desk
        self._ask: QuickAsk | None = None
        self._wanted: Quick | None = None
        self._given = ""  # the first value of what is asked for next
        self.history: dict[str, list[Past]] = {}
        self._recalled: set[str] = set()
        window.quick.picked.connect(self.pick)
        window.quick.menu_wanted.connect(self._add_history)
        window.desk.text_sent.connect(self.send_on)
        window.desk.servers.refreshed.connect(self._recall)

    @property
    def ask(self) -> QuickAsk:
        """What asks for values, made when it is first wanted."""
        if self._ask is None:
            from mcp_inspector.ui.views.quick_ask import QuickAsk

            self._ask = QuickAsk(self._desk)
            self._ask.done.connect(self._answered)
            self._window.quick.below.addWidget(self._ask)
        return self._ask

    def send(self, focus: QWidget | None) -> bool:
        """Go on with what is asked for, where that has the keyboard; False when it has not."""
        if self._ask is None or focus is None or not self._ask.isAncestorOf(focus):
            return False
        self._ask.next()
        return True

    def _recall(self) -> None:
        """Servers that are not connected show the prompts that they listed in an earlier run of the program."""
        for server in self._desk.servers.servers:
            if server.name not in self._recalled:
                self._recalled.add(server.name)
                bridge.spawn(server.recall(), what=f"reading what {server.name} listed before")

    def pick(self, one: Quick) -> None:
        """Connect what is not, then run it or ask for what it needs."""
        self._wanted = one
        names = one.action.servers if one.action is not None else (one.server,)
        servers = [server for name in names if (server := self._server(name)) is not None]
        offline = [server for server in servers if not server.status.up]
        if one.action is not None and len(servers) < len(names):
            self._in_collections(one)
            return
        if not offline:
            self._go_on(one)
            return

        async def connect() -> list[Server]:
            for server in offline:
                server.connect()
            for server in offline:
                await server.settled()
                await server.loaded()
            return [server for server in offline if not server.status.up]

        def connected(down: list[Server]) -> None:
            if down:
                why = down[0].status.fault.sentence if down[0].status.fault is not None else down[0].status.words()
                self._desk.notices.say(f"“{plain.line(one.words, 60)}” was not run: {down[0].name} is not up. {why}")
            elif self._wanted is one:
                self._go_on(one)

        bridge.ask(connect(), connected, what=f"connecting for {one.words}")

    def _go_on(self, one: Quick) -> None:
        if one.action is None:
            self._window.open(one.server, "prompts", one.target)
        if not one.asks:
            self._run(one, {})
            return
        arguments = one.item.value.get("arguments") if one.item is not None else None
        abouts = {
            str(each.get("name")): str(each.get("description") or "")
            for each in (arguments if isinstance(arguments, list) else ())
            if isinstance(each, dict)
        }
        self.ask.ask(one.key, one.words, one.wants, one.needed, abouts, self._completer(one))
        if self._given:
            self.ask.edit.setPlainText(self._given)
            self._given = ""

    def send_on(self, text: str) -> QMenu:
        """Offer the actions that ask for something: the chosen one begins with this text."""
        menu = QMenu(self._window)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for one in self._window.quick.list.items():
            if one.wants:
                words = plain.escape_mnemonic(plain.line(f"{one.words} · {one.server}", 80))
                menu.addAction(icons.icon(one.icon, "accent"), words).triggered.connect(partial(self._send, one, text))
        if menu.isEmpty():
            menu.addAction("No action asks for anything").setEnabled(False)
        menu.popup(QCursor.pos())
        return menu

    def _send(self, one: Quick, text: str, *_: object) -> None:
        self._given = text
        self.pick(one)

    def _completer(self, one: Quick) -> Any:
        server = self._server(one.server)
        if one.item is None or server is None or server.identity is None or not server.identity.has("completions"):
            return None

        async def complete(name: str, typed: str, others: dict[str, str]) -> tuple[str, ...]:
            outcome = await server.complete({"type": "ref/prompt", "name": one.target}, name, typed, others)
            return values_of(getattr(outcome, "value", None))

        return complete

    def _answered(self, values: dict[str, str]) -> None:
        if self._wanted is not None:
            self._run(self._wanted, values)

    def _run(self, one: Quick, values: dict[str, str]) -> None:
        self._wanted = None
        if one.action is None:
            self._run_prompt(one, values)
            return
        from mcp_inspector.actions.collection import Kind
        from mcp_inspector.actions.values import as_json
        from mcp_inspector.ui.models.quick_actions import PAGES, start

        given = {name: as_json(value) for name, value in values.items()}
        view = self._window.panels.open_collections()
        if one.action.kind is Kind.CHAIN or one.collection is None:
            self._in_collections(one, given)
            return
        run = start(self._desk, view.acting, one.collection, one.action, given)
        if run is None:
            return
        self._follow(one, run)
        self._window.open(one.action.server, PAGES[one.action.kind], run.key[2])

    def _run_prompt(self, one: Quick, values: dict[str, str]) -> None:
        import json

        page = self._window.area.prompts
        if values and page.arguments.arguments is not None:
            page.arguments.arguments.document.set_text(json.dumps(values, ensure_ascii=False, indent=2))
        before = page.run
        self._window.area.call()
        if page.run is not None and page.run is not before:
            self._follow(one, page.run)

    def _in_collections(self, one: Quick, given: dict[str, str] | None = None) -> None:
        """A chain, or an action whose server is to be started first: run where each step is shown."""
        if one.collection is None or one.action is None:
            return
        view = self._window.panels.show_collections()
        view.select(one.collection.path, one.action.name)
        view.run_with(given or {})

    # --- history ---

    def _follow(self, one: Quick, run: Run) -> None:
        def moved() -> None:
            if run.outcome is None or run.running:
                return
            run.changed.disconnect(moved)
            outcome = run.outcome
            word = "ok" if run.ok else "failed"
            past = Past(time.time(), outcome.call, outcome.reply, f"{word} · {plain.elapsed(outcome.elapsed_ns)}")
            self.history.setdefault(one.key, []).insert(0, past)
            del self.history[one.key][_KEPT:]

        run.changed.connect(moved)
        self._desk.record_sent.emit(run.seq) if run.seq else None
        moved()

    def _add_history(self, menu: QMenu, one: Quick) -> None:
        past = self.history.get(one.key, [])
        history = menu.addMenu(icons.icon("history"), "History")
        for each in past:
            clock = time.strftime("%H:%M:%S", time.localtime(each.at_s))
            entry = history.addAction(f"{clock}   {each.words}   #{each.call}")
            entry.triggered.connect(partial(self._show, each.call))
        history.setEnabled(bool(past))
        answered = [each.call for each in past if each.call and each.reply]
        compare = menu.addAction(icons.icon("columns-2"), "Compare the last two runs")
        compare.setEnabled(len(answered) >= 2)
        if len(answered) >= 2:
            compare.triggered.connect(partial(self._compare, answered[1], answered[0]))

    def _show(self, seq: int, *_: object) -> None:
        self._desk.record_requested.emit(seq)

    def _compare(self, older: int, newer: int, *_: object) -> None:
        traffic = self._window.traffic
        if traffic is None:
            return
        self._desk.record_requested.emit(newer)
        traffic.model.catch_up()
        traffic.compare(older, newer)
        self._desk.notices.say("The last two answers are compared in Traffic.", level=Level.INFO, key="compared")

    def _server(self, name: str) -> Server | None:
        return next((server for server in self._desk.servers.servers if server.name == name), None)
