"""A run told at a terminal: failures so that an engine's author sees what to mend, and a summary."""

import shutil
import textwrap
from collections.abc import Iterator, Sequence
from typing import Any

from oracle import drawing
from oracle.conformance.compare import Difference
from oracle.conformance.report.words import (
    about,
    both_answers,
    clause_heading,
    clauses_by_failures,
    clauses_with_expected,
    clean_clauses,
    first_differences,
    missed_refusals,
    moment,
    not_checked,
    uncounted,
    verdict_counts,
    visible,
    visible_lines,
)
from oracle.conformance.run import Run
from oracle.conformance.verdicts import Result, refusal
from oracle.rulebook import entries
from oracle.rulesets import said
from oracle.story import clause_lines, table_after, table_lines
from oracle.strict_json import dumps, shorten
from oracle.wire import Request, WrongRequest, read_request

_MOST = 400
#: The engine's own words at the end of a failure: so many lines of its stderr.
_STDERR_LINES = 20
#: So many clauses of a case are quoted; the others are named.
_CLAUSES = 2
#: Lines get no longer than this where a terminal is wider.
_WIDEST = 100


def terminal_width() -> int:
    """How many characters a line may have here."""
    return min(shutil.get_terminal_size().columns, _WIDEST)


def failure_lines(
    result: Result,
    rerun: str,
    width: int | None = None,
    explain: str = "",
    variants: Sequence[dict[str, Any]] = (),
) -> Iterator[str]:
    """A failure: the case, its clauses, the table at that moment, both answers, and how to
    run it again. Lines keep to ``width`` (the terminal's if not given) but for a command or a
    wide table. ``explain`` is a command that tells the whole case, and ``variants`` are the
    options under which the answer would be right (``variants.right_under``)."""
    width = width or terminal_width()
    case = result.case
    yield f"{result.verdict.upper()}  {case.id}"
    yield from _wrapped(case.title, width, "  ")
    yield from _clauses(result, width)
    for flag in case.flags:
        if note := case.notes.get(flag):
            yield from _wrapped(f"there to catch {flag}: {note}", width, "  ", "    ")
    if case.op != "error" and case.request.get("rules"):
        yield from _wrapped(f"rules: {said(case.request['rules'])}", width, "  ")
    if result.message:
        yield from _wrapped(visible(shorten(result.message, _MOST)), width, "  ")
    if result.differences:
        yield from _moment(result, width)
    if variants:
        told = " or under ".join(map(said, variants))
        yield from _wrapped(f"this answer is right under {told}", width, "  ", "    ")
    if result.stderr:
        yield from stderr_lines(result.stderr)
    if explain:
        yield f"  the whole case:  {explain}"
    yield f"  run it again:  {rerun}"


def stderr_lines(stderr: str) -> Iterator[str]:
    """The end of what an engine said on its stderr. The bar keeps its words from being read as
    ours, or as commands of a CI system."""
    yield "  the engine's stderr ends with"
    for line in visible_lines(stderr)[-_STDERR_LINES:]:
        yield f"  | {shorten(line, _MOST)}"


def _clauses(result: Result, width: int) -> Iterator[str]:
    """The clauses that a case is about. A hand played by the oracle cites whatever came up in
    it: there it is only the rule by which the engine should have refused."""
    case = result.case
    about_these = case.clauses if case.is_about_its_clauses else (result.missed,)
    known = [clause for clause in about_these if clause in entries(case.game)]
    for clause in known[:_CLAUSES]:
        yield from (f"  {line}" for line in clause_lines(case.game, clause, width - 2))
        if options := entries(case.game)[clause].options:
            plural = "an option" if len(options) == 1 else "options"
            yield f"    {plural}: {', '.join(options)}"
    if more := known[_CLAUSES:]:
        yield from _wrapped(f"also about {', '.join(more)}", width, "  ")


def _wrapped(text: str, width: int, indent: str, hanging: str | None = None) -> list[str]:
    # A suit's symbol stays with the rank behind it.
    bound = text
    for symbol in "♣♦♥♠":
        bound = bound.replace(f"{symbol} ", f"{symbol}\N{NO-BREAK SPACE}")
    lines = textwrap.wrap(
        bound,
        width,
        initial_indent=indent,
        subsequent_indent=indent if hanging is None else hanging,
        break_on_hyphens=False,
    )
    return [line.replace("\N{NO-BREAK SPACE}", " ") for line in lines]


def _moment(result: Result, width: int) -> Iterator[str]:
    here = first_differences(result)
    if result.case.op == "error":
        yield from _wrapped(
            f"the request is wrong on purpose: {result.case.response['error']}", width, "  "
        )
    else:
        yield from _table_at(result, width)
    for difference in here:
        yield from difference_lines(result, difference, width)
    if more := len(result.differences) - len(here):
        yield f"  … and {more} more difference{'' if more == 1 else 's'} after that"


def _table_at(result: Result, width: int) -> Iterator[str]:
    try:
        request = read_request(result.case.request)
    except WrongRequest:
        return
    if request.op in ("score", "shuffle"):
        asked = visible(shorten(dumps(_asked(result.case.request)), _MOST))
        yield from _wrapped(f"{request.op}: {asked}", width, "  ", "    ")
        return
    actions, words = moment(result, request)
    yield from _wrapped(f"{visible(words)}:", width, "  ")
    table = table_after(request, actions)
    yield from (f"    {line}" for line in table_lines(table))
    if actions and not table.trick:
        # The trick that was just taken no longer lies there.
        yield from _trick_before(request, actions)


def _trick_before(request: Request, actions: int) -> Iterator[str]:
    """The trick that an action has completed; nothing if it has completed none."""
    table = table_after(request, actions - 1)
    if table.trick:
        seat, _, card = request.actions[actions - 1].split(" ")
        trick = [*((str(each), lying) for each, lying in table.picture().trick), (seat, card)]
        told = "   ".join(f"{each} {drawing.card(played)}" for each, played in trick)
        yield f"    the trick that it completes: {told}"


def _asked(request: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in request.items() if name not in ("op", "game")}


def difference_lines(result: Result, difference: Difference, width: int) -> Iterator[str]:
    """A difference: what it is about and where, what was expected, what the engine said."""
    what = about(difference)
    place = visible(difference.pointer) or "the response"
    yield from _wrapped(f"{what}, at {place}" if what else f"at {place}", width, "  ")
    clause = refusal(result.case, difference)
    for label, text in both_answers(result.case.game, difference, clause):
        yield from _wrapped(text, width, f"    {label:<9} ", " " * 14)


def summary_lines(run: Run) -> Iterator[str]:
    """The end of a run: clauses that failed, what wasn't checked, and the verdicts."""
    failed, missed = clauses_by_failures(run), missed_refusals(run)
    if failed or missed:
        yield "clause          passed  failed"
        for clause, passes, fails in failed:
            yield f"{clause:<14} {passes:>7} {fails:>7}   {clause_heading(clause)}"
        for clause, fails, meaning in missed:
            yield f"{clause:<14} {'':>7} {fails:>7}   to be refused: {meaning}"
    if run.uncounted:
        yield uncounted(run)
    if expected := clauses_with_expected(run):
        yield expected
    if clean := len(clean_clauses(run)):
        yield f"{clean} clause{'' if clean == 1 else 's'} without a failure"
    for count, why in not_checked(run):
        yield f"not checked: {count} case{'' if count == 1 else 's'}, {why}"
    if run.unknown_fields:
        plural = "" if run.unknown_fields == 1 else "s"
        yield f"ignored: {run.unknown_fields} unknown field{plural} in answers"
    yield f"{verdict_counts(run) or 'nothing executed'} ({run.seconds:.1f} s)"
