"""``oracle verify``: every kind of damage to a folder of vectors is found and told by its place."""

import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from commands import CASES, REQUEST, case, oracle, vector_file, write_folder, write_index

from oracle import __version__, schemas
from oracle.cli import FAILED
from oracle.generate.recipes import make, published
from oracle.replay import replay
from oracle.vectors.cases import Case, VectorFile, load_file, load_folder, save_file
from oracle.vectors.index import case_hash

Json = dict[str, Any]

OPENING = "hearts/opening.json"
HANDS = "hearts/generated/hands.json"


@cache
def generated() -> VectorFile:
    """The first cases of a published generated set."""
    (recipe,) = [recipe for recipe in published("hearts") if recipe.topic == "hands"]
    return make(replace(recipe, count=2))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a hand-worked and a generated file in which nothing is wrong."""
    files = [(OPENING, vector_file(*CASES)), (HANDS, generated())]
    return write_folder(tmp_path / "vectors", files)


def problems(folder: Path) -> list[str]:
    """What verify finds wrong, a line each."""
    done = oracle("verify", "--vectors", folder)
    assert done.err == ""
    *lines, summary = done.out.splitlines()
    assert done.code == (FAILED if lines else 0)
    number = "1 problem" if len(lines) == 1 else f"{len(lines)} problems"
    assert summary.endswith(f"cases verified, {number}")
    assert all(line.isprintable() and len(line) < 700 for line in lines)
    return lines


def put(folder: Path, *cases: Case, **fields: Any) -> None:
    """Write the hand-worked file anew with these cases, and the index for it."""
    write_folder(folder, [(OPENING, vector_file(*cases, **fields))])


def edit(path: Path, change: Callable[[Json], object]) -> None:
    """Change a vector file as a person would, keeping its layout."""
    value = json.loads(path.read_text())
    change(value)
    cases = [json.dumps(each, ensure_ascii=False) for each in value.pop("cases")]
    lines = [f'"{name}": {json.dumps(each, ensure_ascii=False)},' for name, each in value.items()]
    path.write_text("\n".join(["{", *lines, '"cases": [', ",\n".join(cases), "]", "}", ""]))


def response_of(request: Json) -> Json:
    response: Json = replay(request)
    return response


THREE_OF_CLUBS, KING_OF_CLUBS = CASES


def test_nothing_is_found_where_nothing_is_wrong(folder: Path) -> None:
    assert problems(folder) == []
    assert oracle("verify", "--vectors", folder).out == "4 cases verified, 0 problems\n"


def test_editing_a_file_in_its_layout_and_back_changes_nothing(folder: Path) -> None:
    before = (folder / OPENING).read_bytes()
    edit(folder / OPENING, lambda file: file)
    assert (folder / OPENING).read_bytes() == before


# Responses.


def test_a_changed_response_of_a_hand_worked_case_is_told_with_both(folder: Path) -> None:
    wrong = json.loads(json.dumps(THREE_OF_CLUBS.response))
    wrong["states"][1]["clause"] = "TURN"
    put(folder, replace(THREE_OF_CLUBS, response=wrong), KING_OF_CLUBS)
    assert problems(folder) == [
        'hearts/opening/three-of-clubs: at /states/1/clause it says "TURN", '
        'and the reference "HEARTS-05"'
    ]


def test_a_missing_or_surplus_state_of_a_case_is_told(folder: Path) -> None:
    states = THREE_OF_CLUBS.response["states"]
    put(folder, replace(THREE_OF_CLUBS, response={"states": states[:-1]}))
    (problem,) = problems(folder)
    assert "at /states/3 it says nothing, and the reference {" in problem
    put(folder, replace(THREE_OF_CLUBS, response={"states": [*states, states[-1]]}))
    (problem,) = problems(folder)
    assert "at /states/4 it says {" in problem
    assert problem.endswith("and the reference nothing")


def test_a_hand_worked_case_that_leaves_something_out_must_say_that_it_is_partial(
    folder: Path,
) -> None:
    states: list[Json] = [{}, {"ok": False, "clause": "HEARTS-05"}, {"ok": True}, {}]
    partial = replace(THREE_OF_CLUBS, response={"states": states}, partial=True)
    put(folder, partial)
    assert problems(folder) == []
    wrong = [{}, {"ok": True}, {"ok": True}, {}]
    put(folder, replace(partial, response={"states": wrong}))
    (problem,) = problems(folder)
    assert "at /states/1/ok it says true, and the reference false" in problem


def test_a_hand_worked_case_may_order_its_sets_as_it_likes(folder: Path) -> None:
    response = json.loads(json.dumps(KING_OF_CLUBS.response))
    response["states"][-1]["legal"]["2"].reverse()
    put(folder, THREE_OF_CLUBS, replace(KING_OF_CLUBS, response=response))
    assert problems(folder) == []


def test_a_wrong_request_must_be_wrong_and_a_good_one_right(folder: Path) -> None:
    error = {"error": "/deals/0: expected an object"}
    put(folder, replace(THREE_OF_CLUBS, response=error))
    (problem,) = problems(folder)
    assert "hearts/opening/three-of-clubs: at the response it says" in problem
    wrong = {**REQUEST, "deals": [None]}
    put(folder, replace(THREE_OF_CLUBS, request=wrong, response=error))
    assert problems(folder) == []


def test_a_changed_response_of_a_generated_case_is_told_with_both(folder: Path) -> None:
    def change(file: Json) -> None:
        last = next(each for each in reversed(file["cases"][1]["response"]["states"]) if each["ok"])
        last["hand"]["scores"][0] += 1

    edit(folder / HANDS, change)
    told, index = problems(folder)
    assert told.startswith("hearts/hands/0002: at /states/")
    assert "/hand/scores it says [" in told
    assert "hearts/hands/0002 is not as it was (sha256)" in index


def test_a_generated_response_must_be_written_as_the_reference_writes_it(folder: Path) -> None:
    def change(file: Json) -> None:
        file["cases"][0]["response"]["states"][0]["legal"]["0"].reverse()
        file["cases"][1]["response"]["states"][0]["legal"] = dict(
            reversed(file["cases"][1]["response"]["states"][0]["legal"].items())
        )

    edit(folder / HANDS, change)
    write_index(folder)
    found = problems(folder)
    assert found
    assert all("not written as it writes it" in line for line in found)


def test_a_case_that_is_newer_than_its_suite_is_told(folder: Path) -> None:
    put(folder, replace(THREE_OF_CLUBS, since="7.0.0"), KING_OF_CLUBS)
    assert problems(folder) == [
        f"hearts/opening/three-of-clubs: since 7.0.0, and the suite is {__version__}"
    ]
    put(folder, replace(THREE_OF_CLUBS, since="0.0.10"), KING_OF_CLUBS)
    assert problems(folder) == []


def test_a_case_that_is_wrong_on_purpose_is_never_partial(folder: Path) -> None:
    error = {"error": "/deals/0: expected an object"}
    wrong = replace(THREE_OF_CLUBS, request={**REQUEST, "deals": [None]}, response=error)
    put(folder, replace(wrong, partial=True))
    assert problems(folder) == [
        "hearts/opening/three-of-clubs: an error has no parts, so the case can't be partial"
    ]


@pytest.mark.parametrize("states", [[{}, {}, {}, {}], [{}, {"hand": {}}, {"trick": {}}, {}]])
def test_a_case_that_states_nothing_is_told(folder: Path, states: list[Json]) -> None:
    put(folder, replace(THREE_OF_CLUBS, response={"states": states}, partial=True))
    assert "hearts/opening/three-of-clubs: the response states nothing" in problems(folder)


@pytest.mark.parametrize("response", [{}, {"hand": {}}])
def test_a_score_that_states_nothing_is_told(folder: Path, response: Json) -> None:
    request = {
        "op": "score",
        "game": "hearts",
        "rules": {},
        "tally": {"hearts": [13, 0, 0, 0], "queen": 1},
    }
    empty = replace(THREE_OF_CLUBS, request=request, response=response, partial=True)
    put(folder, empty)
    assert "hearts/opening/three-of-clubs: the response states nothing" in problems(folder)


def test_that_nobody_may_act_is_a_statement(folder: Path) -> None:
    request = {**REQUEST, "deals": [], "actions": []}
    over = {"states": [{"legal": {}}]}
    put(folder, replace(THREE_OF_CLUBS, request=request, response=over, partial=True))
    assert problems(folder) == []


# Generated files.


def test_a_generated_case_is_what_its_seed_gives(folder: Path) -> None:
    def other_request(file: Json) -> None:
        first = file["cases"][0]
        first["request"]["actions"].pop()
        first["response"] = response_of(first["request"])

    edit(folder / HANDS, other_request)
    write_index(folder)
    assert problems(folder) == [
        "hearts/hands/0001: its seed gives another request "
        "(oracle generate --published writes the set again)"
    ]


@pytest.mark.parametrize(
    ("field", "value"), [("title", "A hand that I have touched."), ("clauses", ["HEARTS-01"])]
)
def test_a_generated_file_that_was_edited_by_hand_is_told(
    folder: Path, field: str, value: Any
) -> None:
    edit(folder / HANDS, lambda file: file["cases"][0].update({field: value}))
    write_index(folder)
    (problem,) = problems(folder)
    assert problem.startswith("hearts/hands/0001: its seed gives the same request with another")


def test_cases_generated_from_another_seed_are_nobodys_published_set(folder: Path) -> None:
    (recipe,) = [recipe for recipe in published("hearts") if recipe.topic == "hands"]
    others = make(replace(recipe, count=1, seed="my own", rules={"target": 50}))
    write_folder(folder, [(HANDS, others)])
    assert problems(folder) == []


def test_hand_worked_and_generated_cases_lie_apart(folder: Path) -> None:
    write_folder(folder, [("hearts/generated/opening.json", vector_file(*CASES))])
    (folder / OPENING).unlink()
    write_index(folder)
    (problem,) = problems(folder)
    assert problem.endswith(
        "generated/opening.json: hand-worked cases and generated ones lie apart"
    )


# Clauses, flags, ids, places.


def test_a_clause_that_the_rulebook_does_not_have_is_told(folder: Path) -> None:
    put(folder, replace(THREE_OF_CLUBS, clauses=("HEARTS-05", "HEARTS-98")), KING_OF_CLUBS)
    assert problems(folder) == ["hearts/opening/three-of-clubs: the rulebook has no HEARTS-98"]
    put(folder, replace(THREE_OF_CLUBS, clauses=("SPADES-13",)), KING_OF_CLUBS)
    assert problems(folder) == ["hearts/opening/three-of-clubs: the rulebook has no SPADES-13"]


def test_a_flag_without_a_note_and_a_note_without_a_flag_are_told(folder: Path) -> None:
    put(folder, replace(THREE_OF_CLUBS, flags=("any-card-opens", "unheard-of")), KING_OF_CLUBS)
    (problem,) = problems(folder)
    assert problem.endswith("opening.json: flags without a note: unheard-of")
    put(folder, *CASES, notes={"any-card-opens": "Any card may open.", "unused": "Nothing."})
    (problem,) = problems(folder)
    assert problem.endswith("opening.json: notes on flags that no case has: unused")


def test_an_id_that_comes_twice_is_told(folder: Path) -> None:
    put(folder, THREE_OF_CLUBS, replace(KING_OF_CLUBS, id=THREE_OF_CLUBS.id))
    (problem,) = problems(folder)
    assert problem == "ids that come twice: hearts/opening/three-of-clubs"


def test_an_id_that_comes_twice_in_two_files_is_told(folder: Path) -> None:
    other = case("three-of-clubs", request={"actions": ["0 play 4C"]})
    write_folder(folder, [("hearts/other.json", vector_file(other))])
    found = problems(folder)
    assert "ids that come twice: hearts/opening/three-of-clubs" in found


def test_the_same_request_twice_is_told(folder: Path) -> None:
    put(folder, THREE_OF_CLUBS, replace(THREE_OF_CLUBS, id="hearts/opening/three-again"))
    assert problems(folder) == [
        "hearts/opening/three-again: the same request as hearts/opening/three-of-clubs"
    ]


def test_an_id_of_another_topic_is_told(folder: Path) -> None:
    put(folder, replace(THREE_OF_CLUBS, id="hearts/ending/three-of-clubs"), KING_OF_CLUBS)
    assert problems(folder) == [
        "hearts/ending/three-of-clubs: an id here begins with hearts/opening/"
    ]


def test_a_file_that_is_not_called_like_its_topic_is_told(folder: Path) -> None:
    (folder / OPENING).rename(folder / "hearts/ending.json")
    write_index(folder)
    (problem,) = problems(folder)
    assert problem.endswith("ending.json: the topic is opening, and the file is called ending.json")


@pytest.mark.parametrize("place", ["spades/opening.json", "hearts/mine/opening.json"])
def test_a_file_that_lies_elsewhere_is_told(folder: Path, place: str) -> None:
    depth = place.count("/")
    (folder / place).parent.mkdir()
    (folder / place).write_text(vector_file(*CASES).text(depth))
    (folder / OPENING).unlink()
    lies = [line for line in problems(folder) if "a file of hearts lies in" in line]
    assert len(lies) == 1
    assert lies[0].endswith("hearts/ or hearts/generated/")


def test_a_file_of_another_version_of_the_suite_is_told(folder: Path) -> None:
    put(folder, *CASES, suite="9.9.9")
    (problem,) = problems(folder)
    assert "suite 9.9.9, and this is " in problem


# The form of files, and the index.


@pytest.mark.parametrize(
    "change",
    [
        lambda text: json.dumps(json.loads(text)),
        lambda text: json.dumps(json.loads(text), indent=2) + "\n",
        lambda text: text + "\n",
        lambda text: text.removesuffix("\n"),
        lambda text: text.replace('": ', '":', 1),
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace("opens a hand", "\\u006fpens a hand"),
        # No schemas lie beside this folder.
        lambda text: text.replace("{", '{\n"$schema": "../../schemas/vector-file.schema.json",', 1),
    ],
)
def test_a_file_that_is_not_one_case_a_line_is_told_and_mended(
    folder: Path, change: Callable[[str], str]
) -> None:
    proper = (folder / OPENING).read_text()
    loose = change(proper)
    assert loose != proper
    (folder / OPENING).write_bytes(loose.encode())
    (problem,) = problems(folder)
    assert "not written as it should be: one case a line (oracle verify --write" in problem
    done = oracle("verify", "--write", "--vectors", folder)
    assert (done.code, done.out) == (0, "4 cases verified, 0 problems\n")
    assert (folder / OPENING).read_text() == proper


def test_the_schemas_are_named_where_they_lie_beside_the_folder(folder: Path) -> None:
    files = [folder / OPENING, folder / HANDS, folder / "index.json"]
    assert all("$schema" not in json.loads(file.read_text()) for file in files)
    (folder.parent / "schemas").mkdir()
    schemas.write(folder.parent / "schemas")
    assert len(problems(folder)) == len(files)
    assert oracle("verify", "--write", "--vectors", folder).code == 0
    for file in files:
        assert (file.parent / json.loads(file.read_text())["$schema"]).resolve().is_file()


def test_a_missing_index_is_told_and_made(folder: Path) -> None:
    before = (folder / "index.json").read_bytes()
    (folder / "index.json").unlink()
    (problem,) = problems(folder)
    assert problem.endswith("index.json: there is no index (oracle verify --write makes it)")
    assert oracle("verify", "--write", "--vectors", folder).code == 0
    assert (folder / "index.json").read_bytes() == before


def change_title(folder: Path) -> None:
    edit(folder / OPENING, lambda file: file["cases"][0].update(title="Another title."))


def change_clauses(folder: Path) -> None:
    edit(folder / OPENING, lambda file: file["cases"][0].update(clauses=["HEARTS-R01"]))


def add_case(folder: Path) -> None:
    file = vector_file(*CASES, case("four-of-clubs", request={"actions": ["0 play 4C"]}))
    save_file(folder / OPENING, folder, file)


def remove_case(folder: Path) -> None:
    save_file(folder / OPENING, folder, vector_file(KING_OF_CLUBS))


def add_blank(folder: Path) -> None:
    with (folder / "index.json").open("a") as index:
        index.write("\n")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (change_title, "hearts/opening/three-of-clubs is not as it was (sha256)"),
        (change_clauses, "hearts/opening/three-of-clubs is not as it was (clauses)"),
        (add_case, "hearts/opening/four-of-clubs is missing"),
        (remove_case, "hearts/opening/three-of-clubs is in no file"),
        (add_blank, "not written as it should be"),
    ],
)
def test_a_stale_index_is_told_with_the_first_case_and_mended(
    folder: Path, change: Callable[[Path], None], words: str
) -> None:
    change(folder)
    (problem,) = problems(folder)
    assert problem.endswith(f"index.json: {words} (oracle verify --write makes it anew)")
    assert oracle("verify", "--write", "--vectors", folder).code == 0
    assert problems(folder) == []


def test_the_index_has_the_hash_of_every_case(folder: Path) -> None:
    index = json.loads((folder / "index.json").read_text())
    for _, vectors in load_folder(folder):
        for each in vectors.cases:
            assert index["cases"][each.id]["sha256"] == case_hash(each)
    assert index["totals"]["hearts"]["hand-worked"] == 2
    assert index["totals"]["hearts"]["generated"] == 2


RETIRED = {
    "id": "hearts/opening/any-club",
    "since": "0.1.0",
    "why": "It asked for an option that is none.",
}


def test_writing_the_index_keeps_the_ids_that_are_retired(folder: Path) -> None:
    write_index(folder, [RETIRED])
    add_case(folder)
    assert oracle("verify", "--write", "--vectors", folder).code == 0
    assert json.loads((folder / "index.json").read_text())["retired"] == [RETIRED]


def test_a_retired_id_that_is_used_again_is_told(folder: Path) -> None:
    write_index(folder, [{**RETIRED, "id": KING_OF_CLUBS.id}])
    assert problems(folder) == ["hearts/opening/king-of-clubs: a retired id is used again"]
    # No command mends that.
    assert oracle("verify", "--write", "--vectors", folder).code == FAILED


def test_one_broken_file_does_not_hide_what_is_wrong_in_another(folder: Path) -> None:
    put(folder, replace(THREE_OF_CLUBS, clauses=("HEARTS-98",)), KING_OF_CLUBS)
    (folder / HANDS).write_text("{")
    broken, clause = problems(folder)
    assert "hands.json: not JSON" in broken
    assert clause == "hearts/opening/three-of-clubs: the rulebook has no HEARTS-98"


def test_writing_changes_nothing_but_the_form(folder: Path) -> None:
    before = load_file(folder / OPENING)
    (folder / OPENING).write_text(json.dumps(json.loads((folder / OPENING).read_text())))
    assert oracle("verify", "--write", "--vectors", folder).code == 0
    assert load_file(folder / OPENING) == before


def test_writing_does_not_mend_a_wrong_response(folder: Path) -> None:
    states = [*THREE_OF_CLUBS.response["states"][:-1]]
    put(folder, replace(THREE_OF_CLUBS, response={"states": states}))
    assert oracle("verify", "--write", "--vectors", folder).code == FAILED
    assert load_file(folder / OPENING).cases[0].response == {"states": states}
