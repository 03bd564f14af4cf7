"""What may be said to the commands of signing in and of reaching a server: login, logout, secret, doctor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mcp_inspector.config.auth_options import GRANTS

if TYPE_CHECKING:
    import argparse

FORMS: dict[str, tuple[str, str, str]] = {
    "doctor": (
        "[TARGET] [options] [-- COMMAND ARGS…]",
        "Look at everything that a connection needs, in order: the command and where it was searched; or proxy, name,\n"
        "TCP, TLS with chain, dates and names, HTTP, each URL of discovery; then version, authorization and lists.",
        "examples:\n  mcp-inspector doctor https://example.com/mcp\n  mcp-inspector doctor search --markdown\n",
    ),
    "login": (
        "[TARGET] [options]",
        "Sign in at a server that is reached by URL. The address to open is printed; the answer of the browser is\n"
        "waited for on this machine. Nothing is opened unless --open is given. What the server's entry says under\n"
        '"auth" counts, and the options below more. The tokens are kept for the other commands, and refreshed.',
        "examples:\n"
        "  mcp-inspector login https://example.com/mcp\n"
        "  mcp-inspector login search --open --scope 'read write'\n"
        "  mcp-inspector login build --grant client_credentials --client-id ci\n",
    ),
    "logout": (
        "[TARGET] [options]",
        "Revoke the tokens of a server where its authorization server can, and forget them.",
        "examples:\n  mcp-inspector logout https://example.com/mcp --forget-client\n",
    ),
    "secret": (
        "KIND:NAME [options]",
        "Keep a value for ${secret:NAME} or ${input:NAME} in servers files. It is asked for, or read from stdin, and\n"
        "never stands on a command line. An empty value forgets it.",
        "examples:\n  mcp-inspector secret secret:search-token\n",
    ),
}

OPTIONS = {
    "grant": ("GRANT", "how a token is got"),
    "client_id": ("ID", "a client that was registered by hand; its secret is read from MCP_INSPECTOR_CLIENT_SECRET"),
    "client_metadata_url": ("URL", "the Client ID Metadata Document to be known by"),
    "scope": ("SCOPES", "the scopes to ask for, in one text"),
    "issuer": ("URL", "the authorization server to use"),
    "redirect_uri": ("URI", "where the browser comes back to, for example http://127.0.0.1:3118/callback"),
}
"""The options of signing in, which are those of an entry's ``auth``."""


def add_options(parser: argparse.ArgumentParser, command: str) -> None:
    """The options that only this command has."""
    add = parser.add_argument
    if command == "doctor":
        add("--markdown", action="store_true", help="print one report to paste elsewhere")
    if command == "logout":
        add("--forget-client", action="store_true", help="forget the registration at the authorization server, too")
    if command != "login":
        return
    add("--open", action="store_true", help="open the address in a browser, too")
    add("--steps", action="store_true", help="say every step of the sign-in, with the rule that decided it")
    for name, (metavar, words) in OPTIONS.items():
        choices: dict[str, Any] = {"choices": GRANTS} if name == "grant" else {"metavar": metavar}
        add(f"--{name.replace('_', '-')}", dest=f"auth_{name}", help=words, **choices)
