"""Names of servers: safe as files, free, and readable."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_inspector.config.names import free_name, name_of_command, name_of_url, storage_key

NAMES = ["my server", "my_server", "my-server", "my.server", "MY_SERVER", "my__server", "evil__foo", "../x", "x", "con"]
NAMES += ["é", unicodedata.normalize("NFD", "é"), "../../evil", "a/b", "", "😀", "A", "a", "x\ny", "x" * 300, "\ud800"]


def test_cfg_19_storage_keys_are_different_on_every_file_system() -> None:
    """CFG-19, CFG-15: also where case and Unicode normalization do not count."""
    keys = {unicodedata.normalize("NFC", storage_key(name)).casefold() for name in NAMES}
    assert len(keys) == len(NAMES)


@given(st.text() | st.sampled_from(NAMES))
def test_cfg_15_a_storage_key_is_a_plain_file_name(name: str) -> None:
    """CFG-15: no path, no device name, no hidden file, not too long."""
    key = storage_key(name)
    assert re.fullmatch(r"[a-z0-9]+(?:-[a-z0-9]+)*-[0-9a-f]{24}", key)
    assert len(key) <= 65
    assert key == storage_key(name)


def test_a_free_name() -> None:
    assert free_name("a", {"b"}) == "a"
    assert free_name("a", {"a", "a (2)"}) == "a (3)"


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("npx -y @modelcontextprotocol/server-everything@1.2 stdio", "server-everything"),
        ("npx -y mcp-remote https://x/y", "mcp-remote"),
        ("uvx mcp-server-time --local-timezone UTC", "mcp-server-time"),
        ("uv run server.py", "server"),
        ("python3.11 -m my_server", "my_server"),
        ("/usr/bin/python3 /srv/tools/weather.py", "weather"),
        ("node build/index.js", "index"),
        ("docker run -i --rm mcp/github:latest", "github"),
        ("/opt/bin/mcp-thing -v", "mcp-thing"),
        (r"C:\tools\thing.exe", "thing"),
        ("python", "python"),
        ("-", "-"),
    ],
)
def test_a_command_is_called_by_what_it_starts(line: str, name: str) -> None:
    command, *args = line.split()
    assert name_of_command(command, args) == name


def test_a_programs_text_is_no_name() -> None:
    assert name_of_command("python3", ["-c", "import sys; sys.exit(3)"]) == "python3"


def test_an_address_is_called_by_its_host() -> None:
    assert name_of_url("https://user:pw@example.com:8443/mcp?x#y") == "example.com:8443"
    assert name_of_url("HTTP://h") == "h"
    assert name_of_url("") == "server"
