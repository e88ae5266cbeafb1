"""Mutants asked in processes of their own, a few at a time."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkProcess
from signal import SIG_IGN, SIGINT, signal
from time import monotonic

from . import asking, places
from .changes import Change
from .result import NO_END


@dataclass(frozen=True)
class Outcome:
    """What became of a mutant, and the case that killed it."""

    was: str
    now: str
    verdict: str
    case: str


class OutOfTime(Exception):
    """The run took longer than its budget."""


@dataclass
class _Running:
    change: Change
    process: ForkProcess
    answer: "Connection[Outcome, Outcome]"


def run(
    changes: Sequence[Change],
    jobs: int,
    budget: float,
    told: Callable[[int], None] = lambda done: None,
) -> dict[Change, Outcome]:
    """What becomes of each change; ``told`` hears how many are done.

    Raises OutOfTime after so many seconds. Nothing is written anywhere, and however it ends no
    process is left behind.
    """
    sources = {name.rpartition(".")[2]: text for name, (_, text, _) in asking.snapshot().items()}
    for source in sources.values():
        places.tree_of(source)
    end = monotonic() + budget
    waiting = list(reversed(changes))
    running: list[_Running] = []
    found: dict[Change, Outcome] = {}
    try:
        while waiting or running:
            while waiting and len(running) < jobs:
                change = waiting.pop()
                running.append(_start(change, sources[change.place.file[:-3]]))
            if monotonic() > end:
                raise OutOfTime
            for one, outcome in _done(running):
                running.remove(one)
                found[one.change] = outcome
                told(len(found))
    finally:
        for one in running:
            one.process.kill()
            one.process.join()
    return found


def _start(change: Change, source: str) -> _Running:
    # Forked, so that the cases are loaded once.
    context = get_context("fork")
    answer, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_ask, args=(change, source, theirs))
    process.start()
    theirs.close()
    return _Running(change, process, answer)


def _ask(change: Change, source: str, answer: "Connection[Outcome, Outcome]") -> None:
    # Ctrl-C is for the one that started this.
    signal(SIGINT, SIG_IGN)
    text = places.mutated(source, change)
    was, now = places.was_and_now(source, text, change.line)
    # Should it die, this is what is known of it.
    answer.send(Outcome(was, now, NO_END, ""))
    answer.send(Outcome(was, now, *asking.ask(change.place.file, text)))


def _done(running: Sequence[_Running]) -> Iterator[tuple[_Running, Outcome]]:
    """Those that have ended since, after a while at most."""
    ended = wait([one.process.sentinel for one in running], timeout=1)
    for one in [each for each in running if each.process.sentinel in ended]:
        one.process.join()
        yield one, _last(one)


def _last(one: _Running) -> Outcome:
    outcome = None
    with suppress(EOFError):
        while True:
            outcome = one.answer.recv()
    if outcome is None:
        raise RuntimeError(f"{one.change.place}: not changed (exit {one.process.exitcode})")
    return outcome
