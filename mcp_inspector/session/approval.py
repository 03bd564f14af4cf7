"""Whether a tool call may be sent: its hints, the person's policy, and whether the tool is still the one approved.

Nothing here asks anybody: a face shows what `Gate.decide` says, and tells `Gate.approve` when the person agrees.
Hints come from the server and are no promise: what they say is shown, with what is only the specification's default.
"""

from __future__ import annotations

import difflib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from mcp_inspector.config import policy as policies
from mcp_inspector.config import safe_write
from mcp_inspector.config.policy import Policy, Rule, Sort
from mcp_inspector.session.catalogue import What
from mcp_inspector.session.outcome import LocalError
from mcp_inspector.transport.base import Fault, FaultKind
from mcp_inspector.wire import jsontext
from mcp_inspector.wire.jsontext import JsonError

if TYPE_CHECKING:
    from pathlib import Path

    from mcp_inspector.session.catalogue import Item
    from mcp_inspector.session.server import Server

_LARGEST = 16 * 1024 * 1024
_DIFF_LINES = 400
_SHOWN = 4000

HINTS = {"readOnlyHint": False, "destructiveHint": True, "idempotentHint": False, "openWorldHint": True}
"""The hints of a tool, with what the specification assumes where the server says nothing."""


@dataclass(frozen=True)
class Hint:
    """One hint: its value, and whether the server said it or it is the specification's default."""

    name: str
    value: bool
    said: bool

    @property
    def words(self) -> str:
        """For people: ``destructive (assumed)``."""
        word = {
            "readOnlyHint": ("may change things", "read-only"),
            "destructiveHint": ("destroys nothing", "may destroy"),
            "idempotentHint": ("each call counts", "repeating changes nothing more"),
            "openWorldHint": ("closed world", "reaches the outside"),
        }[self.name][self.value]
        return word if self.said else f"{word} (not said, assumed)"


@dataclass(frozen=True)
class Hints:
    """A tool's four hints."""

    hints: tuple[Hint, ...]

    def __getitem__(self, name: str) -> Hint:
        return next(hint for hint in self.hints if hint.name == name)

    @property
    def sort(self) -> Sort:
        """What the tool may do. Destructive says something only about a tool that is not read-only."""
        if self["readOnlyHint"].value:
            return Sort.READ_ONLY
        return Sort.DESTRUCTIVE if self["destructiveHint"].value else Sort.ADDITIVE

    @property
    def words(self) -> str:
        """Those that matter for whether to allow it."""
        first = self["readOnlyHint"]
        shown = [first] if first.value else [first, self["destructiveHint"]]
        return ", ".join(hint.words for hint in (*shown, self["openWorldHint"]))


def hints_of(item: Item | None) -> Hints:
    """The hints of a listed tool; a tool that is not listed has the specification's defaults."""
    annotations = item.value.get("annotations") if item is not None else None
    given = annotations if isinstance(annotations, dict) else {}
    return Hints(
        tuple(
            Hint(name, given[name] if isinstance(given.get(name), bool) else default, isinstance(given.get(name), bool))
            for name, default in HINTS.items()
        )
    )


@dataclass(frozen=True)
class Decision:
    """What happens with a call, and why. `diff` are the lines of what changed in the tool since it was approved."""

    rule: Rule
    why: str
    hints: Hints
    diff: tuple[str, ...] = ()


@dataclass(frozen=True)
class Foreseen:
    """One line of a dry run."""

    server: str
    tool: str
    decision: Decision


class Gate:
    """The policy of the person, and the tools they have approved as these were then.

    `policy_file` holds the rules; `approved_file` what each tool looked like when it was approved. Without files, both
    are kept in memory.
    """

    def __init__(self, policy_file: Path | None = None, approved_file: Path | None = None) -> None:
        self._policy_file, self._approved_file = policy_file, approved_file
        self.policy = policies.load(policy_file) if policy_file is not None else Policy()
        self.problem = ""
        self._approved: dict[str, dict[str, str]] = self._read()

    def reload(self) -> None:
        """Read the policy anew: it may have been edited."""
        if self._policy_file is not None:
            self.policy = policies.load(self._policy_file)

    def decide(self, server: str, tool: str, item: Item | None) -> Decision:
        """What happens with a call of this tool. `item` is the tool as it is listed now, None when it is not."""
        hints = hints_of(item)
        rule, where = self.policy.rule(server, tool)
        if rule is None:
            sort = hints.sort
            rule = self.policy.default[sort]
            what = {
                Sort.READ_ONLY: "says that it only reads",
                Sort.ADDITIVE: "says that it destroys nothing",
                Sort.DESTRUCTIVE: "may destroy"
                if hints["destructiveHint"].said
                else "does not say that it is harmless",
            }[sort]
            where = f"{tool} {what}" if item is not None else f"{server} lists no tool {tool}"
            why = f"{where}."
        else:
            why = f"By {where}: {rule}."
        diff = self.changed(server, tool, item)
        if diff and rule is Rule.ALLOW:
            rule = Rule.ASK
        if diff:
            why = f"{tool} is not the tool that was approved: {len([x for x in diff if x[:1] in '+-'])} lines differ."
        return Decision(rule, why, hints, diff)

    def changed(self, server: str, tool: str, item: Item | None) -> tuple[str, ...]:
        """How the tool differs from what was approved, as the lines of a diff; empty when it does not, or never was."""
        before = self._approved.get(server, {}).get(tool)
        if before is None or item is None:
            return ()
        now = _laid_out(item.raw)
        if now == before:
            return ()
        lines = difflib.unified_diff(before.splitlines(), now.splitlines(), "approved", "now", n=2, lineterm="")
        return tuple(list(lines)[2 : _DIFF_LINES + 2])

    def approve(self, server: str, item: Item, *, always: bool = False) -> None:
        """The person agreed to call this tool as it is now; `always` also writes a rule. Raises `EditRefused`."""
        self._approved.setdefault(server, {})[item.key] = _laid_out(item.raw)
        self._write()
        if always:
            self.put(server, item.key, Rule.ALLOW)

    def put(self, server: str, tool: str, rule: Rule | None) -> None:
        """Set a rule, None to leave it to the hints. Raises `EditRefused`."""
        if self._policy_file is not None:
            policies.put(self._policy_file, server, tool, rule)
            self.reload()
            return
        rules = {name: dict(tools) for name, tools in self.policy.rules.items()}
        if rule is not None:
            rules.setdefault(server, {})[tool] = rule
        else:
            rules.get(server, {}).pop(tool, None)
        self.policy = Policy(rules, self.policy.default)

    def dry_run(self, servers: tuple[Server, ...]) -> list[Foreseen]:
        """What would happen with every tool that these servers list; nothing is called."""
        return [
            Foreseen(server.name, item.key, self.decide(server.name, item.key, item))
            for server in servers
            for item in server.catalogue[What.TOOLS].items
            if item.key
        ]

    def _read(self) -> dict[str, dict[str, str]]:
        path = self._approved_file
        try:
            if path is None or path.stat().st_size > _LARGEST:
                return {}
            value = json.loads(path.read_text("utf-8"))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, RecursionError) as error:
            self.problem = f"What was approved before could not be read from {path}: {error}. Tools ask anew."
            return {}
        if not isinstance(value, dict):
            return {}
        return {
            server: {tool: text for tool, text in tools.items() if isinstance(text, str)}
            for server, tools in value.items()
            if isinstance(tools, dict)
        }

    def _write(self) -> None:
        if self._approved_file is None:
            return
        try:
            self._approved_file.parent.mkdir(parents=True, exist_ok=True)
            text = json.dumps(self._approved, ensure_ascii=True, indent=1)
            safe_write.replace(self._approved_file, text.encode())
        except OSError as error:
            self.problem = f"The approval could not be kept in {self._approved_file}: {error.strerror or error}."


def refuse(server: Server, tool: str, sentence: str, arguments: bytes = b"") -> LocalError:
    """Say no: a row in Traffic with what would have been sent, and the outcome. Nothing goes to the server."""
    shown = arguments[:_SHOWN].decode(errors="replace")
    seq = server.tell("denied", sentence, method="tools/call", target=tool, arguments=shown)
    hint = "Nothing was sent. Change the policy, or approve the call."
    return LocalError("tools/call", seq, fault=Fault(FaultKind.DENIED, sentence, hint))


def denial(tool: str, sentence: str) -> dict[str, Any]:
    """The structured result that stands for a denied call, for a model: a tool result that is an error."""
    return {
        "content": [{"type": "text", "text": f"The call of {tool} was not allowed: {sentence} It was not sent."}],
        "structuredContent": {"denied": True, "tool": tool, "reason": sentence},
        "isError": True,
    }


def shown_call(tool: str, arguments: bytes | None) -> str:
    """Exactly what will be sent, laid out for reading: the params of the request."""
    raw = arguments if arguments is not None else b"{}"
    params = msgspec.json.encode({"name": tool, "arguments": msgspec.Raw(raw)})
    try:
        return jsontext.pretty(params.decode(errors="replace"))
    except (JsonError, RecursionError):
        return params.decode(errors="replace")


def _laid_out(raw: bytes) -> str:
    """A definition with sorted members and one member a line, so that only what differs differs."""
    try:
        return json.dumps(msgspec.json.decode(raw), ensure_ascii=False, indent=2, sort_keys=True)
    except (msgspec.MsgspecError, RecursionError, ValueError):
        return raw.decode(errors="replace")
