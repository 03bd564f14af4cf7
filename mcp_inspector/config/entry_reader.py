"""One server as it stands in a file, of any dialect, into a `ServerEntry`: tolerant, with a sentence for each oddity.

Nothing here raises. What is clear is taken, with a notice where it was odd; what is not makes the entry `fatal`, so
that it can be seen and edited but not started. Members that are not known have no effect on what is started.

The members: `type` (also `transport`, `transportType`), which decides between `command` and `url` when both are there;
without it one of the two has to be alone. `timeout` is in seconds, from 1000 on in milliseconds; 0 and less are the
default. `disabled` or `enabled`, of which an unclear value means disabled. Ours are `protocol` (auto, legacy, modern, a
version), `connect` (start, lazy), `reconnect` (1 to 10 times, 0 for off), `refreshBeforeCall`, `roots` (a list of
`{"uri", "name"}` or of URIs), `auth` (see `auth_options`), `tls` and `proxy` (see `route`), and what the server is told
of this client: `capabilities`, `meta`, `trace`, `logLevel`.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, cast

from mcp_inspector.config import auth_options, route, told
from mcp_inspector.config.auth_options import AuthOptions
from mcp_inspector.config.checks import mapping_faults, text_fault, url_fault
from mcp_inspector.config.command_line import CommandLineError, split
from mcp_inspector.config.entry import ServerEntry, TransportChoice
from mcp_inspector.config.jsonc import Spelled
from mcp_inspector.config.shapes import URL_MEMBERS, is_text
from mcp_inspector.config.visible import visible

if TYPE_CHECKING:
    from collections.abc import Mapping

TYPE_MEMBERS = ("type", "transport", "transportType")
"""What the kind of transport is called; the first one that is there counts."""

ENV_MEMBERS = ("env", "environment")

_TYPES: Mapping[str, TransportChoice] = {
    **dict.fromkeys(("stdio", "local", "command", "process"), "stdio"),
    **dict.fromkeys(("http", "streamablehttp", "streamable", "httpstream"), "http"),
    "sse": "sse",
    **dict.fromkeys(("remote", "auto", "url"), "auto"),
}
_UNUSED = {
    "envFile": 'Put the variables into "env".',
    "startup_timeout_sec": 'Use "timeout", in seconds.',
    "tool_timeout_sec": 'Use "timeout", in seconds.',
    "headersHelper": 'Put the headers into "headers".',
}
_LIST = "Write a list with one text for each argument."
_SECONDS = "Write a number of seconds; from 1000 on it is taken as milliseconds."
_VERSION = re.compile(r"\d{4}-\d{2}-\d{2}\Z")
_DURATION = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?)\s*(ms|s|sec|m|min)?\s*\Z")
_UNITS = {"ms": 0.001, "s": 1.0, "sec": 1.0, "m": 60.0, "min": 60.0}


def read_entry(name: str, value: Any, origin: str = "") -> ServerEntry:
    """Read one entry from its plain value (numbers may be `Spelled`, which keeps ``1.0`` in an argument)."""
    return _Reader(name, value, origin).entry()


def number_text(value: Any) -> str | None:
    """The JSON text of a number or boolean, None for anything else."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Spelled):
        return str(value)
    return json.dumps(value) if isinstance(value, int | float) else None


class _Reader:
    def __init__(self, name: str, value: Any, origin: str) -> None:
        self.name, self.origin = name, origin
        self.value: Mapping[str, Any] = value if isinstance(value, dict) else {}
        self.is_object = isinstance(value, dict)
        self.problems: list[str] = []
        self.fatal = False

    def note(self, what: str, remedy: str = "") -> None:
        """Something odd that could be understood."""
        self.problems.append(f'Server "{visible(self.name)}": {what}.' + (f" {remedy}" if remedy else ""))

    def fail(self, what: str, remedy: str) -> None:
        """Something that keeps the server from being started."""
        self.fatal = True
        self.note(what, remedy)

    def entry(self) -> ServerEntry:
        if not self.name:
            self.fail("its name is empty", "Give it a name.")
        if not self.is_object:
            self.fail("it is not an object", 'Write {"command": "…", "args": […]} or {"url": "https://…"}.')
            return ServerEntry(self.name, origin=self.origin, problems=tuple(self.problems), fatal=True)
        command, args, inner_env = self.command()
        url = self.url()
        transport = self.transport(command, url)
        env = self.strings("env", inner_env if inner_env is not None else self.first(ENV_MEMBERS)[1])
        headers = self.strings("headers", self.value.get("headers"))
        entry = ServerEntry(
            name=self.name,
            transport=transport,
            command=command,
            args=args,
            env=env,
            cwd=self.text("cwd"),
            url=url,
            headers=headers,
            disabled=self.disabled(),
            timeout=self.timeout(),
            description=self.text("description"),
            protocol=self.protocol(),
            connect=self.connect(),
            reconnect=self.reconnect(),
            refresh_before_call=self.flag("refreshBeforeCall"),
            roots=told.roots(self.value.get("roots"), self.note),
            auth=self.auth(),
            route=route.read(self.value.get("tls"), self.value.get("proxy"), self.note),
            capabilities=told.members(self.value, "capabilities", self.note),
            meta=told.members(self.value, "meta", self.note) or {},
            trace=self.flag("trace"),
            log_level=told.log_level(self.text("logLevel"), self.note),
            origin=self.origin,
        )
        self.judge(entry)
        return replace(entry, problems=tuple(self.problems), fatal=self.fatal)

    def judge(self, entry: ServerEntry) -> None:
        """What the parts are worth together."""
        for fault in mapping_faults(entry.env, headers=False):
            self.fail(f'in "env", {fault}', "Correct it.")
        for fault in mapping_faults(entry.headers, headers=True):
            self.fail(f'in "headers", {fault}', "Correct it.")
        for word, text in (("command", entry.command), ("cwd", entry.cwd), *(("args", item) for item in entry.args)):
            if fault := text_fault(text):
                self.fail(f'"{word}" {fault}', "Correct it.")
        if re.match(r"[^\\/]+\s", entry.command) and not entry.args:
            remedy = 'If it is a command line, put what follows the first word into "args".'
            self.note('"command" holds blanks and is taken as one file name', remedy)
        for member, remedy in _UNUSED.items():
            if member in self.value:
                self.note(f'"{member}" is not used here', remedy)

    def first(self, members: tuple[str, ...]) -> tuple[str, Any]:
        """The first of several spellings that is there and not null."""
        member = next((member for member in members if self.value.get(member) is not None), "")
        return member, self.value.get(member) if member else None

    def text(self, member: str) -> str:
        value = self.value.get(member)
        if value is None:
            return ""
        if not is_text(value):
            self.note(f'"{member}" is not a text and is not used', "Put it in double quotes.")
            return ""
        return str(value)

    def command(self) -> tuple[str, tuple[str, ...], Any]:
        """Command, arguments, and an environment that stands inside of a command written as an object."""
        command, args, env = self.value.get("command"), self.value.get("args"), None
        if isinstance(command, dict):
            args, env = command.get("args", args), command.get("env")
            command = command.get("path")
        words = self.args(args)
        if isinstance(command, list):
            listed = self.args(command, "command")
            if listed:
                return listed[0], listed[1:] + words, env
            self.fail('"command" is an empty list', "Name the program to start.")
            return "", words, env
        if command is None:
            return "", words, env
        if not is_text(command):
            self.fail('"command" is not a text', 'Write the program as a text and its arguments as a list in "args".')
            return "", words, env
        if not command.strip():
            self.fail('"command" is empty', "Name the program to start.")
        return str(command), words, env

    def args(self, value: Any, member: str = "args") -> tuple[str, ...]:
        if value is None:
            return ()
        if is_text(value):
            try:
                words = split(value)
            except CommandLineError as error:
                self.fail(f'"{member}" is a text that cannot be split: {error}', _LIST)
                return ()
            self.note(f'"{member}" is a text and was split like a command line into {len(words)}', _LIST)
            return tuple(words)
        if not isinstance(value, list):
            self.fail(f'"{member}" is not a list', _LIST)
            return ()
        words = []
        for index, item in enumerate(value):
            text = number_text(item)
            if text is None and not is_text(item):
                self.fail(f"{member}[{index}] is {_kind(item)}", "An argument is a text.")
            else:
                words.append(str(item) if text is None else text)
        return tuple(words)

    def strings(self, member: str, value: Any) -> dict[str, str]:
        """An object of texts; numbers and booleans become their JSON text, null means not set."""
        if value is None:
            return {}
        if not isinstance(value, dict):
            self.fail(f'"{member}" is not an object', 'Write {"NAME": "value"}.')
            return {}
        found = {}
        for name, item in value.items():
            text = number_text(item)
            if item is None:
                continue
            if text is None and not is_text(item):
                self.fail(f'in "{member}", "{visible(name)}" is {_kind(item)}', "Its value has to be a text.")
            else:
                found[name] = str(item) if text is None else text
        return found

    def url(self) -> str:
        member, value = self.first(URL_MEMBERS)
        if not member:
            return ""
        if not is_text(value):
            self.fail(f'"{member}" is not a text', 'Write an address like "https://example.com/mcp".')
            return ""
        url = str(value).strip()
        if url != value:
            self.note(f'blanks around "{member}" were ignored')
        fault = url_fault(url) if "${" not in url else ""
        if fault:
            self.fail(f'"{member}" {fault}', "Write an address like https://example.com/mcp.")
        return url

    def transport(self, command: str, url: str) -> TransportChoice:
        member, value = self.first(TYPE_MEMBERS)
        if not member:
            if command and url:
                remedy = 'Take one away, or say which one counts with "type": "stdio" or "http".'
                self.fail('it has both "command" and a URL', remedy)
            elif not command and not url and not self.fatal:
                self.fail('it has neither "command" nor "url"', "Give it a command to start, or an address.")
            return "auto" if url and not command else "stdio"
        for other in TYPE_MEMBERS:
            said = self.value.get(other)
            if said is not None and is_text(said) and is_text(value) and _type_word(said) != _type_word(value):
                self.note(f'"{member}" and "{other}" disagree; "{member}" counts', "Take one away.")
        fallback: TransportChoice = "auto" if url and not command else "stdio"
        if not is_text(value):
            self.fail(f'"{member}" is not a text', "Use stdio, http, sse or auto.")
            return fallback
        word = _type_word(value)
        if word not in _TYPES:
            socket = word in ("ws", "wss", "websocket")
            why = "MCP has no WebSocket transport" if socket else "that is no known transport"
            self.fail(f'"{member}" is "{visible(value)}", and {why}', "Use stdio, http, sse or auto.")
            return fallback
        kind = _TYPES[word]
        if kind == "stdio" and not command and not self.fatal:
            self.fail(f'"{member}" is "{visible(value)}", but it has no "command"', "Name the program to start.")
        if kind != "stdio" and not url and not self.fatal:
            self.fail(f'"{member}" is "{visible(value)}", but it has no "url"', "Give it an address.")
        if command and url:
            unused = "url" if kind == "stdio" else "command"
            self.note(f'it has both a command and a URL; by its "{member}" the {unused} is not used')
        return kind

    def disabled(self) -> bool:
        off = self.truth("disabled")
        on = self.truth("enabled")
        if off is not None and on is not None and off == on:
            self.note('"disabled" and "enabled" contradict each other; it is treated as disabled', "Take one away.")
            return True
        return bool(off) or on is False

    def truth(self, member: str) -> bool | None:
        """A flag of which an unclear value must not start a server: then ``disabled`` is true and ``enabled`` false."""
        value = self.value.get(member)
        if value is None or isinstance(value, bool):
            return value
        word = str(value).strip().lower() if is_text(value) else ""
        if word in ("true", "false"):
            self.note(f'"{member}" is the text "{word}" and is taken as {word}', "Write it without quotes.")
            return word == "true"
        self.note(f'"{member}" is neither true nor false; the server is treated as disabled', "Write true or false.")
        return member == "disabled"

    def timeout(self) -> float | None:
        value = self.value.get("timeout")
        if value is None:
            return None
        match = _DURATION.match(str(value)) if is_text(value) else None
        text = None if isinstance(value, bool) else number_text(value)
        if text is None and match is None:
            self.note('"timeout" is no number of seconds; the default is used', _SECONDS)
            return None
        seconds = float(match.group(1) if match else str(text))
        unit = match.group(2) if match else None
        if match:
            seconds *= _UNITS[unit or "s"]
        shown = visible(str(value))
        if not math.isfinite(seconds) or seconds <= 0:
            self.note(f'"timeout" is {shown}, which is no time to wait; the default is used', _SECONDS)
            return None
        if seconds >= 1000 and not unit:
            seconds /= 1000
            self.note(f'"timeout" is {shown}, which is taken as milliseconds: {seconds:g} s')
        elif match:
            self.note(f'"timeout" is the text "{shown}" and is taken as {seconds:g} s', _SECONDS)
        return seconds

    def protocol(self) -> str:
        word = self.text("protocol").strip().lower() or "auto"
        if word in ("auto", "legacy", "modern") or _VERSION.match(word):
            return word
        remedy = "Write auto, legacy, modern or a version like 2025-06-18."
        self.note(f'"protocol" is "{visible(word)}"; auto is used', remedy)
        return "auto"

    def connect(self) -> Literal["start", "lazy"]:
        word = self.text("connect").strip().lower() or "start"
        if word in ("start", "lazy"):
            return cast('Literal["start", "lazy"]', word)
        self.note(f'"connect" is "{visible(word)}"; lazy is used', "Write start or lazy.")
        return "lazy"

    def reconnect(self) -> int:
        value = self.value.get("reconnect")
        if value is None:
            return 3
        if isinstance(value, bool):
            return 3 if value else 0
        text = number_text(value)
        if text is None or not re.fullmatch(r"-?[0-9]{1,9}", text):
            self.note('"reconnect" is no whole number; 3 is used', "Write 1 to 10, or 0 for off.")
            return 3
        count = min(max(int(text), 0), 10)
        if count != int(text):
            self.note(f'"reconnect" is {text}; {count} is used', "Write 1 to 10, or 0 for off.")
        return count

    def auth(self) -> AuthOptions:
        value = self.first(("auth", "oauth"))[1]
        return AuthOptions() if value is None else auth_options.read(value, self.note)

    def flag(self, member: str) -> bool:
        value = self.value.get(member)
        if value is None or isinstance(value, bool):
            return bool(value)
        self.note(f'"{member}" is neither true nor false; false is used', "Write true or false.")
        return False


def _type_word(value: str) -> str:
    return re.sub(r"[\s_-]", "", value).lower()


def _kind(value: Any) -> str:
    return {list: "a list", dict: "an object", type(None): "null"}.get(type(value), "no text")
