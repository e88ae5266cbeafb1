"""What holds for every hand of two-player Spades, whatever is drawn, bid and played."""

from collections.abc import Iterator
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from playing import Json, random_request, table_of

from oracle.cards import PACK_52, cards, union
from oracle.games.spades import DOUBLE_NIL, DRAFTING, PLAYING, Spades
from oracle.games.table import View
from oracle.replay import act, replay

rules = st.fixed_dictionaries(
    {},
    optional={
        "target": st.integers(1, 600),
        "failed_nil_tricks": st.sampled_from(["nothing", "bags", "bags_and_points"]),
        "bag_counter": st.sampled_from(["carry", "reset"]),
        "double_nil": st.booleans(),
        "double_nil_timing": st.sampled_from(["own_first_draw", "before_any_draw"]),
        "exchange_max": st.integers(0, 3),
        "see_rejected_second": st.booleans(),
        "set_penalty": st.sampled_from(["bid", "shortfall"]),
    },
)
pairs_of_scores = st.tuples(st.integers(-500, 600), st.integers(-500, 600)).map(list)
pairs_of_bags = st.tuples(st.integers(0, 9), st.integers(0, 9)).map(list)
starts = st.fixed_dictionaries(
    {}, optional={"first": st.integers(0, 1), "scores": pairs_of_scores, "bags": pairs_of_bags}
)
bids = st.one_of(st.integers(0, 13), st.just(DOUBLE_NIL))
tallies = st.builds(
    lambda bids, tricks: {"bids": list(bids), "tricks": [tricks, 13 - tricks]},
    st.tuples(bids, bids),
    st.integers(0, 13),
)


@st.composite
def matches(draw: st.DrawFn, rules: st.SearchStrategy[Json] = rules) -> Json:
    """A replay request of one or two hands, every action legal."""
    return random_request(
        "spades",
        draw(st.randoms(use_true_random=True)),
        rules=draw(rules),
        start=draw(starts),
        hands=draw(st.integers(1, 2)),
    )


canonical_matches = matches(rules=st.just({}))


def tables(request: Json) -> list[Spades]:
    """The table before any action and after each."""
    table = table_of(request)
    assert isinstance(table, Spades)
    found = [table]
    for action in request["actions"]:
        table = table.copy()
        act(table, action)
        found.append(table)
    return found


def hand_states(request: Json) -> list[Json]:
    """The states of a replay that end a hand, with ``bids`` and ``tricks`` counted up to there."""
    found = []
    tricks = [0, 0]
    contract: Json = {}
    for state in replay(request)["states"]:
        contract = state.get("contract", contract)
        if "trick" in state:
            tricks[state["trick"]["winner"]] += 1
        if "hand" in state:
            found.append({**state["hand"], "bids": contract["bids"], "tricks": tricks})
            tricks = [0, 0]
    return found


@given(matches())
def test_after_the_last_draw_each_hand_holds_thirteen_and_the_discards_26(request: Json) -> None:
    drafted = 0
    for before, _, after in steps(request):
        if before.verbs is DRAFTING and len(before.stock) == 2:
            piles = [*after.hands, after.discards]
            assert [pile.bit_count() for pile in piles] == [13, 13, 26]
            assert piles[0] | piles[1] | piles[2] == PACK_52
            drafted += 1
    assert drafted == len(hand_states(request))


@given(matches())
def test_an_exchange_leaves_thirteen_cards_each_and_the_same_26_outside(request: Json) -> None:
    for _, _, table in steps(request):
        if table.verbs is PLAYING and not any(table.tricks) and not table.trick:
            outside = [table.discards, *table.thrown]
            assert [hand.bit_count() for hand in table.hands] == [13, 13]
            assert sum(pile.bit_count() for pile in outside) == 26
            assert union([*table.hands, *outside]) == PACK_52


@given(matches())
def test_the_tricks_of_a_hand_sum_to_thirteen(request: Json) -> None:
    hands = hand_states(request)
    assert hands
    assert all(sum(hand["tricks"]) == 13 for hand in hands)


@given(starts, tallies)
def test_bags_are_the_tricks_beyond_a_bid_that_is_met_and_nothing_else(
    start: Json, tally: Json
) -> None:
    hand = scored(start, tally)
    assert bags_with_penalties(hand) == [
        old + over for old, over in zip(start.get("bags", [0, 0]), overtricks(tally), strict=True)
    ]


@given(canonical_matches)
def test_the_bags_of_a_match_are_its_tricks_beyond_bids_that_were_met(request: Json) -> None:
    bags = request["start"].get("bags", [0, 0])
    for hand in hand_states(request):
        gained = overtricks(hand)
        assert bags_with_penalties(hand) == [bags[0] + gained[0], bags[1] + gained[1]]
        bags = hand["bags"]


def scored(start: Json, tally: Json, rules: Json | None = None) -> Json:
    """The hand that a tally comes to."""
    request = {"op": "score", "game": "spades", "rules": rules or {}, "start": start}
    hand: Json = replay({**request, "tally": tally})["hand"]
    return hand


def overtricks(tally: Json) -> list[int]:
    """The tricks of each seat beyond a bid of one or more that is met."""
    return [
        0 if bid in (0, DOUBLE_NIL) else max(0, tricks - bid)
        for bid, tricks in zip(tally["bids"], tally["tricks"], strict=True)
    ]


def bags_with_penalties(hand: Json) -> list[int]:
    """The bag counts of a hand's end, with ten for each penalty that the hand brought."""
    counts = list(hand["bags"])
    for line in hand["breakdown"]:
        if line["clause"] == "SPADES-36":
            counts[line["seat"]] += 10 * (line["points"] // -100)
    return counts


@given(matches(), st.integers(min_value=0, max_value=2**52 - 1))
def test_to_swap_the_cards_of_a_draw_and_the_answer_to_them_changes_nothing(
    request: Json, chosen: int
) -> None:
    swapped = with_draws_swapped(request, chosen)
    assert replay(swapped) == replay(request)
    for one, other in zip(tables(request), tables(swapped), strict=True):
        assert (one.hands, one.discards, one.won) == (other.hands, other.discards, other.won)


def with_draws_swapped(request: Json, chosen: int) -> Json:
    """The request with the two cards of the chosen draws (one bit each) in each other's place,
    and those draws answered the other way."""
    deals = []
    for place, deal in enumerate(request["deals"]):
        row = deal["pack"].split()
        for draw in range(26):
            if chosen >> (26 * place + draw) & 1:
                row[2 * draw : 2 * draw + 2] = row[2 * draw + 1], row[2 * draw]
        deals.append({"pack": " ".join(row)})
    other_answer = {"keep": "reject", "reject": "keep"}
    actions = []
    draw = 0
    for action in request["actions"]:
        seat, _, what = action.partition(" ")
        if what in other_answer:
            actions.append(f"{seat} {other_answer[what] if chosen >> draw & 1 else what}")
            draw += 1
        else:
            actions.append(action)
    return {**request, "deals": deals, "actions": actions}


@given(matches())
def test_seats_exchanged_exchange_the_result(request: Json) -> None:
    start = request["start"]
    mirrored = {
        **request,
        "start": {
            **{name: pair[::-1] for name, pair in start.items() if name != "first"},
            "first": 1 - start.get("first", 0),
        },
        "actions": [
            action if action.startswith("chance") else f"{1 - int(action[0])}{action[1:]}"
            for action in request["actions"]
        ],
    }
    assert replay(mirrored)["states"] == [mirror(state) for state in replay(request)["states"]]


def mirror(state: Json) -> Json:
    """A state with the seats exchanged."""
    mirrored: Json = {
        **state,
        "legal": {
            who if who == "chance" else str(1 - int(who)): what
            for who, what in state["legal"].items()
        },
    }
    if "contract" in state:
        mirrored["contract"] = {"bids": state["contract"]["bids"][::-1]}
    if "trick" in state:
        mirrored["trick"] = {"winner": 1 - state["trick"]["winner"]}
    if "match" in state:
        mirrored["match"] = {"winners": [1 - seat for seat in state["match"]["winners"]]}
    if "hand" in state:
        hand: dict[str, Any] = {
            name: state["hand"][name][::-1] for name in ("delta", "scores", "bags")
        }
        lines = [{**line, "seat": 1 - line["seat"]} for line in state["hand"]["breakdown"]]
        # A seat's lines stay in their order; seat 0 comes first.
        mirrored["hand"] = {**hand, "breakdown": sorted(lines, key=lambda line: line["seat"])}
    return mirrored


@given(matches())
def test_a_breakdown_sums_to_the_delta_and_the_deltas_to_the_scores(request: Json) -> None:
    scores = request["start"].get("scores", [0, 0])
    for hand in hand_states(request):
        assert sums(hand["breakdown"]) == hand["delta"]
        scores = [scores[0] + hand["delta"][0], scores[1] + hand["delta"][1]]
        assert hand["scores"] == scores


@given(rules, starts, tallies)
def test_a_scored_tally_sums_to_its_delta_without_empty_lines(
    rules: Json, start: Json, tally: Json
) -> None:
    hand = scored(start, tally, {**rules, "double_nil": True})
    assert sums(hand["breakdown"]) == hand["delta"]
    assert all(line["points"] for line in hand["breakdown"])
    assert all(0 <= bags <= 9 for bags in hand["bags"])


def sums(breakdown: list[Json]) -> list[int]:
    """The points of each seat in a breakdown."""
    return [sum(line["points"] for line in breakdown if line["seat"] == seat) for seat in (0, 1)]


@given(matches())
def test_a_rejected_face_is_never_shown_to_the_other_player(request: Json) -> None:
    rejected = [0, 0]
    received = 0
    for before, action, after in steps(request):
        if len(before.stock) == 52:
            rejected, received = [0, 0], 0
        if after.hands_played > before.hands_played:
            # Another pack lies on the table, whose faces are anybody's.
            continue
        if action.endswith(" reject"):
            rejected[int(action[0])] |= before.stock[0]
        if action.startswith("chance replace "):
            received |= cards(action.removeprefix("chance replace "))
        played = sum(after.trick) | sum(after.won)
        for seat in (0, 1):
            assert not faces(after.view(1 - seat)) & rejected[seat] & ~(received | played)


@given(matches(), st.integers(0, 1))
def test_before_it_answers_about_double_nil_a_seat_sees_no_face(request: Json, seat: int) -> None:
    asked = 0
    for before, action, _ in steps(request):
        if action in (f"{seat} double-nil", f"{seat} no-double-nil"):
            assert faces(before.view(seat)) == 0
            assert before.view(seat).unknown["stock"] in (50, 52)
            asked += 1
    has_double_nil = request["rules"].get("double_nil", True)
    assert asked == (len(hand_states(request)) if has_double_nil else 0)


def steps(request: Json) -> Iterator[tuple[Spades, str, Spades]]:
    """Each action of a match between the table before it and the table after it."""
    found = tables(request)
    return zip(found, request["actions"], found[1:], strict=False)


def faces(view: View) -> int:
    """Every card that a view shows."""
    known = [held if isinstance(held, int) else union(held) for held in view.known.values()]
    return union([view.hand, *known])
