"""From a bug report to a regression vector: a request kept as a case in a folder of one's own."""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from oracle import __version__, schemas, strict_json
from oracle.replay import replay
from oracle.vectors.cases import Case, VectorFile, load_file, load_folder, save_file
from oracle.vectors.index import build_index, load_index, save_index

Json = dict[str, Any]

#: The name of the recipe in the source of a case that was saved from a request.
BY = "oracle replay"
_ID = re.compile(r"(?P<game>[a-z-]+)/(?P<topic>[a-z0-9-]+)/(?P<name>[a-z0-9-]+)")


class NoCase(ValueError):
    """What can't be a case; one line that says what was expected."""


def save_case(
    folder: Path, name: str, title: str, clauses: Sequence[str], flags: Sequence[str], request: Json
) -> Path:
    """Add a request with the reference's response as a case to a folder of vectors, and index it;
    the file that it is in. Raises NoCase or Unreadable, with nothing written."""
    match = _ID.fullmatch(name)
    if match is None or match["game"] != request.get("game"):
        game = request.get("game", "GAME")
        raise NoCase(
            f"--id {name}: expected {game}/TOPIC/NAME in small letters, digits and hyphens"
        )
    if index := load_index(folder):
        taken = {*index["cases"], *(each["id"] for each in index["retired"])}
        if name in taken:
            raise NoCase(f"--id {name}: there is a case of that id in {folder} already")
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
    path = folder / match["game"] / "generated" / f"{match['topic']}.json"
    vectors = _with(path, match["game"], match["topic"], case)
    if problems := schemas.problems("vector-file", strict_json.loads(vectors.text())):
        raise NoCase(problems[0])
    save_file(path, folder, vectors)
    retired = index["retired"] if index else []
    save_index(folder, build_index(folder, load_folder(folder), __version__, retired))
    return path


def _with(path: Path, game: str, topic: str, case: Case) -> VectorFile:
    if path.exists():
        vectors = load_file(path)
        if any(other.id == case.id for other in vectors.cases):
            raise NoCase(f"--id {case.id}: there is a case of that id in {path} already")
    else:
        vectors = VectorFile(game, topic, f"Regressions: {topic}.", (), __version__)
    notes = {flag: f"Regression: {flag}." for flag in case.flags if flag not in vectors.notes}
    return replace(
        vectors,
        suite=__version__,
        cases=(*vectors.cases, case),
        notes={**vectors.notes, **notes},
    )
