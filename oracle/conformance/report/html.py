"""``.html``: a page for people, in one file that needs nothing from anywhere else.

The page is built from ``report.html``: its slots are filled here, everything else of it is
there. It can be read without its script, which only filters and copies.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from importlib.resources import files

from oracle import __version__
from oracle.conformance.report.base import FileReport, Spool
from oracle.conformance.report.html_case import heading, open_tag, panel
from oracle.conformance.report.html_table import esc
from oracle.conformance.report.words import clause_heading, headline
from oracle.conformance.run import NOT_RUN, PASS, VERDICTS, Result, Run
from oracle.files import write_pieces
from oracle.games import GAMES
from oracle.rulesets import said

#: So many cases of a game, and of the first clause that they name, can be unfolded; the
#: failures of one mistake say much the same, and the page stays small.
PANELS_OF_A_GAME = 60
PANELS_OF_A_CLAUSE = 8

_SLOT = re.compile(r"<!--= (\w+) =-->")


class HtmlReport(FileReport):
    """A page: the counts, what failed by game and clause, and each failure with its table."""

    def begin(self) -> None:
        """Open the spools of cases."""
        self._failed = Spool()
        self._quiet = {PASS: _Quiet(), NOT_RUN: _Quiet()}
        self._games: dict[str, Counter[str]] = {}
        self._panels: Counter[str] = Counter()
        self._bare = 0

    def add(self, result: Result) -> None:
        """Take down the result of a case."""
        self._games.setdefault(result.case.game, Counter())[result.verdict] += 1
        if result.verdict in self._quiet:
            self._quiet[result.verdict].add(result)
        elif self._has_room(result):
            self._failed.add(panel(result, self.again(result)))
        else:
            self._bare += 1
            self._failed.add(f"{open_tag('div', result)}{heading(result)}</div>\n")

    def _has_room(self, result: Result) -> bool:
        game, clause = result.case.game, result.case.clauses[0]
        if self._panels[game] < PANELS_OF_A_GAME and self._panels[clause] < PANELS_OF_A_CLAUSE:
            self._panels.update((game, clause))
            return True
        return False

    def finish(self, run: Run | None, exit_code: int) -> None:
        """Write the report; raises Unreadable when the place can't be written."""
        write_pieces(self.path, self._pieces(run, exit_code))
        self._failed.close()
        for quiet in self._quiet.values():
            quiet.close()

    def _pieces(self, run: Run | None, exit_code: int) -> Iterator[str]:
        template = files(__package__).joinpath("report.html").read_text(encoding="utf-8")
        slots: dict[str, Iterable[str]] = {
            "title": [esc(f"{_engine_name(self, run)}: {headline(run, exit_code)}")],
            "outcome": ["bad" if exit_code else "good"],
            "header": self._header(run, exit_code),
            "games": self._game_rows(),
            "clauses": _clause_rows(run),
            "clean": _clean_clauses(run),
            "unchecked": _unchecked(run),
            "verdict_options": self._verdict_options(run),
            "game_options": (_option(game, GAMES[game].title) for game in self._games),
            "clause_options": (
                _option(clause, f"{clause} {clause_heading(clause)}")
                for clause in (sorted(run.clauses) if run else ())
            ),
            "note": self._note(),
            "failed": self._failed,
            "passed": self._quiet[PASS],
            "not_run": self._quiet[NOT_RUN],
            "footer": [f"Written by oracle {__version__}, {self.began:%Y-%m-%d %H:%M} UTC."],
        }
        for place, piece in enumerate(_SLOT.split(template)):
            if place % 2:
                yield from slots[piece]
            else:
                yield piece

    def _header(self, run: Run | None, exit_code: int) -> Iterator[str]:
        yield f"<h1>{esc(_engine_name(self, run))}</h1>"
        sentence = headline(run, exit_code)
        yield f'<p class="headline">{esc(sentence[:1].upper() + sentence[1:])}.</p>'
        if run:
            yield '<ul class="verdicts">'
            for verdict in VERDICTS:
                if count := run.verdicts[verdict]:
                    yield f'<li class="{verdict}"><strong>{count}</strong> {verdict}</li>'
            yield "</ul>"
        yield '<dl class="about">'
        for label, text in self._about(run):
            yield f"<div><dt>{label}</dt><dd><code>{esc(text)}</code></dd></div>"
        yield "</dl>"

    def _about(self, run: Run | None) -> Iterator[tuple[str, str]]:
        yield "command", " ".join(self.command)
        if run and (language := run.claims.engine.get("language")):
            yield "language", language
        rules = "; ".join(f"{game} {said(each)}" for game, each in self.rules.items())
        yield "rules", rules or said({})
        if run:
            yield "time", f"{run.seconds:.1f} s"
        if run and run.unknown_fields:
            yield "unknown fields ignored", str(run.unknown_fields)

    def _game_rows(self) -> Iterator[str]:
        for game, counts in self._games.items():
            run = counts.total() - counts[NOT_RUN]
            yield _row("game", game, GAMES[game].title, counts[PASS], run - counts[PASS])

    def _verdict_options(self, run: Run | None) -> Iterator[str]:
        for verdict in VERDICTS:
            if run and (count := run.verdicts[verdict]):
                yield _option(verdict, f"{verdict} ({count})")

    def _note(self) -> Iterator[str]:
        if self._bare:
            yield (
                f'<p class="note">{self._bare} of these cases are named only: of one game the '
                f"first {PANELS_OF_A_GAME} can be unfolded, and of one clause the first "
                f"{PANELS_OF_A_CLAUSE}. To see another in full, run "
                f"<code>oracle check --case</code> with its id.</p>"
            )


class _Quiet:
    """Cases that only need to be named, topic by topic."""

    def __init__(self) -> None:
        self._spool = Spool()
        self._topic = ""
        self._count = 0

    def add(self, result: Result) -> None:
        """Take down a case under its topic."""
        case = result.case
        topic, _, name = case.id.rpartition("/")
        if topic != self._topic:
            self._end_topic()
            self._spool.add(
                f'<section class="topic" data-game="{esc(case.game)}" '
                f'data-verdict="{result.verdict}"><h3>{esc(topic)}</h3><ul>\n'
            )
            self._topic = topic
        clauses = esc(" ".join(case.clauses))
        self._spool.add(
            f'<li data-clauses="{clauses}"><b>{esc(name)}</b> {esc(case.title)}</li>\n'
        )
        self._count += 1

    def _end_topic(self) -> None:
        if self._topic:
            self._spool.add("</ul></section>\n")

    def __iter__(self) -> Iterator[str]:
        """The section of these cases; nothing if there are none."""
        if self._count:
            self._end_topic()
            yield from self._spool

    def close(self) -> None:
        """Have done with it."""
        self._spool.close()


def _engine_name(report: FileReport, run: Run | None) -> str:
    if run is None:
        return " ".join(report.command)
    engine = run.claims.engine
    return " ".join(filter(None, (engine.get("name"), engine.get("version"))))


def _clause_rows(run: Run | None) -> Iterator[str]:
    failed = [
        (counts["fail"], clause, counts["pass"])
        for clause, counts in (run.clauses.items() if run else ())
        if counts["fail"]
    ]
    for fails, clause, passes in sorted(failed, key=lambda each: (-each[0], each[1])):
        yield _row("clause", clause, f"{clause} {clause_heading(clause)}", passes, fails)


def _clean_clauses(run: Run | None) -> Iterator[str]:
    for clause, counts in sorted(run.clauses.items() if run else ()):
        if counts["pass"] and not counts["fail"]:
            yield _row("clause", clause, f"{clause} {clause_heading(clause)}", counts["pass"], 0)


def _row(kind: str, value: str, title: str, passes: int, fails: int) -> str:
    """A row of a table of counts with its bar; its name sets the filter."""
    share = round(100 * passes / max(1, passes + fails), 1)
    return (
        f'<tr><th scope="row"><button type="button" data-filter="{kind}" '
        f'data-value="{esc(value)}">{esc(title)}</button></th>'
        f'<td class="bar"><span style="--share:{share}%"></span></td>'
        f"<td>{passes}</td><td>{fails}</td></tr>\n"
    )


def _option(value: str, title: str) -> str:
    return f'<option value="{esc(value)}">{esc(title)}</option>'


def _unchecked(run: Run | None) -> Iterator[str]:
    if run and run.not_asked:
        yield "<section><h2>Not checked</h2><ul class=plain>"
        for why, count in sorted(run.not_asked.items(), key=lambda each: (-each[1], each[0])):
            yield f"<li>{count} case{'' if count == 1 else 's'}: {esc(why)}</li>"
        yield "</ul></section>"
