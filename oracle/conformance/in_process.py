"""An engine that is a function in this process, held against the vectors."""

import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from oracle import __version__, data, strict_json
from oracle.conformance.claims import PROTOCOL, Claims, full_claims, read_claims
from oracle.conformance.engine import ProtocolError, read_answer
from oracle.conformance.house_rules import ASTRAY, chosen_cases
from oracle.conformance.report.text import failure_lines
from oracle.conformance.run import REPEATS, Run
from oracle.conformance.verdicts import Result
from oracle.games import GAMES
from oracle.vectors.numbered import numbered_cases

Json = dict[str, Any]
#: Gives the response to a request; both as ``json`` reads and writes them.
Function = Callable[[Json], Json]

#: A text about a check tells so many failures in full.
_TOLD = 3


@dataclass
class Checked:
    """What came of holding an engine against the vectors."""

    results: list[Result] = field(default_factory=list)
    #: How many cases came to each verdict.
    verdicts: Counter[str] = field(default_factory=Counter)
    #: Why cases were not asked, and how many.
    not_asked: Counter[str] = field(default_factory=Counter)
    #: What went wrong beside the cases, a line each.
    faults: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether at least one case was executed, and all passed."""
        return bool(self.verdicts["pass"]) and not self.failures and not self.faults

    @property
    def failures(self) -> list[Result]:
        """The results of the cases that did not pass."""
        return [result for result in self.results if result.verdict != "pass"]

    def __str__(self) -> str:
        """What came of it in a few lines, as a message of an assertion: the counts, why cases
        were not asked, and the first failures in full."""
        counts = [f"{count} {verdict}" for verdict, count in self.verdicts.most_common()]
        lines = [", ".join(counts) or "no case was asked", *self.faults]
        for why, count in self.not_asked.most_common():
            lines.append(f"not checked: {count} case{'' if count == 1 else 's'}, {why}")
        for result in self.failures[:_TOLD]:
            case = result.case.id
            lines += ["", *failure_lines(result, f"oracle.check(…, cases={case!r})")]
        if len(self.failures) > _TOLD:
            lines += ["", f"and {len(self.failures) - _TOLD} more in failures"]
        return "\n".join(lines)


class InProcess:
    """A function as an engine."""

    def __init__(self, function: Function, games: Json) -> None:
        """``games`` are its claims, as in an answer to ``hello``."""
        self._function = function
        self._games = games

    def hello(self) -> Claims:
        """What the function claims; raises NoHandshake."""
        name = getattr(self._function, "__qualname__", type(self._function).__name__)
        engine = {"name": name, "version": __version__, "language": "Python"}
        return read_claims({"protocol": PROTOCOL, "engine": engine, "games": self._games})

    def ask(self, request: Json) -> Json:
        """The function's response, as it would come through a pipe: what it raises is a failure
        of its own. Raises ProtocolError when it returns what is no answer."""
        try:
            # A copy: a function may do with its request what it likes.
            answer = self._function(strict_json.loads(strict_json.dumps(request)))
        except (Exception, SystemExit) as error:
            return {"failed": traceback.format_exception_only(error)[-1].strip()}
        try:
            line = strict_json.dumps(answer)
        except (TypeError, ValueError, RecursionError) as error:
            raise ProtocolError(f"its answer can't be written as JSON: {error}") from None
        return read_answer(line.encode("utf-8", "backslashreplace"))

    def stderr(self) -> str:
        """A function has no stderr of its own."""
        return ""

    def close(self) -> None:
        """Nothing has to be ended."""


def check(
    engine: Function,
    *,
    games: str | Iterable[str] = tuple(GAMES),
    cases: str | Iterable[str] = "*",
    claims: Json | None = None,
    vectors: Path | None = None,
) -> Checked:
    """Hold an engine, a function from a request to a response, against the vectors.

    ``games`` and ``cases`` (ids, ``*`` stands for anything) choose what is asked. ``claims``
    says by game what the engine plays and reports, as ``games`` in an answer to ``hello``
    (docs/protocol.md); without it, everything is asked and compared. A game that the claims
    never play canonically is held to the house rules that they do play, with hands played for
    them, as ``oracle check`` does. ``vectors`` is a folder to use instead of the published one;
    nothing is played beside it. What the function raises is an ``engine-error``.

    >>> import oracle
    >>> oracle.check(oracle.replay, cases="hearts/following/*").ok
    True
    >>> def permits_everything(request):
    ...     return {"states": [{}] + [{"ok": True}] * len(request["actions"])}
    >>> claims = {"hearts": {"ops": ["replay"], "reports": ["ok"], "start": ["hand"]}}
    >>> checked = oracle.check(permits_everything, cases="hearts/following/*", claims=claims)
    >>> checked.ok
    False
    >>> checked.failures[0].differences[0].expected
    False
    >>> print(checked)  # doctest: +ELLIPSIS
    15 fail
    ...

    Raises NoHandshake if the claims are none, ValueError for a game that there is not, and
    Unreadable if the vectors can't be read.
    """
    wanted = _names(games)
    for name in wanted:
        if name not in GAMES:
            raise ValueError(f"no game {name}; the games are {', '.join(GAMES)}")
    patterns = _names(cases)
    held = InProcess(engine, full_claims(GAMES) if claims is None else claims)
    stated = held.hello()
    run = Run(held, stated, repeats=REPEATS)

    def wants(name: str, clauses: Sequence[str]) -> bool:
        if name.partition("/")[0] not in wanted:
            return False
        return any(fnmatchcase(name, pattern) for pattern in patterns)

    published = numbered_cases(vectors or data.folder("vectors"), wants)
    chosen = chosen_cases(
        published,
        stated.house_rules(wanted),
        wants,
        others=True,
        astray=lambda _: run.not_asked.update([ASTRAY]),
        claims=stated,
        fresh=vectors is None,
    )
    results = run.results(case for _, case in chosen)
    return Checked(list(results), run.verdicts, run.not_asked, run.faults)


def _names(given: str | Iterable[str]) -> tuple[str, ...]:
    """One name or several, as a tuple."""
    return (given,) if isinstance(given, str) else tuple(given)
