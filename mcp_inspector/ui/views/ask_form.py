"""Elicitation: the form that the server's schema gives, its defaults filled in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QVBoxLayout, QWidget

from mcp_inspector.schema.problems import Severity
from mcp_inspector.schema.values import Defaults, start_text
from mcp_inspector.ui import plain, theme
from mcp_inspector.ui.bridge import Pull
from mcp_inspector.ui.forms.view import FormView
from mcp_inspector.ui.memory import Memory
from mcp_inspector.ui.models import asks
from mcp_inspector.ui.models.arguments import Arguments, by_path
from mcp_inspector.ui.models.checking import Checking
from mcp_inspector.ui.models.drafts import Drafts
from mcp_inspector.ui.views.ask_body import AskBody
from mcp_inspector.ui.views.strip import Strip

if TYPE_CHECKING:
    from mcp_inspector.schema.problems import Problem
    from mcp_inspector.session.inbox import Ask

_CHECK_MS = 120
_MESSAGE = 20_000
DECLINE = ("Decline", "Say no: the server gets the action decline", b'{"action":"decline"}')
CANCEL = ("Cancel", "Say neither yes nor no: the server gets the action cancel", b'{"action":"cancel"}')


class FormBody(AskBody):
    """The form. What does not fit the schema can be sent all the same."""

    title = "Form"
    verb = "Accept"
    others = (DECLINE, CANCEL)

    def __init__(self, ask: Ask, parent: QWidget | None = None) -> None:
        super().__init__(ask, parent)
        raw = asks.requested_schema(ask) or b'{"type":"object"}'
        # The drafts of a memory without a file: what is typed here lives as long as the question.
        self.arguments = Arguments((ask.server, "elicitation", str(ask.number)), raw, Drafts(Memory(None, self)))
        self.arguments.document.reset(start_text(self.arguments.form, Defaults.ALL))
        self._problems: list[Problem] = []
        self._strip = Strip()
        outside = asks.outside_subset(ask.value.get("requestedSchema"))
        if outside:
            more = f" and {plain.count(len(outside) - 1, 'more oddity', 'more oddities')}" if len(outside) > 1 else ""
            self._strip.say(f"{outside[0]}{more}", "\n".join(outside), "warn")
        self.form = FormView()
        message = ask.value.get("message")
        text = message if isinstance(message, str) else ""
        self.form.head.set_text(plain.lines(text[:_MESSAGE]))
        theme.mark(self.form.head, role="")
        self.form.head.setVisible(bool(text.strip()))
        self.form.show_form(self.arguments.form, self.arguments.document)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._strip)
        layout.addWidget(self.form, 1)
        self._check = Pull(self.check, self, _CHECK_MS)
        self._checking = Checking(self)
        self._checking.watch(self.arguments)
        self._checking.changed.connect(self.check)
        self._listening = self.arguments.document.changed.connect(self._check.soon)
        self.form.unread_changed.connect(self._check.soon)
        self.form.submitted.connect(self.send_wanted)
        self.check()

    def check(self) -> None:
        """Look for problems and show them at their fields."""
        self._problems = self._checking.problems()
        self.form.show_problems(by_path(self._problems))
        self.changed.emit()

    def result(self) -> bytes | None:
        """Accepted, with what the form holds."""
        self.form.flush()
        document = self.arguments.document
        return b'{"action":"accept","content":' + document.wire_bytes() + b"}" if document.valid else None

    def problems(self) -> list[str]:
        """What the schema minds, and what is typed but cannot be a value."""
        unread = self.form.context.unread_problems if self.form.context is not None else {}
        wrong = [problem.sentence for problem in self._problems if problem.severity is Severity.ERROR]
        return [*unread.values(), *wrong]

    def prepare(self) -> bool:
        """Check what was typed last. The first try shows what is wrong everywhere, the second one sends it."""
        before, self.tried = self.tried, True
        self.check()
        self.form.show_problems(by_path(self._problems), everywhere=True)
        return before or not self.problems()

    def focus_first(self) -> None:
        """Put the keyboard into the first field."""
        self.form.focus_first()
