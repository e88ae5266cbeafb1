"""Runs for tests of reports: engines in this process that are wrong in one way each."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from oracle.cards import CARD_OF, Cards
from oracle.conformance.claims import Claims, full_claims, read_claims
from oracle.conformance.compare import ABSENT, Difference
from oracle.conformance.report import FileReport, Report, kind_of
from oracle.conformance.run import Run
from oracle.conformance.verdicts import Result
from oracle.data import folder
from oracle.games import GAMES
from oracle.games.table import Table, View
from oracle.replay import replay
from oracle.vectors.cases import Case, load_file

Json = dict[str, Any]
Answer = Callable[[Json], Json]

HEARTS, SPADES = GAMES["hearts"], GAMES["spades"]
BELOTE, BID_WHIST = GAMES["belote"], GAMES["bid-whist"]


class QueenBreaks(HEARTS):  # type: ignore[misc, valid-type]
    """Hearts where the queen of spades breaks hearts."""

    def hearts_broken(self) -> bool:
        return bool(super().hearts_broken() or (sum(self.won) | sum(self.trick)) & CARD_OF["QS"])


class OpenHands(HEARTS):  # type: ignore[misc, valid-type]
    """Hearts where seat 0 sees the hand of seat 1."""

    def view(self, seat: int) -> View:
        right = super().view(seat)
        known = {**right.known, "hand 1": self.hands[1]} if seat == 0 else right.known
        return View(right.hand, known, right.unknown, right.extra)


class FreePlay(BELOTE):  # type: ignore[misc, valid-type]
    """Belote without a duty to follow."""

    def legal_cards(self, seat: int) -> Cards:
        return self.hands[seat]


class BrokenSpades(SPADES):  # type: ignore[misc, valid-type]
    """Spades that are broken from the beginning."""

    def spades_broken(self) -> bool:
        return True


class LeadWins(BID_WHIST):  # type: ignore[misc, valid-type]
    """Bid Whist where the card led takes the trick."""

    def winning_card(self) -> int:
        return self.trick[0]


def playing(*wrong: type[Table]) -> Answer:
    """An engine that plays these games in place of the right ones."""
    games = {**GAMES, **{game.name: game for game in wrong}}
    return lambda request: replay(request, games)


#: What an engine may say to get out of whatever its words are put into.
NASTY = (
    "</script><script>document.title = 'owned'</script><img src=x onerror=\"document.title='owned'\">"
    " \"double\" 'single' &amp; </details></pre>]]> --> ``` | # % \\ *bold* @somebody ::error::x"
    " \x1b[31mred\x1b[0m \x00\x07\x7f\u202eright to left\u2069 \ud800 \ufffe \U0001f600\nnew line\r"
)


class Talking:
    """An engine in this process: answers, and words on stderr."""

    def __init__(self, answer: Answer, said: str = "", name: str = "talking engine") -> None:
        self.ask = answer
        self._said = said
        self._name = name

    def hello(self) -> Claims:
        """The claims of the reference under another name."""
        engine = {"name": self._name, "version": "1.2.3", "language": "Tongues"}
        return read_claims({"protocol": 1, "engine": engine, "games": full_claims(GAMES)})

    def stderr(self) -> str:
        """What it has been told to say."""
        return self._said

    def close(self) -> None:
        """Nothing is running."""


def cases(*topics: str, most: int | None = None) -> list[Case]:
    """The published cases of topics such as ``hearts/leading``, of each so many at most."""
    vectors = (load_file(folder("vectors") / f"{topic}.json") for topic in topics)
    return [case for each in vectors for case in each.cases[:most]]


def run(engine: Talking, asked: Iterable[Case], reports: Iterable[Report] = ()) -> Run:
    """A run with these reports, finished."""
    reports = list(reports)
    under_way = Run(engine, engine.hello())
    for result in under_way.results(asked):
        for each in reports:
            each.add(result)
    for each in reports:
        each.finish(under_way, 0 if under_way.good else 1)
    return under_way


def report(
    path: Path, command: Iterable[str] = ("./engine", "--quick"), rules: Json | None = None
) -> FileReport:
    """A report of the kind that a path asks for."""
    kind = kind_of(path)
    assert kind is not None
    return kind(path, list(command), rules or {}, ["--vectors", "mine"])


#: A case that most tests have to do with.
CASE = cases("hearts/breaking-hearts", most=1)[0]


def result(verdict: str, case: Case = CASE, **more: Any) -> Result:
    """A result made up; one that failed differs at the first state."""
    if verdict == "fail" and not more:
        difference = Difference(("states", 1, "ok"), True, ABSENT)
        return Result(case, verdict, 0.25, (difference,))
    return Result(case, verdict, 0.25, **more)


def finished(
    path: Path,
    results: Iterable[Result],
    exit_code: int = 1,
    facts: Mapping[str, Any] | None = None,
) -> str:
    """The text of a report on these results, with other facts about the run where given."""
    engine = Talking(replay)
    under_way = Run(engine, engine.hello(), **(facts or {}))
    written = report(path)
    for each in results:
        under_way.verdicts[each.verdict] += 1
        written.add(each)
    written.finish(under_way, exit_code)
    return path.read_text(encoding="utf-8")
