"""All rules, by id. One list of modules, each with its own rules: nothing registers itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcp_inspector.checks import (
    on_asking,
    on_auth,
    on_changes,
    on_connections,
    on_content,
    on_descriptions,
    on_elicitation,
    on_envelope,
    on_extensions,
    on_http,
    on_http_legacy,
    on_http_modern,
    on_lifecycle,
    on_lists,
    on_notices,
    on_results,
    on_schema,
    on_stdio,
    on_subscriptions,
    on_tasks,
    on_tools,
)

if TYPE_CHECKING:
    from mcp_inspector.checks.rule import Rule

GROUPS: dict[str, tuple[Rule, ...]] = {
    "Messages": on_envelope.RULES,
    "Lifecycle": on_lifecycle.RULES,
    "stdio": on_stdio.RULES,
    "HTTP": on_http.RULES,
    "HTTP with sessions": on_http_legacy.RULES,
    "Stateless HTTP": on_http_modern.RULES,
    "Results and caching": on_results.RULES,
    "Lists": on_lists.RULES,
    "Tools": on_tools.RULES,
    "Resources, prompts, completion": on_content.RULES,
    "Progress and logging": on_notices.RULES,
    "Subscriptions": on_subscriptions.RULES,
    "Changes": on_changes.RULES,
    "Connections compared": on_connections.RULES,
    "Questions of servers": on_asking.RULES,
    "Elicitation": on_elicitation.RULES,
    "Tasks": on_tasks.RULES,
    "Authorization": on_auth.RULES,
    "Extensions": on_extensions.RULES,
    "Advice on descriptions": on_descriptions.RULES,
    # Last: it says nothing of a message that another rule has faulted.
    "Wire types": on_schema.RULES,
}
"""The rules by subject, in the order of the checklist; a message is judged in this order."""

RULES: dict[str, Rule] = {rule.id: rule for rules in GROUPS.values() for rule in rules}
"""Every rule by its id."""

SUBJECTS: dict[str, str] = {rule.id: subject for subject, rules in GROUPS.items() for rule in rules}
"""The subject of every rule, for people."""
