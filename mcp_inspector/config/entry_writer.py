"""One server back into its file: what a new one looks like, and the fewest changes that turn one state into another."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Any

from mcp_inspector.config import auth_options, route
from mcp_inspector.config.entry import Root, ServerEntry
from mcp_inspector.config.entry_reader import ENV_MEMBERS, TYPE_MEMBERS, number_text
from mcp_inspector.config.shapes import URL_MEMBERS, is_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from mcp_inspector.config.jsonc_edit import Path


class Gone(Enum):
    """The value of a member that is to be removed."""

    GONE = 1


GONE = Gone.GONE
Change = tuple["Path", Any]
"""A path inside of the entry and its new value; `GONE` removes it if it is there."""

_DEFAULT = ServerEntry("")
_SCALARS = {
    "cwd": "cwd",
    "description": "description",
    "protocol": "protocol",
    "connect": "connect",
    "reconnect": "reconnect",
    "refresh_before_call": "refreshBeforeCall",
    "trace": "trace",
    "log_level": "logLevel",
}
"""Fields that stand in the file as they are, and their members there."""


def members(entry: ServerEntry) -> dict[str, Any]:
    """A new entry in the common shape: what differs from the defaults, in the usual order."""
    found: dict[str, Any] = {}
    if entry.transport in ("http", "sse") or (entry.command and entry.url):
        found["type"] = entry.transport
    parts = {
        "command": entry.command,
        "args": list(entry.args),
        "env": dict(entry.env),
        "url": entry.url,
        "headers": dict(entry.headers),
        "disabled": entry.disabled,
    }
    found.update((member, value) for member, value in parts.items() if value)
    if entry.timeout is not None:
        found["timeout"] = _timeout(entry.timeout)
    for field, member in _SCALARS.items():
        value = getattr(entry, field)
        if value != getattr(_DEFAULT, field):
            found[member] = value
    if entry.roots:
        found["roots"] = _roots(entry.roots)
    if auth := auth_options.members(entry.auth):
        found["auth"] = auth
    found.update(route.members(entry.route))
    if entry.capabilities is not None:
        found["capabilities"] = dict(entry.capabilities)
    if entry.meta:
        found["meta"] = dict(entry.meta)
    return found


def changes(current: Any, before: ServerEntry, after: ServerEntry) -> list[Change]:
    """What has to change in the file so that the fields in which `after` differs from `before` arrive there.

    `current` is the plain value that stands in the file now, with numbers as `Spelled`; its spelling of members
    (``httpUrl``, ``transportType``, ``enabled``, a command as a list) is kept. Fields that are equal are not touched.
    """
    if not isinstance(current, dict):
        return [((), members(after))]
    found = [*_program(current, before, after)]
    if before.transport != after.transport or bool(before.command) != bool(after.command):
        found += _transport(current, after)
    if before.url != after.url:
        member = _present(current, URL_MEMBERS)
        found.append(((member,), after.url or GONE))
    found += _strings(current, _env_path(current), before.env, after.env)
    found += _strings(current, ("headers",), before.headers, after.headers)
    if before.disabled != after.disabled:
        found += disable(current, after.disabled)
    if before.timeout != after.timeout:
        found.append((("timeout",), GONE if after.timeout is None else _timeout(after.timeout)))
    for field, member in _SCALARS.items():
        value = getattr(after, field)
        if getattr(before, field) != value:
            found.append(((member,), GONE if value == getattr(_DEFAULT, field) else value))
    if before.route != after.route:
        old, new = route.members(before.route), route.members(after.route)
        found += [((name,), new.get(name, GONE)) for name in ("tls", "proxy") if old.get(name) != new.get(name)]
    if before.auth != after.auth:
        found += _auth(current, before, after)
    if before.roots != after.roots:
        found.append((("roots",), _roots(after.roots) or GONE))
    if before.capabilities != after.capabilities:
        found.append((("capabilities",), GONE if after.capabilities is None else dict(after.capabilities)))
    if before.meta != after.meta:
        found.append((("meta",), dict(after.meta) or GONE))
    return found


def _auth(current: Mapping[str, Any], before: ServerEntry, after: ServerEntry) -> Iterator[Change]:
    """Member by member, so that what we do not know of it stays."""
    member = _present(current, ("auth", "oauth"))
    old, new = auth_options.members(before.auth), auth_options.members(after.auth)
    if not isinstance(current.get(member), dict):
        yield (member,), new or GONE
        return
    for name in {**old, **new}:
        if old.get(name) != new.get(name):
            yield (member, name), new.get(name, GONE)


def _roots(roots: Sequence[Root]) -> list[dict[str, str]]:
    return [{"uri": root.uri, "name": root.name} if root.name else {"uri": root.uri} for root in roots]


def disable(current: Any, disabled: bool) -> list[Change]:
    """Switch a server off or on, under the member that the file uses for it."""
    there = [member for member in ("disabled", "enabled") if isinstance(current, dict) and member in current]
    return [((member,), disabled if member == "disabled" else not disabled) for member in there or ["disabled"]]


def _timeout(seconds: float) -> int | float:
    """Seconds; from 1000 s on milliseconds, because the reader takes numbers from 1000 on as such."""
    if seconds >= 1000:
        return round(seconds * 1000)
    return int(seconds) if float(seconds).is_integer() else seconds


def _program(current: Mapping[str, Any], before: ServerEntry, after: ServerEntry) -> Iterator[Change]:
    """Command and arguments, which stand as a text and a list, as one list, or inside of an object."""
    if (before.command, before.args) == (after.command, after.args):
        return
    held = current.get("command")
    if not after.command:
        yield ("command",), GONE
        if before.args != after.args or not after.args:
            yield ("args",), list(after.args) or GONE
        return
    if isinstance(held, list):
        rest = current.get("args")
        yield ("command",), _kept(held + (rest if isinstance(rest, list) else []), (after.command, *after.args))
        yield ("args",), GONE
        return
    where: Path = ("command",) if isinstance(held, dict) else ()
    if before.command != after.command:
        yield ((*where, "path") if where else ("command",)), after.command
    if before.args != after.args:
        inside = isinstance(held, dict) and (held.get("args") is not None or current.get("args") is None)
        path: Path = ("command", "args") if inside else ("args",)
        raw = held.get("args") if inside and isinstance(held, dict) else current.get("args")
        yield path, _kept(raw if isinstance(raw, list) else [], after.args)


def _kept(raw: Sequence[Any], texts: Sequence[str]) -> list[Any]:
    """A list of texts in which the elements that stay keep their value of the file (``8080``, not ``"8080"``)."""
    spelled = [str(item) if is_text(item) else number_text(item) for item in raw]
    head = 0
    while head < min(len(raw), len(texts)) and spelled[head] == texts[head]:
        head += 1
    tail = 0
    while tail < min(len(raw), len(texts)) - head and spelled[-1 - tail] == texts[-1 - tail]:
        tail += 1
    return [*raw[:head], *texts[head : len(texts) - tail], *raw[len(raw) - tail :]]


def _transport(current: Mapping[str, Any], after: ServerEntry) -> list[Change]:
    there = [member for member in TYPE_MEMBERS if member in current]
    inferred = "stdio" if after.command and not after.url else "auto" if after.url and not after.command else ""
    if after.transport == inferred and (not there or after.transport == "auto"):
        return [((member,), GONE) for member in there]
    return [((member,), after.transport) for member in there or ["type"]]


def _env_path(current: Mapping[str, Any]) -> Path:
    command = current.get("command")
    if isinstance(command, dict) and command.get("env") is not None:
        return ("command", "env")
    return (_present(current, ENV_MEMBERS),)


def _present(current: Mapping[str, Any], names: Sequence[str]) -> str:
    return next((name for name in names if current.get(name) is not None), names[0])


def _strings(
    current: Mapping[str, Any], path: Path, before: Mapping[str, str], after: Mapping[str, str]
) -> Iterator[Change]:
    held: Any = current
    for step in path:
        held = held.get(step) if isinstance(held, dict) else None
    if before == after:
        return
    if not isinstance(held, dict):
        yield path, dict(after) or GONE
        return
    for name in before:
        if name not in after:
            yield (*path, name), GONE
    for name, value in after.items():
        if before.get(name) != value:
            yield (*path, name), value
