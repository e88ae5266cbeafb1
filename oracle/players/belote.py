"""Players of Open Belote, each after one kind of contract, trick or combination."""

from collections.abc import Callable
from dataclasses import dataclass

from oracle.cards import CODE_OF, PACK_32, SUIT_OF, Card, Cards, cards, each, union
from oracle.games.actions import Action, Say
from oracle.games.belote import (
    NO_TRUMP,
    PLAIN_ORDER,
    PLAIN_VALUES,
    TRUMP_ORDER,
    TRUMP_VALUES,
    TRUMPS,
)
from oracle.players.sight import Player, Sight
from oracle.shuffle import Draws

RANK = {card: CODE_OF[card][0] for card in each(PACK_32)}


def trumps(sight: Sight) -> Cards:
    """The trumps of the contract; none at no trump or before the choice."""
    return TRUMPS[sight.contract["trump"]] if sight.contract else 0


def height(card: Card, trump: Cards) -> tuple[bool, int]:
    """How likely a card is to win: trumps over others, then by rank (BELOTE-R13)."""
    if card & trump:
        return True, TRUMP_ORDER.index(RANK[card])
    return False, PLAIN_ORDER.index(RANK[card])


def lowest(held: Cards, trump: Cards) -> Card:
    """The card least likely to win, the first in pack order among equals."""
    return min(each(held), key=lambda card: height(card, trump))


def highest(held: Cards, trump: Cards) -> Card:
    """The card most likely to win, the first in pack order among equals."""
    return max(each(held), key=lambda card: height(card, trump))


def answers(sight: Sight, led: Card) -> Cards:
    """What the other player may answer a lead with, out of the cards that lie open (BELOTE-12
    to 14)."""
    hand, trump = sight.known(f"hand {1 - sight.seat}"), trumps(sight)
    if led & trump:
        return beating(hand & trump, led, trump) or hand & trump or hand
    return hand & SUIT_OF[led] or hand & trump or hand


def beating(held: Cards, led: Card, trump: Cards) -> Cards:
    """The cards that beat the one that was led."""
    return union(
        [
            card
            for card in each(held & (SUIT_OF[led] | trump))
            if height(card, trump) > height(led, trump)
        ]
    )


def takers(sight: Sight) -> Cards:
    """Second to play, the playable cards that win the trick."""
    return beating(sight.playable, sight.trick.cards[0], trumps(sight))


# Ways to play a card.


def winning(sight: Sight) -> Card:
    """Leads the lowest card that can't be beaten, else its lowest; wins with the lowest that will
    do, else throws its lowest away."""
    trump = trumps(sight)
    if sight.trick.cards:
        return lowest(takers(sight) or sight.playable, trump)
    safe = union(
        [led for led in each(sight.playable) if not beating(answers(sight, led), led, trump)]
    )
    return lowest(safe or sight.playable, trump)


def losing(sight: Sight) -> Card:
    """Leads what the other player is most bound to beat; gets rid of the highest card that loses,
    and wins low if it has to."""
    trump = trumps(sight)
    if not sight.trick.cards:
        return min(
            each(sight.playable), key=lambda led: (lost_answers(sight, led), height(led, trump))
        )
    if below := sight.playable & ~takers(sight):
        return highest(below, trump)
    return lowest(sight.playable, trump)


def lost_answers(sight: Sight, led: Card) -> int:
    """How many of the possible answers to a lead don't beat it."""
    possible = answers(sight, led)
    return (possible & ~beating(possible, led, trumps(sight))).bit_count()


def uncovering(sight: Sight) -> Card:
    """Keeps the cards of runs, above all of those that it declared, and of the others plays those
    that lie on a covered card; of equals the one least likely to win."""
    trump = trumps(sight)
    covering = on_covered(sight)
    declared = union(
        [
            union(action.what)
            for action in sight.record
            if action.verb == "declare" and action.seat == sight.seat
        ]
    )

    def wish(card: Card) -> tuple[bool, int, bool, tuple[bool, int]]:
        neighbours = (near(card) & sight.hand).bit_count()
        return card & declared != 0, neighbours, not card & covering, height(card, trump)

    return min(each(sight.playable), key=wish)


def on_covered(sight: Sight) -> Cards:
    """The own open cards that lie on a covered one, as the stacks are written."""
    stacks = sight.view.extra["stacks"][sight.seat].split(" ")
    return cards(" ".join(stack[:2] for stack in stacks if len(stack) == 3))


def near(card: Card) -> Cards:
    """The cards up to two ranks away in the same suit, in the order of runs."""
    return SUIT_OF[card] & (card << 1 | card << 2 | card >> 1 | card >> 2)


# Ways to choose trump.


def strength(trump: str, held: Cards) -> int:
    """The card points of open cards in a contract: a rough measure of what they can win."""
    suit = TRUMPS[trump]
    in_trumps = sum(TRUMP_VALUES[RANK[card]] for card in each(held & suit))
    return in_trumps + sum(PLAIN_VALUES[RANK[card]] for card in each(held & ~suit))


def strongest(sight: Sight, suits: list[str]) -> str:
    """The trump suit in which the open cards are strongest."""
    return max(suits, key=lambda trump: strength(trump, sight.hand))


def weakest(sight: Sight, suits: list[str]) -> str:
    """The trump suit in which the open cards are weakest."""
    return min(suits, key=lambda trump: strength(trump, sight.hand))


@dataclass(frozen=True)
class Style:
    """A player out of how it chooses trump, plays and declares."""

    play: Callable[[Sight], Card]
    trump: Callable[[Sight, list[str]], str] = strongest
    #: Takes at the first chance rather than only when it must.
    eager: bool = False
    #: Wants no trump, where it may be chosen.
    no_trump: bool = False
    #: Declares everything that it may, the most cards first; or nothing.
    declares: bool = True

    def __call__(self, sight: Sight, draws: Draws) -> Action:
        """Chooses by what is asked."""
        if isinstance(take := sight.choice("take"), Say):
            if not self.eager and sight.choice("pass"):
                return sight.act("pass")
            return sight.act("take", self.chosen(sight, list(take.whats)))
        declare = sight.choice("declare")
        if self.declares and isinstance(declare, Say) and declare.whats:
            return sight.act("declare", max(declare.whats, key=len))
        return sight.play(self.play(sight))

    def chosen(self, sight: Sight, contracts: list[str]) -> str:
        """The contract to take among those that may be."""
        if self.no_trump and NO_TRUMP in contracts:
            return NO_TRUMP
        return self.trump(sight, [trump for trump in contracts if trump != NO_TRUMP])


PLAYERS = {
    "sweeper": Player(
        "takes in its strongest suit and plays to win every trick",
        Style(winning, eager=True),
    ),
    "loser": Player(
        "passes while it may and plays to lose every trick",
        Style(losing, weakest),
    ),
    "failing-taker": Player(
        "takes in its weakest suit and plays to lose",
        Style(losing, weakest, eager=True),
    ),
    "no-trump": Player(
        "takes at no trump wherever it may, and plays to win",
        Style(winning, eager=True, no_trump=True),
    ),
    "declarer": Player(
        "declares all it can, and plays so as to keep its runs and uncover cards that extend them",
        Style(uncovering),
    ),
    "silent": Player(
        "takes in its strongest suit, plays to win, and declares nothing",
        Style(winning, eager=True, declares=False),
    ),
}

#: Who sits together to reach what one alone hardly does.
LINE_UPS = (
    ("sweeper", "loser"),
    ("failing-taker", "sweeper"),
    ("declarer", "declarer"),
    ("no-trump", "no-trump"),
)
