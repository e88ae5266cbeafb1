"""``.html``: a page for people, in one file that needs nothing from anywhere else.

The page is built from ``report.html``: its slots are filled here, everything else of it is
there. It can be read without its script, which only filters and copies.
"""

import re
from base64 import b64encode
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing
from hashlib import sha256
from importlib.resources import files
from itertools import chain

from oracle import __version__
from oracle.conformance.report.base import FileReport, Spool
from oracle.conformance.report.html_case import heading, open_tag, panel
from oracle.conformance.report.html_table import esc
from oracle.conformance.report.words import (
    clause_heading,
    clauses_by_failures,
    clauses_with_expected,
    clean_clauses,
    headline,
    is_failure,
    missed_refusals,
    not_checked,
    uncounted,
)
from oracle.conformance.run import Run
from oracle.conformance.variants import right_under
from oracle.conformance.verdicts import NOT_RUN, PASS, UNSUPPORTED, VERDICTS, Result
from oracle.files import write_pieces
from oracle.games import GAMES
from oracle.rulesets import said

#: So many hand-worked failures of a game can be unfolded, so many that were generated, and after
#: them the first that names a clause first and the first of a verdict: the others say much the
#: same, and the page stays small.
PANELS_OF_A_GAME = 50
#: How many clauses with failures stand in the open; the others can be unfolded.
_CLAUSES = 12

#: The verdicts of cases that only need to be named, and how that is said of several.
_QUIET = {PASS: "passed", UNSUPPORTED: "not supported", NOT_RUN: "not run"}

_SLOT = re.compile(r"<!--= (\w+) =-->")
_SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)


class HtmlReport(FileReport):
    """A page: the counts, what failed by game and clause, and each failure with its table."""

    def begin(self) -> None:
        """Open the spools of cases."""
        #: Hand-worked cases, and those that were generated, which come after them.
        self._failed = (Spool(), Spool())
        self._quiet = {verdict: _Quiet(verdict, said) for verdict, said in _QUIET.items()}
        self._games: dict[str, Counter[str]] = {}
        self._panels: Counter[str | tuple[str, bool]] = Counter()
        self._bare = 0

    def add(self, result: Result) -> None:
        """Take down the result of a case."""
        self._games.setdefault(result.case.game, Counter())[result.verdict] += 1
        if result.verdict in self._quiet:
            self._quiet[result.verdict].add(result)
            return
        failed = self._failed[not result.case.hand_worked]
        if self._has_room(result):
            variants = right_under(result) if result.case.hand_worked else []
            failed.add(panel(result, self.again(result), variants))
        else:
            self._bare += 1
            failed.add(f"{open_tag('div', result)}{heading(result)}</div>\n")

    def _has_room(self, result: Result) -> bool:
        case = result.case
        group = case.game, case.hand_worked
        has_room = (
            self._panels[group] < PANELS_OF_A_GAME
            or not self._panels[case.clauses[0]]
            or not self._panels[result.verdict]
        )
        if has_room:
            self._panels.update((group, case.clauses[0], result.verdict))
        return has_room

    def finish(self, run: Run | None, exit_code: int) -> None:
        """Write the report; raises Unreadable when the place can't be written."""
        with ExitStack() as stack:
            for failed in self._failed:
                stack.enter_context(closing(failed))
            for quiet in self._quiet.values():
                stack.enter_context(closing(quiet))
            write_pieces(self.path, self._pieces(run, exit_code))

    def _pieces(self, run: Run | None, exit_code: int) -> Iterator[str]:
        template = files(__package__).joinpath("report.html").read_text(encoding="utf-8")
        slots: dict[str, Iterable[str]] = {
            "title": [esc(f"{_engine_name(self, run)}: {headline(run, exit_code)}")],
            "script_hash": [_hash_of_script(template)],
            "outcome": ["bad" if exit_code else "good", "" if self._games else " empty"],
            "header": self._header(run, exit_code),
            "games": self._game_rows(),
            "clauses": _clauses_with_failures(run),
            "clean": _other_clauses(run),
            "unchecked": _unchecked(run),
            "verdict_options": self._verdict_options(run),
            "game_options": (_option(game, GAMES[game].title) for game in self._games),
            "clause_options": (
                _option(clause, f"{clause} {clause_heading(clause)}")
                for clause in (sorted(run.clauses) if run else ())
            ),
            "note": self._note(),
            "failed": chain.from_iterable(self._failed),
            "quiet": chain.from_iterable(self._quiet.values()),
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
            yield from (f'<p class="message">{esc(fault)}</p>' for fault in run.faults)
        yield '<dl class="about">'
        for label, text in self._about(run):
            yield f"<div><dt>{label}</dt><dd><code>{esc(text)}</code></dd></div>"
        yield "</dl>"

    def _about(self, run: Run | None) -> Iterator[tuple[str, str]]:
        if self.command:
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
            failed = sum(count for verdict, count in counts.items() if is_failure(verdict))
            yield _row("game", game, GAMES[game].title, counts[PASS], failed)

    def _verdict_options(self, run: Run | None) -> Iterator[str]:
        for verdict in VERDICTS:
            if run and (count := run.verdicts[verdict]):
                yield _option(verdict, f"{verdict} ({count})")

    def _note(self) -> Iterator[str]:
        if self._bare:
            yield (
                f'<p class="note">{self._bare} of the failed cases stand here with their titles '
                "only. To see one in full, run <code>oracle check --case</code> with its id.</p>"
            )


class _Quiet:
    """Cases that only need to be named, topic by topic."""

    def __init__(self, verdict: str, said: str) -> None:
        self._verdict = verdict
        self._said = said
        self._spool = Spool()
        self._topic = ""
        self._count = 0

    def add(self, result: Result) -> None:
        """Take down a case under its topic."""
        case = result.case
        topic, _, name = case.id.rpartition("/")
        if topic != self._topic:
            self._spool.add("</ul></section>\n" if self._topic else "")
            self._spool.add(
                f'<section class="topic" data-game="{esc(case.game)}" '
                f'data-verdict="{self._verdict}"><h3>{esc(topic)}</h3><ul>\n'
            )
            self._topic = topic
        clauses = esc(" ".join(case.clauses))
        self._spool.add(f'<li data-clauses="{clauses}"><b>{esc(name)}</b> {esc(case.title)}</li>\n')
        self._count += 1

    def __iter__(self) -> Iterator[str]:
        """The section of these cases; nothing if there are none."""
        if self._count:
            yield (
                f'<details class="quiet" data-verdict="{self._verdict}"><summary>{self._count} '
                f'case{"" if self._count == 1 else "s"} {self._said}<span class="fits"></span></summary>\n'
            )
            yield from self._spool
            yield "</ul></section></details>\n"

    def close(self) -> None:
        """Have done with it."""
        self._spool.close()


def _hash_of_script(template: str) -> str:
    """What the page's policy knows its one script by: nothing else in it can run."""
    script = _SCRIPT.search(template)
    assert script is not None
    return b64encode(sha256(script[1].encode()).digest()).decode()


def _engine_name(report: FileReport, run: Run | None) -> str:
    if run is None:
        return " ".join(report.command) or "The engine"
    engine = run.claims.engine
    return " ".join(filter(None, (engine.get("name"), engine.get("version"))))


def _clauses_with_failures(run: Run | None) -> Iterator[str]:
    if run is None:
        return
    for clause, passes, fails in clauses_by_failures(run)[:_CLAUSES]:
        yield _clause_row(clause, passes, fails)
    for clause, fails, meaning in missed_refusals(run):
        yield (
            f'<tr><th scope="row">{clause}, to be refused: {esc(meaning)}</th>'
            f'<td class="bar"></td><td></td><td>{fails}</td></tr>\n'
        )
    for told in filter(None, (clauses_with_expected(run), uncounted(run))):
        yield f'<tr><td colspan="4">{esc(told[:1].upper() + told[1:])}.</td></tr>\n'


def _other_clauses(run: Run | None) -> Iterator[str]:
    """The clauses that don't stand in the open: the rest of those with failures, and the clean."""
    if run is None:
        return
    more = clauses_by_failures(run)[_CLAUSES:]
    clean = [(clause, passes, 0) for clause, passes in clean_clauses(run)]
    for rows, what in ((more, "more with failures"), (clean, "without a failure")):
        if rows:
            plural = "" if len(rows) == 1 else "s"
            yield f"<details><summary>{len(rows)} clause{plural} {what}</summary>"
            yield '<table class="counts"><tbody>\n'
            yield from (_clause_row(*row) for row in rows)
            yield "</tbody></table></details>"


def _clause_row(clause: str, passes: int, fails: int) -> str:
    return _row("clause", clause, f"{clause} {clause_heading(clause)}", passes, fails)


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
        for count, why in not_checked(run):
            yield f"<li>{count} case{'' if count == 1 else 's'}: {esc(why)}</li>"
        yield "</ul></section>"
