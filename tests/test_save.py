"""Explaining a case, and keeping a bug report as a case of one's own."""

import json
import subprocess
import sys

import pytest

from oracle.vectors.cases import load_file

REPORT = {
    "op": "score",
    "game": "hearts",
    "rules": {},
    "start": {"scores": [50, 61, 20, 73]},
    "tally": {"hearts": [0, 9, 3, 1], "queen": 2},
}
ID = "hearts/regressions/no-moon"


def oracle(*arguments, cwd):
    return subprocess.run(
        [sys.executable, "-m", "oracle", *arguments],
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def report(tmp_path):
    (tmp_path / "report.json").write_text(json.dumps(REPORT))
    return tmp_path


def save(report, *more, name=ID):
    title = "Sixteen points are no moon."
    saving = ["--save", "mine", "--id", name, "--title", title, *more]
    return oracle("replay", "report.json", *saving, cwd=report)


def test_a_saved_case_is_validated_indexed_and_checked(report):
    assert save(report, "--flag", "moon-by-points").returncode == 0
    (case,) = load_file(report / "mine/hearts/generated/regressions.json").cases
    assert case.request == REPORT
    assert case.response["hand"]["delta"] == [0, 9, 16, 1]
    assert case.clauses == ("HEARTS-13",)
    assert oracle("verify", "--vectors", "mine", cwd=report).returncode == 0
    engine = [sys.executable, "-m", "oracle", "serve"]
    assert oracle("check", "--vectors", "mine", "--", *engine, cwd=report).returncode == 0


def test_of_a_case_that_is_saved_it_is_said_what_it_is_about(report):
    done = save(report, "--flag", "moon-by-points", "--flag", "moon-missed")
    assert "about HEARTS-13, which the response cites; --clause ID" in done.stdout
    # Of the two flags the published suite explains one.
    assert [line for line in done.stdout.splitlines() if line.startswith("flag ")] == [
        'flag moon-by-points: say under "notes" in that file what mistake it stands for'
    ]
    notes = load_file(report / "mine/hearts/generated/regressions.json").notes
    assert "charged 26 points" in notes["moon-missed"]
    assert notes["moon-by-points"] == "A regression; nobody has explained it yet."
    done = save(report, "--clause", "hearts-r12", name="hearts/regressions/clause")
    assert "which the response cites" not in done.stdout
    saved = load_file(report / "mine/hearts/generated/regressions.json").cases
    assert [case.clauses for case in saved] == [("HEARTS-13",), ("HEARTS-R12",)]


def test_files_of_a_folder_of_ones_own_name_no_schema_that_is_not_there(report):
    save(report)
    for path in (report / "mine").rglob("*.json"):
        assert "$schema" not in json.loads(path.read_text())


PUBLISHED = "hearts/moon/shot-by-seat-2"


def test_a_published_case_is_replayed_and_saved_by_its_id(tmp_path):
    done = oracle("replay", PUBLISHED, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "seat 0: +26 by HEARTS-14 Shooting the moon" in done.stdout
    saving = ["--save", "mine", "--id", "hearts/mine/moon", "--title", "A moon."]
    assert oracle("replay", PUBLISHED, *saving, cwd=tmp_path).returncode == 0
    (case,) = load_file(tmp_path / "mine/hearts/generated/mine.json").cases
    assert case.request["tally"] == {"hearts": [0, 0, 13, 0], "queen": 2}


def test_a_file_that_there_is_comes_before_a_case_of_that_name(report):
    place = report / PUBLISHED
    place.parent.mkdir(parents=True)
    (report / "report.json").rename(place)
    assert "seat 2: +13 by HEARTS-13" in oracle("replay", PUBLISHED, cwd=report).stdout


@pytest.mark.parametrize("form", ["line", "line with its arrow", "whole"])
def test_what_was_asked_of_an_engine_is_replayed_out_of_its_transcript(tmp_path, form):
    engine = [sys.executable, "-m", "oracle", "serve"]
    asked = ["check", "--case", PUBLISHED, "--transcript", "talk.txt", "--", *engine]
    assert oracle(*asked, cwd=tmp_path).returncode == 0
    talk = tmp_path / "talk.txt"
    (line,) = (line for line in talk.read_text().splitlines() if '"op"' in line)
    assert '"seq": ' in line
    if form != "whole":
        talk.write_text(line if "arrow" in form else line.removeprefix("-> "))
    by_id = oracle("replay", PUBLISHED, cwd=tmp_path).stdout
    assert oracle("replay", "talk.txt", cwd=tmp_path).stdout == by_id


def test_a_second_case_joins_the_first(report):
    save(report)
    (report / "report.json").write_text(json.dumps({**REPORT, "start": {}}))
    assert save(report, name="hearts/regressions/another").returncode == 0
    assert len(load_file(report / "mine/hearts/generated/regressions.json").cases) == 2
    assert oracle("verify", "--vectors", "mine", cwd=report).returncode == 0


@pytest.mark.parametrize(
    ("name", "more", "words"),
    [
        ("no-moon", [], "expected hearts/TOPIC/NAME"),
        ("spades/regressions/no-moon", [], "expected hearts/TOPIC/NAME"),
        ("hearts/regressions/No Moon", [], "expected hearts/TOPIC/NAME"),
        (ID, ["--clause", "nonsense"], "no such clause or ruling"),
        (ID, ["--clause", "HEARTS14"], "did you mean HEARTS-14?"),
        (ID, ["--clause", "FORMAT"], "a general refusal and no clause"),
    ],
)
def test_what_cannot_be_a_case_is_refused_in_one_line_and_nothing_is_written(
    report, name, more, words
):
    done = save(report, *more, name=name)
    assert done.returncode == 2
    assert words in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (report / "mine").exists()


def test_an_id_is_not_used_twice(report):
    save(report)
    before = (report / "mine/hearts/generated/regressions.json").read_bytes()
    done = save(report)
    assert done.returncode == 2
    path = "mine/hearts/generated/regressions.json"
    assert f"there is a case of that id in {path} already; choose another id" in done.stderr
    assert (report / "mine/hearts/generated/regressions.json").read_bytes() == before


def test_explain_tells_clause_flag_and_play(tmp_path):
    case = "hearts/breaking-hearts/queen-discarded-canonical-twin"
    done = oracle("explain", case, cwd=tmp_path)
    assert done.returncode == 0
    for words in ("HEARTS-R07", "It is there to catch", "trick  1", "refused: HEARTS-09"):
        assert words in done.stdout


def test_the_way_out_of_an_id_that_is_taken_is_one(report):
    save(report)
    save(report, name="hearts/regressions/another")
    done = save(report)
    assert "take out that case's line and run oracle verify --write --vectors mine" in done.stderr
    path = report / "mine/hearts/generated/regressions.json"
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(line for line in lines if f'"id": "{ID}"' not in line))
    assert oracle("verify", "--write", "--vectors", "mine", cwd=report).returncode == 0
    assert save(report).returncode == 0


def test_an_id_that_was_once_a_cases_is_not_used_again(report):
    save(report)
    save(report, name="hearts/regressions/another")
    index = report / "mine/index.json"
    gone = '"retired": [{"id": "hearts/regressions/gone", "since": "0.1.0", "why": "Wrong."}]'
    index.write_text(index.read_text().replace('"retired": []', gone))
    done = save(report, name="hearts/regressions/gone")
    assert done.returncode == 2
    assert "it was a case's in mine once; choose another" in done.stderr


def test_explain_and_replay_tell_a_score_with_the_clause_behind_every_point(tmp_path):
    case = "spades/bags/two-penalties-in-one-hand"
    told = [
        "  before: bags 9 0",
        "  the hand: bids 1 4, tricks 13 0",
        "  The hand is scored:",
        "    seat 0: +10 by SPADES-31 A bid that is met",
        "    seat 0: +12 by SPADES-32 Overtricks",
        "    seat 0: -200 by SPADES-36 Ten bags cost 100",
        "    seat 1: -40 by SPADES-33 A bid that is missed",
        "    together -178 -40",
        "    scores   -178 -40",
        "    bags 1 0",
        "  The match is not over.",
    ]
    for verb in ("explain", "replay"):
        done = oracle(verb, case, cwd=tmp_path)
        assert [line for line in done.stdout.splitlines() if line][-len(told) :] == told
        assert "{" not in done.stdout


def test_a_score_that_ends_the_match_says_who_has_won(tmp_path):
    done = oracle("replay", "hearts/scores/seat-0-at-100", cwd=tmp_path)
    assert done.stdout.splitlines()[-1].startswith("  The match is over: seat ")


def test_explain_shows_what_was_asked_where_nothing_is_told(tmp_path):
    done = oracle("explain", "hearts/shuffle/*", cwd=tmp_path)
    assert "asked:" in done.stdout
    assert "expected:" in done.stdout


def test_explain_tells_a_case_as_it_is_asked_under_house_rules(tmp_path):
    rules = ("--rules", "queen_breaks_hearts=true")
    case = "hearts/breaking-hearts/queen-discarded-canonical-twin"
    plain, house = (oracle("explain", case, *words, cwd=tmp_path) for words in ((), rules))
    assert "canonical rules" in plain.stdout
    assert "refused: HEARTS-09" in plain.stdout
    assert "queen_breaks_hearts=true rules" in house.stdout
    assert "refused: HEARTS-09" not in house.stdout
    # Its flags are explained as ever.
    assert "It is there to catch " in house.stdout
    assert house.returncode == 0


def test_explain_tells_a_hand_that_was_freshly_played(tmp_path):
    rules = ("--rules", "bid-whist:popular")
    done = oracle("explain", "bid-whist/house-players/0064", *rules, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[1] == "  A hand played by players under house rules"
    assert done.stdout.count("trick ") > 3
    # It is of no file, and of no number that isn't played.
    for words, told in (
        (["bid-whist/house-players/0064"], "is played for house rules: name them with --rules"),
        (["bid-whist/house-players/0999", *rules], "is not asked of bid-whist under min_bid=3"),
        (["bid-whist/bidding/no-such", *rules], "there is no case for"),
        (["hearts/house-hands/0001", *rules], "--rules"),
    ):
        done = oracle("explain", *words, cwd=tmp_path)
        assert (done.returncode, done.stdout) == (2, "")
        assert told in done.stderr
        assert len(done.stderr.splitlines()) == 1


def test_explain_says_why_a_wrong_request_is_wrong(tmp_path):
    done = oracle("explain", "hearts/wrong-requests/*", cwd=tmp_path)
    assert "The request is wrong on purpose: /" in done.stdout


def test_an_unknown_case_is_one_line(tmp_path):
    done = oracle("explain", "hearts/ties/two-levl", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
