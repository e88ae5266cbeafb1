"""Players of Hearts: three levels, and specialists that reach what play at random does not."""

from collections.abc import Callable, Iterable

from oracle.cards import (
    CARD_OF,
    CODE_OF,
    HEARTS,
    PACK_52,
    RANKS,
    SPADES,
    SUIT_CARDS,
    SUIT_OF,
    Card,
    Cards,
    cards,
    each,
    union,
)
from oracle.games.actions import Action
from oracle.games.hearts import PENALTY_CARDS, QUEEN_OF_SPADES
from oracle.games.table import Seat
from oracle.players.sight import Player, Sight
from oracle.shuffle import Draws

RANK = {CARD_OF[code]: RANKS.index(code[0]) for code in CODE_OF.values() if code[1] != "J"}
RANK = {card: RANKS.index(code[0]) for card, code in CODE_OF.items() if card & PACK_52}
ABOVE_QUEEN = cards("KS AS")
SUITS = tuple(SUIT_CARDS.values())
DANGER = cards("QS AS KS AH KH QH JH TH")
ORDER = {
    card: -place
    for place, card in enumerate(
        [CARD_OF[c] for c in "QS AS KS AH KH QH JH TH AC AD KC KD QC QD JC JD".split()]
    )
}


def points(held: Cards) -> int:
    return (held & HEARTS).bit_count() + (13 if held & QUEEN_OF_SPADES else 0)


def table(sight: Sight) -> Cards:
    return union(sight.trick.cards)


def suit_led(sight: Sight) -> Cards:
    return SUIT_OF[sight.trick.cards[0]] if sight.trick.cards else 0


def losers(sight: Sight) -> Cards:
    """The playable cards sure not to win"""
    suit = suit_led(sight)
    if not suit:
        return 0
    best = max(card & suit for card in sight.trick.cards)
    return sight.playable & ~(suit & ~(best | (best - 1)))


def gone(sight: Sight) -> Cards:
    return union([card for trick in sight.tricks for card in trick.cards]) | table(sight)


def low(held: Cards) -> Card:
    return min(each(held), key=lambda card: (RANK[card], card))


def high(held: Cards) -> Card:
    return max(each(held), key=lambda card: (RANK[card], card))


# easy
def easy(sight, draws):
    if not sight.playable:
        row = sorted(each(sight.hand), key=lambda c: (-RANK[c], c))
        return sight.act("pass", tuple(sorted(row[:3])))
    if points(table(sight)):
        return sight.play(low(losers(sight) or sight.playable))
    return sight.play(low(sight.playable))


def normal_danger(card):
    return (ORDER.get(card, -100), RANK[card], card)


def queen_out(sight):
    return bool(QUEEN_OF_SPADES & ~gone(sight) & ~sight.hand)


LEADHIGH = True


def normal(sight, draws):
    hand = sight.hand
    if not sight.playable:
        row = sorted(each(hand), key=normal_danger, reverse=True)
        return sight.act("pass", tuple(sorted(row[:3])))
    return sight.play(normal_card(sight))


def normal_card(sight):
    options = sight.playable
    suit = suit_led(sight)
    if not suit:
        avoid = QUEEN_OF_SPADES | (ABOVE_QUEEN if queen_out(sight) else 0)
        options = options & ~avoid or options
        if LEADHIGH and not sight.public["hearts_broken"]:
            ledsuits = [SUIT_OF[t.cards[0]] for t in sight.tricks]
            fresh = options & ~SPADES & ~HEARTS
            for s in ledsuits:
                fresh &= ~s
            if fresh:
                return high(fresh)
        return low(options)
    if options & suit:
        l = losers(sight)
        if l & QUEEN_OF_SPADES:
            return QUEEN_OF_SPADES
        if l:
            return high(l)
        return low(options & ~QUEEN_OF_SPADES or options)
    if options & QUEEN_OF_SPADES:
        return QUEEN_OF_SPADES
    if queen_out(sight) and options & ABOVE_QUEEN:
        return high(options & ABOVE_QUEEN)
    return high(options & HEARTS or options)


def at(about):
    return about


PLAYERS = {"easy": Player("", easy), "normal": Player("", normal)}
