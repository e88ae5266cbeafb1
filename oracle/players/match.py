"""Matches between players: who sits where, deals by the portable shuffle, and the play itself.

Everything follows from a seed. Each seat has draws of its own, so that what one player draws
tells another nothing.
"""

from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import Any, NamedTuple

from oracle.games.actions import CHANCE, Action
from oracle.games.table import Outcome, Seat, Side, Table
from oracle.players.at_random import random_action
from oracle.players.sight import Choose, Record
from oracle.shuffle import Draws, shuffle_with

#: A match that isn't over after so many hands is cut off there.
MOST_HANDS = 200


class Match(NamedTuple):
    """A match that was played: which player sat at each seat, for which side each seat played, by
    side what each hand scored, and which sides won (none: it was cut off)."""

    seating: tuple[int, ...]
    sides: tuple[Side, ...]
    deltas: tuple[tuple[int, ...], ...]
    winners: tuple[Side, ...]


class Dice:
    """The draws of every seat and of chance, all out of one seed."""

    def __init__(self, seed: str, seats: int) -> None:
        self._draws = {seat: Draws(f"{seed}:seat {seat}") for seat in range(seats)}
        self._draws[CHANCE] = Draws(f"{seed}:chance")

    def of(self, seat: Seat) -> Draws:
        """The draws of a seat, or of chance."""
        return self._draws[seat]


def next_action(record: Record, players: Sequence[Choose], dice: Dice) -> Action:
    """What the first of those who may act chooses; chance takes any of its choices."""
    seat = record.table.to_act[0]
    if seat == CHANCE:
        return random_action(seat, record.table.choices(seat), dice.of(seat))
    return players[seat](record.sight(seat), dice.of(seat))


def play_on(
    record: Record, players: Sequence[Choose], dice: Dice
) -> Iterator[tuple[Action, Outcome | None]]:
    """Play until nobody may act, action by action with what it brought about."""
    while record.table.to_act:
        action = next_action(record, players, dice)
        yield action, record.act(action)


def deals(game: type[Table], seed: str, count: int) -> list[Any]:
    """So many deals of a shuffled pack."""
    draws = Draws(f"{seed}:deals")
    return [game.deal_from_pack(shuffle_with(game.pack, draws)) for _ in range(count)]


def seatings(game: type[Table], players: int) -> list[tuple[int, ...]]:
    """The seatings that a series goes through: for each, which player sits at which seat.

    Players are named seat by seat, or side by side; then one sits at all seats of a side. Any
    run of as many seatings as there are players, from the first on, brings each to each place
    once. Partners stay partners.
    """
    orders = [tuple(range(players))]
    if players == game.sides:
        orders = [(0, *rest) for rest in permutations(range(1, players))]
    return [
        tuple(order[(seat - shift) % players] for seat in range(game.seats))
        for order in orders
        for shift in range(players)
    ]


def play_match(
    game: type[Table],
    rules: Any,
    players: Sequence[Choose],
    seed: str,
    seating: tuple[int, ...],
    most_hands: int = MOST_HANDS,
) -> Match:
    """Play a match to its end, or until so many hands are over."""
    table = game(rules, game.parts.start(), deals(game, seed, most_hands))
    seated = [players[player] for player in seating]
    deltas = [
        outcome.hand.delta
        for _, outcome in play_on(Record(table), seated, Dice(seed, game.seats))
        if outcome and outcome.hand
    ]
    sides = tuple(map(table.side_of, range(game.seats)))
    return Match(seating, sides, tuple(deltas), table.winners)


def play_matches(
    game: type[Table],
    rules: Any,
    players: Sequence[Choose],
    seed: str,
    *,
    matches: int | None = None,
    hands: int | None = None,
) -> Iterator[Match]:
    """So many matches, or matches until so many hands are over; then the last may be cut off."""
    order = seatings(game, len(players))
    number = 0
    while matches is None or number < matches:
        most_hands = MOST_HANDS if hands is None else min(hands, MOST_HANDS)
        if not most_hands:
            return
        seating = order[number % len(order)]
        match = play_match(game, rules, players, f"{seed}:{number}", seating, most_hands)
        yield match
        number += 1
        if hands is not None:
            hands -= len(match.deltas)
