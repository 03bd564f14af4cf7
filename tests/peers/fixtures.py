"""Fixtures that start peers, and helpers to script the rude ones. `tests/conftest.py` makes them known everywhere."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.peers import installed
from tests.peers.launch import free_port, running

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PEERS = Path(__file__).parent
LONGEST_ARGUMENT = 100_000
"""Bytes; Linux refuses a single argument of 128 KiB."""


class Rude:
    """One scripted stdio server that has not been started: `argv` starts it, `heard` is what it was sent."""

    def __init__(self, argv: tuple[str, ...], journal: Path) -> None:
        self.argv = argv
        self.journal = journal

    @property
    def command(self) -> str:
        """The program, for a server entry."""
        return self.argv[0]

    @property
    def args(self) -> tuple[str, ...]:
        """The program's arguments, for a server entry."""
        return self.argv[1:]

    def heard(self, method: str | None = None) -> list[dict[str, Any]]:
        """Every message received so far, in order; of one method when it is given (``response`` for answers)."""
        if not self.journal.exists():
            return []
        messages = [json.loads(line) for line in self.journal.read_bytes().splitlines()]
        return [each for each in messages if method is None or each.get("method", "response") == method]


@pytest.fixture
def rude(tmp_path: Path) -> Callable[..., Rude]:
    """``rude(on={...}, before=[...], ...)`` makes a stdio server from a script, see `rude_script` for the language."""
    made = 0

    def make(**script: Any) -> Rude:
        nonlocal made
        made += 1
        journal = tmp_path / f"rude-{made}.journal"
        text = json.dumps({"journal": str(journal), **script})
        if len(text) > LONGEST_ARGUMENT:
            file = tmp_path / f"rude-{made}.json"
            file.write_text(text, "utf-8")
            text = f"@{file}"
        return Rude((sys.executable, str(PEERS / "rude_session.py"), text), journal)

    return make


def pytest_collection_finish(session: pytest.Session) -> None:
    """Install the peers of others that the collected tests need, where no test's time limit runs."""
    if session.config.option.collectonly:
        return
    names: set[str] = set()
    for item in session.items:
        names.update(getattr(item, "fixturenames", ()))
        # Tests over many peers are parametrized with the names of fixtures.
        if call := getattr(item, "callspec", None):
            names.update(value for value in call.params.values() if isinstance(value, str))
    installed.prepare(names)


@pytest.fixture(scope="session")
def demo_stdio_command() -> tuple[str, ...]:
    """What starts the demo server on stdio."""
    return (sys.executable, "-m", "mcp_inspector.demo", "stdio")


@pytest.fixture(scope="session")
def demo_http(kept_processes: set[int]) -> Iterator[str]:
    """URL of the demo server over Streamable HTTP; one process for the whole run."""
    yield from _demo("http", kept_processes)


@pytest.fixture(scope="session")
def demo_sse(kept_processes: set[int]) -> Iterator[str]:
    """URL of the demo server over HTTP+SSE; one process for the whole run."""
    yield from _demo("sse", kept_processes)


def _demo(kind: str, kept: set[int]) -> Iterator[str]:
    argv = (sys.executable, "-m", "mcp_inspector.demo", kind)
    with running(argv, r"listening on (http://\S+)", kept, env=_environment()) as found:
        yield found[1]


@pytest.fixture(scope="session")
def sdk2_command() -> tuple[str, ...]:
    """What starts the server on SDK 2.x on stdio."""
    return (sys.executable, str(PEERS / "sdk2_server.py"), "stdio")


@pytest.fixture(scope="session")
def sdk2_http(kept_processes: set[int]) -> Iterator[str]:
    """URL of the server on SDK 2.x over Streamable HTTP."""
    yield from _python_server(sys.executable, "sdk2", "http", kept_processes)


@pytest.fixture(scope="session")
def sdk2_sse(kept_processes: set[int]) -> Iterator[str]:
    """URL of the server on SDK 2.x over HTTP+SSE."""
    yield from _python_server(sys.executable, "sdk2", "sse", kept_processes)


@pytest.fixture(scope="session")
def sdk1_python() -> str:
    """The interpreter of an environment with the official SDK 1.x; skips with the reason where there is none."""
    return installed.sdk1()


@pytest.fixture(scope="session")
def sdk1_command(sdk1_python: str) -> tuple[str, ...]:
    """What starts the server on SDK 1.x on stdio."""
    return (sdk1_python, str(PEERS / "sdk1_server.py"), "stdio")


@pytest.fixture(scope="session")
def sdk1_http(sdk1_python: str, kept_processes: set[int]) -> Iterator[str]:
    """URL of the server on SDK 1.x over Streamable HTTP."""
    yield from _python_server(sdk1_python, "sdk1", "http", kept_processes)


@pytest.fixture(scope="session")
def sdk1_sse(sdk1_python: str, kept_processes: set[int]) -> Iterator[str]:
    """URL of the server on SDK 1.x over HTTP+SSE."""
    yield from _python_server(sdk1_python, "sdk1", "sse", kept_processes)


def _python_server(python: str, name: str, kind: str, kept: set[int]) -> Iterator[str]:
    port = free_port()
    argv = (python, str(PEERS / f"{name}_server.py"), kind, str(port))
    with running(argv, "Uvicorn running", kept, env=_environment()):
        yield f"http://127.0.0.1:{port}/{'mcp' if kind == 'http' else 'sse'}"


@pytest.fixture(scope="session")
def everything_stdio() -> tuple[str, ...]:
    """What starts npm's everything server on stdio; skips with the reason where node or the package is missing."""
    return tuple(installed.everything("stdio"))


@pytest.fixture(scope="session")
def everything_http(kept_processes: set[int]) -> Iterator[str]:
    """URL of npm's everything server over Streamable HTTP."""
    yield from _node_server("streamableHttp", "mcp", kept_processes)


@pytest.fixture(scope="session")
def everything_sse(kept_processes: set[int]) -> Iterator[str]:
    """URL of npm's everything server over HTTP+SSE."""
    yield from _node_server("sse", "sse", kept_processes)


def _node_server(kind: str, path: str, kept: set[int]) -> Iterator[str]:
    port = free_port()
    with running(installed.everything(kind), rf"\b{port}\b", kept, env=_environment(PORT=str(port))):
        yield f"http://127.0.0.1:{port}/{path}"


def _environment(**more: str) -> dict[str, str]:
    """Ours, with the checkout on the path of Python and its output unbuffered."""
    return {**os.environ, "PYTHONPATH": str(installed.ROOT), "PYTHONUNBUFFERED": "1", **more}
