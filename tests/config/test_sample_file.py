"""The sample that is shipped is understood without a complaint."""

from __future__ import annotations

from mcp_inspector import resources
from mcp_inspector.config.servers_file import ServersFile


def test_every_entry_of_the_sample_is_sound() -> None:
    contents = ServersFile(resources.path("samples/servers.jsonc")).read()
    entries = {entry.name: entry for entry in contents.entries}
    assert list(entries) == ["demo", "demo-legacy", "files", "demo-http", "demo-sse"]
    assert [entry.problems for entry in contents.entries] == [()] * 5
    assert [entry.transport for entry in contents.entries] == ["stdio", "stdio", "stdio", "http", "sse"]
    assert [entry.disabled for entry in contents.entries] == [False, True, True, True, True]
    assert entries["demo"].args == ("-m", "mcp_inspector.demo", "stdio")
    assert entries["demo-legacy"].protocol == "2025-06-18"
    assert entries["files"].timeout == 120
    assert dict(entries["demo-http"].headers) == {"Authorization": "Bearer ${env:DEMO_TOKEN}"}
