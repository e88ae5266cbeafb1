"""docs/mutation.md: what was measured, in tables, and every survivor with its reason."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from .changes import Key
from .result import BREAKS_DOWN, KILLED, NO_END, NOT_LOADED, SURVIVES, Mutant, Result, summary

PAGE = Path(__file__).parents[2] / "docs" / "mutation.md"
BEGIN = "<!-- measured: make mutation -->"
END = "<!-- end of what is measured -->"


def with_figures(page: str, result: Result, reasons: Mapping[Key, str]) -> str:
    """The page with what was measured written anew between the markers."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n\n{_figures(result, reasons)}\n{END}{after}"


def _figures(result: Result, reasons: Mapping[Key, str]) -> str:
    return "\n".join(
        [
            f"On {result.date}, suite {result.suite}, by {result.tool}, {_which(result)}: "
            f"{summary(result)}.\n",
            _by_file(result),
            "### Survivors\n",
            *(_survivors(result, reasons, file) for file in result.possible),
        ]
    )


def _which(result: Result) -> str:
    return f"a sample by the seed `{result.seed}`" if result.seed else "every one that there is"


def _by_file(result: Result) -> str:
    head = (
        *("file", "places", "possible", "counted", "killed", "by hand-worked cases"),
        *("by generated ones only", "of these break down", "come to no end", "survive"),
        *("could not be loaded",),
    )
    rows = [
        (f"`{file}`", each["places"], each["changes"], *_counts(_of(result.mutants, file)))
        for file, each in result.possible.items()
    ]
    total = (
        "all",
        *(sum(each[name] for each in result.possible.values()) for name in ("places", "changes")),
    )
    rows.append((*total, *_counts(result.mutants)))
    lines: list[Sequence[object]] = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "".join(f"| {' | '.join(map(str, line))} |\n" for line in lines)


def _of(mutants: Iterable[Mutant], file: str) -> list[Mutant]:
    return [each for each in mutants if each.file == file]


def _counts(mutants: Sequence[Mutant]) -> tuple[int, ...]:
    verdicts = Counter(each.verdict for each in mutants)
    killed = sum(verdicts[verdict] for verdict in KILLED)
    generated = sum(each.generated for each in mutants)
    return (
        *(killed + verdicts[SURVIVES], killed, killed - generated, generated),
        *(verdicts[BREAKS_DOWN], verdicts[NO_END], verdicts[SURVIVES], verdicts[NOT_LOADED]),
    )


def _survivors(result: Result, reasons: Mapping[Key, str], file: str) -> str:
    survivors = _of(result.survivors, file)
    if not survivors:
        return ""
    lines = [f"`oracle/games/{file}`\n"]
    for each in survivors:
        lines.append(
            f"- line {each.line}, `{each.where}`: {reasons.get(each.key, 'not explained')}"
        )
        lines += ["", "  ```diff", f"  - {each.was}", f"  + {each.now}", "  ```", ""]
    return "\n".join(lines)
