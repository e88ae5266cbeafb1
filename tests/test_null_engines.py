"""Engines that know nothing get nothing: no case on all reports, and no topic on any."""

import pytest
from mutants.killing import first_generated, hand_worked, right_answer
from mutants.null_engines import (
    LEVELS,
    NULL_ENGINES,
    answer,
    calls_every_request_wrong,
    passes,
    states,
    whole_topics,
)

from oracle.games import GAMES


def cases(game):
    """The hand-worked cases of a game, and the first of each generated set."""
    return [*hand_worked(game), *first_generated(game)]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("name", NULL_ENGINES)
def test_an_engine_that_knows_nothing_passes_no_case_with_all_reports(name, game):
    engine = NULL_ENGINES[name]
    passed = [case for case in cases(game) if passes(case, answer(engine, case), "full")]
    if engine is calls_every_request_wrong:
        assert all(case.op == "error" for case in passed)
    else:
        assert [case.id for case in passed] == []


@pytest.mark.parametrize("game", GAMES)
def test_an_engine_that_knows_nothing_passes_no_whole_topic_on_any_report(game):
    assert whole_topics(cases(game)) == []


@pytest.mark.parametrize("game", GAMES)
def test_the_reference_passes_every_case_on_every_report(game):
    failed = [
        (case.id, level)
        for case in hand_worked(game)
        for level in LEVELS
        if not passes(case, right_answer(case), level)
    ]
    assert failed == []


def test_a_case_counts_for_the_reports_of_which_it_states_something():
    case = next(
        case for case in hand_worked("hearts") if case.id == "hearts/scores/totals-below-nought"
    )
    assert {level for level in LEVELS if states(case, level)} == {"hand", "breakdown", "full"}
