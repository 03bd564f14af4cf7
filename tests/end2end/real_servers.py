"""Installs real servers of others, connects to each in every era it speaks, and reads all its lists.

    python tests/end2end/real_servers.py [NAME …]      the chosen ones, else all; needs pip, and npm for some
    python tests/end2end/real_servers.py --names       what there is

Prints a row for each server and era, and exits 1 when one could not be connected or a declared list not be read.
Not part of the test run: it needs the package registries. Each server gets an environment of its own in the cache.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import shutil
import subprocess
import sys
import tempfile
import time
import venv
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


async def examine(name: str, command: list[str], real: Real, protocol: str, data: Path) -> tuple[bool, str]:
    """Connect in one era and read all lists; returns whether that went well, and the row."""
    put = str(data)
    entry = ServerEntry(
        name,
        command=command[0],
        args=tuple(word.replace("DATA", put) for word in (*command[1:], *real.args)),
        env={key: value.replace("DATA", put) for key, value in real.env.items()},
        protocol=protocol,
        reconnect=0,
    )
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
            return False, f"{server.status.words()}: {server.status.fault}"
        lists = [server.catalogue[what] for what in What]
        counts = "/".join("✗" if one.freshness is Freshness.UNSUPPORTED else str(len(one.items)) for one in lists)
        wrong = [f"{one.what}: {one.why}" for one in lists if one.freshness is Freshness.FAILED]
        notes = [f"{one.what}: {warning}" for one in lists for warning in one.warnings]
        notes += [f"{item.key}: {item.problem}" for one in lists for item in one.items if item.problem]
        log.flush()
        entries = [record.entry for record in log.slice(1, len(log) + 1)]
        stray = sum(1 for each in entries if each.channel is Channel.STDOUT)
        notes += [f"{stray} stray lines on stdout"] if stray else []
        faults = sum(1 for each in entries if each.channel is Channel.MESSAGE and each.faults)
        notes += [f"{faults} messages with faults"] if faults else []
        row = f"{server.identity.era:7} {server.identity.version:10} {counts:14} {took:5.1f} s  "
        return not wrong, row + "; ".join((*wrong, *notes))
    finally:
        await inspector.close()
        log.close()


def main() -> int:
    """Examine the servers that the command line names."""
    parser = argparse.ArgumentParser(description="Connect to real servers and read all their lists.")
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--names", action="store_true", dest="show", help="say what there is")
    options = parser.parse_args()
    if options.show:
        print("\n".join(SERVERS))
        return 0
    unknown = set(options.names) - set(SERVERS)
    if unknown:
        parser.error(f"not known: {', '.join(sorted(unknown))}")
    failed = []
    data = scratch()
    try:
        print(f"{'server':20} {'era':7} {'version':10} {'lists':14} {'time':>6}")
        for name in options.names or SERVERS:
            real = SERVERS[name]
            try:
                command = install(name, real)
            except (RuntimeError, subprocess.TimeoutExpired) as error:
                failed.append(name)
                print(f"{name:20} {error}", flush=True)
                continue
            for protocol in ("auto", "legacy", *(("modern",) if real.modern else ())):
                well, row = asyncio.run(examine(name, command, real, protocol, data))
                if not well:
                    failed.append(f"{name} ({protocol})")
                print(f"{name:20} {row}", flush=True)
    finally:
        shutil.rmtree(data, ignore_errors=True)
    print(f"failed: {', '.join(failed)}" if failed else "all well")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
