"""Which case kills which mutant: every mutant asked every case of its game."""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain, groupby, islice
from json import dumps
from multiprocessing import get_context
from pathlib import Path
from types import FrameType
from typing import Any
from unittest.mock import patch

from oracle import __version__, data, strict_json
from oracle.conformance.claims import REPORTS
from oracle.conformance.compare import Comparer, Difference
from oracle.conformance.verify import GENERATED
from oracle.games import GAMES
from oracle.games.actions import Action, Choice, actions
from oracle.games.refusals import Refused
from oracle.replay import replay
from oracle.vectors.cases import Case, load_file, load_json
from oracle.wire import WrongRequest

from .registry import MUTANTS, Json, Mutant

VECTORS = data.folder("vectors")
KILLS = VECTORS / "kills.json"


@cache
def hand_worked(game: str) -> tuple[Case, ...]:
    """The published cases of a game that a person worked out."""
    return _cases(VECTORS / game, "*.json")


@cache
def generated(game: str) -> tuple[Case, ...]:
    """The published cases of a game that the reference worked out."""
    return _cases(VECTORS / game / GENERATED, "*.json")


def _cases(folder: Path, files: str) -> tuple[Case, ...]:
    return tuple(case for path in sorted(folder.glob(files)) for case in load_file(path).cases)


@cache
def _comparer(game: str) -> Comparer:
    return Comparer(game, REPORTS)


_right: dict[str, Json] = {}


def right_answer(case: Case) -> Json:
    """What the reference answers to a case."""
    if not case.hand_worked:
        return case.response
    if case.id not in _right:
        _right[case.id] = replay(case.request)
    return _right[case.id]


def differences(case: Case, answer: Json) -> list[Difference]:
    """Where an answer is not what a case expects, all reports compared."""
    comparer = _comparer(case.game)
    return comparer.compare(case.op, case.response, answer, case.partial).differences


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
    right = right_answer(case)
    try:
        answer = ask(mutant, case)
    except Exception:
        return True
    # Most answers are the right one, and to compare takes longer than to answer.
    return answer != right and bool(differences(case, answer))


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
    """The hand-worked cases that kill the reference itself, which would make every kill void."""
    return [case.id for case in hand_worked(game) if differences(case, right_answer(case))]


def first_killer(mutant: Mutant, tried_first: Iterable[Case] = ()) -> Case | None:
    """A case that kills a mutant, hand-worked if there is one; None for a survivor."""
    cases = chain(tried_first, hand_worked(mutant.game), _later(generated, mutant.game))
    return next(killers(mutant, cases), None)


def _later(load: Callable[[str], tuple[Case, ...]], game: str) -> Iterator[Case]:
    yield from load(game)


@cache
def first_generated(game: str) -> tuple[Case, ...]:
    """The first cases of each generated set: of its kind one is much like another."""
    sets = groupby(generated(game), key=lambda case: case.id.rpartition("/")[0])
    return tuple(case for _, members in sets for case in islice(members, 10))


@dataclass(frozen=True)
class Kill:
    """What kills a mutant: every hand-worked case that does, and a few generated ones."""

    mutant: Mutant
    hand_worked: tuple[str, ...]
    generated: tuple[str, ...]


#: So many generated killers of a mutant are looked for.
FEW = 3


def kill(mutant: Mutant) -> Kill:
    """What kills a mutant. All generated cases are asked only if nothing else kills it."""
    by_hand = [case.id for case in killers(mutant, hand_worked(mutant.game))]
    found = [case.id for case in islice(killers(mutant, first_generated(mutant.game)), FEW)]
    if not by_hand and not found:
        found = [case.id for case in islice(killers(mutant, generated(mutant.game)), FEW)]
    return Kill(mutant, tuple(by_hand), tuple(found))


def all_kills(told: Callable[[int], None] = lambda done: None) -> list[Kill]:
    """What kills each mutant, in the order of their names; ``told`` hears how many are done."""
    for game in GAMES:
        hand_worked(game), generated(game)
    found: list[tuple[str, tuple[str, ...], tuple[str, ...]]] = []
    # Forked, so that the cases are loaded once.
    with get_context("fork").Pool() as pool:
        for one in pool.imap_unordered(_kill_by_name, sorted(MUTANTS)):
            found.append(one)
            told(len(found))
    return [Kill(MUTANTS[name], *cases) for name, *cases in sorted(found)]


def _kill_by_name(name: str) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    # By name, because tables made on the spot can't be sent from one process to another.
    one = kill(MUTANTS[name])
    return name, one.hand_worked, one.generated


def kills_text(kills: Iterable[Kill]) -> str:
    """vectors/kills.json as it is written, one mutant a line."""
    lines = [
        f"{strict_json.dumps(one.mutant.id)}: "
        + strict_json.dumps(
            {
                "misread": one.mutant.line,
                "total": len(one.hand_worked),
                "hand-worked": list(one.hand_worked),
                "generated": list(one.generated),
            }
        )
        for one in kills
    ]
    head = [f'"suite": {strict_json.dumps(__version__)},', f'"about": {strict_json.dumps(ABOUT)},']
    return "\n".join(["{", *head, '"mutants": {', ",\n".join(lines), "}", "}", ""])


ABOUT = (
    "Wrong engines, each the reference with one thing misread, and the cases that tell it from the "
    f"reference: all hand-worked ones, and up to {FEW} out of the first of each generated set. "
    "Written by python -m tests.mutants."
)


def recorded() -> dict[str, Json]:
    """The mutants of vectors/kills.json by name; raises Unreadable."""
    mutants: dict[str, Json] = load_json(KILLS)["mutants"]
    return mutants
