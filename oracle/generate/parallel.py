"""The same work in one process or several, its results in the same order."""

from collections.abc import Callable, Iterable, Iterator
from multiprocessing import get_context
from typing import TypeVar

Task = TypeVar("Task")
Done = TypeVar("Done")

_CHUNK = 16


def in_order(work: Callable[[Task], Done], tasks: Iterable[Task], jobs: int) -> Iterator[Done]:
    """``work`` on each task, results in the order of the tasks, in so many processes.

    ``work`` is a function at the top of a module; an iterator that is left early ends the
    processes.
    """
    if jobs <= 1:
        yield from map(work, tasks)
        return
    with get_context("spawn").Pool(jobs) as pool:
        yield from pool.imap(work, tasks, chunksize=_CHUNK)
