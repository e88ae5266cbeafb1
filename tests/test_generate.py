"""Generation: everything follows from the seed, and the published sets are what their recipes make."""

import json
import os
import signal
import subprocess
import sys
from itertools import chain

import pytest
from commands import oracle

from oracle import data
from oracle.games import GAMES
from oracle.games.shapes import options_of
from oracle.generate.deals import SAMPLERS
from oracle.generate.features import Covered, features
from oracle.generate.parallel import worth_starting
from oracle.generate.recipes import (
    Recipe,
    attempt,
    candidate,
    make,
    make_covered,
    make_shard,
    published,
)
from oracle.replay import replay
from oracle.shuffle import Draws
from oracle.vectors.cases import load_file
from oracle.wire import read_deal, write_parts

SETS = [recipe for game in GAMES for recipe in published(game)]


def ignore(made):
    """Nobody listens."""


def small(game, **changes):
    return Recipe(game, "small", "A few hands.", **{"count": 6, "seed": "test", **changes})


@pytest.mark.parametrize("game", GAMES)
def test_the_same_seed_makes_the_same_cases_whatever_the_number_of_processes(game):
    recipe = small(game, count=40)
    assert make(recipe).text() == make(recipe, ignore, jobs=2).text()


def test_another_seed_makes_other_cases():
    assert make(small("hearts")).text() != make(small("hearts", seed="other")).text()


def test_shards_together_make_the_set():
    recipe = small("spades", count=11)
    whole = [case.as_json() for case in make(recipe).cases]
    shards = [make_shard(recipe, number, 3, ignore).cases for number in (1, 2, 3)]
    assert sorted((case.as_json() for case in chain(*shards)), key=lambda case: case["id"]) == whole
    assert [len(shard) for shard in shards] == [4, 4, 3]


@pytest.mark.parametrize("game", GAMES)
def test_until_covered_keeps_only_what_shows_something_new(game):
    recipe = small(game, count=400)
    cases = make_covered(recipe).cases
    covered = Covered()
    for case in cases:
        found = features(case.request, case.response)
        assert covered.adds(found), case.id
        covered.take(found)
    assert 3 < len(cases) < 400


def test_until_covered_does_not_depend_on_the_number_of_processes():
    recipe = small("bid-whist", count=300)
    assert make_covered(recipe).text() == make_covered(recipe, ignore, jobs=2).text()


@pytest.mark.parametrize("name", SAMPLERS)
@pytest.mark.parametrize("game", GAMES)
def test_every_sampler_deals_the_whole_pack(game, name):
    for number in range(20):
        deal = SAMPLERS[name](GAMES[game], Draws(f"deal {number}"))
        assert read_deal(GAMES[game], write_parts(deal)) == deal


@pytest.mark.parametrize("game", GAMES)
def test_probes_are_refused_and_play_goes_on(game):
    kinds = set()
    for number in range(60):
        request, response = attempt((small(game), number))
        states = response["states"][1:]
        refused = [place for place, state in enumerate(states) if not state["ok"]]
        kinds.update(states[place]["clause"] for place in refused)
        assert any(states[place]["ok"] for place in range(refused[0] + 1, len(states)))
        assert request["actions"]
    assert {"FORMAT", "TURN", "PHASE", "CARD"} < kinds


def test_every_option_value_has_a_set():
    for game in GAMES.values():
        sets = published(game.name)
        for option in options_of(game.parts.rules):
            under = [recipe for recipe in sets if option.name in recipe.rules]
            assert under, option.name


@pytest.mark.parametrize("recipe", SETS, ids=lambda recipe: recipe.by)
def test_a_published_set_is_what_its_recipe_makes(recipe):
    path = data.folder("vectors") / recipe.game / "generated" / f"{recipe.topic}.json"
    vectors = load_file(path)
    assert vectors.about == recipe.about
    assert len(vectors.cases) == recipe.count or recipe.until_covered
    some = vectors.cases if recipe.hands else vectors.cases[:4]
    for case in some:
        seed, _, number = case.source["seed"].partition(":")
        assert (seed, case.source["by"]) == (recipe.seed, recipe.by)
        assert candidate(recipe, number) == case.request
        if recipe.unlike is not None:
            other = replay({**case.request, "rules": dict(recipe.unlike)})
            assert other != case.response, case.id


def test_a_match_is_played_to_its_end():
    for recipe in SETS:
        if recipe.hands is None:
            path = data.folder("vectors") / recipe.game / "generated" / f"{recipe.topic}.json"
            for case in load_file(path).cases:
                assert any("match" in state for state in case.response["states"]), case.id


def run_generate(*arguments):
    return subprocess.run(
        [sys.executable, "-m", "oracle", "generate", *arguments],
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_command_writes_a_vector_file(tmp_path):
    out = tmp_path / "some.json"
    done = run_generate("hearts", "--seed", "x", "--count", "3", "--output", str(out))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert len(load_file(out).cases) == 3
    assert run_generate("hearts", "--seed", "x", "--count", "3").stdout == out.read_text()
    # Wherever it is put, there need be no schemas.
    assert "$schema" not in json.loads(out.read_text())


def test_without_a_seed_the_cases_are_the_same_each_time_and_not_the_published_ones():
    made, again = (json.loads(run_generate("hearts", "--count", "2").stdout) for _ in range(2))
    assert made == again
    published_set = load_file(data.folder("vectors") / "hearts" / "generated" / "hands.json")
    known = [case.request for case in published_set.cases]
    assert [case for case in made["cases"] if case["request"] in known] == []
    seeded = json.loads(run_generate("hearts", "--count", "2", "--seed", "1").stdout)
    assert all(case["request"] in known for case in seeded["cases"])


def test_a_folder_that_is_not_there_is_told_before_the_work(tmp_path):
    place = tmp_path / "no" / "x.json"
    done = run_generate("hearts", "--count", "100000", "--output", str(place))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"oracle: --output {place}: there is no folder {place.parent}\n"
    assert not place.parent.exists()


def test_no_more_processes_are_started_than_have_something_to_do(monkeypatch):
    monkeypatch.setattr(os, "cpu_count", lambda: 8)
    assert [worth_starting(500, tasks) for tasks in (1, 16, 17, 100, 4000)] == [1, 1, 2, 7, 8]
    assert worth_starting(2, 4000) == 2
    assert (worth_starting(500), worth_starting(2)) == (8, 2)
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert worth_starting(500, 4000) == 1


@pytest.mark.parametrize("how", [[], ["--until-covered"], ["--shard", "2/2"]])
def test_the_command_starts_no_more_processes_than_its_set_needs(how, monkeypatch):
    started = []

    def notes(work, tasks, jobs):
        started.append(jobs)
        return map(work, tasks)

    monkeypatch.setattr(os, "cpu_count", lambda: 64)
    monkeypatch.setattr("oracle.generate.recipes.in_order", notes)
    assert oracle("generate", "hearts", "--count", "20", "--jobs", "500", *how).code == 0
    assert max(started) == {"": 2, "--until-covered": 4, "--shard": 1}["".join(how[:1])]


ENDED = """
import signal

from oracle.generate.parallel import in_order


def end(*_):
    raise KeyboardInterrupt


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, end)
    try:
        for done in in_order(abs, range(10**9), 2):
            print(done, flush=True)
    except KeyboardInterrupt:
        print("ended")
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_processes_too_and_they_say_nothing(number, tmp_path):
    program = tmp_path / "program.py"
    program.write_text(ENDED)
    with subprocess.Popen(
        [sys.executable, str(program)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as running:
        assert running.stdout.readline() == "0\n"
        # A terminal sends SIGINT to the whole group, a CI system SIGTERM to the command.
        send = os.killpg if number == signal.SIGINT else os.kill
        send(running.pid, number)
        # Both end only when no process holds them any more.
        out, errors = running.communicate(timeout=60)
    assert out.splitlines()[-1] == "ended"
    assert errors == ""


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "GAME"),
        (["hearts", "--seed", "1", "--shard", "3/2"], "--shard 3/2"),
        (["hearts", "--seed", "1", "--shard", "1/2", "--until-covered"], "--shard"),
        (["hearts", "--seed", "1", "--rules", "kitty=exchange"], "kitty"),
        (["hearts", "--seed", "1", "--player", "nobody"], "--player nobody"),
        (["hearts", "--seed", "1", "--output", "/no/such/folder/x.json"], "/no/such/folder"),
        (["poker", "--seed", "1"], "poker"),
        (["--published", "--count", "5"], "--count doesn't go with --published"),
        (["hearts", "--published", "--seed", "2"], "--seed doesn't go with --published"),
        (["hearts", "--published", "--matches"], "--matches doesn't go with --published"),
    ],
)
def test_a_mistake_costs_one_line(arguments, words):
    done = run_generate(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_set_for_a_rule_that_changes_nothing_is_a_mistake():
    with pytest.raises(ValueError, match="too few"):
        make(small("hearts", count=1, unlike={}))


def test_features_name_the_refusal_and_its_phase():
    request = {"op": "replay", "game": "hearts", "rules": {}, "deals": [], "actions": ["0 play 2C"]}
    assert features(request, replay(request)) == {"refused OVER in nothing"}
    assert json.dumps(sorted(features(request, replay(request))))
