"""The report files that a run writes, and what it says at a terminal and to GitHub."""

import json
import re
import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from junitparser import Error, Failure, JUnitXml, Skipped

from oracle import drawing
from oracle.conformance.compare import ABSENT, Difference
from oracle.conformance.report import KINDS, github, kind_of
from oracle.conformance.report.badge import BadgeReport
from oracle.conformance.report.foremost import Foremost
from oracle.conformance.report.json_report import JsonLines, JsonReport
from oracle.conformance.report.text import failure_lines, summary_lines
from oracle.conformance.report.words import (
    about,
    again,
    both_answers,
    clean_clauses,
    explained,
    first_differences,
    headline,
    not_checked,
    options_behind,
    verdict_counts,
    visible,
)
from oracle.conformance.run import Run, unplayed
from oracle.conformance.variants import right_under
from oracle.conformance.verdicts import EXPECTED_FAILURE, VERDICTS, Result, refusal
from oracle.games import GAMES
from oracle.games.refusals import GENERAL
from oracle.games.table import Picture, Place
from oracle.replay import at_table, replay
from oracle.rulesets import said
from oracle.schemas import problems
from oracle.vectors.cases import Case
from oracle.wire import read_request
from tests.commands import REFERENCE, oracle, write_folder
from tests.reported import (
    CASE,
    NASTY,
    FreePlay,
    LeadWins,
    OpenHands,
    QueenBreaks,
    Talking,
    cases,
    finished,
    playing,
    report,
    result,
    run,
)

Json = dict[str, Any]
#: What no XML and no terminal can stand.
FORBIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f\u202e\u2069\ud800-\udfff\ufffe]")
LEADING = cases("hearts/leading")
BREAKING = cases("hearts/breaking-hearts")
REQUEST = read_request(cases("belote/open-cards", most=1)[0].request)
FIRST_LEADS = cases("bid-whist/first-lead")


def nasty_results() -> list[Result]:
    """Results in which an engine's words stand in every place that there is."""
    said = Difference(("states", 1, "legal", "0"), ["play 2C"], [NASTY, f"play {NASTY}"])
    strange = Difference(("states", 1, NASTY), ABSENT, {NASTY: [NASTY]})
    seat = Difference(("states", 1, "legal", NASTY), ABSENT, ["play 2C"])
    place = Difference(("known", NASTY), ABSENT, "2C")
    return [
        result("fail", differences=(said, strange), stderr=NASTY),
        result("engine-error", message=f"the engine itself failed: {NASTY}", stderr=NASTY),
        result("crash", message="ended with status 3", stderr=NASTY),
        result("pass", stderr=NASTY),
        result("fail", differences=(seat,)),
        result("fail", differences=(place,)),
    ]


@pytest.mark.parametrize(
    "differences", [each.differences for each in nasty_results() if each.differences]
)
def test_keys_and_values_of_an_answer_act_on_no_terminal(differences: Any) -> None:
    lines = failure_lines(result("fail", differences=differences, stderr=NASTY), "", width=88)
    assert not FORBIDDEN.search("\n".join(lines))
    assert all(about(each).isprintable() for each in differences)


# Kinds.


def test_the_longest_suffix_that_fits_says_which_kind_of_report_it_is() -> None:
    assert kind_of(Path("a/run.badge.json")) is BadgeReport
    assert kind_of(Path("a/run.json")) is JsonReport
    assert kind_of(Path("badge.json")) is JsonReport
    assert kind_of(Path("a/run.jsonl")) is JsonLines


@pytest.mark.parametrize("name", ["run", "run.txt", "json", "run.json.gz", "run.JSON"])
def test_another_suffix_is_no_report(name: str) -> None:
    assert kind_of(Path(name)) is None


@pytest.mark.parametrize("suffix", KINDS)
def test_an_engines_words_can_do_nothing_in_any_report(suffix: str, tmp_path: Path) -> None:
    text = finished(tmp_path / f"run{suffix}", nasty_results())
    # JSON holds the words as they are, escaped as JSON escapes.
    assert not re.search("[\x00-\x09\x0b-\x1f]", text)
    if "json" not in suffix:
        assert not FORBIDDEN.search(text)


# JSON.


def test_a_json_report_fits_its_schema_and_holds_every_case(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    run(Talking(playing(QueenBreaks)), LEADING, [report(path)])
    written = json.loads(path.read_text(encoding="utf-8"))
    assert problems("report", written) == []
    assert [each["id"] for each in written["cases"]] == [case.id for case in LEADING]
    assert {each["verdict"] for each in written["cases"]} == {"pass", "fail"}
    assert written["totals"]["fail"] == len(
        [1 for each in written["cases"] if "differences" in each]
    )


def test_a_json_report_holds_what_went_wrong_beside_the_cases(tmp_path: Path) -> None:
    facts = {"faults": ["the engine ended with status 1 at bye"]}
    written = json.loads(finished(tmp_path / "run.json", [result("pass")], facts=facts))
    assert written["faults"] == facts["faults"]
    assert problems("report", written) == []


def test_a_lone_surrogate_in_an_answer_does_not_spoil_a_json_report(tmp_path: Path) -> None:
    written = json.loads(finished(tmp_path / "run.json", nasty_results()))
    assert written["cases"][0]["differences"][0]["actual"] == [NASTY, f"play {NASTY}"]


def test_json_lines_are_there_as_soon_as_their_results(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    written = report(path)
    assert path.read_text() == ""
    for count, verdict in enumerate(("pass", "fail", "crash"), 1):
        written.add(result(verdict))
        lines = path.read_text(encoding="utf-8").splitlines()
        assert [json.loads(line)["verdict"] for line in lines] == ["pass", "fail", "crash"][:count]
    written.finish(None, 4)
    assert len(path.read_text(encoding="utf-8").splitlines()) == 4


def test_json_lines_say_the_same_as_the_json_report(tmp_path: Path) -> None:
    whole, lines = tmp_path / "run.json", tmp_path / "run.jsonl"
    run(Talking(playing(QueenBreaks)), LEADING, [report(whole), report(lines)])
    expected = json.loads(whole.read_text(encoding="utf-8"))
    *found, last = map(json.loads, lines.read_text(encoding="utf-8").splitlines())
    assert found == expected.pop("cases")
    assert {**last["summary"], "date": ""} == {**expected, "date": ""}


# JUnit.

JUNIT_KINDS = {
    "pass": None,
    "fail": Failure,
    "crash": Error,
    "timeout": Error,
    "protocol-error": Error,
    "engine-error": Error,
    "unsupported": Skipped,
    "expected-failure": Skipped,
    "unexpected-pass": Failure,
    "not-run": Skipped,
}


@pytest.mark.parametrize("verdict", VERDICTS)
def test_junit_has_a_kind_of_result_for_each_verdict(verdict: str, tmp_path: Path) -> None:
    path = tmp_path / "run.xml"
    finished(path, [result(verdict)], exit_code=0)
    (suite,) = JUnitXml.fromfile(str(path))
    (test,) = suite
    assert [type(each) for each in test.result] == [JUNIT_KINDS[verdict]] * (verdict != "pass")
    assert (test.classname, test.name) == tuple(CASE.id.replace("/", ".", 1).split("/"))
    assert test.time == 0.25
    kinds = {Failure: suite.failures, Error: suite.errors, Skipped: suite.skipped}
    assert suite.tests == 1
    assert kinds == {kind: int(kind is JUNIT_KINDS[verdict]) for kind in kinds}


def test_junit_shows_a_failure_as_a_terminal_does(tmp_path: Path) -> None:
    path = tmp_path / "run.xml"
    done = run(Talking(playing(QueenBreaks)), LEADING, [report(path)])
    (suite,) = JUnitXml.fromfile(str(path))
    assert suite.failures == done.verdicts["fail"] > 0
    failure = next(test.result[0] for test in suite if test.result)
    assert failure.type == "fail"
    assert "what seat 0 may do, at /states/9/legal/0" in failure.text
    assert "too many  play ♥ 2 5 9 J Q A" in failure.text
    assert "oracle check --vectors mine --case hearts/leading/" in failure.text


def test_junit_keeps_an_engines_words_without_what_xml_forbids(tmp_path: Path) -> None:
    path = tmp_path / "run.xml"
    finished(path, nasty_results())
    (suite,) = JUnitXml.fromfile(str(path))
    tests = list(suite)
    assert "</script><script>document.title" in tests[1].result[0].message
    assert all("\\x1b[31mred" in test.system_err for test in tests[:4])


@pytest.mark.parametrize(
    ("results", "exit_code"), [([], 3), ([result("pass")], 1), ([result("not-run")], 3)]
)
def test_junit_is_never_green_when_the_run_was_not(
    results: list[Result], exit_code: int, tmp_path: Path
) -> None:
    path = tmp_path / "run.xml"
    finished(path, results, exit_code)
    (suite,) = JUnitXml.fromfile(str(path))
    assert suite.errors == 1
    assert suite.tests == len(results) + 1


# TAP.


def points(text: str) -> list[str]:
    """The test points of a TAP document."""
    return re.findall(r"^(?:not )?ok .*", text, re.MULTILINE)


def test_tap_has_a_version_a_plan_and_a_numbered_point_for_each_case(tmp_path: Path) -> None:
    text = finished(tmp_path / "run.tap", map(result, VERDICTS))
    assert text.splitlines()[:2] == ["TAP version 14", f"1..{len(VERDICTS)}"]
    numbers = [int(re.sub(r"^(not )?ok (\d+) - .*", r"\2", point)) for point in points(text)]
    assert numbers == list(range(1, len(VERDICTS) + 1))


@pytest.mark.parametrize(
    ("verdict", "first_word", "directive"),
    [
        ("pass", "ok", ""),
        ("fail", "not ok", ""),
        ("crash", "not ok", ""),
        ("unexpected-pass", "not ok", ""),
        ("expected-failure", "not ok", "TODO"),
        ("not-run", "ok", "SKIP"),
        ("unsupported", "ok", "SKIP"),
    ],
)
def test_tap_says_what_a_verdict_means(
    verdict: str, first_word: str, directive: str, tmp_path: Path
) -> None:
    (point,) = points(finished(tmp_path / "run.tap", [result(verdict)], exit_code=0))
    assert point.startswith(f"{first_word} 1 - {CASE.id}: ")
    found = re.search(r" # (\w+)", point)
    assert (found[1] if found else "") == directive


def test_a_title_can_hold_no_tap_directive(tmp_path: Path) -> None:
    case = replace(CASE, title="Number #1 # SKIP this \\ and that")
    (point,) = points(finished(tmp_path / "run.tap", [result("fail", case)]))
    assert point.endswith(r"Number \#1 \# SKIP this \\ and that")


def test_a_failure_in_tap_carries_a_block_of_json_strings(tmp_path: Path) -> None:
    said = Difference(("states", 1, "legal", "0"), ["play 2C"], [NASTY])
    text = finished(tmp_path / "run.tap", [result("fail", differences=(said,), stderr=NASTY)])
    block = text[text.index("  ---\n") : text.index("  ...\n")].splitlines()[1:]
    told = dict(line.strip().split(": ", 1) for line in block)
    assert told.pop("verdict") == "fail"
    read = {name: json.loads(value) for name, value in told.items()}
    assert read["at"] == "/states/1/legal/0"
    assert read["about"] == "what seat 0 may do"
    assert read["expected"] == "play ♣ 2"
    assert read["clauses"] == list(CASE.clauses)
    assert read["again"].startswith(f"oracle check --vectors mine --case {CASE.id} -- ")


def test_tap_bails_out_where_a_run_ended_early(tmp_path: Path) -> None:
    assert finished(tmp_path / "a.tap", [result("pass")], 130).endswith(
        "Bail out! interrupted: all 1 case passed\n"
    )
    written = report(tmp_path / "b.tap")
    written.finish(None, 4)
    assert (tmp_path / "b.tap").read_text() == (
        "TAP version 14\n1..0\nBail out! there was no handshake with the engine\n"
    )


def test_tap_is_never_all_ok_when_the_run_was_not(tmp_path: Path) -> None:
    found = points(finished(tmp_path / "run.tap", [result("pass")], 1))
    assert [point.split(" - ")[0] for point in found] == ["ok 1", "not ok 2"]


# Markdown.


def test_markdown_names_the_games_and_the_clauses_with_failures(tmp_path: Path) -> None:
    path = tmp_path / "run.md"
    asked = [*LEADING, *cases("belote/beating", most=12)]
    done = run(Talking(playing(QueenBreaks, FreePlay)), asked, [report(path)])
    text = path.read_text(encoding="utf-8")
    assert text.startswith(f"## ❌ Rules: {done.verdicts['fail']} of {len(asked)} cases failed\n")
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    assert rows[0] == "| Game, and clauses with failures | passed | failed |"
    assert rows[1] == "| **Hearts** | 17 | 1 |"
    assert "| HEARTS-R07 The queen of spades does not break hearts | 0 | 1 |" in rows
    assert any(row.startswith("| **Open Belote** | ") for row in rows)


def test_markdown_shows_five_failures_and_counts_the_others(tmp_path: Path) -> None:
    path = tmp_path / "run.md"
    done = run(Talking(playing(FreePlay)), cases("belote/beating"), [report(path)])
    text = path.read_text(encoding="utf-8")
    assert text.count("<details>") == text.count("</details>") == 5
    assert f"… and {done.verdicts['fail'] - 5} more failures." in text
    assert len(text) < 65_000


def test_nothing_in_a_failure_ends_its_block_in_markdown(tmp_path: Path) -> None:
    case = replace(CASE, title="<b>Title</b> with </details>")
    told = result("crash", case, message="x", stderr="```\n````\n</details>\n@somebody")
    text = finished(tmp_path / "run.md", [told])
    assert "&lt;b&gt;Title&lt;/b&gt; with &lt;/details&gt;</summary>" in text
    (fence,) = set(re.findall(r"^`{5,}", text, re.MULTILINE))
    inside = text.split(f"{fence}text\n")[1].split(f"\n{fence}\n")[0]
    assert "| @somebody" in inside
    assert inside.count("```") == 2


def test_an_engines_name_is_code_in_markdown(tmp_path: Path) -> None:
    path = tmp_path / "run.md"
    run(Talking(replay, name="@all `<b>` #1"), BREAKING[:1], [report(path)])
    assert "Engine `` @all `<b>` #1 1.2.3 ``: 1 passed." in path.read_text(encoding="utf-8")


# The badge.


@pytest.mark.parametrize(
    ("verdicts", "exit_code", "message", "color"),
    [
        (["pass", "pass"], 0, "2/2", "brightgreen"),
        (["pass", "expected-failure"], 0, "1/2, 1 known", "yellow"),
        (["fail", "expected-failure"], 1, "0/2, 1 known", "red"),
        (["pass", "fail", "crash"], 1, "1/3", "red"),
        (["pass", "not-run"], 1, "1/1", "red"),
        (["pass", "not-run"], 130, "interrupted at 1/1", "lightgrey"),
        (["not-run"], 3, "not checked", "lightgrey"),
    ],
)
def test_a_badge_says_how_many_passed(
    verdicts: list[str], exit_code: int, message: str, color: str, tmp_path: Path
) -> None:
    text = finished(tmp_path / "run.badge.json", map(result, verdicts), exit_code)
    assert json.loads(text) == {
        "schemaVersion": 1,
        "label": "hearts rules",
        "message": message,
        "color": color,
    }


def test_markdown_counts_expected_failures_apart_from_what_passed(tmp_path: Path) -> None:
    text = finished(tmp_path / "run.md", map(result, ["pass", "expected-failure"]), 0)
    assert "| Game, and clauses with failures | passed | expected to fail | failed |" in text
    assert "| **Hearts** | 1 | 1 | 0 |" in text
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert {row.count("|") for row in rows} == {5}
    plain = finished(tmp_path / "plain.md", [result("pass")], 0)
    assert "| **Hearts** | 1 | 0 |" in plain


def test_a_clause_with_an_expected_failure_is_not_without_a_failure() -> None:
    engine = Talking(playing(QueenBreaks))
    expected, plain = Run(engine, engine.hello()), Run(engine, engine.hello())
    list(plain.results(LEADING))
    list(
        expected.results(
            LEADING, lambda each: replace(each, verdict=EXPECTED_FAILURE) if each.failed else each
        )
    )
    failing = {clause for clause, counts in plain.clauses.items() if counts["fail"]}
    assert failing
    assert {clause for clause, _ in clean_clauses(expected)} == plain.clauses.keys() - failing
    lines = list(summary_lines(expected))
    plural = "" if len(failing) == 1 else "s"
    assert f"{len(failing)} clause{plural} with failures, all of them expected" in lines
    # A run without any has no such line.
    assert not [line for line in summary_lines(plain) if "expected" in line]


def test_a_trick_whose_winner_is_wrong_is_shown_with_its_cards() -> None:
    engine = Talking(playing(LeadWins))
    wrong = [each for each in Run(engine, engine.hello()).results(FIRST_LEADS) if each.failed]
    told = ["\n".join(failure_lines(each, "", width=88)) for each in wrong]
    told = [each for each in told if "who wins the trick" in each]
    assert told
    for each in told:
        (trick,) = re.findall(r"the trick that it completes: (.+)", each)
        cards = trick.split("   ")
        assert len(cards) == 4
        (action,) = re.findall(r'the table after action \d+ of \d+, "(\d) play', each)
        assert cards[-1].startswith(f"{action} ")


def test_the_options_behind_several_failures_are_told_together() -> None:
    one, other = {"min_bid": 3}, {"moon": False}
    assert options_behind([[one], [one, other], [], [one], [other], [{"target": 9}]]) == (
        f"of the 6 failures above, right: 3 under {said(one)}, 2 under {said(other)}"
    )
    assert options_behind([[one], [other], []]) == ""
    many = [{"target": number} for number in range(5)]
    assert options_behind([many, many]).endswith(" (2 more options)")


def test_a_result_says_in_a_line_what_it_is() -> None:
    assert str(result("fail")) == f"fail {CASE.id}: expected true at /states/1/ok, and got nothing"
    assert str(result("crash", message="ended")) == f"crash {CASE.id}: ended"
    assert repr([result("pass")]) == f"[<pass {CASE.id}>]"
    for each in nasty_results():
        assert str(each).isprintable()
        assert len(str(each)) < 2000


def test_of_an_absurd_answer_only_the_beginning_is_kept() -> None:
    """Else a run of forty of them takes a gigabyte."""
    huge = [f"play {number}" for number in range(20_000)]

    def absurd(request: Json) -> Json:
        answer = replay(request)
        answer["states"][0]["legal"] = {"0": huge, "x" * 100_000: ["y"]}
        return answer

    engine = Talking(absurd)
    (found,) = Run(engine, engine.hello()).results([CASE])
    assert found.verdict == "fail"
    assert found.answer is None
    (value,) = (each for each in found.differences if each.path[-1] == "0")
    assert value.actual.startswith('["play 0", "play 1"')
    assert value.actual.endswith(" … 0.3 MB in all")
    assert len(value.actual) < 1100
    assert all(len(each.pointer) < 1100 for each in found.differences)
    told = list(failure_lines(found, "", width=88))
    assert len("\n".join(told)) < 8000
    failing = Talking(lambda request: {"failed": "z" * 100_000})
    (found,) = Run(failing, failing.hello()).results([CASE])
    assert len(found.message) <= 4000


def test_an_answer_of_an_ordinary_size_is_kept_whole() -> None:
    engine = Talking(playing(QueenBreaks))
    failed = [each for each in Run(engine, engine.hello()).results(BREAKING) if each.failed]
    assert failed
    for each in failed:
        assert each.answer == engine.ask(each.case.request)


def test_a_badge_for_several_games_names_none(tmp_path: Path) -> None:
    results = [result("pass"), result("pass", cases("spades/draw", most=1)[0])]
    assert json.loads(finished(tmp_path / "a.badge.json", results, 0))["label"] == "rules"


@pytest.mark.parametrize("suffix", KINDS)
def test_every_report_says_that_there_was_no_handshake(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"run{suffix}"
    report(path).finish(None, 4)
    text = path.read_text(encoding="utf-8")
    if suffix in (".json", ".jsonl"):
        written = json.loads(text)
        assert written.get("summary", written)["engine"] is None
        assert written.get("summary", written)["exit"] == 4
    else:
        assert "no handshake" in text


# GitHub.

IN_ACTIONS = {"GITHUB_ACTIONS": "true"}


def annotations(results: list[Result], capsys: pytest.CaptureFixture[str]) -> list[str]:
    """What a run in GitHub Actions prints of these results."""
    (made,) = github.reports((), {}, (), IN_ACTIONS)
    for each in results:
        made.add(each)
    made.finish(None, 1)
    return capsys.readouterr().out.splitlines()


def test_outside_github_nothing_is_reported_to_it() -> None:
    assert github.reports((), {}, (), {"CI": "true", "GITHUB_STEP_SUMMARY": ""}) == []


def test_a_failure_is_an_annotation_on_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    case = replace(CASE, title="100% sure\r\nof it: yes, ::error::no")
    (line,) = annotations([result("pass"), result("not-run"), result("fail", case)], capsys)
    command, title, message = re.fullmatch(r"::(\w+) title=([^:,]*)::(.*)", line).groups()  # type: ignore[union-attr]
    assert (command, title) == ("error", f"fail {CASE.id}")
    assert message == (
        "100%25 sure%0D%0Aof it: yes, ::error::no%0Awhether the action is accepted at "
        "/states/1/ok%0Aexpected: accepted%0Aengine: nothing"
    )


def test_an_engines_words_stay_within_their_annotation(capsys: pytest.CaptureFixture[str]) -> None:
    lines = annotations(nasty_results(), capsys)
    assert len(lines) == 5
    assert all(line.startswith("::error title=") for line in lines)
    assert not FORBIDDEN.search("\n".join(lines))


def test_github_gets_ten_annotations_and_then_a_count(capsys: pytest.CaptureFixture[str]) -> None:
    lines = annotations([result("fail")] * 13, capsys)
    assert [line.split(" ")[0] for line in lines] == ["::error"] * 10 + ["::notice"]
    assert lines[-1].endswith("::… and 3 more failures")
    assert len(annotations([result("fail")] * 10, capsys)) == 10


def test_the_summary_is_appended_to_what_the_job_has_said(tmp_path: Path) -> None:
    path = tmp_path / "summary.md"
    path.write_text("Before.\n")
    for _ in range(2):
        (made,) = github.reports(["./engine"], {}, (), {"GITHUB_STEP_SUMMARY": str(path)})
        run(Talking(replay), LEADING, [made])
    text = path.read_text(encoding="utf-8")
    assert text.startswith("Before.\n## ✅ Rules: all 18 cases passed\n")
    assert text.count("## ✅") == 2


# Words.


def test_what_cannot_be_printed_is_made_visible() -> None:
    assert visible("a\x1b[0m\u202e\n\ud800é♠") == "a\\x1b[0m\\u202e\\n\\ud800é♠"


@pytest.mark.parametrize(
    ("verdicts", "exit_code", "sentence"),
    [
        (["pass"], 0, "all 1 case passed"),
        (["pass", "expected-failure"], 0, "all 2 cases as expected"),
        (["pass", "fail"], 1, "1 of 2 cases failed"),
        (["pass", "fail", "unexpected-pass"], 1, "2 of 3 cases not as expected"),
        (["crash", "not-run"], 1, "1 of 1 case failed, 1 not run"),
        (["pass"], 1, "all 1 case passed, but the run is not as it should be"),
        (["pass", "not-run"], 130, "interrupted: all 1 case passed, 1 not run"),
        ([], 3, "nothing was executed"),
    ],
)
def test_a_headline_says_what_came_of_a_run(
    verdicts: list[str], exit_code: int, sentence: str
) -> None:
    engine = Talking(replay)
    done = Run(engine, engine.hello())
    done.verdicts.update(verdicts)
    assert headline(done, exit_code) == sentence


def answers(expected: Any, actual: Any, *path: str | int) -> dict[str, str]:
    """What is said of a difference, by label."""
    return dict(both_answers("hearts", Difference(path, expected, actual)))


def test_actions_are_told_by_verb_and_suit_with_what_is_missing_and_too_many() -> None:
    told = answers(
        ["play 2C", "play KC", "play TD"], ["play KC", "play QS", "play 9S"], "legal", "2"
    )
    assert told == {
        "expected": "play ♣ 2 K  ♦ 10",
        "engine": "play ♣ K  ♠ 9 Q",
        "missing": "play ♣ 2  ♦ 10",
        "too many": "play ♠ 9 Q",
    }


def test_other_actions_are_told_verb_by_verb() -> None:
    told = answers(["bid 1 uptown", "bid 1 nt", "pass"], ["pass {3} 2C 5C QS"], "legal", "2")
    assert told["expected"] == "bid 1 uptown, 1 nt; pass"
    assert told["engine"] == "pass {3} ♣ 2 5  ♠ Q"


@pytest.mark.parametrize(
    ("expected", "actual", "told"),
    [
        (26, "26", {"expected": "26", "engine": '"26"'}),
        (True, 1, {"expected": "true", "engine": "1"}),
        (True, False, {"expected": "accepted", "engine": "refused"}),
        (["play 2C"], None, {"expected": '["play 2C"]', "engine": "null"}),
        (
            [{"seat": 1, "clause": "HEARTS-14", "points": 26}],
            [{"seat": 1, "clause": "HEARTS-14", "points": "26"}],
            {
                "expected": "seat 1, clause HEARTS-14, points 26",
                "engine": 'seat 1, clause HEARTS-14, points "26"',
            },
        ),
    ],
)
def test_values_of_different_types_are_seen_to_differ(
    expected: Any, actual: Any, told: Json
) -> None:
    assert answers(expected, actual, "states", 1, "ok") == told


def test_a_wrong_winner_is_told_before_what_follows_from_it() -> None:
    whole = (replace(case, response=replay(case.request), partial=False) for case in FIRST_LEADS)
    found = failures(Talking(playing(LeadWins)), whole)[0]
    told = [about(each) for each in first_differences(found)]
    assert told[0] == "who wins the trick"
    assert all(words.endswith("may do") for words in told[1:])
    assert len(told) > 1


def test_the_command_to_run_a_case_again_can_be_pasted() -> None:
    told = again("hearts/a/b", ["./my engine", "--x=$HOME"], ["--rules", "target=50"])
    assert told == ("oracle check --rules target=50 --case hearts/a/b -- './my engine' '--x=$HOME'")
    assert again("hearts/a/b", [], ["--responses", "a.jsonl"]).endswith("--case hearts/a/b")


def test_an_empty_list_of_actions_is_not_told_as_nothing() -> None:
    assert answers(ABSENT, [], "legal", "2") == {"expected": "nothing", "engine": "an empty list"}


# Refusals.

MALFORMED = next(case for case in cases("hearts/refusals") if case.id.endswith("/malformed-play"))


def accepting(request: Json) -> Json:
    """An engine that accepts whatever it is asked."""
    return {"states": [{}, *({"ok": True} for _ in request["actions"])]}


class Accepting(Talking):
    """An engine that accepts everything, and reports nothing else."""

    def hello(self) -> Any:
        claims = super().hello()
        games = {
            name: replace(claim, reports=frozenset({"ok"})) for name, claim in claims.games.items()
        }
        return replace(claims, games=games)


def test_a_refusal_that_was_missed_is_told_with_its_clause_and_reason() -> None:
    (found,) = failures(Accepting(accepting), [MALFORMED])
    assert found.missed == "FORMAT"
    lines = told(found, 80)
    place = lines.index("    expected  refused: FORMAT (it is no action of this game)")
    assert lines[place + 1] == "    engine    accepted"


def test_a_refusal_by_a_rule_is_told_with_the_heading_of_its_clause() -> None:
    case = next(each for each in BREAKING if each.id.endswith("/two-of-hearts-discarded"))
    (found,) = failures(Accepting(accepting), [case])
    assert "    expected  refused: HEARTS-09 (Hearts are led only once broken)" in told(found, 80)


def test_a_partial_case_that_only_says_refused_is_told_with_the_clause_all_the_same() -> None:
    states = [{}, *({"ok": state["ok"]} for state in replay(MALFORMED.request)["states"][1:])]
    case = replace(MALFORMED, partial=True, response={"states": states})
    (found,) = failures(Accepting(accepting), [case])
    assert "clause" not in case.response["states"][found.differences[0].state or 0]
    assert found.missed == "FORMAT"


def test_only_whether_and_why_an_action_is_refused_has_a_clause_behind_it() -> None:
    state = next(n for n, each in enumerate(MALFORMED.response["states"]) if not each.get("ok", 1))
    for field, clause in (("ok", "FORMAT"), ("clause", "FORMAT"), ("legal", None)):
        assert refusal(MALFORMED, Difference(("states", state, field), 1, 2)) == clause
    assert refusal(MALFORMED, Difference(("states", 0, "ok"), 1, 2)) is None
    assert refusal(MALFORMED, Difference((), 1, 2)) is None


def test_a_json_report_names_the_clause_behind_a_refusal(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    run(Accepting(accepting), [MALFORMED], [report(path)])
    written = json.loads(path.read_text(encoding="utf-8"))
    assert written["cases"][0]["differences"][0]["clause"] == "FORMAT"
    assert problems("report", written) == []


@pytest.mark.parametrize("suffix", [".md", ".html"])
def test_general_refusals_and_failures_that_no_clause_counts_stand_in_the_reports(
    suffix: str, tmp_path: Path
) -> None:
    path = tmp_path / f"run{suffix}"
    run(Accepting(accepting), [MALFORMED, *GENERATED], [report(path)])
    text = path.read_text(encoding="utf-8")
    assert "FORMAT, to be refused: it is no action of this game" in text
    assert "in generated cases, which were written for none" in text


# Options.


def test_an_answer_that_an_option_would_make_right_is_told_so() -> None:
    found = failures(Talking(playing(QueenBreaks)), BREAKING)
    under = [right_under(each) for each in found]
    assert under
    assert all(each == [{"queen_breaks_hearts": True}] for each in under)
    line = "  this answer is right under queen_breaks_hearts=true"
    shown = list(failure_lines(found[0], "oracle check …", 80, variants=under[0]))
    assert line in shown
    assert line not in told(found[0], 80)


def test_an_answer_that_is_right_in_part_only_is_right_under_no_option() -> None:
    found = failures(Talking(playing(QueenBreaks)), BREAKING)[0]
    assert found.answer is not None
    states = [dict(each) for each in found.answer["states"]]
    states[-1]["legal"] = {}
    spoilt = replace(found, answer={**found.answer, "states": states})
    assert right_under(found)
    assert right_under(spoilt) == []
    # What the engine doesn't report is not looked at.
    assert right_under(replace(spoilt, reports=frozenset({"ok"})))


def test_a_partial_case_is_compared_whole_under_an_option() -> None:
    (case,) = (each for each in BREAKING if each.id.endswith("/queen-led-canonical-twin"))
    other = {**case.request, "rules": {"queen_breaks_hearts": True}}
    answer = replay(other)
    assert right_under(result("fail", case, answer=answer, reports=ALL)) == [other["rules"]]
    # Nothing that the case states, and nothing that should be there.
    answer["states"][1]["match"] = {"winners": [0]}
    stated = {"states": [{}, *case.response["states"][1:]]}
    partial = replace(case, partial=True, response=stated)
    assert right_under(result("fail", partial, answer=answer, reports=ALL)) == []


ALL = frozenset({"ok", "clause", "legal", "trick", "hand", "breakdown", "match"})


def test_the_canonical_value_is_tried_where_a_case_has_another() -> None:
    case = next(
        each
        for each in BREAKING
        if each.request["rules"] == {"queen_breaks_hearts": True}
        and replay({**each.request, "rules": {}}) != replay(each.request)
    )
    answer = replay({**case.request, "rules": {}})
    assert {"queen_breaks_hearts": False} in right_under(
        result("fail", case, answer=answer, reports=ALL)
    )


def test_a_clause_that_an_option_changes_is_told_with_it() -> None:
    found = failures(Talking(playing(QueenBreaks)), BREAKING)[0]
    lines = told(found, 80)
    assert found.case.clauses[0] == "HEARTS-R07"
    assert lines.index("    an option: queen_breaks_hearts") > 2


def test_a_page_tells_of_the_option_that_would_make_an_answer_right(tmp_path: Path) -> None:
    path = tmp_path / "run.html"
    run(Talking(playing(QueenBreaks)), BREAKING, [report(path)])
    text = path.read_text(encoding="utf-8")
    assert "This answer is right under <code>queen_breaks_hearts=true</code>." in text
    assert "<p>Options: queen_breaks_hearts</p>" in text


# Which failures come first.

GENERATED = cases("hearts/generated/hands", most=12)


def test_hand_worked_failures_come_first_and_each_verdict_is_shown() -> None:
    first = Foremost(3, named=2)
    generated = [result("fail", case) for case in GENERATED[:4]]
    crashed = result("crash", GENERATED[5])
    by_hand = [result("fail", case) for case in BREAKING[:4]]
    for each in (*generated, *by_hand, crashed):
        first.add(each)
    assert first.count == 9
    shown, named = first.chosen()
    assert shown == [by_hand[0], by_hand[1], crashed]
    assert named == [by_hand[2], by_hand[3]]


def test_there_may_be_room_for_nothing_or_for_all() -> None:
    for full, named in ((0, 0), (0, 2), (9, 9)):
        first = Foremost(full, named)
        for case in BREAKING[:3]:
            first.add(result("fail", case))
        shown, rest = first.chosen()
        assert (len(shown), len(rest), first.count) == (min(full, 3), min(named, 3 - len(shown)), 3)


def test_an_unexpected_pass_is_not_counted_as_a_failure() -> None:
    first = Foremost(1)
    assert first.more(0) == ""
    for verdict in ("fail", "fail", "unexpected-pass"):
        first.add(result(verdict))
    assert first.more(1) == "… and 2 more that are not as expected"
    assert first.more(3) == ""


@pytest.mark.parametrize("suffix", [".md", ".html"])
def test_reports_for_people_begin_with_hand_worked_failures(suffix: str, tmp_path: Path) -> None:
    results = [*(result("fail", case) for case in GENERATED[:9]), result("fail", BREAKING[0])]
    text = finished(tmp_path / f"run{suffix}", results)
    places = [text.index(case.id) for case in (BREAKING[0], GENERATED[0])]
    assert places == sorted(places)


def test_reports_for_programs_keep_the_order_of_asking(tmp_path: Path) -> None:
    asked = [*GENERATED[:2], BREAKING[0]]
    for suffix in (".json", ".jsonl", ".xml", ".tap"):
        text = finished(tmp_path / f"run{suffix}", [result("fail", case) for case in asked])
        named = [case.id if suffix != ".xml" else case.id.rpartition("/")[2] for case in asked]
        places = [text.index(f'name="{name}"' if suffix == ".xml" else name) for name in named]
        assert places == sorted(places)


# The terminal.


def told(found: Result, width: int) -> list[str]:
    """A failure as a terminal of this width shows it."""
    return list(failure_lines(found, "oracle check …", width))


def failures(engine: Talking, asked: Iterable[Case]) -> list[Result]:
    """The failures of an engine at these cases."""
    under_way = Run(engine, engine.hello())
    return [each for each in under_way.results(asked) if each.verdict != "pass"]


@pytest.mark.parametrize("width", [80, 120])
def test_a_failure_keeps_to_the_width_of_the_terminal(width: int) -> None:
    engine = playing(QueenBreaks, OpenHands, FreePlay, LeadWins)
    asked = [*BREAKING, *FIRST_LEADS, *cases("belote/beating", "hearts/views", most=8)]
    found = failures(Talking(engine), asked)
    assert {each.case.game for each in found} == {"hearts", "belote", "bid-whist"}
    too_long = [
        line
        for each in found
        for line in told(each, width)
        if len(line) > width and not line.startswith(("FAIL", "  run it again"))
    ]
    assert too_long == []


def test_a_failure_shows_the_table_and_both_answers() -> None:
    found = failures(Talking(playing(QueenBreaks)), LEADING)[0]
    lines = told(found, 80)
    assert lines[0] == f"FAIL  {found.case.id}"
    place = lines.index('  the table after action 9 of 11, "3 play 4S":')
    assert lines[place + 1].strip() == "seat 2"
    assert lines[-5:] == [
        "    expected  play ♣ 5 8  ♠ 3 8 K",
        "    engine    play ♣ 5 8  ♥ 2 5 9 J Q A  ♠ 3 8 K",
        "    too many  play ♥ 2 5 9 J Q A",
        "  … and 6 more differences after that",
        "  run it again:  oracle check …",
    ]


def test_an_engines_stderr_stands_behind_a_bar_and_acts_on_no_terminal() -> None:
    lines = told(nasty_results()[2], 80)
    start = lines.index("  the engine's stderr ends with") + 1
    assert len(lines[start:-1]) == 2
    assert all(line.startswith("  | ") for line in lines[start:-1])
    assert not FORBIDDEN.search("\n".join(lines))


def test_twenty_lines_of_stderr_are_shown_and_the_last_of_them() -> None:
    said = "\n".join(f"line {n}" for n in range(30))
    lines = told(result("crash", message="ended", stderr=said), 80)
    assert [line for line in lines if line.startswith("  | ")] == [
        f"  | line {n}" for n in range(10, 30)
    ]


def test_a_failure_says_what_its_case_is_there_to_catch_and_what_tells_it_whole() -> None:
    case = replace(CASE, flags=("a-flag", "bare"), notes={"a-flag": "A mistake."})
    lines = list(failure_lines(result("fail", case), "check", 80, explained(case)))
    assert "  there to catch a-flag: A mistake." in lines
    assert not [line for line in lines if "bare" in line]
    assert lines[-2:] == [f"  the whole case:  oracle explain {case.id}", "  run it again:  check"]


def test_the_notes_of_a_file_are_known_to_its_cases() -> None:
    assert CASE.flags
    assert set(CASE.flags) <= CASE.notes.keys()
    assert replace(CASE, notes={}) == CASE


def test_a_case_in_no_file_is_told_with_the_rules_under_which_it_was_asked() -> None:
    options = ["--rules", "hearts:openspiel", "--vectors", "my folder"]
    assert explained(CASE, options) == f"oracle explain --vectors 'my folder' {CASE.id}"
    by = {"kind": "generated", "by": "hearts/house-hands", "seed": "1:1"}
    rules = {"target": 50, "pass_cycle": ["none"]}
    fresh = replace(CASE, source=by, request={**CASE.request, "rules": rules})
    assert explained(fresh) == (
        f"oracle explain --rules target=50 --rules 'pass_cycle=[\"none\"]' {CASE.id}"
    )


def test_a_hand_that_was_generated_is_told_with_the_rule_that_was_missed_only() -> None:
    found = [*failures(Accepting(accepting), GENERATED), *failures(Accepting(lawless), GENERATED)]
    assert {each.missed in GENERAL for each in found} == {False, True}
    for each in found:
        lines = [line for line in told(each, 80) if line.startswith("  HEARTS-")]
        quoted = [line.split()[0] for line in lines if ":" in line]
        assert quoted == ([] if each.missed in GENERAL else [each.missed])


def lawless(request: Json) -> Json:
    """An engine that accepts whatever breaks no more than a rule."""
    _, *states = replay(request)["states"]
    return {"states": [{}, *({"ok": each.get("clause") not in GENERAL} for each in states)]}


def test_clauses_that_are_not_quoted_are_named() -> None:
    case = replace(CASE, clauses=("HEARTS-09", "HEARTS-08", "HEARTS-12", "HEARTS-13"))
    assert "  also about HEARTS-12, HEARTS-13" in told(result("fail", case), 80)


def test_four_bare_open_cards_keep_their_columns() -> None:
    row = ("KD", "TD", "7S", "8S")
    drawn = [
        drawing.table(Picture((Place("seat 0", (row,), kept), Place("seat 1", ())), (), ()))[-1]
        for kept in (True, False)
    ]
    assert drawn == ["  K♦    10♦   7♠    8♠", "  ♦ K 10  ♠ 7 8"]
    assert all(place.in_columns for place in at_table(REQUEST).picture().places)


def test_a_summary_names_the_clauses_that_failed_most_first() -> None:
    done = run(Talking(playing(FreePlay)), cases("belote/beating"))
    lines = list(summary_lines(done))
    counts = [int(line.split()[2]) for line in lines[1:] if line.startswith("BELOTE")]
    assert counts == sorted(counts, reverse=True)
    assert counts[0] > 1
    assert re.fullmatch(r"(\d+ passed, )?\d+ failed \(\d+\.\d s\)", lines[-1])


def test_a_summary_says_what_the_clauses_do_not_count_and_names_general_refusals() -> None:
    done = run(Accepting(accepting), [MALFORMED, *GENERATED])
    lines = list(summary_lines(done))
    (row,) = (line for line in lines if line.startswith("FORMAT"))
    # The table has a column for those that passed, which a refusal leaves empty.
    told = f"FORMAT {done.missed['FORMAT']} to be refused: it is no action of this game"
    assert " ".join(row.split()) == told
    assert done.missed["FORMAT"] >= 1
    generated = done.verdicts["fail"] - 1
    assert (
        f"not counted by clause: {generated} failures in generated cases, which were written for none"
        in lines
    )


def test_a_summary_of_cases_that_were_written_for_clauses_has_no_such_line() -> None:
    done = run(Talking(playing(QueenBreaks)), BREAKING)
    assert done.verdicts["fail"]
    assert not [line for line in summary_lines(done) if line.startswith(("not counted", "FORMAT"))]


def not_asked(**counts: int) -> Run:
    """A run that didn't ask so many cases: by game that isn't played, or by option."""
    engine = Talking(replay)
    done = Run(engine, engine.hello())
    for name, count in counts.items():
        game = name.replace("_", "-")
        why = (
            unplayed(game) if game in GAMES else f"{name} at a value that the engine doesn't claim"
        )
        done.not_asked[why] = count
    return done


def test_games_that_are_not_played_are_told_together_and_last() -> None:
    done = not_asked(hearts=30, belote=20, bid_whist=1, target=2)
    assert not_checked(done) == [
        (2, "target at a value that the engine doesn't claim"),
        (51, "the engine doesn't play hearts, belote or bid-whist"),
    ]
    assert not_checked(not_asked(spades=4)) == [(4, "the engine doesn't play spades")]


def test_options_at_values_that_are_not_claimed_are_told_together() -> None:
    why = "the engine doesn't claim their value of target (3 cases), moon (2 cases)"
    assert not_checked(not_asked(moon=2, target=3)) == [(5, why)]


def test_the_last_line_counts_what_was_not_checked_of_the_games_that_are_played() -> None:
    done = not_asked(hearts=30, target=2, moon=1)
    done.verdicts["pass"] = 4
    assert verdict_counts(done) == "4 passed, 3 not checked"
    assert verdict_counts(not_asked(hearts=30)) == ""


# The command line.


def test_one_run_writes_reports_of_several_kinds(tmp_path: Path) -> None:
    vectors = write_folder(tmp_path / "vectors")
    options = [word for suffix in KINDS for word in ("--report", str(tmp_path / f"run{suffix}"))]
    done = oracle("check", "--vectors", vectors, *options, "--", *REFERENCE)
    assert (done.code, done.err) == (0, "")
    assert json.loads((tmp_path / "run.json").read_text())["totals"]["pass"] == 2
    assert json.loads((tmp_path / "run.badge.json").read_text())["message"] == "2/2"
    assert len((tmp_path / "run.jsonl").read_text().splitlines()) == 3
    assert "all 2 cases passed" in (tmp_path / "run.md").read_text()
    assert "ok 2 - hearts/opening/king-of-clubs" in (tmp_path / "run.tap").read_text()
    assert JUnitXml.fromfile(str(tmp_path / "run.xml")).tests == 2
    assert "All 2 cases passed." in (tmp_path / "run.html").read_text()


def test_a_check_in_github_actions_says_so_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    summary = tmp_path / "summary.md"
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    vectors = write_folder(tmp_path / "vectors")
    mute = [sys.executable, "-c", MUTE]
    done = oracle("check", "--vectors", vectors, "--details", "0", "--", *mute)
    assert done.code == 1
    assert "::error title=crash hearts/opening/three-of-clubs::" in done.out
    assert summary.read_text(encoding="utf-8").startswith("## ❌ Rules: 2 of 2 cases failed\n")


#: An engine that shakes hands and then ends.
MUTE = (
    "import sys\n"
    "input()\n"
    'print(\'{"protocol": 1, "engine": {"name": "mute", "version": "1", "language": "Python"}, '
    '"games": {"hearts": {"ops": ["replay"], "reports": ["ok"], "start": ["hand"]}}}\', flush=True)\n'
    "input()\n"
)


def test_a_report_that_cannot_be_written_keeps_no_other_from_being_written(tmp_path: Path) -> None:
    vectors = write_folder(tmp_path / "vectors")
    (tmp_path / "a.json").mkdir()
    words = [word for name in "ab" for word in ("--report", str(tmp_path / f"{name}.json"))]
    done = oracle("check", "--vectors", vectors, *words, "--", *REFERENCE)
    assert done.code == 2
    assert json.loads((tmp_path / "b.json").read_text())["totals"]["pass"] == 2


@pytest.mark.parametrize("name", ["run.jsonl", "run.json"])
def test_a_report_that_cannot_be_written_costs_one_line(name: str, tmp_path: Path) -> None:
    vectors = write_folder(tmp_path / "vectors")
    (tmp_path / name).mkdir()
    done = oracle("check", "--vectors", vectors, "--report", tmp_path / name, "--", *REFERENCE)
    assert done.code == 2
    assert done.err == f"oracle: {tmp_path / name}: is a directory\n"
