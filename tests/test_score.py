"""Scoring by a second hand: each game's score worked out anew from its rulebook, for any tally."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from playing import Json, rules_of, starts_of

from oracle.games import GAMES
from oracle.games.table import Table
from oracle.replay import replay

Game = type[Table]
Lines = list[tuple[int, str, int]]
#: Lines of the breakdown, what is counted beside the scores, and the winners by the new totals.
Scored = tuple[Lines, Json, Callable[[list[int]], list[int]]]


def points_of(lines: Lines, side: int) -> int:
    """What a side's lines sum to."""
    return sum(points for owner, _, points in lines if owner == side)


# Hearts.

hearts_tallies = st.builds(
    lambda takers, queen, moon: {
        "hearts": [13 * (seat == queen) if moon else takers.count(seat) for seat in range(4)],
        "queen": queen,
    },
    st.lists(st.integers(0, 3), min_size=13, max_size=13),
    st.integers(0, 3),
    st.integers(0, 3).map(lambda choice: choice == 0),
)


def hearts_score(rules: Json, start: Json, tally: Json) -> Scored:
    """HEARTS-13 and 14; HEARTS-17 and 18 for the end."""
    queen = tally["queen"]
    if tally["hearts"][queen] == 13:
        lines = [(seat, "HEARTS-14", 26) for seat in range(4) if seat != queen]
    else:
        lines = [(seat, "HEARTS-13", count) for seat, count in enumerate(tally["hearts"])]
        lines.append((queen, "HEARTS-13", 13))

    def winners(totals: list[int]) -> list[int]:
        lowest = [seat for seat, total in enumerate(totals) if total == min(totals)]
        shared = rules.get("tie_for_lowest") == "shared"
        over = any(total >= rules.get("target", 100) for total in totals)
        return lowest if over and (len(lowest) == 1 or shared) else []

    return lines, {}, winners


# Spades.

spades_bids = st.integers(0, 13) | st.sampled_from([0, 1, "double-nil"])
spades_tallies = st.builds(
    lambda one, other, tricks: {"bids": [one, other], "tricks": [tricks, 13 - tricks]},
    spades_bids,
    spades_bids,
    st.integers(0, 13) | st.sampled_from([0, 1, 12, 13]),
)


def spades_score(rules: Json, start: Json, tally: Json) -> Scored:
    """SPADES-16 to 18, 21, 22 and 31 to 36; SPADES-38 to 40 for the end."""
    lines: Lines = []
    bags = list(start.get("bags", [0, 0]))
    failed = rules.get("failed_nil_tricks", "nothing")
    for seat in (0, 1):
        bid, tricks = tally["bids"][seat], tally["tricks"][seat]
        if bid in (0, "double-nil"):
            value, made, missed = (
                (100, "SPADES-17", "SPADES-18") if bid == 0 else (200, "SPADES-21", "SPADES-22")
            )
            lines.append((seat, missed, -value) if tricks else (seat, made, value))
            if failed == "bags_and_points":
                lines.append((seat, "SPADES-R20", tricks))
            bags[seat] += 0 if failed == "nothing" else tricks
        elif tricks >= bid:
            lines += [(seat, "SPADES-31", 10 * bid), (seat, "SPADES-32", tricks - bid)]
            bags[seat] += tricks - bid
        else:
            missing = bid - tricks if rules.get("set_penalty") == "shortfall" else bid
            lines.append((seat, "SPADES-33", -10 * missing))
        penalties = 0
        while bags[seat] >= 10:
            penalties += 1
            bags[seat] = 0 if rules.get("bag_counter") == "reset" else bags[seat] - 10
        lines.append((seat, "SPADES-36", -100 * penalties))
    return lines, {"bags": bags}, highest_at(rules.get("target", 500))


def highest_at(limit: int) -> Callable[[list[int]], list[int]]:
    """Of two the higher, if it has reached the limit and the other is lower."""

    def winners(counts: list[int]) -> list[int]:
        one, other = counts
        if one == other or max(counts) < limit:
            return []
        return [0 if one > other else 1]

    return winners


# Belote.


@st.composite
def belote_tallies(draw: st.DrawFn) -> Json:
    """Tallies near all the edges: kaput, equal points, fives and ones in tens."""
    edges = st.sampled_from([0, 1, 4, 5, 6, 10, 65, 66, 67, 80, 81, 82, 95, 97, 142, 157, 161, 162])
    points = draw(edges | st.integers(0, 162))
    tricks = draw(st.integers(0 if points == 0 else 1, 16 if points == 162 else 15))
    combined = st.sampled_from([0, 0, 20, 40, 50, 60, 100, 140, 160, 200, 590])
    trump = draw(st.sampled_from(["C", "D", "H", "S", "none"]))
    pairs = [[0, 0]] if trump == "none" else [[0, 0], [20, 0], [0, 20]]
    belote, combinations = draw(st.sampled_from(pairs)), [draw(combined), draw(combined)]
    # As many points for both sides, if their cards can bring it about.
    level = (162 + combinations[1] + belote[1] - combinations[0] - belote[0]) // 2
    if draw(st.booleans()) and 0 < level < 162:
        points, tricks = level, 8
    return {
        "taker": draw(st.integers(0, 1)),
        "trump": trump,
        "cards": [points, 162 - points],
        "tricks": [tricks, 16 - tricks],
        "combinations": combinations,
        "belote": belote,
    }


def belote_score(rules: Json, start: Json, tally: Json) -> Scored:
    """BELOTE-26, 28, 31 to 34 and 41 with their rulings; BELOTE-03 for the end."""
    tens = rules.get("scale") == "tens"
    unit = 10 if tens else 1
    taker, opponent = tally["taker"], 1 - tally["taker"]
    cards, combined, belote = tally["cards"], tally["combinations"], tally["belote"]
    counted = tally["tricks"] if rules.get("kaput") == "no_tricks" else cards
    totals = [cards[seat] + combined[seat] + belote[seat] for seat in (0, 1)]
    made = totals[taker] > totals[opponent]
    if totals[taker] == totals[opponent]:
        made = rules.get("taker_tie") == "makes"
    kaput = 0 in counted
    if kaput:
        made = counted[opponent] == 0
        all_cards = 21 if tens else rules.get("kaput_total", 212)
    else:
        all_cards = 16 if tens else 162
    own = [
        (seat, clause, points[seat] // unit)
        for clause, points in (("BELOTE-28", combined), ("BELOTE-41", belote))
        for seat in (0, 1)
    ]
    if made and kaput:
        lines = [(taker, "BELOTE-32", all_cards), *own]
    elif made:
        # To the nearest ten, a last 5 going down.
        tenths, rest = divmod(cards[opponent], 10)
        others = (tenths + (rest > 5)) if tens else cards[opponent]
        lines = [(taker, "BELOTE-33", all_cards - others), (opponent, "BELOTE-33", others), *own]
    else:
        kept = belote[taker] if rules.get("belote_on_failure") == "stays" else 0
        lines = [
            (opponent, "BELOTE-32" if kaput else "BELOTE-31", all_cards),
            *(line for line in own if line[0] == opponent),
            (opponent, "BELOTE-31", (combined[taker] + belote[taker] - kept) // unit),
            (taker, "BELOTE-41", kept // unit),
        ]
    rounds = list(start.get("rounds_won", [0, 0]))
    rounds[taker if made else opponent] += 1
    if rules.get("match") == "rounds":
        by_rounds = highest_at(rules.get("rounds", 1))(rounds)
        return lines, {"rounds_won": rounds}, lambda totals: by_rounds
    return lines, {"rounds_won": rounds}, highest_at(rules.get("target", 51 if tens else 501))


# Bid Whist.

bid_whist_tallies = st.builds(
    lambda declarer, level, mode, tricks: {
        "declarer": declarer,
        "level": level,
        "mode": mode,
        "tricks": [tricks, 12 - tricks],
    },
    st.integers(0, 3),
    st.integers(1, 7),
    st.sampled_from(["uptown", "downtown", "nt"]),
    st.integers(0, 12),
)


def bid_whist_score(rules: Json, start: Json, tally: Json) -> Scored:
    """WHIST-08, 19 and 27 with their rulings; WHIST-28 for the end."""
    team, level = tally["declarer"] % 2, tally["level"]
    beyond_six = tally["tricks"][team] + 1 - 6
    points = beyond_six if rules.get("made_bid_scores") != "bid_only" else level
    if beyond_six < level:
        points = -level
    if tally["mode"] == "nt":
        points *= rules.get("no_trump_multiplier", 1)
    limit = rules.get("target", 7)

    def winners(totals: list[int]) -> list[int]:
        if all(-limit < total < limit for total in totals):
            return []
        return [side for side in (0, 1) if totals[side] == max(totals)]

    return [(team, "WHIST-27", points)], {}, winners


TALLIES: dict[str, st.SearchStrategy[Json]] = {
    "hearts": hearts_tallies,
    "spades": spades_tallies,
    "belote": belote_tallies(),
    "bid-whist": bid_whist_tallies,
}
SCORES: dict[str, Callable[[Json, Json, Json], Scored]] = {
    "hearts": hearts_score,
    "spades": spades_score,
    "belote": belote_score,
    "bid-whist": bid_whist_score,
}


def excluded(rules: Json, tally: Json) -> bool:
    """Whether the options exclude a tally, as the wire format says."""
    if "level" in tally:
        return tally["level"] < rules.get("min_bid", 1)
    if "bids" in tally:
        return "double-nil" in tally["bids"] and not rules.get("double_nil", True)
    if tally.get("trump") == "none":
        no_combinations = not rules.get("no_trump_combinations", True)
        return not rules.get("no_trump", True) or (no_combinations and any(tally["combinations"]))
    return False


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
@settings(max_examples=400)
@given(st.data())
def test_a_tally_scores_as_the_rulebook_says(game: Game, data: st.DataObject) -> None:
    rules, start = data.draw(rules_of(game)), data.draw(starts_of(game))
    tally = data.draw(TALLIES[game.name])
    asked = {"op": "score", "game": game.name, "rules": rules, "start": start, "tally": tally}
    answer = replay(asked)
    if excluded(rules, tally):
        assert answer["error"].startswith("/tally/")
        return
    lines, counts, winners = SCORES[game.name](rules, start, tally)
    delta = [points_of(lines, side) for side in range(game.sides)]
    before = start.get("scores", [0] * game.sides)
    scores = [total + change for total, change in zip(before, delta, strict=True)]
    expected: Json = {"delta": delta, "scores": scores, **counts}
    told = answer["hand"].pop("breakdown")
    assert answer["hand"] == expected
    assert sorted(
        (line[game.side_name], line["clause"], line["points"]) for line in told
    ) == sorted(line for line in lines if line[2])
    assert sorted(answer.get("match", {"winners": []})["winners"]) == winners(scores)


def near_the_end(game: Game, rules: Json) -> Any:
    """Totals on both sides of where a match may end."""
    limit = rules.get("target", game.parts.rules().target)
    near = st.integers(-30, 5).map(lambda short: limit + short)
    return st.lists(near, min_size=game.sides, max_size=game.sides)


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
@given(st.data())
def test_a_match_ends_where_the_rulebook_says(game: Game, data: st.DataObject) -> None:
    options = {"tie_for_lowest": "shared"} if game.name == "hearts" else {}
    rules: Json = data.draw(st.sampled_from([{}, options]))
    start = {"scores": data.draw(near_the_end(game, rules))}
    tally = data.draw(TALLIES[game.name])
    asked = {"op": "score", "game": game.name, "rules": rules, "start": start, "tally": tally}
    answer = replay(asked)
    _, _, winners = SCORES[game.name](rules, start, tally)
    expected = winners(answer["hand"]["scores"])
    assert answer.get("match", {"winners": []})["winners"] == expected
