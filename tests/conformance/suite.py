"""Runs the official conformance suite against our client, scenario by scenario, and keeps the table of results.

    python tests/conformance/suite.py [--only REGEX]           run them and compare with expected.json
    python tests/conformance/suite.py [--only REGEX] --write   write expected.json and the table in README.md

Each scenario runs alone, for every version it belongs to. It passes when all its checks succeed, there is at least one,
and the client ends well; one that does not is run once more, since some are timed. Exits 1 when something is otherwise
than expected. The suite is one of the peers of the tests: see `tests/peers/installed.py`.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # a script: the checkout comes first

HERE = Path(__file__).parent
CLIENT = HERE / "client.py"
EXPECTED = HERE / "expected.json"
TABLE = HERE / "README.md"
BEGIN, END = "<!-- results begin -->", "<!-- results end -->"
LIMIT_S = 40
EXTENSIONS = (
    "auth/client-credentials-jwt",
    "auth/client-credentials-basic",
    "auth/enterprise-managed-authorization",
    "auth/dpop",
    "auth/dpop-nonce",
    "auth/wif-jwt-bearer",
    "sep-2640-client-no-prefetch",
    "sep-2640-client-verify-digest",
    "sep-2640-client-verify-size",
    "sep-2640-client-verify-frontmatter",
)
"""Scenarios of extensions: the suite lists them without a version, so they run under two, and have to be forced."""
EXTENSION_VERSIONS = ("2025-11-25", "2026-07-28")
MAY_REFUSE = (
    "auth/scope-retry-limit",
    "auth/resource-mismatch",
    "auth/iss-supported-missing",
    "auth/iss-wrong-issuer",
    "auth/iss-unexpected",
    "auth/iss-normalized",
    "auth/metadata-issuer-mismatch",
    "sep-2640-client-verify-digest",
    "sep-2640-client-verify-size",
    "sep-2640-client-verify-frontmatter",
)
"""Where the suite itself lets the client end with an error: it is right to refuse."""
_LISTED = re.compile(r"\s*-\s+(\S+)\s+\[([^\]]*)\]")
_VERSION = re.compile(r"\d{4}-\d{2}-\d{2}")


@dataclass(frozen=True)
class Result:
    """How one scenario went under one version. `bad` are the checks that failed or warned, with what was said."""

    scenario: str
    version: str
    checks: int
    bad: tuple[str, ...]

    @property
    def passes(self) -> bool:
        """Whether all is well."""
        return not self.bad and self.checks > 0


def scenarios(suite: list[str]) -> list[tuple[str, str]]:
    """Every client scenario of every released version, in the suite's order, then those of extensions."""
    told = subprocess.run([*suite, "list", "--client"], capture_output=True, text=True, timeout=60, check=True).stdout
    found = [match for line in told.splitlines() if (match := _LISTED.match(line))]
    core = [(name, version) for name, tags in (match.groups() for match in found) for version in _VERSION.findall(tags)]
    return [*core, *((name, version) for version in EXTENSION_VERSIONS for name in EXTENSIONS)]


def run(suite: list[str], scenario: str, version: str, folder: Path) -> Result:
    """Run one scenario, a second time when it does not pass."""
    first = _once(suite, scenario, version, folder / "first")
    return first if first.passes else _once(suite, scenario, version, folder / "again")


def run_all(suite: list[str], wanted: list[tuple[str, str]]) -> Iterator[Result]:
    """Run these scenarios, two at a time, and give their results in this order."""
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:

        def one(at: int) -> Result:
            return run(suite, *wanted[at], Path(folder) / str(at))

        yield from pool.map(one, range(len(wanted)))


def _once(suite: list[str], scenario: str, version: str, folder: Path) -> Result:
    command = [*suite, "client", "--scenario", scenario, "--spec-version", version, "-o", str(folder)]
    command += ["--command", f"{sys.executable} {CLIENT}", "--timeout", str(LIMIT_S * 1000 - 10_000)]
    if scenario in EXTENSIONS:
        command.append("--force")
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
    )
    printed = ""
    try:
        printed, _ = process.communicate(timeout=LIMIT_S)
    except subprocess.TimeoutExpired:
        printed = "TIMED OUT"
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)  # the suite ends only the shell that it started
        process.wait()
    found = sorted(folder.rglob("checks.json"))
    checks: list[dict[str, str]] = json.loads(found[-1].read_text()) if found else []
    counts = Counter(check["status"] for check in checks)
    bad = [
        f"{check['id']}: {check.get('errorMessage')}" for check in checks if check["status"] in ("FAILURE", "WARNING")
    ]
    signs = ("TIMED OUT",) if scenario in MAY_REFUSE else ("CLIENT EXITED WITH ERROR", "TIMED OUT")
    bad += [words.lower() for words in signs if words in printed]
    return Result(scenario, version, counts["SUCCESS"], tuple(bad))


def expected() -> list[dict[str, Any]]:
    """The kept list: scenario, version, and whether it is expected to pass."""
    rows: list[dict[str, Any]] = json.loads(EXPECTED.read_text("utf-8"))["results"]
    return rows


def table(rows: list[dict[str, Any]]) -> str:
    """The results as the table of README.md, between its marks."""
    lines = ["| scenario | version | passes | checks |", "|---|---|---|---|"]
    for row in rows:
        passes = "yes" if row["passes"] else "no"
        lines.append(f"| {row['scenario']} | {row['version']} | {passes} | {row['checks']} |")
    by_version = {row["version"]: [each for each in rows if each["version"] == row["version"]] for row in rows}
    totals = [
        f"| all of {version} | | {sum(each['passes'] for each in found)} of {len(found)} | "
        f"{sum(each['checks'] for each in found)} |"
        for version, found in sorted(by_version.items())
    ]
    return "\n".join([BEGIN, *lines, *totals, END])


def _write(suite: list[str], results: list[Result], kept: list[dict[str, Any]]) -> None:
    version = subprocess.run([*suite, "--version"], capture_output=True, text=True, timeout=60, check=True).stdout
    fresh = {(each.scenario, each.version): each for each in results}
    before = {(row["scenario"], row["version"]): row for row in kept}
    rows = []
    for key in scenarios(suite):
        if key in fresh:
            each = fresh[key]
            rows.append({"scenario": key[0], "version": key[1], "passes": each.passes, "checks": each.checks})
        elif key in before:
            rows.append(before[key])
    EXPECTED.write_text(json.dumps({"suite": version.strip(), "results": rows}, indent=1) + "\n", "utf-8")
    text = TABLE.read_text("utf-8")
    head, _, rest = text.partition(BEGIN)
    TABLE.write_text(head + table(rows) + rest.partition(END)[2], "utf-8")


def main() -> int:
    """Run what the command line chooses."""
    parser = argparse.ArgumentParser(description="Run the official conformance suite against our client.")
    parser.add_argument("--only", default="", metavar="REGEX", help="only scenarios whose name has this in it")
    parser.add_argument("--write", action="store_true", help="write expected.json and the table")
    options = parser.parse_args()
    from tests.peers import installed

    installed.prepare({"conformance_suite"})
    suite = installed.conformance()
    kept = expected() if EXPECTED.exists() else []
    wanted = {(row["scenario"], row["version"]): row["passes"] for row in kept}
    results, otherwise = [], 0
    chosen = [key for key in scenarios(suite) if re.search(options.only, key[0])]
    for (scenario, version), result in zip(chosen, run_all(suite, chosen), strict=True):
        results.append(result)
        odd = wanted.get((scenario, version)) not in (result.passes, None)
        otherwise += odd
        how = "passes" if result.passes else "fails "
        print(f"{version} {how} {result.checks:4} {scenario}{'  NOT AS EXPECTED' if odd else ''}", *result.bad[:2])
        sys.stdout.flush()
    if options.write:
        _write(suite, results, kept)
        return 0
    return 1 if otherwise else 0


if __name__ == "__main__":
    sys.exit(main())
