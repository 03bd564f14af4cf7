"""The Agent page over the real demo server: names, shapes, search, calls of a model, the lab."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtWidgets import QApplication, QFileDialog
from shiboken6 import isValid

from mcp_inspector.agent.lab.sabotage import Trouble
from mcp_inspector.app import demo_entry
from mcp_inspector.config.policy import Rule
from mcp_inspector.session.approval import Gate
from mcp_inspector.ui.models.items import ROW
from mcp_inspector.ui.views.model_dialog import ModelDialog
from tests.peers.fake_model import fake_model
from tests.ui.bench import opened, press, until, write

if TYPE_CHECKING:
    from pathlib import Path

    from tests.ui.bench import Bench

pytestmark = pytest.mark.anyio


async def page_of(bench: Bench) -> Any:
    await bench.connect()
    bench.window.area.show_page("agent")
    await bench.still()
    return bench.window.area.agent


def names(page: Any) -> list[str]:
    return [page.rows.index(at, 0).data().split()[0] for at in range(page.rows.rowCount())]


async def test_tools_have_their_routed_names_and_options_change_them() -> None:
    async with opened(demo_entry(lazy=True)) as bench:
        page = await page_of(bench)
        assert "mcp__demo__echo" in names(page)
        page.prefix.setText("")
        page.separator.setText(".")
        page.prefix.editingFinished.emit()
        page.separator.editingFinished.emit()
        await bench.still()
        assert "demo.echo" in names(page)
        row = page.rows.index(0, 0)
        assert "OpenAI refuses the name: it has ." in row.data()
        page.fit.click()
        await bench.still()
        assert "demo_echo" in names(page)
        write(page.include, "@readOnly")
        page.include.editingFinished.emit()
        await bench.still()
        assert "demo_remove_item" not in names(page)
        assert "left out" in page.sum.text()


async def test_a_tool_is_shown_in_each_providers_shape_and_copied() -> None:
    async with opened(demo_entry(lazy=True)) as bench:
        page = await page_of(bench)
        page.list.setCurrentIndex(page.rows.index(page.rows.place("mcp__demo__fill_form"), 0))
        shape = page.shape
        shape.format.setCurrentIndex(shape.format.findData("gemini"))
        shape.format.activated.emit(shape.format.currentIndex())
        await bench.still()
        assert json.loads(shape.shape.data())["parameters"]["type"] == "OBJECT"
        assert shape.losses.count() > 3
        assert "differences" in shape.note.text()
        press(shape.copy_button)
        assert json.loads(QApplication.clipboard().text())["name"] == "mcp__demo__fill_form"
        press(shape.copy_all_button)
        everything = json.loads(QApplication.clipboard().text())
        assert len(everything[0]["functionDeclarations"]) == page.rows.rowCount()


async def test_a_query_ranks_the_tools_and_says_why() -> None:
    async with opened(demo_entry(lazy=True)) as bench:
        page = await page_of(bench)
        page.agent.put("threshold", 0.1)
        write(page.query, "weather forecast")
        await until(lambda: page.agent.ranking is not None, what="a ranking")
        assert names(page)[0] == "mcp__demo__get_weather"
        assert "weather" in page.rows.index(0, 0).data()
        page.query.clear()
        write(page.query, "zzz qqq")
        await until(lambda: page.agent.ranking.everything, what="no hit")
        assert page.rows.rowCount() > 20
        assert "every tool" in page.sum.text()


async def test_embeddings_that_are_set_up_find_by_meaning() -> None:
    def near(body: dict[str, Any]) -> dict[str, Any]:
        vectors = [[1.0, float("forecast" in text or "rain" in text)] for text in body["input"]]
        return {"data": [{"index": at, "embedding": vector} for at, vector in enumerate(vectors)]}

    async with fake_model() as model, opened(demo_entry(lazy=True)) as bench:
        page = await page_of(bench)
        model.answer = near
        page.method.activated.emit(page.method.findText("embeddings…"))
        (dialog,) = bench.window.findChildren(ModelDialog)
        await until(lambda: "A key is kept" in dialog.where.text(), what="where keys are kept")
        dialog.url.setText(model.url)
        dialog.model.setText("text-embedding-v4")
        dialog.key.setText("s3cret-key")
        press(dialog.save_button)
        await until(lambda: not isValid(dialog) or not dialog.isVisible(), what="the dialog to close")
        assert page.method.currentText() == "words"
        page.method.setCurrentIndex(page.method.findText("meaning"))
        page.method.activated.emit(page.method.currentIndex())
        write(page.query, "rain")
        await until(lambda: page.agent.ranking is not None and page.agent.ranking.hits, what="a ranking")
        assert names(page)[0] == "mcp__demo__get_weather"
        assert "Authorization: Bearer s3cret-key" in model.heads[0]
        assert all(len(body["input"]) <= 10 for body in model.bodies)


async def test_labelled_queries_are_judged_and_misses_are_named(tmp_path: Path) -> None:
    labels = tmp_path / "labels.csv"
    labels.write_text("query,tool\nweather forecast,get_weather\nzzz qqq,add\nbooks,nix\n", "utf-8")
    async with opened(demo_entry(lazy=True)) as bench:
        page = await page_of(bench)
        page.tabs.setCurrentIndex(4)
        view = page.evaluation
        assert not view.run_button.isEnabled()
        view.nothing.activated.emit()
        (dialog,) = bench.window.findChildren(QFileDialog)
        dialog.fileSelected.emit(str(labels))
        dialog.close()
        await until(lambda: view.scores, what="the scores")
        assert view.table.item(0, 0).text().startswith("words")
        assert view.table.item(0, 1).text() == "0.333"
        assert view.table.horizontalHeaderItem(1).text() == "recall@5"
        misses = "\n".join(view.misses.item(at).text() for at in range(view.misses.count()))
        assert "line 3: “zzz qqq” wants add" in misses
        assert "no server offers nix" in misses
        await until(view.run_button.isEnabled, what="the end")
        labels.unlink()
        press(view.run_button)
        await until(lambda: "cannot be read" in view.said.text(), what="the sentence")


async def test_calls_of_a_model_are_routed_asked_about_run_and_answered() -> None:
    gate = Gate()
    gate.put("demo", "add", Rule.DENY)
    async with opened(demo_entry(lazy=True), gate=gate) as bench:
        page = await page_of(bench)
        page.tabs.setCurrentIndex(1)
        view = page.dispatch
        calls = [("mcp__demo__echo", {"text": "hi"}), ("mcp__demo__add", {"a": 1, "b": 2}), ("mcp__demo__nix", {})]
        blocks = [{"type": "tool_use", "id": name, "name": name, "input": given} for name, given in calls]
        view.document.set_text(json.dumps(blocks))
        await until(lambda: view.calls.count() == 3, what="the calls")
        assert "1 of which cannot run" in view.said.text()
        press(view.run_button)
        await until(lambda: view.answer.data(), what="the answer")
        results = json.loads(view.answer.data())["content"]
        assert results[0]["content"] == [{"type": "text", "text": "hi"}]
        assert results[1]["is_error"] is True
        assert "denied" in results[1]["content"][0]["text"]
        assert "nearest" in results[2]["content"][0]["text"]

        blocks = [
            {"name": "mcp__demo__remove_item", "input": {"kind": "tool", "name": "x"}, "type": "tool_use", "id": "1"}
        ]
        view.document.set_text(json.dumps(blocks))
        await until(lambda: view.calls.count() == 1, what="the call")
        press(view.run_button)
        await until(lambda: view.approval.asking, what="the question")
        press(view.approval.never)
        await until(lambda: b"not approved" in view.answer.data(), what="the refusal")
        view.document.set_text('{"a": 1}')
        await until(lambda: not view.run_button.isEnabled(), what="the sentence")
        assert view.calls.count() <= 1


async def test_the_lab_reports_with_evidence() -> None:
    async with opened(demo_entry(lazy=True)) as bench:
        page = await page_of(bench)
        page.tabs.setCurrentIndex(2)
        lab = page.lab
        lab.profile.setCurrentText("naive")
        assert "Short cuts" in lab.about.text()
        press(lab.run_button)
        assert lab.run_button.text() == "Stop"
        await until(lambda: lab.run_button.text() == "Run", 30, "the report")
        words = [lab.found.item(at).text() for at in range(lab.found.count())]
        assert any(line.startswith("works: connect") for line in words)
        asked: list[int] = []
        bench.window.desk.record_requested.connect(asked.append)
        lab.found.itemActivated.emit(lab.found.item(0))
        assert asked
        assert bench.log.record(asked[0]).entry.server == "demo"


async def test_the_tool_list_can_show_routed_names() -> None:
    async with opened(demo_entry(lazy=True)) as bench:
        await bench.connect()
        delegate = bench.window.area.tools.list._delegate
        row = bench.window.area.tools.list.model.data(bench.window.area.tools.list.model.index(0, 0), ROW)
        assert delegate.called(row) == "echo"
        bench.window.toggle_rows("routed_names")
        assert delegate.called(row) == "mcp__demo__echo"
        bench.window.toggle_rows("routed_names")
        assert delegate.called(row) == "echo"


async def test_the_lab_shows_attempts_and_waits_while_they_go_on() -> None:
    async with opened(demo_entry(lazy=True)) as bench:
        page = await page_of(bench)
        page.tabs.setCurrentIndex(2)
        lab = page.lab
        lab.profile.setCurrentText("retrying-cpp")
        lab.trouble.setCurrentIndex(lab.trouble.findData(Trouble.DROP))
        assert lab.curve.isVisible()
        press(lab.run_button)
        await until(lambda: lab.curve.ended == [True], 30, "the attempt that leads back")
        await until(lambda: lab.run_button.text() == "Run", 30, "the report")
        assert lab.curve.ended == [True]
