"""The schemas: what they say, and that three validators and the reader read them alike."""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, ClassVar

import jsonschema_rs
import pytest
from jsonschema import Draft202012Validator
from playing import random_request

import oracle.schemas
from oracle.conformance.claims import REPORTS, full_claims
from oracle.conformance.verdicts import VERDICTS
from oracle.data import folder
from oracle.games import GAMES
from oracle.games.actions import Notation, OneCard, SomeCards, Words
from oracle.games.hearts import Hearts
from oracle.games.shapes import CardRow, CardSet, Either, OneOf, Several, Text, Whole, option, part
from oracle.games.table import Parts, Table
from oracle.replay import replay
from oracle.schemas import build, problems, protocol, report, write
from oracle.vectors.cases import Case, paths
from oracle.vectors.index import build_index
from oracle.wire import FIELDS, WrongRequest, read_request

Json = dict[str, Any]

SCHEMAS = build()
NODE = Path(__file__).parent / "node"
VECTORS = folder("vectors")


# Values that fit, and damage to them.


SUITS = [" ".join(rank + suit for rank in "23456789TJQKA") for suit in "CDHS"]
DEAL = {"hands": SUITS}
AT_TABLE = {"game": "hearts", "rules": {}, "start": {"hand": 3}, "deals": [DEAL]}
REPLAY = {"op": "replay", **AT_TABLE, "actions": ["0 play 3C", "0 play 2C", "1 play 2D"]}
REQUESTS: list[Json] = [
    REPLAY,
    {
        "op": "replay",
        "game": "hearts",
        "rules": {"target": 50, "pass_cycle": ["left", "none"], "queen_breaks_hearts": True},
        "deals": [],
        "actions": [],
    },
    {"op": "view", **AT_TABLE, "actions": ["0 play 2C"], "seat": 2},
    {"op": "perft", **AT_TABLE, "actions": [], "depth": 1},
    {
        "op": "score",
        "game": "hearts",
        "rules": {"target": 60},
        "start": {"scores": [40, 41, 42, 43]},
        "tally": {"hearts": [3, 4, 6, 0], "queen": 2},
    },
    {"op": "shuffle", "game": "hearts", "seed": "a seed", "rules": {"opening_lead": "any_club"}},
]
CASE: Json = {
    "id": "hearts/opening-lead/three-of-clubs",
    "title": "The three of clubs does not open.",
    "clauses": ["HEARTS-05", "HEARTS-R01"],
    "flags": ["any-club"],
    "since": "0.1.0",
    "source": {"kind": "hand-worked"},
    "request": REPLAY,
    "response": replay(REPLAY),
}


def _partial(response: Json) -> Json:
    return {**CASE, "partial": True, "response": response}


CASES: list[Json] = [
    CASE,
    {**CASE, "source": {"kind": "generated", "by": "hearts/opening-lead", "seed": "1:0"}},
    _partial({"states": [{}, {"ok": False, "clause": "HEARTS-05"}, {"ok": True}, {}]}),
    {**CASE, "request": {"op": "deal"}, "response": {"error": "/op: expected another"}},
    {**CASE, "request": REQUESTS[4], "response": replay(REQUESTS[4])},
    {**_partial({"hand": {"delta": [3, 4, 19, 0]}}), "request": REQUESTS[4]},
]
HEAD: Json = {"$schema": "../../schemas/vector-file.schema.json", "format": 1, "suite": "0.1.0"}
FILES: list[Json] = [
    {
        **HEAD,
        "game": "hearts",
        "topic": "opening-lead",
        "about": "Who leads, and what.",
        "notes": {"any-club": "Any club opens."},
        "cases": [case],
    }
    for case in CASES
]
INDEX: Json = {
    **HEAD,
    "$schema": "../schemas/index.schema.json",
    "cases": {
        CASE["id"]: {
            "file": "hearts/opening-lead.json",
            "op": "replay",
            "clauses": CASE["clauses"],
            "sha256": "0123456789abcdef" * 4,
        }
    },
    "retired": [{"id": "hearts/passing/gone", "since": "1.0.0", "why": "It was wrong."}],
    "totals": {
        "hearts": {
            "cases": 2, "ops": {"replay": 1, "error": 1}, "hand-worked": 2, "generated": 0,
        }
    },
}  # fmt: skip
ENGINE = {"name": "example", "version": "1.2", "language": "C"}
HELLO: Json = {
    "protocol": 1,
    "engine": ENGINE,
    "games": {
        "hearts": {
            "ops": ["replay", "score"],
            "reports": ["ok", "legal"],
            "options": {"queen_breaks_hearts": [False, True], "target": "any"},
            "start": ["hand"],
            "max_hands": 1,
        }
    },
}
REPORT: Json = {
    "$schema": "urn:trick-oracle:schema:report:1",
    "format": 1,
    "oracle": "0.1.0",
    "suite": "0.1.0",
    "date": "2030-01-02",
    "engine": ENGINE,
    "command": ["./engine", "--quiet"],
    "rules": {"hearts": {"target": 50}},
    "totals": dict.fromkeys(VERDICTS, 0),
    "clauses": {"HEARTS-05": {"pass": 3, "fail": 1}},
    "not_checked": [{"why": "the engine doesn't answer view", "cases": 12}],
    "faults": ["the engine ended with status 1 at bye, and 0 was expected"],
    "unknown_fields": 0,
    "seconds": 2,
    "exit": 1,
    "cases": [
        {
            "id": CASE["id"],
            "game": "hearts",
            "op": "replay",
            "clauses": ["HEARTS-05"],
            "verdict": "fail",
            "milliseconds": 3,
            "differences": [
                {
                    "pointer": "/states/1/ok",
                    "expected": False,
                    "actual": True,
                    "clause": "HEARTS-05",
                }
            ],
            "message": "",
            "stderr": "",
        }
    ],
}

#: A value with the name of the schema that it is held against.
Held = tuple[str, Any]


@cache
def good_requests() -> list[Json]:
    """Requests that are as they should be, of every game: our own, played, and from vectors."""
    found = list(REQUESTS)
    for game in GAMES:
        found.append(random_request(game, Random(game)))
        found.append({"op": "shuffle", "game": game, "seed": game})
    kinds: set[tuple[str, str]] = set()
    for case in hand_worked_cases():
        request = case["request"]
        if case["id"].split("/")[0] in GAMES and "error" not in case["response"]:
            kind = (request["game"], request["op"])
            if kind not in kinds:
                found.append(request)
            kinds.add(kind)
    return found


@cache
def hand_worked_cases() -> list[Json]:
    """The cases that people wrote."""
    return [
        case
        for path in paths(VECTORS)
        if path.parent.name != "generated"
        for case in json.loads(path.read_text("utf-8"))["cases"]
    ]


@cache
def good_values() -> list[Held]:
    """Values of every schema that fit it."""
    requests = good_requests()
    return [
        *[("request", request) for request in requests],
        *[("response", replay(request)) for request in requests],
        ("response", {"error": "/op: expected another"}),
        *[("vector-file", file) for file in FILES],
        ("index", INDEX),
        ("hello", HELLO),
        ("hello", {"protocol": 1, "engine": ENGINE, "games": full_claims(GAMES)}),
        ("report", REPORT),
        ("report", {**REPORT, "engine": None, "cases": []}),
    ]


def damaged(value: Any) -> Iterator[Any]:
    """The value with one thing wrong, over and over; a few of the damages do no harm."""
    match value:
        case dict():
            yield {**value, "unknown_field": 1}
            yield list(value)
            for key, each in value.items():
                rest = {other: value[other] for other in value if other != key}
                yield rest
                yield {**rest, f"{key}x": each}
                for worse in damaged(each):
                    yield {**value, key: worse}
        case list():
            yield value[:-1]
            yield value + value[-1:]
            yield [*value, None]
            yield {"0": value}
            for place in sorted({0, 1, len(value) - 1} & set(range(len(value)))):
                for worse in damaged(value[place]):
                    yield [*value[:place], worse, *value[place + 1 :]]
        case bool():
            yield from (not value, int(value), str(value).lower(), None)
        case int():
            yield from (value + 1, -1 - value, value + 10**10, 2**53, str(value), value == 1, None)
        case str():
            swapped = value.replace("C", "c", 1)
            yield from (f"{value}\n", f" {value}", f"{value} 2C", swapped, value[:-1], f"{value}é")
            yield from (value.replace(" ", "  ", 1), value.replace("T", "10", 1), "", [value], 5)


@cache
def damaged_values() -> list[Held]:
    """Damage to the good values, each variant once."""
    found = {
        (name, json.dumps(worse)): worse
        for name, value in good_values()
        for worse in damaged(shortened(value))
    }
    return [(name, worse) for (name, _), worse in found.items()]


def shortened(value: Any) -> Any:
    """A value with its long lists cut, so that their damage doesn't take all day."""
    match value:
        case dict():
            return {key: shortened(each) for key, each in value.items()}
        case list() if len(value) > 16:
            return [shortened(each) for each in (*value[:3], *value[-3:])]
        case list():
            return [shortened(each) for each in value]
    return value


# Three validators.


def by_rust(held: list[Held], schemas: Mapping[str, Any] = SCHEMAS) -> list[bool]:
    """The verdicts of jsonschema_rs."""
    validators = {name: jsonschema_rs.validator_for(each) for name, each in schemas.items()}
    return [validators[f"{name}.schema.json"].is_valid(value) for name, value in held]


def by_python(held: list[Held], schemas: Mapping[str, Any] = SCHEMAS) -> list[bool]:
    """The verdicts of jsonschema."""
    validators = {name: Draft202012Validator(each) for name, each in schemas.items()}
    return [validators[f"{name}.schema.json"].is_valid(value) for name, value in held]


def by_ajv(lines: list[Json], schemas: Path) -> list[bool]:
    """The verdicts of Ajv under Node on lines as tests/node/validate.mjs reads them."""
    require_ajv()
    answer = subprocess.run(
        ["node", NODE / "validate.mjs", schemas],
        input="".join(json.dumps(line) + "\n" for line in lines),
        capture_output=True,
        encoding="utf-8",
        timeout=600,
        check=False,
    )
    assert answer.returncode == 0, answer.stderr
    # In strict mode Ajv says what it finds doubtful in a schema.
    assert answer.stderr == ""
    return [json.loads(line)["valid"] for line in answer.stdout.splitlines()]


def require_ajv() -> None:
    """Skip without Node and Ajv, but not in CI, where they have to be there."""
    missing = ""
    if not shutil.which("node"):
        missing = "Node is not installed"
    elif not (NODE / "node_modules" / "ajv").is_dir():
        missing = "Ajv is not installed: run npm ci in tests/node"
    if missing and os.environ.get("CI") == "true":
        pytest.fail(missing)
    if missing:
        pytest.skip(missing)


def differences(one: list[bool], other: list[bool], held: list[Held]) -> list[str]:
    """Where two validators differ, shown shortly."""
    return [
        f"{first} or {second}: {name} {json.dumps(value)[:300]}"
        for first, second, (name, value) in zip(one, other, held, strict=True)
        if first != second
    ]


def as_lines(held: list[Held]) -> list[Json]:
    """Values as tests/node/validate.mjs reads them."""
    return [{"schema": name, "value": value} for name, value in held]


def test_what_is_as_it_should_be_fits_its_schema() -> None:
    unfit = [held for held in good_values() if problems(*held)]
    assert [(name, problems(name, value)) for name, value in unfit] == []


def test_damage_is_plenty_and_of_both_kinds() -> None:
    verdicts = by_rust(damaged_values())
    for name in ("request", "response", "vector-file", "index", "hello", "report"):
        found = [v for v, held in zip(verdicts, damaged_values(), strict=True) if held[0] == name]
        assert found.count(False) >= 30, name
        assert found.count(True) >= 3, name
    assert verdicts.count(False) >= 1000


def test_two_validators_in_python_agree_on_damaged_values() -> None:
    held = damaged_values()
    assert differences(by_rust(held), by_python(held), held) == []


def test_a_validator_in_javascript_agrees_on_damaged_values(tmp_path: Path) -> None:
    held = damaged_values()
    write(tmp_path)
    assert differences(by_rust(held), by_ajv(as_lines(held), tmp_path), held) == []


# The vectors.


def schema_of(path: Path) -> str:
    """The schema by which a file below the vectors is read."""
    return "index" if path.name == "index.json" else "vector-file"


def vector_files() -> list[Path]:
    """Every vector file, and the index if there is one."""
    index = VECTORS / "index.json"
    return paths(VECTORS) + ([index] if index.exists() else [])


def vector_values(most: int | None = None) -> list[Held]:
    """The vector files; most bounds the cases that are taken from a generated one."""
    found: list[Held] = []
    for path in vector_files():
        value = json.loads(path.read_text("utf-8"))
        if path.parent.name == "generated":
            value["cases"] = value["cases"][:most]
        found.append((schema_of(path), value))
    return found


def test_every_vector_file_fits_its_schema() -> None:
    wrong = {
        f"{path.relative_to(VECTORS)}": problems(*held)
        for path, held in zip(vector_files(), vector_values(), strict=True)
        if path.name == "index.json" or held[1]["game"] in GAMES
    }
    assert {path: lines for path, lines in wrong.items() if lines} == {}


def test_two_validators_in_python_agree_on_the_vectors() -> None:
    # The slow one takes minutes over the generated files, so it gets their first cases.
    held = vector_values(most=3)
    assert differences(by_rust(held), by_python(held), held) == []


def test_a_validator_in_javascript_agrees_on_the_vectors(tmp_path: Path) -> None:
    write(tmp_path)
    held = vector_values()
    lines = [{"schema": schema_of(path), "file": str(path)} for path in vector_files()]
    assert differences(by_rust(held), by_ajv(lines, tmp_path), held) == []


def test_the_reference_answers_the_vectors_in_the_shape_of_the_response_schema() -> None:
    for case in hand_worked_cases():
        if case["id"].split("/")[0] in GAMES:
            assert problems("response", replay(case["request"])) == [], case["id"]


def test_a_case_that_states_the_whole_response_fits_without_being_partial() -> None:
    for game in GAMES:
        cases = [
            {key: case[key] for key in case if key != "partial"}
            | {"response": replay(case["request"])}
            for case in hand_worked_cases()
            if case["id"].startswith(f"{game}/")
        ]
        if cases:
            assert problems("vector-file", {**FILES[0], "game": game, "cases": cases}) == []


# The reader.


def without_tally_check(game: type[Table]) -> type[Table]:
    """A game whose reader looks at a tally no closer than a schema can."""
    return type(
        game.__name__, (game,), {"check_tally": classmethod(lambda cls, rules, tally: None)}
    )


LENIENT = {name: without_tally_check(game) for name, game in GAMES.items()}
#: What the reader says of a deal in which a card is twice; a schema can't see it.
TWICE = re.compile(r"comes twice|lies already at")


def refusal(request: Any, games: Mapping[str, type[Table]] = LENIENT) -> str:
    """Why the reader refuses a request; nothing if it doesn't."""
    try:
        read_request(request, games)
    except WrongRequest as error:
        return str(error)
    return ""


def disagreements(
    requests: list[Any], schema: Any = SCHEMAS["request.schema.json"], games: Any = LENIENT
) -> list[str]:
    """Where the reader and the schema of requests differ, as far as a schema can see."""
    fits = jsonschema_rs.validator_for(schema).is_valid
    found = []
    for request in requests:
        why = refusal(request, games)
        if not TWICE.search(why) and fits(request) != (not why):
            found.append(f"{why or 'accepted'}: {json.dumps(request)[:300]}")
    return found


def test_the_reader_and_the_schema_agree_on_damaged_requests() -> None:
    requests = [value for name, value in damaged_values() if name == "request"]
    assert sum(bool(refusal(request)) for request in requests) >= 200
    assert sum(not refusal(request) for request in requests) >= 50
    assert disagreements(requests) == []


def test_the_reader_and_the_schema_agree_on_the_requests_of_the_vectors() -> None:
    requests = [
        case["request"] for case in hand_worked_cases() if case["id"].split("/")[0] in GAMES
    ]
    assert disagreements(requests + good_requests()) == []


def test_a_card_that_is_twice_in_a_deal_is_for_the_reader_to_see() -> None:
    twice = {**REPLAY, "deals": [{"hands": [SUITS[0], *SUITS[:3]]}]}
    assert problems("request", twice) == []
    assert "lies already" in replay(twice)["error"]


def test_a_tally_that_no_hand_can_give_is_for_the_reader_to_see() -> None:
    tally = {**REQUESTS[4], "tally": {"hearts": [13, 13, 0, 0], "queen": 0}}
    assert problems("request", tally) == []
    assert "13 hearts in all" in replay(tally)["error"]


@pytest.mark.parametrize("name", ["a\nb", "a\ud800b"])
def test_a_refusal_is_one_line_of_utf_8_whatever_a_field_is_called(name: str) -> None:
    for request in ({**REPLAY, name: 1}, {**REPLAY, "rules": {name: 1}}):
        lines = [replay(request)["error"], *problems("request", request)]
        assert len(lines) == 2
        for line in lines:
            assert "unknown field" in line or "no such option" in line
            assert line.encode().decode().splitlines() == [line]


# A game that nobody has written yet.


@dataclass(frozen=True)
class ToyRules:
    """Options, one of them beside another."""

    target: int = option(
        OneOf((501, 1001)), 501, "TOY-R02", "The end.",
        under=("scale", {"tens": (OneOf((51, 101)), 51)}),
    )  # fmt: skip
    scale: str = option(OneOf(("full", "tens")), "full", "TOY-R01", "The scale.")
    cards: str = option(Text("[a-z]{2}|none"), "none", "TOY-R03", "Two letters, or none.")


@dataclass(frozen=True)
class ToyStart:
    """A start of one of two shapes."""

    scores: tuple[Any, ...] = part(Several(2, Either(Whole(0, 9), OneOf(("high",)))), "", (0, 0))


@dataclass(frozen=True)
class ToyDeal:
    """A set and a row that together are the pack."""

    rows: tuple[Any, ...] = part(Several(2, CardRow(24)), "Two rows.")
    kitty: int = part(CardSet(6), "The rest.")


@dataclass(frozen=True)
class ToyTally:
    """Something to score."""

    level: int = part(Whole(1, 7), "The level.")


class Toy(Table):
    """Only what a game states of itself."""

    name = "toy"
    title = "Toy"
    seats = 2
    side_name = "team"
    sides = 2
    pack = (1 << 54) - 1
    notation = Notation(
        2,
        {"bid": Words((None, ("up", "down"))), "pass": Words(), "play": OneCard()},
        chance={"replace": SomeCards(0, 3)},
    )
    parts = Parts(ToyRules, ToyStart, ToyDeal, ToyTally)
    contract: ClassVar[Mapping[str, Any]] = {"level": Whole(1, 7)}
    counts: ClassVar[Mapping[str, Any]] = {"rounds_won": Several(2, Whole())}
    view_extra: ClassVar[Mapping[str, Any]] = {"stacks": Several(2, Text("[+-]{3}"))}

    @classmethod
    def check_tally(cls, rules: Any, tally: Any) -> None:
        """Any tally will do."""


TOYS: dict[str, type[Table]] = {"toy": Toy, "hearts": Hearts}
TOY_SCHEMAS = build(TOYS)
_PACK = " ".join([*SUITS, "BJ RJ"]).split()
TOY_DEAL = {
    "rows": [" ".join(_PACK[:24]), " ".join(_PACK[24:48])],
    "kitty": " ".join(_PACK[:47:-1]),
}
TOY_REQUESTS: list[Json] = [
    {"op": "replay", "game": "toy", "rules": rules, "deals": [TOY_DEAL], "actions": ["0 pass"]}
    for rules in (
        {}, {"target": 1001}, {"scale": "tens", "target": 101}, {"scale": "full", "target": 501},
        {"cards": "ab"},
    )
] + [
    {"op": "score", "game": "toy", "rules": {}, "start": {"scores": [3, "high"]},
     "tally": {"level": 7}},
    {"op": "view", "game": "toy", "rules": {}, "deals": [], "actions": [], "seat": 1},
]  # fmt: skip
TOY_LEGAL = {
    "0": ["bid 3 up", "bid 0 down", "pass", "play BJ"],
    "chance": ["replace {0-3} 2C RJ", "replace 2C 3C", "replace"],
}
TOY_HAND = {
    "delta": [5, 0],
    "scores": [5, 0],
    "rounds_won": [1, 0],
    "breakdown": [{"team": 0, "clause": "TOY-27", "points": 5}],
}
TOY_RESPONSES: list[Json] = [
    {
        "states": [
            {"legal": TOY_LEGAL},
            {"ok": True, "legal": {}, "contract": {"level": 3}, "hand": TOY_HAND},
        ]
    },
    {"hand": "BJ", "known": {"trick": "RJ"}, "unknown": {"kitty": 6}, "stacks": ["++-", "---"],
     "legal": ["pass"]},
    {"nodes": "12", "divide": {"1 bid 3 up": "11", "chance replace 2C": "1"}},
    {"hand": TOY_HAND, "match": {"winners": [1]}},
    {"deal": TOY_DEAL},
]  # fmt: skip


def test_a_new_game_needs_no_change_to_the_schemas() -> None:
    held: list[Held] = [("request", request) for request in TOY_REQUESTS]
    held += [("response", response) for response in TOY_RESPONSES]
    assert by_rust(held, TOY_SCHEMAS) == [True] * len(held)


def test_the_reader_and_the_schema_agree_on_damaged_requests_of_a_new_game() -> None:
    requests = [worse for request in TOY_REQUESTS for worse in damaged(request)]
    requests += [
        {**TOY_REQUESTS[0], "rules": rules}
        for scale in ({}, {"scale": "full"}, {"scale": "tens"}, {"scale": ["tens"]}, {"scale": 1})
        for target in ({}, {"target": 51}, {"target": 501}, {"target": 1})
        for rules in ({**scale, **target}, {**target, **scale})
    ]
    assert disagreements(requests, TOY_SCHEMAS["request.schema.json"], TOYS) == []


def test_three_validators_agree_on_damage_in_a_new_game(tmp_path: Path) -> None:
    held: list[Held] = [
        (name, worse)
        for name, values in (("request", TOY_REQUESTS), ("response", TOY_RESPONSES))
        for value in values
        for worse in damaged(value)
    ]
    found = by_rust(held, TOY_SCHEMAS)
    assert found.count(False) >= 200
    assert found.count(True) >= 20
    assert differences(found, by_python(held, TOY_SCHEMAS), held) == []
    write(tmp_path, TOYS)
    assert differences(found, by_ajv(as_lines(held), tmp_path), held) == []


def test_no_game_is_named_in_the_code_of_the_schemas() -> None:
    words = "|".join([*GAMES, *(game.title for game in GAMES.values())])
    for path in Path(oracle.schemas.__file__).parent.glob("*.py"):
        assert not re.findall(words, path.read_text("utf-8"), re.IGNORECASE), path


# What the schemas refuse.


def changed(value: Any, *way: Any) -> Any:
    """The value with the last of these in the place to which the others lead."""
    place, *rest = way
    if not rest:
        return place
    copy = value.copy()
    copy[place] = changed(value[place] if rest[1:] else None, *rest)
    return copy


STATES = CASES[0]["response"]["states"]


@pytest.mark.parametrize(
    ("name", "value", "line"),
    [
        ("request", [], "the request: expected an object, found []"),
        ("request", {"op": "replay"}, 'the request: the field "game" is missing'),
        ("request", {**REPLAY, "op": "deal"}, '/op: expected one of "replay", "view", "perft", '
         '"score", "shuffle", found "deal"'),
        ("request", {**REPLAY, "seat": 1}, "/seat: unknown field; there may be op, game, rules, "
         "start, deals, actions"),
        ("request", changed(REPLAY, "actions", 1, 5), "/actions/1: expected a string, found 5"),
        ("request", changed(REPLAY, "deals", 0, "hands", 3, "2S"),
         '/deals/0/hands/3: expected 13 cards with single spaces, found "2S"'),
        ("request", changed(REPLAY, "deals", 0, "hands", SUITS[:3]),
         "/deals/0/hands: expected a list of 4, each 13 cards with single spaces, found "),
        ("request", changed(REPLAY, "rules", "target", 0),
         "/rules/target: expected an integer from 1 to 1000000000, found 0"),
        ("response", {"states": [{"legal": {}}, {"ok": False, "legal": {}}]},
         '/states/1: the field "clause" is missing'),
        ("response", {"states": [{"legal": {}}, {"ok": True, "legal": {"0": ["dance"]}}]},
         '/states/1/legal/0/0: expected an action without its seat, or a pattern, found "dance"'),
        ("response", {"states": []}, "/states: expected a list of at least 1, each an object, "),
        ("response", {"error": "two\nlines"}, "/error: expected a text on one line, found "),
        ("response", {"hand": "2C ", "known": {}, "unknown": {}, "legal": []},
         '/hand: expected cards with single spaces, found "2C "'),
        ("vector-file", {**FILES[0], "format": 2}, "/format: expected 1, found 2"),
        ("vector-file", changed(FILES[0], "cases", 0, "response", "states", 1, "ok", True),
         "/cases/0/response/states/1/clause: unknown field; there may be ok, legal, "),
        ("vector-file", changed(FILES[1], "cases", 0, "partial", True),
         '/cases/0/source/kind: expected "hand-worked", found "generated"'),
        ("vector-file", changed(FILES[0], "cases", 0, "clauses", []),
         "/cases/0/clauses: expected a list of at least 1, each the id of a clause or ruling"),
        ("vector-file", changed(FILES[0], "cases", 0, "flags", ["one", "one"]),
         '/cases/0/flags: an entry comes twice in ["one", "one"]'),
        ("vector-file", changed(FILES[0], "notes", {"Any Club": "It opens."}),
         "/notes: expected a name in small letters with hyphens"),
        ("hello", changed(HELLO, "games", "hearts", "options", "target", [0]),
         "/games/hearts/options/target/0: expected an integer from 1 to 1000000000, found 0"),
        ("report", {**REPORT, "engine": "mine"},
         '/engine: expected an object, or null, found "mine"'),
    ],
)  # fmt: skip
def test_a_line_says_where_and_what_was_expected(name: str, value: Any, line: str) -> None:
    assert problems(name, value)[0].startswith(line)


def test_damage_is_told_in_lines_that_begin_with_the_place() -> None:
    held = damaged_values()[::4]
    for (name, value), fits in zip(held, by_rust(held), strict=True):
        lines = problems(name, value)
        assert bool(lines) != fits
        for line in lines:
            assert re.match(r'(/|"/|the [a-z ]+: )', line), line
            assert line.isprintable(), line


def test_a_string_that_utf_8_cannot_hold_is_told_and_not_raised() -> None:
    assert problems("request", {**REPLAY, "op": "\ud800"})[0].startswith("/op: expected one of")
    assert problems("request", {**REPLAY, "actions": ["\ud800"]}) == []


PARTIAL = FILES[2]


@pytest.mark.parametrize(
    "states",
    [
        [{}],
        [{}, {"ok": True}],
        [{"legal": {"0": ["play 2C"]}}, {"legal": {}}],
        [{}, {"clause": "CARD"}],
        [{}, {"trick": {"winner": 1}, "hand": {"scores": [0, 0, 0, 26]}, "match": {}}],
    ],
)
def test_a_partial_case_may_leave_out_what_it_is_not_about(states: list[Json]) -> None:
    response = {"states": states}
    assert problems("vector-file", changed(PARTIAL, "cases", 0, "response", response)) == []
    whole = changed(FILES[0], "cases", 0, "response", response)
    assert problems("vector-file", whole) != []


@pytest.mark.parametrize(
    "state",
    [
        {"ok": True, "clause": "CARD"},
        {"ok": False, "trick": {"winner": 1}},
        {"comment": "as before"},
        {"hand": {"breakdown": [{"seat": 0, "clause": "HEARTS-13"}]}},
        {"hand": {"delta": [1, 2]}},
        {"hand": {"breakdown": [{"seat": 0, "clause": "HEARTS-13", "points": 0}]}},
        {"legal": {"chance": ["play 2C"]}},
        {"match": [0]},
        {"trick": {"winner": 4}},
    ],
)
def test_a_partial_case_holds_nothing_unknown_and_its_lists_are_whole(state: Json) -> None:
    response = {"states": [{}, state]}
    assert problems("vector-file", changed(PARTIAL, "cases", 0, "response", response)) != []


def test_a_response_is_held_to_the_op_and_the_game_of_its_request() -> None:
    view = replay(REQUESTS[2])
    assert problems("response", view) == []
    assert problems("vector-file", changed(FILES[0], "cases", 0, "response", view)) != []
    line = {"team": 0, "clause": "HEARTS-13", "points": 1}
    hand = {"hand": {"breakdown": [line]}}
    assert problems("vector-file", changed(FILES[5], "cases", 0, "response", hand)) != []


def test_an_answer_to_hello_may_hold_unknown_fields_at_every_level() -> None:
    hello = {**HELLO, "motto": 1, "engine": {**ENGINE, "motto": 1}}
    hello["games"] = {"poker": 1, "hearts": {**HELLO["games"]["hearts"], "motto": 1}}
    assert problems("hello", hello) == []


def test_an_index_that_is_built_fits_its_schema() -> None:
    cases = [
        Case(**{**case, "id": f"{case['id']}-{n}", "clauses": tuple(case["clauses"])})
        for n, case in enumerate(CASES)
    ]
    files = [(Path("v/hearts/opening-lead.json"), SimpleNamespace(cases=cases))]
    index = build_index(Path("v"), files, "0.1.0", [])  # type: ignore[arg-type]
    assert problems("index", index) == []
    assert index["totals"]["hearts"]["ops"] == {"error": 1, "replay": 3, "score": 2}


# The schemas themselves.


def walk(schema: Any, way: str) -> Iterator[tuple[str, Json]]:
    """Every schema within a schema with the way to it, except the conditions of an ``if``."""
    if isinstance(schema, bool):
        return
    yield way, schema
    for keyword in ("properties", "$defs", "dependentSchemas"):
        for name, inner in schema.get(keyword, {}).items():
            yield from walk(inner, f"{way}/{keyword}/{name}")
    for keyword in ("items", "additionalProperties", "propertyNames", "then", "else", "not"):
        if keyword in schema:
            yield from walk(schema[keyword], f"{way}/{keyword}")
    for keyword in ("allOf", "anyOf", "oneOf", "prefixItems"):
        for place, inner in enumerate(schema.get(keyword, ())):
            yield from walk(inner, f"{way}/{keyword}/{place}")


def everywhere(schemas: Mapping[str, Any] = SCHEMAS) -> Iterator[tuple[str, Json]]:
    """Every schema within all schemas."""
    for name, schema in schemas.items():
        yield from walk(schema, name)


def test_the_walk_knows_every_keyword_that_holds_schemas() -> None:
    plain = {
        "$schema", "$id", "$ref", "title", "description", "default", "type", "enum", "const",
        "pattern", "minimum", "maximum", "minItems", "maxItems", "uniqueItems", "required", "if",
    }  # fmt: skip
    walked = {
        "properties", "$defs", "dependentSchemas", "items", "additionalProperties",
        "propertyNames", "then", "else", "not", "allOf", "anyOf", "oneOf", "prefixItems",
    }  # fmt: skip
    for way, schema in everywhere(SCHEMAS | {f"toy-{n}": s for n, s in TOY_SCHEMAS.items()}):
        assert set(schema) <= plain | walked, way


def test_every_property_is_described() -> None:
    def fields(schema: Json) -> dict[str, Any]:
        values = schema.get("additionalProperties")
        named = {"each": values} if isinstance(values, dict) else {}
        return {**schema.get("properties", {}), **named}

    bare = [
        f"{way}: {name}"
        for way, schema in everywhere()
        for name, inner in fields(schema).items()
        # What a condition adds to a field that is described beside it.
        if not re.search(r"(then|else)$|dependentSchemas/", way)
        and len(inner.get("description", "")) < 9
    ]
    assert bare == []
    assert sum(bool(fields(schema)) for _, schema in everywhere()) > 50


def test_no_object_lets_unknown_fields_pass_but_in_the_answer_to_hello() -> None:
    for way, schema in everywhere():
        # An object without fields is one whose form is said elsewhere, by op and game.
        if schema.get("type") == "object" and ("properties" in schema or "oneOf" not in schema):
            if way.startswith("hello"):
                assert schema["additionalProperties"] is True, way
            elif not re.search(r"case/(properties/re(quest|sponse)$|dependentSchemas/)", way):
                assert schema["additionalProperties"] is not True, way


def test_every_pattern_has_a_title_in_words_and_fits_the_whole_string() -> None:
    for way, schema in everywhere():
        if "pattern" in schema and not way.endswith("/not"):
            assert schema["title"], way
            assert re.fullmatch(r"\^\(\?:.*\)\$", schema["pattern"]), way
            assert schema["not"] == {"pattern": "\\n"}, way


def test_patterns_keep_to_what_the_regular_expressions_of_every_language_know() -> None:
    for way, schema in everywhere(SCHEMAS | {f"toy-{n}": s for n, s in TOY_SCHEMAS.items()}):
        pattern = schema.get("pattern", "")
        assert "(?" not in pattern.replace("(?:", ""), way
        assert set(re.findall(r"\\(.)", pattern)) <= set(".+{}rn"), way


def test_a_schema_refers_to_itself_only_and_names_no_host() -> None:
    for name, schema in SCHEMAS.items():
        assert schema["$id"] == f"urn:trick-oracle:schema:{name.removesuffix('.schema.json')}:1"
        text = json.dumps({**schema, "$schema": ""})
        assert "//" not in text, name
        defs = set(schema.get("$defs", ()))
        refs = [inner["$ref"] for _, inner in walk(schema, "") if "$ref" in inner]
        assert {ref.removeprefix("#/$defs/") for ref in refs} == defs, name


def test_the_schemas_are_valid_by_their_dialect() -> None:
    for schema in SCHEMAS.values():
        Draft202012Validator.check_schema(schema)
        assert jsonschema_rs.meta.is_valid(schema)


def test_every_default_fits_its_own_schema() -> None:
    defaults = 0
    for name, schema in SCHEMAS.items():
        for way, inner in walk(schema, name):
            if "default" in inner:
                defaults += 1
                alone = {**inner, "$defs": schema["$defs"]}
                assert Draft202012Validator(alone).is_valid(inner["default"]), way
    assert defaults > 10


def test_every_op_of_every_game_has_a_request_and_a_response() -> None:
    definitions = SCHEMAS["vector-file.schema.json"]["$defs"]
    for game in GAMES:
        for op in FIELDS:
            for kind in (f"{op}-request", f"{op}-response"):
                assert f"{game}-{kind}" in definitions
            assert f"partial-{game}-{op}-response" in definitions


def test_the_schemas_know_the_verdicts_and_reports_of_the_runner() -> None:
    assert tuple(report.VERDICTS) == VERDICTS
    assert protocol.REPORTS == REPORTS


def test_the_published_files_are_what_the_games_say(tmp_path: Path) -> None:
    write(tmp_path)
    made = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    published = {path.name: path.read_bytes() for path in folder("schemas").iterdir()}
    stale = "run python -m oracle.schemas"
    assert sorted(published) == sorted(made), stale
    assert [name for name in made if made[name] != published[name]] == [], stale


def test_building_twice_gives_values_of_their_own() -> None:
    one, other = build(), build()
    one["request.schema.json"].clear()
    assert other == SCHEMAS
