"""Coverage: each clause from both sides, each refusal in each phase, and play that goes on."""

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from commands import oracle
from mutants.killing import generated, hand_worked

from oracle.cli import FAILED
from oracle.games import GAMES
from oracle.replay import replay
from oracle.vectors.cases import Case, VectorFile
from oracle.vectors.coverage import Refusals, coverage, phase_of

Json = dict[str, Any]

HANDS = [
    "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC",
    "2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD AD",
    "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH",
    "2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS",
]


def case(actions: list[str], clauses: tuple[str, ...] = ("HEARTS-05",), **part: Any) -> Case:
    request = {
        "op": "replay",
        "game": "hearts",
        "rules": {"pass_cycle": ["none"]},
        "deals": [{"hands": HANDS}],
        "actions": actions,
    }
    return Case(
        id="hearts/here/some",
        title="A case of this test.",
        clauses=clauses,
        flags=(),
        since="0.1.0",
        source={"kind": "hand-worked"},
        request=request,
        response=replay(request),
        **part,
    )


def refusals(*cases: Case) -> Refusals:
    counted = Refusals("hearts")
    for each in cases:
        counted.add(each)
    return counted


@pytest.mark.parametrize("game", GAMES)
def test_in_most_cases_of_a_game_play_goes_on_after_a_refused_action(game: str) -> None:
    counted = Refusals(game)
    for each in (*hand_worked(game), *generated(game)):
        counted.add(each)
    assert counted.cases >= 2500
    assert counted.going_on >= counted.cases * 2 / 5
    assert [*counted.empty()] == []


@pytest.mark.parametrize("game", GAMES)
def test_no_clause_has_an_empty_side(game: str) -> None:
    rows = coverage(game, [*hand_worked(game), *generated(game)])
    assert {row.entry.id: row.empty for row in rows if row.empty} == {}


def test_play_goes_on_only_if_an_action_is_accepted_after_a_refused_one() -> None:
    assert refusals(case(["0 play 3C", "0 play 2C"])).going_on == 1
    assert refusals(case(["0 play 2C", "1 play 2H"])).going_on == 0
    assert refusals(case(["0 play 3C"])).going_on == 0


def test_a_refusal_counts_in_the_phase_in_which_it_is_given() -> None:
    counted = refusals(case(["0 play 3C", "0 pass 2C 3C 4C", "1 play 2D", "0 play 2C"]))
    assert counted.counts == {"play": {"HEARTS-05": 1, "PHASE": 1, "TURN": 1}}
    assert [*counted.empty()] == [("play", "FORMAT"), ("play", "CARD")]
    assert [*counted.lines()] == [
        "hearts: in 1 of 1 cases (100 %) play goes on after a refused action",
        "  refused at play: TURN 1, PHASE 1, HEARTS-05 1, EMPTY: FORMAT, EMPTY: CARD",
    ]


def test_of_a_partial_case_all_refusals_count_stated_or_not() -> None:
    counted = refusals(case(["0 play 3C", "0 play 2C"], partial=True))
    assert counted.counts["play"]["HEARTS-05"] == counted.going_on == 1


def test_only_a_phase_with_a_seat_to_act_lacks_actions_of_another_phase() -> None:
    counted = Refusals("spades", counts={"replace": Counter(), "bid": Counter()})
    assert [*counted.empty()] == [
        *(("replace", reason) for reason in ("FORMAT", "TURN", "CARD")),
        *(("bid", reason) for reason in ("FORMAT", "TURN", "PHASE")),
    ]


def test_a_phase_is_named_by_its_verbs() -> None:
    assert phase_of({"legal": {}}) == "nothing"
    assert phase_of({"legal": {"0": ["play 2C", "declare 7C 8C 9C"], "1": ["play 3C"]}}) == (
        "declare or play"
    )


def test_the_command_fails_for_clauses_and_phases_without_a_case(tmp_path: Path) -> None:
    folder = tmp_path / "hearts"
    folder.mkdir()
    vectors = VectorFile("hearts", "here", "A case.", (case(["0 play 3C"]),), "0.1.0")
    (folder / "here.json").write_text(vectors.text(), encoding="utf-8")
    done = oracle("coverage", "--vectors", tmp_path, "hearts")
    assert done.code == FAILED
    lines = done.out.splitlines()
    assert "refused at play: HEARTS-05 1, EMPTY: FORMAT, EMPTY: TURN" in lines[-4]
    assert re.fullmatch(r"\d\d clauses with an empty side", lines[-2])
    assert lines[-1] == "4 reasons missing in a phase"
    row = next(line for line in lines if line.startswith("HEARTS-05"))
    assert row.endswith("EMPTY: permits")


def test_the_command_is_content_with_the_published_vectors() -> None:
    done = oracle("coverage", "belote")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("belote")
    assert "EMPTY" not in done.out
