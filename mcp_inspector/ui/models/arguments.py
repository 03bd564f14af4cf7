"""The arguments of one thing under edit: schema, document, draft, and what is wrong with them. No widget in here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from mcp_inspector.schema.document import Document
from mcp_inspector.schema.fields import Form
from mcp_inspector.schema.secrets import may_have_secrets, without_secrets
from mcp_inspector.schema.validate import INLINE_LIMIT, Checker
from mcp_inspector.schema.values import start_text
from mcp_inspector.ui import plain
from mcp_inspector.ui.models.drafts import Draft, mark_of
from mcp_inspector.wire import jsontext

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mcp_inspector.schema.boundaries import Case
    from mcp_inspector.schema.problems import Problem
    from mcp_inspector.schema.values import Defaults
    from mcp_inspector.ui.models.drafts import Drafts, Key
    from mcp_inspector.ui.models.recall import Recall
    from mcp_inspector.wire.jsontext import Path


class Arguments:
    """One document with its form. What is typed goes to the drafts at once, so nothing can lose it."""

    def __init__(self, key: Key, schema: bytes | None, drafts: Drafts) -> None:
        self.key = key
        self.schema = schema
        self.form = Form(schema)
        self.mark = mark_of(schema or b"")
        self._drafts = drafts
        draft = drafts.get(key)
        self.defaults = drafts.defaults
        self.begin = start_text(self.form, self.defaults)
        self.document = Document(draft.text if draft is not None else self.begin)
        self.schema_changed = draft is not None and bool(draft.schema) and draft.schema != self.mark
        """Whether the draft was typed for another schema."""
        self.folds: dict[Any, bool] = {}
        """What the person has folded in the form; see `ui.forms.context.FormContext`."""
        self.unread: dict[Path, tuple[str, str]] = {}
        """What is typed in the form and can be no value, with what is wrong with it; see the same place."""
        self._checker: Checker | None = None
        self._secretive = may_have_secrets(self.form.source)
        self._kept = ""
        self.kept()  # of a text that is broken by the first key, what stood there before it is kept
        if draft is not None and self._secretive:
            self._keep(None)  # what an older program kept may hold secrets
        self._disconnect = self.document.changed.connect(self._keep)

    def _keep(self, _: object) -> None:
        if self.document.text == self.begin:
            self._drafts.drop(self.key)
        else:
            self._drafts.put(self.key, Draft(self.document.text, self.mark, self.kept()))

    def kept(self) -> str | None:
        """What of the text may stand on disk: None for all of it, else the text without secrets, which may be empty.

        Of a text that is no JSON, in which nobody can tell what is a secret, it is what could be kept before.
        """
        if not self._secretive:
            return None
        root = self.document.root if self.document.valid else None
        if root is not None:
            self._kept = without_secrets(self.form.source, root) or ""
        return self._kept

    def reset(self) -> None:
        """Begin anew, as one step that can be taken back."""
        self.document.set_text(self.begin)

    def begin_with(self, defaults: Defaults) -> None:
        """Another choice of defaults: a form that nobody has touched begins with it at once."""
        if defaults is self.defaults:
            return
        untouched = self.document.text == self.begin
        self.defaults = defaults
        self.begin = start_text(self.form, defaults)
        if untouched:
            self.document.set_text(self.begin)

    def load(self, text: str) -> None:
        """Put other arguments in, as one step that can be taken back."""
        self.document.set_text(text)

    def generate(self, *, everything: bool) -> str:
        """Fill in a sample, as one step that can be taken back; returns why it does not fit, empty when it does."""
        from mcp_inspector.schema.samples import full, minimal

        made = (full if everything else minimal)(self.form, self.checker)
        self.document.set_text(jsontext.pretty(made.json_text))
        return "; ".join(problem.text for problem in made.problems[:3])

    def remark(self, recall: Recall) -> tuple[str, ...] | None:
        """What is to be said of them as a whole: sentence, more of it, tone, command and words of a button."""
        if self.schema_changed:
            return "The schema has changed since this was typed", "", "warn", "reset", "Begin anew"
        small = len(self.document.text) <= INLINE_LIMIT and self.document.valid
        duplicates = self.document.duplicates() if small else []
        if duplicates:
            names = ", ".join(jsontext.pointer(path) for path, _ in duplicates[:5])
            count = plain.count(len(duplicates), "member")
            return f"{count} twice: the form shows the last, all are sent", names, "warn"
        texts = [finding.sentence for finding in self.form.findings]
        if texts:
            head = texts[0] if len(texts) == 1 else f"The schema has {plain.count(len(texts), 'oddity', 'oddities')}"
            return plain.line(head), plain.lines("\n".join(texts[:20])), "warn"
        sent = recall.sent(self.key)
        if sent and sent[0].schema != self.mark:
            return "The schema has changed since the last call", "", "muted"
        return None

    def cases(self) -> list[Case]:
        """Values at the edge of each keyword, and just past it."""
        from mcp_inspector.schema.boundaries import cases

        return cases(self.form, self.checker)

    @property
    def checker(self) -> Checker:
        """The validator of this schema, compiled at its first use, for what is quick."""
        if self._checker is None:
            self._checker = Checker(self.form.source, patient=False)
        return self._checker


def by_path(problems: list[Problem]) -> Mapping[Path, list[Problem]]:
    """The problems of each place."""
    found: dict[Path, list[Problem]] = {}
    for problem in problems:
        found.setdefault(problem.path, []).append(problem)
    return found


def schema_of_prompt(arguments: Any) -> bytes:
    """A schema for a prompt's arguments, which are texts by the specification, so that the same form edits them."""
    properties: dict[str, Any] = {}
    required = []
    for argument in arguments if isinstance(arguments, list) else ():
        if not isinstance(argument, dict) or not isinstance(argument.get("name"), str):
            continue
        name = argument["name"]
        one: dict[str, Any] = {"type": "string"}
        for member in ("title", "description"):
            if isinstance(argument.get(member), str):
                one[member] = argument[member]
        properties[name] = one
        if argument.get("required") is True:
            required.append(name)
    schema = {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
    return msgspec.json.encode(schema)
