"""Which tools a model gets: include and exclude by name, pattern, or what a tool says of itself.

A rule is one word: a name or glob against the tool's own name (``read_*``), its routed name (``mcp__git__*``), or
``server/tool`` (``git/*``); or an annotation, ``@readOnly``, ``@destructive``, ``@idempotent``, ``@openWorld``, with
``!`` for its opposite (``@!destructive``). A tool that says nothing has the specification's defaults.
"""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mcp_inspector.agent.tools import AgentTool

HINTS: Mapping[str, tuple[str, bool]] = {
    "readOnly": ("readOnlyHint", False),
    "destructive": ("destructiveHint", True),
    "idempotent": ("idempotentHint", False),
    "openWorld": ("openWorldHint", True),
}
"""The word of a rule → the annotation and what it is when the tool does not say (specification, ToolAnnotations)."""


@dataclass(frozen=True)
class Verdict:
    """Whether a tool is offered, and by which rule (empty: by none)."""

    offered: bool
    rule: str = ""

    @property
    def why(self) -> str:
        """In words."""
        if self.offered:
            return f"included by {self.rule}" if self.rule else "nothing excludes it"
        return f"excluded by {self.rule}" if self.rule else "no rule includes it"


@dataclass(frozen=True)
class Choice:
    """Rules in two lists. With any include rule, only what one of them matches is offered; exclude wins."""

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()

    def judge(self, tool: AgentTool) -> Verdict:
        """Whether this tool is offered, and why."""
        for rule in self.exclude:
            if matches(rule, tool):
                return Verdict(False, rule)
        if not self.include:
            return Verdict(True)
        for rule in self.include:
            if matches(rule, tool):
                return Verdict(True, rule)
        return Verdict(False)

    def problems(self) -> tuple[str, ...]:
        """Sentences about rules that can match nothing."""
        return tuple(wrong for rule in (*self.include, *self.exclude) if (wrong := _problem(rule)))


def hint(annotations: Any, word: str) -> bool:
    """What a tool's annotations say of itself, with the default where they do not. Raises `KeyError`: no such word.

    A read-only tool destroys nothing, whatever the default of the other hint is.
    """
    member, default = HINTS[word]
    said = annotations.get(member) if isinstance(annotations, dict) else None
    if isinstance(said, bool):
        return said
    if word == "destructive" and hint(annotations, "readOnly"):
        return False
    return default


def matches(rule: str, tool: AgentTool) -> bool:
    """Whether one rule is about this tool."""
    if rule.startswith("@"):
        word = rule[1:].removeprefix("!")
        return word in HINTS and hint(tool.item.value.get("annotations"), word) is not rule.startswith("@!")
    return any(fnmatchcase(text, rule) for text in (tool.tool, tool.name, f"{tool.server}/{tool.tool}"))


def _problem(rule: str) -> str:
    if rule.startswith("@") and rule[1:].removeprefix("!") not in HINTS:
        known = ", ".join(f"@{word}" for word in HINTS)
        return f"{rule} is no annotation. Known are {known}, each with ! for its opposite."
    return "" if rule.strip() else "An empty rule matches nothing."
