"""The official conformance suite against our client: every client scenario of every released version that is not of
authorization, each run alone. A scenario passes when all its checks succeed and the client ends well.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

CLIENT = Path(__file__).parent / "client.py"
LIMIT_S = 40

SCENARIOS = [
    ("initialize", "2025-06-18"),
    ("initialize", "2025-11-25"),
    ("tools_call", "2025-06-18"),
    ("tools_call", "2025-11-25"),
    ("tools_call", "2026-07-28"),
    ("elicitation-sep1034-client-defaults", "2025-11-25"),
    ("sse-retry", "2025-11-25"),
    ("request-metadata", "2026-07-28"),
    ("sep-2322-client-request-state", "2026-07-28"),
    ("http-standard-headers", "2026-07-28"),
    ("http-custom-headers", "2026-07-28"),
    ("http-invalid-tool-headers", "2026-07-28"),
    ("json-schema-ref-no-deref", "2026-07-28"),
    ("json-schema-2020-12-preservation", "2025-11-25"),
    ("json-schema-2020-12-preservation", "2026-07-28"),
]
"""What is expected to pass: all of it. The authorization scenarios come with signing in."""


def run(suite: list[str], scenario: str, version: str, folder: Path) -> tuple[list[dict[str, str]], str]:
    """Run one scenario; returns its checks and what the suite printed."""
    command = [
        *suite,
        "client",
        "--scenario",
        scenario,
        "--spec-version",
        version,
        "-o",
        str(folder),
        "--command",
        f"{sys.executable} {CLIENT}",
        "--timeout",
        str(LIMIT_S * 1000 - 10_000),
    ]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
    )
    try:
        printed, _ = process.communicate(timeout=LIMIT_S)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)  # the suite ends only the shell that it started
        process.wait()
    found = sorted(folder.rglob("checks.json"))
    return (json.loads(found[-1].read_text()) if found else []), printed


@pytest.mark.node
@pytest.mark.timeout(150)
@pytest.mark.skipif(sys.platform == "win32", reason="the suite starts clients through a POSIX shell")
@pytest.mark.skipif(" " in sys.executable, reason="the suite splits the client's command at blanks")
@pytest.mark.parametrize(("scenario", "version"), SCENARIOS, ids=lambda value: str(value))
def test_a_scenario(conformance_suite: list[str], scenario: str, version: str, tmp_path: Path) -> None:
    checks, printed = run(conformance_suite, scenario, version, tmp_path / "first")
    counts = Counter(check["status"] for check in checks)
    if (
        counts["FAILURE"] or counts["WARNING"] or "TIMED OUT" in printed
    ):  # some are timed: once more on a calmer machine
        checks, printed = run(conformance_suite, scenario, version, tmp_path / "again")
        counts = Counter(check["status"] for check in checks)
    bad = [
        f"{check['id']}: {check.get('errorMessage')}" for check in checks if check["status"] in ("FAILURE", "WARNING")
    ]
    assert bad == []
    assert counts["SUCCESS"]
    assert "CLIENT EXITED WITH ERROR" not in printed
    assert "TIMED OUT" not in printed
