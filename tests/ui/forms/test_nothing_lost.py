"""Whatever is loaded into a form stays as it is, to the last character, when a person only looks at it."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mcp_inspector.schema.kinds import FieldKind
from mcp_inspector.schema.samples import full
from tests.ui.forms import form_schemas as schemas
from tests.ui.forms.hand import Hand

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.ui.forms.table import Table

DATA = Path(__file__).parents[2] / "data"


def _tools() -> list[dict[str, Any]]:
    with gzip.open(DATA / "corpus_schemas.json.gz") as file:
        return json.load(file)


def _look_at_everything(form: Hand) -> int:
    """Go through all rows that are there, focus by focus; the number of rows."""
    form.view.finder.fold_all(False)
    count = 0
    for row in form.view.rows():
        row.active.focus()
        count += 1
    form.view.leave()
    form.view.refresh()
    return count


@pytest.mark.timeout(180)
def test_samples_of_real_tools_go_through_the_widgets_unchanged(table: Callable[..., Table]) -> None:
    """Every ninth tool of the real servers: a full sample in, looked at, and out."""
    at = table({})
    seen = raw = 0
    for tool in _tools()[::9]:
        arguments = at.show(tool["inputSchema"], name=f"{tool['server']} {tool['tool']}")
        text = full(arguments.form, arguments.checker).json_text
        at.document.set_text(text)
        at.still()
        seen += _look_at_everything(at)
        at.still()
        assert at.document.text == text, tool["tool"]
        assert at.arguments_view.errors() == 0, tool["tool"]
        raw += sum(row.field.kind is FieldKind.RAW for row in at.view.rows())
    assert seen > 500
    assert raw <= 0.02 * seen


_numbers = st.one_of(
    st.integers(-(10**30), 10**30).map(str),
    st.sampled_from(["1.0", "1e400", "-0", "0.10", "9007199254740993", "1E-7"]),
)
_texts = st.text(st.characters(codec="utf-8"), max_size=30).map(lambda text: json.dumps(text, ensure_ascii=False))
_scalars = st.one_of(_numbers, _texts, st.sampled_from(["true", "false", "null", '""', "[]", "{}"]))
_values = st.recursive(
    _scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda some: f"[{', '.join(some)}]"),
        st.lists(st.tuples(_texts, inner), max_size=3).map(
            lambda some: f"{{{', '.join(f'{name}: {one}' for name, one in some)}}}"
        ),
    ),
    max_leaves=8,
)
_SCHEMAS = [schemas.ORDER, schemas.FORMATS, schemas.CONTAINERS, schemas.UNIONS, schemas.CONDITIONS, schemas.ODD]


@st.composite
def _cases(draw: Any) -> tuple[dict[str, Any], str]:
    """A schema and an object with some of its members, of any kind, and some that it does not know, some twice."""
    schema = draw(st.sampled_from(_SCHEMAS))
    names = st.one_of(st.sampled_from([*schema["properties"]]), st.text(st.characters(codec="utf-8"), max_size=6))
    members = draw(st.lists(st.tuples(names, _values), max_size=6))
    space = draw(st.sampled_from(["", " ", "\n  "]))
    inside = ",".join(f"{space}{json.dumps(name, ensure_ascii=False)}:{space}{value}" for name, value in members)
    return schema, f"{{{inside}{space}}}"


@pytest.mark.timeout(180)
@settings(max_examples=60, deadline=None, suppress_health_check=[*HealthCheck])
@given(_cases())
def test_any_text_in_any_form_is_the_same_after_it_was_looked_at(qapp: Any, case: tuple[dict[str, Any], str]) -> None:
    schema, text = case
    form = Hand(schema, text)
    try:
        _look_at_everything(form)
        assert form.document.text == text
        assert not form.document.can_undo
    finally:
        form.close()
