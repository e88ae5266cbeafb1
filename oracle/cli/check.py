"""oracle check: hold an engine against the vectors."""

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, Any

import click

from oracle.cli import FAILED, INTERRUPTED, NO_HANDSHAKE, NOTHING, Stop
from oracle.cli.common import Progress, Selection, selection_options
from oracle.conformance.claims import NoHandshake
from oracle.conformance.engine import Limits, NoSuchEngine, Trouble
from oracle.conformance.house_rules import house_cases
from oracle.conformance.report import KINDS, Report
from oracle.conformance.report.text import again, failure_lines, summary_lines
from oracle.conformance.run import GOOD, NOT_RUN, ProcessEngine, Run
from oracle.files import Unreadable
from oracle.rulesets import NoRuleset, read_ruleset, said
from oracle.vectors.cases import Case


@click.command(
    "check",
    short_help="Hold an engine against the vectors.",
    epilog="Exit: 0 all as expected, 1 something failed, 2 wrong use, 3 nothing executed, "
    "4 no handshake, 130 interrupted.",
)
@selection_options
@click.option(
    "--rules",
    "rulesets",
    multiple=True,
    metavar="RULES",
    help="House rules: a profile (hearts:openspiel), a JSON file, or KEY=VALUE.",
)
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
@click.option("--fail-fast", is_flag=True, help="Stop at the first failure.")
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    default=10.0,
    show_default=True,
    metavar="SECONDS",
    help="How long an answer may take.",
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
@click.argument("engine", nargs=-1, required=True, type=click.UNPROCESSED)
def command(
    folder: Path | None,
    games: Sequence[str],
    names: Sequence[str],
    clauses: Sequence[str],
    rulesets: Sequence[str],
    reports: Sequence[Path],
    transcript: Path | None,
    fail_fast: bool,
    timeout: float,
    min_executed: int,
    details: int,
    engine: tuple[str, ...],
) -> int:
    """Hold ENGINE, a command that speaks the protocol, against the vectors.

    Put -- before the command: oracle check --game hearts -- python my_engine.py
    """
    selection = Selection(folder, games, names, clauses)
    rules = _rules(rulesets, games)
    total = selection.count() if not rules else None
    writers = [_writer(path, engine, rules) for path in reports]
    options = [word for ruleset in rulesets for word in ("--rules", ruleset)]
    with contextlib.ExitStack() as stack:
        lines = _open_transcript(transcript, stack)
        process = ProcessEngine(engine, Limits(request=timeout), lines)
        stack.callback(process.abandon)
        try:
            claims = process.hello()
        except NoSuchEngine as error:
            raise Stop(str(error)) from None
        except NoHandshake as error:
            _finish(writers, None, NO_HANDSHAKE)
            tail = f"; its stderr ends with: {process.stderr()}" if process.stderr() else ""
            raise Stop(f"no handshake with {engine[0]}: {error}{tail}", NO_HANDSHAKE) from None
        run = Run(process, claims, fail_fast)
        cases = _cases(selection, rules)
        code = _check(
            run, cases, writers, details, lambda name: again(name, engine, options), total
        )
        if code != INTERRUPTED:
            code = _close(process, run, code)
            code = _verdict(run, code, min_executed)
        _finish(writers, run, code)
    for line in summary_lines(run):
        click.echo(line)
    return code


def _rules(rulesets: Sequence[str], games: Sequence[str]) -> dict[str, dict[str, Any]]:
    try:
        if not rulesets:
            return {}
        rules = read_ruleset(rulesets, games[0] if len(games) == 1 else None)
    except NoRuleset as error:
        raise Stop(f"--rules: {error}") from None
    return {game: each for game, each in rules.items() if not games or game in games}


def _cases(selection: Selection, rules: dict[str, dict[str, Any]]) -> Iterator[Case]:
    if not any(rules.values()):
        wanted = set(rules)
        yield from (case for case in selection.cases() if not wanted or case.game in wanted)
    else:
        for game, each in rules.items():
            click.echo(f"{game} under {said(each)}", err=True)
            yield from house_cases(selection.cases(), game, each, selection.wants)


def _writer(path: Path, engine: Sequence[str], rules: dict[str, Any]) -> Report:
    if path.suffix not in KINDS:
        raise Stop(f"--report {path}: the suffix is one of {', '.join(KINDS)}")
    if not path.absolute().parent.is_dir():
        raise Stop(f"--report {path}: there is no folder {path.parent}")
    return KINDS[path.suffix](path, engine, rules)


def _open_transcript(path: Path | None, stack: contextlib.ExitStack) -> IO[str] | None:
    if path is None:
        return None
    try:
        return stack.enter_context(path.open("w", encoding="utf-8"))
    except OSError as error:
        raise Stop(f"--transcript {path}: {(error.strerror or '').lower()}") from None


def _check(
    run: Run,
    cases: Iterator[Case],
    writers: Sequence[Report],
    details: int,
    rerun: Any,
    total: int | None,
) -> int:
    """Run the cases and tell of failures as they come; the exit code so far."""
    progress = Progress("checked", total)
    failures = 0
    try:
        for result in run.results(cases):
            for writer in writers:
                writer.add(result)
            progress.show(run.verdicts.total())
            if result.verdict in (*GOOD, NOT_RUN):
                continue
            progress.clear()
            failures += 1
            if failures <= details:
                click.echo("\n".join([*failure_lines(result, rerun(result.case.id)), ""]))
            else:
                click.echo(f"{result.verdict.upper()}  {result.case.id}  {result.case.title}")
    except KeyboardInterrupt:
        progress.clear()
        click.echo("interrupted; the results so far:", err=True)
        return INTERRUPTED
    progress.clear()
    if failures > details:
        shown = f"the first {details} failures are shown in full; " if details else ""
        click.echo(f"({shown}--details N shows more, --report FILE.json keeps them all)\n")
    return 0 if run.good else FAILED


def _close(process: ProcessEngine, run: Run, code: int) -> int:
    """Say bye; an engine that doesn't end as it should has failed too."""
    try:
        process.close()
    except Trouble as trouble:
        click.echo(f"the engine {trouble}")
        return code or FAILED
    return code


def _verdict(run: Run, code: int, min_executed: int) -> int:
    if run.executed < min_executed and not code:
        click.echo(f"{run.executed} cases executed, and at least {min_executed} were wanted")
        return NOTHING
    return code


def _finish(writers: Sequence[Report], run: Run | None, code: int) -> None:
    for writer in writers:
        try:
            writer.finish(run, code)
        except Unreadable as error:
            raise Stop(str(error)) from None
