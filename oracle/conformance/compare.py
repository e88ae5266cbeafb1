"""An engine's answer beside the expected response: every difference, with its place.

What an engine doesn't report is not looked at. ``legal`` is compared as sets of actions, an
engine may spell a pattern out; breakdown lines and winners come in any order; numbers must be
the same, and integers; a clause may be any of its group in the rulebook.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Any

from oracle.cards import CARD_OF
from oracle.games import GAMES
from oracle.rulebook import says_the_same
from oracle.strict_json import pointer
from oracle.wire import WrongRequest, read_deal

Json = dict[str, Any]
Path = tuple[str | int, ...]


class Absent:
    """Stands where there is nothing."""

    def __repr__(self) -> str:
        return "nothing"


ABSENT = Absent()


@dataclass(frozen=True)
class Difference:
    """One place where an answer differs; ABSENT stands for nothing there."""

    path: Path
    expected: Any
    actual: Any

    @property
    def pointer(self) -> str:
        """The JSON pointer to the place in the response."""
        return pointer(self.path)

    @property
    def state(self) -> int | None:
        """The number of the state in which it lies, in a response to ``replay``."""
        if len(self.path) > 1 and self.path[0] == "states" and isinstance(self.path[1], int):
            return self.path[1]
        return None


@dataclass
class Comparison:
    """What came of comparing an answer: the differences, and fields that nobody knows."""

    differences: list[Difference]
    unknown_fields: int = 0
    #: Whether the expected response says anything that was looked at.
    stated: bool = False


class Comparer:
    """Compares answers of an engine that makes these reports of this game."""

    def __init__(self, game: str, reports: Iterable[str]) -> None:
        self.game = game
        self.reports = frozenset(reports)
        table = GAMES[game]
        #: Fields of this game alone. A partial case may leave them out; they are known all the same.
        self.own_fields = {*table.counts, *table.contract, *table.view_extra}

    def compare(self, op: str, expected: Json, actual: Any, partial: bool = False) -> Comparison:
        """Every difference between the expected response to an op and an answer."""
        found = Comparison([])
        walk = _Walk(self, found, partial)
        if not isinstance(actual, dict):
            walk.differ((), expected, actual)
        elif op == "error" or "error" in expected:
            self._compare_error(walk, actual)
        elif "error" in actual:
            walk.differ((), expected, {"error": actual["error"]})
        else:
            _OPS[op](walk, (), expected, actual)
        return found

    def states(self, op: str, expected: Json) -> bool:
        """Whether an expected response says anything that the engine reports."""
        states = expected.get("states", ())
        # Mostly the first state of many says something that is told as a whole.
        whole = self.reports & _USUAL
        if not all(map(whole.isdisjoint, states)):
            return True
        parts = [{"states": [each]} for each in states] or [expected]
        return any(self.compare(op, part, part, True).stated for part in parts)

    @staticmethod
    def _compare_error(walk: "_Walk", actual: Json) -> None:
        walk.found.stated = True
        if not isinstance(actual.get("error"), str):
            walk.differ((), {"error": "a wrong request"}, actual)


class _Walk:
    """One comparison under way."""

    def __init__(self, comparer: Comparer, found: Comparison, partial: bool) -> None:
        self.comparer = comparer
        self.found = found
        self.partial = partial

    def differ(self, path: Path, expected: Any, actual: Any) -> None:
        self.found.differences.append(Difference(path, expected, actual))

    def fields(
        self,
        path: Path,
        expected: Json,
        actual: Any,
        fields: Mapping[str, tuple[str | None, "Rule"]],
    ) -> None:
        """Compare the fields of an object that the engine reports, each by its own rule."""
        if not isinstance(actual, dict):
            self.differ(path, expected, actual)
            return
        known = fields.keys() | expected.keys() | self.comparer.own_fields
        self.found.unknown_fields += sum(1 for name in actual if name not in known)
        for name in [*fields, *(name for name in expected if name not in fields)]:
            report, rule = fields.get(name, (None, _same))
            if report is None or report in self.comparer.reports:
                here = (*path, name)
                self.value(here, expected.get(name, ABSENT), actual.get(name, ABSENT), rule)

    def count_unknown(self, expected: Json, actual: Json) -> None:
        """Count the fields of a record that the expected one doesn't have; they mean nothing."""
        self.found.unknown_fields += sum(1 for name in actual if name not in expected)

    def value(self, path: Path, expected: Any, actual: Any, rule: "Rule") -> None:
        if expected is ABSENT:
            if actual is not ABSENT and not self.partial:
                self.differ(path, expected, actual)
            return
        if actual is ABSENT:
            self.found.stated = True
            self.differ(path, expected, actual)
            return
        rule(self, path, expected, actual)


Rule = Callable[[_Walk, Path, Any, Any], None]


def identical(one: Any, other: Any) -> bool:
    """Whether two JSON values are the same; true is not 1."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(identical(one[key], other[key]) for key in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(identical, one, other))
    return bool(one == other)


def _same(walk: _Walk, path: Path, expected: Any, actual: Any) -> None:
    walk.found.stated = True
    if not identical(expected, actual):
        walk.differ(path, expected, actual)


def _clause(walk: _Walk, path: Path, expected: Any, actual: Any) -> None:
    walk.found.stated = True
    if not _same_clause(walk, expected, actual):
        walk.differ(path, expected, actual)


def _same_clause(walk: _Walk, expected: Any, actual: Any) -> bool:
    return isinstance(actual, str) and says_the_same(expected, actual, walk.comparer.game)


def _legal(walk: _Walk, path: Path, expected: Any, actual: Any) -> None:
    """``legal`` by seat, each list as a set of actions."""
    walk.found.stated = True
    if not isinstance(actual, dict):
        walk.differ(path, expected, actual)
        return
    for seat in sorted(expected.keys() | actual.keys()):
        here = (*path, seat)
        if seat not in actual:
            walk.differ(here, expected[seat], ABSENT)
        elif seat not in expected:
            walk.differ(here, ABSENT, actual[seat])
        elif not same_actions(expected[seat], actual[seat]):
            walk.differ(here, expected[seat], actual[seat])


def _legal_list(walk: _Walk, path: Path, expected: Any, actual: Any) -> None:
    walk.found.stated = True
    if not same_actions(expected, actual):
        walk.differ(path, expected, actual)


def same_actions(expected: list[str], actual: Any) -> bool:
    """Whether two lists stand for the same set of actions, patterns spelt out or not."""
    if expected == actual:
        return True
    if not isinstance(actual, list) or not all(isinstance(each, str) for each in actual):
        return False
    one, other = set(map(_in_pack_order, expected)), set(map(_in_pack_order, actual))
    if one == other:
        return True
    patterns = [text for text in one ^ other if "{" in text]
    if not patterns:
        return False
    # An engine that spells a pattern out lists as many actions as the pattern has sets.
    if _size(one) != _size(other):
        return False
    return _spelt_out(one) == _spelt_out(other)


def _in_pack_order(action: str) -> str:
    """An entry of ``legal`` with its set of cards in pack order."""
    words = action.split(" ")
    place = next((n for n, word in enumerate(words) if word in CARD_OF), len(words))
    cards = words[place:]
    if not all(card in CARD_OF for card in cards):
        return action
    return " ".join([*words[:place], *sorted(cards, key=CARD_OF.__getitem__)])


_PATTERN = re.compile(r"([a-z-]+) \{(\d\d?)(?:-(\d\d?))?\} (.+)", re.ASCII)


def _read_pattern(entry: str) -> tuple[str, int, int, list[str]] | None:
    """Verb, least, most and cards of a pattern such as ``pass {3} 2C 5D …``."""
    match = _PATTERN.fullmatch(entry)
    if match is None:
        return None
    verb, least, most, cards = match.groups()
    return verb, int(least), int(most or least), cards.split(" ")


def _size(entries: set[str]) -> int:
    size = 0
    for entry in entries:
        if pattern := _read_pattern(entry):
            _, least, most, cards = pattern
            size += sum(
                comb(len(cards), count) for count in range(least, min(most, len(cards)) + 1)
            )
        else:
            size += 1
    return size


def _spelt_out(entries: set[str]) -> set[str]:
    spelt: set[str] = set()
    for entry in entries:
        if pattern := _read_pattern(entry):
            verb, least, most, cards = pattern
            for count in range(least, most + 1):
                spelt.update(" ".join([verb, *chosen]) for chosen in combinations(cards, count))
        else:
            spelt.add(entry)
    return spelt


def _divide(walk: _Walk, path: Path, expected: Any, actual: Any) -> None:
    """Counts by action, an action's set of cards in any order."""
    walk.found.stated = True
    if not isinstance(actual, dict):
        walk.differ(path, expected, actual)
        return
    one, other = _by_set(expected), _by_set(actual)
    if len(other) < len(actual) or not identical(one, other):
        walk.differ(path, expected, actual)


def _by_set(counts: Json) -> Json:
    return {_in_pack_order(action): count for action, count in counts.items()}


def _any_order(walk: _Walk, path: Path, expected: Any, actual: Any) -> None:
    """A list whose order means nothing."""
    walk.found.stated = True
    if not isinstance(actual, list) or _counted(expected) != _counted(actual):
        walk.differ(path, expected, actual)


def _counted(values: list[Any]) -> Counter[str]:
    return Counter(repr(value) for value in values)


def _breakdown(walk: _Walk, path: Path, expected: Any, actual: Any) -> None:
    """Lines in any order, each clause up to its group."""
    walk.found.stated = True
    if not isinstance(actual, list) or len(actual) != len(expected):
        walk.differ(path, expected, actual)
        return
    left = list(actual)
    for line in expected:
        match = next((n for n, other in enumerate(left) if _same_record(walk, line, other)), None)
        if match is None:
            walk.differ(path, expected, actual)
            return
        walk.count_unknown(line, left.pop(match))


def _same_record(walk: _Walk, expected: Json, actual: Any) -> bool:
    """Whether two records say the same, their clauses up to the group; sets of cards as sets."""
    if not isinstance(actual, dict):
        return False
    for name, value in expected.items():
        other = actual.get(name, ABSENT)
        if name == "clause":
            same = _same_clause(walk, value, other)
        elif name == "cards":
            same = _same_set(value, other)
        else:
            same = identical(value, other)
        if not same:
            return False
    return True


def _same_set(expected: str, actual: Any) -> bool:
    return isinstance(actual, str) and sorted(expected.split(" ")) == sorted(actual.split(" "))


def _set(walk: _Walk, path: Path, expected: Any, actual: Any) -> None:
    walk.found.stated = True
    if not _same_set(expected, actual):
        walk.differ(path, expected, actual)


def _known(walk: _Walk, path: Path, expected: Any, actual: Any) -> None:
    """Known places: the trick is a row, everything else a set."""
    walk.found.stated = True
    if not isinstance(actual, dict):
        walk.differ(path, expected, actual)
        return
    for place in sorted(expected.keys() | actual.keys()):
        one, other = expected.get(place, ABSENT), actual.get(place, ABSENT)
        same = (
            identical(one, other)
            if place == "trick"
            else one is not ABSENT and _same_set(one, other)
        )
        if not same:
            walk.differ((*path, place), one, other)


def _combinations(walk: _Walk, path: Path, expected: Any, actual: Any) -> None:
    """In the order of declaring, each clause up to its group."""
    walk.found.stated = True
    same = (
        isinstance(actual, list)
        and len(actual) == len(expected)
        and all(_same_record(walk, one, other) for one, other in zip(expected, actual, strict=True))
    )
    if not same:
        walk.differ(path, expected, actual)
        return
    for one, other in zip(expected, actual, strict=True):
        walk.count_unknown(one, other)


def _deal(walk: _Walk, path: Path, expected: Any, actual: Any) -> None:
    """A deal as the game reads it: sets as sets, rows as rows."""
    walk.found.stated = True
    if not isinstance(actual, dict):
        walk.differ(path, expected, actual)
        return
    walk.count_unknown(expected, actual)
    game = GAMES[walk.comparer.game]
    try:
        known = {name: each for name, each in actual.items() if name in expected}
        same = read_deal(game, expected) == read_deal(game, known)
    except WrongRequest:
        same = False
    if not same:
        walk.differ(path, expected, actual)


def _record(fields: Mapping[str, tuple[str | None, Rule]]) -> Rule:
    """A rule for an object whose fields have rules of their own."""

    def rule(walk: _Walk, path: Path, expected: Any, actual: Any) -> None:
        walk.fields(path, expected, actual, fields)

    return rule


# For each field the report that it belongs to (None: it is told with what holds it) and its rule.
# Fields that only some games have are compared as they stand.

_TRICK = _record(
    {
        "winner": (None, _same),
        "points": (None, _same),
        "combinations": ("combinations", _combinations),
    }
)
_HAND = _record(
    {
        "delta": (None, _same),
        "scores": (None, _same),
        "breakdown": ("breakdown", _breakdown),
    }
)
_MATCH = _record({"winners": (None, _any_order)})
_STATE = _record(
    {
        "ok": ("ok", _same),
        "clause": ("clause", _clause),
        "legal": ("legal", _legal),
        "contract": ("contract", _record({})),
        "trick": ("trick", _TRICK),
        "hand": ("hand", _HAND),
        "match": ("match", _MATCH),
    }
)


#: What a state holds after most actions: nothing in which true could stand for 1, ``ok`` apart.
_USUAL = frozenset({"ok", "clause", "legal"})


def _as_identical(one: Json, other: Json) -> bool:
    """Whether two equal states are the same although true equals 1."""
    if one.get("ok") is not other.get("ok"):
        return False
    return one.keys() <= _USUAL or all(
        identical(one[name], other[name]) for name in one if name not in _USUAL
    )


def _states(walk: _Walk, path: Path, expected: Any, actual: Any) -> None:
    if not isinstance(actual, list):
        walk.differ(path, expected, actual)
        return
    for place, (one, other) in enumerate(zip(expected, actual, strict=False)):
        # Most states are the same to the letter.
        if one == other and _as_identical(one, other):
            walk.found.stated = walk.found.stated or not walk.comparer.reports.isdisjoint(one)
        else:
            _STATE(walk, (*path, place), one, other)
    if len(actual) != len(expected):
        walk.found.stated = True
        short = min(len(expected), len(actual))
        walk.differ(
            (*path, short),
            expected[short] if short < len(expected) else ABSENT,
            actual[short] if short < len(actual) else ABSENT,
        )


_OPS: Mapping[str, Rule] = {
    "replay": _record({"states": (None, _states)}),
    "score": _record({"hand": ("hand", _HAND), "match": ("match", _MATCH)}),
    "view": _record(
        {
            "hand": (None, _set),
            "known": (None, _known),
            "unknown": (None, _same),
            "legal": ("legal", _legal_list),
        }
    ),
    "perft": _record({"nodes": (None, _same), "divide": (None, _divide)}),
    "shuffle": _record({"deal": (None, _deal)}),
}
