"""python -m tests.mutation: let a tool change the reference, and see what the vectors catch."""

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, date, datetime
from hashlib import sha256
from importlib.metadata import version

from oracle import data
from oracle.cli.common import Progress, quiet
from oracle.files import Unreadable, read_bytes, write_whole
from oracle.vectors.cases import INDEX

from .changes import Change, sample
from .page import PAGE, with_figures
from .result import RESULT, Mutant, Result, complaints, read_reasons, read_result, summary

FAILED, USAGE, INTERRUPTED = 1, 2, 130

try:
    from . import asking, places
    from .running import Outcome, OutOfTime, run
except ModuleNotFoundError as error:
    print(f"{error.name} is missing: pip install -e '.[mutation]'", file=sys.stderr)
    sys.exit(USAGE)

TOOL = "cosmic-ray"


def main() -> int:
    """Ask mutants the published cases, write the result and docs/mutation.md, and judge it."""
    options = _options()
    try:
        reasons = read_reasons()
        result = read_result() if options.last else _measure(options)
        if not options.dry_run:
            if not options.last:
                write_whole(RESULT, result.text())
            write_whole(PAGE, with_figures(PAGE.read_text(encoding="utf-8"), result, reasons))
    except Unreadable as error:
        print(error, file=sys.stderr)
        return USAGE
    except OutOfTime:
        print("out of time, and nothing is written (--minutes gives it more)", file=sys.stderr)
        return FAILED
    except KeyboardInterrupt:
        print("\ninterrupted, and nothing is written", file=sys.stderr)
        return INTERRUPTED
    wrong = complaints(result, reasons)
    for line in [*wrong, summary(result)]:
        print(line)
    return FAILED if wrong else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tests.mutation",
        description="Change the reference at one place after another, ask each mutant the "
        "published cases of its game up to the first that tells it from the reference, and write "
        "tests/mutation/result.json and docs/mutation.md.",
    )
    parser.add_argument(
        "--mutants", type=_number, help="a sample of so many, spread over the files (all there are)"
    )
    parser.add_argument("--seed", default="1", help="chooses the sample (1)")
    parser.add_argument("--jobs", type=_number, default=2, help="so many at a time (2)")
    parser.add_argument(
        "--minutes", type=_number, default=25, help="the time that it may take (25)"
    )
    parser.add_argument("--date", type=_date, help="of the result (today's, in UTC)")
    parser.add_argument(
        "--last",
        action="store_true",
        help="ask nothing: hold the last result against the reasons, and write the page",
    )
    parser.add_argument("--dry-run", action="store_true", help="write nothing")
    return parser.parse_args()


def _number(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError("expected a whole number above 0")
    return int(text)


def _date(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError("expected a date as 2026-01-31") from None


def _measure(options: argparse.Namespace) -> Result:
    """Ask the mutants that were chosen; raises OutOfTime, and Unreadable if the reference itself
    is told from the cases, which would make every kill void."""
    # First of all, so that all mutants are of the files as they are now.
    asking.snapshot()
    possible = [change for path in places.files() for change in places.changes(path)]
    chosen = sample(possible, options.mutants or len(possible), options.seed)
    if not quiet():
        print("loading the published cases", file=sys.stderr)
    asking.load_cases()
    for case in asking.reference_fails():
        raise Unreadable(f"the reference itself fails {case} (oracle verify)")
    progress = Progress("mutants asked", len(chosen))
    try:
        outcomes = run(chosen, options.jobs, 60 * options.minutes, progress.show)
    finally:
        progress.clear()
    return Result(
        date=str(options.date or datetime.now(UTC).date()),
        tool=f"{TOOL} {version(TOOL)}",
        seed=options.seed if len(chosen) < len(possible) else "",
        reference=_hash_of_reference(),
        vectors=sha256(read_bytes(data.folder("vectors") / INDEX)).hexdigest(),
        possible=_numbers(possible),
        mutants=tuple(_mutant(change, outcomes[change]) for change in chosen),
    )


def _hash_of_reference() -> str:
    # As it was asked, should it have changed since.
    texts = [text for name, (_, text, _) in sorted(asking.snapshot().items()) if "games" in name]
    return sha256("".join(texts).encode()).hexdigest()


def _numbers(possible: Sequence[Change]) -> dict[str, dict[str, int]]:
    changes = Counter(change.place.file for change in possible)
    different = Counter(place.file for place in {change.place for change in possible})
    return {file: {"places": different[file], "changes": changes[file]} for file in sorted(changes)}


def _mutant(change: Change, outcome: Outcome) -> Mutant:
    place = change.place
    return Mutant(
        *(place.file, place.where, change.line, outcome.was, outcome.now),
        *(outcome.verdict, outcome.case, asking.is_generated(outcome.case)),
    )


if __name__ == "__main__":
    sys.exit(main())
