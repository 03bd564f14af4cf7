"""What a model would be given now: the tools of the connected servers under their names, and which a query finds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from mcp_inspector.agent import formats
from mcp_inspector.agent.choice import Choice
from mcp_inspector.agent.formats import PROVIDER, Effect, Format
from mcp_inspector.agent.names import Provider, Scheme
from mcp_inspector.agent.retrieval.embeddings import Endpoint
from mcp_inspector.agent.retrieval.retriever import Method, Ranking, Retriever, Wishes
from mcp_inspector.agent.tools import Toolbox, collect
from mcp_inspector.session.catalogue import What
from mcp_inspector.ui import bridge
from mcp_inspector.ui.bridge import Pull
from mcp_inspector.ui.models.model_book import EMBEDDINGS, ModelBook

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcp_inspector.agent.formats import Definition
    from mcp_inspector.agent.tools import AgentTool
    from mcp_inspector.session.server import Server
    from mcp_inspector.ui.bridge import Job
    from mcp_inspector.ui.desk import Desk

DEFAULTS: dict[str, Any] = {
    "everywhere": False,
    "prefix": "mcp",
    "separator": "__",
    "fit": False,
    "include": "",
    "exclude": "",
    "format": Format.OPENAI.value,
    "strict": False,
    "method": Method.WORDS.value,
    "top": 5,
    "threshold": 0.3,
}


class AgentModel(QObject):
    """The toolbox of one server or of all. `changed` tells of other tools or options, `ranked` of another ranking.

    It looks only while somebody does (`watch`): naming ten thousand tools takes a tenth of a second.
    """

    changed = Signal()
    ranked = Signal()

    def __init__(self, desk: Desk, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self.options: dict[str, Any] = {**DEFAULTS, **desk.memory.get("agent", {})}
        self.retriever = Retriever()
        self.embeddings = ModelBook(desk.memory, self, EMBEDDINGS, lambda: desk.vault)
        """Where meaning is asked for; without it the packaged model is."""
        self.embeddings.changed.connect(self._other_meaning)
        self.query = ""
        self.ranking: Ranking | None = None
        self._box: Toolbox | None = None
        self._watched = False
        self._listening: dict[Server, Callable[[], None]] = {}
        self._job: Job | None = None
        self._pull = Pull(self._look, self)
        desk.server_chosen.connect(self._pull.soon)
        desk.servers.refreshed.connect(self._pull.soon)

    @property
    def format(self) -> Format:
        """The shape that is shown."""
        return Format(self.options["format"])

    @property
    def provider(self) -> Provider | None:
        """Whose rules count; None for all of them."""
        return PROVIDER.get(self.format)

    @property
    def scheme(self) -> Scheme:
        """How names are made."""
        return Scheme(self.options["prefix"], self.options["separator"], self.options["fit"])

    @property
    def box(self) -> Toolbox:
        """The tools as they are listed now."""
        if self._box is None:
            choice = Choice(tuple(self.options["include"].split()), tuple(self.options["exclude"].split()))
            self._box = collect(self.servers, self.scheme, choice, self.provider)
        return self._box

    @property
    def servers(self) -> tuple[Server, ...]:
        """Those that are looked at: the chosen one, or all that have tools."""
        if self.options["everywhere"]:
            return tuple(one for one in self._desk.servers.servers if one.catalogue[What.TOOLS].items)
        return (self._desk.server,) if self._desk.server is not None else ()

    def put(self, name: str, value: Any) -> None:
        """Set an option, and remember it."""
        if self.options[name] == value:
            return
        self.options[name] = value
        self._desk.memory.put("agent", {key: each for key, each in self.options.items() if each != DEFAULTS[key]})
        self._pull.now()

    def define(self, tool: AgentTool) -> Definition:
        """A tool in the shape that is shown."""
        return formats.define(tool, self.format, strict=self.options["strict"])

    def definitions(self) -> list[Definition]:
        """All offered tools in the shape that is shown."""
        return [self.define(tool) for tool in self.box.tools]

    def refused(self, tool: AgentTool) -> str:
        """Why the provider would refuse it; empty when it would not. For one row at a time."""
        found = [loss.sentence for loss in self.define(tool).losses if loss.effect is Effect.REJECTED]
        return " ".join(found)

    def watch(self, on: bool) -> None:
        """Somebody looks at it, or nobody does."""
        self._watched = on
        if on:
            self._pull.now()

    def search(self, query: str) -> None:
        """Rank the tools for this query; an empty one shows all of them."""
        self.query = query.strip()
        if self._job is not None:
            self._job.cancel()
        if not self.query:
            self.ranking = None
            self.ranked.emit()
            return
        options = self.options
        wishes = Wishes(Method(options["method"]), options["top"], options["threshold"])
        wanted = self.query

        async def work() -> Ranking:
            return await (await self.ready()).search(wanted, wishes)

        def done(ranking: Ranking) -> None:
            self.ranking = ranking
            self.ranked.emit()

        self._job = bridge.ask(work(), done, what="finding tools")

    async def ready(self) -> Retriever:
        """The search over the tools as they are now, with the embeddings that are configured now."""
        self.retriever.update(self.box.tools, {server.name for server in self.servers})
        endpoint = self.embeddings.endpoint
        if endpoint.usable:
            key = await self.embeddings.key()
            self.retriever.embedder = Endpoint(endpoint.base_url.strip(), endpoint.model.strip(), key)
        elif isinstance(self.retriever.embedder, Endpoint):
            self.retriever.embedder = None
        return self.retriever

    def _other_meaning(self) -> None:
        self.retriever.forget()
        self._pull.soon()

    def _look(self) -> None:
        if not self._watched:
            return
        servers = set(self.servers)
        for gone in self._listening.keys() - servers:
            self._listening.pop(gone)()
        for server in servers - self._listening.keys():
            self._listening[server] = server.catalogue.changed.connect(self._pull.soon)
        self._box = None
        self.changed.emit()
        if self.query:
            self.search(self.query)
