"""A whole entry under edit: its schema speaks its own words, and the file changes only where the entry does."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from mcp_inspector.config import jsonc
from mcp_inspector.config.entry import ServerEntry
from mcp_inspector.config.entry_edit import edited
from mcp_inspector.config.entry_reader import read_entry
from mcp_inspector.config.entry_schema import entry_schema, json_of
from mcp_inspector.config.entry_writer import GONE, members
from mcp_inspector.config.paste import understand
from mcp_inspector.config.servers_file import ServersFile
from mcp_inspector.schema.fields import Form
from mcp_inspector.schema.kinds import FieldKind
from mcp_inspector.schema.validate import Checker

if TYPE_CHECKING:
    from pathlib import Path

ENTRIES: list[Any] = [
    {},
    {"command": "npx", "args": ["-y", "x"], "env": {"A": "b"}},
    {"command": ["npx", "-y", "x"], "environment": {"A": "b"}},
    {"command": {"path": "npx", "args": ["x"], "env": {"A": "b"}}},
    {"url": "https://example.com/mcp", "headers": {"A": "b"}},
    {"httpUrl": "https://example.com/mcp", "type": "streamable-http"},
    {"serverUrl": "https://example.com/sse", "transport": "sse", "enabled": False},
    {
        "url": "https://example.com/mcp",
        "oauth": {"clientId": "a", "clientSecret": "${S}", "scopes": ["x"], "dpop": "never", "extra": {"a": "b"}},
        "tls": {"ca": "/roots.pem", "keyPassword": "${P}"},
        "proxy": "none",
        "logLevel": "debug",
        "capabilities": {"roots": {}},
        "meta": {"a": 1},
        "trace": True,
    },
    {"command": "x", "type": "local", "protocol": "2023-01-01", "roots": ["file:///a", {"uri": "file:///b"}]},
]


def plain(text: str) -> Any:
    return jsonc.parse(text).plain(spelled=True)


@pytest.mark.parametrize("value", ENTRIES)
def test_the_form_knows_every_member_by_the_name_it_has_there(value: Any) -> None:
    form = Form(entry_schema(value))
    assert form.root.kind is FieldKind.UNION
    text = json.dumps(value)
    from mcp_inspector.wire import jsontext

    node = jsontext.parse(text)
    chosen = form.root.detect(node)
    assert chosen == (1 if any("rl" in name for name in value) else 0)
    branch = form.root.branch(chosen)
    assert not [field.key for field in branch.children(node) if field.extra]
    if value:
        assert Checker(form.source).check(node) == []
        assert not read_entry("s", plain(text)).fatal


def test_a_new_entry_written_by_members_fits_its_schema() -> None:
    entry = ServerEntry("s", command="x", args=("1",), timeout=2.5, reconnect=0, connect="lazy", protocol="modern")
    assert Checker(Form(entry_schema(members(entry))).source).check(json_of(members(entry))) == []


@pytest.mark.parametrize(
    ("before", "after", "changes"),
    [
        ('{"a": 1}', '{"a": 1}', []),
        ('{"a": 1}', '{"a": 1.0}', [(("a",), jsonc.Spelled("1.0"))]),
        ('{"a": ["5"]}', '{"a": [5]}', [(("a",), [jsonc.Spelled("5")])]),
        ('{"a": {"b": 1, "c": 2}}', '{"a": {"b": 1}, "d": null}', [(("a", "c"), GONE), (("d",), None)]),
    ],
)
def test_only_what_differs_is_a_change(before: str, after: str, changes: list[Any]) -> None:
    assert edited(plain(before), plain(after)) == changes


def test_a_file_keeps_its_comments_and_what_others_wrote_meanwhile(tmp_path: Path) -> None:
    path = tmp_path / "servers.json"
    path.write_text(
        '{"mcpServers": {"s": {\n  "command": "x", // the old one\n  "alwaysAllow": ["a"],\n  "n": 1.0\n}}}\n'
    )
    file = ServersFile(path)
    before = file.value("s")
    path.write_text(path.read_text().replace('"n": 1.0', '"n": 2e0'))  # another program
    after = {**before, "command": "y", "alwaysAllow": ["a", "b"], "mine": True}
    file.update("s", read_entry("s", before), read_entry("t", after), (before, after))
    text = path.read_text()
    assert "// the old one" in text
    assert json.loads(text.replace("// the old one", "")) == {
        "mcpServers": {"t": {"command": "y", "alwaysAllow": ["a", "b"], "n": 2.0, "mine": True}}
    }
    assert "2e0" in text
    assert file.value("nobody") is None


def test_pasted_members_that_nobody_knows_are_kept(tmp_path: Path) -> None:
    pasted = understand('{"mcpServers": {"s": {"command": "x", "autoApprove": ["a"], "n": 1.0}}}')
    file = ServersFile(tmp_path / "servers.json")
    file.add(pasted.entries[0], pasted.values[0])
    assert file.value("s") == {"command": "x", "autoApprove": ["a"], "n": "1.0"}
    assert '"n": 1.0' in file.path.read_text()
