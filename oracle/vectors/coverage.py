"""Which clauses the vectors cover, and from which side: permits and refuses, scores and withholds.

A clause that refusals cite needs a case in which it refuses, and one about it in which something
is permitted. A clause that score lines cite needs a case in which it scores, and one in which a
hand is scored without it or to a side's loss. Any other clause needs two cases about it.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

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
