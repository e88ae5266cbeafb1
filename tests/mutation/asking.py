"""A mutant asked the published cases of its game, up to the first that tells it from the reference."""

import gc
import json
import resource
import signal
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from itertools import chain
from pathlib import Path
from time import process_time
from types import CodeType, ModuleType
from typing import Any

from oracle import data
from oracle.conformance.claims import REPORTS
from oracle.conformance.compare import Comparer
from oracle.conformance.verify import GENERATED
from oracle.games import GAMES
from oracle.replay import replay
from oracle.strict_json import dumps
from oracle.vectors.cases import load_file

from .result import BREAKS_DOWN, DIFFERS, NO_END, NOT_LOADED, SURVIVES

Json = dict[str, Any]

#: A case takes a mutant too long beyond so many times what it takes the reference, and so many
#: seconds of processor time more.
PATIENCE, GRACE = 20, 2.0
#: A mutant may use so many bytes; and so many seconds of processor time, should it hang where
#: the timer of a case can't reach it.
MEMORY, LONGEST = 3 << 30, 120


@dataclass(frozen=True)
class Asked:
    """A published case with what the reference answers to it, as text."""

    id: str
    op: str
    partial: bool
    request: Json
    response: Json
    right: str
    seconds: float

    @property
    def game(self) -> str:
        """The game that the id names."""
        return self.id.partition("/")[0]


@cache
def hand_worked(game: str) -> tuple[Asked, ...]:
    """The published cases of a game that a person worked out."""
    return _cases(data.folder("vectors") / game)


@cache
def generated(game: str) -> tuple[Asked, ...]:
    """The published cases of a game that the reference worked out."""
    return _cases(data.folder("vectors") / game / GENERATED)


def _cases(folder: Path) -> tuple[Asked, ...]:
    return tuple(
        _asked(case.id, case.op, case.partial, case.request, case.response)
        for path in sorted(folder.glob("*.json"))
        for case in load_file(path).cases
    )


def _asked(name: str, op: str, partial: bool, request: Json, response: Json) -> Asked:
    before = process_time()
    right = dumps(replay(request))
    return Asked(name, op, partial, request, response, right, process_time() - before)


def load_cases() -> None:
    """Load every case, so that the processes of the mutants find them."""
    for game in GAMES:
        hand_worked(game), generated(game)
    # What is there by now is touched no more, and so is shared.
    gc.freeze()


def reference_fails() -> Iterator[str]:
    """The cases that kill the reference itself, which would make every kill void."""
    for game in GAMES:
        for case in chain(hand_worked(game), generated(game)):
            if _differs(case, replay(case.request)):
                yield case.id


def games_of(file: str) -> tuple[str, ...]:
    """The games that a file of the reference is part of: its own, or all."""
    own = tuple(name for name, game in GAMES.items() if game.__module__.endswith(f".{file[:-3]}"))
    return own or tuple(GAMES)


def cases_for(file: str) -> Iterator[Asked]:
    """The cases to ask a mutant of a file: those worked out by hand, then the generated ones."""
    games = games_of(file)
    yield from chain.from_iterable(map(hand_worked, games))
    yield from chain.from_iterable(map(generated, games))


def is_generated(name: str) -> bool:
    """Whether a case is one that the reference worked out; none is none of these."""
    game = name.partition("/")[0]
    return any(case.id == name for case in (generated(game) if game else ()))


@cache
def _comparer(game: str) -> Comparer:
    return Comparer(game, REPORTS)


def _differs(case: Asked, answer: Any) -> bool:
    """Whether an answer is not what a case expects, all reports compared."""
    comparer = _comparer(case.game)
    return bool(comparer.compare(case.op, case.response, answer, case.partial).differences)


# The mutant as a set of modules.


def _engine_modules() -> list[str]:
    """The modules that a mutant has for itself: the reference, and what leads to it. Everything
    else, the comparison above all, stays with the unchanged reference."""
    return [
        name
        for name in sys.modules
        if name in ("oracle.wire", "oracle.replay") or f"{name}.".startswith("oracle.games.")
    ]


@cache
def snapshot() -> dict[str, tuple[str, str, CodeType]]:
    """The modules of the engine as they are when this is first called: path, text and code."""
    taken = {}
    for name in _engine_modules():
        path = Path(str(sys.modules[name].__file__))
        text = path.read_text(encoding="utf-8")
        taken[name] = (str(path), text, compile(text, str(path), "exec"))
    return taken


class _InMemory(MetaPathFinder, Loader):
    """Imports the modules of an engine out of code in memory."""

    def __init__(self, codes: Mapping[str, CodeType]) -> None:
        self._codes = codes

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if name not in self._codes:
            return None
        return spec_from_loader(name, self, is_package=name == "oracle.games")

    def exec_module(self, module: ModuleType) -> None:
        exec(self._codes[module.__name__], vars(module))


def load_engine(file: str, text: str) -> Callable[[Json], Json]:
    """The reference with another text for one file; raises whatever that breaks down with.

    It takes the place of the reference for all that is imported from now on.
    """
    codes = {name: code for name, (_, _, code) in snapshot().items()}
    name = "oracle.games" if file == "__init__.py" else f"oracle.games.{file[:-3]}"
    codes[name] = compile(text, file, "exec")
    for each in codes:
        sys.modules.pop(each, None)
    sys.meta_path.insert(0, _InMemory(codes))
    engine: Callable[[Json], Json] = import_module("oracle.replay").replay
    return engine


# The asking.


class _TooLong(BaseException):
    """A mutant works on an answer far longer than the reference."""


def _stop(*_: object) -> None:
    raise _TooLong


def ask(file: str, text: str, cases: Sequence[Asked] | None = None) -> tuple[str, str]:
    """What becomes of a mutant, and the case that brings it about, if one does.

    It changes what the process has imported and may use, so it is for a process of its own.
    """
    signal.signal(signal.SIGVTALRM, _stop)
    with suppress(ValueError):  # not every system limits memory
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (LONGEST, LONGEST))
    try:
        signal.setitimer(signal.ITIMER_VIRTUAL, GRACE)
        engine = load_engine(file, text)
    except (Exception, _TooLong):
        return NOT_LOADED, ""
    for case in cases_for(file) if cases is None else cases:
        verdict = _ask_one(engine, case)
        if verdict != SURVIVES:
            return verdict, case.id
    return SURVIVES, ""


def _ask_one(engine: Callable[[Json], Json], case: Asked) -> str:
    try:
        signal.setitimer(signal.ITIMER_VIRTUAL, GRACE + PATIENCE * case.seconds)
        try:
            answer = dumps(engine(case.request))
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    except (_TooLong, MemoryError):
        return NO_END
    except Exception:
        return BREAKS_DOWN
    if answer == case.right or not _differs(case, json.loads(answer)):
        return SURVIVES
    return DIFFERS
