"""What is measured. Each scenario returns rows of the table; the limits are those the project has set itself."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator

from harness import (
    HERE,
    Bench,
    Row,
    Unmeasured,
    child,
    echo_command,
    echo_url,
    faster,
    first_answer,
    interleaved,
    limited,
    megabytes,
    ours,
    sdks,
    seconds,
    window,
)

Scenario = Callable[[Bench], Iterator[Row]]


def start(bench: Bench) -> Iterator[Row]:
    """From the command to the window, to the demo's tools in it, and the memory of the program when it is idle."""
    both = interleaved(bench.rounds * 2 - 1, window=lambda: window("start", "--demo"), demo=first_answer)
    medians, server = both["window"], both["demo"]["seconds"]
    yield limited("start to first paint", medians["painted"], 0.4, seconds)
    yield Row("start to the demo's tools on screen", seconds(medians["shown"]))
    yield Row("  of which the demo server until its first answer", seconds(server))
    yield limited("  the rest", medians["shown"] - server, 0.8, seconds)
    yield limited("memory (PSS), connected and idle", medians["memory"], 120e6, megabytes)


def list_headless(bench: Bench) -> Iterator[Row]:
    """From the command to the tools of one server as JSON on stdout, beside the SDK in a script and bare Python."""
    target = echo_command("--tools", "20")
    python = bench.sdk()
    cli = [sys.executable, "-P", "-m", "mcp_inspector", "list", "--json", "--", *target]
    medians = interleaved(
        bench.rounds * 2 - 1,
        cli=lambda: child(cli),
        sdk=(lambda: child(sdks(python, "list", *target))) if python else None,
        bare=lambda: child([sys.executable, "-c", "print({})"]),
    )
    peer = medians["sdk"]["wall"] if python else None
    yield limited("headless list, command line (peer: SDK script)", medians["cli"]["wall"], 0.35, seconds, peer)
    yield Row("  of which Python alone", seconds(medians["bare"]["wall"]))


def calls_stdio(bench: Bench) -> Iterator[Row]:
    """Echo calls per second over stdio, one after another and 64 at once, recording on."""
    yield from _calls(bench, "stdio", echo_command(), (3000, 12000), (1.5, 5.0))


def calls_http(bench: Bench) -> Iterator[Row]:
    """The same over Streamable HTTP."""
    with echo_url() as url:
        yield from _calls(bench, "HTTP", [url], (800, 1600), (1.0, 3.0))


def _calls(
    bench: Bench, name: str, target: list[str], counts: tuple[int, int], wanted: tuple[float, float]
) -> Iterator[Row]:
    python = bench.sdk()
    numbers = [str(count) for count in counts]
    medians = interleaved(
        bench.rounds,
        qt=lambda: child(ours("calls", *numbers, *target, loop="qt")),
        sdk=(lambda: child(sdks(python, "calls", *numbers, *target))) if python else None,
        plain=lambda: child(ours("calls", *numbers, *target)),
    )
    for kind, least, label in (("sequential", wanted[0], "one by one"), ("together", wanted[1], "64 at once")):
        peer = medians["sdk"][kind] if python else None
        yield faster(f"{name} calls, {label}, window's loop", medians["qt"][kind], peer, least)
        yield faster(f"{name} calls, {label}, plain loop", medians["plain"][kind], peer, least)


def big_result(bench: Bench) -> Iterator[Row]:
    """A result of 100 MB of text over stdio, whole; the SDK gets a tenth of it."""
    python = bench.sdk()
    medians = interleaved(
        bench.rounds,
        qt=lambda: child(ours("big", "100000000", *echo_command(), loop="qt")),
        small=lambda: child(ours("big", "10000000", *echo_command(), loop="qt")),
        sdk=(lambda: child(sdks(python, "big", "10000000", *echo_command()))) if python else None,
    )
    if medians["qt"]["bytes"] < 99_000_000:
        raise Unmeasured("the result did not come whole")
    screen = interleaved(bench.rounds, window=lambda: window("big", "100000000", "--", *echo_command()))["window"]
    yield Row("100 MB result, call to outcome", seconds(medians["qt"]["seconds"]))
    yield Row("  longest gap of the loop", seconds(medians["qt"]["gap"]))
    yield Row("  peak memory", megabytes(medians["qt"]["peak"]))
    yield Row("100 MB result on screen, window", seconds(screen["screen"]))
    yield Row("  longest gap of the window's loop", seconds(screen["gap"]))
    peer = medians["sdk"]["seconds"] if python else None
    yield limited("10 MB result, call to outcome", medians["small"]["seconds"], 0.3, seconds, peer)


def many_tools(bench: Bench) -> Iterator[Row]:
    """10 000 tools, in one page and in pages of 100."""
    python = bench.sdk()
    for label, options in (("one page", ()), ("pages of 100", ("--page", "100"))):
        target = echo_command("--tools", "10000", *options)
        medians = interleaved(
            bench.rounds,
            qt=lambda target=target: child(ours("list", *target, loop="qt")),
            sdk=(lambda target=target: child(sdks(python, "list", *target))) if python else None,
        )
        if medians["qt"]["tools"] != 10_000:
            raise Unmeasured(f"{medians['qt']['tools']:.0f} tools were listed")
        peer = medians["sdk"].get("seconds") if python else None
        yield limited(f"10 000 tools, {label}, asked to listed", medians["qt"]["seconds"], 0.5, seconds, peer)
    target = echo_command("--tools", "10000")
    screen = interleaved(bench.rounds, window=lambda: window("tools", "5000", "--", *target))["window"]
    yield limited("  filter them, window", screen["filter"], 0.03, seconds)
    yield limited("  clear the filter, window", screen["clear"], 0.03, seconds)
    yield limited("  pick one, window", screen["pick"], 0.03, seconds)


def flood(bench: Bench) -> Iterator[Row]:
    """300 000 notifications as fast as the server can write them: none lost, the loop never stuck."""
    medians = interleaved(bench.rounds, qt=lambda: child(ours("flood", "300000", *echo_command(), loop="qt")))
    figures = medians["qt"]
    lost = figures["sent"] - figures["kept"]
    yield limited("300 000 notifications, recorded", figures["seconds"], 1.5, seconds)
    yield limited("  longest gap of the loop", figures["gap"], 0.05, seconds)
    yield Row("  lost", f"{lost:.0f}", wanted="0", met=lost == 0)
    figures = interleaved(bench.rounds, window=lambda: window("flood", "300000", "--", *echo_command()))["window"]
    lost = figures["sent"] - figures["kept"]
    yield limited("300 000 notifications, in the open window", figures["screen"], 1.5, seconds)
    yield limited("  longest gap of the loop", figures["gap"], 0.05, seconds)
    yield Row("  lost", f"{lost:.0f}", wanted="0", met=lost == 0)


def million(bench: Bench) -> Iterator[Row]:
    """A million messages of 1 KB: recorded, opened, scrolled, filtered and searched in the window."""
    rates = [sys.executable, "-P", str(HERE / "store_rates.py"), "--rows", "1000000", "--size", "1024"]
    with tempfile.TemporaryDirectory() as folder:
        made = child([*rates, "--part", "record", "--path", folder])
        yield Row("1 000 000 messages of 1 KB, recorded a second", f"{made['record_rate']:,.0f}")
        yield Row("  until all is on disk", f"{made['record_rate_on_disk']:,.0f}")
        yield limited("  memory grows by", made["record_mb"] * 1e6, 200e6, megabytes)
        command = [sys.executable, "-P", str(HERE / "traffic_client.py"), made["path"]]
        seen = interleaved(bench.rounds, window=lambda: child(command, QT_QPA_PLATFORM="offscreen"))["window"]
    yield limited("opened, first rows on screen, CPU", seen["first rows"], 1.0, seconds)
    yield Row("  by the clock", seconds(seen["first rows wall"]))
    yield Row("  all rows taken in, CPU", seconds(seen["all rows"]))
    yield limited("  longest gap of the window's loop, from then on", seen["open gap"], 1.0, seconds)
    yield limited("  memory of the window grows by", seen["memory at the end"], 200e6, megabytes)
    yield Row("scrolled anywhere, each time, CPU", seconds(seen["scroll"]))
    yield limited("  the longest", seen["scroll worst"], 0.05, seconds)
    for name in ("method", "target", "status", "duration", "size"):
        yield limited(f"filtered by {name}, CPU", seen[f"filter {name}"], 0.2, seconds)
    yield limited("  longest gap of the window's loop", seen["filter gap"], 0.05, seconds)
    for name in ("text", "expression", "value"):
        yield limited(f"searched for {name} in all bodies, CPU", seen[f"search {name}"], 5.0, seconds)
        yield Row("  from the key to the last row", seconds(seen[f"search {name} wall"]))
        yield limited("  longest gap of the window's loop", seen[f"search {name} gap"], 0.05, seconds)


def retrieval(bench: Bench) -> Iterator[Row]:
    """10 000 tools: made ready to be searched, then searched by words."""
    command = [sys.executable, "-P", str(HERE / "retrieval_rates.py"), "--tools", "10000"]
    figures = interleaved(bench.rounds, ours=lambda: child(command))["ours"]
    yield limited("10 000 tools indexed, first query answered", figures["index"], 2.0, seconds)
    yield limited("  a query of seven words", figures["query"], 0.02, seconds)
    yield limited("  the slowest of 200", figures["query worst"], 0.02, seconds)
    yield Row("  the same query again", seconds(figures["cached"]))
    yield limited("  after one tool has changed", figures["changed"], 2.0, seconds)


SCENARIOS: dict[str, Scenario] = {
    "start": start,
    "list": list_headless,
    "stdio": calls_stdio,
    "http": calls_http,
    "big": big_result,
    "tools": many_tools,
    "flood": flood,
    "million": million,
    "retrieval": retrieval,
}
