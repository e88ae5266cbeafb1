"""The result of a run, the reasons why survivors survive, and the page that tells of both."""

import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from oracle import __version__, strict_json
from oracle.files import Unreadable, read_bytes
from oracle.vectors.cases import load_json

from .changes import Key

_HERE = Path(__file__).parent
RESULT = _HERE / "result.json"
EQUIVALENT = _HERE / "equivalent.toml"

#: What can become of a mutant. One that can't even be loaded is no engine, and isn't counted.
DIFFERS, BREAKS_DOWN, NO_END = "differs", "breaks down", "no end"
SURVIVES, NOT_LOADED = "survives", "not loaded"
KILLED = (DIFFERS, BREAKS_DOWN, NO_END)

#: So many mutants must be counted at least, and so many in a hundred of them killed.
LEAST, GOAL = 600, 95


@dataclass(frozen=True)
class Mutant:
    """One change to the reference, what became of it, and the case that killed it."""

    file: str
    where: str
    line: int
    was: str
    now: str
    verdict: str
    case: str = ""
    #: Whether that case is one that the reference worked out.
    generated: bool = False

    @property
    def key(self) -> Key:
        """What it is known by, wherever its line moves."""
        return self.file, self.where, self.was, self.now


@dataclass(frozen=True)
class Result:
    """A run: when, with what, and every mutant."""

    date: str
    tool: str
    #: What the sample was chosen by; empty when all that there are were asked.
    seed: str
    #: Hashes of the reference's files and of the index of the vectors.
    reference: str
    vectors: str
    #: How many places and changes there are, file by file.
    possible: Mapping[str, Mapping[str, int]]
    mutants: tuple[Mutant, ...]
    suite: str = __version__

    @property
    def counted(self) -> list[Mutant]:
        """The mutants that are engines."""
        return [each for each in self.mutants if each.verdict != NOT_LOADED]

    @property
    def survivors(self) -> list[Mutant]:
        """The mutants that no case tells from the reference."""
        return [each for each in self.mutants if each.verdict == SURVIVES]

    @property
    def percent_killed(self) -> float:
        """How many in a hundred of those counted were killed, whatever the rest is explained by."""
        counted = len(self.counted)
        return 100 * (counted - len(self.survivors)) / counted if counted else 0.0

    def text(self) -> str:
        """The result as its file holds it, one mutant a line."""
        head = {
            "about": "What became of each mutant. Written by make mutation.",
            "date": self.date,
            "suite": self.suite,
            "tool": self.tool,
            "seed": self.seed,
            "reference": self.reference,
            "vectors": self.vectors,
            "possible": self.possible,
        }
        lines = [
            f"{strict_json.dumps(key)}: {strict_json.dumps(each)}," for key, each in head.items()
        ]
        mutants = ",\n".join(strict_json.dumps(_written(each)) for each in self.mutants)
        return "\n".join(["{", *lines, '"mutants": [', mutants, "]", "}", ""])


def _written(mutant: Mutant) -> dict[str, Any]:
    return {name: value for name, value in asdict(mutant).items() if value not in ("", False)}


def read_result(path: Path = RESULT) -> Result:
    """A result as it was written; raises Unreadable."""
    value = load_json(path)
    try:
        del value["about"]
        # A line that was taken out is nothing now, which is left out.
        mutants = tuple(Mutant(**{"now": "", **each}) for each in value.pop("mutants"))
        return Result(**value, mutants=mutants)
    except (KeyError, TypeError) as error:
        raise Unreadable(f"{path}: no result as make mutation writes it: {error}") from None


# Why survivors survive.


def read_reasons(path: Path = EQUIVALENT) -> dict[Key, str]:
    """Why mutants are equivalent, written by hand; raises Unreadable.

    An entry may name several changes of one line, as a list under ``now``.
    """
    try:
        entries = tomllib.loads(read_bytes(path).decode("utf-8")).get("equivalent", [])
        reasons: dict[Key, str] = {}
        for entry in entries:
            now = entry["now"]
            for each in now if isinstance(now, list) else [now]:
                key = (entry["file"], entry["where"], entry["was"], each)
                if key in reasons:
                    raise Unreadable(f"{path}: {' '.join(key)} comes twice")
                reasons[key] = entry["reason"]
    except (KeyError, TypeError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise Unreadable(f"{path}: not as it should be: {error}") from None
    return reasons


def complaints(result: Result, reasons: Mapping[Key, str]) -> list[str]:
    """Everything for which a run fails, a line each."""
    found = [
        f"{each.file}:{each.line} ({each.where}) survives: {each.was} -> {each.now}"
        for each in result.survivors
        if each.key not in reasons
    ]
    survivors = {each.key for each in result.survivors}
    found += [
        f"{each.file}:{each.line} ({each.where}) is called equivalent, and {each.case or 'a case'} "
        f"kills it: {each.was} -> {each.now}"
        for each in result.counted
        if each.key in reasons and each.key not in survivors
    ]
    if len(result.counted) < LEAST:
        found.append(f"{len(result.counted)} mutants, and there should be {LEAST} at least")
    if result.percent_killed < GOAL:
        found.append(f"{result.percent_killed:.1f} % killed, and it should be {GOAL} % at least")
    return found


def summary(result: Result) -> str:
    """The figures of a run in one line."""
    return (
        f"{len(result.counted)} mutants, {len(result.counted) - len(result.survivors)} killed "
        f"({result.percent_killed:.1f} %), {len(result.survivors)} survive"
    )
