"""``mcp-inspector login`` and ``logout``: signing in without a window."""

from __future__ import annotations

import asyncio
import os
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import msgspec

from mcp_inspector.cli import printing
from mcp_inspector.cli.exits import Exit, UsageError
from mcp_inspector.cli.failures import exit_of_fault, fault_json, say_fault
from mcp_inspector.cli.journal import say
from mcp_inspector.config import paths
from mcp_inspector.config.vault import standard
from mcp_inspector.config.visible import visible
from mcp_inspector.session.dialing import ways
from mcp_inspector.session.inspector import Inspector
from mcp_inspector.session.status import State
from mcp_inspector.transport.base import Fault, FaultKind

if TYPE_CHECKING:
    from mcp_inspector.auth.authorizer import Authorizer
    from mcp_inspector.cli.arguments import Request
    from mcp_inspector.cli.journal import Talk
    from mcp_inspector.config.entry import ServerEntry
    from mcp_inspector.config.settings import Settings
    from mcp_inspector.session.server import Server

SECRET = "MCP_INSPECTOR_CLIENT_SECRET"
_LONGEST_S = 600.0


async def carry_out(request: Request, entry: ServerEntry, words: list[str], settings: Settings, talk: Talk) -> int:
    """Sign in or out, and say how it went. Raises `UsageError`."""
    if words:
        raise UsageError(f"{words[0]!r} is too much. See mcp-inspector {request.command} --help.")
    if not entry.remote:
        raise UsageError(f"{visible(entry.name)} is started as a command: it takes its credentials from --env.")
    entry = _with_options(entry, request)
    vault = standard(paths.folders().config, settings.secrets)
    inspector = Inspector(talk, ways(settings, lists_at_connect=False, vault=vault), [entry])
    server = inspector.servers[0]
    try:
        server.connect()
        await server.settled()
        if request.command == "logout":
            return await _log_out(request, server)
        return await _log_in(request, server)
    except Fault as fault:
        _say_steps(request, server)
        say_fault(fault)
        if request.json:
            printing.put_json(msgspec.json.encode({"error": fault_json(fault)}))
        return exit_of_fault(fault)
    finally:
        await inspector.close()


def _with_options(entry: ServerEntry, request: Request) -> ServerEntry:
    given: dict[str, Any] = {
        name.removeprefix("auth_"): value
        for name, value in request.options.items()
        if name.startswith("auth_") and value is not None
    }
    if (scope := given.pop("scope", None)) is not None:
        given["scopes"] = tuple(scope.split())
    if "client_id" in given and os.environ.get(SECRET):
        given["client_secret"] = os.environ[SECRET]
    return replace(entry, auth=replace(entry.auth, **given)) if given else entry


async def _log_in(request: Request, server: Server) -> int:
    from mcp_inspector.auth.person import Asking

    status = server.status
    if status.state is not State.NEEDS_SIGN_IN and not status.up:
        raise status.fault or Fault(FaultKind.CLOSED, f"{server.name} is {status.words()}.")
    authorizer = server.signing_in.authorizer
    if status.up:
        if authorizer is None or authorizer.token is None:
            say(f"{server.name} lets us in without signing in.")
            return Exit.OK
        if not server.entry.auth.by_machine:  # which has just done it
            say(f"{server.name} is signed in already.")
    else:
        await server.sign_in(Asking(_opener(request.options["open"]), limit=_limit(request)))
        status = await server.settled()
        authorizer = server.signing_in.authorizer
    _say_steps(request, server)
    if not status.up:
        raise status.fault or Fault(FaultKind.CLOSED, f"{server.name} is {status.words()} after the sign-in.")
    assert authorizer is not None
    place = await authorizer.keep.place()
    held = authorizer.token
    if held is None:
        return Exit.OK
    say(f"Signed in at {held.issuer} for {held.server}. The token is kept {place}.")
    if request.json:
        told = {
            "server": held.server,
            "issuer": held.issuer,
            "type": held.kind,
            "scopes": list(held.scopes or held.asked),
            "expires": held.expires,
            "refreshable": bool(held.refresh),
            "kept": place,
        }
        printing.put_json(msgspec.json.encode(told))
    return Exit.OK


async def _log_out(request: Request, server: Server) -> int:
    authorizer = server.signing_in.authorizer
    held = authorizer.token if authorizer is not None else None
    if authorizer is None or held is None:
        say(f"Nothing is kept for {server.name}.")
    else:
        revoked = await server.sign_out()
        say(f"The tokens of {server.name} are forgotten here, and {'revoked' if revoked else 'not revoked'} there.")
    if authorizer is not None and request.options["forget_client"]:
        await authorizer.forget_client(held.issuer if held is not None else "")
        say("The registration is forgotten, too.")
    if request.json:
        printing.put_json(msgspec.json.encode({"signed_out": held is not None}))
    return Exit.OK


def _opener(also_open: bool) -> Any:
    async def opener(url: str) -> None:
        say("Open this address in a browser, and sign in there:")
        say(f"  {url}")
        say("Waiting for the browser to come back …")
        if also_open:
            import webbrowser

            if not await asyncio.to_thread(webbrowser.open, url):
                say("No browser could be started here; open the address yourself.")

    return opener


def _limit(request: Request) -> float:
    return request.timeout or _LONGEST_S


def _say_steps(request: Request, server: Server) -> None:
    authorizer: Authorizer | None = server.signing_in.authorizer
    if not request.options.get("steps") or authorizer is None:
        return
    for number, step in enumerate(authorizer.trail.steps, 1):
        say(f"{number}. {step.title} – {step.verdict}: {visible(step.sentence)}")
        if step.rule is not None:
            say(f"   by the rule: {step.rule}")
        if step.remedy:
            say(f"   what to do: {visible(step.remedy)}")
