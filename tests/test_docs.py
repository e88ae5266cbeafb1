"""The pages in docs/ say what is so: their code runs, their output comes, their jobs parse."""

import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import yaml

import oracle
from oracle import strategies
from oracle.conformance.claims import read_claims
from oracle.conformance.report import KINDS
from oracle.games import GAMES
from oracle.replay import replay
from oracle.rulebook import entries

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
OWN_PAGES = [
    "adapter.md",
    "ci.md",
    "engines.md",
    "interpreting.md",
    "protocol.md",
    "python.md",
    "regressions.md",
    "vector-format.md",
]
#: The command `oracle` of this environment comes first, and `python` is its Python.
ENVIRONMENT = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}


def page(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def blocks(text: str) -> Iterator[tuple[str, str]]:
    """The code blocks of a page: language and content."""
    for match in re.finditer(r"^( *)```(\w+)\n(.*?)^\1```", text, re.DOTALL | re.MULTILINE):
        yield (
            match[2],
            "".join(line.removeprefix(match[1]) for line in match[3].splitlines(keepends=True)),
        )


def commands(console: str) -> Iterator[tuple[str, list[str]]]:
    """The commands of a console block, each with the output shown for it."""
    for each in re.split(r"^\$ ", console, flags=re.MULTILINE)[1:]:
        command, *shown = each.rstrip("\n").split("\n")
        yield command, shown


def untimed(line: str) -> str:
    """A line of output, however long it took."""
    return re.sub(r"\(\d+\.\d s\)$", "(0.0 s)", line.rstrip())


def comes_as(shown: str, line: str) -> bool:
    """Whether a line of output is the one that is shown; a number that grows with the suite is
    shown as an …."""
    pattern = re.escape(untimed(shown)).replace("…", r"(?:\d+|…)")
    return bool(re.fullmatch(pattern, untimed(line)))


def assert_comes(shown: list[str], output: str) -> None:
    """Every line shown stands in the output, in this order; without an … between, at once."""
    lines, at, gap = output.split("\n"), 0, False
    for line in shown:
        if line.strip() == "…":
            gap = True
            continue
        place = next((n for n in range(at, len(lines)) if comes_as(line, lines[n])), None)
        assert place is not None, f"{line!r} does not come\n{output}"
        assert gap or place == at, f"between comes {lines[at:place]}, and no … is shown"
        at, gap = place + 1, False


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


# docs/adapter.md


def test_following_the_adapter_page_to_the_letter_gives_what_it_shows(tmp_path: Path):
    statuses = []
    for language, content in blocks(page("adapter.md")):
        if language == "python":
            name = content.partition("\n")[0].removeprefix("# ")
            (tmp_path / name).write_text(content, encoding="utf-8")
        elif language == "diff":
            name, old, new = content.rstrip("\n").split("\n")
            file = tmp_path / name.removeprefix("# ")
            before = file.read_text(encoding="utf-8")
            assert before.count(old[1:] + "\n") == 1
            file.write_text(before.replace(old[1:] + "\n", new[1:] + "\n"), encoding="utf-8")
        else:
            assert language == "console"
            for command, shown in commands(content):
                done = run(command, tmp_path)
                assert_comes(shown, done.stdout)
                statuses.append(done.returncode)
    #                   moon  rules  case  cat  mended  more  hands  mended
    assert statuses == [1, 0, 1, 0, 0, 0, 1, 0]


def test_following_the_page_on_python_gives_what_it_shows(tmp_path: Path):
    # It borrows the engine of the other page, with its mistake.
    for language, content in (*blocks(page("adapter.md")), *blocks(page("python.md"))):
        name = content.partition("\n")[0].removeprefix("# ")
        if language == "python" and name not in ("hearts.py", "adapter.py"):
            (tmp_path / name).write_text(content, encoding="utf-8")
    statuses = []
    for language, content in blocks(page("python.md")):
        for command, shown in commands(content) if language == "console" else ():
            done = run(command, tmp_path)
            assert_comes(shown, done.stdout)
            statuses.append(done.returncode)
    #                   all  fixture  command  properties
    assert statuses == [0, 1, 0, 0]


def test_the_page_on_python_tells_every_option_of_the_plugin_and_every_strategy():
    told = page("python.md")
    asked = run("pytest --help", ROOT).stdout
    options = set(re.findall(r"--oracle-[a-z]+", asked))
    assert len(options) == 3
    assert options <= set(re.findall(r"--oracle-[a-z]+", told))
    assert all(f"`{name}(" in told for name in strategies.__all__)


def test_the_failure_at_the_top_of_the_readme_is_what_comes():
    language, content = next(blocks((ROOT / "README.md").read_text(encoding="utf-8")))
    assert language == "console"
    ((command, shown),) = commands(content)
    done = run(command, ROOT)
    assert_comes(shown, done.stdout)
    assert done.returncode == 1


def test_the_comparison_of_output_sees_a_line_that_does_not_come():
    assert_comes(["a … (0.1 s)", "…", "c"], "a 12 (23.4 s)\nb\nc\n")
    for shown in (["a", "c"], ["d"], ["b", "…", "a"], ["a", "b", "c", "5 passed"], ["a…"]):
        with pytest.raises(AssertionError):
            assert_comes(shown, "a\nb\nc\n6 passed\n")


# docs/protocol.md


def test_each_request_on_the_protocol_page_gets_the_answer_below_it():
    shown = [
        json.loads(each) for language, each in blocks(page("protocol.md")) if language == "json"
    ]
    asked = [place for place, each in enumerate(shown) if "op" in each]
    assert list(dict.fromkeys(shown[place]["game"] for place in asked)) == list(GAMES)
    assert {shown[place]["op"] for place in asked} == {"replay", "score"}
    for place in asked:
        assert shown[place + 1] == replay(shown[place])


def test_the_claim_on_the_protocol_page_is_one():
    (claim,) = (
        json.loads(each)
        for language, each in blocks(page("protocol.md"))
        if language == "json" and '"protocol"' in each
    )
    assert read_claims(claim).remarks == ()


# docs/regressions.md


#: The reporter's engine: sixteen points are a moon.
SIXTEEN = """#!/usr/bin/env python3
import json, sys

CLAIM = {"ops": ["score"], "reports": ["hand"], "start": ["scores"]}
ENGINE = {"name": "mine", "version": "1", "language": "Python"}
for line in sys.stdin:
    message = json.loads(line)
    if message.get("do") == "bye":
        break
    answer = {"protocol": 1, "engine": ENGINE, "games": {"hearts": CLAIM}}
    if "do" not in message:
        points = list(message["tally"]["hearts"])
        points[message["tally"]["queen"]] += 13
        if 16 in points:
            points = [0 if each == 16 else 26 for each in points]
        scores = [sum(each) for each in zip(message["start"]["scores"], points)]
        answer = {"seq": message["seq"], "hand": {"delta": points, "scores": scores}}
    print(json.dumps(answer), flush=True)
"""


def test_following_the_page_on_regressions_gives_what_it_shows(tmp_path: Path):
    (request,) = (each for language, each in blocks(page("regressions.md")) if language == "json")
    (tmp_path / "report.json").write_text(request, encoding="utf-8")
    (tmp_path / "my-engine").write_text(SIXTEEN, encoding="utf-8")
    (tmp_path / "my-engine").chmod(0o755)
    statuses = []
    for language, content in blocks(page("regressions.md")):
        for command, shown in (
            commands(content.replace("\\\n", "")) if language == "console" else ()
        ):
            done = run(command, tmp_path)
            assert_comes(shown, done.stdout)
            statuses.append(done.returncode)
    #                   told  rules  saved  check  explain  pytest
    assert statuses == [0, 0, 0, 1, 0, 1]


# docs/ci.md


def jobs() -> list[dict[str, Any]]:
    return [
        yaml.safe_load(content) for language, content in blocks(page("ci.md")) if language == "yaml"
    ]


def steps_of(job: dict[str, Any]) -> list[str]:
    """The commands of a job of either system."""
    if "script" in job:
        return [str(line) for line in job["script"]]
    assert {"uses", "run"} >= {key for step in job["steps"] for key in step} - {"if", "with"}
    return [step["run"] for step in job["steps"] if "run" in step]


def test_the_jobs_are_what_github_and_gitlab_read():
    github, gitlab = jobs()
    # YAML 1.1 reads the key "on" as true.
    assert github[True] == ["push", "pull_request"]
    assert github["jobs"]["rules"]["runs-on"]
    assert gitlab["rules"]["artifacts"]["reports"]["junit"] in gitlab["rules"]["artifacts"]["paths"]
    for job in (github["jobs"]["rules"], gitlab["rules"]):
        install, check = steps_of(job)
        assert install.startswith("pip install third_party/trick_oracle-")
        assert check.startswith("oracle check ")


def test_the_wheel_in_the_jobs_is_the_one_that_a_build_makes():
    names = set(re.findall(r"trick_oracle-[\w.-]+\.whl", page("ci.md")))
    assert names == {f"trick_oracle-{oracle.__version__}-py3-none-any.whl"}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder with the adapter that the jobs start."""
    adapter = ROOT / "examples" / "hearts_engine.py"
    script = tmp_path / "my-adapter"
    script.write_text(f'#!/bin/sh\nexec {sys.executable} {adapter} "$@"\n', encoding="utf-8")
    script.chmod(0o755)
    return tmp_path


@pytest.mark.parametrize("system", [0, 1], ids=["github", "gitlab"])
def test_the_command_of_a_job_runs_and_writes_its_reports(system: int, project: Path):
    job = jobs()[system]
    _, check = steps_of(job.get("jobs", job)["rules"])
    done = run(check.replace("my-adapter", "my-adapter --mended"), project)
    assert done.returncode == 0, done.stderr
    assert len(list(ElementTree.parse(project / "rules.xml").iter("testcase"))) >= 100
    assert (project / "rules.md").read_text(encoding="utf-8")
    assert json.loads((project / "rules.badge.json").read_text())["schemaVersion"] == 1
    # With the mistake in it the engine makes the job fail.
    assert run(check, project).returncode == 1


def test_in_github_actions_the_command_marks_failures_and_adds_to_the_summary(project: Path):
    _, check = steps_of(jobs()[0]["jobs"]["rules"])
    done = run(f"GITHUB_ACTIONS=true GITHUB_STEP_SUMMARY=summary.md {check}", project)
    assert "\n::error title=fail hearts/" in done.stdout
    assert "HEARTS-R07" in (project / "summary.md").read_text(encoding="utf-8")


def test_a_file_of_expected_failures_is_written_and_keeps_the_job_green(project: Path):
    write, *_ = (
        command
        for language, content in blocks(page("ci.md"))
        if language == "console"
        for command, _ in commands(content)
    )
    assert run(write, project).returncode == 1
    expected = project / "expected.toml"
    with_it = "oracle check --game hearts --expected expected.toml -- ./my-adapter"
    assert run(with_it, project).returncode == 0
    # The mended engine passes what is listed, and so the list has to shrink.
    assert run(f"{with_it} --mended", project).returncode == 1
    (example,) = (content for language, content in blocks(page("ci.md")) if language == "toml")
    assert (
        tomllib.loads(example)["expected"][0].keys()
        == tomllib.loads(expected.read_text(encoding="utf-8"))["expected"][0].keys()
    )


def test_the_kinds_of_report_in_the_page_are_those_that_there_are():
    line = page("ci.md").partition("the suffix says which kind: ")[2].partition("\n- ")[0]
    assert set(re.findall(r"`(\.[\w.]+)`", line)) == set(KINDS)


# docs/interpreting.md and docs/protocol.md


def test_both_pages_describe_requests_in_the_same_table():
    tables = [re.findall(r"(?m)^\|.*\n", page(name)) for name in ("interpreting.md", "protocol.md")]
    start = "| game | | |\n"
    rows = [table[table.index(start) : table.index(start) + 18] for table in tables]
    assert rows[0] == rows[1]
    assert len([row for row in rows[0] if row.startswith("| | verbs")]) == len(GAMES)


def groups(text: str) -> set[frozenset[str]]:
    """Groups written as "HEARTS-07 10 R06 · …"."""
    found = set()
    for group in re.split(r"[·,]", text):
        first, *others = group.split()
        game = first.partition("-")[0]
        found.add(frozenset([first, *(f"{game}-{other}" for other in others)]))
    return found


def test_the_page_and_the_runner_have_the_groups_of_the_rulebook():
    of_the_rulebook = {
        frozenset([entry.id, *entry.same_as])
        for game in GAMES
        for entry in entries(game).values()
        if entry.same_as
    }
    told = re.search(r"(?m)^HEARTS-05 R01 (?:.+\n)+", page("interpreting.md"))
    assert told is not None
    assert groups(told[0]) == of_the_rulebook
    source = (ROOT / "examples" / "runner.mjs").read_text(encoding="utf-8")
    assert groups(source.partition("GROUPS = `")[2].partition("`")[0]) == of_the_rulebook


def test_the_pages_link_to_pages_that_there_are():
    for name in OWN_PAGES:
        for target in re.findall(r"\]\(([\w./-]+)\)", page(name)):
            assert (DOCS / target).is_file(), f"{name} links to {target}"


def test_the_pages_name_files_that_there_are():
    for name in OWN_PAGES:
        for path in re.findall(r"\bexamples/[\w./-]+", page(name)):
            assert (ROOT / path.rstrip(".")).exists(), f"{name} names {path}"
