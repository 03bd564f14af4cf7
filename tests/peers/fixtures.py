"""Fixtures that start peers, and helpers to script the rude ones. `tests/conftest.py` makes them known everywhere."""

from __future__ import annotations

import contextlib
import itertools
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


class RudeHttp:
    """One scripted HTTP server that runs: at `url`; `heard` as of `Rude`, `requests` are heads as they came."""

    def __init__(self, url: str, journal: Path) -> None:
        self.url = url
        self.journal = journal

    heard = Rude.heard

    def requests(self, verb: str | None = None) -> list[dict[str, Any]]:
        """``verb``, ``path`` and ``headers`` (names in small letters) of every request so far."""
        heads = Path(f"{self.journal}.http")
        found = [json.loads(line) for line in heads.read_text("utf-8").splitlines()] if heads.exists() else []
        for each in found:
            each["headers"] = {name.lower(): value for name, value in each["headers"].items()}
        return [each for each in found if verb in (None, each["verb"])]


def _write_down(script: dict[str, Any], folder: Path, number: int) -> tuple[str, Path]:
    """The argument that gives a script to a rude server, and where it keeps its journal."""
    journal = folder / f"rude-{number}.journal"
    text = json.dumps({"journal": str(journal), **script})
    if len(text) > LONGEST_ARGUMENT:
        file = folder / f"rude-{number}.json"
        file.write_text(text, "utf-8")
        text = f"@{file}"
    return text, journal


@pytest.fixture
def rude(tmp_path: Path) -> Callable[..., Rude]:
    """``rude(on={...}, before=[...], ...)`` makes a stdio server from a script, see `rude_script` for the language."""
    numbers = itertools.count(1)

    def make(**script: Any) -> Rude:
        text, journal = _write_down(script, tmp_path, next(numbers))
        return Rude((sys.executable, str(PEERS / "rude_session.py"), text), journal)

    return make


@pytest.fixture
def rude_http(tmp_path: Path, kept_processes: set[int]) -> Iterator[Callable[..., RudeHttp]]:
    """``rude_http(kind="http" | "sse", on={...}, ...)`` starts an HTTP server from a script, see `rude_http.py`."""
    numbers = itertools.count(101)
    with contextlib.ExitStack() as stack:

        def start(kind: str = "http", **script: Any) -> RudeHttp:
            text, journal = _write_down(script, tmp_path, next(numbers))
            argv = (sys.executable, str(PEERS / "rude_http.py"), kind, text)
            found = stack.enter_context(running(argv, r"listening on (http://\S+)", kept_processes))
            return RudeHttp(found[1], journal)

        yield start


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
def conformance_suite() -> list[str]:
    """The command of the official conformance suite; skips with the reason where node or the package is missing."""
    return installed.conformance()


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
