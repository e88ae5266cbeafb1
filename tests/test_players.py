"""Players see what their seat may see, keep to what is asked of them, and reach what they go for."""

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from math import isclose
from random import Random
from typing import Any

import pytest
from commands import oracle
from playing import rules_of

from hypothesis import given
from hypothesis import strategies as st

from oracle.cards import HEARTS, JOKERS, SUIT_OF, Card, Cards, cards, each, union
from oracle.games import GAMES
from oracle.games.actions import Action, Each, OneCard, Pick, SomeCards, actions
from oracle.games.belote import contains
from oracle.games.hearts import PENALTY_CARDS, Hearts
from oracle.games.refusals import Refused
from oracle.games.shapes import CardRow, CardSet, Several, Shape, parts_of
from oracle.games.spades import DOUBLE_NIL
from oracle.games.table import FACE_DOWN, Outcome, Table, View
from oracle.players import PLAYERS
from oracle.players import hearts as levels
from oracle.players.match import (
    Dice,
    Match,
    deals,
    next_action,
    play_match,
    play_matches,
    play_on,
    seatings,
)
from oracle.players.sight import Choose, Player, Record, Sight, Trick
from oracle.players.standings import Standings, mean_estimate, share_estimate
from oracle.shuffle import Draws
from oracle.wire import read_rules

# What a seat sees.


def mixed(game: str, random: Random) -> list[Choose]:
    """Any players of a game, one a seat."""
    named = list(PLAYERS[game].values())
    return [random.choice(named).choose for _ in range(GAMES[game].seats)]


def in_play(game: str, seed: int) -> tuple[Record, list[Action]]:
    """A hand at some moment of it, with the actions so far."""
    random = Random(seed)
    kind = GAMES[game]
    numbers = {"hand": 4, "first": 2, "dealer": kind.seats}
    start = {
        part.name: random.randrange(numbers[part.name])
        for part in parts_of(kind.parts.start)
        if part.name in numbers
    }
    table = kind(kind.parts.rules(), kind.parts.start(**start), deals(kind, str(seed), 1))
    record, players, dice = Record(table), mixed(game, random), Dice(str(seed), kind.seats)
    done: list[Action] = []
    for _ in range(random.randrange(60)):
        action = next_action(record, players, dice)
        ahead = table.copy()
        ahead.act(action)
        if not ahead.to_act:
            break
        record.act(action)
        done.append(action)
    return record, done


def seen_cards(sight: Sight) -> Cards:
    """Every card whose place, now or once, the sight gives away."""
    seen = sight.hand | sight.dealt | union(map(sight.known, sight.view.known))
    for action in sight.record:
        if action.verb in ("play", "pass", "exchange", "replace", "discard", "declare"):
            seen |= union(action.what) if isinstance(action.what, tuple) else action.what
    return seen


class Swap:
    """Two cards changing places, in whatever holds cards."""

    def __init__(self, one: Card, other: Card) -> None:
        self.both = one | other

    def card(self, card: Card) -> Card:
        return card ^ self.both if card & self.both else card

    def cards(self, held: Cards) -> Cards:
        return held ^ self.both if 0 != held & self.both != self.both else held

    def shaped(self, shape: Shape, value: Any) -> Any:
        match shape:
            case CardSet():
                return self.cards(value)
            case CardRow():
                return tuple(map(self.card, value))
            case Several(_, item):
                return tuple(self.shaped(item, each) for each in value)
        return value

    def deal(self, deal: Any) -> Any:
        return type(deal)(
            **{
                part.name: self.shaped(part.shape, getattr(deal, part.name))
                for part in parts_of(type(deal))
            }
        )

    def action(self, game: type[Table], action: Action) -> Action:
        match (game.notation.verbs.get(action.verb) or game.notation.chance[action.verb]):
            case OneCard():
                return Action(action.seat, action.verb, self.card(action.what))
            case SomeCards():
                return Action(action.seat, action.verb, tuple(map(self.card, action.what)))
        return action


def dealt_again(record: Record, done: list[Action], seat: int, random: Random) -> Record | None:
    """The same moment with two cards that the seat can't see in each other's place, and other
    deals to come; None when the others could not have acted as they did."""
    table = record.table
    unseen = each(table.pack & ~seen_cards(record.sight(seat)))
    if len(unseen) < 2:
        return None
    swap = Swap(*random.sample(unseen, 2))
    kind = type(table)
    later = deals(kind, f"later {random.random()}", random.randrange(3))
    again = Record(kind(table.rules, table.start, [swap.deal(table.deals[0]), *later]))
    try:
        for action in done:
            again.act(swap.action(kind, action))
    except (Refused, StopIteration):
        return None
    return again if again.table.to_act == table.to_act else None


@pytest.mark.parametrize("game", GAMES)
def test_a_player_chooses_the_same_when_the_cards_it_cannot_see_are_dealt_again(game: str) -> None:
    again, moved = 0, 0
    for seed in range(120):
        record, done = in_play(game, seed)
        random = Random(seed)
        seats = [seat for seat in record.table.to_act if seat >= 0]
        if not seats:
            continue
        seat = random.choice(seats)
        for _ in range(6):
            other = dealt_again(record, done, seat, random)
            if other is None:
                continue
            again += 1
            moved += other.table.hands != record.table.hands
            assert other.sight(seat) == record.sight(seat)
            for player in PLAYERS[game].values():
                chosen = [
                    player.choose(each.sight(seat), Draws("same")) for each in (record, other)
                ]
                assert chosen[0] == chosen[1]
    assert again >= 150, "too few deals fit"
    if game != "belote":
        assert moved >= 60, "too few deals were other deals"
