"""What can be done with servers, from wherever it is asked for: list, pages, palette, failure card."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication
from shiboken6 import isValid

from mcp_inspector.ui import bridge

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from PySide6.QtWidgets import QWidget

    from mcp_inspector.session.server import Server
    from mcp_inspector.ui.desk import Desk
    from mcp_inspector.ui.views.certificate_dialog import CertificateDialog
    from mcp_inspector.ui.views.doctor_dialog import DoctorDialog
    from mcp_inspector.ui.views.others_dialog import OthersDialog
    from mcp_inspector.ui.views.probe_dialog import ProbeDialog
    from mcp_inspector.ui.views.roots_dialog import RootsDialog
    from mcp_inspector.ui.views.said_dialog import SaidDialog
    from mcp_inspector.ui.views.server_dialog import ServerDialog
    from mcp_inspector.ui.views.stepper import StepperDialog
    from mcp_inspector.ui.views.values_dialog import ValuesDialog


class ServerActions(QObject):
    """Commands by name, for the chosen server or any."""

    def __init__(self, desk: Desk, window: QWidget) -> None:
        super().__init__(window)
        self._desk, self._window = desk, window
        self._asking: dict[str, ValuesDialog] = {}

    def run(self, command: str, name: str = "") -> None:
        """Do a command to a server, the chosen one by default."""
        if command == "add":
            self.add()
            return
        server = self._server(name)
        if server is None:
            return
        if command == "connect":
            self._with_values(server, server.connect)
        elif command == "disconnect":
            bridge.spawn(server.disconnect(), what=f"disconnecting {server.name}")
        elif command == "restart":
            self._with_values(server, lambda: _restart(server))
        elif command == "refresh":
            if server.status.up:
                bridge.spawn(server.refresh(), what=f"refreshing the lists of {server.name}")
            else:
                self._with_values(server, server.connect)
        elif command == "sign-in":
            if server.entry.remote:
                self._with_values(server, lambda: self._desk.signing.start(server))
        elif command == "values":
            self._with_values(server, lambda: _restart(server), anew=True)
        elif command == "doctor":
            self.doctor(server)
        elif command == "certificate":
            self.certificate(server)
        elif command == "authorization":
            self._desk.open_requested.emit(server.name, "authorization", "")
        elif command == "edit":
            self.edit(server.name)
        elif command == "said":
            self.said(server)
        elif command == "changes":
            self.said(server).show_changes()
        elif command.partition(" ")[0] == "pages":
            self.pages(server, command.partition(" ")[2])
        elif command == "probe":
            self.probe(server)
        elif command == "roots":
            self.roots(server.name)
        elif command == "duplicate":
            self._duplicate(server.name)
        elif command == "remove" and self._desk.book is not None:
            self._desk.book.remove(server.name)
        elif command == "copy":
            self._copy(server)
        elif command == "traffic":
            self._desk.traffic_requested.emit(server.name)

    def _server(self, name: str) -> Server | None:
        if not name:
            return self._desk.server
        return next((one for one in self._desk.servers.servers if one.name == name), None)

    def _with_values(self, server: Server, go_on: Callable[[], object], *, anew: bool = False) -> None:
        """Go on once every value that the entry names is there; what is not is asked for, `anew` everything."""
        from mcp_inspector.config.variables import kept_names

        vault = self._desk.inspector.vault if self._desk.inspector is not None else None
        names = kept_names(server.entry)
        if vault is None or not names:
            go_on()
            return

        def told(missing: list[str]) -> None:
            if missing or anew:
                self.values(server, names if anew else missing, set(names).difference(missing), go_on)
            else:
                go_on()

        look = bridge.aside(lambda: [name for name in names if not vault.get(name)])
        bridge.spawn(look, what=f"looking for the values of {server.name}", on_done=told)

    def values(
        self, server: Server, items: Sequence[str], kept: Iterable[str], go_on: Callable[[], object]
    ) -> ValuesDialog | None:
        """Ask for values of the vault, once for each server."""
        vault = self._desk.inspector.vault if self._desk.inspector is not None else None
        if vault is None:
            return None
        from mcp_inspector.ui.views.values_dialog import ValuesDialog

        held = self._asking.get(server.name)
        if held is not None and isValid(held):
            held.close()
        inputs = self._desk.book.inputs(server.name) if self._desk.book is not None else ()
        named = {one.name: one for one in inputs}
        dialog = ValuesDialog(server.name, items, named, vault, self._window, kept=tuple(kept))
        dialog.given.connect(go_on)
        self._asking[server.name] = dialog
        dialog.show()
        return dialog

    def toggle(self) -> None:
        """Connect the chosen server, or disconnect it."""
        server = self._desk.server
        if server is not None:
            self.run("disconnect" if is_on(server) else "connect")

    def connect_all(self) -> None:
        """Connect every enabled server."""
        if self._desk.inspector is not None:
            self._desk.inspector.connect_all()

    def add(self) -> ServerDialog | None:
        """Open the dialog for a new server."""
        if self._desk.book is None:
            return None
        from mcp_inspector.ui.views.server_dialog import ServerDialog

        dialog = ServerDialog(self._desk.book, None, self._window)
        dialog.saved.connect(self._desk.choose)
        dialog.others_wanted.connect(self.others)
        dialog.open()
        return dialog

    def others(self) -> OthersDialog | None:
        """Open the dialog for the servers of other applications, which looks for them then."""
        if self._desk.book is None:
            return None
        from mcp_inspector.ui.views.others_dialog import OthersDialog

        dialog = OthersDialog(self._desk.book, self._window)
        dialog.show()
        return dialog

    def edit(self, name: str) -> ServerDialog | None:
        """Open the dialog for a server."""
        book = self._desk.book
        entry = book.entry(name) if book is not None else None
        if book is None or entry is None:
            return None
        from mcp_inspector.ui.views.server_dialog import ServerDialog

        dialog = ServerDialog(book, entry, self._window)
        dialog.saved.connect(self._desk.choose)
        dialog.open()
        return dialog

    def said(self, server: Server) -> SaidDialog:
        """Open the dialog for what a server is told of us."""
        from mcp_inspector.ui.views.said_dialog import SaidDialog

        dialog = SaidDialog(self._desk, server, self._window)
        dialog.show()
        return dialog

    def pages(self, server: Server, what: str = "") -> StepperDialog:
        """Open the window that reads a server's lists page by page, at a list or at that of the page that is shown."""
        from mcp_inspector.ui.views.stepper import StepperDialog

        dialog = StepperDialog(self._desk, server, self._window)
        dialog.show_list(what or self._desk.memory.get("page", "tools"))
        dialog.show()
        return dialog

    def probe(self, server: Server) -> ProbeDialog:
        """Open the window that asks a server wrong things on purpose."""
        from mcp_inspector.ui.views.probe_dialog import ProbeDialog

        dialog = ProbeDialog(self._desk, server, self._window)
        dialog.show()
        return dialog

    def doctor(self, server: Server) -> DoctorDialog:
        """Open the doctor, who begins at once."""
        from mcp_inspector.ui.views.doctor_dialog import DoctorDialog

        dialog = DoctorDialog(self._desk, server, self._window)
        dialog.show()
        return dialog

    def certificate(self, server: Server) -> CertificateDialog:
        """Open the dialog that shows a server's certificate, to be accepted for this server alone."""
        from mcp_inspector.ui.views.certificate_dialog import CertificateDialog

        dialog = CertificateDialog(self._desk, server, self._window)
        dialog.show()
        return dialog

    def roots(self, name: str) -> RootsDialog:
        """Open the dialog for a server's roots."""
        from mcp_inspector.ui.views.roots_dialog import RootsDialog

        dialog = RootsDialog(self._desk, name, self._window)
        dialog.show()
        return dialog

    def _duplicate(self, name: str) -> None:
        copy = self._desk.book.duplicate(name) if self._desk.book is not None else ""
        if copy:
            self._desk.choose(copy)
            self.edit(copy)

    def _copy(self, server: Server) -> None:
        import json

        from mcp_inspector.config.entry_writer import members

        text = json.dumps({"mcpServers": {server.name: members(server.entry)}}, indent=2, ensure_ascii=False)
        QGuiApplication.clipboard().setText(text)
        self._desk.notices.say(f"{server.name} was copied with all its values, secrets too.", key="copied")


def _restart(server: Server) -> None:
    bridge.spawn(server.restart(), what=f"restarting {server.name}")


def is_on(server: Server) -> bool:
    """Whether there is something to disconnect."""
    from mcp_inspector.session.status import State

    return server.status.up or server.status.state in (State.STARTING, State.RECONNECTING)
