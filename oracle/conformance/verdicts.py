"""What a case can come to in a run."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from oracle.conformance.compare import ABSENT, Difference
from oracle.replay import replay
from oracle.strict_json import dumps, shorten
from oracle.vectors.cases import Case

Json = dict[str, Any]

PASS = "pass"
FAIL = "fail"
CRASH = "crash"
TIMEOUT = "timeout"
PROTOCOL_ERROR = "protocol-error"
ENGINE_ERROR = "engine-error"
UNSUPPORTED = "unsupported"
EXPECTED_FAILURE = "expected-failure"
UNEXPECTED_PASS = "unexpected-pass"
NOT_RUN = "not-run"

VERDICTS = (
    PASS,
    FAIL,
    CRASH,
    TIMEOUT,
    PROTOCOL_ERROR,
    ENGINE_ERROR,
    UNSUPPORTED,
    EXPECTED_FAILURE,
    UNEXPECTED_PASS,
    NOT_RUN,
)
#: The verdicts with which a run is all as expected. A case is only ``unsupported`` where the
#: engine has claimed nothing: a claimed feature answered so is a ``fail``.
GOOD = (PASS, EXPECTED_FAILURE, UNSUPPORTED)
#: The verdicts that cost the engine its process.
DEATHS = (CRASH, TIMEOUT, PROTOCOL_ERROR)


#: As much as is kept of one wrong value, of a key, and of an engine's message, in characters; and
#: as many differences of an answer.
_VALUE, _KEY, _MESSAGE, _DIFFERENCES = 1 << 16, 1000, 4000, 1000
#: A wrong answer that takes more characters is not kept, so nothing is compared with it later.
_ANSWER = 1 << 18
#: As much of a value, or of a message, as a line about a result has.
_SAID = 200


def kept_differences(differences: Sequence[Difference]) -> list[Difference]:
    """The first differences, as a result keeps them: of a value of more than 64 kB, as only an
    absurd one or a list of all choices one by one has, the beginning stays, as a string that ends
    with its size."""
    return [
        replace(
            each,
            path=tuple(
                shorten(part, _KEY) if isinstance(part, str) else part for part in each.path
            ),
            actual=_kept(each.actual),
        )
        for each in differences[:_DIFFERENCES]
    ]


def _kept(value: Any) -> Any:
    if value is ABSENT or not isinstance(value, str | list | dict):
        return value
    text = dumps(value)
    if len(text) <= _VALUE:
        return value
    return f"{text[:_KEY]} … {len(text) / 1e6:.1f} MB in all"


def kept_answer(answer: Json) -> Json | None:
    """A wrong answer as a result keeps it: None where it is too long."""
    return answer if len(dumps(answer)) <= _ANSWER else None


def kept_message(message: str) -> str:
    """As much of an engine's own words as a result keeps."""
    return shorten(message, _MESSAGE)


@dataclass(frozen=True, repr=False)
class Result:
    """The verdict on one case, and what led to it; ``str`` says it in a line."""

    case: Case
    verdict: str
    seconds: float = 0.0
    differences: Sequence[Difference] = ()
    message: str = ""
    stderr: str = ""
    unknown_fields: int = 0
    #: A wrong answer, unless it is too long to be kept, and the reports that it was held to.
    answer: Json | None = None
    reports: frozenset[str] = frozenset()

    def __str__(self) -> str:
        told = f"{self.verdict} {self.case.id}"
        if self.message:
            told += f": {shorten(self.message, _SAID)}"
        elif self.differences:
            first = self.differences[0]
            expected, actual = (
                repr(each) if each is ABSENT else shorten(dumps(each), _SAID)
                for each in (first.expected, first.actual)
            )
            told += f": expected {expected} at {first.pointer or 'the response'}, and got {actual}"
        # An engine's words may hold anything.
        return told if told.isprintable() else ascii(told)[1:-1]

    def __repr__(self) -> str:
        return f"<{self}>"

    @property
    def failed(self) -> bool:
        """Whether the engine did not do what it should; a case not run says nothing of that."""
        return self.verdict not in (PASS, EXPECTED_FAILURE, UNEXPECTED_PASS, UNSUPPORTED, NOT_RUN)

    @property
    def missed(self) -> str | None:
        """The clause by which the engine should have refused at the first difference."""
        return refusal(self.case, self.differences[0]) if self.differences else None


def refusal(case: Case, difference: Difference) -> str | None:
    """The clause behind a refusal that was expected at a difference, in a response to replay;
    None where none was expected. A partial case need not state it."""
    if difference.state is None or difference.path[2:] not in (("ok",), ("clause",)):
        return None
    state = case.response["states"][difference.state]
    if state.get("ok") is not False:
        return None
    if "clause" not in state:
        state = replay(case.request)["states"][difference.state]
    return str(state["clause"])
