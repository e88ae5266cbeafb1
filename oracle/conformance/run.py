"""A run: cases asked of an engine one by one, each with a verdict.

The engine is anything with ``hello``, ``ask`` and ``close``: a process on the protocol, or a
callable in this process. An engine that goes wrong costs its case; it is started afresh for
the next one, and only five deaths in a row end the run.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import IO, Any, Protocol

from oracle.conformance.claims import PROTOCOL, Claims, NoHandshake, read_claims
from oracle.conformance.compare import Comparer, Difference
from oracle.conformance.engine import EngineProcess, Limits, ProtocolError, Trouble
from oracle.games import GAMES
from oracle.vectors.cases import Case

Json = dict[str, Any]

PASS = "pass"
FAIL = "fail"
ENGINE_ERROR = "engine-error"
UNSUPPORTED = "unsupported"
EXPECTED_FAILURE = "expected-failure"
UNEXPECTED_PASS = "unexpected-pass"
NOT_RUN = "not-run"

VERDICTS = (
    PASS,
    FAIL,
    "crash",
    "timeout",
    "protocol-error",
    ENGINE_ERROR,
    UNSUPPORTED,
    EXPECTED_FAILURE,
    UNEXPECTED_PASS,
    NOT_RUN,
)
#: The verdicts with which a run is all as expected.
GOOD = (PASS, EXPECTED_FAILURE)

#: So many deaths in a row end a run.
MOST_DEATHS = 5


@dataclass(frozen=True)
class Result:
    """The verdict on one case, and what led to it."""

    case: Case
    verdict: str
    seconds: float = 0.0
    differences: Sequence[Difference] = ()
    message: str = ""
    stderr: str = ""
    unknown_fields: int = 0


class Engine(Protocol):
    """What a run asks of an engine."""

    def hello(self) -> Claims:
        """Make the engine ready and read its claims; raises NoHandshake or NoSuchEngine."""

    def ask(self, request: Json) -> Json:
        """The engine's answer to a request; raises Trouble."""

    def stderr(self) -> str:
        """The last that the engine said beside its answers."""

    def close(self) -> None:
        """Have done with the engine; raises Trouble when it doesn't end as it should."""


class ProcessEngine:
    """An engine as a command on the protocol, started again when it has gone wrong."""

    def __init__(
        self, command: Sequence[str], limits: Limits, transcript: IO[str] | None = None
    ) -> None:
        self._command = command
        self._limits = limits
        self._transcript = transcript
        self._process: EngineProcess | None = None
        self._seq = 0
        self._tail = ""

    def hello(self) -> Claims:
        """Start the command and shake hands."""
        self._process = EngineProcess(self._command, self._limits, self._transcript)
        try:
            answer = self._process.ask({"do": "hello", "protocol": PROTOCOL}, self._limits.hello)
            return read_claims(answer)
        except Trouble as trouble:
            self._end()
            raise NoHandshake(str(trouble)) from None
        except BaseException:
            self._end()
            raise

    def ask(self, request: Json) -> Json:
        """Send a request with a number of its own, and read the answer with that number."""
        if self._process is None:
            try:
                self.hello()
            except NoHandshake as error:
                raise Restart(f"started again, and no handshake: {error}") from None
        assert self._process is not None
        self._seq += 1
        try:
            answer = self._process.ask({**request, "seq": self._seq}, self._limits.request)
            seq = answer.pop("seq", None)
            if type(seq) is not int or seq != self._seq:
                raise ProtocolError(f"the answer has seq {seq!r}, and {self._seq} was asked")
        except Trouble:
            self._end()
            raise
        return answer

    def stderr(self) -> str:
        """The tail of stderr, also of a process that has just been ended."""
        return self._process.stderr_tail if self._process else self._tail

    def close(self) -> None:
        """Say bye, and see to it that nothing is left running."""
        if self._process is not None:
            try:
                self._process.bye()
            finally:
                self._end()

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._tail = self._process.stderr_tail
            self._process = None

    def abandon(self) -> None:
        """End the engine at once, without a word."""
        self._end()


class Restart(Trouble):
    """An engine that can't be started again after it died."""

    verdict = "crash"


@dataclass
class Run:
    """A run under way: give it cases, take results; the counts grow as it goes."""

    engine: Engine
    claims: Claims
    fail_fast: bool = False
    verdicts: Counter[str] = field(default_factory=Counter)
    clauses: dict[str, Counter[str]] = field(default_factory=dict)
    not_asked: Counter[str] = field(default_factory=Counter)
    unknown_fields: int = 0
    seconds: float = 0.0
    _deaths: int = 0
    _ended: bool = False
    _comparers: dict[str, Comparer] = field(default_factory=dict)

    @property
    def executed(self) -> int:
        """How many cases were asked and got a verdict."""
        return self.verdicts.total() - self.verdicts[NOT_RUN]

    @property
    def good(self) -> bool:
        """Whether every verdict so far is as expected."""
        return all(verdict in GOOD for verdict in self.verdicts)

    def results(
        self, cases: Iterable[Case], judge: Callable[[Result], Result] = lambda result: result
    ) -> Iterator[Result]:
        """The results of the cases that the engine claims; ``judge`` may change a verdict."""
        started = time.monotonic()
        for case in cases:
            if why := self._why_not_asked(case):
                self.not_asked[why] += 1
                continue
            result = Result(case, NOT_RUN) if self._ended else judge(self._check(case))
            self._count(result)
            if self.fail_fast and result.verdict not in GOOD:
                self._ended = True
            self.seconds = time.monotonic() - started
            yield result

    def _why_not_asked(self, case: Case) -> str | None:
        claim = self.claims.games.get(case.game)
        if claim is None:
            return f"the engine doesn't play {case.game}"
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

    def _check(self, case: Case) -> Result:
        started = time.perf_counter()
        try:
            answer = self.engine.ask(case.request)
        except Trouble as trouble:
            self._deaths += 1
            self._ended = self._deaths == MOST_DEATHS
            seconds = time.perf_counter() - started
            return Result(
                case, trouble.verdict, seconds, message=str(trouble), stderr=self.engine.stderr()
            )
        self._deaths = 0
        return self._judge_answer(case, answer, time.perf_counter() - started)

    def _judge_answer(self, case: Case, answer: Json, seconds: float) -> Result:
        if "failed" in answer:
            message = f"the engine itself failed: {answer['failed']}"
            return Result(case, ENGINE_ERROR, seconds, message=message, stderr=self.engine.stderr())
        if "unsupported" in answer:
            message = f"claimed, and answered with unsupported: {answer['unsupported']}"
            return Result(case, FAIL, seconds, message=message)
        found = self._comparer(case).compare(case.op, case.response, answer, case.partial)
        return Result(
            case,
            FAIL if found.differences else PASS,
            seconds,
            found.differences,
            unknown_fields=found.unknown_fields,
        )

    def _count(self, result: Result) -> None:
        self.verdicts[result.verdict] += 1
        self.unknown_fields += result.unknown_fields
        for clause in result.case.clauses:
            self.clauses.setdefault(clause, Counter())[
                "pass"
                if result.verdict in GOOD
                else "fail"
                if result.verdict != NOT_RUN
                else NOT_RUN
            ] += 1
