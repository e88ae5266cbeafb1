"""``.tap``: the Test Anything Protocol, version 14."""

from collections.abc import Iterator
from contextlib import closing

from oracle.conformance.report.base import FileReport, Spool
from oracle.conformance.report.words import (
    about,
    both_answers,
    first_differences,
    headline,
    is_failure,
    visible,
)
from oracle.conformance.run import Run
from oracle.conformance.verdicts import (
    EXPECTED_FAILURE,
    NOT_RUN,
    PASS,
    UNSUPPORTED,
    Result,
    refusal,
)
from oracle.files import write_pieces
from oracle.strict_json import dumps

#: What TAP says behind a test whose verdict is neither a pass nor a failure, and its first word.
_DIRECTIVES = {
    UNSUPPORTED: ("ok", "SKIP the engine does not claim it"),
    NOT_RUN: ("ok", "SKIP the run ended before it"),
    EXPECTED_FAILURE: ("not ok", "TODO a failure that was announced"),
}


class TapReport(FileReport):
    """A test point a case, each that failed with a YAML block that says how."""

    def begin(self) -> None:
        """Open the spool of test points."""
        self._points = Spool()
        self._count = 0
        self._failed = False

    def add(self, result: Result) -> None:
        """Take down the result of a case."""
        first_word, directive = _DIRECTIVES.get(
            result.verdict, ("ok" if result.verdict == PASS else "not ok", "")
        )
        self._failed = self._failed or is_failure(result.verdict)
        self._point(first_word, f"{result.case.id}: {result.case.title}", directive)
        if first_word == "not ok":
            self._points.add("".join(f"  {line}\n" for line in self._diagnostics(result)))

    def _point(self, first_word: str, description: str, directive: str = "") -> None:
        self._count += 1
        behind = f" # {directive}" if directive else ""
        self._points.add(f"{first_word} {self._count} - {_described(description)}{behind}\n")

    def _diagnostics(self, result: Result) -> Iterator[str]:
        """A YAML block; a JSON string is a YAML string too."""
        yield "---"
        yield f"verdict: {result.verdict}"
        yield f"clauses: {dumps(list(result.case.clauses))}"
        if result.message:
            yield f"message: {dumps(visible(result.message))}"
        for difference in first_differences(result)[:1]:
            yield f"at: {dumps(visible(difference.pointer))}"
            yield f"about: {dumps(about(difference))}"
            clause = refusal(result.case, difference)
            for label, text in both_answers(result.case.game, difference, clause):
                yield f"{label.replace(' ', '_')}: {dumps(visible(text))}"
        if result.stderr:
            yield f"stderr: {dumps(visible(result.stderr))}"
        yield f"again: {dumps(visible(self.again(result)))}"
        yield "..."

    def finish(self, run: Run | None, exit_code: int) -> None:
        """Write the report; raises Unreadable when the place can't be written."""
        with closing(self._points):
            write_pieces(self.path, self._pieces(run, exit_code))

    def _pieces(self, run: Run | None, exit_code: int) -> Iterator[str]:
        ended_early = run is None or exit_code == 130
        if exit_code and not ended_early and not self._failed:
            # Without this a reader of the file would take the run for a good one.
            self._point("not ok", f"the run: {headline(run, exit_code)}")
        yield "TAP version 14\n"
        yield f"1..{self._count}\n"
        yield from self._points
        if ended_early:
            yield f"Bail out! {headline(run, exit_code)}\n"


def _described(text: str) -> str:
    """A description in which nothing begins a directive."""
    return visible(text).replace("\\", "\\\\").replace("#", "\\#")
