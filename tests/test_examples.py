"""The examples and the Makefile do what they say, also where they are copied or misused."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from commands import PROGRAM, Done, oracle

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "examples"


def ran(*command: str) -> Done:
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    return Done(done.returncode, done.stdout, done.stderr)


@pytest.fixture
def node() -> None:
    """Whoever has no Node can go without it; where everything is checked it must be there."""
    if shutil.which("node") is None:
        message = "node is not installed"
        pytest.fail(message) if os.environ.get("CI") == "true" else pytest.skip(message)


@pytest.mark.parametrize("words", [[], ["vectors"], ["vectors", "--"], ["vectors", "oracle", "x"]])
def test_the_runner_tells_in_a_line_how_it_is_used(node: None, words: list[str]) -> None:
    done = ran("node", str(EXAMPLES / "runner.mjs"), *words)
    usage = "usage: node examples/runner.mjs VECTORS -- COMMAND\n"
    assert done == Done(2, "", usage)


@pytest.mark.parametrize("adapter", ["python_adapter.py", "adapter.mjs"])
def test_what_the_page_names_with_an_adapter_is_all_that_must_be_copied(
    adapter: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    if adapter.endswith(".mjs"):
        request.getfixturevalue("node")
    page = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    (row,) = [line for line in page.splitlines() if line.startswith("|") and adapter in line]
    named = re.findall(r"`(adapters/[^`]+)`", row)
    assert len(named) == 2
    for name in named:
        shutil.copy(EXAMPLES / name, tmp_path)
    program = sys.executable if adapter.endswith(".py") else "node"
    engine = ["--", program, str(tmp_path / adapter)]
    done = oracle("check", "--case", "spades/scor*", "--case", "hearts/moon/*", *engine)
    assert done.code == 0, done.err


def test_every_file_among_the_examples_is_named_on_their_page() -> None:
    page = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`((?:[\w/]+/)?\w+\.(?:py|mjs))`", page))
    there = {str(path.relative_to(EXAMPLES)) for path in EXAMPLES.rglob("*.*") if path.is_file()}
    assert named <= there | {Path(each).name for each in there}
    # The others are adapters for public packages, of which the page speaks together.
    assert {each for each in there if not each.startswith("adapters/")} - {"README.md"} <= named


def test_the_demo_prints_the_commands_that_it_runs() -> None:
    demo = (ROOT / "Makefile").read_text(encoding="utf-8").partition("\ndemo:")[2]
    demo = demo.partition("\n\n")[0].replace("\\\n", " ")
    printed = re.findall(r"@echo '\$\$ (oracle .+)'", demo)
    run = re.findall(r"@\$\(BIN\)/(oracle [^;\n]+)", demo.replace(" $(BIN)/", " "))
    assert [shlex.split(each) for each in run] == [shlex.split(each) for each in printed]
    assert len(printed) == 2


def test_a_generated_file_put_where_the_page_says_is_run(tmp_path: Path) -> None:
    place = tmp_path / "mine" / "bid-whist" / "generated" / "hands.json"
    place.parent.mkdir(parents=True)
    assert oracle("generate", "bid-whist", "--count", "2", "--output", place) == Done(0, "", "")
    folder = tmp_path / "mine"
    verified = oracle("verify", "--write", "--vectors", folder)
    assert verified == Done(0, "2 cases verified, 0 problems\n", "")
    done = oracle("check", "--vectors", folder, "--", PROGRAM, "serve")
    assert done.code == 0
    assert "2 passed" in done.out


@pytest.mark.parametrize(
    ("whole", "pointed"), [('"format": 1,', '"format": 1.0,'), ('"hand": 3', '"hand": 3.0')]
)
def test_a_number_with_a_point_is_refused_though_a_schema_takes_it(
    whole: str, pointed: str, tmp_path: Path
) -> None:
    source = ROOT / "vectors" / "hearts" / "opening-lead.json"
    text = source.read_text(encoding="utf-8")
    assert whole in text
    place = tmp_path / "hearts" / source.name
    place.parent.mkdir()
    place.write_text(text.replace(whole, pointed, 1), encoding="utf-8")
    number = pointed.partition(": ")[2].rstrip(",")
    verified = oracle("verify", "--vectors", tmp_path)
    assert verified.code == 1
    assert f"{place}: {number} is not an integer" in verified.out
    checked = oracle("check", "--vectors", tmp_path, "--", PROGRAM, "serve")
    assert checked.code == 2
    assert f"{place}: {number} is not an integer" in checked.err
