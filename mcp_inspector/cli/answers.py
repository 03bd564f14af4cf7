"""What the command line answers when a server asks: presets given by ``--answer``, and nothing else."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import msgspec

from mcp_inspector.cli.exits import UsageError
from mcp_inspector.config.visible import visible
from mcp_inspector.session.inbox import ELICITATION, ROOTS, SAMPLING, Preset

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mcp_inspector.session.inbox import Action

_LONGEST_WAIT = 86_400
_METHODS = {"elicitation": ELICITATION, "sampling": SAMPLING, "roots": ROOTS}
_CAPABILITIES: dict[str, dict[str, Any]] = {
    ELICITATION: {"elicitation": {"form": {}, "url": {}}},
    SAMPLING: {"sampling": {"tools": {}, "context": {}}},
    ROOTS: {"roots": {}},
}
_ACTIONS: dict[str, tuple[Action, ...]] = {
    "elicitation": ("accept", "decline", "cancel", "malformed", "refuse"),
    "sampling": ("malformed", "refuse"),
    "roots": ("malformed", "refuse"),
}
HELP = """\
answers to what a server asks, each --answer KIND=HOW:
  elicitation=accept             accept with the defaults of the form; of a page: consent, nothing is opened
  elicitation=accept:'{"n": 1}'  accept with these values
  elicitation=decline, =cancel
  KIND=wait:SECONDS:HOW          any of these, but later
  sampling=TEXT                  the reply of the model
  roots=URI,URI…                 the folders, as file: URIs
  KIND=result:JSON               the whole result, right or wrong
  KIND=malformed, KIND=refuse    something that breaks the rules; an error
What no --answer is given for is not declared as a capability, and refused."""


def presets(given: Sequence[str]) -> dict[str, Preset]:
    """The preset of each method. Raises `UsageError`."""
    found: dict[str, Preset] = {}
    for text in given:
        kind, sign, how = text.partition("=")
        method = _METHODS.get(kind.strip())
        if method is None or not sign:
            raise UsageError(f"--answer wants elicitation=…, sampling=… or roots=…, not {visible(text)!r}.")
        if method in found:
            raise UsageError(f"--answer {kind} is given twice.")
        found[method] = _preset(kind.strip(), how)
    return found


def capabilities(found: dict[str, Preset]) -> dict[str, Any]:
    """What is declared to a server: only what can be answered."""
    declared: dict[str, Any] = {}
    for method in found:
        declared |= _CAPABILITIES[method]
    asked: dict[str, Any] = {
        kind: {name: {}}
        for method, kind, name in ((SAMPLING, "sampling", "createMessage"), (ELICITATION, "elicitation", "create"))
        if method in found
    }
    return declared | ({"tasks": {"list": {}, "cancel": {}, "requests": asked}} if asked else {})


def narrowed(chosen: Mapping[str, Any], declared: Mapping[str, Any]) -> dict[str, Any]:
    """The capabilities that an entry chooses, without the questions that nothing is `declared` to answer."""
    asking = {"sampling", "elicitation", "roots", "tasks"} - set(declared)
    return {name: value for name, value in chosen.items() if name not in asking}


def _preset(kind: str, how: str) -> Preset:
    word, sign, rest = how.partition(":")
    if word == "wait" and sign:
        seconds, _, then = rest.partition(":")
        return replace(_preset(kind, then), delay=_seconds(kind, seconds))
    if word == "result" and sign:
        return Preset("result", _json(kind, rest))
    if kind == "elicitation" and word == "accept" and sign:
        return Preset("accept", _json(kind, rest))
    for action in _ACTIONS[kind]:
        if how == action:
            return Preset(action)
    if kind == "sampling" and how:
        content = {"type": "text", "text": how}
        reply = {"role": "assistant", "content": content, "model": "command line", "stopReason": "endTurn"}
        return Preset("result", msgspec.json.encode(reply))
    if kind == "roots" and all(uri.strip() for uri in how.split(",")):
        return Preset("result", msgspec.json.encode({"roots": [{"uri": uri.strip()} for uri in how.split(",")]}))
    raise UsageError(f"--answer {visible(kind)}={visible(how)!r} is not understood. See --help.")


def _seconds(kind: str, text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1
    if not 0 <= seconds <= _LONGEST_WAIT:
        raise UsageError(f"--answer {visible(kind)}=wait:{visible(text)[:80]!r}: that is no number of seconds.")
    return seconds


def _json(kind: str, text: str) -> bytes:
    try:
        return bytes(msgspec.json.format(text.encode(), indent=-1))
    except (msgspec.MsgspecError, UnicodeEncodeError, RecursionError) as error:
        raise UsageError(f"--answer {kind}: {visible(text)[:80]!r} is not JSON: {error}.") from None
