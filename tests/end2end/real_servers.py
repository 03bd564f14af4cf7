"""Installs real servers of others, connects to each in every era it speaks, and reads all its lists.

    python tests/end2end/real_servers.py [NAME …]      the chosen ones, else all; needs pip, and npm for some
    python tests/end2end/real_servers.py --names       what there is
    python tests/end2end/real_servers.py --table FILE  write the results into the table of this file, too

Prints a row for each server, transport and era, and exits 1 when one could not be connected or a declared list not
be read, unless it is known to list nothing without an account. Not part of the test run: it needs the package
registries. Each server gets an environment of its own in the cache.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import venv
from dataclasses import dataclass, replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # a script: the checkout comes first

from mcp_inspector.config.entry import ServerEntry
from mcp_inspector.session.catalogue import Freshness, What
from mcp_inspector.session.connecting import Patience
from mcp_inspector.session.dialing import Dialer
from mcp_inspector.session.inspector import Inspector
from mcp_inspector.session.ways import Ways
from mcp_inspector.store.log import Log
from mcp_inspector.store.record import Channel
from tests.end2end.real_list import SERVERS, Real

INSTALL_LIMIT_S = 600
CONNECT_LIMIT_S = 120
BEGIN, END = "<!-- results begin -->", "<!-- results end -->"


def cache() -> Path:
    """Where the environments are kept."""
    base = os.environ.get("MCP_INSPECTOR_CACHE") or os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "mcp-inspector" / "real-servers"


def install(name: str, real: Real) -> list[str]:
    """Install a server where it is not yet, and return what starts it. Raises `RuntimeError` with the reason."""
    place = cache() / name
    done = place / "complete"
    scripts = place / ("Scripts" if sys.platform == "win32" else "bin")
    if not done.exists():
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
        if real.kind == "pip":
            venv.create(place, with_pip=True)
            command = [str(scripts / "python"), "-m", "pip", "install", "--quiet", *real.packages]
        else:
            npm = shutil.which("npm")
            if npm is None:
                raise RuntimeError("npm is not on the PATH")
            (place / "package.json").write_text('{"private": true}')
            command = [npm, "install", "--ignore-scripts", "--no-audit", "--no-fund", *real.packages]
        made = subprocess.run(command, cwd=place, capture_output=True, text=True, timeout=INSTALL_LIMIT_S)
        if made.returncode:
            raise RuntimeError("could not be installed: " + " ".join((made.stderr or made.stdout).split()[-25:]))
        done.touch()
    if real.kind == "pip":
        return [str(scripts / real.program)]
    node = shutil.which("node")
    if node is None:
        raise RuntimeError("node is not on the PATH")
    return [node, str(place / "node_modules" / real.program)]


def scratch() -> Path:
    """A folder with a small repository in it."""
    folder = Path(tempfile.mkdtemp(prefix="real-servers-"))
    if git := shutil.which("git"):
        subprocess.run([git, "init", "--quiet", str(folder / "repo")], check=True, timeout=60)
    return folder


@dataclass(frozen=True)
class Row:
    """How one connection went. `lists` are the counts of tools, resources, templates and prompts, ✗ for not served."""

    server: str
    way: str
    well: bool
    version: str = ""
    lists: str = ""
    seconds: float = 0
    said: str = ""
    notes: str = ""
    account: bool = False

    @property
    def cells(self) -> tuple[str, ...]:
        """For the table; without the time, which is of this machine."""
        how = "ok" if self.well else "needs an account" if self.account else "failed"
        return (self.server, self.way, how, self.version, self.lists, self.said, self.notes.replace("|", "/"))


HEAD = (
    "server",
    "over, asked for",
    "",
    "version",
    "tools/resources/templates/prompts",
    "says it is",
    "odd in its lists",
)


async def examine(name: str, entry: ServerEntry, data: Path) -> Row:
    """Connect in one era and read all lists."""
    way = f"{'stdio' if entry.command else 'http'}, {entry.protocol}"
    log = Log.create(data / "sessions")
    ways = Ways(Dialer(), patience=Patience(probe=60, handshake=CONNECT_LIMIT_S))
    inspector = Inspector(log, ways, [entry])
    server = inspector.servers[0]
    began = time.monotonic()
    try:
        async with asyncio.timeout(2 * CONNECT_LIMIT_S):
            server.connect()
            await server.settled()
            await server.loaded()
        took = time.monotonic() - began
        if not server.status.up or server.identity is None:
            return Row(name, way, False, notes=f"{server.status.words()}: {server.status.fault}")
        lists = [server.catalogue[what] for what in What]
        counts = "/".join("✗" if one.freshness is Freshness.UNSUPPORTED else str(len(one.items)) for one in lists)
        wrong = [f"{one.what}: {one.why}" for one in lists if one.freshness is Freshness.FAILED]
        notes = [f"{one.what}: {warning}" for one in lists for warning in one.warnings]
        notes += [f"{item.key}: {item.problem}" for one in lists for item in one.items if item.problem]
        log.flush()
        entries = [record.entry for record in log.slice(1, len(log) + 1)]
        stray = sum(1 for each in entries if each.channel is Channel.STDOUT)
        notes += [f"{stray} lines on stdout that are no messages"] if stray else []
        faults = {fault for each in entries if each.channel is Channel.MESSAGE for fault in each.faults}
        notes += sorted(faults)[:3]
        info = server.identity.server_info
        said = " ".join(str(info[key]) for key in ("name", "version") if key in info)
        return Row(name, way, not wrong, server.identity.version, counts, took, said, "; ".join((*wrong, *notes)))
    except TimeoutError:
        return Row(name, way, False, notes=f"not within {2 * CONNECT_LIMIT_S} s: {server.status.words()}")
    finally:
        await inspector.close()
        log.close()


def entries_of(name: str, command: list[str], real: Real, data: Path) -> list[ServerEntry]:
    """Each way to connect over stdio."""
    base = ServerEntry(
        name,
        command=command[0],
        args=tuple(_put(word, data) for word in (*command[1:], *real.args)),
        env={key: _put(value, data) for key, value in real.env.items()},
        reconnect=0,
    )
    return [replace(base, protocol=era) for era in ("auto", "legacy", *(("modern",) if real.modern else ()))]


def _put(word: str, data: Path, port: int = 0) -> str:
    browser = shutil.which("chromium") or shutil.which("google-chrome") or "chromium"
    return word.replace("DATA", str(data)).replace("CHROMIUM", browser).replace("PORT", str(port))


async def over_http(name: str, command: list[str], real: Real, data: Path) -> list[Row]:
    """Start a server that listens on a port, connect in each era, and end it."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    argv = [*command, *(_put(word, data, port) for word in real.http or ())]
    given = {**real.env, **real.http_env}
    env = {**os.environ, **{key: str(port) if value == "PORT" else _put(value, data) for key, value in given.items()}}
    process = await asyncio.create_subprocess_exec(
        *argv,
        env=env,
        cwd=data,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        for _ in range(600):
            try:
                _, writer = await asyncio.open_connection("localhost", port)
            except OSError:
                if process.returncode is not None:
                    break
                await asyncio.sleep(0.1)
            else:
                writer.close()
                break
        url = f"http://localhost:{port}/mcp"
        base = ServerEntry(name, transport="http", url=url, reconnect=0)
        eras = ("auto", "legacy", *(("modern",) if real.modern else ()))
        return [await examine(name, replace(base, protocol=era), data) for era in eras]
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        await process.wait()


def write_table(path: Path, rows: list[Row]) -> None:
    """Put the rows between the marks of a file; those of servers that were not run now stay."""
    text = path.read_text("utf-8")
    before, _, rest = text.partition(BEGIN)
    old, _, after = rest.partition(END)
    fresh = {row.server for row in rows}
    kept = [
        line
        for line in old.splitlines()
        if line.startswith("| ") and line.split("|")[1].strip() not in {*fresh, HEAD[0]}
    ]
    lines = sorted([*kept, *(f"| {' | '.join(row.cells)} |" for row in rows)], key=lambda line: line.split("|")[1])
    table = "\n".join([f"| {' | '.join(HEAD)} |", "|---" * len(HEAD) + "|", *lines])
    path.write_text(f"{before}{BEGIN}\n{table}\n{END}{after}", "utf-8")


def main() -> int:
    """Examine the servers that the command line names."""
    parser = argparse.ArgumentParser(description="Connect to real servers and read all their lists.")
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--names", action="store_true", dest="show", help="say what there is")
    parser.add_argument("--table", type=Path, metavar="FILE", help="write the results into the table of this file")
    options = parser.parse_args()
    if options.show:
        print("\n".join(SERVERS))
        return 0
    unknown = set(options.names) - set(SERVERS)
    if unknown:
        parser.error(f"not known: {', '.join(sorted(unknown))}")
    rows: list[Row] = []

    def took(row: Row) -> None:
        row = replace(row, account=row.way.partition(",")[0] in SERVERS[row.server].account)
        rows.append(row)
        print(
            f"{row.server:22}{row.way:15} {' '.join(row.cells[2:5]):32} {row.seconds:5.1f} s  {row.notes}", flush=True
        )

    data = scratch()
    try:
        for name in options.names or SERVERS:
            real = SERVERS[name]
            try:
                command = install(name, real)
            except (RuntimeError, subprocess.TimeoutExpired) as error:
                took(Row(name, "", False, notes=str(error)[:200]))
                continue
            for entry in entries_of(name, command, real, data):
                took(asyncio.run(examine(name, entry, data)))
            if real.http is not None and os.name == "posix":
                for row in asyncio.run(over_http(name, command, real, data)):
                    took(row)
    finally:
        shutil.rmtree(data, ignore_errors=True)
    if options.table is not None:
        write_table(options.table, rows)
    failed = [f"{row.server} ({row.way})" for row in rows if not (row.well or row.account)]
    print(f"failed: {', '.join(failed)}" if failed else "all well")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
