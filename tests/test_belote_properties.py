"""What holds for every hand of Open Belote, whatever lies where and is chosen, declared and played."""

from collections.abc import Iterator
from itertools import groupby
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from playing import Json, random_deal, random_request, table_of

from oracle.games.belote import Belote
from oracle.generate.deals import SAMPLERS
from oracle.replay import act, replay, write_view
from oracle.shuffle import Draws
from oracle.wire import write_parts

BELOTE = "BELOTE-41"
LAYERS = ("down", "up")

full_options: dict[str, st.SearchStrategy[object]] = {
    "match": st.sampled_from(["score", "rounds"]),
    "rounds": st.sampled_from([1, 3, 5]),
    "no_trump": st.booleans(),
    "declare_window": st.sampled_from(["first_opportunity", "first_trick", "any_turn"]),
    "compare_combinations": st.sampled_from(["per_trick", "per_hand", "none"]),
    "growth": st.sampled_from(["replace", "add"]),
    "no_trump_combinations": st.booleans(),
    "no_trump_four_jacks": st.sampled_from([100, 0, 200]),
    "taker_tie": st.sampled_from(["fails", "makes"]),
    "kaput": st.sampled_from(["no_points", "no_tricks"]),
    "kaput_total": st.sampled_from([212, 183, 210, 250, 252]),
    "belote_on_failure": st.sampled_from(["moves", "stays"]),
    "reveal": st.sampled_from(["at_once", "after_trick"]),
}
full_rules = st.fixed_dictionaries({}, optional=full_options)
rules = st.one_of(
    full_rules,
    st.fixed_dictionaries({"scale": st.just("tens")}, optional=full_options),
)
canonical = st.just(dict[str, object]())
starts = st.fixed_dictionaries(
    {},
    optional={
        "dealer": st.integers(0, 1),
        "scores": st.tuples(st.integers(-500, 600), st.integers(-500, 600)).map(list),
        "rounds_won": st.tuples(st.integers(0, 5), st.integers(0, 5)).map(list),
    },
)


@st.composite
def matches(draw: st.DrawFn, rules: st.SearchStrategy[Json] = rules, most_hands: int = 2) -> Json:
    """A replay request of one or more hands, every action legal, many with rare combinations."""
    draws = Draws(str(draw(st.integers(0, 2**32))))
    samplers = draw(st.lists(st.sampled_from(sorted(SAMPLERS)), min_size=1, max_size=most_hands))
    return random_request(
        "belote",
        Random(draw(st.integers(0, 2**32))),
        rules=draw(rules),
        start=draw(starts),
        deals=[write_parts(SAMPLERS[sampler](Belote, draws)) for sampler in samplers],
    )


def hand_states(request: Json) -> list[Json]:
    """The hands of a replay, each with its contract and its tricks."""
    found: list[Json] = []
    tricks: list[Json] = []
    contract: Json = {}
    for state in replay(request)["states"]:
        contract = state.get("contract", contract)
        if "trick" in state:
            tricks.append(state["trick"])
        if "hand" in state:
            found.append({**state["hand"], "contract": contract, "tricks": tricks})
            tricks = []
    assert found
    return found


def tables(request: Json) -> Iterator[Belote]:
    """The table before any action and after each: one table, as it is at that moment."""
    table = table_of(request)
    assert isinstance(table, Belote)
    yield table
    for action in request["actions"]:
        act(table, action)
        yield table


def combinations(hand: Json) -> list[Json]:
    """All combinations that the tricks of a hand settled."""
    return [each for trick in hand["tricks"] for each in trick.get("combinations", [])]


def card_lines(hand: Json) -> dict[str, int]:
    """The points for cards, by clause: of both sides together, for a failed taker or a kaput.

    What passes over from a failed taker has the clause of the cards and is taken off.
    """
    found: dict[str, int] = {}
    for line in hand["breakdown"]:
        if line["clause"] in ("BELOTE-31", "BELOTE-32", "BELOTE-33"):
            found[line["clause"]] = found.get(line["clause"], 0) + line["points"]
    return found


# The cards.


@given(matches())
def test_the_card_points_of_every_hand_are_162_with_the_last_ten(request: Json) -> None:
    for hand in hand_states(request):
        assert len(hand["tricks"]) == 16
        assert sum(trick["points"] for trick in hand["tricks"]) == 162
        assert hand["tricks"][-1]["points"] >= 10


@pytest.mark.parametrize("trump", ["C", "D", "H", "S", "none"])
def test_all_cards_are_worth_152_with_any_trump_and_at_no_trump(trump: str) -> None:
    deal = random_deal("belote", Random(trump))
    table = table_of(
        {"op": "replay", "game": "belote", "rules": {}, "deals": [deal], "actions": []}
    )
    assert isinstance(table, Belote)
    act(table, f"1 take {trump}")
    assert table.card_points(Belote.pack) == 152


@given(matches(full_rules))
def test_the_cards_of_both_sides_add_to_162_or_the_hand_says_that_it_is_a_kaput(
    request: Json,
) -> None:
    no_tricks = request["rules"].get("kaput") == "no_tricks"
    for hand in hand_states(request):
        points, tricks = [0, 0], [0, 0]
        for trick in hand["tricks"]:
            points[trick["winner"]] += trick["points"]
            tricks[trick["winner"]] += 1
        lines = card_lines(hand)
        if 0 in (tricks if no_tricks else points):
            assert lines["BELOTE-32"] == request["rules"].get("kaput_total", 212)
            assert "BELOTE-33" not in lines
        elif "BELOTE-33" in lines:
            assert lines == {"BELOTE-33": 162}
            for line in hand["breakdown"]:
                if line["clause"] == "BELOTE-33":
                    assert line["points"] == points[line["seat"]]
        else:
            assert "BELOTE-32" not in lines
            assert lines["BELOTE-31"] >= 162
            assert hand["delta"][1 - hand["contract"]["taker"]] >= 162


@given(matches())
def test_every_layout_uncovers_each_card_exactly_once_when_the_card_on_it_is_gone(
    request: Json,
) -> None:
    request["deals"] = request["deals"][:1]
    request["actions"] = request["actions"][: first_hand(request)]
    after_trick = request["rules"].get("reveal") == "after_trick"
    seen = [[row.split(" ") for row in table.view(0).extra["stacks"]] for table in tables(request)]
    for seat in (0, 1):
        down, up = (request["deals"][0][layer][seat].split(" ") for layer in LAYERS)
        for place in range(8):
            history = [cell for cell, _ in groupby(rows[seat][place] for rows in seen)]
            if after_trick and history[-3] == "+":
                # Seen uncovered only when the other player has played as well.
                history.pop(-3)
            before_choice = ["+"] if place >= 4 else []
            assert history == [*before_choice, f"{up[place]}+", down[place], "-"]


def first_hand(request: Json) -> int:
    """How many actions the first hand takes."""
    states = replay(request)["states"]
    return next(number for number, state in enumerate(states) if "hand" in state)


@given(matches(), st.randoms(use_true_random=False), st.floats(0, 1))
def test_to_deal_the_covered_cards_again_changes_no_view_and_nothing_told(
    request: Json, random: Random, share: float
) -> None:
    request["deals"] = request["deals"][:1]
    request["actions"] = request["actions"][: int(share * first_hand(request))]
    redealt = with_unseen_dealt_again(request, random)
    for one, other in zip(tables(request), tables(redealt), strict=True):
        assert [write_view(one, seat) for seat in (0, 1)] == [
            write_view(other, seat) for seat in (0, 1)
        ]
    assert replay(request) == replay(redealt)


def with_unseen_dealt_again(request: Json, random: Random) -> Json:
    """The request with everything that nobody has seen after its actions dealt in another way."""
    *_, table = tables(request)
    stacks = [row.split(" ") for row in table.view(0).extra["stacks"]]
    deal = {layer: [row.split(" ") for row in request["deals"][0][layer]] for layer in LAYERS}
    played = {action.split(" ")[-1] for action in request["actions"]}
    unseen = [
        (layer, seat, place)
        for layer in LAYERS
        for seat in (0, 1)
        for place in range(8)
        if (code := deal[layer][seat][place]) not in played and code not in stacks[seat][place]
    ]
    assert len(unseen) == sum(table.view(0).unknown.values())
    codes = [deal[layer][seat][place] for layer, seat, place in unseen]
    random.shuffle(codes)
    for (layer, seat, place), code in zip(unseen, codes, strict=True):
        deal[layer][seat][place] = code
    written = {layer: [" ".join(row) for row in rows] for layer, rows in deal.items()}
    return {**request, "deals": [written]}


# The combinations.


@given(matches())
def test_what_was_declared_was_open_unplayed_and_held(request: Json) -> None:
    states = replay(request)["states"][1:]
    deals = iter(request["deals"])
    deal, played = next(deals), set[str]()
    for action, state in zip(request["actions"], states, strict=True):
        seat, verb, *codes = action.split(" ")
        if verb == "declare":
            assert set(codes) <= open_cards(deal, int(seat), played)
            assert len(set(codes)) == len(codes)
        if verb == "play":
            assert set(codes) <= open_cards(deal, int(seat), played)
            played.update(codes)
        if "hand" in state:
            deal, played = next(deals, deal), set()


def open_cards(deal: Json, seat: int, played: set[str]) -> set[str]:
    """The cards that lie open before a seat when all are dealt and these have been played."""
    stacks = zip(deal["up"][seat].split(" "), deal["down"][seat].split(" "), strict=True)
    return {down if up in played else up for up, down in stacks} - played


@given(matches(canonical))
def test_the_combinations_declared_in_a_trick_are_paid_to_one_side_at_most(request: Json) -> None:
    declared: list[list[str]] = []
    for action, state in zip(request["actions"], replay(request)["states"][1:], strict=True):
        seat, verb, *codes = action.split(" ")
        if verb == "declare":
            declared.append([seat, *codes])
        if "trick" in state:
            settled = [
                each for each in state["trick"].get("combinations", []) if each["clause"] != BELOTE
            ]
            assert [[str(each["seat"]), *each["cards"].split(" ")] for each in settled] == declared
            assert len({each["seat"] for each in settled if each["points"]}) <= 1
            declared = []


@given(matches(st.just({"compare_combinations": "per_hand"})))
def test_compared_once_a_hand_combinations_are_paid_to_one_side_in_the_last_trick(
    request: Json,
) -> None:
    for hand in hand_states(request):
        settled = [each for each in combinations(hand) if each["clause"] != BELOTE]
        in_last = hand["tricks"][-1].get("combinations", [])
        assert settled == [each for each in in_last if each["clause"] != BELOTE]
        assert len({each["seat"] for each in settled if each["points"]}) <= 1
        for seat in (0, 1):
            codes = " ".join(each["cards"] for each in settled if each["seat"] == seat).split()
            assert len(set(codes)) == len(codes)


@given(matches())
def test_belote_is_paid_once_to_the_seat_that_played_both_cards(request: Json) -> None:
    players: dict[str, str] = {}
    trump = "none"
    credited = 0
    for action, state in zip(request["actions"], replay(request)["states"][1:], strict=True):
        seat, verb, *codes = action.split(" ")
        trump = state.get("contract", {}).get("trump", trump)
        if verb == "play":
            players[codes[0]] = seat
        for each in state.get("trick", {}).get("combinations", []):
            if each["clause"] == BELOTE:
                assert (each["cards"], each["points"]) == (f"Q{trump} K{trump}", 20)
                assert {players[f"Q{trump}"], players[f"K{trump}"]} == {str(each["seat"])}
                credited += 1
        if "hand" in state:
            together = trump != "none" and players[f"Q{trump}"] == players[f"K{trump}"]
            assert credited == together
            players, credited = {}, 0


# The score.


@given(matches())
def test_a_breakdown_sums_to_the_delta_and_the_deltas_to_the_scores(request: Json) -> None:
    scores = request["start"].get("scores", [0, 0])
    for hand in hand_states(request):
        assert sums(hand["breakdown"]) == hand["delta"]
        assert all(line["points"] for line in hand["breakdown"])
        scores = [scores[0] + hand["delta"][0], scores[1] + hand["delta"][1]]
        assert hand["scores"] == scores


def sums(breakdown: list[Json]) -> list[int]:
    """The points of each seat in a breakdown."""
    return [sum(line["points"] for line in breakdown if line["seat"] == seat) for seat in (0, 1)]


@given(matches())
def test_everything_credited_is_scored_by_somebody_and_nothing_else(request: Json) -> None:
    tens = request["rules"].get("scale") == "tens"
    kaput_total = 21 if tens else request["rules"].get("kaput_total", 212)
    for hand in hand_states(request):
        kaput = "BELOTE-32" in card_lines(hand)
        all_cards = kaput_total if kaput else 16 if tens else 162
        credited = sum(each["points"] for each in combinations(hand))
        assert sum(hand["delta"]) == all_cards + (credited // 10 if tens else credited)


@given(matches())
def test_every_round_is_won_by_one_side(request: Json) -> None:
    rounds_won = request["start"].get("rounds_won", [0, 0])
    for hand in hand_states(request):
        gained = [hand["rounds_won"][seat] - rounds_won[seat] for seat in (0, 1)]
        assert sorted(gained) == [0, 1]
        taker = hand["contract"]["taker"]
        scored_cards = {
            line["seat"]
            for line in hand["breakdown"]
            if line["clause"] in ("BELOTE-31", "BELOTE-32", "BELOTE-33")
        }
        failed = "BELOTE-33" not in card_lines(hand) and taker not in scored_cards
        assert gained[taker] == (not failed)
        rounds_won = hand["rounds_won"]


@given(st.integers(0, 1), st.sampled_from([0, 200]), st.sampled_from(["no_points", "no_tricks"]))
def test_in_tens_the_card_parts_add_to_16_for_every_split_unless_it_is_a_kaput(
    taker: int, combinations: int, kaput: str
) -> None:
    for points in range(163):
        credited = [0, 0]
        credited[taker] = combinations
        tally = {
            "taker": taker,
            "trump": "S",
            "cards": [points, 162 - points],
            "tricks": [8, 8],
            "combinations": credited,
            "belote": [0, 0],
        }
        hand = scored({"scale": "tens", "kaput": kaput}, tally)
        lines = card_lines(hand)
        if points in (0, 162) and kaput == "no_points":
            assert lines["BELOTE-32"] == 21
        elif "BELOTE-33" in lines:
            assert lines == {"BELOTE-33": 16}
            others = [points, 162 - points][1 - taker]
            part = hand["delta"][1 - taker]
            assert -5 <= 10 * part - others < 5
        else:
            assert not combinations
            assert hand["delta"][1 - taker] == lines["BELOTE-31"] == 16


def scored(rules: Json, tally: Json) -> Json:
    """The hand that a tally comes to."""
    hand: Json = replay({"op": "score", "game": "belote", "rules": rules, "tally": tally})["hand"]
    return hand


@given(matches())
def test_seats_exchanged_exchange_the_result(request: Json) -> None:
    start = request["start"]
    mirrored = {
        **request,
        "start": {
            **{name: pair[::-1] for name, pair in start.items() if name != "dealer"},
            "dealer": 1 - start.get("dealer", 0),
        },
        "deals": [{layer: rows[::-1] for layer, rows in deal.items()} for deal in request["deals"]],
        "actions": [f"{1 - int(action[0])}{action[1:]}" for action in request["actions"]],
    }
    assert [sorted_lines(state) for state in replay(mirrored)["states"]] == [
        sorted_lines(mirror(state)) for state in replay(request)["states"]
    ]


def mirror(state: Json) -> Json:
    """A state with the seats exchanged."""
    mirrored: Json = {
        **state,
        "legal": {str(1 - int(seat)): what for seat, what in state["legal"].items()},
    }
    if "contract" in state:
        mirrored["contract"] = {**state["contract"], "taker": 1 - state["contract"]["taker"]}
    if "trick" in state:
        trick = {**state["trick"], "winner": 1 - state["trick"]["winner"]}
        if "combinations" in trick:
            trick["combinations"] = exchanged(trick["combinations"])
        mirrored["trick"] = trick
    if "hand" in state:
        hand = {name: state["hand"][name][::-1] for name in ("delta", "scores", "rounds_won")}
        mirrored["hand"] = {**hand, "breakdown": exchanged(state["hand"]["breakdown"])}
    if "match" in state:
        mirrored["match"] = {"winners": [1 - seat for seat in state["match"]["winners"]]}
    return mirrored


def exchanged(lines: list[Json]) -> list[Json]:
    """Lines or combinations with the seats exchanged."""
    return [{**line, "seat": 1 - line["seat"]} for line in lines]


def sorted_lines(state: Json) -> Json:
    """A state with the lines of its breakdown in an order of their own."""
    if "hand" not in state:
        return state
    lines = sorted(state["hand"]["breakdown"], key=lambda line: sorted(line.items(), key=str))
    return {**state, "hand": {**state["hand"], "breakdown": lines}}
