"""What a series of matches says of its players, with intervals of 95 %."""

from collections.abc import Mapping, Sequence
from math import sqrt
from typing import NamedTuple

from oracle.games.table import Side
from oracle.players.match import Match

#: Standard deviations to either side within which 95 % of a normal distribution lie.
_WIDTH = 1.96


class Estimate(NamedTuple):
    """A value, and the interval in which the true one lies with 95 % confidence."""

    value: float
    low: float
    high: float


class Row(NamedTuple):
    """What a player came to: points a hand, and the share of matches that each of its places
    won (winners of one match share it); None where nothing can be said."""

    player: str
    points: Estimate | None
    wins: Estimate | None


class Standings:
    """The results of players, added up match by match.

    A name that stands at several places is one player, whose points are the mean of its places.
    """

    def __init__(self, names: Sequence[str]) -> None:
        """``names`` in the order of the players of ``play_matches``."""
        self._names = names
        self._points: Mapping[str, list[float]] = {name: [] for name in names}
        self._wins: Mapping[str, list[float]] = {name: [] for name in names}
        self.matches = 0
        #: Matches that were cut off; nobody won them, and they count for points alone.
        self.unfinished = 0

    @property
    def hands(self) -> int:
        """How many hands have been added."""
        return len(self._points[self._names[0]])

    def add(self, match: Match) -> None:
        """Add a match."""
        self.matches += 1
        self.unfinished += not match.winners
        for name in self._points:
            sides = self._sides(name, match)
            self._points[name] += [_mean([delta[side] for side in sides]) for delta in match.deltas]
            if match.winners:
                share = 1 / len(match.winners)
                self._wins[name].append(
                    _mean([share if side in match.winners else 0.0 for side in sides])
                )

    def _sides(self, name: str, match: Match) -> list[Side]:
        """The sides that a player plays for."""
        return sorted(
            {
                side
                for side, player in zip(match.sides, match.seating, strict=True)
                if self._names[player] == name
            }
        )

    def rows(self) -> list[Row]:
        """A row for each player, in the order in which they were named."""
        return [
            Row(name, mean_estimate(points), share_estimate(self._wins[name]))
            for name, points in self._points.items()
        ]


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def mean_estimate(values: Sequence[float]) -> Estimate | None:
    """The mean of independent values; None of fewer than two."""
    if len(values) < 2:
        return None
    mean = _mean(values)
    variance = sum((value - mean) ** 2 for value in values) / (len(values) - 1)
    half = _WIDTH * sqrt(variance / len(values))
    return Estimate(mean, mean - half, mean + half)


def share_estimate(values: Sequence[float]) -> Estimate | None:
    """The mean of values from 0 to 1, with Wilson's interval; None of no values."""
    if not values:
        return None
    share, count, square = _mean(values), len(values), _WIDTH * _WIDTH
    middle = (share + square / (2 * count)) / (1 + square / count)
    half = sqrt(share * (1 - share) / count + square / (4 * count * count))
    half *= _WIDTH / (1 + square / count)
    return Estimate(share, max(0.0, middle - half), min(1.0, middle + half))
