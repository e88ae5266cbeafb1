"""An engine without a pipe: requests written to a file, and answers read from one.

Requests go out a line each (``oracle export``), numbered by ``seq``; answers come back a line
each in any order, and each tells its ``seq`` (``oracle check --responses``). A case has its
number from the whole suite, so that answers fit whatever selection they are checked under.

The first line of the answers may be what the engine would answer to ``hello``. It is then held
to what it claims. Without it, nothing is claimed and all cases are asked: a report that any of
the answers makes is expected in all of them, and an answer may be ``unsupported``.

A missing answer leaves its case ``not-run``, and the run is not as expected. Two answers with
one ``seq`` are a ``protocol-error``. Blank lines mean nothing.
"""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from oracle import strict_json
from oracle.conformance.claims import Claims, GameClaim, full_claims, read_claims
from oracle.conformance.engine import ProtocolError, Trouble, read_answer
from oracle.conformance.verdicts import NOT_RUN
from oracle.files import Unreadable
from oracle.games import GAMES
from oracle.vectors.cases import Case

Json = dict[str, Any]


class NoAnswer(Trouble):
    """There is no answer to this request."""

    verdict = NOT_RUN


def request_lines(cases: Iterable[tuple[int, Case]]) -> Iterator[str]:
    """The requests of numbered cases, a line each with its line end."""
    for seq, case in cases:
        line = strict_json.dumps({**case.request, "seq": seq})
        # A lone surrogate, which UTF-8 can't hold, becomes an escape of JSON.
        yield line.encode("utf-8", "backslashreplace").decode() + "\n"


class Responses:
    """The answers in a file, as an engine; ``following`` tells it which case is asked."""

    def __init__(self, path: Path) -> None:
        """Read where the answers are; raises Unreadable."""
        self._path = path
        self._hello: Json | None = None
        #: Where the answer to each seq begins, in bytes.
        self._places: dict[int, int] = {}
        self._twice: set[int] = set()
        self._reports: set[str] = set()
        self._seq = 0
        self._asked = 0
        try:
            # Stays open until close: answers are read when they are asked for.
            self._file = path.open("rb")
        except OSError as error:
            raise _unreadable(path, error) from None
        try:
            self._index()
        except OSError as error:
            self.close()
            raise _unreadable(path, error) from None
        except Unreadable:
            self.close()
            raise

    def _index(self) -> None:
        place = 0
        for number, line in enumerate(self._file, 1):
            if line.strip():
                self._note(number, place, line)
            place += len(line)

    def _note(self, number: int, place: int, line: bytes) -> None:
        try:
            # Not strictly: what is wrong with an answer is for the verdict on its case.
            value = json.loads(line)
        except (ValueError, RecursionError):
            raise Unreadable(f"{self._path}, line {number}: not JSON") from None
        if not isinstance(value, dict):
            raise Unreadable(f"{self._path}, line {number}: an answer is a JSON object")
        if "protocol" in value and not self._places:
            self._hello = value
            return
        seq = value.get("seq")
        if type(seq) is not int:
            raise Unreadable(f"{self._path}, line {number}: an answer has a seq, a number")
        if seq in self._places:
            self._twice.add(seq)
        self._places[seq] = place
        self._reports.update(_reports_in(value))

    def hello(self) -> Claims:
        """What the engine claims, in words or by what its answers hold; raises NoHandshake."""
        if self._hello is not None:
            return read_claims(self._hello)
        engine = {"name": self._path.name, "version": "unknown", "language": "unknown"}
        reports = frozenset(self._reports)
        return Claims(
            engine,
            {
                game: GameClaim(
                    frozenset(claim["ops"]),
                    reports,
                    dict.fromkeys(claim["options"], "any"),
                    frozenset(claim["start"]),
                )
                for game, claim in full_claims(GAMES).items()
            },
            stated=False,
        )

    def following(self, cases: Iterable[tuple[int, Case]]) -> Iterator[Case]:
        """The cases one by one; each must be asked before the next one is taken."""
        for self._seq, case in cases:
            yield case

    def ask(self, request: Json) -> Json:
        """The answer to the case that was taken last; raises Trouble."""
        if self._seq not in self._places:
            raise NoAnswer(f"there is no answer with seq {self._seq}")
        self._asked += 1
        if self._seq in self._twice:
            raise ProtocolError(f"there are several answers with seq {self._seq}")
        self._file.seek(self._places[self._seq])
        answer = read_answer(self._file.readline().rstrip(b"\r\n"))
        del answer["seq"]
        return answer

    def stderr(self) -> str:
        """A file says nothing beside its answers."""
        return ""

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    @property
    def surplus(self) -> int:
        """How many answers nothing was asked for."""
        return len(self._places) - self._asked


def _unreadable(path: Path, error: OSError) -> Unreadable:
    reason = error.strerror or "can't be read"
    return Unreadable(f"{path}: {reason.lower()}")


_IN_STATES = ("ok", "clause", "legal", "contract", "trick", "hand", "match", "error")


def _reports_in(answer: Json) -> Iterator[str]:
    """The reports that an answer makes."""
    states = answer.get("states", [])
    for state in [*states, answer] if isinstance(states, list) else [answer]:
        if isinstance(state, dict):
            # In a view, the hand is what a seat holds.
            yield from (
                name
                for name in _IN_STATES
                if name in state and not (name == "hand" and isinstance(state[name], str))
            )
            for name, detail in (("trick", "combinations"), ("hand", "breakdown")):
                if isinstance(state.get(name), dict) and detail in state[name]:
                    yield detail
