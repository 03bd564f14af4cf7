"""A stdio server that does what a script says, down to the bytes. Plain Python, no dependencies.

``python rude_session.py '{"on": {"initialize": []}}'`` or ``python rude_session.py @script.json``; the language is
described in `rude_script`. Reads on until the script ends it or stdin is closed.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from pathlib import Path
from typing import Any

from rude_script import Put, Script, payload


class Pipe(Put):
    """Writes to stdout; whole steps at a time, so that threads do not mix their bytes."""

    def __init__(self) -> None:
        self.lock = threading.Lock()

    def message(self, message: Any) -> None:
        """One JSON text on one line."""
        self._write(json.dumps(message, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n")

    def line(self, text: str) -> None:
        """This text on one line."""
        self._write(text.encode("utf-8", "surrogatepass") + b"\n")

    def raw(self, step: dict[str, Any]) -> None:
        """Bytes on stdout or stderr, or the end of a stream or the process."""
        if "stderr" in step:
            data = payload({**step, "text": step["stderr"]})
            sys.stderr.buffer.write(data)
            sys.stderr.buffer.flush()
        elif "exit" in step:
            os._exit(step["exit"])
        elif "signal" in step:
            os.kill(os.getpid(), step["signal"])
        elif "close" in step:
            os.close({"stdin": 0, "stdout": 1, "stderr": 2}[step["close"]])
        else:
            self._write(payload(step))

    def _write(self, data: bytes) -> None:
        with self.lock:
            view = memoryview(data)
            while view:
                view = view[os.write(1, view) :]


def main() -> None:
    """Play the script of the first argument."""
    text = sys.argv[1] if len(sys.argv) > 1 else "{}"
    script = Script(json.loads(Path(text[1:]).read_text("utf-8") if text.startswith("@") else text))
    put = Pipe()
    script.play(script.script.get("before", []), {}, put, 0)
    while line := sys.stdin.buffer.readline():
        script.note(line)
        try:
            message = json.loads(line)
        except ValueError:
            continue
        for each in message if isinstance(message, list) else [message]:
            script.arrived(each)
            script.take(each, put)


if __name__ == "__main__":
    try:
        main()
    except (BrokenPipeError, KeyboardInterrupt):
        os._exit(0)
