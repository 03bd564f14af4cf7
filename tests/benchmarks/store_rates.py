"""What a session of a million messages costs: recording, memory, opening, rows, filters, search.

    python tests/benchmarks/store_rates.py [--rows N] [--size BYTES]

Each part runs in a process of its own, so that memory is its own. Prints a table on stderr and, as the last line of
stdout, one JSON object with all figures. The limits beside them are those that the traffic workbench is held to.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

FILTERS = (
    "method:tools/call",
    "target:tool_7",
    "status:failed",
    "dur:>500",
    "size:>1k",
    "id:77777",
    "tool_12 -server:github",
    "kind:notification or status:pending",
)
TOOLS = [f"tool_{number}" for number in range(400)]
SERVERS = ("everything", "github", "sqlite")


def resident() -> float:
    """Megabytes of this process in memory."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def entries(rows: int, size: int) -> Any:
    """Requests, their answers and notifications in turn, each with its own bytes of `size`."""
    from mcp_inspector.store.record import Channel, Direction, Entry

    filler = b"the quick brown fox jumps over the lazy dog, " * (size // 45 + 1)
    wall, mono = time.time_ns(), time.perf_counter_ns()
    for seq in range(1, rows + 1):
        number = seq // 3
        server, tool = SERVERS[number % 3], TOOLS[number % 400]
        at = mono + seq * 10_000
        turn = seq % 3
        body = b'{"n":%d,"text":"' % seq + filler[: size - 20] + b'"}'
        if turn == 1:
            yield Entry(
                server,
                1,
                Channel.MESSAGE,
                Direction.SENT,
                wall + seq,
                at,
                body,
                "request",
                "tools/call",
                str(number),
                tool,
            )
        elif turn == 2:
            yield Entry(
                server,
                1,
                Channel.MESSAGE,
                Direction.RECEIVED,
                wall + seq,
                at + number % 1000 * 1_000_000,
                body,
                "response" if number % 50 else "error",
                "tools/call",
                str(number),
                tool,
                None if number % 50 else -32602,
                seq - 1,
            )
        else:
            yield Entry(
                server,
                1,
                Channel.MESSAGE,
                Direction.RECEIVED,
                wall + seq,
                at,
                body,
                "notification",
                "notifications/message",
            )


def record(folder: Path, rows: int, size: int) -> dict[str, Any]:
    """Append them all as fast as it goes."""
    from mcp_inspector.store.log import Log

    log = Log.create(folder)
    log.append(next(iter(entries(1, size))))
    log.flush()
    before, peak, spent, worst = resident(), 0.0, 0, 0
    began, cpu, own = time.perf_counter(), time.process_time(), time.thread_time()
    clock = time.perf_counter_ns
    for number, entry in enumerate(entries(rows - 1, size)):
        start = clock()
        log.append(entry)
        took = clock() - start
        spent += took
        worst = max(worst, took)
        if number % 20_000 == 0:
            peak = max(peak, resident())
    seconds = time.perf_counter() - began
    thread = time.thread_time() - own
    log.flush(120)
    flushed = time.perf_counter() - began
    made = time.thread_time()
    for _ in entries(rows - 1, size):
        pass
    making = time.thread_time() - made
    path = log.path
    assert path is not None
    log.close()
    return {
        "path": str(path),
        "record_rate": rows / seconds,
        "record_rate_on_disk": rows / flushed,
        "append_us": (thread - making) / rows * 1e6,
        "process_us": (time.process_time() - cpu - making) / rows * 1e6,
        "append_worst_ms": worst / 1e6,
        "record_mb": max(peak, resident()) - before,
        "file_mb": path.stat().st_size / 1e6,
    }


def look(path: Path) -> dict[str, Any]:
    """Open the session and use it."""
    from mcp_inspector.store.exchanges import Exchanges
    from mcp_inspector.store.filter import Filter
    from mcp_inspector.store.log import Log
    from mcp_inspector.store.query import parse
    from mcp_inspector.store.search import Needle, search

    figures: dict[str, Any] = {}
    before = resident()
    began = time.perf_counter()
    log = Log.open(path)
    figures["open_s"] = time.perf_counter() - began
    figures["open_mb"] = resident() - before
    began = time.perf_counter()
    exchanges = Exchanges(log)
    longest = 0.0
    more = True
    while more:
        step = time.perf_counter()
        more = exchanges.update(2_000).more
        longest = max(longest, time.perf_counter() - step)
    figures["exchanges_s"] = time.perf_counter() - began
    figures["exchanges_step_ms"] = longest * 1e3
    figures["exchanges"] = len(exchanges)
    figures["all_mb"] = resident() - before
    pick = random.Random(5)
    rows = [pick.randrange(len(exchanges)) for _ in range(20_000)]
    began = time.perf_counter()
    for row in rows:
        _ = exchanges[row]
    figures["row_us"] = (time.perf_counter() - began) / len(rows) * 1e6
    seqs = [pick.randrange(len(log)) + 1 for _ in range(5_000)]
    began = time.perf_counter()
    for seq in seqs:
        assert log.body(seq)
    figures["body_us"] = (time.perf_counter() - began) / len(seqs) * 1e6
    for line in FILTERS:
        began = time.perf_counter()
        found = Filter(parse(line), exchanges).rows()
        figures[f"filter {line}"] = (time.perf_counter() - began) * 1e3
        figures[f"found {line}"] = len(found)
    for name, needle in (
        ("rare text", Needle(f'"n":{len(log) - 5},')),
        ("no text", Needle("zebra")),
        ("expression", Needle(r"fox \w+ovr", regex=True)),
    ):
        began = time.perf_counter()
        longest, step = 0.0, began
        for _ in search(log, needle):
            longest, step = max(longest, time.perf_counter() - step), time.perf_counter()
        figures[f"search {name}"] = time.perf_counter() - began
        figures[f"step {name}"] = longest * 1e3
    log.close()
    return figures


def table(figures: dict[str, Any]) -> list[tuple[str, str, str]]:
    """What was measured, the figure, and the limit."""
    lines = [
        ("record, rows a second", f"{figures['record_rate']:,.0f}", ""),
        ("  until all is on disk", f"{figures['record_rate_on_disk']:,.0f}", ""),
        ("  one append, CPU of its thread", f"{figures['append_us']:.2f} µs", "6 µs"),
        ("  all threads, CPU a row", f"{figures['process_us']:.2f} µs", ""),
        ("  longest append", f"{figures['append_worst_ms']:.1f} ms", ""),
        ("  memory grows by at most", f"{figures['record_mb']:.0f} MB", "200 MB"),
        ("  the file", f"{figures['file_mb']:,.0f} MB", ""),
        ("open the session", f"{figures['open_s']:.2f} s", "1 s"),
        ("  memory", f"{figures['open_mb']:.0f} MB", "100 MB"),
        (f"derive {figures['exchanges']:,} rows", f"{figures['exchanges_s']:.2f} s", ""),
        ("  longest step of 2 000 records", f"{figures['exchanges_step_ms']:.1f} ms", "8 ms"),
        ("  memory with the columns", f"{figures['all_mb']:.0f} MB", "200 MB"),
        ("one row", f"{figures['row_us']:.1f} µs", ""),
        ("one body from disk, anywhere", f"{figures['body_us']:.1f} µs", ""),
    ]
    lines += [
        (f"filter {line}", f"{figures[f'filter {line}']:.0f} ms ({figures[f'found {line}']:,})", "200 ms")
        for line in FILTERS
    ]
    for name in ("rare text", "no text", "expression"):
        shown = f"{figures[f'search {name}']:.2f} s, step {figures[f'step {name}']:.1f} ms"
        lines.append((f"search, {name}", shown, "a few s"))
    return lines


def main() -> None:
    """Run both parts, or the one that a child is told to."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--size", type=int, default=1_024)
    parser.add_argument("--part", choices=["record", "look"])
    parser.add_argument("--path", type=Path)
    options = parser.parse_args()
    if options.part == "record":
        print(json.dumps(record(options.path, options.rows, options.size)))
        return
    if options.part == "look":
        print(json.dumps(look(options.path)))
        return
    figures: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        path = folder
        for part in ("record", "look"):
            command = [sys.executable, __file__, "--part", part, "--path", path]
            command += ["--rows", str(options.rows), "--size", str(options.size)]
            figures |= json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True, timeout=600).stdout)
            path = figures["path"]
    figures.pop("path")
    for what, figure, limit in table(figures):
        print(f"{what:44} {figure:>24} {limit:>10}", file=sys.stderr)
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
