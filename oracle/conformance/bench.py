"""Cases asked of an engine, or of several side by side, so that each bears its own cost only.

A result is held back until the engine has gone on to the next question: what it says or does
late is then charged to the case that it belongs to, and the case that was out meanwhile is
asked again of a fresh process.
"""

from collections import deque
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass, field, replace
from threading import Condition, Thread
from time import perf_counter
from typing import Any, Protocol

from oracle.conformance.claims import Claims, NoHandshake
from oracle.conformance.engine import NoSuchEngine, Stop, Stopped, Trouble
from oracle.conformance.verdicts import GOOD, NOT_RUN, Result
from oracle.vectors.cases import Case

Json = dict[str, Any]
#: A result with the number of its case in the order of asking.
Numbered = tuple[int, Result]
Results = Generator[Numbered, None, None]

#: So many deaths in a row end a run.
MOST_DEATHS = 5
#: How far the engines of a run may get ahead of its slowest case.
_WINDOW = 64
#: How often a wait looks whether the run has been stopped, in seconds.
_TICK = 0.1
#: How many of the cases that were asked last are known by name.
_RECENT = 64


class Engine(Protocol):
    """What a run asks of an engine."""

    def hello(self) -> Claims:
        """Make the engine ready, afresh if need be, and read its claims; raises NoHandshake,
        NoSuchEngine or Stopped."""

    def ask(self, request: Json) -> Json:
        """The engine's answer to a request; raises Trouble or Stopped."""

    def stderr(self) -> str:
        """The last that the engine said beside its answers."""

    def close(self) -> None:
        """Have done with the engine; raises Trouble when it doesn't end as it should."""


@dataclass
class Shared:
    """What the benches of a run have in common."""

    #: Gives the verdict on an answer: the case, the answer, the seconds it took, and stderr.
    judge: Callable[[Case, Json, float, Callable[[], str]], Result]
    stop: Stop
    #: Whether a failure is to be told before anything else is asked.
    fail_fast: bool = False
    #: What went wrong beside the cases, a line each.
    faults: list[str] = field(default_factory=list)
    #: The numbers of cases for which no engine could be started.
    lost: set[int] = field(default_factory=set)

    def tell(self, fault: str) -> None:
        """Take down a fault; several processes that have the same are one fault."""
        if fault not in self.faults:
            self.faults.append(fault)


class Bench:
    """One engine at work."""

    def __init__(self, engine: Engine, shared: Shared, up: bool) -> None:
        """``up`` says whether the engine has shaken hands already."""
        self.engine = engine
        self._shared = shared
        self._up = up
        self._held: Numbered | None = None
        self._recent: deque[str] = deque(maxlen=_RECENT)

    def check(self, number: int, case: Case) -> list[Numbered]:
        """Ask a case; the results that are settled by now. Raises Stopped when the run has been
        interrupted."""
        if not self._shared.stop.ended:
            self._recent.append(case.id)
        try:
            while not self._shared.stop.ended:
                if not self._up and not self._start(number):
                    break
                started = perf_counter()
                try:
                    answer = self.engine.ask(case.request)
                except Trouble as trouble:
                    self._up = False
                    if trouble.ago:
                        self._charge_earlier(trouble, out=1)
                        continue
                    seconds = perf_counter() - started
                    return [*self.settle(), (number, self._failed(case, trouble, seconds))]
                seconds = perf_counter() - started
                settled = self.settle()
                self._held = number, self._shared.judge(case, answer, seconds, self.engine.stderr)
                if self._shared.fail_fast and self._held[1].verdict not in GOOD:
                    settled += self.settle()
                return settled
        except Stopped:
            if self._shared.stop.interrupted:
                raise
        return [*self.settle(), (number, Result(case, NOT_RUN))]

    def settle(self) -> list[Numbered]:
        """Let go of the result that is held back."""
        settled, self._held = [self._held] if self._held else [], None
        return settled

    def close(self) -> list[Numbered]:
        """Have done with the engine; the last result."""
        try:
            self.engine.close()
        except Trouble as trouble:
            if not trouble.ago:
                self._shared.tell(f"the engine {trouble}")
            elif not self._shared.stop.ended:
                self._charge_earlier(trouble, out=0)
        return self.settle()

    def _start(self, number: int) -> bool:
        problem: Exception | None = None
        for _ in range(MOST_DEATHS):
            try:
                self.engine.hello()
            except (NoHandshake, NoSuchEngine) as error:
                problem = error
            else:
                self._up = True
                return True
        self._shared.tell(f"the engine can't be started again: {problem}")
        self._shared.lost.add(number)
        return False

    def _failed(self, case: Case, trouble: Trouble, seconds: float) -> Result:
        return Result(
            case, trouble.verdict, seconds, message=str(trouble), stderr=self.engine.stderr()
        )

    def _charge_earlier(self, trouble: Trouble, out: int) -> None:
        """Charge a case that was asked before; ``out`` is 1 while another is out, else 0."""
        if trouble.ago == 1 and self._held:
            number, result = self._held
            self._held = (
                number,
                replace(
                    result,
                    verdict=trouble.verdict,
                    message=str(trouble),
                    stderr=self.engine.stderr(),
                ),
            )
        else:
            # Its result has been told already.
            back = min(trouble.ago + out, len(self._recent))
            self._shared.tell(f"{self._recent[-back]}: the engine {trouble}")


def one_by_one(bench: Bench, cases: Iterable[Case], stop: Stop) -> Results:
    """The results of cases asked of one engine, in the order of the cases."""
    try:
        for number, case in enumerate(cases):
            if stop.interrupted:
                break
            yield from bench.check(number, case)
        else:
            yield from bench.close()
    except Stopped:
        pass
    yield from bench.settle()


class SideBySide:
    """Several benches at work on one row of cases, a thread each."""

    def __init__(self, benches: Sequence[Bench], cases: Iterable[Case], stop: Stop) -> None:
        self._cases = enumerate(cases)
        self._stop = stop
        #: Guards all that follows, and tells of every change to it.
        self._changed = Condition()
        self._taken = self._told = 0
        self._settled: dict[int, Result] = {}
        self._fault: BaseException | None = None
        self._at_work = len(benches)
        #: Whether one of them works a case out. Nothing can cut in there, so that nobody waits
        #: for it when the run is interrupted.
        self._taking = False
        self._threads = [Thread(target=self._work, args=(bench,), daemon=True) for bench in benches]

    def results(self) -> Results:
        """The results in the order of the cases, whichever engine is done first."""
        for thread in self._threads:
            thread.start()
        try:
            while (result := self._next()) is not None:
                yield self._told, result
                self._told += 1
            yield from sorted(self._settled.items())
        finally:
            # Whoever wants no more results wants no more cases asked.
            with self._changed:
                self._stop.interrupted |= self._at_work > 0
                self._changed.notify_all()
                while not self._is_over():
                    self._changed.wait(_TICK)
        if self._fault:
            raise self._fault

    def _is_over(self) -> bool:
        """Whether no bench is at work any more, or only one that nobody waits for."""
        left_alone = 1 if self._taking and self._stop.interrupted else 0
        return self._at_work <= left_alone

    def _next(self) -> Result | None:
        with self._changed:
            self._changed.notify_all()
            while self._told not in self._settled and not self._is_over():
                # An interrupt tells nobody.
                self._changed.wait(_TICK)
            return self._settled.pop(self._told, None)

    def _work(self, bench: Bench) -> None:
        try:
            while item := self._take(bench):
                self._put(bench.check(*item))
            if not self._stop.interrupted:
                self._put(bench.close())
        except Stopped:
            pass
        except BaseException as error:
            self._fault = error
            self._stop.interrupted = True
        self._put(bench.settle())
        with self._changed:
            self._at_work -= 1
            self._changed.notify_all()

    def _take(self, bench: Bench) -> tuple[int, Case] | None:
        with self._changed:
            while not self._stop.interrupted:
                is_ahead = self._taken - self._told >= _WINDOW
                if not self._taking and not is_ahead:
                    break
                # It may be this bench that the others wait for.
                if is_ahead and (settled := bench.settle()):
                    self._put(settled)
                else:
                    self._changed.wait(_TICK)
            if self._stop.interrupted:
                return None
            self._taking = True
        item = None
        try:
            item = next(self._cases, None)
        finally:
            with self._changed:
                self._taken += item is not None
                self._taking = False
                self._changed.notify_all()
        return item

    def _put(self, settled: list[Numbered]) -> None:
        with self._changed:
            self._settled.update(settled)
            self._changed.notify_all()
