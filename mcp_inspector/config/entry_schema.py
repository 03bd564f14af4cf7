"""A JSON Schema for one server's entry, in the words that the entry itself uses, for a form to edit it.

The reader (`entry_reader`) decides what an entry means; this only gives names, kinds and descriptions. What it does not
name may stand in an entry all the same.
"""

from __future__ import annotations

import json
from dataclasses import MISSING, fields
from typing import TYPE_CHECKING, Any

from mcp_inspector.config.auth_options import DPOP, GRANTS, TOKEN_AUTH, AuthOptions, member_of
from mcp_inspector.config.entry import LOG_LEVELS
from mcp_inspector.config.entry_reader import ENV_MEMBERS, TYPE_MEMBERS
from mcp_inspector.config.jsonc import Spelled
from mcp_inspector.config.shapes import URL_MEMBERS, is_text

if TYPE_CHECKING:
    from collections.abc import Sequence

PROTOCOLS = ("auto", "legacy", "modern", "2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")

_TEXT = {"type": "string"}
_ARGS = {
    "type": "array",
    "items": _TEXT,
    "description": "One argument an item; no quotes are needed for spaces. A list can be pasted.",
}
_ENV = {
    "type": "object",
    "additionalProperties": _TEXT,
    "description": "Variables beside the few that every server gets; ${NAME} takes one from your environment.",
}
_HEADERS = {
    "type": "object",
    "additionalProperties": _TEXT,
    "description": "Sent with every request; ${NAME} takes a variable from your environment.",
}
_ROOT = {
    "type": "object",
    "properties": {"uri": {"type": "string", "format": "uri", "description": "file:///…"}, "name": _TEXT},
    "required": ["uri"],
}
_PROXY = {"type": "string", "description": "http://host:port, or none; without it, as your environment says."}
_SECRET = {
    "format": "password",
    "description": "Stands in the file as it is typed; ${NAME} takes it from your environment.",
}
_FILE = {"type": "string", "format": "file-path"}
_TLS = {
    "type": "object",
    "properties": {
        "ca": {**_FILE, "description": "Roots, in PEM, that count beside the system's."},
        "cert": {**_FILE, "description": "A client certificate in PEM."},
        "key": {**_FILE, "description": "The key of the client certificate."},
        "keyPassword": {"type": "string", **_SECRET},
        "pin": {
            "type": "string",
            "description": "SHA-256 of the ONE certificate to take, with nothing else checked: whoever has its key is "
            "taken for the server. The connection doctor shows it.",
        },
    },
    "description": "Of the connection; without it, the system's roots.",
}
_AUTH_CHOICES = {"grant": GRANTS, "token_auth": TOKEN_AUTH, "dpop": DPOP}
_SECRETS = frozenset(["client_secret", "assertion", "idp_client_secret", "idp_id_token"])
_TRANSPORTS = {"http": "Streamable HTTP", "sse": "HTTP+SSE of 2024-11-05"}


def entry_schema(value: Any) -> dict[str, Any]:
    """The schema for an entry like this one: its own names for address, variables and transport are used."""
    held = value if isinstance(value, dict) else {}
    command = {**_command(held), **_type(held, {}, needed=False)}
    url = _present(held, URL_MEMBERS)
    remote = {
        url: {"type": "string", "minLength": 1, "description": "Where the server is: https://…"},
        "headers": _HEADERS,
        **_type(held, _TRANSPORTS, needed=True),
        _present(held, ("auth", "oauth")): _auth(),
        "tls": _TLS,
        "proxy": _PROXY,
    }
    more = _more(held)
    return {
        "type": "object",
        "anyOf": [
            {"title": "Command", "properties": {**command, **more}, "required": ["command"]},
            {"title": "URL", "properties": {**remote, **more}, "required": [url]},
        ],
    }


def _command(held: dict[str, Any]) -> dict[str, Any]:
    env = {_present(held, ENV_MEMBERS): _ENV}
    cwd = {"cwd": {"type": "string", "format": "directory-path", "description": "Working folder."}}
    kind: dict[str, Any] = {"type": "string", "minLength": 1, "description": "The program that is started."}
    there = held.get("command")
    if isinstance(there, list):
        listed = {"type": "array", "items": _TEXT, "minItems": 1, "description": "The program and its arguments."}
        return {"command": listed, **({"args": _ARGS} if "args" in held else {}), **env, **cwd}
    if isinstance(there, dict):
        inner = {"path": kind, "args": _ARGS, "env": _ENV}
        outer = {"args": _ARGS} if "args" in held else {}
        if any(member in held for member in ENV_MEMBERS):
            outer |= env
        return {"command": {"type": "object", "properties": inner, "required": ["path"]}, **outer, **cwd}
    return {"command": kind, "args": _ARGS, **env, **cwd}


def _type(held: dict[str, Any], known: dict[str, str], *, needed: bool) -> dict[str, Any]:
    """The transport: the words of `known`, and the one that stands there."""
    there = [member for member in TYPE_MEMBERS if member in held]
    if not there and not needed:
        return {}
    words = dict(known)
    for member in there:
        if is_text(held[member]):
            words.setdefault(held[member], held[member])
    if not words:
        return {}
    choices = [{"const": word, "title": title} for word, title in words.items()]
    return {(there or ["type"])[0]: {"oneOf": choices, "description": "Without it, what answers is found out."}}


def _more(held: dict[str, Any]) -> dict[str, Any]:
    protocols = [*PROTOCOLS]
    own = held.get("protocol")
    if is_text(own) and own not in protocols:
        protocols.append(str(own))
    switch = "enabled" if "enabled" in held and "disabled" not in held else "disabled"
    start = {"const": "start", "title": "When the program starts"}
    return {
        switch: {"type": "boolean"},
        "description": {"type": "string", "description": "For people."},
        "timeout": {
            "type": "number",
            "exclusiveMinimum": 0,
            "description": "Seconds that a request may take; from 1000 on, milliseconds.",
        },
        "protocol": {
            "enum": protocols,
            "default": "auto",
            "description": "auto tries the newest and falls back.",
        },
        "connect": {"oneOf": [start, {"const": "lazy", "title": "When it is needed"}], "default": "start"},
        "reconnect": {
            "type": "integer",
            "minimum": 0,
            "maximum": 10,
            "default": 3,
            "description": "How often a lost connection is tried again.",
        },
        "refreshBeforeCall": {"type": "boolean", "description": "Read the tools anew before each call."},
        "roots": {
            "type": "array",
            "items": {"anyOf": [_ROOT, {"type": "string", "title": "URI"}]},
            "description": "Folders that the server is told of when it asks.",
        },
        "logLevel": {"enum": [*LOG_LEVELS], "description": "From which level on it is asked to log."},
        "capabilities": {"type": "object", "description": "Of this client, instead of the usual ones."},
        "meta": {"type": "object", "description": "Goes into the _meta of each request."},
        "trace": {"type": "boolean", "description": "Give each request a trace context."},
    }


def _auth() -> dict[str, Any]:
    """How to sign in: every option by its name in a file, of the kind of its default."""
    found = {}
    for option in fields(AuthOptions):
        default = option.default if option.default is not MISSING else None
        one: dict[str, Any] = {"type": "object", "additionalProperties": _TEXT}
        if option.name in _AUTH_CHOICES:
            one = {"enum": [*_AUTH_CHOICES[option.name]]}
        elif isinstance(default, bool):
            one = {"type": "boolean"}
        elif isinstance(default, tuple):
            one = {"type": "array", "items": _TEXT}
        elif isinstance(default, str):
            secret = _SECRET if option.name in _SECRETS else {}
            one = {"type": "string", **secret, **({"default": default} if default else {})}
        found[member_of(option.name)] = one
    return {
        "type": "object",
        "properties": found,
        "description": "How to sign in; what is left out is found out from the server.",
    }


def _present(held: dict[str, Any], names: Sequence[str]) -> str:
    return next((name for name in names if held.get(name) is not None), names[0])


def json_of(value: Any) -> str:
    """The JSON text of a plain value as a servers file gives it, numbers as they are spelled there."""
    if isinstance(value, Spelled):
        return str(value)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(str(key))}: {json_of(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(json_of(item) for item in value) + "]"
    return json.dumps(value, ensure_ascii=False)
