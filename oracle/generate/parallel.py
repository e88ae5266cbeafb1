"""The same work in one process or several, its results in the same order."""

import os
import signal
from collections.abc import Callable, Iterable, Iterator
from multiprocessing import get_context, resource_tracker
from typing import TypeVar

Task = TypeVar("Task")
Done = TypeVar("Done")

_CHUNK = 16
_ENDING = {signal.SIGINT, signal.SIGTERM}


def worth_starting(jobs: int, tasks: int | None = None) -> int:
    """How many of so many processes have something to do: one a core, and one a chunk of tasks if
    it is known how many there are."""
    most = min(jobs, os.cpu_count() or 1)
    return most if tasks is None else min(most, -(-tasks // _CHUNK))


def in_order(work: Callable[[Task], Done], tasks: Iterable[Task], jobs: int) -> Iterator[Done]:
    """``work`` on each task, results in the order of the tasks, in so many processes.

    ``work`` is a function at the top of a module; an iterator that is left early ends the
    processes. A signal that ends the command is for this process, which then ends the others.
    """
    if jobs <= 1:
        yield from map(work, tasks)
        return
    # Starting it unblocks signals, so it comes first.
    resource_tracker.ensure_running()
    # The processes inherit what is blocked here, so that none dies of it with a traceback.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)
    try:
        with get_context("spawn").Pool(jobs, _let_be_ended) as pool:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
            yield from pool.imap(work, tasks, chunksize=_CHUNK)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _let_be_ended() -> None:
    """At the start of a process: from now on the pool may end it, which it does by SIGTERM."""
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
