"""From a bug report to a regression vector: a request kept as a case in a folder of one's own."""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from oracle import __version__, data, schemas, strict_json
from oracle.games.refusals import GENERAL
from oracle.nearest import did_you_mean
from oracle.replay import replay
from oracle.rulebook import entries
from oracle.vectors.cases import Case, VectorFile, load_file, load_folder, save_file
from oracle.vectors.index import build_index, load_index, save_index

Json = dict[str, Any]

#: The name of the recipe in the source of a case that was saved from a request.
BY = "oracle replay"
#: The note of a flag until somebody says what mistake it stands for.
_UNEXPLAINED = "A regression; nobody has explained it yet."
CASE_ID = re.compile(r"(?P<game>[a-z-]+)/(?P<topic>[a-z0-9-]+)/(?P<name>[a-z0-9-]+)")


class NoCase(ValueError):
    """What can't be a case; one line that says what was expected."""


class Saved(NamedTuple):
    """Where a case was saved, and the flags that nobody has explained yet."""

    path: Path
    unexplained: tuple[str, ...]


def save_case(
    folder: Path, name: str, title: str, clauses: Sequence[str], flags: Sequence[str], request: Json
) -> Saved:
    """Add a request with the reference's response as a case to a folder of vectors, and index it.
    A flag of the published suite is explained as it is there. Raises NoCase or Unreadable, with
    nothing written."""
    match = CASE_ID.fullmatch(name)
    if match is None or match["game"] != request.get("game"):
        game = request.get("game", "GAME")
        raise NoCase(
            f"--id {name}: expected {game}/TOPIC/NAME in small letters, digits and hyphens"
        )
    path = folder / match["game"] / "generated" / f"{match['topic']}.json"
    if index := load_index(folder):
        if name in index["cases"]:
            raise NoCase(_taken(name, folder / index["cases"][name]["file"], folder))
        if any(name == each["id"] for each in index["retired"]):
            raise NoCase(f"--id {name}: it was a case's in {folder} once; choose another")
    for clause in clauses:
        if clause not in entries(match["game"]):
            raise NoCase(f"--clause {clause}: {_no_clause(clause, match['game'])}")
    case = Case(
        name,
        title,
        tuple(clauses),
        tuple(flags),
        __version__,
        {"kind": "generated", "by": BY, "seed": name},
        request,
        replay(request),
    )
    vectors = _with(path, folder, case)
    if problems := schemas.problems("vector-file", strict_json.loads(vectors.text())):
        raise NoCase(problems[0])
    save_file(path, folder, vectors)
    retired = index["retired"] if index else []
    save_index(folder, build_index(folder, load_folder(folder), __version__, retired))
    return Saved(path, tuple(flag for flag in flags if vectors.notes[flag] == _UNEXPLAINED))


def _no_clause(name: str, game: str) -> str:
    if name in GENERAL:
        return "a general refusal and no clause; give the clause that the situation is about"
    return f"{game} has no such clause or ruling{did_you_mean(name, entries(game))}"


def _taken(name: str, path: Path, folder: Path) -> str:
    return (
        f"--id {name}: there is a case of that id in {path} already; choose another id, or take "
        f"out that case's line and run oracle verify --write --vectors {folder}"
    )


def _with(path: Path, folder: Path, case: Case) -> VectorFile:
    """The file at this place with a case more."""
    topic = path.stem
    if path.exists():
        vectors = load_file(path)
        if any(other.id == case.id for other in vectors.cases):
            raise NoCase(_taken(case.id, path, folder))
    else:
        vectors = VectorFile(case.game, topic, f"Regressions: {topic}.", (), __version__)
    new = [flag for flag in case.flags if flag not in vectors.notes]
    known = _published_notes(case.game) if new else {}
    return replace(
        vectors,
        suite=__version__,
        cases=(*vectors.cases, case),
        notes={**vectors.notes, **{flag: known.get(flag, _UNEXPLAINED) for flag in new}},
    )


def _published_notes(game: str) -> Json:
    """What each flag of a game stands for in the published suite; only hand-worked cases have any."""
    notes: Json = {}
    for path in sorted((data.folder("vectors") / game).glob("*.json")):
        notes |= load_file(path).notes
    return notes
