"""``mcp-inspector tools`` and ``dispatch``: the servers as a model sees them, and the calls that it makes."""

from __future__ import annotations

import asyncio
import contextlib
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from mcp_inspector.agent import formats
from mcp_inspector.agent.choice import Choice
from mcp_inspector.agent.dispatch import answers, reading
from mcp_inspector.agent.dispatch.approving import Approver
from mcp_inspector.agent.dispatch.dispatcher import Dispatcher
from mcp_inspector.agent.formats import PROVIDER, Effect, Format
from mcp_inspector.agent.names import Scheme
from mcp_inspector.agent.retrieval.embeddings import KEY_VARIABLE, Endpoint, PackagedModel
from mcp_inspector.agent.tools import collect
from mcp_inspector.cli import printing, values
from mcp_inspector.cli.exits import Exit, UsageError
from mcp_inspector.cli.failures import exit_of_fault, say_fault
from mcp_inspector.cli.journal import say
from mcp_inspector.config import paths
from mcp_inspector.config.vault import EMBEDDINGS_KEY, name_for, standard
from mcp_inspector.session.approval import Gate
from mcp_inspector.session.catalogue import Freshness, What
from mcp_inspector.session.dialing import ways
from mcp_inspector.session.inspector import Inspector

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from mcp_inspector.agent.dispatch.reading import Invocation
    from mcp_inspector.agent.formats import Definition
    from mcp_inspector.agent.tools import Toolbox
    from mcp_inspector.cli.arguments import Request
    from mcp_inspector.cli.journal import Talk
    from mcp_inspector.config.entry import ServerEntry
    from mcp_inspector.config.settings import Settings


@dataclass
class Plan:
    """The command line understood, before any server is started."""

    request: Request
    targets: list[str]
    calls: tuple[Invocation, ...] = ()
    labels: str = ""
    embedder: Endpoint | None = None
    failures: list[int] = field(default_factory=list)

    @property
    def options(self) -> dict[str, Any]:
        """What `agent_forms` adds for this command."""
        return self.request.options

    async def carry_out(self, entries: list[ServerEntry], settings: Settings, talk: Talk) -> int:
        """Connect all servers at once, do the work with those that are there, and end them."""
        async with self._connected(entries, settings, talk) as inspector:
            request = self.request
            provider = PROVIDER.get(Format(self.options.get("format", Format.MCP)))
            scheme = Scheme(self.options["prefix"], self.options["separator"], self.options["fit"])
            box = collect(
                inspector.servers,
                scheme,
                Choice(tuple(self.options["include"]), tuple(self.options["exclude"])),
                provider,
            )
            for problem in box.problems:
                say(problem)
            if request.command == "dispatch":
                code = await self._dispatch(box, inspector)
            elif self.options.get("evaluate"):
                code = await self._evaluate(box)
            elif self.options.get("query") is not None:
                code = await self._search(box)
            else:
                code = self._define(box)
        return code or max(self.failures, default=Exit.OK)

    @contextlib.asynccontextmanager
    async def _connected(self, entries: list[ServerEntry], settings: Settings, talk: Talk) -> AsyncIterator[Inspector]:
        vault = standard(paths.places().config, settings.secrets)
        if self.embedder is not None and not self.embedder.key:
            name = name_for(EMBEDDINGS_KEY, self.embedder.base_url)
            self.embedder.key = await asyncio.to_thread(vault.get, name)
        inspector = Inspector(talk, ways(settings, lists_at_connect=False, vault=vault), entries)
        try:
            for server in inspector.servers:
                server.connect()
            for status in await asyncio.gather(*(server.settled() for server in inspector.servers)):
                if not status.up:
                    if status.fault is not None:
                        say_fault(status.fault)
                    self.failures.append(exit_of_fault(status.fault))
            up = [server for server in inspector.servers if server.status.up]
            await asyncio.gather(*(server.refresh(What.TOOLS) for server in up))
            for server in up:
                listing = server.catalogue[What.TOOLS]
                if listing.freshness is Freshness.FAILED:
                    say(f"{server.name} tools: {listing.why}")
                    self.failures.append(Exit.RPC_ERROR)
            yield inspector
        finally:
            await inspector.close()

    def _define(self, box: Toolbox) -> int:
        request = self.request
        format = Format(self.options["format"])
        definitions = [formats.define(tool, format, strict=self.options["strict"]) for tool in box.tools]
        provider = PROVIDER.get(format)
        wrong = box.routes.troubles(*([provider] if provider else ()))
        for trouble in wrong:
            if trouble.provider is None:
                say(trouble.sentence)
        if request.json or format is not Format.MCP:
            for definition in definitions:
                for loss in definition.losses:
                    where = f" at {loss.pointer}" if loss.pointer else ""
                    say(f"{definition.tool.name}{where}: {loss.effect}: {loss.sentence}")
            printing.put_json(formats.document(definitions, format))
        else:
            printing.put(_table(definitions))
        say(_summary(definitions, box))
        return Exit.OK

    async def _search(self, box: Toolbox) -> int:
        from mcp_inspector.agent.retrieval.retriever import Method, Retriever, Wishes

        request = self.request
        retriever = Retriever(self.embedder)
        retriever.update(box.tools, {tool.server for tool in box.tools})
        wishes = Wishes(Method(self.options["method"]), self.options["top"], self.options["threshold"])
        ranking = await retriever.search(self.options["query"] or "", wishes)
        if ranking.why:
            say(ranking.why)
        if request.json:
            hits = [
                {"name": hit.tool.name, "server": hit.tool.server, "tool": hit.tool.tool}
                | {"score": round(hit.score, 4), "words": hit.words, "similarity": hit.similarity}
                for hit in ranking.hits
            ]
            document = {"query": ranking.query, "method": ranking.method, "everything": ranking.everything}
            printing.put_json(msgspec.json.encode({**document, "hits": hits}))
            return Exit.OK
        for hit in ranking.hits:
            reasons = ", ".join(f"{word} {part:.2f}" for word, part in hit.words.items())
            meaning = f"meaning {hit.similarity:.2f}" if hit.similarity is not None else ""
            printing.put([f"{hit.score:5.2f}  {hit.tool.name}  {'; '.join(filter(None, (reasons, meaning)))}".rstrip()])
        return Exit.OK

    async def _evaluate(self, box: Toolbox) -> int:
        from mcp_inspector.agent.retrieval.evaluate import evaluate, read_labels, unknown
        from mcp_inspector.agent.retrieval.retriever import Method, Retriever, Wishes

        labels, problems = read_labels(self.labels)
        for problem in (*problems, *unknown(labels, box.tools)):
            say(problem)
        if not labels:
            raise UsageError(f"{self.options['evaluate']} has no labelled query: a line is query,tool.")
        retriever = Retriever(self.embedder)
        retriever.update(box.tools, {tool.server for tool in box.tools})
        methods = [Method.WORDS]
        if self.embedder is not None or PackagedModel.installed():
            methods += [Method.MEANING, Method.HYBRID]
        else:
            say("Only bm25 is judged: the extra semantic is not installed, and no --embeddings are given.")
        scores = await evaluate(retriever, labels, methods, Wishes(top=self.options["top"]))
        if self.request.json:
            printing.put_json(msgspec.json.encode([_score(score) for score in scores]))
            return Exit.OK
        printing.put([f"{'method':<10} recall@{self.options['top']:<3} {'MRR':>6} {'ms':>8}  ({len(labels)} queries)"])
        for score in scores:
            printing.put([f"{score.method:<10} {score.recall:10.3f} {score.mrr:6.3f} {score.milliseconds:8.2f}"])
            for judged in score.judged:
                if not judged.rank:
                    wanted = ", ".join(judged.label.right)
                    printing.put([f"  line {judged.label.line}: {wanted} not found; first is {judged.first or 'none'}"])
        return Exit.OK

    async def _dispatch(self, box: Toolbox, inspector: Inspector) -> int:
        request = self.request
        folders = paths.folders()
        gate = Gate(folders.config / "policy.json", folders.state / "approved.json")
        for problem in (*gate.policy.problems, gate.problem):
            if problem:
                say(problem)
        approve = Approver(gate, yes=self.options["approved"])
        strict = not self.options["unchecked"]
        dispatcher = Dispatcher(box, inspector.find, approve=approve, strict=strict, timeout=request.timeout)
        found = await dispatcher.run(self.calls)
        for answer in found:
            if answer.failed:
                say(f"{answer.invocation.name or 'A call'}: {answer.text}")
        printing.put_json(answers.document(found))
        return Exit.TOOL_ERROR if any(answer.failed for answer in found) else Exit.OK


def plan(request: Request) -> Plan:
    """Understand the words of the command line. Raises `UsageError` before anything is started."""
    words = list(request.words)
    if request.command == "tools":
        if request.options["top"] < 1:
            raise UsageError("--top wants a number from 1 on.")
        file = request.options["evaluate"]
        labels = _text_of(file) if file else ""
        return Plan(request, words, labels=labels, embedder=_embedder(request.options))
    if not words:
        raise UsageError("The file with the model's answer is missing; - reads standard input.")
    file = words.pop(0)
    raw = values.given_bytes("-" if file == "-" else f"@{file}")
    try:
        return Plan(request, words, reading.read(raw))
    except reading.Unreadable as error:
        raise UsageError(str(error)) from None


def _embedder(options: dict[str, Any]) -> Endpoint | None:
    url, model = options["embeddings"].strip(), options["embeddings_model"].strip()
    if bool(url) != bool(model):
        raise UsageError("--embeddings and --embeddings-model go together.")
    return Endpoint(url, model, os.environ.get(KEY_VARIABLE, "")) if url else None


def _text_of(file: str) -> str:
    try:
        return Path(file).expanduser().read_text("utf-8", "replace")
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror}.") from None


def _table(definitions: list[Definition]) -> list[str]:
    width = max((len(definition.tool.name) for definition in definitions), default=0)
    return [
        f"{definition.tool.name:<{width}}  {definition.tokens:6,} tokens  {_first(definition.tool.description)}"
        for definition in definitions
    ]


def _summary(definitions: list[Definition], box: Toolbox) -> str:
    total = sum(definition.tokens for definition in definitions)
    out = f"; {len(box.left_out)} left out" if box.left_out else ""
    refused = sum(any(loss.effect is Effect.REJECTED for loss in definition.losses) for definition in definitions)
    bad = f"; {refused} would be refused" if refused else ""
    return f"{len(definitions)} tools, about {total:,} tokens{out}{bad}."


def _score(score: Any) -> dict[str, Any]:
    found = {"method": score.method, "recall": score.recall, "mrr": score.mrr, "milliseconds": score.milliseconds}
    judged = [
        {"line": each.label.line, "query": each.label.query, "right": each.label.right, "rank": each.rank}
        | {"first": each.first}
        for each in score.judged
    ]
    return {**found, "why": score.why, "queries": judged}


def _first(text: str) -> str:
    """The first line of a text, cut."""
    return text.strip().partition("\n")[0][:100]
