"""The names by which a model calls tools: `mcp__{server}__{tool}`, what can go wrong with them, and the way back.

The way back is a table of the names that were given out, never a guess. `first_split` is the guess that some agent
libraries make; `Routes.misread` tells for which tools it goes to the wrong place.
"""

from __future__ import annotations

import difflib
import hashlib
import re
from collections import defaultdict
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

PREFIX = "mcp"
SEPARATOR = "__"


class Provider(StrEnum):
    """Who runs the model."""

    OPENAI = "openai"
    ANTHROPIC = "anthropic"
    GEMINI = "gemini"


@dataclass(frozen=True)
class NameRule:
    """What a provider takes as the name of a function: `longest` in characters, `allowed` in words."""

    pattern: re.Pattern[str]
    longest: int
    allowed: str
    first: str = ""

    def wrong(self, name: str) -> str:
        """Why it refuses this name, a piece of a sentence; empty when it does not."""
        if not name:
            return "it is empty"
        if self.first and not re.match(self.first, name):
            return f"it begins with {name[0]!r} and not with a letter or an underscore"
        strange = sorted({char for char in name if not self.pattern.fullmatch(char)})
        if strange:
            shown = " ".join(ascii(char) if not char.isprintable() or char == " " else char for char in strange[:8])
            return f"it has {shown}; allowed are {self.allowed}"
        if len(name) > self.longest:
            return f"it is {len(name)} characters long, {len(name) - self.longest} too many"
        return ""


RULES: Mapping[Provider, NameRule] = {
    # platform.openai.com, reference of chat completions: tools.function.name
    Provider.OPENAI: NameRule(re.compile("[A-Za-z0-9_-]"), 64, "A-Z a-z 0-9 _ -"),
    # The messages API refuses with the pattern ^[a-zA-Z0-9_-]{1,128}$; until 2025 it was 64.
    Provider.ANTHROPIC: NameRule(re.compile("[A-Za-z0-9_-]"), 128, "A-Z a-z 0-9 _ -"),
    # FunctionDeclaration.name of the Gemini API; Vertex takes 128 since 2026, the Gemini API names 64.
    Provider.GEMINI: NameRule(re.compile("[A-Za-z0-9_.:-]"), 64, "A-Z a-z 0-9 _ . : -", "[A-Za-z_]"),
}


@dataclass(frozen=True)
class Scheme:
    """How names are made: prefix, separator, and whether characters that providers refuse are replaced (`fit`)."""

    prefix: str = PREFIX
    separator: str = SEPARATOR
    fit: bool = False

    def name(self, server: str, tool: str) -> str:
        """The name of one tool of a server, before any fitting."""
        return self.separator.join(part for part in (self.prefix, server, tool) if part)

    def first_split(self, name: str) -> tuple[str, str] | None:
        """What a naive host reads: prefix off, then the first separator parts server and tool; None without one."""
        rest = name
        if self.prefix:
            head = self.prefix + self.separator
            if not name.startswith(head):
                return None
            rest = name.removeprefix(head)
        server, found, tool = rest.partition(self.separator) if self.separator else (rest, "", "")
        return (server, tool) if found else None


@dataclass(frozen=True)
class Route:
    """One given name: the tool `tool` of `server` is `name` to the model. `plain` is the name before it was fitted."""

    server: str
    tool: str
    name: str
    plain: str

    @property
    def fitted(self) -> bool:
        """Whether the name had to be changed."""
        return self.name != self.plain


@dataclass(frozen=True)
class Trouble:
    """Something wrong with a name: `kind` is collision, ambiguous, or refused; the sentence says what and why."""

    route: Route
    kind: str
    sentence: str
    provider: Provider | None = None


class Routes:
    """The names of a set of tools, both ways. Two tools never share a name when the scheme fits names."""

    def __init__(
        self, tools: Iterable[tuple[str, str]], scheme: Scheme = Scheme(), provider: Provider | None = None
    ) -> None:
        self.scheme = scheme
        self.provider = provider
        self.routes: tuple[Route, ...] = tuple(self._given(tools))

    def _given(self, tools: Iterable[tuple[str, str]]) -> Iterable[Route]:
        pairs = list(dict.fromkeys(tools))
        if not self.scheme.fit:
            for server, tool in pairs:
                name = self.scheme.name(server, tool)
                yield Route(server, tool, name, name)
            return
        rules = [RULES[self.provider]] if self.provider is not None else list(RULES.values())
        plain = [self.scheme.name(server, tool) for server, tool in pairs]
        fitting = [_fitted(name, rules) for name in plain]
        wanted: dict[str, int] = defaultdict(int)
        for name in fitting:
            wanted[name] += 1
        longest = min(rule.longest for rule in rules)
        for (server, tool), before, name in zip(pairs, plain, fitting, strict=True):
            # All of those that collide get a mark made of the tool itself, so that a name never depends on the order.
            final = _marked(name, f"{server}\0{tool}", longest) if wanted[name] > 1 else name
            yield Route(server, tool, final, before)

    @cached_property
    def by_name(self) -> Mapping[str, tuple[Route, ...]]:
        """Who has a name: one, or several that collide."""
        found: dict[str, list[Route]] = defaultdict(list)
        for route in self.routes:
            found[route.name].append(route)
        return {name: tuple(routes) for name, routes in found.items()}

    @cached_property
    def by_tool(self) -> Mapping[tuple[str, str], Route]:
        """The given name of a tool, by server and tool."""
        return {(route.server, route.tool): route for route in self.routes}

    def find(self, name: str) -> tuple[Route, ...]:
        """The tools that this name means: none, one, or several that collide."""
        return self.by_name.get(name, ())

    def misread(self, route: Route) -> str:
        """Where a host goes that splits at the first separator, as ``server / tool``; empty when it is right."""
        read = self.scheme.first_split(route.name)
        if read == (route.server, route.tool):
            return ""
        return f"{read[0]} / {read[1]}" if read is not None else "nowhere"

    def nearest(self, name: str, count: int = 3) -> tuple[str, ...]:
        """Given names that look like this one, best first."""
        names = list(self.by_name)
        close = difflib.get_close_matches(name, names, count, 0.6) if len(names) <= 2000 else []
        if len(close) < count:
            tail = name.rsplit(self.scheme.separator, 1)[-1] if self.scheme.separator else name
            tools = {route.tool: route.name for route in self.routes}
            for tool in difflib.get_close_matches(tail, tools, count, 0.6):
                if tools[tool] not in close:
                    close.append(tools[tool])
        return tuple(close[:count])

    def troubles(self, *providers: Provider) -> tuple[Trouble, ...]:
        """All that is wrong with the names; `providers` are those whose rules count (none: all of them)."""
        found: list[Trouble] = []
        for route in self.routes:
            same = [other for other in self.by_name[route.name] if other is not route]
            if same:
                others = ", ".join(f"{each.tool} of {each.server}" for each in same[:3])
                words = f"{route.tool} of {route.server} and {others} have one name, {route.name}"
                remedy = "a call of it cannot be routed. Rename a server, or choose another separator."
                found.append(Trouble(route, "collision", f"{words}: {remedy}"))
            read = self.misread(route)
            if read:
                sign = self.scheme.separator or "separator"
                words = f"A host that splits {route.name} at the first {sign} goes to {read}"
                why = _why_misread(route, self.scheme)
                found.append(Trouble(route, "ambiguous", f"{words} and not to {route.tool} of {route.server}: {why}."))
            for provider in providers or tuple(Provider):
                wrong = RULES[provider].wrong(route.name)
                if wrong:
                    label = {"openai": "OpenAI", "anthropic": "Anthropic", "gemini": "Gemini"}[provider]
                    found.append(Trouble(route, "refused", f"{label} refuses {route.name}: {wrong}.", provider))
        return tuple(found)


def _why_misread(route: Route, scheme: Scheme) -> str:
    if route.fitted:
        return "the name was changed to fit the providers"
    if scheme.separator and scheme.separator in route.server:
        return f"the server's name has {scheme.separator} in it"
    if not scheme.separator:
        return "there is no separator"
    return f"{scheme.separator} is not where it is looked for"


def _fitted(name: str, rules: list[NameRule]) -> str:
    fit = "".join(char if all(rule.pattern.fullmatch(char) for rule in rules) else "_" for char in name) or "_"
    if any(rule.first and not re.match(rule.first, fit) for rule in rules):
        fit = "_" + fit
    longest = min(rule.longest for rule in rules)
    return fit if len(fit) <= longest else _marked(fit, name, longest)


def _marked(name: str, what: str, longest: int) -> str:
    """The name with a short mark made of `what`, within the length."""
    mark = hashlib.sha256(what.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{name[: longest - 9]}_{mark}"
