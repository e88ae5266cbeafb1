"""A run told at a terminal: failures so that an engine's author sees what to mend, and a summary."""

import shlex
from collections.abc import Iterator, Sequence
from typing import Any

from oracle.conformance.compare import ABSENT, Difference
from oracle.conformance.run import FAIL, GOOD, NOT_RUN, VERDICTS, Result, Run
from oracle.games import GAMES
from oracle.rulesets import said
from oracle.story import clause_lines, clause_title, reason, spoken, table_after, table_lines
from oracle.strict_json import dumps, shorten
from oracle.wire import WrongRequest, read_request

_WIDTH = 400
#: The engine's own words at the end of a failure: so many lines of its stderr.
_STDERR_LINES = 8


def failure_lines(result: Result, again: str) -> Iterator[str]:
    """A failure: the case, its clauses, the table at that moment, both answers, and how to
    run it again."""
    case = result.case
    yield f"{result.verdict.upper()}  {case.id}"
    yield f"  {case.title}"
    for clause in case.clauses[:2]:
        yield from (f"  {line}" for line in clause_lines(case.game, clause))
    if case.op != "error" and case.request.get("rules"):
        yield f"  rules: {said(case.request['rules'])}"
    if result.message:
        yield f"  {result.message}"
    if result.differences:
        yield from _moment(result)
    if result.stderr:
        yield "  the engine's stderr ends with"
        yield from (f"    {line}" for line in result.stderr.splitlines()[-_STDERR_LINES:])
    yield f"  run it again:  {again}"


def _moment(result: Result) -> Iterator[str]:
    first = result.differences[0]
    state = first.state
    here = [each for each in result.differences if each.state == state]
    if result.case.op == "error":
        yield f"  the request is wrong on purpose: {result.case.response['error']}"
    else:
        yield from _table_at(result, state)
    for difference in here:
        yield from (f"  {line}" for line in difference_lines(result.case.game, difference))
    if more := len(result.differences) - len(here):
        yield f"  … and {more} more difference{'' if more == 1 else 's'} after that"


def _table_at(result: Result, state: int | None) -> Iterator[str]:
    try:
        request = read_request(result.case.request)
    except WrongRequest:
        return
    if state is None or state > len(request.actions):
        if request.op == "view":
            yield f"  what seat {request.seat} sees of this table:"
        elif request.op != "perft":
            yield f"  {request.op}: {shorten(dumps(_asked(result.case.request)), _WIDTH)}"
            return
        state = len(request.actions)
    elif state == 0:
        yield "  before any action:"
    else:
        action = request.actions[state - 1]
        yield f'  after action {state} of {len(request.actions)}, "{action}" ({spoken(action)}):'
    yield from (f"    {line}" for line in table_lines(table_after(request, state)))


def _asked(request: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in request.items() if name not in ("op", "game")}


def difference_lines(game: str, difference: Difference) -> list[str]:
    """A difference: where it is, what was expected, what the engine said."""
    field = str(difference.path[-1]) if difference.path else ""
    expected, actual = difference.expected, difference.actual
    lines = [f"at {difference.pointer or 'the response'}"]
    if field == "ok" and isinstance(expected, bool):
        words = {True: "accepted", False: "refused"}
        return [
            *lines,
            f"  expected  {words[expected]}",
            f"  engine    {words.get(actual, dumps(actual) if actual is not ABSENT else 'nothing')}",
        ]
    if field == "clause" and isinstance(expected, str):
        lines.append(f"  expected  refused by {reason(game, expected)}")
        lines.append(f"  engine    {_said(actual)}")
        return lines
    if isinstance(expected, list) and isinstance(actual, list) and _are_actions(expected + actual):
        lines.append(f"  expected  {_actions(expected)}")
        lines.append(f"  engine    {_actions(actual)}")
        if missing := [each for each in expected if each not in actual]:
            lines.append(f"  missing   {_actions(missing)}")
        if surplus := [each for each in actual if each not in expected]:
            lines.append(f"  too many  {_actions(surplus)}")
        return lines
    return [*lines, f"  expected  {_said(expected)}", f"  engine    {_said(actual)}"]


def _are_actions(values: list[Any]) -> bool:
    return all(isinstance(value, str) for value in values)


def _actions(actions: Sequence[str]) -> str:
    return shorten(", ".join(map(spoken, actions)) or "no action", _WIDTH)


def _said(value: Any) -> str:
    if value is ABSENT:
        return "nothing"
    if isinstance(value, str):
        return shorten(spoken(value), _WIDTH)
    return shorten(dumps(value), _WIDTH)


def again(case_id: str, command: Sequence[str], options: Sequence[str] = ()) -> str:
    """The command that runs one case again."""
    return shlex.join(["oracle", "check", *options, "--case", case_id, "--", *command])


def summary_lines(run: Run) -> Iterator[str]:
    """The end of a run: clauses that failed, what wasn't checked, and the verdicts."""
    failed = {clause: counts for clause, counts in run.clauses.items() if counts["fail"]}
    if failed:
        yield "clause          passed  failed"
        for clause in sorted(failed, key=lambda clause: (-failed[clause]["fail"], clause)):
            counts = failed[clause]
            yield f"{clause:<14} {counts['pass']:>7} {counts['fail']:>7}   {_title(clause)}"
    clean = sum(1 for counts in run.clauses.values() if counts["pass"] and not counts["fail"])
    if clean:
        yield f"{clean} clause{'' if clean == 1 else 's'} without a failure"
    for why, count in sorted(run.not_asked.items(), key=lambda each: (-each[1], each[0])):
        yield f"not checked: {count} case{'' if count == 1 else 's'}, {why}"
    if run.unknown_fields:
        yield f"ignored: {run.unknown_fields} unknown fields in answers"
    yield verdict_line(run)


def _title(clause: str) -> str:
    return next(filter(None, (clause_title(game, clause) for game in GAMES)), "")


def verdict_line(run: Run) -> str:
    """The verdicts in one line."""
    counts = [
        f"{run.verdicts[verdict]} {_NOUNS.get(verdict, verdict)}"
        for verdict in VERDICTS
        if run.verdicts[verdict]
    ]
    return f"{', '.join(counts) or 'nothing executed'} ({run.seconds:.1f} s)"


_NOUNS = {"pass": "passed", FAIL: "failed", NOT_RUN: "not run"}

__all__ = ["GOOD", "again", "difference_lines", "failure_lines", "summary_lines", "verdict_line"]
