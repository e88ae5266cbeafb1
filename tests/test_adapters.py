"""The adapters in examples/: those that need nothing pass, and public engines do as docs/engines.md says."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ADAPTERS = ROOT / "examples" / "adapters"
ORACLE = [str(Path(sys.executable).with_name("oracle"))]
PYTHON = [sys.executable, str(ADAPTERS / "python_adapter.py")]
NODE = ["node", str(ADAPTERS / "node" / "adapter.mjs")]


@pytest.fixture
def node() -> None:
    """Whoever has no Node can go without it; where everything is checked it must be there."""
    if shutil.which("node") is None:
        message = "node is not installed"
        pytest.fail(message) if os.environ.get("CI") == "true" else pytest.skip(message)


def check(*arguments: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Run oracle check; the command of the engine comes last."""
    return subprocess.run(
        [*ORACLE, "check", "--details", "0", *arguments],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        cwd=cwd,
    )


def answers(command: Sequence[str], *messages: object) -> list[dict[str, object]]:
    """What an adapter answers before its input ends; it must end well."""
    lines = "".join(json.dumps(message) + "\n" for message in messages)
    done = subprocess.run(
        command, input=lines, capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    return [json.loads(line) for line in done.stdout.splitlines()]


def assert_passes(game: str, least: int, command: Sequence[str]) -> None:
    """All cases of a game that the adapter claims pass, so many at least, nothing ignored."""
    done = check("--game", game, "--min-executed", str(least), "--", *command)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "ignored" not in done.stdout


def altered(folder: Path, source: Path, old: str, new: str) -> None:
    """Copy the adapters into a folder, with a mistake in one of the files."""
    shutil.copytree(ADAPTERS, folder, dirs_exist_ok=True)
    file = folder / source.relative_to(ADAPTERS)
    text = file.read_text(encoding="utf-8")
    assert text.count(old) == 1
    file.write_text(text.replace(old, new), encoding="utf-8")


# The two to copy.


def test_the_python_adapter_passes_what_it_claims():
    assert_passes("spades", 90, PYTHON)


def test_the_node_adapter_passes_what_it_claims(node: None):
    assert_passes("hearts", 200, NODE)


@pytest.mark.parametrize("path", [PYTHON[1], NODE[1]], ids=["python", "node"])
def test_an_adapter_to_copy_is_no_longer_than_sixty_lines(path: str):
    assert len(Path(path).read_text(encoding="utf-8").splitlines()) <= 60


def test_a_mistake_in_the_python_engine_is_found(tmp_path: Path):
    engine = ADAPTERS / "spades_scoring.py"
    altered(tmp_path, engine, "- 100 * penalties", "- 100 * min(penalties, 1)")
    command = [sys.executable, str(tmp_path / "python_adapter.py")]
    case = "spades/bags/two-penalties-in-one-hand"
    assert check("--case", case, "--", *PYTHON).returncode == 0
    assert check("--case", case, "--", *command).returncode == 1


def test_a_mistake_in_the_node_engine_is_found(node: None, tmp_path: Path):
    engine = ADAPTERS / "node" / "hearts.mjs"
    altered(tmp_path, engine, "this.broken || others.length === 0 ? hand", "this.broken ? hand")
    case = "hearts/leading/nothing-but-hearts"
    assert check("--case", case, "--", *NODE).returncode == 0
    adapter = str(tmp_path / "node" / "adapter.mjs")
    assert check("--case", case, "--", "node", adapter).returncode == 1


def test_the_python_adapter_says_so_when_the_engine_fails():
    tally = {"bids": ["no bid", 3], "tricks": [4, 9]}
    request = {"op": "score", "game": "spades", "rules": {}, "tally": tally, "seq": 4}
    (answer,) = answers(PYTHON, request)
    assert answer.keys() == {"failed", "seq"}
    assert answer["seq"] == 4


@pytest.mark.parametrize("command", [PYTHON, NODE], ids=["python", "node"])
def test_an_adapter_ends_at_bye_without_an_answer(command: list[str], request):
    if command is NODE:
        request.getfixturevalue("node")
    hello = {"do": "hello", "protocol": 1}
    assert len(answers(command, hello, {"do": "bye"}, hello)) == 1


# The runner that is written from docs/interpreting.md.

RUNNER = str(ROOT / "examples" / "runner.mjs")
SERVE = ["--", *ORACLE, "serve"]


def run_vectors(folder: Path) -> subprocess.CompletedProcess[str]:
    """The runner over a folder of vectors, with the reference as the engine."""
    return subprocess.run(
        ["node", RUNNER, str(folder), *SERVE],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def hand_worked(folder: Path) -> int:
    """Copy the hand-worked vectors into a folder; how many cases there are."""
    cases = 0
    for file in sorted((ROOT / "vectors").glob("*/*.json")):
        (folder / file.parent.name).mkdir(exist_ok=True)
        shutil.copy(file, folder / file.parent.name)
        cases += len(json.loads(file.read_text(encoding="utf-8"))["cases"])
    return cases


def test_the_runner_written_from_the_page_passes_every_hand_worked_case(node: None, tmp_path: Path):
    cases = hand_worked(tmp_path)
    done = run_vectors(tmp_path)
    assert cases > 1000
    assert (done.returncode, done.stdout) == (0, f"{cases} passed, 0 failed\n")


#: Changes to the text of one case each, after which the reference no longer agrees with it.
WRONG_CASES = {
    "hearts/moon/shot-by-seat-2": ('"delta": [26, 26, 0, 26]', '"delta": [26, 26, true, 26]'),
    "hearts/moon/queen-without-hearts": (
        '"clause": "HEARTS-13", "points": 13',
        '"clause": "HEARTS-14", "points": 13',
    ),
    "hearts/moon/all-thirteen-tricks": ('"clause": "HEARTS-10"', '"clause": "HEARTS-12"'),
    "hearts/leading/nothing-but-hearts": ('"ok": true', '"ok": false'),
    "belote/views/start-seat-1": ('"stacks": ["7C+', '"stacks": ["7C'),
    "belote/views/start-seat-0": ('"known": {"hand 1": "8C', '"known": {"hand 1": "7C'),
}


def test_the_runner_sees_an_answer_that_differs(node: None, tmp_path: Path):
    hand_worked(tmp_path)
    for file in tmp_path.glob("*/*.json"):
        text = file.read_text(encoding="utf-8")
        whole = json.loads(text)
        wrong = [case for case in whole["cases"] if case["id"] in WRONG_CASES]
        for case in wrong:
            old, new = WRONG_CASES[case["id"]]
            response = json.dumps(case["response"])
            assert old in response
            case["response"] = json.loads(response.replace(old, new, 1))
        file.write_text(json.dumps({**whole, "cases": wrong}), encoding="utf-8")
    done = run_vectors(tmp_path)
    assert done.returncode == 1
    assert set(re.findall(r"FAIL  (\S+)", done.stdout)) == WRONG_CASES.keys()


# Public engines: docs/engines.md says how they do.

PAGE = (ROOT / "docs" / "engines.md").read_text(encoding="utf-8")
SECTIONS = [section for section in re.split(r"(?m)^## ", PAGE)[1:] if "```console" in section]


def runs() -> list[tuple[str, str, str]]:
    """Package, command and result of each run in the page."""
    return [
        (package_of(command), command, result)
        for section in SECTIONS
        for command, result in re.findall(r"(?m)^\$ oracle check (.+)\n(.+)$", section)
    ]


def package_of(command: str) -> str:
    """The package that a command checks: its adapter says how it is installed."""
    adapter, *argument = command.rpartition("examples/adapters/")[2].split()
    installs = re.findall(r"(?m)^    pip install (.+)$", (ADAPTERS / adapter).read_text())
    packages = [re.split(r"[=><]", word.strip('"'))[0] for word in installs[0].split()]
    return next((name for name in packages if name in argument), packages[0])


def faults() -> list[tuple[str, str, str]]:
    """Package, command and case of each fault in the page; the command is the one that shows it."""
    found = []
    for section in SECTIONS:
        commands = re.findall(r"(?m)^\$ oracle check (.+)$", section)
        for case, without in re.findall(r"(?m)^\| `([\w/-]+)`( \(without [^)]+\))? \|", section):
            command = commands[0] if without else commands[-1]
            found.append((package_of(command), command, case))
    return found


def pinned() -> dict[str, str]:
    """The packages of the extra, and their versions."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return dict(each.split("==") for each in project["optional-dependencies"]["engines"])


def skip_unless_installed(package: str) -> None:
    """A public engine is checked where it is installed in the version of the page."""
    try:
        found = version(package)
    except PackageNotFoundError:
        pytest.skip(f"{package} is not installed: pip install '.[engines]'")
    if found != pinned()[package]:
        pytest.skip(f"{package} {found} is installed, and the page is about {pinned()[package]}")


def check_as_told(command: str, *more: str) -> subprocess.CompletedProcess[str]:
    """Run a command of the page."""
    words = [sys.executable if word == "python" else word for word in shlex.split(command)]
    return check(*more, *words)


def test_every_package_of_the_extra_is_reported_on_in_its_version():
    reported = dict(re.findall(r"(?m)^\| `([\w-]+)` ([\d.]+) \|", PAGE))
    assert pinned().items() <= reported.items()
    assert {package for package, _, _ in runs()} == pinned().keys()


def test_a_run_that_fails_in_the_page_has_its_faults_told():
    failing = {package for package, _, result in runs() if "failed" in result}
    assert failing
    assert {package for package, _, _ in faults()} == failing


@pytest.mark.parametrize(("package", "command", "result"), runs())
def test_a_public_engine_passes_or_fails_as_the_page_says(package: str, command: str, result: str):
    skip_unless_installed(package)
    assert check_as_told(command).returncode == (1 if "failed" in result else 0)


@pytest.mark.parametrize(("package", "command", "case"), faults())
def test_the_case_that_the_page_names_shows_the_fault(package: str, command: str, case: str):
    skip_unless_installed(package)
    assert check_as_told(command, "--case", case).returncode == 1
