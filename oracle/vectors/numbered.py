"""The cases of a folder of vectors by number, without reading more of it than is wanted."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from oracle.vectors.cases import Case, load_file, paths
from oracle.vectors.index import load_index

#: Chooses a case by its id and its clauses.
Wants = Callable[[str, Sequence[str]], bool]


def numbered_cases(
    folder: Path,
    wants: Wants,
    passed_over: Callable[[str, Sequence[str]], None] = lambda name, clauses: None,
) -> Iterator[tuple[int, Case]]:
    """The cases in the order of their files, numbered from 1.

    A file in which nothing is wanted, as the index has it, is not read; ``passed_over`` hears
    of its cases, id and clauses, and they keep their numbers. Raises Unreadable.
    """
    rows: dict[str, list[tuple[str, Sequence[str]]]] = {}
    index = load_index(folder)
    for name, row in index["cases"].items() if index else ():
        rows.setdefault(row["file"], []).append((name, row["clauses"]))
    number = 0
    for path in paths(folder):
        known = rows.get(path.relative_to(folder).as_posix(), [])
        if known and not any(wants(name, clauses) for name, clauses in known):
            for name, clauses in known:
                passed_over(name, clauses)
            number += len(known)
            continue
        for case in load_file(path).cases:
            number += 1
            yield number, case
