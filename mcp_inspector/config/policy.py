"""The person's policy for tool calls: allow, ask or deny, by server and tool; kept in `policy.json`.

``{"servers": {"files": {"*": "ask", "delete": "deny"}, "*": {"stop": "deny"}}, "default": {"destructive": "ask"}}``.
The most particular rule counts: server and tool, then all tools of the server, then the tool on any server, then all.
Without a rule the tool's own hints decide, by `default`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from mcp_inspector.config import safe_write
from mcp_inspector.config.safe_write import EditRefused
from mcp_inspector.config.visible import visible

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

ANY = "*"


class Rule(StrEnum):
    """What happens with a call."""

    ALLOW = "allow"
    ASK = "ask"
    DENY = "deny"


class Sort(StrEnum):
    """What a tool may do, by its hints."""

    READ_ONLY = "readOnly"
    ADDITIVE = "additive"  # writes, and destroys nothing
    DESTRUCTIVE = "destructive"


DEFAULTS: Mapping[Sort, Rule] = {Sort.READ_ONLY: Rule.ALLOW, Sort.ADDITIVE: Rule.ALLOW, Sort.DESTRUCTIVE: Rule.ASK}


@dataclass(frozen=True)
class Policy:
    """The rules by server and tool, and what counts without one. `problems` are sentences about the file."""

    rules: Mapping[str, Mapping[str, Rule]] = field(default_factory=dict)
    default: Mapping[Sort, Rule] = field(default_factory=lambda: DEFAULTS)
    problems: tuple[str, ...] = ()

    def rule(self, server: str, tool: str) -> tuple[Rule | None, str]:
        """The rule for a tool and where it stands, in words; None and nothing when the hints decide."""
        for of_server, of_tool, words in (
            (server, tool, f"the rule for {tool} of {server}"),
            (server, ANY, f"the rule for all tools of {server}"),
            (ANY, tool, f"the rule for {tool} of any server"),
            (ANY, ANY, "the rule for all tools"),
        ):
            found = self.rules.get(of_server, {}).get(of_tool)
            if found is not None:
                return found, words
        return None, ""


def load(path: Path) -> Policy:
    """The policy in a file; none when there is no file. What is wrong in it asks instead of allowing. Never raises."""
    from mcp_inspector.config import jsonc

    try:
        value = jsonc.parse(jsonc.decode(path.read_bytes())).plain()
    except FileNotFoundError:
        return Policy()
    except (OSError, jsonc.JsoncError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        sentence = f"{path} cannot be read: {reason}. Every tool asks until it is mended."
        return Policy({ANY: {ANY: Rule.ASK}}, problems=(sentence,))
    problems: list[str] = []
    found = value if isinstance(value, dict) else {}
    if not isinstance(value, dict | None):
        problems.append(f"{path} is not an object. Every tool asks until it is mended.")
        return Policy({ANY: {ANY: Rule.ASK}}, problems=tuple(problems))
    rules = {
        str(server): {str(tool): _rule(rule, f'{path}: "{server}", "{tool}"', problems) for tool, rule in tools.items()}
        for server, tools in _object(found.get("servers")).items()
        if isinstance(tools, dict)
    }
    default = dict(DEFAULTS)
    for sort, rule in _object(found.get("default")).items():
        if sort in {*Sort}:
            default[Sort(sort)] = _rule(rule, f'{path}: default "{sort}"', problems)
        else:
            problems.append(f'{path}: there is no default for "{visible(str(sort))[:80]}"; there is {", ".join(Sort)}.')
    return Policy(rules, default, tuple(problems))


def put(path: Path, server: str, tool: str, rule: Rule | None) -> None:
    """Write one rule, None to take it out; all else in the file stays. Raises `EditRefused`."""
    from mcp_inspector.config import jsonc, jsonc_edit

    try:
        path.resolve().parent.mkdir(parents=True, exist_ok=True)
        with safe_write.lock(path):
            raw = path.read_bytes() if path.exists() else b""
            text = jsonc.decode(raw)
            if jsonc.parse(text).root is None:
                text = jsonc_edit.set_value(text, (), {})
            if rule is not None:
                for place in (("servers",), ("servers", server)):
                    if jsonc.parse(text).find(place) is None:
                        text = jsonc_edit.set_value(text, place, {})
                text = jsonc_edit.set_value(text, ("servers", server, tool), rule.value)
            elif jsonc.parse(text).find(("servers", server, tool)) is not None:
                text = jsonc_edit.remove(text, ("servers", server, tool))
            if text.encode() != raw:
                safe_write.replace(path, text.encode())
    except (OSError, jsonc.JsoncError, LookupError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise EditRefused(f"The policy was not saved in {path}: {reason}.") from error


def _rule(value: Any, where: str, problems: list[str]) -> Rule:
    try:
        return Rule(value)
    except ValueError:
        problems.append(f"{where}: {visible(str(value))[:80]} is not allow, ask or deny; it asks.")
        return Rule.ASK


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
