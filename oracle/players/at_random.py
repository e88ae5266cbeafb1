"""The player that knows nothing: any action that is allowed, each as likely as the next."""

from collections.abc import Sequence
from math import comb
from typing import Any

from oracle.cards import Card, each
from oracle.games.actions import Action, Choice, Each, Pick, Say
from oracle.games.perft import count
from oracle.players.sight import Player, Sight
from oracle.shuffle import Draws


def at_random(sight: Sight, draws: Draws) -> Action:
    """Any action that the sight's choices leave, each as likely as the next."""
    return random_action(sight.seat, sight.choices, draws)


def random_action(seat: int, choices: Sequence[Choice], draws: Draws) -> Action:
    """One of the actions that these choices leave, each as likely as the next."""
    place = draws.below(sum(map(count, choices)))
    for choice in choices:
        if place < count(choice):
            return Action(seat, choice.verb, _what(choice, place, draws))
        place -= count(choice)
    raise ValueError("no choice at all")


def _what(choice: Choice, place: int, draws: Draws) -> Any:
    match choice:
        case Each(_, cards):
            return each(cards)[place]
        case Say(_, whats):
            return whats[place]
        case Pick(_, least, _, cards):
            size = least
            while place >= comb(cards.bit_count(), size):
                place -= comb(cards.bit_count(), size)
                size += 1
            return some_cards(each(cards), size, draws)


def some_cards(row: Sequence[Card], size: int, draws: Draws) -> tuple[Card, ...]:
    """So many cards of a row, each set as likely as the next, in pack order."""
    left = list(row)
    return tuple(sorted(left.pop(draws.below(len(left))) for _ in range(size)))


RANDOM = Player("chooses any legal action, each as likely as the next", at_random)
