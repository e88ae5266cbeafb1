"""python -m tests.mutants: measure what the published vectors catch."""

import argparse
import sys
from typing import Any

from oracle import strict_json
from oracle.cli.common import Progress
from oracle.conformance.compare import ABSENT
from oracle.files import Unreadable, write_whole
from oracle.vectors.cases import Case

from .figures import PAGE, with_figures
from .killing import (
    KILLS,
    all_kills,
    ask,
    differences,
    generated,
    hand_worked,
    killers,
    kills,
    kills_text,
)
from .registry import MUTANTS, Mutant

FAILED, USAGE = 1, 2


def main() -> int:
    """Write vectors/kills.json and the tables of docs/completeness.md, or tell of one name."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.mutants",
        description="Ask every mutant every published case of its game, and write "
        "vectors/kills.json and the tables of docs/completeness.md.",
    )
    parser.add_argument("--check", action="store_true", help="write nothing; fail if it would")
    parser.add_argument("name", nargs="?", help="a mutant or a case: tell of this one only")
    options = parser.parse_args()
    try:
        return _tell(options.name) if options.name else _measure(options.check)
    except Unreadable as error:
        print(error, file=sys.stderr)
        return USAGE


def _measure(check: bool) -> int:
    progress = Progress("mutants asked", len(MUTANTS))
    found = all_kills(progress.show)
    progress.clear()
    page = PAGE.read_text(encoding="utf-8")
    written = {KILLS: kills_text(found), PAGE: with_figures(page, found)}
    survivors = [one.mutant for one in found if not one.hand_worked and not one.generated]
    for mutant in survivors:
        print(f"{mutant.id} survives: {mutant.line}")
    stale = [
        path
        for path, text in written.items()
        if not path.exists() or path.read_text(encoding="utf-8") != text
    ]
    for path in stale:
        if check:
            print(f"{path}: not what the cases give (python -m tests.mutants writes it)")
        else:
            write_whole(path, written[path])
    print(f"{len(found)} mutants, {len(survivors)} survive")
    return FAILED if survivors or (check and stale) else 0


def _tell(name: str) -> int:
    game = name.partition("/")[0]
    if name in MUTANTS:
        return _tell_of_mutant(MUTANTS[name])
    for case in (*hand_worked(game), *generated(game)):
        if case.id == name:
            return _tell_of_case(case)
    print(f"{name}: neither a mutant nor a case", file=sys.stderr)
    return USAGE


def _tell_of_mutant(mutant: Mutant) -> int:
    print(f"{mutant.id}: {mutant.line}")
    for case in killers(mutant, hand_worked(mutant.game)):
        print(f"  {case.id} {_why(mutant, case)}")
    return 0


def _why(mutant: Mutant, case: Case) -> str:
    try:
        first = differences(case, ask(mutant, case))[0]
    except Exception as error:
        return f"breaks down: {type(error).__name__}"
    return (
        f"{first.pointer or '/'}: {_shown(first.expected)} expected, {_shown(first.actual)} found"
    )


def _shown(value: Any) -> str:
    return repr(value) if value is ABSENT else strict_json.dumps(value)


def _tell_of_case(case: Case) -> int:
    print(f"{case.id}: {case.title}")
    for mutant in MUTANTS.values():
        if mutant.game == case.game and kills(case, mutant):
            print(f"  {mutant.id}: {mutant.line}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
