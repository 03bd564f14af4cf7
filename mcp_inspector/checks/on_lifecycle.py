"""Version, handshake, capabilities and identity. Numbers 18 to 38 of the checklist, less those that need probes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from mcp_inspector.checks import methods
from mcp_inspector.checks.rule import ALL, ERROR, INFO, WARNING, Hit, rule, rules_in
from mcp_inspector.checks.state import declares
from mcp_inspector.checks.view import META, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcp_inspector.checks.view import View

_MODERN = "2026-07-28"
_SERVER_INFO = f"{META}serverInfo"
_EXTENSION = re.compile(
    r"[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*/[A-Za-z0-9._-]+"
)
_REMOVED = ("ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe", "initialize")


class _Identity:
    """What a server said of itself last."""

    def __init__(self) -> None:
        self.info: Any = None
        self.seq = 0


@rule(
    "discover-missing",
    18,
    ERROR,
    "A server of 2026-07-28 has server/discover.",
    "discover",
    "error server/discover",
    since=_MODERN,
)
def discover_missing(view: View) -> Iterator[str]:
    if view.code == -32601:
        yield "The server does not know server/discover, which every server of this version must have."


@rule(
    "discover-result",
    19,
    ERROR,
    "A discovery names versions and capabilities.",
    "discover",
    "result server/discover",
    since=_MODERN,
)
def discover_result(view: View) -> Iterator[str]:
    versions = view.result.get("supportedVersions")
    if not isinstance(versions, list):
        yield "The DiscoverResult has no list supportedVersions."
    elif not versions:
        yield "The DiscoverResult lists no version."
    elif not all(isinstance(version, str) for version in versions):
        yield f"supportedVersions holds what is no text: {shown(versions)}."
    if not isinstance(view.result.get("capabilities"), dict):
        yield "The DiscoverResult has no object capabilities."


@rule(
    "server-info", 20, WARNING, "A result names its server in _meta.", "meta", "result server/discover", since=_MODERN
)
def server_info(view: View) -> Iterator[str]:
    if "serverInfo" in view.result:
        yield "serverInfo stands at the top of the result, where drafts had it; it belongs into _meta."
    elif not isinstance(view.meta.get(_SERVER_INFO), dict):
        yield f"The result's _meta has no {_SERVER_INFO}."


@rule(
    "version-error",
    22,
    ERROR,
    "An unsupported version is refused with what is supported.",
    "versioning",
    "error",
    since=_MODERN,
)
def version_error(view: View) -> Iterator[str]:
    if view.code != -32022 or view.asked is None:
        return
    data = view.error.get("data")
    data = data if isinstance(data, dict) else {}
    supported, requested = data.get("supported"), data.get("requested")
    if not isinstance(supported, list):
        yield "The error's data has no list supported."
    elif view.asked.version in supported:
        yield f"The error refuses version {view.asked.version} and lists it as supported."
    if requested != view.asked.version:
        yield f"The error's data says that {shown(requested)} was requested; it was {view.asked.version}."


@rule(
    "initialize-result",
    25,
    ERROR,
    "An InitializeResult is whole.",
    "lifecycle",
    "result initialize",
    until="2025-11-25",
    any=True,
)
def initialize_result(view: View) -> Iterator[str]:
    result = view.result
    if not isinstance(result.get("protocolVersion"), str):
        yield "The InitializeResult has no text protocolVersion."
    if not isinstance(result.get("capabilities"), dict):
        yield "The InitializeResult has no object capabilities."
    info = result.get("serverInfo")
    if not isinstance(info, dict):
        yield "The InitializeResult has no object serverInfo."
        return
    for name in ("name", "version"):
        if not isinstance(info.get(name), str):
            yield f"serverInfo has no text {name}."


@rule("version-unknown", 26, ERROR, "The agreed version exists.", "lifecycle", "result initialize", any=True)
def version_unknown(view: View) -> Iterator[str]:
    version = view.result.get("protocolVersion")
    if isinstance(version, str) and version not in ALL:
        yield f"The server answers with version {shown(version)}, which is none."
    elif version == _MODERN:
        yield "The server answers initialize with 2026-07-28, which has no initialize."


@rule(
    "too-early",
    27,
    WARNING,
    "Before initialized a server sends nothing but ping and logs.",
    "lifecycle",
    "request",
    "notification",
    until="2025-11-25",
    any=True,
)
def too_early(view: View) -> Iterator[str]:
    talk = view.talk
    starting = talk.version or any(asked.method == "initialize" for asked in talk.waiting)
    if talk.initialized or talk.modern or not starting:
        return
    if view.entry.method not in ("ping", "notifications/message"):
        yield f"{view.entry.method} came before we had sent notifications/initialized."


@rule(
    "method-unknown-here", 31, ERROR, "A server sends only what its version has.", "schema", "request", "notification"
)
def method_unknown_here(view: View) -> Iterator[str]:
    method, version = view.entry.method, view.version
    if view.kind == "request" and view.modern:
        return  # no request at all: a rule of its own
    table = methods.SERVER_REQUESTS if view.kind == "request" else methods.SERVER_NOTIFICATIONS
    known = table.get(method)
    if known is None:
        if method in methods.CLIENT_REQUESTS or method in methods.CLIENT_NOTIFICATIONS:
            yield f"{method} is for clients to send."
        elif not _extended(view):
            yield f"{method} exists in no version."
    elif version in ALL and version not in known:
        yield f"{method} does not exist in {version}; it does in {', '.join(known)}."


@rule(
    "removed-answered",
    31,
    INFO,
    "What a version has removed is not answered.",
    "versioning",
    *(f"result {name}" for name in _REMOVED),
    since=_MODERN,
)
def removed_answered(view: View) -> Iterator[str]:
    yield f"The server answers {view.method}, which {view.version} does not have."


@rule(
    "own-method",
    31,
    ERROR,
    "We send only what the version has.",
    "schema",
    "sent request",
    "sent notification",
    ours=True,
)
def own_method(view: View) -> Iterator[str]:
    table = methods.CLIENT_REQUESTS if view.kind == "request" else methods.CLIENT_NOTIFICATIONS
    known = table.get(view.entry.method)
    if known is not None and view.version in ALL and view.version not in known:
        yield f"{view.entry.method} was sent, which {view.version} does not have."


@rule("server-request", 32, ERROR, "A server of 2026-07-28 sends no requests.", "mrtr", "request", since=_MODERN)
def server_request(view: View) -> Iterator[str]:
    yield f"The server sent the request {view.entry.method}; this version asks by a result of type input_required."


@rule("capability-undeclared", 33, ERROR, "A server uses only what it declares.", "lifecycle", "result", "notification")
def capability_undeclared(view: View) -> Iterator[str]:
    method = view.method
    needed = methods.SERVER_CAPABILITY.get(method)
    if needed is None or view.talk.has(needed) or not view.talk.version:
        return
    if needed == "completions" and view.version < "2025-03-26":
        return
    if needed == "logging" or needed == "resources.subscribe":
        return  # rules of their own
    what = "announces" if view.kind == "notification" else "answers"
    yield f'The server {what} {method}, and does not declare the capability "{needed}".'


@rule(
    "capability-empty",
    34,
    WARNING,
    "What is declared can be listed.",
    "lifecycle",
    *(f"error {name}" for name in methods.LISTS),
)
def capability_empty(view: View) -> Iterator[str]:
    needed = methods.SERVER_CAPABILITY[view.method]
    if view.code == -32601 and view.talk.has(needed) and view.method != "resources/templates/list":
        yield f'The server declares "{needed}", and does not know {view.method}.'


@rule("client-capability", 35, ERROR, "A server asks only for what we declared.", "lifecycle", "request")
def client_capability(view: View) -> Iterator[str]:
    method = view.entry.method
    missing = undeclared(method, view.params, view.talk.client_caps, view.version)
    if missing:
        yield f'{method} needs the capability "{missing}", which we did not declare.'


@rule(
    "client-capability-embedded", 35, ERROR, "A server asks only for what we declared.", "mrtr", "result", since=_MODERN
)
def client_capability_embedded(view: View) -> Iterator[str]:
    for key, inner in input_requests(view.result):
        params = inner.get("params")
        method = str(inner.get("method"))
        caps = view.asked.caps if view.asked is not None else view.talk.client_caps
        missing = undeclared(method, params if isinstance(params, dict) else {}, caps, view.version)
        if missing:
            yield f'Its question {shown(key)} ({method}) needs the capability "{missing}", which we did not declare.'


@rule(
    "capability-error", 36, ERROR, "A missing capability is really missing, and named.", "codes", "error", since=_MODERN
)
def capability_error(view: View) -> Iterator[str]:
    if view.code != -32021 or view.asked is None:
        return
    data = view.error.get("data")
    needed = data.get("requiredCapabilities") if isinstance(data, dict) else None
    if not isinstance(needed, dict):
        yield "The error's data has no object requiredCapabilities."
        return
    if needed and all(declares(view.asked.caps, name) for name in _dotted(needed)):
        yield f"The error wants {', '.join(_dotted(needed))}, which the request declared."


@rule(
    "extension-prefix",
    37,
    ERROR,
    "The name of an extension has a prefix.",
    "extensions",
    "result initialize",
    "result server/discover",
)
def extension_prefix(view: View) -> Iterator[str]:
    caps = view.result.get("capabilities")
    extensions = caps.get("extensions") if isinstance(caps, dict) else None
    for name in extensions if isinstance(extensions, dict) else ():
        if len(name) > 300 or _EXTENSION.fullmatch(name) is None:
            yield f"The extension {shown(name)} has no name of the form prefix/name."


@rule("identity-changed", 38, INFO, "A server is the same in all its answers.", "meta", "result", since=_MODERN)
def identity_changed(view: View) -> Iterator[str | Hit]:
    info, known = view.meta.get(_SERVER_INFO), view.talk.of(_Identity)
    if not isinstance(info, dict):
        return
    if known.info is not None and info != known.info:
        yield Hit(f"The server is now {_named(info)}, before it was {_named(known.info)}.", (known.seq,))
    known.info, known.seq = info, view.seq


def undeclared(method: str, params: dict[str, Any], caps: dict[str, Any], version: str) -> str:
    """The client capability that a request needs and that is not declared; empty when all is well."""
    needed = methods.CLIENT_CAPABILITY.get(method)
    if needed is None:
        return ""
    if not declares(caps, needed):
        return needed
    own = caps[needed] if isinstance(caps[needed], dict) else {}
    if method == "elicitation/create" and version >= "2025-11-25":
        mode = "url" if params.get("mode") == "url" else "form"
        declared = mode in own if own else mode == "form"
        return "" if declared else f"elicitation.{mode}"
    if method == "sampling/createMessage" and version >= "2025-11-25":
        if ("tools" in params or "toolChoice" in params) and "tools" not in own:
            return "sampling.tools"
        if params.get("includeContext") in ("thisServer", "allServers") and "context" not in own:
            return "sampling.context"
    return ""


def input_requests(result: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """The questions that a result of 2026-07-28 brings, by key; those that are no objects are left out."""
    asked = result.get("inputRequests")
    return [(key, one) for key, one in asked.items() if isinstance(one, dict)] if isinstance(asked, dict) else []


def _extended(view: View) -> bool:
    """Whether the server declares something under which any method may be sent."""
    caps = view.talk.server_caps
    return bool(caps.get("extensions") or caps.get("experimental"))


def _dotted(needed: dict[str, Any]) -> list[str]:
    """Capabilities as dotted names: ``{"sampling": {"tools": {}}}`` is sampling.tools."""
    names = []
    for name, value in needed.items():
        inner = [f"{name}.{one}" for one in value] if isinstance(value, dict) and value and name != "extensions" else []
        names += inner or [name]
    return names


def _named(info: dict[str, Any]) -> str:
    return f"{info.get('name')} {info.get('version')}"[:120]


RULES = rules_in(globals())
