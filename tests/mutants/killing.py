"""Which case kills which mutant: every mutant asked every case of its game."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from unittest.mock import patch

from oracle import data
from oracle.conformance.claims import REPORTS
from oracle.conformance.compare import Comparer
from oracle.games import GAMES
from oracle.games.actions import Action, Choice, actions
from oracle.games.refusals import Refused
from oracle.vectors.cases import Case, load_folder

from .registry import Engine, Json, Mutant

VECTORS = data.folder("vectors")


@cache
def cases_of(game: str, folder: Path = VECTORS) -> tuple[Case, ...]:
    """The published cases of a game, the hand-worked ones first."""
    cases = [case for _, vectors in load_folder(folder / game) for case in vectors.cases]
    return tuple(sorted(cases, key=lambda case: not case.hand_worked))


@cache
def _comparer(game: str) -> Comparer:
    return Comparer(game, REPORTS)


def passes(case: Case, answer: Json) -> bool:
    """Whether an answer is what a case expects, all reports compared."""
    # The comparison takes longer than the answer; most answers are the very response.
    if answer == case.response:
        return True
    comparer = _comparer(case.game)
    return not comparer.compare(case.op, case.response, answer, case.partial).differences


#: More single actions than counting takes in any published case.
PATIENCE = 25_000


class CountsOnAndOn(Exception):
    """A mutant that counts far more sequences than there are."""


def _patient(seat: int, choices: Sequence[Choice]) -> Iterator[Action]:
    global _counted
    for action in actions(seat, choices):
        _counted += 1
        if _counted > PATIENCE:
            raise CountsOnAndOn
        yield action


_counted = 0


def ask(engine: Engine, case: Case) -> Json:
    """A mutant's answer to a case; raises CountsOnAndOn, or whatever the mutant breaks down with."""
    global _counted
    _counted = 0
    with patch("oracle.games.perft.actions", _patient):
        return engine(case.request)


def kills(case: Case, engine: Engine) -> bool:
    """Whether a case tells an engine from the reference; an engine that breaks down is told."""
    try:
        answer = ask(engine, case)
    except Exception:
        return True
    return not passes(case, answer)


def breaks_down(case: Case, engine: Engine) -> bool:
    """Whether a mutant, which should say something else, says nothing at all."""
    try:
        ask(engine, case)
    except (CountsOnAndOn, Refused):
        # Counting goes by what is listed, and finds a listed action refused.
        return False
    except Exception:
        return True
    return False


def killers(mutant: Mutant, cases: Iterable[Case]) -> Iterator[Case]:
    """The cases, out of these, that kill a mutant."""
    with mutant.engine() as engine:
        for case in cases:
            if kills(case, engine):
                yield case


def reference_fails(game: str) -> list[str]:
    """The cases of a game that kill the reference itself, which would make every kill void."""
    reference = Mutant(game, "reference", "", GAMES[game])
    return [case.id for case in killers(reference, cases_of(game))]
