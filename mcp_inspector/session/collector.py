"""Sends spans to an OpenTelemetry collector over HTTP, when somebody says so: `POST {url}/v1/traces` with OTLP JSON."""

from __future__ import annotations

import asyncio
import importlib
from typing import TYPE_CHECKING
from urllib.parse import urlsplit, urlunsplit

from mcp_inspector.store.otlp import batches
from mcp_inspector.transport import urls
from mcp_inspector.transport.base import Fault, FaultKind
from mcp_inspector.transport.limits import Limits

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from mcp_inspector.store.telling import Teller

_SHOWN = 300


async def send_spans(
    teller: Teller,
    url: str,
    seqs: Iterable[int] | None = None,
    *,
    headers: Mapping[str, str] | None = None,
    version: str = "",
    timeout: float = 30,
    step: Callable[[int], object] = lambda sent: None,
) -> int:
    """Send the spans of these records, or of all; returns how many. `step` is told how many went so far.

    `url` is the collector's base, for example ``http://localhost:4318``, or a whole ``…/v1/traces``. Raises `Fault`
    with a sentence when it is not reached, refuses, or does not answer within `timeout` seconds for a batch.
    """
    target = urls.parse(traces_url(url))
    loop = asyncio.get_running_loop()
    http = await loop.run_in_executor(None, importlib.import_module, "mcp_inspector.transport.http")
    client = http.HttpClient(target, [*(headers or {}).items()], Limits(), lambda _: None)
    sent = 0
    try:
        for body, count in batches(teller, seqs, version=version):
            try:
                async with asyncio.timeout(timeout):
                    kind = [("Content-Type", "application/json")]
                    reply = await client.request("POST", target, kind, body, stream="collector", key=1)
                    await reply.close()
            except TimeoutError:
                sentence = f"The collector at {target.authority} did not answer within {timeout:g} s."
                raise Fault(FaultKind.TIMEOUT, sentence) from None
            if reply.head.status >= 300:
                said = reply.shown[:_SHOWN].decode(errors="replace")
                sentence = (
                    f"The collector at {target.authority} answered with HTTP {reply.head.status}. {said}".rstrip()
                )
                raise Fault(FaultKind.HTTP_STATUS, sentence, "Look at the address of the collector.")
            sent += count
            step(sent)
    finally:
        await client.close()
    return sent


def traces_url(url: str) -> str:
    """The place that takes spans: ``/v1/traces`` below the base, unless the URL names it."""
    parts = urlsplit(url.strip())
    path = parts.path.rstrip("/")
    if not path.endswith("/v1/traces"):
        path += "/v1/traces"
    return urlunsplit((parts.scheme, parts.netloc, path, parts.query, ""))
