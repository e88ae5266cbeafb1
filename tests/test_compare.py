"""The comparison of an engine's answer with the expected response: what counts and what doesn't."""

import copy
from collections.abc import Iterable
from itertools import combinations
from random import Random
from typing import Any

import pytest
from playing import random_request

from oracle.conformance.claims import REPORTS
from oracle.conformance.compare import ABSENT, Comparer, Comparison, identical, same_actions
from oracle.games import GAMES
from oracle.replay import replay
from oracle.wire import FIELDS

Json = dict[str, Any]

SUITS = [" ".join(rank + suit for rank in "23456789TJQKA") for suit in "CDHS"]


def compare(
    op: str,
    expected: Json,
    actual: Any,
    *,
    game: str = "hearts",
    reports: Iterable[str] = REPORTS,
    partial: bool = False,
) -> Comparison:
    return Comparer(game, reports).compare(op, expected, actual, partial)


def places(comparison: Comparison) -> list[str]:
    return [difference.pointer for difference in comparison.differences]


def state(**fields: Any) -> Json:
    """A response to replay with one action, and these fields after it."""
    return {"states": [{"legal": {"0": ["play 2C"]}}, fields]}


def differing(expected: Json, actual: Json, **how: Any) -> list[str]:
    """The places at which a state differs, seen from it."""
    found = places(compare("replay", state(**expected), state(**actual), **how))
    return [place.removeprefix("/states/1") for place in found]


ACCEPTED = {"ok": True, "legal": {"1": ["play 2D", "play 3D"]}}
REFUSED = {"ok": False, "clause": "HEARTS-12", "legal": {"1": ["play 2D"]}}
TRICK = {**ACCEPTED, "trick": {"winner": 2, "points": 13}}
HAND = {
    **TRICK,
    "hand": {
        "delta": [0, 19, 4, 3],
        "scores": [0, 19, 4, 3],
        "breakdown": [
            {"seat": 1, "clause": "HEARTS-13", "points": 6},
            {"seat": 2, "clause": "HEARTS-13", "points": 4},
            {"seat": 3, "clause": "HEARTS-13", "points": 3},
            {"seat": 1, "clause": "HEARTS-13", "points": 13},
        ],
    },
}


def changed(state: Json, *path: str | int, to: Any) -> Json:
    """A copy of a state with one value replaced."""
    twin = copy.deepcopy(state)
    place: Any = twin
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = to
    return twin


def without(state: Json, *path: str) -> Json:
    """A copy of a state with one field gone."""
    twin = copy.deepcopy(state)
    place: Any = twin
    for step in path[:-1]:
        place = place[step]
    del place[path[-1]]
    return twin


# Whole responses.


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("op", FIELDS)
def test_every_response_of_the_reference_is_like_itself(game: str, op: str) -> None:
    expected = replay(request_of(game, op))
    assert "error" not in expected
    found = compare(op, expected, copy.deepcopy(expected), game=game)
    assert found.differences == []
    assert found.unknown_fields == 0
    assert found.stated


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("op", FIELDS)
def test_any_value_that_changes_in_a_response_is_seen(game: str, op: str) -> None:
    expected = replay(request_of(game, op))
    unseen = [
        place
        for place, damaged in damages(expected)
        if not compare(op, expected, damaged, game=game).differences
    ]
    assert unseen == []


def request_of(game: str, op: str) -> Json:
    """A request of an op of a game; of the ops at a table, somewhere in a hand."""
    if op == "shuffle":
        return {"op": op, "game": game, "seed": "compare"}
    if op == "score":
        return {"op": op, "game": game, "rules": {}, "tally": TALLIES[game]}
    request = {**random_request(game, Random(f"compare {game}")), "op": op}
    if op == "view":
        return {**request, "actions": request["actions"][:-9], "seat": 0}
    if op == "perft":
        return {**request, "actions": request["actions"][:-9], "depth": 2}
    return request


TALLIES: dict[str, Json] = {
    "hearts": {"hearts": [1, 2, 3, 7], "queen": 0},
    "spades": {"bids": [3, 8], "tricks": [4, 9]},
    "belote": {
        "taker": 0,
        "trump": "S",
        "cards": [92, 70],
        "tricks": [9, 7],
        "combinations": [0, 20],
        "belote": [0, 20],
    },
    "bid-whist": {"declarer": 0, "level": 4, "mode": "uptown", "tricks": [10, 2]},
}


def damages(value: Any, path: str = "") -> Iterable[tuple[str, Any]]:
    """A value with one leaf changed, for every leaf; with the place of the leaf."""
    if isinstance(value, dict):
        for name, each in value.items():
            for place, twin in damages(each, f"{path}/{name}"):
                yield place, {**value, name: twin}
    elif isinstance(value, list):
        for number, each in enumerate(value):
            for place, twin in damages(each, f"{path}/{number}"):
                yield place, [*value[:number], twin, *value[number + 1 :]]
    elif isinstance(value, bool):
        yield path, not value
    elif isinstance(value, int):
        yield path, value + 1
    else:
        yield path, f"{value}x"


# What is looked at.


@pytest.mark.parametrize(
    ("report", "expected", "actual"),
    [
        ("ok", ACCEPTED, changed(ACCEPTED, "ok", to=False)),
        ("clause", REFUSED, changed(REFUSED, "clause", to="TURN")),
        ("legal", ACCEPTED, changed(ACCEPTED, "legal", to={})),
        ("trick", TRICK, changed(TRICK, "trick", "winner", to=0)),
        ("hand", HAND, changed(HAND, "hand", "delta", to=[0, 0, 0, 26])),
        ("breakdown", HAND, changed(HAND, "hand", "breakdown", to=[])),
        ("match", {**HAND, "match": {"winners": [0]}}, {**HAND, "match": {"winners": [1]}}),
        (
            "combinations",
            {**ACCEPTED, "trick": {"winner": 0, "combinations": []}},
            {**ACCEPTED, "trick": {"winner": 0, "combinations": ["belote"]}},
        ),
        (
            "contract",
            {**ACCEPTED, "contract": {"taker": 0}},
            {**ACCEPTED, "contract": {"taker": 1}},
        ),
    ],
)
def test_a_field_is_compared_if_and_only_if_the_engine_reports_it(
    report: str, expected: Json, actual: Json
) -> None:
    assert differing(expected, actual)
    assert not differing(expected, actual, reports=set(REPORTS) - {report})


def test_a_breakdown_is_looked_at_only_inside_a_hand_that_is_reported() -> None:
    wrong = changed(HAND, "hand", "breakdown", to=[])
    assert not differing(HAND, wrong, reports=["breakdown"])


def test_an_engine_that_reports_ok_alone_may_leave_everything_else_out() -> None:
    assert not differing(HAND, {"ok": True}, reports=["ok"])


def test_what_the_case_states_nothing_of_is_not_worth_asking() -> None:
    only_ok = {"states": [{}, {"ok": True}]}
    assert Comparer("hearts", ["ok"]).states("replay", only_ok)
    assert not Comparer("hearts", ["legal", "hand"]).states("replay", only_ok)


@pytest.mark.parametrize(
    "place",
    [
        ("ok",),
        ("legal",),
        ("trick",),
        ("trick", "winner"),
        ("trick", "points"),
        ("hand",),
        ("hand", "delta"),
        ("hand", "scores"),
        ("hand", "breakdown"),
    ],
)
def test_a_promised_report_that_is_missing_is_a_difference(place: tuple[str, ...]) -> None:
    assert differing(HAND, without(HAND, *place)) == ["/" + "/".join(place)]


def test_what_is_absent_must_be_absent() -> None:
    assert differing(ACCEPTED, TRICK) == ["/trick"]
    assert differing(ACCEPTED, {**ACCEPTED, "match": {"winners": [0]}}) == ["/match"]
    assert differing(ACCEPTED, {**ACCEPTED, "contract": {}}) == ["/contract"]
    assert differing(ACCEPTED, {**ACCEPTED, "clause": "HEARTS-12"}) == ["/clause"]
    spades = {**ACCEPTED, "trick": {"winner": 0}}
    assert differing(spades, changed(spades, "trick", "points", to=0)) == ["/trick/points"]


def test_what_a_partial_case_leaves_out_is_not_compared() -> None:
    assert not differing({}, HAND, partial=True)
    assert not differing({"ok": True}, HAND, partial=True)
    assert not differing({"trick": {"winner": 2}}, HAND, partial=True)
    assert not differing({"hand": {"scores": [0, 19, 4, 3]}}, HAND, partial=True)


def test_what_a_partial_case_states_is_compared_whole() -> None:
    assert differing({"trick": {"winner": 1}}, HAND, partial=True) == ["/trick/winner"]
    assert differing({"ok": True}, REFUSED, partial=True) == ["/ok"]
    assert differing({"hand": {"delta": [0, 19, 4]}}, HAND, partial=True) == ["/hand/delta"]
    assert differing({"match": {}}, HAND, partial=True) == ["/match"]
    one_seat = {"legal": {"0": ["play 2C"]}}
    two_seats = {"legal": {"0": ["play 2C"], "1": ["play 2D"]}}
    assert differing(one_seat, two_seats, partial=True) == ["/legal/1"]


def test_a_state_is_an_object_also_where_a_partial_case_states_nothing() -> None:
    found = compare("replay", {"states": [{}, {}]}, {"states": [{}, 5]}, partial=True)
    assert places(found) == ["/states/1"]


@pytest.mark.parametrize("partial", [False, True])
def test_one_state_too_many_or_too_few_is_a_difference(partial: bool) -> None:
    expected = state(**ACCEPTED)
    more = {"states": [*expected["states"], {"ok": True}]}
    fewer = {"states": expected["states"][:1]}
    found = compare("replay", expected, more, partial=partial)
    assert places(found) == ["/states/2"]
    assert found.differences[0].expected is ABSENT
    found = compare("replay", expected, fewer, partial=partial)
    assert places(found) == ["/states/1"]
    assert found.differences[0].actual is ABSENT


@pytest.mark.parametrize("states", [None, {}, "", 2, [], [[]]])
def test_states_that_are_no_list_of_objects_are_a_difference(states: Any) -> None:
    assert compare("replay", state(**ACCEPTED), {"states": states}).differences


def test_a_wrong_state_does_not_hide_the_ones_after_it() -> None:
    expected = {"states": [{"legal": {}}, REFUSED, ACCEPTED, HAND]}
    actual = {"states": [{"legal": {}}, ACCEPTED, REFUSED, HAND]}
    found = compare("replay", expected, actual)
    assert {difference.state for difference in found.differences} == {1, 2}


# Numbers, words, unknown fields.


@pytest.mark.parametrize("other", [True, "1", 1.0, None, [1], 2, -1])
def test_only_the_integer_itself_is_the_same_number(other: Any) -> None:
    expected = {**ACCEPTED, "trick": {"winner": 1, "points": 1}}
    assert not differing(expected, copy.deepcopy(expected))
    assert differing(expected, changed(expected, "trick", "winner", to=other))
    assert differing(expected, changed(expected, "trick", "points", to=other))


@pytest.mark.parametrize("other", [1, "true", False, None, 1.0])
def test_only_true_is_true(other: Any) -> None:
    assert differing(ACCEPTED, changed(ACCEPTED, "ok", to=other)) == ["/ok"]


def test_zero_is_not_false_in_any_list() -> None:
    assert differing(HAND, changed(HAND, "hand", "delta", to=[False, 19, 4, 3])) == ["/hand/delta"]
    winners = {**HAND, "match": {"winners": [0, 1]}}
    assert differing(winners, changed(winners, "match", "winners", to=[False, True]))
    line = {"seat": True, "clause": "HEARTS-13", "points": 6}
    assert differing(HAND, changed(HAND, "hand", "breakdown", 0, to=line)) == ["/hand/breakdown"]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("op", ["replay", "score"])
def test_what_a_partial_case_leaves_out_is_known_all_the_same(game: str, op: str) -> None:
    actual = replay(request_of(game, op))
    told = {"contract", "trick", "hand", "match"}
    expected: Json = {"hand": {}}
    if op == "replay":
        expected = {
            "states": [{name: {} for name in told & each.keys()} for each in actual["states"]]
        }
    found = compare(op, expected, actual, game=game, partial=True)
    assert found.differences == []
    assert found.unknown_fields == 0


def test_values_are_identical_all_the_way_down_or_not_at_all() -> None:
    assert identical({"a": [1, {"b": None}]}, {"a": [1, {"b": None}]})
    assert not identical({"a": [1, {"b": 1}]}, {"a": [1, {"b": True}]})
    assert not identical({"a": 1}, {"a": 1, "b": 2})
    assert not identical([1, 2], [1])


def test_unknown_fields_are_counted_and_mean_nothing() -> None:
    actual = copy.deepcopy(HAND)
    actual["note"] = "?"
    actual["trick"]["cards"] = "2C 3C"
    actual["hand"]["bags"] = [0, 0]
    actual["hand"]["breakdown"][0]["why"] = "hearts"
    response = {**state(**actual), "took": 3}
    found = compare("replay", state(**HAND), response)
    assert found.differences == []
    assert found.unknown_fields == 5


def test_fields_that_one_game_alone_has_are_compared_where_they_are_expected() -> None:
    expected = changed(HAND, "hand", "bags", to=[3, 0])
    assert not differing(expected, copy.deepcopy(expected))
    assert differing(expected, changed(expected, "hand", "bags", to=[3, 1])) == ["/hand/bags"]
    assert differing(expected, HAND) == ["/hand/bags"]


@pytest.mark.parametrize("garbage", [None, False, 3, "x", [], [1], {}, {"x": 1}, [["play 2D"]]])
def test_garbage_in_any_field_is_a_difference_and_no_crash(garbage: Any) -> None:
    expected = {**HAND, "match": {"winners": [0]}, "contract": {"taker": 1}}
    for place in [
        ("ok",),
        ("legal",),
        ("legal", "1"),
        ("contract",),
        ("trick",),
        ("trick", "winner"),
        ("hand",),
        ("hand", "delta"),
        ("hand", "breakdown"),
        ("hand", "breakdown", 2),
        ("match",),
        ("match", "winners"),
    ]:
        assert differing(expected, changed(expected, *place, to=garbage)), place
    assert differing(REFUSED, changed(REFUSED, "clause", to=garbage))


@pytest.mark.parametrize("answer", [None, [], "states", 3])
def test_an_answer_that_is_no_object_is_a_difference(answer: Any) -> None:
    assert places(compare("replay", state(**ACCEPTED), answer)) == [""]
    assert places(compare("error", {"error": "wrong"}, answer)) == [""]


# Clauses.


def test_a_clause_may_be_any_of_its_group_in_the_rulebook() -> None:
    for clause in ("HEARTS-12", "HEARTS-06"):
        assert not differing(REFUSED, changed(REFUSED, "clause", to=clause))
    for clause in ("HEARTS-10", "hearts-12", "SPADES-26", "CARD", "", None):
        assert differing(REFUSED, changed(REFUSED, "clause", to=clause)) == ["/clause"]


@pytest.mark.parametrize("general", ["FORMAT", "OVER", "TURN", "PHASE", "CARD"])
def test_a_general_refusal_is_only_like_itself(general: str) -> None:
    expected = changed(REFUSED, "clause", to=general)
    assert not differing(expected, copy.deepcopy(expected))
    assert differing(expected, REFUSED) == ["/clause"]
    assert differing(REFUSED, expected) == ["/clause"]


def test_score_lines_come_in_any_order_with_clauses_up_to_their_group() -> None:
    lines = [
        {"seat": 0, "clause": "BELOTE-35", "points": 100},
        {"seat": 0, "clause": "BELOTE-33", "points": 92},
        {"seat": 1, "clause": "BELOTE-33", "points": 70},
    ]
    expected = {**ACCEPTED, "hand": {"delta": [192, 70], "breakdown": lines}}
    for order in ([2, 0, 1], [1, 2, 0]):
        shuffled = [copy.deepcopy(lines[place]) for place in order]
        actual = changed(expected, "hand", "breakdown", to=shuffled)
        assert not differing(expected, actual, game="belote")
    like = changed(expected, "hand", "breakdown", 0, "clause", to="BELOTE-36")
    assert not differing(expected, like, game="belote")
    other = changed(expected, "hand", "breakdown", 0, "clause", to="BELOTE-41")
    assert differing(expected, other, game="belote") == ["/hand/breakdown"]


def test_a_score_line_that_comes_twice_must_come_twice() -> None:
    line = {"seat": 1, "clause": "HEARTS-13", "points": 1}
    other = {"seat": 2, "clause": "HEARTS-13", "points": 1}
    expected = {**ACCEPTED, "hand": {"breakdown": [line, line, other]}}
    assert not differing(expected, changed(expected, "hand", "breakdown", to=[other, line, line]))
    assert differing(expected, changed(expected, "hand", "breakdown", to=[other, other, line]))
    assert differing(expected, changed(expected, "hand", "breakdown", to=[line, other]))
    assert differing(expected, changed(expected, "hand", "breakdown", to=[line, line, line, other]))


def test_winners_come_in_any_order_and_each_as_often_as_expected() -> None:
    expected = {**HAND, "match": {"winners": [0, 2]}}
    assert not differing(expected, changed(expected, "match", "winners", to=[2, 0]))
    for winners in ([0], [0, 2, 2], [0, 1], [2, 2]):
        actual = changed(expected, "match", "winners", to=winners)
        assert differing(expected, actual) == ["/match/winners"]


def test_the_numbers_of_other_lists_have_an_order() -> None:
    assert differing(HAND, changed(HAND, "hand", "delta", to=[19, 0, 4, 3])) == ["/hand/delta"]
    bids = {**ACCEPTED, "contract": {"bids": [5, "double-nil"]}}
    assert differing(bids, changed(bids, "contract", "bids", to=["double-nil", 5]))


def test_combinations_keep_their_order_and_their_cards_have_none() -> None:
    first = {"seat": 1, "clause": "BELOTE-40", "cards": "7H 8H 9H", "points": 20}
    second = {"seat": 0, "clause": "BELOTE-40", "cards": "7C 8C 9C", "points": 0}
    expected = {**ACCEPTED, "trick": {"winner": 0, "combinations": [first, second]}}

    def told(*lines: Json) -> list[str]:
        actual = changed(expected, "trick", "combinations", to=list(lines))
        return differing(expected, actual, game="belote")

    assert told({**first, "cards": "9H 7H 8H"}, second) == []
    assert told(second, first)
    assert told(first)
    assert told(first, second, second)
    assert told({**first, "cards": "7H 8H TH"}, second)
    assert told({**first, "cards": "7H 8H 9H 9H"}, second)
    assert told({**first, "points": 0}, second)
    assert told(first, {**second, "seat": 1})


# Legal actions.


def test_legal_is_a_set_of_actions_for_each_seat() -> None:
    expected = {"ok": True, "legal": {"0": ["bid 0", "bid 1"], "1": ["pass"]}}
    same = {"ok": True, "legal": {"1": ["pass"], "0": ["bid 1", "bid 0"]}}
    assert not differing(expected, same)
    assert differing(expected, changed(expected, "legal", "0", to=["bid 1"])) == ["/legal/0"]
    more = changed(expected, "legal", "0", to=["bid 0", "bid 1", "bid 2"])
    assert differing(expected, more) == ["/legal/0"]
    assert differing(expected, without(expected, "legal", "1")) == ["/legal/1"]
    assert differing(expected, changed(expected, "legal", "2", to=["pass"])) == ["/legal/2"]
    assert differing(expected, changed(expected, "legal", "2", to=[])) == ["/legal/2"]


CARDS = ["2C", "9C", "TD", "4H", "QS"]
PATTERN = [f"pass {{3}} {' '.join(CARDS)}"]
SPELT_OUT = [f"pass {' '.join(three)}" for three in combinations(CARDS, 3)]


def test_a_pattern_may_be_spelt_out_in_any_order() -> None:
    assert same_actions(PATTERN, SPELT_OUT)
    assert same_actions(PATTERN, SPELT_OUT[::-1])
    backwards = [" ".join(["pass", *reversed(each.split(" ")[1:])]) for each in SPELT_OUT]
    assert same_actions(PATTERN, backwards)


def test_a_pattern_may_name_its_cards_in_any_order() -> None:
    assert same_actions(PATTERN, ["pass {3} QS TD 9C 4H 2C"])


def test_a_pattern_that_is_nearly_spelt_out_is_another_set() -> None:
    assert not same_actions(PATTERN, SPELT_OUT[1:])
    assert not same_actions(PATTERN, SPELT_OUT[:-1])
    assert not same_actions(PATTERN, [*SPELT_OUT, "pass 2C 9C"])
    assert not same_actions(PATTERN, [*SPELT_OUT[1:], "pass 2C 9C AS"])
    # As many entries as there should be, and one of them comes twice.
    assert not same_actions(PATTERN, [*SPELT_OUT[1:], SPELT_OUT[1]])


def test_a_pattern_over_other_cards_or_counts_is_another_set() -> None:
    assert not same_actions(PATTERN, ["pass {3} 2C 9C TD 4H"])
    assert not same_actions(PATTERN, ["pass {3} 2C 9C TD 4H KS"])
    assert not same_actions(PATTERN, ["pass {2} 2C 9C TD 4H QS"])
    assert not same_actions(PATTERN, ["pass {2-3} 2C 9C TD 4H QS"])
    assert not same_actions(PATTERN, ["discard {3} 2C 9C TD 4H QS"])


def test_a_pattern_with_bounds_stands_for_sets_of_every_size_within_them() -> None:
    pattern = [f"exchange {{0-3}} {' '.join(CARDS)}"]
    spelt_out = [
        " ".join(["exchange", *chosen]) for size in range(4) for chosen in combinations(CARDS, size)
    ]
    assert same_actions(pattern, spelt_out)
    assert not same_actions(pattern, spelt_out[1:])
    assert not same_actions(pattern, [each for each in spelt_out if each.count(" ") < 3])


def test_a_pattern_may_be_spelt_out_in_part() -> None:
    with_clubs_two = [each for each in SPELT_OUT if "2C" in each]
    assert same_actions(PATTERN, [*with_clubs_two, "pass {3} 9C TD 4H QS"])
    assert not same_actions(PATTERN, [*with_clubs_two, "pass {3} 2C 9C TD 4H"])


def test_a_pattern_stands_beside_other_actions() -> None:
    assert same_actions(["keep", *PATTERN], [*SPELT_OUT, "keep"])
    assert not same_actions(["keep", *PATTERN], SPELT_OUT)


@pytest.mark.parametrize(
    "entry",
    [
        "pass {0-99} 2C 9C TD 4H QS",
        "pass {3-99} 2C 9C TD 4H QS",
        "pass {3} 2C 2C 2C 9C QS",
        f"pass {{{'9' * 5000}}} 2C 9C TD 4H QS",
        "pass {3-} 2C 9C TD 4H QS",
        "pass {\u0663} 2C 9C TD 4H QS",
        "pass {-3} 2C 9C TD 4H QS",
        "pass {3}",
        "pass {} 2C",
        "pass {3} ",
        "{3} 2C 9C TD 4H QS",
        f"pass {{0-26}} {' '.join(SUITS)}",
    ],
)
def test_a_pattern_that_is_none_is_just_another_action(entry: str) -> None:
    assert not same_actions(PATTERN, [entry])
    assert not same_actions(["play 2C"], [entry])


@pytest.mark.parametrize("listed", [None, "play 2C", {"play 2C": 1}, [2], ["play 2C", None]])
def test_a_list_of_actions_is_a_list_of_strings(listed: Any) -> None:
    assert not same_actions(["play 2C"], listed)


def test_an_action_with_several_cards_is_the_same_in_any_order() -> None:
    assert same_actions(["declare 7C 8C 9C"], ["declare 9C 7C 8C"])
    assert not same_actions(["declare 7C 8C 9C"], ["declare 7C 8C"])


# The other ops.


def view_with(**fields: Any) -> Json:
    return {
        "hand": "2C 9C QS",
        "known": {"trick": "2D 3D", "won 0": "4D 5D", "hand 1": "6D 7D"},
        "unknown": {"hand 1": 3, "hand 2": 5},
        "legal": ["play 2C", "play 9C"],
        **fields,
    }


def view_differs(**fields: Any) -> list[str]:
    return places(compare("view", view_with(), view_with(**fields)))


def test_the_sets_of_a_view_have_no_order_and_its_trick_has() -> None:
    assert view_differs(hand="QS 2C 9C") == []
    known = view_with()["known"]
    assert view_differs(known={**known, "won 0": "5D 4D", "hand 1": "7D 6D"}) == []
    assert view_differs(known={**known, "trick": "3D 2D"}) == ["/known/trick"]


def test_every_place_of_a_view_counts() -> None:
    known = view_with()["known"]
    assert view_differs(hand="2C 9C") == ["/hand"]
    assert view_differs(hand="2C 9C QS QS") == ["/hand"]
    assert view_differs(hand=["2C", "9C", "QS"]) == ["/hand"]
    assert view_differs(known={**known, "won 0": "4D"}) == ["/known/won 0"]
    assert view_differs(known={**known, "won 1": "8D"}) == ["/known/won 1"]
    assert view_differs(known={"trick": "2D 3D", "won 0": "4D 5D"}) == ["/known/hand 1"]
    assert view_differs(known=None) == ["/known"]
    assert view_differs(unknown={"hand 1": 3}) == ["/unknown"]
    assert view_differs(unknown={"hand 1": 3, "hand 2": 4}) == ["/unknown"]
    assert view_differs(unknown={"hand 1": 3, "hand 2": 5, "stock": 0}) == ["/unknown"]
    assert view_differs(legal=["play 9C", "play 2C"]) == []
    assert view_differs(legal=["play 2C"]) == ["/legal"]


def test_the_stacks_of_a_view_are_rows() -> None:
    expected = view_with(stacks=["KD+ KD - + + + + +", "- - - - - - - -"])
    same = copy.deepcopy(expected)
    other = view_with(stacks=["KD KD+ - + + + + +", "- - - - - - - -"])
    assert compare("view", expected, same, game="belote").differences == []
    assert places(compare("view", expected, other, game="belote")) == ["/stacks"]


def test_counts_of_perft_are_decimal_strings_by_action() -> None:
    expected = {"nodes": "12", "divide": {"0 pass 2C 3C 4C": "7", "0 pass 2C 3C 5C": "5"}}

    def differs(divide: Any, nodes: Any = "12") -> list[str]:
        return places(compare("perft", expected, {"nodes": nodes, "divide": divide}))

    assert differs({"0 pass 5C 3C 2C": "5", "0 pass 4C 2C 3C": "7"}) == []
    assert differs(expected["divide"], 12) == ["/nodes"]
    assert differs(expected["divide"], "012") == ["/nodes"]
    assert differs({"0 pass 2C 3C 4C": "7"}) == ["/divide"]
    assert differs({**expected["divide"], "0 pass 2C 3C 5C": "6"}) == ["/divide"]
    assert differs({**expected["divide"], "0 pass 2C 3C 5C": 5}) == ["/divide"]
    assert differs({**expected["divide"], "0 pass 2C 3C 6C": "0"}) == ["/divide"]
    assert differs({**expected["divide"], "0 pass 3C 2C 4C": "7"}) == ["/divide"]
    assert differs(["7", "5"]) == ["/divide"]


def test_a_score_is_compared_like_the_end_of_a_hand() -> None:
    expected = {"hand": HAND["hand"], "match": {"winners": [0]}}
    assert compare("score", expected, copy.deepcopy(expected)).differences == []
    assert places(compare("score", expected, {"hand": HAND["hand"]})) == ["/match"]
    found = compare("score", expected, {"hand": HAND["hand"]}, reports=["hand", "breakdown"])
    assert found.differences == []


def test_the_hands_of_a_deal_are_sets_and_a_pack_is_a_row() -> None:
    hands = {"deal": {"hands": SUITS}}
    backwards = {"deal": {"hands": [" ".join(reversed(each.split(" "))) for each in SUITS]}}
    assert compare("shuffle", hands, backwards).differences == []
    exchanged = {"deal": {"hands": [SUITS[1], SUITS[0], *SUITS[2:]]}}
    assert places(compare("shuffle", hands, exchanged)) == ["/deal"]
    cards = " ".join(SUITS).split(" ")
    pack = {"deal": {"pack": " ".join(cards)}}
    other = {"deal": {"pack": " ".join(reversed(cards))}}
    assert compare("shuffle", pack, copy.deepcopy(pack), game="spades").differences == []
    assert places(compare("shuffle", pack, other, game="spades")) == ["/deal"]


@pytest.mark.parametrize("deal", [None, [], {}, {"hands": []}, {"hands": [1, 2, 3, 4]}, "2C"])
def test_a_deal_that_is_none_is_a_difference(deal: Any) -> None:
    assert places(compare("shuffle", {"deal": {"hands": SUITS}}, {"deal": deal})) == ["/deal"]


def test_an_unknown_field_of_a_deal_is_counted() -> None:
    actual = {"deal": {"hands": SUITS, "kitty": ""}}
    found = compare("shuffle", {"deal": {"hands": SUITS}}, actual)
    assert found.differences == []
    assert found.unknown_fields == 1


# Wrong requests.


def test_the_text_of_an_error_is_never_compared() -> None:
    expected = {"error": "/seat: expected an integer from 0 to 3, found 4"}
    assert compare("error", expected, {"error": "no"}).differences == []
    assert compare("error", expected, {"error": "", "where": "/seat"}).differences == []


def test_a_wrong_request_that_gets_an_answer_is_a_difference() -> None:
    expected = {"error": "wrong"}
    assert places(compare("error", expected, state(**ACCEPTED))) == [""]
    assert places(compare("error", expected, {})) == [""]
    assert places(compare("error", expected, {"error": None})) == [""]


def test_an_error_to_a_good_request_is_a_difference() -> None:
    found = compare("replay", state(**ACCEPTED), {"error": "no such op"})
    assert places(found) == [""]
    assert found.differences[0].actual == {"error": "no such op"}
    assert places(compare("replay", {"states": [{}, {}]}, {"error": "no"}, partial=True)) == [""]
