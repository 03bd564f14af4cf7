"""Tasks, as the core of 2025-11-25 and as the extension of 2026-07-28. Numbers 135 to 142 of the checklist."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mcp_inspector.checks.rule import ERROR, INFO, WARNING, Hit, rule, rules_in
from mcp_inspector.checks.state import Bounded
from mcp_inspector.checks.view import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcp_inspector.checks.view import View

_25N, _MODERN = "2025-11-25", "2026-07-28"
EXTENSION = "io.modelcontextprotocol/tasks"
_RELATED = "io.modelcontextprotocol/related-task"
_TERMINAL = ("completed", "failed", "cancelled")
_STATUS = ("working", "input_required", *_TERMINAL)
_OLD = {"ttl": "ttlMs", "pollInterval": "pollIntervalMs"}
_TOLD = (
    "result tasks/get",
    "result tasks/cancel",
    "notification notifications/tasks/status",
    "notification notifications/tasks",
)


@dataclass
class _Task:
    """A task as it stood when it was last told of."""

    status: Any
    seq: int
    interval: float = 0
    polled_ns: int = 0
    told: int = 0
    asked: frozenset[str] = frozenset()
    answered: frozenset[str] = frozenset()


class _Tasks:
    def __init__(self) -> None:
        self.by_id: Bounded[_Task] = Bounded()


def _told(view: View) -> dict[str, Any]:
    """The task that a message tells of, wherever it stands in it."""
    found = view.params if view.kind == "notification" else view.result
    inner = found.get("task")
    return inner if isinstance(inner, dict) else found


@rule("task-shape", 135, ERROR, "A task is whole.", "tasks", "result tools/call", *_TOLD, since=_25N, until=_25N)
def task_shape(view: View) -> Iterator[str]:
    if view.method == "tools/call" and "task" not in view.result:
        return
    task = _told(view)
    missing = [name for name in ("taskId", "status", "createdAt", "lastUpdatedAt", "ttl") if name not in task]
    if missing:
        yield f"The task has no {' and no '.join(missing)}."
    if "status" in task and task["status"] not in _STATUS:
        yield f"The task's status is {shown(task['status'])}."


@rule("task-begin", 135, ERROR, "A task begins as working.", "tasks", "result tools/call", since=_25N, until=_25N)
def task_begin(view: View) -> Iterator[str]:
    if isinstance(view.result.get("task"), dict) and _told(view).get("status") not in ("working", None):
        yield f"The new task's status is {shown(_told(view).get('status'))}."


@rule(
    "task-after-end",
    135,
    ERROR,
    "A task that has ended stays as it is.",
    "tasks",
    "result tools/call",
    *_TOLD,
    since=_25N,
)
def task_after_end(view: View) -> Iterator[str | Hit]:
    task = _told(view)
    ident, status = task.get("taskId"), task.get("status")
    if not isinstance(ident, str):
        return
    known = view.talk.of(_Tasks).by_id
    before = known.get(ident)
    interval = task.get("pollIntervalMs", task.get("pollInterval"))
    if before is None:
        before = known[ident] = _Task(status, view.seq)
    elif before.status in _TERMINAL and status != before.status:
        yield Hit(f"The task {shown(ident, 40)} is {status} after it was {before.status}.", (before.seq,))
    before.status, before.seq, before.told = status, view.seq, before.told + 1
    if isinstance(interval, int | float) and not isinstance(interval, bool):
        before.interval = interval


@rule(
    "task-ignored",
    136,
    ERROR,
    "A tool that must run as a task does.",
    "tasks",
    "result tools/call",
    since=_25N,
    until=_25N,
)
def task_ignored(view: View) -> Iterator[str]:
    asked = view.asked
    if asked is None:
        return
    execution = view.talk.tools.get(asked.target, {}).get("execution")
    support = execution.get("taskSupport") if isinstance(execution, dict) else None
    able = view.talk.has("tasks.requests.tools.call")
    if "task" in asked.params and "task" not in view.result and support == "required" and able:
        yield f"{shown(asked.target)} must run as a task and was asked to; the result is no task."
    if "task" not in asked.params and isinstance(view.result.get("task"), dict) and "content" not in view.result:
        yield "The result is a task, which was not asked for."


@rule(
    "task-code",
    136,
    WARNING,
    "Calling a tool the wrong way has its code.",
    "tasks",
    "error tools/call",
    since=_25N,
    until=_25N,
)
def task_code(view: View) -> Iterator[str]:
    asked = view.asked
    execution = view.talk.tools.get(asked.target, {}).get("execution") if asked is not None else None
    support = execution.get("taskSupport") if isinstance(execution, dict) else None
    if asked is None or support not in ("required", "forbidden"):
        return
    wrong = ("task" in asked.params) is (support == "forbidden")
    if wrong and view.code not in (-32601, -32600):
        yield f"The tool's taskSupport is {support}; breaking that was answered with {view.code}, not -32601."


@rule(
    "task-related",
    137,
    ERROR,
    "A task's result names its task.",
    "tasks",
    "result tasks/result",
    since=_25N,
    until=_25N,
)
def task_related(view: View) -> Iterator[str]:
    related = view.meta.get(_RELATED)
    wanted = view.asked.params.get("taskId") if view.asked is not None else None
    if not isinstance(related, dict):
        yield f"The result's _meta has no {_RELATED}."
    elif related.get("taskId") != wanted:
        yield f"The result is of task {shown(related.get('taskId'))}; {shown(wanted)} was asked for."


@rule(
    "task-failed",
    137,
    WARNING,
    "A task whose tool failed has failed.",
    "tasks",
    "result tasks/result",
    since=_25N,
    until=_25N,
)
def task_failed(view: View) -> Iterator[str | Hit]:
    ident = view.asked.params.get("taskId") if view.asked is not None else None
    task = view.talk.of(_Tasks).by_id.get(ident)
    if task is not None and view.result.get("isError") is True and task.status == "completed":
        yield Hit("The result has isError, and the task is completed.", (task.seq,))


@rule(
    "task-cancel",
    138,
    ERROR,
    "Cancelling a task ends it, once.",
    "tasks",
    "result tasks/cancel",
    since=_25N,
    until=_25N,
)
def task_cancel(view: View) -> Iterator[str]:
    ident = view.asked.params.get("taskId") if view.asked is not None else None
    task = view.talk.of(_Tasks).by_id.get(ident)
    if task is not None and task.status in _TERMINAL and task.seq != view.seq:
        yield f"The task was {task.status} already; cancelling it is answered with error -32602."
    elif view.result.get("status") != "cancelled":
        yield f"After the cancel the task's status is {shown(view.result.get('status'))}."


@rule("task-list", 138, ERROR, "Who lists tasks declares it.", "tasks", "result tasks/list", since=_25N, until=_25N)
def task_list(view: View) -> Iterator[str]:
    if not view.talk.has("tasks.list"):
        yield "tasks/list was answered; the server does not declare tasks.list."


@rule("task-undeclared", 139, ERROR, "Tasks are for clients that know them.", "ext-tasks", "result", since=_MODERN)
def task_undeclared(view: View) -> Iterator[str]:
    if view.result.get("resultType") != "task" or view.asked is None:
        return
    extensions = view.asked.caps.get("extensions")
    if not isinstance(extensions, dict) or EXTENSION not in extensions:
        yield "The result is a task; the request did not declare the extension."
    if view.method in ("tasks/get", "tasks/update", "tasks/cancel"):
        yield f"The result of {view.method} is complete, not a task."
    elif view.method != "tools/call":
        yield f"The result of {view.method} is a task; only tools/call may become one."
    server = view.talk.server_caps.get("extensions")
    if not isinstance(server, dict) or EXTENSION not in server:
        yield f"The result is a task; the server does not declare {EXTENSION}."


@rule(
    "task-flat",
    139,
    ERROR,
    "A task stands flat in its result.",
    "ext-tasks",
    "result tools/call",
    "result tasks/get",
    since=_MODERN,
)
def task_flat(view: View) -> Iterator[str]:
    result = view.result
    if view.method == "tools/call" and result.get("resultType") != "task":
        return
    if isinstance(result.get("task"), dict):
        yield "The task stands in a member task; its members belong to the result itself."
        return
    missing = [name for name in ("taskId", "status", "createdAt", "lastUpdatedAt", "ttlMs") if name not in result]
    old = [f"{name} instead of {new}" for name, new in _OLD.items() if name in result]
    if old:
        yield f"The task has {' and '.join(old)}."
    missing = [name for name in missing if not (name == "ttlMs" and "ttl" in result)]
    if missing:
        yield f"The task has no {' and no '.join(missing)}."


@rule(
    "task-gone",
    140,
    ERROR,
    "A task can be asked for as soon as it is there.",
    "ext-tasks",
    "error tasks/get",
    since=_MODERN,
)
def task_gone(view: View) -> Iterator[str | Hit]:
    ident = view.asked.params.get("taskId") if view.asked is not None else None
    task = view.talk.of(_Tasks).by_id.get(ident)
    if task is not None and task.told == 1 and view.code in (-32602, -32601):
        yield Hit(f"The task {shown(ident, 40)} was just created, and is not known.", (task.seq,))


@rule(
    "task-outcome",
    140,
    ERROR,
    "A task says what came of it.",
    "ext-tasks",
    "result tasks/get",
    "notification notifications/tasks",
    since=_MODERN,
)
def task_outcome(view: View) -> Iterator[str]:
    task = _told(view)
    needed = {"completed": "result", "failed": "error", "input_required": "inputRequests"}.get(str(task.get("status")))
    if needed is not None and needed not in task:
        yield f"The task is {task['status']} and has no {needed}."
    inner = task.get("result")
    if task.get("status") == "failed" and isinstance(inner, dict) and inner.get("isError") is True:
        yield "The task has failed with a result with isError; such a task is completed."


@rule(
    "task-key",
    141,
    ERROR,
    "A question of a task has a key of its own.",
    "ext-tasks",
    "result tasks/get",
    "notification notifications/tasks",
    since=_MODERN,
)
def task_key(view: View) -> Iterator[str | Hit]:
    told = _told(view)
    task = view.talk.of(_Tasks).by_id.get(told.get("taskId"))
    requests = told.get("inputRequests")
    if task is None or not isinstance(requests, dict) or told.get("status") != "input_required":
        return
    again = sorted(task.answered & set(requests))
    if again and not task.asked & set(requests):
        yield Hit(f"The key {shown(again[0])} was asked and answered before.", (task.seq,))
    task.asked = frozenset(requests)


@rule(
    "own-poll",
    141,
    WARNING,
    "We poll no faster than we are told to.",
    "ext-tasks",
    "sent request tasks/get",
    since=_25N,
    ours=True,
)
def own_poll(view: View) -> Iterator[str]:
    task = view.talk.of(_Tasks).by_id.get(view.params.get("taskId"))
    if task is None:
        return
    moment = view.entry.mono_ns
    waited = (moment - task.polled_ns) / 1e6
    if task.polled_ns and task.interval > 0 and waited < min(task.interval, 3_600_000) * 0.9:
        yield f"We asked again after {waited:.0f} ms; the server wants {task.interval:g} ms."
    task.polled_ns = moment


@rule(
    "task-answered",
    141,
    INFO,
    "What a task was told is followed.",
    "ext-tasks",
    "sent request tasks/update",
    since=_MODERN,
    ours=True,
)
def task_answered(view: View) -> Iterator[str]:
    """Keeps what we have answered; a key that was never asked is worth telling."""
    task = view.talk.of(_Tasks).by_id.get(view.params.get("taskId"))
    answers = view.params.get("inputResponses")
    if task is None or not isinstance(answers, dict):
        return
    odd = sorted(set(answers) - task.asked)
    if odd:
        yield f"We answer {shown(odd[0])}, which the task did not ask."
    task.answered, task.asked = task.answered | set(answers), task.asked - set(answers)


@rule(
    "task-ack",
    141,
    WARNING,
    "An update or cancel is only acknowledged.",
    "ext-tasks",
    "result tasks/update",
    "result tasks/cancel",
    since=_MODERN,
)
def task_ack(view: View) -> Iterator[str]:
    more = [name for name in view.result if name not in ("_meta", "resultType")]
    if more:
        yield f"The acknowledgement has {', '.join(more[:3])}."


@rule(
    "task-removed",
    142,
    ERROR,
    "tasks/result and tasks/list are gone.",
    "ext-tasks",
    "result tasks/result",
    "result tasks/list",
    since=_MODERN,
)
def task_removed(view: View) -> Iterator[str]:
    yield f"{view.method} was answered; the extension has no such method."


RULES = rules_in(globals())
