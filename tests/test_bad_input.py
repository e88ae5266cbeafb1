"""What a person can get wrong: one clear line on stderr, the exit code of wrong use, and nothing
written.

Two things are no mistakes of the person at the keyboard. Rubbish inside ``actions`` is what a
request asks about: it is refused as FORMAT, and the command ends well. And what ``verify`` finds
wrong in a folder is its result: it is printed on stdout, and the exit code is 1.
"""

import contextlib
import copy
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import IO, Any

import pytest
from commands import (
    CASES,
    PROGRAM,
    REFERENCE,
    REQUEST,
    SUITS,
    Done,
    as_ordinary_user,
    oracle,
    process,
    vector_file,
    write_folder,
)
from playing import random_request

from oracle import schemas, strict_json
from oracle.cli import FAILED, NO_HANDSHAKE, NOT_READ, USAGE
from oracle.conformance.report import KINDS
from oracle.games import GAMES

Json = dict[str, Any]


def assert_one_line(done: Done, *words: str, code: int = USAGE) -> None:
    """A command that ended with this code and one line on stderr, with these words in it."""
    assert done.code == code, done
    assert done.err.endswith("\n"), done
    line = done.err[:-1]
    assert line.startswith("oracle"), done
    assert line.isprintable(), done
    assert len(line) < 500, done
    assert "Traceback" not in line, done
    assert "fault of the oracle" not in line, done
    for word in words:
        assert word in line, done


def assert_wrong_use(done: Done, *words: str) -> None:
    """The same, and nothing on stdout."""
    assert_one_line(done, *words)
    assert done.out == "", done


GENERATE = ["generate", "hearts", "--seed", "1", "--count", "1", "--jobs", "1"]


def contents(folder: Path) -> dict[str, bytes | None]:
    """Everything below a folder: the files with what is in them."""
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in folder.rglob("*")
    }


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of its own to be in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A small folder of vectors in which nothing is wrong."""
    return write_folder(tmp_path / "vectors")


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that everybody can read; pytest's own are shut to others."""
    path = Path(tempfile.mkdtemp())
    path.chmod(0o755)
    yield path
    shutil.rmtree(path)


# Files that are no JSON, or not the JSON that we read.

GOOD = json.dumps(REQUEST).encode()
FILES: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "not JSON"),
    "only blanks": (b" \n\t", "not JSON"),
    "words": (b"play 2C", "not JSON"),
    "cut off in a string": (GOOD[:220], "not JSON"),
    "cut off after a comma": (GOOD[: GOOD.index(b",") + 1], "not JSON"),
    "cut off before the last bracket": (GOOD[:-1], "not JSON"),
    "something after it": (GOOD + b"{}", "not JSON"),
    "a comma too many": (GOOD[:-1] + b",}", "not JSON"),
    "single quotes": (b"{'op': 'replay'}", "not JSON"),
    "a comment": (b"// a request\n" + GOOD, "not JSON"),
    "NaN": (GOOD.replace(b'"hand": 3', b'"hand": NaN'), "NaN is not an integer"),
    "Infinity": (GOOD.replace(b'"hand": 3', b'"hand": Infinity'), "Infinity is not an integer"),
    "-Infinity": (GOOD.replace(b'"hand": 3', b'"hand": -Infinity'), "-Infinity is not an"),
    "a float": (GOOD.replace(b'"hand": 3', b'"hand": 3.5'), "3.5 is not an integer"),
    "a whole float": (GOOD.replace(b'"hand": 3', b'"hand": 3.0'), "3.0 is not an integer"),
    "an exponent": (GOOD.replace(b'"hand": 3', b'"hand": 3e0'), "3e0 is not an integer"),
    "2^53": (GOOD.replace(b'"hand": 3', b'"hand": 9007199254740992'), "beyond 2^53 - 1"),
    "-2^53": (GOOD.replace(b'"hand": 3', b'"hand": -9007199254740992'), "beyond 2^53 - 1"),
    "5,000 digits": (GOOD.replace(b'"hand": 3', b'"hand": ' + b"9" * 5000), "beyond 2^53 - 1"),
    "5,000 decimals": (GOOD.replace(b'"hand": 3', b'"hand": 3.' + b"0" * 5000), "not an integer"),
    "a key twice": (GOOD[:-1] + b', "op": "view"}', '"op" comes twice'),
    "a key twice, deep inside": (
        GOOD.replace(b'"hand": 3', b'"hand": 3, "hand": 3'),
        '"hand" comes twice',
    ),
    "100,000 brackets": (b"[" * 100_000 + b"]" * 100_000, "nested too deeply"),
    "100,000 open brackets": (b"[" * 100_000, "nested too deeply"),
    "100,000 braces": (b'{"op":' * 100_000 + b"1" + b"}" * 100_000, "nested too deeply"),
    "100,000 brackets, deep inside": (
        GOOD.replace(b'"hand": 3', b'"hand": ' + b"[" * 100_000 + b"]" * 100_000),
        "nested too deeply",
    ),
    "a byte order mark": (b"\xef\xbb\xbf" + GOOD, "byte order mark"),
    "UTF-16": (json.dumps(REQUEST).encode("utf-16"), "not UTF-8"),
    "Latin-1": (GOOD.replace(b"2C", b"\xe9"), "not UTF-8"),
    "half a character": (GOOD.replace(b"2C", b"\xe2\x99"), "not UTF-8"),
    "a surrogate as UTF-8": (GOOD.replace(b"2C", b"\xed\xa0\x80"), "not UTF-8"),
    "a NUL byte in a string": (GOOD.replace(b"hearts", b"he\0rts"), "not JSON"),
    "nothing but NUL bytes": (b"\0" * 4096, "not JSON"),
    "a line break in a string": (GOOD.replace(b"hearts", b"he\nrts"), "not JSON"),
    "a list": (b"[]", "expected an object"),
    "a number": (b"7", "expected an object"),
    "a string": (b'"replay"', "expected an object"),
    "null": (b"null", "expected an object"),
    "true": (b"true", "expected an object"),
    "500 brackets": (b"[" * 500 + b"]" * 500, "expected an object"),
    "900 brackets": (b"[" * 900 + b"]" * 900, "expected an object"),
}


@pytest.mark.parametrize("kind", FILES)
@pytest.mark.parametrize("verb", ["replay", "perft"])
def test_a_file_that_is_no_request_costs_a_line(verb: str, kind: str, here: Path) -> None:
    content, words = FILES[kind]
    Path("request.json").write_bytes(content)
    assert_wrong_use(oracle(verb, "request.json"), "request.json", words)
    assert_wrong_use(oracle(verb, "-", stdin=content), "stdin: ", words)


@pytest.mark.parametrize("kind", FILES)
def test_check_stops_at_a_vector_file_that_is_none(kind: str, folder: Path) -> None:
    content, words = FILES[kind]
    (folder / "hearts/opening.json").write_bytes(content)
    before = contents(folder)
    done = oracle("check", "--vectors", folder, "--", *REFERENCE)
    assert_wrong_use(done, "opening.json", words)
    assert contents(folder) == before


@pytest.mark.parametrize("kind", FILES)
def test_verify_finds_a_vector_file_that_is_none(kind: str, folder: Path) -> None:
    content, words = FILES[kind]
    (folder / "hearts/opening.json").write_bytes(content)
    done = oracle("verify", "--vectors", folder)
    assert (done.code, done.err) == (FAILED, "")
    problem, summary = done.out.splitlines()
    assert "opening.json" in problem
    assert words in problem
    assert summary == "0 cases verified, 1 problem"


@pytest.mark.parametrize("kind", FILES)
def test_verify_writes_nothing_when_one_file_is_none(kind: str, folder: Path) -> None:
    (folder / "hearts/a-broken-one.json").write_bytes(FILES[kind][0])
    loose = json.loads((folder / "hearts/opening.json").read_text())
    (folder / "hearts/opening.json").write_text(json.dumps(loose, indent=4))
    before = contents(folder)
    assert_wrong_use(oracle("verify", "--write", "--vectors", folder), "a-broken-one.json")
    assert contents(folder) == before


@pytest.mark.parametrize("kind", FILES)
@pytest.mark.parametrize("verb", ["check", "list"])
def test_an_index_that_is_none_costs_a_line(verb: str, kind: str, folder: Path) -> None:
    content, words = FILES[kind]
    (folder / "index.json").write_bytes(content)
    engine = ["--", *REFERENCE] if verb == "check" else []
    assert_wrong_use(oracle(verb, "--vectors", folder, *engine), "index.json", words)


@pytest.mark.parametrize("kind", FILES)
@pytest.mark.parametrize("command", [["check"], ["generate", "hearts", "--seed", "1"]])
def test_a_ruleset_file_that_is_none_costs_a_line(
    command: list[str], kind: str, here: Path
) -> None:
    content, words = FILES[kind]
    Path("house.json").write_bytes(content)
    engine = ["--", *REFERENCE] if command == ["check"] else []
    assert_wrong_use(oracle(*command, "--rules", "house.json", *engine), "house.json", words)


def test_a_folder_that_holds_lone_surrogates_costs_a_line(folder: Path) -> None:
    path = folder / "hearts/opening.json"
    path.write_text(path.read_text().replace("0 play 3C", "\\ud800"))
    done = oracle("check", "--vectors", folder, "--", *REFERENCE)
    assert_wrong_use(done, "opening.json", "UTF-8")
    done = oracle("verify", "--vectors", folder)
    assert done.code == FAILED
    assert "UTF-8" in done.out


def test_as_a_process_the_command_says_the_same_and_no_traceback(here: Path) -> None:
    for kind in ("empty", "5,000 digits", "100,000 brackets", "Latin-1"):
        content, words = FILES[kind]
        Path("request.json").write_bytes(content)
        assert_wrong_use(process("replay", "request.json"), "request.json", words)


# Requests that are JSON and wrong all the same.


def write(request: Any) -> Path:
    path = Path("request.json")
    path.write_text(strict_json.dumps(request))
    return path


WRONG = [
    ({"op": None}, "/op"),
    ({"op": "explode"}, "/op"),
    ({"game": "whist"}, "/game"),
    ({"game": ["hearts"]}, "/game"),
    ({"extra": 1}, "/extra: unknown field"),
    ({"seat": 0}, "/seat: unknown field"),
    ({"depth": 1}, "/depth: unknown field"),
    ({"rules": None}, "/rules: expected an object"),
    ({"rules": {"jack_of_diamonds": True}}, "HEARTS-19"),
    ({"rules": {"moon_subtracts": True}}, "HEARTS-19"),
    ({"rules": {"bags_limit": 5}}, "/rules/bags_limit"),
    ({"rules": {"double_nil": True}}, "an option of spades"),
    ({"rules": {"min_bid": 3}}, "an option of bid-whist"),
    ({"rules": {"targets": 100}}, "did you mean target?"),
    ({"rules": {"target": "100"}}, "HEARTS-R14"),
    ({"rules": {"target": 0}}, "/rules/target"),
    ({"rules": {"target": 10**9 + 1}}, "/rules/target"),
    ({"rules": {"target": True}}, "/rules/target"),
    ({"rules": {"points_on_first_trick": 1}}, "/rules/points_on_first_trick"),
    ({"rules": {"pass_cycle": []}}, "/rules/pass_cycle"),
    ({"rules": {"pass_cycle": "left"}}, "/rules/pass_cycle"),
    ({"rules": {"pass_cycle": ["up"]}}, "/rules/pass_cycle"),
    ({"start": {"hand": -1}}, "/start/hand"),
    ({"start": {"dealer": 0}}, "/start/dealer: unknown field"),
    ({"start": {"scores": [0, 0, 0]}}, "/start/scores"),
    ({"start": {"scores": [0, 0, 0, 10**9 + 1]}}, "/start/scores/3"),
    ({"start": None}, "/start: expected an object"),
    ({"deals": {}}, "/deals: expected a list"),
    ({"deals": [None]}, "/deals/0: expected an object"),
    ({"deals": [{}]}, '/deals/0: the field "hands" is missing'),
    ({"deals": [{"hands": SUITS, "kitty": ""}]}, "/deals/0/kitty: unknown field"),
    ({"actions": "0 play 2C"}, "/actions: expected a list"),
    ({"actions": {"0": "play 2C"}}, "/actions: expected a list"),
]


@pytest.mark.parametrize(("change", "words"), WRONG, ids=[words for _, words in WRONG])
def test_a_wrong_request_is_told_by_its_place(change: Json, words: str, here: Path) -> None:
    assert_wrong_use(oracle("replay", write({**REQUEST, **change})), "request.json", words)


@pytest.mark.parametrize("field", ["op", "game", "rules", "deals", "actions"])
def test_a_field_that_is_missing_is_named(field: str, here: Path) -> None:
    request = {name: value for name, value in REQUEST.items() if name != field}
    assert_wrong_use(oracle("replay", write(request)), f'the field "{field}" is missing')


HAND = SUITS[0].split(" ")
OTHERS = SUITS[1:]
BAD_HANDS = {
    "a card that is none": (["1X", *HAND[1:]], '"1X" is no card'),
    "a ten in digits": (["10C", *HAND[1:]], '"10C" is no card'),
    "small letters": (["2c", *HAND[1:]], '"2c" is no card'),
    "a symbol": (["2♣", *HAND[1:]], "is no card"),
    "the same card twice": ([*HAND[:12], "2C"], "2C comes twice"),
    "twelve cards": (HAND[:12], "expected 13 cards, found 12"),
    "fourteen cards": ([*HAND, "2D"], "expected 13 cards, found 14"),
    "a joker": ([*HAND[:12], "BJ"], "BJ is not in the pack of hearts"),
    "a card of another hand": ([*HAND[:12], "2D"], "2D lies already at /deals/0/hands/0"),
    "no cards": ([], "expected 13 cards, found 0"),
    "two spaces": ([*HAND[:12], "", "AC"], "is no card"),
}


@pytest.mark.parametrize("kind", BAD_HANDS)
def test_a_hand_that_cannot_be_dealt_is_told_by_its_place(kind: str, here: Path) -> None:
    cards, words = BAD_HANDS[kind]
    request = {**REQUEST, "deals": [{"hands": [" ".join(cards), *OTHERS]}]}
    assert_wrong_use(oracle("replay", write(request)), "/deals/0/hands/", words)
    assert_wrong_use(oracle("perft", write(request)), "/deals/0/hands/", words)


def test_a_deal_that_is_left_over_is_checked_too(here: Path) -> None:
    request = {**REQUEST, "deals": [{"hands": SUITS}, {"hands": [*SUITS[:3], SUITS[0]]}]}
    assert_wrong_use(oracle("replay", write(request)), "/deals/1/hands/3")


def test_a_card_of_a_larger_pack_is_told(here: Path) -> None:
    request = random_request("belote", Random("larger pack"))
    request["deals"][0]["down"][0] = "2C " + request["deals"][0]["down"][0][3:]
    assert_wrong_use(oracle("replay", write(request)), "2C is not in the pack of belote")


BAD_VALUES: list[Any] = [
    None,
    True,
    -1,
    10**12,
    "",
    "x\n\x1b[31m",
    "\ud800",
    [],
    [[]],
    {},
    {"x": 1},
]


def replacements(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str, Any]]:
    """A request with one value replaced, for every value in it and every bad one."""
    yield from ((f"{path}: {bad!r}", bad) for bad in BAD_VALUES)
    if isinstance(value, dict | list):
        for key, each in list(value.items() if isinstance(value, dict) else enumerate(value)):
            for what, twin in replacements(each, (*path, key)):
                changed = copy.copy(value)
                changed[key] = twin
                yield what, changed


def whole_requests() -> list[Json]:
    """A request of every op, as short as can be, with every field that it may have."""
    at_table = {**REQUEST, "rules": {"target": 50, "pass_cycle": ["left", "none"]}}
    return [
        at_table,
        {**at_table, "op": "view", "seat": 0},
        {**at_table, "op": "perft", "depth": 1},
        {
            "op": "score",
            "game": "belote",
            "rules": {"scale": "tens"},
            "start": {"scores": [0, 0]},
            "tally": {
                "taker": 0,
                "trump": "S",
                "cards": [92, 70],
                "tricks": [9, 7],
                "combinations": [0, 20],
                "belote": [0, 20],
            },
        },
        {"op": "shuffle", "game": "spades", "seed": "x", "rules": {"double_nil": False}},
    ]


@pytest.mark.parametrize("request_", whole_requests(), ids=lambda request: request["op"])
def test_any_value_of_a_wrong_type_is_told_in_one_line(request_: Json, here: Path) -> None:
    wrong = 0
    for what, changed in replacements(request_):
        if isinstance(changed, dict) and changed.get("depth") == 10**12:
            # Nothing is wrong with it, but the count would take for ever.
            continue
        done = oracle("replay", "-", stdin=json.dumps(changed).encode())
        if done.code == 0:
            # It happened to be right: an empty list of actions, say.
            assert not schemas.problems("request", changed), what
            assert done.err == "", what
        else:
            assert_wrong_use(done)
            wrong += 1
    assert wrong > 25


# Actions: rubbish in them is asked about, and answered.

RUBBISH = [
    "",
    " ",
    "0",
    "0 play",
    "0  play 2C",
    " 0 play 2C",
    "0 play 2C ",
    "0 play 2c",
    "0 play 10C",
    "0 play 2C 3C",
    "4 play 2C",
    "-1 play 2C",
    "00 play 2C",
    "٠ play 2C",
    "0 PLAY 2C",
    "0 bid 3",
    "chance replace 2C",
    "0\tplay\t2C",
    "0 play 2C\n",
    "0 play 2\x00",
    "\x1b[31m0 play 2C",
    "\u202e0 play 2C",
    "\ud800",
    "♣" * 10,
    "x" * 10_000,
    "{}",
    "null",
]


@pytest.mark.parametrize("action", RUBBISH, ids=lambda action: ascii(action[:20]))
def test_rubbish_inside_actions_is_refused_as_format_and_no_error(action: str, here: Path) -> None:
    request = json.dumps({**REQUEST, "actions": [action, "0 play 2C"]}).encode()
    done = oracle("replay", "--json", "-", stdin=request)
    assert (done.code, done.err) == (0, "")
    states = json.loads(done.out)["states"]
    assert states[1] == {"ok": False, "clause": "FORMAT", "legal": {"0": ["play 2C"]}}
    assert states[2]["ok"] is True
    story = oracle("replay", "-", stdin=request)
    assert (story.code, story.err) == (0, "")
    refused = next(line for line in story.out.split("\n") if "✗" in line)
    assert "FORMAT" in refused
    assert refused.isprintable()


def test_rubbish_inside_actions_can_be_printed_by_the_process_too(here: Path) -> None:
    Path("request.json").write_text(json.dumps({**REQUEST, "actions": ["\ud800", "\x1b[2J"]}))
    for arguments in (["replay", "request.json"], ["replay", "--json", "request.json"]):
        done = process(*arguments)
        assert (done.code, done.err) == (0, "")
        assert done.out.count("FORMAT") == 2


@pytest.mark.parametrize("action", [None, 0, True, ["0 play 2C"], {"seat": 0}])
def test_an_action_that_is_no_string_makes_a_wrong_request(action: Any, here: Path) -> None:
    request = {**REQUEST, "actions": ["0 play 2C", action]}
    for verb in ("replay", "perft"):
        assert_wrong_use(oracle(verb, write(request)), "/actions/1: expected an action as a string")


# Rulesets.

RULESETS = {
    "hearts:nope": "hearts has no profile nope; there are hearts:canonical, hearts:openspiel",
    "whist:popular": "names no game; the games are hearts",
    "nowhere.json": "nowhere.json: no such file",
    "openspiel": "a ruleset is a profile such as hearts:openspiel, a JSON file, or KEY=VALUE",
    "nonsense=1": "no game has the option nonsense",
    "a folder.json": "a folder.json: is a directory",
    "=": "no game has the option",
    "jack_of_diamonds=true": "HEARTS-19",
    "moon_subtracts=true": "HEARTS-19",
    "queen_breaks_hearts=maybe": 'expected one of false, true (HEARTS-R07), found "maybe"',
    "queen_breaks_hearts=1": "HEARTS-R07",
    "queen_breaks_hearts=": 'found ""',
    "pass_cycle=left,up": 'found ["left", "up"]',
    "opening_lead=any_heart": "HEARTS-R01",
    f"opening_lead={'9' * 5000}": "HEARTS-R01",
    f"opening_lead={'[' * 100_000}": "HEARTS-R01",
    "opening_lead=NaN": "HEARTS-R01",
    "opening_lead=1e999": "HEARTS-R01",
    "opening_lead=\x1b[31m\n": "HEARTS-R01",
    f"{'x' * 5000}=1": "no game has the option",
}


@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ascii(ruleset[:40]))
def test_a_ruleset_that_is_none_costs_a_line(ruleset: str, here: Path) -> None:
    Path("a folder.json").mkdir()
    words = RULESETS[ruleset]
    done = oracle("check", "--rules", ruleset, "--report", "out.json", "--", *REFERENCE)
    assert_wrong_use(done, "--rules", words)
    assert contents(here) == {"a folder.json": None}


def test_an_option_of_another_game_is_told_with_its_game(here: Path) -> None:
    words = "an option of spades (one of true, false; SPADES-19), not of hearts"
    done = oracle("check", "--game", "hearts", "--rules", "double_nil=false", "--", *REFERENCE)
    assert_wrong_use(done, words)
    done = oracle("check", "--rules", "hearts:openspiel", "--rules", "double_nil=0", "--", "true")
    assert_wrong_use(done, words)
    assert_wrong_use(oracle("generate", "hearts", "--seed", "1", "--rules", "double_nil=0"), words)
    Path("house.json").write_text('{"target": 50, "double_nil": false}')
    done = oracle("generate", "hearts", "--seed", "1", "--rules", "house.json")
    assert_wrong_use(done, words)


def test_an_option_that_several_games_have_wants_a_game() -> None:
    done = oracle("check", "--rules", "target=50", "--", *REFERENCE)
    assert_wrong_use(done, "target: say which game with --game")


def test_a_profile_of_another_game_than_the_one_asked_for_is_a_mistake() -> None:
    words = "hearts:openspiel is not one of spades"
    done = oracle("generate", "spades", "--seed", "1", "--rules", "hearts:openspiel")
    assert_wrong_use(done, words)
    done = oracle("check", "--game", "spades", "--rules", "hearts:openspiel", "--", *REFERENCE)
    assert_wrong_use(done, words)


def test_a_ruleset_file_says_what_is_wrong_with_its_options(here: Path) -> None:
    for content, words in (
        ({"jack_of_diamonds": True}, "HEARTS-19"),
        ({"queen_breaks_hearts": "yes"}, "HEARTS-R07"),
        ({"queen_breaks_heart": True}, "no game has the option queen_breaks_heart"),
        ({"double_nil": True, "queen_breaks_hearts": True}, "no game has all of the options"),
        ({"a\nb": 1}, "no game has the option"),
        ({}, "a ruleset without options"),
    ):
        Path("house.json").write_text(json.dumps(content))
        assert_wrong_use(oracle("check", "--rules", "house.json", "--", *REFERENCE), words)


# Words on the command line.


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["explode"], "there is no command explode"),
        (["chek"], "there is no command chek; did you mean check?"),
        (["--nonsense"], "--nonsense"),
        (["replay"], "REQUEST"),
        (["replay", "a.json", "b.json"], "b.json"),
        (["replay", "--nonsense", "a.json"], "--nonsense"),
        (["replay", "hearts/opening-lead/two-of-club"], "did you mean hearts/opening-lead/"),
        (["replay", "hearts/wrong-requests/no-op"], "hearts/wrong-requests/no-op"),
        (["perft"], "FILE"),
        (["perft", "--depth", "-1", "-"], "--depth"),
        (["perft", "--depth", "deep", "-"], "--depth"),
        (["perft", "--depth", "1.0", "-"], "--depth"),
        (["deal"], "deal"),
        (["deal", "hearts"], "--seed"),
        (["deal", "whist", "--seed", "1"], "whist"),
        (["deal", "hearts", "--seed"], "--seed"),
        (["deal", "hearts", "--seed", "\udcff"], "UTF-8"),
        (["generate"], "GAME is needed"),
        (["generate", "--seed", "1"], "GAME"),
        (["generate", "whist", "--seed", "1"], "whist"),
        (["generate", "hearts", "--seed", "1", "--count", "0"], "--count"),
        (["generate", "hearts", "--seed", "1", "--count", "-5"], "--count"),
        (["generate", "hearts", "--seed", "1", "--count", "many"], "--count"),
        (["generate", "hearts", "--seed", "\udcff"], "UTF-8"),
        (["generate", "hearts", "--seed", "1", "--rules", "hearts:nope"], "no profile nope"),
        (["rules", "HEARTS-99"], "no game"),
        (["rules", ""], "no game"),
        (["rules", "\x1b[31m"], "no game"),
        (["list", "--game", "whist"], "whist"),
        (["list", "--clause", "HEARTS-99"], "no such clause"),
        (["list", "--clause", "HEARTS10"], "did you mean HEARTS-10?"),
        (["list", "--clause", "format"], "oracle rules FORMAT says what it means"),
        (["check"], "ENGINE"),
        (["check", "--"], "ENGINE"),
        (["check", "--game", "whist", "--", "true"], "whist"),
        (["check", "--clause", "HEARTS-99", "--", "true"], "no such clause"),
        (["check", "--timeout", "0", "--", "true"], "--timeout"),
        (["check", "--timeout", "-1", "--", "true"], "--timeout"),
        (["check", "--timeout", "soon", "--", "true"], "--timeout"),
        (["check", "--min-executed", "0", "--", "true"], "--min-executed"),
        (["check", "--details", "-1", "--", "true"], "--details"),
        (["check", "--report", "report.doc", "--", "true"], "the suffix is one of"),
        (["check", "--report", "report", "--", "true"], "the suffix is one of"),
        (["verify", "surplus"], "surplus"),
        (["serve", "surplus"], "surplus"),
    ],
    ids=lambda value: ascii(" ".join(value)) if isinstance(value, list) else "",
)
def test_wrong_words_cost_a_line(arguments: list[str], words: str, here: Path) -> None:
    assert_wrong_use(oracle(*arguments), words)
    assert contents(here) == {}


def test_a_path_to_no_file_is_a_path_unless_it_begins_with_a_game(here: Path) -> None:
    assert_wrong_use(oracle("replay", "requests/hearts/mine"), "no such file")
    assert_wrong_use(oracle("replay", "hearts/moon/mine"), "did you mean hearts/moon/*?")


def test_an_unknown_word_is_answered_with_what_may_have_been_meant() -> None:
    assert_wrong_use(oracle("rules", "HEARTS10"), "did you mean HEARTS-10?")
    assert_wrong_use(oracle("rules", "heart"), "did you mean hearts?")
    assert_wrong_use(oracle("rules", "phas"), "did you mean PHASE?")
    assert_wrong_use(oracle("rules", "WHIST-R1"), "did you mean WHIST-R01?")
    assert_wrong_use(oracle("rules", "hearts-5"), "did you mean HEARTS-05?")
    assert_wrong_use(oracle("rules", "no_trump_jokers"), "did you mean no_trump_joker?")


def test_a_case_that_there_is_not_is_answered_with_the_nearest_one(folder: Path) -> None:
    hint = "did you mean hearts/opening/king-of-clubs?"
    name = "hearts/opening/kings-of-club"
    for verb, engine in (("list", []), ("check", ["--", *REFERENCE])):
        assert_wrong_use(oracle(verb, "--vectors", folder, "--case", name, *engine), hint)
        words = "there is no case for --game spades --case hearts/*"
        asked = ["--game", "spades", "--case", "hearts/*"]
        assert_wrong_use(oracle(verb, "--vectors", folder, *asked, *engine), words)
    words = "there is no case for --game hearts --flag nothing-like-it"
    (folder / "index.json").unlink()
    assert_wrong_use(oracle("explain", "--vectors", folder, name), "there is no case for")
    asked = ["--game", "hearts", "--flag", "nothing-like-it"]
    assert_wrong_use(oracle("list", "--vectors", folder, *asked), words)


@pytest.mark.parametrize(
    ("asked", "meant"),
    [
        ("hearts/moons/*", "hearts/moon/*"),
        ("hearts/moons/shot", "hearts/moon/*"),
        ("hearts/moon/nothing-like-it", "hearts/moon/*"),
        ("hearts/moon/shot-by-set-2", "hearts/moon/shot-by-seat-2"),
        ("hearts/breaking-hearts", "hearts/breaking-hearts/*"),
        ("bags", "spades/bags/*"),
        ("bag*", "spades/bags/*"),
        ("Spades/bag/*", "spades/bags/*"),
        ("hearts", "hearts/*"),
        ("views", "*/views/*"),
    ],
)
def test_a_pattern_that_no_case_fits_is_answered_with_the_nearest_topic(
    asked: str, meant: str
) -> None:
    assert_wrong_use(oracle("list", "--case", asked), f"--case {asked}; did you mean {meant}?")
    assert oracle("list", "--topics", "--case", meant).code == 0


def test_what_no_topic_comes_near_is_answered_with_how_topics_are_listed() -> None:
    assert_wrong_use(
        oracle("list", "--case", "xyzzy"), "(oracle list --topics shows what there is)"
    )
    # The pattern fits cases; it is the game that is in the way.
    done = oracle("list", "--game", "spades", "--case", "*/moon/*")
    assert_wrong_use(done, "--game spades --case */moon/* (oracle list --topics")


def test_explain_says_what_was_asked_of_it_and_what_may_have_been_meant() -> None:
    words = "there is no case for hearts/ties/two-levl"
    done = oracle("explain", "hearts/ties/two-levl")
    assert_wrong_use(done, words, "did you mean hearts/ties/")
    assert "--case" not in done.err


def test_the_cases_that_are_named_for_general_refusals_are_there() -> None:
    topics = oracle("list", "--topics", "--case", "*/refusals/*").out.splitlines()
    assert [topic.partition("/")[0] for topic in topics] == sorted(GAMES)


@pytest.mark.parametrize("sent", [0, 2])
def test_a_transcript_without_one_single_request_costs_a_line(sent: int, here: Path) -> None:
    lines = ['-> {"do": "hello", "protocol": 1}', *[f"-> {json.dumps(REQUEST)}"] * sent]
    Path("talk.txt").write_text("\n".join(lines))
    words = "2 requests" if sent else "no request"
    assert_wrong_use(oracle("replay", "talk.txt"), f"talk.txt: {words} in this transcript")


# Files and folders that are not there, or not to be used.


@pytest.mark.parametrize("verb", ["replay", "perft"])
def test_a_file_that_cannot_be_read_costs_a_line(verb: str, here: Path) -> None:
    Path("folder").mkdir()
    Path("file").touch()
    assert_wrong_use(oracle(verb, "nowhere.json"), "nowhere.json: no such file")
    assert_wrong_use(oracle(verb, "folder"), "folder: is a directory")
    assert_wrong_use(oracle(verb, "file/request.json"), "not a directory")
    assert_wrong_use(oracle(verb, "x" * 300), "name too long")
    assert_wrong_use(oracle(verb, ""), "is a directory")
    assert_wrong_use(oracle(verb, "no\nsuch\x1b[31m"), "no such file")


@pytest.mark.parametrize("verb", ["check", "verify", "list"])
def test_a_folder_that_is_none_costs_a_line(verb: str, here: Path) -> None:
    Path("file").touch()
    engine = ["--", *REFERENCE] if verb == "check" else []
    for place, words in (("nowhere", "not a folder of vectors"), ("file", "a file, and a folder")):
        done = oracle(verb, "--vectors", place, *engine)
        assert_wrong_use(done, f"{place}: {words}")
    assert contents(here) == {"file": b""}


@pytest.mark.parametrize("verb", ["check", "verify", "list"])
def test_the_folder_round_a_folder_of_vectors_is_answered_with_that(verb: str, here: Path) -> None:
    write_folder(here / "copied" / "vectors")
    engine = ["--", *REFERENCE] if verb == "check" else []
    done = oracle(verb, "--vectors", "copied", *engine)
    assert_wrong_use(done, "copied: not a folder of vectors; did you mean copied/vectors?")
    assert oracle(verb, "--vectors", "copied/vectors", *engine).code == 0


def test_list_names_only_the_options_that_were_given(folder: Path) -> None:
    def said(*asked: str | Path) -> str:
        done = oracle("list", *asked)
        assert_wrong_use(done, "there is no case for ")
        return done.err.partition("there is no case for ")[2].strip()

    assert said("--flag", "nope") == "--flag nope"
    assert said("--game", "hearts", "--flag", "nope") == "--game hearts --flag nope"
    mine = f"--vectors {folder}"
    assert said("--vectors", folder, "--flag", "nope") == f"{mine} --flag nope"
    near = said("--vectors", folder, "--flag", "any-card-open")
    assert near == f"{mine} --flag any-card-open; did you mean any-card-opens?"


@pytest.mark.parametrize("option", ["--id", "--title", "--clause", "--flag"])
def test_replay_refuses_what_only_a_saved_case_has(option: str) -> None:
    done = oracle("replay", "hearts/opening-lead/two-of-clubs", option, "x")
    assert_wrong_use(done, "go with --save")


def test_an_option_without_its_value_is_told_with_the_command_that_helps() -> None:
    for verb, option in (("replay", "--save"), ("check", "--case"), ("list", "--flag")):
        assert_wrong_use(oracle(verb, option), f"oracle {verb}: ", f"(see oracle {verb} --help)")


def test_verify_writes_nothing_into_a_folder_that_is_not_there(here: Path) -> None:
    assert_wrong_use(oracle("verify", "--write", "--vectors", "nowhere"), "nowhere")
    assert contents(here) == {}


@pytest.mark.parametrize("option", ["--report", "--transcript"])
def test_a_file_that_cannot_be_written_costs_a_line(option: str, folder: Path, here: Path) -> None:
    Path("folder.json").mkdir()
    Path("file").touch()
    before = contents(here)
    for place in ("nowhere/out.json", "file/out.json", "folder.json", f"{'x' * 300}.json"):
        done = oracle("check", "--vectors", folder, option, place, "--", *REFERENCE)
        assert_wrong_use(done, place)
        assert contents(here) == before


def test_a_report_of_a_kind_that_there_is_not_is_told_with_the_kinds_that_there_are() -> None:
    assert_wrong_use(oracle("check", "--report", "out.doc", "--", "true"), *KINDS)


def test_generated_cases_that_cannot_be_written_cost_a_line(here: Path) -> None:
    Path("folder.json").mkdir()
    Path("file").touch()
    before = contents(here)
    for place in ("nowhere/out.json", "file/out.json", "folder.json"):
        done = oracle(*GENERATE, "--output", place)
        assert_wrong_use(done, place)
        assert contents(here) == before


def test_a_file_without_the_right_to_read_it_costs_a_line(open_folder: Path) -> None:
    path = open_folder / "request.json"
    path.write_bytes(GOOD)
    path.chmod(0)
    for arguments in (
        ["replay", path],
        ["perft", path],
        ["check", "--rules", path, "--", "true"],
        ["generate", "hearts", "--seed", "1", "--rules", path],
    ):
        assert_wrong_use(as_ordinary_user(*arguments), "request.json: permission denied")


def test_a_vector_file_without_the_right_to_read_it_costs_a_line(open_folder: Path) -> None:
    folder = write_folder(open_folder / "vectors")
    (folder / "hearts/opening.json").chmod(0)
    done = as_ordinary_user("list", "--vectors", folder)
    assert_wrong_use(done, "opening.json: permission denied")
    done = as_ordinary_user("verify", "--vectors", folder)
    assert (done.code, done.err) == (FAILED, "")
    assert "opening.json: permission denied" in done.out


def test_a_folder_without_the_right_to_look_into_it_costs_a_line(open_folder: Path) -> None:
    folder = write_folder(open_folder / "vectors")
    folder.chmod(0o600)
    for verb in ("list", "verify"):
        assert_wrong_use(as_ordinary_user(verb, "--vectors", folder), "vectors")


# An engine that any shell can be.
SHELL_ENGINE = """
read hello
echo '{"protocol": 1, "engine": {"name": "sh", "version": "0", "language": "sh"},
 "games": {"hearts": {"ops": ["replay"], "reports": ["ok"], "start": ["hand"]}}}' | tr -d '\\n'
echo
n=0
while read line; do
  case "$line" in *bye*) exit 0;; esac
  n=$((n + 1))
  echo "{\\"seq\\": $n, \\"failed\\": \\"it is only a shell\\"}"
done
"""


def test_a_folder_without_the_right_to_write_into_it_costs_a_line(open_folder: Path) -> None:
    folder = write_folder(open_folder / "vectors")
    shut = open_folder / "shut"
    shut.mkdir(mode=0o555)
    engine = ["--", "/bin/sh", "-c", SHELL_ENGINE]
    for option in ("--report", "--transcript"):
        place = shut / "out.json"
        done = as_ordinary_user("check", "--vectors", folder, option, place, *engine)
        assert_one_line(done, "out.json", "permission denied")
    done = as_ordinary_user(*GENERATE, "--output", shut / "out.json")
    assert_wrong_use(done, "out.json", "permission denied")
    assert contents(shut) == {}


def test_verify_changes_nothing_in_a_folder_without_the_right_to_write(open_folder: Path) -> None:
    folder = write_folder(open_folder / "vectors")
    loose = json.loads((folder / "hearts/opening.json").read_text())
    (folder / "hearts/opening.json").write_text(json.dumps(loose))
    for path in (folder / "hearts", folder):
        path.chmod(0o555)
    before = contents(folder)
    done = as_ordinary_user("verify", "--write", "--vectors", folder)
    assert_wrong_use(done, "opening.json: permission denied")
    assert contents(folder) == before
    for path in (folder, folder / "hearts"):
        path.chmod(0o755)


# Broken vectors.


def damaged_file(**changes: Any) -> str:
    """The vector file of the small folder with some of its fields replaced."""
    value = json.loads(vector_file(*CASES).text())
    return json.dumps({**value, **changes})


def damaged_case(**changes: Any) -> str:
    """The same with some fields of its first case replaced."""
    first, *others = json.loads(vector_file(*CASES).text())["cases"]
    return damaged_file(cases=[{**first, **changes}, *others])


BROKEN_FILES = {
    "another format": (damaged_file(format=2), "/format: expected 1, found 2"),
    "another game": (damaged_file(game="whist"), "/game"),
    "an unknown field": (damaged_file(author="me"), "/author: unknown field"),
    "no cases": (damaged_file(cases=[]), "/cases"),
    "a case that is none": (damaged_file(cases=[None]), "/cases/0"),
    "an id of another form": (damaged_case(id="Queen barred"), "/cases/0/id"),
    "no clause": (damaged_case(clauses=[]), "/cases/0/clauses"),
    "an unknown field in a case": (damaged_case(author="me"), "/cases/0/author: unknown field"),
    "partial without a reason": (damaged_case(partial=False), "/cases/0/partial"),
    "a request that is none": (damaged_case(request=[]), "/cases/0/request"),
    "a wrong request": (damaged_case(request={**REQUEST, "op": "play"}), "/cases/0/request/op"),
    "a wrong deal": (
        damaged_case(request={**REQUEST, "deals": [{"hands": ["1X", *SUITS[1:]]}]}),
        "/cases/0/request/deals/0/hands/0",
    ),
    "a response that is none": (damaged_case(response=None), "/cases/0/response"),
    "a response of another op": (
        damaged_case(response={"nodes": "1", "divide": {}}),
        "/cases/0/response",
    ),
}


@pytest.mark.parametrize("kind", BROKEN_FILES)
def test_a_broken_vector_file_is_told_by_its_place(kind: str, folder: Path) -> None:
    content, words = BROKEN_FILES[kind]
    (folder / "hearts/opening.json").write_text(content)
    for verb, engine in (("list", []), ("check", ["--", *REFERENCE])):
        assert_wrong_use(oracle(verb, "--vectors", folder, *engine), "opening.json", words)
    done = oracle("verify", "--vectors", folder)
    assert done.code == FAILED
    assert words in done.out


def test_no_report_is_written_when_a_later_file_is_broken(folder: Path, here: Path) -> None:
    (folder / "hearts/zz-broken.json").write_text("{")
    before = contents(here)
    arguments = ["check", "--vectors", folder, "--report", "out.json", "--", *REFERENCE]
    assert_one_line(process(*arguments), "zz-broken.json")
    assert contents(here) == before


def test_an_index_that_does_not_fit_is_told_by_its_place(folder: Path) -> None:
    index = json.loads((folder / "index.json").read_text())
    index["cases"]["hearts/opening/three-of-clubs"]["sha256"] = "0"
    (folder / "index.json").write_text(json.dumps(index))
    for verb, engine in (("list", []), ("check", ["--", *REFERENCE])):
        done = oracle(verb, "--vectors", folder, *engine)
        assert_wrong_use(done, "index.json: /cases/hearts~1opening~1three-of-clubs/sha256")
    assert_wrong_use(oracle("verify", "--write", "--vectors", folder), "index.json")


# Engines that can't be started.


def test_an_engine_that_cannot_be_started_costs_a_line(folder: Path, here: Path) -> None:
    Path("folder").mkdir()
    Path("plain.txt").write_text("no engine")
    Path("no-format").write_text("no engine")
    Path("no-format").chmod(0o755)
    before = contents(here)
    for engine, words in (
        ("nowhere", "nowhere: no such file"),
        ("./nowhere", "nowhere: no such file"),
        ("./folder", "folder: is a directory"),
        ("./plain.txt", "plain.txt: permission denied"),
        ("./no-format", "no-format: exec format error"),
        ("", "is an empty word"),
        ("a\0b", "null byte"),
    ):
        done = oracle("check", "--vectors", folder, "--report", "out.json", "--", engine)
        assert_wrong_use(done, words)
        assert contents(here) == before


def test_an_engine_that_says_nothing_has_an_exit_code_of_its_own(folder: Path) -> None:
    done = oracle("check", "--vectors", folder, "--", "true")
    assert done.out == ""
    assert_one_line(done, "no handshake with true", code=NO_HANDSHAKE)


def test_what_an_engine_says_on_stderr_before_it_ends_is_told(folder: Path) -> None:
    complaint = "import sys; sys.exit('no module named cards')"
    done = oracle("check", "--vectors", folder, "--", sys.executable, "-c", complaint)
    assert_one_line(done, "no handshake", "no module named cards", code=NO_HANDSHAKE)


def test_several_lines_on_stderr_are_told_before_the_one_line(folder: Path) -> None:
    complaint = "import sys; sys.exit('no module named\\n\\x1b[31mcards')"
    done = oracle("check", "--vectors", folder, "--", sys.executable, "-c", complaint)
    *lines, last = done.err.splitlines(keepends=True)
    assert lines[1:] == ["  | no module named\n", "  | \\x1b[31mcards\n"]
    assert_one_line(done._replace(err=last), "no handshake", code=NO_HANDSHAKE)


# Streams that are closed.


@contextlib.contextmanager
def unread_pipe() -> Iterator[IO[bytes]]:
    """Something to write to at whose other end there is nobody."""
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as pipe:
        yield pipe


@pytest.mark.parametrize("arguments", [["list"], ["rules", "belote"], ["rules"]])
def test_output_that_nobody_reads_ends_the_command_quietly(arguments: list[str]) -> None:
    with unread_pipe() as nobody_reads:
        done = subprocess.run(
            [PROGRAM, *arguments], stdout=nobody_reads, stderr=subprocess.PIPE, check=False
        )
    assert (done.returncode, done.stderr) == (NOT_READ, b"")


def test_output_that_is_read_in_part_ends_the_command_quietly() -> None:
    with subprocess.Popen(
        [PROGRAM, "list"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0
    ) as listing:
        assert listing.stdout
        assert listing.stderr
        assert listing.stdout.read(10)
        listing.stdout.close()
        assert listing.stderr.read() == b""
    assert listing.returncode == NOT_READ


def test_an_unread_check_is_no_passed_check(folder: Path) -> None:
    with unread_pipe() as nobody_reads:
        done = subprocess.run(
            [PROGRAM, "check", "--vectors", folder, "--", *REFERENCE],
            stdout=nobody_reads,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert (done.returncode, done.stderr) == (NOT_READ, b"")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [("rules belote", 0), ("serve", 0), ("replay -", USAGE)],
)
def test_closed_streams_bring_no_command_down(arguments: str, code: int) -> None:
    for closed in ("<&-", ">&-", "<&- >&- 2>&-"):
        done = subprocess.run(
            ["/bin/sh", "-c", f"{PROGRAM} {arguments} {closed}"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == code
        assert "Traceback" not in done.stderr
        assert "fault" not in done.stderr


def test_a_terminal_that_has_no_suit_symbols_gets_escapes() -> None:
    done = process(
        "replay",
        "-",
        input=json.dumps(REQUEST),
        env={**os.environ, "PYTHONIOENCODING": "latin-1"},
    )
    assert (done.code, done.err) == (0, "")
    assert "0 2\\u2663" in done.out


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_output_for_which_there_is_no_room_costs_a_line() -> None:
    for arguments in (["rules", "belote"], ["list"], ["deal", "hearts", "--seed", "1"]):
        with Path("/dev/full").open("wb") as full:
            done = subprocess.run(
                [PROGRAM, *arguments], stdout=full, stderr=subprocess.PIPE, text=True, check=False
            )
        assert_wrong_use(Done(done.returncode, "", done.stderr), "no space left")


def test_every_game_has_its_wrong_requests_told_in_one_line(here: Path) -> None:
    for game in GAMES:
        request = random_request(game, Random(f"wrong {game}"))
        for change in ({"deals": [{}]}, {"rules": {"x": 1}}, {"start": {"x": 1}}, {"actions": 1}):
            with contextlib.suppress(FileNotFoundError):
                Path("request.json").unlink()
            assert_wrong_use(oracle("replay", write({**request, **change})), "request.json: /")
