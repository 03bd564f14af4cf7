"""Saved actions as quick actions: what one still has to be given, and running it so that its page shows the result."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcp_inspector.actions.collection import METHODS, Action, Collection, Kind
from mcp_inspector.actions.values import MissingValue, names_in, values_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mcp_inspector.session.outcome import Outcome
    from mcp_inspector.ui.desk import Desk
    from mcp_inspector.ui.models.acting import Acting
    from mcp_inspector.ui.models.runs import Run

ICONS = {"tool": "wrench", "prompt": "message-square-text", "resource": "file-text", "chain": "list-tree"}
PAGES = {Kind.TOOL: "tools", Kind.PROMPT: "prompts", Kind.RESOURCE: "resources"}


def missing_names(collection: Collection, action: Action) -> tuple[str, ...]:
    """The variables that neither the collection nor the action gives a value: they are asked for."""
    known = {*collection.variables, *action.variables}
    found: dict[str, None] = {}
    captured: set[str] = set()
    for step in (action, *action.steps):
        for name in names_in(step):
            if name not in known and name not in step.variables and name not in captured:
                found[name] = None
        captured |= set(step.captures)
    return tuple(found)


def start(desk: Desk, acting: Acting, collection: Collection, action: Action, given: Mapping[str, str]) -> Run | None:
    """Run an action that is no chain; its run is the newest of its tool, prompt or resource. None without its server.

    `given` are values as JSON text.
    """
    from mcp_inspector.ui.models.runs import Runs

    server = desk.inspector.find(action.server) if desk.inspector is not None else None
    if server is None:
        return None
    performer = acting.performer()
    values = values_of(collection, given={**action.variables, **given})
    try:
        target = values.fill_text(action.target)
        arguments = values.fill_json(action.arguments).encode("utf-8", "surrogatepass")
    except MissingValue:
        target, arguments = action.target, action.arguments.encode("utf-8", "surrogatepass")

    async def ask(run: Run) -> Outcome:
        secret = await acting.secrets([collection])
        full = values_of(collection, given={**action.variables, **given}, secret=secret)
        performed = await performer.perform(action, full, **Runs.hooks(run))
        return performed.outcome

    return desk.runs.start(server, METHODS[action.kind], target, arguments, ask)
