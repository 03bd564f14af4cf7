"""Runs probes against a connected server, one after another, and tells of each as it ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mcp_inspector.session.probing import asking_probes, auth_probes, call_probes, http_probes, probes
from mcp_inspector.session.probing.probe import Came, Done, Probe, Verdict
from mcp_inspector.transport.base import Fault

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from mcp_inspector.session.probing.bench import Bench
    from mcp_inspector.session.server import Server

PROBES: tuple[Probe, ...] = tuple(
    sorted(
        (
            *probes.PROBES,
            *http_probes.PROBES,
            *call_probes.PROBES,
            *asking_probes.PROBES,
            *auth_probes.PROBES,
        ),
        key=lambda probe: probe.number,
    )
)
"""All probes, in the order of the checklist."""


async def run(
    server: Server,
    chosen: Iterable[Probe] = PROBES,
    *,
    agreed: bool = False,
    begun: Callable[[Probe], object] = lambda _: None,
    told: Callable[[Done], object] = lambda _: None,
) -> list[Done]:
    """Run probes. `agreed` lets those run that may change something. May be cancelled: all connections are closed.

    Raises `Fault` when the server is not connected.
    """
    bench = await server.bench(agreed=agreed)
    done: list[Done] = []
    try:
        for probe in chosen:
            begun(probe)
            done.append(Done(probe, await _one(bench, probe)))
            told(done[-1])
    finally:
        await bench.close()
    return done


async def _one(bench: Bench, probe: Probe) -> Came:
    why = probe.applies(bench)
    if why:
        return Came(Verdict.LEFT_OUT, f"Left out: {why}.")
    if probe.changes and not bench.agreed:
        return Came(Verdict.LEFT_OUT, f"Left out, because nobody agreed to it: {probe.changes}")
    try:
        return await probe.run(bench)
    except Fault as fault:
        return Came(Verdict.FAILED, fault.sentence)
