"""Mutants that a tool makes: what may be changed, how they are chosen, what is said of the result.

The measuring itself is `make mutation`; what it found last is committed and held to its promises.
"""

import importlib.util
import os
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from mutation.asking import games_of
from mutation.changes import Change, Place, sample
from mutation.page import PAGE, with_figures
from mutation.result import (
    BREAKS_DOWN,
    DIFFERS,
    GOAL,
    LEAST,
    NO_END,
    NOT_LOADED,
    RESULT,
    SURVIVES,
    Mutant,
    Result,
    complaints,
    read_reasons,
    read_result,
)

from oracle.files import Unreadable
from oracle.games import GAMES

TOOL = "cosmic_ray"
needs_the_tool = pytest.mark.skipif(
    importlib.util.find_spec(TOOL) is None,
    reason="cosmic-ray makes the mutants: pip install -e '.[mutation]'",
)


def change(file, line, column=0, operator="swap", text=None):
    place = Place(file, "somewhere", text or f"line {line}", column, 0)
    return Change(place, line, operator, 0, 0)


MANY = [
    change(file, line, operator=operator)
    for file, lines in (("big.py", 60), ("small.py", 20))
    for line in range(lines)
    for operator in ("swap", "drop", "turn")
]


# The sample.


def test_the_sample_is_the_same_for_the_same_seed_and_another_for_another():
    assert sample(MANY, 30, "1") == sample(list(reversed(MANY)), 30, "1")
    assert sample(MANY, 30, "1") != sample(MANY, 30, "2")


def test_the_sample_takes_from_each_file_in_proportion_to_what_it_has():
    assert Counter(each.place.file for each in sample(MANY, 40, "1")) == {
        "big.py": 30,
        "small.py": 10,
    }


def test_no_place_is_changed_twice_before_every_place_of_its_file_is():
    places = Counter(each.place for each in sample(MANY, 80, "1"))
    assert len(places) == 80
    assert set(Counter(each.place for each in sample(MANY, 160, "1")).values()) == {2}


def test_a_sample_larger_than_all_there_is_takes_all_of_it():
    assert sorted(sample(MANY, 1000, "1"), key=repr) == sorted(MANY, key=repr)


def test_a_line_put_in_above_moves_no_choice():
    moved = [replace(each, line=each.line + 1, occurrence=1) for each in MANY]
    chosen = [(each.place, each.operator) for each in sample(MANY, 30, "1")]
    assert [(each.place, each.operator) for each in sample(moved, 30, "1")] == chosen


# What may be changed.


@pytest.fixture(scope="module")
def possible():
    if importlib.util.find_spec(TOOL) is None:
        pytest.skip("cosmic-ray makes the mutants: pip install -e '.[mutation]'")
    from mutation.places import changes, files

    return {path.name: list(changes(path)) for path in files()}


def test_every_file_of_the_reference_that_decides_anything_can_be_changed(possible):
    idle = [name for name, changes in possible.items() if not changes]
    assert idle == ["__init__.py", "refusals.py"]


@pytest.mark.parametrize(
    ("file", "part_of_line"),
    [
        ("actions.py", "Choice = Each"),  # a type
        ("actions.py", "-> Action | None"),  # an annotation
        ("actions.py", "maxsize"),  # a cache
        ("actions.py", "@dataclass"),
        ("actions.py", "@cache"),
        ("shapes.py", "frozen=True"),  # a guard
        ("belote.py", 'facts = [f"seat'),  # a drawn table
        ("bid_whist.py", "the declaring team has"),
        ("shapes.py", "only_seen: bool"),
        ("table.py", "return Action(action.seat"),  # what a player is told
        ("table.py", "@classmethod"),  # what each game has for itself
    ],
)
def test_what_no_response_shows_is_left_alone(possible, file, part_of_line):
    from mutation.places import GAMES_FOLDER

    assert part_of_line in (GAMES_FOLDER / file).read_text(encoding="utf-8")
    assert [each for each in possible[file] if part_of_line in each.place.text] == []


@pytest.mark.parametrize(
    ("file", "where", "part_of_line", "operator"),
    [
        ("hearts.py", "Hearts.tell_trick", "+= 13", "NumberReplacer"),
        ("hearts.py", "DIRECTIONS", '"left": 1', "NumberReplacer"),
        ("spades.py", "Rules.target", "500", "NumberReplacer"),
        ("spades.py", "Spades.bags_won", "max(tricks - int(bid)", "ReplaceBinaryOperator_Sub_Add"),
        ("belote.py", "contains", "shorter & longer", "ReplaceComparisonOperator_Eq_NotEq"),
        ("bid_whist.py", "BidWhist.must_bid", "seat == self.dealer", "ReplaceAndWithOr"),
        ("table.py", "Table.take_trick", "not self.hands", "ReplaceUnaryOperator_Delete_Not"),
        ("perft.py", "divide", "for seat, choices", "ZeroIterationForLoop"),
    ],
)
def test_what_decides_anything_may_be_changed(possible, file, where, part_of_line, operator):
    assert [
        each
        for each in possible[file]
        if each.place.where == where
        and part_of_line in each.place.text
        and each.operator.endswith(f"/{operator}")
    ]


def test_a_guard_beside_what_decides_is_left_alone(possible):
    zipped = [each for each in possible["belote.py"] if "strict=True" in each.place.text]
    assert {each.operator.partition("/")[2] for each in zipped} >= {"NumberReplacer"}
    assert not any(each.operator.endswith("ReplaceTrueWithFalse") for each in zipped)


def test_what_is_the_same_or_not_is_never_put_in_order(possible):
    words = [
        each
        for each in possible["bid_whist.py"]
        if each.place.text == 'if self.rules.kitty == "exchange":'
    ]
    compared = {each.operator for each in words if "Comparison" in each.operator}
    assert compared == {"core/ReplaceComparisonOperator_Eq_NotEq"}


def test_a_change_that_says_the_same_as_another_is_made_once(possible):
    conditions = [each for each in possible["perft.py"] if each.place.text == "if depth == 0:"]
    assert {each.operator.partition("/")[2] for each in conditions} == {
        "NumberReplacer",
        "ReplaceComparisonOperator_Eq_NotEq",
    }
    signs = {each.operator for changes in possible.values() for each in changes}
    assert not any("UAdd" in operator for operator in signs)
    assert "core/ReplaceUnaryOperator_Delete_USub" in signs


@needs_the_tool
def test_a_change_changes_its_own_line_and_nothing_else(possible):
    from mutation.places import GAMES_FOLDER, mutated, was_and_now

    source = (GAMES_FOLDER / "perft.py").read_text(encoding="utf-8")
    one = next(each for each in possible["perft.py"] if "depth == 1" in each.place.text)
    # The tool spoils the tree that it changes, and others want it: a text of its own.
    text = mutated(f"{source}\n", one)
    was, now = was_and_now(f"{source}\n", text, one.line)
    assert was == "if depth == 1:"
    assert now != was
    assert text.replace(text.splitlines()[one.line - 1].strip(), was) == f"{source}\n"


@needs_the_tool
def test_a_change_is_told_also_where_the_tool_takes_a_line_out_or_joins_it_to_another():
    from mutation.places import was_and_now

    source = "first = (\n    2,\n)\n\n@cache\ndef second(): ..."
    assert was_and_now(source, source.replace("\n    2", " 3"), 2) == ("2,", "3,")
    assert was_and_now(source, source.replace("\n@cache", ""), 5) == ("@cache", "")


# The asking.

ASKS = """
import sys
from multiprocessing import get_context
from pathlib import Path
import oracle.games
from mutation import asking

asking.snapshot()
cases = [case for case in asking.hand_worked("hearts") if case.id.startswith("hearts/points/")]
source = Path(oracle.games.__file__).with_name("hearts.py").read_text(encoding="utf-8")
for old, new in (
    ("target: int", "target: int"),
    ("outcome.points += 13", "outcome.points += 12"),
    ("outcome.points += 13", "outcome.points += nobody"),
    ("outcome.points += 13", "while True: pass"),
    ("outcome.points += 13", "outcome.points += 13.0"),
    ("TWO_OF_CLUBS = CARD_OF", "TWO_OF_CLUBS = nobody"),
):
    assert source.count(old) == 1, old
    with get_context("fork").Pool(1) as pool:
        print(*pool.apply(asking.ask, ("hearts.py", source.replace(old, new), cases)), sep="; ")
"""


def test_a_mutant_is_told_from_the_reference_by_what_becomes_of_it():
    # In a process with one thread, which can be forked.
    done = subprocess.run(
        [sys.executable, "-c", ASKS],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parent)},
        capture_output=True,
        text=True,
        check=True,
    )
    verdicts = [line.partition("; ")[0] for line in done.stdout.splitlines()]
    assert verdicts == [SURVIVES, DIFFERS, BREAKS_DOWN, NO_END, DIFFERS, NOT_LOADED]


def test_a_file_of_one_game_is_asked_of_that_game_and_a_shared_one_of_all():
    assert games_of("bid_whist.py") == ("bid-whist",)
    assert games_of("table.py") == tuple(GAMES)


# The result.

KILLED_ONE = Mutant("a.py", "f", 1, "x < y", "x > y", DIFFERS, "hearts/points/one")
SURVIVOR = Mutant("a.py", "f", 1, "x < y", "x <= y", SURVIVES)


def result_of(*mutants):
    return Result(
        "2026-01-02", "tool 1", "1", "aa", "bb", {"a.py": {"places": 1, "changes": 2}}, mutants
    )


def test_a_result_is_read_as_it_was_written(tmp_path):
    gone = replace(KILLED_ONE, now="", generated=True)
    result = result_of(KILLED_ONE, SURVIVOR, gone)
    path = tmp_path / "result.json"
    path.write_text(result.text(), encoding="utf-8")
    assert read_result(path) == result


def test_a_survivor_without_a_reason_is_complained_of():
    result = result_of(*[KILLED_ONE] * 1000, SURVIVOR)
    assert complaints(result, {SURVIVOR.key: "they are never equal"}) == []
    (line,) = complaints(result, {})
    assert line == "a.py:1 (f) survives: x < y -> x <= y"


def test_a_reason_for_what_is_killed_is_complained_of():
    result = result_of(*[KILLED_ONE] * 1000)
    assert "hearts/points/one kills it" in complaints(result, {KILLED_ONE.key: "no"})[0]
    assert complaints(result, {SURVIVOR.key: "a change that this sample doesn't have"}) == []


def test_too_few_killed_or_counted_are_complained_of():
    reasons = {SURVIVOR.key: "they are never equal"}
    assert (
        "94.9 % killed" in complaints(result_of(*[KILLED_ONE] * 949, *[SURVIVOR] * 51), reasons)[0]
    )
    assert complaints(result_of(*[KILLED_ONE] * 950, *[SURVIVOR] * 50), reasons) == []
    not_loaded = replace(KILLED_ONE, verdict=NOT_LOADED)
    (line,) = complaints(result_of(*[KILLED_ONE] * (LEAST - 1), *[not_loaded] * 99), reasons)
    assert line == f"{LEAST - 1} mutants, and there should be {LEAST} at least"


@pytest.mark.parametrize(
    "text",
    [
        "equivalent = 1",
        "[[equivalent]]\nfile = 'a.py'",
        "nonsense",
        "[[equivalent]]\nfile = 'a'\nwhere = 'b'\nwas = 'c'\nnow = ['d', 'd']\nreason = 'e'",
    ],
)
def test_reasons_that_can_not_be_read_are_told_in_one_line(tmp_path, text):
    path = tmp_path / "equivalent.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(Unreadable, match=r"equivalent\.toml: [^\n]+$"):
        read_reasons(path)


def test_a_result_that_can_not_be_read_is_told_in_one_line(tmp_path):
    path = tmp_path / "result.json"
    path.write_text('{"about": "", "mutants": [{}]}', encoding="utf-8")
    with pytest.raises(Unreadable, match=r"result\.json: [^\n]+$"):
        read_result(path)


# What is committed.


def test_the_committed_result_is_large_enough_and_nearly_all_of_it_is_killed():
    result = read_result()
    assert len(result.counted) >= LEAST
    assert result.percent_killed >= GOAL
    assert complaints(result, read_reasons()) == []


def test_the_committed_result_has_mutants_of_every_game_and_of_what_they_share():
    files = {each.file for each in read_result().counted}
    assert {games_of(file) for file in files} >= {(game,) for game in GAMES} | {tuple(GAMES)}
    assert files == set(read_result().possible)


def test_every_reason_is_of_a_survivor_of_the_committed_result():
    survivors = {each.key for each in read_result().survivors}
    assert [key for key in read_reasons() if key not in survivors] == []


def test_the_result_and_the_page_are_written_as_the_command_writes_them():
    result = read_result()
    assert RESULT.read_text(encoding="utf-8") == result.text()
    page = PAGE.read_text(encoding="utf-8")
    assert with_figures(page, result, read_reasons()) == page, "make mutation writes it"


# The command.


@needs_the_tool
@pytest.mark.parametrize("wrong", [["--mutants", "0"], ["--jobs", "x"], ["--date", "soon"]])
def test_a_wrong_option_is_one_line_of_complaint(wrong):
    done = subprocess.run(
        [sys.executable, "-m", "tests.mutation", *wrong],
        cwd=Path(__file__).parents[1],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "expected a" in done.stderr.splitlines()[-1]
    assert done.stderr.splitlines()[-1].startswith(
        f"python -m tests.mutation: error: argument {wrong[0]}"
    )
