"""A small HTTP server on a loopback port, in threads of its own, that answers by a function and keeps what came in."""

from __future__ import annotations

import json
import sys
import threading
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlsplit

if TYPE_CHECKING:
    import ssl
    from collections.abc import Callable


@dataclass
class Seen:
    """One request that came in."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def query(self) -> dict[str, str]:
        """The parameters of the URL."""
        return dict(parse_qsl(urlsplit(self.path).query, keep_blank_values=True))

    @property
    def form(self) -> dict[str, str]:
        """The parameters of the body."""
        return dict(parse_qsl(self.body.decode(), keep_blank_values=True))


class _Quiet(ThreadingHTTPServer):
    def handle_error(self, request: Any, client_address: Any) -> None:
        """Somebody who did not want to hear the whole answer is no error."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)


class Http:
    """A small HTTP server on a loopback port, in threads of its own, that answers by a function."""

    def __init__(
        self, reply: Callable[[Seen], tuple[int, Any, dict[str, str]]], tls: ssl.SSLContext | None = None
    ) -> None:
        self.seen: list[Seen] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def answer(self) -> None:
                size = int(self.headers.get("Content-Length") or 0)
                headers = {name.lower(): value for name, value in self.headers.items()}
                seen = Seen(self.command, self.path, headers, self.rfile.read(size))
                outer.seen.append(seen)
                status, body, given = reply(seen)
                if isinstance(body, dict | list):
                    given = {"Content-Type": "application/json", **given}
                    body = json.dumps(body)
                raw = body if isinstance(body, bytes) else str(body or "").encode()
                self.send_response(status)
                for name, value in given.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(raw)))
                self.end_headers()
                self.wfile.write(raw)

            do_GET = do_POST = do_DELETE = answer

            def log_message(self, *_: Any) -> None:
                pass

        self.server = _Quiet(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = False
        if tls is not None:  # the handshake is made in the thread of its connection
            self.server.socket = tls.wrap_socket(self.server.socket, server_side=True, do_handshake_on_connect=False)
        self.url = f"http{'s' if tls is not None else ''}://127.0.0.1:{self.server.server_address[1]}"
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.02})
        self.thread.start()

    def close(self) -> None:
        """Stop, and wait until all has stopped."""
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()
