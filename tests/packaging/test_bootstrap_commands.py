"""What `bootstrap.py` says and does with its arguments, without installing anything."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from boot import checks, display, environment, main, system
from boot.say import Stop

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "packaging" / "bootstrap.py"


def bootstrap(*arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, SCRIPT, *arguments], capture_output=True, text=True, timeout=30, **options)


class Became(BaseException):
    """Raised in place of `os.execve`, which does not return."""


@pytest.fixture
def became(monkeypatch: pytest.MonkeyPatch):
    """Runs `bootstrap.py run` up to the moment it becomes the program; returns its arguments and environment."""
    seen = []

    def execve(_path: str, command: list[str], environ: dict[str, str]) -> None:
        seen.append((command, environ))
        raise Became

    monkeypatch.setattr(os, "execve", execve)
    monkeypatch.setattr(main, "set_up", lambda _group, _platforms: ("python", frozenset()))
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)

    def run(*arguments: str) -> tuple[list[str], dict[str, str]]:
        with pytest.raises(Became):
            main.run(list(arguments))
        command, environ = seen.pop()
        assert command[:4] == ["python", "-P", "-m", "mcp_inspector"]
        return command[4:], environ

    return run


def test_an_older_python_is_told_what_is_needed() -> None:
    fake = "import sys, runpy; sys.version_info = (3, 9, 1); sys.argv = sys.argv[1:]; "
    fake += "runpy.run_path(sys.argv[0], run_name='__main__')"
    ended = subprocess.run([sys.executable, "-c", fake, SCRIPT, "run"], capture_output=True, text=True, timeout=30)
    assert ended.returncode == 2
    assert "this is Python 3.9, and MCP Inspector needs 3.11 or newer" in ended.stderr
    assert ended.stdout == ""


def test_the_first_file_can_be_read_by_older_pythons() -> None:
    text = SCRIPT.read_text("ascii")
    tree = ast.parse(text, feature_version=(3, 4))
    too_new = (ast.JoinedStr, ast.AnnAssign, ast.NamedExpr, ast.Starred)
    assert [node for node in ast.walk(tree) if isinstance(node, too_new)] == []


def test_without_a_command_it_explains_itself() -> None:
    ended = bootstrap()
    assert ended.returncode == 2
    assert "usage:" in ended.stderr


@pytest.mark.parametrize("arguments", [["setup", "x"], ["nonsense"], ["lock", "--what"]])
def test_wrong_use_is_told(arguments: list[str]) -> None:
    assert bootstrap(*arguments).returncode == 2


@pytest.mark.skipif(os.name == "nt", reason="closes POSIX file descriptors")
def test_closed_standard_streams_do_no_harm() -> None:
    ended = subprocess.run(
        ["/bin/sh", "-c", f'"{sys.executable}" "{SCRIPT}" help 0<&- 2>&-'], capture_output=True, timeout=30
    )
    assert ended.returncode == 0
    assert ended.stdout.startswith(b"usage:")


def test_without_a_display_the_main_job_is_walked(became, capfd: pytest.CaptureFixture[str]) -> None:
    arguments, environ = became()
    assert arguments[:-1] == ["--demo", "--size", "1440x900", "--walk"]
    assert arguments[-1].endswith(".png")
    assert environ["QT_QPA_PLATFORM"] == "offscreen"
    assert "no display" in capfd.readouterr().err


def test_without_a_display_a_server_of_ones_own_is_pictured_and_never_walked(became) -> None:
    arguments, environ = became("--", "some-server", "--walk")
    assert arguments[2] == "--screenshot"
    assert "--walk" not in arguments[: arguments.index("--")]
    assert arguments[4:] == ["--", "some-server", "--walk"]
    assert environ["QT_QPA_PLATFORM"] == "offscreen"


@pytest.mark.parametrize(
    "arguments",
    [
        ["list", "everything", "--json"],
        ["call", "get_time", "zone=UTC", "--", "server"],
        ["--version"],
        ["--screenshot", "a b.png", "https://example.com/mcp"],
        ["--screenshot", "a b.png", "--config", "servers.json"],
        ["--screenshot=x.png", "--demo"],
    ],
)
def test_arguments_go_to_the_program_as_they_are(became, arguments: list[str]) -> None:
    passed, environ = became(*arguments)
    assert passed == arguments
    assert environ["QT_QPA_PLATFORM"] == "offscreen"


@pytest.mark.parametrize("arguments", [["--theme", "dark", "--size=800x500"], ["--demo", "--page", "traffic"]])
def test_without_a_display_the_look_of_the_walk_can_be_chosen(became, arguments: list[str]) -> None:
    passed, _ = became(*arguments)
    assert "--walk" in passed
    assert passed.count("--demo") == 1
    assert set(arguments) <= set(passed)
    assert sum("--size" in argument for argument in passed) == 1


@pytest.mark.parametrize(
    ("arguments", "nothing"),
    [
        ([], True),
        (["--screenshot", "x.png"], True),
        (["--theme", "dark", "--page=traffic", "--scale", "2"], True),
        (["--theme", "dark", "https://example.com"], False),
        (["--theme", "dark", "--", "server"], False),
        (["--config=x.json"], False),
        (["list", "time"], False),
        (["--help"], False),
    ],
)
def test_a_window_with_nothing_to_connect_to_gets_the_demo(became, arguments: list[str], nothing: bool) -> None:
    assert main.names_no_server(arguments) is nothing
    if "--screenshot" in arguments:
        assert became(*arguments)[0] == ["--demo", *arguments]


def test_the_options_of_the_window_are_those_of_the_program() -> None:
    ended = subprocess.run(
        [sys.executable, "-P", "-c", "import mcp_inspector.app as app; app.parse(['--help'])"],
        capture_output=True, text=True, timeout=60, env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    told = set(re.findall(r"^  (--[a-z]+) [A-Z{]", ended.stdout, re.MULTILINE))
    assert told == main.WITH_VALUE


def test_the_commands_without_a_window_are_those_of_the_program() -> None:
    from mcp_inspector import cli

    assert set(cli.COMMANDS) == main.COMMAND_WORDS


def test_with_a_display_the_demo_opens(became, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISPLAY", ":7")
    monkeypatch.setattr(display, "x11_answers", lambda: True)
    arguments, environ = became()
    assert arguments == ["--demo"]
    assert "QT_QPA_PLATFORM" not in environ


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="X and Wayland")
def test_a_display_that_does_not_answer_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("QT_QPA_PLATFORM", raising=False)
    monkeypatch.setenv("DISPLAY", "unix:4321")
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-4321")
    assert "does not answer (WAYLAND_DISPLAY=wayland-4321 and DISPLAY=unix:4321)" in display.why_none()
    assert "libraries" in display.why_none(frozenset({"xcb", "wayland"}))


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="shared libraries of Linux")
def test_a_missing_library_is_found_and_named_with_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    nowhere = system.Need("libnowhere.so.9", "libnowhere9")
    assert system.missing((nowhere, system.Need("libc.so.6", "libc6"))) == [nowhere]
    monkeypatch.setattr(system, "is_root", lambda: False)
    monkeypatch.setattr(system, "_which", lambda name: name if name in ("apt-get", "sudo") else None)
    assert system.remedy([nowhere, system.FONT]) == "Type: sudo apt-get install -y libnowhere9 fonts-dejavu-core"
    monkeypatch.setattr(system, "_which", lambda name: name if name == "dnf" else None)
    assert system.remedy([nowhere]) == "Type as root: dnf install 'libnowhere.so.9()(64bit)'"


def test_a_command_that_takes_too_long_is_ended() -> None:
    from boot.shell import run

    with pytest.raises(Stop, match="was ended after 0 seconds"):
        run([sys.executable, "-c", "import time; time.sleep(60)"], limit=0.3)


def test_a_remedy_fits_what_pip_said() -> None:
    assert "mirror or proxy" in environment._remedy("ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM", "pip")
    assert "64-bit Linux" in environment._remedy("ERROR: No matching distribution found for x==1", "pip")
    assert "HTTPS_PROXY" in environment._remedy("NewConnectionError", "pip")


def test_installers_are_not_led_to_another_place(monkeypatch: pytest.MonkeyPatch) -> None:
    from boot.shell import clean_environment

    monkeypatch.setenv("PIP_TARGET", "elsewhere")
    monkeypatch.setenv("PYTHONPATH", "elsewhere")
    monkeypatch.setenv("PIP_USER", "1")
    monkeypatch.setenv("PIP_CERT", "mine.pem")
    kept = clean_environment()
    assert "PIP_TARGET" not in kept
    assert "PYTHONPATH" not in kept
    assert kept["PIP_USER"] == "0"
    assert kept["PIP_CERT"] == "mine.pem"


def test_what_failed_before_pytest_stands_above_its_closing_line(tmp_path: Path) -> None:
    (tmp_path / "test_one.py").write_text("def test_one(): pass\n")
    environ = {**checks.surroundings(), "BOOTSTRAP_FAILED": "mypy"}
    script = ROOT / "packaging" / "boot" / "run_pytest.py"
    command = [sys.executable, "-P", script, "-p", "no:cacheprovider", "-c", os.devnull, tmp_path]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60, env=environ, cwd=tmp_path)
    *_, told, last = ended.stdout.strip().splitlines()
    assert told == "FAILED before the tests, see above: mypy"
    assert "1 passed" in last


@pytest.mark.parametrize(("name", "command"), checks.CHECKS)
def test_a_check_can_fail(name: str, command: list[str], tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.mypy]\nfiles = ["bad.py"]\n')
    (tmp_path / "bad.py").write_text('import os\nx: int="a"\n')
    ended = subprocess.run([sys.executable, *command], capture_output=True, text=True, cwd=tmp_path, timeout=60)
    assert ended.returncode != 0, f"{name}: {ended.stdout}"
    assert "No module named" not in ended.stderr


def test_ci_runs_the_same_command_as_a_person() -> None:
    lines = (ROOT / ".ci" / "run").read_text().splitlines()
    assert lines[0] == "#!/bin/bash"
    assert lines[-1] == "exec python3 packaging/bootstrap.py test"
    assert os.access(ROOT / ".ci" / "run", os.X_OK)
