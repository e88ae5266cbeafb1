"""Engines that go wrong: each fault costs its own case, and nothing is left behind."""

import json
import tracemalloc
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest
from engines.faking import Fake, case, shuffles

from oracle.conformance.claims import NoHandshake
from oracle.conformance.engine import Limits, NoSuchEngine, ProcessEngine, Stop
from oracle.conformance.run import Run
from oracle.conformance.verdicts import Result
from oracle.vectors.cases import Case

LIMITS = Limits(hello=5, request=5, bye=1, line=1 << 20)
#: For engines that hang: the shorter, the sooner the test is over.
SHORT = Limits(hello=0.5, request=0.5, bye=0.3, line=1 << 20)


@dataclass
class Told:
    """What a run has told."""

    run: Run
    results: list[Result]

    @property
    def verdicts(self) -> list[str]:
        return [result.verdict for result in self.results]


def descriptors() -> int:
    """How many files this process has open."""
    return sum(1 for _ in Path("/dev/fd").iterdir())


def check(
    fake: Fake,
    cases: Sequence[Case],
    limits: Limits = LIMITS,
    *,
    jobs: int = 1,
    repeats: int = 0,
    fail_fast: bool = False,
) -> Told:
    """Hold a fake engine against cases; nothing of it must be left."""
    before = descriptors()
    stop = Stop()
    first, *others = engines = [ProcessEngine(fake.command, limits, stop=stop) for _ in range(jobs)]
    with ExitStack() as stack:
        for engine in engines:
            stack.callback(engine.abandon)
        run = Run(first, first.hello(), fail_fast, others, repeats=repeats, stop=stop)
        results = list(run.results(cases))
    assert fake.left == []
    assert descriptors() == before
    return Told(run, results)


#: The ways of going wrong at a case: the verdict that each costs it, and what is said of it.
FAULTS = {
    "exits": ("crash", "ended with status 3"),
    "is_killed": ("crash", "ended by SIGSEGV"),
    "exits_in_the_middle_of_a_line": ("crash", 'in the middle of a line: "{'),
    "exits_after_the_answer": ("crash", "ended with status 0 after its answer"),
    "dies_and_leaves_a_child_with_the_pipes": ("crash", "ended with status 3"),
    "prints_garbage": ("protocol-error", "what a hand!"),
    "prints_a_list": ("protocol-error", "an answer is a JSON object"),
    "prints_a_huge_line": ("protocol-error", "a line of more than 1048576 bytes"),
    "prints_invalid_utf8": ("protocol-error", "not UTF-8 at byte"),
    "prints_a_byte_order_mark": ("protocol-error", "byte order mark"),
    "prints_a_blank_line": ("protocol-error", "a blank line"),
    "prints_a_fraction": ("protocol-error", "1.0 is not an integer"),
    "prints_a_key_twice": ("protocol-error", 'the key "seq" comes twice'),
    "nests_too_deeply": ("protocol-error", "nested"),
    "prints_a_lone_surrogate": ("protocol-error", "a string that UTF-8 can't hold"),
    "answers_twice_at_once": ("protocol-error", "went on after its answer"),
    "answers_twice_in_a_moment": ("protocol-error", "answered it a second time"),
    "gives_the_next_seq": ("protocol-error", "the answer has the seq 4, and 3 was asked"),
    "gives_no_seq": ("protocol-error", "the answer has no seq"),
    "gives_a_seq_in_words": ("protocol-error", 'the answer has the seq "3"'),
    "answers_before_the_next_question": ("protocol-error", "went on after its answer"),
    "closes_stdin": ("crash", "closed its input after its answer"),
    "closes_stdout": ("crash", "closed its output"),
    "says_unsupported": ("fail", "claimed, and answered with unsupported: not yet"),
    "says_failed": ("engine-error", "the engine itself failed: out of cards"),
    "says_failed_in_numbers": ("protocol-error", "failed says why in a string"),
    "answers_wrongly": ("fail", ""),
}


@pytest.mark.parametrize("way", FAULTS)
def test_an_engine_that_goes_wrong_at_a_case_costs_that_case_alone(way: str, tmp_path: Path):
    cases = shuffles(6)
    told = check(Fake(tmp_path, way, cases), cases)
    verdict, message = FAULTS[way]
    assert told.verdicts == ["pass", "pass", verdict, "pass", "pass", "pass"]
    assert message in told.results[2].message
    assert told.run.faults == []


@pytest.mark.parametrize("way", FAULTS)
def test_the_last_case_bears_its_own_cost_too(way: str, tmp_path: Path):
    cases = shuffles(2)
    told = check(Fake(tmp_path, way, cases, at=[1]), cases)
    # These have answered all there was; only bye can still go wrong.
    only_bye = way in ("exits_after_the_answer", "closes_stdin")
    assert told.verdicts == ["pass", "pass" if only_bye else FAULTS[way][0]]
    faults = ["the engine did not end within 1 s of bye"] if way == "closes_stdin" else []
    assert told.run.faults == faults


HANGS = {
    "hangs": "no answer within 0.5 s",
    "hangs_in_the_middle_of_a_line": 'no answer within 0.5 s; so far it said "{',
    "ignores_sigterm_and_hangs": "no answer within 0.5 s",
}


@pytest.mark.parametrize("way", HANGS)
def test_an_engine_that_hangs_costs_its_case_and_is_ended(way: str, tmp_path: Path):
    cases = shuffles(4)
    told = check(Fake(tmp_path, way, cases), cases, SHORT)
    assert told.verdicts == ["pass", "pass", "timeout", "pass"]
    assert HANGS[way] in told.results[2].message


HARMLESS = [
    "floods_stderr",
    "floods_stderr_at_hello",
    "is_slow",
    "ends_lines_as_windows_does",
    "leaves_children",
    "leaves_children_that_ignore_sigterm",
    "tells_more_than_was_asked",
]


@pytest.mark.parametrize("way", HARMLESS)
def test_what_does_no_harm_costs_nothing(way: str, tmp_path: Path):
    cases = shuffles(4)
    told = check(Fake(tmp_path, way, cases), cases)
    assert told.verdicts == ["pass"] * 4
    assert told.run.faults == []
    assert told.run.unknown_fields == (2 if way == "tells_more_than_was_asked" else 0)


# Whose fault it is.


def test_what_comes_too_late_for_its_case_is_a_fault_of_the_run_and_costs_no_other(tmp_path: Path):
    cases = shuffles(6)
    told = check(Fake(tmp_path, "answers_again_much_later", cases), cases)
    assert told.verdicts == ["pass"] * 6
    [fault] = told.run.faults
    assert fault.startswith("hearts/shuffles/2: the engine went on after its answer")
    assert not told.run.good


def test_a_verdict_comes_with_the_end_of_stderr(tmp_path: Path):
    cases = shuffles(4)
    told = check(Fake(tmp_path, "exits", cases), cases)
    assert [result.stderr for result in told.results] == ["", "", "I have had enough", ""]


def test_of_a_flooded_stderr_only_the_end_is_kept(tmp_path: Path):
    cases = shuffles(2)
    fake = Fake(tmp_path, "floods_stderr", cases, at=[0])
    engine = ProcessEngine(fake.command, LIMITS)
    engine.hello()
    engine.ask(cases[0].request)
    engine.close()
    assert 1000 < len(engine.stderr()) <= 4096


@pytest.mark.parametrize("way", ["prints_a_huge_line", "talks_without_end_at_bye"])
def test_no_more_of_a_line_is_kept_than_the_limit_allows(way: str, tmp_path: Path):
    cases = shuffles(3)
    fake = Fake(tmp_path, way, cases, at=[1])
    tracemalloc.start()
    try:
        told = check(fake, cases)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert not told.run.good
    # The line has 100 MiB, or no end; the limit is 1 MiB.
    assert peak < 10 << 20


@pytest.mark.parametrize("way", ["right", "greets_with_the_newline_later"])
def test_an_answer_as_long_as_the_limit_is_still_taken(way: str, tmp_path: Path):
    cases = shuffles(2)
    fake = Fake(tmp_path, way, cases, at=[])
    # Its longest answer is that to hello.
    longest = fake.hello_size
    assert check(fake, cases, Limits(line=longest)).verdicts == ["pass", "pass"]
    with pytest.raises(NoHandshake, match=f"a line of more than {longest - 1} bytes"):
        check(fake, cases, Limits(line=longest - 1))


def test_a_question_may_be_longer_than_a_pipe_takes_at_once(tmp_path: Path):
    request = {"op": "replay", "game": "hearts", "rules": {}, "deals": []}
    cases = [case("hearts/long/0", {**request, "actions": ["0 play 2C"] * 20_000})]
    assert len(json.dumps(cases[0].request)) > 200_000
    told = check(Fake(tmp_path, "right", cases, at=[]), cases, Limits())
    assert told.verdicts == ["pass"]


# Hello and bye.

NO_HANDSHAKE = {
    "exits_at_start": "ended with status 1",
    "hangs_at_hello": "no answer within 0.5 s",
    "greets_with_garbage": "Welcome to the fake engine!",
    "greets_twice": "went on after its answer",
}


@pytest.mark.parametrize("way", NO_HANDSHAKE)
def test_without_a_proper_hello_there_is_no_handshake(way: str, tmp_path: Path):
    fake = Fake(tmp_path, way, shuffles(1), at=[])
    engine = ProcessEngine(fake.command, SHORT)
    with pytest.raises(NoHandshake, match=NO_HANDSHAKE[way]):
        engine.hello()
    assert fake.left == []
    assert engine.stderr() == ("no licence" if way == "exits_at_start" else "")


AT_BYE = {
    "hangs_at_bye": "the engine did not end within 0.3 s of bye",
    "answers_bye": "the engine answered bye",
    "talks_without_end_at_bye": "the engine answered bye",
    "exits_with_3_at_bye": "the engine ended with status 3 at bye, and 0 was expected",
}


@pytest.mark.parametrize("way", AT_BYE)
def test_an_engine_that_does_not_end_properly_is_a_fault_of_the_run(way: str, tmp_path: Path):
    cases = shuffles(2)
    told = check(Fake(tmp_path, way, cases, at=[]), cases, SHORT)
    assert told.verdicts == ["pass", "pass"]
    [fault] = told.run.faults
    assert fault.startswith(AT_BYE[way])
    assert not told.run.good


def test_a_command_that_cannot_be_started_is_told_in_one_line(tmp_path: Path):
    for command in (["no-such-engine"], [str(tmp_path)], ["a\0b"]):
        with pytest.raises(NoSuchEngine) as raised:
            ProcessEngine(command, LIMITS).hello()
        assert "\n" not in str(raised.value)


def sh(line: str) -> list[str]:
    return ["sh", "-c", line]


@pytest.mark.parametrize("end", ["exit 0", "exit 3", "kill -9 $$"])
def test_an_engine_that_ends_at_once_is_told_what_was_missing(end: str):
    with pytest.raises(NoHandshake, match="before it answered hello, as an engine must"):
        ProcessEngine(sh(f"read line; {end}"), LIMITS).hello()


#: What an engine says on stdout, and whether it looks as if it was meant for a person.
FOR_A_PERSON = {
    "spades engine loaded": True,
    "3": True,
    '"ready"': True,
    '{"protocol": 1': False,
    "[1, 2]": False,
    '\ufeff{"protocol": 1}': False,
}


@pytest.mark.parametrize("said", FOR_A_PERSON)
def test_words_for_a_person_on_stdout_are_told_where_they_belong(said: str):
    with pytest.raises(NoHandshake) as raised:
        ProcessEngine(sh(f"read line; echo '{said}'"), LIMITS).hello()
    hint = "(stdout is for answers; anything else belongs on stderr)"
    assert (hint in str(raised.value)) == FOR_A_PERSON[said]


def test_a_first_answer_that_does_not_come_may_not_have_been_flushed(tmp_path: Path):
    hint = "(it must flush its output after each answer)"
    with pytest.raises(NoHandshake) as raised:
        ProcessEngine(sh("sleep 5"), SHORT).hello()
    assert str(raised.value).endswith(hint)
    cases = shuffles(3)
    told = check(Fake(tmp_path, "hangs", cases, at=[0, 2]), cases, SHORT)
    # Once an engine has answered a question, it does flush.
    assert [hint in result.message for result in told.results] == [True, False, False]


STARTS = {
    "engine.py": "engine.py: no such file or directory; what lies here is ./engine.py",
    "./engine.py": "./engine.py: permission denied; make it executable (chmod +x ./engine.py)",
    "./script": "./script: exec format error; put before it what runs it, such as python3",
    "python3 engine.py": "without quotation marks around all of it: -- python3 engine.py",
    "no-such-engine": "no-such-engine: no such file or directory",
}


@pytest.mark.parametrize("name", STARTS)
def test_a_command_that_cannot_be_started_is_told_what_may_have_been_meant(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    Path("engine.py").write_text("print()\n")
    Path("engine.py").chmod(0o644)
    Path("script").write_text("print()\n")
    Path("script").chmod(0o755)
    with pytest.raises(NoSuchEngine) as raised:
        ProcessEngine([name], LIMITS).hello()
    assert STARTS[name] in str(raised.value)
    assert (";" in str(raised.value)) == (name != "no-such-engine")


# Dying again and again.


def test_five_deaths_in_a_row_end_the_run_and_the_rest_is_not_run(tmp_path: Path):
    cases = shuffles(9)
    fake = Fake(tmp_path, "exits", cases, at=[1, 2, 3, 4, 5, 7])
    told = check(fake, cases)
    assert told.verdicts == ["pass"] + ["crash"] * 5 + ["not-run"] * 3
    assert told.run.executed == 6
    why = "stopped after 5 deaths of the engine in a row: the other cases were not run"
    assert told.run.faults == [why]


def test_deaths_at_the_last_cases_stop_nothing(tmp_path: Path):
    cases = shuffles(6)
    told = check(Fake(tmp_path, "exits", cases, at=[1, 2, 3, 4, 5]), cases)
    assert told.verdicts == ["pass"] + ["crash"] * 5
    assert told.run.faults == []


def test_deaths_with_an_answer_between_them_do_not_end_the_run(tmp_path: Path):
    cases = shuffles(12)
    at = [0, 1, 2, 3, 5, 6, 7, 8]
    told = check(Fake(tmp_path, "exits", cases, at), cases)
    assert told.verdicts == ["crash" if n in at else "pass" for n in range(12)]


def test_late_faults_count_among_the_deaths(tmp_path: Path):
    cases = shuffles(8)
    told = check(Fake(tmp_path, "answers_twice_at_once", cases, range(8)), cases)
    assert told.verdicts == ["protocol-error"] * 5 + ["not-run"] * 3


def test_an_engine_that_does_not_start_again_ends_the_run_at_no_case_s_cost(tmp_path: Path):
    cases = shuffles(5)
    told = check(Fake(tmp_path, "starts_only_once", cases, at=[1]), cases)
    assert told.verdicts == ["pass", "crash", "not-run", "not-run", "not-run"]
    [fault] = told.run.faults
    assert fault.startswith("the engine can't be started again: ended with status 1")


def test_an_engine_may_need_several_starts_after_a_death(tmp_path: Path):
    cases = shuffles(4)
    fake = Fake(tmp_path, "starts_not_the_second_time", cases, at=[1])
    told = check(fake, cases)
    assert told.verdicts == ["pass", "crash", "pass", "pass"]
    assert told.run.faults == []
    assert len(fake.started) == 3


def test_fail_fast_asks_nothing_after_the_first_failure(tmp_path: Path):
    cases = shuffles(6)
    fake = Fake(tmp_path, "answers_wrongly", cases, at=[2, 4])
    told = check(fake, cases, fail_fast=True)
    assert told.verdicts == ["pass", "pass", "fail", "not-run", "not-run", "not-run"]


# State carried over.


def test_a_verdict_that_changes_when_a_case_is_asked_again_is_reported(tmp_path: Path):
    cases = shuffles(6)
    # What follows case 2 is wrong. In the other order, that is another case.
    told = check(Fake(tmp_path, "leaks", cases), cases, repeats=6)
    assert told.verdicts == ["pass", "pass", "pass", "fail", "pass", "pass"]
    assert [fault.partition(": ")[0] for fault in told.run.faults] == [
        "hearts/shuffles/3",
        "hearts/shuffles/1",
    ]
    assert "fail at first, and pass when it was asked again" in told.run.faults[0]
    assert not told.run.good


def test_an_engine_without_memory_is_not_suspected(tmp_path: Path):
    cases = shuffles(6)
    told = check(Fake(tmp_path, "answers_wrongly", cases), cases, repeats=6)
    assert told.verdicts == ["pass", "pass", "fail", "pass", "pass", "pass"]
    assert told.run.faults == []


def test_only_a_sample_is_asked_again_and_never_what_cost_a_process(tmp_path: Path):
    cases = shuffles(30)
    fake = Fake(tmp_path, "exits", cases, at=range(0, 30, 2))
    told = check(fake, cases, repeats=8)
    assert told.run.verdicts == {"pass": 15, "crash": 15}
    # A process for the start and one after each death; none for a death when asked again.
    assert len(fake.started) == 16


def test_an_engine_that_dies_only_when_asked_again_is_reported(tmp_path: Path):
    cases = shuffles(2)
    told = check(Fake(tmp_path, "exits_at_every_third", cases, at=[]), cases, repeats=2)
    assert told.verdicts == ["pass", "pass"]
    [fault] = told.run.faults
    assert "pass at first, and crash when it was asked again" in fault


# Several processes.

ALIKE = ["right", "exits", "answers_wrongly", "answers_twice_at_once", "says_failed"]


@pytest.mark.parametrize("way", ALIKE)
@pytest.mark.parametrize("at", [range(0, 20, 7), range(8, 16), range(20)], ids=str)
def test_the_results_do_not_depend_on_the_number_of_processes(way: str, at: range, tmp_path: Path):
    cases = shuffles(20)
    fake = Fake(tmp_path, way, cases, at)
    alone = check(fake, cases, repeats=5)
    side_by_side = check(fake, cases, jobs=3, repeats=5)
    assert side_by_side.verdicts == alone.verdicts
    assert [result.case.id for result in side_by_side.results] == [each.id for each in cases]
    assert side_by_side.run.clauses == alone.run.clauses
    assert [each.message for each in side_by_side.results] == [
        each.message for each in alone.results
    ]
    assert side_by_side.run.faults == alone.run.faults


def test_fail_fast_does_not_depend_on_the_number_of_processes(tmp_path: Path):
    cases = shuffles(30)
    fake = Fake(tmp_path, "answers_wrongly", cases, at=[11, 12])
    told = check(fake, cases, jobs=3, fail_fast=True)
    assert told.verdicts == ["pass"] * 11 + ["fail"] + ["not-run"] * 18


def test_a_result_that_is_held_back_does_not_hold_up_the_other_processes(tmp_path: Path):
    cases = shuffles(150)
    # While one process takes its time for the first case, the other comes to the window's end.
    told = check(Fake(tmp_path, "takes_its_time", cases, at=[0]), cases, jobs=2)
    assert told.verdicts == ["pass"] * 150


def test_several_processes_take_no_more_cases_than_a_window_ahead(tmp_path: Path):
    cases = shuffles(300)
    taken = 0

    def counted():
        nonlocal taken
        for each in cases:
            taken += 1
            yield each

    fake = Fake(tmp_path, "hangs", cases, at=[0])
    first, second = [ProcessEngine(fake.command, SHORT) for _ in range(2)]
    results = Run(first, first.hello(), others=[second]).results(counted())
    assert next(results).verdict == "timeout"
    # While the first case was out, the other process could not run through all the rest.
    assert taken <= 65
    results.close()
    for engine in (first, second):
        engine.abandon()
    assert fake.left == []


def test_a_fault_while_cases_are_chosen_comes_through_from_every_process(tmp_path: Path):
    cases = shuffles(3)
    fake = Fake(tmp_path, "right", cases, at=[])

    def failing():
        yield from cases
        raise ZeroDivisionError

    for jobs in (1, 2):
        with pytest.raises(ZeroDivisionError):
            check(fake, failing(), jobs=jobs)
