"""Whatever a server sends: no rule raises, and none takes long."""

from __future__ import annotations

import json
import random
import re
import time
from typing import Any

import pytest

from mcp_inspector.checks import methods
from mcp_inspector.checks.catalogue import RULES
from mcp_inspector.checks.observer import Observer
from tests.checks.script import M, N, Talk, X, tool

NAMES = re.findall(
    r"\w+",
    """
    tools name inputSchema outputSchema description annotations icons src sizes _meta ui csp uri uriTemplate
    contents content text blob mimeType type data messages role structuredContent isError task taskId status
    inputRequests requestState resultType ttlMs cacheScope nextCursor completion values total hasMore capabilities
    extensions supportedVersions protocolVersion serverInfo progressToken progress level requestedSchema
    properties required mode url elicitationId maxTokens method params notifications resourceSubscriptions
    elicitations supported requiredCapabilities skills frontmatter resources digest execution taskSupport priority
    audience
    """,
)
SCALARS: list[Any] = [
    None,
    True,
    False,
    0,
    -1,
    1.5,
    2**70,
    1e308,
    "",
    "x",
    "a b",
    "\ud800",
    "é\u202e",
    "http://[",
    "data:;",
    "://",
    "{x",
    "#/",
]


def anything(rng: random.Random, depth: int = 0) -> Any:
    """Some JSON value with members that rules look for."""
    kind = rng.random()
    if depth > 5 or kind < 0.35:
        return rng.choice(SCALARS)
    if kind < 0.55:
        return [anything(rng, depth + 1) for _ in range(rng.randrange(4))]
    return {rng.choice(NAMES): anything(rng, depth + 1) for _ in range(rng.randrange(7))}


@pytest.mark.parametrize("version", [M, N, X])
@pytest.mark.parametrize("seed", range(4))
def test_no_rule_raises(version: str, seed: int) -> None:
    rng = random.Random(f"{version}{seed}")
    talk = Talk(version, over=rng.choice(["stdio", "http"]))
    talk.tools(tool(outputSchema={"type": "object"}))
    requests = [*methods.CLIENT_REQUESTS, "skills/list", "skills/get"]
    for _ in range(250):
        method = rng.choice(requests)
        params = anything(rng, 2)
        talk.last += 1
        params = params if isinstance(params, dict) and rng.random() < 0.5 else {"name": "t", "uri": "ui://a"}
        # As a person may send it by hand: with half a surrogate pair, and without what its version wants.
        talk.send(json.dumps({"jsonrpc": "2.0", "id": talk.last, "method": method, "params": params}).encode())
        if rng.random() < 0.7:
            talk.result(anything(rng))
        else:
            talk.raw({"jsonrpc": "2.0", "id": talk.last, "error": anything(rng)})
        talk.raw({"jsonrpc": "2.0", "method": rng.choice([*methods.SERVER_NOTIFICATIONS]), "params": anything(rng)})
        talk.raw(
            {
                "jsonrpc": "2.0",
                "id": rng.randrange(9),
                "method": rng.choice([*methods.SERVER_REQUESTS]),
                "params": anything(rng),
            }
        )
        facts = anything(rng, 3)
        told = facts if isinstance(facts, dict) else {}
        talk.stream(**{name: value for name, value in told.items() if name not in ("method", "data")})
    for finding in talk.found(RULES.values()):
        assert isinstance(finding.sentence, str)
        assert len(finding.sentence) < 3_000


@pytest.mark.parametrize(
    "text",
    [
        "a" * 300_000,
        "<" * 300_000,
        "=," * 150_000,
        "A.-" * 100_000,
        "do not tell " * 30_000,
        "\u200d" * 200_000,
        '"' * 300_000,
    ],
)
def test_long_texts_take_no_time(text: str) -> None:
    """No expression goes back and forth over a text: that would be minutes."""
    meta = {text: text, "traceparent": text, "tracestate": text, "baggage": text}
    talk = Talk(X)
    talk.tools(tool(text, description=text, title=text, _meta=meta))
    talk.ask("resources/list").ok({"resources": [{"uri": text, "name": text}], "_meta": meta})
    talk.tell("notifications/message", {"level": "info", "data": text})
    talk.raw(text.encode())
    talk.http(403, (("WWW-Authenticate", text),))
    began = time.thread_time()
    observer = Observer(RULES.values(), 1 << 30)
    for seq, entry in enumerate(talk.entries, 1):
        observer.feed(seq, entry)
    # Of processor time, not of the clock; what takes a second here would take the window for minutes.
    assert time.thread_time() - began < 20, json.dumps(text[:20])
