"""Requests read and results written: what goes in and out again, and how mistakes are told."""

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from playing import Json, deals_of, random_deal, rules_of, starts_of, values_of

from oracle import strict_json
from oracle.cards import CARD_OF, CODES, PACK_52, cards, row_text, text
from oracle.data import folder
from oracle.games import GAMES
from oracle.games.refusals import Impossible
from oracle.games.shapes import (
    CardRow,
    CardSet,
    Either,
    OneOf,
    Several,
    Text,
    Whole,
    options_of,
    parts_of,
)
from oracle.games.table import Table
from oracle.replay import replay
from oracle.strict_json import NotJson
from oracle.wire import (
    FIELDS,
    WrongRequest,
    describe,
    fits,
    read_cards,
    read_deal,
    read_parts,
    read_request,
    read_rules,
    read_shape,
    write_cards,
    write_parts,
    write_rules,
    write_shape,
)

Game = type[Table]

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))


def through_json(value: Any) -> Any:
    """A value written and read as the oracle writes and reads JSON."""
    return strict_json.loads(strict_json.dumps(value).encode())


# There and back.


@every_game
@given(st.data())
def test_a_start_that_is_written_and_read_is_the_same(game: Game, data: st.DataObject) -> None:
    written = data.draw(starts_of(game, reach=None))
    start = read_parts(game.parts.start, written, ())
    assert read_parts(game.parts.start, through_json(write_parts(start)), ()) == start
    assert write_parts(start).items() <= written.items()


@every_game
@given(st.data())
def test_a_deal_that_is_written_and_read_is_the_same(game: Game, data: st.DataObject) -> None:
    written = data.draw(deals_of(game))
    deal = read_deal(game, written)
    assert write_parts(deal) == written
    assert read_deal(game, through_json(write_parts(deal))) == deal


@every_game
@given(st.data())
def test_a_set_may_come_in_any_order_and_a_row_keeps_its_own(
    game: Game, data: st.DataObject
) -> None:
    written = data.draw(deals_of(game))
    shuffled = {
        part.name: reordered(part.shape, written[part.name], data.draw)
        for part in parts_of(game.parts.deal)
    }
    assert write_parts(read_deal(game, shuffled)) == written


def reordered(shape: Any, value: Any, draw: Callable[[Any], Any]) -> Any:
    """A deal's part with the cards of every set in another order."""
    match shape:
        case Several(_, item):
            return [reordered(item, inner, draw) for inner in value]
        case CardSet():
            return " ".join(draw(st.permutations(value.split(" "))))
    return value


@every_game
@given(st.data())
def test_a_tally_that_is_written_and_read_is_the_same(game: Game, data: st.DataObject) -> None:
    written = {
        part.name: data.draw(values_of(part.shape, reach=None))
        for part in parts_of(game.parts.tally)
    }
    tally = read_parts(game.parts.tally, written, ())
    assert write_parts(tally) == written
    assert read_parts(game.parts.tally, through_json(write_parts(tally)), ()) == tally


@every_game
@given(st.data())
def test_rules_that_are_written_and_read_are_the_same(game: Game, data: st.DataObject) -> None:
    given_rules = data.draw(rules_of(game, reach=None))
    rules = read_rules(game, given_rules)
    written = write_rules(rules)
    assert read_rules(game, through_json(written)) == rules
    assert written.items() <= given_rules.items()
    for option in options_of(game.parts.rules):
        shape, canonical = option.among(given_rules)
        value = given_rules.get(option.name, write_shape(shape, canonical))
        assert write_shape(shape, getattr(rules, option.name)) == value
        assert (option.name in written) == (value != write_shape(shape, canonical))


@every_game
def test_canonical_values_may_be_given_and_are_left_out_when_written(game: Game) -> None:
    given_rules = {
        option.name: write_shape(option.shape, option.canonical)
        for option in options_of(game.parts.rules)
    }
    assert read_rules(game, given_rules) == game.parts.rules()
    assert write_rules(game.parts.rules()) == {}
    assert write_rules(read_rules(game, given_rules)) == {}
    assert write_parts(game.parts.start()) == {}


def test_in_tens_another_target_is_canonical_and_the_targets_of_one_scale_are_errors_in_the_other() -> (
    None
):
    belote = GAMES["belote"]
    tens = {"scale": "tens"}
    assert read_rules(belote, tens).target == 51
    assert write_rules(read_rules(belote, {**tens, "target": 51})) == tens
    assert write_rules(read_rules(belote, {"target": 101, **tens})) == {
        **tens,
        "target": 101,
    }
    for rules in ({**tens, "target": 501}, {"target": 51}, {"target": 201, "scale": "full"}):
        with pytest.raises(WrongRequest, match=r"^/target: expected one of .*\(BELOTE-03\)"):
            read_rules(belote, rules)


@pytest.mark.parametrize(
    ("game", "rules"),
    [
        (
            "spades",
            {"double_nil": False, "exchange_max": 0, "double_nil_timing": "before_any_draw"},
        ),
        ("belote", {"match": "score", "rounds": 5}),
        ("belote", {"scale": "tens", "kaput_total": 252}),
        ("hearts", {"points_on_first_trick": True, "first_trick_only_penalty_cards": "queen"}),
    ],
)
def test_an_option_without_effect_beside_the_others_is_accepted(game: str, rules: Json) -> None:
    assert "error" not in replay(
        {"op": "replay", "game": game, "rules": rules, "deals": [], "actions": []}
    )


@pytest.mark.parametrize(
    ("shape", "value", "plain"),
    [
        (Whole(-3, 3), -3, -3),
        (OneOf((True, False)), True, True),
        (Either(Whole(0, 13), OneOf(("double-nil",))), "double-nil", "double-nil"),
        (Several(2, Whole()), [0, 1], (0, 1)),
        (Several(None, OneOf(("a", "b"))), ["b", "b", "a"], ("b", "b", "a")),
        (CardSet(3), "2C QS TD", cards("2C TD QS")),
        (CardRow(3), "QS 2C TD", (CARD_OF["QS"], CARD_OF["2C"], CARD_OF["TD"])),
        (Text("[+-]{2}"), "+-", "+-"),
    ],
)
def test_a_shape_reads_a_value_and_writes_it_again(shape: Any, value: Any, plain: Any) -> None:
    assert read_shape(shape, value, ()) == plain
    ordered = text(plain) if isinstance(shape, CardSet) else value
    assert write_shape(shape, plain) == ordered
    assert type(write_shape(shape, plain)) is type(value)
    assert fits(shape, value)


@pytest.mark.parametrize(
    ("shape", "values"),
    [
        (Whole(0, 9), (-1, 10, True, "1", 1.0, None, [1])),
        (OneOf((1, 2)), (True, "1", 3, 1.0, None)),
        (OneOf((True, False)), (1, 0, "true", None)),
        (Several(2, Whole()), ([1], [1, 2, 3], (1, 2), "12", {"0": 1}, None)),
        (Several(None, Whole()), ([], [-1], None)),
        (CardSet(2), ("2C", "2C 3C 4C", "2C 2C", "2C  3C", " 2C 3C", "2C,3C", "2c 3c", ["2C"])),
        (CardRow(1), ("", "10H", "H9", "1H", "2X", "JR", "2C ", None)),
        (Text("a|b"), ("ab", "a\n", "", 1)),
    ],
)
def test_a_shape_refuses_what_only_looks_like_it(shape: Any, values: tuple[Any, ...]) -> None:
    for value in values:
        assert not fits(shape, value)
        with pytest.raises(WrongRequest, match=r"^/a/3[:/]"):
            read_shape(shape, value, ("a", 3))


def test_a_set_is_written_in_pack_order_and_a_row_as_it_lies() -> None:
    row = read_cards("RJ 2C QS TD", 4, ())
    assert write_cards(row) == row_text(row) == "RJ 2C QS TD"
    assert write_cards(sum(row)) == "2C TD QS RJ"
    assert write_cards(()) == write_cards(0) == ""


# What is wrong, and where.


def deal(game: str) -> Json:
    """Some deal."""
    return random_deal(game, Random(game))


def asked(op: str, game: str, /, **fields: Any) -> Json:
    """A request with what its op needs, and with these fields."""
    usual: Json = {"rules": {}, "deals": [deal(game)], "actions": [], "seat": 0, "depth": 1}
    usual |= {"tally": TALLIES[game], "seed": ""}
    needed = {name: usual[name] for name in FIELDS[op] if name in usual}
    return {"op": op, "game": game, **needed, **fields}


TALLIES: dict[str, Json] = {
    "hearts": {"hearts": [3, 4, 6, 0], "queen": 2},
    "spades": {"bids": [5, "double-nil"], "tricks": [6, 7]},
    "belote": {
        "taker": 0,
        "trump": "S",
        "cards": [100, 62],
        "tricks": [9, 7],
        "combinations": [20, 0],
        "belote": [20, 0],
    },
    "bid-whist": {"declarer": 1, "level": 3, "mode": "nt", "tricks": [4, 8]},
}


@pytest.mark.parametrize("op", FIELDS)
@every_game
def test_the_requests_that_are_damaged_below_are_right_themselves(game: Game, op: str) -> None:
    assert "error" not in replay(asked(op, game.name))


def without(request: Json, name: str) -> Json:
    """A request that lacks a field."""
    return {key: value for key, value in request.items() if key != name}


def swapped(game: str, one: str, other: str) -> Json:
    """A deal with one card in the place of another."""
    written = json.dumps(deal(game))
    assert one in written
    return json.loads(written.replace(one, other))


HEARTS_HANDS = deal("hearts")["hands"]
REPLAY = asked("replay", "hearts")

#: What is wrong, the place that has to be named, and what has to be said.
WRONG: list[tuple[Any, str, tuple[str, ...]]] = [
    ([], "the request", ("expected an object", "found []")),
    (None, "the request", ("expected an object", "null")),
    ({}, "the request", ('"op"', "missing")),
    ({"op": "replay"}, "the request", ('"game"', "missing")),
    (asked("replay", "hearts", op="deal"), "/op", ("replay", "shuffle", '"deal"')),
    (asked("replay", "hearts", op=["replay"]), "/op", ("expected one of",)),
    (asked("replay", "hearts", game="whist"), "/game", ("hearts", "bid-whist", '"whist"')),
    (asked("replay", "hearts", game="bid_whist"), "/game", ("bid-whist",)),
    (asked("replay", "hearts", seat=0), "/seat", ("unknown field", "actions")),
    (asked("replay", "hearts", **{"a/b~c": 0}), "/a~1b~0c", ("unknown field",)),
    (asked("replay", "hearts", **{"a\nb": 0}), '"/a\\nb"', ("unknown field",)),
    (without(REPLAY, "rules"), "the request", ('"rules"', "missing")),
    (without(REPLAY, "deals"), "the request", ('"deals"', "missing")),
    (without(REPLAY, "actions"), "the request", ('"actions"', "missing")),
    (without(asked("view", "hearts"), "seat"), "the request", ('"seat"', "missing")),
    (without(asked("perft", "hearts"), "depth"), "the request", ('"depth"', "missing")),
    (without(asked("score", "hearts"), "tally"), "the request", ('"tally"', "missing")),
    (without(asked("shuffle", "hearts"), "seed"), "the request", ('"seed"', "missing")),
    # Rules.
    (asked("replay", "hearts", rules=[]), "/rules", ("expected an object of options",)),
    (
        asked("replay", "hearts", rules={"target": 0}),
        "/rules/target",
        ("from 1 to 1000000000", "HEARTS-R14", "found 0"),
    ),
    (asked("replay", "hearts", rules={"target": "100"}), "/rules/target", ('"100"',)),
    (asked("replay", "hearts", rules={"target": True}), "/rules/target", ("true",)),
    (
        asked("replay", "hearts", rules={"queen_breaks_hearts": 1}),
        "/rules/queen_breaks_hearts",
        ("false, true", "HEARTS-R07", "found 1"),
    ),
    (
        asked("replay", "hearts", rules={"pass_cycle": []}),
        "/rules/pass_cycle",
        ("at least one", '"left"', "HEARTS-R03"),
    ),
    (asked("replay", "hearts", rules={"pass_cycle": ["up"]}), "/rules/pass_cycle", ('"none"',)),
    (asked("replay", "hearts", rules={"queen_brakes_hearts": True}), "/rules/queen_brakes_hearts",
     ("did you mean queen_breaks_hearts?",)),
    (asked("replay", "hearts", rules={"x": 1}), "/rules/x", ("target", "tie_for_lowest")),
    (
        asked("replay", "hearts", rules={"kitty": "exchange"}),
        "/rules/kitty",
        ("an option of bid-whist", '"set_aside"', "WHIST-R02", "not of hearts"),
    ),
    (
        asked("replay", "hearts", rules={"jack_of_diamonds": True}),
        "/rules/jack_of_diamonds",
        ("HEARTS-19",),
    ),
    (asked("shuffle", "hearts", rules={"moon_subtracts": 1}), "/rules/moon_subtracts",
     ("HEARTS-19",)),
    (asked("score", "belote", rules={"target": 51}), "/rules/target", ("501, 1001, 2001",)),
    (
        asked("score", "belote", rules={"scale": "tens", "target": 501}),
        "/rules/target",
        ("51, 101, 201",),
    ),
    (asked("score", "spades", rules={"exchange_max": 4}), "/rules/exchange_max", ("from 0 to 3",)),
    (asked("score", "bid-whist", rules={"target": 8}), "/rules/target", ("7, 5, 9",)),
    # Starts.
    (asked("replay", "hearts", start=[]), "/start", ("expected an object",)),
    (asked("replay", "hearts", start=None), "/start", ("expected an object",)),
    (asked("replay", "hearts", start={"dealer": 0}), "/start/dealer", ("hand, scores",)),
    (asked("replay", "hearts", start={"hand": -1}), "/start/hand", ("an integer from 0",)),
    (asked("replay", "hearts", start={"scores": [0, 0, 0]}), "/start/scores", ("a list of 4",)),
    (asked("replay", "hearts", start={"scores": [0, 0, 0, 10**9 + 1]}), "/start/scores/3",
     ("1000000000",)),
    (asked("replay", "spades", start={"bags": [0, 10]}), "/start/bags/1", ("from 0 to 9",)),
    (asked("replay", "spades", start={"first": 2}), "/start/first", ("from 0 to 1",)),
    (asked("replay", "belote", start={"rounds_won": [0, -1]}), "/start/rounds_won/1", ("-1",)),
    (asked("replay", "bid-whist", start={"dealer": 4}), "/start/dealer", ("from 0 to 3",)),
    (asked("replay", "bid-whist", start={"scores": [0, 0, 0, 0]}), "/start/scores",
     ("a list of 2",)),
    # Deals.
    (asked("replay", "hearts", deals={}), "/deals", ("expected a list of deals",)),
    (asked("replay", "hearts", deals=[[]]), "/deals/0", ("expected an object",)),
    (asked("replay", "hearts", deals=[deal("spades")]), "/deals/0/pack", ("unknown field",)),
    (asked("replay", "hearts", deals=[{}]), "/deals/0", ('"hands"', "missing")),
    (asked("replay", "hearts", deals=[deal("hearts"), {}]), "/deals/1", ('"hands"',)),
    (asked("replay", "hearts", deals=[{"hands": HEARTS_HANDS[:3]}]), "/deals/0/hands",
     ("a list of 4",)),
    (asked("replay", "hearts", deals=[{"hands": [*HEARTS_HANDS[:3], "2C"]}]), "/deals/0/hands/3",
     ("expected 13 cards, found 1",)),
    (asked("replay", "hearts", deals=[{"hands": [*HEARTS_HANDS[:3], ["2C"]]}]), "/deals/0/hands/3",
     ("13 cards as one string",)),
    (
        asked("replay", "hearts", deals=[{"hands": [HEARTS_HANDS[0], HEARTS_HANDS[0], *HEARTS_HANDS[2:]]}]),
        "/deals/0/hands/1",
        ("lies already at /deals/0/hands/0",),
    ),
    (asked("replay", "hearts", deals=[swapped("hearts", "TH", "10H")]), "/deals/0/hands/",
     ('"10H" is no card', "rank then suit")),
    (asked("replay", "hearts", deals=[swapped("hearts", "QS", "RJ")]), "/deals/0/hands/",
     ("RJ is not in the pack of hearts",)),
    (asked("replay", "belote", deals=[swapped("belote", "QS", "2S")]), "/deals/0/",
     ("2S is not in the pack of belote",)),
    (asked("replay", "spades", deals=[swapped("spades", "QS", "2C")]), "/deals/0/pack",
     ("2C comes twice",)),
    (asked("replay", "bid-whist", deals=[{**deal("bid-whist"), "kitty": ""}]), "/deals/0/kitty",
     ("expected 6 cards, found 0",)),
    # The rest.
    (asked("replay", "hearts", actions="0 play 2C"), "/actions", ("expected a list of actions",)),
    (asked("replay", "hearts", actions=["0 play 2C", 7]), "/actions/1", ("as a string", "7")),
    (asked("view", "hearts", seat=4), "/seat", ("from 0 to 3",)),
    (asked("view", "spades", seat=2), "/seat", ("from 0 to 1",)),
    (asked("view", "hearts", seat="0"), "/seat", ('"0"',)),
    (asked("perft", "hearts", depth=-1), "/depth", ("-1",)),
    (asked("perft", "hearts", depth=False), "/depth", ("false",)),
    (asked("shuffle", "hearts", seed=7), "/seed", ("expected a string", "7")),
    (asked("shuffle", "hearts", seed="\udc00"), "/seed", ("UTF-8",)),
    # Tallies.
    (asked("score", "hearts", tally={"hearts": [13, 1, 0, 0], "queen": 0}), "/tally/hearts",
     ("13 hearts in all, found 14",)),
    (asked("score", "hearts", tally={"hearts": [13, 0, 0, 0]}), "/tally", ('"queen"', "missing")),
    (asked("score", "spades", tally={"bids": [14, 0], "tricks": [6, 7]}), "/tally/bids/0",
     ("from 0 to 13", "double-nil")),
    (asked("score", "spades", tally={"bids": [1, 0], "tricks": [6, 6]}), "/tally/tricks",
     ("13 tricks in all",)),
    (asked("score", "spades", rules={"double_nil": False}), "/tally/bids", ("switch off",)),
    (asked("score", "belote", tally={**TALLIES["belote"], "cards": [100, 100]}), "/tally/cards",
     ("162 points in all",)),
    (asked("score", "belote", tally={**TALLIES["belote"], "tricks": [0, 16]}), "/tally/cards",
     ("without a trick",)),
    (asked("score", "belote", tally={**TALLIES["belote"], "belote": [20, 20]}), "/tally/belote",
     ("one seat at most",)),
    (asked("score", "belote", tally={**TALLIES["belote"], "trump": "none"}), "/tally/belote",
     ("no trump",)),
    (asked("score", "belote", tally={**TALLIES["belote"], "combinations": [15, 0]}),
     "/tally/combinations", ("multiples of 10",)),
    (asked("score", "bid-whist", rules={"min_bid": 4}), "/tally/level", ("at least 4",)),
    (asked("score", "bid-whist", tally={**TALLIES["bid-whist"], "tricks": [6, 7]}),
     "/tally/tricks", ("12 tricks in all, found 13",)),
    (asked("score", "bid-whist", tally={**TALLIES["bid-whist"], "mode": "none"}), "/tally/mode",
     ('"uptown", "downtown", "nt"',)),
]  # fmt: skip


@pytest.mark.parametrize(("asking", "place", "said"), WRONG)
def test_a_wrong_request_is_told_with_its_place_and_what_was_expected(
    asking: Any, place: str, said: tuple[str, ...]
) -> None:
    answer = replay(asking)
    assert answer.keys() == {"error"}
    line = answer["error"]
    where, _, what = line.partition(": ")
    assert where == place or (place.endswith("/") and where.startswith(place))
    for fragment in said:
        assert fragment in what
    assert line.isprintable()


def test_every_wrong_request_of_the_vectors_is_told_in_one_line_that_begins_with_its_place() -> (
    None
):
    told = 0
    for path in sorted(folder("vectors").glob("*/*.json")):
        for case in json.loads(path.read_text("utf-8"))["cases"]:
            if "error" not in case["response"]:
                continue
            line = replay(case["request"])["error"]
            where, _, what = line.partition(": ")
            assert where == "the request" or is_in(where, case["request"]), case["id"]
            assert what
            assert line.isprintable()
            told += 1
    assert told > 100


def is_in(pointer: str, value: Any) -> bool:
    """Whether a JSON pointer leads to something."""
    assert pointer.startswith("/")
    for step in pointer[1:].split("/"):
        name = step.replace("~1", "/").replace("~0", "~")
        if isinstance(value, list):
            value = dict(enumerate(value))
            name = int(name)
        if name not in value:
            return False
        value = value[name]
    return True


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)


@pytest.mark.parametrize("op", FIELDS)
@every_game
@settings(max_examples=40)
@given(data=st.data())
def test_whatever_stands_in_a_field_gets_an_answer(
    game: Game, op: str, data: st.DataObject
) -> None:
    # Without a deal, so that no depth is too deep to count to.
    request = {name: [] if name == "deals" else it for name, it in asked(op, game.name).items()}
    name = data.draw(st.sampled_from(sorted({*request, "start", "new"})))
    value = data.draw(json_values)
    inside = request.get(name)
    if isinstance(inside, dict) and inside and data.draw(st.booleans()):
        value = {**inside, data.draw(st.sampled_from(sorted(inside))): value}
    answer = replay({**request, name: value})
    json.dumps(answer)
    if "error" in answer:
        assert answer.keys() == {"error"}
        assert answer["error"].isprintable()


@given(json_values)
def test_whatever_a_request_is_it_gets_an_answer(value: Any) -> None:
    assert "error" in replay(value)


def test_everything_is_checked_before_anything_is_played() -> None:
    with pytest.raises(WrongRequest, match=r"^/deals/1: "):
        read_request(asked("replay", "hearts", deals=[deal("hearts"), {}], actions=["0 play 2C"]))
    checked = read_request(asked("view", "spades", seat=1, start={"first": 1}))
    assert (checked.op, checked.game.name, checked.seat) == ("view", "spades", 1)
    assert checked.start == replace(checked.game.parts.start(), first=1)
    assert checked.deals == (read_deal(GAMES["spades"], deal("spades")),)


def test_a_tally_that_no_hand_can_give_names_the_part() -> None:
    hearts = GAMES["hearts"]
    tally = read_parts(hearts.parts.tally, {"hearts": [0, 0, 0, 0], "queen": 0}, ())
    with pytest.raises(Impossible) as impossible:
        hearts.check_tally(hearts.parts.rules(), tally)
    assert impossible.value.part == "hearts"
    assert str(impossible.value) == f"hearts: {impossible.value.expected}"


def test_shapes_are_described_in_words() -> None:
    assert describe(Either(Whole(0, 13), OneOf(("double-nil",)))) == (
        'an integer from 0 to 13, or one of "double-nil"'
    )
    assert describe(Several(4, CardSet(13))) == "a list of 4, each a set of 13 cards"
    assert (
        describe(Several(None, CardRow(2))) == "a list of at least one entry, each a row of 2 cards"
    )
    assert describe(Text("a+")) == "a string that fits a+"


# JSON.


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ('{"a": 1, "b": 2, "a": 1}', 'the key "a" comes twice'),
        ('{"x": [{"a": 1, "\\u0061": 2}]}', 'the key "a" comes twice'),
        ("[NaN]", "NaN is not an integer"),
        ("[Infinity]", "Infinity is not an integer"),
        ("-Infinity", "-Infinity is not an integer"),
        ("1.5", "1.5 is not an integer"),
        ("100.0", "100.0 is not an integer"),
        ("1e2", "1e2 is not an integer"),
        ("1E400", "1E400 is not an integer"),
        ("9007199254740992", "9007199254740992 is beyond 2^53 - 1"),
        ("-9007199254740992", "-9007199254740992 is beyond 2^53 - 1"),
        ("1" * 5000, "is beyond 2^53 - 1"),
        ("\ufeff{}", "byte order mark"),
        ("[" * 100_000, "nested too deeply"),
        ('{"a":' * 100_000, "nested too deeply"),
        ("", "line 1, column 1"),
        ("[1,\n 2,]", "line 2, column"),
        ("[01]", "not JSON"),
        ("{'a': 1}", "not JSON"),
        ("[1] [2]", "not JSON"),
        ('"a\nb"', "not JSON"),
        ("true // yes", "not JSON"),
    ],
)
def test_json_in_the_strict_sense_only(written: str, said: str) -> None:
    for data in (written, written.encode()):
        with pytest.raises(NotJson) as refused:
            strict_json.loads(data)
        line = str(refused.value)
        assert said in line
        assert line.isprintable()
        assert len(line) < 200


@pytest.mark.parametrize(
    ("data", "byte"),
    [(b"\xff", 0), (b'"\xc3"', 1), (b'"\xed\xa0\x80"', 1), (b'{}\x80', 2), ("é".encode("utf-16"), 0)],
)  # fmt: skip
def test_bytes_that_are_not_utf_8_are_told_with_their_place(data: bytes, byte: int) -> None:
    with pytest.raises(NotJson, match=f"^not UTF-8 at byte {byte}$"):
        strict_json.loads(data)


@pytest.mark.parametrize("number", [0, 1, -1, 2**53 - 1, 1 - 2**53])
def test_every_integer_up_to_the_limit_is_read(number: int) -> None:
    assert strict_json.loads(str(number)) == number
    assert strict_json.loads("-0") == 0


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers(1 - 2**53, 2**53 - 1) | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        max_leaves=10,
    )
)
def test_json_that_is_written_and_read_is_the_same_and_on_one_line(value: Any) -> None:
    written = strict_json.dumps(value)
    assert strict_json.loads(written) == value
    assert "\n" not in written
    assert "\r" not in written


@given(st.text() | st.binary())
@example("[1e999]")
@example('{"a":1,"a":1}')
def test_whatever_is_read_is_json_or_told_in_one_line(data: str | bytes) -> None:
    with suppress(NotJson):
        assert strict_json.loads(data) == json.loads(data)
        return
    with pytest.raises(NotJson) as refused:
        strict_json.loads(data)
    assert str(refused.value).isprintable()


def test_an_object_of_very_many_keys_with_one_twice_is_told_at_once() -> None:
    # Whoever searches all keys for each of them takes minutes over this.
    keys = ", ".join(f'"{number}": 0' for number in [*range(50_000), 49_999])
    with pytest.raises(NotJson, match='the key "49999" comes twice'):
        strict_json.loads(f"{{{keys}}}")


@pytest.mark.parametrize("opening", ["[", '{"a":'])
def test_a_request_nested_as_deeply_as_can_be_read_gets_an_answer(opening: str) -> None:
    closing = "]" if opening == "[" else "}"
    answered = 0
    for depth in range(600, 1100):
        rules = opening * depth + "0" + closing * depth
        line = f'{{"op": "replay", "game": "hearts", "rules": {rules}, "deals": [], "actions": []}}'
        try:
            request = strict_json.loads(line)
        except NotJson:
            continue
        assert replay(request)["error"].startswith("/rules")
        answered += 1
    assert answered


def test_a_value_is_quoted_on_one_line_and_shortened() -> None:
    assert strict_json.quote("a\nb\ud800é") == r'"a\nb\ud800\u00e9"'
    assert len(strict_json.quote("a" * 1000)) == 60
    assert strict_json.quote({1, 2}) == "a value that can't be shown"
    assert strict_json.quote(10**5000) == "a value that can't be shown"


def test_a_pointer_escapes_what_it_must() -> None:
    assert strict_json.pointer([]) == ""
    assert strict_json.pointer(["a/b", 0, "~1", ""]) == "/a~1b/0/~01/"


@given(st.lists(st.sampled_from(CODES), unique=True, max_size=54))
def test_cards_are_read_as_they_are_written(row: list[str]) -> None:
    read = read_cards(" ".join(row), len(row), ())
    assert row_text(read) == " ".join(row)
    assert text(sum(read)) == " ".join(sorted(row, key=CODES.index))
    assert bool(sum(read) & ~PACK_52) == bool({"BJ", "RJ"} & set(row))
