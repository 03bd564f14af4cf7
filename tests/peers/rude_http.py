"""An HTTP server that does what a script says, one thread for each request. Plain Python, no dependencies.

``python rude_http.py http|sse '{"on": …}'`` (or ``@script.json``): Streamable HTTP at ``/mcp`` or HTTP+SSE at
``/sse``, on loopback. It tells ``listening on URL`` on stderr. The language is that of `rude_script`, and besides:

``session``    the session id that `initialize` gives, null for none; default ``rude-session``
``get``        false: GET is answered 405; default: a stream that stays open
``endpoint``   what the ``endpoint`` event of HTTP+SSE names; default ``/message``
``on``         also takes ``GET`` and ``DELETE``: steps for such a request

``{"http": 404, "headers": {…}, "body": "…"}``   this response instead of any other
``{"stream": {…headers}}``     begin an event stream, so that even a lone response comes as an event
``{"event": "…"}``             raw text on the event stream, with no line end added
``{"get": {…}}``               a message on every open GET stream
``{"end": true}``              end the event stream
``{"drop": true}``             cut the connection

A response alone is sent as JSON; after any other message the answer is an event stream. ``later`` does its steps in
place, since every request has a thread of its own. The journal's twin ``….http`` gets the head of each request.
"""

from __future__ import annotations

import json
import os
import select
import socket
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from rude_script import Put, Script, payload


class Exchange(Put):
    """The answer to one HTTP request, or one GET stream."""

    inline = True

    def __init__(self, handler: Handler, ident: Any = None) -> None:
        self.handler = handler
        self.ident = ident
        self.lock = threading.Lock()
        self.begun = False  # as an event stream
        self.done = False

    def message(self, message: Any) -> None:
        """As the whole body when it is the response and nothing came before, else as an event."""
        text = json.dumps(message, ensure_ascii=False)
        answers = isinstance(message, dict) and "method" not in message and message.get("id") == self.ident
        if self.handler.kind == "sse":
            self.handler.server.broadcast(text)
        elif answers and not self.begun:
            self.respond(200, {"Content-Type": "application/json", **self.session(message)}, text.encode())
        else:
            self.event(text)
            if answers:
                self.end()

    def line(self, text: str) -> None:
        """This text as the response."""
        if self.handler.kind == "sse":
            self.handler.server.broadcast(text)
        elif self.begun:
            self.event(text)
            self.end()
        else:
            self.respond(200, {"Content-Type": "application/json"}, text.encode("utf-8", "surrogatepass"))

    def session(self, message: Any) -> dict[str, str]:
        """The header that gives a session id, for the result of `initialize`."""
        name = self.handler.script.script.get("session", "rude-session")
        opens = name and isinstance(message, dict) and "protocolVersion" in (message.get("result") or {})
        return {"Mcp-Session-Id": name} if opens else {}

    def respond(self, status: int, headers: dict[str, str], body: bytes) -> None:
        """One whole response, once."""
        with self.lock:
            if self.done or self.begun:
                return
            self.done = True
            self.handler.send_response(status)
            for name, value in {"Content-Length": str(len(body)), **headers}.items():
                self.handler.send_header(name, value)
            self.handler.end_headers()
            self.handler.wfile.write(body)

    def stream(self, headers: dict[str, str] | None = None) -> None:
        """Begin an event stream, once."""
        with self.lock:
            if self.begun or self.done:
                return
            self.begun = True
            self.handler.send_response(200)
            fixed = {"Content-Type": "text/event-stream", "Transfer-Encoding": "chunked", "Cache-Control": "no-store"}
            for name, value in {**fixed, **(headers or {})}.items():
                self.handler.send_header(name, value)
            self.handler.end_headers()

    def write(self, data: bytes) -> None:
        """Bytes on the event stream."""
        self.stream()
        with self.lock:
            if data and not self.done:
                self.handler.wfile.write(b"%x\r\n%b\r\n" % (len(data), data))

    def event(self, text: str) -> None:
        """One message event."""
        self.write(f"event: message\ndata: {text}\n\n".encode())

    def end(self) -> None:
        """End the event stream."""
        with self.lock:
            if self.begun and not self.done:
                self.done = True
                self.handler.wfile.write(b"0\r\n\r\n")

    def raw(self, step: dict[str, Any]) -> None:
        """The steps that only HTTP knows, and those of a process."""
        if "http" in step:
            self.respond(step["http"], step.get("headers", {}), payload({**step, "text": step.get("body", "")}))
        elif "stream" in step:
            self.stream(step["stream"] if isinstance(step["stream"], dict) else None)
        elif "event" in step:
            self.write(payload({**step, "text": step["event"]}))
        elif "get" in step:
            self.handler.server.broadcast(json.dumps(step["get"], ensure_ascii=False))
        elif "end" in step:
            self.end()
        elif "drop" in step:
            self.done = True
            self.handler.close_connection = True
            self.handler.connection.shutdown(socket.SHUT_RDWR)
        elif "exit" in step:
            os._exit(step["exit"])
        elif "stderr" in step:
            sys.stderr.write(step["stderr"])
            sys.stderr.flush()
        else:
            with self.lock:
                self.handler.wfile.write(payload(step))

    def hold(self) -> None:
        """Keep the connection until the client leaves or the answer is whole."""
        while not self.done:
            readable, _, _ = select.select([self.handler.connection], [], [], 0.05)
            if readable and not self.handler.connection.recv(1, socket.MSG_PEEK):
                return


class Handler(BaseHTTPRequestHandler):
    """One connection. `script` and `kind` are set by `main`."""

    protocol_version = "HTTP/1.1"
    script: Script
    kind: str
    server: Server

    def log_message(self, *_: Any) -> None:
        """Nothing."""

    def do_GET(self) -> None:
        """The standalone stream, or the stream of HTTP+SSE."""
        self._note()
        exchange = Exchange(self)
        steps = self.script.script.get("on", {}).get("GET")
        if steps is None and self.script.script.get("get") is False:
            exchange.respond(405, {"Allow": "POST"}, b"")
            return
        self.server.streams.append(exchange)
        try:
            if steps is not None:
                self.script.play(steps, {}, exchange, len(self.script.seen))
            else:
                exchange.stream()
                if self.kind == "sse":
                    endpoint = self.script.script.get("endpoint", "/message")
                    exchange.write(f"event: endpoint\ndata: {endpoint}\n\n".encode())
            exchange.hold()
        finally:
            self.server.streams.remove(exchange)

    def do_DELETE(self) -> None:
        """The end of a session."""
        self._note()
        exchange = Exchange(self)
        self.script.play(self.script.script.get("on", {}).get("DELETE", []), {}, exchange, len(self.script.seen))
        exchange.respond(200, {}, b"")

    def do_POST(self) -> None:
        """One message."""
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        message = json.loads(body)
        self._note()
        self.script.note(body)
        request = isinstance(message, dict) and "id" in message and "method" in message
        exchange = Exchange(self, message.get("id") if request else None)
        for each in message if isinstance(message, list) else [message]:
            self.script.arrived(each)
            self.script.take(each, exchange)
        if self.kind == "sse":
            exchange.respond(202, {}, b"Accepted")
        elif not request:
            exchange.respond(202, {}, b"")
        exchange.hold()
        if not exchange.done:
            self.close_connection = True

    def _note(self) -> None:
        if path := self.script.script.get("journal"):
            line = json.dumps({"verb": self.command, "path": self.path, "headers": dict(self.headers.items())})
            with self.script.journal_lock, Path(path + ".http").open("a", encoding="utf-8") as file:
                file.write(line + "\n")


class Server(ThreadingHTTPServer):
    """Knows the open GET streams."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.streams: list[Exchange] = []

    def broadcast(self, text: str) -> None:
        """A message on every open GET stream."""
        for stream in tuple(self.streams):
            stream.event(text)

    def handle_error(self, *_: Any) -> None:
        """A client that leaves is no error."""


def main() -> None:
    """Play the script of the second argument."""
    kind, text = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "{}"
    script = json.loads(Path(text[1:]).read_text("utf-8") if text.startswith("@") else text)
    Handler.script, Handler.kind = Script(script), kind
    with Server() as server:
        sys.stderr.write(f"listening on http://127.0.0.1:{server.server_port}/{'mcp' if kind == 'http' else 'sse'}\n")
        sys.stderr.flush()
        server.serve_forever()


if __name__ == "__main__":
    main()
