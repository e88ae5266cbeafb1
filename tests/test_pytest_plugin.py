"""The pytest plugin: every case a test with its id, for an engine in Python or as a command."""

import json
import os
import re
import shlex
import subprocess
import sys

import pytest
from commands import oracle

ENGINE = f"{sys.executable} -m oracle serve"
TOPIC = "hearts/ties/*"


@pytest.fixture
def run(tmp_path):
    """pytest in a folder of its own, with a file of tests."""

    def call(*arguments, tests="", plugin=True):
        (tmp_path / "test_mine.py").write_text(tests)
        load = ["-p", "oracle.pytest_plugin"] if plugin else []
        return subprocess.run(
            [sys.executable, "-m", "pytest", "-q", *load, *arguments],
            cwd=tmp_path,
            env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
            capture_output=True,
            text=True,
            check=False,
        )

    return call


FIXTURE = """
import oracle

def test_the_reference(oracle_case):
    oracle_case.check(oracle.replay)
"""

WRONG = """
import oracle

def wrong(request):
    answer = oracle.replay(request)
    answer.pop("match", None)
    return answer

def test_mine(oracle_case):
    oracle_case.check(wrong)
"""


def test_a_test_with_the_fixture_runs_once_a_case(run):
    done = run("--oracle-select", TOPIC, "-vv", tests=FIXTURE)
    assert done.returncode == 0, done.stdout
    assert "test_the_reference[hearts/ties/" in done.stdout


def test_a_failure_is_told_with_the_clause_and_no_traceback(run):
    done = run("--oracle-select", TOPIC, tests=WRONG)
    assert done.returncode == 1
    assert "HEARTS-18" in done.stdout
    assert "expected" in done.stdout
    assert "Traceback" not in done.stdout


#: A test whose engine claims something.
CLAIMED = """
import oracle

CLAIMS = {{"hearts": {{"ops": ["replay"], "reports": ["ok"], "start": ["hand"], "options": {options}}}}}

def mine(request):
    states = oracle.replay(request)["states"]
    return {{"states": [{{"ok": each["ok"]}} if "ok" in each else {{}} for each in states]}}

def test_mine(oracle_case):
    oracle_case.check(mine, claims=CLAIMS)
"""


def test_cases_that_are_not_claimed_are_skipped_with_the_reason(run):
    select = [f"--oracle-select=hearts/{topic}/*" for topic in ("following", "shuffle", "ties")]
    done = run(*select, "--oracle-select=spades/nil/*", "-rs", tests=CLAIMED.format(options={}))
    assert done.returncode == 0, done.stdout
    for why in (
        "the engine doesn't answer shuffle",
        "the engine takes no scores at the start",
        "the engine doesn't play spades",
    ):
        assert why in done.stdout
    assert re.search(r"\d+ passed, \d+ skipped", done.stdout)


def test_claims_that_set_house_rules_hold_for_the_fixture(run):
    tests = CLAIMED.format(options={"queen_breaks_hearts": [True]})
    spoilt = tests.replace("oracle.replay(request)", 'oracle.replay({**request, "rules": {}})')
    select = ["--oracle-select", "hearts/breaking-hearts/*"]
    assert run(*select, tests=tests).returncode == 0
    done = run(*select, tests=spoilt)
    assert "FAIL  hearts/breaking-hearts/queen-discarded-canonical-twin" in done.stdout
    assert "rules: queen_breaks_hearts=true" in done.stdout


def test_a_case_that_goes_astray_under_the_rules_of_a_claim_is_skipped(run):
    tests = CLAIMED.format(options={"pass_cycle": [["none"]]})
    done = run("--oracle-select", "hearts/hands/000*", "-rs", tests=tests)
    assert "play doesn't get as far under the house rules" in done.stdout
    assert "failed" not in done.stdout


def test_the_last_words_of_an_engine_that_does_not_answer_hello_are_shown(run, tmp_path):
    (tmp_path / "broken.py").write_text("import nothing_like_it")
    done = run("--oracle-engine", f"{sys.executable} broken.py")
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert "| ModuleNotFoundError: No module named 'nothing_like_it'" in done.stderr


def test_beside_a_folder_of_ones_own_no_hands_are_played(run, house):
    request = {"op": "replay", "game": "spades", "rules": {}, "deals": [], "actions": []}
    saving = ["--save", house / "mine", "--title", "No hand.", "--id", "spades/mine/none"]
    saving += ["--clause", "SPADES-36"]
    assert oracle("replay", "-", *saving, stdin=json.dumps(request).encode()).code == 0
    (house / "house.py").write_text(HOUSE.replace('"score"', '"view"'))
    done = run("--oracle-engine", TO_HOUSE, "--oracle-vectors", "mine")
    assert done.returncode == pytest.ExitCode.NO_TESTS_COLLECTED
    assert "oracle: not checked: 1 case, the engine doesn't answer replay" in done.stdout


def test_an_engine_as_a_command_makes_a_test_of_each_case(run):
    done = run("--oracle-engine", ENGINE, "--oracle-select", TOPIC, "-vv")
    assert done.returncode == 0, done.stdout
    assert "hearts/ties/" in done.stdout


def test_choosing_by_name_works_as_with_any_test(run):
    whole = run("--oracle-engine", ENGINE, "--oracle-select", TOPIC, "--collect-only")
    some = run(
        "--oracle-engine", ENGINE, "--oracle-select", TOPIC, "-k", "shared", "--collect-only"
    )
    assert 0 < some.stdout.count("hearts/ties/") < whole.stdout.count("hearts/ties/")


def test_last_failed_runs_only_the_failures(run, tmp_path):
    run("--oracle-select", TOPIC, tests=WRONG)
    again = run("--oracle-select", TOPIC, "--lf", tests=WRONG)
    first, second = again.stdout.splitlines()[-1].split(" in ")[0], again.returncode
    assert second == 1
    assert "passed" not in first


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--oracle-engine", "no-such-engine"], "no-such-engine"),
        (["--oracle-engine", f"{sys.executable} -c pass"], "--oracle-engine"),
        (["--oracle-engine", ENGINE, "--oracle-vectors", "nowhere"], "nowhere"),
    ],
)
def test_a_mistake_costs_one_line(run, arguments, words):
    done = run(*arguments)
    assert done.returncode == 4
    assert words in done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr


#: An engine that scores Spades by a house rule, and takes a hand of two nils for another.
HOUSE = """
import json, sys
from oracle.replay import replay

OPTIONS = {"failed_nil_tricks": ["bags_and_points"]}
CLAIM = {"ops": ["score"], "reports": ["hand"], "options": OPTIONS}
ENGINE = {"name": "house", "version": "1", "language": "Python"}
HELLO = {"protocol": 1, "engine": ENGINE, "games": {"spades": CLAIM, "spade": CLAIM}}
for line in sys.stdin:
    message = json.loads(line)
    if message.get("do") == "bye":
        break
    answer = HELLO
    if "do" not in message:
        seq = message.pop("seq")
        answer = {**replay(message), "seq": seq}
        if message["tally"]["bids"] == [0, 0]:
            answer["hand"]["delta"] = [0, 0]
    print(json.dumps(answer), flush=True)
"""
TO_HOUSE = f"{sys.executable} house.py"


@pytest.fixture
def house(tmp_path):
    """The engine HOUSE lies in the folder in which pytest runs."""
    (tmp_path / "house.py").write_text(HOUSE)
    return tmp_path


def test_an_engine_is_asked_the_cases_that_check_asks_by_the_rules_that_it_plays(run, house):
    select = "spades/nil/*"
    report = house / "report.json"
    engine = [sys.executable, str(house / "house.py")]
    oracle("check", "--case", select, "--report", report, "--", *engine)
    checked = [case["id"] for case in json.loads(report.read_text())["cases"]]
    done = run("--oracle-engine", TO_HOUSE, "--oracle-select", select, "--collect-only")
    assert re.findall(r"spades/nil/[\w-]+", done.stdout) == checked
    assert len(checked) > 10
    assert f"oracle: {len(checked)} cases asked of the engine, " in done.stdout


def test_hands_that_are_played_for_a_run_are_asked_too(run, house):
    hand = "spades/house-hands/0002"
    (house / "house.py").write_text(HOUSE.replace('"score"', '"replay"').replace("hand", "ok"))
    done = run("--oracle-engine", TO_HOUSE, "--oracle-select", hand, "--collect-only")
    assert hand in done.stdout
    assert "oracle: 1 case asked of the engine, 0 not checked" in done.stdout


@pytest.mark.parametrize(
    ("select", "why"),
    [
        ("spades/views/*", r"not checked: \d+ cases, the engine doesn't answer view"),
        ("hearts/views/*", "the engine plays none of the games of these cases"),
    ],
)
def test_where_nothing_is_asked_it_is_said_why(run, house, select, why):
    done = run("--oracle-engine", TO_HOUSE, "--oracle-select", select)
    assert done.returncode == pytest.ExitCode.NO_TESTS_COLLECTED
    assert re.search(rf"^oracle: {why}$", done.stdout, re.MULTILINE), done.stdout


def test_a_name_in_the_claim_that_nobody_knows_is_told(run, house):
    done = run("--oracle-engine", TO_HOUSE, "--oracle-select", "spades/views/*")
    assert "oracle: the engine's claim: /games/spade: ignored, there is no such game" in done.stdout


def again(run, done):
    """What comes of the first command that is shown to run a case again."""
    command = re.search(r"run it again:  pytest (.*)", done.stdout)
    assert command is not None, done.stdout
    return run(*shlex.split(command[1]))


def test_the_line_that_runs_a_case_again_runs_it_and_no_other(run, house):
    mine = house / "mine"
    saving = ["--save", mine, "--title", "Two nils are made and missed."]
    for name in ("two-nils", "two-nils-and-more"):
        tally = {"bids": [0, 0], "tricks": [0, 13] if name == "two-nils" else [1, 12]}
        request = {"op": "score", "game": "spades", "rules": {}, "tally": tally}
        saved = [*saving, "--id", f"spades/mine/{name}"]
        assert oracle("replay", "-", *saved, stdin=json.dumps(request).encode()).code == 0
    asked = ["--oracle-engine", TO_HOUSE, "--oracle-vectors", "mine"]
    (house / "broken").mkdir()
    (house / "broken/test_other.py").write_text("import nothing_like_it")
    done = run(*asked, "--ignore", "broken")
    assert "2 failed" in done.stdout
    assert "1 failed in" in again(run, done).stdout


def test_the_line_that_runs_a_case_of_a_test_again_runs_it_and_no_other(run):
    tests = WRONG + "\n\ndef test_beside():\n    assert False\n"

    def call(*arguments):
        return run(*arguments, tests=tests)

    done = call("--oracle-select", TOPIC, "test_mine.py")
    assert "1 failed, 1 deselected in" in again(call, done).stdout


def test_a_pattern_that_no_case_fits_is_answered_with_the_nearest_topic(run):
    for tests, asked in (("", ["--oracle-engine", ENGINE]), (FIXTURE, [])):
        done = run(*asked, "--oracle-select", "hearts/tie/*", tests=tests)
        assert "did you mean hearts/ties/*?" in done.stdout + done.stderr
        assert "Traceback" not in done.stdout + done.stderr


def test_without_its_options_the_plugin_adds_nothing(run):
    done = run(tests="def test_mine():\n    pass\n")
    assert done.stdout.splitlines()[-1].startswith("1 passed")
