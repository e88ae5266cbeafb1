"""The portable shuffle, version 1: a seed string in, a pack in a row out.

It is written down to the byte in docs/shuffle.md, so that an engine in any language can
deal the same cards. Nothing here depends on Python's own random numbers.
"""

from collections.abc import Iterator
from hashlib import sha256

from oracle.cards import Card, Cards, each

VERSION = 1


def _words(seed: str) -> Iterator[int]:
    """Big-endian 32-bit words out of the SHA-256 digests of seed and counter."""
    block = 0
    while True:
        digest = sha256(f"oracle-shuffle-{VERSION}:{seed}:{block}".encode()).digest()
        for start in range(0, len(digest), 4):
            yield int.from_bytes(digest[start : start + 4], "big")
        block += 1


class Draws:
    """Uniform draws that follow from a seed (any string that UTF-8 can hold)."""

    def __init__(self, seed: str) -> None:
        self._words = _words(seed)

    def below(self, bound: int) -> int:
        """A draw from 0 to bound - 1; words from the incomplete last stretch are thrown away."""
        usable = (1 << 32) // bound * bound
        while (word := next(self._words)) >= usable:
            pass
        return word % bound


def shuffle(pack: Cards, seed: str) -> list[Card]:
    """The pack in the order that the seed gives it.

    Raises UnicodeEncodeError for a seed that UTF-8 can't hold (a lone surrogate).
    """
    return shuffle_with(pack, Draws(seed))


def shuffle_with(pack: Cards, draws: Draws) -> list[Card]:
    """The pack in the order that the next draws give it."""
    row = each(pack)
    for last in range(len(row) - 1, 0, -1):
        chosen = draws.below(last + 1)
        row[last], row[chosen] = row[chosen], row[last]
    return row
