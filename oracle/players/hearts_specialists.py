"""Players of Hearts that go for what play at random hardly ever reaches."""

from collections.abc import Callable

from oracle.cards import HEARTS, SUIT_OF, Card, Cards, each
from oracle.games.actions import Action
from oracle.games.hearts import PENALTY_CARDS, QUEEN_OF_SPADES
from oracle.players.hearts import (
    LEVELS,
    RANK,
    highest,
    later_seats,
    lowest,
    moon_card,
    moon_suspect,
    normal_card,
    on_table,
    points_in,
    points_taken,
    takers,
)
from oracle.players.sight import Player, Sight
from oracle.shuffle import Draws


def specialist(
    passed: Callable[[Cards], tuple[Card, ...]], played: Callable[[Sight], Card]
) -> Callable[[Sight, Draws], Action]:
    """A player out of what it passes and what it plays."""

    def choose(sight: Sight, draws: Draws) -> Action:
        if not sight.playable:
            return sight.act("pass", passed(sight.hand))
        return sight.play(played(sight))

    return choose


def shooter_pass(hand: Cards) -> tuple[Card, ...]:
    """The lowest cards out of short suits; of hearts, which are hard to win with, rather more."""

    def strength(card: Card) -> tuple[float, Card]:
        length = (hand & SUIT_OF[card]).bit_count()
        return RANK[card] + length / 2 - (3 if card & HEARTS else 0), card

    return tuple(sorted(sorted(each(hand), key=strength)[:3]))


def shooter_card(sight: Sight) -> Card:
    """Everything to win all points, until somebody else has one."""
    taken = points_taken(sight)
    return moon_card(sight) if taken[sight.seat] == sum(taken) else normal_card(sight)


def stopper_card(sight: Sight) -> Card:
    """As soon as one other player has all points: any trick with points that can be taken, and
    no penalty card given away while there is another."""
    if moon_suspect(sight) is None:
        return normal_card(sight)
    taking = takers(sight)
    if taking and points_in(on_table(sight)):
        return highest(taking) if later_seats(sight) else lowest(taking)
    return lowest(sight.playable & ~PENALTY_CARDS or sight.playable)


def hoarder_pass(hand: Cards) -> tuple[Card, ...]:
    """The lowest cards that are no penalty cards, as far as there are any."""
    harmless = sorted(each(hand & ~PENALTY_CARDS), key=lambda card: (RANK[card], card))
    return tuple(sorted([*harmless, *each(hand & PENALTY_CARDS)][:3]))


def hoarder_card(sight: Sight) -> Card:
    """Keeps hearts and the queen of spades to the end, and leads from them: goes through its
    harmless cards from below, and tries to win the trick with the last of them."""
    harmless = sight.playable & ~PENALTY_CARDS
    if not harmless:
        return lowest(sight.playable & ~QUEEN_OF_SPADES or sight.playable)
    return lowest(harmless)


SPECIALISTS = {
    "moon-shooter": Player(
        "tries to win every trick until another player has a point",
        specialist(shooter_pass, shooter_card),
    ),
    "moon-stopper": Player(
        "keeps its hearts, and takes a trick with points from whoever has all points so far",
        specialist(hoarder_pass, stopper_card),
    ),
    "heart-hoarder": Player(
        "keeps its hearts and the queen of spades, to lead from nothing else",
        specialist(hoarder_pass, hoarder_card),
    ),
}

PLAYERS = {**LEVELS, **SPECIALISTS}

#: Who sits together to reach what one alone hardly does.
LINE_UPS = (
    ("moon-shooter", "normal", "normal", "normal"),
    ("moon-shooter", "moon-stopper", "moon-stopper", "moon-stopper"),
    ("heart-hoarder",) * 4,
    ("hard", "normal", "easy", "random"),
)
