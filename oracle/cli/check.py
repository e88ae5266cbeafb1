"""oracle check: hold an engine against the vectors."""

import contextlib
import os
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
from oracle.conformance.house_rules import DERIVED, FRESH, PUBLISHED, chosen_cases, kind_of
from oracle.conformance.report import KINDS, Report, github
from oracle.conformance.report import kind_of as report_kind
from oracle.conformance.report.text import again, failure_lines, summary_lines
from oracle.conformance.report.words import visible
from oracle.conformance.responses import Responses
from oracle.conformance.run import REPEATS, Run
from oracle.conformance.verdicts import GOOD, NOT_RUN
from oracle.files import Unreadable
from oracle.games import GAMES
from oracle.rulesets import said
from oracle.vectors.cases import Case
from oracle.vectors.numbered import numbered_cases

Rules = dict[str, dict[str, Any]]


def _limit(name: str, parameter: str, default: float, what: str) -> Option:
    return click.option(
        name,
        parameter,
        type=click.FloatRange(min=0, min_open=True),
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
    "4 no handshake, 130 interrupted.",
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
    type=click.IntRange(min=1),
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
    type=click.IntRange(min=1),
    default=16,
    show_default=True,
    metavar="MIB",
    help="How long an answer may be.",
)
@click.option(
    "--min-executed",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    metavar="N",
    help="Fail unless so many cases were executed.",
)
@click.option(
    "--details",
    type=click.IntRange(min=0),
    default=5,
    show_default=True,
    metavar="N",
    help="Show so many failures in full.",
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
        self.total = self.selection.count() if self.rules is None else None
        self.expected = read_expected(self.expected_file) if self.expected_file else Expected()
        self.stop = processes.Stop()
        with contextlib.ExitStack() as stack:
            stack.enter_context(_interruptible(self.stop))
            engines, answers = self._engines(stack)
            try:
                claims = engines[0].hello()
                house = self._house(claims)
            except NoSuchEngine as error:
                raise Stop(str(error)) from None
            except Stopped:
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
            kinds = self._tell(run, self._cases(house, answers), writers)
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
        return engines, None

    def _no_handshake(self, error: NoHandshake, engine: Engine) -> str:
        tail = f"; its stderr ends with: {engine.stderr()}" if engine.stderr() else ""
        return f"no handshake with {self.engine[0] if self.engine else self.answers_file}: {error}{tail}"

    def _house(self, claims: Claims) -> Rules:
        """The house rules by game: those asked for, or else those of a running engine that
        never plays a game canonically. Answers in a file are to requests that were exported
        before anything was claimed."""
        if self.rules is not None or self.answers_file:
            return self.rules or {}
        fixed = {
            game: claim.fixed_rules(GAMES[game])
            for game, claim in claims.games.items()
            if not self.games or game in self.games
        }
        return {game: rules for game, rules in fixed.items() if rules}

    def _cases(self, house: Rules, answers: Responses | None) -> Iterator[Case]:
        for game, rules in house.items():
            click.echo(f"{game} under {said(rules)}", err=True)
        wants, leave_out = self.selection.wants, self.expected.leave_out
        published = numbered_cases(self.selection.folder, wants, leave_out)
        chosen = chosen_cases(published, house, wants, self.rules is None, leave_out)
        return answers.following(chosen) if answers else (case for _, case in chosen)

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
        """Run the cases and tell of failures as they come; how many there were of each kind."""
        progress = Progress("checked", self.total)
        kinds: Counter[str] = Counter()
        failures = 0
        for result in run.results(cases, self.expected.judge):
            for writer in writers:
                writer.add(result)
            progress.show(run.verdicts.total())
            kinds[kind_of(result.case)] += 1
            if result.verdict in (*GOOD, NOT_RUN):
                continue
            progress.clear()
            failures += 1
            if failures <= self.details:
                rerun = again(result.case.id, self.engine, self._options)
                click.echo("\n".join([*failure_lines(result, rerun), ""]))
            elif failures <= self.details + _NAMED:
                click.echo(f"{result.verdict.upper()}  {result.case.id}  {result.case.title}")
        progress.clear()
        if more := max(0, failures - self.details - _NAMED):
            click.echo(f"… and {more} more failure{'' if more == 1 else 's'}")
        if failures > self.details:
            shown = f"the first {self.details} failures are shown in full; " if self.details else ""
            click.echo(f"({shown}--details N shows more, --report FILE.html keeps them all)\n")
        return kinds

    def _end(
        self,
        run: Run,
        writers: Sequence[Report],
        kinds: Mapping[str, int],
        answers: Responses | None,
    ) -> int:
        """Draw the line under a run: what is to be said beside the cases, reports, exit code."""
        interrupted = self.stop.interrupted
        if interrupted:
            unwritten = f"{self.write_expected} is not written; " if self.write_expected else ""
            click.echo(f"interrupted; {unwritten}the results so far:", err=True)
        else:
            run.faults += self.expected.stale()
            if self.write_expected:
                self.expected.write(self.write_expected)
        for fault in run.faults:
            click.echo(visible(fault))
        if kinds:
            told = ", ".join(f"{kinds[kind]} {kind}" for kind in (PUBLISHED, DERIVED, FRESH))
            click.echo(f"cases under house rules: {told}")
        if answers and answers.surplus and not interrupted:
            click.echo(f"ignored: {answers.surplus} answers to what was not asked")
        code = INTERRUPTED if interrupted else self._exit_code(run)
        self._finish(writers, run, code)
        for line in summary_lines(run):
            click.echo(line)
        return code

    def _exit_code(self, run: Run) -> int:
        failed = any(verdict not in (*GOOD, NOT_RUN) for verdict in run.verdicts)
        if failed or run.faults:
            return FAILED
        if run.executed < self.min_executed:
            click.echo(
                f"{run.executed} cases executed, and at least {self.min_executed} were wanted"
            )
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
    """Let an interrupt end the run in order, and a second one at once."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        if stop.interrupted:
            raise KeyboardInterrupt
        stop.interrupted = True

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


def _look_at_folder(option: str, path: Path) -> None:
    if not path.absolute().parent.is_dir():
        raise Stop(f"{option} {path}: there is no folder {path.parent}")


def _open_transcript(path: Path | None, stack: contextlib.ExitStack) -> IO[bytes] | None:
    if path is None:
        return None
    try:
        # Unbuffered: a line is in the file before anything can go wrong with the next one.
        return stack.enter_context(path.open("wb", buffering=0))
    except OSError as error:
        raise Stop(f"--transcript {path}: {(error.strerror or '').lower()}") from None
