"""oracle check: hold an engine against the vectors."""

import contextlib
import os
import shlex
import signal
import threading
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import IO, Any

import click

from oracle.cli import FAILED, INTERRUPTED, NO_HANDSHAKE, NOTHING, Stop
from oracle.cli.common import (
    Option,
    Progress,
    Selection,
    house_rules,
    rules_option,
    selection_options,
)
from oracle.conformance import engine as processes
from oracle.conformance.bench import MOST_DEATHS, Engine
from oracle.conformance.claims import Claims, NoHandshake
from oracle.conformance.engine import Limits, NoSuchEngine, ProcessEngine, Stopped
from oracle.conformance.expected import Expected, read_expected
from oracle.conformance.house_rules import (
    DERIVED,
    FRESH,
    PUBLISHED,
    chosen_cases,
    kind_of,
    may_be_fresh,
)
from oracle.conformance.report import KINDS, Report, github
from oracle.conformance.report import kind_of as report_kind
from oracle.conformance.report.foremost import Foremost
from oracle.conformance.report.text import failure_lines, stderr_lines, summary_lines
from oracle.conformance.report.words import (
    again,
    explained,
    is_failure,
    options_behind,
    visible,
)
from oracle.conformance.responses import Responses
from oracle.conformance.run import REPEATS, Run, unplayed
from oracle.conformance.variants import right_under
from oracle.files import Unreadable
from oracle.games import GAMES
from oracle.rulesets import said
from oracle.vectors.cases import Case
from oracle.vectors.numbered import numbered_cases

Rules = dict[str, dict[str, Any]]


#: The longest limit, about as long as a job in CI may take.
_LONGEST = 86_400


class _Count(click.IntRange):
    """A whole number; the -- before the engine is none."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value == "--":
            self.fail("a number is missing before --", param, ctx)
        return super().convert(value, param, ctx)


class _Seconds(click.FloatRange):
    """A time that ends: neither nan nor inf, nor more than a wait can be given."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        seconds = super().convert(value, param, ctx)
        if not seconds <= _LONGEST:
            self.fail(f"{value} is not at most {_LONGEST} seconds", param, ctx)
        return seconds


def _limit(name: str, parameter: str, default: float, what: str) -> Option:
    return click.option(
        name,
        parameter,
        type=_Seconds(min=0, min_open=True),
        default=default,
        show_default=True,
        metavar="SECONDS",
        help=what,
    )


#: So many failures beyond those that are shown in full are named, a line each.
_NAMED = 20


@click.command(
    "check",
    short_help="Hold an engine against the vectors.",
    epilog="Exit: 0 all as expected, 1 something failed, 2 wrong use, 3 nothing executed, "
    "4 no handshake, 5 a fault of the oracle itself, 130 interrupted.",
)
@selection_options
@rules_option
@click.option(
    "--report",
    "reports",
    multiple=True,
    type=click.Path(path_type=Path),
    help="Write a report to this file; the suffix says which kind.",
)
@click.option(
    "--transcript",
    type=click.Path(path_type=Path),
    help="Write every line that crosses the pipe to this file.",
)
@click.option(
    "--expected",
    "expected_file",
    type=click.Path(path_type=Path),
    help="Failures that are expected: a TOML file of cases and reasons.",
)
@click.option(
    "--write-expected",
    type=click.Path(path_type=Path),
    help="Write a file that expects the failures of this run.",
)
@click.option(
    "--responses",
    "answers_file",
    type=click.Path(path_type=Path),
    help="Judge the answers in this file instead of an engine's (see oracle export).",
)
@click.option("--fail-fast", is_flag=True, help="Stop at the first failure.")
@click.option(
    "--jobs",
    type=_Count(min=1),
    default=1,
    show_default=True,
    metavar="N",
    help="Run so many processes of the engine side by side.",
)
@_limit("--timeout", "timeout", 10.0, "How long an answer may take.")
@_limit("--hello-timeout", "hello_timeout", 10.0, "How long the answer to hello may take.")
@_limit("--bye-timeout", "bye_timeout", 2.0, "How long the engine may take to end.")
@click.option(
    "--max-answer",
    type=_Count(min=1),
    default=16,
    show_default=True,
    metavar="MIB",
    help="How long an answer may be.",
)
@click.option(
    "--min-executed",
    type=_Count(min=1),
    default=1,
    show_default=True,
    metavar="N",
    help="Fail unless so many cases were executed.",
)
@click.option(
    "--details",
    type=_Count(min=0),
    default=5,
    show_default=True,
    metavar="N",
    help="Show so many failures in full, hand-worked cases and one of each verdict first.",
)
@click.argument("engine", nargs=-1, type=click.UNPROCESSED)
def command(**asked: Any) -> int:
    """Hold ENGINE, a command that speaks the protocol, against the vectors.

    Put -- before the command: oracle check --game hearts -- python my_engine.py
    """
    return _Check(**asked).run()


@dataclass
class _Check:
    """A check as the command line asks for it."""

    folder: Path | None
    games: Sequence[str]
    names: Sequence[str]
    clauses: Sequence[str]
    rulesets: Sequence[str]
    reports: Sequence[Path]
    transcript: Path | None
    expected_file: Path | None
    write_expected: Path | None
    answers_file: Path | None
    fail_fast: bool
    jobs: int
    timeout: float
    hello_timeout: float
    bye_timeout: float
    max_answer: int
    min_executed: int
    details: int
    engine: tuple[str, ...]

    def run(self) -> int:
        """Check, tell of it, and give the exit code."""
        self._look_at_usage()
        self.selection = Selection(self.folder, self.games, self.names, self.clauses)
        self.rules = house_rules(self.rulesets, self.games)
        # What is played for house rules, an engine's own among them, is in no index.
        fresh = self.rules is not None or (not self.folder and any(map(may_be_fresh, self.names)))
        self.total = None if fresh else self.selection.count()
        self.expected = read_expected(self.expected_file) if self.expected_file else Expected()
        self.stop = processes.Stop()
        #: Cases that miss their point under house rules.
        self.astray: list[str] = []
        with contextlib.ExitStack() as stack:
            stack.enter_context(_interruptible(self.stop))
            engines, answers = self._engines(stack)
            try:
                with _watched(self.stop):
                    claims = engines[0].hello()
                for remark in claims.remarks:
                    click.echo(visible(f"the engine's claim: {remark}"), err=True)
                house = self._house(claims)
                self._look_at_rules(claims)
            except NoSuchEngine as error:
                raise Stop(str(error)) from None
            except Stopped:
                click.echo("interrupted", err=True)
                return self._finish(self._writers({}), None, INTERRUPTED)
            except NoHandshake as error:
                self._finish(self._writers({}), None, NO_HANDSHAKE)
                raise Stop(self._no_handshake(error, engines[0]), NO_HANDSHAKE) from None
            run = Run(
                engines[0],
                claims,
                self.fail_fast,
                engines[1:],
                repeats=0 if answers else REPEATS,
                most_deaths=0 if answers else MOST_DEATHS,
                stop=self.stop,
            )
            writers = self._writers(house)
            kinds = self._tell(run, self._cases(house, answers, run), writers)
            return self._end(run, writers, kinds if house else {}, answers)

    def _look_at_usage(self) -> None:
        """Raise for options that don't go together, and for files that can't be written."""
        if bool(self.engine) == bool(self.answers_file):
            raise click.UsageError("an ENGINE is needed, or --responses FILE in its place")
        if self.answers_file and (self.jobs > 1 or self.transcript):
            raise click.UsageError("--responses starts no process: no --jobs, no --transcript")
        for path in self.reports:
            if report_kind(path) is None:
                raise Stop(f"--report {path}: the suffix is one of {', '.join(KINDS)}")
            _look_at_folder("--report", path)
        if self.write_expected:
            _look_at_folder("--write-expected", self.write_expected)
            if self.write_expected != self.expected_file:
                _look_at_reasons(self.write_expected)

    def _engines(self, stack: contextlib.ExitStack) -> tuple[list[Engine], Responses | None]:
        """What is to be checked: processes that are not started yet, or answers in a file."""
        if self.answers_file:
            answers = Responses(self.answers_file)
            stack.callback(answers.close)
            return [answers], answers
        limits = Limits(self.hello_timeout, self.timeout, self.bye_timeout, self.max_answer << 20)
        lines = _open_transcript(self.transcript, stack)
        engines: list[Engine] = []
        for _ in range(self.jobs):
            engine = ProcessEngine(self.engine, limits, lines, self.stop)
            stack.callback(engine.abandon)
            engines.append(engine)
        # While they are ended, nothing cuts in: it takes no time, and none may be left running.
        stack.callback(setattr, self.stop, "watched", True)
        return engines, None

    def _no_handshake(self, error: NoHandshake, engine: Engine) -> str:
        command = shlex.join(self.engine) or str(self.answers_file)
        stderr = engine.stderr()
        tail = f"; its stderr ends with: {stderr}" if stderr else ""
        if "\n" in stderr:
            click.echo("\n".join(stderr_lines(stderr)), err=True)
            tail = ""
        return f"no handshake with {command}: {error}{tail}"

    def _look_at_rules(self, claims: Claims) -> None:
        """Say which options have to be asked for beside those that are, if any case is to be
        asked at all."""
        for game, rules in (self.rules or {}).items():
            if claim := claims.games.get(game):
                fixed = claim.fixed_rules(GAMES[game])
                missing = [said({name: fixed[name]}) for name in fixed if name not in rules]
                if missing:
                    words = shlex.join(word for each in missing for word in ("--rules", each))
                    click.echo(f"{game}: the engine plays it only with more; add {words}", err=True)

    def _house(self, claims: Claims) -> Rules:
        """The house rules by game: those asked for, or else those of a running engine that
        never plays a game canonically. Answers in a file are to requests that were exported
        before anything was claimed."""
        if self.rules is not None or self.answers_file:
            return self.rules or {}
        return claims.house_rules(self.games)

    def _cases(self, house: Rules, answers: Responses | None, run: Run) -> Iterator[Case]:
        for game, rules in house.items():
            click.echo(f"{game} under {said(rules)}", err=True)
        games, selected = run.claims.games, self.selection.wants

        def wants(name: str, clauses: Sequence[str]) -> bool:
            return name.partition("/")[0] in games and selected(name, clauses)

        def pass_over(name: str, clauses: Sequence[str]) -> None:
            game = name.partition("/")[0]
            if selected(name, clauses) and (self.rules is None or game in house):
                run.not_asked[unplayed(game)] += 1
            else:
                self.expected.leave_out(name)

        played = Progress("played for house rules:", None)
        chosen = chosen_cases(
            # The files of a game that the engine doesn't play need not be read.
            numbered_cases(self.selection.folder, wants, pass_over),
            house,
            selected,
            self.rules is None,
            self.expected.leave_out,
            run.claims if run.claims.stated else None,
            played.show,
            self.astray.append,
            # A folder of one's own holds all that is to be asked.
            fresh=self.folder is None,
        )
        row = answers.following(chosen) if answers else (case for _, case in chosen)
        for case in self._until_interrupted(row):
            played.clear()
            yield case

    def _until_interrupted(self, cases: Iterator[Case]) -> Iterator[Case]:
        """Cases each of which may take long to work out: an interrupt cuts in there, and ends
        them. (In a thread beside the main one nothing can cut in; nobody waits for it then.)"""
        main = threading.current_thread() is threading.main_thread()
        while True:
            try:
                with _watched(self.stop, not main):
                    case = next(cases, None)
            except KeyboardInterrupt:
                return
            if case is None:
                return
            yield case

    @property
    def _options(self) -> list[str]:
        """The words of the command line that a case needs to be run again."""
        words = [word for ruleset in self.rulesets for word in ("--rules", ruleset)]
        for option, path in (("--vectors", self.folder), ("--responses", self.answers_file)):
            words += [option, str(path)] if path else []
        return words

    def _writers(self, house: Rules) -> list[Report]:
        kinds = [(path, report_kind(path)) for path in self.reports]
        asked = (self.engine, house, self._options)
        files: list[Report] = [kind(path, *asked) for path, kind in kinds if kind]
        return [*files, *github.reports(*asked, os.environ)]

    def _tell(self, run: Run, cases: Iterator[Case], writers: Sequence[Report]) -> Counter[str]:
        """Run the cases, then tell of the failures; how many cases there were of each kind."""
        progress = Progress("checked", self.total)
        kinds: Counter[str] = Counter()
        first = Foremost(self.details, _NAMED)
        with _watched(self.stop):
            for result in run.results(cases, self.expected.judge):
                for writer in writers:
                    writer.add(result)
                kinds[kind_of(result.case)] += 1
                if is_failure(result.verdict):
                    first.add(result)
                progress.show(run.verdicts.total(), first.count)
        progress.clear()
        interrupted = self.stop.interrupted
        try:
            self._tell_failures(first)
        except KeyboardInterrupt:
            # The first of them costs no report.
            if interrupted:
                raise
        return kinds

    def _tell_failures(self, first: Foremost) -> None:
        """Show the first failures in full, name some more, and count the rest."""
        shown, named = first.chosen()
        under = {result.case.id: right_under(result) for result in [*shown, *named]}
        for result in shown:
            lines = failure_lines(
                result,
                again(result.case.id, self.engine, self._options),
                explain=explained(result.case, self._options),
                variants=under[result.case.id],
            )
            click.echo("\n".join([*lines, ""]))
        for result in named:
            click.echo(f"{result.verdict.upper()}  {result.case.id}  {result.case.title}")
        if more := first.more(len(shown) + len(named)):
            click.echo(more)
        if told := options_behind(list(under.values())):
            click.echo(told)
        if first.count > len(shown):
            are = "failure is" if len(shown) == 1 else "failures are"
            full = f"{len(shown)} {are} shown in full; " if shown else ""
            click.echo(f"({full}--details N shows more, --report FILE.html keeps them all)\n")

    def _end(
        self,
        run: Run,
        writers: Sequence[Report],
        kinds: Mapping[str, int],
        answers: Responses | None,
    ) -> int:
        """Draw the line under a run: what is to be said beside the cases, reports, exit code."""
        interrupted = self.stop.interrupted
        written = [str(path) for path in self.reports]
        if interrupted:
            unwritten = f"{self.write_expected} is not written; " if self.write_expected else ""
            click.echo(f"interrupted; {unwritten}the results so far:", err=True)
        else:
            run.faults += self.expected.stale()
            if self.write_expected:
                count = self.expected.write(self.write_expected)
                written.append(
                    f"{self.write_expected} ({count} entr{'y' if count == 1 else 'ies'})"
                )
        for line in (*run.faults, *self.expected.wide()):
            click.echo(visible(line))
        if kinds or self.astray:
            told = ", ".join(f"{kinds[kind]} {kind}" for kind in (PUBLISHED, DERIVED, FRESH))
            lost = f"; {len(self.astray)} left out, in which play doesn't get as far"
            click.echo(f"cases under house rules: {told}{lost if self.astray else ''}")
        if answers and answers.surplus and not interrupted:
            click.echo(f"ignored: {answers.surplus} answers to what was not asked")
        code = INTERRUPTED if interrupted else self._exit_code(run)
        self._finish(writers, run, code)
        if written:
            click.echo(visible(f"wrote {', '.join(written)}"))
        for line in summary_lines(run):
            click.echo(line)
        return code

    def _exit_code(self, run: Run) -> int:
        failed = any(map(is_failure, run.verdicts))
        if failed or run.faults:
            return FAILED
        if run.executed < self.min_executed:
            cases = f"{run.executed} case{'' if run.executed == 1 else 's'}"
            click.echo(f"{cases} executed, and at least {self.min_executed} were wanted")
            return NOTHING
        return 0 if run.good else FAILED

    @staticmethod
    def _finish(writers: Sequence[Report], run: Run | None, code: int) -> int:
        unwritten = []
        for writer in writers:
            try:
                writer.finish(run, code)
            except Unreadable as error:
                unwritten.append(str(error))
        if unwritten:
            raise Stop("; ".join(unwritten))
        return code


@contextlib.contextmanager
def _interruptible(stop: processes.Stop) -> Iterator[None]:
    """Let an interrupt end the run: in order where ``stop`` is watched, else at once, and so
    does a second one anywhere."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        cuts_in = stop.interrupted or not stop.watched
        stop.interrupted = True
        if cuts_in:
            raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    for number, handler in before.items():
        # Who started us may not want to be interrupted, as nohup.
        if handler != signal.SIG_IGN:
            signal.signal(number, interrupt)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextlib.contextmanager
def _watched(stop: processes.Stop, watched: bool = True) -> Iterator[None]:
    """Say of a piece of work whether it looks at ``stop`` by itself."""
    before, stop.watched = stop.watched, watched
    try:
        yield
    finally:
        stop.watched = before


def _look_at_folder(option: str, path: Path) -> None:
    if not path.absolute().parent.is_dir():
        raise Stop(f"{option} {path}: there is no folder {path.parent}")


def _look_at_reasons(path: Path) -> None:
    """Raise for a file of expected failures that somebody has worked on, and for any other."""
    if path.is_file() and (own := read_expected(path).own_reasons):
        reasons = f"{own} reason{'' if own == 1 else 's'} of your own"
        raise Stop(
            f"--write-expected {path}: it holds {reasons}; --expected {path} beside it keeps them"
        )


def _open_transcript(path: Path | None, stack: contextlib.ExitStack) -> IO[bytes] | None:
    if path is None:
        return None
    try:
        # Unbuffered: a line is in the file before anything can go wrong with the next one.
        return stack.enter_context(path.open("wb", buffering=0))
    except OSError as error:
        raise Stop(f"--transcript {path}: {(error.strerror or '').lower()}") from None
