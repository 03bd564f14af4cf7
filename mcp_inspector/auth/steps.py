"""One exchange, one decision: what a sign-in consists of, in values that can be shown. Pure."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import parse_qsl, urlencode, urlsplit

from mcp_inspector.signals import Signal
from mcp_inspector.store.redact import redact_form, redact_headers, redact_text
from mcp_inspector.transport.base import Fault, FaultKind

if TYPE_CHECKING:
    from mcp_inspector.auth.rules import Rule

_SHOWN = 64 * 1024
_KEPT = 200
Pairs = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Request:
    """One HTTP request of a sign-in. `form` is sent URL-encoded, `document` as JSON; neither makes a GET."""

    method: str
    url: str
    headers: Pairs = field(default=(), repr=False)
    form: Pairs | None = field(default=None, repr=False)
    document: Mapping[str, Any] | None = field(default=None, repr=False)

    @property
    def body(self) -> bytes:
        """What is sent."""
        if self.form is not None:
            return urlencode(self.form).encode()
        return json.dumps(self.document).encode() if self.document is not None else b""

    def lines(self, *, reveal: bool = False) -> str:
        """The request as text, secrets masked unless they are to be seen."""
        headers = list(self.headers) if reveal else redact_headers(self.headers)
        head = [f"{self.method} {self.url if reveal else masked_url(self.url)}"]
        head += [f"{name}: {value}" for name, value in headers]
        if self.form is not None:
            fields = list(self.form) if reveal else redact_form(self.form)
            head += ["", *(f"{name}={value}" for name, value in fields)]
        elif self.document is not None:
            text = json.dumps(self.document, indent=2, ensure_ascii=False)
            head += ["", text if reveal else redact_text(text).text]
        return "\n".join(head)


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back. Without a response `status` is 0 and `problem` says why; it also says what was cut off."""

    status: int = 0
    reason: str = ""
    headers: Pairs = field(default=(), repr=False)
    body: bytes = field(default=b"", repr=False)
    problem: str = ""
    hint: str = ""

    def header(self, name: str) -> str:
        """The first value of a header, empty without one."""
        return next((value for key, value in self.headers if key.lower() == name), "")

    @property
    def said(self) -> str:
        """The status in words, or why there is none."""
        return f"{self.status} {self.reason}".strip() if self.status else self.problem

    @property
    def ok(self) -> bool:
        """Whether it is a success with a whole body."""
        return 200 <= self.status < 300 and not self.problem

    def lines(self, *, reveal: bool = False) -> str:
        """The answer as text, secrets masked unless they are to be seen."""
        if not self.status:
            return self.problem
        headers = list(self.headers) if reveal else redact_headers(self.headers)
        head = [self.said, *(f"{name}: {value}" for name, value in headers)]
        body = self.body[:_SHOWN].decode("utf-8", "replace")
        if body:
            with contextlib.suppress(ValueError, RecursionError):  # else it is shown as it came
                body = json.dumps(json.loads(body), indent=2, ensure_ascii=False)
            head += ["", body if reveal else redact_text(body).text]
        return "\n".join((*head, *([self.problem] if self.problem else [])))


@dataclass(frozen=True, slots=True)
class Browse:
    """A person has to go to `url` and will be sent back to `redirect_uri` with `state`."""

    url: str
    redirect_uri: str
    state: str

    def lines(self, *, reveal: bool = False) -> str:
        """The URL and its parameters, one a line."""
        parts = urlsplit(self.url)
        fields = parse_qsl(parts.query, keep_blank_values=True)
        shown = fields if reveal else redact_form(fields)
        return "\n".join([f"GET {parts._replace(query='').geturl()}", *(f"  {name}={value}" for name, value in shown)])


@dataclass(frozen=True, slots=True)
class Callback:
    """The parameters with which the person was sent back, in order, decoded."""

    params: Pairs = field(repr=False)

    def lines(self, *, reveal: bool = False) -> str:
        """The parameters, one a line."""
        shown = list(self.params) if reveal else redact_form(self.params)
        return "\n".join(f"  {name}={value}" for name, value in shown)


T = TypeVar("T")
Ask = Request | Browse
Flow = Generator[Ask, Any, T]
"""Work that asks: it yields what is to be asked, is sent an `Answer` or a `Callback`, and returns a `T`."""


def fetch(request: Request) -> Flow[Answer]:
    """Ask for one response."""
    answer: Answer = yield request
    return answer


def browse(where: Browse) -> Flow[Callback]:
    """Send the person somewhere."""
    callback: Callback = yield where
    return callback


class Verdict(StrEnum):
    """How a step ended."""

    DONE = "done"
    ODD = "odd"  # done, with something that should be otherwise
    NEXT = "not there"  # nothing usable: the next candidate is tried
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a sign-in: what was asked and answered, what was decided and by which rule, what is wrong.

    `sentence` says what was decided, `remedy` what to do where something is wrong.
    """

    title: str
    verdict: Verdict
    sentence: str
    rule: Rule | None = None
    remedy: str = ""
    asked: Ask | None = None
    answer: Answer | Callback | None = None

    def text(self, *, reveal: bool = False) -> str:
        """The whole step as text."""
        parts = [f"{self.title}: {self.verdict}. {self.sentence}"]
        parts += [f"Rule: {self.rule}"] if self.rule else []
        parts += [f"What to do: {self.remedy}"] if self.remedy else []
        parts += [self.asked.lines(reveal=reveal)] if self.asked else []
        parts += [self.answer.lines(reveal=reveal)] if self.answer else []
        return "\n\n".join(parts)


@dataclass
class Trail:
    """The steps of one sign-in, oldest first; `changed` tells of a new one. Long trails lose their beginning.

    `offered` are the authorization servers that the server's metadata named at the latest look, in its order.
    """

    steps: list[Step] = field(default_factory=list)
    offered: tuple[str, ...] = ()
    changed: Signal[()] = field(default_factory=lambda: Signal[()]())

    def add(
        self,
        title: str,
        sentence: str,
        rule: Rule | None = None,
        *,
        verdict: Verdict = Verdict.DONE,
        remedy: str = "",
        asked: Ask | None = None,
        answer: Answer | Callback | None = None,
    ) -> None:
        """Note a step."""
        del self.steps[:-_KEPT]
        self.steps.append(Step(title, verdict, sentence, rule, remedy, asked, answer))
        self.changed.send()

    def stop(
        self,
        title: str,
        sentence: str,
        rule: Rule | None = None,
        remedy: str = "",
        *,
        asked: Ask | None = None,
        answer: Answer | Callback | None = None,
        **facts: Any,
    ) -> Fault:
        """Note the step that ends it, and return the fault to raise."""
        self.add(title, sentence, rule, verdict=Verdict.FAILED, remedy=remedy, asked=asked, answer=answer)
        because = {"rule": str(rule)} if rule else {}
        return Fault(FaultKind.UNAUTHORIZED, sentence, remedy, {**because, **facts})

    def clear(self, *, offered: bool = True) -> None:
        """Begin anew; without `offered`, at another server."""
        self.offered = self.offered if offered else ()
        self.steps.clear()
        self.changed.send()


def masked_url(url: str) -> str:
    """A URL with what is secret in its query masked."""
    parts = urlsplit(url)
    if not parts.query:
        return url
    return parts._replace(query="&".join(f"{n}={v}" for n, v in redact_form(parse_qsl(parts.query, True)))).geturl()
