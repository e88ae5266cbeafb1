"""Our own vectors held against the reference: schemas, index, hashes, every response again."""

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

from oracle import __version__
from oracle.conformance.claims import REPORTS
from oracle.conformance.compare import ABSENT, Comparer
from oracle.files import Unreadable, read_bytes
from oracle.generate.recipes import Recipe, candidate, case_of, published
from oracle.replay import replay
from oracle.rulebook import entries
from oracle.strict_json import dumps, shorten
from oracle.vectors.cases import INDEX, Case, Json, VectorFile, file_text, load_file, paths
from oracle.vectors.index import build_index, index_text, load_index

#: The folder, in each game's, of the sets that are written by a command and never edited.
GENERATED = "generated"


def verify(folder: Path, told: Callable[[int], None] = lambda done: None) -> Iterator[str]:
    """Everything that is wrong with a folder of vectors, a line each; ``told`` hears how many
    cases have been looked at."""
    files: list[tuple[Path, VectorFile]] = []
    seen: dict[str, str] = {}
    done = 0
    whole = True
    for path in paths(folder):
        try:
            vectors = load_file(path)
        except Unreadable as error:
            yield str(error)
            whole = False
            continue
        files.append((path, vectors))
        yield from (f"{path}: {problem}" for problem in _file_problems(folder, path, vectors))
        for case in vectors.cases:
            yield from (f"{case.id}: {problem}" for problem in case_problems(case, vectors))
            request = dumps(case.request)
            if request in seen:
                yield f"{case.id}: the same request as {seen[request]}"
            seen[request] = case.id
            done += 1
            told(done)
    if whole:
        yield from _index_problems(folder, files)


def _file_problems(folder: Path, path: Path, vectors: VectorFile) -> Iterator[str]:
    place = path.relative_to(folder)
    generated = len(place.parts) == 3 and place.parts[1] == GENERATED
    if place.parts[0] != vectors.game or not (generated or len(place.parts) == 2):
        yield f"a file of {vectors.game} lies in {vectors.game}/ or {vectors.game}/{GENERATED}/"
    if place.stem != vectors.topic:
        yield f"the topic is {vectors.topic}, and the file is called {place.name}"
    if vectors.suite != __version__:
        yield f"suite {vectors.suite}, and this is {__version__}"
    flags = {flag for case in vectors.cases for flag in case.flags}
    if unexplained := flags - vectors.notes.keys():
        yield f"flags without a note: {', '.join(sorted(unexplained))}"
    if unused := vectors.notes.keys() - flags:
        yield f"notes on flags that no case has: {', '.join(sorted(unused))}"
    if any(case.hand_worked == generated for case in vectors.cases):
        yield "hand-worked cases and generated ones lie apart"
    if read_bytes(path) != file_text(path, folder, vectors).encode():
        yield "not written as it should be: one case a line (oracle verify --write mends it)"


def case_problems(case: Case, vectors: VectorFile) -> Iterator[str]:
    """Everything that is wrong with one case, beside what its schema sees."""
    if not case.id.startswith(f"{vectors.game}/{vectors.topic}/"):
        yield f"an id here begins with {vectors.game}/{vectors.topic}/"
    for clause in case.clauses:
        if clause not in entries(vectors.game):
            yield f"the rulebook has no {clause}"
    if _version(case.since) > _version(vectors.suite):
        yield f"since {case.since}, and the suite is {vectors.suite}"
    if case.op == "error" and case.partial:
        yield "an error has no parts, so the case can't be partial"
    if not _states_something(case.response):
        yield "the response states nothing"
    yield from _response_problems(case)
    if not case.hand_worked and (recipe := _recipes(case.game).get(case.source["by"])):
        yield from _seed_problems(case, recipe)


def _version(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split(".")))


#: Objects that are compared whole, so that an empty one says something too.
_WHOLE = {"legal", "known", "unknown"}


def _states_something(stated: Json) -> bool:
    """Whether a response, or a part of one, holds anything that a partial case compares."""
    match stated:
        case dict():
            return any(name in _WHOLE or _states_something(each) for name, each in stated.items())
        case [dict(), *_]:
            return any(map(_states_something, stated))
    return True


def _response_problems(case: Case) -> Iterator[str]:
    response = replay(case.request)
    if dumps(response) == dumps(case.response):
        return
    found = Comparer(case.game, REPORTS).compare(case.op, case.response, response, case.partial)
    for difference in found.differences[:1]:
        expected, actual = _shown(difference.expected), _shown(difference.actual)
        place = difference.pointer or "the response"
        yield f"at {place} it says {expected}, and the reference {actual}"
    if not found.differences and not case.hand_worked:
        yield "the response is the reference's, but not written as it writes it"


def _shown(value: object) -> str:
    return "nothing" if value is ABSENT else shorten(dumps(value), 200)


@cache
def _recipes(game: str) -> dict[str, Recipe]:
    """The recipes of the published sets by the name that a case's source gives."""
    return {recipe.by: recipe for recipe in published(game)}


def _seed_problems(case: Case, recipe: Recipe) -> Iterator[str]:
    """Whether a case of a published set is what its seed gives; other seeds are other sets."""
    seed, _, number = case.source["seed"].rpartition(":")
    if seed != recipe.seed:
        return
    name = case.id.rpartition("/")[2]
    again = "(oracle generate --published writes the set again)"
    if candidate(recipe, number) != case.request:
        yield f"its seed gives another request {again}"
    elif case_of(recipe, name, number, case.request, case.response).as_json() != case.as_json():
        yield f"its seed gives the same request with another title or other clauses {again}"


def _index_problems(folder: Path, files: list[tuple[Path, VectorFile]]) -> Iterator[str]:
    """What is wrong with the index, and with ids from file to file."""
    ids = [case.id for _, vectors in files for case in vectors.cases]
    if len(ids) != len(set(ids)):
        twice = sorted({name for name in ids if ids.count(name) > 1})
        yield f"ids that come twice: {', '.join(twice)}"
    try:
        index = load_index(folder)
    except Unreadable as error:
        yield str(error)
        return
    if index is None:
        yield f"{folder / INDEX}: there is no index (oracle verify --write makes it)"
        return
    retired = {each["id"] for each in index["retired"]}
    yield from (f"{name}: a retired id is used again" for name in ids if name in retired)
    expected = build_index(folder, files, __version__, index["retired"])
    if read_bytes(folder / INDEX) != index_text(expected).encode():
        stale = _stale(index["cases"], expected["cases"])
        yield f"{folder / INDEX}: {stale} (oracle verify --write makes it anew)"


def _stale(index: dict[str, Json], cases: dict[str, Json]) -> str:
    """How an index differs from the one of these cases: the first thing that it has wrong."""
    for name in sorted(index.keys() | cases.keys()):
        if name not in index:
            return f"{name} is missing"
        if name not in cases:
            return f"{name} is in no file"
        for field, value in cases[name].items():
            if index[name][field] != value:
                return f"{name} is not as it was ({field})"
    return "not written as it should be"
