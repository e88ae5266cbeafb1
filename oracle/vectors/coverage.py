"""Which clauses the vectors cover, and from which side: permits and refuses, scores and withholds.

A clause that refusals cite needs a case in which it refuses, and one about it in which something
is permitted. A clause that score lines cite needs a case in which it scores, and one in which a
hand is scored without it or to a side's loss. Any other clause needs two cases about it.

Beside the clauses the refusals: in every phase that occurs an action must be refused for each
reason that the phase allows, and play must go on after it.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from oracle.games import GAMES
from oracle.games.actions import OneCard, SomeCards
from oracle.games.refusals import CARD, FORMAT, GENERAL, OVER, PHASE, TURN
from oracle.replay import replay
from oracle.rulebook import Entry, entries
from oracle.vectors.cases import Case

Json = dict[str, Any]


@dataclass
class Sides:
    """How many cases cover a clause, side by side."""

    about: int = 0
    permits: int = 0
    refuses: int = 0
    scores: int = 0
    withholds: int = 0
    options: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True)
class Row:
    """A clause with its counts and the sides that are still empty."""

    entry: Entry
    sides: Sides
    empty: tuple[str, ...]


def coverage(game: str, cases: Iterable[Case]) -> list[Row]:
    """The clauses of a game, in the order of the rulebook, with what covers them."""
    known = entries(game)
    sides = {name: Sides() for name in known}
    for case in cases:
        if case.game == game:
            _count(case, known, sides)
    return [Row(entry, sides[name], _empty(entry, sides[name])) for name, entry in known.items()]


def _count(case: Case, known: dict[str, Entry], sides: dict[str, Sides]) -> None:
    refusals, lines, losses = _cited(case.response)
    accepted = any(state.get("ok") for state in _states(case.response))
    for name in case.clauses:
        if name in sides:
            here = sides[name]
            here.about += 1
            here.permits += accepted
            here.options.update(() if case.op == "error" else list(case.request.get("rules", {})))
    for name in refusals:
        for each in (name, *(known[name].same_as if name in known else ())):
            if each in sides:
                sides[each].refuses += 1
    for name, here in sides.items() if lines else ():
        here.scores += name in lines
        here.withholds += name not in lines or name in losses


def _states(response: Json) -> list[Json]:
    states: list[Json] = response.get("states", [])
    return states


def _cited(response: Json) -> tuple[set[str], set[str], set[str]]:
    """The clauses that a response cites in refusals, in score lines, and in lines below nothing."""
    refusals = {state["clause"] for state in _states(response) if "clause" in state}
    lines: set[str] = set()
    losses: set[str] = set()
    for state in (*_states(response), response):
        hand = state.get("hand", {})
        score = hand.get("breakdown", ()) if isinstance(hand, dict) else ()
        for line in (*score, *state.get("trick", {}).get("combinations", ())):
            lines.add(line["clause"])
            if line["points"] < 0:
                losses.add(line["clause"])
    return refusals, lines, losses


def _empty(entry: Entry, sides: Sides) -> tuple[str, ...]:
    if entry.unbreakable:
        return ()
    if sides.refuses:
        return () if sides.permits else ("permits",)
    if sides.scores:
        return () if sides.withholds else ("withholds",)
    return () if sides.about > 1 else ("a second case",) if sides.about else ("any case",)


def table_lines(game: str, rows: list[Row]) -> Iterator[str]:
    """The coverage of a game as a table, a clause a line."""
    yield f"{game:<14} about permits refuses  scores withholds  options"
    for row in rows:
        sides = row.sides
        if row.entry.unbreakable:
            yield f"{row.entry.id:<14} {sides.about:>5} no engine can break it: {row.entry.unbreakable}"
            continue
        withheld = sides.withholds if sides.scores else 0
        counts = f"{sides.about:>5} {sides.permits:>7} {sides.refuses:>7} {sides.scores:>7} {withheld:>9}"
        options = ", ".join(f"{name} {count}" for name, count in sides.options.most_common(3))
        missing = f"  EMPTY: {', '.join(row.empty)}" if row.empty else ""
        yield f"{row.entry.id:<14} {counts}  {options}{missing}".rstrip()


# Refusals by phase.

NOBODY = "nothing"


def phase_of(state: Json) -> str:
    """A phase by the verbs that somebody may use; ``nothing`` where nobody may act."""
    verbs = {entry.partition(" ")[0] for entries in state["legal"].values() for entry in entries}
    return " or ".join(sorted(verbs)) or NOBODY


@dataclass
class Refusals:
    """What actions are refused for, phase by phase, in the cases of a game."""

    game: str
    cases: int = 0
    #: Cases in which play goes on after a refused action.
    going_on: int = 0
    counts: dict[str, Counter[str]] = field(default_factory=dict)

    def add(self, case: Case) -> None:
        """Count a case of the game."""
        self.cases += 1
        if case.op != "replay":
            return
        response = replay(case.request) if case.partial else case.response
        refused = accepted_later = False
        for before, state in pairwise(response["states"]):
            if state["ok"]:
                accepted_later |= refused
                self.counts.setdefault(phase_of(before), Counter())
            else:
                refused = True
                self.counts.setdefault(phase_of(before), Counter())[state["clause"]] += 1
        self.going_on += accepted_later

    def empty(self) -> Iterator[tuple[str, str]]:
        """The phases in which no action is refused for a reason that could be one there."""
        for phase, counts in self.counts.items():
            yield from ((phase, reason) for reason in self._general(phase) if not counts[reason])

    def _general(self, phase: str) -> Iterator[str]:
        yield FORMAT
        if phase == NOBODY:
            yield OVER
            return
        yield TURN
        verbs = phase.split(" or ")
        notation = GAMES[self.game].notation
        if not notation.chance.keys() >= set(verbs):
            yield PHASE
        arguments = {**notation.verbs, **notation.chance}
        if any(isinstance(arguments[verb], OneCard | SomeCards) for verb in verbs):
            yield CARD

    def lines(self) -> Iterator[str]:
        """The refusals as a table, a phase a line."""
        share = round(100 * self.going_on / self.cases) if self.cases else 0
        yield (
            f"{self.game}: in {self.going_on} of {self.cases} cases ({share} %) "
            "play goes on after a refused action"
        )
        missing = set(self.empty())
        for phase, counts in sorted(self.counts.items()):
            order = [*GENERAL, *sorted(counts.keys() - set(GENERAL))]
            cells = [f"{name} {counts[name]}" for name in order if counts[name]]
            cells += [f"EMPTY: {reason}" for reason in GENERAL if (phase, reason) in missing]
            yield f"  refused at {phase}: {', '.join(cells)}"
