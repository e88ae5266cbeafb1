"""Actions as values and as text, and the choices from which a seat may take one.

An action is written ``"<seat> <verb> <arguments>"`` with single spaces. A game's notation
says which verbs there are and what follows each. Whether an action is allowed is for the
game to say.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations
from typing import Any

from oracle.cards import (
    CARD_OF,
    CLUBS,
    CODE_OF,
    DIAMONDS,
    HEARTS,
    JOKERS,
    SPADES,
    Card,
    Cards,
    each,
    text,
    union,
)

#: The seat that stands for chance.
CHANCE = -1


@dataclass(slots=True, unsafe_hash=True)
class Action:
    """One action; never changed once it is made.

    ``what`` is a Card after a verb that takes one card, a tuple of Card as written after a
    verb that takes several, the word or number (or a tuple of them) after any other.
    """

    # Not frozen, nor a tuple: every play makes or reads one, and both cost three times as much.
    seat: int
    verb: str
    what: Any = ()


@dataclass(slots=True, unsafe_hash=True)
class Each:
    """A choice of one action a card: ``play 2C``, ``play 9C``, …"""

    verb: str
    cards: Cards


@dataclass(slots=True, unsafe_hash=True)
class Pick:
    """A choice of from least to most cards out of a set, written as one pattern."""

    verb: str
    least: int
    most: int
    cards: Cards


@dataclass(slots=True, unsafe_hash=True)
class Say:
    """A choice of one action for each of these arguments (see ``Action.what``)."""

    verb: str
    whats: Sequence[Any] = ((),)


Choice = Each | Pick | Say


@dataclass(frozen=True)
class OneCard:
    """A verb that is followed by one card."""


@dataclass(frozen=True)
class SomeCards:
    """A verb that is followed by from least to most cards, in any order."""

    least: int
    most: int


@dataclass(frozen=True)
class Words:
    """A verb that is followed by these words: each one out of a tuple, or None for a number."""

    parts: tuple[tuple[str, ...] | None, ...] = ()


Arguments = OneCard | SomeCards | Words

_NUMBER = re.compile(r"0|[1-9][0-9]*", re.ASCII)
#: Stands for every number that is larger than any bid.
_HUGE = 10**9


def _word(word: str, allowed: tuple[str, ...] | None) -> str | int | None:
    if allowed is not None:
        return word if word in allowed else None
    if not _NUMBER.fullmatch(word):
        return None
    return int(word) if len(word) < 10 else _HUGE


def _arguments(words: list[str], arguments: Arguments) -> Any:
    """What follows a verb as a value, or None when it isn't what the verb takes."""
    match arguments:
        case OneCard():
            return CARD_OF.get(words[0]) if len(words) == 1 else None
        case SomeCards(least, most):
            row = tuple(CARD_OF.get(word) for word in words)
            return row if least <= len(row) <= most and None not in row else None
        case Words(parts):
            if len(words) != len(parts):
                return None
            values = tuple(map(_word, words, parts))
            if None in values:
                return None
            return values[0] if len(values) == 1 else values


@cache
def _one_card(verb: str, card: Card) -> str:
    return f"{verb} {CODE_OF[card]}"


@lru_cache(maxsize=1 << 11)
def _one_suit(verb: str, cards: Cards) -> tuple[str, ...]:
    return tuple([_one_card(verb, card) for card in each(cards)])


def _each_text(verb: str, cards: Cards) -> list[str]:
    # By suit: the sets of one suit come again and again.
    texts: list[str] = []
    for suit in (CLUBS, DIAMONDS, HEARTS, SPADES, JOKERS):
        if held := cards & suit:
            texts += _one_suit(verb, held)
    return texts


def _pattern(pick: Pick) -> str:
    least, most = pick.least, pick.most
    bounds = str(least) if least == most else f"{least}-{most}"
    return f"{pick.verb} {{{bounds}}} {text(pick.cards)}"


class Notation:
    """How the actions of one game are written."""

    def __init__(
        self,
        seats: int,
        verbs: Mapping[str, Arguments],
        chance: Mapping[str, Arguments] | None = None,
    ) -> None:
        """``verbs`` are those of the seats 0 to seats - 1, ``chance`` those of chance."""
        self.seats = seats
        self.verbs = verbs
        self.chance = chance or {}
        self.actors = {str(seat): seat for seat in range(seats)} | {"chance": CHANCE}
        self._actor_texts = {seat: who for who, seat in self.actors.items()}
        # Plays and bids come again and again; sets of several cards hardly ever do.
        self.read = lru_cache(maxsize=1 << 10)(self._read)

    def _read(self, written: str) -> Action | None:
        """The action that a text stands for; None when it is no action of this game."""
        who, *words = written.split(" ")
        if who not in self.actors or not words:
            return None
        seat = self.actors[who]
        verb = words.pop(0)
        verbs = self.chance if seat == CHANCE else self.verbs
        what = _arguments(words, verbs[verb]) if verb in verbs else None
        return None if what is None else Action(seat, verb, what)

    def what_text(self, verb: str, what: Any) -> str:
        """A verb and its argument as they are written, sets of cards in pack order."""
        match self.verbs.get(verb) or self.chance[verb]:
            case OneCard():
                return f"{verb} {CODE_OF[what]}"
            case SomeCards():
                return f"{verb} {text(union(what))}".rstrip()
            case Words():
                words = what if isinstance(what, tuple) else (what,)
                return " ".join(map(str, (verb, *words)))

    def write(self, action: Action) -> str:
        """An action as it is written, with its seat."""
        return f"{self.actor_text(action.seat)} {self.what_text(action.verb, action.what)}"

    def actor_text(self, seat: int) -> str:
        """A seat, or chance, as it is written."""
        return self._actor_texts[seat]

    def texts(self, choices: Sequence[Choice]) -> list[str]:
        """Choices as ``legal`` lists them, without the seat; a Pick is one pattern."""
        texts: list[str] = []
        for choice in choices:
            if isinstance(choice, Each):
                texts += _each_text(choice.verb, choice.cards)
            elif isinstance(choice, Pick):
                texts.append(_pattern(choice))
            else:
                texts += [self.what_text(choice.verb, what) for what in choice.whats]
        return texts


def actions(seat: int, choices: Sequence[Choice]) -> Iterator[Action]:
    """Every single action that the choices of a seat leave it, patterns as sets."""
    for choice in choices:
        match choice:
            case Each(verb, cards):
                for card in each(cards):
                    yield Action(seat, verb, card)
            case Pick(verb, least, most, cards):
                for size in range(least, most + 1):
                    for row in combinations(each(cards), size):
                        yield Action(seat, verb, row)
            case Say(verb, whats):
                for what in whats:
                    yield Action(seat, verb, what)
