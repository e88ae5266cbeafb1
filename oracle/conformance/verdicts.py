"""What a case can come to in a run."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from oracle.conformance.compare import Difference
from oracle.replay import replay
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


@dataclass(frozen=True)
class Result:
    """The verdict on one case, and what led to it."""

    case: Case
    verdict: str
    seconds: float = 0.0
    differences: Sequence[Difference] = ()
    message: str = ""
    stderr: str = ""
    unknown_fields: int = 0
    #: A wrong answer, and the reports that it was held to.
    answer: Json | None = None
    reports: frozenset[str] = frozenset()

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
