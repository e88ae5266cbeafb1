"""Our own vectors held against the reference: schemas, index, hashes, every response again."""

from collections.abc import Callable, Iterator
from pathlib import Path

from oracle import __version__
from oracle.conformance.claims import REPORTS
from oracle.conformance.compare import Comparer
from oracle.files import Unreadable, read_bytes
from oracle.replay import replay
from oracle.rulebook import entries
from oracle.strict_json import dumps
from oracle.vectors.cases import Case, VectorFile, load_file, paths
from oracle.vectors.index import build_index, index_text, load_index

#: The folder, in each game's, of the sets that are written by a command and never edited.
GENERATED = "generated"


def verify(folder: Path, told: Callable[[int], None] = lambda done: None) -> Iterator[str]:
    """Everything that is wrong with a folder of vectors, a line each; ``told`` hears how many
    cases have been looked at."""
    files: list[tuple[Path, VectorFile]] = []
    seen: dict[str, str] = {}
    done = 0
    for path in paths(folder):
        try:
            vectors = load_file(path)
        except Unreadable as error:
            yield str(error)
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
    if set(vectors.notes) != {flag for case in vectors.cases for flag in case.flags}:
        unlike = set(vectors.notes) ^ {flag for case in vectors.cases for flag in case.flags}
        yield f"notes and flags differ: {', '.join(sorted(unlike))}"
    if any(case.hand_worked == generated for case in vectors.cases):
        yield "hand-worked cases and generated ones lie apart"
    if read_bytes(path) != vectors.text(len(place.parts) - 1).encode():
        yield "not written as it should be: one case a line (oracle verify --write mends it)"


def case_problems(case: Case, vectors: VectorFile) -> Iterator[str]:
    """Everything that is wrong with one case, beside what its schema sees."""
    if not case.id.startswith(f"{vectors.game}/{vectors.topic}/"):
        yield f"an id here begins with {vectors.game}/{vectors.topic}/"
    for clause in case.clauses:
        if clause not in entries(vectors.game):
            yield f"the rulebook has no {clause}"
    response = replay(case.request)
    if case.hand_worked:
        comparer = Comparer(case.game, REPORTS)
        found = comparer.compare(case.op, case.response, response, case.partial)
        for difference in found.differences[:1]:
            expected, actual = dumps_any(difference.expected), dumps_any(difference.actual)
            yield f"at {difference.pointer or '/'} it says {expected}, the reference {actual}"
        if found.unknown_fields and not case.partial:
            yield "the reference says more than the case"
    elif dumps(response) != dumps(case.response):
        yield "the reference gives another response"


def dumps_any(value: object) -> str:
    """A value on one line, or what stands for nothing."""
    try:
        return dumps(value)
    except TypeError:
        return repr(value)


def _index_problems(folder: Path, files: list[tuple[Path, VectorFile]]) -> Iterator[str]:
    ids = [case.id for _, vectors in files for case in vectors.cases]
    if len(ids) != len(set(ids)):
        twice = sorted({name for name in ids if ids.count(name) > 1})
        yield f"ids that come twice: {', '.join(twice)}"
    try:
        index = load_index(folder)
    except Unreadable as error:
        yield str(error)
        return
    retired = index["retired"] if index else []
    for name in [each["id"] for each in retired if each["id"] in ids]:
        yield f"{name}: a retired id is used again"
    if index is None or index_text(index) != index_text(
        build_index(folder, files, __version__, retired)
    ):
        yield f"{folder / 'index.json'}: not the index of these files (oracle verify --write makes it)"
