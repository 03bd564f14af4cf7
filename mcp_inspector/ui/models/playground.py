"""The playground: a conversation with the configured model, about the tools of the Agent page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from mcp_inspector.agent.chat import Api, ChatEndpoint
from mcp_inspector.agent.dispatch.approving import Approver
from mcp_inspector.agent.loop import ROUNDS, Conversation, offer
from mcp_inspector.agent.retrieval.retriever import Method, Wishes
from mcp_inspector.ui import bridge
from mcp_inspector.ui.models.model_book import PLAYGROUND, ModelBook

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcp_inspector.agent.dispatch.approving import Ask
    from mcp_inspector.agent.loop import Step
    from mcp_inspector.ui.bridge import Job
    from mcp_inspector.ui.desk import Desk
    from mcp_inspector.ui.models.agent import AgentModel

_KEPT = "agent.playground"


class PlaygroundModel(QObject):
    """One conversation at a time. `stepped` gives each `Step` of a turn, `ended` tells that a turn is over."""

    stepped = Signal(object)
    ended = Signal()

    def __init__(self, desk: Desk, agent: AgentModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._desk, self._agent = desk, agent
        self.book = ModelBook(desk.memory, self, PLAYGROUND, lambda: desk.vault)
        self._conversation: Conversation | None = None
        self._job: Job | None = None
        self.book.changed.connect(self.forget)

    @property
    def endpoint(self) -> ChatEndpoint:
        """Where the model is; not usable while nothing is configured."""
        found = self.book.endpoint
        return ChatEndpoint(found.base_url, found.model, Api(self.book.api))

    @property
    def running(self) -> bool:
        """Whether a turn is under way."""
        return self._job is not None and self._job.running

    @property
    def rounds(self) -> int:
        """How often the model is asked in a turn, at most."""
        return int(self._options.get("rounds", ROUNDS))

    @property
    def top(self) -> int:
        """How many tools are offered at most; 0 for all of them."""
        return int(self._options.get("top", 5))

    @property
    def _options(self) -> dict[str, Any]:
        return self._desk.memory.get(_KEPT, dict[str, Any]())

    def put(self, name: str, value: int) -> None:
        """Set `rounds` or `top`, and remember it."""
        self._desk.memory.put(_KEPT, {**self._options, name: value})

    def forget(self) -> None:
        """The next thing that is said begins a new conversation."""
        self.stop()
        self._conversation = None

    def stop(self) -> None:
        """End the turn that is under way."""
        if self._job is not None:
            self._job.cancel()

    def say(self, text: str, ask: Ask, on_error: Callable[[Exception], object]) -> bool:
        """Begin a turn; `ask` asks the person about a call. False when one is under way or nothing can be asked."""
        inspector, log, gate = self._desk.inspector, self._desk.log, self._desk.gate
        endpoint = self.endpoint
        if self.running or inspector is None or log is None or not endpoint.usable:
            return False
        agent = self._agent
        method = Method(agent.options["method"]) if self.top else Method.OFF
        # No threshold: each word of a sentence that no tool has lowers the scores of all tools alike.
        wishes = Wishes(method, self.top or 1, 0.0)

        async def work() -> None:
            box = agent.box
            retriever = await agent.ready()
            found = await offer(box, endpoint, text, retriever, wishes)
            conversation = self._conversation
            if conversation is None:
                conversation = self._conversation = Conversation(
                    endpoint,
                    log,
                    inspector.find,
                    approve=Approver(gate, ask) if gate is not None else None,
                    key=await self.book.key(),
                    on_step=self._step,
                )
            conversation.rounds = self.rounds
            await conversation.say(text, box, found)

        what = f"asking {endpoint.model}"
        self._job = bridge.spawn(work(), what=what, on_error=on_error, finally_=self.ended.emit)
        return True

    def _step(self, step: Step) -> None:
        self.stepped.emit(step)
