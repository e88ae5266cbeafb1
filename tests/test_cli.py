"""The commands as a person uses them: what each prints, and with which code it ends."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import click
import pytest
from commands import (
    CASES,
    PROGRAM,
    REFERENCE,
    REQUEST,
    case,
    oracle,
    process,
    vector_file,
    write_folder,
)
from playing import random_request

from oracle import __version__, schemas
from oracle.cards import CODE_OF
from oracle.cli import FAILED, NO_HANDSHAKE, NOTHING, VERBS, _oracle
from oracle.drawing import card
from oracle.games import GAMES
from oracle.games.refusals import DETAILS, GENERAL
from oracle.games.shapes import options_of
from oracle.replay import replay
from oracle.rulebook import entries
from oracle.vectors.cases import load_file

Json = dict[str, Any]

#: An engine that plays by the rules but for one thing, named as its first argument.
ENGINE = """
import json, sys
from oracle.replay import replay

REPORTS = ["ok", "clause", "legal", "trick", "hand", "match"]
CLAIM = {"ops": ["replay"], "reports": REPORTS}


def any_club_opens(request, answer):
    for state in answer["states"][1:]:
        if not state["ok"]:
            state.update(ok=True)
            del state["clause"]


def no_legal_action(request, answer):
    for state in answer["states"]:
        state["legal"] = {}


def dies(request, answer):
    sys.exit("no more cards")


def only_spades(request, answer):
    pass


def nothing(request, answer):
    pass


mistake = globals()[sys.argv[1]]
game, start = ("spades", "first") if mistake is only_spades else ("hearts", "hand")
for line in sys.stdin:
    message = json.loads(line)
    if message.get("do") == "bye":
        break
    if message.get("do") == "hello":
        engine = {"name": "small", "version": "1", "language": "Python"}
        answer = {"protocol": 1, "engine": engine, "games": {game: {**CLAIM, "start": [start]}}}
    else:
        seq = message.pop("seq")
        answer = replay(message)
        mistake(message, answer)
        answer["seq"] = seq
    print(json.dumps(answer), flush=True)
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a small folder of vectors, ``vectors``, and an engine, ``engine.py``."""
    place = tmp_path_factory.mktemp("cli")
    (place / "engine.py").write_text(ENGINE)
    write_folder(
        place / "vectors",
        [
            ("hearts/opening.json", vector_file(*CASES)),
            ("hearts/perft.json", PERFT),
            ("hearts/following.json", FOLLOWING),
        ],
    )
    return place


FOLLOWING = vector_file(
    case(
        "a-club-is-held",
        id="hearts/following/a-club-is-held",
        title="Who holds a club follows.",
        clauses=("HEARTS-12", "HEARTS-05"),
        flags=("suit-not-followed",),
        request={"actions": ["0 play 2C", "1 play 2D", "2 play 2H", "2 play 3H"]},
    ),
    topic="following",
    notes={"suit-not-followed": "Any card may be thrown on any other."},
)
PERFT = vector_file(
    case(
        "two-of-clubs",
        id="hearts/perft/two-of-clubs",
        title="There is one opening lead.",
        flags=(),
        request={"op": "perft", "actions": [], "depth": 1},
    ),
    topic="perft",
    notes={},
)


def engine(place: Path, mistake: str) -> list[str]:
    """The words that end a check of the engine with this mistake."""
    return ["--", sys.executable, str(place / "engine.py"), mistake]


def check(place: Path, mistake: str, *options: str | Path) -> Any:
    """A check of the engine with this mistake against the small folder."""
    return oracle("check", "--vectors", place / "vectors", *options, *engine(place, mistake))


# Help.


@pytest.mark.parametrize("words", [["--help"], ["-h"], *([verb, "--help"] for verb in VERBS)])
def test_help_fits_a_terminal_and_ends_well(words: list[str]) -> None:
    done = oracle(*words)
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("Usage: oracle ")
    assert max(map(len, done.out.splitlines())) <= 80


def test_help_names_every_command_with_what_it_does() -> None:
    listed = dict(re.findall(r"^  (\w+)  +(\S.*)$", oracle("--help").out, re.MULTILINE))
    assert listed == VERBS
    there_are = {path.stem for path in (Path(__file__).parents[1] / "oracle/cli").glob("*.py")}
    assert there_are - {"__init__", "common"} == set(VERBS)


@pytest.mark.parametrize("verb", VERBS)
def test_every_option_of_every_command_is_explained(verb: str) -> None:
    command = _oracle.get_command(click.Context(_oracle), verb)
    assert command
    assert command.help
    assert command.help.strip().endswith((".", ")", "my_engine.py"))
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            assert parameter.help, f"{verb} {parameter.name}"
            assert parameter.help[0].isupper(), f"{verb} {parameter.name}"


def test_commands_run_one_after_the_other_in_one_process() -> None:
    # Each command is a module of the package and hides a name in it.
    for verb in VERBS:
        oracle(verb, "--help")
    assert oracle("--help").code == 0
    assert _oracle.list_commands(click.Context(_oracle)) == [*VERBS]


def test_without_a_command_there_is_help_and_the_code_of_wrong_use() -> None:
    done = oracle()
    assert done.code == 2
    assert "Commands:" in done.out


def test_the_version_is_said() -> None:
    assert process("--version") == (0, f"oracle {__version__}\n", "")


# check.


def test_an_engine_that_plays_by_the_rules_passes(place: Path) -> None:
    done = oracle("check", "--vectors", place / "vectors", "--", *REFERENCE)
    assert (done.code, done.err) == (0, "")
    *_, clauses, verdicts = done.out.splitlines()
    assert clauses == "2 clauses without a failure"
    assert re.fullmatch(r"4 passed \(\d+\.\d s\)", verdicts)


def test_a_failure_says_all_that_is_needed_to_mend_it(place: Path) -> None:
    done = check(place, "any_club_opens", "--case", "*/three-of-clubs")
    assert (done.code, done.err) == (FAILED, "")
    lines = [line.strip() for line in done.out.splitlines()]
    assert lines[0] == "FAIL  hearts/opening/three-of-clubs"
    assert lines[1] == "Only the two of clubs may open."
    assert lines[2].startswith("HEARTS-05 ")
    said = " ".join(lines)
    assert '"0 play 3C"' in said
    assert "♣ A K Q J 10 9 8 7 6 5 4 3 2" in said
    assert "seat 0 to act" in said
    assert "expected refused" in re.sub(" +", " ", said)
    assert "engine accepted" in re.sub(" +", " ", said)
    assert "HEARTS-05 0 1" in re.sub(" +", " ", said)
    assert lines[-1].startswith("1 failed (")


def test_the_line_that_runs_a_failure_again_does(place: Path, tmp_path: Path) -> None:
    again = [
        line.partition("run it again:")[2].strip()
        for line in check(place, "any_club_opens").out.splitlines()
        if "run it again:" in line
    ]
    assert len(again) == 3
    for line in again:
        where = os.pathsep.join([str(Path(PROGRAM).parent), os.environ["PATH"]])
        done = subprocess.run(
            line,
            shell=True,
            cwd=tmp_path,
            env={**os.environ, "PATH": where},
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stderr) == (FAILED, "")
        assert f"run it again:  {line}\n" in done.stdout
        assert done.stdout.count("FAIL") == 1


def test_the_line_that_runs_a_failure_again_keeps_the_house_rules(place: Path) -> None:
    done = check(place, "no_legal_action", "--rules", "hearts:canonical", "--case", "*/king-*")
    line = next(line for line in done.out.splitlines() if "run it again:" in line)
    words = shlex.split(line.partition("run it again:")[2])
    assert words[:2] == ["oracle", "check"]
    assert words[words.index("--rules") + 1] == "hearts:canonical"


def test_fail_fast_runs_nothing_after_the_first_failure(place: Path) -> None:
    done = check(place, "any_club_opens", "--fail-fast")
    assert done.code == FAILED
    assert done.out.count("run it again:") == 1
    assert re.fullmatch(r"1 failed, 2 not run, 1 not checked \(.*\)", done.out.splitlines()[-1])


@pytest.mark.parametrize(("wanted", "code"), [("3", 0), ("4", NOTHING)])
def test_fewer_executed_cases_than_wanted_are_no_pass(place: Path, wanted: str, code: int) -> None:
    done = check(place, "nothing", "--min-executed", wanted)
    assert done.code == code
    assert ("3 cases executed, and at least 4 were wanted" in done.out) == (code == NOTHING)


def test_an_engine_of_another_game_has_passed_nothing(place: Path) -> None:
    done = check(place, "only_spades")
    assert done.code == NOTHING
    assert "not checked: 4 cases, the engine doesn't play hearts" in done.out
    assert "0 cases executed, and at least 1 were wanted" in done.out


def test_too_few_executed_cases_do_not_hide_a_failure(place: Path) -> None:
    assert check(place, "any_club_opens", "--min-executed", "99").code == FAILED


def test_what_an_engine_does_not_claim_is_told_and_not_asked(place: Path) -> None:
    done = check(place, "nothing")
    assert done.code == 0
    assert "not checked: 1 case, the engine doesn't answer perft" in done.out
    assert "3 passed" in done.out


@pytest.mark.parametrize(("details", "in_full"), [("0", 0), ("1", 1), ("2", 2), ("9", 3)])
def test_so_many_failures_are_shown_in_full_and_the_others_in_a_line(
    place: Path, details: str, in_full: int
) -> None:
    done = check(place, "any_club_opens", "--details", details)
    assert done.out.count("run it again:") == in_full
    assert len(re.findall(r"^FAIL  \S+$", done.out, re.MULTILINE)) == in_full
    assert len(re.findall(r"^FAIL  \S+  .+\.$", done.out, re.MULTILINE)) == 3 - in_full
    assert ("--details N shows more" in done.out) == (in_full < 3)


@pytest.mark.parametrize(
    ("asked", "executed"),
    [
        (["--case", "hearts/opening/king-of-clubs"], 1),
        (["--case", "hearts/opening/*"], 2),
        (["--case", "*-of-clubs"], 2),
        (["--case", "hearts/following/*", "--case", "*/king-*"], 2),
        (["--clause", "HEARTS-05"], 3),
        (["--clause", "hearts-12"], 1),
        (["--clause", "HEARTS-12", "--clause", "HEARTS-05"], 3),
        (["--clause", "HEARTS-05", "--case", "hearts/following/*"], 1),
        (["--game", "hearts"], 3),
        (["--game", "spades", "--game", "hearts"], 3),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_only_the_cases_that_are_asked_for_run(
    place: Path, asked: list[str], executed: int
) -> None:
    done = check(place, "nothing", *asked)
    assert done.code == 0
    assert f"{executed} passed" in done.out.splitlines()[-1]


def test_no_handshake_has_a_code_of_its_own_and_a_report_says_so(
    place: Path, tmp_path: Path
) -> None:
    report = tmp_path / "report.json"
    words = ["check", "--vectors", place / "vectors", "--report", report, "--", "true"]
    done = oracle(*words)
    assert (done.code, done.out) == (NO_HANDSHAKE, "")
    assert done.err.startswith("oracle: no handshake with true: ")
    assert done.err.count("\n") == 1
    written = json.loads(report.read_text())
    assert (written["exit"], written["engine"], written["cases"]) == (NO_HANDSHAKE, None, [])


def test_an_engine_that_dies_is_started_again_and_its_last_words_are_shown(place: Path) -> None:
    done = check(place, "dies")
    assert done.code == FAILED
    assert done.out.count("no more cards") == 3
    assert "3 crash" in done.out.splitlines()[-1]


def test_a_report_and_a_transcript_tell_of_every_case(place: Path, tmp_path: Path) -> None:
    report, transcript = tmp_path / "report.json", tmp_path / "lines.txt"
    done = check(place, "any_club_opens", "--report", report, "--transcript", transcript)
    assert done.code == FAILED
    written = json.loads(report.read_text())
    assert schemas.problems("report", written) == []
    assert written["exit"] == FAILED
    assert written["totals"]["fail"] == 3
    assert {each["id"] for each in written["cases"]} == {
        "hearts/opening/three-of-clubs",
        "hearts/opening/king-of-clubs",
        "hearts/following/a-club-is-held",
    }
    lines = transcript.read_text().splitlines()
    asked = [line for line in lines if line.startswith("-> ")]
    answered = [line for line in lines if line.startswith("<- ")]
    # Each case, hello and bye at least; bye has no answer.
    assert len(asked) == len(answered) + 1 >= 5
    assert '"hello"' in lines[0]
    assert '"bye"' in lines[-1]


# list, rules.


def test_list_names_every_case_with_its_title(place: Path) -> None:
    done = oracle("list", "--vectors", place / "vectors")
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines() == [
        "hearts/following/a-club-is-held  Who holds a club follows.",
        "hearts/opening/three-of-clubs  Only the two of clubs may open.",
        "hearts/opening/king-of-clubs  Only the two of clubs may open.",
        "hearts/perft/two-of-clubs  There is one opening lead.",
    ]


def test_list_names_the_topics_with_their_sizes(place: Path) -> None:
    listed = ["list", "--vectors", place / "vectors", "--topics"]
    assert oracle(*listed).out.splitlines() == [
        "hearts/following/*  1 case",
        "hearts/opening/*  2 cases",
        "hearts/perft/*  1 case",
    ]
    assert oracle(*listed, "--case", "*of-clubs").out.splitlines() == [
        "hearts/opening/*  2 cases",
        "hearts/perft/*  1 case",
    ]


def test_list_takes_a_pattern_a_clause_and_a_flag(place: Path) -> None:
    def names(*asked: str) -> list[str]:
        listed = oracle("list", "--vectors", place / "vectors", *asked).out.splitlines()
        return [line.partition("  ")[0].rpartition("/")[2] for line in listed]

    assert names("--case", "*/perft/*") == ["two-of-clubs"]
    assert names("--clause", "HEARTS-12") == ["a-club-is-held"]
    assert names("--flag", "any-card-opens") == ["three-of-clubs", "king-of-clubs"]
    assert names("--flag", "any-card-opens", "--case", "*king*") == ["king-of-clubs"]


def test_a_file_in_which_nothing_can_be_wanted_is_not_read(place: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(place / "vectors", tmp_path / "vectors")
    (folder / "hearts/unread.json").write_text("")
    (folder / "index.json").unlink()
    for asked in ("hearts/opening/king-of-clubs", "hearts/opening/*", "hearts/op*"):
        done = oracle("list", "--vectors", folder, "--case", asked)
        assert (done.code, done.err) == (0, "")
        assert "hearts/opening/king-of-clubs" in done.out
    for asked in ("hearts/*", "*/king-of-clubs", "hearts/unread/first", "hearts/un*"):
        assert "unread.json" in oracle("list", "--vectors", folder, "--case", asked).err


def test_rules_lists_the_games_and_their_profiles() -> None:
    done = oracle("rules")
    assert (done.code, done.err) == (0, "")
    for name, game in GAMES.items():
        assert f"oracle rules {name}" in done.out
        assert f"{len(entries(name))} clauses and rulings" in done.out
        for profile in game.profiles:
            assert f"{name}:{profile}" in done.out


@pytest.mark.parametrize("game", GAMES)
def test_rules_prints_the_rulebook_of_a_game(game: str) -> None:
    done = oracle("rules", game)
    assert (done.code, done.err) == (0, "")
    for entry in entries(game).values():
        assert f"### {entry.id} {entry.title}\n" in done.out
    for option in options_of(GAMES[game].parts.rules):
        assert f"`{option.name}`" in done.out


@pytest.mark.parametrize("name", ["HEARTS-10", "hearts-10"])
def test_rules_prints_a_clause_with_what_bears_on_it(name: str) -> None:
    done = oracle("rules", name)
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0] == f"HEARTS-10 {entries('hearts')['HEARTS-10'].title}"
    assert "Says the same as HEARTS-07, HEARTS-R06" in lines
    assert "Option points_on_first_trick: one of false, true; canonical false" in lines


@pytest.mark.parametrize("name", [*GENERAL, "format"])
def test_rules_says_what_a_general_refusal_means(name: str) -> None:
    done = oracle("rules", name)
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith(f"{name.upper()} a general refusal")
    assert f"\n\n{DETAILS[name.upper()]}\n\n" in done.out
    assert "FORMAT, OVER, TURN, PHASE, CARD, then the rules" in done.out


def test_every_clause_and_ruling_can_be_read() -> None:
    for game in GAMES:
        for name, entry in entries(game).items():
            done = oracle("rules", name)
            assert done.out.startswith(f"{name} {entry.title}\n\n{entry.text}")


# replay, perft, deal, generate, serve.


def told(request: Json) -> list[str]:
    """The story of a request, its lines without their indents."""
    done = oracle("replay", "-", stdin=json.dumps(request).encode())
    assert (done.code, done.err) == (0, "")
    return [line.strip() for line in done.out.splitlines()]


@pytest.fixture(params=GAMES)
def hand(request: pytest.FixtureRequest) -> Json:
    """A hand of a game played to its end, with refused actions tried on the way."""
    hand = random_request(request.param, Random(f"told {request.param}"))
    actions = hand["actions"]
    for place in (len(actions) - 3, len(actions) // 2, 0):
        actions.insert(place, refused(hand, actions[:place]))
    return {**hand, "actions": [*actions, "rubbish"]}


def refused(request: Json, actions: list[str]) -> str:
    """A card that may not be played after these actions, by a rule rather than out of turn."""
    plays = [f"{seat} play {code}" for seat in range(4) for code in CODE_OF.values()]
    tried = replay({**request, "actions": [*actions, *plays]})["states"][len(actions) + 1 :]
    clauses = {
        play: state["clause"] for play, state in zip(plays, tried, strict=True) if not state["ok"]
    }
    by_rule = [play for play, clause in clauses.items() if clause not in GENERAL]
    return next(iter(by_rule or clauses))


def test_a_story_tells_every_refusal_with_its_clause(hand: Json) -> None:
    states = replay(hand)["states"][1:]
    refused = [
        (" ".join(map(card, action.split(" "))), state["clause"])
        for action, state in zip(hand["actions"], states, strict=True)
        if not state["ok"]
    ]
    assert len(refused) >= 3
    shown = [line for line in told(hand) if line.startswith("✗")]
    assert len(shown) == len(refused)
    for line, (action, clause) in zip(shown, refused, strict=True):
        assert line.startswith(f"✗ {action}   refused: {clause}")


def test_a_story_tells_the_winner_of_every_trick_with_its_cards(hand: Json) -> None:
    winners = [state["trick"]["winner"] for state in replay(hand)["states"] if "trick" in state]
    shown = [line for line in told(hand) if re.match(r"trick +\d+:", line)]
    assert len(shown) == len(winners) >= 12
    seats = GAMES[hand["game"]].seats
    for number, (line, winner) in enumerate(zip(shown, winners, strict=True), 1):
        assert line.startswith(f"trick {number:>2}: ")
        assert re.search(rf"→ seat {winner}(,|$)", line)
        cards = line.partition(": ")[2].partition("   →")[0].split("   ")
        assert sorted(each.partition(" ")[0] for each in cards) == list("0123")[:seats]


def test_a_story_tells_where_the_points_come_from(hand: Json) -> None:
    lines = told(hand)
    (score,) = [state["hand"] for state in replay(hand)["states"] if "hand" in state]
    game = GAMES[hand["game"]]
    place = lines.index("The hand is scored:") + 1
    for line in score["breakdown"]:
        side, clause = line[game.side_name], line["clause"]
        title = entries(game.name)[clause].title
        assert lines[place] == f"{game.side_name} {side}: {line['points']:+d} by {clause} {title}"
        place += 1
    assert lines[place].split()[1:] == [f"{points:+d}" for points in score["delta"]]
    assert lines[place + 1] == f"scores   {' '.join(map(str, score['scores']))}"


def test_a_story_shows_the_hands_and_the_contract(hand: Json) -> None:
    lines = told(hand)
    game = GAMES[hand["game"]]
    assert lines[0] == f"{game.title}, canonical rules"
    for seat in range(game.seats):
        assert any(re.search(rf"\bseat {seat}\b", line) for line in lines[2:20])
    assert any(line.startswith("contract: ") for line in lines) == bool(game.contract)
    at_first_lead = lines[lines.index("the table at the first lead:") :]
    assert sum("♣" in line for line in at_first_lead[:16]) >= 1
    assert lines[-1] == "no more deals, and the match is not over"


@pytest.mark.parametrize("game", GAMES)
def test_a_story_tells_every_hand_from_its_deal_on(game: str) -> None:
    request = random_request(game, Random(f"three hands of {game}"), hands=3)
    lines = told(request)
    scores = [
        " ".join(map(str, state["hand"]["scores"]))
        for state in replay(request)["states"]
        if "hand" in state
    ]
    assert len(scores) == 3
    heads = [line for line in lines if line.startswith("Hand ")]
    assert heads == ["Hand 1", f"Hand 2, scores {scores[0]}", f"Hand 3, scores {scores[1]}"]
    assert lines.count("the table at the first lead:") == 3


def test_a_story_that_breaks_off_says_what_lies_on_the_table() -> None:
    lines = told({**REQUEST, "actions": ["0 play 2C", "1 play 2D"]})
    assert lines[-2:] == ["trick under way: 0 2♣   1 2♦", "seat 2 to act"]
    assert told({**REQUEST, "actions": []})[-1] == "seat 0 to act"
    assert told({**REQUEST, "deals": [], "actions": []})[-1] == "no hand to play"


def test_a_story_says_who_has_won_the_match() -> None:
    clubs, *others = (deal.split(" ") for deal in REQUEST["deals"][0]["hands"])
    tricks = zip(clubs, *others, strict=True)
    actions = [f"{seat} play {code}" for trick in tricks for seat, code in enumerate(trick)]
    # Seat 0 takes every trick: 26 points to each of the others (HEARTS-14).
    last = {**REQUEST, "actions": actions}
    assert told({**last, "start": {"hand": 3, "scores": [50, 80, 90, 0]}})[-1] == (
        "The match is over: seat 3 wins."
    )
    tied = {**last, "start": {"hand": 3, "scores": [50, 24, 90, 60]}}
    assert told(tied)[-1] == "no more deals, and the match is not over"
    assert told({**tied, "rules": {"tie_for_lowest": "shared"}})[-1] == (
        "The match is over: seats 0 and 1 share the win."
    )
    assert "Hand 1, scores 50 24 90 60" in told(tied)


def test_a_response_can_be_had_as_json(hand: Json, tmp_path: Path) -> None:
    (tmp_path / "request.json").write_text(json.dumps(hand))
    done = oracle("replay", "--json", tmp_path / "request.json")
    assert (done.code, done.err) == (0, "")
    assert json.loads(done.out) == replay(hand)
    assert done.out.count("\n") == 1


def test_what_is_not_played_through_is_answered_as_json() -> None:
    for request in (
        {**REQUEST, "op": "view", "seat": 1},
        {"op": "shuffle", "game": "spades", "seed": "x"},
    ):
        done = oracle("replay", "-", stdin=json.dumps(request).encode())
        assert json.loads(done.out) == replay(request)


def test_perft_counts_what_the_response_counts() -> None:
    request = {**REQUEST, "op": "perft", "actions": ["0 play 2C"], "depth": 2}
    given = json.dumps(request).encode()
    answer = replay(request)
    assert oracle("perft", "-", stdin=given) == (0, f"{answer['nodes']}\n", "")
    assert answer["nodes"] == "169"
    divided = oracle("perft", "--divide", "-", stdin=given).out.splitlines()
    assert divided == [
        *(f"{action}: {count}" for action, count in answer["divide"].items()),
        answer["nodes"],
    ]
    assert oracle("perft", "--depth", "0", "-", stdin=given).out == "1\n"
    assert oracle("perft", "--depth", "1", "-", stdin=given).out == "13\n"


def test_perft_takes_a_published_case() -> None:
    first, *_ = load_file(Path(__file__).parents[1] / "vectors/hearts/perft.json").cases
    assert oracle("perft", first.id).out == f"{first.response['nodes']}\n"


def test_perft_takes_a_request_of_another_op_at_a_table() -> None:
    view = json.dumps({**REQUEST, "op": "view", "actions": ["0 play 2C"], "seat": 1}).encode()
    assert oracle("perft", "-", stdin=view) == (0, "13\n", "")


@pytest.mark.parametrize("game", GAMES)
def test_the_same_seed_gives_the_same_deal_and_another_seed_another(game: str) -> None:
    first, again = (process("deal", game, "--seed", "a seed ♣") for _ in range(2))
    assert first == again
    assert (first.code, first.err) == (0, "")
    assert oracle("deal", game, "--seed", "another").out != first.out
    deal = json.loads(first.out)
    request = {"op": "replay", "game": game, "rules": {}, "deals": [deal], "actions": []}
    assert "error" not in replay(request)


def test_generated_cases_are_the_same_for_the_same_seed(tmp_path: Path) -> None:
    words = ["generate", "bid-whist", "--seed", "7", "--count", "3", "--jobs", "1"]
    done = oracle(*words)
    assert (done.code, done.err) == (0, "")
    assert oracle(*words, "--output", tmp_path / "cases.json") == (0, "", "")
    assert (tmp_path / "cases.json").read_text() == done.out
    vectors = load_file(tmp_path / "cases.json")
    assert len(vectors.cases) == 3
    assert all(replay(case.request) == case.response for case in vectors.cases)


def test_the_reference_answers_the_protocol() -> None:
    messages = [{"do": "hello", "protocol": 1}, {**REQUEST, "seq": 1}, {"do": "bye"}]
    done = process("serve", input="".join(json.dumps(each) + "\n" for each in messages))
    assert (done.code, done.err) == (0, "")
    hello, answer = map(json.loads, done.out.splitlines())
    assert schemas.problems("hello", hello) == []
    assert answer == {**replay(REQUEST), "seq": 1}


# Progress.


def said_to_a_terminal(*words: str | Path, ci: bool) -> str:
    """What a command says on stderr when that is a terminal."""
    ours, theirs = os.openpty()
    environment = {name: value for name, value in os.environ.items() if name != "CI"}
    if ci:
        environment["CI"] = "true"
    with subprocess.Popen(
        [PROGRAM, *map(str, words)],
        stdout=subprocess.DEVNULL,
        stderr=theirs,
        env=environment,
    ):
        os.close(theirs)
        said = b"".join(_read_to_the_end(ours))
    os.close(ours)
    return said.decode()


def _read_to_the_end(terminal: int) -> Iterator[bytes]:
    while True:
        try:
            data = os.read(terminal, 1024)
        except OSError:
            # So Linux tells that the other side has gone.
            return
        if not data:
            return
        yield data


def test_a_terminal_is_told_how_far_it_is_and_a_ci_system_is_not(place: Path) -> None:
    words = ["verify", "--vectors", place / "vectors"]
    said = said_to_a_terminal(*words, ci=False)
    assert said.startswith("\rverified 1")
    # The line is taken away at the end.
    assert said.endswith("\r")
    assert said.split("\r")[-2].strip() == ""
    assert said_to_a_terminal(*words, ci=True) == ""
    assert process(*words).err == ""


def test_a_terminal_is_told_how_many_have_failed_by_then(place: Path) -> None:
    words = ["check", "--vectors", place / "vectors", *engine(place, "any_club_opens")]
    assert said_to_a_terminal(*words, ci=False).startswith("\rchecked 1 of 4, 1 failed\r")
    words = ["check", "--vectors", place / "vectors", *engine(place, "nothing")]
    assert said_to_a_terminal(*words, ci=False).startswith("\rchecked 1 of 4\r")
