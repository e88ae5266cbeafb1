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
        (ID, ["--clause", "nonsense"], "clauses"),
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
    assert "already" in done.stderr
    assert (report / "mine/hearts/generated/regressions.json").read_bytes() == before


def test_explain_tells_clause_flag_and_play(tmp_path):
    case = "hearts/breaking-hearts/queen-discarded-canonical-twin"
    done = oracle("explain", case, cwd=tmp_path)
    assert done.returncode == 0
    for words in ("HEARTS-R07", "It is there to catch", "trick  1", "refused: HEARTS-09"):
        assert words in done.stdout


def test_explain_shows_what_was_asked_where_nothing_is_played(tmp_path):
    done = oracle("explain", "hearts/scores/*", cwd=tmp_path)
    assert "asked:" in done.stdout
    assert "expected:" in done.stdout


def test_explain_says_why_a_wrong_request_is_wrong(tmp_path):
    done = oracle("explain", "hearts/wrong-requests/*", cwd=tmp_path)
    assert "The request is wrong on purpose: /" in done.stdout


def test_an_unknown_case_is_one_line(tmp_path):
    done = oracle("explain", "hearts/ties/two-levl", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
