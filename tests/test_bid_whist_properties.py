"""What holds for every hand of Bid Whist, whatever is bid, named, put away and played."""

from collections.abc import Iterator

from hypothesis import given
from hypothesis import strategies as st
from playing import Json, random_request, table_of

from oracle.cards import JOKERS, PACK_54, RANKS, Card, cards, union
from oracle.games.bid_whist import DISCARDING, MANNERS, NO_SUIT, PLAYING, BidWhist
from oracle.games.table import View
from oracle.replay import act, replay

rules = st.fixed_dictionaries(
    {},
    optional={
        "target": st.sampled_from([7, 5, 9]),
        "min_bid": st.integers(1, 7),
        "downtown_outranks_uptown": st.booleans(),
        "kitty": st.sampled_from(["set_aside", "exchange"]),
        "first_lead": st.sampled_from(["left_of_dealer", "declarer"]),
        "no_trump_joker": st.sampled_from(["when_void", "any_time"]),
        "no_trump_multiplier": st.sampled_from([1, 2]),
        "made_bid_scores": st.sampled_from(["all_over_six", "bid_only"]),
    },
)
scores = st.tuples(st.integers(-10, 10), st.integers(-10, 10)).map(list)
starts = st.fixed_dictionaries({}, optional={"dealer": st.integers(0, 3), "scores": scores})
tallies = st.builds(
    lambda declarer, level, mode, tricks: {
        "declarer": declarer,
        "level": level,
        "mode": mode,
        "tricks": [tricks, 12 - tricks],
    },
    st.integers(0, 3),
    st.integers(1, 7),
    st.sampled_from(MANNERS),
    st.integers(0, 12),
)


@st.composite
def matches(draw: st.DrawFn, /, **fixed: object) -> Json:
    """A replay request of one or two hands, every action legal, with these options fixed."""
    return random_request(
        "bid-whist",
        draw(st.randoms(use_true_random=True)),
        rules={**draw(rules), **fixed},
        start=draw(starts),
        hands=draw(st.integers(1, 2)),
    )


canonical_scoring = matches(no_trump_multiplier=1, made_bid_scores="all_over_six")


def steps(request: Json) -> Iterator[tuple[BidWhist, str, BidWhist]]:
    """Each action of a match between the table before it and the table after it."""
    before = table_of(request)
    for action in request["actions"]:
        after = before.copy()
        act(after, action)
        assert isinstance(before, BidWhist)
        assert isinstance(after, BidWhist)
        yield before, action, after
        before = after


def hand_states(request: Json) -> list[Json]:
    """The states of a replay that end a hand, with the contract and the tricks won in play."""
    found = []
    tricks = [0, 0]
    contract: Json = {}
    for state in replay(request)["states"]:
        contract = state.get("contract", contract)
        if "trick" in state:
            tricks[state["trick"]["winner"] % 2] += 1
        if "hand" in state:
            found.append({**state["hand"], "contract": contract, "tricks": tricks})
            tricks = [0, 0]
    return found


def scored(rules: Json, start: Json, tally: Json) -> Json:
    """The hand that a tally comes to."""
    request = {"op": "score", "game": "bid-whist", "rules": rules, "start": start, "tally": tally}
    hand: Json = replay(request)["hand"]
    return hand


# The tricks and the score.


@given(matches())
def test_the_kitty_and_the_twelve_tricks_hold_the_whole_pack(request: Json) -> None:
    ended = 0
    for before, action, after in steps(request):
        if before.hands_played < after.hands_played:
            last_trick = [*before.trick, cards(action.split()[-1])]
            assert union([*before.won, *last_trick, before.kitty]) == PACK_54
            assert before.kitty.bit_count() == 6
            assert sum(before.tricks) == 11
            ended += 1
    assert ended == len(hand_states(request)) > 0


@given(canonical_scoring)
def test_a_met_bid_scores_what_the_other_side_left_of_thirteen_tricks_less_six(
    request: Json,
) -> None:
    for hand in hand_states(request):
        assert sum(hand["tricks"]) == 12
        declaring = hand["contract"]["declarer"] % 2
        left = 13 - hand["tricks"][1 - declaring]
        level = hand["contract"]["level"]
        assert hand["delta"][declaring] == (left - 6 if left >= 6 + level else -level)


@given(starts, tallies)
def test_the_declaring_side_scores_its_tricks_less_six_or_loses_its_bid(
    start: Json, tally: Json
) -> None:
    declaring = tally["declarer"] % 2
    counted = tally["tricks"][declaring] + 1
    scored_or_lost = scored({}, start, tally)["delta"][declaring]
    met = counted - 6 >= tally["level"]
    assert scored_or_lost == (counted - 6 if met else -tally["level"])


@given(matches())
def test_only_the_total_of_the_declaring_side_moves(request: Json) -> None:
    before = request["start"].get("scores", [0, 0])
    for hand in hand_states(request):
        declaring = hand["contract"]["declarer"] % 2
        assert hand["delta"][1 - declaring] == 0
        assert hand["scores"][1 - declaring] == before[1 - declaring]
        assert hand["scores"][declaring] != before[declaring]
        before = hand["scores"]


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
    hand = scored({**rules, "min_bid": 1}, start, tally)
    assert sums(hand["breakdown"]) == hand["delta"]
    assert all(line["points"] for line in hand["breakdown"])


def sums(breakdown: list[Json]) -> list[int]:
    """The points of each team in a breakdown."""
    return [sum(line["points"] for line in breakdown if line["team"] == team) for team in (0, 1)]


# The bidding.


@given(matches())
def test_the_declarer_is_the_last_of_four_speakers_to_bid(request: Json) -> None:
    spoken: list[str] = []
    for before, action, after in steps(request):
        if action.split()[1] in ("bid", "pass"):
            spoken.append(action)
        elif spoken:
            dealer = before.dealer
            order = [(dealer + place) % 4 for place in range(1, 5)]
            assert [int(said[0]) for said in spoken] == order
            bids = [said for said in spoken if " bid " in said]
            assert bids
            assert after.declarer == int(bids[-1][0])
            spoken = []


@given(matches())
def test_every_bid_is_higher_than_the_highest_before_it(request: Json) -> None:
    equal = request["rules"].get("downtown_outranks_uptown") is False
    difficulty = {"uptown": 1, "downtown": 1 if equal else 2, "nt": 3}
    highest = (0, 0)
    for _, action, after in steps(request):
        match action.split():
            case [_, "bid", level, manner]:
                assert (int(level), difficulty[manner]) > highest
                highest = int(level), difficulty[manner]
            case [_, "trump" | "direction", _]:
                assert after.highest.level == highest[0]
                assert difficulty[after.highest.manner] == highest[1]
                highest = (0, 0)


# The jokers and the rankings.


@given(matches())
def test_a_joker_never_wins_at_no_trump_and_always_wins_in_a_trump_contract(
    request: Json,
) -> None:
    for table, row, winning in tricks(request):
        jokers = [card for card in row if card & JOKERS]
        if table.trump == NO_SUIT:
            assert not winning & JOKERS
        elif jokers:
            assert winning == max(jokers)


def tricks(request: Json) -> Iterator[tuple[BidWhist, list[Card], Card]]:
    """Each trick of a match: the table when its last card was due, its cards, the one that won."""
    winners = [state.get("trick", {}).get("winner") for state in replay(request)["states"][1:]]
    for (before, action, _), winner in zip(steps(request), winners, strict=True):
        if winner is not None:
            row = [*before.trick, cards(action.split()[-1])]
            yield before, row, row[(winner - before.leader) % 4]


@given(matches(downtown_outranks_uptown=False))
def test_downtown_plays_like_uptown_with_the_ranks_below_the_ace_turned_over(
    request: Json,
) -> None:
    mirrored = {
        **request,
        "deals": [
            {"hands": [*map(mirror, deal["hands"])], "kitty": mirror(deal["kitty"])}
            for deal in request["deals"]
        ],
        "actions": [mirror(action) for action in request["actions"]],
    }
    found = [canonical_order(state) for state in replay(mirrored)["states"]]
    expected = [mirror_state(state) for state in replay(request)["states"]]
    assert found == [canonical_order(state) for state in expected]


#: 2 and K, 3 and Q … in each other's place, as words; the ace and the jokers stay.
MIRRORED = {
    "uptown": "downtown",
    "downtown": "uptown",
    **{
        rank + suit: other + suit
        for rank, other in zip(RANKS[:12], reversed(RANKS[:12]), strict=True)
        for suit in "CDHS"
    },
}


def mirror(words: str) -> str:
    """Cards or actions with the ranks and the two rankings mirrored."""
    return " ".join(MIRRORED.get(word, word) for word in words.split(" "))


def mirror_state(state: Json) -> Json:
    """A state with the ranks and the two rankings mirrored."""
    mirrored = {**state, "legal": {seat: [*map(mirror, a)] for seat, a in state["legal"].items()}}
    if "contract" in state:
        contract = state["contract"]
        names = {name: mirror(contract[name]) for name in ("mode", "direction")}
        mirrored["contract"] = {**contract, **names}
    return mirrored


def canonical_order(state: Json) -> Json:
    """A state whose legal actions, and the cards within each, come in alphabetical order."""
    return {
        **state,
        "legal": {
            seat: sorted(" ".join(sorted(action.split(" "))) for action in actions)
            for seat, actions in state["legal"].items()
        },
    }


# The seats.


@given(matches())
def test_seats_rotated_by_one_rotate_the_result(request: Json) -> None:
    start = request["start"]
    rotated = {
        **request,
        "start": {
            "dealer": (start.get("dealer", 0) + 1) % 4,
            "scores": start.get("scores", [0, 0])[::-1],
        },
        "deals": [
            {**deal, "hands": [deal["hands"][-1], *deal["hands"][:-1]]} for deal in request["deals"]
        ],
        "actions": [f"{(int(action[0]) + 1) % 4}{action[1:]}" for action in request["actions"]],
    }
    assert replay(rotated)["states"] == [rotate(state) for state in replay(request)["states"]]


def rotate(state: Json) -> Json:
    """A state with every seat moved one to the left, so that the teams change places."""
    rotated: Json = {
        **state,
        "legal": {str((int(seat) + 1) % 4): actions for seat, actions in state["legal"].items()},
    }
    if "contract" in state:
        declarer = (state["contract"]["declarer"] + 1) % 4
        rotated["contract"] = {**state["contract"], "declarer": declarer}
    if "trick" in state:
        rotated["trick"] = {"winner": (state["trick"]["winner"] + 1) % 4}
    if "match" in state:
        rotated["match"] = {"winners": sorted(1 - team for team in state["match"]["winners"])}
    if "hand" in state:
        lines = state["hand"]["breakdown"]
        rotated["hand"] = {
            "delta": state["hand"]["delta"][::-1],
            "scores": state["hand"]["scores"][::-1],
            "breakdown": [{**line, "team": 1 - line["team"]} for line in lines],
        }
    return rotated


# The kitty.


@given(matches(kitty="exchange"))
def test_the_six_put_away_are_the_kitty_and_only_the_declarer_sees_them(request: Json) -> None:
    exchanged = 0
    for before, action, after in steps(request):
        if before.verbs is DISCARDING:
            put_away = action.split(" ", 2)[2]
            assert after.kitty == cards(put_away)
            exchanged += 1
        if after.verbs is PLAYING:
            for seat in range(4):
                view = after.view(seat)
                if seat == after.declarer:
                    assert view.known["kitty"] == after.kitty
                    assert "kitty" not in view.unknown
                else:
                    assert not faces(view) & after.kitty
                    assert view.unknown["kitty"] == 6
    assert exchanged == len(hand_states(request))


@given(matches(kitty="exchange"))
def test_until_the_second_choice_is_made_nobody_sees_the_kitty(request: Json) -> None:
    for before, _, _ in steps(request):
        if before.verbs not in (DISCARDING, PLAYING):
            views = [before.view(seat) for seat in range(4)]
            assert [view.unknown["kitty"] for view in views] == [6, 6, 6, 6]
            assert not any(faces(view) & before.kitty for view in views)


@given(matches(kitty="exchange"))
def test_while_six_are_put_away_the_declarer_holds_eighteen_and_the_others_see_none(
    request: Json,
) -> None:
    for before, _, _ in steps(request):
        if before.verbs is DISCARDING:
            declarer = before.declarer
            assert before.view(declarer).hand.bit_count() == 18
            for seat in range(4):
                view = before.view(seat)
                assert "kitty" not in view.unknown.keys() | view.known.keys()
                if seat != declarer:
                    assert view.unknown[f"hand {declarer}"] == 18
                    assert not faces(view) & before.hands[declarer]


@given(matches(kitty="set_aside"))
def test_a_kitty_that_is_set_aside_is_seen_by_nobody(request: Json) -> None:
    for _, _, after in steps(request):
        for seat in range(4):
            view = after.view(seat)
            assert view.unknown["kitty"] == 6
            assert not faces(view) & after.kitty


def faces(view: View) -> int:
    """Every card that a view shows."""
    known = [held if isinstance(held, int) else union(held) for held in view.known.values()]
    return union([view.hand, *known])
