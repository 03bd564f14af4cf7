"""All rules, by id. One list of modules, each with its own rules: nothing registers itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcp_inspector.checks import on_envelope, on_lifecycle

if TYPE_CHECKING:
    from mcp_inspector.checks.rule import Rule

GROUPS = {
    "Messages": on_envelope.RULES,
    "Lifecycle": on_lifecycle.RULES,
}
"""The rules by subject, in the order of the checklist."""

RULES: dict[str, Rule] = {rule.id: rule for rules in GROUPS.values() for rule in rules}
"""Every rule by its id."""

SUBJECTS: dict[str, str] = {rule.id: subject for subject, rules in GROUPS.items() for rule in rules}
"""The subject of every rule, for people."""
