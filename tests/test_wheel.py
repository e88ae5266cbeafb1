"""The wheel: built here, installed into an empty environment, and used away from the checkout."""

import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path
from typing import NamedTuple

import pytest
from commands import Done

from oracle import __version__
from oracle.games import GAMES

CHECKOUT = Path(__file__).parents[1]

#: An engine of its own: it knows nothing but how to shuffle and deal, in twenty lines.
SHUFFLER = """
import hashlib, itertools, json, sys

def draws(seed):
    for k in itertools.count():
        digest = hashlib.sha256(f"oracle-shuffle-1:{seed}:{k}".encode()).digest()
        yield from (int.from_bytes(digest[n:n + 4], "big") for n in range(0, 32, 4))

def below(n, words):
    return next(word for word in words if word < 2**32 // n * n) % n

def deal(seed):
    pack = [rank + suit for suit in "CDHS" for rank in "23456789TJQKA"]
    words = draws(seed)
    for i in range(51, 0, -1):
        j = below(i + 1, words)
        pack[i], pack[j] = pack[j], pack[i]
    return {"hands": [" ".join(pack[seat::4]) for seat in range(4)]}

HELLO = {"protocol": 1, "engine": {"name": "shuffler", "version": "1", "language": "Python"},
         "games": {"hearts": {"ops": ["shuffle"], "reports": []}}}
for line in sys.stdin:
    message = json.loads(line)
    if message.get("do") == "bye":
        break
    answer = HELLO if "do" in message else {"seq": message["seq"], "deal": deal(message["seed"])}
    print(json.dumps(answer), flush=True)
"""


class Installed(NamedTuple):
    """An environment with the wheel in it, the wheel itself, and a folder far from both."""

    environment: Path
    wheel: Path
    elsewhere: Path

    def run(self, program: str, *words: str | Path) -> Done:
        """Run a program of the environment from elsewhere, knowing nothing of the checkout."""
        done = subprocess.run(
            [self.environment / "bin" / program, *words],
            cwd=self.elsewhere,
            env={"PATH": os.environ["PATH"], "HOME": str(self.elsewhere), "CI": "true"},
            capture_output=True,
            text=True,
            check=False,
        )
        return Done(done.returncode, done.stdout, done.stderr)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    place = tmp_path_factory.mktemp("wheel")
    build = ["build", "--wheel", "--no-isolation", "--outdir", place / "dist", CHECKOUT]
    _must_run([sys.executable, "-m", *build])
    (wheel,) = (place / "dist").iterdir()
    environment, elsewhere = place / "environment", place / "elsewhere"
    elsewhere.mkdir()
    _must_run([sys.executable, "-m", "venv", "--without-pip", environment])
    install = ["install", "--quiet", "--no-deps", "--no-index", wheel]
    python = environment / "bin/python"
    _must_run([sys.executable, "-m", "pip", "--python", python, *install])
    # What we depend on comes from the environment of the tests: nothing is fetched.
    (packages,) = environment.glob("lib/python*/site-packages")
    (packages / "dependencies.pth").write_text(sysconfig.get_paths()["purelib"] + "\n")
    return Installed(environment, wheel, elsewhere)


def _must_run(command: list[str | Path]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def in_wheel(installed: Installed, folder: str) -> dict[str, bytes]:
    """The files below a folder of the wheel with what is in them."""
    with zipfile.ZipFile(installed.wheel) as wheel:
        return {
            name.removeprefix(folder): wheel.read(name)
            for name in wheel.namelist()
            if name.startswith(folder)
        }


def in_checkout(folder: str, pattern: str) -> dict[str, bytes]:
    """The same of a folder of the checkout."""
    return {
        path.relative_to(CHECKOUT / folder).as_posix(): path.read_bytes()
        for path in (CHECKOUT / folder).rglob(pattern)
    }


@pytest.mark.parametrize("folder", ["schemas", "vectors"])
def test_the_published_files_are_in_the_wheel_byte_for_byte(
    installed: Installed, folder: str
) -> None:
    shipped = in_wheel(installed, f"oracle/_data/{folder}/")
    assert shipped == in_checkout(folder, "*.json")
    assert shipped


def test_the_rulebook_and_every_module_are_in_the_wheel(installed: Installed) -> None:
    shipped = in_wheel(installed, "oracle/")
    modules = in_checkout("oracle", "*.py")
    assert {name: shipped.get(name) for name in modules} == modules
    assert {f"rulebook/{game}.md" for game in GAMES} <= shipped.keys()
    assert "py.typed" in shipped


def test_nothing_else_is_in_the_wheel(installed: Installed) -> None:
    with zipfile.ZipFile(installed.wheel) as wheel:
        names = wheel.namelist()
    tops = {name.partition("/")[0] for name in names}
    assert tops == {"oracle", f"trick_oracle-{__version__}.dist-info"}
    suffixes = {Path(name).suffix for name in names if name.startswith("oracle/")}
    assert suffixes <= {".py", ".md", ".json", ".html", ".typed"}
    assert not [name for name in names if "cache" in name]
    assert f"trick_oracle-{__version__}.dist-info/licenses/LICENSE" in names


def test_the_installed_package_is_the_one_that_runs(installed: Installed) -> None:
    done = installed.run("python", "-c", "import oracle; print(oracle.__file__)")
    assert (done.code, done.err) == (0, "")
    assert Path(done.out.strip()).is_relative_to(installed.environment)
    assert installed.run("oracle", "--version") == (0, f"oracle {__version__}\n", "")


def test_the_rulebook_can_be_read_away_from_the_checkout(installed: Installed) -> None:
    done = installed.run("oracle", "rules", "HEARTS-10")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("HEARTS-10 ")


def test_an_engine_is_checked_away_from_the_checkout(installed: Installed) -> None:
    (installed.elsewhere / "shuffler.py").write_text(SHUFFLER)
    words = ["check", "--game", "hearts", "--case", "hearts/shuffle/*", "--report", "report.json"]
    done = installed.run("oracle", *words, "--", "python3", "shuffler.py")
    assert (done.code, done.err) == (0, "")
    assert " passed" in done.out.splitlines()[-1]
    assert (installed.elsewhere / "report.json").is_file()
    wrong = SHUFFLER.replace("range(51, 0, -1)", "range(51, 1, -1)")
    assert wrong != SHUFFLER
    (installed.elsewhere / "shuffler.py").write_text(wrong)
    done = installed.run("oracle", *words, "--", "python3", "shuffler.py")
    assert done.code == 1
    assert "run it again:" in done.out


def test_shipped_vectors_are_verified_away_from_the_checkout(installed: Installed) -> None:
    # Those of one game that a person wrote: `make verify` takes its time over all of them.
    (shipped,) = installed.environment.glob("lib/python*/site-packages/oracle/_data/vectors")
    some = installed.elsewhere / "some"
    shutil.copytree(shipped / "hearts", some / "hearts", ignore=lambda *_: ["generated"])
    done = installed.run("oracle", "verify", "--write", "--vectors", some)
    assert (done.code, done.err) == (0, ""), done.out[-2000:]
    assert done.out.endswith(" cases verified, 0 problems\n")
    done = installed.run("oracle", "list", "--game", "hearts", "--case", "hearts/first-trick/*")
    assert (done.code, done.err) == (0, "")
    assert "hearts/first-trick/queen-barred  " in done.out


def test_the_shipped_schemas_are_those_of_the_shipped_code(installed: Installed) -> None:
    written = installed.elsewhere / "schemas"
    written.mkdir()
    code = "from pathlib import Path; from oracle.schemas import write; write(Path('schemas'))"
    done = installed.run("python", "-c", code)
    assert (done.code, done.err) == (0, "")
    shipped = in_wheel(installed, "oracle/_data/schemas/")
    assert {path.name: path.read_bytes() for path in written.iterdir()} == shipped
    shutil.rmtree(written)
