"""``.xml``: JUnit in the form that pytest calls xunit2, which CI systems read."""

from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from xml.sax.saxutils import escape, quoteattr

from oracle.conformance.report.base import FileReport, Spool
from oracle.conformance.report.text import failure_lines
from oracle.conformance.report.words import headline, visible, visible_lines
from oracle.conformance.run import Run
from oracle.conformance.verdicts import (
    EXPECTED_FAILURE,
    FAIL,
    NOT_RUN,
    PASS,
    UNEXPECTED_PASS,
    UNSUPPORTED,
    Result,
)
from oracle.files import write_pieces

#: What JUnit calls a verdict; every other one is an error.
ELEMENTS = {
    PASS: "",
    FAIL: "failure",
    UNEXPECTED_PASS: "failure",
    NOT_RUN: "skipped",
    UNSUPPORTED: "skipped",
    EXPECTED_FAILURE: "skipped",
}
_WIDTH = 100


class JUnitReport(FileReport):
    """A test suite with a test for each case: the topic is its class, the rest of the id its name."""

    def begin(self) -> None:
        """Open the spool of tests."""
        self._tests = Spool()
        self._counts: Counter[str] = Counter()

    def add(self, result: Result) -> None:
        """Take down the result of a case."""
        topic, _, name = result.case.id.rpartition("/")
        element = ELEMENTS.get(result.verdict, "error")
        said = result.message or result.case.title
        lines = [] if result.verdict == PASS else failure_lines(result, self.again(result), _WIDTH)
        inside = _element(element, result.verdict, said, "\n".join(lines)) if element else ""
        if result.stderr:
            inside += f"<system-err>{_text(result.stderr)}</system-err>"
        self._add_test(topic.replace("/", "."), name, element, inside, result.seconds)

    def _add_test(
        self, topic: str, name: str, element: str, inside: str, seconds: float = 0
    ) -> None:
        self._counts["tests"] += 1
        self._counts[element] += 1
        head = (
            f'<testcase classname={_attribute(topic)} name={_attribute(name)} time="{seconds:.3f}"'
        )
        self._tests.add(f"{head}>{inside}</testcase>\n" if inside else f"{head}/>\n")

    def finish(self, run: Run | None, exit_code: int) -> None:
        """Write the report; raises Unreadable when the place can't be written."""
        if exit_code and not self._counts["failure"] and not self._counts["error"]:
            # Without this a reader of the file would take the run for a good one.
            said = headline(run, exit_code)
            self._add_test("oracle", "run", "error", _element("error", f"exit {exit_code}", said))
        with closing(self._tests):
            write_pieces(self.path, self._pieces(run))

    def _pieces(self, run: Run | None) -> Iterator[str]:
        counts = self._counts
        seconds = run.seconds if run else 0
        yield '<?xml version="1.0" encoding="utf-8"?>\n'
        yield '<testsuites name="oracle check">\n'
        yield (
            f'<testsuite name="oracle check" tests="{counts["tests"]}" '
            f'failures="{counts["failure"]}" errors="{counts["error"]}" '
            f'skipped="{counts["skipped"]}" time="{seconds:.3f}" '
            f'timestamp="{self.began.isoformat(timespec="seconds")}">\n'
        )
        yield from self._tests
        yield "</testsuite>\n</testsuites>\n"


def _element(name: str, kind: str, message: str, text: str = "") -> str:
    head = f"<{name} type={_attribute(kind)} message={_attribute(message)}"
    return f"{head}>{_text(text)}</{name}>" if text else f"{head}/>"


def _attribute(text: str) -> str:
    return quoteattr(visible(text))


def _text(text: str) -> str:
    """A text as XML can hold it: what no XML may contain stands as an escape."""
    return escape("\n".join(visible_lines(text)))
