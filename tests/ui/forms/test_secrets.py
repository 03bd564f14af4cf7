"""Passwords and `writeOnly` values: typed, sent, come back to, and never on disk."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from mcp_inspector.ui.memory import Memory
from mcp_inspector.ui.models.arguments import Arguments
from mcp_inspector.ui.models.drafts import Draft, Drafts, mark_of
from mcp_inspector.ui.models.recall import Recall
from mcp_inspector.ui.views.argument_sets import SetsPanel

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.ui.forms.table import Table

SIGN_IN: dict[str, Any] = {
    "type": "object",
    "properties": {
        "user": {"type": "string"},
        "password": {"type": "string", "format": "password"},
        "pin": {"type": "integer", "writeOnly": True},
        "id": {"type": "string", "readOnly": True},
    },
    "required": ["user"],
}
HUSH = "hush-hush-4711"


def on_disk(at: Table) -> str:
    at.desk.memory.save()
    path = at.desk.memory.path
    assert path is not None
    return path.read_text(encoding="utf-8") if path.exists() else ""


def test_drafts_of_secrets_live_in_memory_only(table: Callable[..., Table]) -> None:
    at = table(SIGN_IN)
    at.type("user", "ada")
    at.type("password", HUSH)
    at.type("pin", "471100")
    assert HUSH not in on_disk(at)
    assert "471100" not in on_disk(at)
    assert "ada" in on_disk(at)
    at.show(SIGN_IN, name="other")
    at.show(SIGN_IN)
    assert at.sent == {"user": "ada", "password": HUSH, "pin": 471100}  # as long as the window is open
    again = table(SIGN_IN)
    assert again.sent == {"user": "ada"}


def test_a_broken_text_keeps_what_stood_there_before_it_broke(table: Callable[..., Table]) -> None:
    at = table(SIGN_IN)
    at.type("user", "ada")
    at.type("password", HUSH)
    at.rub_json(2)
    assert not at.document.valid
    assert HUSH not in on_disk(at)
    assert "ada" in on_disk(at)


def test_sent_and_saved_arguments_are_kept_without_secrets(table: Callable[..., Table]) -> None:
    at = table(SIGN_IN)
    at.type("user", "ada")
    at.type("password", HUSH)
    at.press_send()
    assert HUSH in at.sent_texts[0]
    panel = at.arguments_view.tools.open_sets()
    assert isinstance(panel, SetsPanel)
    panel.name.setText("mine")
    panel.save()
    shown = " ".join(f"{panel.list.item(row).text()} {panel.list.item(row).toolTip()}" for row in range(3))
    assert "ada" in shown
    assert HUSH not in shown
    panel.load(0)
    assert at.sent["password"] == HUSH
    assert HUSH not in on_disk(at)

    recall = Recall(Memory(at.desk.memory.path))
    key = at.arguments.key
    assert "ada" in recall.sets(key)[0].text
    assert "ada" in recall.sent(key)[0].text
    # The same once more, with the password typed anew: one line of history.
    recall.note_sent(key, at.document.text, at.arguments.mark, at.arguments.kept())
    assert [one.count for one in recall.sent(key)] == [2]


def test_what_an_older_program_kept_is_cleaned_when_it_is_looked_at(tmp_path: Path, qapp: Any) -> None:
    import json

    schema = json.dumps(SIGN_IN).encode()
    drafts = Drafts(memory := Memory(tmp_path / "memory.json"))
    drafts.put(key := ("s", "tools", "t"), Draft(f'{{"user": "ada", "password": "{HUSH}"}}', mark_of(schema)))
    memory.save()
    drafts = Drafts(memory := Memory(tmp_path / "memory.json"))
    arguments = Arguments(key, schema, drafts)
    assert arguments.document.value(("password",)) == HUSH  # not lost under the eyes of who sees it
    memory.save()
    assert HUSH not in (tmp_path / "memory.json").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("password", "not remembered"),
        ("pin", "never comes back · not remembered"),
        ("id", "set by the server"),
    ],
)
def test_the_field_says_so(table: Callable[..., Table], name: str, words: str) -> None:
    assert words in table(SIGN_IN).row(name).words.shown_note()


def test_a_read_only_member_is_neither_begun_nor_made_up_but_can_be_sent(table: Callable[..., Table]) -> None:
    at = table({**SIGN_IN, "properties": {**SIGN_IN["properties"], "id": {"readOnly": True, "default": "x"}}})
    assert at.sent == {}
    at.arguments.generate(everything=True)
    assert "id" not in at.sent
    at.show({"type": "object", "properties": {"id": {"type": "string", "readOnly": True}}}, name="other")
    at.type("id", "7")
    assert at.sent == {"id": "7"}
