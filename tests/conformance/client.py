"""The client that the official conformance suite drives: a thin command over the public core.

Usage: ``client.py URL``, with the scenario in ``MCP_CONFORMANCE_SCENARIO``, the version in
``MCP_CONFORMANCE_PROTOCOL_VERSION`` and, for some scenarios, facts in ``MCP_CONFORMANCE_CONTEXT`` (JSON). It connects,
lists all that there is, uses each thing once, and exits 0 when the protocol held.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import sys
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # a script: the checkout comes first

from mcp_inspector.config.auth_options import AuthOptions
from mcp_inspector.config.entry import ServerEntry
from mcp_inspector.config.vault import Vault
from mcp_inspector.schema.fields import Form
from mcp_inspector.schema.samples import full
from mcp_inspector.session import skills
from mcp_inspector.session.catalogue import What
from mcp_inspector.session.dialing import Dialer
from mcp_inspector.session.inbox import ELICITATION, ROOTS, SAMPLING, Preset
from mcp_inspector.session.inspector import Inspector
from mcp_inspector.session.outcome import Complete, Outcome
from mcp_inspector.session.ways import Ways
from mcp_inspector.transport.base import Fault

if TYPE_CHECKING:
    from mcp_inspector.session.server import Server
    from mcp_inspector.store.record import Entry

ECHO = "json_schema_echo"
CANNED = (
    b'{"role":"assistant","content":{"type":"text","text":"A canned answer."},"model":"none","stopReason":"endTurn"}'
)


class Journal:
    """Prints what happens, for the suite's own log."""

    def __init__(self) -> None:
        self.count = 0

    def append(self, entry: Entry) -> int:
        """See `session.recorder.Journal`."""
        self.count += 1
        shown = entry.data[:300].decode(errors="replace")
        print(self.count, entry.channel.name, entry.direction.name, entry.kind, entry.method, shown, entry.facts)
        return self.count


async def use_everything(server: Server, context: dict[str, Any]) -> list[Outcome]:
    """Call each tool, read each resource, get each prompt; or replay the calls that the context names."""
    outcomes = []
    replay = context.get("toolCalls")
    if isinstance(replay, list):
        return [await server.call_tool(call["name"], json.dumps(call.get("arguments", {})).encode()) for call in replay]
    tools = [item for item in server.catalogue[What.TOOLS].items if not item.problem]
    echo = server.catalogue[What.TOOLS].by_key.get(ECHO)
    if echo is not None:  # is given a listed schema, byte for byte, to see whether the client kept it whole
        focal = next(item for item in tools if item is not echo)
        return [await server.call_tool(ECHO, b'{"schema":' + focal.part("inputSchema") + b"}")]
    for item in tools:
        sample = full(Form(item.part("inputSchema"))).json_text
        outcomes.append(await server.call_tool(item.key, sample.encode()))
    outcomes += [await server.read_resource(item.key) for item in server.catalogue[What.RESOURCES].items]
    for item in server.catalogue[What.PROMPTS].items:
        arguments = {each["name"]: "x" for each in item.value.get("arguments", []) if each.get("required")}
        outcomes.append(await server.get_prompt(item.key, arguments))
    return outcomes


CIMD_URL = "https://conformance-test.local/client-metadata.json"


def options(scenario: str, context: dict[str, Any]) -> AuthOptions:
    """How to sign in, by the scenario's name and what the suite tells."""
    given = {name: context[name] for name in ("client_id", "client_secret") if name in context}
    if scenario == "auth/basic-cimd":
        return AuthOptions(client_metadata_url=CIMD_URL)
    if scenario == "auth/client-credentials-jwt":
        key, algorithm = context["private_key_pem"], context["signing_algorithm"]
        return AuthOptions(grant="client_credentials", private_key=key, algorithm=algorithm, **given)
    if scenario == "auth/client-credentials-basic":
        return AuthOptions(grant="client_credentials", **given)
    if scenario == "auth/enterprise-managed-authorization":
        idp = {name: context[name] for name in context if name.startswith("idp_")}
        return AuthOptions(grant="enterprise", **given, **idp)
    if scenario == "auth/wif-jwt-bearer":
        return AuthOptions(grant="jwt_bearer", assertion=context["valid_jwt"], **given)
    return AuthOptions(**given) if scenario.startswith("auth/") else AuthOptions()


async def browse(url: str) -> None:
    """The browser of somebody who agrees at once: follows redirects, back to our own listener too."""

    def visit() -> None:
        with urllib.request.urlopen(url, timeout=10) as page:
            page.read()

    browsing = asyncio.get_running_loop().run_in_executor(None, visit)
    browsing.add_done_callback(lambda done: done.exception())


async def use_skills(server: Server, scenario: str) -> None:
    """List the skills, and load them where the scenario is about what is loaded."""
    found = await skills.listed(server)
    for skill in found if "verify" in scenario else ():
        try:
            await skills.load(server, skill)
        except Fault as refused:
            print(refused.sentence, file=sys.stderr)


async def run(url: str) -> int:
    """One scenario."""
    version = os.environ.get("MCP_CONFORMANCE_PROTOCOL_VERSION") or "auto"
    context = json.loads(os.environ.get("MCP_CONFORMANCE_CONTEXT") or "{}")
    scenario = os.environ.get("MCP_CONFORMANCE_SCENARIO", "")
    auth = options(scenario, context)
    entry = ServerEntry("suite", transport="http", url=url, protocol=version, auth=auth)
    inspector = Inspector(Journal(), Ways(Dialer(), vault=Vault(), opener=browse), [entry])
    inspector.inbox.set_preset("*", ELICITATION, Preset("accept"))
    inspector.inbox.set_preset("*", SAMPLING, Preset("result", CANNED))
    inspector.inbox.set_preset("*", ROOTS, Preset("result", b'{"roots":[]}'))
    server = inspector.servers[0]
    try:
        server.connect()
        status = await server.settled()
        await server.loaded()
        if not status.up:
            print("not connected:", status.words(), status.fault, file=sys.stderr)
            return 1
        await use_skills(server, scenario)
        outcomes = await use_everything(server, context)
    finally:
        await inspector.close()
    for outcome in outcomes:
        if not isinstance(outcome, Complete):
            print("not complete:", outcome, file=sys.stderr)
    return 0


if __name__ == "__main__":
    logging.basicConfig()
    sys.exit(asyncio.run(run(sys.argv[-1])))
