"""Players of two-player Spades, each after one kind of bid and what becomes of it."""

from collections.abc import Callable
from dataclasses import dataclass

from oracle.cards import CODE_OF, PACK_52, RANKS, SPADES, SUIT_OF, Card, Cards, each
from oracle.games.actions import Action, Pick
from oracle.players.sight import Player, Sight
from oracle.shuffle import Draws

RANK = {card: RANKS.index(CODE_OF[card][0]) for card in each(PACK_52)}
#: What a card is likely to win, in tenths of a trick, by rank from the ace down.
HONOURS = dict(zip(reversed(RANKS), (9, 7, 5, 3, 2), strict=False))
#: What a small spade is likely to win, in tenths of a trick.
SMALL_SPADE = 5


def height(card: Card) -> tuple[bool, int, Card]:
    """The order in which cards are likely to win: spades over others, then by rank."""
    return bool(card & SPADES), RANK[card], card


def lowest(held: Cards) -> Card:
    """The card least likely to win."""
    return min(each(held), key=height)


def highest(held: Cards) -> Card:
    """The card most likely to win."""
    return max(each(held), key=height)


def takers(sight: Sight) -> Cards:
    """Second to play, the playable cards that win the trick."""
    led = sight.trick.cards[0]
    higher = SUIT_OF[led] & ~(led | (led - 1))
    return sight.playable & (higher if led & SPADES else higher | SPADES)


# Ways to play a card.


def winning(sight: Sight) -> Card:
    """Leads its highest card; wins with the lowest that will do, or throws its lowest away."""
    if not sight.trick.cards:
        return highest(sight.playable)
    taking = takers(sight)
    return lowest(taking) if taking else lowest(sight.playable)


def losing(sight: Sight) -> Card:
    """Leads its lowest card; gets rid of the highest that loses, and wins high if it has to."""
    if not sight.trick.cards:
        return lowest(sight.playable)
    return highest(sight.playable & ~takers(sight) or sight.playable)


def making(sight: Sight) -> Card:
    """Wins until the bid is met, then loses."""
    won = sum(trick.winner == sight.seat for trick in sight.tricks)
    bid = sight.contract["bids"][sight.seat] if sight.contract else 0
    return losing(sight) if bid == "double-nil" or won >= bid else winning(sight)


# Ways to bid.


def likely_tricks(hand: Cards) -> int:
    """How many tricks a hand is likely to win."""
    tenths = 0
    for card in each(hand):
        worth = HONOURS.get(CODE_OF[card][0], 0)
        tenths += max(worth, SMALL_SPADE) + 1 if card & SPADES else worth
    return min(13, (tenths + 5) // 10)


@dataclass(frozen=True)
class Style:
    """A player out of what it drafts, bids and plays."""

    #: Whether a card is worth having.
    keeps: Callable[[Card], bool]
    bid: Callable[[Cards], int]
    play: Callable[[Sight], Card]
    double_nil: bool = False

    def __call__(self, sight: Sight, draws: Draws) -> Action:
        """Chooses by what is asked."""
        match sight.choices[0].verb:
            case "double-nil":
                return sight.act("double-nil" if self.double_nil else "no-double-nil")
            case "keep":
                return sight.act("keep" if self.keeps(sight.known("drawn")) else "reject")
            case "exchange":
                return sight.act("exchange", self.exchanged(sight))
            case "bid":
                return sight.act("bid", self.bid(sight.hand))
        return sight.play(self.play(sight))

    def exchanged(self, sight: Sight) -> tuple[Card, ...]:
        """The highest cards, as many as may be, but none that is worth keeping."""
        choice = sight.choice("exchange")
        most = choice.most if isinstance(choice, Pick) else 0
        unwanted = [card for card in each(sight.hand) if not self.keeps(card)]
        return tuple(sorted(sorted(unwanted, key=height, reverse=True)[:most]))


def is_low(card: Card) -> bool:
    """A card that is likely to lose: up to a nine, of spades only up to a four."""
    return RANK[card] <= RANKS.index("4" if card & SPADES else "9")


def is_high(card: Card) -> bool:
    """A card that is likely to win: from a ten on, and every spade."""
    return bool(card & SPADES) or RANK[card] >= RANKS.index("T")


PLAYERS = {
    "nil": Player(
        "drafts low, bids nil and plays to lose",
        Style(is_low, lambda hand: 0, losing),
    ),
    "double-nil": Player(
        "bids double nil unseen, drafts low, exchanges its high cards and plays to lose",
        Style(is_low, lambda hand: 0, losing, double_nil=True),
    ),
    "bag-collector": Player(
        "drafts high, bids one trick and takes all it can",
        Style(is_high, lambda hand: 1, winning),
    ),
    "overbidder": Player(
        "bids four tricks more than its hand is worth, and misses them",
        Style(is_high, lambda hand: min(13, likely_tricks(hand) + 4), winning),
    ),
    "careful": Player(
        "bids what its hand is worth, and wins exactly that",
        Style(is_high, lambda hand: max(1, likely_tricks(hand)), making),
    ),
}

#: Who sits together to reach what one alone hardly does.
LINE_UPS = (
    ("nil", "bag-collector"),
    ("double-nil", "bag-collector"),
    ("double-nil", "double-nil"),
    ("overbidder", "careful"),
    ("careful", "careful"),
)
