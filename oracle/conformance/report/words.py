"""Results in words, as every report for people says them."""

import re
import shlex
from collections import Counter
from collections.abc import Sequence
from itertools import groupby
from typing import Any

from oracle import drawing
from oracle.cards import CARD_OF
from oracle.conformance.claims import AT_A_VALUE
from oracle.conformance.compare import ABSENT, Difference
from oracle.conformance.house_rules import PUBLISHED, kind_of
from oracle.conformance.run import Run, unplayed
from oracle.conformance.verdicts import (
    EXPECTED_FAILURE,
    FAIL,
    GOOD,
    NOT_RUN,
    PASS,
    UNEXPECTED_PASS,
    VERDICTS,
    Result,
)
from oracle.games import GAMES
from oracle.games.refusals import GENERAL, MEANING
from oracle.rulebook import find
from oracle.rulesets import said
from oracle.story import clause_title, spoken
from oracle.strict_json import dumps, shorten
from oracle.vectors.cases import Case
from oracle.wire import Request

#: As much of a value as a person reads.
_MOST = 400

#: So many options are told that stand behind failures.
_OPTIONS = 3
#: As much of a key: a seat, or a place at the table.
_MOST_OF_A_KEY = 60

#: What a place in a response is about, by the last name in its path.
_ABOUT = {
    "ok": "whether the action is accepted",
    "clause": "why the action is refused",
    "legal": "what may be done",
    "contract": "the contract",
    "trick": "the trick",
    "winner": "who wins the trick",
    "points": "what the trick is worth",
    "combinations": "the combinations that the trick settles",
    "delta": "what the hand brings each side",
    "scores": "the scores after the hand",
    "breakdown": "how the score is made up",
    "winners": "who wins the match",
    "hand": "the hand",
    "match": "the end of the match",
    "nodes": "how many sequences of actions there are",
    "divide": "how many begin with each action",
    "deal": "the deal",
    "known": "what the seat sees",
    "unknown": "what the seat can't see",
}


def visible(text: str) -> str:
    """A text on one line in which nothing acts: control characters, marks that turn the
    direction of writing and the like stand as escapes."""
    return "".join(
        each if each.isprintable() else each.encode("unicode_escape").decode() for each in text
    )


def visible_lines(text: str) -> list[str]:
    """The lines of a text, each ``visible``."""
    return [visible(line.expandtabs(4)) for line in text.splitlines()]


def again(case_id: str, command: Sequence[str], options: Sequence[str] = ()) -> str:
    """The command that runs one case again."""
    behind = ["--", *command] if command else []
    return shlex.join(["oracle", "check", *options, "--case", case_id, *behind])


def explained(case: Case, options: Sequence[str] = ()) -> str:
    """The command that tells a case from its beginning, given the options of the run; it names
    the house rules where the case is in no file as it was asked."""
    place = options.index("--vectors") if "--vectors" in options else len(options)
    words = [*options[place : place + 2]]
    if kind_of(case) != PUBLISHED:
        for name, value in case.request["rules"].items():
            words += ["--rules", said({name: value})]
    return shlex.join(["oracle", "explain", *words, case.id])


# A run.


def is_failure(verdict: str) -> bool:
    """Whether a verdict is one with which a run is not as expected; a case not run is none."""
    return verdict not in (*GOOD, NOT_RUN)


def failures(run: Run) -> int:
    """How many cases of a run failed, in whatever way."""
    return sum(count for verdict, count in run.verdicts.items() if is_failure(verdict))


def headline(run: Run | None, exit_code: int) -> str:
    """What came of a run, in one short sentence without a stop."""
    interrupted = "interrupted: " if exit_code == 130 else ""
    if run is None:
        return f"{interrupted}there was no handshake with the engine"
    if not run.executed:
        return f"{interrupted}nothing was executed"
    failed = failures(run)
    left = f", {run.verdicts[NOT_RUN]} not run" if run.verdicts[NOT_RUN] else ""
    if failed:
        how = "not as expected" if run.verdicts[UNEXPECTED_PASS] else "failed"
        return f"{interrupted}{failed} of {_cases(run.executed)} {how}{left}"
    fine = "as expected" if run.verdicts[EXPECTED_FAILURE] else "passed"
    yet = ", but the run is not as it should be" if exit_code not in (0, 130) else ""
    return f"{interrupted}all {_cases(run.executed)} {fine}{left}{yet}"


def _cases(count: int) -> str:
    return f"{count} case{'' if count == 1 else 's'}"


def verdict_counts(run: Run) -> str:
    """How many cases came to each verdict, in a line; of the games that the engine plays also
    how many were not checked."""
    told = [
        f"{run.verdicts[verdict]} {_NOUNS.get(verdict, verdict)}"
        for verdict in VERDICTS
        if run.verdicts[verdict]
    ]
    elsewhere = sum(run.not_asked[unplayed(game)] for game in GAMES)
    if left := run.not_asked.total() - elsewhere:
        told.append(f"{left} not checked")
    return ", ".join(told)


_NOUNS = {PASS: "passed", FAIL: "failed", NOT_RUN: "not run"}


def not_checked(run: Run) -> list[tuple[int, str]]:
    """How many cases were not checked, and why, the most first: options together, and last the
    games that the engine doesn't play."""
    games = {game: run.not_asked[unplayed(game)] for game in GAMES if run.not_asked[unplayed(game)]}
    reasons = run.not_asked - Counter({unplayed(game): count for game, count in games.items()})
    options = Counter({why: n for why, n in reasons.items() if why.endswith(AT_A_VALUE)})
    if len(options) > 1:
        reasons -= options
        each = [f"{why.removesuffix(AT_A_VALUE)} ({_cases(n)})" for why, n in _most_first(options)]
        reasons[f"the engine doesn't claim their value of {', '.join(each)}"] = options.total()
    told = [(count, why) for why, count in _most_first(reasons)]
    return [*told, *([(sum(games.values()), unplayed(_one_of(list(games))))] if games else ())]


def _most_first(counts: Counter[str]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda each: (-each[1], each[0]))


def _one_of(names: Sequence[str]) -> str:
    return " or ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def missed_refusals(run: Run) -> list[tuple[str, int, str]]:
    """The general refusals that failing cases missed at their first difference: how many did,
    and what the refusal says."""
    return [(name, run.missed[name], MEANING[name]) for name in GENERAL if run.missed[name]]


def uncounted(run: Run) -> str:
    """How many failures no clause counts, in a few words; empty where there are none."""
    if not run.uncounted:
        return ""
    failures = f"{run.uncounted} failure{'' if run.uncounted == 1 else 's'}"
    return f"not counted by clause: {failures} in generated cases, which were written for none"


def clause_heading(clause: str) -> str:
    """The title of a clause or ruling of whichever game."""
    entry = find(clause, tuple(GAMES))
    return entry.title if entry else ""


def clean_clauses(run: Run) -> list[tuple[str, int]]:
    """The clauses whose cases all passed that were asked, each with how many there were."""
    return [
        (clause, counts[PASS])
        for clause, counts in sorted(run.clauses.items())
        if counts[PASS] and not counts[FAIL] and not counts[EXPECTED_FAILURE]
    ]


def clauses_with_expected(run: Run) -> str:
    """How many clauses fail only as was expected, in a few words; empty where there are none."""
    count = sum(
        1 for counts in run.clauses.values() if counts[EXPECTED_FAILURE] and not counts[FAIL]
    )
    plural = "" if count == 1 else "s"
    return f"{count} clause{plural} with failures, all of them expected" if count else ""


def clauses_by_failures(run: Run) -> list[tuple[str, int, int]]:
    """The clauses with failures, each with how many cases passed and failed. First come those
    that fail often and pass seldom: they are what to mend, the others mostly follow."""
    failed = [(clause, c["pass"], c["fail"]) for clause, c in run.clauses.items() if c["fail"]]
    return sorted(failed, key=lambda each: (-(each[2] ** 2) / (each[1] + each[2]), each[0]))


def options_behind(variants: Sequence[Sequence[dict[str, Any]]]) -> str:
    """Which options stand behind several failures, in a line; empty where there are none. The
    failures are those that are shown and named, each with the options under which it is right."""
    counts = Counter(said(each) for changes in variants for each in changes)
    told = [f"{n} under {option}" for option, n in _most_first(counts) if n > 1]
    many = f" ({len(told) - _OPTIONS} more options)" if len(told) > _OPTIONS else ""
    if not told:
        return ""
    return f"of the {len(variants)} failures above, right: {', '.join(told[:_OPTIONS])}{many}"


# Differences.


def first_differences(result: Result) -> list[Difference]:
    """The differences of the first state that differs: later ones follow from them, and so does
    what may be done next from a wrong winner or contract, which therefore comes last."""
    if not result.differences:
        return []
    here = [each for each in result.differences if each.state == result.differences[0].state]
    return sorted(here, key=lambda each: "legal" in each.path)


def moment(result: Result, request: Request) -> tuple[int, str]:
    """After how many actions the answers differ (all of them, where no state differs), and that
    moment in words."""
    state = result.differences[0].state if result.differences else None
    last = len(request.actions)
    if state == 0:
        return 0, "the table before any action"
    if state is not None and state <= last:
        return state, f'the table after action {state} of {last}, "{request.actions[state - 1]}"'
    if request.op == "view":
        return last, f"the table at which seat {request.seat} looks"
    return last, "the table after the last action" if last else "the table"


def about(difference: Difference) -> str:
    """What the place of a difference is about, in a few words; empty where there are none."""
    path = difference.path
    if len(path) > 1 and path[-2] == "legal":
        who = "chance" if path[-1] == "chance" else f"seat {_key(path[-1])}"
        return f"what {who} may do"
    if len(path) > 1 and path[-2] == "known":
        return f"what the seat sees: {_key(path[-1])}"
    return _ABOUT.get(str(path[-1]), "") if path else ""


def _key(name: str | int) -> str:
    """A key out of an answer: an engine may have written anything there."""
    return visible(shorten(str(name), _MOST_OF_A_KEY))


def both_answers(
    game: str, difference: Difference, clause: str | None = None
) -> list[tuple[str, str]]:
    """What was expected and what the engine said, each with its label; for lists of actions
    also what is missing and what is too many. ``clause`` is behind a refusal that was expected
    (``verdicts.refusal``)."""
    expected, actual = difference.expected, difference.actual
    field = str(difference.path[-1]) if difference.path else ""
    if ABSENT not in (expected, actual) and type(expected) is not type(actual):
        # Told as JSON, so that 26 and "26" are seen to differ.
        return [("expected", _json(expected)), ("engine", _json(actual))]
    wanted = _refused(game, clause) if clause else _expected(field, expected)
    rows = [("expected", wanted), ("engine", _said(field, actual))]
    if _are_actions(expected) and _are_actions(actual):
        if missing := [each for each in expected if each not in actual]:
            rows.append(("missing", _actions(missing)))
        if surplus := [each for each in actual if each not in expected]:
            rows.append(("too many", _actions(surplus)))
    return rows


def _refused(game: str, clause: str) -> str:
    return f"refused: {clause} ({MEANING.get(clause) or clause_title(game, clause)})"


def _expected(field: str, value: Any) -> str:
    if not field and isinstance(value, dict) and value.keys() == {"error"}:
        return "that the request is refused as wrong"
    return _said(field, value)


def _said(field: str, value: Any) -> str:
    if value is ABSENT:
        return "nothing"
    if field == "ok" and isinstance(value, bool):
        return "accepted" if value else "refused"
    if isinstance(value, str):
        return shorten(_text(value) or "an empty string", _MOST)
    if _are_actions(value):
        return _actions(value)
    if isinstance(value, list) and value and all(isinstance(each, dict) for each in value):
        return visible(shorten("; ".join(map(_record, value)), _MOST))
    return _json(value)


def _json(value: Any) -> str:
    return visible(shorten(dumps(value), _MOST))


def _record(record: dict[str, Any]) -> str:
    """A line of a score or a combination in words."""
    return ", ".join(
        f"{name} {_text(value) if _is_word(value) else dumps(value)}"
        for name, value in record.items()
    )


def _is_word(value: Any) -> bool:
    """Whether a value can be told from any other without quotation marks."""
    return isinstance(value, str) and re.match(r"[A-Z0-9][A-Z]", value) is not None


def _text(value: str) -> str:
    words = value.split(" ")
    cards = len(words) > 1 and all(word in CARD_OF for word in words)
    return drawing.row(words) if cards else spoken(value)


def _are_actions(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


def _actions(actions: Sequence[str]) -> str:
    """Actions in a line, those of one verb together and their cards by suit."""
    told = [
        f"{visible(verb)} {_objects([each.partition(' ')[2] for each in run])}".rstrip()
        for verb, run in groupby(actions, lambda each: each.partition(" ")[0])
    ]
    return shorten("; ".join(told) or "an empty list", _MOST)


def _objects(objects: Sequence[str]) -> str:
    if all(each in CARD_OF for each in objects):
        return drawing.row(sorted(objects, key=CARD_OF.__getitem__))
    return ", ".join(map(_object, objects))


def _object(words: str) -> str:
    """What an action is done with: words, then perhaps a set of cards."""
    first, *rest = words.split(" ")
    if rest and all(each in CARD_OF for each in rest):
        return f"{spoken(first)} {drawing.row(rest)}"
    return spoken(words)
