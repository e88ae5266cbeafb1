"""What a GitHub Actions job shows of a run beside its log: annotations and the job's summary."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from oracle.conformance.report.foremost import Foremost
from oracle.conformance.report.markdown import MarkdownReport
from oracle.conformance.report.words import (
    about,
    both_answers,
    first_differences,
    is_failure,
    visible,
)
from oracle.conformance.run import Run
from oracle.conformance.verdicts import Result, refusal
from oracle.files import Unreadable

#: GitHub shows no more errors of one step than these.
_MOST = 10


class Annotations:
    """Failures as workflow commands on stdout, which GitHub shows above the log."""

    def __init__(self, say: Callable[[str], None] = print) -> None:
        self._say = say
        self._first = Foremost(_MOST)

    def add(self, result: Result) -> None:
        """Keep a failure, if it is one of the first."""
        if is_failure(result.verdict):
            self._first.add(result)

    def finish(self, run: Run | None, exit_code: int) -> None:
        """Print the annotations, and how many there would be more."""
        shown, _ = self._first.chosen()
        for result in shown:
            title = _property(f"{result.verdict} {result.case.id}")
            self._say(f"::error title={title}::{_data(_told(result))}")
        if more := self._first.more(len(shown)):
            self._say(f"::notice title=oracle check::{_data(more)}")


class StepSummary(MarkdownReport):
    """The ``.md`` report at the end of the file that GitHub shows as the job's summary."""

    def write(self, text: str) -> None:
        """Append the text; raises Unreadable when the file can't be written."""
        try:
            with self.path.open("a", encoding="utf-8", errors="backslashreplace") as file:
                file.write(text + "\n")
        except OSError as error:
            reason = (error.strerror or "can't be written").lower()
            raise Unreadable(f"GITHUB_STEP_SUMMARY {self.path}: {reason}") from None


def reports(
    command: Sequence[str],
    rules: dict[str, dict[str, Any]],
    options: Sequence[str],
    environment: Mapping[str, str],
) -> list[Annotations | StepSummary]:
    """The reports that a GitHub job asks for by its environment; none anywhere else."""
    made: list[Annotations | StepSummary] = []
    if environment.get("GITHUB_ACTIONS") == "true":
        made.append(Annotations())
    if summary := environment.get("GITHUB_STEP_SUMMARY"):
        made.append(StepSummary(Path(summary), command, rules, options))
    return made


def _told(result: Result) -> str:
    lines = [result.case.title]
    if result.message:
        lines.append(visible(result.message))
    for difference in first_differences(result)[:1]:
        lines.append(" at ".join(filter(None, (about(difference), visible(difference.pointer)))))
        clause = refusal(result.case, difference)
        answers = both_answers(result.case.game, difference, clause)
        lines += [f"{label}: {text}" for label, text in answers]
    return "\n".join(lines)


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
