"""The command line in tests: run in this process or as a process, and folders of vectors to run on."""

import io
import os
import subprocess
import sys
from collections.abc import Iterable, Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple

from oracle import __version__
from oracle.cli import main
from oracle.replay import replay
from oracle.vectors.cases import Case, VectorFile, load_folder, save_file
from oracle.vectors.index import build_index, save_index

Json = dict[str, Any]

PROGRAM = str(Path(sys.executable).with_name("oracle"))
#: The reference as an engine.
REFERENCE = [PROGRAM, "serve"]
#: An ordinary user that every system has.
NOBODY = 65534


class Done(NamedTuple):
    """A command that has ended: its exit code and what it printed."""

    code: int
    out: str
    err: str


def oracle(*arguments: str | Path, stdin: bytes = b"") -> Done:
    """Run the command line in this process, from ``main`` on."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    before, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8")
    code: Any = None
    try:
        with redirect_stdout(out), redirect_stderr(err):
            main([str(each) for each in arguments])
    except SystemExit as end:
        code = end.code
    finally:
        sys.stdin = before
    for stream in (out, err):
        stream.flush()
    return Done(code, out.buffer.getvalue().decode(), err.buffer.getvalue().decode())


def process(*arguments: str | Path, **how: Any) -> Done:
    """Run the installed command as a process of its own."""
    return _ended([PROGRAM, *map(str, arguments)], **how)


def _ended(command: Sequence[str], **how: Any) -> Done:
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, **how)
    return Done(done.returncode, done.stdout, done.stderr)


# The interpreter and the package may lie where that user can't read, so everything that the
# command imports is imported before the rights are given up.
_AS_NOBODY = f"""
import os, sys
from importlib import import_module
for name in ("jsonschema", "rfc8785", "oracle.cli." + sys.argv[1]):
    import_module(name)
from oracle import cli, rulebook, schemas
from oracle.games import GAMES
for game in GAMES:
    rulebook.entries(game)
schemas.problems("vector-file", None)
os.setgroups([])
os.setgid({NOBODY})
os.setuid({NOBODY})
cli.main()
"""


def as_ordinary_user(*arguments: str | Path, **how: Any) -> Done:
    """Run the command with the rights of an ordinary user, whoever runs the tests."""
    if os.geteuid():
        return process(*arguments, **how)
    return _ended([sys.executable, "-c", _AS_NOBODY, *map(str, arguments)], **how)


# Folders of vectors.

#: Seat 0 holds the clubs, seat 1 the diamonds, seat 2 the hearts, seat 3 the spades.
SUITS = [" ".join(rank + suit for rank in "23456789TJQKA") for suit in "CDHS"]
REQUEST: Json = {
    "op": "replay",
    "game": "hearts",
    "rules": {},
    "start": {"hand": 3},
    "deals": [{"hands": SUITS}],
    "actions": ["0 play 3C", "0 play 2C", "1 play 2D"],
}


def case(name: str, **fields: Any) -> Case:
    """A hand-worked case of hearts in the topic ``opening``, with other fields where given."""
    request = {**REQUEST, **fields.pop("request", {})}
    known = {
        "id": f"hearts/opening/{name}",
        "title": "Only the two of clubs may open.",
        "clauses": ("HEARTS-05",),
        "flags": ("any-card-opens",),
        "since": __version__,
        "source": {"kind": "hand-worked"},
        "request": request,
        "response": replay(request),
    }
    return Case(**{**known, **fields})


def vector_file(*cases: Case, **fields: Any) -> VectorFile:
    """A file of these cases, with other fields where given."""
    known = {
        "game": "hearts",
        "topic": "opening",
        "about": "What opens a hand.",
        "cases": cases,
        "suite": __version__,
        "notes": {"any-card-opens": "Any card may open a hand."},
    }
    return VectorFile(**{**known, **fields})


CASES = (
    case("three-of-clubs"),
    case("king-of-clubs", request={"actions": ["0 play KC", "0 play 2C", "1 play 3D"]}),
)


def write_folder(folder: Path, files: Iterable[tuple[str, VectorFile]] = ()) -> Path:
    """A folder of vectors with an index: these files, or one of two cases; its path."""
    for name, vectors in files or [("hearts/opening.json", vector_file(*CASES))]:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        save_file(folder / name, folder, vectors)
    write_index(folder)
    return folder


def write_index(folder: Path, retired: Iterable[Json] = ()) -> None:
    """Write the index of a folder as it is now."""
    save_index(folder, build_index(folder, load_folder(folder), __version__, list(retired)))
