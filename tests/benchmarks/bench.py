"""Measures and prints one table: `python3 packaging/bootstrap.py bench [NAMES…] [--rounds N]`."""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from harness import Bench, Unmeasured, table
from scenarios import SCENARIOS


def main() -> int:
    """Returns 0 when everything asked for was measured and met, 1 otherwise."""
    parser = argparse.ArgumentParser(prog="bootstrap.py bench", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="scenarios; all by default")
    parser.add_argument("--rounds", type=int, default=3, help="how often each side runs (default 3); medians are shown")
    parser.add_argument("--list", action="store_true", help="name the scenarios and end")
    options = parser.parse_args()
    if options.list:
        for name, scenario in SCENARIOS.items():
            print(f"{name:10} {(scenario.__doc__ or '').strip()}")
        return 0
    unknown = [name for name in options.names if name not in SCENARIOS]
    if unknown:
        parser.error(f"no such scenario: {', '.join(unknown)} (there are {', '.join(SCENARIOS)})")
    bench = Bench.here(options.rounds)
    rows, failed = [], False
    for name in options.names or SCENARIOS:
        print(f"measuring {name} …", file=sys.stderr, flush=True)
        try:
            for row in SCENARIOS[name](bench):
                rows.append(row)
                failed = failed or row.met is False
        except (Unmeasured, subprocess.TimeoutExpired) as reason:
            print(f"  {name} could not be measured: {reason}", file=sys.stderr, flush=True)
            failed = True
    peer = f", peer: official Python SDK in {bench.sdk()}" if bench.sdk() else ", no peer installed"
    cores = os.cpu_count()
    print(f"Python {platform.python_version()}, {cores} cores, medians of {options.rounds} interleaved rounds{peer}\n")
    print(table(rows))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
