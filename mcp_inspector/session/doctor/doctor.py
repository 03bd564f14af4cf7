"""Looks at everything that a connection to one server needs, in the order in which it needs it."""

from __future__ import annotations

import os
import shutil
import time
from dataclasses import replace
from typing import TYPE_CHECKING

from mcp_inspector.auth import challenge as challenges
from mcp_inspector.auth import discovery
from mcp_inspector.auth.discovery import Situation
from mcp_inspector.auth.runner import run
from mcp_inspector.auth.steps import Trail
from mcp_inspector.auth.web import Web
from mcp_inspector.config.command_line import join
from mcp_inspector.config.variables import expand
from mcp_inspector.session.catalogue import Freshness, What
from mcp_inspector.session.doctor import network
from mcp_inspector.session.doctor.report import Report, Result
from mcp_inspector.session.server import Server
from mcp_inspector.session.signing_in import filled
from mcp_inspector.session.status import State
from mcp_inspector.store.redact import redact_value
from mcp_inspector.transport import urls
from mcp_inspector.transport.base import Fault, now

if TYPE_CHECKING:
    from mcp_inspector.config.entry import ServerEntry
    from mcp_inspector.session.recorder import Journal
    from mcp_inspector.session.ways import Ways
    from mcp_inspector.store.record import Entry

_WORD = {"done": "ok", "odd": "odd", "not there": "not there", "failed": "failed"}


class _Renamed:
    """The doctor's connections are others than the server's own, and are called so in the log."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    def append(self, entry: Entry) -> int:
        """See `session.recorder.Journal`."""
        return self._journal.append(replace(entry, server=f"{entry.server} (doctor)"))


class Doctor:
    """Examines one server by connections of its own; one that is open is left alone. What happens is in the journal."""

    def __init__(self, entry: ServerEntry, ways: Ways, journal: Journal) -> None:
        self.entry = replace(entry, reconnect=0, disabled=False)
        self.report = Report(entry.name)
        self._ways = ways
        self._journal = _Renamed(journal)

    async def examine(self) -> Report:
        """Look at everything, up to what makes all the rest impossible."""
        report = self.report
        full = await filled(self.entry, self._ways)
        expanded = expand(full)
        problems = (*(full.problems if full.fatal else ()), *expanded.problems)
        if problems:
            report.add("Entry", Result.FAILED, problems[0], "Edit the entry.", 0, problems[1:])
            return report
        report.add("Entry", Result.ODD if full.problems else Result.OK, self._entry_words(), "", 0, full.problems)
        good = self._command(expanded.entry) if not full.remote else await self._way(expanded.entry)
        if good:
            await self._connection(full)
        report.doing = ""
        report.changed.send()
        return report

    def _entry_words(self) -> str:
        entry = self.entry
        where = f" It comes from {entry.origin}." if entry.origin else ""
        return f"It is reached by {'URL' if entry.remote else 'command'}, and nothing is missing in it.{where}"

    def _command(self, entry: ServerEntry) -> bool:
        began = time.perf_counter()
        path = entry.env.get("PATH", os.environ.get("PATH", ""))
        found = shutil.which(entry.command, path=path)
        argv = join(redact_value([entry.command, *entry.args]))
        if entry.cwd and not os.path.isdir(entry.cwd):
            remedy = "Make it, or name another one."
            self.report.add("Working folder", Result.FAILED, f"There is no folder {entry.cwd}.", remedy)
            return False
        if found is None and not os.path.isfile(os.path.join(entry.cwd or ".", entry.command)):
            looked = tuple(filter(None, path.split(os.pathsep)))
            self.report.add(
                "Command",
                Result.FAILED,
                f"There is no command {entry.command} in any of {len(looked)} folders.",
                "Install it, or write its whole path.",
                time.perf_counter() - began,
                ("searched:", *looked),
            )
            return False
        sentence = f"{entry.command} is {found or entry.command}."
        self.report.add("Command", Result.OK, sentence, "", time.perf_counter() - began, (argv,))
        return True

    async def _way(self, entry: ServerEntry) -> bool:
        try:
            target = urls.parse(entry.url)
        except Fault as fault:
            self.report.add("URL", Result.FAILED, fault.sentence, fault.hint)
            return False
        return await network.examine(target, entry.route, self.report)

    async def _connection(self, entry: ServerEntry) -> None:
        report = self.report
        report.begin("HTTP" if entry.remote else "Start")
        server = Server(entry, self._journal, self._ways)
        began = now()[1]
        try:
            server.connect()
            status = await server.settled()
            seconds = (now()[1] - began) / 1e9
            fault = status.fault
            if status.state is State.NEEDS_SIGN_IN and fault is not None:
                await self._wants_sign_in(server, entry, fault, seconds)
                return
            if not status.up or server.identity is None:
                attempts = tuple(str(each) for each in (fault.facts.get("attempts", ()) if fault is not None else ()))
                sentence = fault.sentence if fault is not None else f"It is {status.words()}."
                more = tuple(str(line) for line in (fault.facts.get("stderr", ()) if fault is not None else ()))
                name = "HTTP" if entry.remote else "Start"
                report.add(name, Result.FAILED, sentence, fault.hint if fault else "", seconds, (*attempts, *more))
                return
            self._era(server, seconds)
            self._auth(server)
            await self._lists(server)
        finally:
            await server.close()

    def _era(self, server: Server, seconds: float) -> None:
        identity = server.identity
        assert identity is not None
        info = identity.server_info
        who = " ".join(str(info.get(name, "")) for name in ("name", "version")).strip() or "somebody without a name"
        sentence = f"{who} answers over {identity.transport} with {identity.version} ({identity.era})."
        supported = (f"it says that it supports: {', '.join(identity.supported)}",) if identity.supported else ()
        self.report.add("Version", Result.OK, sentence, "", seconds, supported)

    def _auth(self, server: Server) -> None:
        authorizer = server.signing_in.authorizer
        if not server.entry.remote:
            return
        if authorizer is not None and authorizer.token is not None:
            left = authorizer.token.left(time.time())
            lasts = "" if left is None else f"; it lasts {left / 60:.0f} more minutes"
            sentence = f"Signed in at {authorizer.token.issuer}{lasts}."
        elif authorizer is not None and authorizer.static:
            sentence = f"The header {authorizer.static} of the entry was taken."
        else:
            sentence = "The server lets us in without signing in."
        self.report.add("Authorization", Result.OK, sentence)

    async def _wants_sign_in(self, server: Server, entry: ServerEntry, fault: Fault, seconds: float) -> None:
        report = self.report
        values = tuple(str(value) for value in fault.facts.get("www_authenticate", ()))
        report.add("HTTP", Result.OK, "The server answers: it wants a sign-in (401).", "", seconds, values)
        if not values:
            remedy = "The server has to say where to sign in, by WWW-Authenticate."
            report.add("Challenge", Result.ODD, "The 401 has no WWW-Authenticate header.", remedy)
        report.begin("Discovery")
        full = expand(await filled(entry, self._ways)).entry
        situation = Situation(full.url, full.auth, challenges.about_tokens(challenges.parse(values)))
        trail, began = Trail(), time.perf_counter()
        web = Web(full.url, full.auth.private_network, full.route)
        failed: Fault | None = None
        try:
            found = await run(discovery.discover(situation, trail), web)
        except Fault as stopped:
            failed = stopped
        finally:
            await web.close()
        lines = tuple(
            f"{_WORD[step.verdict.value]}: {getattr(step.asked, 'url', step.title)}: {step.sentence}"
            for step in trail.steps
        )
        seconds = time.perf_counter() - began
        if failed is not None:
            report.add("Discovery", Result.FAILED, failed.sentence, failed.hint, seconds, lines)
            return
        report.add("Discovery", Result.OK, f"One signs in at {found.issuer}.", "", seconds, lines)
        authorizer = server.signing_in.authorizer
        held = authorizer.token if authorizer is not None else None
        if held is not None:
            sentence = f"The token that is kept, of {held.issuer}, was refused."
            report.add("Authorization", Result.FAILED, sentence, "Sign in again.")
        else:
            remedy = f"Sign in: in the window, or by mcp-inspector login {entry.name}."
            report.add("Authorization", Result.FAILED, "Nobody has signed in.", remedy)

    async def _lists(self, server: Server) -> None:
        self.report.begin("Lists")
        began = time.perf_counter()
        await server.refresh()
        seconds = time.perf_counter() - began
        lines, wrong = [], []
        for what in What:
            listing = server.catalogue[what]
            if listing.freshness is Freshness.UNSUPPORTED:
                lines.append(f"{what}: not declared")
            elif listing.freshness is Freshness.FAILED:
                wrong.append(f"{what}: {listing.why}")
            else:
                lines.append(f"{what}: {len(listing.items)}")
        if wrong:
            remedy = "Look at the exchange in Traffic, and at the server's own log."
            self.report.add("Lists", Result.FAILED, wrong[0], remedy, seconds, (*wrong[1:], *lines))
        else:
            self.report.add("Lists", Result.OK, "All that it declares can be listed.", "", seconds, tuple(lines))
