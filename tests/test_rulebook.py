"""The rulebook, and that code, options and vectors name nothing that isn't in it."""

import inspect
import io
import json
import re
import tokenize
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import oracle
from oracle.cli.rules import command
from oracle.data import folder
from oracle.games import GAMES
from oracle.games.refusals import GENERAL
from oracle.games.shapes import SCORE_LIMIT, OneOf, Option, Several, Whole, options_of
from oracle.games.table import Table
from oracle.rulebook import Entry, entries, find, game_text, says_the_same
from oracle.wire import fits, read_rules, write_rules, write_shape

PACKAGE = Path(oracle.__file__).parent
ALL = tuple(GAMES)
PREFIXES = {"hearts": "HEARTS", "spades": "SPADES", "belote": "BELOTE", "bid-whist": "WHIST"}
ID = re.compile(rf"\b(?:{'|'.join(PREFIXES.values())})-R?\d+\b")

#: Which ids say the same to a runner; within a line those of one prefix.
GROUPS = {
    "HEARTS": "05 R01 · 06 12 · 07 10 R06 · 09 R10",
    "SPADES": "20 R08 R10 · 24 25",
    "BELOTE": "09 R04 · 12 R16 R18 · 14 R14 · 15 16 22 R20 · 18 R05 · 19 R25 R28 · 35 36 37",
    "WHIST": "12 R05 R06 · 13 17 R07 R09 · 18 R10 · 22 R15 R17 R21",
}

NOTES = ("Bears on", "Option", "Says the same as", "No engine can break this")

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=ALL)
Game = type[Table]


def all_entries() -> list[Entry]:
    """The entries of all four rulebooks."""
    return [entry for game in ALL for entry in entries(game).values()]


def options(game: Game) -> dict[str, Option]:
    """The options of a game by name."""
    return {option.name: option for option in options_of(game.parts.rules)}


# The loader.


@every_game
def test_clauses_and_rulings_are_numbered_without_gaps(game: Game) -> None:
    names = list(entries(game.name))
    prefix = PREFIXES[game.name]
    clauses = [name for name in names if "-R" not in name]
    assert names == [f"{prefix}-{n:02}" for n in range(1, len(clauses) + 1)] + [
        f"{prefix}-R{n:02}" for n in range(1, len(names) - len(clauses) + 1)
    ]
    assert 0 < len(clauses) < len(names)


@every_game
def test_every_heading_with_an_id_becomes_an_entry(game: Game) -> None:
    headings = re.findall(r"^### (\S+) (.+)$", game_text(game.name), re.MULTILINE)
    assert [(entry.id, entry.title) for entry in entries(game.name).values()] == headings


def test_an_entry_has_words_and_nothing_of_its_notes_or_its_neighbours() -> None:
    for entry in all_entries():
        assert entry.text
        assert entry.text == entry.text.strip()
        assert entry.title == entry.title.strip()
        assert not re.search(rf"^(#|- ({'|'.join(NOTES)}): )", entry.text, re.MULTILINE)
        assert entry.game in ALL


def test_the_notes_under_a_heading_become_fields() -> None:
    entry = entries("hearts")["HEARTS-R06"]
    assert (entry.id, entry.game, entry.title) == (
        "HEARTS-R06",
        "hearts",
        "Harmless cards go first",
    )
    assert entry.bears_on == ("HEARTS-07", "HEARTS-10")
    assert entry.options == ("points_on_first_trick",)
    assert entry.same_as == ("HEARTS-07", "HEARTS-10")
    assert entry.unbreakable == ""
    assert entry.text.startswith("A player without clubs who holds a diamond")
    assert entry.text.endswith("A player with a club follows in either case.")
    assert entry.first_paragraph == entry.text.split("\n")[0]


def test_an_entry_may_name_several_options_and_say_why_it_cannot_be_broken() -> None:
    assert entries("belote")["BELOTE-R52"].options == ("match", "rounds")
    aim = entries("bid-whist")["WHIST-01"]
    assert aim.unbreakable.startswith("it is the teams' aim")
    assert (aim.bears_on, aim.options, aim.same_as) == ((), (), ())
    assert aim.text == "Each team tries to reach the target score before the other."


def test_the_notes_of_the_text_are_all_read() -> None:
    for game in ALL:
        under_headings = re.findall(r"^### .+\n\n((?:- .+\n)+)", game_text(game), re.MULTILINE)
        notes = [line.split(": ")[0] for lines in under_headings for line in lines.splitlines()]
        found = entries(game).values()
        read = [entry.bears_on for entry in found], [entry.options for entry in found]
        read += [entry.same_as for entry in found], [entry.unbreakable for entry in found]
        assert [notes.count(f"- {note}") for note in NOTES] == [sum(map(bool, it)) for it in read]
        assert {note[2:] for note in notes} <= set(NOTES)


def test_every_id_that_the_rulebooks_name_is_in_the_same_rulebook() -> None:
    for game in ALL:
        named = set(ID.findall(game_text(game)))
        assert named == entries(game).keys()


def test_a_ruling_bears_on_clauses_and_a_clause_on_nothing() -> None:
    for entry in all_entries():
        assert bool(entry.bears_on) == ("-R" in entry.id)
        for name in entry.bears_on:
            assert name in entries(entry.game)
            assert "-R" not in name


# Groups.


def test_the_groups_are_those_that_are_agreed_and_hold_both_ways() -> None:
    agreed = {
        frozenset(f"{prefix}-{name}" for name in group.split())
        for prefix, groups in GROUPS.items()
        for group in groups.split(" · ")
    }
    found = {frozenset((entry.id, *entry.same_as)) for entry in all_entries() if entry.same_as}
    assert found == agreed
    assert sum(map(len, agreed)) == len(frozenset(chain(*agreed)))


def test_ids_say_the_same_within_a_group_and_nowhere_else() -> None:
    for game in ALL:
        for one in entries(game).values():
            for other in entries(game).values():
                same = says_the_same(one.id, other.id, game)
                assert same == (one.id == other.id or other.id in one.same_as)
                assert same == says_the_same(other.id, one.id, game)
    assert says_the_same("CARD", "CARD", "hearts")
    assert not says_the_same("CARD", "TURN", "hearts")
    assert not says_the_same("HEARTS-12", "CARD", "hearts")


# Looking an entry up.


def test_an_entry_is_found_by_its_id_among_the_games_asked() -> None:
    for entry in all_entries():
        assert find(entry.id, ALL) is entry
        assert find(entry.id, tuple(game for game in ALL if game != entry.game)) is None
    for name in ("HEARTS-99", "HEARTS-5", "hearts-05", "HEARTS", "CARD", ""):
        assert find(name, ALL) is None


def test_the_command_prints_a_game_an_entry_or_what_may_be_asked() -> None:
    for entry in all_entries():
        printed = asked(entry.id.lower())
        assert printed.startswith(f"{entry.id} {entry.title}\n\n{entry.text}")
        for name in (*entry.bears_on, *entry.same_as, *entry.options):
            assert name in printed
        assert entry.unbreakable in printed
    for name in ALL:
        text, _, profiles = asked(name).partition("\n## Profiles\n")
        assert text.rstrip() == game_text(name).rstrip()
        given = dict(re.findall(r"^- `(.+)`: `(.+)`$", profiles, re.MULTILINE))
        assert {each: json.loads(rules) for each, rules in given.items()} == {
            f"{name}:{profile}": dict(rules) for profile, rules in GAMES[name].profiles.items()
        }


def test_the_command_prints_what_settles_an_option_in_every_game_that_has_it() -> None:
    for option in {option for game in GAMES.values() for option in options(game)}:
        printed = re.findall(r"^([A-Z]+-R?\d\d) ", asked(option), re.MULTILINE)
        assert printed == [
            ruling
            for game in GAMES.values()
            if option in options(game)
            for ruling in options(game)[option].rulings
        ]


def asked(which: str) -> str:
    """What ``oracle rules`` prints."""
    result = CliRunner().invoke(command, [which])
    assert result.exit_code == 0
    return result.stdout


# Options.


@every_game
def test_an_option_names_exactly_the_entries_that_name_it(game: Game) -> None:
    named: dict[str, set[str]] = {}
    for entry in entries(game.name).values():
        for name in entry.options:
            named.setdefault(name, set()).add(entry.id)
    assert named == {name: set(option.rulings) for name, option in options(game).items()}
    assert all(len(set(option.rulings)) == len(option.rulings) for option in options(game).values())


@every_game
def test_the_table_of_options_lists_exactly_the_options_with_their_rulings(game: Game) -> None:
    assert {name: set(ID.findall(ids)) for name, _, ids in table_of_options(game)} == {
        name: set(option.rulings) for name, option in options(game).items()
    }
    assert [name for name, _, _ in table_of_options(game)] == list(options(game))


@every_game
def test_the_table_of_options_gives_exactly_their_values_the_canonical_one_first(
    game: Game,
) -> None:
    for name, cell, _ in table_of_options(game):
        option = options(game)[name]
        values = [said(text) for text in re.findall(r"`([^`]+)`", cell) if ": " not in text]
        assert values[0] == written(option, option.canonical)
        match option.shape:
            case OneOf(allowed):
                cases = option.under[1].values() if option.under else ()
                beside = [value for shape, _ in cases for value in shape.values]
                assert values == [*allowed, *beside]
            case Whole(least, most):
                numbers = {int(number) for number in re.findall(r"\d+", cell)}
                bounds = {least} | ({most} if most < SCORE_LIMIT else set())
                assert numbers == {option.canonical, *bounds}
            case Several():
                assert values == [written(option, option.canonical)]


def table_of_options(game: Game) -> list[tuple[str, str, str]]:
    """The rows of the table: an option, its values, the ids that settle it."""
    section = game_text(game.name).split("\n## Options\n")[1].split("\n## ")[0]
    rows = [line.strip("| ").split(" | ") for line in section.strip().split("\n")]
    assert rows[0] == ["option", "values", "ruling"]
    return [(name.strip("`"), values, ids) for name, values, ids in rows[2:]]


def said(text: str) -> Any:
    """A value as the rulebook writes it: JSON, or a bare word for a string."""
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return text


def written(option: Option, value: Any) -> Any:
    """A value of an option as JSON."""
    return write_shape(option.shape, value)


@every_game
def test_the_entries_give_each_value_of_their_options_and_mark_the_canonical_one(
    game: Game,
) -> None:
    given: dict[str, list[Any]] = {name: [] for name in options(game)}
    for entry in entries(game.name).values():
        for line in re.findall(r"^- `.+$", entry.text, re.MULTILINE):
            for name, text, mark in re.findall(r"`([a-z_]+): (.+?)`( \(canonical\))?", line):
                if name not in entry.options:
                    assert (name, text) == ("scale", "tens")
                    continue
                option = options(game)[name]
                given[name] += [said(text), *map(said, re.findall(r"`(\w+)`", line))]
                if mark:
                    assert said(text) == written(option, option.canonical)
                assert text == "n" or fits_somewhere(option, said(text)), line
    for name, option in options(game).items():
        assert written(option, option.canonical) in given[name]
        if isinstance(option.shape, OneOf):
            assert all(value in given[name] for value in option.shape.values), name


def fits_somewhere(option: Option, value: Any) -> bool:
    """Whether a value is one that an option may have beside some others."""
    cases = option.under[1].values() if option.under else ()
    return any(fits(shape, value) for shape in (option.shape, *(shape for shape, _ in cases)))


@every_game
def test_a_locked_variant_cites_a_clause_that_speaks_of_it(game: Game) -> None:
    for name, clause in game.locked.items():
        assert f"`{name}`" in entries(game.name)[clause].text
        assert name not in options(game)


@every_game
def test_a_profile_is_a_set_of_options_that_differ_from_canonical(game: Game) -> None:
    for rules in game.profiles.values():
        assert write_rules(read_rules(game, dict(rules))) == rules


# Citations.


def strings_and_comments(path: Path) -> Iterator[str]:
    """What a file of code says in words: its strings, docstrings and comments, each on one line."""
    kinds = (tokenize.STRING, tokenize.COMMENT, getattr(tokenize, "FSTRING_MIDDLE", None))
    for token in tokenize.generate_tokens(io.StringIO(path.read_text("utf-8")).readline):
        if token.type in kinds:
            yield " ".join(token.string.split())


def cited(text: str, prefix: str) -> set[str]:
    """The ids that a text cites: whole ones, what follows them (``-16 to 19, 21, R13``), and
    rulings by their number alone."""
    found = {f"{prefix}-{ruling}" for ruling in re.findall(r"\bR\d\d\b", text)}
    for row in re.findall(rf"{prefix}-(R?\d\d(?:(?:, | to | and )R?\d\d\b)*)", text):
        numbers = re.split(r"(, | to | and )", row)
        found.add(f"{prefix}-{numbers[0]}")
        for before, link, after in zip(numbers[::2], numbers[1::2], numbers[2::2], strict=False):
            kind = "R" if after.startswith("R") else ""
            first = int(before.strip("R")) if link == " to " else int(after.strip("R"))
            last = int(after.strip("R"))
            found |= {f"{prefix}-{kind}{number:02}" for number in range(first, last + 1)}
    return found


def test_short_forms_of_ids_are_understood() -> None:
    text = "to win (SPADES-16 to 19, 21, R13 and R15), as R02 says, and SPADES-40."
    numbers = "16 17 18 19 21 R13 R15 R02 40"
    assert cited(text, "SPADES") == {f"SPADES-{number}" for number in numbers.split()}


@every_game
def test_what_the_code_of_a_game_cites_is_in_its_rulebook(game: Game) -> None:
    prefix = PREFIXES[game.name]
    texts = list(strings_and_comments(Path(inspect.getfile(game))))
    named = set().union(*(cited(text, prefix) for text in texts))
    assert named <= entries(game.name).keys()
    assert {name for text in texts for name in ID.findall(text)} <= named
    assert len(named) > len(entries(game.name)) / 2


def test_every_id_in_the_code_and_the_documents_is_in_a_rulebook() -> None:
    top = PACKAGE.parent
    paths = [*PACKAGE.rglob("*.py"), *(top / "docs").glob("*.md"), *top.glob("*.md")]
    named = {(path, name) for path in paths for name in ID.findall(path.read_text("utf-8"))}
    assert {(path, name) for path, name in named if not find(name, ALL)} == set()
    assert len(named) > 100


def clauses_in(text: str) -> set[str]:
    """Every clause in the text of a vector file: of cases, refusals, combinations and lines."""
    single = re.findall(r'"clause":\s*"([^"]*)"', text)
    lists = re.findall(r'"clauses":\s*\[([^\]]*)\]', text)
    return {*single, *re.findall(r'"([^"]*)"', ", ".join(lists))}


def test_every_clause_in_the_vectors_is_in_the_rulebook_of_its_game() -> None:
    paths = sorted(folder("vectors").rglob("*/*.json"))
    for path in paths:
        text = path.read_text("utf-8")
        game = re.findall(r'^"game":\s*"(.*)",$', text, re.MULTILINE)[0]
        named = clauses_in(text)
        assert named <= {*entries(game), *GENERAL}, path
        assert named & entries(game).keys()
    assert len(paths) > 40


def test_clauses_are_found_wherever_a_vector_file_gives_them() -> None:
    text = '{"clauses":["A", "B"],"states":[{"clause": "C"},{"breakdown":[{"clause":"D"}]}]}'
    assert clauses_in(text) == {"A", "B", "C", "D"}
