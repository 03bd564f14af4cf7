"""Settings of the program: each declared once, with its default, its limits and what it means.

A value comes from the command line, else the environment (``MCP_INSPECTOR_REQUEST_TIMEOUT``), else ``settings.json``,
else the default. A wrong value never costs more than itself: it is said in a sentence, and the next source counts.
Checked with msgspec and not with pydantic: msgspec is loaded anyway, and pydantic would cost every start 0.09 s.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_type_hints

import msgspec
from msgspec import Meta

from mcp_inspector.config import safe_write
from mcp_inspector.config.safe_write import EditRefused
from mcp_inspector.config.visible import visible

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

PREFIX = "MCP_INSPECTOR_"

Seconds = Annotated[float, Meta(ge=0.1, le=86_400)]
Megabytes = Annotated[int, Meta(ge=1, le=1_048_576)]


@dataclass(frozen=True)
class Settings:
    """The effective values. Times are seconds, sizes MiB. `HELP` tells what each is for."""

    theme: Literal["system", "light", "dark"] = "system"
    text_scale: Annotated[float, Meta(ge=0.5, le=3)] = 1.0
    request_timeout: Seconds = 60.0
    total_timeout: Seconds = 600.0
    probe_timeout: Seconds = 10.0
    message_limit: Megabytes = 256
    reconnect_base: Seconds = 1.0
    session_limit: Megabytes = 4096
    secrets: Literal["keyring", "file", "memory"] = "keyring"


HELP: Mapping[str, str] = {
    "theme": "system, light or dark",
    "text_scale": "the size of all text; 1 is that of the system",
    "request_timeout": "the seconds to wait for an answer; progress starts the time again",
    "total_timeout": "the seconds after which a request ends although there is progress",
    "probe_timeout": "the seconds to wait for the answer that tells a server's era",
    "message_limit": "the MiB of one message that are kept; what is beyond is skipped, and said",
    "reconnect_base": "the seconds before the first reconnect; the second waits twice as long, the third three times",
    "secrets": "where secrets are kept from the next start on: keyring (a file where there is none), file, or memory",
    "session_limit": "the MiB of all recorded sessions together; beyond that the oldest are deleted at the next start",
}
"""What each setting is, in words that follow "It is"."""

UNITS: Mapping[str, str] = {
    "text_scale": "×",
    "request_timeout": "s",
    "total_timeout": "s",
    "probe_timeout": "s",
    "message_limit": "MiB",
    "reconnect_base": "s",
    "session_limit": "MiB",
}
"""What each number counts."""

NAMES = tuple(setting.name for setting in fields(Settings))


@dataclass(frozen=True)
class Loaded:
    """Settings with where each comes from. `problems` are sentences about wrong values."""

    settings: Settings = field(default_factory=Settings)
    origins: Mapping[str, str] = field(default_factory=dict)
    problems: tuple[str, ...] = ()

    def origin(self, name: str) -> str:
        """Where the effective value comes from, for people: a file, a variable, ``command line``, or ``default``."""
        return self.origins.get(name, "default")


def load(
    path: Path | None, environ: Mapping[str, str] | None = None, overrides: Mapping[str, Any] | None = None
) -> Loaded:
    """Collect the effective settings. `overrides` are those of the command line. Never raises."""
    environ = os.environ if environ is None else environ
    problems: list[str] = []
    from_file = _read(path, problems) if path else {}
    from_environ = {name: environ[PREFIX + name.upper()] for name in NAMES if PREFIX + name.upper() in environ}
    values: dict[str, Any] = {}
    origins: dict[str, str] = {}
    sources: list[tuple[str, Mapping[str, Any]]] = [("file", from_file), ("environ", from_environ)]
    for source, found in (*sources, ("command line", overrides or {})):
        for name, value in found.items():
            origin = {"file": str(path), "environ": f"environment {PREFIX}{name.upper()}"}.get(source, source)
            if name not in NAMES:
                problems.append(_unknown(name, origin))
                continue
            try:
                values[name] = check(name, value, strict=source == "file")
                origins[name] = origin
            except ValueError as error:
                problems.append(f"{origin}: {error}")
    return Loaded(Settings(**values), origins, tuple(problems))


def check(name: str, value: Any, *, strict: bool = True) -> Any:
    """The value as the setting's type; texts are converted unless `strict`. Raises `ValueError` with a sentence."""
    if isinstance(value, bool):
        value, strict = str(value).lower(), True
    try:
        return msgspec.convert(value, _types()[name], strict=strict)
    except msgspec.ValidationError as error:
        default = getattr(Settings, name)
        shown = visible(str(value))[:80]
        raise ValueError(
            f'"{name}" cannot be {shown}: {_words(str(error))}. It is {HELP[name]}; default {default}.'
        ) from None


def save(path: Path, changes: Mapping[str, Any]) -> None:
    """Write settings into the file, and leave all else in it as it is; None takes one out. Raises `EditRefused`."""
    from mcp_inspector.config import jsonc, jsonc_edit

    try:
        path.resolve().parent.mkdir(parents=True, exist_ok=True)
        with safe_write.lock(path):
            raw = path.read_bytes() if path.exists() else b""
            text = jsonc.decode(raw)
            if jsonc.parse(text).root is None:
                text = jsonc_edit.set_value(text, (), {})
            for name, value in changes.items():
                if value is not None:
                    text = jsonc_edit.set_value(text, (name,), check(name, value))
                elif jsonc.parse(text).find((name,)) is not None:
                    text = jsonc_edit.remove(text, (name,))
            if text.encode() != raw:
                safe_write.replace(path, text.encode())
    except (OSError, jsonc.JsoncError, LookupError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise EditRefused(f"The settings were not saved in {path}: {reason}.") from error


def _types() -> dict[str, Any]:
    return get_type_hints(Settings, include_extras=True)


def _read(path: Path, problems: list[str]) -> dict[str, Any]:
    if not path.exists():
        return {}
    from mcp_inspector.config import jsonc

    try:
        value = jsonc.parse(jsonc.decode(path.read_bytes())).plain()
    except (OSError, jsonc.JsoncError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        problems.append(f"{path} cannot be read: {reason}. The defaults are used.")
        return {}
    if value is None:
        return {}
    if not isinstance(value, dict):
        problems.append(f"{path} is not an object. The defaults are used.")
        return {}
    return {name: item for name, item in value.items() if not name.startswith(("$", "//"))}


def _unknown(name: str, origin: str) -> str:
    import difflib

    near = difflib.get_close_matches(name, NAMES, 1)
    remedy = f'Perhaps "{near[0]}" is meant.' if near else f"Known are {', '.join(NAMES)}."
    return f'{origin}: there is no setting "{visible(name)[:80]}". {remedy}'


def _words(error: str) -> str:
    for technical, plain in (
        ("Expected `", "it should be `"),
        ("Invalid enum value", "it is none of the choices"),
        ("`float`", "a number"),
        ("`int`", "a whole number"),
        ("`str`", "a text"),
        ("`", ""),
    ):
        error = error.replace(technical, plain)
    return error
