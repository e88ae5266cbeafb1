"""Which case kills which mutant: every mutant asked every case of its game."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from json import dumps
from pathlib import Path
from types import FrameType
from typing import Any
from unittest.mock import patch

from oracle import data
from oracle.conformance.claims import REPORTS
from oracle.conformance.compare import Comparer
from oracle.games import GAMES
from oracle.games.actions import Action, Choice, actions
from oracle.games.refusals import Refused
from oracle.replay import replay
from oracle.vectors.cases import Case, load_folder
from oracle.wire import WrongRequest

from .registry import Json, Mutant

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


def ask(mutant: Mutant, case: Case) -> Json:
    """A mutant's answer to a case; raises CountsOnAndOn, or whatever the mutant breaks down with."""
    global _counted
    if case.op != "perft":
        return mutant.answer(case.request)
    _counted = 0
    with patch("oracle.games.perft.actions", _patient):
        return mutant.answer(case.request)


def kills(case: Case, mutant: Mutant) -> bool:
    """Whether a case tells a mutant from the reference; one that breaks down is told."""
    try:
        answer = ask(mutant, case)
    except Exception:
        return True
    return not passes(case, answer)


def breaks_down(mutant: Mutant, case: Case) -> bool:
    """Whether a mutant, which should say something else, says nothing at all."""
    try:
        ask(mutant, case)
    except (CountsOnAndOn, Refused):
        # Counting goes by what is listed, and finds a listed action refused.
        return False
    except Exception:
        return True
    return False


_reached: dict[str, frozenset[str]] = {}


def reached(case: Case) -> frozenset[str]:
    """The names of the functions that the reference runs through to answer a case."""
    if case.id not in _reached:
        names: set[str] = set()

        def note(frame: FrameType, event: str, _: Any) -> None:
            if event == "call":
                names.add(frame.f_code.co_name)

        sys.setprofile(note)
        try:
            replay(case.request)
        finally:
            sys.setprofile(None)
        _reached[case.id] = frozenset(names)
    return _reached[case.id]


def concerns(mutant: Mutant, case: Case) -> bool:
    """Whether a mutant's answer may be another than the reference's at all."""
    if mutant.rereads:
        try:
            # As text, because true equals 1.
            return dumps(mutant.rereads(dict(case.request))) != dumps(case.request)
        except WrongRequest:
            return True
    return mutant.touches is None or not mutant.touches.isdisjoint(reached(case))


def killers(mutant: Mutant, cases: Iterable[Case]) -> Iterator[Case]:
    """The cases, out of these, that kill a mutant."""
    return (case for case in cases if concerns(mutant, case) and kills(case, mutant))


def reference_fails(game: str) -> list[str]:
    """The cases of a game that kill the reference itself, which would make every kill void."""
    reference = Mutant(game, "reference", "", GAMES[game])
    return [case.id for case in cases_of(game) if kills(case, reference)]
