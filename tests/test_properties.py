"""What holds for all four games alike, under any rules, from any start, whatever is done."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from copy import deepcopy
from itertools import combinations
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from playing import (
    ALL_CARDS,
    Json,
    any_what,
    as_written,
    matches_of,
    random_deal,
    random_request,
    table_of,
)

from oracle.cards import CARD_OF, Cards, cards, codes, each, union
from oracle.games import GAMES
from oracle.games.actions import CHANCE, Action, Each, OneCard, Pick, Say, SomeCards, Words
from oracle.games.belote import Belote
from oracle.games.bid_whist import BidWhist
from oracle.games.hearts import DIRECTIONS, Hearts
from oracle.games.perft import count
from oracle.games.refusals import CARD, FORMAT, GENERAL, OVER, PHASE, TURN, Refused
from oracle.games.shapes import Several, parts_of
from oracle.games.spades import DRAFTING, Spades
from oracle.games.table import Table
from oracle.replay import act, replay, write_legal, write_view
from oracle.rulebook import entries
from oracle.schemas import problems

Game = type[Table]


def for_every_game(test: Callable[[Game, st.DataObject], None]) -> Any:
    """A test of its own for each game; every example is a match that is looked at all through."""
    drawing = settings(max_examples=30)(given(data=st.data())(test))
    return pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))(drawing)


seeded = st.randoms(use_true_random=True)
#: Any share alike: Hypothesis would mostly choose none.
shares = seeded.map(lambda random: random.random())


def tables(request: Json) -> Iterator[Table]:
    """The table before any action and after each: one table, as it is at that moment."""
    table = table_of(request)
    yield table
    for written in request["actions"]:
        with suppress(Refused):
            act(table, written)
        yield table


def moment(request: Json, share: float) -> tuple[Json, Table]:
    """A request cut off after a share of its actions, and the table then."""
    cut = {**request, "actions": request["actions"][: int(share * len(request["actions"]))]}
    *_, table = tables(cut)
    return cut, table


def moments(request: Json, random: Random, one_in: int) -> Iterator[Table]:
    """The table at the beginning of every phase of a match, and at one in so many other moments."""
    phase: Any = None
    for table in tables(request):
        if table.verbs is not phase or random.randrange(one_in) == 0:
            yield table
        phase = table.verbs


def state_of(table: Table) -> Json:
    """Everything that a table holds, its own values and not copies; what it was made with and
    what it has only looked up are left out."""
    return {
        name: value
        for name, value in vars(table).items()
        if name not in ("rules", "start", "deals") and not name.startswith("_")
    }


def views(table: Table) -> list[Json]:
    """What every seat sees."""
    return [write_view(table, seat) for seat in range(table.seats)]


# The cards.


def places(table: Table) -> dict[str, Cards]:
    """Where every card lies, by the names that views give to places."""
    found = {f"hand {seat}": hand for seat, hand in enumerate(table.hands)}
    found |= {f"won {side}": pile for side, pile in enumerate(table.won)}
    found["trick"] = union(table.trick)
    match table:
        case Spades():
            drawn = table.stock[0] if table.verbs is DRAFTING else 0
            found |= {"drawn": drawn, "stock": union(table.stock) ^ drawn}
            found |= {f"thrown {seat}": thrown for seat, thrown in enumerate(table.thrown)}
            found["discards"] = table.discards
        case Belote():
            found |= {f"down {seat}": covered for seat, covered in enumerate(table.covered)}
            found["stock"] = table.stock
        case BidWhist():
            found["kitty"] = table.kitty
    return found


@for_every_game
def test_every_card_of_the_pack_is_in_exactly_one_place_after_every_action(
    game: Game, data: st.DataObject
) -> None:
    for table in tables(data.draw(matches_of(game, tries=6))):
        held = places(table).values()
        assert union(held) == game.pack
        assert sum(place.bit_count() for place in held) == game.pack.bit_count()


@for_every_game
def test_what_a_seat_sees_is_true_and_leaves_no_card_out(game: Game, data: st.DataObject) -> None:
    for table in tables(data.draw(matches_of(game))):
        truth = places(table)
        for seat in range(game.seats):
            view = table.view(seat)
            shown = {f"hand {seat}": view.hand}
            for place, held in view.known.items():
                shown[place] = shown.get(place, 0) | (held if type(held) is int else union(held))
            remembered = shown.pop("rejected", 0)
            assert shown.keys() | view.unknown.keys() <= truth.keys()
            for place, held in truth.items():
                assert not shown.get(place, 0) & ~held
                hidden = view.unknown.get(place, 0)
                assert shown.get(place, 0).bit_count() + hidden == held.bit_count()
            if remembered:
                assert not remembered & ~(truth["discards"] | truth[f"hand {1 - seat}"])
            assert 0 not in view.unknown.values()
            assert not any(held in (0, ()) for held in view.known.values())


@for_every_game
def test_a_view_and_the_states_of_a_replay_offer_the_same_actions(
    game: Game, data: st.DataObject
) -> None:
    request = data.draw(matches_of(game, tries=6))
    states = replay(request)["states"]
    for state, table in zip(states, tables(request), strict=True):
        offered = {seat: view["legal"] for seat, view in enumerate(views(table)) if view["legal"]}
        expected = {int(seat): texts for seat, texts in state["legal"].items() if seat != "chance"}
        assert offered == expected


# The actions.


@for_every_game
def test_somebody_may_do_something_until_the_match_is_over_or_the_deals_have_run_out(
    game: Game, data: st.DataObject
) -> None:
    request = data.draw(matches_of(game, tries=6))
    hands = 0
    over = False
    for state in replay(request)["states"]:
        hands += "hand" in state
        over = over or "match" in state
        at_end = over or hands == len(request["deals"])
        assert bool(state["legal"]) == (not at_end)
        assert all(state["legal"].values())
    for table in tables(request):
        for choices in table.legal().values():
            assert sum(map(count, choices)) > 0


#: Verbs and words in the order in which ``legal`` lists them.
ORDER = [
    "double-nil", "no-double-nil", "keep", "reject", "exchange", "replace", "bid", "take", "pass",
    "declare", "trump", "direction", "discard", "play",
    "C", "D", "H", "S", "none", "uptown", "downtown", "nt",
]  # fmt: skip


@for_every_game
def test_legal_lists_verbs_in_their_order_cards_in_pack_order_and_bids_ascending(
    game: Game, data: st.DataObject
) -> None:
    for state in replay(data.draw(matches_of(game)))["states"]:
        for texts in state["legal"].values():
            ranks = [[rank(word) for word in text.split(" ")] for text in texts]
            assert ranks == sorted(ranks)


def rank(word: str) -> int:
    """Where a word stands among its like; a number for itself."""
    if word in CARD_OF:
        return CARD_OF[word]
    if word.isdecimal():
        return int(word)
    return ORDER.index(word) if word in ORDER else -1


def offered(table: Table, action: Action) -> bool:
    """Whether an action is among those that ``legal`` lists."""
    seat, verb, what = action.seat, action.verb, action.what
    for choice in table.legal().get(seat, []):
        match choice:
            case Each(name, held) if name == verb:
                return bool(what & held)
            case Pick(name, least, most, held) if name == verb:
                distinct = len(set(what)) == len(what)
                return distinct and least <= len(what) <= most and not union(what) & ~held
            case Say(name, whats) if name == verb:
                if isinstance(table.notation.verbs[verb], SomeCards):
                    return len(set(what)) == len(what) and union(what) in map(union, whats)
                return what in whats
    return False


def well_formed(table: Table, random: Random) -> Iterator[Action]:
    """The well-formed actions of a game: all with a word or one card, some with several cards."""
    notation = table.notation
    for seat in [*range(table.seats), *([CHANCE] if notation.chance else [])]:
        verbs = notation.chance if seat == CHANCE else notation.verbs
        for verb, arguments in verbs.items():
            match arguments:
                case OneCard():
                    yield from (Action(seat, verb, card) for card in ALL_CARDS)
                case Words(parts):
                    yield from (Action(seat, verb, what) for what in words(parts))
                case SomeCards(least, most):
                    held = each(places(table)["discards" if seat == CHANCE else f"hand {seat}"])
                    for size in range(least, min(most, len(held)) + 1):
                        yield Action(seat, verb, tuple(random.sample(held, size)))
                    for pool in (tuple(held), ALL_CARDS):
                        what = any_what(type(table), verb, random, pool or ALL_CARDS)
                        yield Action(seat, verb, what)


def words(parts: tuple[tuple[str, ...] | None, ...]) -> Iterator[Any]:
    """Every argument of a verb that is followed by words, numbers up to 15."""
    if not parts:
        yield ()
    elif len(parts) == 1:
        yield from parts[0] or range(16)
    else:
        for first in words(parts[:1]):
            for second in words(parts[1:]):
                yield (first, second)


def some_legal(table: Table, random: Random) -> Iterator[Action]:
    """Every legal action, and a few of a pattern: the least, the most, and some between."""
    for seat, choices in table.legal().items():
        for choice in choices:
            match choice:
                case Each(verb, held):
                    yield from (Action(seat, verb, card) for card in each(held))
                case Say(verb, whats):
                    yield from (Action(seat, verb, what) for what in whats)
                case Pick(verb, least, most, held):
                    for size in (least, most, random.randint(least, most)):
                        row = random.sample(each(held), size)
                        yield Action(seat, verb, tuple(row))


@for_every_game
def test_every_legal_action_is_accepted(game: Game, data: st.DataObject) -> None:
    request, random = data.draw(matches_of(game)), data.draw(seeded)
    for table in moments(request, random, 6):
        for action in some_legal(table, random):
            act(table.copy(), as_written(table, action))


@for_every_game
def test_everything_else_is_refused_by_a_clause_and_changes_nothing(
    game: Game, data: st.DataObject
) -> None:
    request, random = data.draw(matches_of(game)), data.draw(seeded)
    for table in moments(request, random, 20):
        state, seen = deepcopy(state_of(table)), views(table)
        for action in well_formed(table, random):
            if not offered(table, action):
                clause = why_refused(table, as_written(table, action))
                assert clause == expected_general(table, action) or (
                    clause not in GENERAL and clause in entries(game.name)
                )
                assert state_of(table) == state
        assert views(table) == seen


def why_refused(table: Table, written: str) -> str:
    """The clause by which a table refuses an action."""
    with pytest.raises(Refused) as refused:
        act(table, written)
    return refused.value.clause


def expected_general(table: Table, action: Action) -> str | None:
    """The general refusal that an action deserves, if any; looked for in their order."""
    seat, verb, what = action.seat, action.verb, action.what
    if not table.to_act:
        return OVER
    if seat not in table.to_act:
        return TURN
    if verb not in table.verbs:
        return PHASE
    arguments = table.notation.verbs.get(verb) or table.notation.chance[verb]
    if isinstance(arguments, Words):
        return None
    row = what if isinstance(what, tuple) else (what,)
    in_use = places(table)["discards" if seat == CHANCE else f"hand {seat}"]
    return CARD if union(row) & ~in_use or len(set(row)) < len(row) else None


@for_every_game
def test_the_patterns_of_legal_and_slips_of_the_pen_are_no_actions(
    game: Game, data: st.DataObject
) -> None:
    request, share = data.draw(matches_of(game, hands=1)), data.draw(shares)
    _, table = moment(request, share)
    state = deepcopy(state_of(table))
    for seat, choices in table.legal().items():
        actor = table.notation.actor_text(seat)
        for text in table.notation.texts(choices):
            slips = [text, f"{actor} {text} ", f" {actor} {text}", f"{actor}  {text}"]
            slips += [f"{actor} {text.upper()}", f"{actor}{text}", f"{actor} {text}\n"]
            slips += [f"{table.seats} {text}", f"-1 {text}", f"0{actor} {text}"]
            slips += [f"{actor} {text}"] if "{" in text else []
            for slip in slips:
                assert why_refused(table, slip) == FORMAT
    assert state_of(table) == state


@for_every_game
def test_without_its_refused_actions_a_match_goes_the_same_way(
    game: Game, data: st.DataObject
) -> None:
    request = data.draw(matches_of(game, tries=3))
    first, *states = replay(request)["states"]
    pairs = list(zip(request["actions"], states, strict=True))
    accepted = [(action, state) for action, state in pairs if state["ok"]]
    assert replay({**request, "actions": [action for action, _ in accepted]}) == {
        "states": [first, *(state for _, state in accepted)]
    }
    for (_, state), before in zip(pairs, [first, *states], strict=False):
        if not state["ok"]:
            assert state.keys() == {"ok", "clause", "legal"}
            assert state["legal"] == before["legal"]


# Replays.


@for_every_game
def test_the_replay_of_a_beginning_is_the_beginning_of_the_replay(
    game: Game, data: st.DataObject
) -> None:
    request, share = data.draw(matches_of(game, tries=6)), data.draw(shares)
    cut, _ = moment(request, share)
    whole = replay(request)["states"]
    assert replay(cut)["states"] == whole[: len(cut["actions"]) + 1]


@for_every_game
def test_a_request_gets_the_same_answer_twice_and_is_left_as_it_was(
    game: Game, data: st.DataObject
) -> None:
    for request in all_ops(data.draw(matches_of(game, tries=6)), data.draw(shares)):
        before = deepcopy(request)
        assert json.dumps(replay(request)) == json.dumps(replay(request))
        assert request == before


def all_ops(request: Json, share: float = 0.5) -> list[Json]:
    """A request of every op, of a match and of a moment in it."""
    cut, table = moment(request, share)
    base = {"game": request["game"], "rules": request["rules"]}
    asked = [request, {**cut, "op": "perft", "depth": 1}, {**base, "op": "shuffle", "seed": "é"}]
    asked += [{**cut, "op": "view", "seat": seat} for seat in range(table.seats)]
    asked += [
        {**base, "op": "score", "start": hand["start"], "tally": hand["tally"]}
        for hand in scored_hands(request)
    ]
    return asked


@for_every_game
def test_requests_and_responses_of_every_op_fit_their_schemas(
    game: Game, data: st.DataObject
) -> None:
    for request in all_ops(data.draw(matches_of(game, tries=6)), data.draw(shares)):
        assert problems("request", request) == []
        response = replay(request)
        assert "error" not in response
        assert problems("response", response) == []


ANSWER = """
import sys
from oracle import strict_json
from oracle.replay import replay
for line in sys.stdin.buffer:
    print(strict_json.dumps(replay(strict_json.loads(line))))
"""


def test_two_processes_answer_alike_whatever_their_hash_seed() -> None:
    random = Random("two processes")
    asked = [
        one for game in GAMES for one in all_ops(random_request(game, random, hands=2, tries=6))
    ]
    lines = "".join(json.dumps(request) + "\n" for request in asked).encode()
    answers = [
        subprocess.run(
            [sys.executable, "-c", ANSWER],
            input=lines,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONIOENCODING": "utf-8"},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert answers[0] == answers[1]
    assert [json.loads(line) for line in answers[0].splitlines()] == [*map(replay, asked)]


@for_every_game
def test_a_copy_and_its_original_do_not_touch_each_other(game: Game, data: st.DataObject) -> None:
    request = data.draw(matches_of(game))
    cut, table = moment(request, data.draw(shares))
    rest = request["actions"][len(cut["actions"]) :]
    twin, later = table.copy(), table.copy()
    before = deepcopy(state_of(table))
    assert state_of(twin) == before
    for written in rest:
        act(twin, written)
    assert state_of(table) == before
    for written in rest:
        act(table, written)
    assert state_of(table) == state_of(twin)
    assert state_of(later) == before


@for_every_game
def test_perft_counts_the_sequences_of_what_is_offered_to_the_end_of_the_hand(
    game: Game, data: st.DataObject
) -> None:
    request = data.draw(matches_of(game, hands=1))
    left = data.draw(st.integers(1, 5))
    depth = data.draw(st.integers(0, 4))
    # Beyond the end of the hand there is another deal.
    deals = [*request["deals"], random_deal(game.name, data.draw(seeded))]
    cut, table = moment({**request, "deals": deals, "actions": request["actions"][:-left]}, 1)
    divide = {action: str(n) for action, n in sequences(table, depth).items()}
    nodes = sum(map(int, divide.values())) if divide else 1
    assert replay({**cut, "op": "perft", "depth": depth}) == {"nodes": str(nodes), "divide": divide}


def sequences(table: Table, depth: int) -> dict[str, int]:
    """How many sequences of so many actions there are, by the first of them."""
    found: dict[str, int] = {}
    for action in spelt_out(write_legal(table)) if depth else []:
        twin = table.copy()
        outcome = act(twin, action)
        hand_goes_on = not (outcome and outcome.hand)
        after = sequences(twin, depth - 1) if hand_goes_on else {}
        found[action] = sum(after.values()) if after else 1
    return found


def spelt_out(legal: dict[str, list[str]]) -> list[str]:
    """Every single action that ``legal`` stands for."""
    found = []
    for seat, texts in legal.items():
        for text in texts:
            verb, brace, rest = text.partition(" {")
            if not brace:
                found.append(f"{seat} {text}")
                continue
            bounds, _, row = rest.partition("} ")
            least, _, most = bounds.partition("-")
            for size in range(int(least), int(most or least) + 1):
                found += [" ".join([seat, verb, *some]) for some in combinations(row.split(), size)]
    return found


# What can't be seen.


def seen_by(seat: int, request: Json) -> Cards:
    """The cards that a seat has seen in the first hand of a request, worked out from the rules
    and the actions alone, all of them accepted."""
    deal, rules, start = request["deals"][0], request["rules"], request["start"]
    said = [action.split(" ") for action in request["actions"]]
    played = union(cards(row[2]) for row in said if row[1] == "play")
    return played | _SEEN[request["game"]](seat, deal, rules, start, said)


def seen_in_hearts(seat: int, deal: Json, rules: Json, start: Json, said: list[Any]) -> Cards:
    """The own cards, and what came with the pass."""
    cycle = rules.get("pass_cycle", ["left", "right", "across", "none"])
    step = DIRECTIONS[cycle[start.get("hand", 0) % len(cycle)]]
    passes = {int(row[0]): cards(" ".join(row[2:])) for row in said if row[1] == "pass"}
    received = passes[(seat - step) % 4] if len(passes) == 4 else 0
    return cards(deal["hands"][seat]) | received


def seen_in_spades(seat: int, deal: Json, rules: Json, start: Json, said: list[Any]) -> Cards:
    """Of a pair drawn the first, and the second if it had to be kept; the new ones for an own
    exchange; by option the second of every own pair."""
    row = deal["pack"].split(" ")
    first = start.get("first", 0)
    answers = [row[1] for row in said if row[1] in ("keep", "reject")]
    seen: list[str] = []
    for turn, answer in enumerate(answers):
        if (first + turn) % 2 == seat:
            both = answer == "reject" or rules.get("see_rejected_second", False)
            seen += row[2 * turn : 2 * turn + (2 if both else 1)]
    turn = len(answers)
    asked = sum(row[1] in ("double-nil", "no-double-nil") for row in said)
    early = rules.get("double_nil_timing") == "before_any_draw"
    due = 0 if rules.get("double_nil") is False else 2 if early else min(turn + 1, 2)
    if turn < 26 and asked == due and (first + turn) % 2 == seat:
        seen.append(row[2 * turn])
    exchanger = ""
    for who, verb, *rest in said:
        if verb == "exchange":
            exchanger = who
        if verb == "replace" and exchanger == str(seat):
            seen += rest
    return cards(" ".join(seen))


def seen_in_belote(_: int, deal: Json, rules: Json, start: Json, said: list[Any]) -> Cards:
    """The open cards of both, which are the same for both."""
    both_passed = sum(row[1] == "pass" for row in said) >= 2
    chosen = any(row[1] == "take" for row in said)
    layers = [
        (up.split(" "), down.split(" ")) for up, down in zip(deal["up"], deal["down"], strict=True)
    ]
    seen = [code for up, _ in layers for code in up[: 8 if both_passed or chosen else 4]]
    plays = [(int(row[0]), row[2]) for row in said if row[1] == "play"]
    if rules.get("reveal") == "after_trick" and len(plays) % 2:
        plays.pop()
    for who, code in plays:
        up, down = layers[who]
        if code in up:
            seen.append(down[up.index(code)])
    return cards(" ".join(seen))


def seen_in_bid_whist(seat: int, deal: Json, rules: Json, start: Json, said: list[Any]) -> Cards:
    """The own cards, and the kitty for the declarer who takes it up."""
    seen = cards(deal["hands"][seat])
    settled = any(row[1] in ("trump", "direction") for row in said)
    bidders = [row[0] for row in said if row[1] == "bid"]
    if settled and rules.get("kitty") == "exchange" and bidders[-1] == str(seat):
        seen |= cards(deal["kitty"])
    return seen


_SEEN: dict[str, Callable[[int, Json, Json, Json, list[Any]], Cards]] = {
    "hearts": seen_in_hearts,
    "spades": seen_in_spades,
    "belote": seen_in_belote,
    "bid-whist": seen_in_bid_whist,
}


def exchanged(value: Any, one: str, other: str) -> Any:
    """A JSON value in which two cards have changed places wherever they are written."""
    if isinstance(value, str):
        names = {one: other, other: one}
        return " ".join(names.get(word, word) for word in value.split(" "))
    if isinstance(value, list):
        return [exchanged(inner, one, other) for inner in value]
    if isinstance(value, dict):
        return {name: exchanged(inner, one, other) for name, inner in value.items()}
    return value


def told_to_all(request: Json) -> list[Json]:
    """What everybody hears of each action: all of its state but who may do what next."""
    return [
        {name: said for name, said in state.items() if name != "legal"}
        for state in replay(request)["states"][1:]
    ]


def dealt_again(request: Json, seat: int, random: Random) -> Json:
    """The request with cards that a seat hasn't seen in each other's place, in the deal as in
    the actions that it didn't see either, wherever all the actions are still accepted."""
    hidden = codes(GAMES[request["game"]].pack & ~seen_by(seat, request))
    # What others passed, threw out, received or put away is among them.
    named = [code for code in hidden if any(code in action for action in request["actions"])]
    for turn in range(8):
        one = random.choice(named if named and turn % 2 else hidden)
        other = random.choice([code for code in hidden if code != one])
        changed = {
            **request,
            "deals": exchanged(request["deals"], one, other),
            "actions": exchanged(request["actions"], one, other),
        }
        if all(told["ok"] for told in told_to_all(changed)):
            request = changed
    return request


@for_every_game
def test_a_seat_sees_the_same_when_what_it_cannot_see_is_dealt_again(
    game: Game, data: st.DataObject
) -> None:
    request, random = data.draw(matches_of(game, hands=1)), data.draw(seeded)
    seat = data.draw(st.integers(0, game.seats - 1))
    cut, table = moment(request, data.draw(shares))
    assume((game.pack & ~seen_by(seat, cut)).bit_count() > 1)
    again = dealt_again(cut, seat, random)
    assume(table_of(again).deals != table.deals)
    assert told_to_all(again) == told_to_all(cut)
    if not table.hands_played:
        cut["deals"] = [*cut["deals"], random_deal(game.name, random)]
        again["deals"] = [*again["deals"], random_deal(game.name, random)]
    assert shown_to(seat, cut) == shown_to(seat, again)


def shown_to(seat: int, request: Json) -> list[Any]:
    """All that a seat sees of a match: each action, and the table before and after it."""
    table = table_of(request)
    shown: list[Any] = [(write_view(table, seat), table.public())]
    for written in request["actions"]:
        action = table.notation.read(written)
        assert action
        shown.append(table.seen(seat, action))
        table.act(action)
        shown.append((write_view(table, seat), table.public()))
    return shown


@settings(max_examples=30)
@given(st.data())
def test_through_a_pass_a_seat_sees_only_what_it_was_passed(data: st.DataObject) -> None:
    request, random = data.draw(matches_of(Hearts, hands=1)), data.draw(seeded)
    seat = data.draw(st.integers(0, 3))
    assume(" pass " in request["actions"][0])
    cut = {**request, "actions": request["actions"][: data.draw(st.integers(4, 8))]}
    again = dealt_again(cut, seat, random)
    step = DIRECTIONS[table_of(cut).direction]
    assert shown_to(seat, cut) == shown_to(seat, again)
    *_, table = tables(cut)
    passed = next(row for row in cut["actions"] if row.startswith(f"{seat} pass "))
    receiver = f"hand {(seat + step) % 4}"
    known = table.view(seat).known.get(receiver, 0)
    assert known == cards(passed[7:]) & table.hands[(seat + step) % 4]
    for other in range(4):
        if f"hand {other}" != receiver:
            assert f"hand {other}" not in table.view(seat).known


# The seats.


def turned_list(row: list[Any], by: int) -> list[Any]:
    """A list by seat or team with everybody moved so many seats to the left."""
    return [row[(place - by) % len(row)] for place in range(len(row))]


def turned_request(game: Game, request: Json, by: int) -> Json:
    """A request with everybody moved so many seats to the left; the deals go with them."""
    start: Json = {}
    for part in parts_of(game.parts.start):
        value = request["start"].get(part.name, getattr(game.parts.start, part.name))
        if isinstance(part.shape, Several):
            value = turned_list(list(value), by)
        elif part.name in ("dealer", "first"):
            value = (value + by) % game.seats
        start[part.name] = value
    deals = [
        {
            name: turned_list(held, by) if isinstance(held, list) else held
            for name, held in deal.items()
        }
        for deal in request["deals"]
    ]
    actions = [turned_action(game, action, by) for action in request["actions"]]
    return {**request, "start": start, "deals": deals, "actions": actions}


def turned_action(game: Game, action: str, by: int) -> str:
    """An action by whoever sits where its seat has moved to."""
    who, space, rest = action.partition(" ")
    seat = game.notation.actors.get(who, CHANCE)
    return action if seat == CHANCE else f"{(seat + by) % game.seats}{space}{rest}"


def turned_state(game: Game, state: Json, by: int) -> Json:
    """A state of a replay with everybody moved so many seats to the left."""
    turned = {**state, "legal": turned_legal(game, state["legal"], by)}
    if "contract" in state:
        turned["contract"] = {
            name: (value + by) % game.seats
            if name in ("taker", "declarer")
            else turned_list(value, by)
            if isinstance(value, list)
            else value
            for name, value in state["contract"].items()
        }
    if "trick" in state:
        trick = {**state["trick"], "winner": (state["trick"]["winner"] + by) % game.seats}
        if "combinations" in trick:
            trick["combinations"] = turned_lines("seat", game.seats, trick["combinations"], by)
        turned["trick"] = trick
    if "hand" in state:
        hand = {name: turned_list(row, by) for name, row in state["hand"].items()}
        lines = turned_lines(game.side_name, game.sides, state["hand"]["breakdown"], by)
        turned["hand"] = {**hand, "breakdown": lines}
    if "match" in state:
        winners = [(side + by) % game.sides for side in state["match"]["winners"]]
        turned["match"] = {"winners": winners}
    return turned


def turned_legal(game: Game, legal: Json, by: int) -> Json:
    """Who may act, moved so many seats to the left."""
    return {turned_action(game, f"{who} ", by)[:-1]: texts for who, texts in legal.items()}


def turned_lines(name: str, sides: int, lines: list[Json], by: int) -> list[Json]:
    """Lines with their seat or team moved."""
    return [{**line, name: (line[name] + by) % sides} for line in lines]


def unordered(state: Json) -> Json:
    """A state whose breakdown and winners are in an order of their own."""
    if "hand" in state:
        lines = sorted(map(json.dumps, state["hand"]["breakdown"]))
        state = {**state, "hand": {**state["hand"], "breakdown": lines}}
    if "match" in state:
        state = {**state, "match": {"winners": sorted(state["match"]["winners"])}}
    return state


def turned_view(game: Game, view: Json, by: int) -> Json:
    """A view with everybody moved so many seats to the left."""
    turned = {**view}
    for kind in ("known", "unknown"):
        turned[kind] = {turned_place(game, place, by): held for place, held in view[kind].items()}
    if "stacks" in view:
        turned["stacks"] = turned_list(view["stacks"], by)
    return turned


def turned_place(game: Game, place: str, by: int) -> str:
    """The name of a place whose owner has moved."""
    name, space, owner = place.partition(" ")
    if not space:
        return place
    return f"{name} {(int(owner) + by) % (game.sides if name == 'won' else game.seats)}"


@for_every_game
def test_everybody_moved_round_the_table_moves_the_result_and_every_view(
    game: Game, data: st.DataObject
) -> None:
    request = data.draw(matches_of(game, tries=6))
    by = data.draw(st.integers(1, game.seats - 1))
    turned = turned_request(game, request, by)
    assert [unordered(state) for state in replay(turned)["states"]] == [
        unordered(turned_state(game, state, by)) for state in replay(request)["states"]
    ]
    cut, table = moment(request, data.draw(shares))
    _, other = moment({**turned, "actions": turned["actions"][: len(cut["actions"])]}, 1)
    for seat in range(game.seats):
        expected = turned_view(game, write_view(table, seat), by)
        assert write_view(other, (seat + by) % game.seats) == expected


@given(st.data())
def test_the_order_in_which_the_four_pass_does_not_matter(data: st.DataObject) -> None:
    request = data.draw(matches_of(Hearts, hands=1))
    assume(" pass " in request["actions"][0])
    order = data.draw(st.permutations(range(4)))
    passes, rest = request["actions"][:4], request["actions"][4:]
    reordered = {**request, "actions": [*(passes[place] for place in order), *rest]}
    found, expected = replay(reordered)["states"], replay(request)["states"]
    assert found[0] == expected[0]
    assert found[4:] == expected[4:]
    for place, state in enumerate(found[1:4], 1):
        assert sorted(state["legal"]) == sorted(passes[later][0] for later in order[place:])


# The score.


def scored_hands(request: Json) -> Iterator[Json]:
    """The hands of a match, each with its own start and the tally of what was told of it."""
    game = GAMES[request["game"]]
    defaults = {
        part.name: getattr(game.parts.start, part.name) for part in parts_of(game.parts.start)
    }
    start = {name: listed(value) for name, value in {**defaults, **request["start"]}.items()}
    contract: Json = {}
    tricks: list[Json] = []
    trick: Cards = 0
    states = replay(request)["states"][1:]
    for action, state in zip(request["actions"], states, strict=True):
        if not state["ok"]:
            continue
        contract = state.get("contract", contract)
        if " play " in action:
            trick |= cards(action[-2:])
        if "trick" in state:
            tricks.append({**state["trick"], "cards": trick})
            trick = 0
        if "hand" in state:
            tally = _TALLIES[game.name](contract, tricks)
            yield {**state, "start": start, "tally": tally, "tricks": tricks}
            carried = {name: state["hand"][name] for name in start if name in state["hand"]}
            start, tricks = {**start, **carried}, []


def listed(value: Any) -> Any:
    """A value as JSON holds it."""
    return list(value) if isinstance(value, tuple) else value


def tricks_won(tricks: list[Json], sides: int = 2) -> list[int]:
    """How many tricks each side won."""
    won = [0] * sides
    for trick in tricks:
        won[trick["winner"] % sides] += 1
    return won


def hearts_tally(_: Json, tricks: list[Json]) -> Json:
    """The hearts that each took, and the queen."""
    hearts = [0] * 4
    queen = -1
    for trick in tricks:
        taken = codes(trick["cards"])
        hearts[trick["winner"]] += sum(code[1] == "H" for code in taken)
        queen = trick["winner"] if "QS" in taken else queen
    return {"hearts": hearts, "queen": queen}


def spades_tally(contract: Json, tricks: list[Json]) -> Json:
    """Bids and tricks."""
    return {"bids": contract["bids"], "tricks": tricks_won(tricks)}


def belote_tally(contract: Json, tricks: list[Json]) -> Json:
    """Cards, combinations and belote of each."""
    points, combined, belote = [0, 0], [0, 0], [0, 0]
    for trick in tricks:
        points[trick["winner"]] += trick["points"]
        for told in trick.get("combinations", []):
            credited = belote if told["clause"] == "BELOTE-41" else combined
            credited[told["seat"]] += told["points"]
    return {
        **contract,
        "cards": points,
        "tricks": tricks_won(tricks),
        "combinations": combined,
        "belote": belote,
    }


def bid_whist_tally(contract: Json, tricks: list[Json]) -> Json:
    """The bid, and the tricks of each team."""
    bid = {name: contract[name] for name in ("declarer", "level", "mode")}
    return {**bid, "tricks": tricks_won(tricks)}


_TALLIES: dict[str, Callable[[Json, list[Json]], Json]] = {
    "hearts": hearts_tally,
    "spades": spades_tally,
    "belote": belote_tally,
    "bid-whist": bid_whist_tally,
}


@for_every_game
def test_a_tally_of_what_was_told_of_a_hand_scores_as_the_hand_did(
    game: Game, data: st.DataObject
) -> None:
    request = data.draw(matches_of(game, hands=3, tries=6))
    ended = 0
    for hand in scored_hands(request):
        asked = {"op": "score", "game": game.name, "rules": request["rules"]}
        scored = replay({**asked, "start": hand["start"], "tally": hand["tally"]})
        assert scored == {name: hand[name] for name in ("hand", "match") if name in hand}
        ended += 1
    assert ended


@for_every_game
def test_the_lines_of_a_breakdown_sum_to_the_delta_and_the_deltas_to_the_scores(
    game: Game, data: st.DataObject
) -> None:
    request = data.draw(matches_of(game, hands=3, tries=6))
    for ended in scored_hands(request):
        hand = ended["hand"]
        delta = [0] * game.sides
        for line in hand["breakdown"]:
            assert line["points"] != 0
            assert line["clause"] in entries(game.name)
            delta[line[game.side_name]] += line["points"]
        assert hand["delta"] == delta
        before = ended["start"]["scores"]
        assert hand["scores"] == [total + d for total, d in zip(before, delta, strict=True)]


@given(st.data())
def test_a_hand_of_hearts_has_26_points_or_78_for_a_moon(data: st.DataObject) -> None:
    for hand in scored_hands(data.draw(matches_of(Hearts, tries=6))):
        assert sum(trick["points"] for trick in hand["tricks"]) == 26
        moon = any(
            sum(trick["points"] for trick in hand["tricks"] if trick["winner"] == seat) == 26
            for seat in range(4)
        )
        assert sum(hand["hand"]["delta"]) == (78 if moon else 26)


@given(st.lists(st.integers(0, 3), min_size=13, max_size=13), st.integers(0, 3))
def test_any_tally_of_hearts_comes_to_26_points_and_a_moon_to_78(
    takers: list[int], queen: int
) -> None:
    for hearts in (
        [takers.count(seat) for seat in range(4)],
        [13 * (s == queen) for s in range(4)],
    ):
        tally = {"hearts": hearts, "queen": queen}
        scored = replay({"op": "score", "game": "hearts", "rules": {}, "tally": tally})
        assert sum(scored["hand"]["delta"]) == (78 if hearts[queen] == 13 else 26)
