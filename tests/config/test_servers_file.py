"""The servers file on disk: edits that lose nothing, whoever else writes."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcp_inspector.config import safe_write
from mcp_inspector.config.entry import ServerEntry
from mcp_inspector.config.servers_file import EditRefused, ServersFile

FILE = """\
// my servers
{
    "x-top": {"keep": 1.0},
    "mcpServers": {
        // the first one
        "a": {
            "command": "x", // why
            "args": [],
            "env": {"PORT": 8080, "NONE": null},
            "autoStart": true, "alwaysAllow": ["t"], "x-foo": 1e2
        },
        "b": {"httpUrl": "http://h/mcp", "transportType": "Streamable_HTTP", "enabled": false}, /* c */
    },
}
"""


@pytest.fixture
def file(tmp_path: Path) -> ServersFile:
    path = tmp_path / "folder" / "servers.json"
    path.parent.mkdir()
    path.write_text(FILE)
    return ServersFile(path)


def text(file: ServersFile) -> str:
    return file.path.read_text()


def entry(file: ServersFile, name: str) -> ServerEntry:
    found = file.read().get(name)
    assert found is not None
    return found


def change(file: ServersFile, which: str, **fields: Any) -> None:
    before = entry(file, which)
    file.update(which, before, replace(before, **fields))


def test_reading(file: ServersFile) -> None:
    contents = file.read()
    assert [item.name for item in contents.entries] == ["a", "b"]
    assert contents.problems == ()
    assert entry(file, "a").env == {"PORT": "8080"}
    assert (entry(file, "b").transport, entry(file, "b").disabled) == ("http", True)
    assert entry(file, "a").origin == str(file.path)


@pytest.mark.parametrize(
    ("name", "fields", "old", "new"),
    [
        ("a", {"command": "y"}, '"x", // why', '"y", // why'),
        ("a", {"args": ("-v",)}, '"args": []', '"args": ["-v"]'),
        ("a", {"env": {"PORT": "8080", "K": "v"}}, '"NONE": null}', '"NONE": null, "K": "v"}'),
        ("a", {"env": {}}, '{"PORT": 8080, "NONE": null}', '{"NONE": null}'),
        ("a", {"env": {"PORT": "81"}}, "8080", '"81"'),
        ("a", {"disabled": True}, '"x-foo": 1e2', '"x-foo": 1e2,\n            "disabled": true'),
        ("a", {"timeout": 90.0}, '"x-foo": 1e2', '"x-foo": 1e2,\n            "timeout": 90'),
        ("a", {"timeout": 1800.0}, '"x-foo": 1e2', '"x-foo": 1e2,\n            "timeout": 1800000'),
        ("b", {"disabled": False}, '"enabled": false', '"enabled": true'),
        ("b", {"url": "http://g/"}, "http://h/mcp", "http://g/"),
        ("b", {"transport": "sse"}, '"Streamable_HTTP"', '"sse"'),
        ("b", {"transport": "auto"}, ' "transportType": "Streamable_HTTP",', ""),
        ("b", {"headers": {"X": "1"}}, '"enabled": false', '"enabled": false, "headers": {"X": "1"}'),
        ("b", {"name": "c"}, '"b": {', '"c": {'),
        ("b", {"name": "c", "disabled": False}, '"b": {"httpUrl"', '"c": {"httpUrl"'),
    ],
)
def test_cfg_02_an_edit_changes_its_part_only(
    file: ServersFile, name: str, fields: dict[str, Any], old: str, new: str
) -> None:
    """CFG-02, CFG-06, CFG-09: unknown members, order, comments and the spelling of members stay."""
    change(file, name, **fields)
    expected = FILE.replace(old, new)
    if len(fields) > 1:
        expected = expected.replace('"enabled": false', '"enabled": true')
    assert text(file) == expected
    after = entry(file, fields.get("name", name))
    assert all(getattr(after, field) == value for field, value in fields.items())


def test_cfg_02_add_rename_remove(file: ServersFile) -> None:
    """CFG-02: and back again, byte for byte."""
    file.add(ServerEntry("new one", command="npx", args=("-y", "pkg"), env={"K": "v"}))
    added = (
        '        "new one": {\n            "command": "npx",\n            "args": ["-y", "pkg"],\n'
        '            "env": {\n                "K": "v"\n            }\n        },\n'
    )
    assert text(file) == FILE.replace("/* c */\n", "/* c */\n" + added)
    file.rename("a", "α")
    assert text(file) == FILE.replace("/* c */\n", "/* c */\n" + added).replace('"a": {', '"α": {')
    file.rename("α", "a")
    file.remove("new one")
    assert text(file) == FILE
    file.remove("gone already")
    assert text(file) == FILE


def test_a_local_server_becomes_a_remote_one_and_back(file: ServersFile) -> None:
    change(file, "a", transport="http", command="", args=(), env={}, url="http://h/x", headers={"A": "b"})
    value = json.loads(json.dumps(_plain(file)["mcpServers"]["a"]))
    assert value == {
        "env": {"NONE": None}, "autoStart": True, "alwaysAllow": ["t"], "x-foo": 100.0, "type": "http",
        "url": "http://h/x", "headers": {"A": "b"},
    }  # fmt: skip
    assert entry(file, "a").problems == ()
    change(file, "a", transport="stdio", command="x", url="", headers={})
    assert entry(file, "a").problems == ()
    assert (entry(file, "a").transport, entry(file, "a").command) == ("stdio", "x")


def _plain(file: ServersFile) -> Any:
    from mcp_inspector.config import jsonc

    return jsonc.parse(text(file)).plain()


def test_a_missing_file_is_empty_and_made_on_the_first_add(tmp_path: Path) -> None:
    file = ServersFile(tmp_path / "deep" / "er" / "servers.json")
    assert (file.read().entries, file.read().exists, file.read().problems) == ((), False, ())
    file.add(ServerEntry("a", command="x"))
    assert text(file) == '{\n  "mcpServers": {\n    "a": {\n      "command": "x"\n    }\n  }\n}\n'
    assert os.name == "nt" or stat.S_IMODE(file.path.stat().st_mode) == 0o600
    assert list(file.path.parent.iterdir()) == [file.path]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", '{\n  "mcpServers": {\n    "a": {\n      "command": "x"\n    }\n  }\n}\n'),
        ("{}", '{\n  "mcpServers": {\n    "a": {\n      "command": "x"\n    }\n  }\n}'),
        ('{"mcpServers":{}}', '{"mcpServers":{"a": {"command": "x"}}}'),
        ('{"mcpServers":null}', '{"mcpServers":{"a": {"command": "x"}}}'),
        ('{"servers":{"b":{"url":"http://h"}}}', '{"servers":{"b":{"url":"http://h"},"a":{"command": "x"}}}'),
        ('{"b":{"url":"http://h"}}', '{"b":{"url":"http://h"},"a":{"command": "x"}}'),
        ('[{"name":"b","url":"http://h"}]', '[{"name":"b","url":"http://h"}, {"name": "a", "command": "x"}]'),
    ],
)
def test_adding_to_each_shape(tmp_path: Path, before: str, after: str) -> None:
    file = ServersFile(tmp_path / "f.json")
    file.path.write_text(before)
    file.add(ServerEntry("a", command="x"))
    assert text(file) == after


@pytest.mark.parametrize("content", [b"{", b'{"mcpServers": {"a": 1}} x', b"\xff\xfe{\x00", b'{"a": "\xff"}', b"#\n{}"])
def test_cfg_01_an_unreadable_file_is_never_written(file: ServersFile, content: bytes) -> None:
    """CFG-01: line and column are said, the file is not overwritten."""
    file.path.write_bytes(content)
    contents = file.read()
    assert not contents.readable
    assert "line 1, column" in contents.problems[0]
    before = ServerEntry("a", command="x")
    for edit in (
        lambda: file.add(before),
        lambda: file.update("a", before, replace(before, command="y")),
        lambda: file.rename("a", "b"),
        lambda: file.remove("a"),
        lambda: file.set_disabled("a", True),
    ):
        with pytest.raises(EditRefused, match="line 1, column"):
            edit()
    assert file.path.read_bytes() == content
    assert list(file.path.parent.iterdir()) == [file.path]


def test_refusals_are_sentences(file: ServersFile) -> None:
    a = entry(file, "a")
    with pytest.raises(EditRefused, match='already has a server "a"'):
        file.add(a)
    with pytest.raises(EditRefused, match='already has a server "b"'):
        file.rename("a", "b")
    with pytest.raises(EditRefused, match="needs a name"):
        file.rename("a", "")
    with pytest.raises(EditRefused, match='no server "gone" any more'):
        file.update("gone", a, replace(a, command="y"))
    file.path.write_text('{"command": "x"}')
    with pytest.raises(EditRefused, match="a single server"):
        file.add(ServerEntry("b", command="y"))
    with pytest.raises(EditRefused, match="a single server"):
        file.remove("x")
    file.path.write_text('{"mcpServers": "x"}')
    with pytest.raises(EditRefused, match="none can be added"):
        file.add(ServerEntry("b", command="y"))
    assert text(file) == '{"mcpServers": "x"}'


def test_a_single_server_is_edited_in_its_file(file: ServersFile) -> None:
    file.path.write_text('{"command": "npx", "args": ["pkg"]}')
    change(file, "pkg", args=("pkg", "-v"))
    file.rename("pkg", "mine")
    assert text(file) == '{"command": "npx", "args": ["pkg", "-v"], "name": "mine"}'
    assert entry(file, "mine").args == ("pkg", "-v")


def test_one_broken_entry_never_hides_the_others(file: ServersFile) -> None:
    file.path.write_text('{"mcpServers": {"a": 7, "b": {"env": []}, "c": {"command": "x"}, "c": {"command": "y"}}}')
    contents = file.read()
    assert [(item.name, item.fatal) for item in contents.entries] == [("a", True), ("b", True), ("c", False)]
    assert entry(file, "c").command == "y"
    assert 'Server "c" stands in lines 1, 1' in contents.problems[0]
    with pytest.raises(EditRefused, match="not an object"):
        file.set_disabled("a", True)
    file.update("a", entry(file, "a"), ServerEntry("a", command="z"))
    assert entry(file, "a").command == "z"


def test_the_forms_of_other_programs_keep_their_form(file: ServersFile) -> None:
    file.path.write_text(
        '{"mcp": {"a": {"type": "local", "command": ["x", "-p", 1], "environment": {"A": "b"}},\n'
        ' "z": {"command": {"path": "x", "args": ["q"], "env": {"A": "b"}}}}}'
    )
    change(file, "a", args=("-v", "-p", "1"), env={"A": "c"})
    change(file, "z", command="y", args=(), env={"A": "b", "C": "d"})
    assert text(file) == (
        '{"mcp": {"a": {"type": "local", "command": ["x", "-v", "-p", 1], "environment": {"A": "c"}},\n'
        ' "z": {"command": {"path": "y", "args": [], "env": {"A": "b", "C": "d"}}}}}'
    )


@pytest.mark.skipif(os.name == "nt", reason="POSIX permissions and symlinks")
def test_cfg_02_permissions_and_symlink_target_are_kept(file: ServersFile, tmp_path: Path) -> None:
    """CFG-02: the link stays a link, its target keeps its mode."""
    link = tmp_path / "elsewhere" / "link.json"
    link.parent.mkdir()
    link.symlink_to(file.path)
    file.path.chmod(0o640)
    ServersFile(link).set_disabled("a", True)
    assert link.is_symlink()
    assert stat.S_IMODE(file.path.stat().st_mode) == 0o640
    assert entry(file, "a").disabled
    assert list(link.parent.iterdir()) == [link]


def test_crlf_and_bom_survive_an_edit(file: ServersFile) -> None:
    file.path.write_bytes(b"\xef\xbb\xbf" + FILE.replace("\n", "\r\n").encode())
    file.set_disabled("a", True)
    raw = file.path.read_bytes()
    assert raw.startswith(b"\xef\xbb\xbf//")
    assert raw.count(b"\n") == raw.count(b"\r\n") == FILE.count("\n") + 1


def test_nothing_is_written_when_nothing_changes(file: ServersFile) -> None:
    before = file.path.stat()
    change(file, "a", command="x")
    file.set_disabled("b", True)
    after = file.path.stat()
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)


def test_a_failed_write_leaves_the_old_file_and_no_other(file: ServersFile, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(safe_write.os, "fsync", full)
    with pytest.raises(EditRefused, match="no space left"):
        file.set_disabled("a", True)
    assert text(file) == FILE
    assert list(file.path.parent.iterdir()) == [file.path]


def test_cfg_14_an_edit_by_another_program_in_the_dialog_is_kept(file: ServersFile) -> None:
    """CFG-14: what the dialog did not touch is as the other program left it."""
    before = entry(file, "a")
    file.path.write_text(FILE.replace('"args": []', '"args": ["theirs"]').replace("// my servers", "// theirs"))
    file.update("a", before, replace(before, command="ours"))
    assert entry(file, "a").args == ("theirs",)
    assert entry(file, "a").command == "ours"
    assert text(file).startswith("// theirs")


def test_cfg_14_a_change_between_reading_and_writing_is_not_lost(
    file: ServersFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    """CFG-14: an editor that knows no lock saves in the very moment of our edit."""
    reads = iter([None, "theirs"])
    original = ServersFile._bytes

    def read(self: ServersFile) -> bytes | None:
        if next(reads, None) == "theirs":
            self.path.write_text(text(self).replace("// my servers", "// theirs"))
        return original(self)

    monkeypatch.setattr(ServersFile, "_bytes", read)
    file.set_disabled("a", True)
    monkeypatch.undo()
    assert text(file).startswith("// theirs")
    assert entry(file, "a").disabled


def test_cfg_17_edits_of_many_threads_are_all_there(file: ServersFile, monkeypatch: pytest.MonkeyPatch) -> None:
    """CFG-17: toggles, additions and renames at once, on a slow file system."""
    original = os.fsync

    def slow(descriptor: int) -> None:
        time.sleep(0.002)  # the slow disk of the case
        original(descriptor)

    monkeypatch.setattr(safe_write.os, "fsync", slow)
    file.add(ServerEntry("d", command="d"))
    jobs = [
        lambda: file.set_disabled("a", True),
        lambda: file.set_disabled("b", False),
        lambda: file.rename("d", "e"),
        *[lambda number=number: file.add(ServerEntry(f"s{number}", command="x")) for number in range(20)],
    ]
    errors: list[Exception] = []

    def run(job: Any) -> None:
        try:
            ServersFile(file.path)
            job()
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=(job,)) for job in jobs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    names = {item.name for item in file.read().entries}
    assert names == {"a", "b", "e", *(f"s{number}" for number in range(20))}
    assert entry(file, "a").disabled
    assert not entry(file, "b").disabled
    assert list(file.path.parent.iterdir()) == [file.path]


WRITER = """
import sys
from pathlib import Path
from mcp_inspector.config.entry import ServerEntry
from mcp_inspector.config.servers_file import ServersFile
file = ServersFile(Path(sys.argv[1]))
for number in range(15):
    file.add(ServerEntry(f"{sys.argv[2]}{number}", command="x"))
    if number % 3 == 0:
        file.remove(f"{sys.argv[2]}{number}")
"""


def test_cfg_17_two_programs_write_at_once(file: ServersFile) -> None:
    """CFG-17: no edit of either is lost, the file is whole at every moment."""
    children = [subprocess.Popen([sys.executable, "-c", WRITER, str(file.path), who]) for who in "pq"]
    while any(child.poll() is None for child in children):
        assert file.read().readable
    assert [child.wait(30) for child in children] == [0, 0]
    expected = {f"{who}{number}" for who in "pq" for number in range(15) if number % 3}
    assert {item.name for item in file.read().entries} == {"a", "b", *expected}
    assert list(file.path.parent.iterdir()) == [file.path]


def test_cfg_17_a_lock_that_is_held_too_long_is_said(file: ServersFile, monkeypatch: pytest.MonkeyPatch) -> None:
    """CFG-17: a hung writer does not hang us."""
    monkeypatch.setattr(safe_write.lock.__wrapped__, "__defaults__", (0.05,))
    with safe_write.lock(file.path), pytest.raises(EditRefused, match="another program has been writing"):
        file.set_disabled("a", True)
    assert text(file) == FILE


@settings(max_examples=25)
@given(st.lists(st.sampled_from("abcde"), max_size=8), st.data())
def test_any_sequence_of_edits_leaves_a_file_that_says_what_was_done(names: list[str], data: st.DataObject) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        file = ServersFile(Path(folder) / "f.json")
        file.path.write_text("// top\n{} // end\n")
        model: dict[str, bool] = {}
        for name in names:
            if name not in model:
                file.add(ServerEntry(name, command="x"))
                model[name] = False
            elif data.draw(st.booleans()):
                file.remove(name)
                del model[name]
            else:
                model[name] = not model[name]
                file.set_disabled(name, model[name])
        assert [(item.name, item.disabled) for item in file.read().entries] == list(model.items())
        assert text(file).startswith("// top\n{")
        assert text(file).endswith("} // end\n")


def test_choices_of_a_server_are_written_read_and_taken_out_and_all_else_stays(tmp_path: Path) -> None:
    path = tmp_path / "servers.json"
    meta = '{"n": 1e3, "big": 9007199254740993}'
    path.write_text('{"mcpServers": {\n  // mine\n  "s": {"command": "x", "custom": 1.50, "meta": ' + meta + "}}}")
    file = ServersFile(path)
    before = file.read().get("s")
    assert before is not None
    assert before.meta == {"n": 1000.0, "big": 9007199254740993}
    after = replace(
        before, capabilities={"roots": {}}, meta={**before.meta, "new": True}, trace=True, log_level="error"
    )
    assert file.update("s", before, after).get("s") == after
    text = path.read_text()
    for kept in ("// mine", '"custom": 1.50', '"n": 1e3', '"big": 9007199254740993', '"logLevel": "error"'):
        assert kept in text
    assert file.update("s", after, replace(after, name="t")).get("t") == replace(after, name="t")
    renamed = replace(after, name="t")
    gone = replace(renamed, capabilities=None, meta={}, trace=False, log_level="")
    assert file.update("t", renamed, gone).get("t") == gone
    assert "logLevel" not in path.read_text()
    assert file.add(replace(after, name="u")).get("u") == replace(after, name="u")
