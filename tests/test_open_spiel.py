"""OpenSpiel's hearts: its adapter on the protocol, and the reference beside it, deal by deal."""

import json
import os
import subprocess
import sys
from collections.abc import Collection, Iterable
from contextlib import closing
from dataclasses import replace
from importlib import import_module
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from oracle.cards import CARD_OF, RANKS, SUITS, Card, Cards, each, text
from oracle.conformance.engine import Limits, ProcessEngine
from oracle.conformance.run import Run
from oracle.conformance.verdicts import PASS
from oracle.data import folder
from oracle.games.actions import Action, Each
from oracle.games.hearts import DIRECTIONS, PENALTY_CARDS, Hearts, Rules, Start
from oracle.generate.deals import SAMPLERS
from oracle.generate.recipes import Recipe, make
from oracle.players.at_random import random_action
from oracle.replay import replay as expected_response
from oracle.shuffle import Draws
from oracle.vectors.cases import Case, load_folder

# Whoever has no OpenSpiel can go without it; where everything is checked it must be there.
pyspiel = (
    import_module("pyspiel")
    if os.environ.get("CI") == "true"
    else pytest.importorskip("pyspiel", reason="open-spiel is not installed")
)

Json = dict[str, Any]

ADAPTER = Path(__file__).parents[1] / "examples" / "adapters" / "open_spiel_hearts.py"
COMMAND = [sys.executable, str(ADAPTER)]
PROFILES: list[Json] = [{}, dict(Hearts.profiles["openspiel"])]


# The adapter on the protocol.


def run_adapter(cases: Iterable[Case]) -> Run:
    """The finished run of the adapter over the cases that it claims, all of them passed."""
    engine = ProcessEngine(COMMAND, Limits())
    run = Run(engine, engine.hello())
    with closing(engine):
        failed = [result for result in run.results(cases) if result.verdict != PASS]
    assert not failed, [(each.case.id, each.verdict, each.message) for each in failed]
    return run


def published() -> list[Case]:
    """The published cases of Hearts."""
    return [case for _, file in load_folder(folder("vectors") / "hearts") for case in file.cases]


def under(rules: Json, case: Case) -> Case:
    """A case played under rules of the house, with everything that must then hold."""
    request = {**case.request, "rules": rules}
    return replace(case, request=request, response=expected_response(request), partial=False)


def test_the_adapter_passes_every_published_case_that_it_claims():
    run = run_adapter(published())
    assert run.executed > 200
    assert run.unknown_fields == 0


@pytest.mark.parametrize("rules", PROFILES, ids=["canonical", "openspiel"])
def test_the_adapter_agrees_in_full_when_the_published_hands_are_played_under(rules: Json):
    hands = [under(rules, case) for case in published() if case.op == "replay"]
    assert run_adapter(hands).executed > 200


@pytest.mark.parametrize("rules", PROFILES, ids=["canonical", "openspiel"])
def test_the_adapter_agrees_on_random_hands_with_refused_actions_under(rules: Json):
    recipe = Recipe("hearts", "beside-open-spiel", "Random hands.", 150, rules, late=True, probes=3)
    assert run_adapter(make(recipe).cases).executed == 150


def tell_adapter(*messages: Json) -> list[Json]:
    """What the adapter answers before its input comes to an end; it must end well."""
    lines = "".join(json.dumps(message) + "\n" for message in messages)
    done = subprocess.run(
        COMMAND, input=lines.encode(), capture_output=True, timeout=30, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")
    return [json.loads(line) for line in done.stdout.splitlines()]


SUIT_EACH = [" ".join(rank + suit for rank in RANKS) for suit in SUITS]
OPENING: Json = {
    "op": "replay",
    "game": "hearts",
    "rules": {},
    "start": {"hand": 3},
    "deals": [{"hands": SUIT_EACH}],
    "actions": [],
    "seq": 1,
}
UNSUPPORTED: dict[str, Json] = {
    "another op": {"op": "view", "seat": 0},
    "another game": {"game": "spades"},
    "a value that OpenSpiel doesn't know": {"rules": {"first_trick_only_penalty_cards": "queen"}},
    "an option that OpenSpiel doesn't know": {"rules": {"pass_cycle": ["left"]}},
    "two hands": {"deals": OPENING["deals"] * 2},
}


@pytest.mark.parametrize("changes", UNSUPPORTED.values(), ids=UNSUPPORTED)
def test_the_adapter_says_unsupported_to(changes: Json):
    (answer,) = tell_adapter({**OPENING, **changes})
    assert answer.keys() == {"seq", "unsupported"}
    assert answer["seq"] == 1


def test_the_adapter_refuses_what_is_no_action():
    nonsense = ["", "0", "0 play", "0 play 2c", "0  play 2C", "0 play 2C ", "4 play 2C", "é", "bye"]
    (answer,) = tell_adapter({**OPENING, "actions": [*nonsense, "0 play 2C"]})
    assert [state["ok"] for state in answer["states"][1:]] == [False] * len(nonsense) + [True]


def test_the_adapter_stops_at_bye_without_an_answer():
    answers = tell_adapter({"do": "hello", "protocol": 1}, {"do": "bye"}, OPENING)
    assert [answer["engine"]["name"] for answer in answers] == ["OpenSpiel hearts"]


# The reference beside OpenSpiel in one process.

#: A card by OpenSpiel's number, and the number of a card.
CARD: list[Card] = [CARD_OF[rank + suit] for rank in RANKS for suit in SUITS]
NUMBER: dict[Card, int] = {card: number for number, card in enumerate(CARD)}
#: The options that both have: our other value, OpenSpiel's parameter, and its canonical value.
OPTIONS: dict[str, tuple[Any, str, bool]] = {
    "queen_breaks_hearts": (True, "qs_breaks_hearts", False),
    "opening_lead": ("any_club", "can_lead_any_club", False),
    "lead_from_hearts_and_queen": ("any", "can_lead_hearts_instead_of_qs", False),
    "points_on_first_trick": (True, "no_pts_on_first_trick", True),
}


def parameters(options: Collection[str]) -> dict[str, bool]:
    """OpenSpiel's parameters when these options have their other value."""
    return {
        name: canonical ^ (option in options) for option, (_, name, canonical) in OPTIONS.items()
    }


def first_difference(options: Collection[str], game: Any, number: int) -> str | None:
    """Play one deal at both tables and say where they first differ; None if they never do."""
    draws = Draws(f"open-spiel:{number}")
    sample = list(SAMPLERS.values())[draws.below(len(SAMPLERS))]
    deal = sample(Hearts, draws)
    rules = Rules(**{option: OPTIONS[option][0] for option in options})
    table = Hearts(rules, Start(hand=draws.below(4)), [deal])
    state = game.new_initial_state()
    # Both count how many seats on the cards go.
    state.apply_action(DIRECTIONS[table.direction])
    for cards in zip(*map(each, deal.hands), strict=True):
        for card in cards:
            state.apply_action_with_legality_check(NUMBER[card])
    if table.direction != "none":
        pass_cards(table, state, draws)
    # Every other deal is played by people who hold hearts and the queen back: so hearts stay
    # unbroken for long.
    held_back = PENALTY_CARDS if draws.below(2) else 0
    while True:
        if table.to_act != (state.current_player(),):
            return f"deal {number}: {table.to_act} to act, and there {state.current_player()}"
        (seat,) = table.to_act
        (choice,) = table.choices(seat)
        theirs = sum([CARD[action] for action in state.legal_actions()])
        if choice != Each("play", theirs):
            return f"deal {number}: legal is {text(choice.cards)}, and there {text(theirs)}"
        card = one_of(theirs & ~held_back or theirs, draws)
        outcome = table.act(Action(seat, "play", card))
        state.apply_action(NUMBER[card])
        if outcome and outcome.hand:
            points = tuple([26 - value for value in state.returns()])
            if state.is_terminal() and points == outcome.hand.delta:
                return None
            return f"deal {number}: points are {outcome.hand.delta}, and there {points}"


def pass_cards(table: Hearts, state: Any, draws: Draws) -> None:
    """Pass three cards of each seat at both tables; OpenSpiel raises if one isn't held."""
    for seat in range(4):
        action = random_action(seat, table.choices(seat), draws)
        table.act(action)
        for card in action.what:
            state.apply_action_with_legality_check(NUMBER[card])


def one_of(cards: Cards, draws: Draws) -> Card:
    """Any of the cards."""
    row = each(cards)
    return row[draws.below(len(row))]


@pytest.mark.parametrize("options", [(), ("queen_breaks_hearts",)], ids=["canonical", "openspiel"])
def test_five_thousand_deals_go_the_same_way_in_open_spiel_under(options: tuple[str, ...]):
    game = pyspiel.load_game("hearts", parameters(options))
    for number in range(5000):
        assert first_difference(options, game, number) is None


def test_deals_go_the_same_way_under_every_combination_of_the_options_that_both_have():
    for chosen in product((False, True), repeat=len(OPTIONS)):
        options = [option for option, other in zip(OPTIONS, chosen, strict=True) if other]
        game = pyspiel.load_game("hearts", parameters(options))
        for number in range(200):
            assert first_difference(options, game, number) is None, options


@pytest.mark.parametrize(
    "wrong",
    [
        {"qs_breaks_hearts": True},
        {"can_lead_any_club": True},
        {"can_lead_hearts_instead_of_qs": True},
        {"no_pts_on_first_trick": False},
        {"must_break_hearts": False},
        {"jd_bonus": True},
        {"avoid_all_tricks_bonus": True},
    ],
    ids=str,
)
def test_the_comparison_notices_when_open_spiel_plays_with(wrong: dict[str, bool]):
    game = pyspiel.load_game("hearts", {**parameters(()), **wrong})
    found = (first_difference((), game, number) for number in range(5000))
    assert any(found)
