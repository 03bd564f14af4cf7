"""A registry's ``server.json``: packages and remotes of one server, read as entries.

Source: the schema of the MCP registry (server.schema.json). What a person has to fill in becomes ``${input:name}``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mcp_inspector.config.entry_reader import read_entry
from mcp_inspector.config.names import free_name

if TYPE_CHECKING:
    from mcp_inspector.config.entry import ServerEntry

_RUNNERS = {
    "npm": ("npx", ("-y",), "@"),
    "pypi": ("uvx", (), "=="),
    "oci": ("docker", ("run", "-i", "--rm"), ":"),
    "nuget": ("dnx", ("--yes",), "@"),
}
"""Registry → the program that runs its packages, its first arguments, and what parts name and version."""


def is_registry_entry(value: Any) -> bool:
    """Whether this looks like a server.json and not like a servers file."""
    if not isinstance(value, dict) or not isinstance(value.get("name"), str):
        return False
    return any(isinstance(value.get(member), list) for member in ("packages", "remotes"))


def entries(value: dict[str, Any], origin: str) -> tuple[tuple[ServerEntry, ...], tuple[str, ...]]:
    """One entry for each way to reach the server, and sentences about those that cannot be used."""
    base = value["name"].rsplit("/", 1)[-1] or "server"
    found: list[ServerEntry] = []
    problems: list[str] = []
    taken: set[str] = set()

    def take(plain: dict[str, Any]) -> None:
        name = free_name(base, taken)
        taken.add(name)
        found.append(read_entry(name, plain, origin))

    for remote in _list(value, "remotes"):
        kind = {"streamable-http": "http", "sse": "sse"}.get(str(remote.get("type") or remote.get("transport_type")))
        if kind is None or not isinstance(remote.get("url"), str):
            problems.append(f"A remote of {base} has no known type or no url, and is left out.")
            continue
        plain: dict[str, Any] = {"type": kind, "url": remote["url"]}
        if headers := _named(remote, "headers"):
            plain["headers"] = headers
        take(plain)
    for package in _list(value, "packages"):
        registry = str(package.get("registryType") or package.get("registry_type") or package.get("registry_name"))
        identifier = package.get("identifier") or package.get("name")
        runner = _RUNNERS.get(registry)
        if runner is None or not isinstance(identifier, str):
            problems.append(f"A package of {base} is of the kind {registry}, which nothing here can start.")
            continue
        take(_package(package, identifier, runner))
    return tuple(found), tuple(problems)


def _package(package: dict[str, Any], identifier: str, runner: tuple[str, tuple[str, ...], str]) -> dict[str, Any]:
    command, first, sign = runner
    hint = package.get("runtimeHint")
    if isinstance(hint, str) and hint:
        command, first = hint, first if hint == command else ()
    version = package.get("version")
    named = identifier + (sign + version if isinstance(version, str) and version and sign not in identifier[1:] else "")
    arguments = [*_arguments(package, "runtimeArguments")] or list(first)
    env = _named(package, "environmentVariables")
    if command == "docker":
        arguments += [part for name in env for part in ("-e", name)]
    plain: dict[str, Any] = {"command": command, "args": [*arguments, named, *_arguments(package, "packageArguments")]}
    if env:
        plain["env"] = env
    return plain


def _arguments(package: dict[str, Any], member: str) -> list[str]:
    found: list[str] = []
    for argument in _list(package, member):
        if argument.get("type") == "named" and isinstance(argument.get("name"), str):
            found.append(argument["name"])
        value = _value(argument, str(argument.get("valueHint") or argument.get("name") or "value"))
        if value and (argument.get("isRequired") or "value" in argument or argument.get("type") != "named"):
            found.append(value)
    return found


def _named(holder: dict[str, Any], member: str) -> dict[str, str]:
    """Variables or headers that are required or have a value."""
    return {
        each["name"]: _value(each, each["name"])
        for each in _list(holder, member)
        if isinstance(each.get("name"), str) and (each.get("isRequired") or "value" in each or "default" in each)
    }


def _value(item: dict[str, Any], name: str) -> str:
    for member in ("value", "default"):
        if isinstance(item.get(member), str):
            return str(item[member])
    return "${input:" + name.strip("-<> ") + "}"


def _list(holder: dict[str, Any], member: str) -> list[dict[str, Any]]:
    value = holder.get(member)
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []
