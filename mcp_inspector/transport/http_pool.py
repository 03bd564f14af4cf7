"""aiohttp's connections under httpx's transport interface: see `http` for why."""

from __future__ import annotations

import asyncio
import functools
import ssl
import time
from typing import TYPE_CHECKING, Any

import aiohttp
import httpx
import yarl
from aiohttp.http_exceptions import HttpProcessingError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from types import SimpleNamespace


_PIECE = 64 * 1024
_KEEP_ALIVE = 4.0
"""Seconds an idle connection is kept: below the 5 s after which common servers close it, as a POST that meets the
closing connection could not be repeated safely."""
_CONNECTIONS = 512
_FIELD = 512 * 1024
_FIELDS = 1000


class AiohttpPool(httpx.AsyncBaseTransport):
    """Sends what a request says, with nothing added and nothing rewritten.

    `trust` is the TLS context for https, `proxy` the URL of a proxy, `connect` the seconds to reach a server. The exact
    URL is the request's extension ``url``.
    """

    def __init__(self, trust: ssl.SSLContext | None, proxy: str | None, connect: float) -> None:
        self._proxy = proxy
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(
                limit=_CONNECTIONS,
                keepalive_timeout=_KEEP_ALIVE,
                ssl=trust if trust is not None else True,
                resolver=aiohttp.ThreadedResolver(),
            ),
            trace_configs=[_timing()],
            cookie_jar=aiohttp.DummyCookieJar(),
            auto_decompress=False,
            timeout=aiohttp.ClientTimeout(total=None, connect=connect, sock_connect=connect),
            max_line_size=_FIELD,
            max_field_size=_FIELD,
            max_headers=_FIELDS,
        )

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send one request; returns when the response's headers are there."""
        body = request.content
        timing: dict[str, float | bool] = {"started": time.perf_counter()}
        try:
            response = await self._session.request(
                request.method,
                _encoded(request.extensions["url"]),
                headers=[(name.decode(), value.decode()) for name, value in request.headers.raw],
                data=_slices(body) if len(body) > _PIECE else body or None,
                allow_redirects=False,
                proxy=self._proxy,
                trace_request_ctx=timing,
            )
        except aiohttp.ClientHttpProxyError as error:
            raise httpx.ProxyError(f"{error.status} {error.message}") from error
        except (aiohttp.ClientResponseError, HttpProcessingError) as error:
            raise httpx.RemoteProtocolError(error.message) from error
        except TimeoutError as error:
            raise httpx.ConnectTimeout(str(error)) from error
        except (aiohttp.ClientConnectorError, ssl.SSLError) as error:
            raise httpx.ConnectError(str(error)) from error
        except (aiohttp.ClientError, OSError) as error:
            raise httpx.ReadError(str(error)) from error
        reason = (response.reason or "").encode("utf-8", "surrogateescape")
        extensions: dict[str, Any] = {"reason_phrase": reason, "timing": timing}
        headers = list(response.raw_headers)
        return httpx.Response(response.status, headers=headers, stream=_Body(response), extensions=extensions)

    async def aclose(self) -> None:
        """Close all connections."""
        await self._session.close()


def _timing() -> aiohttp.TraceConfig:
    """Writes down in the dictionary of each request how long its connection took, or that there was one already."""

    async def connected(_session: object, context: SimpleNamespace, _params: object) -> None:
        timing = context.trace_request_ctx
        timing["connect"] = time.perf_counter() - timing["started"]

    async def reused(_session: object, context: SimpleNamespace, _params: object) -> None:
        context.trace_request_ctx["reused"] = True

    config = aiohttp.TraceConfig()
    config.on_connection_create_end.append(connected)
    config.on_connection_reuseconn.append(reused)
    return config


class _Body(httpx.AsyncByteStream):
    def __init__(self, response: aiohttp.ClientResponse) -> None:
        self._response = response

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self

    async def __anext__(self) -> bytes:
        try:
            chunk = await self._response.content.readany()
        except (aiohttp.ClientError, OSError, HttpProcessingError) as error:
            raise httpx.ReadError(str(error)) from error
        if not chunk:
            raise StopAsyncIteration
        return chunk

    async def aclose(self) -> None:
        if self._response.content.is_eof():
            self._response.release()
        else:
            self._response.close()


async def _slices(body: bytes) -> AsyncIterator[bytes]:
    """A large body in pieces, so that writing it never holds the loop."""
    for at in range(0, len(body), _PIECE):
        yield body[at : at + _PIECE]
        await asyncio.sleep(0)


@functools.lru_cache(64)
def _encoded(url: str) -> yarl.URL:
    return yarl.URL(url, encoded=True)
