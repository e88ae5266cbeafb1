"""What several verbs share: names of games, reading a request, choosing cases, progress."""

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import click

from oracle import data, strict_json
from oracle.cli import Stop
from oracle.files import read_bytes
from oracle.games import GAMES
from oracle.games.refusals import GENERAL
from oracle.nearest import did_you_mean, nearest
from oracle.rulebook import entries, find
from oracle.rulesets import NoRuleset, read_ruleset
from oracle.vectors.cases import Case, load_file, paths
from oracle.vectors.index import load_index
from oracle.vectors.save import CASE_ID

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
    """The cases that a person asked for; ``asked`` is how, if not with the options."""

    def __init__(
        self,
        folder: Path | None,
        games: Sequence[str] = (),
        names: Sequence[str] = (),
        clauses: Sequence[str] = (),
        asked: str = "",
    ) -> None:
        self.folder = folder or data.folder("vectors")
        self.games = games
        self.names = names
        self.asked = asked
        self.clauses = [clause.upper() for clause in clauses]
        for clause in self.clauses:
            if find(clause, tuple(GAMES)) is None:
                raise Stop(f"--clause {clause}: {_no_clause(clause)}")

    def wants(self, name: str, clauses: Sequence[str]) -> bool:
        """Whether a case is among those asked for."""
        return (
            (not self.games or name.partition("/")[0] in self.games)
            and (not self.names or any(fnmatchcase(name, each) for each in self.names))
            and (not self.clauses or any(clause in clauses for clause in self.clauses))
        )

    def cases(self) -> Iterator[Case]:
        """The cases, file by file; a file that can hold none is not read."""
        for path in paths(self.folder):
            if self._may_hold(path):
                for case in load_file(path).cases:
                    if self.wants(case.id, case.clauses):
                        yield case

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
            raise self.nothing()
        return number

    def nothing(self) -> Stop:
        """What to say when there is no such case."""
        index = load_index(self.folder)
        known = index["cases"] if index else ()
        mine = [name for name in known if not self.games or name.partition("/")[0] in self.games]
        meant = next(filter(None, (_meant(name, mine) for name in self.names)), "")
        return Stop(
            f"there is no case for {self}{meant or ' (oracle list --topics shows what there is)'}"
        )

    def __str__(self) -> str:
        options = (("--game", self.games), ("--case", self.names), ("--clause", self.clauses))
        words = [f"{option} {each}" for option, values in options for each in values]
        return self.asked or " ".join(words) or f"--vectors {self.folder}"


def _no_clause(name: str) -> str:
    if name in GENERAL:
        return (
            f"a general refusal and no clause (oracle rules {name} says what it means); "
            "--case '*/refusals/*' has cases about them"
        )
    known = (clause for game in GAMES for clause in entries(game))
    return f"no such clause or ruling{did_you_mean(name, known)} (oracle rules lists them)"


def _meant(name: str, known: Sequence[str]) -> str:
    """The id, or the pattern of a topic, that may have been meant by one that no id fits."""
    if any(fnmatchcase(each, name) for each in known):
        # It is another option that leaves nothing over.
        return ""
    patterns = _topic_patterns(known)
    topic, _, last = name.rpartition("/")
    if "/" in topic and topic in patterns and not re.search(r"[*?[]", last):
        there = (each.rpartition("/") for each in known)
        close = nearest(last, (case for place, _, case in there if place == topic))
        return f"; did you mean {topic}/{close or '*'}?"
    meant = nearest("/".join(name.split("/")[:2]).removesuffix("/*"), patterns)
    return f"; did you mean {patterns[meant]}?" if meant else ""


def _topic_patterns(ids: Iterable[str]) -> dict[str, str]:
    """From every name by which a person may call a game or a topic to the pattern of its ids."""
    topics = sorted({name.rpartition("/")[0] for name in ids})
    patterns: dict[str, str] = {}
    for topic in topics:
        game, _, name = topic.partition("/")
        patterns[game] = f"{game}/*"
        # A topic that several games have.
        patterns[name] = f"*/{name}/*" if name in patterns else f"{topic}/*"
    return patterns | {topic: f"{topic}/*" for topic in topics}


def named(path: str) -> str:
    """A file as a message names it; "-" stands for stdin."""
    return "stdin" if path == "-" else path


def read_request_file(path: str) -> Any:
    """A request out of a file, out of stdin for "-", or that of the published case of this id,
    where there is no file of that name; raises Stop.

    The file may also be a transcript with one request in it, or a line of one.
    """
    case = CASE_ID.fullmatch(path)
    if case and case["game"] in GAMES and not Path(path).exists():
        selection = Selection(None, names=[path], asked=path)
        selection.count()
        return next(selection.cases()).request
    try:
        content = sys.stdin.buffer.read() if path == "-" else read_bytes(Path(path))
        value = strict_json.loads(_only_request(content, path))
    except strict_json.NotJson as error:
        raise Stop(f"{named(path)}: {error}") from None
    if isinstance(value, dict):
        # It belongs to the pipe, as in a transcript or an export.
        value.pop("seq", None)
    return value


def _only_request(content: bytes, path: str) -> bytes:
    """What was asked in a transcript; any other content as it is."""
    if not content.startswith((b"-> ", b"<- ")):
        return content
    sent = [line[3:] for line in content.splitlines() if line.startswith(b"-> ")]
    asked = [line for line in sent if b'"op"' in line]
    if len(asked) != 1:
        found = f"{len(asked)} requests" if asked else "no request"
        raise Stop(f"{named(path)}: {found} in this transcript, and one was expected")
    return asked[0]


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

    def show(self, done: int, failed: int = 0) -> None:
        """Show how far it is, and how many of them have failed."""
        if not self._silent and (done == 1 or done % 25 == 0):
            line = f"{self._what} {done}{self._total}" + (f", {failed} failed" if failed else "")
            click.echo("\r" + line, nl=False, err=True)
            self._shown = len(line)

    def clear(self) -> None:
        """Take the line away, so that something else can be printed."""
        if self._shown:
            click.echo("\r" + " " * self._shown + "\r", nl=False, err=True)
            self._shown = 0
