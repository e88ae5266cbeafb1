"""Cards, sets of cards, and the codes by which they are written.

A card is an int with one bit set; a set of cards is the union of its cards. So a card is
also the set that holds it alone, "the cards of the suit led, else the whole hand" is
``hand & suit or hand``, and within a suit the higher card is the greater number.
Bits stand in pack order: clubs, diamonds, hearts, spades, each from 2 to ace, then the
black joker and the red joker.
"""

from collections.abc import Iterable
from functools import cache, lru_cache
from typing import TypeAlias

Card: TypeAlias = int
Cards: TypeAlias = int

RANKS = "23456789TJQKA"
SUITS = "CDHS"

CLUBS: Cards = 0x1FFF
DIAMONDS: Cards = CLUBS << 13
HEARTS: Cards = CLUBS << 26
SPADES: Cards = CLUBS << 39
BLACK_JOKER: Card = 1 << 52
RED_JOKER: Card = 1 << 53
JOKERS: Cards = BLACK_JOKER | RED_JOKER

SUIT_NAMES = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
SUIT_CARDS: dict[str, Cards] = dict(zip(SUITS, (CLUBS, DIAMONDS, HEARTS, SPADES), strict=True))

CODES: tuple[str, ...] = (*(rank + suit for suit in SUITS for rank in RANKS), "BJ", "RJ")
CARD_OF: dict[str, Card] = {code: 1 << place for place, code in enumerate(CODES)}
CODE_OF: dict[Card, str] = {card: code for code, card in CARD_OF.items()}
SUIT_OF: dict[Card, Cards] = {
    CARD_OF[rank + suit]: cards for suit, cards in SUIT_CARDS.items() for rank in RANKS
}

PACK_52: Cards = CLUBS | DIAMONDS | HEARTS | SPADES
PACK_54: Cards = PACK_52 | JOKERS


@cache
def of_rank(ranks: str) -> Cards:
    """The cards of these ranks in all four suits: ``of_rank("A")`` is the four aces."""
    return sum(CARD_OF[rank + suit] for rank in ranks for suit in SUITS)


PACK_32: Cards = of_rank("789TJQKA")


def cards(codes: str) -> Cards:
    """The set written as codes with spaces between: ``cards("QS 2H")``.

    Raises KeyError for a code that is no card. A code that comes twice counts once.
    """
    held = 0
    for code in codes.split():
        held |= CARD_OF[code]
    return held


def each(held: Cards) -> list[Card]:
    """The cards of a set one by one, in pack order."""
    found = []
    while held:
        card = held & -held
        found.append(card)
        held ^= card
    return found


#: By the number of bits up to it: the highest card of a set.
_HIGHEST: tuple[Card, ...] = (0, *CARD_OF.values())


def highest(held: Cards) -> Card:
    """The highest card of a set that lies in one suit; 0 of an empty set."""
    return _HIGHEST[held.bit_length()]


def union(row: Iterable[Card]) -> Cards:
    """The set of the cards in a row."""
    held = 0
    for card in row:
        held |= card
    return held


@lru_cache(maxsize=1 << 11)
def _suit_codes(held: Cards) -> tuple[str, ...]:
    return tuple(CODE_OF[card] for card in each(held))


def codes(held: Cards) -> list[str]:
    """The codes of a set, in pack order."""
    # By suit, because the sets of one suit come again and again.
    return [
        code
        for suit in (CLUBS, DIAMONDS, HEARTS, SPADES, JOKERS)
        if held & suit
        for code in _suit_codes(held & suit)
    ]


def text(held: Cards) -> str:
    """A set as it is written: its codes in pack order with single spaces."""
    return " ".join(codes(held))


def row_text(row: Iterable[Card]) -> str:
    """A row as it is written: its codes in the order in which they lie."""
    return " ".join([CODE_OF[card] for card in row])
