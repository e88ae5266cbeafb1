"""The pytest plugin: every case a test with its id, for an engine in Python or as a command."""

import os
import subprocess
import sys

import pytest

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


def test_without_its_options_the_plugin_adds_nothing(run):
    done = run(tests="def test_mine():\n    pass\n")
    assert done.stdout.splitlines()[-1].startswith("1 passed")
