"""Where the servers stand in a settings file: the shapes that programs around MCP write, recognised on reading."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mcp_inspector.config.jsonc import Spelled
from mcp_inspector.config.names import free_name, name_of_command, name_of_url
from mcp_inspector.config.visible import visible

if TYPE_CHECKING:
    from mcp_inspector.config.jsonc_edit import Path

URL_MEMBERS = ("url", "httpUrl", "serverUrl", "uri")
"""What the address of a server is called, the usual word first."""

ACCEPTED = (
    '{"mcpServers": {"NAME": {"command": "…", "args": […]}}} with one member for each server, or {"url": "https://…"} '
    'in place of the command; also "servers", "mcp": {"servers": …}, "context_servers", a bare map of servers, a list '
    "of servers with names, or one server alone"
)
"""The accepted shapes in words, for a message."""

_WRAPPERS: tuple[Path, ...] = (
    ("mcpServers",),
    ("mcp_servers",),
    ("servers",),
    ("mcp", "servers"),
    ("mcp", "mcpServers"),
    ("mcp.servers",),
    ("amp.mcpServers",),
    ("context_servers",),
    ("mcp",),
)


@dataclass(frozen=True, slots=True)
class Place:
    """One server in a file. `path` leads to its value; `value` is plain, with numbers as `Spelled`."""

    name: str
    path: Path
    value: Any


@dataclass(frozen=True, slots=True)
class Shape:
    """What was recognised. `container` is where a new server is added as a member, None where none can be."""

    word: str
    places: tuple[Place, ...] = ()
    container: Path | None = ("mcpServers",)
    problems: tuple[str, ...] = ()


def locate(root: Any) -> Shape:
    """Find the servers in a file's plain value (numbers spelled, or not)."""
    if root is None:
        return Shape("nothing yet")
    if isinstance(root, list):
        return _listed((), root)
    if not isinstance(root, dict):
        problem = f"It holds {_kind(root)} and no servers. It should be {ACCEPTED}."
        return Shape("no object", container=None, problems=(problem,))
    wrappers = [(path, value) for path in _WRAPPERS if _is_wrapper(path, value := _at(root, path))]
    if wrappers:
        path, value = wrappers[0]
        problems = tuple(
            f'"{_dotted(other)}" also holds servers; only "{_dotted(path)}" is read. Move them there.'
            for other, held in wrappers[1:]
            if _holds_servers(held) and other != path[: len(other)]
        )
        if isinstance(value, list):
            shape = _listed(path, value)
            return Shape(shape.word, shape.places, shape.container, shape.problems + problems)
        return Shape(_dotted(path), _mapped(path, value or {}), path, problems)
    if looks_like_server(root):
        return Shape("a single server", (Place(_own_name(root), (), root),), None)
    if _holds_servers(root):
        return Shape("a bare map of servers", _mapped((), root), ())
    unusable = root.get("mcpServers")
    if unusable is not None:
        problem = f'"mcpServers" is {_kind(unusable)} and should be an object with one member for each server.'
        return Shape("mcpServers", container=None, problems=(problem,))
    strangers = [key for key in root if not key.startswith("$")]
    return Shape("nothing yet", problems=(f"No servers were found. It should be {ACCEPTED}.",) if strangers else ())


def looks_like_server(value: Any) -> bool:
    """Whether an object says how to reach a server."""
    if not isinstance(value, dict):
        return False
    command = value.get("command")
    if is_text(command) or isinstance(command, list) or (isinstance(command, dict) and is_text(command.get("path"))):
        return True
    return any(is_text(value.get(member)) for member in URL_MEMBERS)


def is_text(value: Any) -> bool:
    """Whether a plain value is a text, and not the spelling of a number."""
    return isinstance(value, str) and not isinstance(value, Spelled)


def _at(root: dict[str, Any], path: Path) -> Any:
    value: Any = root
    for step in path:
        if not isinstance(value, dict) or step not in value:
            return ...
        value = value[step]
    return value


def _is_wrapper(path: Path, value: Any) -> bool:
    if value is ... or looks_like_server(value):
        return False
    if path == ("mcp",):  # a word that means other things elsewhere, and so does the next
        return _holds_servers(value)
    if path == ("servers",):
        plausible = isinstance(value, dict) and all(isinstance(item, dict) for item in value.values())
        return plausible or _holds_servers(value)
    return isinstance(value, dict | list) or value is None


def _holds_servers(value: Any) -> bool:
    items = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return any(looks_like_server(item) for item in items)


def _mapped(path: Path, value: dict[str, Any]) -> tuple[Place, ...]:
    return tuple(Place(name, (*path, name), item) for name, item in value.items() if not _is_remark(name, item))


def _is_remark(name: str, value: Any) -> bool:
    """A text under a name like ``$schema``, ``//`` or ``_comment`` is a remark to people, not a server."""
    return is_text(value) and name.startswith(("$", "/", "_", "#"))


def _listed(path: Path, items: list[Any]) -> Shape:
    places: list[Place] = []
    problems = []
    for index, item in enumerate(items):
        if not isinstance(item, dict):
            problems.append(f"Element {index} of the list is {_kind(item)} and no server.")
            continue
        name = _own_name(item)
        free = free_name(name, {place.name for place in places})
        if free != name:
            shown = visible(free)
            problems.append(f'More than one server is called "{visible(name)}"; element {index} is shown as "{shown}".')
        places.append(Place(free, (*path, index), item))
    return Shape("a list of servers", tuple(places), None, tuple(problems))


def _own_name(value: dict[str, Any]) -> str:
    """The name inside of an entry, or one made from what it starts."""
    for member in ("name", "id"):
        if is_text(value.get(member)) and value[member]:
            return str(value[member])
    command: Any = value.get("command")
    args: Any = value.get("args")
    if isinstance(command, dict):
        command, args = command.get("path"), command.get("args", args)
    if isinstance(command, list) and command:
        command, args = command[0], command[1:]
    if is_text(command):
        return name_of_command(str(command), [str(item) for item in args] if isinstance(args, list) else [])
    return name_of_url(next((value[member] for member in URL_MEMBERS if is_text(value.get(member))), ""))


def _dotted(path: Path) -> str:
    return ".".join(str(step) for step in path)


def _kind(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Spelled | int | float):
        return "a number"
    if isinstance(value, str):
        return "a text"
    return {list: "a list", dict: "an object", type(None): "null"}.get(type(value), "something else")
