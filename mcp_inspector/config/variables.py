"""Variables of an entry, filled in when it is connected; and what would run exactly, to be shown before it does.

Understood are ``${NAME}``, ``${env:NAME}`` and ``${NAME:-default}`` (also with ``env:``; the default counts when the
variable is missing or empty) in command, args, values of env, cwd, url, values of headers, auth, tls and proxy, and a
leading ``~`` or ``~/`` in command, args, values of env and cwd. Values come from the environment of this program and
are not expanded again. ``${secret:NAME}`` and ``${input:NAME}`` come from the vault: see `with_kept`. Anything else
stays as it is: ``$NAME``, ``$$``, ``${1}``.
"""

from __future__ import annotations

import os
import re
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING

from mcp_inspector.config.checks import mapping_faults, text_fault, url_fault
from mcp_inspector.config.visible import visible

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from mcp_inspector.config.entry import ServerEntry

_VARIABLE = re.compile(r"\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}")
_KEPT = re.compile(r"\$\{(secret|input):([A-Za-z0-9_./-]{1,100})\}")
_FOREIGN = re.compile(r"\$\{([A-Za-z]+:[^}]*)\}")
_BLANKS = re.compile(r" {8,}")

DANGEROUS_ENV: Mapping[str, str] = {
    "NODE_OPTIONS": "can make node load other code first",
    "NODE_PATH": "changes which modules node loads",
    "NODE_TLS_REJECT_UNAUTHORIZED": "can switch off the check of certificates",
    "PYTHONSTARTUP": "can make Python run another file first",
    "PYTHONPATH": "changes which modules Python loads",
    "PYTHONHOME": "changes which standard library Python loads",
    "PYTHONINSPECT": "can give an interactive Python",
    "PERL5OPT": "can make Perl load other code first",
    "PERL5LIB": "changes which modules Perl loads",
    "RUBYOPT": "can make Ruby load other code first",
    "RUBYLIB": "changes which modules Ruby loads",
    "JAVA_TOOL_OPTIONS": "can make Java load other code first",
    "_JAVA_OPTIONS": "can make Java load other code first",
    "JDK_JAVA_OPTIONS": "can make Java load other code first",
    "DOTNET_STARTUP_HOOKS": "makes .NET load other code first",
    "LD_PRELOAD": "loads other code into every program",
    "LD_AUDIT": "loads other code into every program",
    "LD_LIBRARY_PATH": "changes which libraries are loaded",
    "BASH_ENV": "makes bash run another file first",
    "ENV": "makes sh run another file first",
    "PROMPT_COMMAND": "makes bash run a command",
    "IFS": "changes how a shell splits words",
    "SHELL": "changes which shell is started",
    "COMSPEC": "changes which command processor is started",
    "PATH": "changes which programs are found",
    "PATHEXT": "changes which files count as programs",
    "GIT_SSH_COMMAND": "makes git run another command",
    "GIT_EXTERNAL_DIFF": "makes git run another command",
    "HTTP_PROXY": "sends the traffic through another computer",
    "HTTPS_PROXY": "sends the traffic through another computer",
    "ALL_PROXY": "sends the traffic through another computer",
    "NPM_CONFIG_REGISTRY": "fetches packages from elsewhere",
    "UV_INDEX_URL": "fetches packages from elsewhere",
    "UV_DEFAULT_INDEX": "fetches packages from elsewhere",
    "PIP_INDEX_URL": "fetches packages from elsewhere",
    "PIP_EXTRA_INDEX_URL": "fetches packages from elsewhere",
}
"""Environment variables that change what runs although the command line looks harmless, and how. Names in capitals."""


@dataclass(frozen=True)
class Expanded:
    """An entry with its variables filled in. With `problems` it must not be connected; they are sentences."""

    entry: ServerEntry
    problems: tuple[str, ...] = ()


@dataclass(frozen=True)
class Effective:
    """Exactly what would be started or connected to, with nothing left out.

    `argv`, `cwd`, `env`, `url` and `headers` are the true values, `env` only what is set on top of the inherited
    environment. `dangers` and `problems` are sentences. `digest` names this very command: an approval is for it alone.
    """

    argv: tuple[str, ...]
    cwd: str
    env: Mapping[str, str]
    url: str
    headers: Mapping[str, str]
    dangers: tuple[str, ...]
    problems: tuple[str, ...]
    way: tuple[str, ...] = ()
    """How it is reached, where that is not as usual: roots, client certificate, proxy."""

    @property
    def digest(self) -> str:
        """A SHA-256 over all that decides what happens, as hexadecimal text."""
        import hashlib
        import json

        parts = [
            self.argv,
            self.cwd,
            sorted(self.env.items()),
            self.url,
            sorted(self.headers.items()),
            self.way,
            self.dangers,
        ]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()

    def lines(self) -> list[str]:
        """The whole for people, one argument a line, nothing cut, hidden characters as escapes, long blanks counted."""
        shown = [
            f"{'command' if index == 0 else f'argument {index}'}: {_shown(word)}"
            for index, word in enumerate(self.argv)
        ]
        if self.url:
            shown.append(f"URL: {_shown(self.url)}")
        if self.cwd:
            shown.append(f"folder: {_shown(self.cwd)}")
        shown += [f"environment: {_shown(name)}={_shown(value)}" for name, value in self.env.items()]
        shown += [f"header: {_shown(name)}: {_shown(value)}" for name, value in self.headers.items()]
        shown += [f"by: {_shown(words)}" for words in self.way]
        return shown


def expand(
    entry: ServerEntry,
    environ: Mapping[str, str] | None = None,
    home: str | None = None,
    *,
    kept_later: bool = False,
) -> Expanded:
    """Fill in the variables. `environ` and `home` default to those of this program.

    A value of the vault that is still only named is a problem, unless it comes later (`kept_later`).
    """
    filler = _Filler(entry.name, os.environ if environ is None else environ, home, kept_later)
    full = replace(
        entry,
        command=filler.fill(entry.command, "command", tilde=True),
        args=tuple(filler.fill(word, f"args[{index}]", tilde=True) for index, word in enumerate(entry.args)),
        env={name: filler.fill(value, f"env.{name}", tilde=True) for name, value in entry.env.items()},
        cwd=filler.fill(entry.cwd, "cwd", tilde=True),
        url=filler.fill(entry.url, "url"),
        headers={name: filler.fill(value, f"headers.{name}") for name, value in entry.headers.items()},
        auth=entry.auth.filled(filler.fill),
        route=entry.route.filled(filler.fill),
    )
    if not filler.problems:
        filler.check(full)
    return Expanded(full, tuple(filler.problems))


def item_of(kind: str, name: str) -> str:
    """What a kept value is called in the vault: a secret by its bare name, as in collections, an input by its kind."""
    return name if kind == "secret" else f"{kind}:{name}"


def names_kept(entry: ServerEntry) -> bool:
    """Whether an entry names values of the vault."""
    return _KEPT.search(repr(asdict(entry))) is not None


def kept_names(entry: ServerEntry) -> tuple[str, ...]:
    """What an entry takes from the vault, each once, by the names there: see `item_of`."""
    found: list[str] = []

    def note(item: str) -> str:
        found.append(item)
        return ""

    with_kept(entry, note)
    return tuple(dict.fromkeys(found))


def with_kept(entry: ServerEntry, get: Callable[[str], str]) -> ServerEntry:
    """The entry with the values of the vault in it; `get` gives one by its name there, and may take its time.

    What is not kept stays as it is, and `expand` says so.
    """

    def fill(text: str, _field: str = "") -> str:
        return _KEPT.sub(lambda match: get(item_of(match[1], match[2])) or match[0], text)

    return replace(
        entry,
        args=tuple(map(fill, entry.args)),
        env={name: fill(value) for name, value in entry.env.items()},
        url=fill(entry.url),
        headers={name: fill(value) for name, value in entry.headers.items()},
        auth=entry.auth.filled(fill),
        route=entry.route.filled(fill),
    )


def effective(entry: ServerEntry, environ: Mapping[str, str] | None = None, home: str | None = None) -> Effective:
    """What connecting to this entry would do. The parts that its transport does not use are left out.

    Values of the vault are not looked up: their references are shown, and are no problem here.
    """
    expanded = expand(entry, environ, home, kept_later=True)
    full = expanded.entry
    problems = tuple(dict.fromkeys((*(entry.problems if entry.fatal else ()), *expanded.problems)))
    if full.remote:
        route = full.route
        dangers = tuple(f"TLS: {words}." for words in route.words) if route.pin else ()
        way = (*route.words, *([f"proxy {route.proxy}"] if route.proxy else []))
        return Effective((), "", {}, full.url, full.headers, dangers, problems, way)
    dangers = tuple(
        f'The variable "{visible(name)}" {why}. Be sure that you trust its value.'
        for name in full.env
        if (why := _danger(name))
    )
    return Effective((full.command, *full.args), full.cwd, full.env, "", {}, dangers, problems)


class _Filler:
    def __init__(self, name: str, environ: Mapping[str, str], home: str | None, kept_later: bool) -> None:
        self.name, self.environ, self.home, self.kept_later = name, environ, home, kept_later
        self.problems: list[str] = []

    def fill(self, text: str, field: str, *, tilde: bool = False) -> str:
        def value(match: re.Match[str]) -> str:
            found = self.environ.get(match[1])
            if match[2] is not None:
                return found or match[2]
            if found is None:
                self.say(
                    f'"{visible(field)}" needs the environment variable {match[1]}, which is not set',
                    f"Set it before the program starts, or write ${{{match[1]}:-default}}.",
                )
                return match[0]
            return found

        for foreign in _FOREIGN.finditer(text):
            if (kept := _KEPT.fullmatch(foreign[0])) is not None:
                if self.kept_later and not (field == "command" or field == "cwd"):
                    continue  # those two are never filled from the vault
                self.say(
                    f'"{visible(field)}" needs {foreign[0]}, which is not kept here',
                    f"Give it in the window, or once for all: mcp-inspector secret {kept[0][2:-1]}.",
                )
            elif not _VARIABLE.fullmatch(foreign[0]):
                self.say(
                    f'"{visible(field)}" holds {visible(foreign[0])}, which only the program that wrote it can fill in',
                    "Write the value itself, or ${NAME} for an environment variable.",
                )
        filled = _VARIABLE.sub(value, text)
        if tilde and (text == "~" or text.startswith(("~/", "~\\"))):
            return (self.home or os.path.expanduser("~")) + filled[1:]
        return filled

    def say(self, what: str, remedy: str) -> None:
        sentence = f'Server "{visible(self.name)}": {what}. {remedy}'
        if sentence not in self.problems:
            self.problems.append(sentence)

    def check(self, full: ServerEntry) -> None:
        """A value of a variable can hold what the file did not."""
        if full.remote:
            if fault := url_fault(full.url):
                self.say(f'"url" with its variables filled in {fault}', "Correct it.")
            faults = mapping_faults(full.headers, headers=True)
        else:
            if not full.command.strip():
                self.say('"command" with its variables filled in is empty', "Name the program to start.")
            faults = [fault for word in (full.command, *full.args, full.cwd) if (fault := text_fault(word))]
            faults += mapping_faults(full.env, headers=False)
        for fault in faults:
            self.say(f"with its variables filled in, {fault}", "Correct it.")


def _danger(name: str) -> str:
    capitals = name.upper()
    if capitals.startswith("DYLD_"):
        return "changes which code is loaded into every program"
    return DANGEROUS_ENV.get(capitals, "")


def _shown(text: str) -> str:
    return _BLANKS.sub(lambda match: f"[{len(match[0])} blanks]", visible(text))
