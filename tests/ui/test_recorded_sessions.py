"""Recorded sessions in the real window: listed, opened read-only beside the live one, exported, removed."""

from __future__ import annotations

import gc
import json
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QItemSelectionModel, QObject, Qt, QUrl, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit, QToolButton

from mcp_inspector.app import Program, demo_entry, parse
from mcp_inspector.config import paths
from mcp_inspector.config.settings import Settings
from mcp_inspector.store import keeping
from mcp_inspector.store.export import FORMAT
from mcp_inspector.store.formats import pieces
from mcp_inspector.store.log import Log
from mcp_inspector.ui import theme
from mcp_inspector.ui.main_window import MainWindow
from mcp_inspector.ui.memory import Memory
from tests.peers.raw_http import RawHttp, Reply, Request
from tests.ui.bench import Bench, close, demo_opened, opened, press, until, write
from tests.ui.story import tell

if TYPE_CHECKING:
    from pathlib import Path

    from mcp_inspector.ui.views.export_dialog import ExportDialog
    from mcp_inspector.ui.views.sessions import SessionsView

pytestmark = pytest.mark.anyio


@pytest.fixture
def folder(home: Path) -> Path:
    """Where sessions are kept in this test."""
    return home / "data" / "sessions"


def recorded(folder: Path, name: str = "earlier", rounds: int = 1) -> Path:
    """A session of an earlier run."""
    log = Log.create(folder, "test")
    tell(log, rounds)
    log.close()
    assert log.path is not None
    return log.path.replace(folder / f"{name}.mcpsession")


async def listed(bench: Bench) -> SessionsView:
    """The list of sessions, read."""
    bench.window.commands.run("sessions")
    view = bench.window.places.sessions
    assert view is not None
    await until(lambda: view.model.rowCount() and not view.model.reading, what="the sessions to be read")
    return view


async def looked(dialog: ExportDialog) -> None:
    """Wait for the preview."""
    await until(lambda: dialog._preview is not None, what="the preview")


async def test_all_sessions_are_listed_and_the_live_one_is_marked(folder: Path) -> None:
    path = recorded(folder)
    (folder / "broken.mcpsession").write_text("no")
    async with opened(demo_entry(lazy=True)) as bench:
        assert bench.window.places.sessions is None  # built when it is looked at
        view = await listed(bench)
        shown = {view.model.info(row).path.name: row for row in range(view.model.rowCount())}
        assert bench.log.path is not None
        assert set(shown) == {path.name, "broken.mcpsession", bench.log.path.name}
        live, old, broken = (shown[name] for name in (bench.log.path.name, path.name, "broken.mcpsession"))
        texts = [[view.model.index(row, column).data() for column in range(6)] for row in (live, old, broken)]
        assert texts[0][2] == "recording now"
        assert (texts[1][1], texts[1][3], texts[1][5]) == ("earlier", "43", "everything, demo, github, sqlite")
        assert texts[1][2] != "not closed"
        assert "cannot be read as a session" in texts[2][5]
        view.select(folder / "broken.mcpsession")
        assert not view.button("open").isEnabled()
        write(view.search, "sqlite")
        assert view.sieve.rowCount() == 1
        assert view.count.text().startswith("1 of 3")


async def test_the_live_row_grows_while_it_is_looked_at() -> None:
    async with opened(demo_entry(lazy=True)) as bench:
        view = await listed(bench)
        before = view.model.info(0).rows
        await bench.connect()
        await until(lambda: view.model.info(0).rows > before, what="the live session to grow in the list")
        assert view.model.info(0).servers == ("demo",)


async def test_one_is_opened_read_only_and_left_again(folder: Path) -> None:
    path = recorded(folder)
    async with demo_opened() as bench:
        window, place = bench.window, bench.window.places.traffic
        assert place is not None
        view = await listed(bench)
        view.select(path)
        QTest.keyClick(view.table, Qt.Key.Key_Return)
        await bench.still()
        past = place.past
        assert past is not None
        assert past.isVisible()
        assert not place.live.isVisible()
        assert "43 records, read-only" in place.bar.text()
        past.model.catch_up()
        assert [exchange.server for exchange in past.model.exchanges][:1] == ["everything"]
        assert not past._pause.isVisible()
        with pytest.raises(RuntimeError):
            past.model.log.append(bench.log.record(1).entry)
        rows = len(bench.log)
        await bench.call("echo", {"text": "recorded meanwhile"})
        assert len(bench.log) > rows
        assert place.past is past  # a call does not take it away
        press(place.bar.findChildren(type(place.bar._button))[0])
        assert place.past is None
        assert place.live.isVisible()
        window.places.open_session(path)
        window.commands.run("record")  # "show the exchange" is about the live one
        await bench.still()
        assert place.past is None


async def test_a_call_in_an_earlier_session_leads_to_the_tool_of_today(folder: Path) -> None:
    log = Log.create(folder, "test")
    from tests.ui.story import Story

    story = Story(log)
    story.call("demo", "tools/call", "add", {"name": "add"}, {"result": {}})
    story.call("gone", "tools/call", "add", {"name": "add"}, {"result": {}})
    log.close()
    assert log.path is not None
    async with demo_opened() as bench:
        window = bench.window
        window.places.open_session(log.path)
        past = window.places.traffic and window.places.traffic.past
        assert past
        past.model.catch_up()
        past.table.activated.emit(0)
        await bench.still()
        row = window.area.tools.row
        assert row is not None
        assert row.key == "add"
        past.table.activated.emit(1)
        assert "There is no server gone any more." in [notice.sentence for notice in window.desk.notices.open]


async def test_a_file_that_is_no_session_is_refused_with_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "x.mcpsession"
    path.write_text("no")
    async with opened(demo_entry(lazy=True)) as bench:
        bench.window.commands.run("open-session")
        asked = bench.window.findChild(QFileDialog, "session-file")
        assert asked is not None
        asked.fileSelected.emit(str(path))
        asked.close()
        assert "cannot be read as a session" in bench.window.desk.notices.open[-1].sentence
        assert bench.window.places.traffic is not None
        assert bench.window.places.traffic.past is None


async def test_removing_is_taken_back_or_made_final_and_never_hits_the_live_one(folder: Path) -> None:
    path, other = recorded(folder, "one"), recorded(folder, "two")
    async with opened(demo_entry(lazy=True)) as bench:
        notices = bench.window.desk.notices
        view = await listed(bench)
        assert bench.log.path is not None
        view.select(bench.log.path)
        assert not view.button("remove").isEnabled()
        QTest.keyClick(view.table, Qt.Key.Key_Delete)
        assert bench.log.path.exists()
        bench.window.places.open_session(path)
        await listed(bench)
        view.select(path)
        QTest.keyClick(view.table, Qt.Key.Key_Delete)
        assert bench.window.places.traffic is not None
        assert bench.window.places.traffic.past is None  # what is removed is let go of
        assert not path.exists()
        await until(lambda: view.model.rowCount() == 2, what="the list to follow")
        notice = notices.open[-1]
        assert "1 session (" in notice.sentence
        notice.actions[0].run()
        assert path.exists()
        assert notice not in notices.open
        await until(lambda: view.model.rowCount() == 3, what="the list to follow")
        view.table.selectAll()
        press(view.button("remove"))
        assert bench.log.path.exists()
        assert not path.exists()
        assert not other.exists()
    assert not (folder / keeping.ASIDE).exists()  # the end makes it final


class Opened(QObject):
    """Takes the place of the file manager."""

    def __init__(self) -> None:
        super().__init__()
        self.paths: list[str] = []

    @Slot(QUrl)
    def take(self, url: QUrl) -> None:
        """A folder is to be shown."""
        self.paths.append(url.toLocalFile())


async def test_its_folder_is_shown(folder: Path) -> None:
    path = recorded(folder)
    taker = Opened()
    QDesktopServices.setUrlHandler("file", taker, "take")
    try:
        async with opened(demo_entry(lazy=True)) as bench:
            view = await listed(bench)
            view.select(path)
            press(view.button("reveal"))
    finally:
        QDesktopServices.unsetUrlHandler("file")
    assert taker.paths == [str(folder)]


async def test_export_previews_what_is_masked_and_writes_it(folder: Path, tmp_path: Path) -> None:
    path, target = recorded(folder), tmp_path / "out.jsonl"
    async with opened(demo_entry(lazy=True)) as bench:
        view = await listed(bench)
        view.select(path)
        press(view.button("export"))
        dialog = bench.window.findChild(QObject, "export")
        assert dialog.isVisible()
        await looked(dialog)
        assert "43 records" in dialog.sentence.text()
        assert "Authorization (1)" in dialog.sentence.text()
        assert "Set-Cookie (1)" in dialog.sentence.text()
        assert "are masked" in dialog.sentence.text()
        assert b"Authorization" in bytes(dialog.places.index.data)
        press(dialog.save_button)
        asked = dialog.findChild(QFileDialog, "export-file")
        assert asked is not None
        asked.fileSelected.emit(str(target))
        asked.close()
        await until(target.exists, what="the file")
        lines = [json.loads(line) for line in target.read_text().splitlines()]
        assert lines[0] == {"format": FORMAT, "version": 1, "redacted": True}
        assert len(lines) == 44
        assert "ghp_0123456789abcdefghij" not in target.read_text()
        assert [name.name for name in tmp_path.iterdir() if name.name.startswith("out")] == ["out.jsonl"]


async def test_export_of_selected_rows_with_secrets_says_so(folder: Path, tmp_path: Path) -> None:
    path, target = recorded(folder), tmp_path / "out.jsonl"
    async with opened(demo_entry(lazy=True)) as bench:
        bench.window.places.open_session(path)
        place = bench.window.places.traffic
        assert place is not None
        assert place.past is not None
        model = place.past.model
        model.catch_up()
        rows = [row for row in range(len(model.exchanges)) if model.exchanges[row].server == "github"][:2]
        place.past.table.select(rows[0])
        place.past.table.select(rows[1], toggle=True)
        dialog = bench.window.places.export()
        assert dialog is not None
        assert [radio.text() for radio in dialog.radios] == ["The 2 selected rows", "Everything, 27 rows"]
        assert dialog.radios[0].isChecked()
        await looked(dialog)
        assert not dialog.warning.isVisible()
        dialog.mask_box.click()
        assert dialog.warning.isVisible()
        assert "could be masked" in dialog.sentence.text()
        dialog.write(str(tmp_path / "no" / "folder.jsonl"))
        await until(lambda: dialog.progress.text(), what="the failure")
        assert "could not be written" in dialog.progress.text()
        dialog.write(str(target))
        await until(target.exists, what="the file")
        lines = [json.loads(line) for line in target.read_text().splitlines()]
        assert {line["server"] for line in lines[1:]} == {"github"}
        assert lines[0]["redacted"] is False
        assert "ghp_0123456789abcdefghij" in target.read_text()


async def test_a_report_is_written_and_spans_go_to_a_collector(folder: Path, tmp_path: Path) -> None:
    path, target = recorded(folder), tmp_path / "out.html"
    bodies: list[bytes] = []

    async def play(request: Request, reply: Reply) -> None:
        bodies.append(request.body)
        await reply.json({})

    async with opened(demo_entry(lazy=True)) as bench, RawHttp(play) as collector:
        bench.window.places.open_session(path)
        dialog = bench.window.places.export()
        assert dialog is not None
        assert dialog.collector.isHidden()
        dialog.formats.setCurrentIndex(dialog.formats.findData("html"))
        await looked(dialog)
        assert "27 rows" in dialog.sentence.text()
        dialog.write(str(target))
        await until(target.exists, what="the file")
        assert target.read_text().startswith("<!DOCTYPE html>")
        assert "ghp_0123456789abcdefghij" not in target.read_text()
        dialog = bench.window.places.export()
        assert dialog is not None
        assert dialog.format.word == "html"  # the last one is offered again
        dialog.formats.setCurrentIndex(dialog.formats.findData("otlp"))
        await looked(dialog)
        assert not dialog.send_button.isEnabled()
        dialog.collector.setText(collector.url("/"))
        press(dialog.send_button)
        await until(lambda: bodies, what="the spans")
        assert json.loads(bodies[0])["resourceSpans"]


async def test_exports_and_har_open_like_sessions(folder: Path, tmp_path: Path) -> None:
    path = recorded(folder)
    log = Log.open(path)
    for word in ("jsonl", "har"):
        (tmp_path / f"x.{word}").write_bytes(b"".join(piece.data for piece in pieces(word, log)))
    log.close()
    (tmp_path / "no.har").write_text("{}")
    async with opened(demo_entry(lazy=True)) as bench:
        place = bench.window.places.traffic
        assert place is not None
        for word in ("jsonl", "har"):
            bench.window.places.open_session(tmp_path / f"x.{word}")
            await until(lambda: place.past is not None, what="the file to be read")
            assert place.past is not None
            assert len(place.past.model.log) > 10
            assert f"x.{word}" in place.bar.text()
            place.back()
        bench.window.places.open_session(tmp_path / "no.har")
        await until(lambda: bench.window.desk.notices.open, what="the notice")
        assert place.past is None


async def test_a_session_gets_a_name_and_loses_it_again(folder: Path) -> None:
    path = recorded(folder, "2026-01-02 03-04-05")
    recorded(folder, "taken")
    async with opened(demo_entry(lazy=True)) as bench:
        view = await listed(bench)
        view.select(path)
        view.table.setFocus()
        QTest.keyClick(view.table, Qt.Key.Key_F2)
        editor = view.table.findChild(QLineEdit)
        assert editor is not None
        assert editor.text() == ""
        write(editor, "slow search")
        QTest.keyClick(editor, Qt.Key.Key_Return)
        named = folder / "slow search.mcpsession"
        await until(named.exists, what="the new name")
        await until(lambda: not view.model.reading, what="the list")
        assert not path.exists()
        view.select(named)
        assert [info.path for info in view.infos()] == [named]
        for name, words in (("taken", "already"), ("a/b", "cannot be called"), ("CON", "Windows")):
            view.model.rename_wanted.emit(named, name)
            assert words in bench.window.desk.notices.open[-1].sentence
        assert named.exists()
        live = view.model.index([view.model.is_live(view.model.info(row)) for row in range(3)].index(True), 1)
        assert not view.model.flags(live) & Qt.ItemFlag.ItemIsEditable
        view.search.setText("slow")
        assert view.sieve.rowCount() == 1


async def test_two_sessions_are_compared(folder: Path) -> None:
    paths_of = [recorded(folder, name, rounds) for name, rounds in (("one", 1), ("two", 2))]
    async with opened(demo_entry(lazy=True)) as bench:
        view = await listed(bench)
        view.select(paths_of[0])
        assert not view.button("compare").isEnabled()
        place = view.table.currentIndex()
        view.select(paths_of[1])
        view.table.selectionModel().select(
            place, QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Rows
        )
        press(view.button("compare"))
        dialog = bench.window.findChild(QObject, "session-compare")
        await until(lambda: dialog.found, what="the comparison")
        assert "only in the " in dialog.sentence.text()
        assert dialog.tree.topLevelItemCount()
        assert bytes(dialog.text.index.data)
        dialog.close()


async def test_the_gear_leads_to_all_of_it() -> None:
    async with opened(demo_entry(lazy=True)) as bench:
        gear = bench.window.tool_bar.settings
        assert isinstance(gear, QToolButton)
        texts = [action.text() for action in gear.menu().actions()]
        for words in ("Settings…", "Open servers file…", "Open session file…", "Export traffic…"):
            assert words in texts


async def test_the_program_opens_on_a_recorded_session(tmp_path: Path) -> None:
    """``--session FILE``; what cannot be opened is a notice, and the window goes on."""
    path = recorded(tmp_path)
    for words, expected in ((["--session", str(path)], path), (["--session", str(tmp_path / "none")], None)):
        application, folders = QApplication.instance(), paths.folders()
        assert isinstance(application, QApplication)
        program = Program(application, parse(words), folders, Settings(), [], True)
        log, inspector, servers = program._build()
        window = MainWindow(Memory(None), theme.install(application, "light"), "light")
        window.show()
        try:
            program._attach(window, log, inspector, servers)
        finally:
            gc.unfreeze()
        place = window.places.traffic
        assert place is not None
        assert place.path == expected
        said = [notice.sentence for notice in window.desk.notices.open]
        assert any("cannot be read as a session" in sentence for sentence in said) is (expected is None)
        assert window.desk.book is not None
        await close(Bench(window, inspector, log, folders.servers, window.desk.book))
