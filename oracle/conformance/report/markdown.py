"""``.md``: a run in short, for a comment on a pull request or the summary of a CI job."""

from collections import Counter
from collections.abc import Iterator
from html import escape

from oracle import __version__
from oracle.conformance.report.base import FileReport
from oracle.conformance.report.foremost import Foremost
from oracle.conformance.report.text import failure_lines
from oracle.conformance.report.words import (
    clause_heading,
    clauses_by_failures,
    clauses_with_expected,
    explained,
    headline,
    is_failure,
    missed_refusals,
    not_checked,
    uncounted,
    verdict_counts,
    visible,
)
from oracle.conformance.run import Run
from oracle.conformance.variants import right_under
from oracle.conformance.verdicts import EXPECTED_FAILURE, PASS, Result
from oracle.files import write_whole
from oracle.games import GAMES
from oracle.rulebook import entries
from oracle.rulesets import said
from oracle.strict_json import shorten

#: So many failures are shown, and so many clauses of a game are named.
_FAILURES = 5
_CLAUSES = 8
_WIDTH = 88
#: As much of one failure as fits; a comment may have some 65,000 characters in all.
_MOST = 6000


class MarkdownReport(FileReport):
    """A headline, a table by game and clause, and the first failures folded away."""

    def begin(self) -> None:
        """Begin to count by game."""
        self._passed: Counter[str] = Counter()
        self._known: Counter[str] = Counter()
        self._failed: Counter[str] = Counter()
        self._first = Foremost(_FAILURES)

    def add(self, result: Result) -> None:
        """Count the result, and keep it if it is one of the first failures."""
        self._passed[result.case.game] += result.verdict == PASS
        self._known[result.case.game] += result.verdict == EXPECTED_FAILURE
        if is_failure(result.verdict):
            self._failed[result.case.game] += 1
            self._first.add(result)

    def finish(self, run: Run | None, exit_code: int) -> None:
        """Write the report; raises Unreadable when the place can't be written."""
        self.write("\n".join(self._lines(run, exit_code)) + "\n")

    def write(self, text: str) -> None:
        """Put the finished text where it belongs."""
        write_whole(self.path, text)

    def _lines(self, run: Run | None, exit_code: int) -> Iterator[str]:
        sentence = headline(run, exit_code)
        yield f"## {'❌' if exit_code else '✅'} Rules: {sentence}"
        yield ""
        yield from self._about(run)
        if run is None:
            return
        yield ""
        yield from self._table(run)
        shown, _ = self._first.chosen()
        for result in shown:
            yield ""
            yield from self._folded(result)
        if more := self._first.more(len(shown)):
            yield ""
            yield f"{more}."
        for fault in run.faults:
            yield ""
            yield f"Beside the cases: {_code(fault)}"
        for count, why in not_checked(run):
            yield ""
            yield f"Not checked: {count} case{'' if count == 1 else 's'}, {_code(why)}."

    def _about(self, run: Run | None) -> Iterator[str]:
        if run is None:
            yield f"Engine: {_code(' '.join(self.command))}, checked by oracle {__version__}."
            return
        engine = run.claims.engine
        name = " ".join(filter(None, (engine.get("name"), engine.get("version"))))
        rules = "".join(
            f", {game} by {_code(said(each))} rules" for game, each in self.rules.items()
        )
        yield (
            f"Engine {_code(name)}{rules}: {verdict_counts(run) or 'no case'}. "
            f"Checked by oracle {__version__} in {run.seconds:.1f} s."
        )

    def _table(self, run: Run) -> Iterator[str]:
        expected = bool(run.verdicts[EXPECTED_FAILURE])
        # Failures that are expected have a column only where there are any.
        yield f"| Game, and clauses with failures | passed | {'expected to fail | ' * expected}failed |"
        yield f"|---|--:|{'--:|' * expected}--:|"
        clauses = clauses_by_failures(run)
        for game, title in ((name, game.title) for name, game in GAMES.items()):
            if not (self._passed[game] or self._known[game] or self._failed[game]):
                continue
            known = f"{self._known[game]} | " if expected else ""
            yield f"| **{title}** | {self._passed[game]} | {known}{self._failed[game]} |"
            own = [each for each in clauses if each[0] in entries(game)]
            for clause, passes, fails in own[:_CLAUSES]:
                known = f"{run.clauses[clause][EXPECTED_FAILURE]} | " if expected else ""
                yield f"| {clause} {clause_heading(clause)} | {passes} | {known}{fails} |"
            if (more := len(own) - _CLAUSES) > 0:
                yield f"| … and {more} more clause{'' if more == 1 else 's'} | |{' |' * expected} |"
        for clause, fails, meaning in missed_refusals(run):
            yield f"| {clause}, to be refused: {meaning} | |{' |' * expected} {fails} |"
        if told := clauses_with_expected(run):
            yield ""
            yield f"{told.capitalize()}."
        if run.uncounted:
            yield ""
            yield f"{uncounted(run).capitalize()}."

    def _folded(self, result: Result) -> Iterator[str]:
        """A failure behind its title, its words in a code block that they can't end."""
        case = result.case
        told = failure_lines(
            result,
            self.again(result),
            _WIDTH,
            explained(case, self.options),
            right_under(result),
        )
        text = shorten("\n".join(told), _MOST)
        fence = "`" * max(3, _longest_run(text) + 1)
        yield f"<details><summary><code>{escape(case.id)}</code> {escape(visible(case.title))}</summary>"
        yield ""
        yield f"{fence}text"
        yield text
        yield fence
        yield ""
        yield "</details>"


def _code(text: str) -> str:
    """Words of others as a code span, in which Markdown and mentions of people do nothing."""
    told = visible(" ".join(text.split()))
    fence = "`" * (_longest_run(told) + 1)
    pad = " " if "`" in told else ""
    return f"{fence}{pad}{told}{pad}{fence}"


def _longest_run(text: str) -> int:
    """How many backticks there are in a row at most."""
    longest = run = 0
    for each in text:
        run = run + 1 if each == "`" else 0
        longest = max(longest, run)
    return longest
