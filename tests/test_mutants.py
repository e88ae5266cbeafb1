"""The published vectors catch every planted misreading, and every hand-worked case catches one."""

import re

import pytest
from mutants import MUTANTS
from mutants.figures import PAGE, with_figures
from mutants.killing import (
    KILLS,
    Kill,
    breaks_down,
    first_killer,
    hand_worked,
    kill,
    kills,
    kills_text,
    recorded,
    reference_fails,
)
from mutants.registry import _register

from oracle.games import GAMES
from oracle.games.shapes import OneOf, options_of
from oracle.rulebook import entries

WRITES_IT = "python -m tests.mutants writes it"


def of(game):
    return [mutant for mutant in MUTANTS.values() if mutant.game == game]


def recorded_killers(mutant):
    """The hand-worked cases that killed a mutant when kills.json was written."""
    names = set(recorded().get(mutant.id, {"hand-worked": []})["hand-worked"])
    return [case for case in hand_worked(mutant.game) if case.id in names]


@pytest.mark.parametrize("game", GAMES)
def test_every_mutant_is_killed_by_a_published_case(game):
    survivors = [
        f"{mutant.id}: {mutant.line}"
        for mutant in of(game)
        if first_killer(mutant, recorded_killers(mutant)[:3]) is None
    ]
    assert survivors == []


@pytest.mark.parametrize("game", GAMES)
def test_every_mutant_says_something_else_and_does_not_just_break_down(game):
    dumb = [
        mutant.id
        for mutant in of(game)
        if recorded_killers(mutant)
        and all(breaks_down(mutant, case) for case in recorded_killers(mutant)[:12])
    ]
    assert dumb == []


@pytest.mark.parametrize("game", GAMES)
def test_no_hand_worked_case_kills_the_reference(game):
    assert reference_fails(game) == []


@pytest.mark.parametrize("game", GAMES)
def test_there_are_many_mutants_of_every_game(game):
    assert len(of(game)) >= 250


@pytest.mark.parametrize("game", GAMES)
def test_every_other_value_of_an_option_is_some_mutants_rule_and_every_option_unknown_to_one(game):
    names = {mutant.name for mutant in of(game)}
    missing = []
    for option in options_of(GAMES[game].parts.rules):
        wanted = [f"{option.name}_unknown"]
        if isinstance(option.shape, OneOf):
            others = [value for value in option.shape.values if value != option.canonical]
            wanted += [f"{option.name}_is_{value}" for value in others]
        missing += [name for name in wanted if name.lower().replace("_", "-") not in names]
    assert missing == []


def test_every_mutant_says_in_one_sentence_what_its_author_misread():
    unsaid = [
        mutant.id
        for mutant in MUTANTS.values()
        if not re.fullmatch(r"[A-Z][^.]{10,150}\.", mutant.line.replace("R0.", ""))
    ]
    assert unsaid == []


def test_the_clauses_that_mutants_cite_are_in_the_rulebook():
    wrong = [
        f"{mutant.id}: {clause}"
        for mutant in MUTANTS.values()
        for clause in re.findall(r"[A-Z]+-R?\d\d", mutant.line)
        if clause not in entries(mutant.game)
    ]
    assert wrong == []


def test_two_mutants_of_one_game_cannot_have_one_name():
    some = next(iter(MUTANTS.values()))
    with pytest.raises(ValueError, match=some.id):
        _register(some.game, some.name, some.line, some.table)


def test_the_record_of_kills_lists_these_mutants():
    rows = recorded()
    assert {name: row["misread"] for name, row in rows.items()} == {
        mutant.id: mutant.line for mutant in MUTANTS.values()
    }, WRITES_IT


@pytest.mark.parametrize("name", sorted(MUTANTS)[50::150])
def test_what_is_recorded_of_a_mutant_is_what_the_cases_give(name):
    one, row = kill(MUTANTS[name]), recorded()[name]
    assert (list(one.hand_worked), list(one.generated)) == (
        row["hand-worked"],
        row["generated"],
    ), WRITES_IT


@pytest.mark.parametrize("game", GAMES)
def test_every_mutant_is_still_killed_by_the_first_case_that_is_recorded(game):
    alive = []
    for mutant in of(game):
        names = recorded()[mutant.id]["hand-worked"][:1]
        cases = [case for case in hand_worked(game) if case.id in names]
        if len(cases) != len(names) or not all(kills(case, mutant) for case in cases):
            alive.append(mutant.id)
    assert alive == [], WRITES_IT


@pytest.mark.parametrize("game", GAMES)
def test_every_hand_worked_case_kills_a_mutant(game):
    used = {name for row in recorded().values() for name in row["hand-worked"]}
    idle = [case.id for case in hand_worked(game) if case.id not in used]
    assert idle == [], f"{WRITES_IT}; if it stays, there is a mutant to be thought of"


def test_the_record_and_the_page_are_written_as_the_command_writes_them():
    found = [
        Kill(MUTANTS[name], tuple(row["hand-worked"]), tuple(row["generated"]))
        for name, row in recorded().items()
    ]
    assert kills_text(found) == KILLS.read_text(encoding="utf-8"), WRITES_IT
    page = PAGE.read_text(encoding="utf-8")
    assert with_figures(page, found) == page, WRITES_IT
