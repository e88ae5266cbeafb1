"""The portable shuffle: byte for byte what its description says, and fair."""

from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from itertools import pairwise
from math import sqrt
from random import Random
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from playing import Json

from oracle.cards import CODES, PACK_32, PACK_52, PACK_54, Cards, codes, row_text
from oracle.games import GAMES
from oracle.replay import replay
from oracle.shuffle import Draws, shuffle

PACKS = {32: PACK_32, 52: PACK_52, 54: PACK_54}
#: Seeds of which a draw is thrown away, with the number of cards.
REJECTING = [("reject-3636710", 52), ("reject-21282959", 54), ("reject-21282959", 32)]

every_pack = pytest.mark.parametrize("pack", PACKS.values(), ids=map(str, PACKS))
seeds = st.text(st.characters(codec="utf-8"))


# The description, followed step by step by code of its own.


def stream(seed: str) -> Iterator[int]:
    """The bytes: SHA-256 of version, seed and counter, one digest after another."""
    counter = 0
    while True:
        yield from sha256(b"oracle-shuffle-1:%s:%d" % (seed.encode("utf-8"), counter)).digest()
        counter += 1


def described(size: int, seed: str) -> tuple[list[str], int]:
    """The pack as codes in the order that the description gives, and how many draws it lost."""
    source = stream(seed)
    if size == 32:
        row = [rank + suit for suit in "CDHS" for rank in "789TJQKA"]
    else:
        row = [rank + suit for suit in "CDHS" for rank in "23456789TJQKA"]
        row += ["BJ", "RJ"] if size == 54 else []
    lost = 0
    place = size - 1
    while place >= 1:
        word = 0
        for _ in range(4):
            word = 256 * word + next(source)
        bound = place + 1
        if word >= 2**32 - 2**32 % bound:
            lost += 1
            continue
        row[place], row[word % bound] = row[word % bound], row[place]
        place -= 1
    return row, lost


@every_pack
@given(seeds)
@example("")
@example("é 🂡 \n:1")
def test_the_order_is_what_the_description_gives(pack: Cards, seed: str) -> None:
    expected, _ = described(pack.bit_count(), seed)
    assert row_text(shuffle(pack, seed)) == " ".join(expected)


@pytest.mark.parametrize(("seed", "size"), REJECTING)
def test_a_draw_from_the_incomplete_last_stretch_is_thrown_away(seed: str, size: int) -> None:
    expected, lost = described(size, seed)
    assert lost == 1
    assert row_text(shuffle(PACKS[size], seed)) == " ".join(expected)
    assert expected != biased(size, seed)


def biased(size: int, seed: str) -> list[str]:
    """The order without the throwing away."""
    source = stream(seed)
    row = codes(PACKS[size])
    for place in range(size - 1, 0, -1):
        word = int.from_bytes(bytes(next(source) for _ in range(4)), "big")
        chosen = word % (place + 1)
        row[place], row[chosen] = row[chosen], row[place]
    return row


class Given(Draws):
    """Draws out of these words."""

    def __init__(self, *words: int) -> None:
        self._words = iter(words)


@pytest.mark.parametrize("bound", [3, 5, 51, 52, 54])
def test_the_first_word_that_is_thrown_away_is_the_largest_multiple(bound: int) -> None:
    multiple = 2**32 // bound * bound
    assert Given(multiple - 1).below(bound) == bound - 1
    assert Given(multiple, multiple - bound).below(bound) == 0
    assert Given(2**32 - 1, multiple, 7).below(bound) == 7 % bound


@pytest.mark.parametrize("bound", [1, 2, 32, 2**16, 2**32])
def test_no_word_is_thrown_away_where_the_bound_divides_all_of_them(bound: int) -> None:
    assert Given(2**32 - 1).below(bound) == bound - 1
    assert Given(0).below(bound) == 0


def test_a_draw_takes_four_bytes_and_the_ninth_draw_comes_from_the_next_digest() -> None:
    draws = Draws("a seed")
    digests = [sha256(f"oracle-shuffle-1:a seed:{block}".encode()).digest() for block in (0, 1)]
    words = [digest[start : start + 4] for digest in digests for start in range(0, 32, 4)]
    assert [draws.below(2**32) for _ in words] == [int.from_bytes(word, "big") for word in words]


# Fairness, over seeds that are always the same.


SEEDS = [f"fair-{number}" for number in range(3000)]


@pytest.fixture(scope="module", params=PACKS)
def orders(request: Any) -> list[list[str]]:
    """The pack in the order of each of many seeds, as codes."""
    pack = PACKS[request.param]
    return [[CODES[card.bit_length() - 1] for card in shuffle(pack, seed)] for seed in SEEDS]


def test_every_order_holds_the_whole_pack_and_no_two_seeds_give_the_same(
    orders: list[list[str]],
) -> None:
    pack = sorted(orders[0])
    assert len(set(pack)) == len(pack) in PACKS
    assert all(sorted(row) == pack for row in orders)
    assert len({" ".join(row) for row in orders}) == len(SEEDS)


def test_every_card_comes_to_every_place_equally_often(orders: list[list[str]]) -> None:
    # Of the n * n counts only (n - 1)^2 are free, as each place and each card comes once a seed;
    # scaled by (n - 1) / n the statistic is a chi-square of as many degrees of freedom, whose
    # standard deviation is the root of twice that. Six of them happen by chance less than once
    # in a hundred million times; a statistic that far below would be as suspicious.
    size = len(orders[0])
    counts = Counter((place, card) for row in orders for place, card in enumerate(row))
    expected = len(orders) / size
    cells = [(place, card) for place in range(size) for card in orders[0]]
    statistic = sum((counts[cell] - expected) ** 2 / expected for cell in cells) * (size - 1) / size
    freedom = (size - 1) ** 2
    assert abs(statistic - freedom) < 6 * sqrt(2 * freedom)


def test_every_card_can_stay_in_its_place_and_can_come_to_any_other(
    orders: list[list[str]],
) -> None:
    size = len(orders[0])
    seen = {(place, card) for row in orders for place, card in enumerate(row)}
    unmoved = codes(PACKS[size])
    assert {(place, card) for place, card in enumerate(unmoved)} <= seen
    assert len(seen) == size * size


def test_neighbours_in_the_pack_lie_together_no_more_often_than_others(
    orders: list[list[str]],
) -> None:
    # In a fair order each of the n - 1 pairs of places holds pack neighbours, in this order,
    # with a chance of 1 / n: about (n - 1) / n an order, with about that variance.
    size = len(orders[0])
    pack = codes(PACKS[size])
    neighbours = set(pairwise(pack))
    found = sum(pair in neighbours for row in orders for pair in pairwise(row))
    expected = len(orders) * (size - 1) / size
    assert abs(found - expected) < 6 * sqrt(expected)


# Seeds.


@given(seeds, seeds)
def test_two_seeds_give_two_orders(one: str, other: str) -> None:
    assert (shuffle(PACK_52, one) == shuffle(PACK_52, other)) == (one == other)


def test_a_seed_and_its_counter_are_kept_apart() -> None:
    orders = {row_text(shuffle(PACK_52, seed)) for seed in ("", ":", "0", ":0", "1", "1:0", " 1")}
    assert len(orders) == 7


@pytest.mark.parametrize("seed", ["\ud800", "a\udfffb"])
def test_a_seed_that_utf_8_cannot_hold_is_refused(seed: str) -> None:
    with pytest.raises(UnicodeEncodeError):
        shuffle(PACK_52, seed)
    answer = replay({"op": "shuffle", "game": "hearts", "seed": seed})
    assert answer["error"].startswith("/seed: ")


# Dealing.


def deal_of(game: str, seed: str) -> Json:
    """The deal of a seed."""
    deal: Json = replay({"op": "shuffle", "game": game, "seed": seed})["deal"]
    return deal


def in_pack_order(row: list[str]) -> str:
    """A set as it is written."""
    return " ".join(sorted(row, key=CODES.index))


@given(seeds)
def test_hearts_is_dealt_one_card_at_a_time_from_seat_0(seed: str) -> None:
    row, _ = described(52, seed)
    hands: list[list[str]] = [[], [], [], []]
    for place, card in enumerate(row):
        hands[place % 4].append(card)
    assert deal_of("hearts", seed) == {"hands": [in_pack_order(hand) for hand in hands]}


@given(seeds)
def test_spades_takes_the_pack_as_it_lies(seed: str) -> None:
    row, _ = described(52, seed)
    assert deal_of("spades", seed) == {"pack": " ".join(row)}


@given(seeds)
def test_belote_is_dealt_in_fours_the_covered_cards_first(seed: str) -> None:
    row, _ = described(32, seed)
    dealt: dict[str, list[list[str]]] = {"down": [[], []], "up": [[], []]}
    for layer in ("down", "down", "up", "up"):
        for seat in (0, 1):
            dealt[layer][seat] += [row.pop(0) for _ in range(4)]
    assert deal_of("belote", seed) == {
        layer: [" ".join(cards) for cards in seats] for layer, seats in dealt.items()
    }


@given(seeds)
def test_bid_whist_is_dealt_twelve_rounds_and_the_last_six_are_the_kitty(seed: str) -> None:
    row, _ = described(54, seed)
    hands: list[list[str]] = [[], [], [], []]
    for _ in range(12):
        for hand in hands:
            hand.append(row.pop(0))
    assert deal_of("bid-whist", seed) == {
        "hands": [in_pack_order(hand) for hand in hands],
        "kitty": in_pack_order(row),
    }


@pytest.mark.parametrize("game", GAMES)
def test_rules_have_no_effect_on_a_deal(game: str) -> None:
    seed = str(Random(game).random())
    with_rules = {"op": "shuffle", "game": game, "seed": seed, "rules": {}}
    for rules in ({}, *GAMES[game].profiles.values()):
        assert replay({**with_rules, "rules": dict(rules)})["deal"] == deal_of(game, seed)
