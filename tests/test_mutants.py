"""The published vectors catch every planted misreading, and nothing that is right."""

import pytest

from oracle.games import GAMES
from tests.mutants import belote, bid_whist, every_game, hearts, spades
from tests.mutants.killing import cases_of, killers, reference_fails
from tests.mutants.registry import MUTANTS

FILES = (belote, bid_whist, every_game, hearts, spades)


def of(game):
    return [mutant for mutant in MUTANTS.values() if mutant.game == game]


@pytest.mark.parametrize("game", GAMES)
def test_every_mutant_is_killed_by_a_published_case(game):
    cases = cases_of(game)
    assert [mutant.id for mutant in of(game) if not any(True for _ in killers(mutant, cases))] == []


@pytest.mark.parametrize("game", GAMES)
def test_no_published_case_kills_the_reference(game):
    assert reference_fails(game) == []


@pytest.mark.parametrize("game", GAMES)
def test_there_are_enough_mutants_of_every_game(game):
    assert len(of(game)) >= 35


def test_every_mutant_says_what_its_author_would_have_misread():
    assert [mutant.id for mutant in MUTANTS.values() if len(mutant.line) < 10] == []
