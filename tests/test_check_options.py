"""What ``oracle check`` is asked for: levels, house rules, expected failures, files, interrupts."""

import doctest
import json
import os
import re
import signal
import stat
import subprocess
import sys
import time
import tomllib
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from engines.faking import Fake, case, shuffles, write_folder

import oracle
from oracle.cli import FAILED, FAULT, INTERRUPTED, NO_HANDSHAKE, NOTHING, USAGE
from oracle.cli import run as oracle_command
from oracle.conformance import in_process
from oracle.conformance.claims import (
    Claims,
    GameClaim,
    NoHandshake,
    full_claims,
    option_values,
    read_claims,
)
from oracle.conformance.house_rules import DERIVED, FRESH, PUBLISHED, chosen_cases, kind_of
from oracle.conformance.in_process import InProcess
from oracle.conformance.run import Run
from oracle.data import folder
from oracle.games import GAMES
from oracle.generate.recipes import option_sets
from oracle.replay import replay
from oracle.vectors.cases import Case, load_file
from oracle.wire import FIELDS
from tests.commands import write_index

Json = dict[str, Any]
ORACLE = [sys.executable, "-c", "from oracle.cli import main; main()"]


def published(topic: str) -> list[Case]:
    """The hand-worked cases of a topic such as hearts/ties."""
    return list(load_file(folder("vectors") / f"{topic}.json").cases)


@pytest.fixture(scope="module")
def topics(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of a few hand-worked topics: to read all would take long."""
    hearts = ("ties", "moon", "match-end", "refusals", "shuffle", "start", "wrong-requests")
    names = [*(f"hearts/{topic}" for topic in hearts), "spades/ties"]
    cases = [each for name in names for each in published(name)]
    return write_folder(tmp_path_factory.mktemp("topics"), cases)


@pytest.fixture
def vectors(tmp_path: Path) -> Path:
    """A folder of six small cases."""
    return write_folder(tmp_path / "vectors", shuffles(6))


@pytest.fixture
def say(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Run the command; its exit code, and what it prints on stdout and stderr."""

    def run(*arguments: object) -> tuple[int, str, str]:
        code = oracle_command([str(each) for each in arguments])
        out, err = capsys.readouterr()
        return code, out, err

    return run


# Levels: what an engine reports is checked, and nothing else.

#: What engines report, and a change of an answer that each must be caught at.
LEVELS: dict[str, tuple[set[str], list[str]]] = {
    "legality": ({"ok", "legal"}, ["ok", "legal"]),
    "tricks": ({"trick"}, ["trick"]),
    "scoring": ({"hand", "match"}, ["hand", "match"]),
    "full": (
        {"ok", "clause", "legal", "trick", "hand", "breakdown", "match"},
        ["ok", "clause", "legal", "trick", "hand", "breakdown", "match"],
    ),
}


def reporting(reports: set[str], wrong: str = "") -> Callable[[Json], Json]:
    """The reference, reduced to these reports, one of them spoilt."""

    def engine(request: Json) -> Json:
        answer = replay(request)
        if "states" not in answer:
            return answer
        return {"states": [reduced(state) for state in answer["states"]]}

    def reduced(state: Json) -> Json:
        kept = {name: spoilt(name, value) for name, value in state.items() if name in reports}
        if "hand" in kept:
            hand = dict(kept["hand"])
            lines = hand.pop("breakdown")
            if "breakdown" in reports:
                hand["breakdown"] = lines[1:] if wrong == "breakdown" else lines
            kept["hand"] = hand
        return kept

    def spoilt(name: str, value: Any) -> Any:
        if name != wrong:
            return value
        match value:
            case bool():
                return not value
            case str():
                return "CARD" if value != "CARD" else "TURN"
            case {"winner": winner}:
                return {**value, "winner": 3 - winner}
            case {"delta": delta}:
                return {**value, "delta": delta[::-1] if delta[::-1] != delta else [0] * 4}
            case {"winners": winners}:
                return {"winners": [3 - winner for winner in winners]}
            case _:
                return {}

    return engine


def claiming(reports: set[str], **more: Any) -> Json:
    return {"hearts": {"ops": ["replay"], "reports": sorted(reports), **more}}


ALL_OPTIONS: Json = {
    "options": full_claims(GAMES)["hearts"]["options"],
    "start": ["hand", "scores"],
}


@pytest.mark.parametrize("level", LEVELS)
def test_an_engine_is_held_to_what_it_reports_and_passes_without_the_rest(level: str, topics: Path):
    reports, _ = LEVELS[level]
    claims = claiming(reports, **ALL_OPTIONS)
    checked = oracle.check(reporting(reports), cases="hearts/ties/*", claims=claims, vectors=topics)
    assert checked.ok, checked.failures
    assert checked.verdicts["pass"] == len(
        [c for c in published("hearts/ties") if c.op == "replay"]
    )


@pytest.mark.parametrize(
    ("level", "wrong"), [(level, wrong) for level, (_, all_) in LEVELS.items() for wrong in all_]
)
def test_an_engine_is_caught_at_whatever_it_reports_wrongly(level: str, wrong: str, topics: Path):
    reports, _ = LEVELS[level]
    checked = oracle.check(
        reporting(reports, wrong), claims=claiming(reports, **ALL_OPTIONS), vectors=topics
    )
    assert checked.verdicts["fail"] > 0
    assert {difference.path[-1] for each in checked.failures for difference in each.differences}
    assert set(checked.verdicts) <= {"pass", "fail"}


def test_what_is_not_claimed_is_not_asked_and_is_counted_with_its_reason(topics: Path):
    claims = claiming({"hand"}, start=["scores"])
    checked = oracle.check(reporting({"hand"}), claims=claims, vectors=topics)
    assert checked.ok
    assert checked.not_asked["the engine doesn't answer shuffle"] > 0
    assert checked.not_asked["the engine takes no hand at the start"] > 0
    assert checked.not_asked["wrong requests, which the engine doesn't claim to report"] > 0
    assert checked.not_asked["the case states nothing that the engine reports"] > 0
    assert checked.not_asked["pass_cycle at a value that the engine doesn't claim"] > 0
    assert checked.not_asked["the engine doesn't play spades"] == len(published("spades/ties"))


def test_a_promised_report_that_is_missing_is_a_failure(topics: Path):
    claims = claiming({"ok", "legal", "trick"}, **ALL_OPTIONS)
    checked = oracle.check(
        reporting({"ok", "legal"}), cases="hearts/ties/*", claims=claims, vectors=topics
    )
    assert checked.verdicts["fail"] == len(checked.results) > 0


# House rules.


def test_cases_under_house_rules_are_published_worked_out_anew_or_freshly_played():
    rules = {"queen_breaks_hearts": True}
    cases = [*published("hearts/leading"), *published("hearts/breaking-hearts")]
    cases += published("hearts/generated/hands")[:5]
    chosen = dict(
        chosen_cases(enumerate(cases, 1), {"hearts": rules}, lambda *_: True, others=False)
    )
    kinds = {kind: [c for c in chosen.values() if kind_of(c) == kind] for kind in KINDS}
    assert all(each.request["rules"] == rules for each in chosen.values())
    assert all(each.response == replay(each.request) for each in kinds[DERIVED])
    assert {each.id for each in kinds[PUBLISHED] + kinds[DERIVED]} <= {each.id for each in cases}
    assert len(kinds[FRESH]) == 505
    assert kinds[PUBLISHED]
    about = {each.id for each in cases if each.is_about_its_clauses}
    assert {each.id for each in kinds[DERIVED] if each.is_about_its_clauses} <= about
    assert any(each.id in about for each in kinds[DERIVED])
    assert any(each.id not in about for each in kinds[DERIVED])


KINDS = (PUBLISHED, DERIVED, FRESH)


def under(rules: Json, *cases: Case) -> tuple[list[Case], list[str]]:
    """Canonical cases of a game as they are asked under house rules, and the ids of those that
    go astray."""
    astray: list[str] = []
    house = {cases[0].game: rules}
    chosen = chosen_cases(
        enumerate(cases), house, lambda *_: True, False, astray=astray.append, fresh=False
    )
    return [case for _, case in chosen], astray


def test_a_case_whose_actions_lose_their_way_under_house_rules_is_left_out():
    hands = published("bid-whist/generated/hands")
    for rules in ({"kitty": "exchange"}, {"min_bid": 3}):
        chosen, astray = under(rules, *hands)
        assert len(chosen) + len(astray) == len(hands)
        assert len(astray) > 50
        canonical = {each.id: each.response["states"] for each in hands}
        for each in chosen:
            states = zip(canonical[each.id], each.response["states"], strict=True)
            fallen = [1 for before, after in states if before.get("ok") and not after["ok"]]
            assert len(fallen) < 8
    # A rule that changes no play costs no case.
    assert under({"target": 9}, *hands)[1] == []


def test_a_case_that_shows_what_an_option_changes_is_kept():
    # The lead of a heart is refused canonically, and opens a trick under the option.
    twins = [case for case in published("hearts/breaking-hearts") if "twin" in case.id]
    chosen, astray = under({"queen_breaks_hearts": True}, *twins)
    shown = [case for case in chosen if case.id.endswith("queen-discarded-canonical-twin")]
    assert [state.get("clause") for state in shown[0].response["states"]].count("TURN") == 1
    assert len(chosen) > len(astray)


def test_a_match_that_ends_sooner_under_house_rules_has_been_played():
    matches = published("hearts/generated/matches")
    chosen, astray = under({"target": 20}, *matches)
    assert (len(chosen), astray) == (len(matches), [])
    lost = [
        sum(state.get("clause") == "OVER" for state in each.response["states"]) for each in chosen
    ]
    assert min(lost) > 100


def test_what_a_seat_sees_is_left_out_where_the_hand_loses_its_way():
    views = published("bid-whist/generated/views")
    chosen, astray = under({"kitty": "exchange"}, *views)
    assert chosen
    assert len(astray) > 30


def test_no_sequences_are_counted_under_house_rules(monkeypatch: pytest.MonkeyPatch):
    # With the kitty in hand there are millions of discards.
    monkeypatch.setattr("oracle.conformance.house_rules.replay", lambda request: 1 / 0)
    counts = [each for each in published("bid-whist/perft") if not each.request.get("rules")]
    assert under({"kitty": "exchange"}, *counts) == ([], [case.id for case in counts])


@pytest.mark.parametrize("game", GAMES)
def test_hands_of_players_and_line_ups_are_played_for_house_rules(game: str):
    rules = dict(option_sets(game)[0].rules)
    fresh = [
        case
        for _, case in chosen_cases(
            [], {game: rules}, lambda name, _: name.endswith(("/0001", "/0049")), others=False
        )
    ]
    sets = {case.id.split("/")[1]: case for case in fresh}
    assert {"house-players", "house-line-ups"} < sets.keys()
    for name, how in (("house-line-ups", "by players"), ("house-hands", "at random")):
        assert sets[name].title == f"A hand played {how} under house rules"
    assert all(case.request["rules"] == rules for case in fresh)


def test_contracts_of_fresh_hands_are_at_every_level_and_some_are_made():
    fresh = chosen_cases(
        [], {"bid-whist": {"min_bid": 3}}, lambda name, _: "house-" in name, others=False
    )
    levels: Counter[int] = Counter()
    made = 0
    for _, each in fresh:
        for state in each.response["states"]:
            levels[state.get("contract", {}).get("level", 0)] += 1
            made += max(state.get("hand", {}).get("delta", [0])) > 0
    assert all(levels[level] > 20 for level in (3, 4, 5, 6, 7))
    assert made > 30


def test_a_case_keeps_its_number_whatever_is_wanted_beside_it():
    cases = shuffles(5) + published("hearts/ties")
    rules = {"hearts": {"target": 50}}
    everything = {
        c.id: n for n, c in chosen_cases(enumerate(cases, 1), rules, lambda *_: True, others=True)
    }
    some = chosen_cases(
        enumerate(cases, 1), rules, lambda name, _: name.endswith(("/3", "/0007")), others=True
    )
    numbers = {c.id: n for n, c in some}
    assert {"hearts/shuffles/3", "hearts/house-hands/0007", "hearts/house-matches/0007"} > set(
        list(numbers)[:2]
    )
    assert numbers.items() <= everything.items()


def test_nothing_is_freshly_played_when_it_is_not_wanted(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("oracle.conformance.house_rules.make", lambda recipe: 1 / 0)
    wanted = chosen_cases(
        enumerate(shuffles(3)),
        {"hearts": {"target": 50}},
        lambda name, _: name.endswith("/1"),
        others=False,
    )
    assert [case.id for _, case in wanted] == ["hearts/shuffles/1"]


SCORES_ONLY: Json = {"spades": {"ops": ["score"], "reports": ["hand"]}}


def claims_of(games: Json) -> Claims:
    engine = {"name": "x", "version": "1", "language": "y"}
    return read_claims({"protocol": 1, "engine": engine, "games": games})


def test_nothing_is_played_or_worked_out_that_a_claim_rules_out(monkeypatch: pytest.MonkeyPatch):
    worked_out: list[Json] = []
    monkeypatch.setattr("oracle.conformance.house_rules.make", lambda *_: 1 / 0)
    monkeypatch.setattr(
        "oracle.conformance.house_rules.replay",
        lambda request: worked_out.append(request) or replay(request),
    )
    cases = [*published("spades/nil"), *published("spades/ties")]
    rules = {"failed_nil_tricks": "bags"}
    claim = {"spades": {**SCORES_ONLY["spades"], "options": {"failed_nil_tricks": ["bags"]}}}
    claims = claims_of(claim)
    chosen = [
        case
        for _, case in chosen_cases(
            enumerate(cases), {"spades": rules}, lambda *_: True, others=False, claims=claims
        )
    ]
    run = Run(InProcess(replay, claim), claims)
    asked = [case for case in chosen if run.why_not_asked(case) is None]
    assert asked
    assert {case.op for case in asked} == {"score"}
    assert all(case.response == replay(case.request) for case in asked)
    assert {request["op"] for request in worked_out} == {"score"}
    # The others are there to be counted.
    assert {case.op for case in chosen} >= {"replay", "score"}


def house_rule_claims(**options: Json) -> Json:
    """Claims of an engine that plays whole hands of Hearts at these values only."""
    claim = {"ops": ["replay"], "reports": ["ok", "legal"], "start": ["hand"], "max_hands": 1}
    return {"hearts": {**claim, "options": options}}


def test_a_function_that_plays_house_rules_only_is_held_to_them():
    claims = house_rule_claims(queen_breaks_hearts=[True])
    cases = ["hearts/breaking-hearts/*", "hearts/house-players/001*"]
    checked = oracle.check(replay, cases=cases, claims=claims)
    assert checked.ok
    kinds = Counter(kind_of(result.case) for result in checked.results)
    assert kinds[FRESH] == 10
    assert kinds[DERIVED] > 5
    assert kinds[PUBLISHED] > 5
    assert all(result.case.request["rules"] for result in checked.results)
    # A folder of one's own holds all that is asked.
    own = folder("vectors")
    assert len(oracle.check(replay, cases=cases, claims=claims, vectors=own).results) == (
        kinds[DERIVED] + kinds[PUBLISHED]
    )


def test_cases_that_a_function_is_not_asked_as_they_go_astray_are_counted():
    claims = house_rule_claims(pass_cycle=[["none"]])
    checked = oracle.check(replay, cases="hearts/hands/000*", claims=claims)
    assert checked.not_asked["play doesn't get as far under the house rules"] > 3


def test_a_check_says_in_words_what_came_of_it_and_why_nothing_was_asked():
    claims = house_rule_claims(queen_breaks_hearts=[True])
    nothing = oracle.check(replay, cases="hearts/shuffle/*", claims=claims)
    first, *why = str(nothing).splitlines()
    assert first == "no case was asked"
    assert "not checked: 19 cases, the engine doesn't answer shuffle" in why
    asked = oracle.check(
        lambda request: {"states": []},
        cases=["hearts/following/*", "hearts/ties/*"],
        claims=house_rule_claims(),
    )
    told = str(asked).splitlines()
    assert told[0] == f"{asked.verdicts['fail']} fail"
    assert sum(line.startswith("not checked: ") for line in told) == len(asked.not_asked) > 0
    assert sum(line.startswith("FAIL  hearts/following/") for line in told) == 3
    assert told[-1] == f"and {len(asked.failures) - 3} more in failures"
    first = asked.failures[0].case.id
    assert f"  run it again:  oracle.check(…, cases={first!r})" in told


def test_what_is_played_for_house_rules_is_told_as_it_grows():
    played: list[int] = []
    for _ in chosen_cases([], {"hearts": {"target": 50}}, lambda name, _: "hands" in name, False,
                          told=played.append):  # fmt: skip
        pass
    assert played == [*range(1, 151), *range(1, 151)]


def house_engine(tmp_path: Path, rules: Json, game: str = "hearts") -> Fake:
    """An engine that plays a game at these values only."""
    claims = {game: {"ops": ["replay"], "reports": ["ok"], "start": ["hand", "scores"]}}
    claims[game]["options"] = {name: [value] for name, value in rules.items()}
    return Fake(tmp_path, "right", shuffles(2), at=[], claims=claims)


def test_rules_that_leave_out_what_the_engine_insists_on_are_told_what_to_add(
    tmp_path: Path, vectors: Path, say: Any
):
    fake = house_engine(tmp_path, {"target": 50, "queen_breaks_hearts": True})
    rules = ["--rules", "target=50", "--game", "hearts", "--case", "*/shuffles/*"]
    code, _, err = say("check", "--vectors", vectors, *rules, "--", *fake.command)
    assert code == 3
    assert "hearts: the engine plays it only with more; add --rules queen_breaks_hearts=true" in err
    rules += ["--rules", "queen_breaks_hearts=true"]
    assert "add --rules" not in say("check", "--vectors", vectors, *rules, "--", *fake.command)[2]


def test_beside_a_folder_of_ones_own_nothing_is_freshly_played(tmp_path: Path, say: Any):
    tally = {"hearts": [4, 9, 0, 0], "queen": 2}
    request = {"op": "score", "game": "hearts", "rules": {}, "tally": tally}
    mine = write_folder(tmp_path / "mine", [case("hearts/mine/one", request)])
    fake = house_engine(tmp_path, {"target": 50})
    code, out, _ = say("check", "--vectors", mine, "--", *fake.command)
    assert code == 3
    assert "not checked: 1 case, the engine doesn't answer score" in out
    assert "freshly played" not in out
    # They are not to be had by name either.
    write_index(mine)
    words = ["--vectors", mine, "--case", "hearts/house-hands/0003", "--", *fake.command]
    assert say("check", *words)[0] == 2


def test_the_command_says_how_many_cases_do_not_get_as_far(tmp_path: Path, say: Any):
    hands = published("bid-whist/generated/hands")[:40]
    chosen, astray = under({"min_bid": 7}, *hands)
    assert chosen
    mine = write_folder(tmp_path / "mine", hands)
    words = ["--vectors", mine, "--rules", "bid-whist:canonical", "--rules", "min_bid=7"]
    code, out, _ = say("check", *words, "--", *ORACLE, "serve")
    assert code == 0
    assert (
        f"cases under house rules: 0 published, {len(chosen)} worked out anew, 0 freshly played; "
        f"{len(astray)} left out, in which play doesn't get as far"
    ) in out


def test_a_case_that_was_freshly_played_can_be_run_again(tmp_path: Path, say: Any):
    fake = house_engine(tmp_path, {"target": 50})
    words = ["--case", "hearts/house-hands/0003", "--", *fake.command]
    # The fake knows no answer to it, but it is asked.
    _, out, _ = say("check", *words)
    assert "cases under house rules: 0 published, 0 worked out anew, 1 freshly played" in out


def test_the_command_says_how_many_cases_of_each_kind_there_were(vectors: Path, say: Any):
    code, out, err = say(
        "check", "--vectors", vectors, "--rules", "hearts:openspiel", "--case", "*/shuffles/*",
        "--", *ORACLE, "serve",
    )  # fmt: skip
    assert code == 0
    assert "hearts under queen_breaks_hearts=true" in err
    assert "0 published, 6 worked out anew, 0 freshly played" in out


def test_an_engine_that_never_plays_canonically_is_held_to_what_it_plays(tmp_path: Path, say: Any):
    # One published case under the option, one canonical, one under another option.
    under = {"op": "replay", "game": "hearts", "rules": {"target": 50}, "deals": [], "actions": []}
    cases = [
        case("hearts/house/target", under),
        case("hearts/house/canonical", {**under, "rules": {}}),
        case("hearts/house/other", {**under, "rules": {"queen_breaks_hearts": True}}),
    ]
    vectors = write_folder(tmp_path / "vectors", cases)
    claims = full_claims(GAMES)
    claims["hearts"]["options"] = {"target": [50]}
    asked = [*cases, replaced(cases[1], {"target": 50})]
    fake = Fake(tmp_path, "right", asked, at=[], claims=claims)
    code, out, err = say("check", "--vectors", vectors, "--case", "*/house/*", "--", *fake.command)
    assert code == 0
    assert "hearts under target=50" in err
    assert "cases under house rules: 1 published, 1 worked out anew, 0 freshly played" in out
    assert "not checked: 1 case, target at a value that the engine doesn't claim" in out


def replaced(one: Case, rules: Json) -> Case:
    """A case under other rules."""
    return case(one.id, {**one.request, "rules": rules})


def test_what_is_canonical_beside_another_option_is_no_house_rule():
    claim = GameClaim(frozenset(FIELDS), frozenset({"ok"}), {"scale": ["tens"]})
    assert claim.fixed_rules(GAMES["belote"]) == {"scale": "tens"}
    values = {name: value for name, *value in option_values(GAMES["belote"], {"scale": "tens"})}
    assert values["target"] == [51, 51]
    request = {"op": "replay", "rules": {"scale": "tens"}, "deals": []}
    assert claim.why_not_asked(GAMES["belote"], "replay", request) is None


def test_claimed_options_that_exclude_each_other_are_no_handshake():
    claim = GameClaim(frozenset(FIELDS), frozenset({"ok"}), {"scale": ["tens"], "target": [501]})
    with pytest.raises(NoHandshake, match="options of belote that don't go together"):
        claim.fixed_rules(GAMES["belote"])


# Expected failures.


def write_expected(path: Path, *entries: tuple[str, str]) -> Path:
    path.write_text(
        "".join(f'[[expected]]\ncase = "{case}"\nreason = "{why}"\n' for case, why in entries)
    )
    return path


class Checking:
    """Checks of a fake engine that fails at cases 2 and 4 of six, with expected failures."""

    def __init__(self, tmp_path: Path, vectors: Path, say: Any) -> None:
        self.fake = Fake(tmp_path, "answers_wrongly", shuffles(6), at=[2, 4])
        self.vectors, self.say = vectors, say
        self.file = tmp_path / "expected.toml"

    def __call__(self, *entries: tuple[str, str], more: Sequence[object] = ()) -> tuple[int, str]:
        expected = ["--expected", write_expected(self.file, *entries)] if entries else []
        code, out, err = self.say(
            "check", "--vectors", self.vectors, *expected, *more, "--", *self.fake.command
        )
        return code, out + err


@pytest.fixture
def checking(tmp_path: Path, vectors: Path, say: Any) -> Checking:
    return Checking(tmp_path, vectors, say)


def test_expected_failures_are_as_expected(checking: Checking):
    code, out = checking(("hearts/shuffles/2", "issue 7"), ("hearts/shuffles/4", "issue 8"))
    assert code == 0
    assert "4 passed, 2 expected-failure" in out


def test_a_pattern_stands_for_any_number_of_failures(checking: Checking):
    code, out = checking(("hearts/shuffles/[24]", "issue 7"))
    assert code == 0
    assert "4 passed, 2 expected-failure" in out


def test_cases_that_pass_under_a_pattern_just_pass(checking: Checking):
    code, out = checking(("hearts/*", "issue 7"))
    assert code == 0
    assert "4 passed, 2 expected-failure" in out


def test_a_failure_that_is_not_expected_still_fails(checking: Checking):
    code, out = checking(("hearts/shuffles/2", "issue 7"))
    assert code == 1
    assert "4 passed, 1 failed, 1 expected-failure" in out


def test_an_unexpected_pass_fails_the_run_and_says_what_was_expected(checking: Checking):
    ids = ("hearts/shuffles/2", "hearts/shuffles/4", "hearts/shuffles/5")
    code, out = checking(*[(name, f"reason of {name}") for name in ids])
    assert code == 1
    assert "UNEXPECTED-PASS  hearts/shuffles/5" in out
    assert "expected to fail: reason of hearts/shuffles/5" in out


STALE = {
    "hearts/shuffles/9": "no case that was asked is like that",
    "spades/*": "no case that was asked is like that",
    "hearts/shuffles/[01]": "all its cases pass",
}


@pytest.mark.parametrize("case_id", STALE)
def test_an_entry_under_which_nothing_fails_fails_the_run(case_id: str, checking: Checking):
    code, out = checking(("hearts/shuffles/[24]", "issue 7"), (case_id, "long ago"))
    assert code == 1
    assert f'the expected failure "{case_id}" is stale: {STALE[case_id]}' in out
    assert "4 passed, 2 expected-failure" in out


def test_what_is_left_out_of_a_run_makes_no_entry_stale(checking: Checking):
    entries = [
        ("hearts/shuffles/2", "a"),
        ("hearts/shuffles/4", "b"),
        ("hearts/shuffles/[014]", "c"),
    ]
    code, out = checking(*entries, more=["--case", "hearts/shuffles/[12]"])
    assert code == 0
    assert "stale" not in out
    code, out = checking(*entries, ("spades/*", "d"), more=["--case", "hearts/shuffles/[12]"])
    assert code == 1
    assert 'the expected failure "spades/*" is stale' in out


def test_the_present_failures_can_be_written_and_are_then_expected(checking: Checking):
    code, _ = checking(more=["--write-expected", checking.file])
    assert code == 1
    written = tomllib.loads(checking.file.read_text())["expected"]
    assert [entry["case"] for entry in written] == ["hearts/shuffles/2", "hearts/shuffles/4"]
    assert all(entry["reason"].startswith("fail: another answer at /deal") for entry in written)
    code, _ = checking(more=["--expected", checking.file])
    assert code == 0


def test_writing_expected_failures_anew_keeps_reasons_and_drops_what_is_stale(checking: Checking):
    reason = 'said "so" \\\\ über\\u007f'
    entries = [("hearts/shuffles/2", reason.replace('"', '\\"')), ("spades/*", "gone")]
    checking(*entries, more=["--write-expected", checking.file])
    first, second = tomllib.loads(checking.file.read_text())["expected"]
    assert first == {"case": "hearts/shuffles/2", "reason": 'said "so" \\ über\x7f'}
    assert second["case"] == "hearts/shuffles/4"


def test_writing_expected_failures_for_a_part_keeps_what_was_left_out(checking: Checking):
    entries = [("hearts/shuffles/2", "a"), ("hearts/shuffles/4", "b")]
    checking(*entries, more=["--write-expected", checking.file, "--case", "*/2"])
    written = tomllib.loads(checking.file.read_text())["expected"]
    assert [(entry["case"], entry["reason"]) for entry in written] == entries


def test_reasons_of_ones_own_are_not_written_over(checking: Checking):
    code, out = checking(("hearts/shuffles/2", "issue 7"), more=["--write-expected", checking.file])
    assert code == 1
    assert f"wrote {checking.file} (2 entries)" in out
    before = checking.file.read_text()
    code, out = checking(more=["--write-expected", checking.file])
    assert code == 2
    assert out.endswith(
        f"it holds 1 reason of your own; --expected {checking.file} beside it keeps them\n"
    )
    assert checking.file.read_text() == before


def test_a_file_that_was_only_written_by_the_command_may_be_written_again(checking: Checking):
    for _ in range(2):
        code, out = checking(more=["--write-expected", checking.file])
        assert code == 1
        assert "(2 entries)" in out


def test_a_file_of_another_kind_is_not_written_over(checking: Checking):
    checking.file.write_text("[tool]\nname = 3\n")
    code, out = checking(more=["--write-expected", checking.file])
    assert code == 2
    assert "the file" not in out
    assert '"tool": expected [[expected]] entries only' in out
    assert checking.file.read_text() == "[tool]\nname = 3\n"


def test_how_many_failures_a_pattern_covers_is_told(checking: Checking):
    code, out = checking(("hearts/*", "issue 7"))
    assert code == 0
    assert 'expected: 2 failures under "hearts/*" (issue 7)' in out
    _, out = checking(("hearts/shuffles/[02]", "issue 7"), ("hearts/shuffles/4", "issue 8"))
    assert "expected: " not in out


def test_an_unexpected_pass_counts_as_a_pass_of_its_clauses(checking: Checking):
    _, out = checking(
        ("hearts/shuffles/2", "a"), ("hearts/shuffles/4", "b"), ("hearts/shuffles/5", "c")
    )
    assert "1 clause with failures, all of them expected" in out
    assert "clause          passed  failed" not in out


WRONG_FILES = {
    "[[expected]\n": "not TOML: ",
    "[[expcted]]\n": '"expcted": expected [[expected]] entries only',
    "expected = 3\n": "expected entries that begin with [[expected]]",
    '[[expected]]\ncase = "a"\n': "entry 1: reason is missing",
    '[[expected]]\nreason = "a"\n': "entry 1: case is missing",
    '[[expected]]\ncase = "a"\nreason = " "\n': "entry 1: reason is missing",
    '[[expected]]\ncase = "a"\nreason = 2020-01-01\n': "entry 1: reason is missing, or no text",
    '[[expected]]\ncase = "a"\nreason = "b"\nuntil = "c"\n': "there may be case and reason",
    '[[expected]]\ncase = "a"\nreason = "b"\n' * 2: '"a" comes twice',
}


@pytest.mark.parametrize("text", WRONG_FILES)
def test_a_wrong_file_of_expected_failures_is_told_in_one_line(text: str, checking: Checking):
    checking.file.write_text(text)
    code, out = checking(more=["--expected", checking.file])
    assert code == 2
    assert WRONG_FILES[text] in out
    assert str(checking.file) in out
    assert out.count("\n") == 1


# Without a pipe.


@pytest.fixture
def exported(tmp_path: Path, vectors: Path, say: Any) -> list[Json]:
    code, _, _ = say("export", "--vectors", vectors, tmp_path / "requests.jsonl")
    assert code == 0
    return [json.loads(line) for line in (tmp_path / "requests.jsonl").read_text().splitlines()]


def answer_all(requests: Sequence[Json]) -> list[Json]:
    """The right answers."""
    return [
        {**replay({k: v for k, v in request.items() if k != "seq"}), "seq": request["seq"]}
        for request in requests
    ]


@pytest.fixture
def judge(tmp_path: Path, vectors: Path, say: Any) -> Callable[..., tuple[int, str]]:
    """Check answers given as objects or lines."""

    def check(answers: Sequence[Json | str], *options: object) -> tuple[int, str]:
        path = tmp_path / "answers.jsonl"
        lines = [each if isinstance(each, str) else json.dumps(each) for each in answers]
        path.write_text("".join(line + "\n" for line in lines))
        code, out, err = say("check", "--vectors", vectors, "--responses", path, *options)
        return code, out + err

    return check


def test_exported_requests_hold_nothing_of_what_is_expected(exported: list[Json]):
    assert exported == [{**c.request, "seq": n} for n, c in enumerate(shuffles(6), 1)]


def test_requests_can_go_to_stdout(vectors: Path, exported: list[Json], say: Any):
    code, out, _ = say("export", "--vectors", vectors, "-")
    assert code == 0
    assert [json.loads(line) for line in out.splitlines()] == exported


def test_answers_come_back_in_any_order(exported: list[Json], judge: Any):
    code, out = judge(answer_all(exported)[::-1])
    assert code == 0
    assert "6 passed" in out


def test_a_wrong_answer_fails_its_case_and_says_how_to_judge_it_again(
    exported: list[Json], judge: Any
):
    answers = answer_all(exported)
    answers[3]["deal"] = {}
    code, out = judge(answers)
    assert code == 1
    assert "FAIL  hearts/shuffles/3" in out
    assert "--responses" in out
    assert out.rstrip().endswith("s)")


def test_a_selection_finds_its_answers_among_all(exported: list[Json], judge: Any):
    answers = answer_all(exported)
    answers[3]["deal"] = {}
    code, out = judge(answers, "--case", "hearts/shuffles/3")
    assert code == 1
    assert "1 failed" in out
    assert "ignored: 5 answers to what was not asked" in out


def test_a_missing_answer_is_not_run_and_the_run_is_not_good(exported: list[Json], judge: Any):
    code, out = judge(answer_all(exported)[:4])
    assert code == 1
    assert "4 passed, 2 not run" in out


def test_no_answers_at_all_execute_nothing(exported: list[Json], judge: Any):
    code, out = judge([])
    assert code == 3
    assert "0 cases executed, and at least 1 were wanted" in out


def test_two_answers_with_one_seq_cost_their_case(exported: list[Json], judge: Any):
    answers = answer_all(exported)
    code, out = judge([*answers, answers[2]])
    assert code == 1
    assert "PROTOCOL-ERROR  hearts/shuffles/2" in out
    assert "there are several answers with seq 3" in out


def test_an_answer_that_breaks_the_protocol_costs_its_case_however_many_there_are(
    exported: list[Json], judge: Any
):
    lines = [json.dumps(each).replace("{", '{"share": 1.5, ', 1) for each in answer_all(exported)]
    code, out = judge(lines)
    assert code == 1
    assert "6 protocol-error" in out


def test_nothing_is_claimed_without_hello_so_an_answer_may_be_unsupported(
    exported: list[Json], judge: Any
):
    answers = answer_all(exported)
    answers[1] = {"seq": 2, "unsupported": "not yet"}
    code, out = judge(answers)
    assert code == 0
    assert "5 passed, 1 unsupported" in out


def test_a_first_line_of_claims_holds_answers_to_them(exported: list[Json], judge: Any):
    engine = {"name": "x", "version": "1", "language": "y"}
    hello = {"protocol": 1, "engine": engine, "games": full_claims(GAMES)}
    answers = answer_all(exported)
    answers[1] = {"seq": 2, "unsupported": "not yet"}
    code, out = judge([hello, *answers])
    assert code == 1
    assert "claimed, and answered with unsupported: not yet" in out
    hello["games"] = {"spades": hello["games"]["spades"]}
    code, out = judge([hello, *answers])
    assert code == 3
    assert "not checked: 6 cases, the engine doesn't play hearts" in out


def test_wrong_claims_in_a_file_are_no_handshake(exported: list[Json], judge: Any):
    code, out = judge([{"protocol": 1}, *answer_all(exported)])
    assert code == 4
    assert "no handshake with" in out


def test_without_claims_a_report_that_one_answer_makes_is_expected_of_all(tmp_path: Path, say: Any):
    cases = [each for each in published("hearts/ties") if each.op == "replay"]
    vectors = write_folder(tmp_path / "vectors", cases)
    file = tmp_path / "answers.jsonl"

    def judged(reports_of: Callable[[int], set[str]]) -> str:
        with file.open("w") as answers:
            for seq, each in enumerate(cases, 1):
                answer = {**reporting(reports_of(seq))(each.request), "seq": seq}
                answers.write(json.dumps(answer) + "\n")
        return str(say("check", "--vectors", vectors, "--responses", file)[1])

    assert f"{len(cases)} passed" in judged(lambda seq: {"ok", "match"})
    assert f"1 passed, {len(cases) - 1} failed" in judged(
        lambda seq: {"ok", "match", "legal"} if seq == 1 else {"ok", "match"}
    )


WRONG_LINES = {
    "what?": "line 2: not JSON",
    "[1]": "line 2: an answer is a JSON object",
    '{"deal": {}}': "line 2: an answer has a seq, a number",
    '{"seq": "2"}': "line 2: an answer has a seq, a number",
    "[" * 100000: "line 2: not JSON",
}


@pytest.mark.parametrize("line", WRONG_LINES, ids=WRONG_LINES.values())
def test_a_line_that_belongs_to_no_case_is_told_with_its_number(
    line: str, exported: list[Json], judge: Any
):
    code, out = judge([answer_all(exported)[0], line])
    assert code == 2
    assert WRONG_LINES[line] in out
    assert out.count("\n") == 1


def test_house_rules_go_out_and_come_back(tmp_path: Path, say: Any):
    words = ["--rules", "target=50", "--game", "hearts"]
    words += ["--case", "hearts/shuffle/*", "--case", "hearts/house-*"]
    requests, answers = tmp_path / "requests.jsonl", tmp_path / "answers.jsonl"
    assert say("export", *words, requests)[0] == 0
    exported = [json.loads(line) for line in requests.read_text().splitlines()]
    shuffled = sum(not each.request.get("rules") for each in published("hearts/shuffle"))
    assert len(exported) == shuffled + 505
    assert all(request["rules"] == {"target": 50} for request in exported)
    answers.write_text("".join(json.dumps(each) + "\n" for each in answer_all(exported)))
    code, out, _ = say("check", *words, "--responses", answers)
    assert code == 0
    assert f"0 published, {shuffled} worked out anew, 505 freshly played" in out


def test_the_requests_of_a_folder_of_ones_own_are_no_others(
    vectors: Path, tmp_path: Path, say: Any
):
    requests = tmp_path / "requests.jsonl"
    words = ["--vectors", vectors, "--rules", "target=50", "--game", "hearts"]
    assert say("export", *words, requests)[0] == 0
    assert len(requests.read_text().splitlines()) == 6


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--responses", "a", "--", "b"],
        ["--responses", "a", "--jobs", "2"],
        ["--responses", "a", "--transcript", "b"],
        ["--responses", "no-such-file"],
        ["--expected", "no-such-file", "--", "b"],
        ["--report", "no-such-folder/a.json", "--", "b"],
        ["--report", "a.pdf", "--", "b"],
        ["--write-expected", "no-such-folder/a.toml", "--", "b"],
        ["--jobs", "0", "--", "b"],
        ["--timeout", "nan", "--", "b"],
        ["--hello-timeout", "inf", "--", "b"],
        ["--bye-timeout", "1e6", "--", "b"],
        ["--", ""],
        ["--", "no-such-engine"],
    ],
    ids=" ".join,
)
def test_wrong_use_costs_one_line_and_exit_2(arguments: list[str], vectors: Path, say: Any):
    code, out, err = say("check", "--vectors", vectors, *arguments)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1


# What it says.


def test_a_command_that_is_no_file_is_told_as_what_it_is(tmp_path: Path, vectors: Path, say: Any):
    assert (
        say("check", "--vectors", vectors, "--", tmp_path)[2]
        == f"oracle: {tmp_path}: is a directory\n"
    )
    err = say("check", "--vectors", vectors, "--", "")[2]
    assert err == "oracle: the command of the engine is an empty word\n"


def test_the_help_of_check_names_every_exit_code(say: Any):
    _, out, _ = say("check", "--help")
    exits = " ".join(out[out.index("Exit:") :].split())
    for code in (0, FAILED, USAGE, NOTHING, NO_HANDSHAKE, FAULT, INTERRUPTED):
        assert re.search(rf"\b{code} [a-z]", exits)


QUEEN_BREAKS = [
    sys.executable,
    "-c",
    """
from oracle.cli import main
from oracle.games import GAMES
hearts = GAMES["hearts"]
before = hearts.hearts_broken
hearts.hearts_broken = lambda table: before(table) or bool(
    (sum(table.won) | sum(table.trick)) & CARD_OF["QS"]
)
from oracle.cards import CARD_OF
main(["serve"])
""",
]


def test_options_behind_the_failures_that_are_told_stand_in_a_line(tmp_path: Path, say: Any):
    cases = [each for each in published("hearts/breaking-hearts") if each.op == "replay"]
    folder = write_folder(tmp_path / "vectors", cases)
    code, out, _ = say("check", "--vectors", folder, "--details", 1, "--", *QUEEN_BREAKS)
    assert code == 1
    (line,) = re.findall(r"of the (\d+) failures above, right: (\d+) under", out)
    assert int(line[0]) >= int(line[1]) > 1


def test_a_number_that_is_missing_before_the_engine_is_told(vectors: Path, say: Any):
    for option in ("--details", "--jobs", "--min-executed"):
        code, _, err = say("check", "--vectors", vectors, option, "--", "engine")
        assert code == 2
        assert f"Invalid value for '{option}': a number is missing before --" in err


def test_failures_of_each_verdict_are_shown_in_full(tmp_path: Path, vectors: Path, say: Any):
    fake = Fake(tmp_path, "answers_wrongly", shuffles(6), at=range(6))
    words = ["--vectors", vectors, "--details", 2, "--", *fake.command]
    _, out, _ = say("check", *words)
    assert out.count("run it again:") == 2
    assert "(2 failures are shown in full; --details N" in out
    _, out, _ = say("check", *words[:2], "--details", 1, *words[4:])
    assert "(1 failure is shown in full; --details N" in out
    _, out, _ = say("check", *words[:2], "--details", 0, *words[4:])
    assert "(--details N" in out


def test_what_was_written_is_told_before_the_summary(tmp_path: Path, checking: Checking):
    report = tmp_path / "run.json"
    _, out = checking(more=["--report", report, "--write-expected", checking.file])
    place = out.index(f"wrote {report}, {checking.file} (2 entries)\n")
    assert place < out.index("4 passed, 2 failed")


def test_a_stack_trace_before_the_handshake_keeps_its_lines(vectors: Path, say: Any):
    trace = "echo one >&2; echo two >&2; exit 3"
    code, _, err = say("check", "--vectors", vectors, "--", "sh", "-c", trace)
    assert code == 4
    *shown, last = err.splitlines()
    assert shown == ["  the engine's stderr ends with", "  | one", "  | two"]
    assert last.startswith(f"oracle: no handshake with sh -c '{trace}': ended with status 3")


def test_remarks_on_a_claim_are_told(tmp_path: Path, vectors: Path, say: Any):
    claims = {**full_claims(GAMES), "spade": full_claims(GAMES)["spades"]}
    fake = Fake(tmp_path, "right", shuffles(6), at=[], claims=claims)
    code, _, err = say("check", "--vectors", vectors, "--", *fake.command)
    assert code == 0
    assert err.startswith("the engine's claim: /games/spade: ")


def test_files_of_games_that_are_not_played_are_counted_and_not_read(
    tmp_path: Path, say: Any, monkeypatch: pytest.MonkeyPatch
):
    spades = published("spades/ties")
    vectors = write_folder(tmp_path / "vectors", [*shuffles(6), *spades])
    write_index(vectors)
    read: list[str] = []
    monkeypatch.setattr(
        "oracle.vectors.numbered.load_file",
        lambda path: read.append(path.stem) or load_file(path),
    )
    hearts = {"hearts": full_claims(GAMES)["hearts"]}
    fake = Fake(tmp_path, "right", shuffles(6), at=[], claims=hearts)
    words = ["--vectors", vectors, "--", *fake.command]
    _, out, _ = say("check", *words)
    assert read == ["shuffles"]
    assert f"not checked: {len(spades)} cases, the engine doesn't play spades" in out
    assert "6 passed (" in out
    for less in (["--game", "hearts"], ["--rules", "hearts:openspiel", "--case", "*/ties/*"]):
        _, out, _ = say("check", *less, *words)
        assert "spades" not in out


# Copy.


def test_the_published_suite_is_copied_so_that_schemas_are_found(tmp_path: Path, say: Any):
    target = tmp_path / "new" / "suite"
    code, out, _ = say("copy", target)
    assert code == 0
    copied = sorted(path.relative_to(target) for path in target.rglob("*.json"))
    place = target / "vectors"
    assert (
        out
        == f"{len(copied)} files in {target}; oracle check --vectors {place} -- ENGINE runs them\n"
    )
    assert {path.parts[0] for path in copied} == {"schemas", "vectors"}
    for path in copied:
        ours = folder(path.parts[0]) / Path(*path.parts[1:])
        assert (target / path).read_bytes() == ours.read_bytes()
    file = target / "vectors" / "hearts" / "ties.json"
    assert (file.parent / json.loads(file.read_text())["$schema"]).resolve().is_file()
    assert stat.S_IMODE(target.stat().st_mode) & 0o500 == 0o500
    assert [path.name for path in target.parent.iterdir()] == ["suite"]


def test_an_empty_folder_is_filled_and_stays_the_same_folder(tmp_path: Path, say: Any):
    before = tmp_path.stat().st_ino
    assert say("copy", tmp_path)[0] == 0
    assert tmp_path.stat().st_ino == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["schemas", "vectors"]


def test_a_folder_that_holds_anything_is_left_alone(tmp_path: Path, say: Any):
    (tmp_path / "mine").touch()
    code, out, err = say("copy", tmp_path)
    assert (code, out) == (2, "")
    assert "not empty" in err
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


def test_a_copy_that_fails_leaves_nothing(
    tmp_path: Path, say: Any, monkeypatch: pytest.MonkeyPatch
):
    copied = []

    def full(source: Path, target: Path) -> None:
        copied.append(source)
        if len(copied) > 3:
            raise OSError(28, "No space left on device", str(target))

    monkeypatch.setattr("shutil.copyfile", full)
    for target in (tmp_path, tmp_path / "suite"):
        copied.clear()
        code, _, err = say("copy", target)
        assert code == 2
        assert "no space left on device" in err
        assert list(tmp_path.iterdir()) == []


# In this process.


def test_the_example_of_check_is_true():
    assert doctest.testmod(in_process).attempted > 5
    assert doctest.testmod(in_process).failed == 0


def test_what_a_function_raises_is_an_error_of_the_engine(topics: Path):
    def engine(request: Json) -> Json:
        return {"deal": request["deal"]}

    checked = oracle.check(engine, cases="hearts/shuffle/*", vectors=topics)
    assert not checked.ok
    assert {each.verdict for each in checked.failures} == {"engine-error"}
    assert checked.failures[0].message == "the engine itself failed: KeyError: 'deal'"


NO_ANSWERS: list[Any] = [None, [], "deal", {"deal": {1, 2}}, {"deal": float("nan")}, {"a": 1.0}]


@pytest.mark.parametrize("answer", NO_ANSWERS, ids=repr)
def test_what_is_no_answer_breaks_the_protocol(answer: Any, topics: Path):
    checked = oracle.check(lambda request: answer, cases="hearts/shuffle/*", vectors=topics)
    assert checked.verdicts["protocol-error"] == 5
    assert set(checked.verdicts) == {"protocol-error", "not-run"}


def test_a_function_may_change_its_request_and_write_seats_as_numbers(topics: Path):
    def engine(request: Json) -> Json:
        answer = replay(dict(request))
        request.clear()
        for state in answer.get("states", ()):
            state["legal"] = {int(seat): tuple(actions) for seat, actions in state["legal"].items()}
        return answer

    checked = oracle.check(engine, cases=["hearts/ties/*", "hearts/moon/*"], vectors=topics)
    assert checked.ok, checked.failures
    assert oracle.check(replay, games="hearts", vectors=topics).ok


def test_a_function_with_a_memory_is_found_out(topics: Path):
    asked: list[Json] = []

    def engine(request: Json) -> Json:
        asked.append(request)
        return replay(request) if len(asked) % 2 else {"deal": {}}

    checked = oracle.check(engine, cases="hearts/shuffle/*", vectors=topics)
    assert checked.faults
    assert not checked.ok


def test_nothing_that_was_asked_is_not_ok(topics: Path):
    assert not oracle.check(replay, cases="hearts/no-such-topic/*", vectors=topics).ok
    with pytest.raises(ValueError, match="no game whist"):
        oracle.check(replay, games="whist")
    with pytest.raises(NoHandshake):
        oracle.check(replay, claims={"hearts": {"ops": ["replay"]}})


# Several processes, reports, interrupts.


def without_times(report: Path) -> Json:
    written = json.loads(report.read_text())
    for each in written["cases"]:
        del each["milliseconds"]
    return {name: value for name, value in written.items() if name not in ("date", "seconds")}


def test_a_report_does_not_depend_on_the_number_of_processes(
    tmp_path: Path, vectors: Path, say: Any
):
    fake = Fake(tmp_path, "exits", shuffles(6), at=[1, 3])
    for jobs in (1, 3):
        report = tmp_path / f"{jobs}.json"
        words = ["--jobs", jobs, "--report", report, "--vectors", vectors]
        assert say("check", *words, "--", *fake.command)[0] == 1
    assert without_times(tmp_path / "1.json") == without_times(tmp_path / "3.json")
    assert fake.left == []


def test_a_run_leaves_no_file_behind(tmp_path: Path, vectors: Path):
    spare = tmp_path / "spare"
    spare.mkdir()
    fake = Fake(tmp_path, "prints_garbage", shuffles(6), at=[1])
    reports = [w for s in ("json", "xml", "html") for w in ("--report", tmp_path / f"r.{s}")]
    words = ["check", "--vectors", vectors, *reports, "--", *fake.command]
    ended = subprocess.run(
        [*ORACLE, *map(str, words)], env={**os.environ, "TMPDIR": str(spare)}, capture_output=True
    )
    assert ended.returncode == 1
    assert list(spare.iterdir()) == []
    assert fake.left == []


def test_the_transcript_holds_every_line_in_both_directions(
    tmp_path: Path, vectors: Path, say: Any
):
    fake = Fake(tmp_path, "exits_in_the_middle_of_a_line", shuffles(6), at=[1])
    file = tmp_path / "transcript"
    say("check", "--vectors", vectors, "--transcript", file, "--", *fake.command)
    lines = file.read_text().splitlines()
    assert lines[0] == '-> {"do": "hello", "protocol": 1}'
    asked = [json.loads(line[3:]) for line in lines if line.startswith('-> {"op"')]
    # Six cases, and a sample once more.
    assert [request["seed"] for request in asked] == list("012345") + list("54320")
    # What was left of the second answer.
    assert lines[5].startswith('<- {"deal"')
    assert lines[5] == '<- {"deal": {"hands": ['[:23]
    assert lines[-1] == '-> {"do": "bye"}'


@pytest.mark.parametrize("whom", ["runner", "group"])
@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_ends_engine_and_run_and_the_results_so_far_are_reported(
    whom: str, jobs: int, number: signal.Signals, tmp_path: Path, vectors: Path
):
    fake = Fake(tmp_path, "ignores_sigterm_and_hangs", shuffles(6), at=[2, 3])
    report, transcript = tmp_path / "report.json", tmp_path / "transcript"
    words = ["check", "--vectors", vectors, "--report", report, "--transcript", transcript]
    words += ["--jobs", jobs, "--timeout", 600, "--", *fake.command]
    runner = subprocess.Popen(
        [*ORACLE, *map(str, words)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    # Until every process has the question at which it hangs.
    wait_until(lambda: questions(transcript) == 2 + jobs, runner)
    (os.killpg if whom == "group" else os.kill)(runner.pid, number)
    out, err = runner.communicate(timeout=60)
    assert runner.returncode == 130
    assert "Traceback" not in err
    assert "interrupted" in err
    written = json.loads(report.read_text())
    assert written["exit"] == 130
    assert [each["verdict"] for each in written["cases"]] == ["pass"] * 2
    assert "2 passed" in out
    assert fake.left == []


def questions(transcript: Path) -> int:
    return transcript.read_text().count('-> {"op"') if transcript.exists() else 0


def wait_until(done: Callable[[], bool], runner: subprocess.Popen[str]) -> None:
    """Wait for what must come; what takes a minute never will."""
    for _ in range(1200):
        if done():
            return
        assert runner.poll() is None
        time.sleep(0.05)
    raise AssertionError("it did not come")


def test_an_interrupt_before_the_handshake_ends_the_run(tmp_path: Path, vectors: Path):
    fake = Fake(tmp_path, "hangs_at_hello", shuffles(6), at=[])
    report = tmp_path / "report.json"
    words = ["check", "--vectors", vectors, "--report", report, "--hello-timeout", 600]
    runner = subprocess.Popen(
        [*ORACLE, *map(str, [*words, "--", *fake.command])], stderr=subprocess.PIPE, text=True
    )
    wait_until(lambda: len(fake.started) == 1, runner)
    runner.send_signal(signal.SIGINT)
    _, err = runner.communicate(timeout=60)
    assert (runner.returncode, "Traceback" in err) == (130, False)
    assert json.loads(report.read_text())["exit"] == 130
    assert fake.left == []


#: Runs the command after a change by which it soon waits for ever, having said so.
WAITING_FOR_A_READER = """
import sys
from pathlib import Path
from oracle.cli import main
before = Path.open
def waiting(*arguments, **how):
    print("waiting", flush=True)
    return before(*arguments, **how)
Path.open = waiting
main(sys.argv[1:])
"""
READING_A_PIPE = """
import sys
from pathlib import Path
from oracle.cli import main
before = Path.read_bytes
def waiting(path):
    print("waiting", flush=True)
    return before(path)
Path.read_bytes = waiting
main(sys.argv[1:])
"""
WORKING_OUT = """
import sys
from itertools import islice
from oracle.cli import check, main
before = check.chosen_cases
def endless(*arguments, **how):
    yield from islice(before(*arguments, **how), 3)
    print("waiting", flush=True)
    while True:
        pass
check.chosen_cases = endless
main(sys.argv[1:])
"""


def test_an_interrupt_ends_a_run_that_waits_for_someone_to_read_its_transcript(
    tmp_path: Path, vectors: Path
):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    words = ["check", "--vectors", vectors, "--transcript", pipe, "--", *ORACLE, "serve"]
    assert interrupted(WAITING_FOR_A_READER, words) == (130, "", "interrupted\n")


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_interrupt_ends_a_run_in_which_a_case_takes_for_ever_to_work_out(
    jobs: int, tmp_path: Path, vectors: Path
):
    report = tmp_path / "report.json"
    words = ["check", "--vectors", vectors, "--report", report, "--jobs", jobs]
    code, _, err = interrupted(WORKING_OUT, [*words, "--", *ORACLE, "serve"])
    assert code == 130
    assert err == "interrupted; the results so far:\n"
    written = json.loads(report.read_text())
    assert written["exit"] == 130
    count = len(written["cases"])
    # A second process may be interrupted at any of them.
    assert count == 3 or (jobs == 2 and count < 3)
    assert [each["verdict"] for each in written["cases"]] == ["pass"] * count


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_ends_any_command_where_it_is(number: signal.Signals, tmp_path: Path):
    os.mkfifo(tmp_path / "pipe")
    words = ["replay", tmp_path / "pipe"]
    assert interrupted(READING_A_PIPE, words, number) == (130, "", "interrupted\n")


def test_an_interrupt_that_was_to_be_ignored_is(tmp_path: Path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    program = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)\n" + READING_A_PIPE
    runner = subprocess.Popen(
        [sys.executable, "-c", program, "replay", pipe], stdout=subprocess.PIPE, text=True
    )
    assert runner.stdout is not None
    assert runner.stdout.readline() == "waiting\n"
    runner.send_signal(signal.SIGTERM)
    pipe.write_text("{}")
    runner.communicate(timeout=60)
    assert runner.returncode == 2


def interrupted(
    program: str, words: Sequence[Any], number: signal.Signals = signal.SIGTERM
) -> tuple[int, str, str]:
    """What a command comes to that gets one signal as soon as it prints that it is waiting."""
    runner = subprocess.Popen(
        [sys.executable, "-c", program, *map(str, words)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert runner.stdout is not None
    assert runner.stdout.readline() == "waiting\n"
    runner.send_signal(number)
    out, err = runner.communicate(timeout=60)
    return runner.returncode, out, err


def test_limits_are_options(tmp_path: Path, vectors: Path, say: Any):
    hello = Fake(tmp_path, "hangs_at_hello", shuffles(6), at=[])
    code, _, err = say("check", "--vectors", vectors, "--hello-timeout", 0.2, "--", *hello.command)
    assert code == 4
    assert "no answer within 0.2 s" in err
    fake = Fake(tmp_path, "hangs", shuffles(6), at=[1])
    code, out, _ = say("check", "--vectors", vectors, "--timeout", 0.2, "--", *fake.command)
    assert code == 1
    assert "no answer within 0.2 s" in out
    bye = Fake(tmp_path, "hangs_at_bye", shuffles(6), at=[])
    code, out, _ = say("check", "--vectors", vectors, "--bye-timeout", 0.2, "--", *bye.command)
    assert code == 1
    assert "the engine did not end within 0.2 s of bye" in out
    huge = Fake(tmp_path, "prints_a_huge_line", shuffles(6), at=[1])
    code, out, _ = say("check", "--vectors", vectors, "--max-answer", 2, "--", *huge.command)
    assert code == 1
    assert "a line of more than 2097152 bytes" in out


def test_a_verdict_that_changes_is_told_by_the_command(tmp_path: Path, vectors: Path, say: Any):
    fake = Fake(tmp_path, "exits_at_every_third", shuffles(2), at=[])
    code, out, _ = say("check", "--vectors", vectors, "--case", "*/[01]", "--", *fake.command)
    assert code == 1
    assert "when it was asked again at the end" in out
    assert "2 passed" in out
