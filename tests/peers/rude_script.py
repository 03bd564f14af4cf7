"""The script language of the rude servers: what to answer, in which shape, how late. Plain Python, no dependencies.

A script is a JSON object:

``version``       the protocol version that `initialize` answers; default: the one that the client offers
``discover``      ``"unknown"`` (default, -32601), ``"modern"`` (a DiscoverResult), or absent steps under ``on``
``versions``      ``supportedVersions`` of a modern server, default ``["2026-07-28"]``
``capabilities``  default: tools, resources, prompts, completions, logging
``tools``, ``resources``, ``resourceTemplates``, ``prompts``   what the lists hold; each has a default
``pages``         ``{"tools/list": [{"cursor": null, "items": […], "next": "c"}, …]}``: pages by the cursor asked for
``before``        steps at the start, before anything is read
``on``            steps by message, the most specific key wins: ``tools/call:echo#2`` (the second call of that tool),
                  ``tools/call:echo``, ``tools/call#2``, ``tools/call``, ``*`` (a request without a rule or an answer).
                  A key may also name a notification or, as ``response``, an answer of the client.
                  An empty list means: say nothing, for ever.
``era_lock``      true: refuse the other era's messages once the first one was seen, as strict servers do
``journal``       a file that gets every message received, one JSON text a line, in order, as soon as it is read

A step is one object; its first member says what it does:

``{"result": {…}}``, ``{"error": {…}}``  answer the request; ``"id"``: another id instead (any JSON, ``"as-string"``,
                                         ``"as-float"``)
``{"answer": true}``       answer as if there were no rule
``{"out": {…}}``           any message; the strings ``"$id"``, ``"$token"``, ``"$cursor"``, ``"$name"``, ``"$args"`` and
                           ``"$n"`` stand for what the request holds
``{"line": "…"}``          a response as JSON text, for spellings that no encoder makes; ``$id`` is put in
``{"text": "…"}``, ``{"hex": "…"}``     raw text or bytes, with no line end added
``{"pad": 1000000, "text": "x"}``       a text, repeated to this many bytes
``{"sleep": 0.2}``         wait (s); only this request waits when the step stands behind ``{"later": […]}``
``{"later": […]}``         do these steps beside, and read on
``{"repeat": 5, "do": […]}``            ``$n`` counts from 1; ``"repeat": null`` never ends
``{"collect": 50, "do": […], "seed": 1}`` hold requests back until so many have come, then do each, shuffled
``{"wait": "notifications/cancelled"}`` go on when such a message has come in, at most 20 s; only behind
                                         ``later``, since nothing is read meanwhile
``{"stderr": "…"}``        text on stderr (stdio), ``"pad"`` as above
``{"exit": 3}``, ``{"signal": 9}``      end the process
``{"close": "stdout"}``    close a stream and live on
"""

from __future__ import annotations

import json
import random
import threading
import time
from typing import Any

TOOLS = [
    {
        "name": "echo",
        "description": "Gives back its arguments.",
        "inputSchema": {"type": "object", "properties": {"text": {"type": "string"}}},
    }
]
RESOURCES = [{"uri": "rude://text", "name": "text", "mimeType": "text/plain"}]
TEMPLATES = [{"uriTemplate": "rude://items/{id}", "name": "item"}]
PROMPTS = [{"name": "greet", "arguments": [{"name": "who", "required": True}]}]
LISTS = {
    "tools/list": ("tools", TOOLS),
    "resources/list": ("resources", RESOURCES),
    "resources/templates/list": ("resourceTemplates", TEMPLATES),
    "prompts/list": ("prompts", PROMPTS),
}
CAPABILITIES = {
    "tools": {"listChanged": True},
    "resources": {"listChanged": True, "subscribe": True},
    "prompts": {"listChanged": True},
    "completions": {},
    "logging": {},
}
META = "io.modelcontextprotocol/"
NO_ANSWER = object()


def is_modern(message: dict[str, Any]) -> bool:
    """Whether a message carries the envelope of 2026-07-28."""
    params = message.get("params")
    meta = params.get("_meta") if isinstance(params, dict) else None
    return isinstance(meta, dict) and META + "protocolVersion" in meta


class Script:
    """One running script. `write` puts bytes on the wire; `play` runs the steps for one message."""

    def __init__(self, script: dict[str, Any]) -> None:
        self.script = script
        self.era = ""
        self.counts: dict[str, int] = {}
        self.seen: list[str] = []
        self.news = threading.Condition()
        self.held: dict[str, list[tuple[dict[str, Any], Put]]] = {}
        self.lock = threading.Lock()
        self.journal_lock = threading.Lock()

    def note(self, raw: bytes) -> None:
        """Write one received message into the journal."""
        if path := self.script.get("journal"):
            with self.journal_lock, open(path, "ab") as file:
                file.write(raw.rstrip(b"\r\n") + b"\n")

    def arrived(self, message: dict[str, Any]) -> None:
        """Wake up steps that wait for a message of this method."""
        with self.news:
            self.seen.append(str(message.get("method", "response")))
            self.news.notify_all()

    def wait_for(self, method: str, known: int) -> None:
        """Return when a message of this method has come in after the first `known` ones."""
        with self.news:
            self.news.wait_for(lambda: method in self.seen[known:], timeout=20)

    def steps(self, message: dict[str, Any]) -> list[dict[str, Any]] | None:
        """The steps for a message, None when the script has no rule for it."""
        rules = self.script.get("on", {})
        method = message.get("method", "response")
        params = message.get("params")
        name = params.get("name", params.get("uri", "")) if isinstance(params, dict) else ""
        keys = []
        with self.lock:
            for key in (f"{method}:{name}", method):
                self.counts[key] = self.counts.get(key, 0) + 1
                keys += [f"{key}#{self.counts[key]}", key]
        for key in keys:
            if key in rules:
                return rules[key]
        if "*" in rules and self.default(message) is NO_ANSWER and "id" in message and "method" in message:
            return rules["*"]
        return None

    def reply(self, message: dict[str, Any], step: dict[str, Any]) -> dict[str, Any]:
        """The response that a ``result`` or ``error`` step makes."""
        identity = message.get("id")
        if "id" in step:
            wanted = step["id"]
            kinds = {"as-string": lambda: str(identity), "as-float": lambda: float(identity or 0)}
            identity = kinds[wanted]() if isinstance(wanted, str) and wanted in kinds else wanted
        kind = "result" if "result" in step else "error"
        return {"jsonrpc": "2.0", "id": identity, kind: self.fill(step[kind], message, 0)}

    def fill(self, value: Any, message: dict[str, Any], n: int) -> Any:
        """Put what the request holds into the places that name it."""
        if isinstance(value, dict):
            return {key: self.fill(item, message, n) for key, item in value.items()}
        if isinstance(value, list):
            return [self.fill(item, message, n) for item in value]
        if not isinstance(value, str) or not value.startswith("$"):
            return value
        params = message.get("params")
        params = params if isinstance(params, dict) else {}
        places = {
            "$id": message.get("id"),
            "$token": (params.get("_meta") or {}).get("progressToken"),
            "$cursor": params.get("cursor"),
            "$name": params.get("name"),
            "$args": json.dumps(params.get("arguments"), separators=(",", ":")),
            "$n": n,
        }
        return places.get(value, value)

    def refusal(self, message: dict[str, Any]) -> dict[str, Any] | None:
        """The error for a message of the wrong era, when the script locks the era; else None."""
        if not self.script.get("era_lock") or "method" not in message:
            return None
        era = "modern" if is_modern(message) else "legacy"
        if era == "modern" and self.script.get("discover") != "modern":
            return {"code": -32602, "message": "a legacy server takes no modern envelope"}
        self.era = self.era or era
        if era != self.era:
            code = -32022 if self.era == "modern" else -32600
            versions = self.script.get("versions", ["2026-07-28"])
            return {"code": code, "message": "wrong era", "data": {"supported": versions, "requested": "?"}}
        return None

    def default(self, message: dict[str, Any]) -> Any:
        """The result that a decent server gives, `NO_ANSWER` for what it would not know."""
        method, params = message.get("method"), message.get("params")
        params = params if isinstance(params, dict) else {}
        result = self._default(str(method), params)
        if result is not NO_ANSWER and is_modern(message):
            result = {"resultType": "complete", **result}
            if method in LISTS or method in ("server/discover", "resources/read"):
                result = {"ttlMs": 0, "cacheScope": "private", **result}
        return result

    def _default(self, method: str, params: dict[str, Any]) -> Any:
        capabilities = self.script.get("capabilities", CAPABILITIES)
        info = {"name": "rude", "version": "1"}
        if method == "initialize":
            version = self.script.get("version", params.get("protocolVersion"))
            return {"protocolVersion": version, "capabilities": capabilities, "serverInfo": info}
        if method == "server/discover" and self.script.get("discover") == "modern":
            versions = self.script.get("versions", ["2026-07-28"])
            return {"supportedVersions": versions, "capabilities": capabilities, "_meta": {META + "serverInfo": info}}
        if method in LISTS:
            member, items = LISTS[method]
            return self._page(method, member, params) or {member: self.script.get(member, items)}
        if method == "tools/call":
            return {"content": [{"type": "text", "text": json.dumps(params.get("arguments"), ensure_ascii=False)}]}
        if method == "resources/read":
            return {"contents": [{"uri": params.get("uri"), "mimeType": "text/plain", "text": "rude text"}]}
        if method == "prompts/get":
            text = f"Hello {(params.get('arguments') or {}).get('who')}"
            return {"messages": [{"role": "user", "content": {"type": "text", "text": text}}]}
        if method == "completion/complete":
            return {"completion": {"values": ["one", "two"]}}
        if method in ("ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe"):
            return {}
        return NO_ANSWER

    def _page(self, method: str, member: str, params: dict[str, Any]) -> dict[str, Any] | None:
        for page in self.script.get("pages", {}).get(method, ()):
            if page["cursor"] == params.get("cursor") or page["cursor"] == "*":
                items = [item if isinstance(item, dict) else {"name": item} for item in page["items"]]
                for item in items:
                    if member == "tools":
                        item.setdefault("inputSchema", {"type": "object"})
                end = {} if page.get("next") is None else {"nextCursor": page["next"]}
                return {member: items, **end}
        return None

    def take(self, message: dict[str, Any], put: Put) -> None:
        """Do for one message what the script says."""
        known = len(self.seen)
        refused = self.refusal(message)
        if refused is not None:
            if "id" in message:
                put.message({"jsonrpc": "2.0", "id": message["id"], "error": refused})
            return
        steps = self.steps(message)
        self.play(steps if steps is not None else [{"answer": True}], message, put, known)

    def play(self, steps: list[dict[str, Any]], message: dict[str, Any], put: Put, known: int, n: int = 0) -> None:
        """Run steps in order on this thread."""
        for step in steps:
            self._step(step, message, put, known, n)

    def _step(self, step: dict[str, Any], message: dict[str, Any], put: Put, known: int, n: int) -> None:
        if "result" in step or "error" in step:
            put.message(self.reply(message, step))
        elif "answer" in step:
            self._answer(message, put)
        elif "out" in step:
            put.message(self.fill(step["out"], message, n))
        elif "line" in step:
            put.line(step["line"].replace("$id", json.dumps(message.get("id"))))
        elif "sleep" in step:
            time.sleep(step["sleep"])
        elif "wait" in step:
            self.wait_for(step["wait"], known)
        elif "later" in step and put.inline:
            self.play(step["later"], message, put, known, n)
        elif "later" in step:
            arguments = (step["later"], message, put, known, n)
            threading.Thread(target=self.play, args=arguments, daemon=True).start()
        elif "repeat" in step:
            count = 0
            while step["repeat"] is None or count < step["repeat"]:
                count += 1
                self.play(step["do"], message, put, known, count)
        elif "collect" in step:
            self._collect(step, message, put, known)
        else:
            put.raw(step)

    def _answer(self, message: dict[str, Any], put: Put) -> None:
        if "id" not in message or "method" not in message:
            return
        result = self.default(message)
        if result is NO_ANSWER:
            error = {"code": -32601, "message": f"Method not found: {message['method']}"}
            put.message({"jsonrpc": "2.0", "id": message["id"], "error": error})
        else:
            put.message({"jsonrpc": "2.0", "id": message["id"], "result": result})

    def _collect(self, step: dict[str, Any], message: dict[str, Any], put: Put, known: int) -> None:
        with self.lock:
            held = self.held.setdefault(str(message.get("method")), [])
            held.append((message, put))
            if len(held) < step["collect"]:
                return
            shuffled = random.Random(step.get("seed", 1)).sample(held, len(held))
            held.clear()
        for each, its_put in shuffled:
            self.play(step["do"], each, its_put, known)


class Put:
    """Where a script's output goes; the two servers have one each. `inline`: a request has a thread of its own."""

    inline = False

    def message(self, message: Any) -> None:
        """Send one JSON message."""
        raise NotImplementedError

    def line(self, text: str) -> None:
        """Send the response as this text."""
        raise NotImplementedError

    def raw(self, step: dict[str, Any]) -> None:
        """Do a step that only this transport knows."""
        raise NotImplementedError


def payload(step: dict[str, Any]) -> bytes:
    """The bytes of a ``text`` or ``hex`` step, padded when it says so."""
    data = bytes.fromhex(step["hex"]) if "hex" in step else str(step.get("text", "x")).encode("utf-8", "surrogatepass")
    if "pad" in step and data:
        data = (data * (step["pad"] // len(data) + 1))[: step["pad"]]
    return data
