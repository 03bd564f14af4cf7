"""A load run: one action again and again, by so many at once or at a rate, with percentiles as it goes. Flat in memory.

Latencies are the transport's, in buckets of 2 %: a percentile is right to one bucket.
"""

from __future__ import annotations

import asyncio
import math
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from mcp_inspector.actions import judging
from mcp_inspector.actions.judging import Ending, Evidence
from mcp_inspector.signals import Signal

if TYPE_CHECKING:
    from mcp_inspector.actions.collection import Action
    from mcp_inspector.actions.performing import Performer
    from mcp_inspector.actions.values import Values

_STEP = math.log(1.02)
_LEAST_MS = 0.001
MOST_AT_ONCE = 1_000
MOST_SLICES = 600
LONGEST_SECONDS = 3_600.0


class Histogram:
    """Times in ms, counted in buckets of 2 %."""

    def __init__(self) -> None:
        self.count = 0
        self.total_ms = 0.0
        self.worst_ms = 0.0
        self._buckets: dict[int, int] = {}

    def add(self, ms: float) -> None:
        """Count one."""
        bucket = max(0, round(math.log(max(ms, _LEAST_MS) / _LEAST_MS) / _STEP))
        self._buckets[bucket] = self._buckets.get(bucket, 0) + 1
        self.count += 1
        self.total_ms += ms
        self.worst_ms = max(self.worst_ms, ms)

    def percentile(self, percent: float) -> float:
        """The time, in ms, that so many per cent do not exceed; 0 when there is none."""
        left = math.ceil(self.count * percent / 100)
        for bucket in sorted(self._buckets):
            left -= self._buckets[bucket]
            if left <= 0:
                return min(_LEAST_MS * math.exp(bucket * _STEP), self.worst_ms)
        return self.worst_ms

    @property
    def mean_ms(self) -> float:
        """The mean, 0 when there is none."""
        return self.total_ms / self.count if self.count else 0.0


@dataclass
class Slice:
    """What ended in one part of the time, which began `at_s` seconds after the start."""

    at_s: float
    times: Histogram = field(default_factory=Histogram)
    bad: int = 0


@dataclass(frozen=True)
class LoadOptions:
    """`concurrency` calls at once, or with a `rate` so many a second; for `seconds`."""

    concurrency: int = 1
    rate: float = 0
    seconds: float = 10

    def problem(self) -> str:
        """What is wrong with them, a sentence; empty when nothing is."""
        if not 1 <= self.concurrency <= MOST_AT_ONCE:
            return f"Calls at once are 1 to {MOST_AT_ONCE:,}."
        if not 0 <= self.rate <= 100_000:
            return "A rate is up to 100,000 calls a second."
        if not 0 < self.seconds <= LONGEST_SECONDS:
            return f"A load run takes up to {LONGEST_SECONDS:g} seconds."
        return ""


class Load:
    """One load run. `changed` tells, some times a second at most, that there is more to see."""

    def __init__(self, performer: Performer, action: Action, values: Values, options: LoadOptions) -> None:
        self.changed: Signal[()] = Signal()
        self.options = options
        self.times = Histogram()
        self.endings: dict[Ending, int] = {}
        self.slices: list[Slice] = []
        self.failed = 0
        self.missed = 0
        """With a rate: calls that were due while as many as allowed were under way."""
        self.first_failure = ""
        self.first_failure_call = 0
        self.began = self.ended = 0.0
        self._performer, self._action, self._values = performer, action, values
        self._slice_s = max(0.25, options.seconds / MOST_SLICES)
        self._stopped = False
        self._under_way = 0
        self._told = 0.0

    @property
    def done(self) -> int:
        """Calls that have ended."""
        return self.times.count

    @property
    def seconds(self) -> float:
        """How long it runs, or ran."""
        return (self.ended or time.monotonic()) - self.began if self.began else 0.0

    @property
    def per_second(self) -> float:
        """Calls that ended, a second."""
        return self.done / self.seconds if self.seconds > 0 else 0.0

    def stop(self) -> None:
        """Begin no more calls; those under way end."""
        self._stopped = True

    async def run(self) -> None:
        """Run it. The server is connected, and the first call approved, before the clock starts."""
        first = await self._performer.perform(self._action, self._values)
        if judging.ending(first.outcome) is Ending.NOT_RUN or self._stopped:
            self._note_failure(judging.error_sentence(first.outcome) or "It was stopped.", first.outcome.call)
            return
        self.began = time.monotonic()
        try:
            async with asyncio.TaskGroup() as group:
                if self.options.rate:
                    await self._at_rate(group)
                else:
                    for at in range(self.options.concurrency):
                        group.create_task(self._one_after_another(), name=f"load {at}")
        finally:
            self.ended = time.monotonic()
            self.changed.send()

    async def _one_after_another(self) -> None:
        while self._goes_on():
            await self._one()

    async def _at_rate(self, group: asyncio.TaskGroup) -> None:
        gap, number = 1 / self.options.rate, 0
        most = max(self.options.concurrency, min(MOST_AT_ONCE, math.ceil(self.options.rate)))
        while self._goes_on():
            due = self.began + number * gap
            wait = due - time.monotonic()
            if wait > 0:
                await asyncio.sleep(wait)
            number += 1
            if self._under_way >= most:
                self.missed += 1
                await asyncio.sleep(0)
            else:
                self._under_way += 1
                group.create_task(self._counted(), name="load")

    def _goes_on(self) -> bool:
        return not self._stopped and time.monotonic() - self.began < self.options.seconds

    async def _counted(self) -> None:
        try:
            await self._one()
        finally:
            self._under_way -= 1

    async def _one(self) -> None:
        performed = await self._performer.perform(self._action, self._values)
        outcome = performed.outcome
        ending = judging.ending(outcome)
        verdicts = judging.judged(self._action.assertions, Evidence(outcome, performed.output_schema))
        wrong = [one.sentence for one in verdicts if not one.passed]
        self.endings[ending] = self.endings.get(ending, 0) + 1
        moment = time.monotonic()
        at = int((moment - self.began) / self._slice_s)
        while len(self.slices) <= min(at, MOST_SLICES):
            self.slices.append(Slice(len(self.slices) * self._slice_s))
        part = self.slices[-1]
        ms = outcome.elapsed_ns / 1e6
        self.times.add(ms)
        part.times.add(ms)
        if wrong:
            part.bad += 1
            self._note_failure(wrong[0], outcome.call)
        if moment - self._told > 0.1:
            self._told = moment
            self.changed.send()
        if ending is Ending.NOT_RUN:
            await asyncio.sleep(0.05)  # nothing went out, so nothing holds this loop back

    def _note_failure(self, sentence: str, call: int) -> None:
        self.failed += 1
        if not self.first_failure:
            self.first_failure, self.first_failure_call = self._values.hide(sentence), call

    def lines(self) -> list[str]:
        """The numbers for people."""
        times = self.times
        said = [
            f"{self.done:,} calls in {self.seconds:.1f} s: {self.per_second:,.1f} a second, {self.failed:,} failed",
            f"latency ms: mean {times.mean_ms:.2f}, 50 % {times.percentile(50):.2f}, 90 % {times.percentile(90):.2f}, "
            f"95 % {times.percentile(95):.2f}, 99 % {times.percentile(99):.2f}, worst {times.worst_ms:.2f}",
        ]
        if self.missed:
            said.append(f"{self.missed:,} calls were due and not begun: as many as allowed were under way")
        if self.first_failure:
            said.append(f"first failure: {self.first_failure}")
        return said
