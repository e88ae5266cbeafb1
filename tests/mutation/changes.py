"""A change to one place of the reference, and the seeded choice of those that are asked."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import TypeAlias

#: What a survivor is known by, wherever its line moves: file, where, was, now.
Key: TypeAlias = tuple[str, str, str, str]


@dataclass(frozen=True)
class Place:
    """A place in the reference that can be changed, known by its text and not by its line."""

    file: str
    #: The function, or the name that is bound: ``Belote.rank``, ``Rules.target``.
    where: str
    #: The line of text, the column in it, and how many such lines came before in the same file.
    text: str
    column: int
    earlier: int


@dataclass(frozen=True)
class Change:
    """What one operator of the tool makes of a place."""

    place: Place
    line: int
    operator: str
    #: Which of the operator's changes to this place it is: a number goes up or down.
    way: int
    #: How many changes the operator would make in the file before this one.
    occurrence: int


def sample(changes: Iterable[Change], wanted: int, seed: str) -> list[Change]:
    """So many changes, from each file in proportion to those that it has; line by line.

    No place is changed a second time before every place of its file is. A change is chosen by
    a hash of its own text, so that one to another part of the file moves nothing.
    """
    by_file: dict[str, list[Change]] = defaultdict(list)
    for change in changes:
        by_file[change.place.file].append(change)
    shares = _shares({file: len(found) for file, found in by_file.items()}, wanted)
    return [
        change
        for file in sorted(by_file)
        for change in sorted(
            _in_turn(by_file[file], seed)[: shares[file]],
            key=lambda each: (each.line, each.place.column, each.operator, each.way),
        )
    ]


def _shares(counts: Mapping[str, int], wanted: int) -> dict[str, int]:
    """Whole shares in proportion to these counts, the largest remainders rounded up first."""
    total = sum(counts.values())
    wanted = min(wanted, total)
    exact = {file: wanted * count / total for file, count in counts.items()}
    shares = {file: int(share) for file, share in exact.items()}
    for file in sorted(exact, key=lambda name: (shares[name] - exact[name], name)):
        if sum(shares.values()) < wanted:
            shares[file] += 1
    return shares


def _in_turn(changes: Iterable[Change], seed: str) -> list[Change]:
    """One change of every place, then a second one, and so on, each round in the seed's order."""
    taken: Counter[Place] = Counter()
    turns = []
    for change in sorted(changes, key=lambda each: _lot(each, seed)):
        turns.append((taken[change.place], change))
        taken[change.place] += 1
    return [change for _, change in sorted(turns, key=lambda turn: turn[0])]


def _lot(change: Change, seed: str) -> bytes:
    place = change.place
    words = (seed, place.file, place.where, place.text, place.column, place.earlier)
    return sha256(repr((*words, change.operator, change.way)).encode()).digest()
