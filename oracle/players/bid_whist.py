"""Players of Bid Whist, each after one kind of bid or one use of the jokers."""

from collections.abc import Callable
from dataclasses import dataclass

from oracle.cards import JOKERS, SUIT_OF, SUITS, Card, Cards, each
from oracle.games.actions import Action, Say
from oracle.games.bid_whist import (
    DOWNTOWN,
    HEIGHTS,
    NO_SUIT,
    NO_TRUMP,
    RANKINGS,
    TRUMPS,
    UPTOWN,
    Bid,
)
from oracle.players.sight import Player, Sight
from oracle.shuffle import Draws

#: Cards from this height on count for a hand in the ranking: the ace is 12 in either.
HONOUR = 9


class Contract:
    """The contract of a sight, for what a card can do in it."""

    def __init__(self, sight: Sight) -> None:
        settled = sight.contract or {"trump": NO_SUIT, "direction": UPTOWN}
        self.trumps: Cards = TRUMPS[settled["trump"]]
        self.heights = HEIGHTS[settled["direction"]]

    def suit_of(self, card: Card) -> Cards:
        """The suit of a card, a joker's being the trumps, if there are any (WHIST-R14, 24)."""
        return self.trumps if card & self.trumps else SUIT_OF.get(card, 0)

    def height(self, card: Card) -> tuple[int, int]:
        """How likely a card is to win: trumps, then suits, then a joker at no trump."""
        if card & self.trumps:
            return 2, self.heights[card]
        return (0 if card & JOKERS else 1), self.heights[card]

    def lowest(self, held: Cards) -> Card:
        """The card least likely to win, the first in pack order among equals."""
        return min(each(held), key=self.height)

    def highest(self, held: Cards) -> Card:
        """The card most likely to win, the first in pack order among equals."""
        return max(each(held), key=self.height)

    def suit_led(self, trick: tuple[Card, ...]) -> Cards:
        """The suit to be followed, that of the first card which has one (WHIST-25); else 0."""
        return next((suit for card in trick if (suit := self.suit_of(card))), 0)

    def best(self, trick: tuple[Card, ...]) -> Card:
        """The card that wins the trick so far; 0 while there is none."""
        able = self.suit_led(trick) | self.trumps
        return max([card for card in trick if card & able], key=self.height, default=0)


def takers(sight: Sight, contract: Contract) -> Cards:
    """The playable cards that win the trick so far."""
    best = contract.best(sight.trick.cards)
    able = contract.suit_led(sight.trick.cards) | contract.trumps if best else ~JOKERS
    return sum(
        card
        for card in each(sight.playable & able)
        if not best or contract.height(card) > contract.height(best)
    )


def partner_wins(sight: Sight, contract: Contract) -> bool:
    """Whether the partner's card wins the trick so far."""
    best = contract.best(sight.trick.cards)
    return ((sight.seat + 2) % 4, best) in sight.played(sight.trick)


# Ways to play a card.


def winning(sight: Sight) -> Card:
    """Leads its highest card; wins as low as it can what the partner doesn't win, or throws its
    lowest away."""
    contract = Contract(sight)
    if not sight.trick.cards:
        return contract.highest(sight.playable)
    taking = takers(sight, contract)
    if taking and not partner_wins(sight, contract):
        return contract.lowest(taking)
    return contract.lowest(sight.playable)


def losing(sight: Sight) -> Card:
    """Leads its lowest card, and gets rid of the highest that loses."""
    contract = Contract(sight)
    if not sight.trick.cards:
        return contract.lowest(sight.playable)
    below = sight.playable & ~takers(sight, contract)
    return contract.highest(below) if below else contract.lowest(sight.playable)


def joker_leading(sight: Sight) -> Card:
    """Leads a joker, and answers a joker with the other; else keeps them, and plays to win so
    that it comes to lead."""
    contract = Contract(sight)
    jokers = sight.playable & JOKERS
    if jokers and not contract.suit_led(sight.trick.cards):
        return contract.lowest(jokers)
    if not sight.playable & ~JOKERS:
        return contract.lowest(jokers)
    if sight.trick.cards and (taking := takers(sight, contract) & ~JOKERS):
        return contract.highest(taking)
    return contract.highest(sight.playable & ~JOKERS)


# Ways to bid: out of the bids that may be made, from low to high, one or none.

Bids = list[Bid]


def no_bid(bids: Bids) -> Bid | None:
    """Never bids of its own will."""
    return None


def lowest_bid(bids: Bids) -> Bid | None:
    """Always raises by as little as it can."""
    return bids[0] if bids else None


def bid_of_six(bids: Bids) -> Bid | None:
    """Bids six or seven, the least that is still open."""
    return next((bid for bid in bids if bid.level >= 6), None)


def in_manner(manner: str) -> Callable[[Bids], Bid | None]:
    """Raises in one manner only, by as little as it can."""
    return lambda bids: next((bid for bid in bids if bid.manner == manner), None)


@dataclass(frozen=True)
class Style:
    """A player out of what it bids and plays."""

    bid: Callable[[Bids], Bid | None]
    play: Callable[[Sight], Card] = winning

    def __call__(self, sight: Sight, draws: Draws) -> Action:
        """Chooses by what is asked."""
        match sight.choices[0].verb:
            case "bid":
                return self.call(sight)
            case "trump":
                return sight.act("trump", longest(sight))
            case "direction":
                return sight.act("direction", better_ranking(sight))
            case "discard":
                return sight.act("discard", six_lowest(sight))
        return sight.play(self.play(sight))

    def call(self, sight: Sight) -> Action:
        """The bid that it wants, else a pass, and if it may not pass the lowest bid."""
        choice = sight.choice("bid")
        bids = [Bid(*what) for what in choice.whats] if isinstance(choice, Say) else []
        bid = self.bid(bids)
        if bid is None and sight.choice("pass"):
            return sight.act("pass")
        return sight.act("bid", bid or bids[0])


def longest(sight: Sight) -> str:
    """The longest suit, the first in pack order among equals."""
    return max(SUITS, key=lambda suit: (sight.hand & TRUMPS[suit]).bit_count())


def better_ranking(sight: Sight) -> str:
    """The ranking in which the hand holds more high cards."""
    suited = each(sight.hand & ~JOKERS)
    return max(
        RANKINGS,
        key=lambda ranking: sum(HEIGHTS[ranking][card] >= HONOUR for card in suited),
    )


def six_lowest(sight: Sight) -> tuple[Card, ...]:
    """The six cards least likely to win."""
    return tuple(sorted(sorted(each(sight.hand), key=Contract(sight).height)[:6]))


PLAYERS = {
    "passer": Player(
        "passes, so that a dealer among passers is forced to bid, and then bids the least",
        Style(no_bid),
    ),
    "low-bidder": Player("raises by as little as it can", Style(lowest_bid)),
    "high-bidder": Player(
        "bids six or seven, and plays to win; such bids are mostly missed", Style(bid_of_six)
    ),
    "downtown": Player("raises downtown only", Style(in_manner(DOWNTOWN))),
    "no-trump": Player("raises at no trump only", Style(in_manner(NO_TRUMP))),
    "joker-leader": Player(
        "raises at no trump only, and leads jokers", Style(in_manner(NO_TRUMP), joker_leading)
    ),
    "loser": Player("passes, and plays to lose", Style(no_bid, losing)),
}

#: Who sits together to reach what one alone hardly does.
LINE_UPS = (
    ("passer",) * 4,
    ("joker-leader",) * 4,
    ("no-trump", "passer", "loser", "passer"),
    ("downtown", "loser", "downtown", "loser"),
    ("high-bidder", "passer", "high-bidder", "passer"),
)
