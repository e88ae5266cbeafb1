"""A run: cases asked of an engine, each with a verdict, and what is to be said beside them.

The engine is anything with ``hello``, ``ask`` and ``close``: a process on the protocol, or a
callable in this process. An engine that goes wrong costs its case; it is started afresh for
the next one, and only five deaths in a row end the run.

An engine may carry something over from one case to the next. To find that out, a sample of the
cases is asked again at the end, of the same processes and in another order. A verdict that has
changed by then stands as it was, but the run says so among its ``faults``, and is not good.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

from oracle.conformance.bench import (
    MOST_DEATHS,
    Bench,
    Engine,
    Results,
    Shared,
    SideBySide,
    one_by_one,
)
from oracle.conformance.claims import Claims
from oracle.conformance.compare import Comparer
from oracle.conformance.engine import Stop
from oracle.conformance.verdicts import (
    DEATHS,
    ENGINE_ERROR,
    EXPECTED_FAILURE,
    FAIL,
    GOOD,
    NOT_RUN,
    PASS,
    UNEXPECTED_PASS,
    UNSUPPORTED,
    Result,
    kept_answer,
    kept_differences,
    kept_message,
)
from oracle.games import GAMES
from oracle.games.refusals import GENERAL
from oracle.shuffle import Draws
from oracle.vectors.cases import Case

Json = dict[str, Any]

#: How many cases a run from the command line asks again.
REPEATS = 50


@dataclass
class Run:
    """A run under way: give it cases, take results; the counts grow as it goes.

    ``others`` are more processes of the same engine; the results don't depend on how many
    there are. ``repeats`` is the size of the sample that is asked again, and after
    ``most_deaths`` in a row the rest is not run (0: however many there are).
    """

    engine: Engine
    claims: Claims
    fail_fast: bool = False
    others: Sequence[Engine] = ()
    repeats: int = 0
    most_deaths: int = MOST_DEATHS
    stop: Stop = field(default_factory=Stop)
    verdicts: Counter[str] = field(default_factory=Counter)
    clauses: dict[str, Counter[str]] = field(default_factory=dict)
    #: The general refusals that failing cases missed first, and how many did.
    missed: Counter[str] = field(default_factory=Counter)
    #: How many failures the clauses don't count, as their cases were written for none.
    uncounted: int = 0
    not_asked: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    unknown_fields: int = 0
    seconds: float = 0.0
    _deaths: int = 0
    _comparers: dict[str, Comparer] = field(default_factory=dict)

    @property
    def executed(self) -> int:
        """How many cases were asked and got a verdict on what the engine claims."""
        return self.verdicts.total() - self.verdicts[NOT_RUN] - self.verdicts[UNSUPPORTED]

    @property
    def good(self) -> bool:
        """Whether everything so far is as expected."""
        return not self.faults and all(verdict in GOOD for verdict in self.verdicts)

    def results(
        self, cases: Iterable[Case], judge: Callable[[Result], Result] = lambda result: result
    ) -> Iterator[Result]:
        """The results of the cases that the engine claims, in their order; ``judge`` may change
        a verdict. At the end the engine has been closed."""
        started = time.monotonic()
        shared = Shared(self.judge_answer, self.stop, self.fail_fast, self.faults)
        row = _Row(self, cases)
        with closing(self._asked(row, shared)) as results:
            for number, result in results:
                self.seconds = time.monotonic() - started
                if self.stop.ended or number in shared.lost:
                    self.stop.ended = True
                    result = Result(result.case, NOT_RUN)
                self._count_death(result)
                if number in row.again:
                    self._compare(row.first[row.again[number]], result)
                    continue
                row.first.append(result.verdict)
                result = judge(result)
                self._count(result)
                if self.fail_fast and result.verdict not in GOOD:
                    self.stop.ended = True
                yield result
        if self._deaths >= self.most_deaths > 0 and self.verdicts[NOT_RUN]:
            self.faults.append(
                f"stopped after {self.most_deaths} deaths of the engine in a row: "
                "the other cases were not run"
            )

    def _asked(self, row: "_Row", shared: Shared) -> Results:
        benches = [Bench(self.engine, shared, up=True)]
        if not self.others:
            return one_by_one(benches[0], row, self.stop)
        benches += [Bench(other, shared, up=False) for other in self.others]
        return SideBySide(benches, row, self.stop).results()

    def why_not_asked(self, case: Case) -> str | None:
        """Why a case lies outside what the engine claims; None when it lies within."""
        claim = self.claims.games.get(case.game)
        if claim is None:
            return unplayed(case.game)
        if why := claim.why_not_asked(GAMES[case.game], case.op, case.request):
            return why
        if not self._comparer(case).states(case.op, case.response):
            return "the case states nothing that the engine reports"
        return None

    def _comparer(self, case: Case) -> Comparer:
        if case.game not in self._comparers:
            reports = self.claims.games[case.game].reports
            self._comparers[case.game] = Comparer(case.game, reports)
        return self._comparers[case.game]

    def judge_answer(
        self, case: Case, answer: Json, seconds: float, stderr: Callable[[], str]
    ) -> Result:
        """The verdict on an answer; ``stderr`` gives the last that the engine said there."""
        if "failed" in answer:
            message = kept_message(f"the engine itself failed: {answer['failed']}")
            return Result(case, ENGINE_ERROR, seconds, message=message, stderr=stderr())
        if "unsupported" in answer:
            why = kept_message(answer["unsupported"])
            if not self.claims.stated:
                return Result(case, UNSUPPORTED, seconds, message=why)
            message = f"claimed, and answered with unsupported: {why}"
            return Result(case, FAIL, seconds, message=message)
        comparer = self._comparer(case)
        found = comparer.compare(case.op, case.response, answer, case.partial)
        return Result(
            case,
            FAIL if found.differences else PASS,
            seconds,
            kept_differences(found.differences),
            unknown_fields=found.unknown_fields,
            answer=kept_answer(answer) if found.differences else None,
            reports=comparer.reports,
        )

    def _count_death(self, result: Result) -> None:
        """Deaths in a row, counted in the order of the cases, end the run."""
        if result.verdict in DEATHS:
            self._deaths += 1
            self.stop.ended = self.stop.ended or self._deaths == self.most_deaths
        elif result.verdict != NOT_RUN:
            self._deaths = 0

    def _compare(self, first: str, again: Result) -> None:
        if again.verdict not in (first, NOT_RUN):
            self.faults.append(
                f"{again.case.id}: {first} at first, and {again.verdict} when it was asked again "
                "at the end: the engine carries something over from case to case, or leaves it "
                "to chance"
            )

    def _count(self, result: Result) -> None:
        self.verdicts[result.verdict] += 1
        self.unknown_fields += result.unknown_fields
        way = _WAYS.get(result.verdict, "fail")
        for clause in result.case.clauses if result.case.is_about_its_clauses else ():
            self.clauses.setdefault(clause, Counter())[way] += 1
        if result.failed:
            self.uncounted += not result.case.is_about_its_clauses
            if result.missed in GENERAL:
                self.missed[result.missed] += 1


def unplayed(game: str) -> str:
    """Why no case of a game is asked that the engine doesn't claim."""
    return f"the engine doesn't play {game}"


#: How a verdict counts for the clauses of its case: a failure, if not otherwise.
_WAYS = {
    PASS: "pass",
    UNEXPECTED_PASS: "pass",
    EXPECTED_FAILURE: EXPECTED_FAILURE,
    UNSUPPORTED: UNSUPPORTED,
    NOT_RUN: NOT_RUN,
}


class _Row:
    """The cases of a run that the engine claims, and at the end a sample of them once more."""

    def __init__(self, run: Run, cases: Iterable[Case]) -> None:
        self._run = run
        self._cases = cases
        #: The numbers of the cases that are asked again, each with its first number.
        self.again: dict[int, int] = {}
        #: What the cases came to when they were asked first, as far as they have.
        self.first: list[str] = []

    def __iter__(self) -> Iterator[Case]:
        asked = 0
        draws = Draws("repeats")
        sample: list[tuple[int, Case]] = []
        most = self._run.repeats
        for case in self._cases:
            if why := self._run.why_not_asked(case):
                self._run.not_asked[why] += 1
                continue
            # Each case so far is in the sample with the same chance.
            place = asked if asked < most else draws.below(asked + 1)
            if place < most:
                sample[place : place + 1] = [(asked, case)]
            asked += 1
            yield case
        if len(sample) < 2:
            return
        for number, case in sorted(sample, key=lambda each: -each[0]):
            died = number < len(self.first) and self.first[number] in DEATHS
            if not died and not self._run.stop.ended:
                self.again[asked] = number
                asked += 1
                yield case
