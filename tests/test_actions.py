"""Actions as text and as values, the choices that stand for them, and the cards in them."""

from math import comb
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from playing import ALL_CARDS, as_written, matches_of, table_of

from oracle.cards import (
    BLACK_JOKER,
    CARD_OF,
    CLUBS,
    CODE_OF,
    CODES,
    DIAMONDS,
    HEARTS,
    JOKERS,
    PACK_32,
    PACK_52,
    PACK_54,
    RED_JOKER,
    SPADES,
    SUIT_CARDS,
    SUIT_OF,
    cards,
    codes,
    each,
    of_rank,
    row_text,
    text,
    union,
)
from oracle.games import GAMES
from oracle.games.actions import (
    CHANCE,
    Action,
    Each,
    Notation,
    OneCard,
    Pick,
    Say,
    SomeCards,
    Words,
    actions,
)
from oracle.games.perft import count
from oracle.games.table import Table
from oracle.replay import act, replay

Game = type[Table]

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
card = st.sampled_from(ALL_CARDS)


def values_after(arguments: Any) -> st.SearchStrategy[Any]:
    """What may follow a verb, as values; several cards without one twice."""
    match arguments:
        case OneCard():
            return card
        case SomeCards(least, most):
            return st.lists(card, min_size=least, max_size=most, unique=True).map(tuple)
        case Words(parts):
            words = [
                st.integers(0, 10**9 - 1) if part is None else st.sampled_from(part)
                for part in parts
            ]
            return words[0] if len(words) == 1 else st.tuples(*words)


@st.composite
def actions_of(draw: st.DrawFn, game: Game) -> Action:
    """Any well-formed action of a game."""
    notation = game.notation
    seat = draw(st.sampled_from([*range(game.seats), *([CHANCE] if notation.chance else [])]))
    verbs = notation.chance if seat == CHANCE else notation.verbs
    verb = draw(st.sampled_from(sorted(verbs)))
    return Action(seat, verb, draw(values_after(verbs[verb])))


# There and back.


@every_game
@given(st.data())
def test_an_action_that_is_written_and_read_is_the_same(game: Game, data: st.DataObject) -> None:
    action = data.draw(actions_of(game))
    read = game.notation.read(game.notation.write(action))
    assert read
    assert (read.seat, read.verb) == (action.seat, action.verb)
    several = isinstance(
        (game.notation.chance if action.seat == CHANCE else game.notation.verbs)[action.verb],
        SomeCards,
    )
    assert read.what == (tuple(sorted(action.what)) if several else action.what)
    assert game.notation.write(read) == game.notation.write(action)


@every_game
@given(st.data())
def test_several_cards_are_read_in_any_order_and_written_in_pack_order(
    game: Game, data: st.DataObject
) -> None:
    notation = game.notation
    several = [verb for verb, takes in notation.verbs.items() if isinstance(takes, SomeCards)]
    verb = data.draw(st.sampled_from(several))
    row = data.draw(values_after(notation.verbs[verb]))
    read = notation.read(" ".join(["1", verb, *map(CODE_OF.get, row)]))
    assert read == Action(1, verb, row)
    assert notation.write(read) == f"1 {verb} {text(union(row))}".rstrip()


@every_game
@settings(max_examples=30)
@given(st.data())
def test_every_action_that_is_offered_can_be_read_and_no_pattern_can(
    game: Game, data: st.DataObject
) -> None:
    request = data.draw(matches_of(game, hands=1))
    for state in replay(request)["states"]:
        for seat, texts in state["legal"].items():
            assert len(set(texts)) == len(texts)
            for offered in texts:
                read = game.notation.read(f"{seat} {offered}")
                assert (read is None) == ("{" in offered)
                assert read is None or game.notation.write(read) == f"{seat} {offered}"


@pytest.mark.parametrize(
    ("game", "written", "action"),
    [
        ("hearts", "3 play QS", Action(3, "play", CARD_OF["QS"])),
        ("hearts", "0 pass QS 2C AH", Action(0, "pass", tuple(map(CARD_OF.get, ("QS", "2C", "AH"))))),
        ("hearts", "0 pass 2C 2C 2C", Action(0, "pass", (CARD_OF["2C"],) * 3)),
        ("hearts", "0 play RJ", Action(0, "play", RED_JOKER)),
        ("spades", "0 keep", Action(0, "keep")),
        ("spades", "1 no-double-nil", Action(1, "no-double-nil")),
        ("spades", "1 bid 0", Action(1, "bid", 0)),
        ("spades", "1 bid 14", Action(1, "bid", 14)),
        ("spades", "0 exchange", Action(0, "exchange", ())),
        ("spades", "chance replace", Action(CHANCE, "replace", ())),
        ("spades", "chance replace 2C", Action(CHANCE, "replace", (CARD_OF["2C"],))),
        ("belote", "0 take none", Action(0, "take", "none")),
        ("belote", "1 declare 7S", Action(1, "declare", (CARD_OF["7S"],))),
        ("bid-whist", "2 bid 0 nt", Action(2, "bid", (0, "nt"))),
        ("bid-whist", "2 direction uptown", Action(2, "direction", "uptown")),
    ],
)  # fmt: skip
def test_what_the_verb_itself_allows_is_well_formed(
    game: str, written: str, action: Action
) -> None:
    assert GAMES[game].notation.read(written) == action


# What is no action.


RUBBISH = {
    "hearts": [
        "", " ", "0", "play", "play 2C", "0 play", "0 play 2C 3C", "0 play 10H", "0 play qs",
        "0 play 1C", "0 play Q", "0 play SQ", "0 play ♠", "0  play 2C", "0 play  2C", " 0 play 2C",
        "0 play 2C ", "0 play 2C\n", "0\tplay 2C", "0 Play 2C", "0 PLAY 2C", "4 play 2C",
        "-1 play 2C", "00 play 2C", "٠ play 2C", "0 pass", "0 pass 2C 3C", "0 pass 2C 3C 4C 5C",
        "0 pass {3} 2C 3C 4C", "0 pass 2C,3C,4C", "chance play 2C", "chance replace 2C", "0 bid 3",
        "0 keep", "0 play 2C\u00a0", "0 play\u00a02C", "\ufeff0 play 2C", "0 play None", "0 None",
    ],
    "spades": [
        "0 bid", "0 bid -1", "0 bid +1", "0 bid 07", "0 bid 00", "0 bid 1.0", "0 bid 1e1",
        "0 bid five", "0 bid double-nil", "0 bid 3 4", "0 bid ３", "0 bid ²", "0 keep 2C",
        "0 reject ", "0 double nil", "0 Double-nil", "0 exchange 2C 3C 4C 5C", "0 exchange {0-3} 2C",
        "0 replace 2C", "chance exchange 2C", "chance keep", "chance replace 2C 3C 4C 5C",
        "chance replace {2} 2C 3C", "chance", "chance ", "Chance replace", "-1 replace", "2 keep",
        "0 pass 2C 3C 4C",
    ],
    "belote": [
        "0 take", "0 take c", "0 take nt", "0 take None", "0 take C D", "0 take clubs", "0 pass C",
        "0 declare", "0 declare {3} 7C 8C 9C", "0 declare 7C 8C 9C TC JC QC KC AC 7D",
        "0 declare tierce", "2 pass", "chance pass", "0 belote", "0 trump C",
    ],
    "bid-whist": [
        "0 bid 3", "0 bid uptown", "0 bid 3 Uptown", "0 bid 3 no-trump", "0 bid uptown 3",
        "0 bid 3 uptown 4", "0 bid -3 nt", "0 bid 03 nt", "0 bid 3  nt", "0 trump", "0 trump none",
        "0 trump s", "0 direction nt", "0 direction", "0 discard 2C 3C 4C 5C 6C",
        "0 discard 2C 3C 4C 5C 6C 7C 8C", "0 discard {6} 2C 3C 4C 5C 6C 7C", "0 play JB",
        "0 play J", "4 pass", "chance pass",
    ],
}  # fmt: skip


@pytest.mark.parametrize(
    ("game", "written"), [(game, written) for game, texts in RUBBISH.items() for written in texts]
)
def test_rubbish_is_no_action(game: str, written: str) -> None:
    assert GAMES[game].notation.read(written) is None


#: What actions are made of, and what comes near to it.
pieces = st.sampled_from(
    ["0", "3", "chance", "play", "pass", "bid", "declare", "exchange", "replace", "take", "trump",
     "2C", "QS", "RJ", "10H", "qs", "nt", "none", "7", "07", "-1", "{3}", "", "\n", "é", "\ud800"]
)  # fmt: skip


@every_game
@given(text=st.text() | st.lists(pieces).map(" ".join))
@example(text="0 bid " + "9" * 100_000)
@example(text="9" * 100_000 + " pass")
@example(text="0 play " + "2C " * 10_000)
@example(text=" " * 100_000)
def test_any_text_is_an_action_that_is_written_alike_or_none(game: Game, text: str) -> None:
    read = game.notation.read(text)
    if read is None:
        return
    written = as_written(table_of(nothing_dealt(game)), read)
    if read.verb == "bid":
        assert written.split(" ")[:2] == text.split(" ")[:2]
    else:
        assert written == text


def nothing_dealt(game: Game) -> dict[str, Any]:
    """A request without a deal."""
    return {"op": "replay", "game": game.name, "rules": {}, "deals": [], "actions": []}


@pytest.mark.parametrize(("game", "bid"), [("spades", "1 bid {}"), ("bid-whist", "1 bid {} nt")])
@pytest.mark.parametrize("digits", ["999999999", "1000000000", "1" + "0" * 5000])
def test_a_number_of_any_length_is_a_bid_and_beyond_every_range(
    game: str, bid: str, digits: str
) -> None:
    action = GAMES[game].notation.read(bid.format(digits))
    assert action
    number = action.what if game == "spades" else action.what[0]
    assert type(number) is int
    assert number >= 999_999_999


@every_game
def test_text_that_is_no_action_is_refused_for_its_form_before_anything_else(game: Game) -> None:
    texts = [text for rubbish in RUBBISH.values() for text in rubbish]
    texts = [text for text in texts if game.notation.read(text) is None]
    states = replay({**nothing_dealt(game), "actions": [*texts, "0 play 2C"]})["states"]
    assert [state["clause"] for state in states[1:]] == ["FORMAT"] * len(texts) + ["OVER"]
    assert len(texts) > 50


# Choices.


@every_game
@settings(max_examples=40)
@given(st.data())
def test_the_actions_of_a_choice_are_as_many_as_it_counts_and_each_is_another(
    game: Game, data: st.DataObject
) -> None:
    request = data.draw(matches_of(game, hands=1))
    table = table_of(request)
    for written in request["actions"][: data.draw(st.integers(0, len(request["actions"])))]:
        act(table, written)
    for seat, choices in table.legal().items():
        for choice in choices:
            if count(choice) <= 1000:
                found = [table.notation.write(action) for action in actions(seat, [choice])]
                assert len(set(found)) == len(found) == count(choice)


@given(st.integers(0, PACK_54), st.integers(0, 3), st.integers(0, 3))
def test_a_pattern_stands_for_every_set_between_its_bounds(
    held: int, least: int, more: int
) -> None:
    row = each(held)[:7]
    pick = Pick("exchange", least, min(least + more, 3), union(row))
    found = [action.what for action in actions(0, [pick])]
    assert len(set(map(frozenset, found))) == len(found) == count(pick)
    for what in found:
        assert pick.least <= len(set(what)) == len(what) <= pick.most
        assert set(what) <= set(row)
    assert count(pick) == sum(comb(len(row), n) for n in range(pick.least, pick.most + 1))


NOTATION = Notation(
    2,
    {
        "play": OneCard(),
        "throw": SomeCards(0, 3),
        "bid": Words((None, ("up", "nt"))),
        "go": Words(),
    },
    chance={"deal": SomeCards(1, 1)},
)


def test_choices_are_listed_in_words_a_pattern_as_one() -> None:
    choices = [
        Say("go"),
        Say("bid", [(1, "up"), (2, "nt")]),
        Pick("throw", 0, 3, cards("RJ 2C")),
        Pick("deal", 1, 1, cards("QS QD")),
        Each("play", cards("RJ AC 2S 2C")),
    ]
    assert NOTATION.texts(choices) == [
        "go",
        "bid 1 up",
        "bid 2 nt",
        "throw {0-3} 2C RJ",
        "deal {1} QD QS",
        "play 2C",
        "play AC",
        "play 2S",
        "play RJ",
    ]
    assert [NOTATION.actor_text(seat) for seat in (0, 1, CHANCE)] == ["0", "1", "chance"]
    assert NOTATION.read("chance deal QS") == Action(CHANCE, "deal", (CARD_OF["QS"],))
    assert NOTATION.read("0 deal QS") is None
    assert NOTATION.read("chance go") is None


def test_an_action_is_equal_to_another_with_the_same_seat_verb_and_argument() -> None:
    assert Action(0, "go") == NOTATION.read("0 go") != NOTATION.read("1 go")
    assert len({Action(0, "go"), Action(0, "go"), Action(1, "go")}) == 2


# Cards.


def test_the_codes_are_rank_then_suit_in_pack_order() -> None:
    assert CODES[:3] == ("2C", "3C", "4C")
    assert CODES[8] == "TC"
    assert CODES[12:14] == ("AC", "2D")
    assert CODES[26] == "2H"
    assert CODES[51:] == ("AS", "BJ", "RJ")
    assert len(set(CODES)) == 54
    assert [CODE_OF[one] for one in ALL_CARDS] == list(CODES)
    assert all(CARD_OF[code] == 1 << place for place, code in enumerate(CODES))


def test_the_packs_hold_their_cards() -> None:
    assert [pack.bit_count() for pack in (PACK_32, PACK_52, PACK_54)] == [32, 52, 54]
    assert PACK_54 ^ PACK_52 == JOKERS == BLACK_JOKER | RED_JOKER
    assert codes(PACK_32)[:9] == ["7C", "8C", "9C", "TC", "JC", "QC", "KC", "AC", "7D"]
    assert CLUBS | DIAMONDS | HEARTS | SPADES == PACK_52
    assert [suit.bit_count() for suit in SUIT_CARDS.values()] == [13] * 4
    for code, suit in ((code, code[1]) for code in CODES[:52]):
        assert SUIT_OF[CARD_OF[code]] == SUIT_CARDS[suit]
    assert not SUIT_OF.keys() & {BLACK_JOKER, RED_JOKER}


def test_within_a_suit_the_higher_card_is_the_greater_number() -> None:
    for suit in SUIT_CARDS:
        row = [CARD_OF[rank + suit] for rank in "23456789TJQKA"]
        assert row == sorted(row) == each(SUIT_CARDS[suit])


def test_cards_of_a_rank_are_of_all_four_suits() -> None:
    assert codes(of_rank("A")) == ["AC", "AD", "AH", "AS"]
    assert codes(of_rank("KQ")) == ["QC", "KC", "QD", "KD", "QH", "KH", "QS", "KS"]
    assert of_rank("") == 0


def test_a_set_is_read_in_any_order_and_a_card_twice_counts_once() -> None:
    assert cards("QS 2H QS") == cards("2H QS") == CARD_OF["QS"] | CARD_OF["2H"]
    assert cards("") == 0
    with pytest.raises(KeyError):
        cards("10H")


@given(st.lists(card, unique=True))
def test_a_set_and_its_cards_and_its_text_say_the_same(row: list[int]) -> None:
    held = union(row)
    assert each(held) == sorted(row)
    assert cards(text(held)) == held == cards(row_text(row))
    assert text(held) == " ".join(codes(held)) == row_text(sorted(row))
    assert row_text(row).split() == [CODE_OF[one] for one in row]
    assert len(codes(held)) == held.bit_count()
