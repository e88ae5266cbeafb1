"""What several verbs share: names of games, reading a request, choosing cases, progress."""

import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import click

from oracle import data, strict_json
from oracle.cli import Stop
from oracle.files import read_bytes
from oracle.games import GAMES
from oracle.rulebook import find
from oracle.rulesets import NoRuleset, read_ruleset
from oracle.vectors.cases import Case, load_file, paths
from oracle.vectors.index import load_index

GAME = click.Choice(list(GAMES))

Option = Callable[[Any], Any]


def vectors_option(function: Any) -> Any:
    """The option --vectors: a folder of vectors, the published ones if not given."""
    return click.option(
        "--vectors",
        "folder",
        type=click.Path(path_type=Path),
        help="A folder of vectors instead of the published ones.",
    )(function)


def selection_options(function: Any) -> Any:
    """The options that choose cases: --game, --case, --clause, --vectors."""
    for option in (
        click.option(
            "--clause",
            "clauses",
            multiple=True,
            metavar="ID",
            help="Only cases about this clause or ruling.",
        ),
        click.option(
            "--case",
            "names",
            multiple=True,
            metavar="ID",
            help="Only this case; * stands for anything.",
        ),
        click.option("--game", "games", multiple=True, type=GAME, help="Only this game."),
    ):
        function = option(function)
    return vectors_option(function)


def rules_option(function: Any) -> Any:
    """The option --rules: house rules, read by ``house_rules``."""
    return click.option(
        "--rules",
        "rulesets",
        multiple=True,
        metavar="RULES",
        help="House rules: a profile (hearts:openspiel), a JSON file, or KEY=VALUE.",
    )(function)


def house_rules(rulesets: Sequence[str], games: Sequence[str]) -> dict[str, Any] | None:
    """What --rules asks for, by game and in canonical form; None without it. Raises Stop."""
    if not rulesets:
        return None
    try:
        rules = read_ruleset(rulesets, games[0] if len(games) == 1 else None)
    except NoRuleset as error:
        raise Stop(f"--rules: {error}") from None
    return {game: each for game, each in rules.items() if not games or game in games}


class Selection:
    """The cases that a person asked for."""

    def __init__(
        self,
        folder: Path | None,
        games: Sequence[str] = (),
        names: Sequence[str] = (),
        clauses: Sequence[str] = (),
    ) -> None:
        self.folder = folder or data.folder("vectors")
        self.games = games
        self.names = names
        self.clauses = [clause.upper() for clause in clauses]
        for clause in self.clauses:
            if find(clause, tuple(GAMES)) is None:
                raise Stop(f"--clause {clause}: no such clause or ruling (oracle rules lists them)")

    def wants(self, name: str, clauses: Sequence[str]) -> bool:
        """Whether a case is among those asked for."""
        return (
            (not self.games or name.partition("/")[0] in self.games)
            and (not self.names or any(fnmatchcase(name, each) for each in self.names))
            and (not self.clauses or any(clause in clauses for clause in self.clauses))
        )

    def cases(self) -> Iterator[Case]:
        """The cases, file by file."""
        return (case for case, _ in self.with_notes())

    def with_notes(self) -> Iterator[tuple[Case, Mapping[str, str]]]:
        """The cases, each with the notes of its file; a file that can hold none is not read."""
        for path in paths(self.folder):
            if self._may_hold(path):
                vectors = load_file(path)
                for case in vectors.cases:
                    if self.wants(case.id, case.clauses):
                        yield case, vectors.notes

    def _may_hold(self, path: Path) -> bool:
        """Whether a file can hold cases that are asked for, as its place names game and topic."""
        game = path.relative_to(self.folder).parts[0]
        if game not in GAMES:
            return True
        ids = f"{game}/{path.stem}/"
        plain = [re.split(r"[*?[]", name, maxsplit=1)[0] for name in self.names]
        return (not self.games or game in self.games) and (
            not plain or any(ids.startswith(each) or each.startswith(ids) for each in plain)
        )

    def count(self) -> int | None:
        """How many cases there are, if the index tells; raises Stop when there are none."""
        index = load_index(self.folder)
        if index is None:
            return None
        rows = index["cases"]
        number = sum(1 for name, row in rows.items() if self.wants(name, row["clauses"]))
        if not number:
            raise self.nothing(list(rows))
        return number

    def nothing(self, known: Sequence[str] = ()) -> Stop:
        """What to say when there is no such case; ``known`` are ids that may have been meant."""
        close = [name for each in self.names for name in get_close_matches(each, known, 1)]
        hint = f"; did you mean {close[0]}?" if close else " (oracle list shows them all)"
        return Stop(f"there is no case for {self}{hint}")

    def __str__(self) -> str:
        asked = (("--game", self.games), ("--case", self.names), ("--clause", self.clauses))
        words = [f"{option} {each}" for option, values in asked for each in values]
        return " ".join(words) or f"--vectors {self.folder}"


def named(path: str) -> str:
    """A file as a message names it; "-" stands for stdin."""
    return "stdin" if path == "-" else path


def read_request_file(path: str) -> Any:
    """A request out of a file, or out of stdin for "-"; raises Stop."""
    try:
        content = sys.stdin.buffer.read() if path == "-" else read_bytes(Path(path))
        return strict_json.loads(content)
    except strict_json.NotJson as error:
        raise Stop(f"{named(path)}: {error}") from None


def quiet() -> bool:
    """Whether progress is out of place: no terminal, or a CI system."""
    return bool(os.environ.get("CI")) or not sys.stderr.isatty()


class Progress:
    """A count on one line of the terminal, rewritten as it grows; silent where it is out of place."""

    def __init__(self, what: str, total: int | None) -> None:
        self._what = what
        self._total = f" of {total}" if total else ""
        self._silent = quiet()
        self._shown = 0

    def show(self, done: int) -> None:
        """Show how far it is."""
        if not self._silent and (done == 1 or done % 25 == 0):
            line = f"{self._what} {done}{self._total}"
            click.echo("\r" + line, nl=False, err=True)
            self._shown = len(line)

    def clear(self) -> None:
        """Take the line away, so that something else can be printed."""
        if self._shown:
            click.echo("\r" + " " * self._shown + "\r", nl=False, err=True)
            self._shown = 0
