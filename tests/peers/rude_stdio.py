"""A stdio peer that does exactly what it is told, politely or not.

Usage: rude_stdio.py STEPS, a JSON list of steps that run in order; each is a list of a word and its arguments:

    out TEXT / outhex HEX    write to stdout, as it is      err TEXT          write to stderr, as it is
    read                     read one line from stdin       reply RESULT      answer the last request read
    echo                     answer every request with its params until the end of stdin
    keep PATH                append what is read to a file  pid PATH          write the process id to a file
    big SIZE                 one line of SIZE bytes          flood_err SIZE    that much on stderr in lines
    sleep SECONDS            exit CODE      die SIGNAL        close FD
    ignore SIGNAL            touch PATH        write a file
    daemon PATH              a grandchild in a session of its own that keeps the pipes, its pid in a file
    child PATH               a grandchild in the same group, its pid in a file
    lines COUNT              that many short notifications in one go
    until_eof                read and drop until the end of stdin
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

stdin = sys.stdin.buffer
SLEEPER = [sys.executable, "-c", "import time; time.sleep(600)"]


def write(data: bytes, fd: int = 1) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


def answer(line: bytes, result: object = None) -> None:
    message = json.loads(line)
    if "id" in message:
        body = {
            "jsonrpc": "2.0",
            "id": message["id"],
            "result": message.get("params", {}) if result is None else result,
        }
        write(json.dumps(body, ensure_ascii=False).encode() + b"\n")


def main() -> None:
    last, kept = b"", None
    for word, *given in json.loads(sys.argv[1]):
        if word == "out":
            write(given[0].encode())
        elif word == "outhex":
            write(bytes.fromhex(given[0]))
        elif word == "err":
            write(given[0].encode(), 2)
        elif word == "read":
            last = stdin.readline()
            if kept:
                kept.write_bytes((kept.read_bytes() if kept.exists() else b"") + last)
        elif word == "reply":
            answer(last, given[0])
        elif word == "echo":
            for line in stdin:
                answer(line)
        elif word == "keep":
            kept = Path(given[0])
        elif word == "pid":
            Path(given[0]).write_text(str(os.getpid()))
        elif word == "big":
            write(b"x" * given[0] + b"\n")
        elif word == "flood_err":
            line = b"e" * 99 + b"\n"
            for _ in range(given[0] // 100):
                write(line, 2)
        elif word == "sleep":
            time.sleep(given[0])
        elif word == "exit":
            os._exit(given[0])
        elif word == "die":
            os.kill(os.getpid(), getattr(signal, given[0]))
        elif word == "close":
            os.close(given[0])
        elif word == "ignore":
            signal.signal(getattr(signal, given[0]), signal.SIG_IGN)
        elif word == "daemon":
            child = subprocess.Popen(SLEEPER, start_new_session=True)
            Path(given[0]).write_text(str(child.pid))
        elif word == "child":
            child = subprocess.Popen(SLEEPER)
            Path(given[0]).write_text(str(child.pid))
        elif word == "touch":
            Path(given[0]).write_text("here")
        elif word == "lines":
            write(b"".join(b'{"jsonrpc":"2.0","method":"n","params":{"i":%d}}\n' % i for i in range(given[0])))
        elif word == "until_eof":
            while os.read(0, 65536):
                pass
        else:
            raise SystemExit(f"unknown step {word}")


if __name__ == "__main__":
    main()
