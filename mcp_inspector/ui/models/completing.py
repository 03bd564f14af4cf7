"""Asks a server for values of an argument, as the specification has it: with the arguments already filled in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mcp_inspector.session.outcome import Complete, RpcError

if TYPE_CHECKING:
    from mcp_inspector.session.server import Server
    from mcp_inspector.ui.forms.completion import Complete as Completer
    from mcp_inspector.ui.models.arguments import Arguments

_METHOD_NOT_FOUND = -32601


def completer(server: Server, ref: dict[str, str], arguments: Arguments) -> Completer | None:
    """The function that asks; None when the server does not declare completions."""
    if server.identity is None or not server.identity.has("completions"):
        return None

    async def complete(name: str, typed: str) -> tuple[str, ...] | None:
        if not server.status.up:
            return ()
        filled = arguments.document.value(()) if arguments.document.valid else {}
        others = {
            key: value
            for key, value in (filled.items() if isinstance(filled, dict) else ())
            if key != name and isinstance(value, str)
        }
        outcome = await server.complete(ref, name, typed, others)
        if isinstance(outcome, RpcError) and outcome.code == _METHOD_NOT_FOUND:
            return None
        return values_of(outcome.value) if isinstance(outcome, Complete) else ()

    return complete


def values_of(result: Any) -> tuple[str, ...]:
    """The suggestions in a result, whatever it holds."""
    completion = result.get("completion") if isinstance(result, dict) else None
    values = completion.get("values") if isinstance(completion, dict) else None
    return tuple(value for value in values if isinstance(value, str)) if isinstance(values, list) else ()
